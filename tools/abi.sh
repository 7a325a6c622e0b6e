#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/abi.sh check     compares the ABI of this tree with test/abi/, with libabigail
# tools/abi.sh write     writes test/abi/ anew, after a change that docs/abi.md allows
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The ABI does not depend on the backends, so only scalar is built. abidw reads the types from the debug information.
# With -O0, gcc needs minutes for some files.
build()
{
    cmake -S . -B build/abi -G Ninja -DCMAKE_C_COMPILER=gcc -DPTO_BACKENDS=scalar \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g" \
        -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF -DPTO_COMMAND=OFF -DPTO_SLEEF=ON
    cmake --build build/abi -j "$(nproc)" --target pto_shared pto_program_shared
}

# describe LIBRARY FILE: writes the public functions of a library, and the types that they use.
describe()
{
    abidw --headers-dir include --drop-private-types --drop-undefined-syms --exported-interfaces-only --no-show-locs \
        --no-comp-dir-path --no-corpus-path --type-id-style hash --out-file "$2" "$1"
}

mode=${1:-}
if [[ $mode != check && $mode != write ]]; then
    echo "usage: tools/abi.sh check | write" >&2
    exit 2
fi
if [[ $(uname -m) != x86_64 ]]; then
    echo "abi: skipped: test/abi/ describes x86-64"
    exit
fi
if ! command -v abidw >/dev/null; then
    echo "abi: abidw is needed; on Debian, it is in abigail-tools, and the build needs libsleef-dev" >&2
    exit 1
fi
build
status=0
for library in pto pto-program; do
    file=$(find build/abi -name "lib$library.so.*.*.*")
    stored=test/abi/lib$library.abi
    if [[ $mode == write ]]; then
        describe "$file" "$stored"
        continue
    fi
    describe "$file" "build/abi/lib$library.abi"
    if abidiff --harmless "$stored" "build/abi/lib$library.abi"; then
        echo "abi: lib$library.so is as $stored describes it"
    else
        echo "abi: lib$library.so differs from $stored; docs/abi.md says what may change, and tools/abi.sh write updates it" >&2
        status=1
    fi
done
exit "$status"
