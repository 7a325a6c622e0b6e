/* SPDX-License-Identifier: MIT */
/**
 * @file fold.h
 * What NVIDIA's assembler makes of instructions on constants. No disassembler is needed: each kernel computes one
 * number and stores it, and one that is folded has the same machine code as one that stores that constant.
 */
#ifndef PTO_TEST_FOLD_H
#define PTO_TEST_FOLD_H

#include "witness/ptxas.h"

#include <stdint.h>

/** A file of kernels, numbered from 0 on, and then the machine code of each. */
struct folding {
    const struct ptxas *ptxas;
    FILE *file;
    char source[2 * PTXAS_PATH], object[2 * PTXAS_PATH];
    size_t kernels;
    unsigned char *image; /* an ELF file */
    size_t image_size;
    struct fold_code {
        const unsigned char *bytes;
        size_t size;
    } * code;
};

/** Kernels 0 and 1 are there from the beginning: they store the number 0 and the number 1. */
enum { FOLD_ZERO, FOLD_ONE };

void fold_open(struct folding *f, const struct ptxas *p);

/** Add the kernel with such instructions, which leave their result in d0. Registers: h0 to h5, w0 to w5, d0 to d5. */
void fold_add(struct folding *f, const char *instructions);

/** False if ptxas refuses the file, or what it wrote cannot be read. */
bool fold_assemble(struct folding *f);

/** Whether two kernels are the same instructions. */
bool fold_same(const struct folding *f, size_t one, size_t other);

void fold_close(struct folding *f);

#endif
