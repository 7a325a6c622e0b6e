/* SPDX-License-Identifier: MIT */
/**
 * @file vcvt.h
 * PTO's own conversions on arrays, pto.vcvt and pto.vtrc, as the vector unit of Ascend 950 does them. PTX's are in
 * convert.h; the two differ in roundings, in overflow, in NaNs and in integers that do not fit.
 *
 * @code
 * // Without sat an integer is the low bits of the exact result; an infinity clamps, and a NaN gives 0.
 * const float x[4] = {2.5F, 65537, -INFINITY, NAN};
 * const pto_vcvt_op wrap = {PTO_S16, PTO_F32, PTO_VRND_A, false};
 * int16_t y[4];
 * if (pto_vcvt(wrap, x, PTO_NO_MASK, y, 4) != PTO_OK) return 1;
 * assert(y[0] == 3 && y[1] == 1 && y[2] == -32768 && y[3] == 0);
 *
 * // With it 65537 is 32767. Lanes that are off are zero.
 * const pto_vcvt_op clamp = {PTO_S16, PTO_F32, PTO_VRND_R, true};
 * const uint8_t on[1] = {0x03}; // lanes 0 and 1
 * if (pto_vcvt(clamp, x, pto_packed_in(on), y, 4) != PTO_OK) return 1;
 * assert(y[0] == 2 && y[1] == 32767 && y[2] == 0 && y[3] == 0);
 *
 * // As the register has it: the results in the odd places of a vector of twice as many, zero between them.
 * int16_t odd[8];
 * if (pto_vcvt_part(clamp, PTO_PART_ODD, x, PTO_NO_MASK, odd, 4) != PTO_OK) return 1;
 * assert(odd[0] == 0 && odd[1] == 2 && odd[3] == 32767 && odd[5] == -32768 && odd[7] == 0);
 *
 * // To an integral number of the same type.
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

/** Roundings of PTO. A pair that is exact takes R alone, where it means nothing. */
typedef enum pto_vrnd {
    PTO_VRND_R, /**< to nearest, ties to even */
    PTO_VRND_A, /**< to nearest, ties away from zero; hif8 takes this one alone */
    PTO_VRND_F, /**< towards minus infinity (floor) */
    PTO_VRND_C, /**< towards plus infinity (ceil) */
    PTO_VRND_Z, /**< towards zero */
    PTO_VRND_O  /**< to odd: towards zero, and the last bit becomes 1 if anything was cut off */
} pto_vrnd;

/** A conversion without its operands. */
typedef struct pto_vcvt_op {
    pto_dtype dst; /**< to this type */
    pto_dtype src; /**< from this one */
    pto_vrnd rnd;  /**< how to round */
    bool sat;      /**< clamp what does not fit; false where the pair has no choice */
} pto_vcvt_op;

/**
 * Which place of a group the elements of the narrower type take: of two, EVEN the lower one and ODD the upper; of
 * four, P0 the lowest to P3 the highest.
 */
typedef enum pto_vpart {
    PTO_PART_EVEN, /**< of two the lower */
    PTO_PART_ODD,  /**< of two the upper */
    PTO_PART_P0,   /**< of four the lowest */
    PTO_PART_P1,   /**< the next */
    PTO_PART_P2,   /**< the next */
    PTO_PART_P3    /**< of four the highest */
} pto_vpart;

/**
 * dst[i] = mask[i] ? vcvt(src[i]) : 0, all bits zero, for i < n; PTO_NO_MASK: every lane. src, dst: n elements
 * each, mask: n lanes, of a kind that fits the source (PACKED and BYTE fit any; nothing else fits 4 bits).
 *
 * | dst                | src                                          | rnd         | sat                    |
 * | ------------------ | -------------------------------------------- | ----------- | ---------------------- |
 * | f16                | f32, bf16                                    | R A F C Z O | may                    |
 * | bf16               | f32                                          | R A F C Z O | may                    |
 * | bf16               | f16                                          | R A F C Z   | -                      |
 * | e4m3, e5m2         | f32                                          | R A Z       | may                    |
 * | e4m3, e5m2         | f16, bf16                                    | R A F C Z   | may                    |
 * | hif8               | f32, f16                                     | A           | may                    |
 * | e2m1, e1m2         | bf16                                         | R A F C Z   | - (always)             |
 * | s16                | f32, f16                                     | R A F C Z O | may                    |
 * | s32                | f32, bf16                                    | R A F C Z O | may                    |
 * | s32                | f16                                          | R A F C Z O | - (all fit)            |
 * | s64                | f32                                          | R A F C Z O | may                    |
 * | s8, u8             | f16                                          | R A F C Z O | may                    |
 * | f32                | s32, u32, s64                                | R A F C Z O | -                      |
 * | f16                | s16                                          | R A F C Z O | -                      |
 * | f32                | f16, bf16, e4m3, e5m2, hif8, s16             | R (exact)   | -                      |
 * | f16                | hif8, u8, s8                                 | R (exact)   | -                      |
 * | bf16               | e2m1, e1m2                                   | R (exact)   | -                      |
 * | u8                 | u16, s16, u32, s32                           | R (exact)   | may                    |
 * | u16, s16           | u32, s32                                     | R (exact)   | may                    |
 * | s32                | s64                                          | R (exact)   | may                    |
 * | u32                | s16                                          | R (exact)   | - (always)             |
 * | u16 u32 / s16 s32  | u8 / s8                                      | R (exact)   | -                      |
 * | u32 / s32 / s64    | u16 / s16 / s32                              | R (exact)   | -                      |
 *
 * Results. A source is taken exactly and rounded once; nothing is flushed.
 *
 *  - To integers: the rounded value; where it does not fit, with sat the nearest that does, without it the low
 *    bits of the exact one. An infinity gives the largest or lowest integer in either case, a NaN 0.
 *  - To floats: rounded as if the exponent had no upper bound; what then lies beyond the largest finite number
 *    has overflowed, whatever the rounding, and becomes that number with sat, else an infinity (in e4m3, which has
 *    none, the NaN). A NaN becomes +0 with sat, else the type's NaN: 7e00 (f16), 7fc0 (bf16), 7fc00000 (f32), 7f
 *    (e4m3, e5m2), 80 (hif8). -0 stays, but in hif8, which has one zero. e2m1 and e1m2 always saturate.
 *
 * In place: dst may be src where the elements have the same size.
 *
 * Semantics: PTO's pages and compilers, and where they are silent the vendor's tables for that unit; see "PTO's
 * vcvt" in docs/semantics.md, with what is doubtful.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst), PTO_ERR_TYPE (no such pair), PTO_ERR_MODIFIER (rnd or
 * sat not for this pair), PTO_ERR_MASK, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vcvt(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n);

/**
 * The same with the elements where PTO's parts put them, k being how many of the narrower type the wider one
 * holds (2 takes EVEN and ODD, 4 takes P0 to P3) and p the place that the part names:
 *
 *  - narrowing: dst[k * i + p] = mask[i] ? vcvt(src[i]) : 0, and every other element of dst is written as 0. src
 *    has n elements, the mask n lanes, dst k * n elements.
 *  - widening: dst[i] = mask[k * i + p] ? vcvt(src[k * i + p]) : 0. src has k * n elements, the mask k * n lanes, dst
 *    n elements.
 *
 * n is thus counted in the wider type. The elements of e2m1 and e1m2 go by pairs, a byte of two taking the place
 * of one, and the mask's lane of the lower element decides for both: narrowing, elements 2i and 2i + 1 of src
 * become 8i + 2p and 8i + 2p + 1 of dst; widening the other way round. n must then be even.
 *
 * dst lies apart from src and mask. Any n up to SIZE_MAX / 16 / k works.
 *
 * Returns as pto_vcvt; PTO_ERR_MODIFIER also for a part that the pair does not have (none has any where the two
 * types have one width), PTO_ERR_SIZE also for an odd n of e2m1 or e1m2.
 */
PTO_CALL pto_status pto_vcvt_part(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                  size_t n);

/**
 * dst[i] = mask[i] ? src[i] rounded to an integral number of its own type : 0, for i < n.
 *
 * Types: PTO_F16, PTO_BF16, PTO_F32; roundings R A F C Z. A result of zero keeps the sign of its source, infinities
 * stay, and a NaN stays itself but becomes quiet. src, dst, mask, in place, and the statuses as in pto_vcvt.
 */
PTO_CALL pto_status pto_vtrc(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst, size_t n);

/** Whether pto_vcvt takes this conversion: PTO_OK, else PTO_ERR_TYPE or PTO_ERR_MODIFIER as it would say. */
PTO_CALL pto_status pto_vcvt_check(pto_vcvt_op op);

/** How many conversions pto_vcvt takes. */
PTO_API size_t pto_vcvt_form_count(void);

/**
 * Conversion i of those, each once, grouped by pair. PTO_ERR_NULL; PTO_ERR_SIZE where i is pto_vcvt_form_count()
 * or more.
 */
PTO_CALL pto_status pto_vcvt_form(size_t i, pto_vcvt_op *op);

#ifdef __cplusplus
}
#endif
#endif
