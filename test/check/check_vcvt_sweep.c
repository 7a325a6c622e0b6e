/* SPDX-License-Identifier: MIT */
/* Compares vcvt and vtrc from f32 with the model, for every step-th f32 value. */
#include "check/checks.h"
#include "support/vcvt_fixture.h"

#include <string.h>

enum { BLOCK = 1 << 14 };

struct sweep_buffers {
    uint32_t in[BLOCK];
    unsigned char got[BLOCK * VCVT_WIDEST];
};

static uint64_t expected_code(const pto_vcvt_op *op, uint32_t code) {
    return vcvt_is_vtrc(op) ? model_vtrc(op->src, op->rnd, code) : model_vcvt(op, code);
}

static void sweep_block(const struct subject *s, struct report *r, struct sweep_buffers *buffers,
                        const pto_vcvt_op *op) {
    const struct vcvt_fixture w = {.op = *op, .part = MODEL_WHOLE};
    vcvt_fixture_describe(r, &w, BLOCK, "sampled");
    r->cases += BLOCK;
    report_status(r, vcvt_fixture_call(s, &w, buffers->in, PTO_NO_MASK, buffers->got, BLOCK), PTO_OK);
    for (size_t i = 0; i < BLOCK; i++) {
        const uint64_t want = expected_code(op, buffers->in[i]);
        const uint64_t got = model_cvt_load(op->dst, buffers->got, i);
        if (want == got) continue;
        report_mismatch(r, "source %x: expected %llx, got %llx", buffers->in[i], (unsigned long long)want,
                        (unsigned long long)got);
        return;
    }
}

static void sweep(const struct subject *s, struct report *r, uint64_t step) {
    const uint64_t count = ((uint64_t)1 << 32) / step + 1;
    struct sweep_buffers *const buffers = harness_allocate(sizeof *buffers);
    pto_vcvt_op ops[VCVT_OPS_MAX];
    const size_t ops_count = vcvt_operations(ops);

    report_call(r, "vcvt", NULL);
    for (uint64_t k = 0; k < count && !report_stop(r); k += BLOCK) {
        for (size_t i = 0; i < BLOCK; i++) { /* the last block wraps around to 0 */
            buffers->in[i] = (uint32_t)((k + i) * step);
        }
        for (size_t i = 0; i < ops_count && !report_stop(r); i++) {
            if (ops[i].src == PTO_F32) sweep_block(s, r, buffers, &ops[i]);
        }
    }
    harness_free(buffers);
}

void check_vcvt_sweep(const struct subject *s, struct report *r) {
    sweep(s, r, r->quick ? 200003 : 20011);
}
