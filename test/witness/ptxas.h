/* SPDX-License-Identifier: MIT */
/** @file ptxas.h  NVIDIA's assembler, asked about files of instructions, one a line. */
#ifndef PTO_TEST_PTXAS_H
#define PTO_TEST_PTXAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PTXAS_PATH = 256, PTXAS_OPERANDS = 64 };

/** A program, and the newest PTX that it knows: the version of the ISA, 95 for 9.5, and the target with most. */
struct ptxas {
    const char *program;
    int isa;
    const char *target;
    char directory[PTXAS_PATH]; /* for the files, until ptxas_stop */
};

/** False, having said so, if it does not run here or does not know PTX 9.0 and sm_100a. */
bool ptxas_start(struct ptxas *p, const char *program);
void ptxas_stop(struct ptxas *p);

/** What ptxas says of a line: bits. */
enum { BAD_TYPE = 1, BAD_OP = 2, BAD_MODIFIER = 4, BAD_OTHERWISE = 8 };

/** A file of instructions, and then the verdict on each. */
struct listing {
    const struct ptxas *ptxas;
    const char *target;
    FILE *file;
    char path[2 * PTXAS_PATH];
    size_t lines;
    unsigned char *verdict;
};

/**
 * Registers in it: predicates p, q, c; and by their widths b0 to b5, h0 to h5, w0 to w5, d0 to d5. `at` is an
 * address in global memory.
 */
void listing_open(struct listing *l, const struct ptxas *p);
void listing_open_for(struct listing *l, const struct ptxas *p, int isa, const char *target);
void listing_add(struct listing *l, const char *instruction, const char *operands);

/** Assemble it: verdict holds 0 for each line that is taken. Returns whether the whole file was taken. */
bool listing_judge(struct listing *l);
void listing_close(struct listing *l);

/** The letter of the register for so many bits. */
char register_for(size_t bits);

#endif
