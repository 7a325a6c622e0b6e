/* SPDX-License-Identifier: MIT */
/* Checks that one call gives the same bytes as calls on the shares that pto_split() returns. This needs no model,
 * so arrays are longer than in other checks. The edges of shares fall between 4-bit elements, mask bits, random
 * words and scales. */
#include "check/checks.h"
#include "model/model_cvt.h"
#include "support/operands.h"
#include "support/values.h"

#include <pto/vcvt.h>
#include <string.h>

enum { LONGEST = 9000, ARRAY = LONGEST * 8 * 4, MOST_SHARES = 9 };

enum which {
    VCMP,
    VCMPS,
    VSEL,
    VSELS,
    VMAX,
    VCLAMP,
    SETP,
    SET,
    SLCT,
    VCMPSEL,
    CVT,
    VCVT,
    PART,
    MASKS,
    COPY,
    FLAGS,
    CALLS
};

static const char *const names[CALLS] = {"vcmp",      "vcmps",    "vsel",      "vsels",    "vmax", "vclamp",
                                         "setp",      "set",      "slct",      "vcmpsel",  "cvt",  "vcvt",
                                         "vcvt_part", "mask_sel", "mask_copy", "flags_cmp"};

/** A call, its parameters and its source arrays. */
struct form {
    enum which which;
    pto_dtype type;
    pto_mask_kind in, out;
    bool masked;
    pto_cvt_op cvt;
    pto_vcvt_op vcvt;
    pto_vpart part;
    size_t lane; /* first lane of mask_copy's source */
    const unsigned char *a, *b, *c, *m;
};

struct results {
    unsigned char *first, *second;
};

static const void *from(const void *array, size_t bits, size_t begin) {
    return (const unsigned char *)array + begin * bits / 8;
}

static void *to(void *array, size_t bits, size_t begin) {
    return (unsigned char *)array + begin * bits / 8;
}

static pto_mask lanes_in(const void *image, pto_mask_kind kind, size_t begin) {
    return pto_mask_in(from(image, model_lane_bits(kind), begin), kind);
}

static pto_mask lanes_at(void *image, pto_mask_kind kind, size_t begin) {
    return pto_mask_at(to(image, model_lane_bits(kind), begin), kind);
}

static pto_status call_cvt(const struct subject *s, const struct form *f, const struct results *r,
                           size_t begin, size_t n) {
    const pto_cvt_op op = f->cvt;
    const void *extra = NULL;
    if (op.round == PTO_RS) extra = from(f->m, 32, begin / model_cvt_group(&op));
    if (op.scale == PTO_SCALE_N1) extra = from(f->m, 4, begin);
    if (op.scale == PTO_SCALE_N2) extra = from(f->m, 8, begin);
    return s->cvt(op, from(f->a, pto_dtype_bits(op.src), begin), to(r->first, pto_dtype_bits(op.dst), begin),
                  extra, n);
}

static pto_status call_part(const struct subject *s, const struct form *f, const struct results *r,
                            size_t begin, size_t n) {
    const size_t in = pto_dtype_bits(f->vcvt.src), out = pto_dtype_bits(f->vcvt.dst);
    const size_t group = in < out ? out / in : 1, lane_ratio = out < in ? in / out : 1;
    return s->vcvt_part(f->vcvt, f->part, from(f->a, in * group, begin),
                        f->masked ? lanes_in(f->m, f->in, begin * group) : PTO_NO_MASK,
                        to(r->first, out * lane_ratio, begin), n);
}

/** Makes the call for lanes begin to begin + n - 1. */
static pto_status call(const struct subject *s, const struct form *f, const struct results *r, size_t begin,
                       size_t n) {
    const pto_dtype t = f->type;
    const size_t bits = pto_dtype_bits(t);
    const void *const a = from(f->a, bits, begin), *const b = from(f->b, bits, begin),
                      *const c = from(f->c, bits, begin);
    void *const dst = to(r->first, bits, begin);
    const pto_mask seed = f->masked ? lanes_in(f->m, f->in, begin) : PTO_NO_MASK;
    const pto_mask p = lanes_at(r->first, f->out, begin), q = lanes_at(r->second, f->out, begin);
    const pto_setp_op setp = {t, PTO_NE, f->masked ? PTO_AND : PTO_BOOL_NONE, false, false};
    const pto_set_op set = {PTO_U32, t, PTO_NE, f->masked ? PTO_OR : PTO_BOOL_NONE, false, false};
    switch (f->which) {
    case VCMP: return s->vcmp(t, PTO_NE, 0, a, b, seed, p, n);
    case VCMPS: return s->vcmps(t, PTO_EQ, 0, a, f->b, seed, p, n);
    case VSEL: return s->vsel(t, a, b, lanes_in(f->m, f->in, begin), dst, n);
    case VSELS:
        return s->vsels(t, pto_in_scalar(f->a), pto_in_array(b), lanes_in(f->m, f->in, begin), dst, n);
    case VMAX: return s->vmax(t, 0, pto_in_array(a), pto_in_array(b), dst, n);
    case VCLAMP: return s->vclamp(t, 0, pto_in_array(a), pto_in_scalar(f->b), pto_in_array(c), dst, n);
    case SETP: return s->setp(setp, a, b, seed, p, q, n);
    case SET: return s->set(set, a, b, seed, to(r->first, 32, begin), n);
    case SLCT: return s->slct(t, PTO_F32, false, a, b, from(f->c, 32, begin), dst, n);
    case VCMPSEL:
        return s->vcmpsel(t, PTO_NE, 0, pto_in_array(a), pto_in_scalar(f->b), pto_in_array(b),
                          pto_in_array(c), dst, n);
    case CVT: return call_cvt(s, f, r, begin, n);
    case VCVT:
        return s->vcvt(f->vcvt, from(f->a, pto_dtype_bits(f->vcvt.src), begin), seed,
                       to(r->first, pto_dtype_bits(f->vcvt.dst), begin), n);
    case PART: return call_part(s, f, r, begin, n);
    case MASKS:
        return s->mask_sel(lanes_in(f->a, f->in, begin), lanes_in(f->b, f->out, begin),
                           lanes_in(f->m, f->in, begin), p, n);
    case COPY:
        return s->mask_copy(pto_mask_in(f->a, f->in), f->lane + begin, pto_mask_at(r->first, f->out), begin,
                            n);
    default: return s->flags_cmp(t, a, b, (uint32_t *)to(r->first, 32, begin), n);
    }
}

static struct form any_form(const struct subject *s, struct rng *rng) {
    struct form f = {.which = (enum which)rng_below(rng, CALLS)};
    f.type = model_types[rng_below(rng, MODEL_TYPES)];
    if (s->cvt_form(rng_below(rng, s->cvt_form_count()), &f.cvt) != PTO_OK) f.which = VCMP;
    if (s->vcvt_form(rng_below(rng, s->vcvt_form_count()), &f.vcvt) != PTO_OK) f.which = VCMP;
    f.part = (pto_vpart)rng_below(rng, PTO_PART_P3 + 1);
    f.masked = rng_below(rng, 2);
    f.in = mask_kind(f.type, rng_below(rng, MASK_KINDS));
    f.out = mask_kind(f.type, rng_below(rng, MASK_KINDS));
    if (f.which == VCVT || f.which == PART) f.in = rng_below(rng, 2) ? PTO_MASK_PACKED : PTO_MASK_BYTE;
    f.lane = rng_below(rng, 70);
    return f;
}

/** Compares the whole call with calls on its shares. Parameters that the whole call refuses do not count as a case. */
static void compare_shares(const struct subject *s, struct report *r, struct rng *rng, const struct form *f,
                           const struct results *whole, const struct results *parts) {
    const size_t shares = 1 + rng_below(rng, MOST_SHARES), n = rng_below(rng, LONGEST / 4) * 4;
    memset(whole->first, 0x5a, (size_t)2 * ARRAY);
    memset(parts->first, 0x5a, (size_t)2 * ARRAY);
    r->now.n = n;
    r->now.type = (int)f->type;
    if (call(s, f, whole, 0, n) != PTO_OK) return;
    r->cases++;
    for (size_t k = 0; k < shares; k++) {
        size_t begin, count;
        if (s->split(n, shares, k, &begin, &count) != PTO_OK || call(s, f, parts, begin, count) != PTO_OK)
            report_mismatch(r, "no success of share %zu of %zu", k, shares);
    }
    report_image(r, whole->first, parts->first, (size_t)2 * ARRAY);
}

void check_split_calls(const struct subject *s, struct report *r) {
    unsigned char *const memory = harness_allocate(8 * (size_t)ARRAY);
    const struct results whole = {memory + 4 * (size_t)ARRAY, memory + 5 * (size_t)ARRAY},
                         parts = {memory + 6 * (size_t)ARRAY, memory + 7 * (size_t)ARRAY};
    struct rng rng;
    rng_start(&rng, "split calls");
    rng_fill(&rng, memory, 4 * (size_t)ARRAY);
    for (size_t i = 0; i < (r->quick ? 1500U : 15000U) && !report_stop(r); i++) {
        struct form f = any_form(s, &rng);
        f.a = memory;
        f.b = memory + ARRAY;
        f.c = memory + 2 * (size_t)ARRAY;
        f.m = memory + 3 * (size_t)ARRAY;
        report_call(r, names[f.which], "the whole and its shares");
        compare_shares(s, r, &rng, &f, &whole, &parts);
    }
    harness_free(memory);
}
