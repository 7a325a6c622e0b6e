/* SPDX-License-Identifier: MIT */
/* Ops, elements, scales and operands for the checks of block scaling. */
#include "support/block_fixture.h"

#include <stdio.h>
#include <string.h>

/* ---- ops ---- */

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/** Returns op.tensor: the second-level value of a tensor whose largest magnitude is 1000, or 0 without a second
 * level. */
static float default_tensor_value(const pto_block_op *op) {
    return op->two_level ? float_of(model_block_tensor(op->rule, 0x447a0000)) : 0.0F;
}

static size_t default_columns(pto_block_rule rule) {
    if (model_block_is_mx(rule)) return 32;
    return model_block_is_nv(rule) ? 16 : 128;
}

size_t block_ops(pto_block_op ops[BLOCK_OPS_MAX]) {
    static const pto_dtype wides[] = {PTO_F32, PTO_F16, PTO_BF16};
    static const pto_dtype elems[] = {PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2, PTO_E2M1, PTO_S2F6};
    size_t count = 0;
    for (int i = 0; i < MODEL_BLOCK_RULES * 6 * 3 * 4; i++) {
        pto_block_op op = {
            .wide = wides[i / 4 % 3], .elem = elems[i / 12 % 6], .round = PTO_RN, .block_rows = 1};
        op.rule = (pto_block_rule)(i / 72);
        op.pow2 = i % 2 != 0;
        op.two_level = i / 2 % 2 != 0;
        op.block_cols = default_columns(op.rule);
        op.tensor = default_tensor_value(&op);
        if (model_block_chooses(op.rule)) continue;
        if (model_block_check(&op) == PTO_OK && count < BLOCK_OPS_MAX) ops[count++] = op;
    }
    return count;
}

bool block_set_tensor(pto_block_op *op, size_t turn) {
    /* 2688, 1, zeros, a NaN, infinities, -3, subnormals, the largest and the smallest normal value, 5, 2^-9 */
    static const uint32_t tensors[BLOCK_TENSOR_VALUES] = {
        0x45280000, 0x3f800000, 0,          0x80000000, 0x7fc00001, 0x7f800000, 0xff800000,
        0xc0400000, 0x00000001, 0x00400001, 0x7f7fffff, 0x00800000, 0x40a00000, 0x3b000000};
    /* zeros, 1e-10, 1e-4, an infinity, subnormals and values near the ends of the range, 1 */
    static const uint32_t eps[BLOCK_TENSOR_VALUES] = {
        0,          0x80000000, 0x2edbe6ff, 0x38d1b717, 0x7f800000, 0x00000001, 0x00400000,
        0x7f7fffff, 0x00800000, 0x3f800000, 0x04600000, 0x04600001, 0x42000000, 0x3b000000};
    if (!op->two_level && !model_block_is_fp8(op->rule)) return false;
    if (op->rule == PTO_FP8_CT || op->rule == PTO_FP8_HF) return false;
    op->tensor = float_of(op->two_level ? tensors[turn] : eps[turn]);
    return true;
}

/* ---- elements and scales ---- */

/** Returns a special f32: a zero, subnormal, infinity, NaN, or a value near the end of the range. */
static uint32_t special_f32(struct rng *rng) {
    static const uint32_t specials[] = {0,          0x80000000, 0x00000001, 0x807fffff, 0x7f800000,
                                        0xff800000, 0x7fc00000, 0xff800001, 0x7f7fffff, 0x80800000};
    return specials[rng_below(rng, sizeof specials / sizeof specials[0])];
}

/** Returns a random f32 between 2^-7 and 2^9 of either sign. */
static uint32_t ordinary_f32(struct rng *rng) {
    const uint32_t word = (uint32_t)rng_next(rng);
    return (word & 0x807fffff) | (uint32_t)(120 + rng_below(rng, 16)) << 23;
}

void block_fill_wide(struct rng *rng, pto_dtype wide, void *array, size_t n) {
    enum { RUN = 37 };
    const bool some_special = rng_below(rng, 4) != 0;
    bool zeros = false;
    memset(array, 0, model_cvt_bytes(wide, n));
    for (size_t i = 0; i < n; i++) {
        uint32_t x = ordinary_f32(rng);
        if (i % RUN == 0) zeros = rng_below(rng, 12) == 0;
        if (some_special && rng_below(rng, 97) == 0) x = special_f32(rng);
        if (zeros) x = i % 5 ? 0 : 0x80000000;
        model_cvt_store(wide, array, i, model_f32_narrowed(wide, x));
    }
}

uint32_t block_any_scale(struct rng *rng, pto_block_rule rule) {
    const uint32_t word = (uint32_t)rng_next(rng);
    const bool any = word >> 24 < 24;
    if (model_block_is_mx(rule)) return any ? word & 0xff : 118 + (word & 15);
    if (model_block_is_nv(rule)) return any ? word & 0xff : 0x20 + (word & 0x3f);
    return any ? special_f32(rng) : ordinary_f32(rng) & 0x7fffffff;
}

void block_fill_scales(struct rng *rng, pto_block_rule rule, void *array, size_t n) {
    for (size_t i = 0; i < n; i++) {
        model_cvt_store(model_block_scale_type(rule), array, i, block_any_scale(rng, rule));
    }
}

/* ---- operands ---- */

static size_t stride_of(const struct model_block_call *c, enum block_operand operand) {
    switch (operand) {
    case BLOCK_WIDE: return c->stride;
    case BLOCK_CODES: return c->codes_stride;
    case BLOCK_SCALES: return c->scales_stride;
    default: return 0;
    }
}

/** Returns the number of rows and the bytes per row. */
static void shape_of(const struct model_block_call *c, enum block_operand operand, size_t *rows,
                     size_t *bytes) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    *rows = operand == BLOCK_SCALES ? size.scale_rows : c->rows;
    switch (operand) {
    case BLOCK_WIDE: *bytes = model_cvt_bytes(c->op.wide, c->cols); break;
    case BLOCK_CODES: *bytes = size.row_bytes; break;
    case BLOCK_SCALES: *bytes = size.scale_cols * size.scale_bytes; break;
    default: *bytes = c->op.round == PTO_RS ? 4 * model_block_ceil_div(c->cols, 4) : 0;
    }
}

size_t block_bytes(const struct model_block_call *c, enum block_operand operand) {
    size_t rows, row_bytes, bytes = 0;
    shape_of(c, operand, &rows, &row_bytes);
    (void)model_block_extent(rows, stride_of(c, operand), row_bytes, &bytes);
    return bytes;
}

bool block_writes(enum model_block_kind kind, enum block_operand operand) {
    if (kind == MODEL_DEQUANTIZE) return operand == BLOCK_WIDE;
    return operand == BLOCK_CODES || (kind == MODEL_QUANTIZE && operand == BLOCK_SCALES);
}

void **block_operand_of(struct model_block_call *c, enum block_operand operand) {
    switch (operand) {
    case BLOCK_WIDE: return &c->wide;
    case BLOCK_CODES: return &c->codes;
    case BLOCK_SCALES: return &c->scales;
    default: return &c->rbits;
    }
}

/** Whether the call has this operand. Only calls with PTO_RS have random words. */
static bool has(const struct model_block_call *c, enum block_operand operand) {
    return operand != BLOCK_RANDOM || c->op.round == PTO_RS;
}

void block_buffers_open(struct block_buffers *w, const char *purpose, size_t size) {
    rng_start(&w->rng, purpose);
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        guarded_open(&w->memory[i], size);
        w->expected[i] = harness_allocate(w->memory[i].size);
    }
}

void block_buffers_close(struct block_buffers *w) {
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        guarded_close(&w->memory[i]);
        harness_free(w->expected[i]);
    }
}

void block_buffers_at_guard_pages(const struct block_buffers *w, struct model_block_call *c,
                                  enum place place) {
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        const enum block_operand operand = (enum block_operand)i;
        *block_operand_of(c, operand) =
            has(c, operand) ? guarded_place(&w->memory[i], block_bytes(c, operand), place) : NULL;
    }
}

void block_buffers_offset(const struct block_buffers *w, struct model_block_call *c, size_t offset) {
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        const enum block_operand operand = (enum block_operand)i;
        *block_operand_of(c, operand) = has(c, operand) ? w->memory[i].data + (offset + (size_t)i * 5) : NULL;
    }
}

/** Fills one row of an operand that is read. */
static void fill_row(struct block_buffers *w, const struct model_block_call *c, enum block_operand operand,
                     unsigned char *row, size_t bytes) {
    switch (operand) {
    case BLOCK_WIDE: block_fill_wide(&w->rng, c->op.wide, row, c->cols); break;
    case BLOCK_SCALES:
        block_fill_scales(&w->rng, c->op.rule, row, model_block_sizes(&c->op, c->rows, c->cols).scale_cols);
        break;
    default: rng_fill(&w->rng, row, bytes); /* for codes this includes bits that are ignored */
    }
}

void block_buffers_fill(struct block_buffers *w, enum model_block_kind kind,
                        const struct model_block_call *c) {
    struct model_block_call copy = *c;
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        const enum block_operand operand = (enum block_operand)i;
        unsigned char *const base = *block_operand_of(&copy, operand);
        size_t rows, bytes, stride = stride_of(c, operand);
        if (block_writes(kind, operand) || !base) continue;
        shape_of(c, operand, &rows, &bytes);
        if (stride == 0) stride = bytes;
        if (rows > 0 && bytes > 0) rng_fill(&w->rng, base, block_bytes(c, operand)); /* fills the gaps, too */
        for (size_t r = 0; r < rows; r++) {
            fill_row(w, c, operand, base + r * stride, bytes);
        }
    }
}

/* ---- calling and comparing ---- */

pto_status block_call(const struct subject *s, enum model_block_kind kind, const struct model_block_call *c) {
    switch (kind) {
    case MODEL_QUANTIZE:
        return s->block_quantize(c->op, c->wide, c->stride, c->rows, c->cols, c->codes, c->codes_stride,
                                 c->scales, c->scales_stride, c->rbits);
    case MODEL_REQUANTIZE:
        return s->block_requantize(c->op, c->wide, c->stride, c->rows, c->cols, c->codes, c->codes_stride,
                                   c->scales, c->scales_stride, c->rbits);
    default:
        return s->block_dequantize(c->op, c->codes, c->codes_stride, c->scales, c->scales_stride, c->rows,
                                   c->cols, c->wide, c->stride);
    }
}

/** Runs the model, which writes its results to w->expected. Bytes that it does not write keep the values that
 * block_buffers_prepare() gave to both the results and w->expected. */
static void expect(const struct block_buffers *w, enum model_block_kind kind,
                   const struct model_block_call *c) {
    struct model_block_call model = *c;
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        const enum block_operand operand = (enum block_operand)i;
        if (block_writes(kind, operand)) *block_operand_of(&model, operand) = w->expected[i];
    }
    model_block_run(kind, &model);
}

static void compare(struct report *r, const struct block_buffers *w, const struct model_block_call *c,
                    enum block_operand operand) {
    static const char *const names[] = {"y", "codes", "scales"};
    struct model_block_call copy = *c;
    const unsigned char *const got = *block_operand_of(&copy, operand);
    const unsigned char *const want = w->expected[operand];
    const size_t bytes = block_bytes(c, operand);
    if (!margins_intact(&w->memory[operand], got, bytes))
        report_mismatch(r, "bytes outside %s were written", names[operand]);
    for (size_t i = 0; i < bytes; i++) {
        size_t rows, row_bytes, stride;
        if (got[i] == want[i]) continue;
        shape_of(c, operand, &rows, &row_bytes);
        stride = stride_of(c, operand) ? stride_of(c, operand) : row_bytes;
        report_mismatch(r, "%s, row %zu, byte %zu of %zu: expected %02x, got %02x", names[operand],
                        i / stride, i % stride, row_bytes, want[i], got[i]);
        return;
    }
}

void block_buffers_prepare(struct report *r, struct block_buffers *w, enum model_block_kind kind,
                           const struct model_block_call *c) {
    struct model_block_call copy = *c;
    r->cases++;
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        const enum block_operand operand = (enum block_operand)i;
        unsigned char *const result = *block_operand_of(&copy, operand);
        if (!block_writes(kind, operand)) continue;
        buffer_fill(&w->memory[i], result, block_bytes(c, operand), (unsigned)r->cases);
        memcpy(w->expected[i], result, block_bytes(c, operand));
    }
}

void block_buffers_compare(const struct subject *s, struct report *r, const struct block_buffers *w,
                           enum model_block_kind kind, const struct model_block_call *c) {
    const pto_status status = block_call(s, kind, c);
    report_status(r, status, PTO_OK);
    for (int i = 0; i < BLOCK_OPERANDS; i++) {
        if (block_writes(kind, (enum block_operand)i)) compare(r, w, c, (enum block_operand)i);
    }
}

void block_buffers_run(const struct subject *s, struct report *r, struct block_buffers *w,
                       enum model_block_kind kind, const struct model_block_call *c) {
    block_buffers_prepare(r, w, kind, c);
    expect(w, kind, c);
    block_buffers_compare(s, r, w, kind, c);
}

void block_describe(struct report *r, enum model_block_kind kind, const struct model_block_call *c,
                    const char *detail) {
    static const char *const calls[] = {"block_quantize", "block_requantize", "block_dequantize"};
    static char text[MODEL_BLOCK_TEXT + 128];
    char words[MODEL_BLOCK_TEXT];
    model_block_describe(&c->op, words);
    snprintf(text, sizeof text, "%s, %zux%zu, strides %zu %zu %zu, %s", words, c->rows, c->cols, c->stride,
             c->codes_stride, c->scales_stride, detail);
    report_call(r, calls[kind], text);
    r->now.n = c->rows * c->cols;
}
