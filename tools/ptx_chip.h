/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_chip.h
 * What ptx_digest asks of whoever runs the instructions: a GPU, ptx_gpu.cu, or in the tests libpto in its place.
 */
#ifndef PTO_PTX_CHIP_H
#define PTO_PTX_CHIP_H

#include "ptx_operands.h"

/** Numbers of instructions in a part of a family, each of which a kernel runs. */
enum { PTX_PART = 64 };

/** An input of a statement: its register's letter, and where its bits lie in struct ptx_operands. */
struct ptx_input {
    const char *letter;
    size_t offset;
};

/** An instruction of ptx_truth_forms.inc. */
struct ptx_instruction {
    unsigned number, level; /* in its family; ptx_truth_forms.cmake says which levels there are */
    const char *text;
    const char *third;     /* the operand c with its comma, or "" */
    const char *statement; /* for the assembler; ptx_statements.h */
    const char *result;    /* the letter of its register */
    struct ptx_input inputs[7];
    unsigned part; /* counted through all families */
};

/** The chip, once it is open. */
struct ptx_chip {
    char name[32];   /* "sm_90" */
    unsigned levels; /* that it and the toolkit have, as bits */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Looks for a chip. What there is to complain of it says itself, here and below, and ends the program. */
void ptx_chip_open(struct ptx_chip *chip);

/** Runs an instruction on arrays of operands. */
void ptx_chip_run(const struct ptx_instruction *instruction, const struct truth_shape *shape,
                  const struct ptx_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
