/* SPDX-License-Identifier: MIT */
/* pto_testp() and its plan. */
#include "pto/compare.h"

#include "calls/plan.h"
#include "core/block.h"
#include "core/check.h"
#include "core/formats.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

/* What the codes of a type mean: their fields, and the first magnitudes that are normal, not finite, and a NaN. */
struct codes {
    u64 sign, magnitude, normal, special, nan;
    bool has_zero;
    u8 specials; /* enum cvt_specials */
};

/* Sets *c. Returns false unless the type is ue8m0, or a float of at least 8 bits with an exponent field; so e2m1, s2f6
 * and hif8 are refused. Also returns false for P3109's extended formats, whose finite codes are not one range. */
static bool codes_of(pto_dtype t, struct codes *c) {
    const struct cvt_format f = cvt_format_of(t);
    const unsigned unused =
        t == PTO_TF32 ? 13 : 0; /* low bits of the element that the format does not have */
    const u64 all = low_bits((size_t)f.exponent_bits + f.fraction_bits);
    if (t == PTO_UE8M0) {
        *c = (struct codes){0, 0xff, 0, 0xff, 0xff, false, SPECIALS_NAN};
        return true;
    }
    if (f.exponent_bits == 0 || pto_dtype_bits(t) < 8 || f.specials == SPECIALS_EXTENDED) return false;
    c->sign = t == PTO_UE5M3 ? 0 : (all + 1) << unused;
    c->magnitude = all << unused;
    c->normal = (u64)1 << (f.fraction_bits + unused);
    c->special = (cvt_max_code(f) + 1) << unused;
    c->nan = f.specials == SPECIALS_IEEE ? (cvt_inf_code(f) + 1) << unused : c->special;
    c->has_zero = true;
    c->specials = f.specials;
    return true;
}

/* Returns the class of the magnitudes from `first` to `end` - 1. */
static struct code_class magnitudes(const struct codes *c, u64 first, u64 end) {
    return (struct code_class){c->magnitude, first, end - first, 0};
}

/* Returns the class of the codes that are `code` if `is_in` is set, else of all others. */
static struct code_class code_class_of(const struct codes *c, u64 code, bool is_in) {
    const u64 all = c->magnitude | c->sign;
    return is_in ? (struct code_class){all, code, 1, 0} : (struct code_class){all, code + 1, all, 0};
}

/* Sets the class of a test. In FNUZ types the code of -0 is the only NaN. */
static pto_status set_class(pto_float_test which, const struct codes *c, struct code_class *class) {
    const bool fnuz = c->specials == SPECIALS_FNUZ;
    switch (which) {
    case PTO_TEST_FINITE:
        *class = fnuz ? code_class_of(c, c->sign, false) : magnitudes(c, 0, c->special);
        break;
    case PTO_TEST_INFINITE:
        *class = magnitudes(c, c->special, c->specials == SPECIALS_IEEE ? c->special + 1 : c->special);
        break;
    case PTO_TEST_NUMBER: *class = fnuz ? code_class_of(c, c->sign, false) : magnitudes(c, 0, c->nan); break;
    case PTO_TEST_NOTANUMBER:
        *class = fnuz ? code_class_of(c, c->sign, true) : magnitudes(c, c->nan, c->magnitude + 1);
        break;
    case PTO_TEST_ZERO: *class = fnuz ? code_class_of(c, 0, true) : magnitudes(c, 0, c->has_zero); break;
    case PTO_TEST_NORMAL:
        *class = magnitudes(c, c->normal, c->special);
        if (c->has_zero) class->zero = fnuz ? c->magnitude | c->sign : c->magnitude;
        break;
    case PTO_TEST_SUBNORMAL: *class = magnitudes(c, c->has_zero, c->normal); break;
    case PTO_TEST_NEGATIVE: *class = (struct code_class){c->sign, c->sign, c->sign != 0, 0}; break;
    default: return PTO_ERR_OP;
    }
    return PTO_OK;
}

/* A test bound to its kernel. */
struct test {
    struct code_class class;
    const struct pto_kernels *k;
    u8 bits;      /* the width of an element */
    u8 seed, dst; /* mask kinds */
    bool merge;
};

static pto_status prepare(pto_dtype type, pto_float_test which, unsigned flags, pto_mask_kind seed,
                          pto_mask_kind dst, struct test *t) {
    struct codes c;
    pto_status status;
    if (!codes_of(type, &c)) return PTO_ERR_TYPE;
    status = set_class(which, &c, &t->class);
    if (status != PTO_OK) return status;
    if ((flags & ~(unsigned)PTO_MERGE) != 0) return PTO_ERR_MODIFIER;
    t->k = pto_active_kernels();
    t->bits = (u8)pto_dtype_bits(type);
    t->seed = (u8)seed;
    t->dst = (u8)dst;
    t->merge = flags != 0;
    return mask_fits(dst, t->bits) && mask_fits(seed, t->bits) ? PTO_OK : PTO_ERR_MASK;
}

/* Tests n > 0 elements. Without a seed, packed bits are written at once. */
static void run(const struct test *t, const void *src, const void *seed, void *dst, size_t n) {
    classify_fn *const classify = pto_classify_kernels(t->k)->width[width_index(t->bits)];
    const pto_mask on = pto_mask_in(seed, (pto_mask_kind)t->seed),
                   to = pto_mask_at(dst, (pto_mask_kind)t->dst);
    u64 bits[BLOCK_WORDS];
    if (seed == NULL && mask_lane_bits(to.kind) == 1) {
        classify(&t->class, src, dst, n);
        return;
    }
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        classify(&t->class, (const u8 *)src + i * (t->bits / 8U), bits, lanes);
        block_store(t->k, bits, on, to, t->merge, i, lanes);
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
    run(&prepared, src, seed.data, dst.data, n);
    return PTO_OK;
}

/* ---- plan ---- */

_Static_assert(sizeof(struct test) <= PLAN_BYTES, "a plan of testp must fit pto_plan");

static void run_plan(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct test t;
    (void)b;
    memcpy(&t, plan->priv, sizeof t);
    if (n != 0) run(&t, a, m, dst, n);
}

pto_status pto_plan_testp(pto_plan *plan, pto_dtype t, pto_float_test test, unsigned flags,
                          pto_mask_kind seed, pto_mask_kind dst) {
    struct test prepared;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = prepare(t, test, flags, seed, dst, &prepared);
    if (status != PTO_OK) return status;
    plan_make(plan, run_plan, &prepared, sizeof prepared,
              (struct plan_shapes){.src = {shape_array(prepared.bits), 0, shape_optional(shape_mask(seed))},
                                   .dst = {shape_mask(dst)}});
    return PTO_OK;
}
