/* SPDX-License-Identifier: MIT */
/* Block scaling: the public calls and the checks of their arguments. */
#include "pto/block.h"

#include "calls/block_call.h"
#include "core/check.h"
#include "core/fpenv.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

const char *pto_block_rule_name(pto_block_rule rule) {
    return is_block_rule(rule) ? pto_block_rules[rule].name : "?";
}

pto_dtype pto_block_scale_type(pto_block_rule rule) {
    static const pto_dtype types[] = {
        [FAMILY_MX] = PTO_UE8M0, [FAMILY_NV] = PTO_E4M3, [FAMILY_FP8] = PTO_F32, [FAMILY_BFP] = PTO_U8};
    if (!is_block_rule(rule)) return (pto_dtype)-1;
    return pto_block_rules[rule].ue5m3_scales ? PTO_UE5M3 : types[pto_block_rules[rule].family];
}

/* ---- what is legal ---- */

/* Returns whether the rule takes the element type. op->rule must be valid. */
static bool elem_fits(const pto_block_op *op) {
    return (pto_block_rules[op->rule].elems & elem_bit(op->elem)) != 0;
}

static bool round_fits(const pto_block_op *op) {
    return op->round == PTO_RN || (op->round == PTO_RS && pto_block_rules[op->rule].takes_rs);
}

static bool second_level_fits(const pto_block_op *op) {
    const struct block_rule *rule = &pto_block_rules[op->rule];
    if (op->two_level && rule->level == LEVEL_NONE) return false;
    if (!op->two_level && rule->choice != CHOICE_NONE) return false;
    if (op->two_level) return true;
    /* -0 is accepted as eps; a NaN is rejected. */
    return rule->takes_eps ? op->tensor >= 0.0F : op->tensor == 0.0F;
}

static bool block_fits(const pto_block_op *op) {
    const struct block_rule *rule = &pto_block_rules[op->rule];
    if (rule->choice != CHOICE_NONE && op->block_rows != 1 && op->block_rows != rule->most_rows) return false;
    if (rule->family == FAMILY_BFP) return op->block_rows == 1 && op->block_cols == BFP_BLOCK;
    return op->elem != PTO_E2M1 || op->block_cols % 2 == 0 || op->block_cols == 1;
}

static bool has_reserved(const pto_block_op *op) {
    u32 any = 0;
    for (size_t i = 0; i < sizeof op->reserved / sizeof op->reserved[0]; ++i) any |= op->reserved[i];
    return any != 0;
}

static pto_status check(const pto_block_op *op) {
    fp_state saved;
    bool fits;
    if (!is_tensor_type(op->wide) || !is_elem_type(op->elem)) return PTO_ERR_TYPE;
    if (!is_block_rule(op->rule)) return PTO_ERR_MODIFIER;
    if (!elem_fits(op)) return PTO_ERR_TYPE;
    if (!round_fits(op)) return PTO_ERR_MODIFIER;
    if (op->pow2 && !pto_block_rules[op->rule].takes_pow2) return PTO_ERR_MODIFIER;
    saved = fp_enter(FP_IEEE); /* comparing a NaN raises a flag */
    fits = second_level_fits(op);
    fp_leave(saved);
    return fits && block_fits(op) && !has_reserved(op) ? PTO_OK : PTO_ERR_MODIFIER;
}

pto_status pto_block_check(pto_block_op op) {
    return check(&op);
}

/* ---- operands ---- */

/* Sets *p; a stride of 0 means row_bytes. Returns false if the stride is too short or the matrix is too large. */
static bool set_matrix(struct matrix *p, const void *at, size_t rows, size_t row_bytes, size_t stride) {
    p->at = (u8 *)at;
    p->rows = rows;
    p->row_bytes = row_bytes;
    p->stride = stride != 0 ? stride : row_bytes;
    if (p->stride < row_bytes) return false;
    return rows == 0 || row_bytes == 0 || rows - 1 <= (SIZE_MAX / 2 - row_bytes) / p->stride;
}

static struct operand operand_matrix(const struct matrix *p) {
    const size_t bytes = p->rows == 0 ? 0 : (p->rows - 1) * p->stride + p->row_bytes;
    const struct operand o = {(uintptr_t)p->at, p->row_bytes == 0 ? 0 : bytes, 8};
    return o;
}

static bool is_dense(const struct matrix *p) {
    return p->stride == p->row_bytes;
}

/* Returns the block size in a dimension of `all` elements. A block size of 0 means the whole dimension, at least 1. */
static size_t block_or_all(size_t block, size_t all) {
    return block != 0 ? block : all != 0 ? all : 1;
}

static size_t bytes_of_scale(pto_block_rule rule) {
    return pto_block_rules[rule].family == FAMILY_FP8 ? sizeof(float) : 1;
}

/* Returns the sizes of the codes and scales of a legal op. */
static pto_block_size size_of(const pto_block_op *op, size_t rows, size_t cols) {
    const pto_block_size size = {.row_bytes = codes_bytes(op->elem, cols),
                                 .scale_rows = ceil_div(rows, block_or_all(op->block_rows, rows)),
                                 .scale_cols = ceil_div(cols, block_or_all(op->block_cols, cols)),
                                 .scale_bytes = bytes_of_scale(op->rule)};
    return size;
}

static bool too_large(size_t rows, size_t cols) {
    return cols > MAX_LANES || (cols != 0 && rows > MAX_LANES / cols);
}

pto_status pto_block_sizes(pto_block_op op, size_t rows, size_t cols, pto_block_size *size) {
    pto_status status;
    if (size == NULL) return PTO_ERR_NULL;
    status = check(&op);
    if (status != PTO_OK) return status;
    if (too_large(rows, cols)) return PTO_ERR_SIZE;
    *size = size_of(&op, rows, cols);
    return PTO_OK;
}

/* ---- preparation of calls ---- */

/* Treats contiguous rows as a single long row, if blocks have one row and each row has a whole number of them. */
static void join_rows(struct block_call *c) {
    const bool whole = c->block_rows == 1 && c->cols % c->block_cols == 0;
    const bool bytes = !is_in_nibbles(c->s->elem) || c->cols % 2 == 0;
    if (!whole || !bytes || c->words.at != NULL) return;
    if (!is_dense(&c->x) || !is_dense(&c->codes) || !is_dense(&c->scales)) return;
    c->cols *= c->rows;
    c->rows = 1;
}

/* Returns whether codes with power-of-two scales are dequantized to bf16 by a conversion that applies the scales.
 * Otherwise the backend's kernels are used with factors. */
static bool converts_with_scales(const struct block_call *c, const pto_block_op *op) {
    return pto_block_rules[op->rule].family == FAMILY_MX && op->wide == PTO_BF16 && cvt_is_small(op->elem) &&
           (c->extras != NULL || c->k->dequantize_codes == NULL);
}

/* Returns the type as which codes are read. The codes of s2f6 are read as integers; the factors of dequantization have
 * the missing 2^-6. */
static pto_dtype integer_of(pto_dtype elem) {
    return elem == PTO_S2F6 ? PTO_S8 : elem;
}

static void set_conversion(struct block_call *c, const struct pto_kernels *k, const pto_block_op *op) {
    const bool dequantizes = c->direction == DEQUANTIZE;
    c->convert = NULL;
    if (pto_block_rules[op->rule].family == FAMILY_BFP) return;
    if (!dequantizes && op->round != PTO_RS) return;
    if (!dequantizes)
        c->conversion = (pto_cvt_op){.dst = op->elem, .src = PTO_F32, .round = PTO_RS, .satfinite = true};
    else if (converts_with_scales(c, op))
        c->conversion =
            (pto_cvt_op){.dst = PTO_BF16, .src = op->elem, .round = PTO_RN, .scale = PTO_SCALE_N2};
    else
        c->conversion = (pto_cvt_op){.dst = PTO_F16, .src = integer_of(op->elem), .round = PTO_RN};
    c->convert = pto_cvt_kernel(k, c->conversion);
}

/* A matrix as the caller gives it. */
struct matrix_arg {
    const void *at;
    size_t stride;
};

/* Sets the sizes and matrices of the call. Returns false if a matrix is too large or a stride too short. */
static bool set_operands(struct block_call *c, const pto_block_op *op, struct matrix_arg x,
                         struct matrix_arg codes, struct matrix_arg scales, const uint32_t *words) {
    const pto_block_size size = size_of(op, c->rows, c->cols);
    c->block_rows = block_or_all(op->block_rows, c->rows);
    c->block_cols = min_size(block_or_all(op->block_cols, c->cols), block_or_all(c->cols + c->cols % 2, 1));
    if (pto_block_rules[op->rule].family == FAMILY_BFP)
        c->block_cols = BFP_BLOCK; /* a constant of the kernels */
    c->scale_bytes = size.scale_bytes;
    return set_matrix(&c->x, x.at, c->rows, c->cols * (op->wide == PTO_F32 ? 4 : 2), x.stride) &&
           set_matrix(&c->codes, codes.at, c->rows, size.row_bytes, codes.stride) &&
           set_matrix(&c->scales, scales.at, size.scale_rows, size.scale_cols * size.scale_bytes,
                      scales.stride) &&
           set_matrix(&c->words, words, words != NULL ? c->rows : 0,
                      ceil_div(c->cols, WORD_ELEMENTS) * sizeof *words, 0);
}

/* Returns whether no operand that is written overlaps another operand. */
static bool outputs_disjoint(const struct block_call *c) {
    const struct operand x = operand_matrix(&c->x), codes = operand_matrix(&c->codes),
                         scales = operand_matrix(&c->scales), words = operand_matrix(&c->words);
    if (c->direction == DEQUANTIZE) return disjoint(x, codes) && disjoint(x, scales);
    if (!disjoint(codes, x) || !disjoint(codes, scales) || !disjoint(codes, words)) return false;
    return c->direction == REQUANTIZE || (disjoint(scales, x) && disjoint(scales, words));
}

static pto_status run(enum direction direction, const pto_block_op *op, size_t rows, size_t cols,
                      struct matrix_arg x, struct matrix_arg codes, struct matrix_arg scales,
                      const uint32_t *words) {
    const bool random = direction != DEQUANTIZE && op->round == PTO_RS, empty = rows == 0 || cols == 0;
    const struct pto_kernels *k;
    struct scaling s;
    struct block_call c = {.s = &s, .direction = direction, .rows = rows, .cols = cols};
    fp_state saved;
    pto_status status;
    if (!empty && (x.at == NULL || codes.at == NULL || scales.at == NULL || (random && words == NULL)))
        return PTO_ERR_NULL;
    status = check(op);
    if (status != PTO_OK) return status;
    if (!random && words != NULL) return PTO_ERR_MODIFIER;
    if (direction == REQUANTIZE && pto_block_rules[op->rule].family == FAMILY_BFP) return PTO_ERR_MODIFIER;
    if (too_large(rows, cols) || !set_operands(&c, op, x, codes, scales, words)) return PTO_ERR_SIZE;
    if (empty) return PTO_OK;
    if (!outputs_disjoint(&c)) return PTO_ERR_OVERLAP;
    k = pto_active_kernels();
    c.k = pto_scaling_kernels(k);
    c.extras = pto_scaling_extras(k);
    set_conversion(&c, k, op);
    saved = fp_enter(FP_IEEE);
    s = pto_block_prepare(op);
    join_rows(&c);
    pto_block_run_tiles(&c, &s);
    fp_leave(saved);
    return PTO_OK;
}

pto_status pto_block_quantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                              void *codes, size_t codes_stride, void *scales, size_t scales_stride,
                              const uint32_t *rbits) {
    return run(QUANTIZE, &op, rows, cols, (struct matrix_arg){x, stride},
               (struct matrix_arg){codes, codes_stride}, (struct matrix_arg){scales, scales_stride}, rbits);
}

pto_status pto_block_requantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                                void *codes, size_t codes_stride, const void *scales, size_t scales_stride,
                                const uint32_t *rbits) {
    return run(REQUANTIZE, &op, rows, cols, (struct matrix_arg){x, stride},
               (struct matrix_arg){codes, codes_stride}, (struct matrix_arg){scales, scales_stride}, rbits);
}

pto_status pto_block_dequantize(pto_block_op op, const void *codes, size_t codes_stride, const void *scales,
                                size_t scales_stride, size_t rows, size_t cols, void *y, size_t stride) {
    return run(DEQUANTIZE, &op, rows, cols, (struct matrix_arg){y, stride},
               (struct matrix_arg){codes, codes_stride}, (struct matrix_arg){scales, scales_stride}, NULL);
}

/* ---- the largest magnitude of a tensor ---- */

static float f32_of_magnitude(pto_dtype wide, u32 magnitude) {
    const pto_cvt_op op = {.dst = PTO_F32, .src = wide};
    float x = float_of_bits(F32_CANONICAL_NAN);
    if (magnitude > cvt_inf_code(cvt_format_of(wide))) return x;
    if (wide == PTO_F32) return float_of_bits(magnitude);
    pto_cvt_scalar(op)->run(&op, &magnitude, &x, NULL, 1);
    return x;
}

pto_status pto_block_amax(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                          bool keep_nan, float *amax) {
    const struct scaling s = {.type = wide, .propagates_nan = keep_nan};
    u32 maxima[1 + BLOCK_PADDING] = {0};
    const struct scaling_kernels *k;
    struct matrix p;
    float largest;
    if (amax == NULL || (rows != 0 && cols != 0 && x == NULL)) return PTO_ERR_NULL;
    if (!is_tensor_type(wide)) return PTO_ERR_TYPE;
    if (too_large(rows, cols) || !set_matrix(&p, x, rows, cols * (wide == PTO_F32 ? 4 : 2), stride))
        return PTO_ERR_SIZE;
    if (rows != 0 && cols != 0 && !disjoint(operand_matrix(&p), operand_array(amax, 32, 1)))
        return PTO_ERR_OVERLAP;
    k = pto_scaling_kernels(pto_active_kernels());
    if (is_dense(&p)) {
        cols *= rows;
        rows = rows != 0;
    }
    for (size_t r = 0; r < rows && cols != 0; ++r) k->amax(&s, row_of(&p, r), cols, cols, maxima);
    largest = f32_of_magnitude(wide, maxima[0]);
    memcpy(amax, &largest, sizeof largest); /* amax need not be aligned either */
    return PTO_OK;
}
