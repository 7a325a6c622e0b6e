/* SPDX-License-Identifier: MIT */
/**
 * @file recipes.h
 * Formats in which models are stored and run, each by the rules of several stacks, and a tensor in one of them. This
 * code is meant to be copied.
 */
#ifndef RECIPES_H
#define RECIPES_H

#include <pto/pto.h>

/** A block format, and the rule by which one software stack computes its scales. */
typedef struct recipe {
    const char *format; /**< such as "MXFP8"; recipes of one format are adjacent */
    pto_block_op op;    /**< complete, except for the tensor's type and NVFP4's second-level value */
} recipe;

extern const recipe recipes[];
extern const size_t recipe_count;

enum { RULE_LABEL = 32 };

/** Writes the rule's name to label, as in the documents and with ".pow2" if that is set, and returns label. */
const char *recipe_rule(const recipe *r, char label[RULE_LABEL]);

typedef struct matrix {
    pto_dtype wide; /**< PTO_F32, PTO_F16 or PTO_BF16 */
    const void *x;  /**< rows, contiguous */
    size_t rows, cols;
} matrix;

size_t matrix_bytes(const matrix *m);

/** A quantized matrix. Codes and scales are in one block of memory, in this order. */
typedef struct quantized {
    pto_block_op op;
    size_t rows, cols;
    pto_block_size size;
    size_t code_bytes, scale_bytes; /**< sizes of all codes and all scales */
    uint8_t *codes, *scales;
} quantized;

/** Prepares q for m: computes sizes, allocates memory, and for two levels computes the second-level value. */
pto_status quantized_for(const recipe *r, const matrix *m, quantized *q);

void quantized_free(quantized *q);

/** Quantizes m, and dequantizes to y, which has the type and shape of m. */
pto_status quantize(const quantized *q, const matrix *m);
pto_status dequantize(const quantized *q, void *y);

/** Returns the number of codes, or of scales, that differ between two matrices of the same shape and element type. */
size_t other_codes(const quantized *a, const quantized *b);
size_t other_scales(const quantized *a, const quantized *b);

/** Returns the number of scales. */
size_t scale_count(const quantized *q);

/** Returns the bits per element, including its share of the scales. 6-bit elements count as packed in files; in memory
 * each takes a byte. */
double bits_per_element(const quantized *q);

#endif
