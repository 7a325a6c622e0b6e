/* SPDX-License-Identifier: MIT */
/**
 * @file convert.h
 * PTX cvt on arrays: every form that NVIDIA's assembler takes, with its exact rounding, flushing, saturation
 * and NaN results.
 *
 * @code
 * // cvt.rn.satfinite.e4m3x2.f32: to nearest, and to 448 what lies beyond.
 * const pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
 * const float x[4] = {1, -1000, NAN, 0.3F};
 * uint8_t y[4];
 * if (pto_cvt(op, x, y, NULL, 4) != PTO_OK) return 1;
 * assert(y[0] == 0x38 && y[1] == 0xfe && y[2] == 0x7f && y[3] == 0x2a);
 *
 * // cvt.rs: stochastic rounding with the caller's random bits, one word for four elements. All zero: cut.
 * const pto_cvt_op stochastic = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RS, .satfinite = true};
 * const uint32_t random[1] = {0};
 * if (pto_cvt(stochastic, x, y, random, 4) != PTO_OK) return 1;
 * assert(y[3] == 0x29);
 * assert(pto_cvt(stochastic, x, y, random, 3) == PTO_ERR_SIZE); // four, or a multiple of that
 *
 * // cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32: over a power of two for each pair, here 2 and 1/4.
 * const pto_cvt_op scaled = {PTO_E4M3, PTO_F32, PTO_RN, .satfinite = true, .scale = PTO_SCALE_N1};
 * const uint8_t scales[2] = {128, 125};
 * if (pto_cvt(scaled, x, y, scales, 4) != PTO_OK) return 1;
 * assert(y[0] == 0x30 && y[1] == 0xfe && y[2] == 0x7f && y[3] == 0x3a); // 0.5, -448, NaN, 1.25
 * @endcode
 */
#ifndef PTO_CONVERT_H
#define PTO_CONVERT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Rounding, as PTX spells it. The first group rounds to a value of the destination format, the last four to
 * an integral value (of an integer type, or of the source's own floating-point type).
 */
typedef enum pto_round {
    PTO_ROUND_NONE, /**< no rounding modifier: between integers, where dst holds every value of src, and between
                         f16 and bf16, to nearest even; all others need one: f16 <- f32 does */
    PTO_RN,         /**< to nearest, ties to even */
    PTO_RNA,        /**< to nearest, ties away from zero (tf32 only) */
    PTO_RZ,         /**< towards zero */
    PTO_RM,         /**< towards minus infinity */
    PTO_RP,         /**< towards plus infinity */
    PTO_RS,         /**< stochastic, with the caller's random bits */
    PTO_RNI,        /**< to the nearest integral value, ties to even */
    PTO_RZI,        /**< to integral, towards zero */
    PTO_RMI,        /**< to integral, towards minus infinity */
    PTO_RPI         /**< to integral, towards plus infinity */
} pto_round;

/**
 * Scale factors of type ue8m0. A conversion to a narrower type divides by them, one from a narrower type
 * multiplies.
 */
typedef enum pto_cvt_scale {
    PTO_SCALE_NONE, /**< no scale */
    PTO_SCALE_N1, /**< .scaled::n1::ue8m0: one for a pair; subnormal sources become zero of their sign first */
    PTO_SCALE_N2  /**< .scaled::n2::ue8m0: one for each element */
} pto_cvt_scale;

/**
 * A conversion without its operands: cvt{.round}{.ftz}{.relu}{.satfinite}{.sat}{.pzo}{.scaled}.dst.src. A
 * type stands for PTX's scalar, x2 and x4 spellings together.
 *
 * Which modifiers a pair of types takes is PTX's choice, and often one of them is required: f16 from f32
 * needs a rounding, e4m3 from f32 needs satfinite.
 */
typedef struct pto_cvt_op {
    pto_dtype dst;   /**< to this type */
    pto_dtype src;   /**< from this one */
    pto_round round; /**< how to round */
    bool ftz;        /**< subnormal f32 sources and results become zero of their sign */
    bool sat;        /**< integers clamp to dst's range; floats to [0, 1], a NaN and -0 becoming +0 */
    bool satfinite;  /**< beyond the largest finite value, infinities included: that value, with its sign */
    bool relu;       /**< negative results and -0 become +0; a NaN stays a NaN */
    bool pzo;        /**< a result of -0 becomes +0 (positive zero only) */

    pto_cvt_scale scale; /**< whether the elements have scale factors, and how many of them share one */
} pto_cvt_op;

/**
 * Whether pto_cvt takes this conversion: PTO_OK, else PTO_ERR_TYPE (no such pair of types) or
 * PTO_ERR_MODIFIER (the pair does not go with these modifiers; pto_cvt_explain says which).
 */
PTO_CALL pto_status pto_cvt_check(pto_cvt_op op);

/** Whether PTX has it as one instruction; a composed pair of pto_cvt is none, and has no text. */
PTO_API bool pto_cvt_is_ptx(pto_cvt_op op);

/**
 * dst[i] = cvt(src[i]).
 *
 * Takes every form of PTX, and pairs for which PTX needs two instructions, the first of them exact;
 * those take the modifiers of the second one:
 *
 * | pair                                   | as                            | modifiers                  |
 * | -------------------------------------- | ----------------------------- | -------------------------- |
 * | bf16 -> e4m3, e5m2, e2m3, e3m2, e2m1   | bf16 -> f32, f32 -> dst       | .rs [.relu] .satfinite     |
 * | e4m3, e5m2, e2m3, e3m2, e2m1 -> f32    | src -> f16, f16 -> f32        | [.ftz] [.sat]              |
 * | e4m3, e5m2, e2m3, e3m2, e2m1 -> bf16   | src -> f16, f16 -> bf16       | none, .rz, .rm, .rp        |
 * | ue8m0 -> f32                           | ue8m0 -> bf16, bf16 -> f32    | [.rn .rz .rm .rp] [.ftz]   |
 *
 * src, dst: n elements each, in the memory forms of pto_dtype. With e2m1 n elements take ceil(n / 2) bytes;
 * the high nibble behind an odd last element is written as zero, and ignored when read; so are the top two
 * bits of e2m3 and e3m2.
 *
 * extra: for PTO_RS the random bits, for a scale the scales, otherwise NULL. Random bits are one uint32_t for
 * each PTX instruction: n / 2 words for f16 and bf16, n / 4 for the 8-, 6- and 4-bit formats, in PTX's layout
 * (docs/semantics.md), of any alignment; n must then be a multiple of two or four: a tail is rounded from a
 * copy that is padded, with any values. Scales are bytes, ue8m0: n of them for PTO_SCALE_N2, one for each
 * element, ceil(n / 2) for PTO_SCALE_N1, one for elements 2k and 2k + 1. Element 2k of a pair is PTX's operand
 * b (the low half), 2k + 1 is a; elements 4k to 4k + 3 are f, e, b, a.
 *
 * Semantics: PTX ISA, cvt. The source is taken exactly, multiplied or divided by its scale exactly, and rounded
 * once. Overflow gives infinity where the format has one and satfinite is not given (the NaN of ue5m3, which
 * has none); what a NaN becomes, and where the documents were not followed,
 * is in docs/semantics.md.
 *
 * In place: dst may be src where the elements have the same size; it must be apart from extra.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst, or for PTO_RS and scales extra), PTO_ERR_TYPE,
 * PTO_ERR_MODIFIER (also: extra given to an op without either), PTO_ERR_SIZE (also: n not a multiple of the group),
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n);

#ifdef __cplusplus
}
#endif
#endif
