/* SPDX-License-Identifier: MIT */
/**
 * @file vcvt.h
 * PTO's conversions on arrays, pto.vcvt and pto.vtrc, as the vector unit of Ascend 950 computes them.
 *
 * PTX's conversions are in convert.h. The two differ in roundings, overflow, NaNs, and integers that are out of range.
 * "Which conversion" in docs/calls.md compares them with pto_cast().
 *
 * @code
 * // Without sat, integers are the low bits of the exact result; infinities are clamped, and a NaN gives 0.
 * const float x[4] = {2.5F, 65537, -INFINITY, NAN};
 * const pto_vcvt_op wrap = {.dst = PTO_S16, .src = PTO_F32, .rnd = PTO_VRND_A};
 * int16_t y[4];
 * if (pto_vcvt(wrap, x, PTO_NO_MASK, y, 4) != PTO_OK) return 1;
 * assert(y[0] == 3 && y[1] == 1 && y[2] == -32768 && y[3] == 0);
 *
 * // With sat, 65537 becomes 32767. Lanes that are off become zero.
 * const pto_vcvt_op clamp = {.dst = PTO_S16, .src = PTO_F32, .rnd = PTO_VRND_R, .sat = true};
 * const uint8_t on[1] = {0x03}; // lanes 0 and 1
 * if (pto_vcvt(clamp, x, pto_packed_in(on), y, 4) != PTO_OK) return 1;
 * assert(y[0] == 2 && y[1] == 32767 && y[2] == 0 && y[3] == 0);
 *
 * // As in the vector register: the results are the odd elements, with zeros between them.
 * int16_t odd[8];
 * if (pto_vcvt_part(clamp, PTO_PART_ODD, x, PTO_NO_MASK, odd, 4) != PTO_OK) return 1;
 * assert(odd[0] == 0 && odd[1] == 2 && odd[3] == 32767 && odd[5] == -32768 && odd[7] == 0);
 *
 * // Rounds to an integral value of the same type.
 * float whole[4];
 * if (pto_vtrc(PTO_F32, PTO_VRND_F, x, PTO_NO_MASK, whole, 4) != PTO_OK) return 1;
 * assert(whole[0] == 2 && whole[1] == 65537 && isinf(whole[2]) && isnan(whole[3]));
 * @endcode
 */
#ifndef PTO_VCVT_H
#define PTO_VCVT_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/** PTO's rounding modes. Exact conversions require PTO_VRND_R, which then has no effect. */
typedef enum pto_vrnd {
    PTO_VRND_R, /**< to nearest, ties to even */
    PTO_VRND_A, /**< to nearest, ties away from zero; the only mode to hif8 */
    PTO_VRND_F, /**< towards minus infinity (floor) */
    PTO_VRND_C, /**< towards plus infinity (ceil) */
    PTO_VRND_Z, /**< towards zero */
    PTO_VRND_O  /**< to odd: towards zero, and the last bit becomes 1 if the result is inexact */
} pto_vrnd;

/** A conversion without its operands. */
typedef struct pto_vcvt_op {
    pto_dtype dst; /**< destination type */
    pto_dtype src; /**< source type */
    pto_vrnd rnd;  /**< rounding mode */
    bool sat;      /**< clamp values that are out of range; must be false if the pair does not take it */
} pto_vcvt_op;

/**
 * The position of the narrower type's elements within the space of one wider element: EVEN and ODD if two fit, P0 to P3
 * if four fit.
 */
typedef enum pto_vpart {
    PTO_PART_EVEN, /**< the lower of two */
    PTO_PART_ODD,  /**< the upper of two */
    PTO_PART_P0,   /**< the lowest of four */
    PTO_PART_P1,   /**< the second of four */
    PTO_PART_P2,   /**< the third of four */
    PTO_PART_P3    /**< the highest of four */
} pto_vpart;

/**
 * dst[i] = mask[i] ? vcvt(src[i]) : 0 (all bits zero) for i < n.
 *
 * src, dst: n elements each. mask: n lanes, of a kind that fits the source type, or PTO_NO_MASK for every lane. PACKED
 * and BYTE fit every type; sources of 4 bits take only these.
 *
 * | dst                | src                                          | rnd         | sat                    |
 * | ------------------ | -------------------------------------------- | ----------- | ---------------------- |
 * | f16                | f32, bf16                                    | R A F C Z O | optional               |
 * | bf16               | f32                                          | R A F C Z O | optional               |
 * | bf16               | f16                                          | R A F C Z   | no                     |
 * | e4m3, e5m2         | f32                                          | R A Z       | optional               |
 * | e4m3, e5m2         | f16, bf16                                    | R A F C Z   | optional               |
 * | hif8               | f32, f16                                     | A           | optional               |
 * | e2m1, e1m2         | bf16                                         | R A F C Z   | no (always saturates)  |
 * | s16                | f32, f16                                     | R A F C Z O | optional               |
 * | s32                | f32, bf16                                    | R A F C Z O | optional               |
 * | s32                | f16                                          | R A F C Z O | no (always in range)   |
 * | s64                | f32                                          | R A F C Z O | optional               |
 * | s8, u8             | f16                                          | R A F C Z O | optional               |
 * | f32                | s32, u32, s64                                | R A F C Z O | no                     |
 * | f16                | s16                                          | R A F C Z O | no                     |
 * | f32                | f16, bf16, e4m3, e5m2, hif8, s16             | R (exact)   | no                     |
 * | f16                | hif8, u8, s8                                 | R (exact)   | no                     |
 * | bf16               | e2m1, e1m2                                   | R (exact)   | no                     |
 * | u8                 | u16, s16, u32, s32                           | R (exact)   | optional               |
 * | u16, s16           | u32, s32                                     | R (exact)   | optional               |
 * | s32                | s64                                          | R (exact)   | optional               |
 * | u32                | s16                                          | R (exact)   | no (always saturates)  |
 * | u16 u32 / s16 s32  | u8 / s8                                      | R (exact)   | no                     |
 * | u32 / s32 / s64    | u16 / s16 / s32                              | R (exact)   | no                     |
 *
 * Results. The source value is rounded once, and nothing is flushed.
 *
 *  - To integers: the rounded value. If it is out of range, the result with sat is the nearest integer in range.
 *    Without sat it is the low bits of the rounded value in two's complement. With and without sat, an infinity gives
 *    the largest or the lowest integer, and a NaN gives 0.
 *  - To floats: rounded as if the exponent had no upper bound. A result above the largest finite value has then
 *    overflowed, in every rounding mode. With sat it becomes the largest finite value; without sat it becomes an
 *    infinity, or in e4m3, which has none, the NaN. A NaN becomes +0 with sat, and without sat the type's NaN: 7e00
 *    (f16), 7fc0 (bf16), 7fc00000 (f32), 7f (e4m3, e5m2), 80 (hif8). -0 stays -0, except in hif8, which has one zero.
 *    e2m1 and e1m2 always saturate.
 *
 * In place: dst may be src if the elements have the same size.
 *
 * Semantics: PTO's pages and compilers. Where they do not define a result, the vendor's tables for that unit do. See
 * "PTO's vcvt" in docs/semantics.md, which also lists what is doubtful.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst), PTO_ERR_TYPE (unknown pair), PTO_ERR_MODIFIER (the pair
 * does not take rnd or sat), PTO_ERR_MASK, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vcvt(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n);

/**
 * Converts like pto_vcvt(), with the elements at the positions of PTO's parts.
 *
 * k is the number of narrower elements that fit in a wider one (2 takes EVEN and ODD, 4 takes P0 to P3). p is the
 * position that the part names, from 0 for EVEN and P0.
 *
 *  - Narrowing: dst[k * i + p] = mask[i] ? vcvt(src[i]) : 0, and all other elements of dst are written as 0. src
 *    has n elements, the mask n lanes, dst k * n elements.
 *  - Widening: dst[i] = mask[k * i + p] ? vcvt(src[k * i + p]) : 0. src has k * n elements, the mask k * n lanes, dst
 *    n elements.
 *
 * So n counts elements of the wider type. Elements of e2m1 and e1m2 are handled in pairs: a byte of two takes the
 * position of one element, and the mask's lane of the lower element decides for both. When narrowing, elements 2i and
 * 2i + 1 of src become 8i + 2p and 8i + 2p + 1 of dst; widening is the inverse. n must then be even.
 *
 * dst must not overlap src or mask. n may be up to SIZE_MAX / 16 / k.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst), PTO_ERR_TYPE, PTO_ERR_MODIFIER (also for a part that the
 * pair does not have; a pair of types of one width has no parts), PTO_ERR_MASK, PTO_ERR_SIZE (also for an odd n with
 * e2m1 or e1m2), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vcvt_part(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                  size_t n);

/**
 * dst[i] = mask[i] ? src[i] rounded to an integral value of its own type : 0, for i < n.
 *
 * Types: PTO_F16, PTO_BF16, PTO_F32; roundings R A F C Z. A zero result keeps the sign of its source. Infinities stay.
 * A NaN keeps its sign and payload and becomes quiet. src, dst, mask, in place and the statuses are as for pto_vcvt().
 */
PTO_CALL pto_status pto_vtrc(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst, size_t n);

/** Returns PTO_OK if pto_vcvt() takes this conversion, else PTO_ERR_TYPE or PTO_ERR_MODIFIER, as pto_vcvt() would. */
PTO_CALL pto_status pto_vcvt_check(pto_vcvt_op op);

/** Returns the number of conversions that pto_vcvt() takes. */
PTO_API size_t pto_vcvt_form_count(void);

/**
 * Stores in *op conversion i of those that pto_vcvt() takes. Each is listed once; those of one pair of types are
 * adjacent.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (i is not below pto_vcvt_form_count()).
 */
PTO_CALL pto_status pto_vcvt_form(size_t i, pto_vcvt_op *op);

#ifdef __cplusplus
}
#endif
#endif
