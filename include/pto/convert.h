/* SPDX-License-Identifier: MIT */
/**
 * @file convert.h
 * PTX cvt on arrays: every form that NVIDIA's assembler takes, with its exact rounding, flushing, saturation
 * and NaN results.
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
    PTO_ROUND_NONE, /**< no rounding modifier: the conversion is exact, or rounds to nearest even */
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
 * A conversion: cvt{.round}{.ftz}{.relu}{.satfinite}{.sat}.dst.src. A type stands for PTX's scalar, x2 and x4
 * spellings together.
 *
 *  - ftz: subnormal f32 sources and results become zero of their sign (f16 <- f32: no effect, as on the GPU).
 *  - sat: integers clamp to the range of dst; floats clamp to [0, 1], a NaN and -0 becoming +0.
 *  - satfinite: what lies beyond the largest finite value, infinities included, becomes that value.
 *  - relu: negative results and -0 become +0; a NaN stays a NaN.
 */
typedef struct pto_cvt_op {
    pto_dtype dst, src;
    pto_round round;
    bool ftz, sat, satfinite, relu;
} pto_cvt_op;

/**
 * Whether PTX has this conversion: PTO_OK, else PTO_ERR_TYPE (no such pair of types) or PTO_ERR_MODIFIER (the
 * pair does not go with these modifiers).
 */
PTO_CALL pto_status pto_cvt_check(pto_cvt_op op);

/**
 * dst[i] = cvt(src[i]).
 *
 * Takes every form of pto_cvt_check, and pairs for which PTX needs two instructions, the first of them exact;
 * those take the modifiers of the second one:
 *
 * | pair                                   | as                            | modifiers                  |
 * | -------------------------------------- | ----------------------------- | -------------------------- |
 * | bf16 -> e4m3, e5m2, e2m3, e3m2, e2m1   | bf16 -> f32, f32 -> dst       | .rn/.rs [.relu] .satfinite |
 * | e4m3, e5m2, e2m3, e3m2, e2m1 -> f32    | src -> f16, f16 -> f32        | [.ftz] [.sat]              |
 * | e4m3, e5m2, e2m3, e3m2, e2m1 -> bf16   | src -> f16, f16 -> bf16       | none, .rn, .rz, .rm, .rp   |
 * | ue8m0 -> f32                           | ue8m0 -> bf16, bf16 -> f32    | [.rn .rz .rm .rp] [.ftz]   |
 *
 * rbits: for PTO_RS the random bits, NULL otherwise. One word per PTX instruction: per two neighbours for f16
 * and bf16, per four for the 8-, 6- and 4-bit formats, in PTX's layout (docs/semantics.md); n must then be a
 * multiple of two or four. Element 2k of a pair is PTX's operand b (the low half), 2k + 1 is a; elements 4k
 * to 4k + 3 are f, e, b, a.
 *
 * Memory forms are those of pto_dtype. With e2m1, n elements take ceil(n / 2) bytes; the high nibble behind
 * an odd last element is written as zero, and ignored when read; so are the top two bits of e2m3 and e3m2. In
 * place: dst may be src where the elements have the same size; it must be apart from rbits.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst, or for PTO_RS rbits), PTO_ERR_TYPE,
 * PTO_ERR_MODIFIER (also: rbits given without PTO_RS; n not a multiple of the group), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n);

#ifdef __cplusplus
}
#endif
#endif
