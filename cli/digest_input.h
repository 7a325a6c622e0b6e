/* SPDX-License-Identifier: MIT */
/* The inputs of a form, and its results for them. */
#ifndef PTO_CLI_DIGEST_INPUT_H
#define PTO_CLI_DIGEST_INPUT_H

#include "digest_form.h"

/* As many inputs as the caches hold; a share is a multiple of it, and so is every row of pairs of 16 bits. */
enum { BLOCK = 1 << 14 };

/* Lanes of any width. */
union lanes {
    uint8_t bytes[BLOCK * 8];
    uint16_t halves[BLOCK];
    uint32_t words[BLOCK];
    uint64_t doubles[BLOCK];
};

struct block {
    uint64_t first;     /* the number of the first input */
    size_t n;           /* how many, at most BLOCK */
    union lanes source; /* cvt: sources; others: a */
    union lanes other;  /* b */
    union lanes extra;  /* random words, scales, predicates, or what slct chooses by */
    union lanes result;
};

/* Fills the operands of the inputs from `first` on. */
void block_fill(const struct form *form, struct block *block, uint64_t first, size_t n);

/* Computes the results by the backend that is active. */
pto_status block_run(const struct form *form, struct block *block);

/* Bytes of the results of the block; and bits of one of them. */
size_t result_bytes(const struct form *form, size_t n);
size_t result_bits(const struct form *form);

/* The operands of input i of the block, in words: "0x3f800000 (1), scale 0x7f". */
void describe_input(const struct form *form, const struct block *block, size_t i, char *text, size_t size);

/* Result i, in words: "0x3c00 (1)". */
void describe_result(const struct form *form, const union lanes *results, size_t i, char *text, size_t size);

#endif
