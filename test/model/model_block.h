/* SPDX-License-Identifier: MIT */
/** @file model_block.h
 * The model of block scaling, which is slow but simple. It was written from the formulas of docs/block-scaling.md,
 * independently of the library, and shares only its public types.
 *
 * Powers of two are found by search and exact comparison. Every f32 operation is one of model_f32.h, and elements
 * are converted by the model of cvt. An f32 is represented by its bits, except in arguments of calls. */
#ifndef PTO_TEST_MODEL_BLOCK_H
#define PTO_TEST_MODEL_BLOCK_H

#include "model/model_f32.h"

#include <pto/block.h>

/** Values of rules are below MODEL_BLOCK_RULES; some of these values are no rules. */
enum { MODEL_BLOCK_RULES = PTO_MX_INT8 + 1, MODEL_BLOCK_TEXT = 160 };

/** Returns "mx.floor" and so on, or "?" for an invalid rule. */
const char *model_block_rule_name(pto_block_rule rule);

bool model_block_is_mx(pto_block_rule rule);
bool model_block_is_nv(pto_block_rule rule);
bool model_block_is_fp8(pto_block_rule rule);

/** Whether the rule chooses between two scales of a block by their errors. */
bool model_block_chooses(pto_block_rule rule);

/** Whether an op with this rule may have a second level, and whether it may round stochastically. */
bool model_block_has_level(pto_block_rule rule);
bool model_block_takes_rs(pto_block_rule rule);

/** Describes the op in words. */
void model_block_describe(const pto_block_op *op, char text[MODEL_BLOCK_TEXT]);

/* ---- one block ---- */

/** The type of the scale: ue8m0, e4m3, ue5m3 or f32; (pto_dtype)-1 for an invalid rule. */
pto_dtype model_block_scale_type(pto_block_rule rule);

/** Whether a NaN among the elements makes the largest magnitude a NaN. */
bool model_block_propagates_nan(pto_block_rule rule);

/** Returns the larger of `magnitude` and |x|. A NaN in x gives the canonical NaN if `propagate_nan` is true, else it is
 * ignored. */
uint32_t model_block_larger(bool propagate_nan, uint32_t magnitude, uint32_t x);

/** How an element is scaled before it is rounded to a code: it is multiplied by `factor`, or divided by it.
 * MODEL_DIVIDE_ROUNDED then rounds the quotient to the source type, and MODEL_CLAMP clamps the product as oneDNN does.
 * MODEL_NEAREST chooses the code as ggml does, where `factor` is half the scale. */
struct model_block_scaling {
    enum { MODEL_MULTIPLY, MODEL_DIVIDE, MODEL_DIVIDE_ROUNDED, MODEL_CLAMP, MODEL_NEAREST } operation;
    uint32_t factor;
};

/** Returns the code of the scale for a block with this largest magnitude, and sets *scaling to how its elements are
 * scaled. */
uint32_t model_block_scale(const pto_block_op *op, uint32_t amax, struct model_block_scaling *scaling);

/** Returns how the elements of a block with this scale are scaled. */
struct model_block_scaling model_block_scaling_of(const pto_block_op *op, uint32_t scale);

/** Returns the code of one element x, an f32. `r` has its random bits for PTO_RS. */
uint64_t model_block_element(const pto_block_op *op, const struct model_block_scaling *scaling, uint32_t x,
                             uint32_t r);

/** model_block_multiplier() returns the factor by which dequantization multiplies the elements of a block.
 * model_block_value() returns one dequantized element as a code of op->wide. */
uint32_t model_block_multiplier(const pto_block_op *op, uint32_t scale);
uint64_t model_block_value(const pto_block_op *op, uint32_t multiplier, uint64_t code);

/* ---- block floating point ---- */

/** An element as f32, where a NaN keeps its fraction, shifted up; the exponent field of an f32; the code of x in a
 * block whose largest field is `field`; and what the value of a code is multiplied with. */
uint32_t model_bfp_source(pto_dtype wide, uint64_t code);
uint32_t model_bfp_field(uint32_t x);
uint64_t model_bfp_code(const pto_block_op *op, uint32_t x, uint32_t field);
uint32_t model_bfp_multiplier(const pto_block_op *op, uint32_t field);
uint32_t model_bfp_value(const pto_block_op *op, uint64_t code);

/* ---- rules that choose between two scales ---- */

/** The elements of a block: row by row, where each row has `cols` elements, as f32. */
struct model_block_elements {
    const uint32_t *x;
    size_t rows, cols;
};

/** Returns the scale that the rule chooses for a block. If *zeros is set to true, all codes of the block are 0. */
uint32_t model_block_choose(const pto_block_op *op, const struct model_block_elements *e, bool *zeros);

/** Parts of model_block_scaling_of(), model_block_multiplier() and model_block_tensor() for these rules; v is the value
 * of a scale. */
struct model_block_scaling model_block_scaling_of_choice(const pto_block_op *op, uint32_t v);
uint32_t model_block_multiplier_of_choice(const pto_block_op *op, uint32_t v);
uint32_t model_block_tensor_of_choice(pto_block_rule rule, uint32_t amax);

/* ---- whole calls ---- */

/** The operands of quantize, requantize and dequantize. The call determines which of them are written. */
struct model_block_call {
    pto_block_op op;
    void *wide; /* x or y */
    size_t stride, rows, cols;
    void *codes;
    size_t codes_stride;
    void *scales;
    size_t scales_stride;
    void *rbits;
};

enum model_block_kind { MODEL_QUANTIZE, MODEL_REQUANTIZE, MODEL_DEQUANTIZE, MODEL_BLOCK_KINDS };

/** The statuses that pto_block_check(), pto_block_sizes() (with a non-null result pointer), the calls of
 * `enum model_block_kind`, pto_block_amax() and pto_block_tensor() must return. */
pto_status model_block_check(const pto_block_op *op);
pto_status model_block_sizes_status(const pto_block_op *op, size_t rows, size_t cols);
pto_status model_block_status(enum model_block_kind kind, const struct model_block_call *call);
pto_status model_block_amax_status(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                                   const void *amax);
pto_status model_block_tensor_status(pto_block_rule rule, const void *tensor);

/** The sizes of a tensor that fits into memory. */
pto_block_size model_block_sizes(const pto_block_op *op, size_t rows, size_t cols);

/** Sets *bytes to the size of an operand with rows of `row_bytes` bytes, gaps between rows included. A stride of 0
 * means no gaps. Returns false if the stride is too short or the size too large. */
bool model_block_extent(size_t rows, size_t stride, size_t row_bytes, size_t *bytes);

/** The bytes of an operand. */
struct model_block_range {
    const void *begin;
    size_t bytes;
};

bool model_block_overlap(const struct model_block_range *a, const struct model_block_range *b);

/** Returns n / d, rounded up. */
size_t model_block_ceil_div(size_t n, size_t d);

/** Computes the results of a call that succeeds. */
void model_block_run(enum model_block_kind kind, const struct model_block_call *call);

uint32_t model_block_amax(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                          bool propagate_nan);
uint32_t model_block_tensor(pto_block_rule rule, uint32_t amax);

/* ---- layouts of scales ---- */

enum { MODEL_LAYOUTS = PTO_SCALES_32X8 + 1 };

/** The result that pto_scales_bytes() must return, and the offset of scale (r, c). */
size_t model_scales_bytes(pto_scale_layout layout, size_t rows, size_t cols);
size_t model_scales_offset(pto_scale_layout layout, size_t rows, size_t cols, size_t r, size_t c);

/** The status that swizzle and unswizzle must return. */
pto_status model_scales_status(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                               size_t cols, const void *tiled);

void model_scales_swizzle(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                          size_t cols, void *tiled);
void model_scales_unswizzle(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                            void *rowwise, size_t stride);

/* ---- layouts that store codes and scales together ---- */

enum { MODEL_PACKS = PTO_PACK_TT_TILE4 + 1 };

/** The rows, columns and bytes of a unit, the elements of a block in a row, and the bits of a code. */
struct model_pack_shape {
    size_t rows, cols, bytes, block;
    unsigned bits;
};

struct model_pack_shape model_pack_shape(pto_pack_layout layout);

/** The result that pto_block_pack_bytes() must return, and the bytes of a row of codes. */
size_t model_pack_bytes(pto_pack_layout layout, size_t rows, size_t cols);
size_t model_pack_row_bytes(pto_pack_layout layout, size_t cols);

/** The place of the code of element (r, c) in units of four bits, and the byte of its scale. */
size_t model_pack_code(pto_pack_layout layout, size_t cols, size_t r, size_t c);
size_t model_pack_scale(pto_pack_layout layout, size_t cols, size_t r, size_t c);

/** The operands of pack and unpack. */
struct model_pack_call {
    pto_pack_layout layout;
    size_t rows, cols;
    unsigned char *codes;
    size_t codes_stride;
    unsigned char *scales;
    size_t scales_stride;
    unsigned char *packed;
};

/** The status that pack or unpack must return, and the results of a call that succeeds. */
pto_status model_pack_status(const struct model_pack_call *call, bool unpack);
void model_pack_run(const struct model_pack_call *call, bool unpack);

#endif
