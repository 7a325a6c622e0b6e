/* SPDX-License-Identifier: MIT */
/* Compares block floating point with the model: magnitudes of all distances from the largest one, ties before and after
 * the shift, NaNs, infinities and subnormals, and rows of any length. */
#include "check/checks.h"
#include "support/block_fixture.h"

#include <string.h>

enum { ROWS_MOST = 3, COLS_MOST = 100, BUFFER_SIZE = 1 << 15 };

/** Returns an element whose field is at most 26 below `field`, near a tie of 7 or 3 bits. */
static uint32_t near_tie(struct rng *rng, uint32_t field) {
    static const uint32_t fractions[] = {0,        0x010000, 0x008000, 0x100000,
                                         0x080000, 0x7f0000, 0x780000, 0x7fffff};
    const uint32_t sign = (uint32_t)rng_next(rng) & 0x80000000, less = (uint32_t)rng_below(rng, 27);
    uint32_t fraction = fractions[rng_below(rng, sizeof fractions / sizeof fractions[0])];
    fraction += (uint32_t)rng_below(rng, 128) << (rng_below(rng, 2) ? 16 : 20);
    fraction += (uint32_t)rng_below(rng, 5) - 2;
    return sign | (less < field ? field - less : 0) << 23 | (fraction & 0x7fffff);
}

/** Returns a NaN or an infinity of the type, with any fraction. */
static uint64_t any_special(struct rng *rng, pto_dtype wide) {
    const uint64_t ones = wide == PTO_F32 ? 0x7f800000 : wide == PTO_F16 ? 0x7c00 : 0x7f80;
    return (rng_next(rng) & (wide == PTO_F32 ? UINT32_MAX : 0xffff)) | ones;
}

/** Fills the tensor: each row has a largest exponent of its own. Some elements are special. */
static void fill_near_ties(struct rng *rng, const struct model_block_call *c) {
    static const uint32_t specials[] = {0,          0x80000000, 0x00000001, 0x807fffff, 0x7f800000,
                                        0xff800000, 0x7f810001, 0xffc12345, 0x3f810001, 0x3fffffff};
    const size_t row_bytes = model_cvt_bytes(c->op.wide, c->cols), stride = c->stride ? c->stride : row_bytes;
    const bool with_specials = rng_below(rng, 2) != 0;
    uint32_t field = 127;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        unsigned char *const row = (unsigned char *)c->wide + i / c->cols * stride;
        uint32_t x;
        if (i % 16 == 0)
            field = rng_below(rng, 4) ? 127 + (uint32_t)rng_below(rng, 2) : (uint32_t)rng_below(rng, 255);
        x = near_tie(rng, field);
        if (with_specials && rng_below(rng, 23) == 0)
            x = specials[rng_below(rng, sizeof specials / sizeof specials[0])];
        model_cvt_store(c->op.wide, row, i % c->cols,
                        with_specials && rng_below(rng, 67) == 0 ? any_special(rng, c->op.wide)
                                                                 : model_f32_narrowed(c->op.wide, x));
    }
}

/** Returns a call of random shape. */
static struct model_block_call any_call(struct rng *rng, const pto_block_op *op) {
    struct model_block_call c = {.op = *op};
    c.rows = rng_below(rng, ROWS_MOST + 1);
    c.cols = rng_below(rng, rng_below(rng, 4) ? COLS_MOST : 20);
    if (rng_below(rng, 2)) {
        c.stride = model_cvt_bytes(op->wide, c.cols) + rng_below(rng, 11);
        c.codes_stride = model_cvt_bytes(op->elem, c.cols) + rng_below(rng, 3);
        c.scales_stride = model_block_ceil_div(c.cols, 16) + rng_below(rng, 3);
    }
    return c;
}

static void bfp_call(const struct subject *s, struct report *r, struct block_buffers *w,
                     const pto_block_op *op, size_t turn) {
    const enum model_block_kind kind = turn % 3 == 2 ? MODEL_DEQUANTIZE : MODEL_QUANTIZE;
    struct model_block_call c = any_call(&w->rng, op);
    block_buffers_at_guard_pages(w, &c, turn % 2 ? AT_BEGIN : AT_END);
    block_buffers_fill(w, kind, &c);
    if (kind == MODEL_QUANTIZE && turn % 6 != 0) fill_near_ties(&w->rng, &c);
    block_describe(r, kind, &c, "block floating point");
    block_buffers_run(s, r, w, kind, &c);
}

/** Quantizes one block of f32 to bfp8. The first element is one that rounds in a particular way. */
static void bfp_first(const struct subject *s, struct report *r, struct block_buffers *w) {
    static const uint32_t blocks[][2] = {
        {0x3f810001, 0x40000000}, {0x3fffffff, 0x3f800000}, {0x80000000, 0x3f800000}};
    struct model_block_call c = {.op = {.wide = PTO_F32,
                                        .elem = PTO_BFP8,
                                        .rule = PTO_BFP_TT,
                                        .round = PTO_RN,
                                        .block_rows = 1,
                                        .block_cols = 16},
                                 .rows = 1,
                                 .cols = 2};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        block_buffers_at_guard_pages(w, &c, AT_END);
        memcpy(c.wide, blocks[i], sizeof blocks[i]);
        block_describe(r, MODEL_QUANTIZE, &c, "two elements");
        block_buffers_run(s, r, w, MODEL_QUANTIZE, &c);
    }
}

/** Dequantizes every code with every scale. */
static void bfp_codes(const struct subject *s, struct report *r, struct block_buffers *w,
                      const pto_block_op *op) {
    const size_t codes = op->elem == PTO_BFP8 ? 256 : 16;
    struct model_block_call c = {.op = *op, .rows = 16, .cols = codes};
    for (size_t field = 0; field < 256; field++) {
        block_buffers_at_guard_pages(w, &c, AT_BEGIN);
        memset(c.codes, 0, block_bytes(&c, BLOCK_CODES));
        memset(c.scales, (int)field, block_bytes(&c, BLOCK_SCALES));
        for (size_t i = 0; i < c.rows * codes; i++)
            model_cvt_store(op->elem, c.codes, i, (i + codes / 2) % codes); /* first -0 */
        block_describe(r, MODEL_DEQUANTIZE, &c, "every code");
        block_buffers_run(s, r, w, MODEL_DEQUANTIZE, &c);
    }
}

void check_block_bfp(const struct subject *s, struct report *r) {
    static const pto_dtype wides[] = {PTO_F32, PTO_F16, PTO_BF16}, elems[] = {PTO_BFP8, PTO_BFP4};
    struct block_buffers w;
    block_buffers_open(&w, "block floating point", BUFFER_SIZE);
    bfp_first(s, r, &w);
    for (size_t i = 0; i < (r->quick ? 600U : 12000U) && !report_stop(r); i++) {
        const pto_block_op op = {.wide = wides[i % 3],
                                 .elem = elems[i / 3 % 2],
                                 .rule = PTO_BFP_TT,
                                 .round = PTO_RN,
                                 .block_rows = 1,
                                 .block_cols = 16};
        if (i < 6) bfp_codes(s, r, &w, &op);
        bfp_call(s, r, &w, &op, i / 6);
    }
    block_buffers_close(&w);
}
