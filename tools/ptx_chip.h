/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_chip.h
 * The interface through which ptx_digest runs instructions: on a GPU (ptx_gpu.cu), or in the tests on libpto instead.
 */
#ifndef PTO_PTX_CHIP_H
#define PTO_PTX_CHIP_H

#include "ptx_operands.h"

/** The number of instructions in a part of a family. Each part has its own kernel. */
enum { PTX_PART = 64 };

/** An input of a statement: the letter of its register, and the offset of its value in struct ptx_operands. */
struct ptx_input {
    const char *letter;
    size_t offset;
};

/** An instruction of ptx_truth_forms.inc. */
struct ptx_instruction {
    unsigned number, level; /* the number in its family; ptx_truth_forms.cmake defines the levels */
    const char *text;
    const char *third;     /* the operand c with its comma, or "" */
    const char *statement; /* for the assembler; see ptx_statements.h */
    const char *result;    /* the letter of the result's register */
    struct ptx_input inputs[7];
    unsigned part; /* number of its part, counted over all families */
};

/** An opened chip. */
struct ptx_chip {
    char name[32];   /* "sm_90" */
    unsigned levels; /* the levels that it and the toolkit support, a bit for each */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Opens a chip. On an error, this function and the next one print a message and end the program. */
void ptx_chip_open(struct ptx_chip *chip);

/** Runs an instruction on all operands of a batch. */
void ptx_chip_run(const struct ptx_instruction *instruction, const struct truth_shape *shape,
                  const struct ptx_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
