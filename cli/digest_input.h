/* SPDX-License-Identifier: MIT */
/* Generates the inputs of a form, and computes its results. */
#ifndef PTO_CLI_DIGEST_INPUT_H
#define PTO_CLI_DIGEST_INPUT_H

#include "digest_form.h"

/* The number of inputs in a block, which fits into the caches. Shares, and rows of 2^16 pairs, are multiples of it. */
enum { BLOCK_INPUTS = 1 << 14 };

/* An array of BLOCK_INPUTS lanes of any width. */
union lanes {
    uint8_t bytes[BLOCK_INPUTS * 8];
    uint16_t halves[BLOCK_INPUTS];
    uint32_t words[BLOCK_INPUTS];
    uint64_t longs[BLOCK_INPUTS];
};

struct block {
    uint64_t first;     /* the number of the first input */
    size_t n;           /* the number of inputs, at most BLOCK_INPUTS */
    union lanes source; /* the source of a conversion, or operand a */
    union lanes second; /* operand b */
    union lanes extra;  /* random words, scales, predicates of selp, or operand c of slct */
    union lanes result;
};

/* Fills in the operands of n inputs, starting with input `first`. */
void block_fill(const struct form *form, struct block *block, uint64_t first, size_t n);

/* Computes the results with the active backend. */
pto_status block_run(const struct form *form, struct block *block);

/* Return the size of n results in bytes, and the size of one result in bits. */
size_t result_bytes(const struct form *form, size_t n);
size_t result_bits(const struct form *form);

/* Writes the operands of input i of the block as text: "0x3f800000 (1), scale 0x7f". */
void describe_input(const struct form *form, const struct block *block, size_t i, char *text, size_t size);

/* Writes result i as text: "0x3c00 (1)". */
void describe_result(const struct form *form, const union lanes *results, size_t i, char *text, size_t size);

#endif
