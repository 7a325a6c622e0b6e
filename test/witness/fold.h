/* SPDX-License-Identifier: MIT */
/**
 * @file fold.h
 * Constant folding by ptxas, NVIDIA's assembler. Each kernel computes one value and stores it. If ptxas folds the
 * computation, the machine code is that of a kernel that stores the constant, so no disassembler is needed.
 */
#ifndef PTO_TEST_FOLD_H
#define PTO_TEST_FOLD_H

#include "witness/ptxas.h"

#include <stdint.h>

/** A file of kernels, numbered from 0, and the machine code of each. */
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

/** Kernels 0 and 1 are always present: they store the constants 0 and 1. */
enum { FOLD_ZERO, FOLD_ONE };

void fold_open(struct folding *f, const struct ptxas *p);

/** Adds a kernel with these instructions, which leave their result in d0. They may use the registers h0 to h5, w0
 * to w5 and d0 to d5. */
void fold_add(struct folding *f, const char *instructions);

/** Assembles the file. Returns false if ptxas rejects it, or its output cannot be read. */
bool fold_assemble(struct folding *f);

/** Returns whether two kernels have the same machine code. */
bool fold_same(const struct folding *f, size_t one, size_t other);

void fold_close(struct folding *f);

#endif
