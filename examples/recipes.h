/* SPDX-License-Identifier: MIT */
/**
 * @file recipes.h
 * Formats that models are stored and run in, each by the rules of several stacks, and a tensor in one of
 * them: to copy from.
 */
#ifndef RECIPES_H
#define RECIPES_H

#include <pto/pto.h>

/** A format by the rule of a stack. */
typedef struct recipe {
    const char *format; /**< such as "MXFP8"; recipes of one format stand together */
    pto_block_op op;    /**< complete but for the tensor's type, and NVFP4's second level, its number */
} recipe;

extern const recipe recipes[];
extern const size_t recipe_count;

enum { RULE_LABEL = 32 };

/** The rule as the documents name it, ".pow2" included. */
const char *recipe_rule(const recipe *r, char label[RULE_LABEL]);

typedef struct matrix {
    pto_dtype wide; /**< PTO_F32, PTO_F16 or PTO_BF16 */
    const void *x;  /**< row after row, without gaps */
    size_t rows, cols;
} matrix;

size_t matrix_bytes(const matrix *m);

/** A matrix in a format. Codes and scales are one piece of memory, in this order. */
typedef struct quantized {
    pto_block_op op;
    size_t rows, cols;
    pto_block_size size;
    size_t code_bytes, scale_bytes; /**< of all of them */
    uint8_t *codes, *scales;
} quantized;

/** Makes q ready for m: its sizes, memory, and with two levels the number of the tensor. */
pto_status quantized_for(const recipe *r, const matrix *m, quantized *q);

void quantized_free(quantized *q);

/** There and back; y is like the matrix. */
pto_status quantize(const quantized *q, const matrix *m);
pto_status dequantize(const quantized *q, void *y);

/** In how many codes and scales two of the same shape and element type differ. */
size_t other_codes(const quantized *a, const quantized *b);
size_t other_scales(const quantized *a, const quantized *b);

/** How many scales there are. */
size_t scale_count(const quantized *q);

/** With its share of the scales; one of 6 bits as files pack them: in memory it is a byte. */
double bits_per_element(const quantized *q);

#endif
