/* SPDX-License-Identifier: MIT */
/**
 * @file cast.h
 * The exact conversion between any two formats, on arrays. It belongs to no instruction set: a value is rounded once to
 * the destination, as IEEE 754 defines it. convert.h has PTX's conversions, and vcvt.h has PTO's; "Which conversion" in
 * docs/calls.md compares the three.
 *
 * @code
 * // To the fp8 of AMD's MI300, to nearest even. Larger magnitudes and infinities become 240.
 * const pto_cast_op to_fp8 = {PTO_E4M3FNUZ, PTO_F32, PTO_RN, PTO_OVERFLOW_SATURATE};
 * const float x[4] = {1, -1000, NAN, -0.0F};
 * uint8_t y[4];
 * if (pto_cast(to_fp8, x, y, NULL, 4) != PTO_OK) return 1;
 * assert(y[0] == 0x40 && y[1] == 0xff && y[2] == 0x80 && y[3] == 0); // -240, the NaN, and the only zero
 *
 * // An f64 is rounded to e4m3 once. Rounded to f32 before, it would become -432, and then -448.
 * const pto_cast_op from_f64 = {PTO_E4M3, PTO_F64, PTO_RN, PTO_OVERFLOW_IEEE};
 * const double wide[2] = {-431.99999999999994, 1000};
 * if (pto_cast(from_f64, wide, y, NULL, 2) != PTO_OK) return 1;
 * assert(y[0] == 0xfd && y[1] == 0x7f); // -416, and the NaN, since e4m3 has no infinity
 *
 * // Integers of 4 bits: the first is in the low bits of a byte. Values that are out of range are clamped.
 * const pto_cast_op to_s4 = {PTO_S4, PTO_F32, PTO_RNA, PTO_OVERFLOW_IEEE};
 * const float z[3] = {2.5F, -100, 1};
 * if (pto_cast(to_s4, z, y, NULL, 3) != PTO_OK) return 1;
 * assert(y[0] == 0x83 && y[1] == 0x01);
 *
 * // Stochastic rounding with one word for each element: 1/4 of all words round 1.0625 up to 1.25.
 * const pto_cast_op stochastic = {PTO_E3M2, PTO_F32, PTO_RS, PTO_OVERFLOW_IEEE};
 * const float quarter[2] = {1.0625F, 1.0625F};
 * const uint32_t words[2] = {0xbfffffff, 0xc0000000};
 * if (pto_cast(stochastic, quarter, y, words, 2) != PTO_OK) return 1;
 * assert(y[0] == 0x0c && y[1] == 0x0d);
 * @endcode
 */
#ifndef PTO_CAST_H
#define PTO_CAST_H

#include "convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of floating-point results that are too large. Integer results are always clamped. docs/names.md lists
    the names in other software. */
typedef enum pto_overflow {
    /** An infinity. In formats without infinities the NaN, in formats with neither the largest finite value. If the
        rounding is towards zero, to odd, or away from the infinity in question, a finite value becomes the largest
        finite one, as IEEE 754 defines it. */
    PTO_OVERFLOW_IEEE,
    PTO_OVERFLOW_SATURATE,       /**< the largest finite value of the same sign, also for infinities */
    PTO_OVERFLOW_SATURATE_FINITE /**< as SATURATE for finite values, and as IEEE for infinities */
} pto_overflow;

/** A conversion without its operands. */
typedef struct pto_cast_op {
    pto_dtype dst;         /**< destination type */
    pto_dtype src;         /**< source type */
    pto_round round;       /**< PTO_RN, PTO_RNA, PTO_RZ, PTO_RM, PTO_RP, PTO_RS or PTO_RO */
    pto_overflow overflow; /**< what becomes of results that are too large */
} pto_cast_op;

/**
 * Returns PTO_OK if pto_cast() takes this conversion, else PTO_ERR_TYPE or PTO_ERR_MODIFIER, as pto_cast() would.
 */
PTO_CALL pto_status pto_cast_check(pto_cast_op op);

/**
 * dst[i] = src[i], rounded to the destination type, for i < n.
 *
 * Types: all except the untyped ones (B8 to B64), those of several elements (F16X2 to S16X2), BFP8 and BFP4. Every
 * pair of the others is legal, in every rounding.
 *
 * The source value is taken exactly and rounded once to the destination's precision and exponent range. Subnormal
 * values are kept. In detail:
 *
 *  - A NaN becomes the destination's canonical NaN, which is positive: all bits set except the sign, and in tf32 the
 *    unused ones; 80 in FNUZ and P3109's formats and hif8, ff in ue8m0 and ue5m3. In formats without NaN (e2m3, e3m2,
 *    e2m1, e1m2, s2f6) it becomes the largest value, and in integers 0.
 *  - Integers, and s2f6, are clamped to their range, and so are infinities.
 *  - PTO_RN rounds ties to the even code. PTO_RNA rounds them away from zero.
 *  - PTO_RS adds the element's random word to the leading 32 bits that are cut off. The magnitude is rounded up if this
 *    carries. So the expected result is exact, or exact to 2^-32 units if more than 32 bits are cut off.
 *  - -0 becomes +0 in formats without it: integers, s2f6, FNUZ and P3109's formats, hif8, ue8m0 and ue5m3.
 *  - ue8m0 and ue5m3 have no sign: they take the magnitude, as pto_cvt() does. ue8m0 has no zero: magnitudes below
 *    2^-127 become 2^-127 in every rounding.
 *
 * docs/semantics.md compares these rules with those of other software.
 *
 * src, dst: n elements each, stored as pto_dtype describes. n elements of 4 bits take ceil(n / 2) bytes, those of 2
 * bits ceil(n / 4). The unused bits of the last byte are written as 0 and ignored when read; so are the top two bits of
 * e2m3 and e3m2, and the low 13 bits of tf32.
 *
 * random_bits: one uint32_t per element, of any alignment, for PTO_RS. Otherwise NULL.
 *
 * In place: dst may be src if the elements have the same size. dst must not overlap random_bits.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst, or required random_bits), PTO_ERR_TYPE, PTO_ERR_MODIFIER
 * (rounding or overflow unknown or not taken, or random_bits without PTO_RS), PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_cast(pto_cast_op op, const void *src, void *dst, const void *random_bits, size_t n);

#ifdef __cplusplus
}
#endif
#endif
