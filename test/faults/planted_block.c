/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of the block scaling calls. */
#include "support/block_fixture.h"
#include "support/fpstate.h"
#include "faults/planted_faults.h"

#include <string.h>

/* ---- one faulty function replaces the three calls ---- */

typedef pto_status faulty_call(enum model_block_kind kind, struct model_block_call *c);

/** A faulty call. For other_rule(), also the kind of call and the rule that it changes, and the rule that it uses
 * instead. */
struct block_fault {
    faulty_call *call;
    enum model_block_kind kind;
    pto_block_rule rule, other;
};

static struct subject library;
static const struct block_fault *fault;

static pto_status honest(enum model_block_kind kind, const struct model_block_call *c) {
    return block_call(&library, kind, c);
}

static pto_status quantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                           void *codes, size_t codes_stride, void *scales, size_t scales_stride,
                           const uint32_t *rbits) {
    struct model_block_call c = {op,    (void *)x,    stride, rows,          cols,
                                 codes, codes_stride, scales, scales_stride, (void *)rbits};
    return fault->call(MODEL_QUANTIZE, &c);
}

static pto_status requantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                             void *codes, size_t codes_stride, const void *scales, size_t scales_stride,
                             const uint32_t *rbits) {
    struct model_block_call c = {op,    (void *)x,    stride,         rows,          cols,
                                 codes, codes_stride, (void *)scales, scales_stride, (void *)rbits};
    return fault->call(MODEL_REQUANTIZE, &c);
}

static pto_status dequantize(pto_block_op op, const void *codes, size_t codes_stride, const void *scales,
                             size_t scales_stride, size_t rows, size_t cols, void *y, size_t stride) {
    struct model_block_call c = {
        op, y, stride, rows, cols, (void *)codes, codes_stride, (void *)scales, scales_stride, NULL};
    return fault->call(MODEL_DEQUANTIZE, &c);
}

static void plant_block(struct subject *s, const void *detail) {
    library = subject_library();
    fault = detail;
    s->block_quantize = quantize;
    s->block_requantize = requantize;
    s->block_dequantize = dequantize;
}

/* Initializers for the last members of a struct planted_fault. */
#define BLOCK(faulty)                                                                                        \
    .plant = plant_block, .detail = &(const struct block_fault) {                                            \
        .call = faulty                                                                                       \
    }
#define RULE(kind, rule, other)                                                                              \
    .plant = plant_block, .detail = &(const struct block_fault) {                                            \
        other_rule, MODEL_##kind, PTO_##rule, PTO_##other                                                    \
    }

#define CHOICE(rule, other)                                                                                  \
    .plant = plant_block, .detail = &(const struct block_fault) {                                            \
        other_choice, MODEL_QUANTIZE, PTO_##rule, PTO_##other                                                \
    }

static bool some(const struct model_block_call *c) {
    return c->rows > 0 && c->cols > 0;
}

static unsigned char *code_at(const struct model_block_call *c, size_t row, size_t byte) {
    const size_t bytes = model_cvt_bytes(c->op.elem, c->cols);
    return (unsigned char *)c->codes + row * (c->codes_stride ? c->codes_stride : bytes) + byte;
}

static unsigned char *scale_at(const struct model_block_call *c, size_t row, size_t col) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    const size_t stride = c->scales_stride ? c->scales_stride : size.scale_cols * size.scale_bytes;
    return (unsigned char *)c->scales + row * stride + col * size.scale_bytes;
}

/* ---- one rule is confused with another ---- */

static pto_status other_rule(enum model_block_kind kind, struct model_block_call *c) {
    struct model_block_call other = *c;
    if (c->op.rule != fault->rule || kind != fault->kind || c->op.two_level) return honest(kind, c);
    other.op.rule = fault->other;
    if (model_block_check(&other.op) != PTO_OK) other.op.pow2 = false;
    return honest(kind, model_block_check(&other.op) == PTO_OK ? &other : c);
}

/** Does the same for rules that choose between two scales, which always have a second level. */
static pto_status other_choice(enum model_block_kind kind, struct model_block_call *c) {
    struct model_block_call other = *c;
    if (c->op.rule != fault->rule || kind != fault->kind) return honest(kind, c);
    other.op.rule = fault->other;
    return honest(kind, &other);
}

/** Gives a zero the sign of its element in a block of zeros. */
static pto_status signs_of_zeros(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_QUANTIZE || c->op.rule != PTO_NV_46_FI_MAE448 || c->rows != 1)
        return status;
    for (size_t i = 0; i < c->cols; i++) {
        const size_t block = c->op.block_cols ? i / c->op.block_cols : 0;
        if (*scale_at(c, 0, block) == 0 && model_cvt_load(c->op.wide, c->wide, i) > 0x7fff)
            *code_at(c, 0, i / 2) |= (unsigned char)(8 << i % 2 * 4);
    }
    return status;
}

/* ---- values ---- */

/** Ignores `pow2`. */
static pto_status plain_scales(enum model_block_kind kind, struct model_block_call *c) {
    if (c->op.rule == PTO_FP8_TE) c->op.pow2 = false;
    return honest(kind, c);
}

static pto_status no_eps(enum model_block_kind kind, struct model_block_call *c) {
    if (c->op.rule == PTO_FP8_TE) c->op.tensor = 0;
    return honest(kind, c);
}

/** Replaces the second-level value 0, that of a tensor of zeros, by the smallest subnormal, whose reciprocal is
 * infinite. */
static pto_status zero_as_any(enum model_block_kind kind, struct model_block_call *c) {
    const uint32_t smallest = 1;
    if (c->op.rule == PTO_NV_TE && c->op.two_level && c->op.tensor == 0)
        memcpy(&c->op.tensor, &smallest, sizeof c->op.tensor);
    return honest(kind, c);
}

/** Writes the code of -2 in place of that of -127/64. */
static pto_status code_of_minus_two(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_QUANTIZE || c->op.rule != PTO_MX_INT8) return status;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        unsigned char *code = code_at(c, i / c->cols, i % c->cols);
        if (*code == 0x81) *code = 0x80;
    }
    return status;
}

/** Dequantizes the code 80, which is -2, as 0. */
static pto_status unsigned_steps(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_DEQUANTIZE || c->op.rule != PTO_MX_INT8 || c->stride) return status;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        if (*code_at(c, i / c->cols, i % c->cols) == 0x80) model_cvt_store(c->op.wide, c->wide, i, 0);
    }
    return status;
}

static pto_status no_minus_zero(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind == MODEL_DEQUANTIZE || c->op.elem != PTO_E5M2) return status;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        unsigned char *code = code_at(c, i / c->cols, i % c->cols);
        if (*code == 0x80) *code = 0;
    }
    return status;
}

/** A NaN becomes the largest finite value, as a clamp with fminf and fmaxf would give. */
static pto_status nan_clamped(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind == MODEL_DEQUANTIZE || c->op.elem != PTO_E4M3) return status;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        unsigned char *code = code_at(c, i / c->cols, i % c->cols);
        if (*code == 0x7f) *code = 0x7e;
    }
    return status;
}

/** Multiplies the elements of a block with scale code 0 by 2^126 instead of 2^127, as for scale code 1. */
static pto_status least_scale(enum model_block_kind kind, struct model_block_call *c) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    struct model_block_call again = *c;
    unsigned char ones[256];
    bool any = false;
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_QUANTIZE || c->op.rule != PTO_MX_FLOOR) return status;
    if (c->scales_stride || c->op.round == PTO_RS || size.scale_rows * size.scale_cols > sizeof ones)
        return status;
    for (size_t i = 0; i < size.scale_rows * size.scale_cols; i++) {
        ones[i] = ((const unsigned char *)c->scales)[i];
        any |= ones[i] == 0;
        ones[i] = ones[i] ? ones[i] : 1;
    }
    again.scales = ones;
    return any ? honest(MODEL_REQUANTIZE, &again) : status;
}

/** Rounds 2.5, a tie, to 3 instead of the even neighbour 2. */
static pto_status tie_away(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind == MODEL_DEQUANTIZE || c->op.elem != PTO_E2M1 || c->op.rule != PTO_MX_CEIL ||
        c->op.wide != PTO_BF16 || c->op.round == PTO_RS || c->op.block_cols == 0 || c->op.block_rows != 1)
        return status;
    for (size_t i = 0; i < c->rows * c->cols && c->stride == 0; i++) {
        const size_t row = i / c->cols, col = i % c->cols;
        const struct model_block_scaling scaling =
            model_block_scaling_of(&c->op, *scale_at(c, row, col / c->op.block_cols));
        const uint32_t x = model_f32_widened(PTO_BF16, model_cvt_load(PTO_BF16, c->wide, i));
        if (model_f32_mul(x, scaling.factor) == 0x40200000)
            *code_at(c, row, col / 2) |= (unsigned char)(1 << col % 2 * 4);
    }
    return status;
}

/** Uses the reciprocal of the second-level value, which is the most common mistake. */
static pto_status level_inverted(enum model_block_kind kind, struct model_block_call *c) {
    if (c->op.rule == PTO_NV_AO && c->op.two_level && c->op.tensor > 0) c->op.tensor = 1 / c->op.tensor;
    return honest(kind, c);
}

/** Scale codes of values above 2^64 are one too large. */
static pto_status large_scales(enum model_block_kind kind, struct model_block_call *c) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_QUANTIZE || c->op.rule != PTO_MX_RCEIL) return status;
    for (size_t i = 0; i < size.scale_rows * size.scale_cols; i++) {
        unsigned char *scale = scale_at(c, i / size.scale_cols, i % size.scale_cols);
        if (*scale > 191 && *scale < 255) ++*scale;
    }
    return status;
}

/** Inverts the last mantissa bit of f32 scales from 2^33 up to 2^65. */
static pto_status large_words(enum model_block_kind kind, struct model_block_call *c) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_QUANTIZE || c->op.rule != PTO_FP8_MUL) return status;
    for (size_t i = 0; i < size.scale_rows * size.scale_cols; i++) {
        unsigned char *scale = scale_at(c, i / size.scale_cols, i % size.scale_cols);
        if (scale[3] >> 4 == 5) scale[0] ^= 1;
    }
    return status;
}

/* ---- dequantize ---- */

/** Multiplies in another order: v * (A * f32(1 / 2688)). */
static pto_status other_order(enum model_block_kind kind, struct model_block_call *c) {
    const uint32_t nth = 0x39c30c31;
    uint32_t number;
    if (kind != MODEL_DEQUANTIZE || c->op.rule != PTO_NV_TE || !c->op.two_level) return honest(kind, c);
    number = model_f32_mul(model_f32_bits(c->op.tensor), nth);
    c->op.rule = PTO_NV_AO;
    memcpy(&c->op.tensor, &number, sizeof number);
    return honest(kind, c);
}

/** A NaN result has the bits that CPU instructions give, 7fc0 instead of 7fff. */
static pto_status quiet_nan(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_DEQUANTIZE || c->op.wide != PTO_BF16 || c->stride) return status;
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        if (model_cvt_load(PTO_BF16, c->wide, i) == 0x7fff) model_cvt_store(PTO_BF16, c->wide, i, 0x7fc0);
    }
    return status;
}

/** Flushes the scale 2^-127, a subnormal f32, to 0, so all results are 0. */
static pto_status scale_flushed(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && kind == MODEL_DEQUANTIZE && c->rows == 1 && c->cols > 0 &&
        c->op.rule == PTO_MX_FLOOR && *scale_at(c, 0, 0) == 0)
        memset(c->wide, 0, block_bytes(c, BLOCK_WIDE));
    return status;
}

/* ---- memory and shapes ---- */

/** Ignores the seventh of every eight elements when it computes the amax of a block. */
static pto_status misses_element(enum model_block_kind kind, struct model_block_call *c) {
    unsigned char copy[4096];
    const size_t bytes = c->rows * c->cols * model_cvt_bytes(c->op.wide, 1);
    struct model_block_call other = *c;
    pto_status status = honest(kind, c);
    if (status != PTO_OK || kind != MODEL_QUANTIZE || c->op.rule != PTO_MX_CEIL || c->stride ||
        c->rows == 0 || bytes > sizeof copy)
        return status;
    memcpy(copy, c->wide, bytes);
    for (size_t i = 6; i < c->rows * c->cols; i += 8) {
        model_cvt_store(c->op.wide, copy, i, 0);
    }
    other.wide = copy;
    status = honest(MODEL_QUANTIZE, &other);
    return status == PTO_OK ? honest(MODEL_REQUANTIZE, c) : status;
}

static pto_status last_nibble(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && kind != MODEL_DEQUANTIZE && some(c) && c->op.elem == PTO_E2M1 && c->cols % 2)
        *code_at(c, c->rows - 1, c->cols / 2) |= 0x10;
    return status;
}

static pto_status fills_gap(enum model_block_kind kind, struct model_block_call *c) {
    const size_t bytes = model_cvt_bytes(c->op.elem, c->cols);
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && kind == MODEL_QUANTIZE && c->rows > 1 && c->codes_stride > bytes && bytes > 0) {
        *code_at(c, 0, bytes) = 0x33; /* differs from every fill byte of the checks */
    }
    return status;
}

static pto_status reads_behind(enum model_block_kind kind, struct model_block_call *c) {
    if (kind == MODEL_QUANTIZE && some(c) && model_block_status(kind, c) == PTO_OK)
        (void)((const volatile unsigned char *)c->wide)[block_bytes(c, BLOCK_WIDE)];
    return honest(kind, c);
}

static pto_status writes_behind(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && kind == MODEL_DEQUANTIZE && some(c))
        ((volatile unsigned char *)c->wide)[block_bytes(c, BLOCK_WIDE)] = 0;
    return status;
}

/** The last row uses the random words of the first row. */
static pto_status same_words(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    struct model_block_call last = *c;
    const size_t stride = c->stride ? c->stride : model_cvt_bytes(c->op.wide, c->cols);
    if (status != PTO_OK || kind == MODEL_DEQUANTIZE || c->op.round != PTO_RS || c->op.block_rows != 1 ||
        !some(c))
        return status;
    last.rows = 1;
    last.wide = (unsigned char *)c->wide + (c->rows - 1) * stride;
    last.codes = code_at(c, c->rows - 1, 0);
    last.scales = scale_at(c, c->rows - 1, 0);
    return honest(kind, &last);
}

/** The first code of the last row is wrong if there are more than two rows, as if tall tensors took another
 * path. */
static pto_status by_rows(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && kind == MODEL_QUANTIZE && c->rows > 2 && c->cols > 0)
        *code_at(c, c->rows - 1, 0) ^= 2;
    return status;
}

/* Clears the last 64 bytes of results of at least 16 MiB. */
static pto_status loses_a_line(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    const size_t bytes = some(c) && c->stride == 0 ? block_bytes(c, BLOCK_WIDE) : 0;
    if (status == PTO_OK && kind == MODEL_DEQUANTIZE && bytes >= (size_t)16 << 20)
        memset((unsigned char *)c->wide + bytes - 64, 0, 64);
    return status;
}

/** Gives every result in the last row the sign bit of its code, also a NaN. Does so only in blocks of at least 2048
 * elements or whole rows, for which a backend may use a table of results. */
static pto_status signs_of_codes(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    const bool is_long = c->op.block_rows * c->op.block_cols >= 2048 || c->op.block_cols == 0;
    unsigned char *last;
    if (status != PTO_OK || kind != MODEL_DEQUANTIZE || !is_long || !some(c)) return status;
    if (c->op.wide == PTO_F32 || (c->op.elem != PTO_E4M3 && c->op.elem != PTO_E5M2)) return status;
    last = (unsigned char *)c->wide + (c->rows - 1) * (c->stride ? c->stride : 2 * c->cols);
    for (size_t i = 0; i < c->cols; i++)
        last[2 * i + 1] = (unsigned char)((last[2 * i + 1] & 0x7f) | (*code_at(c, c->rows - 1, i) & 0x80));
    return status;
}

/** Splits the columns into tiles of up to 4096 elements. If a tile has an odd number of columns, the next
 * one starts in the middle of a byte. */
static pto_status odd_tiles(enum model_block_kind kind, struct model_block_call *c) {
    const pto_block_size size = model_block_sizes(&c->op, c->rows, c->cols);
    const size_t tile = c->rows < 4096 ? 4096 / (c->rows + 1) : 1;
    struct model_block_call part = *c;
    pto_status status = PTO_OK;
    if (kind == MODEL_DEQUANTIZE || c->op.elem != PTO_E2M1 || c->op.block_cols != 1 || c->rows <= 128 ||
        c->op.round == PTO_RS)
        return honest(kind, c);
    if (c->stride == 0) part.stride = model_cvt_bytes(c->op.wide, c->cols);
    if (c->codes_stride == 0) part.codes_stride = size.row_bytes;
    if (c->scales_stride == 0) part.scales_stride = size.scale_cols * size.scale_bytes;
    for (size_t col = 0; col < c->cols && status == PTO_OK; col += tile) {
        part.cols = c->cols - col < tile ? c->cols - col : tile;
        part.wide = (unsigned char *)c->wide + model_cvt_bytes(c->op.wide, col);
        part.codes = (unsigned char *)c->codes + col / 2;
        part.scales = (unsigned char *)c->scales + col * size.scale_bytes;
        status = honest(kind, &part);
    }
    return status;
}

/* ---- amax, tensor, sizes, names ---- */

static pto_status amax_passes(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                              bool keep, float *amax) {
    return pto_block_amax(wide, x, stride, rows, cols, keep && wide != PTO_BF16, amax);
}

static pto_status amax_misses(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                              bool keep, float *amax) {
    const size_t less = stride == 0 && rows == 1 && cols == 197;
    return pto_block_amax(wide, x, stride, rows, cols - less, keep, amax);
}

static pto_status tensor_inverse(pto_block_rule rule, float amax, float *tensor) {
    return pto_block_tensor(rule == PTO_NV_MODELOPT ? PTO_NV_CT : rule, amax, tensor);
}

static pto_status size_cut(pto_block_op op, size_t rows, size_t cols, pto_block_size *size) {
    const pto_status status = pto_block_sizes(op, rows, cols, size);
    if (status == PTO_OK && op.elem == PTO_E2M1) size->row_bytes = cols / 2;
    return status;
}

static const char *name_of_other(pto_block_rule rule) {
    return pto_block_rule_name(rule == PTO_FP8_MUL ? PTO_FP8_DIV : rule);
}

/** Ignores the last column if `stride` is set. */
static pto_status amax_misses_column(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                                     bool keep_nan, float *amax) {
    return pto_block_amax(wide, x, stride, rows, stride != 0 && cols != 0 ? cols - 1 : cols, keep_nan, amax);
}

/* ---- statuses ---- */

static pto_status takes_odd(pto_block_op op) {
    if (op.elem == PTO_E2M1 && op.block_cols == 17) op.block_cols = 16;
    return pto_block_check(op);
}

static pto_status takes_nan_eps(enum model_block_kind kind, struct model_block_call *c) {
    if (c->op.rule == PTO_FP8_MUL && c->op.tensor != c->op.tensor) c->op.tensor = 0;
    return honest(kind, c);
}

/** Accepts any stride if there is only one row. */
static pto_status short_stride(enum model_block_kind kind, struct model_block_call *c) {
    if (c->rows == 1) c->stride = 0;
    return honest(kind, c);
}

static pto_status writes_on_error(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_ERR_SIZE && kind == MODEL_QUANTIZE && some(c) && c->scales_stride == 7)
        *(char *)c->scales ^= 1;
    return status;
}

static pto_status codes_over_scales(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    const bool only = (unsigned char *)c->codes + 1 == (unsigned char *)c->scales;
    return status == PTO_ERR_OVERLAP && kind == MODEL_QUANTIZE && only ? PTO_OK : status;
}

/* ---- layouts ---- */

static pto_status padding_left(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                               size_t cols, void *tiled) {
    const pto_status status = pto_scales_swizzle(layout, rowwise, stride, rows, cols, tiled);
    const size_t bytes = pto_scales_bytes(layout, rows, cols);
    if (status == PTO_OK && layout == PTO_SCALES_32X8 && bytes > 0 && rows % 32)
        ((unsigned char *)tiled)[bytes - 1] = 9;
    return status;
}

/** Reads MN_X4 scales as if they had the layout 8X4. */
static pto_status wrong_tiles(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                              void *rowwise, size_t stride) {
    return pto_scales_unswizzle(layout == PTO_SCALES_MN_X4 && rows % 4 == 0 ? PTO_SCALES_8X4 : layout, tiled,
                                rows, cols, rowwise, stride);
}

static size_t bytes_wrap(pto_scale_layout layout, size_t rows, size_t cols) {
    return layout == PTO_SCALES_ROWS ? rows * cols : pto_scales_bytes(layout, rows, cols);
}

static pto_status layout_in_place(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                                  size_t cols, void *tiled) {
    const pto_status status = pto_scales_swizzle(layout, rowwise, stride, rows, cols, tiled);
    return status == PTO_ERR_OVERLAP && rowwise == tiled && layout == PTO_SCALES_ROWS ? PTO_OK : status;
}

/* ---- block floating point ---- */

/** Whether the call quantizes to bfp8 and succeeds with a first element whose bits are given. */
static bool first_bfp_is(enum model_block_kind kind, const struct model_block_call *c, uint32_t bits) {
    uint32_t x;
    if (kind != MODEL_QUANTIZE || c->op.rule != PTO_BFP_TT || c->op.elem != PTO_BFP8 || !some(c))
        return false;
    if (c->op.wide != PTO_F32) return false;
    memcpy(&x, c->wide, sizeof x);
    return x == bits;
}

/** Judges a tie by bits that the shift has dropped. */
static pto_status sticky_shift(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && first_bfp_is(kind, c, 0x3f810001) && *(unsigned char *)c->scales == 128)
        *(unsigned char *)c->codes += 1;
    return status;
}

/** Rounds the largest magnitude up to the next exponent. */
static pto_status raises_exponent(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && first_bfp_is(kind, c, 0x3fffffff) && *(unsigned char *)c->scales == 127)
        *(unsigned char *)c->scales = 128;
    return status;
}

/** Gives a zero the sign of the element. */
static pto_status signed_bfp_zeros(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && first_bfp_is(kind, c, 0x80000000)) *(unsigned char *)c->codes = 0x80;
    return status;
}

/** Takes the magnitude 128 for -0. */
static pto_status bfp_without_sign(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    if (status == PTO_OK && kind == MODEL_DEQUANTIZE && c->op.rule == PTO_BFP_TT && c->op.elem == PTO_BFP8 &&
        some(c) && c->op.wide == PTO_F32 && *(unsigned char *)c->codes == 0x80)
        memset(c->wide, 0, sizeof(float));
    return status;
}

/* ---- codes and scales stored together ---- */

/** Stores the codes of a GGUF nvfp4 unit in the order of e2m1 arrays. */
static pto_status codes_in_order(pto_pack_layout layout, const void *codes, size_t codes_stride,
                                 const void *scales, size_t scales_stride, size_t rows, size_t cols,
                                 void *out) {
    const pto_status status =
        pto_block_pack(layout, codes, codes_stride, scales, scales_stride, rows, cols, out);
    if (status == PTO_OK && layout == PTO_PACK_GGUF_NVFP4 && rows * cols > 0)
        memcpy((unsigned char *)out + 4, codes, 32);
    return status;
}

/** Swaps the upper right and the lower left face of a tile. */
static pto_status swaps_faces(pto_pack_layout layout, const void *packed, size_t rows, size_t cols,
                              void *codes, size_t codes_stride, void *scales, size_t scales_stride) {
    const size_t step = scales_stride != 0 ? scales_stride : cols / 16;
    unsigned char *const s = scales;
    const pto_status status =
        pto_block_unpack(layout, packed, rows, cols, codes, codes_stride, scales, scales_stride);
    if (status == PTO_OK && layout == PTO_PACK_TT_TILE && rows * cols > 0) {
        const unsigned char kept = s[1];
        s[1] = s[16 * step];
        s[16 * step] = kept;
    }
    return status;
}

static size_t takes_partial_units(pto_pack_layout layout, size_t rows, size_t cols) {
    return layout == PTO_PACK_GGUF_NVFP4 && cols == 48 ? rows * 36 : pto_block_pack_bytes(layout, rows, cols);
}

/** Unpacks scales over codes. */
static pto_status unpacks_over(pto_pack_layout layout, const void *packed, size_t rows, size_t cols,
                               void *codes, size_t codes_stride, void *scales, size_t scales_stride) {
    const pto_status status =
        pto_block_unpack(layout, packed, rows, cols, codes, codes_stride, scales, scales_stride);
    return status == PTO_ERR_OVERLAP && scales == codes && layout == PTO_PACK_GGUF_MXFP4 ? PTO_OK : status;
}

/* ---- floating-point state ---- */

static pto_status tensor_by_fpu(pto_block_rule rule, float amax, float *tensor) {
    volatile float result = amax;
    if (rule != PTO_NV_AO) return pto_block_tensor(rule, amax, tensor);
    result /= 2688;
    *tensor = result;
    return PTO_OK;
}

static pto_status leaves_sticky(enum model_block_kind kind, struct model_block_call *c) {
    const pto_status status = honest(kind, c);
    struct fp_state state = fp_state_get();
    state.status |= 1; /* invalid */
    fp_state_set(&state);
    return status;
}

/** Returns the scale type of the first FP8 rule for the last NV rule. */
static pto_dtype scale_type_of_next(pto_block_rule rule) {
    return pto_block_scale_type(rule == PTO_NV_CT ? PTO_FP8_DIV : rule);
}

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"mx.floor rounds as mx.even", check_block_values, RULE(QUANTIZE, MX_FLOOR, MX_EVEN)},
    {"mx.ceil rounds as mx.rceil", check_block_values, RULE(QUANTIZE, MX_CEIL, MX_RCEIL)},
    {"mx.even rounds as mx.floor", check_block_values, RULE(QUANTIZE, MX_EVEN, MX_FLOOR)},
    {"mx.even1 takes the element's digits", check_block_values, RULE(QUANTIZE, MX_EVEN1, MX_EVEN)},
    {"mx.rceil skips NaNs", check_block_values, RULE(QUANTIZE, MX_RCEIL, MX_RCEIL_SAT)},
    {"mx.rceil.sat keeps NaNs", check_block_values, RULE(QUANTIZE, MX_RCEIL_SAT, MX_RCEIL)},
    {"nv.te has no factor where the scale is 0", check_block_values, RULE(QUANTIZE, NV_TE, NV_RCP)},
    {"nv.rcp has a factor where the scale is 0", check_block_values, RULE(QUANTIZE, NV_RCP, NV_TE)},
    {"nv.ao has scales below 2^-6", check_block_values, RULE(QUANTIZE, NV_AO, NV_MODELOPT)},
    {"nv.modelopt has nv.ct's scale of zero blocks", check_block_values, RULE(QUANTIZE, NV_MODELOPT, NV_CT)},
    {"nv.ct has nv.modelopt's scale of zero blocks", check_block_values, RULE(QUANTIZE, NV_CT, NV_MODELOPT)},
    {"fp8.div multiplies", check_block_values, RULE(QUANTIZE, FP8_DIV, FP8_RCP)},
    {"fp8.rcp divides", check_block_values, RULE(QUANTIZE, FP8_RCP, FP8_DIV)},
    {"fp8.mul divides", check_block_values, RULE(QUANTIZE, FP8_MUL, FP8_DIV)},
    {"fp8.te stores the scale of fp8.mul", check_block_values, RULE(QUANTIZE, FP8_TE, FP8_MUL)},
    {"fp8.ct does not round to the source's type", check_block_values, RULE(QUANTIZE, FP8_CT, FP8_DIV)},
    {"nv.46.te.mae256 takes other errors", check_block_choice, CHOICE(NV_46_TE_MAE256, NV_46_TE_MSE256)},
    {"nv.46.te.mse256 takes other errors", check_block_choice, CHOICE(NV_46_TE_MSE256, NV_46_TE_MAE256)},
    {"nv.46.te.mae448 takes other errors", check_block_choice, CHOICE(NV_46_TE_MAE448, NV_46_TE_MSE448)},
    {"nv.46.te.mse448 takes other errors", check_block_choice, CHOICE(NV_46_TE_MSE448, NV_46_TE_MAE448)},
    {"nv.46.fi.mae256 takes other errors", check_block_choice, CHOICE(NV_46_FI_MAE256, NV_46_FI_MSE256)},
    {"nv.46.fi.mse256 takes other errors", check_block_choice, CHOICE(NV_46_FI_MSE256, NV_46_FI_MAE256)},
    {"nv.46.fi.mae448 takes other errors", check_block_choice, CHOICE(NV_46_FI_MAE448, NV_46_FI_MSE448)},
    {"nv.46.fi.mse448 takes other errors", check_block_choice, CHOICE(NV_46_FI_MSE448, NV_46_FI_MAE448)},
    {"nv.46.fast.mae256 takes other errors", check_block_choice,
     CHOICE(NV_46_FAST_MAE256, NV_46_FAST_MSE256)},
    {"nv.46.fast.mse256 takes other errors", check_block_choice,
     CHOICE(NV_46_FAST_MSE256, NV_46_FAST_MAE256)},
    {"nv.46.fast.mae448 takes other errors", check_block_choice,
     CHOICE(NV_46_FAST_MAE448, NV_46_FAST_MSE448)},
    {"nv.46.fast.mse448 takes other errors", check_block_choice,
     CHOICE(NV_46_FAST_MSE448, NV_46_FAST_MAE448)},
    {"nv.46.modelopt takes the errors of the stored scale", check_block_choice,
     CHOICE(NV_46_MODELOPT, NV_46_FAST_MSE256)},
    {"nv.46.te.mae256 has the target 448", check_block_choice, CHOICE(NV_46_TE_MAE256, NV_46_TE_MAE448)},
    {"nv.46.te.mse448 has the errors of fast mathematics", check_block_choice,
     CHOICE(NV_46_TE_MSE448, NV_46_FAST_MSE448)},
    {"nv.46.fi.mae448 keeps the signs of a block of zeros", check_block_choice, BLOCK(signs_of_zeros)},
    {"bfp.tt judges ties before the shift", check_block_bfp, BLOCK(sticky_shift)},
    {"bfp.tt raises the exponent", check_block_bfp, BLOCK(raises_exponent)},
    {"bfp.tt writes signed zeros", check_block_bfp, BLOCK(signed_bfp_zeros)},
    {"bfp.tt reads -0 as 0", check_block_bfp, BLOCK(bfp_without_sign)},
    {"mx.gguf rounds as mx.floor", check_block_values, RULE(QUANTIZE, MX_GGUF, MX_FLOOR)},
    {"nv.gguf rounds as nv.quark", check_block_values, RULE(QUANTIZE, NV_GGUF, NV_QUARK)},
    {"mx.onednn rounds once", check_block_values, RULE(QUANTIZE, MX_ONEDNN, MX_RCEIL_SAT)},
    {"nv.onednn has no least scale", check_block_values, RULE(QUANTIZE, NV_ONEDNN, NV_RCP)},
    {"mx.cann multiplies by 2^127", check_block_values, RULE(QUANTIZE, MX_CANN, MX_FLOOR)},
    {"mx.cann6 rounds up above 1.75", check_block_values, RULE(QUANTIZE, MX_CANN6, MX_CANN7)},
    {"mx.cann7 rounds up above 1.5", check_block_values, RULE(QUANTIZE, MX_CANN7, MX_CANN6)},
    {"mx.even.quark rounds as mx.floor", check_block_values, RULE(QUANTIZE, MX_EVEN_QUARK, MX_FLOOR)},
    {"nv.quark has e4m3 scales", check_block_values, RULE(QUANTIZE, NV_QUARK, NV_CT)},
    {"fp8.ao has a scale for zeros", check_block_values, RULE(QUANTIZE, FP8_AO, FP8_DIV)},
    {"fp8.hf divides MAX by the magnitude", check_block_values, RULE(QUANTIZE, FP8_HF, FP8_TE)},
    {"mx.int8 has codes of -2", check_block_values, BLOCK(code_of_minus_two)},
    {"mx.gguf takes the even element of a tie", check_block_requantize, RULE(REQUANTIZE, MX_GGUF, MX_FLOOR)},
    {"nv.gguf reads ue5m3", check_block_dequantize, RULE(DEQUANTIZE, NV_GGUF, NV_QUARK)},
    {"mx.int8 loses the sign of a code", check_block_dequantize, BLOCK(unsigned_steps)},
    {"fp8.te.pow2 keeps the fraction", check_block_values, BLOCK(plain_scales)},
    {"-0 loses its sign", check_block_values, BLOCK(no_minus_zero)},
    {"a NaN is clamped", check_block_values, BLOCK(nan_clamped)},
    {"the inverse of the least scale is 2^126", check_block_values, BLOCK(least_scale)},
    {"a tie goes away from zero", check_block_values, BLOCK(tie_away)},
    {"nv.ao takes the second level for its inverse", check_block_values, BLOCK(level_inverted)},
    {"fp8.te knows no eps", check_block_tensor_values, BLOCK(no_eps)},
    {"nv.te inverts A = 0", check_block_tensor_values, BLOCK(zero_as_any)},
    {"fp8.rcp divides by a given scale", check_block_requantize, RULE(REQUANTIZE, FP8_RCP, FP8_DIV)},
    {"fp8.mul divides by a given scale", check_block_requantize, RULE(REQUANTIZE, FP8_MUL, FP8_DIV)},
    {"nv.te has no factor where a given scale is 0", check_block_requantize, RULE(REQUANTIZE, NV_TE, NV_RCP)},
    {"fp8.ct does not round a quotient", check_block_requantize, RULE(REQUANTIZE, FP8_CT, FP8_DIV)},
    {"nv.te multiplies in another order on the way back", check_block_dequantize, BLOCK(other_order)},
    {"a NaN comes back quiet", check_block_dequantize, BLOCK(quiet_nan)},
    {"the scale 2^-127 comes back as 0", check_block_dequantize, BLOCK(scale_flushed)},
    {"one element takes no part in the magnitude", check_block_places, BLOCK(misses_element)},
    {"a nibble after an odd row is not zero", check_block_shapes, BLOCK(last_nibble)},
    {"a byte between rows is written", check_block_shapes, BLOCK(fills_gap)},
    {"a byte after the tensor is read", check_block_shapes, BLOCK(reads_behind)},
    {"the last row uses the first one's random words", check_block_shapes, BLOCK(same_words)},
    {"a byte after the result is written", check_block_offsets, BLOCK(writes_behind)},
    {"a row of a tall tensor is wrong", check_block_splits, BLOCK(by_rows)},
    {"a NaN of a long block has its code's sign", check_block_large_blocks, BLOCK(signs_of_codes)},
    {"a long result loses its last line", check_block_long, BLOCK(loses_a_line)},
    {"tiles of columns split a byte of e2m1", check_block_parts, BLOCK(odd_tiles)},
    {"tiles of columns split a byte of e2m1", check_block_columns, BLOCK(odd_tiles)},
    {"a byte after the result is written", check_block_parts, BLOCK(writes_behind)},
    {"the last row uses the first one's random words", check_block_parts, BLOCK(same_words)},
    {"amax misses the last column if rows are apart", check_block_amax_parts,
     .calls.block_amax = amax_misses_column},
    {"amax passes over NaNs of bf16", check_block_amax, .calls.block_amax = amax_passes},
    {"amax misses the last element", check_block_amax, .calls.block_amax = amax_misses},
    {"nv.modelopt's number is the inverse", check_block_tensor, .calls.block_tensor = tensor_inverse},
    {"a row of e2m1 loses its odd element", check_block_sizes, .calls.block_sizes = size_cut},
    {"two rules have one name", check_block_names, .calls.block_rule_name = name_of_other},
    {"the scales of nv.ct are f32", check_block_names, .calls.block_scale_type = scale_type_of_next},
    {"32x8 leaves padding", check_scales_layouts, .calls.scales_swizzle = padding_left},
    {"columns of words are read as tiles", check_scales_layouts, .calls.scales_unswizzle = wrong_tiles},
    {"check takes odd blocks of e2m1", check_block_status, .calls.block_check = takes_odd},
    {"fp8.mul takes a NaN for eps", check_block_status, BLOCK(takes_nan_eps)},
    {"the stride of one row does not matter", check_block_status, BLOCK(short_stride)},
    {"quantize writes with an error", check_block_status, BLOCK(writes_on_error)},
    {"codes may lie over scales", check_block_overlaps, BLOCK(codes_over_scales)},
    {"bytes of rows wrap", check_scales_status, .calls.scales_bytes = bytes_wrap},
    {"rows are laid out in place", check_scales_overlaps, .calls.scales_swizzle = layout_in_place},
    {"codes of nvfp4 lie in order", check_block_packs, .calls.block_pack = codes_in_order},
    {"two faces of a tile are swapped", check_block_packs, .calls.block_unpack = swaps_faces},
    {"partial units of nvfp4 have a size", check_block_pack_status,
     .calls.block_pack_bytes = takes_partial_units},
    {"scales are unpacked over codes", check_block_pack_overlaps, .calls.block_unpack = unpacks_over},
    {"a tensor's number is divided by the FPU", check_block_fpstate, .calls.block_tensor = tensor_by_fpu},
    {"block scaling leaves a sticky flag", check_block_fpstate, BLOCK(leaves_sticky)},
    {"scales beyond 2^64 are wrong, sampled", check_block_sweep, BLOCK(large_scales)},
    {"scales beyond 2^64 are wrong", check_block_all_amax, BLOCK(large_scales)},
    {"f32 scales from 2^33 to 2^65 are wrong in their last digit", check_block_all_amax, BLOCK(large_words)},
};
const struct planted_list planted_block = {faults, sizeof faults / sizeof faults[0]};
