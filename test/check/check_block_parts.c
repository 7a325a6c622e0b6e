/* SPDX-License-Identifier: MIT */
/* Block scaling of a whole tensor equals one call per block. This needs no model, so it covers tensors that are larger
 * than those of check_block_shapes.c, and it finds errors of the code that all backends share. */
#include "check/checks.h"
#include "support/block_fixture.h"

#include <string.h>

enum { WHOLE_BYTES = 1 << 18, ELEMENTS = 9000, BLOCKS = 300, WORD_ELEMENTS = 4 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ---- shapes ---- */

/** The rows of a block: small, around the limits of a tile, or any. 0 means all rows. */
static size_t any_block_rows(struct rng *rng) {
    static const size_t rows[] = {0,   0,   0,   1,   1,    1,    2,    3,    5,    16,   31,   32,  127,
                                  128, 129, 131, 139, 1000, 1025, 1100, 1366, 2047, 2049, 3001, 4097};
    if (rng_below(rng, 3) == 0) return 1 + rng_below(rng, 300);
    return rows[rng_below(rng, sizeof rows / sizeof rows[0])];
}

/** The columns of a block: 1, small, odd, around the limits of a chunk, or any; those of e2m1 are 1, even or all. */
static size_t any_block_cols(struct rng *rng, pto_dtype elem) {
    static const size_t cols[] = {0,  1,  1,  1,  2,  3,  5,   6,   7,   8,   15,
                                  16, 17, 32, 33, 48, 64, 127, 128, 510, 513, 1030};
    size_t n = cols[rng_below(rng, sizeof cols / sizeof cols[0])];
    if (rng_below(rng, 3) == 0) n = 1 + rng_below(rng, 150);
    if (elem == PTO_E2M1 && rng_below(rng, 3) == 0) n = 1; /* two blocks in a byte */
    return n + (elem == PTO_E2M1 && n > 1 ? n % 2 : 0);
}

/** Returns a random length from 1 to `most`: one block, up to about four blocks, or any length. */
static size_t any_length(struct rng *rng, size_t block, size_t most) {
    size_t n = 1 + rng_below(rng, most);
    if (block != 0 && rng_below(rng, 3) == 0) n = block;
    if (block != 0 && rng_below(rng, 3) == 0) n = 1 + rng_below(rng, 4 * block + 9);
    return n <= most ? n : 1 + rng_below(rng, most);
}

static size_t any_stride(struct rng *rng, size_t row_bytes) {
    return rng_below(rng, 2) ? 0 : row_bytes + rng_below(rng, 11);
}

static struct model_block_call any_call(struct rng *rng, const pto_block_op *op) {
    struct model_block_call c = {.op = *op};
    pto_block_size size;
    c.op.block_rows = any_block_rows(rng);
    c.op.block_cols = any_block_cols(rng, op->elem);
    if (rng_below(rng, 3) == 0 && model_block_takes_rs(c.op.rule)) c.op.round = PTO_RS;
    c.rows = any_length(rng, c.op.block_rows, 4200);
    c.cols = any_length(rng, c.op.block_cols, ELEMENTS / c.rows + 1);
    size = model_block_sizes(&c.op, c.rows, c.cols);
    if (size.scale_cols > BLOCKS / size.scale_rows + 1)
        c.cols = least(c.cols, (BLOCKS / size.scale_rows + 1) * c.op.block_cols);
    size = model_block_sizes(&c.op, c.rows, c.cols);
    c.stride = any_stride(rng, model_cvt_bytes(op->wide, c.cols));
    c.codes_stride = any_stride(rng, size.row_bytes);
    c.scales_stride = any_stride(rng, size.scale_cols * size.scale_bytes);
    return c;
}

/* ---- one block ---- */

/** The first row and column of a block. */
struct corner {
    size_t row, col;
};

/** Row i of an operand that begins at `base`. */
static unsigned char *row_at(void *base, size_t stride, size_t row_bytes, size_t i) {
    return (unsigned char *)base + (stride != 0 ? stride : row_bytes) * i;
}

static unsigned char *wide_row(const struct model_block_call *c, size_t i) {
    return row_at(c->wide, c->stride, model_cvt_bytes(c->op.wide, c->cols), i);
}

static unsigned char *codes_row(const struct model_block_call *c, size_t i) {
    return row_at(c->codes, c->codes_stride, model_cvt_bytes(c->op.elem, c->cols), i);
}

static unsigned char *scales_row(const struct model_block_call *c, size_t i) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    return row_at(c->scales, c->scales_stride, size.scale_cols * size.scale_bytes, i);
}

static unsigned char *words_row(const struct model_block_call *c, size_t i) {
    return row_at(c->rbits, 0, 4 * model_block_ceil_div(c->cols, WORD_ELEMENTS), i);
}

/** Returns the call for one block. With PTO_RS a call begins with a whole random word. So if the block starts
 * inside a word, `*lead` zero elements precede it; zeros do not change the scale. */
static struct model_block_call call_of_block(const struct model_block_call *whole, struct corner at,
                                             size_t *lead) {
    const pto_block_op *op = &whole->op;
    struct model_block_call part = {.op = *op};
    part.op.block_rows = part.op.block_cols = 0;
    *lead = op->round == PTO_RS ? at.col % WORD_ELEMENTS : 0;
    part.rows = least(op->block_rows ? op->block_rows : whole->rows, whole->rows - at.row);
    part.cols = least(op->block_cols ? op->block_cols : whole->cols, whole->cols - at.col) + *lead;
    return part;
}

static void copy_elements(pto_dtype type, unsigned char *to, size_t to_at, const unsigned char *from,
                          size_t from_at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        model_cvt_store(type, to, to_at + i, model_cvt_load(type, from, from_at + i));
    }
}

/** Copies what the call of a block reads. */
static void read_block(enum model_block_kind kind, const struct model_block_call *whole, struct corner at,
                       const struct model_block_call *part, size_t lead) {
    const size_t n = part->cols - lead, words = 4 * model_block_ceil_div(part->cols, WORD_ELEMENTS);
    const pto_dtype scale = model_block_scale_type(whole->op.rule);
    const bool dequantizes = kind == MODEL_DEQUANTIZE;
    memset(dequantizes ? part->codes : part->wide, 0,
           block_bytes(part, dequantizes ? BLOCK_CODES : BLOCK_WIDE));
    for (size_t i = 0; i < part->rows; i++) {
        if (dequantizes)
            copy_elements(part->op.elem, codes_row(part, i), lead, codes_row(whole, at.row + i), at.col, n);
        else
            copy_elements(part->op.wide, wide_row(part, i), lead, wide_row(whole, at.row + i), at.col, n);
        if (part->op.round == PTO_RS)
            memcpy(words_row(part, i), words_row(whole, at.row + i) + at.col / WORD_ELEMENTS * 4, words);
    }
    if (kind != MODEL_QUANTIZE)
        copy_elements(scale, part->scales, 0,
                      scales_row(whole, whole->op.block_rows ? at.row / whole->op.block_rows : 0),
                      whole->op.block_cols ? at.col / whole->op.block_cols : 0, 1);
}

/** Copies what the call of a block wrote. */
static void write_block(enum model_block_kind kind, const struct model_block_call *whole, struct corner at,
                        const struct model_block_call *part, size_t lead) {
    const size_t n = part->cols - lead;
    for (size_t i = 0; i < part->rows; i++) {
        if (kind == MODEL_DEQUANTIZE)
            copy_elements(part->op.wide, wide_row(whole, at.row + i), at.col, wide_row(part, i), lead, n);
        else
            copy_elements(part->op.elem, codes_row(whole, at.row + i), at.col, codes_row(part, i), lead, n);
    }
    if (kind == MODEL_QUANTIZE)
        copy_elements(model_block_scale_type(whole->op.rule),
                      scales_row(whole, whole->op.block_rows ? at.row / whole->op.block_rows : 0),
                      whole->op.block_cols ? at.col / whole->op.block_cols : 0, part->scales, 0, 1);
}

/** Calls the library for the block at `at`, and copies its results into `whole`. */
static void run_block(const struct subject *s, struct report *r, struct block_buffers *w,
                      enum model_block_kind kind, const struct model_block_call *whole, struct corner at) {
    size_t lead;
    struct model_block_call part = call_of_block(whole, at, &lead), call;
    block_buffers_offset(w, &part, 0);
    read_block(kind, whole, at, &part, lead);
    call = part;
    if (kind == MODEL_DEQUANTIZE) call.rbits = NULL;
    if (block_call(s, kind, &call) != PTO_OK)
        report_mismatch(r, "no success of the block at %zu, %zu", at.row, at.col);
    write_block(kind, whole, at, &part, lead);
}

/* ---- the whole tensor ---- */

struct fixture {
    struct block_buffers whole, part;
};

static void fixture_open(struct fixture *w, const char *purpose) {
    block_buffers_open(&w->whole, purpose, WHOLE_BYTES);
    block_buffers_open(&w->part, purpose, WHOLE_BYTES);
}

static void fixture_close(struct fixture *w) {
    block_buffers_close(&w->whole);
    block_buffers_close(&w->part);
}

/** Returns a copy of `c` whose result pointers point to the expected results. */
static struct model_block_call expected_call(const struct block_buffers *w, enum model_block_kind kind,
                                             const struct model_block_call *c) {
    struct model_block_call expected = *c;
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        const enum block_operand operand = (enum block_operand)i;
        if (block_writes(kind, operand)) *block_operand_of(&expected, operand) = w->expected[i];
    }
    return expected;
}

static void check_whole(const struct subject *s, struct report *r, struct fixture *w,
                        enum model_block_kind kind, const struct model_block_call *c) {
    const pto_block_op *op = &c->op;
    struct model_block_call expected;
    struct corner at;
    block_describe(r, kind, c, "the whole and its blocks");
    block_buffers_fill(&w->whole, kind, c);
    block_buffers_prepare(r, &w->whole, kind, c);
    expected = expected_call(&w->whole, kind, c);
    for (size_t i = 0; kind != MODEL_DEQUANTIZE && i < c->rows; i++) {
        memset(codes_row(&expected, i), 0,
               model_cvt_bytes(op->elem, c->cols)); /* includes the unused last nibble of a row */
    }
    for (at.row = 0; at.row < c->rows; at.row += op->block_rows ? op->block_rows : c->rows) {
        for (at.col = 0; at.col < c->cols; at.col += op->block_cols ? op->block_cols : c->cols)
            run_block(s, r, &w->part, kind, &expected, at);
    }
    block_buffers_compare(s, r, &w->whole, kind, c);
}

void check_block_parts(const struct subject *s, struct report *r) {
    struct fixture w;
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops), rounds = r->quick ? 6 : 48;
    fixture_open(&w, "block parts");
    for (size_t i = 0; i < rounds * count && !report_stop(r); i++) {
        struct model_block_call c = any_call(&w.whole.rng, &ops[i % count]);
        const enum model_block_kind kind = (enum model_block_kind)rng_below(&w.whole.rng, MODEL_BLOCK_KINDS);
        if (kind == MODEL_DEQUANTIZE) c.op.round = PTO_RN;
        block_buffers_at_guard_pages(&w.whole, &c, rng_below(&w.whole.rng, 3) ? AT_END : AT_BEGIN);
        check_whole(s, r, &w, kind, &c);
    }
    fixture_close(&w);
}

/* ---- blocks of one column, two of which share a byte ---- */

/** Tests all calls for every number of rows below 300 and a sample of larger ones. The number of columns in a tile
 * depends on the rows. Every block is one column with all its rows. */
void check_block_columns(const struct subject *s, struct report *r) {
    enum { ROWS = 4200, COLS = 37, STEP = 211, QUICK_STEP = 997 };
    static const pto_block_op op = {
        .wide = PTO_BF16, .elem = PTO_E2M1, .rule = PTO_MX_RCEIL, .round = PTO_RN, .block_cols = 1};
    struct fixture w;
    fixture_open(&w, "block columns");
    for (size_t rows = 1; rows < ROWS && !report_stop(r); rows += rows < 300 ? (r->quick ? 7 : 1)
                                                                  : r->quick ? QUICK_STEP
                                                                             : STEP) {
        struct model_block_call c = {.op = op, .rows = rows};
        const enum model_block_kind kind = (enum model_block_kind)rng_below(&w.whole.rng, MODEL_BLOCK_KINDS);
        c.cols = least(COLS - rng_below(&w.whole.rng, 2), (size_t)2 * ELEMENTS / rows);
        if (rng_below(&w.whole.rng, 2)) c.op.block_rows = rows + rng_below(&w.whole.rng, 2000);
        block_buffers_at_guard_pages(&w.whole, &c, AT_END);
        check_whole(s, r, &w, kind, &c);
    }
    fixture_close(&w);
}

/* ---- the largest magnitude ---- */

/** The larger of two results; a NaN is the largest. */
static uint32_t larger(uint32_t a, uint32_t b) {
    return a < b ? b : a;
}

static uint32_t amax_of(const struct subject *s, struct report *r, const struct model_block_call *c,
                        bool propagate_nan) {
    uint32_t bits = 0;
    float amax = 0;
    report_status(r, s->block_amax(c->op.wide, c->wide, c->stride, c->rows, c->cols, propagate_nan, &amax),
                  PTO_OK);
    memcpy(&bits, &amax, sizeof bits);
    return bits;
}

/** Checks that the largest magnitude of a tensor is the largest one of its parts of `rows` by `cols` elements. */
static void check_amax(const struct subject *s, struct report *r, const struct model_block_call *c,
                       bool propagate_nan, size_t rows, size_t cols) {
    const size_t stride = c->stride ? c->stride : model_cvt_bytes(c->op.wide, c->cols);
    uint32_t want = 0, got;
    for (size_t row = 0; row < c->rows; row += rows) {
        for (size_t col = 0; col < c->cols; col += cols) {
            const struct model_block_call part = {.op = c->op,
                                                  .wide = wide_row(c, row) + model_cvt_bytes(c->op.wide, col),
                                                  .stride = stride,
                                                  .rows = least(rows, c->rows - row),
                                                  .cols = least(cols, c->cols - col)};
            want = larger(want, amax_of(s, r, &part, propagate_nan));
        }
    }
    got = amax_of(s, r, c, propagate_nan);
    r->cases++;
    if (got != want) report_mismatch(r, "%zux%zu: expected %08x, got %08x", c->rows, c->cols, want, got);
}

void check_block_amax_parts(const struct subject *s, struct report *r) {
    static const pto_dtype wides[] = {PTO_F32, PTO_F16, PTO_BF16};
    struct fixture w;
    const size_t rounds = r->quick ? 60 : 600;
    fixture_open(&w, "block amax parts");
    report_call(r, "block_amax", "the whole and its parts");
    for (size_t i = 0; i < rounds && !report_stop(r); i++) {
        const pto_block_op op = {.wide = wides[i % 3], .elem = PTO_E4M3, .rule = PTO_MX_FLOOR};
        struct model_block_call c = any_call(&w.whole.rng, &op);
        c.op.round = PTO_RN;
        block_buffers_at_guard_pages(&w.whole, &c, AT_END);
        block_buffers_fill(&w.whole, MODEL_QUANTIZE, &c);
        check_amax(s, r, &c, i % 2 != 0, 1 + rng_below(&w.whole.rng, c.rows),
                   1 + rng_below(&w.whole.rng, c.cols));
    }
    fixture_close(&w);
}
