/* SPDX-License-Identifier: MIT */
/* Compares block scaling with the model, value by value: every magnitude of a block, many values of op.tensor,
 * every scale and every code. Blocks have the shapes that the block rules use; one call converts many. */
#include "check/checks.h"
#include "support/block_values.h"

#include <string.h>

enum { ROWS = 8, ACROSS = 8, BLOCKS = ROWS * ACROSS, WIDEST = 128, ELEMENTS = BLOCKS * WIDEST };

/** A tensor of BLOCKS blocks, with the codes and scales that are expected for it. */
struct block_test {
    struct model_block_call call;
    unsigned char wide[ELEMENTS * 4], codes[ELEMENTS], scales[BLOCKS * 4];
    unsigned char want_codes[ELEMENTS], want_scales[BLOCKS * 4];
    struct rng rng;
};

static void block_test_start(struct block_test *b, const pto_block_op *op) {
    b->call = (struct model_block_call){.op = *op, .rows = ROWS, .cols = ACROSS * op->block_cols};
    b->call.wide = b->wide;
    b->call.codes = b->codes;
    b->call.scales = b->scales;
    memset(b->want_codes, 0, sizeof b->want_codes);
}

/** Writes block i, which repeats the elements of `pool`, and the codes that are expected for it. */
static void put_block(struct block_test *b, size_t i, const uint64_t pool[BLOCK_POOL],
                      const struct model_block_scaling *scaling) {
    const pto_block_op *op = &b->call.op;
    const size_t turn = rng_below(&b->rng, BLOCK_POOL), first = i * op->block_cols;
    uint64_t codes[BLOCK_POOL];
    for (size_t k = 0; k < BLOCK_POOL; k++) {
        codes[k] = model_block_element(op, scaling, model_f32_widened(op->wide, pool[k]), 0);
    }
    for (size_t k = 0; k < op->block_cols; k++) {
        const size_t which = (k + k / 8 + turn) % BLOCK_POOL;
        model_cvt_store(op->wide, b->wide, first + k, pool[which]);
        model_cvt_store(op->elem, b->want_codes, first + k, codes[which]);
    }
}

static void report_first_block_difference(struct report *r, const struct block_test *b, size_t i) {
    const pto_block_op *op = &b->call.op;
    const pto_dtype type = model_block_scale_type(op->rule);
    const unsigned long long want = model_cvt_load(type, b->want_scales, i),
                             got = model_cvt_load(type, b->scales, i);
    if (want != got) report_mismatch(r, "block %zu: scale expected %llx, got %llx", i, want, got);
    for (size_t k = i * op->block_cols; k < (i + 1) * op->block_cols; k++) {
        const unsigned long long code = model_cvt_load(op->elem, b->want_codes, k),
                                 have = model_cvt_load(op->elem, b->codes, k);
        if (code == have) continue;
        report_mismatch(r, "block %zu with scale %llx, element %zu, %llx: expected %llx, got %llx", i, want,
                        k - i * op->block_cols, (unsigned long long)model_cvt_load(op->wide, b->wide, k),
                        code, have);
        return;
    }
}

static void block_test_run(const struct subject *s, struct report *r, struct block_test *b,
                           enum model_block_kind kind) {
    const size_t scales = model_block_is_fp8(b->call.op.rule) ? BLOCKS * 4 : BLOCKS;
    const size_t codes = ROWS * model_cvt_bytes(b->call.op.elem, b->call.cols);
    r->cases += BLOCKS;
    memset(b->codes, 0x77, sizeof b->codes);
    if (kind == MODEL_QUANTIZE)
        memset(b->scales, 0x77, sizeof b->scales);
    else
        memcpy(b->scales, b->want_scales, sizeof b->scales);
    report_status(r, block_call(s, kind, &b->call), PTO_OK);
    if (memcmp(b->scales, b->want_scales, scales) == 0 && memcmp(b->codes, b->want_codes, codes) == 0) return;
    for (size_t i = 0; i < BLOCKS; i++) {
        report_first_block_difference(r, b, i);
    }
}

/* ---- magnitudes ---- */

static uint32_t amax_of(const pto_block_op *op, const uint64_t pool[BLOCK_POOL]) {
    uint32_t amax = 0;
    for (size_t k = 0; k < BLOCK_POOL; k++) {
        amax = model_block_larger(model_block_propagates_nan(op->rule), amax,
                                  model_f32_widened(op->wide, pool[k]));
    }
    return amax;
}

static void block_of_magnitude(struct block_test *b, size_t i, uint64_t magnitude) {
    const pto_block_op *op = &b->call.op;
    const uint32_t expected = model_block_larger(false, 0, model_f32_widened(op->wide, magnitude));
    uint64_t pool[BLOCK_POOL];
    struct model_block_scaling scaling;
    uint32_t scale = model_block_scale(op, expected, &scaling);
    block_pool(&b->rng, op, &scaling, magnitude, pool);
    if (amax_of(op, pool) != expected) scale = model_block_scale(op, amax_of(op, pool), &scaling);
    model_cvt_store(model_block_scale_type(op->rule), b->want_scales, i, scale);
    put_block(b, i, pool, &scaling);
}

/** Quantizes every step-th magnitude of the source type from number `first` on. The last call wraps around to the
 * first magnitudes. */
static void magnitudes(const struct subject *s, struct report *r, struct block_test *b,
                       const pto_block_op *op, size_t first, size_t step) {
    const size_t count = block_magnitudes(op->wide);
    for (size_t k = first; k < count && !report_stop(r); k += BLOCKS * step) {
        block_test_start(b, op);
        block_describe(r, MODEL_QUANTIZE, &b->call, "magnitudes");
        for (size_t i = 0; i < BLOCKS; i++) {
            block_of_magnitude(b, i, block_magnitude(op->wide, (k + i * step) % count));
        }
        block_test_run(s, r, b, MODEL_QUANTIZE);
    }
}

/** Tests half of the magnitudes; the next op of the same type tests the other half. A quick run tests few. Blocks
 * of 128 elements are slow, so most magnitudes are tested in blocks of 16; every op also has some blocks of 128. */
static void magnitudes_of_op(const struct subject *s, struct report *r, struct block_test *b,
                             const pto_block_op *op, size_t number) {
    const size_t step = r->quick ? 331 : 2;
    pto_block_op narrow = *op;
    if (op->block_cols == WIDEST) {
        magnitudes(s, r, b, op, number * 7 % 331, 331);
        narrow.block_cols = 16;
    }
    magnitudes(s, r, b, &narrow, number * 7 % step, step);
}

static struct block_test *block_test_open(const char *purpose) {
    struct block_test *b = harness_allocate(sizeof *b);
    rng_start(&b->rng, purpose);
    return b;
}

void check_block_values(const struct subject *s, struct report *r) {
    struct block_test *const b = block_test_open("block values");
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        magnitudes_of_op(s, r, b, &ops[i], i);
    }
    harness_free(b);
}

/* ---- values of op.tensor: second-level values and eps ---- */

void check_block_tensor_values(const struct subject *s, struct report *r) {
    struct block_test *const b = block_test_open("block numbers");
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    for (size_t i = 0; i < count * BLOCK_TENSOR_VALUES && !report_stop(r); i++) {
        pto_block_op op = ops[i / BLOCK_TENSOR_VALUES];
        const size_t all = block_magnitudes(op.wide);
        if (r->quick && (i + i / BLOCK_TENSOR_VALUES) % 3 != 0) continue;
        if (!block_set_tensor(&op, i % BLOCK_TENSOR_VALUES)) continue;
        op.block_cols = op.block_cols == WIDEST ? 8 : op.block_cols;
        magnitudes(s, r, b, &op, i * 5 % 101, r->quick ? all / (BLOCKS - 1) : 101);
    }
    harness_free(b);
}

/* ---- given scales ---- */

/** Returns scale number i of 256: every byte for one-byte scales; for f32 scales special values first, then powers
 * of two of both signs and random scales. */
static uint32_t given_scale(struct rng *rng, pto_block_rule rule, size_t i) {
    static const uint32_t ends[] = {0,          0x80000000, 1,          0x00400000, 0x7f7fffff, 0x7f800000,
                                    0xff800000, 0x7fc00001, 0x00800000, 0x7f000000, 0xbf800000, 0x7e800000};
    if (!model_block_is_fp8(rule)) return (uint32_t)i;
    if (i < sizeof ends / sizeof ends[0]) return ends[i];
    return i % 2 ? (uint32_t)i << 23 : block_any_scale(rng, rule);
}

/** Writes block i, whose scale is `scale`. Its elements are a random magnitude of the source type and smaller values,
 * some of which become ties when they are scaled. */
static void block_of_scale(struct block_test *b, size_t i, uint32_t scale) {
    const pto_block_op *op = &b->call.op;
    const struct model_block_scaling scaling = model_block_scaling_of(op, scale);
    const size_t all = block_magnitudes(op->wide);
    uint64_t pool[BLOCK_POOL];
    block_pool(&b->rng, op, &scaling, block_magnitude(op->wide, rng_below(&b->rng, all)), pool);
    model_cvt_store(model_block_scale_type(op->rule), b->want_scales, i, scale);
    put_block(b, i, pool, &scaling);
}

void check_block_requantize(const struct subject *s, struct report *r) {
    struct block_test *const b = block_test_open("block requantize");
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    for (size_t i = 0; i < count * 256 / BLOCKS && !report_stop(r); i++) {
        pto_block_op op = ops[i * BLOCKS / 256];
        const size_t step = r->quick ? 5 : 1;
        if (op.block_cols == WIDEST) op.block_cols = 32;
        if (i % (256 / BLOCKS) >= 256 / BLOCKS / step + (step != 1)) continue;
        (void)block_set_tensor(&op, i % BLOCK_TENSOR_VALUES);
        block_test_start(b, &op);
        block_describe(r, MODEL_REQUANTIZE, &b->call, "every scale");
        for (size_t k = 0; k < BLOCKS; k++) {
            const size_t number = (i % (256 / BLOCKS) * BLOCKS + k) * step % 256;
            block_of_scale(b, k, given_scale(&b->rng, op.rule, number));
        }
        block_test_run(s, r, b, MODEL_REQUANTIZE);
    }
    harness_free(b);
}

/* ---- dequantize ---- */

enum { CODES = 256 };

struct dequantize_test {
    unsigned char codes[CODES], got[CODES * 4];
    uint32_t scales[CODES];
    struct rng rng;
};

/** Whether the code is neither a NaN nor an infinity. */
static bool is_finite_code(const pto_block_op *op, uint64_t code) {
    pto_block_op as_f32 = *op;
    as_f32.wide = PTO_F32;
    return (model_block_value(&as_f32, 0x3f800000, code) & 0x7fffffff) < 0x7f800000;
}

/** Fills b->codes with all codes. If `finite_only` is true, NaNs and infinities become 0, because backends have faster
 * paths for blocks without them. Formats without NaN and infinity need no change. */
static void fill_codes(struct dequantize_test *b, const pto_block_op *op, bool finite_only) {
    for (size_t i = 0; i < CODES; i++) {
        b->codes[i] = (unsigned char)i;
    }
    if (!finite_only || op->elem == PTO_E2M1) return;
    for (size_t i = 0; i < CODES; i++) {
        if (!is_finite_code(op, model_cvt_load(op->elem, b->codes, i))) b->codes[i] = 0;
    }
}

/** Dequantizes one row of b->codes; all its blocks have the scale `scale`. */
static void dequantize_row(const struct subject *s, struct report *r, struct dequantize_test *b,
                           const pto_block_op *op, uint32_t scale) {
    const pto_dtype type = model_block_scale_type(op->rule);
    const uint32_t multiplier = model_block_multiplier(op, scale);
    const struct model_block_call call = {
        .op = *op, .rows = 1, .cols = CODES, .wide = b->got, .codes = b->codes, .scales = b->scales};
    r->cases += CODES;
    block_describe(r, MODEL_DEQUANTIZE, &call, "every code");
    for (size_t i = 0; i < CODES; i++) {
        model_cvt_store(type, b->scales, i, scale);
    }
    report_status(r, block_call(s, MODEL_DEQUANTIZE, &call), PTO_OK);
    for (size_t i = 0; i < CODES; i++) {
        const uint64_t code = model_cvt_load(op->elem, b->codes, i);
        const unsigned long long want = model_block_value(op, multiplier, code),
                                 got = model_cvt_load(op->wide, b->got, i);
        if (want == got) continue;
        report_mismatch(r, "scale %x, code %llx: expected %llx, got %llx", scale, (unsigned long long)code,
                        want, got);
        return;
    }
}

enum { SCALE_RUNS = 8, SCALE_RUN = 2048 };

static void report_first_scale_difference(struct report *r, const struct model_block_call *c, size_t run,
                                          uint32_t scale) {
    const uint32_t multiplier = model_block_multiplier(&c->op, scale);
    const size_t elements = SCALE_RUN * c->op.block_cols;
    uint64_t want[16];
    for (size_t code = 0; code < 16; code++) {
        want[code] = model_block_value(&c->op, multiplier, code);
    }
    for (size_t i = run * elements; i < (run + 1) * elements; i++) {
        const uint64_t code = model_cvt_load(c->op.elem, c->codes, i),
                       got = model_cvt_load(c->op.wide, c->wide, i);
        if (want[code] == got) continue;
        report_mismatch(r, "element %zu, scale %x, code %llx: expected %llx, got %llx", i, scale,
                        (unsigned long long)code, (unsigned long long)want[code], (unsigned long long)got);
        return;
    }
}

/** Dequantizes one row of e2m1. A backend may cache a table of results for a scale, so some scales are close to the
 * previous one and some are far from it. SCALE_RUN consecutive blocks have the same scale, so that a backend has
 * reason to cache it. */
static void dequantize_scale_runs(const struct subject *s, struct report *r, const pto_block_op *op) {
    static const unsigned char scales[SCALE_RUNS] = {0x3f, 0x40, 0x2f, 0x41, 0xd7, 0x42, 0x80, 0x00};
    const size_t blocks = (size_t)SCALE_RUNS * SCALE_RUN, cols = blocks * op->block_cols;
    unsigned char *const codes = harness_allocate(cols / 2), *const given = harness_allocate(blocks);
    unsigned char *const got = harness_allocate(cols * 4);
    const struct model_block_call call = {
        .op = *op, .rows = 1, .cols = cols, .wide = got, .codes = codes, .scales = given};
    for (size_t i = 0; i < cols / 2; i++) {
        codes[i] = (unsigned char)(i * 29);
    }
    for (size_t i = 0; i < blocks; i++) {
        given[i] = scales[i / SCALE_RUN];
    }
    r->cases += cols;
    block_describe(r, MODEL_DEQUANTIZE, &call, "scales in turn");
    report_status(r, block_call(s, MODEL_DEQUANTIZE, &call), PTO_OK);
    for (size_t i = 0; i < SCALE_RUNS; i++) {
        report_first_scale_difference(r, &call, i, scales[i]);
    }
    harness_free(codes);
    harness_free(given);
    harness_free(got);
}

/** The step between the scales that are tested. Rules of one family dequantize in the same way, so only the NV
 * rules and the first rule of each other family take every scale. Every step divides 255, so scale 255, which is a
 * NaN in one byte, is always tested. */
static size_t scale_step(const struct report *r, const pto_block_op *op) {
    if (r->quick) return model_block_is_nv(op->rule) ? 17 : 85;
    return op->rule == PTO_MX_FLOOR || model_block_is_nv(op->rule) || op->rule == PTO_FP8_DIV ? 1 : 15;
}

void check_block_dequantize(const struct subject *s, struct report *r) {
    struct dequantize_test *const b = harness_allocate(sizeof *b);
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    rng_start(&b->rng, "block dequantize");
    for (size_t i = 0; i < count; i++) {
        for (size_t scale = 0; scale < 256 && !report_stop(r); scale += scale_step(r, &ops[i])) {
            pto_block_op op = ops[i];
            if (scale % 3 == 1) (void)block_set_tensor(&op, scale / 3 % BLOCK_TENSOR_VALUES);
            for (int finite_only = 0; finite_only < 2; finite_only++) {
                fill_codes(b, &op, finite_only != 0);
                dequantize_row(s, r, b, &op, given_scale(&b->rng, op.rule, scale));
            }
        }
        if (ops[i].elem == PTO_E2M1 && !report_stop(r)) dequantize_scale_runs(s, r, &ops[i]);
    }
    harness_free(b);
}
