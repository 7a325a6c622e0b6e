#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs one step of the tests of the command `pto`. The CMakeLists.txt of this folder sets the environment.
#
#   command.sh transcript NAME   runs the commands of checked/NAME.txt, and compares their output
#   command.sh write NAME        rewrites that file from their output; read it before you commit it
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
WORK=$WORK/${1:?}${2:+.$2} # a folder of its own, because steps may run in parallel
mkdir -p "$WORK"
read -ra emulator <<<"${EMULATOR:-}"

fail()
{
    echo "command: $*" >&2
    exit 1
}

pto() { "${emulator[@]}" "$PTO" "$@"; }

# expect STATUS ARGUMENT...: runs pto, and fails unless it exits with STATUS. $said is the output of both streams.
expect()
{
    local wanted=$1 status=0
    shift
    said=$(pto "$@" 2>&1) || status=$?
    [[ $status -eq $wanted ]] || fail "pto $* ended with $status, not $wanted: $said"
}

# Prints the names of the subcommands, from pto --help.
subcommands() { pto --help | sed -n 's/^  \([a-z]*\) .*/\1/p'; }

# transcript FILE: runs the commands of a file in a new folder with lines/, examples/ and test/. Prints each command,
# "$ pto ...", its output, and [STATUS] if that is not 0.
transcript()
{
    local line status scene
    scene=$WORK/scene.$(basename "$1" .txt)
    rm -rf "$scene"
    mkdir "$scene"
    cp "$here"/lines/* "$here/find.txt" "$scene"
    ln -s "$here/../../examples" "$scene/examples"
    ln -s "$here/.." "$scene/test"
    while IFS= read -r line; do
        status=0
        echo "$line"
        (cd "$scene" && eval "${line#\$ }") 2>&1 || status=$?
        if [[ $status -eq 141 ]]; then status=0; fi # SIGPIPE: whether head ends before all is written is a matter of time
        if [[ $status -ne 0 ]]; then echo "[$status]"; fi
    done < <(grep '^\$ ' "$1")
}

# as_elsewhere: replaces the message of Windows for a folder that is opened as a file by that of other systems.
as_elsewhere()
{
    if [[ $PTO == *.exe ]]; then sed 's/: Permission denied$/: Is a directory/'; else cat; fi
}

# safetensors LENGTH HEADER DATA: writes a file of that format to standard output. DATA has printf's escapes.
# LENGTH is the stored length of the header, which may be wrong; "-" means the right one.
safetensors()
{
    local LC_ALL=C i length=$1
    if [[ $length == - ]]; then length=${#2}; fi
    for i in 0 8 16 24 32 40 48 56; do printf '%b' "\\0$(printf %o $((length >> i & 255)))"; done
    printf '%s%b' "$2" "$3"
}

# refused LENGTH HEADER DATA: prints the message of pto run for such a file, without the words of the JSON library.
refused()
{
    safetensors "$@" >bad.safetensors
    printf 'mov.b32 d, x;' | pto run - -i x=bad.safetensors 2>&1 | sed 's/malformed: .*,/malformed: ...,/'
}

# Prints the backends that this build has and this machine can run.
isas() { pto info | sed -n 's/^\([a-z0-9]*\)  *yes  *yes .*/\1/p'; }

# Prints a backend other than scalar. The faults of the faulty command are in those.
other_isa() { isas | sed -n '/^scalar$/!{p;q;}'; }

# Prints the digests of some shares of some forms, for each operation and each kind of input.
sample()
{
    pto digest --range 0:1 "$@" 'cvt.*.e2m1*' 'cvt.*.e[23]m[23]x2' 'cvt.rn.*.e4m3*.f16*' 'cvt.rp.bf16.f32' \
        'cvt.rz*.s2f6x2.bf16x2' 'cvt.rn.f32.s64' 'cvt.sat.s16.u64' 'vcmp.*8' 'vmax.*8' 'vmin.NaN.f16' 'set.num.*f16' \
        'selp.u16'
    pto digest --range 1016:1017 "$@" 'cvt.rn.bf16.f32' 'cvt.rs.f16x2.f32' 'cvt.rs.*e4m3x4.f32' 'cvt.rn*n1*e4m3x2.f32' \
        'cvt.rni.s32.f32' 'cvt.rn.f32.u32' 'vcmp.ltu.f16' 'vcmp.ge.ftz.f16' 'vmax.xorsign.abs.bf16' 'set.ne.u16.bf16'
    pto digest --range 4095:4097 "$@" 'selp.b16' 'slct.ftz.s16.f32'
}

# Removes the parts of the lines that depend on the machine.
without_isa() { sed 's/,"version":.*//'; }

step=$1
case $step in
transcript) transcript "$here/checked/$2.txt" | as_elsewhere | diff -u "$here/checked/$2.txt" - ;;
write)
    transcript "$here/checked/$2.txt" >"$WORK/$2.txt"
    cp "$WORK/$2.txt" "$here/checked/$2.txt"
    ;;
readme) # the examples of README and of pages in docs/ print what the pages show
    # shellcheck disable=SC2016 # the backticks are Markdown
    for page in README.md docs/command.md docs/kernels.md; do sed -n '/^```console$/,/^```$/p' "$here/../../$page"; done |
        grep -v '^```' >"$WORK/readme.txt"
    [[ $(grep -c '^\$ ' "$WORK/readme.txt") -ge 13 ]] || fail "the pages have fewer than 13 commands"
    transcript "$WORK/readme.txt" | grep -v '^\[[12]\]$' | diff -u "$WORK/readme.txt" -
    ;;
help)
    count=0
    for name in $(subcommands); do
        expect 0 "$name" --help
        [[ $said == "usage: pto $name"* ]] || fail "pto $name --help: $said"
        options=$said
        example=$(tail -n 1 <<<"$said")
        # The example in the help must itself be valid.
        status=0
        (cd "$WORK" && eval "$example") >"$WORK/example.out" 2>&1 || status=$?
        if [[ $status -eq 2 ]] && grep -q 'without xxHash' "$WORK/example.out"; then status=0; fi
        [[ $status -le 1 ]] || fail "the example of pto $name ends with $status: $example: $(cat "$WORK/example.out")"
        grep -q "^\.SS pto $name\b" "$CLI/pto.1" || fail "pto.1 has no section on $name"
        grep -q "^        $name)" "$CLI/pto.bash" || fail "pto.bash completes nothing after $name"
        while read -r option; do
            sed -n "/^        $name)/,/;;/p" "$CLI/pto.bash" | grep -q -e "$option" ||
                fail "pto.bash does not complete $option after $name"
            sed 's/\\//g' "$CLI/pto.1" | sed -n "/^.SS pto $name/,/^.S[SH]/p" | grep -q -e "$option" ||
                fail "pto.1 does not tell of pto $name $option"
        done < <(grep -o '^  --[a-z]*' <<<"$options")
        count=$((count + 1))
    done
    [[ $count -gt 3 ]] || fail "only $count subcommands"
    # shellcheck source=/dev/null
    source "$CLI/pto.bash"
    COMP_WORDS=(pto "") COMP_CWORD=1
    _pto
    for name in $(subcommands); do
        [[ " ${COMPREPLY[*]} " == *" $name "* ]] || fail "pto.bash does not complete $name"
    done
    expect 0 --help
    if command -v man >/dev/null && man --version >/dev/null 2>&1; then
        said=$(man --warnings -l "$CLI/pto.1" 2>&1 >/dev/null)
        [[ -z $said ]] || fail "pto.1: $said"
    fi
    ;;
version)
    expect 0 --version
    [[ $said == "pto $VERSION" ]] || fail "$said"
    ;;
info) # its output depends on the machine
    expect 0 info
    active=$(sed -n 's/^in use: \([a-z0-9]*\) .*/\1/p' <<<"$said")
    [[ $said == "libpto $VERSION,"* && $(grep -c ' yes$' <<<"$said") -ge 1 ]] || fail "$said"
    grep -q "^$active .*yes  *yes  *yes$" <<<"$said" || fail "the one in use, $active, is not marked: $said"
    PTO_ISA=SCALAR expect 0 info
    [[ $said == *"in use: scalar (PTO_ISA=SCALAR)"* ]] || fail "$said"
    PTO_ISA=none expect 0 info --json
    [[ $said == *"\"isa\":\"$active\",\"why\":\"PTO_ISA=none is not available: the best one that is\""* ]] || fail "$said"
    ;;
json) # each line is parsed by another program
    for command in "info" "forms cvt" "forms set u32 f32" "forms setp f16x2" "table e5m2" "table hif8" "table e4m3"; do
        read -ra words <<<"$command"
        pto "${words[@]}" --json >"$WORK/lines.json"
        "$CMAKE" -DLINES="$WORK/lines.json" -P "$here/json_lines.cmake" || fail "pto $command --json"
    done
    ;;
bad_use) # exit status 2, and the message names the argument
    while IFS='|' read -r arguments words; do
        read -ra list <<<"$arguments"
        # Windows finds nothing in a folder that is a file.
        if [[ $PTO == *.exe ]]; then words=${words/: Not a directory/: No such file or directory}; fi
        expect 2 "${list[@]}"
        [[ $said == *"$words"* ]] || fail "pto $arguments does not say \"$words\": $said"
    done <"$here/bad_use.txt"
    ;;
broken_pipe) # a failed write is an error
    if [[ ! -w /dev/full ]]; then exit 77; fi
    status=0
    said=$(pto table e4m3 2>&1 >/dev/full) || status=$?
    [[ $status -eq 2 && $said == *"cannot write"* ]] || fail "status $status: $said"
    ;;
no_safetensors) # other steps test that NumPy files still work
    printf 'mov.b32 d, a;' >"$WORK/copy.ptx"
    for arguments in "-i a=x.safetensors" "-i a=1 -o d=x.safetensors"; do
        read -ra list <<<"$arguments"
        expect 2 run "$WORK/copy.ptx" "${list[@]}"
        [[ $said == *"x.safetensors: this command was made without jansson"* ]] || fail "$arguments: $said"
    done
    ;;
no_digest) # other steps test what the command can do without xxHash
    expect 2 digest vcmp.lt.u8
    [[ $said == *"made without xxHash"* ]] || fail "$said"
    expect 0 digest --list vcmp.lt.u8
    ;;
terminal) # external text does not control the terminal: escapes, C1 controls, marks of direction, invisible characters
    cd "$WORK"
    escape=$'\e[2J\a\x9b1m\xc2\x9bm\x7f\r\b\xe2\x80\xae\xd8\x9c\xc2\xad\xe1\xa0\x8eX'
    printf 'add.s32 d, %s, a;' "$escape" >escape.ptx
    printf 'add.s32 d, a; // %s' "$escape" >comment.ptx
    printf '.entry j() { }\n.entry k() { add.s32 %s, 1; %s; }' "$escape" "$escape" >kernel.ptx
    printf '%%r = pto.vadd %%a, "%s" : f32\n' "$escape" >escape.pto
    printf 'mov.b32 d, x;' >copy.ptx
    printf '%s\n' "$escape" >escape.jsonl
    sed -n 1p "$DIGESTS" >one.jsonl
    sed "1s/\"form\":\"/&$(printf '\e[2J')/" one.jsonl >form.jsonl
    sed "1s/\"isa\":\"/&$(printf '\e[2J')/" one.jsonl >isa.jsonl
    cp one.jsonl "$escape.jsonl"
    count=0
    acts=$'[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(^|[^\xc2-\xf4\x80-\xbf])[\x80-\xbf]|\xe2\x80\xae|\xd8\x9c|\xc2\xad|\xe1\xa0\x8e'
    while IFS= read -r command; do
        # shellcheck disable=SC2034 # the commands use it
        e=$escape
        (PTO_ISA=$escape eval "pto $command") >terminal.out 2>&1 </dev/null || true
        [[ -s terminal.out ]] || fail "pto $command prints nothing"
        if LC_ALL=C grep -qaP "$acts" terminal.out; then fail "pto $command: $(od -c terminal.out)"; fi
        count=$((count + 1))
    done < <(if pto --help | grep -q "^  run "; then cat "$here/terminal.txt"; else grep -Ev "^(run|eval|launch|explain .add) " "$here/terminal.txt"; fi)
    [[ $count -gt 15 ]] || fail "only $count commands"
    ;;
outputs) # an output replaces its file only when it is complete, and changes no other file
    rm -rf "$WORK/out"
    mkdir "$WORK/out"
    cd "$WORK/out"
    printf 'mov.b32 d, x; mov.b32 e, x;' >copy.ptx
    pto run copy.ptx -i x=7 --lanes 10000 -o d=old.npy -o e=old.safetensors
    chmod 640 old.npy
    ln -s old.npy link.npy
    cp -p old.npy before.npy
    # A full disk: neither file is replaced, not even the one that is written first, and no temporary file remains.
    for outputs in "-o d=old.npy" "-o d=link.npy -o e=/dev/full" "-o d=./old.npy -o e=/dev/full:e" "-o d=old.safetensors"; do
        read -ra list <<<"$outputs"
        cp -p old.safetensors before.safetensors
        status=0
        said=$(trap '' XFSZ && ulimit -f 8 && pto run copy.ptx -i x=8 --lanes 10000 "${list[@]}" 2>&1) || status=$?
        [[ $status -eq 2 && $said == *"it cannot be written"* ]] || fail "$outputs: $status: $said"
        cmp old.npy before.npy || fail "$outputs: an old file is lost"
        cmp old.safetensors before.safetensors || fail "$outputs: an old file is lost"
    done
    [[ -z $(find . -name '.pto*') ]] || fail "left over: $(ls -A)"
    # The new file has the permissions of the old one, and a link stays a link.
    pto run copy.ptx -i x=8 --lanes 10000 -o d=link.npy -o e=new.npy
    [[ -L link.npy && $(stat -c %a old.npy) == 640 ]] || fail "$(ls -l)"
    [[ $(stat -c %a new.npy) == "$(touch usual && stat -c %a usual)" ]] || fail "$(ls -l)"
    cmp -s old.npy before.npy && fail "the link was not followed"
    [[ -z $(find . -name '.pto*') ]] || fail "left over: $(ls -A)"
    if [[ $(id -u) -ne 0 ]]; then
        chmod 400 old.npy
        expect 2 run copy.ptx -i x=9 -o d=old.npy
        [[ $said == *"it cannot be opened for writing: Permission denied"* ]] || fail "$said"
    fi
    # An output to standard output or another descriptor is written at its current position; the file is not replaced.
    pto run copy.ptx -i x=7 -o d=seven.npy
    (echo head && cat seven.npy && echo tail) >expected
    ln -s /dev/stdout linked.npy
    for output in - /dev/stdout /dev/fd/1 /proc/self/fd/1 linked.npy; do
        if [[ ! -e $output && $output != - ]]; then continue; fi
        (echo head && pto run copy.ptx -i x=7 -o "d=$output" && echo tail) >all
        cmp all expected || fail "$output"
        echo head >all
        (pto run copy.ptx -i x=7 -o "d=$output" && echo tail) >>all
        cmp all expected || fail ">>all, $output"
        pto run copy.ptx -i x=7 -o "d=$output" | cmp - seven.npy || fail "pipe, $output"
        expect 2 run copy.ptx -i x=7 -o "d=$output" -o e=/dev/stdout
        [[ $said == *"it can hold only one array"* ]] || fail "$output: $said"
        [[ -L linked.npy && ! -e ./- ]] || fail "$output: $(ls -l)"
    done
    (echo head >&5 && pto run copy.ptx -i x=7 -o d=/dev/fd/5 >nothing && echo tail >&5) 5>all
    cmp all expected || fail "descriptor 5"
    [[ ! -s nothing ]] || fail "standard output is not descriptor 5"
    # shellcheck disable=SC2094 # the file is removed while it is open
    (rm all && pto run copy.ptx -i x=7 -o d=-) >all
    [[ -z $(find . -name 'all*') ]] || fail "a removed file is there again: $(ls)"
    pto run copy.ptx -i x=7 -o d=- --trace >all
    (pto run copy.ptx -i x=7 -o d=./-.npy --trace && cat ./-.npy) >expected # the trace is first
    cmp all expected || fail "a trace and an output on standard output"
    pto run copy.ptx -i x=7 -o d=- --trace | cmp - expected || fail "a trace and an output in a pipe"
    expect 2 run copy.ptx -i x=7 -o d=/dev/fd/77
    [[ $said == *"it is not open"* ]] || fail "$said"
    said=$(pto run copy.ptx -i x=7 -o d=/dev/fd/0 2>&1 <seven.npy) && fail "it wrote to a file open for reading"
    [[ $said == *"it is open only for reading"* ]] || fail "$said"
    [[ -z $(find . -name '.pto*') ]] || fail "left over: $(ls -A)"
    # A signal that ends the command leaves no temporary file. Opening a pipe that nobody reads keeps the command waiting.
    mkfifo pipe
    for signal in TERM HUP PIPE; do
        "${emulator[@]}" "$PTO" run copy.ptx -i x=7 -o d=never.npy -o e=pipe &
        for _ in {1..1000}; do
            if [[ -n $(find . -name '.pto*') ]]; then break; fi
            sleep 0.02
        done
        kill -"$signal" $!
        status=0
        wait $! || status=$?
        [[ $status -eq $((128 + $(kill -l "$signal"))) ]] || fail "SIG$signal: status $status"
        [[ ! -e never.npy && -z $(find . -name '.pto*') ]] || fail "SIG$signal: left over: $(ls -A)"
    done
    # Two spellings of a path are one file.
    for other in ./new.npy "$PWD/new.npy" ../out/new.npy; do
        expect 2 run copy.ptx -i x=9 -o d=new.npy -o "e=$other"
        [[ $said == *"it can hold only one array"* ]] || fail "$other: $said"
    done
    ln -s nowhere.npy first.npy
    ln -s first.npy second.npy
    for other in nowhere.npy first.npy; do
        expect 2 run copy.ptx -i x=9 -o d=second.npy -o "e=$other"
        [[ $said == *"it can hold only one array"* ]] || fail "$other: $said"
    done
    [[ ! -e nowhere.npy ]] || fail "nowhere.npy is written"
    ln -s new.safetensors also.safetensors
    touch new.safetensors
    pto run copy.ptx -i x=1 -o d=new.safetensors:a -o e=./new.safetensors:b -o e=also.safetensors:c
    printf 'add.s32 s, a, b; add.s32 s, s, c;' >sum.ptx
    expect 0 run sum.ptx -i a=new.safetensors:a -i b=new.safetensors:b -i c=new.safetensors:c
    [[ $said == *" 3" ]] || fail "$said"
    # Only outputs are kept in memory: of 64 registers of 4 MiB, one is an output, or none.
    for i in {0..63}; do echo "add.s32 r$i, x, $i;"; done >many.ptx
    pto run copy.ptx -i x=1 --lanes 1048576 -o d=x.npy
    if (ulimit -v 200000 && pto --version) >/dev/null 2>&1; then # not with sanitizers
        for outputs in "-o r63=y.npy" "--lanes 1048576" "-o r0=y.npy --verify"; do
            read -ra list <<<"$outputs"
            (ulimit -v 200000 && pto run many.ptx -i x=x.npy "${list[@]}") >/dev/null 2>&1 || fail "$outputs takes more"
        done
    fi
    ;;
digest_lines) # lines that pto digest would not write are rejected
    sed -n 1p "$DIGESTS" >"$WORK/one.jsonl"
    pto digest --merge "$WORK/one.jsonl" | diff "$WORK/one.jsonl" -
    : >"$WORK/empty.jsonl"
    cp "$WORK/one.jsonl" "$WORK/nul.jsonl"
    printf '\0\n' >>"$WORK/nul.jsonl"
    printf '%s\0garbled\n' "$(cat "$WORK/one.jsonl")" >"$WORK/after.jsonl"
    sed 's/"count":/&0/' "$WORK/one.jsonl" >"$WORK/count.jsonl"
    sed 's/"shares":\[/&0/' "$WORK/one.jsonl" >"$WORK/shares.jsonl"
    sed 's/"of":/&00/' "$WORK/one.jsonl" >"$WORK/of.jsonl"
    sed 's/"count":/& /' "$WORK/one.jsonl" >"$WORK/blank.jsonl"
    sed 's/"count":/&+/' "$WORK/one.jsonl" >"$WORK/plus.jsonl"
    sed 's/}$/} /' "$WORK/one.jsonl" >"$WORK/end.jsonl"
    sed 's/"isa":"/&\t/' "$WORK/one.jsonl" >"$WORK/tab.jsonl"
    sed 's/$/\r\r/' "$WORK/one.jsonl" >"$WORK/returns.jsonl"
    for what in empty nul after count shares of blank plus end tab returns; do
        expect 2 digest --merge "$WORK/$what.jsonl"
        [[ $said == *"$what.jsonl"*"expected"*"pto digest"* ]] || fail "$what: $said"
        expect 2 digest --merge "$WORK/one.jsonl" "$WORK/$what.jsonl"
        expect 2 diff "$WORK/one.jsonl" "$WORK/$what.jsonl"
        expect 2 digest --like "$WORK/$what.jsonl" vcmp.lt.u8
    done
    ;;
line_endings) # texts may have the line endings of Windows; pto writes line feeds only
    # with_returns FILE TO: copies a text, and ends its lines as on Windows.
    with_returns() { sed 's/$/\r/' "$1" >"$2"; }
    sed -n 1,3p "$DIGESTS" >"$WORK/lf.jsonl"
    with_returns "$WORK/lf.jsonl" "$WORK/crlf.jsonl"
    if [[ $(pto --version) == *$'\r'* ]]; then fail "the output has carriage returns"; fi
    pto digest --merge "$WORK/crlf.jsonl" >"$WORK/merged.jsonl"
    pto digest --merge "$WORK/lf.jsonl" | cmp - "$WORK/merged.jsonl"
    if grep -q $'\r' "$WORK/merged.jsonl"; then fail "the digests have carriage returns"; fi
    expect 0 diff "$WORK/lf.jsonl" "$WORK/crlf.jsonl"
    expect 0 diff "$WORK/crlf.jsonl" "$WORK/lf.jsonl"
    pto vectors cvt.rni.s32.f32 >"$WORK/vectors"
    if grep -q $'\r' "$WORK/vectors"; then fail "the vectors have carriage returns"; fi
    if [[ $(pto --help) != *launch* ]]; then exit 0; fi # this build has no programs
    printf '// a comment\nadd.f32 y, x, x;\n/* another\n */ setp.lt.f32 p, x, y;\n' >"$WORK/lf.ptx"
    printf '.visible .entry k()\n{\n  // nothing\n  ret;\n}\n' >"$WORK/kernel.ptx"
    printf '%%y = pto.vadds %%x, %%x, %%m : !pto.vreg<64xf32>, f32, !pto.mask<b32>\n// a comment\nadd\n' >"$WORK/bad.pto"
    for what in "run lf.ptx -i x=1.5" "explain kernel.ptx" "launch kernel.ptx" "run bad.pto -i x=1"; do
        read -ra words <<<"$what"
        with_returns "$WORK/${words[1]}" "$WORK/text"
        expected=0 status=0
        pto "${words[0]}" - "${words[@]:2}" <"$WORK/${words[1]}" >"$WORK/wanted" 2>&1 || expected=$?
        pto "${words[0]}" - "${words[@]:2}" <"$WORK/text" >"$WORK/got" 2>&1 || status=$?
        [[ $status -eq $expected ]] || fail "$what: status $status, not $expected"
        cmp "$WORK/wanted" "$WORK/got"
        pto "${words[0]}" "$WORK/text" "${words[@]:2}" >"$WORK/got" 2>&1 || true
        sed "s|$WORK/text|-|g" "$WORK/got" | cmp - "$WORK/wanted"
    done
    ;;
instructions) # every instruction of the help is explained and in the manual page, and can be evaluated
    count=0 absent=
    if [[ $(pto info) == *"(SLEEF): no"* ]]; then absent=pto.vexp; fi # listed, but explained as absent from this build
    for name in $(pto run --help | sed -n '/^instructions of PTX/,/^example/{/^  /p}' | grep -v printf); do
        if [[ $name == "$absent" ]]; then
            expect 1 explain "$name"
        elif [[ $name != cvt && $name != set && $name != setp ]]; then # each form of these is explained
            expect 0 explain "$name"
            [[ $said == "$name"*": "* && $said != *": an instruction"* ]] || fail "$said"
        fi
        tr -s ' \n' '  ' <"$CLI/pto.1" | grep -q -e " $name " || fail "pto.1 does not list $name"
        count=$((count + 1))
    done
    [[ $count -gt 250 ]] || fail "only $count instructions"
    for name in $(pto run --help | grep -o '\<pto\.[a-z0-9_.]*[a-z0-9_]'); do
        if [[ $name == "$absent" ]]; then continue; fi
        status=0
        said=$(pto eval "$name" 1 1 1 2>&1) || status=$?
        [[ $status -eq 0 || $said == *"expected the whole line"* || $said == *"expected a value for"* ||
            $said == *": expected "[0-9]" values"* || $said == *"only kernels can have it"* ]] || fail "pto eval $name: $said"
    done
    ;;
vectors_manifest) # each backend computes another part of the manifest in docs/vectors.md; with "all", the whole manifest
    page=$here/../../docs/vectors.md
    sed -n '/^[0-9a-f]\{32\} /p' "$page" >"$WORK/manifest.txt"
    [[ $(wc -l <"$WORK/manifest.txt") -gt 70 ]] || fail "the manifest has only $(wc -l <"$WORK/manifest.txt") lines"
    listed=$(pto vectors --list | wc -l)
    [[ $(awk '{ n += $2 } END { print n }' "$WORK/manifest.txt") -eq $listed ]] || fail "the manifest has not all $listed forms"
    first=1 every=4
    if [[ -n ${EMULATOR:-} ]]; then every=16; fi
    if [[ ${2:-} == all ]]; then every=1; fi
    for isa in $(isas); do
        sed -n "${first}~${every}p" "$WORK/manifest.txt" >"$WORK/wanted.txt"
        mapfile -t patterns < <(awk '{ print $4 }' "$WORK/wanted.txt")
        pto vectors --isa "$isa" --digest "${patterns[@]}" >"$WORK/$isa.txt"
        diff -u "$WORK/wanted.txt" "$WORK/$isa.txt" || fail "the vectors of $isa differ from $page"
        first=$((first % every + 1))
    done
    other=$(other_isa)
    if [[ -n $other ]]; then # the faulty command has a wrong result for one f16
        "${emulator[@]}" "$FAULTY" vectors --isa "$other" --digest 'cvt.*.f16' 'cvt.*.e?m?' >"$WORK/faulty.txt"
        grep -F 'cvt.*.f16' "$WORK/manifest.txt" | grep -F -f - -q "$WORK/faulty.txt" && fail "a wrong result is not found"
        grep -F 'cvt.*.e?m?' "$WORK/manifest.txt" | head -n 1 | grep -F -x -f - -q "$WORK/faulty.txt" || fail "e?m? differs"
    fi
    ;;
vectors_output) # files, and errors of writing
    rm -rf "$WORK/out"
    expect 0 vectors 'cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32' 'mx.even1' --count 16 --format hex --output "$WORK/out"
    [[ -z $said && $(find "$WORK/out" -type f | wc -l) -eq 4 ]] || fail "$said: $(ls "$WORK/out")"
    pto vectors 'cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32' --count 16 --format hex |
        cmp - "$WORK/out/cvt.rn.satfinite.scaled--n1--ue8m0.e4m3x2.f32.hex" || fail "the file is not the output"
    [[ $(pto vectors cvt.rn.bf16.f32 | md5sum) == "$(pto vectors --isa scalar cvt.rn.bf16.f32 | md5sum)" ]] || fail "scalar differs"
    said=$(pto vectors cvt.rn.bf16x2.f32 --list | cut -d ' ' -f 1)
    [[ $said == cvt.rn.bf16.f32 ]] || fail "another spelling: $said"
    status=0
    said=$(trap '' XFSZ && ulimit -f 8 && pto vectors vcmp.lt.u8 --output "$WORK/out" 2>&1) || status=$?
    [[ $status -eq 2 && $said == *"vcmp.lt.u8.json: it cannot be written"* ]] || fail "$status: $said"
    [[ ! -e $WORK/out/vcmp.lt.u8.json ]] || fail "a part of a file is left over"
    if [[ -w /dev/full ]]; then
        said=$(pto vectors 'vcmp.*.u8' 2>&1 >/dev/full) && fail "a full disk is no error"
        [[ $said == *"cannot write the output: No space left"* ]] || fail "$said"
    fi
    # A pipe that is closed early, where the signal is ignored.
    if [[ $PTO == *.exe ]]; then exit 0; fi # Windows has no signal that could be ignored
    (trap '' PIPE && pto vectors 'cvt.*.f16' 2>"$WORK/error.txt" || echo "status $?" >>"$WORK/error.txt") | head -c 10 >"$WORK/head.txt"
    [[ $(cat "$WORK/error.txt") == *"cannot write the output: Broken pipe"*"status 2" ]] || fail "$(cat "$WORK/error.txt")"
    ;;
digest_json)
    pto digest 'vcmp.*.u8' >"$WORK/lines.json"
    "$CMAKE" -DLINES="$WORK/lines.json" -P "$here/json_lines.cmake" || fail "pto digest"
    ;;
second_digest)
    count=0
    while read -r form begin end digest sample; do
        expect 0 digest ${sample:+"$sample"} --range "$begin:$end" "$form"
        [[ $said == *"\"form\":\"$form\""*"\"shares\":[$begin,$end]"*"\"digest\":\"$digest\""* ]] ||
            fail "$form $begin:$end should have the digest $digest: $said"
        count=$((count + 1))
    done < <("${emulator[@]}" "$SECOND" | tr -d '\r')
    [[ $count -gt 5 ]] || fail "only $count digests"
    ;;
digest_isas) # every backend prints the same digests
    sample --isa scalar | without_isa >"$WORK/scalar.jsonl"
    [[ $(wc -l <"$WORK/scalar.jsonl") -gt 150 ]] || fail "a sample of only $(wc -l <"$WORK/scalar.jsonl")"
    for isa in $(isas); do
        [[ $isa != scalar ]] || continue
        sample --isa "$isa" >"$WORK/$isa.jsonl"
        grep -q "\"isa\":\"$isa\"" "$WORK/$isa.jsonl" || fail "not by $isa"
        without_isa <"$WORK/$isa.jsonl" | diff "$WORK/scalar.jsonl" - || fail "scalar and $isa differ"
    done
    ;;
scale) # two processes, one of which is killed in the middle of a line and restarted
    scale=$here/../../tools/scale
    rm -rf "$WORK/scale" "$WORK/parts"
    mkdir "$WORK/scale"
    forms=('cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2' 'vcmp.*.u8')
    # part.sh starts one of two commands. The second is killed at its fourth digest, when it has written half a line.
    cat >"$WORK/scale/pto" <<'END'
#!/usr/bin/env bash
exec ${EMULATOR:-} "$REAL" "$@"
END
    cat >"$WORK/scale/dies" <<'END'
#!/usr/bin/env bash
if [[ $2 == --range && $(ls "$COUNT" | wc -l) -ge 3 ]]; then
    ${EMULATOR:-} "$REAL" "$@" | head -c 60
    kill -KILL $PPID
fi
exec ${EMULATOR:-} "$REAL" "$@"
END
    chmod +x "$WORK/scale/pto" "$WORK/scale/dies"
    export REAL=$PTO COUNT=$WORK/parts PTO=$WORK/scale/pto
    status=0
    (PTO=$WORK/scale/dies "$scale/part.sh" 1 2 "$WORK/parts" "${forms[@]}") 2>/dev/null || status=$?
    [[ $status -eq 137 ]] || fail "it was not killed: $status"
    compgen -G "$WORK/parts/*.jsonl.*" >/dev/null || fail "it left no half a line"
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 "$scale/mpi.sh" "$WORK/parts" "${forms[@]}" &
    SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2 PTO_SCALE=$scale "$scale/slurm.sh" "$WORK/parts" "${forms[@]}"
    wait $! || fail "the other part failed"
    PTO=$REAL
    pto digest --merge "$WORK"/parts/*.jsonl >"$WORK/scaled.jsonl"
    pto digest "${forms[@]}" | pto diff - "$WORK/scaled.jsonl" || fail "the parts are not the whole"
    ;;
progress) # shown only on a terminal
    expect 0 digest vcmp.lt.u8
    [[ $said == "{"*"}" ]] || fail "$said"
    # wine's console changes what a program writes to a terminal.
    if [[ $PTO == *.exe ]] || ! command -v script >/dev/null; then exit 77; fi
    said=$(script -qefc "${EMULATOR:-} '$PTO' digest vcmp.lt.u8" /dev/null </dev/null)
    [[ $said == *"vcmp.lt.u8 0%"*"{"* ]] || fail "$said"
    ;;
digest_splits)
    form=cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2 # of 16 shares
    pto digest "$form" >"$WORK/whole.jsonl"
    for range in 9:16 0:2 2:3 3:9; do pto digest --range $range "$form" vcmp.lt.u8; done >"$WORK/parts.jsonl"
    [[ $(wc -l <"$WORK/parts.jsonl") -eq 5 ]] || fail "a form of one share belongs to one range: $(cat "$WORK/parts.jsonl")"
    pto digest --merge "$WORK/parts.jsonl" | grep "$form" | diff "$WORK/whole.jsonl" - || fail "parts do not make the whole"
    sed -n '2,$p' "$WORK/parts.jsonl" >"$WORK/rest.jsonl"
    sed -n 1p "$WORK/parts.jsonl" | pto digest --merge - "$WORK/rest.jsonl" | grep "$form" |
        diff "$WORK/whole.jsonl" - || fail "two files do not make the whole"
    sed -n '1,3p' "$WORK/parts.jsonl" >"$WORK/three.jsonl"
    pto digest --merge "$WORK/three.jsonl" >"$WORK/hole.jsonl"
    [[ $(wc -l <"$WORK/hole.jsonl") -eq 3 ]] || fail "what has a hole was joined: $(cat "$WORK/hole.jsonl")"
    expect 2 digest --merge "$WORK/whole.jsonl" "$WORK/parts.jsonl"
    [[ $said == *"expected each share once"* ]] || fail "$said"
    cp "$WORK/parts.jsonl" "$WORK/broken.jsonl"
    truncate -s -9 "$WORK/broken.jsonl" # as if the command had been killed while it wrote
    expect 2 digest --merge "$WORK/broken.jsonl"
    [[ $said == *"broken.jsonl:5: expected a line of pto digest"* ]] || fail "$said"
    ;;
like) # recomputes some lines of docs/digests.jsonl, also one of a sample; test_record recomputes the others
    grep '"of":1,' "$DIGESTS" | sed -n '1~40p' >"$WORK/record.jsonl"
    pto digest --sample --range 2:3 slct.ftz.u16.f32 >>"$WORK/record.jsonl"
    pto digest --range 2000:2001 slct.ftz.u16.f32 >>"$WORK/record.jsonl"
    lines=$(wc -l <"$WORK/record.jsonl")
    [[ $lines -gt 12 ]] || fail "only $lines lines"
    pto digest --like "$WORK/record.jsonl" >"$WORK/computed.jsonl"
    cut -d, -f1-5 "$WORK/record.jsonl" | diff - <(cut -d, -f1-5 "$WORK/computed.jsonl") || fail "not those lines"
    expect 0 diff "$WORK/record.jsonl" "$WORK/computed.jsonl"
    [[ $said == "0 differ, $lines are the same, 0 cannot be compared" ]] || fail "$said"
    said=$(pto digest --like - --range 3:9 'slct*' <"$WORK/record.jsonl" | grep -c '"shares":\[2000,2001\]' || true)
    [[ $said == 0 ]] || fail "shares that nobody asked for"
    said=$(pto digest --like - --range 2:9 'slct*' <"$WORK/record.jsonl" | cut -d, -f1-5)
    [[ $said == "$(pto digest --sample --range 2:3 slct.ftz.u16.f32 | cut -d, -f1-5)" ]] || fail "$said"
    ;;
ptx_digest) # the GPU program, here with libpto, prints the lines of pto digest
    chip() { "${emulator[@]}" "$PTX_DIGEST" "$@" | tr -d '\r'; }
    grep '"of":1,' "$DIGESTS" >"$WORK/short.jsonl"
    chip --like "$WORK/short.jsonl" 'cvt.*.f16' 'cvt.*.e4m3x2*' 'vcmp.*' 'vmax.*' >"$WORK/chip.jsonl" 2>"$WORK/tally.txt"
    [[ $(wc -l <"$WORK/chip.jsonl") -gt 30 ]] || fail "few lines: $(cat "$WORK/chip.jsonl")"
    grep -q '"isa":"text"}$' "$WORK/chip.jsonl" || fail "not by the chip"
    grep -q 'left out: 42 of forms that PTX has not' "$WORK/tally.txt" || fail "$(cat "$WORK/tally.txt")"
    expect 0 diff --common "$DIGESTS" "$WORK/chip.jsonl"
    [[ $said == "0 differ, $(wc -l <"$WORK/chip.jsonl") are the same, 0 cannot be compared" ]] || fail "$said"
    forms=(cvt.rn.f16.f32 'cvt.rs.satfinite.e4m3x4.f32' 'set.lt.u32.f16' slct.ftz.u16.f32 selp.b16 vmin.s16)
    pto digest --range 1016:1017 "${forms[@]}" >"$WORK/cpu.jsonl"
    chip --range 1016:1017 "${forms[@]}" >"$WORK/chip.jsonl" 2>/dev/null
    expect 0 diff "$WORK/cpu.jsonl" "$WORK/chip.jsonl"
    pto digest --sample --range 3:4 "${forms[@]}" >"$WORK/cpu-sample.jsonl"
    chip --like "$WORK/cpu-sample.jsonl" >"$WORK/chip.jsonl" 2>/dev/null
    expect 0 diff "$WORK/cpu-sample.jsonl" "$WORK/chip.jsonl"
    chip --sample --range 3:4 "${forms[@]}" 2>/dev/null | diff "$WORK/chip.jsonl" - || fail "not the sample"
    chip --packed --range 1016:1017 'cvt.rn.f16.f32' 2>/dev/null | pto diff --common "$WORK/cpu.jsonl" - >/dev/null ||
        fail "not packed alike"
    chip --packed --list cvt.rn.f16.f32 | grep ' cvt.rn.f16x2.f32$' >/dev/null || fail "not the packed instruction"
    chip --list | grep '^vcmp.lt.u16 *setp.lt.u16$' >/dev/null || fail "no instruction for vcmp"
    said=$(chip no.form 2>&1) && fail "it took no.form"
    [[ $said == "ptx_digest: no.form: expected a form"* ]] || fail "$said"
    ;;
find) # backends do not differ, and the faults of the faulty command are found
    other=$(other_isa)
    if [[ -z $other ]]; then exit 77; fi
    forms=(cvt.rn.satfinite.e4m3x2.f16x2 cvt.rn.satfinite.e2m1x2.f16x2 cvt.f64.f16 cvt.rn.f16x2.e4m3x2 vcmp.lt.u8 vcmp.eq.b8)
    expect 0 diff --find --isa scalar --isa "$other" "${forms[@]}"
    [[ $said == "0 of 6 forms differ" ]] || fail "$said"
    status=0
    "${emulator[@]}" "$FAULTY" diff --find --isa scalar --isa "$other" "${forms[@]}" >"$WORK/find.txt" || status=$?
    [[ $status -eq 1 ]] || fail "status $status"
    sed "s/$other/other/" "$WORK/find.txt" | diff -u "$here/find.txt" -
    ;;
diff_find) # the same with two files
    other=$(other_isa)
    if [[ -z $other ]]; then exit 77; fi
    for isa in scalar "$other"; do
        "${emulator[@]}" "$FAULTY" digest --isa "$isa" cvt.f64.f16 vcmp.lt.u8 cvt.rn.f16x2.e4m3x2 >"$WORK/$isa.jsonl"
    done
    status=0
    said=$("${emulator[@]}" "$FAULTY" diff --find "$WORK/scalar.jsonl" "$WORK/$other.jsonl") || status=$?
    [[ $status -eq 1 && $said == *"cvt.f64.f16: input 15361: 0x3c01 (1.0009765625) -> scalar"* ]] || fail "$status: $said"
    [[ $said == *"vcmp.lt.u8: input 1797: 0x05 (5), 0x07 (7) -> scalar 1, $other 0"* ]] || fail "$said"
    [[ $said == *"2 differ, 1 are the same, 0 cannot be compared" ]] || fail "$said"
    for isa in scalar "$other"; do
        "${emulator[@]}" "$FAULTY" digest --sample --range 0:1 --isa "$isa" vcmp.lt.s16 >"$WORK/$isa-sample.jsonl"
    done
    found="vcmp.lt.s16: input 65541: 0x0005 (5), 0x0800 (2048) -> scalar 1, $other 0"
    said=$("${emulator[@]}" "$FAULTY" diff --find "$WORK/scalar-sample.jsonl" "$WORK/$other-sample.jsonl") || true
    [[ $said == *"$found"* ]] || fail "$said"
    said=$("${emulator[@]}" "$FAULTY" diff --find --sample --isa scalar --isa "$other" vcmp.lt.s16) || true
    [[ $said == *"$found"* ]] || fail "$said"
    # The command without the fault recomputes equal results with both backends, although the files differ.
    expect 1 diff --find "$WORK/scalar.jsonl" "$WORK/$other.jsonl"
    [[ $said == *"computed here, the two agree"* ]] || fail "$said"
    sed "s/$other/gpu/" "$WORK/$other.jsonl" >"$WORK/gpu.jsonl"
    expect 1 diff --find "$WORK/scalar.jsonl" "$WORK/gpu.jsonl"
    [[ $said == *"cannot be found here: the lines are by scalar and gpu"* ]] || fail "$said"
    ;;
*) fail "no such step: $step" ;;
esac
