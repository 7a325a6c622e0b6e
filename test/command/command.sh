#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One step of the tests of the command `pto`; CMakeLists.txt beside this file sets the environment.
#
#   command.sh transcript NAME   runs the commands of checked/NAME.txt, and compares what they print
#   command.sh write NAME        writes that file anew from what they print, to be read before it is committed
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
read -ra emulator <<<"${EMULATOR:-}"

fail()
{
    echo "command: $*" >&2
    exit 1
}

pto() { "${emulator[@]}" "$PTO" "$@"; }

# expect STATUS ARGUMENT...: what it prints, both streams, is in $said.
expect()
{
    local wanted=$1 status=0
    shift
    said=$(pto "$@" 2>&1) || status=$?
    [[ $status -eq $wanted ]] || fail "pto $* ended with $status, not $wanted: $said"
}

# The names of the subcommands, as the command's own table has them.
subcommands() { pto --help | sed -n 's/^  \([a-z]*\) .*/\1/p'; }

# The transcript of the commands in a file: "$ pto ..." and what it prints, then [STATUS] where that is not 0.
transcript()
{
    local line status
    while IFS= read -r line; do
        status=0
        echo "$line"
        (cd "$WORK" && eval "${line#\$ }") 2>&1 || status=$?
        if [[ $status -ne 0 ]]; then echo "[$status]"; fi
    done < <(grep '^\$ ' "$1")
}

step=$1
case $step in
transcript) transcript "$here/checked/$2.txt" | diff -u "$here/checked/$2.txt" - ;;
write)
    transcript "$here/checked/$2.txt" >"$WORK/$2.txt"
    cp "$WORK/$2.txt" "$here/checked/$2.txt"
    ;;
help)
    count=0
    for name in $(subcommands); do
        expect 0 "$name" --help
        [[ $said == "usage: pto $name"* ]] || fail "pto $name --help: $said"
        options=$said
        example=$(tail -n 1 <<<"$said")
        # What helps to use it must itself be good use.
        status=0
        (cd "$WORK" && eval "$example") >"$WORK/example.out" 2>&1 || status=$?
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
info) # what it says depends on the machine
    expect 0 info
    active=$(sed -n 's/^in use: \([a-z0-9]*\) .*/\1/p' <<<"$said")
    [[ $said == "libpto $VERSION,"* && $(grep -c ' yes$' <<<"$said") -ge 1 ]] || fail "$said"
    grep -q "^$active .*yes  *yes  *yes$" <<<"$said" || fail "the one in use, $active, is not marked: $said"
    PTO_ISA=SCALAR expect 0 info
    [[ $said == *"in use: scalar (PTO_ISA=SCALAR)"* ]] || fail "$said"
    PTO_ISA=none expect 0 info --json
    [[ $said == *"\"isa\":\"$active\",\"why\":\"PTO_ISA=none is not here: the best that is\""* ]] || fail "$said"
    ;;
json) # each line by itself, read by another program
    for command in "info" "forms cvt" "forms set u32 f32" "forms setp f16x2" "table e5m2" "table hif8" "table e4m3"; do
        read -ra words <<<"$command"
        pto "${words[@]}" --json >"$WORK/lines.json"
        "$CMAKE" -DLINES="$WORK/lines.json" -P "$here/json_lines.cmake" || fail "pto $command --json"
    done
    ;;
bad_use) # exit status 2, and the message names the argument
    while IFS='|' read -r arguments words; do
        read -ra list <<<"$arguments"
        expect 2 "${list[@]}"
        [[ $said == *"$words"* ]] || fail "pto $arguments does not say \"$words\": $said"
    done <"$here/bad_use.txt"
    ;;
broken_pipe) # what cannot be written is an error
    if [[ ! -w /dev/full ]]; then exit 77; fi
    status=0
    said=$(pto table e4m3 2>&1 >/dev/full) || status=$?
    [[ $status -eq 2 && $said == *"cannot write"* ]] || fail "status $status: $said"
    ;;
*) fail "no such step: $step" ;;
esac
