/* SPDX-License-Identifier: MIT */
/* Compares the rules that choose between two scales of a block with the model: elements near ties of both scales,
 * blocks of any shape, ragged ones too, and unusual second-level values. */
#include "check/checks.h"
#include "support/block_fixture.h"

#include <string.h>

enum { ROWS_MOST = 40, COLS_MOST = 300, BUFFER_SIZE = ROWS_MOST * (COLS_MOST + 16) * 4 };

/** Fills the tensor with values of few bits, so that many elements are ties and both scales often give equal errors. */
static void fill_with_ties(struct rng *rng, const struct model_block_call *c) {
    const size_t row_bytes = model_cvt_bytes(c->op.wide, c->cols), stride = c->stride ? c->stride : row_bytes;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        const uint32_t word = (uint32_t)rng_next(rng);
        const uint32_t x = (word & 0x80e00000) | (uint32_t)(122 + (word & 7)) << 23;
        model_cvt_store(c->op.wide, (unsigned char *)c->wide + i / c->cols * stride, i % c->cols,
                        model_f32_narrowed(c->op.wide, rng_below(rng, 5) ? x : 0));
    }
}

/** Returns a call of random shape. */
static struct model_block_call any_call(struct rng *rng, const pto_block_op *op) {
    static const size_t columns[] = {16, 16, 16, 32, 2, 1, 10, 0, 70};
    struct model_block_call c = {.op = *op};
    c.op.block_rows = rng_below(rng, 3) ? 1 : 16;
    if (model_block_check(&c.op) != PTO_OK) c.op.block_rows = 1;
    c.op.block_cols = columns[rng_below(rng, sizeof columns / sizeof columns[0])];
    c.rows = c.op.block_rows == 16 ? rng_below(rng, ROWS_MOST) : rng_below(rng, 4);
    c.cols = rng_below(rng, rng_below(rng, 4) ? COLS_MOST : 40);
    if (rng_below(rng, 2)) c.stride = model_cvt_bytes(op->wide, c.cols) + rng_below(rng, 11);
    return c;
}

static void choice_call(const struct subject *s, struct report *r, struct block_buffers *w,
                        const pto_block_op *op, size_t turn) {
    struct model_block_call c = any_call(&w->rng, op);
    const enum model_block_kind kind = turn % 4 < 2 ? MODEL_QUANTIZE : (enum model_block_kind)(turn % 4 - 1);
    if (turn % 3 == 0) (void)block_set_tensor(&c.op, rng_below(&w->rng, BLOCK_TENSOR_VALUES));
    block_buffers_at_guard_pages(w, &c, turn % 2 ? AT_BEGIN : AT_END);
    block_buffers_fill(w, kind, &c);
    if (kind != MODEL_DEQUANTIZE && rng_below(&w->rng, 3) != 0) fill_with_ties(&w->rng, &c);
    block_describe(r, kind, &c, "a choice of scales");
    block_buffers_run(s, r, w, kind, &c);
}

void check_block_choice(const struct subject *s, struct report *r) {
    static const pto_dtype wides[] = {PTO_F32, PTO_F16, PTO_BF16};
    struct block_buffers w;
    block_buffers_open(&w, "block choice", BUFFER_SIZE);
    for (size_t i = 0; i < (r->quick ? 30U : 300U) * 3 * MODEL_BLOCK_RULES && !report_stop(r); i++) {
        pto_block_op op = {
            .wide = wides[i % 3], .elem = PTO_E2M1, .round = PTO_RN, .two_level = true, .block_rows = 1};
        const uint32_t number = model_block_tensor((pto_block_rule)(i / 3 % MODEL_BLOCK_RULES), 0x40e00000);
        op.rule = (pto_block_rule)(i / 3 % MODEL_BLOCK_RULES);
        if (!model_block_chooses(op.rule)) continue;
        memcpy(&op.tensor, &number, sizeof op.tensor);
        choice_call(s, r, &w, &op, i / 3 / MODEL_BLOCK_RULES);
    }
    block_buffers_close(&w);
}
