/* SPDX-License-Identifier: MIT */
/**
 * @file convert.h
 * PTX cvt on arrays: every form that NVIDIA's assembler accepts, with its exact rounding, flushing, saturation and NaN
 * results. "Which conversion" in docs/calls.md compares pto_cvt() with pto_vcvt() and pto_cast().
 *
 * @code
 * // cvt.rn.satfinite.e4m3x2.f32: rounds to nearest; larger magnitudes become 448.
 * const pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
 * const float x[4] = {1, -1000, NAN, 0.3F};
 * uint8_t y[4];
 * if (pto_cvt(op, x, y, NULL, 4) != PTO_OK) return 1;
 * assert(y[0] == 0x38 && y[1] == 0xfe && y[2] == 0x7f && y[3] == 0x2a);
 *
 * // cvt.rs: stochastic rounding, one random word for four elements. With random bits of 0 it truncates.
 * const pto_cvt_op stochastic = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RS, .satfinite = true};
 * const uint32_t random[1] = {0};
 * if (pto_cvt(stochastic, x, y, random, 4) != PTO_OK) return 1;
 * assert(y[3] == 0x29);
 * assert(pto_cvt(stochastic, x, y, random, 3) == PTO_ERR_SIZE); // n must be a multiple of four
 *
 * // cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32: divides each pair by a power of two, here 2 and 1/4.
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
 * Rounding modifiers, as PTX spells them. The four from PTO_RNI on round to an integral value, of an integer type or of
 * the source's own floating-point type. The others round to a value of the destination format. PTX does not have
 * PTO_RO; only pto_cast() takes it. docs/names.md lists their names in other software.
 */
typedef enum pto_round {
    PTO_ROUND_NONE, /**< no modifier: between integers, for exact conversions, and for f16 <-> bf16, which round
                         to nearest even; all others require a modifier, such as f16 <- f32 */
    PTO_RN,         /**< to nearest, ties to even */
    PTO_RNA,        /**< to nearest, ties away from zero (tf32 only) */
    PTO_RZ,         /**< towards zero */
    PTO_RM,         /**< towards minus infinity */
    PTO_RP,         /**< towards plus infinity */
    PTO_RS,         /**< stochastic, with the caller's random bits */
    PTO_RNI,        /**< to the nearest integral value, ties to even */
    PTO_RZI,        /**< to an integral value, towards zero */
    PTO_RMI,        /**< to an integral value, towards minus infinity */
    PTO_RPI,        /**< to an integral value, towards plus infinity */
    PTO_RO          /**< to odd: towards zero, and the last bit becomes 1 if the result is inexact */
} pto_round;

/**
 * Scale factors of type ue8m0. A conversion to a narrower type divides by the scale; one from a narrower type
 * multiplies by it.
 */
typedef enum pto_cvt_scale {
    PTO_SCALE_NONE, /**< no scale */
    PTO_SCALE_N1,   /**< .scaled::n1::ue8m0: one per pair; subnormal sources become zero of their sign */
    PTO_SCALE_N2    /**< .scaled::n2::ue8m0: one scale per element */
} pto_cvt_scale;

/**
 * A conversion without its operands: cvt{.round}{.ftz}{.relu}{.satfinite}{.sat}{.pzo}{.scaled}.dst.src. Each type
 * stands for its scalar, x2 and x4 spellings in PTX.
 *
 * PTX determines which modifiers a pair of types takes. Often one of them is required: f16 from f32 needs a rounding
 * modifier, e4m3 from f32 needs satfinite.
 */
typedef struct pto_cvt_op {
    pto_dtype dst;   /**< destination type */
    pto_dtype src;   /**< source type */
    pto_round round; /**< rounding modifier */
    bool ftz;        /**< subnormal f32 sources and results become zero of their sign */
    bool sat;        /**< integers are clamped to dst's range, floats to [0, 1]; a NaN and -0 become +0 */
    bool satfinite;  /**< larger magnitudes and infinities become the largest finite value, with their sign */
    bool relu;       /**< negative results and -0 become +0; a NaN stays a NaN */
    bool pzo;        /**< positive zero only: a result of -0 becomes +0 */

    uint8_t reserved[3]; /**< must be 0; for later modifiers */

    pto_cvt_scale scale; /**< whether elements have scale factors, one each or one per pair */
} pto_cvt_op;

/**
 * Returns PTO_OK if pto_cvt() takes this conversion, else PTO_ERR_TYPE (unknown pair of types) or PTO_ERR_MODIFIER (the
 * pair does not take these modifiers, or a reserved byte is not 0; pto_cvt_explain() names the wrong one).
 */
PTO_CALL pto_status pto_cvt_check(pto_cvt_op op);

/**
 * Returns whether PTX has this conversion as one instruction. A composed pair of pto_cvt() is not one instruction and
 * has no text.
 */
PTO_API bool pto_cvt_is_ptx(pto_cvt_op op);

/**
 * dst[i] = cvt(src[i]) for i < n.
 *
 * Takes every form of PTX, and composed pairs, for which PTX needs two instructions. The first of the two is exact; a
 * composed pair takes the modifiers of the second:
 *
 * | pair                                   | as                            | modifiers                  |
 * | -------------------------------------- | ----------------------------- | -------------------------- |
 * | bf16 -> e4m3, e5m2, e2m3, e3m2, e2m1   | bf16 -> f32, f32 -> dst       | .rs [.relu] .satfinite     |
 * | e4m3, e5m2, e2m3, e3m2, e2m1 -> f32    | src -> f16, f16 -> f32        | [.ftz] [.sat]              |
 * | e4m3, e5m2, e2m3, e3m2, e2m1 -> bf16   | src -> f16, f16 -> bf16       | none, .rz, .rm, .rp        |
 * | ue8m0 -> f32                           | ue8m0 -> bf16, bf16 -> f32    | [.rn .rz .rm .rp] [.ftz]   |
 *
 * src, dst: n elements each, stored as pto_dtype describes. n elements of e2m1 take ceil(n / 2) bytes. The high nibble
 * after an odd last element is written as zero and ignored when read; so are the top two bits of e2m3 and e3m2.
 *
 * extra: the random bits for PTO_RS, the scales for an op with a scale, otherwise NULL.
 *
 *  - Random bits: one uint32_t for each PTX instruction, of any alignment, in PTX's layout (docs/semantics.md). These
 *    are n / 2 words for f16 and bf16, n / 4 for the 8-, 6- and 4-bit formats. n must be a multiple of 2 or 4. To round
 *    a tail, copy it to a buffer padded with any values.
 *  - Scales: bytes of ue8m0. PTO_SCALE_N2 has n of them, one for each element. PTO_SCALE_N1 has ceil(n / 2), one for
 *    elements 2k and 2k + 1.
 *
 * If PTX converts pairs, element 2k is its operand b (the low half), and element 2k + 1 is a. If it converts four
 * elements at a time, elements 4k to 4k + 3 are f, e, b and a.
 *
 * Semantics: PTX ISA, cvt. The source value is multiplied or divided by its scale exactly, and rounded once. Overflow
 * without satfinite gives infinity, or the NaN in ue5m3 and ue8m0, which have no infinity. But it gives the largest
 * finite value if the rounding is towards zero, or upwards for a negative value, or downwards for a positive one.
 * docs/semantics.md lists what a NaN becomes, and where libpto does not follow the documents.
 *
 * In place: dst may be src if the elements have the same size. dst must not overlap extra.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst, or a required extra), PTO_ERR_TYPE, PTO_ERR_MODIFIER (also
 * for extra with an op that takes none), PTO_ERR_SIZE (also if n is not a multiple of the group), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n);

#ifdef __cplusplus
}
#endif
#endif
