/* SPDX-License-Identifier: MIT */
/*
 * Relations of f16 and bf16 in AVX-512, in integers and so in any FP state. What decides is how few
 * instructions there are, so conditions are chained as masked comparisons rather than combined as masks.
 */
#ifndef PTO_AVX512_HALF_H
#define PTO_AVX512_HALF_H

/* Subnormals as +0: they, and zeros, have no bit where infinity has them all. */
static ALWAYS_INLINE vec half_flush(vec x, s16 infinity) {
    return _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(x, _mm512_set1_epi16(infinity)), x);
}

/* Sign and magnitude to two's complement: both zeros give 0, order is kept. */
static ALWAYS_INLINE vec half_order(vec x) {
    return _mm512_mask_sub_epi16(x, _mm512_movepi16_mask(x), _mm512_set1_epi16(INT16_MIN), x);
}

/* Neither is a NaN: doubling drops the sign, and the greater of both must not be above infinity. */
static ALWAYS_INLINE vmask_16 half_ordered(vec x, vec y, s16 infinity) {
    const vec greater = _mm512_max_epu16(_mm512_add_epi16(x, x), _mm512_add_epi16(y, y));
    return _mm512_cmple_epu16_mask(greater, _mm512_set1_epi16((s16)(infinity * 2)));
}

/* As two's complement numbers NaNs lie above +infinity and below -infinity; for a < b and a <= b it is enough
 * to look at the outer bounds. */
static ALWAYS_INLINE vmask_16 half_inside(vec a, vec b, s16 infinity) {
    const vmask_16 b_not_above = _mm512_cmple_epi16_mask(b, _mm512_set1_epi16(infinity));
    return _mm512_mask_cmpge_epi16_mask(b_not_above, a, _mm512_set1_epi16((s16)-infinity));
}

static ALWAYS_INLINE vmask_16 half_lt(vec x, vec y, s16 infinity) {
    const vec a = half_order(x), b = half_order(y);
    return _mm512_mask_cmplt_epi16_mask(half_inside(a, b, infinity), a, b);
}

static ALWAYS_INLINE vmask_16 half_le(vec x, vec y, s16 infinity) {
    const vec a = half_order(x), b = half_order(y);
    return _mm512_mask_cmple_epi16_mask(half_inside(a, b, infinity), a, b);
}

/* The same bits, not those of a NaN; or both zero. */
static ALWAYS_INLINE vmask_16 half_eq(vec x, vec y, s16 infinity) {
    const vec doubled = _mm512_add_epi16(x, x);
    const vmask_16 same = _mm512_mask_cmpeq_epi16_mask(
        _mm512_cmple_epu16_mask(doubled, _mm512_set1_epi16((s16)(infinity * 2))), x, y);
    return same | _mm512_testn_epi16_mask(_mm512_or_si512(x, y), _mm512_set1_epi16(INT16_MAX));
}

/* Ordered, with other bits, and not both zero. */
static ALWAYS_INLINE vmask_16 half_lg(vec x, vec y, s16 infinity) {
    const vmask_16 others = _mm512_mask_cmpneq_epi16_mask(half_ordered(x, y, infinity), x, y);
    return _mm512_mask_test_epi16_mask(others, _mm512_or_si512(x, y), _mm512_set1_epi16(INT16_MAX));
}

static ALWAYS_INLINE vmask_16 half_relation(enum basis r, vec x, vec y, s16 infinity, bool flush) {
    if (flush) {
        x = half_flush(x, infinity);
        y = half_flush(y, infinity);
    }
    switch (r) {
    case BASIS_EQ: return half_eq(x, y, infinity);
    case BASIS_LT: return half_lt(x, y, infinity);
    case BASIS_LE: return half_le(x, y, infinity);
    case BASIS_LG: return half_lg(x, y, infinity);
    case BASIS_ORD: return half_ordered(x, y, infinity);
    case BASIS_GT: return half_lt(y, x, infinity);
    case BASIS_GE: return half_le(y, x, infinity);
    }
    return 0;
}

#endif
