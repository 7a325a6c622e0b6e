/* SPDX-License-Identifier: MIT */
/* The model of whole block-scaling calls: legality, sizes, and the loops over rows and blocks. */
#include "model/model_block.h"

#include <stdlib.h>
#include <string.h>

/* ---- legality ---- */

static bool is_wide(pto_dtype type) {
    return type == PTO_F32 || type == PTO_F16 || type == PTO_BF16;
}

static bool is_element(pto_dtype type) {
    return type == PTO_E4M3 || type == PTO_E5M2 || type == PTO_E2M3 || type == PTO_E3M2 || type == PTO_E2M1 ||
           type == PTO_S2F6 || type == PTO_BFP8 || type == PTO_BFP4;
}

/** Whether the rule has this element type. The NV rules, for example, have only e2m1. */
static bool takes_element(pto_block_rule rule, pto_dtype elem) {
    const bool is_fp8 = elem == PTO_E4M3 || elem == PTO_E5M2, is_bfp = elem == PTO_BFP8 || elem == PTO_BFP4;
    if (rule == PTO_BFP_TT || is_bfp) return rule == PTO_BFP_TT && is_bfp;
    if (model_block_is_nv(rule)) return elem == PTO_E2M1;
    switch (rule) {
    case PTO_MX_INT8: return elem == PTO_S2F6;
    case PTO_MX_EVEN1:
    case PTO_FP8_HF:
    case PTO_FP8_CT: return elem == PTO_E4M3;
    case PTO_MX_GGUF:
    case PTO_MX_CANN6:
    case PTO_MX_CANN7: return elem == PTO_E2M1;
    case PTO_MX_ONEDNN:
    case PTO_MX_CANN: return is_fp8 || elem == PTO_E2M1;
    default: return model_block_is_fp8(rule) ? is_fp8 : elem != PTO_S2F6;
    }
}

static bool takes_pow2(pto_block_rule rule) {
    return rule == PTO_FP8_DIV || rule == PTO_FP8_RCP || rule == PTO_FP8_TE;
}

static bool takes_eps(pto_block_rule rule) {
    return model_block_is_fp8(rule) && rule != PTO_FP8_CT && rule != PTO_FP8_HF;
}

static bool takes_round(pto_block_rule rule, pto_round round) {
    return round == PTO_RN || (round == PTO_RS && model_block_takes_rs(rule));
}

/** Whether op->tensor is legal. A second-level value may be anything, a NaN too. An eps must not be negative or a
 * NaN. For rules that have neither, op->tensor must be zero. */
static bool takes_tensor(const pto_block_op *op) {
    const uint32_t tensor = model_f32_bits(op->tensor);
    if (model_block_has_level(op->rule) && op->two_level) return true;
    if (model_f32_is_nan(tensor)) return false;
    return model_f32_is_zero(tensor) || (takes_eps(op->rule) && model_f32_compare(tensor, 0) > 0);
}

/** Whether op->block_cols is legal for the element type. Blocks of e2m1 must begin at a byte boundary, except blocks
 * of one column. */
static bool takes_columns(const pto_block_op *op) {
    if (op->rule == PTO_BFP_TT) return op->block_rows == 1 && op->block_cols == 16;
    return op->elem != PTO_E2M1 || op->block_cols % 2 == 0 || op->block_cols == 1;
}

/** Whether a rule that chooses between scales takes op->block_rows. */
static bool takes_rows(const pto_block_op *op) {
    const bool sixteen = op->rule <= PTO_NV_46_TE_MSE448 ||
                         (op->rule >= PTO_NV_46_FAST_MAE256 && op->rule <= PTO_NV_46_FAST_MSE448);
    return op->block_rows == 1 || (op->block_rows == 16 && sixteen);
}

pto_status model_block_check(const pto_block_op *op) {
    const pto_block_rule rule = op->rule;
    if (!is_wide(op->wide) || !is_element(op->elem)) return PTO_ERR_TYPE;
    if (model_block_scale_type(rule) == (pto_dtype)-1) return PTO_ERR_MODIFIER;
    if (!takes_element(rule, op->elem)) return PTO_ERR_TYPE;
    if (!takes_round(rule, op->round)) return PTO_ERR_MODIFIER;
    if (op->pow2 && !takes_pow2(rule)) return PTO_ERR_MODIFIER;
    if (op->two_level && !model_block_has_level(rule)) return PTO_ERR_MODIFIER;
    if (model_block_chooses(rule) && (!op->two_level || !takes_rows(op))) return PTO_ERR_MODIFIER;
    return takes_tensor(op) && takes_columns(op) ? PTO_OK : PTO_ERR_MODIFIER;
}

/* ---- sizes ---- */

size_t model_block_ceil_div(size_t n, size_t d) {
    return n / d + (n % d != 0);
}

/** The number of blocks along a dimension. A block size of 0 means one block with all elements, or none if n is 0. */
static size_t blocks(size_t n, size_t block) {
    return block == 0 ? n != 0 : model_block_ceil_div(n, block);
}

static bool product(size_t a, size_t b, size_t *result) {
    *result = a * b;
    return a == 0 || b <= SIZE_MAX / 2 / a; /* no object is larger than SIZE_MAX / 2 */
}

pto_block_size model_block_sizes(const pto_block_op *op, size_t rows, size_t cols) {
    return (pto_block_size){.row_bytes = model_cvt_bytes(op->elem, cols),
                            .scale_rows = blocks(rows, op->block_rows),
                            .scale_cols = blocks(cols, op->block_cols),
                            .scale_bytes = model_block_is_fp8(op->rule) ? 4 : 1};
}

bool model_block_extent(size_t rows, size_t stride, size_t row_bytes, size_t *bytes) {
    if (stride == 0) return product(rows, row_bytes, bytes);
    if (stride < row_bytes) return false;
    *bytes = 0;
    if (rows == 0 || row_bytes == 0) return true;
    if (!product(rows - 1, stride, bytes) || *bytes > SIZE_MAX / 2 - row_bytes) return false;
    *bytes += row_bytes;
    return true;
}

bool model_block_overlap(const struct model_block_range *a, const struct model_block_range *b) {
    const uintptr_t x = (uintptr_t)a->begin, y = (uintptr_t)b->begin;
    if (a->bytes == 0 || b->bytes == 0) return false;
    return x < y ? y - x < a->bytes : x - y < b->bytes;
}

/** Computes the range of an operand with `rows` rows of `count` elements. */
static bool range_of(const void *begin, size_t rows, size_t stride, size_t count, size_t element_bytes,
                     struct model_block_range *range) {
    size_t row_bytes;
    range->begin = begin;
    return product(count, element_bytes, &row_bytes) &&
           model_block_extent(rows, stride, row_bytes, &range->bytes);
}

enum operand { WIDE, CODES, SCALES, RANDOM, OPERANDS };

/** Computes the ranges of all operands. Returns false if one is too large or a stride too short. */
static bool ranges_of(const struct model_block_call *c, struct model_block_range ranges[OPERANDS]) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    ranges[RANDOM] = (struct model_block_range){NULL, 0};
    return range_of(c->wide, c->rows, c->stride, c->cols, c->op.wide == PTO_F32 ? 4 : 2, &ranges[WIDE]) &&
           range_of(c->codes, c->rows, c->codes_stride, size.row_bytes, 1, &ranges[CODES]) &&
           range_of(c->scales, size.scale_rows, c->scales_stride, size.scale_cols, size.scale_bytes,
                    &ranges[SCALES]) &&
           (!c->rbits ||
            range_of(c->rbits, c->rows, 0, model_block_ceil_div(c->cols, 4), 4, &ranges[RANDOM]));
}

pto_status model_block_sizes_status(const pto_block_op *op, size_t rows, size_t cols) {
    const struct model_block_call end_to_end = {.op = *op, .rows = rows, .cols = cols};
    struct model_block_range ranges[OPERANDS];
    const pto_status status = model_block_check(op);
    if (status != PTO_OK) return status;
    return ranges_of(&end_to_end, ranges) ? PTO_OK : PTO_ERR_SIZE;
}

/** Whether the call writes the operand. */
static bool writes(enum model_block_kind kind, int operand) {
    if (kind == MODEL_DEQUANTIZE) return operand == WIDE;
    return operand == CODES || (operand == SCALES && kind == MODEL_QUANTIZE);
}

static bool any_overlap(enum model_block_kind kind, const struct model_block_range ranges[OPERANDS]) {
    for (int i = 0; i < OPERANDS; i++) {
        for (int k = 0; k < OPERANDS; k++) {
            if (i != k && writes(kind, i) && model_block_overlap(&ranges[i], &ranges[k])) return true;
        }
    }
    return false;
}

pto_status model_block_status(enum model_block_kind kind, const struct model_block_call *c) {
    const bool empty = c->rows == 0 || c->cols == 0;
    const bool random = c->op.round == PTO_RS && kind != MODEL_DEQUANTIZE;
    struct model_block_range ranges[OPERANDS];
    pto_status status;
    if (!empty && (!c->wide || !c->codes || !c->scales || (random && !c->rbits))) return PTO_ERR_NULL;
    status = model_block_check(&c->op);
    if (status != PTO_OK) return status;
    if (!random && c->rbits) return PTO_ERR_MODIFIER;
    if (kind == MODEL_REQUANTIZE && c->op.rule == PTO_BFP_TT) return PTO_ERR_MODIFIER;
    if (!ranges_of(c, ranges)) return PTO_ERR_SIZE;
    return any_overlap(kind, ranges) ? PTO_ERR_OVERLAP : PTO_OK;
}

pto_status model_block_amax_status(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                                   const void *amax) {
    const struct model_block_range result = {amax, sizeof(float)};
    struct model_block_range source;
    if (!amax || (!x && rows != 0 && cols != 0)) return PTO_ERR_NULL;
    if (!is_wide(wide)) return PTO_ERR_TYPE;
    if (!range_of(x, rows, stride, cols, wide == PTO_F32 ? 4 : 2, &source)) return PTO_ERR_SIZE;
    return model_block_overlap(&source, &result) ? PTO_ERR_OVERLAP : PTO_OK;
}

pto_status model_block_tensor_status(pto_block_rule rule, const void *tensor) {
    if (!tensor) return PTO_ERR_NULL;
    return model_block_has_level(rule) ? PTO_OK : PTO_ERR_MODIFIER;
}

/* ---- loops over rows and blocks ---- */

/** Returns row r of an operand whose rows have row_bytes bytes. */
static unsigned char *row_at(void *base, size_t stride, size_t row_bytes, size_t r) {
    return (unsigned char *)base + r * (stride == 0 ? row_bytes : stride);
}

static unsigned char *wide_row(const struct model_block_call *c, size_t r) {
    return row_at(c->wide, c->stride, model_cvt_bytes(c->op.wide, c->cols), r);
}

static unsigned char *codes_row(const struct model_block_call *c, size_t r) {
    return row_at(c->codes, c->codes_stride, model_cvt_bytes(c->op.elem, c->cols), r);
}

static unsigned char *scales_row(const struct model_block_call *c, size_t r) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    return row_at(c->scales, c->scales_stride, size.scale_cols * size.scale_bytes, r);
}

/** The rows and columns of one block; the ends are exclusive. */
struct block {
    size_t row, row_end, col, col_end;
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static struct block block_at(const struct model_block_call *c, size_t i, size_t k) {
    const size_t br = c->op.block_rows ? c->op.block_rows : c->rows;
    const size_t bc = c->op.block_cols ? c->op.block_cols : c->cols;
    /* i * br and k * bc do not overflow, because the block has at least one element. */
    return (struct block){i * br, i * br + least(br, c->rows - i * br), k * bc,
                          k * bc + least(bc, c->cols - k * bc)};
}

static uint32_t widened_at(const struct model_block_call *c, size_t r, size_t col) {
    return model_f32_widened(c->op.wide, model_cvt_load(c->op.wide, wide_row(c, r), col));
}

static uint32_t amax_of(const struct model_block_call *c, const struct block *b, bool propagate_nan) {
    uint32_t amax = 0;
    for (size_t r = b->row; r < b->row_end; r++) {
        for (size_t col = b->col; col < b->col_end; col++) {
            amax = model_block_larger(propagate_nan, amax, widened_at(c, r, col));
        }
    }
    return amax;
}

/** Returns the element's random bits. Word k of a row is for its elements 4k to 4k + 3. */
static uint32_t random_at(const struct model_block_call *c, size_t r, size_t col) {
    const pto_cvt_op el = {.dst = c->op.elem, .src = PTO_F32, .round = c->op.round, .satfinite = true};
    if (c->op.round != PTO_RS) return 0;
    return model_cvt_extra(&el, row_at(c->rbits, 0, 4 * model_block_ceil_div(c->cols, 4), r), col);
}

static void encode_block(const struct model_block_call *c, const struct block *b,
                         const struct model_block_scaling *scaling) {
    for (size_t r = b->row; r < b->row_end; r++) {
        for (size_t col = b->col; col < b->col_end; col++) {
            const uint64_t code =
                model_block_element(&c->op, scaling, widened_at(c, r, col), random_at(c, r, col));
            model_cvt_store(c->op.elem, codes_row(c, r), col, code);
        }
    }
}

static void decode_block(const struct model_block_call *c, const struct block *b, uint32_t multiplier) {
    for (size_t r = b->row; r < b->row_end; r++) {
        for (size_t col = b->col; col < b->col_end; col++) {
            const uint64_t code = model_cvt_load(c->op.elem, codes_row(c, r), col);
            model_cvt_store(c->op.wide, wide_row(c, r), col, model_block_value(&c->op, multiplier, code));
        }
    }
}

/** Quantizes a block by a rule that chooses between two scales. Returns the scale. */
static uint32_t choose_and_encode(const struct model_block_call *c, const struct block *b) {
    struct model_block_elements e = {.rows = b->row_end - b->row, .cols = b->col_end - b->col};
    uint32_t *const x = malloc(e.rows * e.cols * sizeof *x), scale;
    struct model_block_scaling scaling;
    bool zeros;
    if (!x) abort();
    e.x = x;
    for (size_t i = 0; i < e.rows * e.cols; i++) {
        x[i] = widened_at(c, b->row + i / e.cols, b->col + i % e.cols);
    }
    scale = model_block_choose(&c->op, &e, &zeros);
    scaling = model_block_scaling_of(&c->op, scale);
    if (!zeros) encode_block(c, b, &scaling); /* the codes of a block are 0 before */
    free(x);
    return scale;
}

/** Quantizes a block to block floating point. Returns the exponent field of the block. */
static uint32_t encode_bfp(const struct model_block_call *c, const struct block *b) {
    uint32_t x[16], field = 0;
    for (size_t i = 0; i < b->col_end - b->col; i++) {
        x[i] = model_bfp_source(c->op.wide, model_cvt_load(c->op.wide, wide_row(c, b->row), b->col + i));
        if (model_bfp_field(x[i]) > field) field = model_bfp_field(x[i]);
    }
    for (size_t i = 0; i < b->col_end - b->col; i++) {
        model_cvt_store(c->op.elem, codes_row(c, b->row), b->col + i, model_bfp_code(&c->op, x[i], field));
    }
    return field;
}

static void run_block(enum model_block_kind kind, const struct model_block_call *c, size_t i, size_t k) {
    const pto_dtype type = model_block_scale_type(c->op.rule);
    const struct block b = block_at(c, i, k);
    struct model_block_scaling scaling;
    if (kind == MODEL_QUANTIZE && model_block_chooses(c->op.rule)) {
        model_cvt_store(type, scales_row(c, i), k, choose_and_encode(c, &b));
    } else if (kind == MODEL_QUANTIZE && c->op.rule == PTO_BFP_TT) {
        model_cvt_store(type, scales_row(c, i), k, encode_bfp(c, &b));
    } else if (kind == MODEL_QUANTIZE) {
        const uint32_t amax = amax_of(c, &b, model_block_propagates_nan(c->op.rule));
        model_cvt_store(type, scales_row(c, i), k, model_block_scale(&c->op, amax, &scaling));
        encode_block(c, &b, &scaling);
    } else {
        const uint32_t scale = (uint32_t)model_cvt_load(type, scales_row(c, i), k);
        if (kind == MODEL_DEQUANTIZE) {
            decode_block(c, &b, model_block_multiplier(&c->op, scale));
        } else {
            scaling = model_block_scaling_of(&c->op, scale);
            encode_block(c, &b, &scaling);
        }
    }
}

void model_block_run(enum model_block_kind kind, const struct model_block_call *c) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    if (c->rows == 0 || c->cols == 0) return;
    for (size_t r = 0; kind != MODEL_DEQUANTIZE && r < c->rows; r++) {
        memset(codes_row(c, r), 0, size.row_bytes); /* two codes in a byte are ORed */
    }
    for (size_t i = 0; i < size.scale_rows; i++) {
        for (size_t k = 0; k < size.scale_cols; k++) {
            run_block(kind, c, i, k);
        }
    }
}

uint32_t model_block_amax(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                          bool propagate_nan) {
    const struct model_block_call c = {
        .op = {.wide = wide}, .wide = (void *)x, .stride = stride, .rows = rows, .cols = cols};
    const struct block all = {0, rows, 0, cols};
    return amax_of(&c, &all, propagate_nan);
}
