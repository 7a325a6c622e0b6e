/* SPDX-License-Identifier: MIT */
/* Checks block scaling in hostile floating-point states: results equal the model's, nothing traps, and the state
 * is unchanged afterwards. */
#include "check/checks.h"
#include "support/block_fixture.h"
#include "support/fpstate.h"

#include <string.h>

enum { ROWS = 2, COLS = 43, BUFFER_SIZE = ROWS * COLS * 4 };

/** The hostile states, collected once per check. A state is set only around the call under test. */
static struct fp_states hostile;

/** The calls to wrap, the state in which to make them, and whether a call changed that state. */
struct wrapped_calls {
    struct subject inner;
    const struct fp_state *state;
    bool changed;
};

static struct wrapped_calls wrapped_calls;

static void enter(struct fp_state *mine, struct fp_state *before) {
    *mine = fp_state_get();
    fp_state_set(wrapped_calls.state);
    *before = fp_state_get();
}

static void leave(const struct fp_state *mine, const struct fp_state *before) {
    const struct fp_state after = fp_state_get();
    fp_state_set(mine);
    wrapped_calls.changed |= !fp_state_same(before, &after);
}

static pto_status quantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                           void *codes, size_t codes_stride, void *scales, size_t scales_stride,
                           const uint32_t *rbits) {
    struct fp_state mine, before;
    pto_status status;
    enter(&mine, &before);
    status = wrapped_calls.inner.block_quantize(op, x, stride, rows, cols, codes, codes_stride, scales,
                                                scales_stride, rbits);
    leave(&mine, &before);
    return status;
}

static pto_status requantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                             void *codes, size_t codes_stride, const void *scales, size_t scales_stride,
                             const uint32_t *rbits) {
    struct fp_state mine, before;
    pto_status status;
    enter(&mine, &before);
    status = wrapped_calls.inner.block_requantize(op, x, stride, rows, cols, codes, codes_stride, scales,
                                                  scales_stride, rbits);
    leave(&mine, &before);
    return status;
}

static pto_status dequantize(pto_block_op op, const void *codes, size_t codes_stride, const void *scales,
                             size_t scales_stride, size_t rows, size_t cols, void *y, size_t stride) {
    struct fp_state mine, before;
    pto_status status;
    enter(&mine, &before);
    status = wrapped_calls.inner.block_dequantize(op, codes, codes_stride, scales, scales_stride, rows, cols,
                                                  y, stride);
    leave(&mine, &before);
    return status;
}

/** Runs all three calls of one op in hostile state `number`. The wrapped calls set the state themselves. */
static void run_in(const struct subject *wrapped, struct report *r, struct block_buffers *w,
                   const struct model_block_call *c, size_t number) {
    wrapped_calls.state = &hostile.state[number];
    wrapped_calls.changed = false;
    for (int kind = 0; kind < MODEL_BLOCK_KINDS; kind++) {
        block_describe(r, (enum model_block_kind)kind, c, hostile.title[number]);
        block_buffers_fill(w, (enum model_block_kind)kind, c);
        block_buffers_run(wrapped, r, w, (enum model_block_kind)kind, c);
        if (wrapped_calls.changed) report_mismatch(r, "the state has changed");
    }
}

/** Checks pto_block_amax() and pto_block_tensor() as well, because they also do floating-point arithmetic. */
static void tensor_in(const struct subject *s, struct report *r, size_t number) {
    static const uint32_t x[] = {0xbf9e0419, 0x00000001, 0x80000003};
    const struct fp_state mine = fp_state_get();
    struct fp_state before, after;
    float amax = 0, tiny = 0, tensor = 0;
    bool ok;
    report_call(r, "block_amax and block_tensor", hostile.title[number]);
    r->cases++;
    fp_state_set(&hostile.state[number]);
    before = fp_state_get();
    ok = s->block_amax(PTO_F32, x, 0, 1, 3, true, &amax) == PTO_OK &&
         s->block_amax(PTO_F32, x + 1, 0, 1, 2, false, &tiny) == PTO_OK &&
         s->block_tensor(PTO_NV_AO, amax, &tensor) == PTO_OK;
    after = fp_state_get();
    fp_state_set(&mine);
    if (!ok || !fp_state_same(&before, &after)) report_mismatch(r, "no success, or the state has changed");
    if (model_f32_bits(amax) != 0x3f9e0419 || model_f32_bits(tiny) != 3 ||
        model_f32_bits(tensor) != model_block_tensor(PTO_NV_AO, 0x3f9e0419))
        report_mismatch(r, "got %08x, %08x, %08x", model_f32_bits(amax), model_f32_bits(tiny),
                        model_f32_bits(tensor));
}

void check_block_fpstate(const struct subject *s, struct report *r) {
    struct subject wrapped = *s;
    struct block_buffers w;
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    fp_states_collect(&hostile, r->quick);
    wrapped_calls.inner = *s;
    wrapped.block_quantize = quantize;
    wrapped.block_requantize = requantize;
    wrapped.block_dequantize = dequantize;
    block_buffers_open(&w, "block fpstate", BUFFER_SIZE);
    for (size_t i = 0; i < count * hostile.count && !report_stop(r); i++) {
        struct model_block_call c = {.op = ops[i / hostile.count], .rows = 1 + i % ROWS, .cols = COLS};
        if (i % 7 == 0 && model_block_takes_rs(c.op.rule)) c.op.round = PTO_RS;
        block_buffers_offset(&w, &c, i % 5);
        run_in(&wrapped, r, &w, &c, i % hostile.count);
    }
    for (size_t i = 0; i < hostile.count && !report_stop(r); i++) {
        tensor_in(s, r, i);
    }
    block_buffers_close(&w);
}
