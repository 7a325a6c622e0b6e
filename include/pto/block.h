/* SPDX-License-Identifier: MIT */
/**
 * @file block.h
 * Block scaling: a tensor as narrow elements and a scale for each block of them, and back, by the rule of whichever
 * stack wrote or will read it. MXFP8, MXFP6, MXFP4, NVFP4 and FP8 with f32 scales; docs/block-scaling.md says which
 * rule is whose.
 *
 * @code
 * // MXFP8: 32 elements of e4m3 share a power of two, here 1 and 2^-6.
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
 * // NVFP4: 16 elements of e2m1 share an e4m3, and the tensor has a number of its own.
 * pto_block_op nv = {
 *     .wide = PTO_F32, .elem = PTO_E2M1, .rule = PTO_NV_TE, .round = PTO_RN, .block_rows = 1, .block_cols = 16};
 * uint8_t fours[32], bytes[4];
 * float amax;
 * nv.two_level = true;
 * if (pto_block_amax(PTO_F32, x, 0, 1, 64, false, &amax) != PTO_OK) return 1;
 * if (pto_block_tensor(nv.rule, amax, &nv.tensor) != PTO_OK) return 1;
 * if (pto_block_quantize(nv, x, 0, 1, 64, fours, 0, bytes, 0, NULL) != PTO_OK) return 1;
 * assert(bytes[0] == 0x7e && fours[0] == 0x77); // 448, and twice 6
 * @endcode
 */
#ifndef PTO_BLOCK_H
#define PTO_BLOCK_H

#include "convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How a block's largest magnitude `a` becomes its scale, and the scale and an element x the element's code. MAX is the
 * largest number of the elements' type, RCP = f32(1 / MAX), emax its exponent (8 for e4m3's 448), el() the
 * conversion to it, to nearest even and saturating. Every step is one f32 operation, rounded to nearest even.
 *
 * | rule                 | NaN in a | scale                                                    | element            |
 * | -------------------- | -------- | -------------------------------------------------------- | ------------------ |
 * | PTO_MX_FLOOR         | kept     | 2^(floor(log2 a) - emax)                                 | el(x / scale)      |
 * | PTO_MX_CEIL          | kept     | 2^(ceil(log2 a) - emax)                                  | "                  |
 * | PTO_MX_EVEN          | kept     | as FLOOR, of a rounded to the digits of an element       | "                  |
 * | PTO_MX_EVEN1         | kept     | as EVEN, with one digit behind the point whatever they have; e4m3 | "         |
 * | PTO_MX_RCEIL         | kept     | a * RCP, up to a power of two                            | "                  |
 * | PTO_MX_RCEIL_SAT     | skipped  | the same, but 2^127 for an infinity                      | "                  |
 * | PTO_NV_TE            | skipped  | e4m3(a * (e * RCP)), e = 2688 / A                        | el(x * (1 / (scale * (1 / e)))) |
 * | PTO_NV_RCP           | skipped  | e4m3(g * (a * RCP))                                      | el(x * (1 / (scale * (1 / g)))) |
 * | PTO_NV_AO            | kept     | e4m3(a / 6 / s2), from 2^-6 to 448                       | el(x * (1 / s2 / scale)) |
 * | PTO_NV_MODELOPT      | kept     | e4m3(a / (6 * s2)), from 2^-9 to 448, 1 for a = 0        | el(x / (scale * s2)) |
 * | PTO_NV_CT            | kept     | e4m3(g * wide(a / 6)), 1/8 for 0                         | el(x / (scale / g)) |
 * | PTO_FP8_DIV          | skipped  | s = max(a, eps) / MAX                                    | el(x / s)          |
 * | PTO_FP8_RCP          | kept     | s = max(a, eps) / MAX                                    | el(x * (1 / s))    |
 * | PTO_FP8_MUL          | skipped  | s = max(a, eps) * RCP                                    | el(x * (MAX / a))  |
 * | PTO_FP8_TE           | skipped  | s = 1 / r, r = MAX / max(a, eps)                         | el(x * r)          |
 * | PTO_FP8_CT           | kept     | s = wide(a / 448)                                        | el(wide(x / s))    |
 *
 * docs/block-scaling.md has them in full, with zeros, infinities, NaNs and subnormals.
 */
typedef enum pto_block_rule {
    PTO_MX_FLOOR,     /**< OCP MX 1.0, torchao FLOOR, gfloat, microxcaling */
    PTO_MX_CEIL,      /**< torchao CEIL */
    PTO_MX_EVEN,      /**< torchao EVEN, Quark; compressed-tensors and vLLM MXFP4 */
    PTO_MX_EVEN1,     /**< compressed-tensors MXFP8 */
    PTO_MX_RCEIL,     /**< torchao RCEIL */
    PTO_MX_RCEIL_SAT, /**< Transformer Engine MXFP8, cuDNN; nearly FlashInfer, DeepSeek-V4 */
    PTO_NV_TE,        /**< Transformer Engine; FlashInfer without fast math */
    PTO_NV_RCP,       /**< nearest to FlashInfer, vLLM, SGLang, TensorRT-LLM activations */
    PTO_NV_AO,        /**< torchao, MSLK */
    PTO_NV_MODELOPT,  /**< ModelOpt weights */
    PTO_NV_CT,        /**< compressed-tensors, llm-compressor weights */
    PTO_FP8_DIV,      /**< vLLM per token and group, slime; with pow2 DeepSeek-V3.1 */
    PTO_FP8_RCP,      /**< DeepGEMM; with pow2 its ue8m0 scales */
    PTO_FP8_MUL,      /**< SGLang, DeepEP */
    PTO_FP8_TE,       /**< Transformer Engine; with pow2 its default for blocks */
    PTO_FP8_CT        /**< compressed-tensors FP8 */
} pto_block_rule;

/** The name of a rule as the documents have it, such as "mx.rceil.sat"; "?" for a value that is no rule. */
PTO_API const char *pto_block_rule_name(pto_block_rule rule);

/** A block scaling without its operands. What does not apply is 0 or false. */
typedef struct pto_block_op {
    pto_dtype wide;      /**< of the tensor: PTO_F32, PTO_F16 or PTO_BF16 */
    pto_dtype elem;      /**< of the elements: PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2 or PTO_E2M1 */
    pto_block_rule rule; /**< MX any of them, MX_EVEN1 e4m3; NV e2m1; FP8 e4m3 and e5m2, FP8_CT e4m3 */
    pto_round round;     /**< of the elements: PTO_RN, or PTO_RS with the caller's random bits */
    bool pow2;           /**< FP8_DIV, FP8_RCP, FP8_TE: scales are powers of two */
    bool two_level;      /**< NV: the tensor has a number of its own, too */
    float tensor;        /**< with two_level that number; FP8 but for FP8_CT: eps, not negative */
    size_t block_rows;   /**< rows of a block, 0 for all that there are */
    size_t block_cols;   /**< columns of a block, 0 for all; even for e2m1 unless 1 or all */
} pto_block_op;

/** What a tensor of some rows and columns becomes. */
typedef struct pto_block_size {
    size_t row_bytes;   /**< bytes of the codes of a row: one each, of e2m1 two in a byte */
    size_t scale_rows;  /**< rows of scales: one for each row of blocks */
    size_t scale_cols;  /**< scales in such a row */
    size_t scale_bytes; /**< bytes of one scale: 1 (MX: ue8m0, NV: e4m3) or 4 (FP8: f32) */
} pto_block_size;

/**
 * Whether the calls below take this op: PTO_OK, PTO_ERR_TYPE (no such types, or not with this rule) or PTO_ERR_MODIFIER
 * (no such rule or rounding, or what does not apply is not 0).
 */
PTO_CALL pto_status pto_block_check(pto_block_op op);

/** The sizes of what pto_block_quantize writes. PTO_ERR_NULL, those of pto_block_check, PTO_ERR_SIZE. */
PTO_CALL pto_status pto_block_sizes(pto_block_op op, size_t rows, size_t cols, pto_block_size *size);

/**
 * The largest magnitude of a tensor, as f32; 0 if it is empty. With keep_nan a NaN in it makes it the NaN 7fffffff,
 * else NaNs are passed over.
 *
 * x: rows of cols elements of type wide (PTO_F32, PTO_F16, PTO_BF16), stride bytes from one to the next.
 *
 * Returns PTO_OK, PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_block_amax(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                                   bool keep_nan, float *amax);

/**
 * The number of a tensor with this largest magnitude for an NV rule: A = amax (NV_TE), s2 = amax / 2688 (NV_AO,
 * NV_MODELOPT), g = 2688 / amax (NV_RCP, NV_CT). NV_CT: 1 if g would be infinite or a NaN, which a tensor of zeros, an
 * amax of no more than 2688 / 2^128 and a NaN make it. PTO_ERR_NULL; PTO_ERR_MODIFIER for other rules.
 */
PTO_CALL pto_status pto_block_tensor(pto_block_rule rule, float amax, float *tensor);

/**
 * Quantises a tensor: a code for each element, a scale for each block.
 *
 * x: rows of cols elements of type op.wide. codes: rows of row_bytes bytes, in the memory forms of pto_dtype; the high
 * nibble behind an odd last e2m1 is 0. scales: scale_rows rows of scale_cols scales (pto_block_sizes). Each stride is
 * the bytes from a row to the next, 0 for rows that lie end to end. No alignment is needed; every output lies apart
 * from every input and from the other. Blocks at the right and lower edge may be smaller.
 *
 * rbits: NULL, or for PTO_RS ceil(cols / 4) words for each row, row after row: word k of a row is for its elements
 * 4k to 4k + 3, shared out as pto_cvt does.
 *
 * Rows may be split between calls and threads at any multiple of op.block_rows, with the same bits.
 *
 * Semantics: docs/block-scaling.md, from the sources of the stacks named there.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (x, codes, scales, for PTO_RS rbits), PTO_ERR_TYPE, PTO_ERR_MODIFIER
 * (see pto_block_check; also rbits without PTO_RS), PTO_ERR_SIZE (a stride is shorter than a row, or the whole
 * longer than memory), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_block_quantize(pto_block_op op, const void *x, size_t stride, size_t rows,
                                       size_t cols, void *codes, size_t codes_stride, void *scales,
                                       size_t scales_stride, const uint32_t *rbits);

/**
 * The same with scales that are given, static or calibrated ones: only codes are written. FP8_MUL and FP8_TE, whose
 * elements are multiplied with what their scale does not tell exactly, multiply with 1 / scale here; op.pow2 and eps
 * change nothing.
 */
PTO_CALL pto_status pto_block_requantize(pto_block_op op, const void *x, size_t stride, size_t rows,
                                         size_t cols, void *codes, size_t codes_stride, const void *scales,
                                         size_t scales_stride, const uint32_t *rbits);

/**
 * The way back: y = f32(code) * S, rounded to op.wide. S is the scale, for two levels combined with the tensor's
 * number as the rule's stack does: (scale * A) * f32(1 / 2688), s2 * scale, or scale / g. A NaN is 7fffffff or 7fff.
 *
 * op.round, op.pow2 and eps change nothing. Operands and statuses as pto_block_quantize has them.
 */
PTO_CALL pto_status pto_block_dequantize(pto_block_op op, const void *codes, size_t codes_stride,
                                         const void *scales, size_t scales_stride, size_t rows, size_t cols,
                                         void *y, size_t stride);

/** How the scales of a matrix product lie in memory. (r, c): scale c of row r; C of them in a row, R rows. */
typedef enum pto_scale_layout {
    PTO_SCALES_ROWS,  /**< row after row: r * C + c */
    PTO_SCALES_128X4, /**< cuBLAS, cuDNN, CUTLASS, tcgen05: tiles of 128 rows by 4, 512 bytes */
    PTO_SCALES_8X4,   /**< TensorRT-LLM, FlashInfer at low latency: tiles of 8 rows by 4, 32 bytes */
    PTO_SCALES_MN_X4, /**< DeepGEMM for sm100: words of four scales of a row, column of words after column, each of
                           R rounded up to 4 words */
    PTO_SCALES_32X8 /**< aiter for gfx950: tiles of 32 rows by 8, 256 bytes */
} pto_scale_layout;

/** Bytes of that many one-byte scales in a layout, padding included; 0 for no such layout, or for more than SIZE_MAX / 2
 * bytes, which no memory holds. */
PTO_API size_t pto_scales_bytes(pto_scale_layout layout, size_t rows, size_t cols);

/**
 * Lays one-byte scales out for a matrix product; padding is written as 0. rowwise: rows of cols bytes, stride bytes
 * from one to the next (0: end to end). tiled: pto_scales_bytes of them, apart from rowwise.
 *
 * Returns PTO_OK, PTO_ERR_NULL, PTO_ERR_MODIFIER (no such layout), PTO_ERR_SIZE (a stride is shorter than a row, or
 * rowwise or tiled is longer than SIZE_MAX / 2 bytes), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_scales_swizzle(pto_scale_layout layout, const void *rowwise, size_t stride,
                                       size_t rows, size_t cols, void *tiled);

/** The way back; padding is not read. */
PTO_CALL pto_status pto_scales_unswizzle(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                                         void *rowwise, size_t stride);

#ifdef __cplusplus
}
#endif
#endif
