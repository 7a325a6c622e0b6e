/* SPDX-License-Identifier: MIT */
/** @file ptxas.h Runs ptxas, NVIDIA's assembler, on files with one instruction on each line. */
#ifndef PTO_TEST_PTXAS_H
#define PTO_TEST_PTXAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PTXAS_PATH = 256, PTXAS_OPERANDS = 64 };

/** A ptxas program, and the newest PTX that it supports: the ISA version, 95 for 9.5, and the target with most
 * features. */
struct ptxas {
    const char *program;
    int isa;
    const char *target;
    char directory[PTXAS_PATH]; /* for temporary files, until ptxas_stop() */
};

/** Returns false, and prints a message, if `program` does not run or does not support PTX 9.0 and sm_100a. */
bool ptxas_start(struct ptxas *p, const char *program);
void ptxas_stop(struct ptxas *p);

/** The errors of a line, as bits. */
enum { BAD_TYPE = 1, BAD_OP = 2, BAD_MODIFIER = 4, BAD_OTHERWISE = 8 };

/** A file of instructions, and the verdict on each. */
struct listing {
    const struct ptxas *ptxas;
    const char *target;
    FILE *file;
    char path[2 * PTXAS_PATH];
    size_t lines;
    unsigned char *verdict;
    size_t
        stopped; /* the line, from 1, whose syntax made ptxas stop, so that all others have no verdict; or 0 */
};

/** The declarations of registers at the head of a listing. */
#define LISTING_REGISTERS                                                                                    \
    ".reg .pred p,q,c; .reg .b8 b<6>; .reg .b16 h<6>; .reg .b32 w<6>; .reg .b64 d<6>; .reg .f32 f<6>; "      \
    ".reg .f64 e<6>; .reg .s32 s<6>; .reg .u32 u<6>; .reg .f16 g<6>; .reg .f16x2 x<6>; .reg .s16 j<6>; "     \
    ".reg .u64 l<6>;"

/**
 * Opens a listing. Its instructions may use the predicates p, q and c and, by width, the registers b0 to b5, h0 to
 * h5, w0 to w5 and d0 to d5. f, e, s, u, g, x, j and l are registers with other types. `at` holds an address in global
 * memory.
 */
void listing_open(struct listing *l, const struct ptxas *p);
void listing_open_for(struct listing *l, const struct ptxas *p, int isa, const char *target);
void listing_add(struct listing *l, const char *instruction, const char *operands);

/** Assembles the listing. `verdict` is 0 for each line that is accepted. Returns whether the whole file was
 * accepted. */
bool listing_judge(struct listing *l);
void listing_close(struct listing *l);

/** Returns the first letter of the names of registers of `bits` bits. */
char register_for(size_t bits);

#endif
