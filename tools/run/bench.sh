# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The command ./run bench: measures speed, or counts instructions under an emulator. Sourced by ./run.

# measure OPTION...: runs the bench, then draws its pictures if Python has matplotlib.
measure()
{
    local python out=build/bench/results
    build_step bench
    mkdir -p "$out"
    ./build/bench/bench/pto_bench --json="$out/cells.json" --extras="$out/extras.json" "$@" | tee "$out/table.txt"
    if python=$(python_with matplotlib); then
        "$python" bench/judge/pictures.py "$out/cells.json" "$out"
        say "table, JSON and pictures are in $out"
    else
        say "table and JSON are in $out; no pictures: Python lacks matplotlib"
    fi
}

# bench_peers FOLDER: makes a Python environment with the wheel and its peers; names the peers that pip cannot get.
bench_peers()
{
    local folder=$1
    need_environment "$folder" tools/requirements/bench.txt
    install_lists "bench --python" "$folder" "${bench_peer_lists[@]}"
    pip_install "$folder/bin/python" --force-reinstall --no-deps build/wheel/*.whl
}

# bench_python OPTION...: runs bench/python/bench.py with the options.
bench_python()
{
    local out=build/bench/results
    wheel
    bench_peers build/bench-python
    mkdir -p "$out"
    build/bench-python/bin/python -B bench/python/bench.py "$out" "$@" | tee "$out/python.txt"
    say "table, JSON and picture are in $out: python.*"
}

# bench_forms OPTION...: measures every form separately. It draws no pictures and does not overwrite the results of
# cells.
bench_forms()
{
    build_step bench
    mkdir -p build/bench/results
    ./build/bench/bench/pto_bench "$@" | tee build/bench/results/forms.txt
}

# The architecture, ISA and emulated CPU whose instructions are counted; set by the functions that count.
counted_arch=aarch64 counted_isa=neon counted_cpu=max,sve-max-vq=1

# counted_once WORD...: runs the program whose instructions are counted, under the emulator.
counted_once()
{
    local folder=bench-neon
    if [[ $counted_arch == riscv64 ]]; then folder=bench-rvv; fi
    PTO_ISA=$counted_isa QEMU_CPU=$counted_cpu "qemu-$counted_arch" "${counted_options[@]}" \
        "build/$folder/bench/pto_bench_once" "$@"
}

# counted_steps CELL WHO LANES: prints how many instructions the whole program executes. Newer emulators read the
# second variable.
counted_steps()
{
    local counted_options=(-d "exec,nochain" -D /dev/stdout)
    QEMU_SINGLESTEP=1 QEMU_ONE_INSN_PER_TB=1 counted_once "$@" | grep -c '^Trace'
}

# counted_loop CELL WHO: prints the instructions for 1024 lanes, as the difference of two runs.
counted_loop()
{
    local longer shorter
    longer=$(counted_steps "$@" 2048) || die "cannot count $*" # in $(...) an error does not end the script
    shorter=$(counted_steps "$@" 1024) || die "cannot count $*"
    echo $((longer - shorter))
}

# counted_cells [highway]: prints the names of the cells, verified; with `highway`, only those that Highway has.
counted_cells()
{
    local counted_options=()
    counted_once "$@"
}

# have_tools WHO TOOL...: fails, with a message, if a tool is missing.
have_tools()
{
    local tool who=$1
    shift
    for tool; do
        command -v "$tool" >/dev/null || {
            echo "bench --$who: skipped: no $tool"
            return 1
        }
    done
}

# counted_row CELL COUNT...: prints counts for 1024 lanes as instructions per lane; a dash stays a dash.
counted_row()
{
    printf '%-32s' "$1"
    shift
    awk -v n="$*" 'BEGIN { for (i = split(n, k, " "); j++ < i; ) printf k[j] == "-" ? "        -" : " %8.2f", k[j] / 1024
        print "" }'
}

# bench_neon: counts the instructions of NEON kernels. Fails if a kernel of libpto takes more than Highway's loop.
bench_neon()
{
    local cell cells ours theirs more=0
    have_tools neon aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64 || return 0
    build_step bench-neon
    cells=$(counted_cells highway)
    printf '%-32s %8s %8s   instructions per lane\n' cell libpto Highway
    for cell in $cells; do
        ours=$(counted_loop "$cell" libpto)
        theirs=$(counted_loop "$cell" highway)
        counted_row "$cell" "$ours" "$theirs"
        if [[ $ours -gt $theirs ]]; then more=$((more + 1)); fi
    done
    echo "libpto takes more than Highway in $more of $(wc -w <<<"$cells") cells"
    [[ $more -eq 0 ]]
}

bench_sve()
{
    have_tools sve aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64 || return 0
    build_step bench-neon
    printf '%-32s %8s %17s %17s %17s\n' cell neon sve-16 sve-32 sve-64
    counted_isa=sve counted_lengths max,sve-max-vq= 1 2 4
}

bench_rvv()
{
    have_tools rvv clang-19 clang++-19 riscv64-linux-gnu-g++ qemu-riscv64 aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ \
        qemu-aarch64 || return 0
    build_step bench-neon
    build_step bench-rvv
    printf '%-32s %8s %17s %17s %17s\n' cell neon rvv-128 rvv-256 rvv-512
    counted_arch=riscv64 counted_isa=rvv counted_lengths rv64,v=true,vext_spec=v1.0,vlen= 128 256 512
}

# counted_lengths CPU LENGTH...: prints NEON's counts, then libpto's and Highway's at each vector length. Fails if
# libpto takes more than Highway in any cell. A dash means that Highway lacks the cell or its bits differ, or that the
# emulator cannot run it.
counted_lengths()
{
    local cpu=$1 cell cells peers length row ours theirs more=0 of=0
    shift
    for length; do
        cells=$(counted_cpu=$cpu$length counted_cells)
        peers=" $(counted_cpu=$cpu$length counted_cells highway | tr '\n' ' ')"
    done
    printf '%-32s %8s %17s %17s %17s\n' 'instructions per lane' libpto "libpto  Highway"{,,}
    for cell in $cells; do
        row=("$(counted_arch=aarch64 counted_isa=neon counted_cpu=max,sve-max-vq=1 counted_loop "$cell" libpto)")
        for length; do
            ours=$(counted_cpu=$cpu$length counted_loop "$cell" libpto) theirs=-
            if [[ $peers == *" $cell "* ]]; then
                theirs=$(counted_cpu=$cpu$length counted_loop "$cell" highway) || theirs=-
            fi
            if [[ $theirs != - ]]; then
                of=$((of + 1))
                if [[ $ours -gt $theirs ]]; then more=$((more + 1)); fi
            fi
            row+=("$ours" "$theirs")
        done
        counted_row "$cell" "${row[@]}"
    done
    echo "libpto takes more than Highway in $more of $of"
    [[ $more -eq 0 ]]
}

# bench_command OPTION...: installs what the kind of bench needs, and runs it.
bench_command()
{
    case " $* " in
    " --neon "* | " --sve "*)
        if [[ $machine == x86_64 ]]; then need "${build_packages[@]}" "${bench_packages[@]}" "${aarch64_packages[@]}"; fi
        "bench_${1#--}"
        ;;
    " --rvv "*)
        if [[ $machine == x86_64 ]]; then
            need "${build_packages[@]}" "${bench_packages[@]}" "${aarch64_packages[@]}" "${riscv64_packages[@]}" \
                "${rvv_packages[@]}" g++-riscv64-linux-gnu
        fi
        bench_rvv
        ;;
    " --python "*)
        shift
        need "${build_packages[@]}" python3-dev python3-venv
        bench_python "$@"
        ;;
    *" --forms "*)
        need "${build_packages[@]}" "${bench_packages[@]}"
        bench_forms "$@"
        ;;
    *)
        need "${build_packages[@]}" "${bench_packages[@]}" "${picture_packages[@]}"
        measure "$@"
        ;;
    esac
}
