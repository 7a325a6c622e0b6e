# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The commands ./run build, demo, docs and fuzz. Sourced by ./run.

# build PRESET [TARGET...]: configures a preset of CMakePresets.json, and builds what is not up to date, or only the
# targets. The short test and the debug builds leave out the emulated NEON backend, which takes a quarter of their time.
# HWY_INCLUDE_DIR in the environment names a Highway for the bench other than the system's; it is read at each run.
build()
{
    local options=() targets=("${@:2}")
    mkdir -p build/log
    if [[ $1 == bench* ]]; then
        options=(-U HWY_INCLUDE_DIR)
        if [[ -n ${HWY_INCLUDE_DIR:-} ]]; then options=("-DHWY_INCLUDE_DIR:PATH=$(realpath "$HWY_INCLUDE_DIR")"); fi
    fi
    if [[ $1 == short || $1 == *-debug ]] && [[ $machine == x86_64 ]]; then options=(-DPTO_BACKENDS="avx2,avx512"); fi
    cmake --preset "$1" "${options[@]}"
    cmake --build --preset "$1" -j "$jobs" ${targets[@]:+--target "${targets[@]}"}
}

# build_step PRESET: runs build as the only step of a command.
build_step()
{
    step_count=1
    step "build-$1" 150 "build $1" build "$1"
    end_steps >/dev/null
}

# show ARGUMENT...: prints a command line of pto, and then what the command prints.
show()
{
    echo
    echo "\$ pto $*"
    ./build/release/cli/pto "$@"
}

demo()
{
    local tensor=examples/data/minilm-l6-v2-layer0-query.npy
    build_step release
    ./build/release/examples/demo "$tensor"
    say "quantize: the same tensor in block-scaled formats, by the rules of several stacks, and back"
    ./build/release/examples/quantize "$tensor" build/release
    say "runtime: a chain of calls, tile by tile on two threads"
    ./build/release/examples/runtime "$tensor" 1
    ./build/release/examples/runtime "$tensor" 2
    say "pto: the same from a shell"
    show eval cvt.rn.satfinite.e4m3x2.f32 0.1 -1000
    show run examples/threshold.ptx -i "x=$tensor" -i limit=0.03 --verify
    show table e2m1
    cat <<END

Next:
  build/release/cli/pto --help       the command
  docs/cookbook.md                   recipes in C and C++
  docs/python.md                     the Python package
  ./run test                         the tests: about 10 minutes on two cores
  cmake --install build/release      the library, its headers and the command, to /usr/local
END
}

docs()
{
    mkdir -p build/log
    quietly build/log/docs.log cmake -S . -B build/docs -G Ninja -DPTO_DOCS=ON -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF
    quietly build/log/docs.log cmake --build build/docs --target pto_docs
    say "the reference is in build/docs/html/index.html; man -M build/docs/man libpto shows the man pages"
}

fuzz()
{
    local options=(-max_total_time="${1:-60}" -print_final_stats=1 -artifact_prefix=build/fuzz/)
    local texts=("${options[@]}" -dict=test/program/ptx.dict)
    build_step fuzz
    mkdir -p build/fuzz/corpus build/fuzz/programs build/fuzz/kernels build/fuzz/modules
    ./build/fuzz/test/fuzz_parse "${options[@]}" build/fuzz/corpus
    ./build/fuzz/test/fuzz_program "${texts[@]}" -max_len=1024 build/fuzz/programs test/program/corpus
    ./build/fuzz/test/fuzz_program "${texts[@]}" -max_len=4096 build/fuzz/kernels test/program/fuzz/kernels
    ./build/fuzz/test/fuzz_module "${texts[@]}" -max_len=4096 build/fuzz/modules test/program/fuzz/modules
    if [[ -x build/fuzz/test/fuzz_safetensors ]]; then
        mkdir -p build/fuzz/files
        ./build/fuzz/test/fuzz_safetensors "${options[@]}" -max_len=1024 -dict=test/command/safetensors.dict \
            build/fuzz/files test/command/corpus
    else
        echo "fuzz: the files of pto run: skipped: built without jansson"
    fi
}
