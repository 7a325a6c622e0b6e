#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Adds a backend to a copy of the tree with new_backend.sh, builds it, and runs its checks. Then breaks one of its
# operations, which the checks must find. The copy is in a temporary folder, which stays if the test fails.
set -euo pipefail
jobs=$(nproc)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
copy=$(mktemp -d)
trap 'echo "test.sh: failed in $copy" >&2' ERR
mkdir "$copy/tree"
tar --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$copy/tree"
cd "$copy/tree"
template/new_backend.sh second
template/new_backend.sh demo
clang-format --dry-run --Werror src/demo/*.[ch] src/core/isas.h src/dispatch/cpu.c include/pto/isa.h
tools/check_includes.sh
cmake -S . -B ../build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTO_BACKENDS=demo -DPTO_TESTS=ON -DPTO_EXAMPLES=OFF
cmake --build ../build -j "$jobs"
PTO_TEST_QUICK=1 ctest --test-dir ../build -j "$jobs" -R '[.]demo$' -LE exhaustive --output-on-failure
../build/cli/pto info | grep -E '^demo +yes +yes +yes$'

echo "== a planted fault: v_select exchanges its operands"
sed -i 's/return (x & m) | (y & ~m);/return (y \& m) | (x \& ~m);/' src/demo/vec.h
grep -q "(y & m)" src/demo/vec.h
cmake --build ../build -j "$jobs" --target test_checks
if PTO_TEST_QUICK=1 ../build/test/test_checks select demo >../fault.log 2>&1; then
    echo "test.sh: the checks do not find the fault in src/demo/vec.h" >&2
    false
fi
tail -3 ../fault.log
rm -rf "$copy"
