/* SPDX-License-Identifier: MIT */
/* A call of block scaling with its operands. Shared by the files block*.c, which are one group of calls. */
#ifndef PTO_CALLS_BLOCK_CALL_H
#define PTO_CALLS_BLOCK_CALL_H

#include "core/common.h"
#include "core/kernels.h"
#include "core/scaling.h"

/* A matrix in memory: `rows` rows of `row_bytes` bytes, `stride` bytes apart. */
struct matrix {
    u8 *at;
    size_t rows, row_bytes, stride;
};

static inline u8 *row_of(const struct matrix *p, size_t row) {
    return p->at + row * p->stride;
}

static inline size_t ceil_div(size_t n, size_t by) {
    return n / by + (n % by != 0);
}

static inline size_t codes_bytes(pto_dtype elem, size_t cols) {
    return is_in_nibbles(elem) ? ceil_div(cols, 2) : cols;
}

enum direction { QUANTIZE, REQUANTIZE, DEQUANTIZE };

/* A call with its operands: the tensor x, its codes and scales, and the random words of PTO_RS. */
struct block_call {
    const struct scaling_kernels *k;
    const struct scaling_extras *extras; /* or NULL */
    const struct scaling *s;
    enum direction direction;
    size_t rows, cols, block_rows, block_cols, scale_bytes;
    struct matrix x, codes, scales, words;
    const struct cvt_kernel *convert; /* converts products (.rs) or codes; NULL to quantize to nearest even */
    pto_cvt_op conversion;
    struct scaling_results *results; /* table for dequantization, or NULL */
};

enum {
    WORD_ELEMENTS = 4, /* elements that share a random word */
    BLOCK_PADDING = 16 /* entries after the last one that kernels may write in arrays of maxima and factors */
};

/* Returns the bytes of n codes. With e2m1, n may be odd only at the end of a row. */
static inline size_t elem_bytes(const struct block_call *c, size_t n) {
    return codes_bytes(c->s->elem, n);
}

static inline size_t tensor_bytes(const struct block_call *c, size_t n) {
    return n * (c->s->type == PTO_F32 ? 4 : 2);
}

/* Returns the constants that kernels need for op, which must be legal. The FP state must be FP_IEEE. */
struct scaling pto_block_prepare(const pto_block_op *op);

/* Quantizes or dequantizes the tensor of a call, tile by tile. Sets the fields of *s that depend on the operands; c->s
 * points to it. The FP state must be FP_IEEE. */
void pto_block_run_tiles(struct block_call *c, struct scaling *s);

#endif
