/* SPDX-License-Identifier: MIT */
/* Compares the model of block scaling with results calculated by hand from docs/block-scaling.md, and its f32
 * arithmetic with the CPU's. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "model/model_block.h"

#include <string.h>

enum { INF = MODEL_F32_INF, NANS = 0x7fc00001, LARGEST = MODEL_F32_LARGEST };
enum { N1 = 0x3f800000, N2 = 0x40000000, N3 = 0x40400000, N6 = 0x40c00000, HALF = 0x3f000000 };
enum { N448 = 0x43e00000, N449 = 0x43e08000, N2688 = 0x45280000, TINIEST = 1, TWO_TO_MINUS_10 = 0x3a800000 };

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/** Returns an op, with a second level if the rule is an NV rule and `tensor` is not 0. The shape of blocks does not
 * matter here. */
static pto_block_op op_of(pto_block_rule rule, pto_dtype elem, pto_dtype wide, bool pow2, uint32_t tensor) {
    pto_block_op op = {.wide = wide, .elem = elem, .rule = rule, .round = PTO_RN, .pow2 = pow2};
    op.tensor = float_of(tensor);
    op.two_level = model_block_has_level(rule) && tensor != 0;
    return op;
}

/* ---- blocks: given amax and one element, the expected scale and that element's code ---- */

static const struct block_row {
    pto_block_rule rule;
    pto_dtype elem, wide;
    bool pow2;
    uint32_t tensor, amax, x, scale, code;
} block_rows[] = {
    /* floor: 448 and 480 have the exponent 8, like the largest e4m3 value */
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, N448, N448, 127, 0x7e},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, 0x43f00000, 0x43f00000, 127, 0x7e},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, 0x44000000, 0x44000000, 128, 0x78},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, N1, N1, 119, 0x78},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, 0, 0x80000000, 0, 0x80},
    {PTO_MX_FLOOR, PTO_E2M3, PTO_F32, false, 0, 0, 0x80000000, 0, 0x20},
    {PTO_MX_FLOOR, PTO_E2M1, PTO_F32, false, 0, 0, 0x80000000, 0, 0x8},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, TINIEST, TINIEST, 0, 0},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, LARGEST, LARGEST, 246, 0x7e},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0, INF, N1, 255, 0x7f},
    {PTO_MX_FLOOR, PTO_E2M3, PTO_F32, false, 0, MODEL_F32_NAN, N1, 255, 0x1f},
    {PTO_MX_CEIL, PTO_E4M3, PTO_F32, false, 0, N448, N448, 128, 0x76},
    {PTO_MX_CEIL, PTO_E4M3, PTO_F32, false, 0, 0x43800000, 0x43800000, 127, 0x78},
    {PTO_MX_CEIL, PTO_E4M3, PTO_F32, false, 0, LARGEST, LARGEST, 247, 0x78},
    {PTO_MX_CEIL, PTO_E2M1, PTO_F32, false, 0, 0x40800000, 0x40800000, 127, 6},
    {PTO_MX_CEIL, PTO_E2M1, PTO_F32, false, 0, N6, N6, 128, 5},
    /* even: an amax of at least (2 - 2^-(m + 1)) * 2^k counts as 2^(k + 1), or gives a NaN if k is 127 */
    {PTO_MX_EVEN, PTO_E2M1, PTO_F32, false, 0, 0x3fe00000, N1, 126, 4},
    {PTO_MX_EVEN, PTO_E2M1, PTO_F32, false, 0, 0x3fdfffff, N1, 125, 6},
    {PTO_MX_EVEN, PTO_E4M3, PTO_F32, false, 0, 0x3ff80000, N1, 120, 0x70},
    {PTO_MX_EVEN, PTO_E4M3, PTO_F32, false, 0, 0x3ff7ffff, N1, 119, 0x78},
    {PTO_MX_EVEN, PTO_E2M3, PTO_F32, false, 0, 0x3ff80000, 0, 126, 0},
    {PTO_MX_EVEN, PTO_E3M2, PTO_F32, false, 0, 0x3ff00000, 0, 124, 0},
    {PTO_MX_EVEN, PTO_E3M2, PTO_F32, false, 0, 0x3fefffff, 0, 123, 0},
    {PTO_MX_EVEN, PTO_E5M2, PTO_F32, false, 0, 0x3ff00000, 0, 113, 0},
    {PTO_MX_EVEN, PTO_E4M3, PTO_F32, false, 0, 0x7f780000, 0, 255, 0x7f},
    {PTO_MX_EVEN, PTO_E4M3, PTO_F32, false, 0, 0x7f77ffff, 0, 246, 0},
    {PTO_MX_EVEN, PTO_E2M1, PTO_F32, false, 0, 0x7f600000, 0, 255, 7},
    {PTO_MX_EVEN1, PTO_E4M3, PTO_F32, false, 0, 0x3fe00000, N1, 120, 0x70},
    {PTO_MX_EVEN1, PTO_E4M3, PTO_F32, false, 0, 0x3fdfffff, N1, 119, 0x78},
    /* rceil: 448 * f32(1/448) is 1, but the f32 after 448 gives more than 1 */
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, N448, N448, 127, 0x7e},
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, 0x43e00001, 0x43e00001, 128, 0x76},
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, 0x04600001, 0, 0, 0},
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, 0x04600002, 0, 1, 0},
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, LARGEST, LARGEST, 247, 0x78},
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, INF, INF, 255, 0x7f},
    {PTO_MX_RCEIL_SAT, PTO_E4M3, PTO_F32, false, 0, INF, INF, 254, 0x7e},
    {PTO_MX_RCEIL_SAT, PTO_E4M3, PTO_F32, false, 0, INF, 0x7a000000, 254, 0},
    {PTO_MX_RCEIL_SAT, PTO_E4M3, PTO_F32, false, 0, INF, 0x7a000001, 254, 1},
    {PTO_MX_RCEIL_SAT, PTO_E4M3, PTO_F32, false, 0, 0, NANS, 0, 0x7f},
    {PTO_MX_RCEIL, PTO_E5M2, PTO_F32, false, 0, 0x47600000, 0xc7600000, 127, 0xfb},
    {PTO_MX_RCEIL, PTO_E2M1, PTO_F32, false, 0, N6, 0xc0c00000, 127, 0xf},
    {PTO_MX_RCEIL, PTO_E2M1, PTO_F32, false, 0, N6, 0x40a00000, 127, 6}, /* 5, a tie */
    {PTO_MX_RCEIL, PTO_E2M1, PTO_F32, false, 0, N6, 0x40200000, 127, 4}, /* 2.5, a tie */
    {PTO_MX_RCEIL, PTO_E2M1, PTO_F32, false, 0, N6, 0xbe800000, 127, 8}, /* -0.25, a tie with zero */
    /* nv.te: A = 2688, -0 and infinity give the same as no A; a NaN gives the largest scale */
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, N2688, N6, N6, 0x38, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, 0, N6, N6, 0x38, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, 0, N2688, 0xc5280000, 0x7e, 0xf},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, N2688, 0, 0x80000000, 0, 8},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, N2688, TWO_TO_MINUS_10, TWO_TO_MINUS_10, 0, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, N2688, TWO_TO_MINUS_10, TINIEST, 0, 0},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, 0x80000000, N6, N6, 0x38, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, INF, N6, N6, 0x38, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, NANS, N6, 0, 0x7e, 0},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, N2688, N6, NANS, 0x38, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, false, N2688, INF, INF, 0x7e, 7},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, false, 0, N6, N6, 0x38, 7},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, false, N2, N6, N6, 0x40, 7},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, false, 0, 0, 0x80000000, 0, 8},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, false, 0, TWO_TO_MINUS_10, TWO_TO_MINUS_10, 0, 0},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, false, 0, 0, 0x80000000, 0x08, 8},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, false, 0, N6, N6, 0x38, 7},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, false, HALF, N6, N6, 0x40, 7},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, false, 0, INF, INF, 0x7e, 7},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, false, 0, MODEL_F32_NAN, N1, 0x7f, 7},
    {PTO_NV_MODELOPT, PTO_E2M1, PTO_F32, false, 0, 0, 0, 0x38, 0},
    {PTO_NV_MODELOPT, PTO_E2M1, PTO_F32, false, 0, 0x35800000, 0x35800000, 0x01, 0},
    {PTO_NV_MODELOPT, PTO_E2M1, PTO_F32, false, N2, N6, N6, 0x30, 7},
    {PTO_NV_MODELOPT, PTO_E2M1, PTO_F32, false, 0, MODEL_F32_NAN, N1, 0x7f, 7},
    {PTO_NV_CT, PTO_E2M1, PTO_F32, false, 0, 0, 0x80000000, 0x20, 8},
    {PTO_NV_CT, PTO_E2M1, PTO_F32, false, N2, N6, N6, 0x40, 7},
    {PTO_NV_CT, PTO_E2M1, PTO_BF16, false, 0, 0x40a00000, 0x40a00000, 0x35, 7}, /* 5/6: 0.8125; 6.15 */
    {PTO_NV_CT, PTO_E2M1, PTO_F16, false, 0x80000000, N6, N6, 0x20, 8},         /* e4m3(-0) is 0; 6 / -Inf */
    /* gguf: log2 rounds up just below a power of two; ties go to the smaller magnitude, and -0 is 0 */
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x407fffff, 0x407fffff, 126,
     7}, /* log2 is not rounded up to 2 */
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x417fffff, 0x40200000, 129, 1},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x417ffffe, 0x40200000, 128, 2},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x5fffffd4, 0, 190, 0},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x5fffffd3, 0, 189, 0},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, N6, 0xc0a00000, 127, 0xe}, /* -5, a tie: -4 */
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, N6, 0xbe800000, 127, 0},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, INF, INF, 253, 0},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, INF, LARGEST, 253, 5},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, false, 0, 0, NANS, 0, 0},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, false, 0, N6, N6, 0x38, 7},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x44ba0000, 0, 0x7e, 0}, /* 1488 = 6 * 248 */
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x44b9ffff, 0, 0x77, 0},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x40cc0000, 0, 0x39, 0}, /* 6.375 / 6 = 1 + 1/16 */
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, false, 0, 0x3dbfffff, 0, 0x07, 0}, /* just below 6 / 64 */
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, false, 0, INF, LARGEST, 0x7e, 0},
    /* onednn: 3.1259 is rounded to 3.125 and then to 3 */
    {PTO_MX_ONEDNN, PTO_E4M3, PTO_F32, false, 0, N448, 0x40480f64, 127, 0x44},
    {PTO_MX_RCEIL, PTO_E4M3, PTO_F32, false, 0, N448, 0x40480f64, 127, 0x45},
    {PTO_MX_ONEDNN, PTO_E4M3, PTO_F32, false, 0, N448, NANS, 127, 0xfe},
    {PTO_MX_ONEDNN, PTO_E5M2, PTO_F32, false, 0, INF, N1, 255, 0xfb},
    {PTO_MX_ONEDNN, PTO_E2M1, PTO_F32, false, 0, N6, NANS, 127, 0xf},
    {PTO_NV_ONEDNN, PTO_E2M1, PTO_F32, false, 0, 0, 0x80000000, 0x20, 8},
    {PTO_NV_ONEDNN, PTO_E2M1, PTO_F32, false, 0, N6, NANS, 0x38, 0xf},
    {PTO_NV_ONEDNN, PTO_E2M1, PTO_F32, false, 0, INF, INF, 0x7e, 7},
    /* cann: zeros where the scale is 2^-127; 6 and 7 round the exponent up above 1.5 and 1.75 */
    {PTO_MX_CANN, PTO_E4M3, PTO_F32, false, 0, N448, N448, 127, 0x7e},
    {PTO_MX_CANN, PTO_E4M3, PTO_F32, false, 0, 0x04000000, 0x84000000, 0, 0x80},
    {PTO_MX_CANN, PTO_E4M3, PTO_F32, false, 0, INF, N1, 255, 0x7f},
    {PTO_MX_CANN6, PTO_E2M1, PTO_F32, false, 0, 0x3fc0ffff, 0, 125, 0},
    {PTO_MX_CANN6, PTO_E2M1, PTO_F32, false, 0, 0x3fc10000, 0, 126, 0},
    {PTO_MX_CANN7, PTO_E2M1, PTO_F32, false, 0, 0x3fe0ffff, 0, 125, 0},
    {PTO_MX_CANN7, PTO_E2M1, PTO_F32, false, 0, 0x3fe10000, 0, 126, 0},
    {PTO_MX_CANN6, PTO_E2M1, PTO_F16, false, 0, 0x3fc0a000, 0, 126, 0}, /* rounds to 1.5078125 */
    {PTO_MX_CANN6, PTO_E2M1, PTO_F32, false, 0, LARGEST, 0, 253, 0},
    {PTO_MX_EVEN_QUARK, PTO_E4M3, PTO_F32, false, 0, 0x7f780000, 0, 254, 0},
    {PTO_MX_EVEN_QUARK, PTO_E4M3, PTO_F32, false, 0, INF, INF, 254, 0x7e},
    {PTO_MX_EVEN_QUARK, PTO_E4M3, PTO_F32, false, 0, MODEL_F32_NAN, 0, 255, 0x7f},
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, false, 0, N6, N6, 0x78, 7},
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, false, 0, 0, 0x80000000, 0, 8},
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, false, 0, MODEL_F32_NAN, N1, 0xff, 7},
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, false, 0, INF, N1, 0xfe, 0},
    {PTO_MX_INT8, PTO_S2F6, PTO_F32, false, 0, 0x3fffffff, 0xbfffffff, 127, 0x81},
    {PTO_MX_INT8, PTO_S2F6, PTO_F32, false, 0, N2, N2, 128, 0x40},
    {PTO_MX_INT8, PTO_S2F6, PTO_F32, false, 0, N1, 0x3cc00000, 127, 2}, /* 1.5 / 64, a tie */
    {PTO_MX_INT8, PTO_S2F6, PTO_F32, false, 0, INF, 0, 255, 0x7f},
    /* fp8 */
    {PTO_FP8_AO, PTO_E4M3, PTO_BF16, false, 0, N3, N3, 0x3bdb0000, 0x7e},
    {PTO_FP8_AO, PTO_E4M3, PTO_F32, false, 0, 0, 0, 0, 0x7f},
    {PTO_FP8_AO, PTO_E5M2, PTO_F32, false, 0x3ee00000, 0, 0, 0x37000000, 0},
    {PTO_FP8_HF, PTO_E4M3, PTO_F32, false, 0, N448, N448, N1, 0x7e},
    {PTO_FP8_HF, PTO_E4M3, PTO_F32, false, 0, 0, 0x80000000, N1, 0x80},
    {PTO_FP8_HF, PTO_E4M3, PTO_F32, false, 0, MODEL_F32_NAN, N449, N1, 0x7e},
    {PTO_FP8_HF, PTO_E4M3, PTO_F32, false, 0, INF, INF, INF, 0x7f},
    {PTO_FP8_HF, PTO_E4M3, PTO_F32, false, 0, TINIEST, TINIEST, 0, 0x7e},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, false, 0, N448, 0xbf800000, N1, 0xb8},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, false, 0x3ee00000, 0, 0, TWO_TO_MINUS_10, 0},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, false, 0, 0, 0, 0, 0x7f},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, false, 0, INF, INF, INF, 0x7f},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, false, 0, INF, 0xbf800000, INF, 0x80},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, false, 0, N3, N3, 0x3bdb6db7, 0x7e},
    {PTO_FP8_DIV, PTO_E5M2, PTO_F32, false, 0, 0x47600000, 0x47600000, N1, 0x7b},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, true, 0, N448, N448, N1, 0x7e},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, true, 0, N449, N449, N2, 0x76},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, true, 0, 0, 0, 0x00800000, 0},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, true, 0, INF, INF, 0x7f000000, 0x7e},
    {PTO_FP8_RCP, PTO_E4M3, PTO_F32, false, 0, MODEL_F32_NAN, N1, MODEL_F32_NAN, 0x7f},
    {PTO_FP8_RCP, PTO_E4M3, PTO_F32, true, 0, MODEL_F32_NAN, N1, 0x7f000000, 0},
    {PTO_FP8_RCP, PTO_E4M3, PTO_F32, false, 0, 0, 0, 0, 0x7f},
    {PTO_FP8_RCP, PTO_E4M3, PTO_F32, false, 0, INF, N1, INF, 0},
    {PTO_FP8_MUL, PTO_E4M3, PTO_F32, false, 0, N448, N448, N1, 0x7e},
    {PTO_FP8_MUL, PTO_E4M3, PTO_F32, false, 0, N3, N3, 0x3bdb6db8, 0x7e},
    {PTO_FP8_MUL, PTO_E4M3, PTO_F32, false, 0, 0, 0, 0, 0x7f},
    {PTO_FP8_MUL, PTO_E4M3, PTO_F32, false, 0x3ee00000, 0, 0x80000000, TWO_TO_MINUS_10, 0x80},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, false, 0, 0, 0, N1, 0},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, false, 0, INF, INF, N1, 0x7e},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, true, 0, N449, N449, N2, 0x76},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, true, 0, N3, N3, 0x3c000000, 0x7c},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, false, 0, TINIEST, TINIEST, 0x00200000, 0},
    {PTO_FP8_TE, PTO_E4M3, PTO_F16, false, TINIEST, 0, 0, 0x37801002, 0}, /* 1 / 65504 */
    {PTO_FP8_TE, PTO_E4M3, PTO_F16, true, TINIEST, 0, 0, 0x38000000, 0},
    {PTO_FP8_CT, PTO_E4M3, PTO_F32, false, 0, 0, 0, 0x34000000, 0},
    {PTO_FP8_CT, PTO_E4M3, PTO_BF16, false, 0, 0, 0, 0x3c000000, 0},
    {PTO_FP8_CT, PTO_E4M3, PTO_F16, false, 0, 0, 0x80000000, TWO_TO_MINUS_10, 0x80},
    {PTO_FP8_CT, PTO_E4M3, PTO_BF16, false, 0, N3, N3, 0x3bdb0000, 0x7e},
    {PTO_FP8_CT, PTO_E4M3, PTO_BF16, false, 0, N3, 0x40020000, 0x3bdb0000, 0x7a}, /* 303.93: 304, a tie */
    {PTO_FP8_CT, PTO_E4M3, PTO_BF16, false, 0, MODEL_F32_NAN, N1, MODEL_F32_NAN, 0x7f},
};

static void blocks(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof block_rows / sizeof block_rows[0]; i++) {
        const struct block_row *row = &block_rows[i];
        const pto_block_op op = op_of(row->rule, row->elem, row->wide, row->pow2, row->tensor);
        struct model_block_scaling scaling;
        const uint32_t scale = model_block_scale(&op, row->amax, &scaling);
        const uint32_t code = (uint32_t)model_block_element(&op, &scaling, row->x, 0);
        char text[MODEL_BLOCK_TEXT];
        model_block_describe(&op, text);
        assert_status(model_block_check(&op), PTO_OK);
        if (scale != row->scale || code != row->code)
            fail_msg("%s, amax %08x, element %08x: scale %x and code %x, not %x and %x", text, row->amax,
                     row->x, scale, code, row->scale, row->code);
    }
}

/* ---- given scales ---- */

static const struct given_row {
    pto_block_rule rule;
    pto_dtype elem, wide;
    uint32_t tensor, scale, x, code;
} given_rows[] = {
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, 0, 0, INF, 0x7e},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, 0, 255, 0, 0x7f},
    {PTO_MX_RCEIL_SAT, PTO_E2M1, PTO_F32, 0, 128, N6, 5},
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, 0, 255, LARGEST, 1}, /* two times 2^127 is infinite */
    {PTO_MX_GGUF, PTO_E2M1, PTO_F32, 0, 0, N1, 0},        /* so far away that all distances are 1 */
    {PTO_MX_CANN, PTO_E2M1, PTO_F32, 0, 0, 0xff7fffff, 8},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, 0, 0x7f, N1, 0},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, 0, 0xff, 0x45340000, 7}, /* 2880 = 6 * 480 */
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, 0, 0, 0x34800000, 4},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, 0, 0x7f, N1, 7},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, 0, 0, N1, 7},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, 0, 0, N1, 0},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, 0, 0x80, N1, 0},
    {PTO_NV_RCP, PTO_E2M1, PTO_F32, 0, 0, INF, 7},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, HALF, 0xc0, N6, 0xf},
    {PTO_NV_MODELOPT, PTO_E2M1, PTO_F32, N2, 0x30, N6, 7},
    {PTO_NV_CT, PTO_E2M1, PTO_F32, N2, 0x40, N3, 5},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, 0, N2, N448, 0x76},
    {PTO_FP8_MUL, PTO_E4M3, PTO_F32, 0, N2, N448, 0x76},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, 0, N2, N448, 0x76},
    {PTO_FP8_TE, PTO_E4M3, PTO_F32, 0, 0, N1, 0x7e},
    {PTO_FP8_RCP, PTO_E4M3, PTO_F32, 0, 0, 0, 0x7f},
    {PTO_FP8_RCP, PTO_E5M2, PTO_F32, 0, 0xc0000000, N2, 0xbc},
    {PTO_FP8_CT, PTO_E4M3, PTO_F16, 0, TINIEST, N1, 0x7e},
};

static void given(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof given_rows / sizeof given_rows[0]; i++) {
        const struct given_row *row = &given_rows[i];
        const pto_block_op op = op_of(row->rule, row->elem, row->wide, false, row->tensor);
        const struct model_block_scaling scaling = model_block_scaling_of(&op, row->scale);
        const uint32_t code = (uint32_t)model_block_element(&op, &scaling, row->x, 0);
        char text[MODEL_BLOCK_TEXT];
        model_block_describe(&op, text);
        if (code != row->code)
            fail_msg("%s, scale %x, element %08x: %x, not %x", text, row->scale, row->x, code, row->code);
    }
}

/* ---- dequantize ---- */

static const struct dequantize_row {
    pto_block_rule rule;
    pto_dtype elem, wide;
    uint32_t tensor, scale, code, value;
} dequantize_rows[] = {
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, 0, 0, 0x38, 0x00400000},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, 0, 255, 0, MODEL_F32_NAN},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F16, 0, 255, 0, 0x7fff},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, 0, 247, 0x78, INF},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F32, 0, 127, 0xff, MODEL_F32_NAN},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_BF16, 0, 127, 0x7e, 0x43e0},
    {PTO_MX_FLOOR, PTO_E4M3, PTO_F16, 0, 135, 0x7e, 0x7c00},
    {PTO_MX_FLOOR, PTO_E2M1, PTO_F32, 0, 127, 7, N6},
    {PTO_MX_FLOOR, PTO_E2M3, PTO_F32, 0, 254, 0x3f, 0xff800000},
    {PTO_MX_FLOOR, PTO_E5M2, PTO_F32, 0, 0, 0xfc, 0xff800000},
    {PTO_MX_INT8, PTO_S2F6, PTO_F32, 0, 127, 0x80, 0xc0000000},
    {PTO_MX_INT8, PTO_S2F6, PTO_BF16, 0, 128, 0x7f, 0x407e},
    {PTO_MX_INT8, PTO_S2F6, PTO_F32, 0, 0, 1, 0x00010000},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, 0, 0x7f, 5, 0},
    {PTO_NV_GGUF, PTO_E2M1, PTO_F32, 0, 0xb8, 5, N3},
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, 0, 0xfe, 7, 0x49280000},
    {PTO_NV_QUARK, PTO_E2M1, PTO_F32, 0, 0xff, 7, MODEL_F32_NAN},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, 0, 0x38, 5, N3},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, N2688, 0x38, 5, N3},
    {PTO_NV_TE, PTO_E2M1, PTO_F32, N2688, 0xff, 5, MODEL_F32_NAN},
    {PTO_NV_AO, PTO_E2M1, PTO_F32, HALF, 0x38, 5, 0x3fc00000},
    {PTO_NV_CT, PTO_E2M1, PTO_F32, N2, 0x38, 0xd, 0xbfc00000},
    {PTO_NV_RCP, PTO_E2M1, PTO_BF16, N2, 0x38, 5, 0x3fc0},
    {PTO_FP8_DIV, PTO_E4M3, PTO_F32, 0, N2, 0xb8, 0xc0000000},
    {PTO_FP8_DIV, PTO_E5M2, PTO_F32, 0, N2, 0x7c, INF},
    {PTO_FP8_DIV, PTO_E5M2, PTO_F32, 0, 0, 0x7c, MODEL_F32_NAN},
    {PTO_FP8_CT, PTO_E4M3, PTO_BF16, 0, NANS, 0, 0x7fff},
};

static void dequantized(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof dequantize_rows / sizeof dequantize_rows[0]; i++) {
        const struct dequantize_row *row = &dequantize_rows[i];
        const pto_block_op op = op_of(row->rule, row->elem, row->wide, false, row->tensor);
        const uint64_t value = model_block_value(&op, model_block_multiplier(&op, row->scale), row->code);
        char text[MODEL_BLOCK_TEXT];
        model_block_describe(&op, text);
        if (value != row->value)
            fail_msg("%s, scale %x, code %x: %llx, not %x", text, row->scale, row->code,
                     (unsigned long long)value, row->value);
    }
}

/** Checks PTO_RS with 1.0625. It is halfway between two codes of e4m3, so only the random bits decide. */
static void random_bits(void **state) {
    pto_block_op op = op_of(PTO_MX_FLOOR, PTO_E4M3, PTO_F32, false, 0);
    const struct model_block_scaling scaling = model_block_scaling_of(&op, 127);
    (void)state;
    op.round = PTO_RS;
    assert_int_equal(model_block_element(&op, &scaling, 0x3f880000, 0x7fff), 0x38);
    assert_int_equal(model_block_element(&op, &scaling, 0x3f880000, 0x8000), 0x39);
}

/* ---- tensors: amax, op.tensor, sizes ---- */

static void tensors(void **state) {
    const uint32_t row[5] = {0xc0c00000, N3, NANS, 0x80000001, 0xffc00000};
    (void)state;
    assert_int_equal(model_block_amax(PTO_F32, row, 0, 1, 5, false), N6);
    assert_int_equal(model_block_amax(PTO_F32, row, 0, 1, 5, true), MODEL_F32_NAN);
    assert_int_equal(model_block_amax(PTO_F32, row, 12, 2, 1, true), N6);
    assert_int_equal(model_block_amax(PTO_F32, row + 2, 0, 1, 1, false), 0);
    assert_int_equal(model_block_amax(PTO_F32, NULL, 0, 0, 5, true), 0);
    assert_int_equal(model_block_tensor(PTO_NV_TE, N6), N6);
    assert_int_equal(model_block_tensor(PTO_NV_AO, N2688), N1);
    assert_int_equal(model_block_tensor(PTO_NV_MODELOPT, 0), 0);
    assert_int_equal(model_block_tensor(PTO_NV_RCP, 0), INF);
    assert_int_equal(model_block_tensor(PTO_NV_CT, INF), 0);
    assert_int_equal(model_block_tensor(PTO_NV_CT, 0), N1);
    assert_int_equal(model_block_tensor(PTO_NV_CT, NANS), N1);
    assert_int_equal(model_block_tensor(PTO_NV_CT, 0x05280000), N1); /* 2688 / 2^128 */
    assert_int_equal(model_block_tensor(PTO_NV_CT, 0x05280001), 0x7f7ffffe);
    assert_int_equal(model_block_tensor(PTO_NV_TE, NANS), MODEL_F32_NAN);
    /* f32(1 / 2688) */
    assert_int_equal(model_block_tensor(PTO_NV_AO, N1), 0x39c30c31);
}

static void sizes(void **state) {
    pto_block_op op = op_of(PTO_NV_TE, PTO_E2M1, PTO_F32, false, 0);
    pto_block_size size;
    (void)state;
    op.block_rows = 1;
    op.block_cols = 16;
    size = model_block_sizes(&op, 3, 33);
    assert_true(size.row_bytes == 17 && size.scale_rows == 3 && size.scale_cols == 3 &&
                size.scale_bytes == 1);
    op.block_rows = op.block_cols = 0;
    size = model_block_sizes(&op, 3, 33);
    assert_true(size.scale_rows == 1 && size.scale_cols == 1);
    op.rule = PTO_FP8_DIV;
    size = model_block_sizes(&op, 0, 33);
    assert_true(size.scale_rows == 0 && size.scale_cols == 1 && size.scale_bytes == 4);
    assert_status(model_block_sizes_status(&op, 1, 1), PTO_ERR_TYPE);
    op.elem = PTO_E4M3;
    assert_status(model_block_sizes_status(&op, SIZE_MAX / 8, 1), PTO_OK);
    assert_status(model_block_sizes_status(&op, SIZE_MAX / 8 + 1, 1), PTO_ERR_SIZE);
}

/** Quantizes two rows of five elements in blocks of 1x4. The expected codes and scales were calculated by hand. */
static void whole(void **state) {
    const uint32_t x[10] = {N1, N2, N3, N6, N448, N6, N6, N6, N6, N6};
    unsigned char codes[6], scales[4];
    struct model_block_call c = {.wide = (void *)x, .rows = 2, .cols = 5, .codes = codes, .scales = scales};
    static const unsigned char want[6] = {0x42, 0x75, 0x06, 0x77, 0x77, 0x07};
    (void)state;
    c.op = op_of(PTO_MX_RCEIL, PTO_E2M1, PTO_F32, false, 0);
    c.op.block_rows = 1;
    c.op.block_cols = 4;
    memset(codes, 0xff, sizeof codes);
    assert_status(model_block_status(MODEL_QUANTIZE, &c), PTO_OK);
    model_block_run(MODEL_QUANTIZE, &c);
    /* 448 / 6 is 74.7, so the scale is 2^7; 448 / 2^7 = 3.5 is a tie, which rounds to 4 */
    assert_true(scales[0] == 127 && scales[1] == 134 && scales[2] == 127 && scales[3] == 127);
    assert_memory_equal(codes, want, sizeof want);
}

/* ---- legality ---- */

static void legality(void **state) {
    static const pto_dtype elems[] = {PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2, PTO_E2M1, PTO_S2F6};
    size_t legal = 0;
    (void)state;
    for (int i = 0; i < MODEL_BLOCK_RULES * 6 * 4; i++) {
        pto_block_op op = op_of((pto_block_rule)(i / 24), elems[i / 4 % 6], PTO_F32, i % 2 != 0, 0);
        op.two_level = i / 2 % 2 != 0;
        legal += model_block_check(&op) == PTO_OK;
    }
    /* MX: five rules with five element types each, and mx.even1 with one. NV: five rules with one or two levels. FP8:
     * three rules with two element types, with or without pow2; fp8.mul with two types; fp8.ct with one. The second
     * set: mx.onednn and mx.cann with three types, mx.even.quark with five, fp8.ao with two, and eight rules with one:
     * the other MX rules, three NV rules and fp8.hf. */
    assert_int_equal(legal, 5 * 5 + 1 + 5 * 2 + 3 * 2 * 2 + 2 + 1 + 2 * 3 + 5 + 2 + 8);
}

/** Whether the op is legal with this value of op.tensor. */
static bool is_legal_tensor(pto_block_rule rule, pto_dtype elem, bool two_level, uint32_t tensor) {
    pto_block_op op = op_of(rule, elem, PTO_BF16, false, tensor);
    op.two_level = two_level;
    return model_block_check(&op) == PTO_OK;
}

static void legal_tensors(void **state) {
    (void)state;
    assert_true(is_legal_tensor(PTO_FP8_MUL, PTO_E4M3, false, INF) &&
                is_legal_tensor(PTO_FP8_TE, PTO_E5M2, false, 0x80000000));
    assert_false(is_legal_tensor(PTO_FP8_MUL, PTO_E4M3, false, NANS) ||
                 is_legal_tensor(PTO_FP8_DIV, PTO_E4M3, false, 0x80000001));
    assert_true(is_legal_tensor(PTO_NV_TE, PTO_E2M1, true, NANS) &&
                is_legal_tensor(PTO_NV_CT, PTO_E2M1, true, 0xc0000000));
    assert_true(is_legal_tensor(PTO_NV_AO, PTO_E2M1, false, 0x80000000) &&
                is_legal_tensor(PTO_FP8_CT, PTO_E4M3, false, 0x80000000));
    assert_false(is_legal_tensor(PTO_NV_AO, PTO_E2M1, false, N1) ||
                 is_legal_tensor(PTO_FP8_CT, PTO_E4M3, false, N1));
    assert_false(is_legal_tensor(PTO_MX_CEIL, PTO_E4M3, false, N1) ||
                 is_legal_tensor(PTO_MX_CEIL, PTO_E4M3, false, NANS));
}

/* ---- layouts ---- */

static void layouts(void **state) {
    (void)state;
    assert_int_equal(model_scales_offset(PTO_SCALES_ROWS, 9, 7, 2, 3), 17);
    assert_int_equal(model_scales_offset(PTO_SCALES_128X4, 128, 8, 33, 5), 533);
    assert_int_equal(model_scales_offset(PTO_SCALES_8X4, 16, 7, 9, 6), 102);
    assert_int_equal(model_scales_offset(PTO_SCALES_MN_X4, 5, 6, 2, 5), 41);
    assert_int_equal(model_scales_offset(PTO_SCALES_32X8, 32, 16, 17, 13), 327);
    assert_int_equal(model_scales_bytes(PTO_SCALES_128X4, 129, 5), 4 * 512);
    assert_int_equal(model_scales_bytes(PTO_SCALES_8X4, 9, 4), 64);
    assert_int_equal(model_scales_bytes(PTO_SCALES_MN_X4, 5, 5), 8 * 2 * 4);
    assert_int_equal(model_scales_bytes(PTO_SCALES_32X8, 33, 9), 64 * 16);
    assert_int_equal(model_scales_bytes(PTO_SCALES_ROWS, SIZE_MAX, 2), 0);
    assert_int_equal(model_scales_bytes((pto_scale_layout)MODEL_LAYOUTS, 1, 1), 0);
}

/** Checks that each scale has an offset of its own within the layout's size. */
static void places(void **state) {
    enum { ROWS = 130, COLS = 11, BUFFER_SIZE = 1 << 13 };
    (void)state;
    for (int layout = 0; layout < MODEL_LAYOUTS; layout++) {
        const pto_scale_layout l = (pto_scale_layout)layout;
        unsigned char taken[BUFFER_SIZE] = {0};
        for (size_t i = 0; i < (size_t)ROWS * COLS; i++) {
            const size_t at = model_scales_offset(l, ROWS, COLS, i / COLS, i % COLS);
            assert_true(at < model_scales_bytes(l, ROWS, COLS) && at < BUFFER_SIZE);
            assert_int_equal(taken[at]++, 0);
        }
    }
}

/* ---- codes and scales stored together ---- */

/** The places of some codes, from the blocks of ggml-common.h and the tiles of tt-metal. */
static void packs(void **state) {
    (void)state;
    assert_int_equal(model_pack_code(PTO_PACK_GGUF_MXFP4, 64, 1, 3), 2 * 34 + 2 + 6);
    assert_int_equal(model_pack_code(PTO_PACK_GGUF_MXFP4, 64, 1, 19), 2 * 34 + 2 + 7);
    assert_int_equal(model_pack_scale(PTO_PACK_GGUF_MXFP4, 64, 1, 40), 51);
    assert_int_equal(model_pack_code(PTO_PACK_GGUF_NVFP4, 64, 0, 17), (4 + 8 + 1) * 2);
    assert_int_equal(model_pack_code(PTO_PACK_GGUF_NVFP4, 64, 0, 25), (4 + 8 + 1) * 2 + 1);
    assert_int_equal(model_pack_scale(PTO_PACK_GGUF_NVFP4, 128, 0, 64 + 33), 36 + 2);
    assert_int_equal(model_pack_code(PTO_PACK_TT_TILE, 64, 2, 50), (1088 + 64 + 256 + 34) * 2);
    assert_int_equal(model_pack_code(PTO_PACK_TT_TILE4, 32, 17, 3), (64 + 256) * 2 + 19);
    assert_int_equal(model_pack_scale(PTO_PACK_TT_TILE4, 32, 49, 16), 576 + 49);
    assert_int_equal(model_pack_bytes(PTO_PACK_TT_TILE4, 64, 96), 6 * 576);
    assert_int_equal(model_pack_bytes(PTO_PACK_GGUF_NVFP4, 1, 96), 0);
    assert_int_equal(model_pack_bytes((pto_pack_layout)MODEL_PACKS, 32, 32), 0);
}

/** Checks that each code and each scale has a place of its own within the layout's size. */
static void pack_places(void **state) {
    enum { ROWS = 64, COLS = 128, BUFFER_SIZE = 1 << 14 };
    (void)state;
    for (int layout = 0; layout < MODEL_PACKS; layout++) {
        const pto_pack_layout l = (pto_pack_layout)layout;
        const struct model_pack_shape shape = model_pack_shape(l);
        unsigned char taken[2 * BUFFER_SIZE] = {0};
        for (size_t i = 0; i < (size_t)ROWS * COLS; i++) {
            const size_t code = model_pack_code(l, COLS, i / COLS, i % COLS);
            const size_t scale = 2 * model_pack_scale(l, COLS, i / COLS, i % COLS);
            assert_true(code < 2 * model_pack_bytes(l, ROWS, COLS) && code < sizeof taken);
            assert_int_equal(taken[code]++, 0);
            if (i % shape.block == 0) assert_int_equal(taken[scale]++, 0);
        }
    }
}

/* ---- f32 compared with the CPU, which rounds to nearest and does not flush subnormals ---- */

static bool same(uint32_t model, float cpu) {
    const uint32_t bits = model_f32_bits(cpu);
    return model_f32_is_nan(model) ? model == MODEL_F32_NAN && model_f32_is_nan(bits) : model == bits;
}

/** Tries operands with all exponents. In every other pair both exponents are such that products are near 1 or
 * subnormal. */
static void as_the_cpu(void **state) {
    struct rng rng;
    (void)state;
    rng_start(&rng, "f32 as the CPU");
    for (size_t i = 0; i < 200000; i++) {
        const uint64_t word = rng_next(&rng);
        const uint32_t x = (uint32_t)word;
        const uint32_t y = i % 2 ? (uint32_t)(word >> 32) : (0x7f000000 - x) ^ (uint32_t)(word >> 40);
        volatile float a = float_of(x), b = float_of(y), product, quotient;
        product = a * b;
        quotient = a / b;
        if (!same(model_f32_mul(x, y), product)) fail_msg("%08x * %08x: %08x", x, y, model_f32_mul(x, y));
        if (!same(model_f32_div(x, y), quotient)) fail_msg("%08x / %08x: %08x", x, y, model_f32_div(x, y));
        if (!model_f32_is_nan(x) && !model_f32_is_nan(y))
            assert_int_equal(model_f32_compare(x, y), (a > b) - (a < b));
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),  cmocka_unit_test(given),       cmocka_unit_test(dequantized),
        cmocka_unit_test(sizes),   cmocka_unit_test(random_bits), cmocka_unit_test(tensors),
        cmocka_unit_test(whole),   cmocka_unit_test(legality),    cmocka_unit_test(legal_tensors),
        cmocka_unit_test(layouts), cmocka_unit_test(places),      cmocka_unit_test(as_the_cpu),
        cmocka_unit_test(packs),   cmocka_unit_test(pack_places)};
    const int status = harness_start(argc, argv);
    return status != 0
               ? status
               : harness_end(cmocka_run_group_tests_name("model of block scaling", tests, NULL, NULL));
}
