/* SPDX-License-Identifier: MIT */
/* Checks results that are so large that the library may write them with non-temporal stores. Every lane is
 * checked, or every 5th or 13th, which covers each position in a cache line. Bytes around the result must not
 * change. */
#include "check/checks.h"
#include "support/maxmin_fixture.h"

#include <string.h>

enum { LONG_BYTES = 17 << 20, BUFFER_SIZE = 4096, OFFSETS = 4, TYPES = 4, SOME = 5, QUICK_STEP = 13 };

static const pto_dtype types[TYPES] = {PTO_U8, PTO_U16, PTO_U32, PTO_U64};

/** One mask kind per type. */
static const pto_mask_kind packed[TYPES] = {PTO_MASK_PACKED, PTO_MASK_PACKED, PTO_MASK_PACKED,
                                            PTO_MASK_PACKED};
static const pto_mask_kind images[TYPES] = {PTO_MASK_B8, PTO_MASK_B16, PTO_MASK_B32, PTO_MASK_B64};
static const pto_mask_kind bytes[TYPES] = {PTO_MASK_BYTE, PTO_MASK_BYTE, PTO_MASK_BYTE, PTO_MASK_BYTE};

struct fixture {
    pto_dtype type;
    pto_mask_kind kind;
    size_t size, n;
    struct guarded a, b, mask, dst;
    struct rng rng;
};

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type, pto_mask_kind kind) {
    memset(w, 0, sizeof *w);
    w->type = type;
    w->kind = kind;
    w->size = model_size(type);
    rng_start(&w->rng, purpose);
    guarded_open(&w->a, LONG_BYTES);
    guarded_open(&w->b, LONG_BYTES);
    guarded_open(&w->mask, model_mask_bytes(kind, LONG_BYTES / w->size));
    guarded_open(&w->dst, LONG_BYTES + BUFFER_SIZE);
    rng_fill(&w->rng, w->a.data, w->a.size);
    rng_fill(&w->rng, w->b.data, w->b.size);
    rng_fill(&w->rng, w->mask.data, w->mask.size);
    guarded_freeze(&w->a);
    guarded_freeze(&w->b);
    guarded_freeze(&w->mask);
}

static void fixture_close(struct fixture *w) {
    guarded_close(&w->a);
    guarded_close(&w->b);
    guarded_close(&w->mask);
    guarded_close(&w->dst);
}

/** Offsets of dst: the start of a cache line, one element later, the middle of an element, and half a cache line. */
static size_t offset_of(const struct fixture *w, size_t number) {
    const size_t offsets[OFFSETS] = {0, w->size, w->size / 2, 32};
    return HARNESS_MARGIN + offsets[number];
}

/** Writes the expected element of `lane` to `expected`. */
typedef void long_lane(const struct fixture *w, size_t lane, unsigned char *expected);
typedef pto_status long_call(const struct subject *s, const struct fixture *w, unsigned char *dst);

/** A sweep over the types, with a mask kind for each. */
struct sweep_of_types {
    const char *name;
    long_call *call;
    long_lane *expect;
    const pto_dtype *types;
    const pto_mask_kind *kinds;
    bool every;  /* try every offset; else one per type */
    size_t step; /* check every step-th lane; SOME where the model is slow */
};

static void check_lanes(struct report *r, const struct fixture *w, long_lane *expect, size_t step,
                        const unsigned char *dst) {
    if (r->quick) step = QUICK_STEP;
    for (size_t i = (w->n - 1) % step; i < w->n; i += step) { /* includes the last lane */
        unsigned char expected[8];
        expect(w, i, expected);
        if (memcmp(dst + i * w->size, expected, w->size) == 0) continue;
        report_mismatch(r, "lane %zu, operands %llx %llx: expected %llx, got %llx", i,
                        (unsigned long long)value_load(w->type, w->a.data, i),
                        (unsigned long long)value_load(w->type, w->b.data, i),
                        (unsigned long long)value_load(w->type, expected, 0),
                        (unsigned long long)value_load(w->type, dst, i));
        return;
    }
}

static void call_long(const struct subject *s, struct report *r, struct fixture *w,
                      const struct sweep_of_types *sweep, size_t number) {
    unsigned char *dst = w->dst.data + offset_of(w, number);
    pto_status status;

    w->n = r->now.n = (LONG_BYTES - rng_below(&w->rng, BUFFER_SIZE)) / w->size;
    r->cases++;
    buffer_fill(&w->dst, dst, w->n * w->size, (unsigned)number % FILLS);
    status = sweep->call(s, w, dst);
    report_status(r, status, PTO_OK);
    check_lanes(r, w, sweep->expect, sweep->step, dst);
    if (!margins_intact(&w->dst, dst, w->n * w->size)) report_mismatch(r, "bytes outside dst were written");
}

static void for_each_place(const struct subject *s, struct report *r, const struct sweep_of_types *sweep) {
    report_call(r, sweep->name, "long results");
    for (size_t t = 0; t < TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, sweep->name, sweep->types[t], sweep->kinds[t]);
        r->now.type = (int)w.type;
        for (size_t number = 0; number < OFFSETS && !report_stop(r); number++) {
            if ((r->quick || !sweep->every) && number != t) continue;
            call_long(s, r, &w, sweep, number);
        }
        fixture_close(&w);
    }
}

static void choose(const struct fixture *w, size_t lane, bool first, unsigned char *expected) {
    memcpy(expected, (first ? w->a.data : w->b.data) + lane * w->size, w->size);
}

/* ---- vsel ---- */

static void masked(const struct fixture *w, size_t lane, unsigned char *expected) {
    choose(w, lane, model_mask_get(w->kind, w->mask.data, lane), expected);
}

static pto_status select_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return s->vsel(w->type, w->a.data, w->b.data, pto_mask_at(w->mask.data, w->kind), dst, w->n);
}

void check_select_long(const struct subject *s, struct report *r) {
    const struct sweep_of_types sweeps[] = {
        {"vsel", select_long, masked, types, packed, true, 1},
        {"vsel by images", select_long, masked, types, images, true, 1},
        {"vsel by bytes", select_long, masked, types, bytes, true, 1},
    };
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        for_each_place(s, r, &sweeps[i]);
    }
}

/* ---- vcmpsel ---- */

static void lesser(const struct fixture *w, size_t lane, unsigned char *expected) {
    const size_t at = lane * w->size;
    choose(w, lane, model_compare(w->type, PTO_LT, false, w->a.data + at, w->b.data + at), expected);
}

static pto_status choose_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    const pto_in a = {w->a.data, false}, b = {w->b.data, false};
    return s->vcmpsel(w->type, PTO_LT, 0, a, b, a, b, dst, w->n);
}

void check_vcmpsel_long(const struct subject *s, struct report *r) {
    const struct sweep_of_types sweep = {"vcmpsel", choose_long, lesser, types, packed, false, 1};
    for_each_place(s, r, &sweep);
}

/* ---- vsels: the second source is the scalar b[0] ---- */

static void masked_or_scalar(const struct fixture *w, size_t lane, unsigned char *expected) {
    if (model_mask_get(w->kind, w->mask.data, lane))
        choose(w, lane, true, expected);
    else
        choose(w, 0, false, expected);
}

static pto_status select_scalar_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return s->vsels(w->type, pto_in_array(w->a.data), pto_in_scalar(w->b.data),
                    pto_mask_at(w->mask.data, w->kind), dst, w->n);
}

void check_vsels_long(const struct subject *s, struct report *r) {
    const struct sweep_of_types sweeps[] = {
        {"vsels", select_scalar_long, masked_or_scalar, types, packed, true, 1},
        {"vsels by images", select_scalar_long, masked_or_scalar, types, images, false, 1},
        {"vsels by bytes", select_scalar_long, masked_or_scalar, types, bytes, false, 1},
    };
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        for_each_place(s, r, &sweeps[i]);
    }
}

/* ---- vmax, vmin, vclamp, vrelu ---- */

static const pto_dtype maxmin_types[TYPES] = {PTO_S8, PTO_F16, PTO_F32, PTO_F64};

/** Makes the call. The second operand of vmin and the upper bound of vclamp are scalars. */
static pto_status maxmin_long(const struct subject *s, const struct fixture *w, enum model_maxmin call,
                              unsigned char *dst) {
    const struct maxmin_form form = {call, w->type, 0, 0};
    const pto_in in[MAXMIN_INS] = {pto_in_array(w->a.data),
                                   call == MODEL_MIN ? pto_in_scalar(w->b.data) : pto_in_array(w->b.data),
                                   pto_in_scalar(w->b.data + w->size)};
    return maxmin_call(s, &form, in, dst, w->n);
}

static void maxmin_lane(const struct fixture *w, size_t lane, enum model_maxmin call,
                        unsigned char *expected) {
    const size_t at = lane * w->size;
    const struct maxmin_form form = {call, w->type, 0, 0};
    const pto_in in[MAXMIN_INS] = {pto_in_array(w->a.data + at),
                                   pto_in_array(w->b.data + (call == MODEL_MIN ? 0 : at)),
                                   pto_in_scalar(w->b.data + w->size)};
    maxmin_expect(&form, in, expected, 1);
}

static pto_status max_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return maxmin_long(s, w, MODEL_MAX, dst);
}

static void max_lane(const struct fixture *w, size_t lane, unsigned char *expected) {
    maxmin_lane(w, lane, MODEL_MAX, expected);
}

static pto_status min_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return maxmin_long(s, w, MODEL_MIN, dst);
}

static void min_lane(const struct fixture *w, size_t lane, unsigned char *expected) {
    maxmin_lane(w, lane, MODEL_MIN, expected);
}

static pto_status clamp_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return maxmin_long(s, w, MODEL_CLAMP, dst);
}

static void clamp_lane(const struct fixture *w, size_t lane, unsigned char *expected) {
    maxmin_lane(w, lane, MODEL_CLAMP, expected);
}

static pto_status relu_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return maxmin_long(s, w, MODEL_RELU, dst);
}

static void relu_lane(const struct fixture *w, size_t lane, unsigned char *expected) {
    maxmin_lane(w, lane, MODEL_RELU, expected);
}

void check_maxmin_long(const struct subject *s, struct report *r) {
    const struct sweep_of_types sweeps[] = {
        {"vmax", max_long, max_lane, maxmin_types, packed, false, SOME},
        {"vmin", min_long, min_lane, maxmin_types, packed, false, SOME},
        {"vclamp", clamp_long, clamp_lane, maxmin_types, packed, false, SOME},
        {"vrelu", relu_long, relu_lane, maxmin_types, packed, false, SOME},
    };
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        for_each_place(s, r, &sweeps[i]);
    }
}
