#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that the kernels of the generic backend use SIMD128: at least a tenth of the instructions of these object files
# have a vector operand.
#
#   simd128.sh OBJDUMP FOLDER   OBJDUMP is llvm-objdump; FOLDER has the object files of src/generic
set -euo pipefail
for name in kernels maxmin convert cast scaling codes; do
    counts=$("$1" -d --no-show-raw-insn "$2/$name.c.obj" | awk '
        /^ +[0-9a-f]+:/ { all++ }
        /^ +[0-9a-f]+:[ \t]+(v128|i8x16|i16x8|i32x4|i64x2|f32x4|f64x2)[.]/ { vector++ }
        END { print all + 0, vector + 0 }')
    echo "$name.c: ${counts% *} instructions, ${counts#* } of SIMD128"
    [[ ${counts#* } -gt $((${counts% *} / 10)) ]] || exit 1
done
