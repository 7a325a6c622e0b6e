/* SPDX-License-Identifier: MIT */
/* Compares block scaling with the model for many shapes: the block shapes that the rules use and odd ones,
 * incomplete blocks, strides, guard pages and random words. Also splits tensors across several calls. */
#include "check/checks.h"
#include "support/block_fixture.h"

#include <string.h>

enum {
    BUFFER_SIZE = 1 << 19,
    ELEMENTS = 1500,
    OFFSETS = 64
}; /* BUFFER_SIZE: enough for 200 rows of 400 f32 with gaps */

static const struct shape {
    size_t rows, cols;
} shapes[] = {
    {1, 16}, {1, 32}, {1, 128}, {32, 1}, {16, 1}, {16, 16}, {32, 32}, {128, 128}, {1, 0}, {0, 0},
    {0, 1},  {0, 32}, {3, 6},   {1, 5},  {1, 1},  {2, 2},   {1, 64},  {5, 1},     {2, 0}, {1, 1000},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/** Returns a random length of at most `most`: in one of four cases 0 to 3 whole blocks, otherwise up to about two
 * blocks. A block of 0 counts as 40. */
static size_t any_length(struct rng *rng, size_t block, size_t most) {
    const size_t around = block == 0 ? 40 : block;
    const size_t length =
        rng_below(rng, 4) == 0 ? around * rng_below(rng, 4) : rng_below(rng, 2 * around + 8);
    return least(length, most);
}

/** Returns 0, or a row's size plus up to 10 bytes. */
static size_t any_stride(struct rng *rng, size_t row_bytes) {
    return rng_below(rng, 2) ? 0 : row_bytes + rng_below(rng, 11);
}

static struct model_block_call any_call(struct rng *rng, const pto_block_op *op, const struct shape *shape) {
    struct model_block_call c = {.op = *op};
    pto_block_size size;
    c.op.block_rows = shape->rows;
    c.op.block_cols = shape->cols + (op->elem == PTO_E2M1 && shape->cols > 1 ? shape->cols % 2 : 0);
    c.cols = any_length(rng, shape->cols, 400);
    c.rows = any_length(rng, shape->rows, 200);
    if (c.rows * c.cols > ELEMENTS && rng_below(rng, 8) != 0) c.rows = ELEMENTS / c.cols;
    if (rng_below(rng, 3) == 0 && model_block_takes_rs(c.op.rule)) c.op.round = PTO_RS;
    size = model_block_sizes(&c.op, c.rows, c.cols);
    c.stride = any_stride(rng, model_cvt_bytes(op->wide, c.cols));
    c.codes_stride = any_stride(rng, size.row_bytes);
    c.scales_stride = any_stride(rng, size.scale_cols * size.scale_bytes);
    return c;
}

typedef void visit_call(const struct subject *s, struct report *r, struct block_buffers *w,
                        const struct model_block_call *c);

/** Calls `visit` for each shape with each op. A quick run takes every quick_step-th op, starting at a different one
 * for each shape. */
static void each_shape(const struct subject *s, struct report *r, const char *purpose, size_t quick_step,
                       visit_call *visit) {
    struct block_buffers w;
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops), step = r->quick ? quick_step : 1;
    block_buffers_open(&w, purpose, BUFFER_SIZE);
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = i % step; k < count && !report_stop(r); k += step) {
            const struct model_block_call c = any_call(&w.rng, &ops[k], &shapes[i]);
            visit(s, r, &w, &c);
        }
    }
    block_buffers_close(&w);
}

/* ---- beside guard pages, and unaligned ---- */

static void run_kinds(const struct subject *s, struct report *r, struct block_buffers *w,
                      const struct model_block_call *c, const char *where) {
    for (int kind = 0; kind < MODEL_BLOCK_KINDS; kind++) {
        block_describe(r, (enum model_block_kind)kind, c, where);
        block_buffers_fill(w, (enum model_block_kind)kind, c);
        block_buffers_run(s, r, w, (enum model_block_kind)kind, c);
    }
}

static void visit_at_guard_pages(const struct subject *s, struct report *r, struct block_buffers *w,
                                 const struct model_block_call *c) {
    struct model_block_call call = *c;
    block_buffers_at_guard_pages(w, &call, rng_below(&w->rng, 3) ? AT_END : AT_BEGIN);
    run_kinds(s, r, w, &call, "beside guard pages");
}

void check_block_shapes(const struct subject *s, struct report *r) {
    each_shape(s, r, "block shapes", 9, visit_at_guard_pages);
}

static void visit_offset(const struct subject *s, struct report *r, struct block_buffers *w,
                         const struct model_block_call *c) {
    struct model_block_call call = *c;
    block_buffers_offset(w, &call, rng_below(&w->rng, OFFSETS));
    run_kinds(s, r, w, &call, "unaligned");
}

void check_block_offsets(const struct subject *s, struct report *r) {
    each_shape(s, r, "block offsets", 17, visit_offset);
}

/* ---- rows split between calls ---- */

/** Returns the part of the call that covers `rows` rows from row `first` on. */
static struct model_block_call rows_of(const struct model_block_call *c, size_t first, size_t rows) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    const size_t stride = c->stride ? c->stride : model_cvt_bytes(c->op.wide, c->cols);
    const size_t codes_stride = c->codes_stride ? c->codes_stride : size.row_bytes;
    const size_t scales_stride = c->scales_stride ? c->scales_stride : size.scale_cols * size.scale_bytes;
    struct model_block_call part = *c;
    part.rows = rows;
    part.wide = (unsigned char *)c->wide + first * stride;
    part.codes = (unsigned char *)c->codes + first * codes_stride;
    part.scales = (unsigned char *)c->scales + first / c->op.block_rows * scales_stride;
    if (c->rbits) part.rbits = (unsigned char *)c->rbits + first * 4 * model_block_ceil_div(c->cols, 4);
    return part;
}

static void clear_results(const struct model_block_call *c) {
    memset(c->codes, 0x5a, block_bytes(c, BLOCK_CODES));
    memset(c->scales, 0x5a, block_bytes(c, BLOCK_SCALES));
}

/** Compares a call with calls on parts of its rows. The model is not used. */
static void visit_split(const struct subject *s, struct report *r, struct block_buffers *w,
                        const struct model_block_call *c) {
    struct model_block_call call = *c;
    if (c->op.block_rows == 0 || c->rows == 0 || c->cols == 0) return;
    r->cases++;
    block_buffers_offset(w, &call, 0);
    block_describe(r, MODEL_QUANTIZE, &call, "its rows split");
    block_buffers_fill(w, MODEL_QUANTIZE, &call);
    clear_results(&call);
    if (block_call(s, MODEL_QUANTIZE, &call) != PTO_OK) report_mismatch(r, "no success of the whole");
    memcpy(w->expected[BLOCK_CODES], call.codes, block_bytes(c, BLOCK_CODES));
    memcpy(w->expected[BLOCK_SCALES], call.scales, block_bytes(c, BLOCK_SCALES));
    clear_results(&call);
    for (size_t first = 0, rows; first < c->rows; first += rows) {
        struct model_block_call part;
        rows = least(c->op.block_rows * (1 + rng_below(&w->rng, 3)), c->rows - first);
        part = rows_of(&call, first, rows);
        if (block_call(s, MODEL_QUANTIZE, &part) != PTO_OK) report_mismatch(r, "no success of a part");
    }
    report_image(r, w->expected[BLOCK_CODES], call.codes, block_bytes(c, BLOCK_CODES));
    report_image(r, w->expected[BLOCK_SCALES], call.scales, block_bytes(c, BLOCK_SCALES));
}

void check_block_splits(const struct subject *s, struct report *r) {
    each_shape(s, r, "block splits", 17, visit_split);
}

/* ---- blocks so long that backends may compute a table with the results of all codes ---- */

/** Fills the scales with bytes from 0x38 to 0x3f: near 1 as e4m3, small powers of two as ue8m0, values below 1 as
 * f32. */
static void fill_scales_near_one(struct rng *rng, const struct model_block_call *c) {
    unsigned char *scales = c->scales;
    const size_t count = block_bytes(c, BLOCK_SCALES);
    for (size_t i = 0; i < count; i++) scales[i] = (unsigned char)(0x38 + rng_below(rng, 8));
}

/** Dequantizes blocks that are longer than a tile, with an incomplete last row of blocks, incomplete cache lines,
 * and scales that are near 1 or random. */
static void visit_large_block(const struct subject *s, struct report *r, struct block_buffers *w,
                              const pto_block_op *op, const struct shape *shape) {
    struct model_block_call c = {.op = *op};
    const size_t block_rows = shape->rows == 0 ? 40 : shape->rows;
    c.op.block_rows = shape->rows;
    c.op.block_cols = shape->cols;
    c.rows = block_rows + rng_below(&w->rng, 5);
    c.cols = (shape->cols == 0 ? 100 : shape->cols == 16 ? 1120 : shape->cols) + rng_below(&w->rng, 200);
    c.stride = any_stride(&w->rng, model_cvt_bytes(op->wide, c.cols));
    c.codes_stride = any_stride(&w->rng, c.cols);
    if (rng_below(&w->rng, 2) == 0)
        block_buffers_offset(w, &c, rng_below(&w->rng, OFFSETS));
    else
        block_buffers_at_guard_pages(w, &c, rng_below(&w->rng, 3) ? AT_END : AT_BEGIN);
    block_describe(r, MODEL_DEQUANTIZE, &c, "long blocks");
    block_buffers_fill(w, MODEL_DEQUANTIZE, &c);
    if (rng_below(&w->rng, 2) == 0) fill_scales_near_one(&w->rng, &c);
    block_buffers_run(s, r, w, MODEL_DEQUANTIZE, &c);
}

void check_block_large_blocks(const struct subject *s, struct report *r) {
    static const struct shape mine[] = {{128, 128}, {0, 0},    {1, 2100}, {64, 40},
                                        {128, 16},  {3, 1000}, {32, 64}};
    enum { SHAPES_LONG = sizeof mine / sizeof mine[0] };
    struct block_buffers w;
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops), step = r->quick ? 7 : 1;
    block_buffers_open(&w, "long blocks", BUFFER_SIZE);
    for (size_t i = 0; i < SHAPES_LONG; i++)
        for (size_t k = i % step; k < count && !report_stop(r); k += step)
            if (ops[k].elem != PTO_E2M1 && ops[k].wide != PTO_F32)
                visit_large_block(s, r, &w, &ops[k], &mine[i]);
    block_buffers_close(&w);
}

/* ---- results written with non-temporal stores ---- */

enum { LONG_BYTES = (16 << 20) + (64 << 10), LONG_ROW = 64 << 10 };

/** Fills in scales by fill_scales_near_one(), and random codes with one bit cleared so that they are finite. One code
 * in the middle is 0xff, a NaN in fp8. */
static void fill_long(struct rng *rng, const struct model_block_call *c) {
    const unsigned finite =
        c->op.elem == PTO_E5M2 ? 0xfb : 0xfe; /* clears the lowest bit of the exponent or the code */
    unsigned char *codes = c->codes;
    const size_t count = block_bytes(c, BLOCK_CODES);
    for (size_t i = 0; i < count; i++) codes[i] = (unsigned char)(rng_next(rng) & finite);
    codes[count / 2] = 0xff;
    fill_scales_near_one(rng, c);
}

/** Compares one call on the whole tensor with a call for each row; a row is too short for non-temporal stores. */
static void run_long(const struct subject *s, struct report *r, struct model_block_call *c,
                     unsigned char *row) {
    r->cases++;
    block_describe(r, MODEL_DEQUANTIZE, c, "a long tensor");
    if (block_call(s, MODEL_DEQUANTIZE, c) != PTO_OK) report_mismatch(r, "no success of the whole");
    for (size_t i = 0; i < c->rows && !report_stop(r); i++) {
        struct model_block_call part = rows_of(c, i, 1);
        part.wide = row;
        if (block_call(s, MODEL_DEQUANTIZE, &part) != PTO_OK) report_mismatch(r, "no success of a row");
        report_image(r, row, (const unsigned char *)c->wide + i * LONG_ROW, LONG_ROW);
    }
}

void check_block_long(const struct subject *s, struct report *r) {
    static const pto_block_op ops[] = {
        {.elem = PTO_E4M3, .wide = PTO_F32, .rule = PTO_MX_FLOOR, .block_rows = 1, .block_cols = 32},
        {.elem = PTO_E2M1, .wide = PTO_F32, .rule = PTO_NV_TE, .block_rows = 1, .block_cols = 16},
        {.elem = PTO_E4M3, .wide = PTO_BF16, .rule = PTO_FP8_RCP, .block_rows = 1, .block_cols = 128},
        {.elem = PTO_E5M2, .wide = PTO_F16, .rule = PTO_MX_CEIL, .block_rows = 1, .block_cols = 32},
        {.elem = PTO_E5M2, .wide = PTO_F16, .rule = PTO_FP8_RCP, .block_rows = 1, .block_cols = 4096},
    };
    struct block_buffers w;
    unsigned char row[LONG_ROW];
    block_buffers_open(&w, "block long", LONG_BYTES);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0] && !report_stop(r); i += r->quick ? 2 : 1) {
        struct model_block_call c = {.op = ops[i], .rows = LONG_BYTES / LONG_ROW};
        c.op.round = PTO_RN;
        c.cols = LONG_ROW / model_cvt_bytes(c.op.wide, 1);
        block_buffers_at_guard_pages(&w, &c, AT_BEGIN); /* the start of a cache line */
        fill_long(&w.rng, &c);
        run_long(s, r, &c, row);
    }
    block_buffers_close(&w);
}

/* ---- the largest element or a NaN at each position ---- */

/** Quantizes a tensor of small values with one large value or NaN at position `place`. The caller varies `place`, so
 * that almost every element of a block once determines the scale. */
static void visit_place(const struct subject *s, struct report *r, struct block_buffers *w, pto_block_op op,
                        size_t place) {
    static const uint32_t large[] = {0x43700000, 0xc3700000, 0x7fc00000, 0xff800000};
    struct model_block_call c = {.op = op, .rows = op.block_rows == 16 ? 16 : 2};
    c.cols = op.block_cols;
    block_buffers_offset(w, &c, place % OFFSETS);
    for (size_t i = 0; i < c.rows * c.cols; i++) {
        const uint32_t x = i == place ? large[rng_below(&w->rng, 4)] : 0x3f000000 + (uint32_t)i * 0x10000;
        model_cvt_store(op.wide, c.wide, i, model_f32_narrowed(op.wide, x));
    }
    block_describe(r, MODEL_QUANTIZE, &c, "one element is large, infinite or a NaN");
    block_buffers_run(s, r, w, MODEL_QUANTIZE, &c);
}

void check_block_places(const struct subject *s, struct report *r) {
    static const struct shape mine[] = {{1, 32}, {1, 16}, {1, 128}, {16, 16}};
    struct block_buffers w;
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    block_buffers_open(&w, "block places", BUFFER_SIZE);
    for (size_t i = 0; i < count * 4 && !report_stop(r); i++) {
        pto_block_op op = ops[i / 4];
        op.block_rows = mine[i % 4].rows;
        op.block_cols = mine[i % 4].cols;
        for (size_t place = i % 29; place < 2 * op.block_cols && !report_stop(r);
             place += r->quick ? 29 : 5) {
            visit_place(s, r, &w, op, place);
        }
    }
    block_buffers_close(&w);
}
