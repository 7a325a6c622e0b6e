/* SPDX-License-Identifier: MIT */
/* Checks the scale of a block for every f32 that its largest magnitude can be. One-byte scales are compared with
 * the model, f32 scales with the scalar kernels and, for a sample, with the model. */
#include "check/checks.h"
#include "support/block_fixture.h"

#include <string.h>

enum { CHUNK = 1 << 14, WIDTH = 2, MODEL_EVERY = 61 };

struct sweep_buffers {
    uint32_t in[CHUNK * WIDTH];
    unsigned char codes[CHUNK * WIDTH];
    unsigned char got[CHUNK * 4], want[CHUNK * 4];
};

static uint32_t scale_of(const pto_block_op *op, uint32_t amax) {
    struct model_block_scaling scaling;
    const bool passes = !model_block_propagates_nan(op->rule) && model_f32_is_nan(amax);
    return model_block_scale(op, passes ? 0 : amax, &scaling);
}

/** Returns the end of the run of magnitudes, from `first` on, that have the scale `scale`. The model is evaluated
 * at doubling distances, then by bisection. This works because a scale does not decrease while magnitudes increase
 * within a binade, so between two equal scales all are equal. */
static size_t run_end(const pto_block_op *op, uint32_t base, size_t first, uint32_t scale) {
    size_t low = first, high = CHUNK;
    for (size_t step = 1; first + step < CHUNK && high == CHUNK; step *= 2) {
        if (scale_of(op, base + (uint32_t)(first + step)) == scale)
            low = first + step;
        else
            high = first + step;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (scale_of(op, base + (uint32_t)middle) == scale)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void expected_byte_scales(struct sweep_buffers *buffers, const pto_block_op *op, uint32_t base) {
    for (size_t i = 0, end; i < CHUNK; i = end) {
        const uint32_t scale = scale_of(op, base + (uint32_t)i);
        end = run_end(op, base, i, scale);
        memset(buffers->want + i, (int)scale, end - i);
    }
}

static bool quantized(const struct subject *s, const pto_block_op *op, struct sweep_buffers *buffers,
                      unsigned char *scales) {
    return s->block_quantize(*op, buffers->in, 0, 1, (size_t)CHUNK * WIDTH, buffers->codes, 0, scales, 0,
                             NULL) == PTO_OK;
}

/** Fills in the expected f32 scales. These differ for each magnitude, so only every MODEL_EVERY-th comes from the
 * model, and the others come from the scalar kernels. */
static void expected_f32_scales(const struct subject *s, struct report *r, struct sweep_buffers *buffers,
                                const pto_block_op *op, uint32_t base) {
    const pto_isa active = pto_isa_active();
    memcpy(buffers->want, buffers->got, sizeof buffers->want);
    if (active != PTO_ISA_SCALAR) {
        use_isa(PTO_ISA_SCALAR);
        if (!quantized(s, op, buffers, buffers->want)) report_mismatch(r, "scalar: no success");
        use_isa(active);
    }
    for (size_t i = base / CHUNK % MODEL_EVERY; i < CHUNK; i += MODEL_EVERY) {
        const uint32_t scale = scale_of(op, base + (uint32_t)i);
        memcpy(buffers->want + 4 * i, &scale, sizeof scale);
    }
}

/** Quantizes CHUNK blocks, each of one magnitude and a zero, and compares their scales. */
static void sweep_chunk(const struct subject *s, struct report *r, struct sweep_buffers *buffers,
                        const pto_block_op *op, uint32_t base) {
    const pto_dtype type = model_block_scale_type(op->rule);
    r->cases += CHUNK;
    if (!quantized(s, op, buffers, buffers->got)) report_mismatch(r, "no success");
    if (type == PTO_F32)
        expected_f32_scales(s, r, buffers, op, base);
    else
        expected_byte_scales(buffers, op, base);
    for (size_t i = 0; i < CHUNK; i++) {
        const unsigned long long want = model_cvt_load(type, buffers->want, i),
                                 got = model_cvt_load(type, buffers->got, i);
        if (want == got) continue;
        report_mismatch(r, "amax %08x: expected %llx, got %llx", base + (uint32_t)i, want, got);
        return;
    }
}

/** Collects the ops whose source type is f32. Returns how many there are. */
static size_t sweep_ops(pto_block_op ops[BLOCK_OPS_MAX]) {
    const size_t all = block_ops(ops);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        if (ops[i].wide != PTO_F32) continue;
        ops[count] = ops[i];
        ops[count++].block_cols = WIDTH;
    }
    return count;
}

/** Sweeps every of->step-th chunk of consecutive magnitudes, with every of->parts-th op. */
static void sweep(const struct subject *s, struct report *r, const struct sweep *of) {
    const uint64_t chunks = ((uint64_t)1 << 31) / CHUNK;
    struct sweep_buffers *const buffers = harness_allocate(sizeof *buffers);
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = sweep_ops(ops);
    for (uint64_t k = 0; k < chunks && !report_stop(r); k += of->step) {
        const uint32_t base = (uint32_t)(k * CHUNK);
        for (size_t i = 0; i < CHUNK; i++) {
            buffers->in[i * WIDTH + i % WIDTH] = base + (uint32_t)i;
            buffers->in[i * WIDTH + (i + 1) % WIDTH] = 0;
        }
        for (size_t i = of->part; i < count && !report_stop(r); i += of->parts) {
            const struct model_block_call call = {.op = ops[i], .rows = 1, .cols = (size_t)CHUNK * WIDTH};
            block_describe(r, MODEL_QUANTIZE, &call, "every magnitude");
            sweep_chunk(s, r, buffers, &ops[i], base);
        }
    }
    harness_free(buffers);
}

void check_block_sweep(const struct subject *s, struct report *r) {
    const struct sweep sampled = {r->quick ? 30011 : 2003, 0, 1};
    sweep(s, r, &sampled);
}

void check_block_all_amax(const struct subject *s, struct report *r) {
    sweep(s, r, &r->sweep);
}
