/* SPDX-License-Identifier: MIT */
/* Sweeps conversions from f32 over all its values or a sample, and from narrower formats over all codes with every
 * scale. A backend is compared with the scalar kernels and, for a sample, with the model. */
#include "check/checks.h"
#include "support/cvt_fixture.h"

#include <string.h>

enum { BLOCK = 1 << 16, MODEL_EVERY = 61, WIDEST = 8 };

struct sweep_buffers {
    uint32_t in[BLOCK];
    uint32_t words[BLOCK / 2];
    unsigned char scales[BLOCK];
    unsigned char got[BLOCK * WIDEST], want[BLOCK * WIDEST];
    uint64_t codes[4][BLOCK];
    struct rng rng;
};

/** Returns the operand `extra` of pto_cvt(). */
static const void *extra_of(const struct sweep_buffers *w, const pto_cvt_op *op) {
    if (op->round == PTO_RS) return w->words;
    return op->scale != PTO_SCALE_NONE ? w->scales : NULL;
}

static uint32_t element_extra(const struct sweep_buffers *w, const pto_cvt_op *op, size_t i) {
    return model_cvt_extra(op, extra_of(w, op), i);
}

static void mismatch_at(struct report *r, const struct sweep_buffers *w, const pto_cvt_op *op, size_t i,
                        uint64_t want, uint64_t got) {
    report_mismatch(r, "source %llx, extra %x: expected %llx, got %llx",
                    (unsigned long long)model_cvt_load(op->src, w->in, i), element_extra(w, op, i),
                    (unsigned long long)want, (unsigned long long)got);
}

static void first_difference(struct report *r, const struct sweep_buffers *w, const pto_cvt_op *op) {
    for (size_t i = 0; i < BLOCK; i++) {
        const uint64_t want = model_cvt_load(op->dst, w->want, i);
        const uint64_t got = model_cvt_load(op->dst, w->got, i);
        if (want == got) continue;
        mismatch_at(r, w, op, i, want, got);
        return;
    }
}

/** Converts a block on the active backend and compares it with the scalar kernels. Every model_every-th element is
 * also compared with the model. */
static void against_scalar(const struct subject *s, struct report *r, struct sweep_buffers *w,
                           const pto_cvt_op *op, size_t model_every) {
    const pto_isa active = pto_isa_active();
    const size_t size = model_cvt_bytes(op->dst, BLOCK);
    pto_status status;

    cvt_fixture_describe(r, op, BLOCK, "against scalar and the model");
    r->cases += BLOCK;
    status = s->cvt(*op, w->in, w->got, extra_of(w, op), BLOCK);
    report_status(r, status, PTO_OK);
    for (size_t i = rng_below(&w->rng, (uint32_t)model_every); i < BLOCK; i += model_every) {
        const uint64_t want = model_cvt(op, model_cvt_load(op->src, w->in, i), element_extra(w, op, i));
        const uint64_t got = model_cvt_load(op->dst, w->got, i);
        if (want != got) mismatch_at(r, w, op, i, want, got);
    }
    if (active == PTO_ISA_SCALAR) return;
    use_isa(PTO_ISA_SCALAR);
    status = pto_cvt(*op, w->in, w->want, extra_of(w, op), BLOCK);
    use_isa(active);
    if (status != PTO_OK) report_mismatch(r, "scalar: %s", status_name(status));
    if (memcmp(w->want, w->got, size) != 0) first_difference(r, w, op);
}

/** Whether an operation has an f32 source and belongs to part sweep->part. `*number` counts the operations from f32. */
static bool in_part(const struct sweep *sweep, const pto_cvt_op *op, size_t *number) {
    if (op->src != PTO_F32) return false;
    return (*number)++ % sweep->parts == sweep->part;
}

static struct sweep_buffers *sweep_buffers_open(const char *purpose) {
    struct sweep_buffers *w = harness_allocate(sizeof *w);
    rng_start(&w->rng, purpose);
    return w;
}

/** Converts every step-th f32 value. */
static void by_backend(const struct subject *s, struct report *r, const struct sweep *sweep) {
    const uint64_t count = ((uint64_t)1 << 32) / sweep->step + 1;
    struct sweep_buffers *w = sweep_buffers_open("cvt sweep");

    report_call(r, "cvt", NULL);
    for (uint64_t k = 0; k < count && !report_stop(r); k += BLOCK) {
        size_t number = 0;
        for (size_t i = 0; i < BLOCK; i++) { /* the last block wraps around to 0 */
            w->in[i] = (uint32_t)((k + i) * sweep->step);
        }
        rng_fill(&w->rng, w->words, sizeof w->words);
        for (size_t i = 0; i < cvt_ops_count() && !report_stop(r); i++) {
            const pto_cvt_op *op = &cvt_ops[i];
            if (!in_part(sweep, op, &number)) continue;
            if (op->scale != PTO_SCALE_NONE) cvt_values_choose_extra(&w->rng, op, w->in, w->scales, BLOCK);
            against_scalar(s, r, w, op, MODEL_EVERY);
        }
    }
    harness_free(w);
}

void check_cvt_sweep(const struct subject *s, struct report *r) {
    const struct sweep sampled = {r->quick ? 100003 : 20011, 0, 1};
    by_backend(s, r, &sampled);
}

void check_cvt_all_f32(const struct subject *s, struct report *r) {
    by_backend(s, r, &r->sweep);
}

/* ---- every code with every scale ---- */

/** Fills in all codes of a format of at most 16 bits, repeated up to the size of the block. */
static void fill_codes(struct sweep_buffers *w, pto_dtype type) {
    unsigned char *bytes = (unsigned char *)w->in;
    for (size_t i = 0; i < BLOCK; i++) {
        const uint16_t code = (uint16_t)i;
        if (pto_dtype_bits(type) == 16)
            memcpy(bytes + 2 * i, &code, sizeof code);
        else
            bytes[i] = (unsigned char)i;
    }
}

/** Converts all codes with every step-th scale. A step that divides 255 includes the last scale, a NaN. In a full
 * sweep every element of the scalar kernels is compared with the model, and the other backends with the scalar
 * kernels. */
static void by_scale(const struct subject *s, struct report *r, const struct sweep *sweep) {
    const bool by_model = sweep->step == 1 && pto_isa_active() == PTO_ISA_SCALAR;
    struct sweep_buffers *w = sweep_buffers_open("cvt scales");
    report_call(r, "cvt", NULL);
    for (size_t i = 0; i < cvt_ops_count(); i++) {
        const pto_cvt_op *op = &cvt_ops[i];
        if (op->scale == PTO_SCALE_NONE || pto_dtype_bits(op->src) > 16) continue;
        fill_codes(w, op->src);
        for (uint64_t scale = 0; scale < 256 && !report_stop(r); scale += sweep->step) {
            memset(w->scales, (int)scale, sizeof w->scales);
            against_scalar(s, r, w, op, by_model ? 1 : MODEL_EVERY);
        }
    }
    harness_free(w);
}

void check_cvt_scales(const struct subject *s, struct report *r) {
    const struct sweep sampled = {r->quick ? 85 : 51, 0, 1}; /* both divide 255 */
    by_scale(s, r, &sampled);
}

void check_cvt_all_scales(const struct subject *s, struct report *r) {
    by_scale(s, r, &r->sweep);
}

/* ---- all 2^32 values against the model ---- */

/** Returns the end of the run of inputs, from base + first on, that convert to `code`, and stores the code after
 * the run in `*next`. Rounding, flushing and clamping preserve the order of values of one sign, so between two
 * equal codes all are equal. The model is evaluated at doubling distances, then by bisection. If all codes differ,
 * it is evaluated once per input. */
static size_t run_end(const pto_cvt_op *op, uint32_t base, uint32_t r, size_t first, uint64_t code,
                      uint64_t *next) {
    size_t low = first, high = BLOCK;
    for (size_t step = 1; first + step < BLOCK && high == BLOCK; step *= 2) {
        *next = model_cvt(op, base + (uint32_t)(first + step), r);
        if (*next == code)
            low = first + step;
        else
            high = first + step;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const uint64_t there = model_cvt(op, base + (uint32_t)middle, r);
        if (there == code) {
            low = middle;
        } else {
            high = middle;
            *next = there;
        }
    }
    return high;
}

/** Stores `code` in elements first to end - 1, which have `size` bytes each. */
static void put_run(unsigned char *codes, size_t size, size_t first, size_t end, uint64_t code) {
    if (size == 1) {
        memset(codes + first, (int)code, end - first);
        return;
    }
    for (size_t i = first; i < end; i++) {
        memcpy(codes + i * size, &code, size);
    }
}

static void fill_runs(const pto_cvt_op *op, uint32_t base, uint32_t r, unsigned char *codes, size_t size) {
    uint64_t code = model_cvt(op, base, r), next = 0;
    size_t i = 0;
    while (i < BLOCK) {
        const size_t end = run_end(op, base, r, i, code, &next);
        put_run(codes, size, i, end, code);
        i = end;
        code = next;
    }
}

static void fill_block(const pto_cvt_op *op, uint32_t base, uint32_t r, unsigned char *codes, size_t size) {
    if ((base & 0x7fffffff) >= 0x7f800000) { /* infinities and NaNs, one by one */
        for (size_t i = 0; i < BLOCK; i++) {
            put_run(codes, size, i, i + 1, model_cvt(op, base + (uint32_t)i, r));
        }
        return;
    }
    fill_runs(op, base, r, codes, size);
}

/** Computes the expected block in the memory layout of the destination type. */
static void want_block(struct sweep_buffers *w, const pto_cvt_op *op, uint32_t base) {
    const size_t group = model_cvt_group(op), bits = pto_dtype_bits(op->dst);
    if (group == 1 && bits >= 8) {
        fill_block(op, base, element_extra(w, op, 0), w->want, bits / 8);
        return;
    }
    for (size_t place = 0; place < group; place++) {
        fill_block(op, base, element_extra(w, op, place), (unsigned char *)w->codes[place],
                   sizeof w->codes[0][0]);
    }
    memset(w->want, 0, model_cvt_bytes(op->dst, BLOCK));
    for (size_t i = 0; i < BLOCK; i++) {
        model_cvt_store(op->dst, w->want, i, w->codes[i & (group - 1)][i]);
    }
}

static void block_by_model(const struct subject *s, struct report *r, struct sweep_buffers *w,
                           const pto_cvt_op *op, uint32_t base) {
    pto_status status;

    r->cases += BLOCK;
    want_block(w, op, base);
    status = s->cvt(*op, w->in, w->got, extra_of(w, op), BLOCK);
    report_status(r, status, PTO_OK);
    if (memcmp(w->want, w->got, model_cvt_bytes(op->dst, BLOCK)) != 0) first_difference(r, w, op);
}

/** Converts every sweep.step-th block of consecutive inputs. Each block has one word of random bits for .rs and one
 * scale. */
void check_cvt_all_f32_model(const struct subject *s, struct report *r) {
    struct sweep_buffers *w = sweep_buffers_open("cvt model sweep");

    report_call(r, "cvt", NULL);
    for (uint64_t base = 0; base < (uint64_t)1 << 32 && !report_stop(r);
         base += (uint64_t)r->sweep.step * BLOCK) {
        const uint32_t word = (uint32_t)rng_next(&w->rng);
        size_t number = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            w->in[i] = (uint32_t)(base + i);
            w->words[i / 2] = word;
        }
        memset(w->scales, (int)(word >> 24), sizeof w->scales);
        for (size_t i = 0; i < cvt_ops_count() && !report_stop(r); i++) {
            if (!in_part(&r->sweep, &cvt_ops[i], &number)) continue;
            cvt_fixture_describe(r, &cvt_ops[i], BLOCK, "all values against the model");
            block_by_model(s, r, w, &cvt_ops[i], (uint32_t)base);
        }
    }
    harness_free(w);
}
