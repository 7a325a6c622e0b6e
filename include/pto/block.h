/* SPDX-License-Identifier: MIT */
/**
 * @file block.h
 * Block scaling: converts a tensor to narrow elements with one scale per block, and back.
 *
 * The formats are MXFP8, MXFP6, MXFP4, MXINT8, NVFP4, FP8 with f32 scales, and Tenstorrent's bfloat8_b and bfloat4_b.
 * Each software stack computes the scales by its own rule; docs/block-scaling.md lists which stack uses which rule.
 *
 * @code
 * // MXFP8: 32 elements of e4m3 share a power of two as their scale, here 1 and 2^-6.
 * const pto_block_op op = {
 *     .wide = PTO_F32, .elem = PTO_E4M3, .rule = PTO_MX_RCEIL, .round = PTO_RN, .block_rows = 1, .block_cols = 32};
 * float x[64], y[64];
 * uint8_t codes[64], scales[2];
 * for (int i = 0; i < 64; ++i) x[i] = i < 32 ? 448.0F - (float)i : (float)i / 9;
 * if (pto_block_quantize(op, x, 0, 1, 64, codes, 0, scales, 0, NULL) != PTO_OK) return 1;
 * assert(scales[0] == 127 && codes[0] == 0x7e);   // 448 is the largest e4m3
 * assert(scales[1] == 121 && codes[63] == 0x7e);  // 7 = 448 / 64
 * if (pto_block_dequantize(op, codes, 0, scales, 0, 1, 64, y, 0) != PTO_OK) return 1;
 * assert(y[0] == 448 && y[1] == 448 && y[63] == 7);
 *
 * // NVFP4: 16 elements of e2m1 share an e4m3 scale, and the tensor has a second-level value.
 * pto_block_op nv = {
 *     .wide = PTO_F32, .elem = PTO_E2M1, .rule = PTO_NV_TE, .round = PTO_RN, .block_rows = 1, .block_cols = 16};
 * uint8_t fours[32], bytes[4];
 * float amax;
 * nv.two_level = true;
 * if (pto_block_amax(PTO_F32, x, 0, 1, 64, false, &amax) != PTO_OK) return 1;
 * if (pto_block_tensor(nv.rule, amax, &nv.tensor) != PTO_OK) return 1;
 * if (pto_block_quantize(nv, x, 0, 1, 64, fours, 0, bytes, 0, NULL) != PTO_OK) return 1;
 * assert(bytes[0] == 0x7e && fours[0] == 0x77); // the scale 448, and two elements of 6
 * @endcode
 */
#ifndef PTO_BLOCK_H
#define PTO_BLOCK_H

#include "convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Rules: how the scale of a block is computed from `a`, its largest magnitude, and the code of an element x from the
 * scale.
 *
 * MAX is the largest finite value of the element type, RCP is f32(1 / MAX), emax the exponent of MAX (8 for e4m3's
 * 448). el() converts to the element type, to nearest even and saturating; e4m3() does the same to e4m3. wide() rounds
 * to the tensor's type. A, s2 and g are the three forms of the second-level value (pto_block_tensor()); if the tensor
 * has none, s2 and g are 1, and so is e, which the row of PTO_NV_TE defines. Every operation is one f32 operation,
 * rounded to nearest even. The column NaN says whether a NaN element makes `a` a NaN; where it does not, `a` is the
 * largest magnitude of the other elements.
 *
 * | rule             | NaN | scale                                          | element                         |
 * | ---------------- | --- | ---------------------------------------------- | ------------------------------- |
 * | PTO_MX_FLOOR     | yes | 2^(floor(log2 a) - emax)                       | el(x / scale)                   |
 * | PTO_MX_CEIL      | yes | 2^(ceil(log2 a) - emax)                        | el(x / scale)                   |
 * | PTO_MX_EVEN      | yes | as FLOOR, after a is rounded to an element's precision | el(x / scale)                   |
 * | PTO_MX_EVEN1     | yes | as FLOOR, after a is rounded to 1 fraction bit; e4m3 only | el(x / scale) |
 * | PTO_MX_RCEIL     | yes | a * RCP, rounded up to a power of two          | el(x / scale)                   |
 * | PTO_MX_RCEIL_SAT | no  | as RCEIL, except 2^127 for an infinity         | el(x / scale)                   |
 * | PTO_NV_TE        | no  | e4m3(a * (e * RCP)), e = 2688 / A              | el(x * (1 / (scale * (1 / e)))) |
 * | PTO_NV_RCP       | no  | e4m3(g * (a * RCP))                            | el(x * (1 / (scale * (1 / g)))) |
 * | PTO_NV_AO        | yes | e4m3(a / 6 / s2), limited to 2^-6 .. 448       | el(x * (1 / s2 / scale))        |
 * | PTO_NV_MODELOPT  | yes | 1 if b = a / (6 * s2) is 0, else e4m3(b), limited to 2^-9 .. 448 | el(x / (scale * s2)) |
 * | PTO_NV_CT        | yes | e4m3(g * wide(a / 6)); 1/8 if that is 0        | el(x / (scale / g))             |
 * | PTO_FP8_DIV      | no  | s = max(a, eps) / MAX                          | el(x / s)                       |
 * | PTO_FP8_RCP      | yes | s = max(a, eps) / MAX                          | el(x * (1 / s))                 |
 * | PTO_FP8_MUL      | no  | s = max(a, eps) * RCP                          | el(x * (MAX / max(a, eps)))     |
 * | PTO_FP8_TE       | no  | s = 1 / r, r = MAX / max(a, eps)               | el(x * r)                       |
 * | PTO_FP8_CT       | yes | s = wide(a / 448)                              | el(wide(x / s))                 |
 * | PTO_NV_46_TE_MAE256 | no | the better of e4m3((a / 6) * e) and 1.5 times that | el(x * (1 / (scale * (1 / e)))) |
 * | PTO_NV_46_TE_MSE256 | no | the same | the same |
 * | PTO_NV_46_TE_MAE448 | no | the same | the same |
 * | PTO_NV_46_TE_MSE448 | no | the same | the same |
 * | PTO_NV_46_FI_MAE256 | no | the same with g for e; 00 if a is 0 | the same with g for e; 0 if a is 0 |
 * | PTO_NV_46_FI_MSE256 | no | the same | the same |
 * | PTO_NV_46_FI_MAE448 | no | the same | the same |
 * | PTO_NV_46_FI_MSE448 | no | the same | the same |
 * | PTO_NV_46_FAST_MAE256 | no | as NV_46_TE | as NV_46_TE |
 * | PTO_NV_46_FAST_MSE256 | no | as NV_46_TE | as NV_46_TE |
 * | PTO_NV_46_FAST_MAE448 | no | as NV_46_TE | as NV_46_TE |
 * | PTO_NV_46_FAST_MSE448 | no | as NV_46_TE | as NV_46_TE |
 * | PTO_NV_46_MODELOPT | yes | the better of p = a / 6 and p = a * 1.5 / 6: e4m3(p * 256 / (A / 6)) | el(x / (scale * (A / 1536))) |
 * | PTO_MX_GGUF      | no  | 2^(floor(log2 a) - 2), log2 rounded to f32     | the nearest of the 16 values    |
 * | PTO_NV_GGUF      | no  | a / 6, rounded half up to e4m3; 448 from 248 on | the nearest of the 16 values   |
 * | PTO_MX_ONEDNN    | no  | as FLOOR                                       | el(f16(x / scale)), el(x / scale) for e2m1; -MAX for a NaN |
 * | PTO_NV_ONEDNN    | no  | e4m3(f16(a / 6)), limited to 0.125 .. 448      | el(x * (1 / scale)); -MAX for a NaN |
 * | PTO_MX_CANN      | yes | as FLOOR                                       | el(x / scale); 0 if the scale is 2^-127 |
 * | PTO_MX_CANN6     | yes | as FLOOR, one more if bf16(a) is above 1.5 * 2^k | as CANN                       |
 * | PTO_MX_CANN7     | yes | as FLOOR, one more if bf16(a) is above 1.75 * 2^k | as CANN                      |
 * | PTO_MX_EVEN_QUARK | yes | as EVEN, except 2^127 for an infinity         | el(x / scale)                   |
 * | PTO_NV_QUARK     | yes | ue5m3(wide(a / 6)); 2^-23 if that is 0         | el(x / scale); el(x / 2^-23) if the scale is 0 |
 * | PTO_BFP_TT       | yes | the largest exponent field of the block        | sign and magnitude in units of 2^(field - 126 - bits) |
 * | PTO_FP8_AO       | yes | s = wide(max(a, eps) / MAX)                    | el(x / s)                       |
 * | PTO_FP8_HF       | yes | s = 1 / r, r = (1 / a) * 448, 1 unless a > 0   | el(x * r)                       |
 * | PTO_MX_INT8      | yes | 2^floor(log2 a)                                | x / scale in units of 2^-6, -127 to 127 |
 *
 * NV_46_TE and NV_46_FAST have e = 6T / A, and NV_46_FI has g = 6T / A, with T = 256 or 448 as in their names. The
 * better scale is the one with the smaller error of the block, the sum of |u| (MAE) or u * u (MSE), where u is the
 * result's distance from x, computed as the stack does it. k of the MX_CANN rules is floor(log2 a). bf16(a) is a
 * truncated to bf16, or, if the tensor is f16, rounded.
 *
 * docs/block-scaling.md has the complete rules, with zeros, infinities, NaNs and subnormals.
 */
typedef enum pto_block_rule {
    PTO_MX_FLOOR,     /**< OCP MX 1.0, torchao FLOOR, gfloat, microxcaling */
    PTO_MX_CEIL,      /**< torchao CEIL */
    PTO_MX_EVEN,      /**< torchao EVEN, Quark; compressed-tensors MXFP4, vLLM MXFP4 */
    PTO_MX_EVEN1,     /**< compressed-tensors MXFP8 */
    PTO_MX_RCEIL,     /**< torchao RCEIL */
    PTO_MX_RCEIL_SAT, /**< Transformer Engine MXFP8, cuDNN; close to FlashInfer, DeepSeek-V4 */
    PTO_NV_TE,        /**< Transformer Engine; FlashInfer without fast math */
    PTO_NV_RCP,       /**< closest to FlashInfer, vLLM, SGLang, TensorRT-LLM activations */
    PTO_NV_AO,        /**< torchao, MSLK */
    PTO_NV_MODELOPT,  /**< ModelOpt weights */
    PTO_NV_CT,        /**< compressed-tensors, llm-compressor weights */
    PTO_FP8_DIV,      /**< vLLM per token and group, slime; with pow2: DeepSeek-V3.1 */
    PTO_FP8_RCP,      /**< DeepGEMM; with pow2: its ue8m0 scales */
    PTO_FP8_MUL,      /**< SGLang, DeepEP */
    PTO_FP8_TE,       /**< Transformer Engine; with pow2: its default for blocks */
    PTO_FP8_CT,       /**< compressed-tensors FP8 */

    PTO_NV_46_TE_MAE256 = 16, /**< Transformer Engine, NVTE_NVFP4_4OVER6; absolute errors, 256 */
    PTO_NV_46_TE_MSE256,      /**< Transformer Engine, NVTE_NVFP4_4OVER6; squared errors, 256 */
    PTO_NV_46_TE_MAE448,      /**< Transformer Engine, NVTE_NVFP4_4OVER6; absolute errors, 448 */
    PTO_NV_46_TE_MSE448,      /**< Transformer Engine, NVTE_NVFP4_4OVER6; squared errors, 448 */
    PTO_NV_46_FI_MAE256,      /**< FlashInfer, FLASHINFER_NVFP4_4OVER6; absolute errors, 256 */
    PTO_NV_46_FI_MSE256,      /**< FlashInfer, FLASHINFER_NVFP4_4OVER6; squared errors, 256 */
    PTO_NV_46_FI_MAE448,      /**< FlashInfer, FLASHINFER_NVFP4_4OVER6; absolute errors, 448 */
    PTO_NV_46_FI_MSE448,      /**< FlashInfer, FLASHINFER_NVFP4_4OVER6; squared errors, 448 */
    PTO_NV_46_FAST_MAE256,    /**< either with ..._ERR_USE_FAST_MATH; absolute errors, 256 */
    PTO_NV_46_FAST_MSE256,    /**< either with ..._ERR_USE_FAST_MATH; squared errors, 256 */
    PTO_NV_46_FAST_MAE448,    /**< either with ..._ERR_USE_FAST_MATH; absolute errors, 448 */
    PTO_NV_46_FAST_MSE448,    /**< either with ..._ERR_USE_FAST_MATH; squared errors, 448 */
    PTO_NV_46_MODELOPT,       /**< ModelOpt NVFP4_FOUR_OVER_SIX_CFG weights */
    PTO_MX_GGUF = 29,         /**< llama.cpp mxfp4 */
    PTO_NV_GGUF = 30,         /**< llama.cpp nvfp4 */
    PTO_MX_ONEDNN = 31,       /**< oneDNN, dynamic_mx */
    PTO_NV_ONEDNN = 32,       /**< oneDNN, dynamic_fp */
    PTO_MX_CANN = 33,         /**< Ascend npu_dynamic_mx_quant, scale_alg 0 */
    PTO_MX_CANN6 = 34,        /**< the same, scale_alg 2 with dst_type_max 0 or 6 */
    PTO_MX_CANN7 = 35,        /**< the same, scale_alg 2 with dst_type_max 7 */
    PTO_MX_EVEN_QUARK = 36,   /**< AMD Quark, mode even */
    PTO_NV_QUARK = 37,        /**< AMD Quark, AMDFP4 */
    PTO_BFP_TT = 38,          /**< Tenstorrent bfloat8_b and bfloat4_b, as its host packs them */
    PTO_FP8_AO = 39,          /**< torchao Float8 weights and activations */
    PTO_FP8_HF = 40,          /**< transformers fine-grained FP8 weights */
    PTO_MX_INT8 = 41          /**< OCP MX 1.0 MXINT8 */
} pto_block_rule;

/** The values of all rules are below this limit, but not every value below it is a rule: pto_block_rule_name() returns
 * "?" for the others. */
enum { PTO_BLOCK_RULE_LIMIT = 64 };

/** Returns the name of a rule as in the documents, such as "mx.rceil.sat"; "?" for a value that is not a rule. */
PTO_API const char *pto_block_rule_name(pto_block_rule rule);

/**
 * Returns the type of a rule's scales: PTO_UE8M0 for MX rules, PTO_E4M3 for NV rules, except PTO_UE5M3 for NV_QUARK,
 * PTO_F32 for FP8 rules, PTO_U8 (exponent fields) for BFP_TT. Returns (pto_dtype)-1 for a value that is not a rule.
 */
PTO_API pto_dtype pto_block_scale_type(pto_block_rule rule);

/**
 * A block scaling without its operands. Fields that do not apply must be 0 or false.
 *
 * NV_GGUF, NV_ONEDNN and NV_QUARK have no second level; the NV_46 rules must have one. Blocks of NV_46_TE and
 * NV_46_FAST have 1 or 16 rows, those of NV_46_FI and NV_46_MODELOPT have 1. Blocks of BFP_TT have 1 row and 16
 * columns. FP8_CT and FP8_HF have no eps.
 */
typedef struct pto_block_op {
    pto_dtype wide;      /**< type of the tensor: PTO_F32, PTO_F16 or PTO_BF16 */
    pto_dtype elem;      /**< element type: PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2, PTO_E2M1, PTO_S2F6,
                          PTO_BFP8 or PTO_BFP4 */
    pto_block_rule rule; /**< docs/block-scaling.md lists the element types of each rule */
    pto_round round;     /**< rounding of elements: PTO_RN, or PTO_RS for the rules up to FP8_CT */
    bool pow2;           /**< FP8_DIV, FP8_RCP, FP8_TE: scales are rounded to powers of two */
    bool two_level;      /**< NV: the tensor has a second-level value; see below */
    float tensor;        /**< two_level: second-level value; FP8 rules: eps, at least 0 */
    size_t block_rows;   /**< rows of a block, 0 for all rows of the tensor; see below */
    size_t block_cols;   /**< columns of a block, 0 for all; even for e2m1, unless it is 1 */

    uint32_t reserved[6]; /**< must be 0; for parameters of later rules */
} pto_block_op;

/** The sizes of a quantized tensor. */
typedef struct pto_block_size {
    size_t
        row_bytes; /**< bytes of one row of codes: one per element, or one per two elements of e2m1 and bfp4 */
    size_t scale_rows;  /**< rows of scales: one per row of blocks */
    size_t scale_cols;  /**< scales in each of these rows */
    size_t scale_bytes; /**< bytes of one scale: 1 (MX, NV, BFP) or 4 (FP8) */
    size_t reserved[4]; /**< set to 0; for sizes of later results */
} pto_block_size;

/**
 * Checks whether the following calls take this op.
 *
 * Returns PTO_OK, PTO_ERR_TYPE (a type is illegal, or illegal with this rule) or PTO_ERR_MODIFIER (the rule is unknown,
 * the rounding or the block size is illegal, or a field that does not apply or is reserved is not 0).
 */
PTO_CALL pto_status pto_block_check(pto_block_op op);

/**
 * Stores in *size the sizes of what pto_block_quantize() writes for a tensor of `rows` rows and `cols` columns.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (size), PTO_ERR_TYPE and PTO_ERR_MODIFIER (as pto_block_check()),
 * PTO_ERR_SIZE (rows * cols is above SIZE_MAX / 16).
 */
PTO_CALL pto_status pto_block_sizes(pto_block_op op, size_t rows, size_t cols, pto_block_size *size);

/**
 * Stores in *amax the largest magnitude of a tensor, as f32; 0 if the tensor is empty. With keep_nan, *amax is the NaN
 * 7fffffff if any element is a NaN; without it NaNs are ignored.
 *
 * x: `rows` rows of `cols` elements of type `wide` (PTO_F32, PTO_F16, PTO_BF16). stride: bytes from one row to the
 * next, 0 for contiguous rows. amax must not overlap x.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE (as pto_block_quantize()),
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_block_amax(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                                   bool keep_nan, float *amax);

/**
 * Stores in *tensor the second-level value of a tensor whose largest magnitude is `amax`, in the form that an NV rule
 * takes: A = amax (NV_TE, NV_46_TE, NV_46_FAST, NV_46_MODELOPT), s2 = amax / 2688 (NV_AO, NV_MODELOPT),
 * g = 2688 / amax (NV_RCP, NV_CT), g = 6T / amax (NV_46_FI), where T is 256 or 448.
 *
 * NV_CT: g is 1 if the quotient is infinite or a NaN. That is so for a tensor of zeros, an amax of at most
 * 2688 / 2^128, and a NaN.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (tensor), PTO_ERR_MODIFIER (the rule has no second level).
 */
PTO_CALL pto_status pto_block_tensor(pto_block_rule rule, float amax, float *tensor);

/**
 * Quantizes a tensor: writes one code per element and one scale per block.
 *
 * x: `rows` rows of `cols` elements of type op.wide. codes: rows of row_bytes bytes, stored as pto_dtype describes; the
 * high nibble after an odd last e2m1 or bfp4 is written as 0. scales: scale_rows rows of scale_cols scales.
 * pto_block_sizes() computes these sizes. Blocks at the right and the lower edge may be smaller.
 *
 * stride, codes_stride, scales_stride: bytes from one row to the next, 0 for contiguous rows. No alignment is needed.
 * codes and scales must not overlap each other or an input.
 *
 * rbits: NULL, or for PTO_RS ceil(cols / 4) words per row, in contiguous rows. Word k of a row serves its elements 4k
 * to 4k + 3, as in pto_cvt().
 *
 * The rows may be split between calls and threads at any multiple of op.block_rows; the bits stay the same.
 *
 * Semantics: docs/block-scaling.md, derived from the sources of the stacks named there.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (x, codes, scales, for PTO_RS rbits), PTO_ERR_TYPE, PTO_ERR_MODIFIER
 * (as pto_block_check(); also rbits without PTO_RS), PTO_ERR_SIZE (a stride is shorter than a row, rows * cols is above
 * SIZE_MAX / 16, or an operand spans more than SIZE_MAX / 2 bytes), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_block_quantize(pto_block_op op, const void *x, size_t stride, size_t rows,
                                       size_t cols, void *codes, size_t codes_stride, void *scales,
                                       size_t scales_stride, const uint32_t *rbits);

/**
 * Quantizes a tensor with given scales, static or calibrated ones: reads scales and writes only codes.
 *
 * FP8_MUL, FP8_TE and FP8_HF multiply elements by a factor that their scale does not determine exactly; here they
 * multiply by 1 / scale. NV_46_FI has no special case for blocks of zeros here, so that their codes keep signs. BFP_TT
 * has no such step: PTO_ERR_MODIFIER. op.pow2 and eps have no effect. Everything else is as for pto_block_quantize().
 */
PTO_CALL pto_status pto_block_requantize(pto_block_op op, const void *x, size_t stride, size_t rows,
                                         size_t cols, void *codes, size_t codes_stride, const void *scales,
                                         size_t scales_stride, const uint32_t *rbits);

/**
 * Dequantizes a tensor: y = f32(code) * S, rounded to op.wide.
 *
 * S is the scale. With two levels it is combined with the second-level value as the rule's stack does it:
 * (scale * A) * f32(1 / 2688) for NV_TE, the same with 6T for 2688 for NV_46_TE and NV_46_FAST, s2 * scale for NV_AO
 * and NV_MODELOPT, scale / g for NV_RCP, NV_CT and NV_46_FI, and (A / 1536) * scale for NV_46_MODELOPT. A NaN result is
 * 7fffffff (f32) or 7fff (f16, bf16).
 *
 * y: `rows` rows of `cols` elements of type op.wide, `stride` bytes from one row to the next. y must not overlap codes
 * or scales. op.round, op.pow2 and eps have no effect. Other operands and statuses are as for pto_block_quantize().
 */
PTO_CALL pto_status pto_block_dequantize(pto_block_op op, const void *codes, size_t codes_stride,
                                         const void *scales, size_t scales_stride, size_t rows, size_t cols,
                                         void *y, size_t stride);

/**
 * Memory layouts of one-byte scales for matrix products. (r, c) is scale c of row r; there are R rows of C scales.
 * docs/block-scaling.md has the byte offset of (r, c) in each layout.
 */
typedef enum pto_scale_layout {
    PTO_SCALES_ROWS,  /**< row by row: (r, c) is at byte r * C + c */
    PTO_SCALES_128X4, /**< cuBLAS, cuDNN, CUTLASS, tcgen05: tiles of 128 rows by 4, 512 bytes */
    PTO_SCALES_8X4,   /**< TensorRT-LLM, FlashInfer at low latency: tiles of 8 rows by 4, 32 bytes */
    PTO_SCALES_MN_X4, /**< DeepGEMM on sm100: words of four scales of one row, stored column by column; each column
                           has R words, rounded up to a multiple of 4 */
    PTO_SCALES_32X8 /**< aiter on gfx950: tiles of 32 rows by 8, 256 bytes */
} pto_scale_layout;

/**
 * Returns the bytes that `rows` rows of `cols` one-byte scales take in a layout, padding included. Returns 0 for an
 * unknown layout, and if the size exceeds SIZE_MAX / 2 bytes.
 */
PTO_API size_t pto_scales_bytes(pto_scale_layout layout, size_t rows, size_t cols);

/**
 * Copies one-byte scales from rows to the layout of a matrix product. Padding is written as 0.
 *
 * rowwise: `rows` rows of `cols` bytes, `stride` bytes from one row to the next, 0 for contiguous rows. tiled:
 * pto_scales_bytes() bytes, which must not overlap rowwise.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_MODIFIER (unknown layout), PTO_ERR_SIZE (the stride is
 * shorter than a row, or rowwise or tiled spans more than SIZE_MAX / 2 bytes), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_scales_swizzle(pto_scale_layout layout, const void *rowwise, size_t stride,
                                       size_t rows, size_t cols, void *tiled);

/**
 * Copies one-byte scales from the layout of a matrix product to rows: the inverse of pto_scales_swizzle(). Padding is
 * not read. Operands and statuses are as for pto_scales_swizzle().
 */
PTO_CALL pto_status pto_scales_unswizzle(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                                         void *rowwise, size_t stride);

/**
 * Memory layouts that store codes and scales together. A unit is the smallest part of a layout. docs/block-scaling.md
 * has the order of the bytes in each unit.
 */
typedef enum pto_pack_layout {
    PTO_PACK_GGUF_MXFP4, /**< llama.cpp mxfp4: 32 e2m1 of a row and their scale, 17 bytes */
    PTO_PACK_GGUF_NVFP4, /**< llama.cpp nvfp4: 64 e2m1 of a row and their four scales, 36 bytes */
    PTO_PACK_TT_TILE, /**< Tenstorrent bfloat8_b: tiles of 32 x 32, 64 exponents and 1024 codes, 1088 bytes */
    PTO_PACK_TT_TILE4 /**< Tenstorrent bfloat4_b: the same with two codes in a byte, 576 bytes */
} pto_pack_layout;

/**
 * Returns the bytes that a tensor of `rows` rows of `cols` elements takes in a layout. Returns 0 for an unknown layout,
 * if rows or cols is not a multiple of the unit's, and if the size exceeds SIZE_MAX / 2 bytes.
 */
PTO_API size_t pto_block_pack_bytes(pto_pack_layout layout, size_t rows, size_t cols);

/**
 * Copies codes and scales to a layout that stores them together.
 *
 * codes and scales: as pto_block_quantize() writes them for blocks of 1 x 32 (GGUF_MXFP4) or 1 x 16; one byte per code
 * in TT_TILE, two codes in a byte in the other layouts. codes_stride, scales_stride: bytes from one row to the next, 0
 * for contiguous rows. out: pto_block_pack_bytes() bytes, which must not overlap codes or scales. Units lie row by row.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_MODIFIER (unknown layout), PTO_ERR_SIZE (rows or cols is not
 * a multiple of the unit's, a stride is shorter than a row, or an operand spans more than SIZE_MAX / 2 bytes),
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_block_pack(pto_pack_layout layout, const void *codes, size_t codes_stride,
                                   const void *scales, size_t scales_stride, size_t rows, size_t cols,
                                   void *out);

/**
 * Copies codes and scales from a layout that stores them together: the inverse of pto_block_pack(). codes and scales
 * must not overlap each other or packed. Operands and statuses are as for pto_block_pack().
 */
PTO_CALL pto_status pto_block_unpack(pto_pack_layout layout, const void *packed, size_t rows, size_t cols,
                                     void *codes, size_t codes_stride, void *scales, size_t scales_stride);

#ifdef __cplusplus
}
#endif
#endif
