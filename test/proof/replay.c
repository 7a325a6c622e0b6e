/* SPDX-License-Identifier: MIT */
/* replay OP SRC EXTRA BYTES N: runs the kernel of BACKEND and the scalar kernel on a counterexample of N elements. OP,
 * SRC and EXTRA are hexadecimal; BYTES is the size of the result. If the kernel is FP_ANY, it runs in all rounding
 * directions. Prints the results up to the first difference. Exits with 0 if there is one, otherwise with 1. */
#include "core/kernels.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

#define KERNEL_OF(isa) CAT(pto_cvt_, isa)

static void read_bytes(const char *text, unsigned char *bytes) {
    unsigned byte;
    for (size_t i = 0; i < MOST && sscanf(text + 2 * i, "%2x", &byte) == 1; ++i)
        bytes[i] = (unsigned char)byte;
}

static void print_bytes(const char *name, const unsigned char *bytes, size_t size) {
    printf("%s", name);
    for (size_t i = 0; i < size; ++i) printf(" %02x", bytes[i]);
    putchar('\n');
}

int main(int argc, char **argv) {
    static const int directions[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    const struct cvt_kernel *kernel;
    static unsigned char op_bytes[MOST], src[MOST], extra[MOST], found[MOST], defined[MOST];
    pto_cvt_op op;
    size_t size, n;
    if (argc != 6) return 2;
    read_bytes(argv[1], op_bytes);
    read_bytes(argv[2], src);
    read_bytes(argv[3], extra);
    size = strtoul(argv[4], NULL, 10);
    n = strtoul(argv[5], NULL, 10);
    memcpy(&op, op_bytes, sizeof op);
    pto_cvt_scalar(op)->run(&op, src, defined, extra, n);
    print_bytes("scalar", defined, size);
    kernel = KERNEL_OF(BACKEND)(op);
    for (int k = 0; k < (kernel->fp == FP_ANY ? 4 : 1); ++k) {
        fesetround(directions[k]);
        kernel->run(&op, src, found, extra, n);
        fesetround(FE_TONEAREST);
        print_bytes("kernel", found, size);
        if (memcmp(found, defined, size) != 0) return 0;
    }
    return 1;
}
