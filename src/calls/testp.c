/* SPDX-License-Identifier: MIT */
/* pto_testp() and its plan. */
#include "pto/compare.h"

#include "calls/plan.h"
#include "core/block.h"
#include "core/check.h"
#include "core/formats.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

enum { TEST_BYTES = 4096 };

/* A comparison of the masked bits of an element, taken as an integer, with a constant. */
struct part {
    u8 relation; /* RELATION_LT or RELATION_EQ */
    bool complement;
    u64 constant;
};

/* A test: the bits of an element under `mask` are compared with constants. The result is
 * (part[0] && !part[1]) || part[2], of which the first `parts` are used. */
struct test {
    u64 mask;
    bool is_whole; /* the mask has every bit of the element */
    u8 lane;       /* enum lane: the integers as which elements are compared */
    u8 bits;       /* the width of an element */
    u8 parts;
    struct part part[3];
};

/* What the codes of a type mean: their fields, and the first magnitudes that are normal, not finite, and a NaN. */
struct codes {
    u64 sign, magnitude, normal, special, nan;
    bool has_zero, has_infinity;
};

/* Returns false if the type is not a float whose elements have a place of their own in memory, or if its NaN is not a
 * magnitude, as in the FNUZ types. */
static bool codes_of(pto_dtype t, struct codes *c) {
    const struct cvt_format f = cvt_format_of(t);
    const unsigned unused =
        t == PTO_TF32 ? 13 : 0; /* low bits of the element that the format does not have */
    const u64 all = low_bits((size_t)f.exponent_bits + f.fraction_bits);
    if (t == PTO_UE8M0) {
        *c = (struct codes){0, 0xff, 0, 0xff, 0xff, false, false};
        return true;
    }
    if (f.exponent_bits == 0 || pto_dtype_bits(t) < 8 || f.specials == SPECIALS_FNUZ) return false;
    c->sign = t == PTO_UE5M3 ? 0 : (all + 1) << unused;
    c->magnitude = all << unused;
    c->normal = (u64)1 << (f.fraction_bits + unused);
    c->special = (cvt_max_code(f) + 1) << unused;
    c->nan = f.specials == SPECIALS_IEEE ? (cvt_inf_code(f) + 1) << unused : c->special;
    c->has_zero = true;
    c->has_infinity = f.specials == SPECIALS_IEEE;
    return true;
}

static struct part below(u64 constant) {
    return (struct part){RELATION_LT, false, constant};
}

static struct part equal(u64 constant) {
    return (struct part){RELATION_EQ, false, constant};
}

static struct part complement_of(struct part p) {
    p.complement = true;
    return p;
}

/* Sets the parts of the test. A magnitude is never below 0, so below(0) is false for every element. */
static pto_status set_parts(pto_float_test which, const struct codes *c, struct test *t) {
    const struct part is_zero = c->has_zero ? equal(0) : below(0);
    t->mask = c->magnitude;
    t->parts = 1;
    switch (which) {
    case PTO_TEST_FINITE: t->part[0] = below(c->special); return PTO_OK;
    case PTO_TEST_INFINITE: t->part[0] = c->has_infinity ? equal(c->special) : below(0); return PTO_OK;
    case PTO_TEST_NUMBER: t->part[0] = below(c->nan); return PTO_OK;
    case PTO_TEST_NOTANUMBER: t->part[0] = complement_of(below(c->nan)); return PTO_OK;
    case PTO_TEST_ZERO: t->part[0] = is_zero; return PTO_OK;
    case PTO_TEST_NORMAL:
        t->part[0] = below(c->special);
        t->part[1] = below(c->normal);
        t->part[2] = is_zero;
        t->parts = 3;
        return PTO_OK;
    case PTO_TEST_SUBNORMAL:
        t->part[0] = below(c->normal);
        t->part[1] = is_zero;
        t->parts = 2;
        return PTO_OK;
    case PTO_TEST_NEGATIVE:
        t->mask = c->sign;
        t->part[0] = complement_of(equal(0));
        return PTO_OK;
    default: return PTO_ERR_OP;
    }
}

static pto_status prepare(pto_dtype type, pto_float_test which, unsigned flags, pto_mask_kind seed,
                          pto_mask_kind dst, struct test *t) {
    /* Magnitudes fit the signed integers of the element's width, which all backends compare fast. */
    static const u8 lanes[] = {LANE_S8, LANE_S16, LANE_S32, LANE_S64};
    struct codes c;
    pto_status status;
    if (!codes_of(type, &c)) return PTO_ERR_TYPE;
    status = set_parts(which, &c, t);
    if (status != PTO_OK) return status;
    if ((flags & ~(unsigned)PTO_MERGE) != 0) return PTO_ERR_MODIFIER;
    t->bits = (u8)pto_dtype_bits(type);
    t->is_whole = t->mask == low_bits(t->bits);
    t->lane = t->is_whole ? LANE_U8 : lanes[width_index(t->bits)];
    return mask_fits(dst, t->bits) && mask_fits(seed, t->bits) ? PTO_OK : PTO_ERR_MASK;
}

/* Writes the result of one part for a block of elements as packed bits. */
static void run_part(const struct pto_kernels *k, const struct test *t, const struct part *p,
                     const void *elements, void *bits, size_t lanes) {
    compare_fn *const compare = k->compare[t->lane].kernels->vs[MASK_AS_BITS][p->relation];
    u8 constant[8];
    store_bytes(constant, p->constant, t->bits / 8U);
    (void)compare(elements, constant, bits, lanes, p->complement ? ~(u64)0 : 0);
}

/* Tests a block of elements, and writes packed bits. */
static void test_block(const struct pto_kernels *k, const struct test *t, const void *elements, u64 *bits,
                       size_t lanes) {
    u64 other[BLOCK_WORDS];
    run_part(k, t, &t->part[0], elements, bits, lanes);
    if (t->parts < 2) return;
    run_part(k, t, &t->part[1], elements, other, lanes);
    k->logic[LOGIC_AND](bits, other, NULL, bits, lanes, 0, ~(u64)0);
    if (t->parts < 3) return;
    run_part(k, t, &t->part[2], elements, other, lanes);
    k->logic[LOGIC_OR](bits, other, NULL, bits, lanes, 0, 0);
}

/* Stores a block of results in dst, under the seed. */
static void store_block(const struct pto_kernels *k, const u64 *bits, pto_mask seed, pto_mask dst, bool merge,
                        size_t i, size_t lanes) {
    u64 on_buffer[BLOCK_WORDS], old_buffer[BLOCK_WORDS], out_buffer[BLOCK_WORDS];
    const void *on, *old;
    void *out;
    if (seed.data == NULL) {
        k->mask_store[dst.kind](bits, block_at(dst, i), lanes);
        return;
    }
    on = block_bits(k, seed, i, on_buffer, lanes);
    old = merge ? block_bits(k, dst, i, old_buffer, lanes) : on;
    out = block_target(dst, i, out_buffer);
    k->logic[merge ? LOGIC_SEL : LOGIC_AND](bits, old, on, out, lanes, 0, 0);
    block_end(k, dst, i, out, lanes);
}

/* Tests n > 0 elements, in blocks whose masked bits stay in the L1 cache. */
static void run(const struct pto_kernels *k, const struct test *t, const void *src, pto_mask seed,
                pto_mask dst, bool merge, size_t n) {
    const size_t bytes = t->bits / 8U, most = TEST_BYTES / bytes;
    u8 masks[TEST_BYTES], masked[TEST_BYTES];
    u64 bits[BLOCK_WORDS];
    if (!t->is_whole) {
        store_bytes(masked, t->mask, bytes);
        k->fill[width_index(t->bits)](masked, masks, min_size(n, most));
    }
    for (size_t i = 0; i < n; i += most) {
        const size_t lanes = min_size(n - i, most);
        const u8 *const elements = (const u8 *)src + i * bytes;
        if (!t->is_whole) k->logic[LOGIC_AND](elements, masks, NULL, masked, lanes * t->bits, 0, 0);
        test_block(k, t, t->is_whole ? elements : masked, bits, lanes);
        store_block(k, bits, seed, dst, merge, i, lanes);
    }
}

pto_status pto_testp(pto_dtype t, pto_float_test test, unsigned flags, const void *src, pto_mask seed,
                     pto_mask dst, size_t n) {
    struct test prepared;
    pto_status status;
    if (n != 0 && (src == NULL || dst.data == NULL)) return PTO_ERR_NULL;
    status = prepare(t, test, flags, seed.data != NULL ? seed.kind : PTO_MASK_PACKED, dst.kind, &prepared);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(
            operand_mask(dst, n),
            (const struct operand[]){operand_array(src, prepared.bits, n), operand_mask(seed, n)}, 2))
        return PTO_ERR_OVERLAP;
    run(pto_active_kernels(), &prepared, src, seed, dst, (flags & PTO_MERGE) != 0, n);
    return PTO_OK;
}

/* ---- plan ---- */

struct test_plan {
    const struct pto_kernels *k;
    u8 type, test, seed, dst;
    bool merge;
};

_Static_assert(sizeof(struct test_plan) <= PLAN_BYTES, "a plan of testp must fit pto_plan");

static void run_plan(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct test_plan p;
    struct test t;
    (void)b;
    if (n == 0) return;
    memcpy(&p, plan->priv, sizeof p);
    if (prepare((pto_dtype)p.type, (pto_float_test)p.test, 0, (pto_mask_kind)p.seed, (pto_mask_kind)p.dst,
                &t) != PTO_OK)
        return; /* the plan was made with these arguments, so they are legal */
    run(p.k, &t, a, pto_mask_in(m, (pto_mask_kind)p.seed), pto_mask_at(dst, (pto_mask_kind)p.dst), p.merge,
        n);
}

pto_status pto_plan_testp(pto_plan *plan, pto_dtype t, pto_float_test test, unsigned flags,
                          pto_mask_kind seed, pto_mask_kind dst) {
    struct test prepared;
    struct test_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = prepare(t, test, flags, seed, dst, &prepared);
    if (status != PTO_OK) return status;
    p = (struct test_plan){pto_active_kernels(),    (u8)t, (u8)test, (u8)seed, (u8)dst,
                           (flags & PTO_MERGE) != 0};
    plan_make(plan, run_plan, &p, sizeof p,
              (struct plan_shapes){.src = {shape_array(prepared.bits), 0, shape_optional(shape_mask(seed))},
                                   .dst = {shape_mask(dst)}});
    return PTO_OK;
}
