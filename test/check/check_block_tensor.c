/* SPDX-License-Identifier: MIT */
/* Checks the largest magnitude of a tensor, the value of op.tensor that a rule derives from it, and sizes and names. */
#include "check/checks.h"
#include "support/block_fixture.h"
#include "support/block_values.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 14 };
static const pto_dtype wides[] = {PTO_F32, PTO_F16, PTO_BF16};
enum { WIDES = 3 };

/* ---- amax ---- */

static void amax_call(const struct subject *s, struct report *r, const struct model_block_call *c,
                      bool propagate_nan) {
    static char text[96];
    const uint32_t want = model_block_amax(c->op.wide, c->wide, c->stride, c->rows, c->cols, propagate_nan);
    float got[3] = {1, 2, 3};
    pto_status status;
    snprintf(text, sizeof text, "%zux%zu, stride %zu%s", c->rows, c->cols, c->stride,
             propagate_nan ? ", keep" : "");
    report_call(r, "block_amax", text);
    r->now.type = (int)c->op.wide;
    r->cases++;
    status = s->block_amax(c->op.wide, c->wide, c->stride, c->rows, c->cols, propagate_nan, &got[1]);
    report_status(r, status, PTO_OK);
    if (model_f32_bits(got[1]) != want)
        report_mismatch(r, "expected %08x, got %08x", want, model_f32_bits(got[1]));
    if (model_f32_bits(got[0]) != 0x3f800000 || model_f32_bits(got[2]) != 0x40400000)
        report_mismatch(r, "something beside the result was written");
}

/** Checks the amax of random elements beside a guard page. */
static void amax_of_any(const struct subject *s, struct report *r, struct block_buffers *w, pto_dtype wide) {
    struct model_block_call c = {.op = {.wide = wide, .elem = PTO_E4M3}};
    const size_t turn = rng_below(&w->rng, 1024);
    c.rows = turn % 4 ? 1 + turn / 4 % 5 : turn / 4 % 2;
    c.cols = rng_below(&w->rng, turn % 8 ? 90 : 400);
    if (turn % 3 == 0) c.stride = model_cvt_bytes(wide, c.cols) + turn / 3 % 9;
    block_buffers_at_guard_pages(w, &c, turn % 2 ? AT_BEGIN : AT_END);
    block_buffers_fill(w, MODEL_QUANTIZE, &c);
    amax_call(s, r, &c, turn % 5 < 2);
}

/** Checks the amax of zeros with one nonzero magnitude at position `place`. The caller tries every position within
 * several vectors. */
static void amax_in_place(const struct subject *s, struct report *r, struct block_buffers *w, pto_dtype wide,
                          size_t place) {
    const size_t step = 3 * (block_magnitudes(wide) / 5000);
    struct model_block_call c = {.op = {.wide = wide, .elem = PTO_E4M3}, .rows = 1, .cols = 197};
    block_buffers_at_guard_pages(w, &c, AT_END);
    memset(c.wide, 0, block_bytes(&c, BLOCK_WIDE));
    model_cvt_store(wide, c.wide, place, block_magnitude(wide, place * step + 1));
    amax_call(s, r, &c, place % 2);
}

void check_block_amax(const struct subject *s, struct report *r) {
    struct block_buffers w;
    block_buffers_open(&w, "block amax", BUFFER_SIZE);
    for (size_t i = 0; i < (r->quick ? 300U : 6000U) && !report_stop(r); i++) {
        amax_of_any(s, r, &w, wides[i % WIDES]);
    }
    for (size_t i = 0; i < (size_t)WIDES * 197 && !report_stop(r); i++) {
        amax_in_place(s, r, &w, wides[i % WIDES], i / WIDES);
    }
    block_buffers_close(&w);
}

/* ---- the value of op.tensor ---- */

static void tensor_of(const struct subject *s, struct report *r, pto_block_rule rule, uint32_t bits) {
    const pto_status want = model_block_tensor_status(rule, &bits);
    const uint32_t number = want == PTO_OK ? model_block_tensor(rule, bits) : 0x40400000;
    float amax, got = 3;
    pto_status status;
    memcpy(&amax, &bits, sizeof amax);
    r->cases++;
    status = s->block_tensor(rule, amax, &got);
    if (status != want || model_f32_bits(got) != number)
        report_mismatch(r, "of %08x: %s and %08x, not %s and %08x", bits, status_name(status),
                        model_f32_bits(got), status_name(want), number);
}

void check_block_tensor(const struct subject *s, struct report *r) {
    const size_t count = block_magnitudes(PTO_F32);
    for (int rule = -1; rule <= MODEL_BLOCK_RULES && !report_stop(r); rule++) {
        report_call(r, "block_tensor", model_block_rule_name((pto_block_rule)rule));
        for (size_t i = 0; i < count; i += r->quick ? 17 : 1) {
            const uint32_t sign = i % 5 == 0 ? 0x80000000 : 0;
            tensor_of(s, r, (pto_block_rule)rule, (uint32_t)block_magnitude(PTO_F32, i) | sign);
        }
        if (s->block_tensor((pto_block_rule)rule, 1, NULL) != PTO_ERR_NULL) report_mismatch(r, "NULL");
    }
}

/* ---- sizes and names ---- */

static bool same_size(const pto_block_size *a, const pto_block_size *b) {
    return a->row_bytes == b->row_bytes && a->scale_rows == b->scale_rows && a->scale_cols == b->scale_cols &&
           a->scale_bytes == b->scale_bytes;
}

static void size_of(const struct subject *s, struct report *r, const pto_block_op *op, size_t rows,
                    size_t cols) {
    const struct model_block_call call = {.op = *op, .rows = rows, .cols = cols};
    const pto_status want = model_block_sizes_status(op, rows, cols);
    const pto_block_size before = {.row_bytes = 1, .scale_rows = 2, .scale_cols = 3, .scale_bytes = 4};
    const pto_block_size expected = want == PTO_OK ? model_block_sizes(op, rows, cols) : before;
    pto_block_size got = before;
    pto_status status;
    block_describe(r, MODEL_QUANTIZE, &call, "sizes");
    r->now.call = "block_sizes";
    r->cases++;
    status = s->block_sizes(*op, rows, cols, &got);
    if (status != want) report_mismatch(r, "%s, not %s", status_name(status), status_name(want));
    if (!same_size(&got, &expected))
        report_mismatch(r, "%zu %zu %zu %zu, not %zu %zu %zu %zu", got.row_bytes, got.scale_rows,
                        got.scale_cols, got.scale_bytes, expected.row_bytes, expected.scale_rows,
                        expected.scale_cols, expected.scale_bytes);
    if (s->block_sizes(*op, rows, cols, NULL) != PTO_ERR_NULL) report_mismatch(r, "NULL");
}

/** Tries sizes that certainly fit into memory and sizes that certainly do not. How close to SIZE_MAX a call accepts
 * sizes is not specified. */
void check_block_sizes(const struct subject *s, struct report *r) {
    static const size_t lengths[] = {0, 1, 2, 15, 16, 17, 127, 128, 129, 1000, 65536, SIZE_MAX / 2, SIZE_MAX};
    static const size_t blocks[] = {0, 1, 2, 16, 32, 128, SIZE_MAX - 1};
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    enum { LENGTHS = sizeof lengths / sizeof lengths[0], SIDES = sizeof blocks / sizeof blocks[0] };
    for (size_t i = 0; i < count * LENGTHS * LENGTHS && !report_stop(r); i += r->quick ? 23 : 1) {
        pto_block_op op = ops[i / LENGTHS / LENGTHS];
        const size_t rows = lengths[i / LENGTHS % LENGTHS], cols = lengths[i % LENGTHS];
        if ((rows > 65536 && cols < 2) || (cols > 65536 && rows < 2)) continue;
        op.block_rows = blocks[i * 3 % SIDES];
        op.block_cols = blocks[i * 5 % SIDES];
        size_of(s, r, &op, rows, cols);
    }
}

void check_block_names(const struct subject *s, struct report *r) {
    report_call(r, "block_rule_name, block_scale_type", NULL);
    for (int i = -2; i < MODEL_BLOCK_RULES + 2; i++) {
        const pto_block_rule rule = (pto_block_rule)i;
        r->cases++;
        if (strcmp(s->block_rule_name(rule), model_block_rule_name(rule)) != 0)
            report_mismatch(r, "rule %d: %s", i, s->block_rule_name(rule));
        if (s->block_scale_type(rule) != model_block_scale_type(rule))
            report_mismatch(r, "rule %d: scales of type %s", i, pto_dtype_name(s->block_scale_type(rule)));
    }
}
