/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of vmax, vmin, vclamp, vrelu and vsels. */
#include "faults/planted_faults.h"
#include "support/fpstate.h"
#include "support/values.h"

#include <string.h>

static uint64_t operand(pto_dtype t, pto_in in, size_t lane) {
    return value_load(t, in.data, in.scalar ? 0 : lane);
}

static uint64_t sign_of(pto_dtype t) {
    return (uint64_t)1 << (8 * model_size(t) - 1);
}

/* ---- vmax: values ---- */

/** Returns true, with the wrong value in *result, for the operands for which the planted fault changes the
 * result. */
typedef bool wrong_pair(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result);

/** Makes the call and changes the results for which `wrong` returns true. In-place calls stay correct, because their
 * operands are overwritten when the call returns. */
static pto_status wrong_vmax(wrong_pair *wrong, vmax_call *call, pto_dtype t, unsigned flags, pto_in a,
                             pto_in b, void *dst, size_t n) {
    const pto_status status = call(t, flags, a, b, dst, n);
    if (status != PTO_OK || a.data == dst || b.data == dst) return status;
    for (size_t i = 0; i < n; i++) {
        uint64_t result = value_load(t, dst, i);
        if (wrong(t, flags, operand(t, a, i), operand(t, b, i), &result)) value_store(t, dst, i, result);
    }
    return status;
}

/** Returns -0 for +0 and -0, like x86's MAXPD, which treats both zeros as equal and returns the second
 * operand. */
static bool zeros_by_order(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_F64 || flags || a != 0 || b != sign_of(t)) return false;
    *result = b;
    return true;
}

static bool passes_a_nan(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    (void)flags;
    if (t != PTO_F16 || !value_is_nan(t, a) || !value_is_nan(t, b)) return false;
    *result = b | 0x200;
    return true;
}

/** Makes the result of a signalling NaN and a non-NaN value a NaN, as minNum of IEEE 754-2008 does. */
static bool signalling_wins(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_F32 || flags != 0 || !value_is_signalling(t, a) || value_is_nan(t, b)) return false;
    *result = 0x7fffffff;
    return true;
}

static bool nan_lost(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_BF16 || !(flags & PTO_PROPAGATE_NAN) || value_is_nan(t, a) || !value_is_nan(t, b))
        return false;
    *result = a;
    return true;
}

/** Keeps the payload of the only NaN of two f64, as without PTO_PROPAGATE_NAN. */
static bool payload_kept(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_F64 || !(flags & PTO_PROPAGATE_NAN) || !value_is_nan(t, a) || value_is_nan(t, b))
        return false;
    *result = a | 0x0008000000000000;
    return true;
}

static bool nan_takes_the_sign(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_F32 || !(flags & PTO_XORSIGN_ABS) || *result != 0x7fffffff) return false;
    *result |= (a ^ b) & 0x80000000;
    return true;
}

/** Ignores the sign of a NaN operand in the XOR of the signs. */
static bool sign_of_nan_lost(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_F16 || !(flags & PTO_XORSIGN_ABS) || value_is_nan(t, a) || !value_is_nan(t, b)) return false;
    if (*result == 0x7fff) return false;
    *result = (*result & 0x7fff) | (a & 0x8000);
    return true;
}

static bool subnormal_survives(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_F16 || flags != PTO_FTZ || !value_is_subnormal(t, b) || !value_is_nan(t, a)) return false;
    *result = b;
    return true;
}

static bool subnormal_lost(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    (void)flags;
    if (t != PTO_BF16 || a != 1 || b != 0) return false;
    *result = 0;
    return true;
}

static bool lowest_s64(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    (void)flags;
    if (t != PTO_S64 || a != sign_of(t) || b != 1) return false;
    *result = a;
    return true;
}

static bool one_pair_of_bytes(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    (void)flags;
    if (t != PTO_S8 || a != 0x9c || b != 0x63) return false;
    *result = a;
    return true;
}

/** Takes the infinity of e5m2 for a NaN. */
static bool infinity_lost(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_E5M2 || flags || a != 0x7c || b != 0x7b) return false;
    *result = b;
    return true;
}

/** Takes the NaN of e4m3fnuz for a negative zero. */
static bool zero_of_fnuz(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if (t != PTO_E4M3FNUZ || !(flags & PTO_PROPAGATE_NAN) || a != 0x80 || b != 1) return false;
    *result = b;
    return true;
}

/** Selects one pair of f16 and one of bf16. `a` is a special value, because a sampled sweep always includes those. */
static bool one_pair_of_halves(pto_dtype t, unsigned flags, uint64_t a, uint64_t b, uint64_t *result) {
    if ((t != PTO_F16 && t != PTO_BF16) || (flags & PTO_XORSIGN_ABS) == 0 || a != 1 || b != 0x4a5b)
        return false;
    *result ^= 1;
    return true;
}

#define WRONG_MAX(name, call, wrong)                                                                         \
    static pto_status name(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {           \
        return wrong_vmax(wrong, call, t, flags, a, b, dst, n);                                              \
    }

WRONG_MAX(wrong_zeros, pto_vmax, zeros_by_order)
WRONG_MAX(wrong_passes_a_nan, pto_vmin, passes_a_nan)
WRONG_MAX(wrong_signalling, pto_vmin, signalling_wins)
WRONG_MAX(wrong_nan_lost, pto_vmax, nan_lost)
WRONG_MAX(wrong_payload_kept, pto_vmin, payload_kept)
WRONG_MAX(wrong_signed_nan, pto_vmax, nan_takes_the_sign)
WRONG_MAX(wrong_sign_of_nan, pto_vmin, sign_of_nan_lost)
WRONG_MAX(wrong_subnormal_survives, pto_vmax, subnormal_survives)
WRONG_MAX(wrong_subnormal_lost, pto_vmax, subnormal_lost)
WRONG_MAX(wrong_lowest, pto_vmax, lowest_s64)
WRONG_MAX(wrong_bytes, pto_vmax, one_pair_of_bytes)
WRONG_MAX(wrong_infinity, pto_vmax, infinity_lost)
WRONG_MAX(wrong_fnuz, pto_vmax, zero_of_fnuz)
WRONG_MAX(wrong_halves, pto_vmin, one_pair_of_halves)

/* ---- clamp and relu ---- */

/** Computes max(min(x, hi), lo), which gives a different result if lo is greater than hi. */
static pto_status clamp_other_order(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                    size_t n) {
    unsigned char step[8 * 64];
    if (t != PTO_U16 || n == 0 || n > 64 || lo.data == dst) return pto_vclamp(t, flags, x, lo, hi, dst, n);
    if (pto_vmin(t, flags, x, hi, step, n) != PTO_OK) return pto_vclamp(t, flags, x, lo, hi, dst, n);
    return pto_vmax(t, flags, pto_in_array(step), lo, dst, n);
}

/** Ignores PTO_PROPAGATE_NAN in the second step, the minimum with hi. */
static pto_status clamp_half_flagged(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                     size_t n) {
    const pto_status status = pto_vclamp(t, flags, x, lo, hi, dst, n);
    if (status != PTO_OK || t != PTO_F32 || !(flags & PTO_PROPAGATE_NAN) || hi.data == dst) return status;
    for (size_t i = 0; i < n; i++) {
        if (value_load(t, dst, i) == 0x7fffffff) value_store(t, dst, i, operand(t, hi, i));
    }
    return status;
}

/** Compares as integers, so that a positive NaN is greater than hi. */
static pto_status clamp_to_hi(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                              size_t n) {
    const pto_status status = pto_vclamp(t, flags, x, lo, hi, dst, n);
    const bool by_scalars = !x.scalar && lo.scalar && hi.scalar && x.data != dst;
    if (status != PTO_OK || t != PTO_F16 || flags != 0 || !by_scalars || n < 64) return status;
    for (size_t i = 0; operand(t, lo, 0) == 0xbc00 && i < n; i++) {
        const uint64_t bits = operand(t, x, i);
        if (value_is_nan(t, bits) && bits < sign_of(t)) value_store(t, dst, i, operand(t, hi, i));
    }
    return status;
}

/** Returns lo, which is -0, for a result of +0, like x86's MAXPD, which treats both zeros as equal. */
static pto_status clamp_zero_is_lo(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                   size_t n) {
    const pto_status status = pto_vclamp(t, flags, x, lo, hi, dst, n);
    const bool by_scalars = !x.scalar && lo.scalar && hi.scalar && x.data != dst;
    if (status != PTO_OK || t != PTO_F64 || !by_scalars || n < 64) return status;
    for (size_t i = 0; operand(t, lo, 0) == sign_of(t) && i < n; i++) {
        if (value_load(t, dst, i) == 0) value_store(t, dst, i, sign_of(t));
    }
    return status;
}

/** Returns NaNs unchanged, like x > 0 ? x : 0 with a comparison that is true for NaNs. */
static pto_status relu_keeps_nan(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    const pto_status status = pto_vrelu(t, flags, x, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F64 && x != dst && i < n; i++) {
        if (value_is_nan(t, value_load(t, x, i))) value_store(t, dst, i, value_load(t, x, i));
    }
    return status;
}

static pto_status relu_keeps_payload(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    const pto_status status = pto_vrelu(t, flags, x, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F64 && flags != 0 && x != dst && i < n; i++) {
        if (value_is_nan(t, value_load(t, x, i))) value_store(t, dst, i, value_load(t, x, i));
    }
    return status;
}

static pto_status clamp_loses_nan(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                  size_t n) {
    const pto_status status = pto_vclamp(t, flags, x, lo, hi, dst, n);
    const bool by_scalars = !x.scalar && lo.scalar && hi.scalar && x.data != dst;
    if (status != PTO_OK || t != PTO_F64 || flags == 0 || !by_scalars || n < 64) return status;
    for (size_t i = 0; operand(t, lo, 0) == 0 && i < n; i++) {
        if (value_is_nan(t, operand(t, x, i))) value_store(t, dst, i, 0);
    }
    return status;
}

static pto_status relu_minus_zero(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    const pto_status status = pto_vrelu(t, flags, x, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F16 && x != dst && i < n; i++) {
        if (value_load(t, x, i) == 0x8000) value_store(t, dst, i, 0x8000);
    }
    return status;
}

/* ---- memory ---- */

static pto_status max_last_lane(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return pto_vmax(t, flags, a, b, dst, t == PTO_S32 && n % 64 == 33 ? n - 1 : n);
}

static pto_status max_swaps(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    if (a.scalar && !b.scalar && t == PTO_U32) return pto_vmin(t, flags, a, b, dst, n);
    return pto_vmax(t, flags, a, b, dst, n);
}

/** Reads one byte after the end of the second operand, but does not write it. */
static pto_status min_reads_behind(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    const pto_status status = pto_vmin(t, flags, a, b, dst, n);
    if (status == PTO_OK && n > 2)
        (void)((const volatile unsigned char *)b.data)[(b.scalar ? 1 : n) * model_size(t)];
    return status;
}

static pto_status relu_writes_behind(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    const pto_status status = pto_vrelu(t, flags, x, dst, n);
    if (status == PTO_OK && n > 64) ((volatile unsigned char *)dst)[n * model_size(t)] = 0;
    return status;
}

static pto_status clamp_misaligned(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                   size_t n) {
    const pto_status status = pto_vclamp(t, flags, x, lo, hi, dst, n);
    if (status == PTO_OK && n > 0 && (uintptr_t)hi.data % 64 == 37) *(unsigned char *)dst ^= 1;
    return status;
}

/** Re-reads a scalar operand after dst, which overlaps it, has been written. */
static pto_status max_rereads(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    const size_t first = 512, at = first * model_size(t);
    const pto_in rest_a = {(const unsigned char *)a.data + (a.scalar ? 0 : at), a.scalar};
    const pto_in rest_b = {(const unsigned char *)b.data + (b.scalar ? 0 : at), b.scalar};
    pto_status status;
    if (n <= first || t != PTO_U16) return pto_vmax(t, flags, a, b, dst, n);
    status = pto_vmax(t, flags, a, b, dst, first);
    if (status != PTO_OK) return status;
    return pto_vmax(t, flags, rest_a, rest_b, (unsigned char *)dst + at, n - first);
}

/** Does not write the last lane of a long result, which is written by streaming stores. */
static pto_status max_long_end(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return pto_vmax(t, flags, a, b, dst, n > 1 << 20 ? n - 1 : n);
}

/* ---- statuses ---- */

static pto_status max_takes_f64_ftz(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return pto_vmax(t, t == PTO_F64 ? flags & ~(unsigned)PTO_FTZ : flags, a, b, dst, n);
}

static pto_status min_takes_bits(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return pto_vmin(t == PTO_B16 ? PTO_U16 : t, flags, a, b, dst, n);
}

static pto_status clamp_takes_signs(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                    size_t n) {
    if (t == PTO_BF16) flags &= ~(unsigned)PTO_XORSIGN_ABS;
    return pto_vclamp(t, flags, x, lo, hi, dst, n);
}

static pto_status relu_modifier_first(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    if (flags & PTO_MERGE) return PTO_ERR_MODIFIER;
    return pto_vrelu(t, flags, x, dst, n);
}

static pto_status min_writes_on_error(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    const pto_status status = pto_vmin(t, flags, a, b, dst, n);
    if (status == PTO_ERR_MODIFIER && n > 0) memset(dst, 0, 1);
    return status;
}

static pto_status clamp_takes_overlap(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                      size_t n) {
    const pto_status status = pto_vclamp(t, flags, x, lo, hi, dst, n);
    return status == PTO_ERR_OVERLAP && hi.scalar ? PTO_OK : status;
}

/* ---- floating-point states ---- */

/** Compares with the FPU, which treats subnormals as zeros under DAZ. */
static pto_status max_by_fpu(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    const pto_status status = pto_vmax(t, flags, a, b, dst, n);
    if (status != PTO_OK || t != PTO_F32 || flags != 0) return status;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = operand(t, a, i), y = operand(t, b, i);
        float f, g;
        memcpy(&f, &x, sizeof f);
        memcpy(&g, &y, sizeof g);
        if (f > g) value_store(t, dst, i, x);
        if (f < g) value_store(t, dst, i, y);
    }
    return status;
}

static pto_status vsels_leaves_state(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vsels(t, src0, src1, m, dst, n);
    struct fp_state state = fp_state_get();
    state.status = 0;
    fp_state_set(&state);
    return status;
}

/* ---- vsels ---- */

static pto_status vsels_swaps_scalars(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst,
                                      size_t n) {
    const pto_in kept = src0;
    if (src0.scalar && src1.scalar && t == PTO_S16 && m.kind == PTO_MASK_BYTE) {
        src0 = src1;
        src1 = kept;
    }
    return pto_vsels(t, src0, src1, m, dst, n);
}

static pto_status vsels_last_lane(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    return pto_vsels(t, src0, src1, m, dst, t == PTO_B8 && src1.scalar && n > 64 ? n - 1 : n);
}

static pto_status vsels_quiets(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vsels(t, src0, src1, m, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F32 && i < n; i++) {
        const uint64_t bits = value_load(t, dst, i);
        if (value_is_signalling(t, bits)) value_store(t, dst, i, bits | 0x400000);
    }
    return status;
}

static pto_status vsels_misaligned(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    const pto_status status = pto_vsels(t, src0, src1, m, dst, n);
    if (status == PTO_OK && n > 0 && (uintptr_t)m.data % 64 == 37) *(unsigned char *)dst ^= 1;
    return status;
}

/** Clears dst before it reads a scalar that lies there. */
static pto_status vsels_clears_first(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    if (src1.scalar && src1.data == dst && n > 0) memset(dst, 0, model_size(t));
    return pto_vsels(t, src0, src1, m, dst, n);
}

static pto_status vsels_long_end(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    return pto_vsels(t, src0, src1, m, dst, n > 1 << 20 ? n - 1 : n);
}

static pto_status vsels_takes_any_kind(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst,
                                       size_t n) {
    if (n == 0 && m.kind == PTO_MASK_B64) m.kind = PTO_MASK_BYTE;
    return pto_vsels(t, src0, src1, m, dst, n);
}

static pto_status vsels_overlap_by_one(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst,
                                       size_t n) {
    const unsigned char *end = (const unsigned char *)src1.data + (src1.scalar ? 1 : n) * model_size(t);
    if (n > 0 && src1.scalar && end == dst) return PTO_ERR_OVERLAP;
    return pto_vsels(t, src0, src1, m, dst, n);
}

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"vmax gives -0 for +0 and -0", check_maxmin_values, .calls.vmax = wrong_zeros},
    {"vmin of two NaNs passes one on", check_maxmin_values, .calls.vmin = wrong_passes_a_nan},
    {"vmin does not pass over a signalling NaN", check_maxmin_values, .calls.vmin = wrong_signalling},
    {"vmax loses a NaN under PTO_PROPAGATE_NAN", check_maxmin_values, .calls.vmax = wrong_nan_lost},
    {"vmin keeps the payload of an f64 NaN under PTO_PROPAGATE_NAN", check_maxmin_values,
     .calls.vmin = wrong_payload_kept},
    {"vrelu of f64 keeps the payload under PTO_PROPAGATE_NAN", check_maxmin_values,
     .calls.vrelu = relu_keeps_payload},
    {"vclamp of f64 between scalars loses a NaN under PTO_PROPAGATE_NAN", check_maxmin_values,
     .calls.vclamp = clamp_loses_nan},
    {"vmax gives a NaN the sign of PTO_XORSIGN_ABS", check_maxmin_values, .calls.vmax = wrong_signed_nan},
    {"vmin leaves a NaN's sign out of PTO_XORSIGN_ABS", check_maxmin_values, .calls.vmin = wrong_sign_of_nan},
    {"vmax does not flush the operand beside a NaN", check_maxmin_values,
     .calls.vmax = wrong_subnormal_survives},
    {"vmax flushes the least subnormal of bf16", check_maxmin_values, .calls.vmax = wrong_subnormal_lost},
    {"vmax takes the lowest s64 for the greatest", check_maxmin_values, .calls.vmax = wrong_lowest},
    {"vclamp applies hi before lo", check_maxmin_values, .calls.vclamp = clamp_other_order},
    {"vclamp drops a flag in its second step", check_maxmin_values, .calls.vclamp = clamp_half_flagged},
    {"vclamp between scalars gives hi for a NaN", check_maxmin_values, .calls.vclamp = clamp_to_hi},
    {"vclamp between scalars gives lo for the other zero", check_maxmin_values,
     .calls.vclamp = clamp_zero_is_lo},
    {"vrelu keeps a NaN", check_maxmin_values, .calls.vrelu = relu_keeps_nan},
    {"vrelu keeps -0", check_maxmin_values, .calls.vrelu = relu_minus_zero},
    {"vmax takes the infinity of e5m2 for a NaN", check_maxmin_bytes, .calls.vmax = wrong_infinity},
    {"vmax takes the NaN of e4m3fnuz for -0", check_maxmin_bytes, .calls.vmax = wrong_fnuz},
    {"vmax is wrong for one pair of bytes", check_maxmin_bytes, .calls.vmax = wrong_bytes},
    {"vmin is wrong for one pair of f16", check_all_f16_maxmin, .calls.vmin = wrong_halves},
    {"vmin is wrong for one pair of bf16", check_all_bf16_maxmin, .calls.vmin = wrong_halves},
    {"vmax leaves out the last lane of one length", check_maxmin_lengths, .calls.vmax = max_last_lane},
    {"vmax of a scalar and an array is vmin", check_maxmin_lengths, .calls.vmax = max_swaps},
    {"vmin reads past the end of its second operand", check_maxmin_lengths, .calls.vmin = min_reads_behind},
    {"vrelu writes past the end of its result", check_maxmin_lengths, .calls.vrelu = relu_writes_behind},
    {"vclamp is wrong at one offset of hi", check_maxmin_offsets, .calls.vclamp = clamp_misaligned},
    {"vmax reads a scalar after writing over it", check_maxmin_in_place, .calls.vmax = max_rereads},
    {"vmax leaves out the last lane of a long result", check_maxmin_long, .calls.vmax = max_long_end},
    {"vmax takes PTO_FTZ on f64", check_maxmin_status, .calls.vmax = max_takes_f64_ftz},
    {"vmin takes b16", check_maxmin_status, .calls.vmin = min_takes_bits},
    {"vclamp takes PTO_XORSIGN_ABS on bf16", check_maxmin_status, .calls.vclamp = clamp_takes_signs},
    {"vrelu checks its flags before NULL", check_maxmin_status, .calls.vrelu = relu_modifier_first},
    {"vmin writes with an error", check_maxmin_status, .calls.vmin = min_writes_on_error},
    {"vclamp takes overlap with a scalar", check_maxmin_overlaps, .calls.vclamp = clamp_takes_overlap},
    {"vmax compares as the FPU does", check_maxmin_fpstate, .calls.vmax = max_by_fpu},
    {"vsels clears the sticky flags", check_maxmin_fpstate, .calls.vsels = vsels_leaves_state},
    {"vsels swaps two scalars under a mask of bytes", check_vsels_lengths,
     .calls.vsels = vsels_swaps_scalars},
    {"vsels leaves out the last lane", check_vsels_lengths, .calls.vsels = vsels_last_lane},
    {"vsels quiets signalling NaNs", check_vsels_lengths, .calls.vsels = vsels_quiets},
    {"vsels is wrong at one offset of the mask", check_vsels_offsets, .calls.vsels = vsels_misaligned},
    {"vsels clears dst before it reads a scalar there", check_vsels_in_place,
     .calls.vsels = vsels_clears_first},
    {"vsels leaves out the last lane of a long result", check_vsels_long, .calls.vsels = vsels_long_end},
    {"vsels takes any b64 mask when n == 0", check_vsels_status, .calls.vsels = vsels_takes_any_kind},
    {"vsels takes a neighbouring scalar for overlap", check_vsels_overlaps,
     .calls.vsels = vsels_overlap_by_one},
};
const struct planted_list planted_maxmin = {faults, sizeof faults / sizeof faults[0]};
