/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of vcmp, vsel, vbr, vexp and the calls on masks. */
#include "faults/planted_faults.h"
#include "support/fpstate.h"
#include "support/values.h"

#include <fenv.h>
#include <stdatomic.h>
#include <string.h>

static void put_lane(pto_mask m, size_t lane, bool on) {
    unsigned char *p = m.data;
    const size_t bit = lane * model_lane_bits(m.kind);
    const unsigned mask = 1U << bit % 8;
    p[bit / 8] = (unsigned char)(on ? p[bit / 8] | mask : p[bit / 8] & ~mask);
}

static void set_bits(pto_mask m, size_t byte, unsigned bits) {
    unsigned char *p = m.data;
    p[byte] = (unsigned char)(p[byte] | bits);
}

static bool lane_on(pto_mask m, size_t lane) {
    return !m.data || model_mask_get(m.kind, m.data, lane);
}

/* ---- vcmp: values ---- */

/** Returns true for the pairs of elements for which the planted fault inverts the result. */
typedef bool wrong_pair(pto_dtype t, uint64_t a, uint64_t b);

static pto_status wrong_vcmp(wrong_pair *wrong, pto_dtype t, pto_cmp op, unsigned flags, const void *a,
                             const void *b, pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status != PTO_OK || dst.data == a || dst.data == b || dst.data == seed.data) return status;
    for (size_t i = 0; i < n; i++) {
        if (!lane_on(seed, i) || !wrong(t, value_load(t, a, i), value_load(t, b, i))) continue;
        put_lane(dst, i, !model_mask_get(dst.kind, dst.data, i));
    }
    return status;
}

static bool zeros_of_both_signs(pto_dtype t, uint64_t a, uint64_t b) {
    const uint64_t sign = (uint64_t)1 << (8 * model_size(t) - 1);
    return model_is_float(t) && a == sign && b == 0;
}

static bool signalling_in_f64(pto_dtype t, uint64_t a, uint64_t b) {
    (void)a;
    return t == PTO_F64 && value_is_signalling(t, b);
}

static bool least_subnormal_bf16(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_BF16 && a == 0x8001 && b == 0;
}

static bool lowest_s64(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_S64 && a == 0x8000000000000000U && b == 0x7fffffffffffffffU;
}

static bool one_pair_of_s8(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_S8 && a == 0xd3 && b == 0x5e;
}

/** Takes the NaN of e4m3 for a number. */
static bool nan_of_e4m3(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_E4M3 && a == 0x7e && b == 0x7f;
}

/** Takes the NaN of e5m2fnuz for a negative zero. */
static bool nan_of_fnuz(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_E5M2FNUZ && a == 0x80 && b == 0;
}

/** Takes the infinity of binary8p3se for a NaN. */
static bool infinity_of_p3109(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_BINARY8P3SE && a == 0x7f && b == 0x7e;
}

/** Takes a bit above the sign of a 6-bit code for a part of it. */
static bool bits_above_the_sign(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_E2M3 && a == 0xc1 && b == 1;
}

static bool one_pair_of_f16(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_F16 && a == 0xfbff && b == 0x1234;
}

/** Selects one pair of bf16, as if the sign of a subnormal were lost. `a` is a special value, because a sampled sweep
 * always includes those. */
static bool one_pair_of_bf16(pto_dtype t, uint64_t a, uint64_t b) {
    return t == PTO_BF16 && a == 0x8001 && b == 0x1234;
}

#define WRONG_VCMP(name, wrong)                                                                              \
    static pto_status name(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,            \
                           pto_mask seed, pto_mask dst, size_t n) {                                          \
        return wrong_vcmp(wrong, t, op, flags, a, b, seed, dst, n);                                          \
    }
/* Each fault needs a function of its own, because the checkers call plain function pointers without a context. */
WRONG_VCMP(vcmp_zeros, zeros_of_both_signs)
WRONG_VCMP(vcmp_signalling, signalling_in_f64)
WRONG_VCMP(vcmp_subnormal, least_subnormal_bf16)
WRONG_VCMP(vcmp_lowest, lowest_s64)
WRONG_VCMP(vcmp_one_byte_pair, one_pair_of_s8)
WRONG_VCMP(vcmp_nan_of_e4m3, nan_of_e4m3)
WRONG_VCMP(vcmp_nan_of_fnuz, nan_of_fnuz)
WRONG_VCMP(vcmp_infinity_of_p3109, infinity_of_p3109)
WRONG_VCMP(vcmp_bits_above, bits_above_the_sign)
WRONG_VCMP(vcmp_one_pair, one_pair_of_f16)
WRONG_VCMP(vcmp_one_bf16_pair, one_pair_of_bf16)

/** Uses C's == for EQ of f32. The results are right in the default FP state and wrong under DAZ. A
 * signalling NaN raises the invalid flag. */
static pto_status vcmp_by_fpu(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                              pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status != PTO_OK || t != PTO_F32 || op != PTO_EQ || flags != 0 || seed.data) return status;
    for (size_t i = 0; i < n; i++) {
        float x, y;
        memcpy(&x, (const unsigned char *)a + 4 * i, sizeof x);
        memcpy(&y, (const unsigned char *)b + 4 * i, sizeof y);
        put_lane(dst, i, x == y);
    }
    return status;
}

/* ---- vcmp: flags, seeds, kinds ---- */

static pto_status vcmp_without_ftz(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                   pto_mask seed, pto_mask dst, size_t n) {
    return pto_vcmp(t, op, flags & ~(unsigned)PTO_FTZ, a, b, seed, dst, n);
}

static pto_status vcmps_without_merge(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                      pto_mask seed, pto_mask dst, size_t n) {
    return pto_vcmps(t, op, flags & ~(unsigned)PTO_MERGE, a, b, seed, dst, n);
}

static pto_status vcmp_always_merge(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                    pto_mask seed, pto_mask dst, size_t n) {
    return pto_vcmp(t, op, flags | PTO_MERGE, a, b, seed, dst, n);
}

static pto_status vcmp_without_seed(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                    pto_mask seed, pto_mask dst, size_t n) {
    return pto_vcmp(t, op, flags, a, b, dst.data == seed.data ? seed : PTO_NO_MASK, dst, n);
}

/** Reads only the lowest bit of each byte of a BYTE seed. */
static pto_status vcmp_low_bit_seed(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                    pto_mask seed, pto_mask dst, size_t n) {
    if (seed.data && seed.kind == PTO_MASK_BYTE && model_size(t) == 8) seed.kind = PTO_MASK_B64;
    return pto_vcmp(t, op, flags, a, b, seed, dst, n);
}

static pto_status vcmps_bytes_of_ones(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                      pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmps(t, op, flags, a, b, seed, dst, n);
    unsigned char *p = dst.data;
    for (size_t i = 0; status == PTO_OK && dst.kind == PTO_MASK_BYTE && i < n; i++) {
        if (p[i]) p[i] = 0xff;
    }
    return status;
}

static pto_status vcmp_wrong_tail(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                  pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_OK && n % 64 == 33 && t == PTO_U16) put_lane(dst, n - 1, op == PTO_NE);
    return status;
}

/* ---- vcmp: memory ---- */

static pto_status vcmp_byte_behind(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                   pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_OK && n > 64) ((volatile unsigned char *)dst.data)[pto_mask_bytes(dst.kind, n)] = 0;
    return status;
}

static pto_status vcmp_byte_before(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                   pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_OK && n > 64) ((volatile unsigned char *)dst.data)[-1] = 0;
    return status;
}

/** Reads one byte after the end of src0, but does not write it. */
static pto_status vcmps_reads_behind(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                     pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmps(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_OK && n > 2) (void)((const volatile unsigned char *)a)[n * model_size(t)];
    return status;
}

static pto_status vcmp_spare_bits(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                  pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_OK && dst.kind == PTO_MASK_PACKED && n % 8 == 7) set_bits(dst, n / 8, 0x80);
    return status;
}

static pto_status vcmp_misaligned(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                  pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_OK && (uintptr_t)b % 64 == 37)
        put_lane(dst, n / 2, !model_mask_get(dst.kind, dst.data, n / 2));
    return status;
}

/** Clears dst before it reads a seed that lies in the same memory. */
static pto_status vcmp_clears_first(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                    pto_mask seed, pto_mask dst, size_t n) {
    if (dst.data && dst.data == seed.data && !(flags & PTO_MERGE))
        memset(dst.data, 0, pto_mask_bytes(dst.kind, n));
    return pto_vcmp(t, op, flags, a, b, seed, dst, n);
}

static pto_status vcmp_onto_source(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                   pto_mask seed, pto_mask dst, size_t n) {
    if (n > 20 && dst.data == b) memset(dst.data, 0, 1);
    return pto_vcmp(t, op, flags, a, b, seed, dst, n);
}

/* ---- statuses ---- */

static pto_status vcmp_writes_on_error(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                       pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (status == PTO_ERR_OP && n > 0) memset(dst.data, 0, 1);
    return status;
}

static pto_status vcmp_type_before_null(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                        pto_mask seed, pto_mask dst, size_t n) {
    if (t == PTO_TF32) return PTO_ERR_TYPE;
    return pto_vcmp(t, op, flags, a, b, seed, dst, n);
}

static pto_status vcmps_empty_is_ok(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                    pto_mask seed, pto_mask dst, size_t n) {
    return n == 0 ? PTO_OK : pto_vcmps(t, op, flags, a, b, seed, dst, n);
}

/** Rejects arrays that touch but do not overlap. */
static pto_status vsel_overlap_by_one(pto_dtype t, const void *a, const void *b, pto_mask m, void *dst,
                                      size_t n) {
    const size_t bytes = n * pto_dtype_bits(t) / 8;
    if (n > 0 && a && dst == (const unsigned char *)a + bytes) return PTO_ERR_OVERLAP;
    return pto_vsel(t, a, b, m, dst, n);
}

static pto_status mask_not_takes_overlap(pto_mask a, pto_mask dst, size_t n) {
    const pto_status status = pto_mask_not(a, dst, n);
    return status == PTO_ERR_OVERLAP ? PTO_OK : status;
}

static pto_status mask_count_out_on_error(pto_mask m, size_t n, size_t *out) {
    if (out) *out = 0;
    return pto_mask_count(m, n, out);
}

static pto_status plan_changes_on_error(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                        pto_mask_kind seed, pto_mask_kind dst) {
    if (plan) plan->priv[6] = 0;
    return pto_plan_vcmp(plan, t, op, flags, seed, dst);
}

/** Makes the plan for the scalar backend instead of the active ISA. */
static pto_status plan_always_scalar(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                     pto_mask_kind seed, pto_mask_kind dst) {
    const pto_isa active = pto_isa_active();
    pto_status status;
    use_isa(PTO_ISA_SCALAR);
    status = pto_plan_vcmp(plan, t, op, flags, seed, dst);
    use_isa(active);
    return status;
}

static pto_status isa_use_changes_on_error(pto_isa isa) {
    const pto_status status = pto_isa_use(isa);
    if (status != PTO_OK) use_isa(pto_isa_active() == PTO_ISA_SCALAR ? PTO_ISA_NEON : PTO_ISA_SCALAR);
    return status;
}

static const char *text_of_none(pto_status status) {
    return (int)status < 0 ? NULL : pto_strerror(status);
}

/** Returns the class of packed types for every float type that follows the last one of PTX in pto_dtype. */
static pto_class class_by_range(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    return class == PTO_CLASS_FLOAT && type > PTO_UE5M3 ? PTO_CLASS_PACKED : class;
}

/* ---- select ---- */

static pto_status vsel_quiets_nans(pto_dtype t, const void *a, const void *b, pto_mask m, void *dst,
                                   size_t n) {
    const pto_status status = pto_vsel(t, a, b, m, dst, n);
    for (size_t i = 0; status == PTO_OK && i < n; i++) {
        const uint64_t bits = value_load(t, dst, i);
        if (value_is_signalling(t, bits)) {
            value_store(t, dst, i, bits | (uint64_t)1 << (model_fraction_bits(t) - 1));
        }
    }
    return status;
}

static pto_status vsel_last_lane(pto_dtype t, const void *a, const void *b, pto_mask m, void *dst, size_t n) {
    return n > 40 ? pto_vsel(t, a, b, m, dst, n - 1) : pto_vsel(t, a, b, m, dst, n);
}

/** Writes dst although the mask kind does not match the type. */
static pto_status vselr_writes_on_error(pto_dtype t, const void *a, const void *b, pto_mask m, void *dst,
                                        size_t n) {
    const pto_status status = pto_vselr(t, a, b, m, dst, n);
    if (status == PTO_ERR_MASK && n > 0) memset(dst, 0, 1);
    return status;
}

static pto_status vbr_one_more(pto_dtype t, const void *scalar, void *dst, size_t n) {
    return pto_vbr(t, scalar, dst, n == 17 ? n + 1 : n);
}

/** Flushes a subnormal scalar to zero. */
static pto_status vbr_flushes(pto_dtype t, const void *scalar, void *dst, size_t n) {
    uint64_t bits;
    if (!scalar || n == 0 || !model_is_float(t)) return pto_vbr(t, scalar, dst, n);
    bits = value_load(t, scalar, 0);
    if (value_is_subnormal(t, bits)) bits = 0;
    return scalar == dst ? pto_vbr(t, scalar, dst, n) : pto_vbr(t, &bits, dst, n);
}

static pto_status vsel_in_place(pto_dtype t, const void *a, const void *b, pto_mask m, void *dst, size_t n) {
    if (dst == b && dst != a && n > 3) memset(dst, 0, 1);
    return pto_vsel(t, a, b, m, dst, n);
}

/* ---- masks ---- */

static pto_status mask_not_spare_bits(pto_mask a, pto_mask dst, size_t n) {
    const pto_status status = pto_mask_not(a, dst, n);
    if (status == PTO_OK && dst.kind == PTO_MASK_PACKED && n % 8) set_bits(dst, n / 8, 0x80);
    return status;
}

static pto_status mask_mov_group_bits(pto_mask a, pto_mask dst, size_t n) {
    const pto_status status = pto_mask_mov(a, dst, n);
    if (status == PTO_OK && dst.kind == PTO_MASK_B16 && n > 100) set_bits(dst, 3, 0x02);
    return status;
}

static pto_status mask_xor_is_or(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    return pto_mask_or(a, b, dst, n);
}

/** Reads a B64 source as bytes, including the bits that must be ignored. */
static pto_status mask_and_reads_junk(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    if (a.kind == PTO_MASK_B64) a.kind = PTO_MASK_BYTE;
    return pto_mask_and(a, b, dst, n);
}

static pto_status mask_sel_swapped(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n) {
    return pto_mask_sel(b, a, sel, dst, n);
}

static pto_status mask_or_in_place(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    if (n > 5 && dst.data == b.data && dst.data != a.data) memset(dst.data, 0, 1);
    return pto_mask_or(a, b, dst, n);
}

static pto_status mask_count_spare_bits(pto_mask m, size_t n, size_t *out) {
    const bool round_up = m.kind == PTO_MASK_PACKED && n % 8 != 0;
    return pto_mask_count(m, round_up ? n / 8 * 8 + 8 : n, out);
}

static pto_status mask_first_by_words(pto_mask m, size_t n, size_t *out) {
    const pto_status status = pto_mask_first(m, n, out);
    if (status == PTO_OK && *out >= 64 && *out < n) *out = *out / 64 * 64;
    return status;
}

static pto_status mask_all_of_none(pto_mask m, size_t n, bool *out) {
    const pto_status status = pto_mask_all(m, n, out);
    if (status == PTO_OK && n == 0) *out = false;
    return status;
}

static pto_status mask_any_but_last(pto_mask m, size_t n, bool *out) {
    return pto_mask_any(m, n > 1000 ? n - 1 : n, out);
}

static size_t mask_bytes_rounds_down(pto_mask_kind kind, size_t n) {
    return kind == PTO_MASK_B32 ? n / 2 : pto_mask_bytes(kind, n);
}

/* ---- floating-point state ---- */

/** Like vcmp_by_fpu(), but saves and restores traps and flags. Only DAZ still changes the results. */
static pto_status vcmp_under_daz(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                 pto_mask seed, pto_mask dst, size_t n) {
    pto_status status;
    fenv_t mine;
    feholdexcept(&mine);
    status = vcmp_by_fpu(t, op, flags, a, b, seed, dst, n);
    fesetenv(&mine);
    return status;
}

static pto_status vcmp_leaves_flag(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                   pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    struct fp_state state = fp_state_get();
    state.status |= 0x10; /* underflow on x86, inexact on Arm */
    fp_state_set(&state);
    return status;
}

static pto_status vsel_leaves_rounding(pto_dtype t, const void *a, const void *b, pto_mask m, void *dst,
                                       size_t n) {
    const pto_status status = pto_vsel(t, a, b, m, dst, n);
    if (t == PTO_U64) fesetround(FE_TONEAREST);
    return status;
}

/* ---- vexp ---- */

#ifndef PTO_NO_VMATH
static pto_status vexp_one_lane(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    if (status == PTO_OK && n > 100 && value_load(t, dst, 77) > 1) {
        value_store(t, dst, 77, value_load(t, dst, 77) - 1);
    }
    return status;
}

static pto_status vexp_two_ulp(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F64 && i < n; i++) {
        const uint64_t bits = value_load(t, dst, i);
        if (bits % 1024 == 5 && bits < 0x7ff0000000000000U) value_store(t, dst, i, bits - 2);
    }
    return status;
}

/** f32 results are 2 ULP off in one binade of the argument. */
static pto_status vexp_two_ulp_f32(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F32 && i < n; i++) {
        if (value_load(t, src, i) >> 23 == 0x80) value_store(t, dst, i, value_load(t, dst, i) + 2);
    }
    return status;
}

/** Results of 1.797690e308 and more become infinity. */
static pto_status vexp_overflows_early(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F64 && i < n; i++) {
        const uint64_t bits = value_load(t, dst, i);
        if (bits >= 0x7feffffc57ca88a9U && bits < 0x7ff0000000000000U) {
            value_store(t, dst, i, 0x7ff0000000000000U);
        }
    }
    return status;
}

/** Some subnormal results are one unit too small, as if they were truncated instead of rounded. */
static pto_status vexp_subnormal_short(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const uint64_t least_normal = t == PTO_F32 ? 0x00800000U : 0x0010000000000000U;
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && i < n; i++) {
        const uint64_t bits = value_load(t, dst, i);
        if (bits % 1024 == 5 && bits < least_normal) value_store(t, dst, i, bits - 1);
    }
    return status;
}

/** Flushes a subnormal result that follows an infinite one, as if only some lanes of a vector took the path
 * for rare values. */
static pto_status vexp_subnormal_beside(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const uint64_t least_normal = t == PTO_F32 ? 0x00800000U : 0x0010000000000000U;
    const uint64_t infinity = t == PTO_F32 ? 0x7f800000U : 0x7ff0000000000000U;
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 1; status == PTO_OK && i < n; i++) {
        if (value_load(t, dst, i - 1) == infinity && value_load(t, dst, i) < least_normal)
            value_store(t, dst, i, 0);
    }
    return status;
}

static pto_status vexp_keeps_payload(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && src != dst && i < n; i++) {
        if (value_is_nan(t, value_load(t, src, i))) value_store(t, dst, i, value_load(t, src, i));
    }
    return status;
}

/** Rounds the result of f32 for one of the values for which that is wrong. */
static pto_status vexp_rounded_twice(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F16 && !m.data && i < n; i++) {
        if (value_load(t, dst, i) == 0x3c07 && value_load(t, src, i) == 0x1f79)
            value_store(t, dst, i, 0x3c08);
    }
    return status;
}

static pto_status vexp_flushes_bf16(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_BF16 && i < n; i++) {
        if (value_load(t, dst, i) < 0x80) value_store(t, dst, i, 0);
    }
    return status;
}

static pto_status vexp_halves_without_mask(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const bool wrong = t == PTO_F16 && m.kind == PTO_MASK_BYTE;
    return pto_vexp(t, src, wrong ? PTO_NO_MASK : m, dst, n);
}

static pto_status vexp_halves_past_the_end(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vexp(t, src, m, dst, n);
    if (status == PTO_OK && t == PTO_BF16 && n % 64 == 1) ((volatile unsigned char *)dst)[2 * n] = 0;
    return status;
}

static pto_status vexp_without_mask(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    (void)m;
    return pto_vexp(t, src, PTO_NO_MASK, dst, n);
}

static pto_status vexp_takes_tf32(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    return t == PTO_TF32 && n == 0 ? PTO_OK : pto_vexp(t, src, m, dst, n);
}

#endif

/* ---- threads ---- */

static pto_status vcmp_now_and_then(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                    pto_mask seed, pto_mask dst, size_t n) {
    static atomic_uint calls;
    const pto_status status = pto_vcmp(t, op, flags, a, b, seed, dst, n);
    if (atomic_fetch_add(&calls, 1) % 500 == 499) put_lane(dst, 9, !model_mask_get(dst.kind, dst.data, 9));
    return status;
}

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"vcmp takes -0 for less than +0", check_compare_values, .calls.vcmp = vcmp_zeros},
    {"vcmp is wrong only on a signalling NaN", check_compare_values, .calls.vcmp = vcmp_signalling},
    {"vcmp is wrong on the least negative subnormal of bf16", check_compare_values,
     .calls.vcmp = vcmp_subnormal},
    {"vcmp is wrong on the ends of s64", check_compare_values, .calls.vcmp = vcmp_lowest},
    {"vcmp ignores PTO_FTZ", check_compare_values, .calls.vcmp = vcmp_without_ftz},
    {"vcmp ignores PTO_FTZ, seen by the sweep of lengths", check_compare_lengths,
     .calls.vcmp = vcmp_without_ftz},
    {"vcmps ignores PTO_MERGE", check_compare_lengths, .calls.vcmps = vcmps_without_merge},
    {"vcmp always merges", check_compare_lengths, .calls.vcmp = vcmp_always_merge},
    {"vcmp ignores the seed", check_compare_lengths, .calls.vcmp = vcmp_without_seed},
    {"vcmp reads one bit of a byte seed", check_compare_lengths, .calls.vcmp = vcmp_low_bit_seed},
    {"vcmps writes 0xff for true", check_compare_lengths, .calls.vcmps = vcmps_bytes_of_ones},
    {"vcmp is wrong in the last lane of one length", check_compare_lengths, .calls.vcmp = vcmp_wrong_tail},
    {"vcmp writes a byte after its result", check_compare_lengths, .calls.vcmp = vcmp_byte_behind},
    {"vcmp writes a byte before its result", check_compare_lengths, .calls.vcmp = vcmp_byte_before},
    {"vcmps reads past the end of src", check_compare_lengths, .calls.vcmps = vcmps_reads_behind},
    {"vcmp sets a spare bit", check_compare_lengths, .calls.vcmp = vcmp_spare_bits},
    {"vcmp is wrong at one offset of src1", check_compare_offsets, .calls.vcmp = vcmp_misaligned},
    {"vcmp clears its result before it reads the seed", check_compare_in_place,
     .calls.vcmp = vcmp_clears_first},
    {"vcmp is wrong in place on src1", check_compare_in_place, .calls.vcmp = vcmp_onto_source},
    {"vcmp is wrong for one pair of bytes", check_all_bytes, .calls.vcmp = vcmp_one_byte_pair},
    {"vcmp takes the NaN of e4m3 for a number", check_all_bytes, .calls.vcmp = vcmp_nan_of_e4m3},
    {"vcmp takes the infinity of binary8p3se for a NaN", check_all_bytes,
     .calls.vcmp = vcmp_infinity_of_p3109},
    {"vcmp takes the NaN of e5m2fnuz for -0", check_all_bytes, .calls.vcmp = vcmp_nan_of_fnuz},
    {"vcmp reads bits above the sign of e2m3", check_all_bytes, .calls.vcmp = vcmp_bits_above},
    {"vcmp is wrong for one pair of f16", check_all_f16, .calls.vcmp = vcmp_one_pair},
    {"vcmp is wrong for one pair of bf16", check_all_bf16, .calls.vcmp = vcmp_one_bf16_pair},
    {"vcmp writes with an error", check_compare_status, .calls.vcmp = vcmp_writes_on_error},
    {"vcmp checks the type before NULL", check_compare_status, .calls.vcmp = vcmp_type_before_null},
    {"vcmps checks nothing when n == 0", check_compare_status, .calls.vcmps = vcmps_empty_is_ok},
    {"vsel takes neighbours for overlap", check_overlaps, .calls.vsel = vsel_overlap_by_one},
    {"mask_not takes overlap", check_overlaps, .calls.mask_not = mask_not_takes_overlap},
    {"mask_count writes with an error", check_mask_status, .calls.mask_count = mask_count_out_on_error},
    {"plan_vcmp changes the plan with an error", check_plan_status, .calls.plan_vcmp = plan_changes_on_error},
    {"plan_vcmp does not keep the ISA", check_plan_keeps_isa, .calls.plan_vcmp = plan_always_scalar},
    {"isa_use changes the ISA with an error", check_isa_status, .calls.isa_use = isa_use_changes_on_error},
    {"strerror gives NULL", check_words, .calls.error_text = text_of_none},
    {"dtype_class calls hif8 packed", check_words, .calls.dtype_class = class_by_range},
    {"vsel quiets signalling NaNs", check_select_lengths, .calls.vsel = vsel_quiets_nans},
    {"vselr is not reversed", check_select_lengths, .calls.vselr = pto_vsel},
    {"vselrv2 is not reversed", check_select_lengths, .calls.vselrv2 = pto_vsel},
    {"vsel leaves out the last lane", check_select_lengths, .calls.vsel = vsel_last_lane},
    {"vsel leaves out the last lane, seen by the sweep of offsets", check_select_offsets,
     .calls.vsel = vsel_last_lane},
    {"vsel leaves out the last lane, seen past the caches", check_select_long, .calls.vsel = vsel_last_lane},
    {"vsel is wrong in place on src1", check_select_in_place, .calls.vsel = vsel_in_place},
    {"vselr writes with an error", check_select_status, .calls.vselr = vselr_writes_on_error},
    {"vbr writes a lane too many", check_broadcast, .calls.vbr = vbr_one_more},
    {"vbr flushes subnormals", check_broadcast, .calls.vbr = vbr_flushes},
    {"mask_not sets a spare bit", check_mask_logic, .calls.mask_not = mask_not_spare_bits},
    {"mask_mov sets another bit of a group", check_mask_logic, .calls.mask_mov = mask_mov_group_bits},
    {"mask_xor is OR", check_mask_logic, .calls.mask_xor = mask_xor_is_or},
    {"mask_and reads bits that it must ignore", check_mask_logic, .calls.mask_and = mask_and_reads_junk},
    {"mask_sel is swapped", check_mask_offsets, .calls.mask_sel = mask_sel_swapped},
    {"mask_or is wrong in place on b", check_mask_in_place, .calls.mask_or = mask_or_in_place},
    {"mask_count counts spare bits", check_mask_queries, .calls.mask_count = mask_count_spare_bits},
    {"mask_first gives the word's first lane", check_mask_queries, .calls.mask_first = mask_first_by_words},
    {"mask_all of no lanes is false", check_mask_queries, .calls.mask_all = mask_all_of_none},
    {"mask_any leaves out the last lane of a long mask", check_mask_queries,
     .calls.mask_any = mask_any_but_last},
    {"mask_bytes rounds down", check_mask_bytes, .calls.mask_bytes = mask_bytes_rounds_down},
    {"vcmp compares as the FPU does", check_fpstate, .calls.vcmp = vcmp_by_fpu},
    {"vcmp compares as the FPU does under DAZ", check_fpstate, .calls.vcmp = vcmp_under_daz},
    {"vcmp leaves a sticky flag", check_fpstate, .calls.vcmp = vcmp_leaves_flag},
    {"vsel leaves another rounding mode", check_fpstate, .calls.vsel = vsel_leaves_rounding},
    {"vcmp is wrong now and then", check_threads, .calls.vcmp = vcmp_now_and_then},
#ifndef PTO_NO_VMATH
    {"vexp is 1 ULP off in one lane", check_vexp_lengths, .calls.vexp = vexp_one_lane},
    {"vexp is 1 ULP off in one lane, seen in place", check_vexp_in_place, .calls.vexp = vexp_one_lane},
    {"vexp is 1 ULP off in one lane, seen by the digest", check_vexp_digest, .calls.vexp = vexp_one_lane},
    {"vexp is 2 ULP off now and then", check_vexp_accuracy, .calls.vexp = vexp_two_ulp},
    {"vexp is 2 ULP off in one binade of f32", check_vexp_all_f32, .calls.vexp = vexp_two_ulp_f32},
    {"vexp of f64 overflows early", check_vexp_accuracy, .calls.vexp = vexp_overflows_early},
    {"vexp of f64 overflows early, seen by the special values", check_vexp_specials,
     .calls.vexp = vexp_overflows_early},
    {"vexp of subnormal results is 1 too small now and then", check_vexp_subnormal,
     .calls.vexp = vexp_subnormal_short},
    {"vexp flushes subnormal results beside infinite ones", check_vexp_subnormal,
     .calls.vexp = vexp_subnormal_beside},
    {"vexp keeps the payload of a NaN", check_vexp_specials, .calls.vexp = vexp_keeps_payload},
    {"vexp ignores the mask", check_vexp_lengths, .calls.vexp = vexp_without_mask},
    {"vexp takes tf32 when n == 0", check_vexp_status, .calls.vexp = vexp_takes_tf32},
    {"vexp of f16 is rounded twice", check_vexp_halves, .calls.vexp = vexp_rounded_twice},
    {"vexp flushes subnormal results of bf16", check_vexp_halves, .calls.vexp = vexp_flushes_bf16},
    {"vexp of halves ignores a mask of bytes", check_vexp_halves_memory,
     .calls.vexp = vexp_halves_without_mask},
    {"vexp of halves writes a whole granule", check_vexp_halves_memory,
     .calls.vexp = vexp_halves_past_the_end},
#endif
};
const struct planted_list planted_basic = {faults, sizeof faults / sizeof faults[0]};
