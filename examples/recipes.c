/* SPDX-License-Identifier: MIT */
/* Block-scaled formats by the rules of several stacks, and a tensor quantized to one of them. */
#include "recipes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* Blocks of 32 elements of a row, each with a power of two as its scale. */
#define MX(name, type, by)                                                                                   \
    {                                                                                                        \
        name, {                                                                                              \
            .wide = PTO_F32, .elem = type, .rule = by, .round = PTO_RN, .block_rows = 1, .block_cols = 32    \
        }                                                                                                    \
    }

/* Blocks of 16 elements of a row, each with an e4m3 scale, and a second-level value for the tensor. */
#define NV(by)                                                                                               \
    {                                                                                                        \
        "NVFP4", {                                                                                           \
            .wide = PTO_F32, .elem = PTO_E2M1, .rule = by, .round = PTO_RN, .two_level = true,               \
            .block_rows = 1, .block_cols = 16                                                                \
        }                                                                                                    \
    }

/* Blocks of `high` rows and 128 columns, each with an f32 scale. */
#define FP8(name, by, power, eps, high)                                                                      \
    {                                                                                                        \
        name, {                                                                                              \
            .wide = PTO_F32, .elem = PTO_E4M3, .rule = by, .round = PTO_RN, .pow2 = power, .tensor = eps,    \
            .block_rows = high, .block_cols = 128                                                            \
        }                                                                                                    \
    }

/* The other recipes of a format are compared with its first one. */
const recipe recipes[] = {
    MX("MXFP8 e4m3", PTO_E4M3, PTO_MX_RCEIL),
    MX("MXFP8 e4m3", PTO_E4M3, PTO_MX_FLOOR),
    MX("MXFP8 e4m3", PTO_E4M3, PTO_MX_EVEN),
    MX("MXFP8 e4m3", PTO_E4M3, PTO_MX_EVEN1),
    MX("MXFP6 e2m3", PTO_E2M3, PTO_MX_RCEIL),
    MX("MXFP6 e2m3", PTO_E2M3, PTO_MX_FLOOR),
    MX("MXFP6 e2m3", PTO_E2M3, PTO_MX_EVEN),
    MX("MXFP6 e3m2", PTO_E3M2, PTO_MX_RCEIL),
    MX("MXFP6 e3m2", PTO_E3M2, PTO_MX_FLOOR),
    MX("MXFP6 e3m2", PTO_E3M2, PTO_MX_EVEN),
    MX("MXFP4", PTO_E2M1, PTO_MX_RCEIL),
    MX("MXFP4", PTO_E2M1, PTO_MX_FLOOR),
    MX("MXFP4", PTO_E2M1, PTO_MX_EVEN),
    NV(PTO_NV_TE),
    NV(PTO_NV_RCP),
    NV(PTO_NV_AO),
    NV(PTO_NV_MODELOPT),
    NV(PTO_NV_CT),
    FP8("FP8 128x128", PTO_FP8_DIV, false, 1e-10F, 128),
    FP8("FP8 128x128", PTO_FP8_RCP, false, 1e-4F, 128),
    FP8("FP8 128x128", PTO_FP8_MUL, false, 1e-10F, 128),
    FP8("FP8 128x128", PTO_FP8_TE, false, 0, 128),
    FP8("FP8 128x128", PTO_FP8_TE, true, 0, 128),
    FP8("FP8 128x128", PTO_FP8_CT, false, 0, 128),
    FP8("FP8 1x128", PTO_FP8_DIV, false, 1e-10F, 1),
    FP8("FP8 1x128", PTO_FP8_DIV, true, 1e-10F, 1),
};
const size_t recipe_count = sizeof recipes / sizeof recipes[0];

const char *recipe_rule(const recipe *r, char label[RULE_LABEL]) {
    snprintf(label, RULE_LABEL, "%s%s", pto_block_rule_name(r->op.rule), r->op.pow2 ? ".pow2" : "");
    return label;
}

size_t matrix_bytes(const matrix *m) {
    return m->rows * m->cols * pto_dtype_bits(m->wide) / 8;
}

/* Sets the second-level value of a tensor; NaNs are skipped. If the largest magnitude is 0 or infinite, there is no
 * such value, and one level is used. */
static pto_status set_tensor(pto_block_op *op, const matrix *m) {
    float amax;
    const pto_status status = pto_block_amax(m->wide, m->x, 0, m->rows, m->cols, false, &amax);
    if (status != PTO_OK) return status;
    op->two_level = amax > 0 && isfinite(amax);
    return op->two_level ? pto_block_tensor(op->rule, amax, &op->tensor) : PTO_OK;
}

pto_status quantized_for(const recipe *r, const matrix *m, quantized *q) {
    pto_status status;
    *q = (quantized){.op = r->op, .rows = m->rows, .cols = m->cols};
    q->op.wide = m->wide;
    status = pto_block_sizes(q->op, q->rows, q->cols, &q->size);
    if (status == PTO_OK && q->op.two_level) status = set_tensor(&q->op, m);
    if (status != PTO_OK) return status;
    q->code_bytes = q->rows * q->size.row_bytes;
    q->scale_bytes = scale_count(q) * q->size.scale_bytes;
    q->codes = room(q->code_bytes + q->scale_bytes);
    q->scales = q->codes + q->code_bytes;
    return PTO_OK;
}

void quantized_free(quantized *q) {
    free(q->codes);
    *q = (quantized){0};
}

pto_status quantize(const quantized *q, const matrix *m) {
    return pto_block_quantize(q->op, m->x, 0, q->rows, q->cols, q->codes, 0, q->scales, 0, NULL);
}

pto_status dequantize(const quantized *q, void *y) {
    return pto_block_dequantize(q->op, q->codes, 0, q->scales, 0, q->rows, q->cols, y, 0);
}

size_t other_codes(const quantized *a, const quantized *b) {
    const bool nibbles = pto_dtype_bits(a->op.elem) == 4;
    size_t count = 0;
    for (size_t i = 0; i < a->code_bytes; ++i) {
        const unsigned differs = a->codes[i] ^ b->codes[i];
        if (nibbles)
            count += (size_t)((differs & 0xf) != 0) + (differs >> 4 != 0);
        else
            count += differs != 0;
    }
    return count;
}

size_t other_scales(const quantized *a, const quantized *b) {
    const size_t bytes = a->size.scale_bytes;
    size_t count = 0;
    for (size_t i = 0; i < a->scale_bytes; i += bytes)
        count += memcmp(a->scales + i, b->scales + i, bytes) != 0;
    return count;
}

size_t scale_count(const quantized *q) {
    return q->size.scale_rows * q->size.scale_cols;
}

double bits_per_element(const quantized *q) {
    const pto_dtype type = q->op.elem;
    const double own = type == PTO_E2M3 || type == PTO_E3M2 ? 6.0 : (double)pto_dtype_bits(type);
    return own + 8.0 * (double)q->scale_bytes / ((double)q->rows * (double)q->cols);
}
