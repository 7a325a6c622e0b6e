/* SPDX-License-Identifier: MIT */
/*
 * Relations of f16 and bf16 where AVX-512 differs from loops/half.h. Only one port makes masks, so the number
 * of masks decides the speed. half_ordered makes one, and conditions are chained as masked comparisons
 * instead of combined as masks.
 */
#ifndef PTO_AVX512_HALF_H
#define PTO_AVX512_HALF_H

enum { A_XOR_B_AND_C = 0x78 }; /* the truth table of VPTERNLOG for a ^ (b & c) */

static ALWAYS_INLINE vec v_const_16(s16 k) {
    return _mm512_set1_epi16(k);
}

static ALWAYS_INLINE vec v_add_16(vec x, vec y) {
    return _mm512_add_epi16(x, y);
}

static ALWAYS_INLINE vec v_adds_s16(vec x, vec y) {
    return _mm512_adds_epi16(x, y);
}

static ALWAYS_INLINE vec v_subs_s16(vec x, vec y) {
    return _mm512_subs_epi16(x, y);
}

static ALWAYS_INLINE vmask_16 v_none_of_16(vec x, vec bits) {
    return _mm512_testn_epi16_mask(x, bits);
}

/* The absolute value of the bits as an integer is the magnitude m of a positive half, and 8000 - m of a
 * negative one. Flipping the sign of the latter makes it -m. */
static ALWAYS_INLINE vec v_order_16(vec x) {
    return _mm512_ternarylogic_epi32(_mm512_abs_epi16(x), x, v_const_16(INT16_MIN), A_XOR_B_AND_C);
}

#define VEC_HAS_HALF_EQUALITY
/* Returns the lanes that are not NaNs. Doubling drops the sign; a NaN is then above infinity. */
static ALWAYS_INLINE vmask_16 half_is_not_nan(vec doubled, s16 infinity) {
    return _mm512_cmple_epu16_mask(doubled, v_const_16((s16)(infinity * 2)));
}

/* Returns the lanes where neither x nor y is a NaN. It checks only the larger of both magnitudes. */
static ALWAYS_INLINE vmask_16 half_ordered(vec x, vec y, s16 infinity) {
    return half_is_not_nan(_mm512_max_epu16(_mm512_add_epi16(x, x), _mm512_add_epi16(y, y)), infinity);
}

/* Returns the lanes where the bits are equal and not those of a NaN, or where both are zeros: these have none
 * of the bits `nonzero`. The NaN check reads y, because a scalar y is checked before the loop. */
static ALWAYS_INLINE vmask_16 half_eq(vec x, vec y, s16 infinity, s16 nonzero) {
    const vmask_16 same =
        _mm512_mask_cmpeq_epi16_mask(half_is_not_nan(_mm512_add_epi16(y, y), infinity), x, y);
    return same | _mm512_testn_epi16_mask(_mm512_or_si512(x, y), v_const_16(nonzero));
}

/* Returns the lanes where neither is a NaN, the bits differ, and not both are zeros. */
static ALWAYS_INLINE vmask_16 half_lg(vec x, vec y, s16 infinity, s16 nonzero) {
    const vmask_16 others = _mm512_mask_cmpneq_epi16_mask(half_ordered(x, y, infinity), x, y);
    return _mm512_mask_test_epi16_mask(others, _mm512_or_si512(x, y), v_const_16(nonzero));
}

#endif
