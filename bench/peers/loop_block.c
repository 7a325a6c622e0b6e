/* SPDX-License-Identifier: MIT */
/*
 * Plain loops for block quantization of finite values: a loop over the bits finds the largest magnitude, then the scale
 * is computed, and a second loop scales and rounds. Blocks are contiguous. Functions that are inlined with a constant
 * recipe become a separate loop for it.
 */
#include "peers/loop.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float value_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- elements ---- */

/* Rounds to e4m3, to nearest even, saturating. Below 2^-6, adding 2^14 rounds to multiples of 2^-9, the spacing of
 * e4m3's subnormals. */
static inline uint8_t e4m3_nearest(float x) {
    const uint32_t bits = bits_of(x), sign = bits >> 24 & 0x80, max = bits_of(448);
    const uint32_t a = (bits & 0x7fffffff) < max ? bits & 0x7fffffff : max;
    const uint32_t tiny = bits_of(value_of(a) + 0x1p14F) - bits_of(0x1p14F);
    const uint32_t normal = (a + 0x7ffff + (a >> 20 & 1) - (120u << 23)) >> 20;
    return (uint8_t)(sign | (a < bits_of(0x1p-6F) ? tiny : normal));
}

static inline float e4m3_value(uint8_t code) {
    const unsigned digits = code & 7, exponent = code >> 3 & 15;
    return exponent == 0 ? (float)digits * 0x1p-9F
                         : value_of(((uint32_t)exponent + 120) << 23 | digits << 20);
}

/* Rounds to e2m1. The code is the number of rounding boundaries below the magnitude; a tie goes to the even code. */
static inline uint8_t e2m1_nearest(float x) {
    const uint32_t bits = bits_of(x);
    const float a = value_of(bits & 0x7fffffff);
    const int code =
        (a > 0.25F) + (a >= 0.75F) + (a > 1.25F) + (a >= 1.75F) + (a > 2.5F) + (a >= 3.5F) + (a > 5);
    return (uint8_t)((bits >> 28 & 8) | (uint32_t)code);
}

/* ---- scales: each function stores the scale and returns the factor or divisor for the elements ---- */

typedef float scale_fn(const pto_block_op *op, float a, void *scales, size_t block);

static inline float max_of(const pto_block_op *op) {
    return op->elem == PTO_E4M3 ? 448.0F : 6.0F;
}

static float power_of_two(uint32_t code, void *scales, size_t block) {
    ((uint8_t *)scales)[block] = (uint8_t)code;
    return value_of((254 - code) << 23);
}

static float mx_floor(const pto_block_op *op, float a, void *scales, size_t block) {
    const uint32_t exponent = bits_of(a) >> 23, top = op->elem == PTO_E4M3 ? 8 : 2;
    return power_of_two(exponent > top ? exponent - top : 0, scales, block);
}

static float mx_rceil(const pto_block_op *op, float a, void *scales, size_t block) {
    const uint32_t d = bits_of(a / max_of(op));
    return power_of_two((d >> 23) + ((d & 0x7fffff) != 0), scales, block);
}

static float nv_te(const pto_block_op *op, float a, void *scales, size_t block) {
    const float encode = 2688.0F / op->tensor;
    const uint8_t code = e4m3_nearest(a * (encode * (1.0F / 6.0F)));
    ((uint8_t *)scales)[block] = code;
    return 1.0F / (e4m3_value(code) * (1.0F / encode));
}

static float fp8_div(const pto_block_op *op, float a, void *scales, size_t block) {
    const float scale = (a < op->tensor ? op->tensor : a) / 448.0F;
    ((float *)scales)[block] = scale;
    return scale;
}

/* ---- the loop ---- */

typedef float load_fn(const void *x, size_t i);

static inline float load_f32(const void *x, size_t i) {
    return ((const float *)x)[i];
}

static inline float load_bf16(const void *x, size_t i) {
    return bf16_value(((const uint16_t *)x)[i]);
}

struct recipe {
    size_t block;
    scale_fn *scale;
    bool divides, packs; /* divides each element by the scale; stores two e2m1 in a byte */
};

static ALWAYS_INLINE float largest(load_fn *load, const void *x, size_t at, size_t n) {
    uint32_t largest = 0;
    for (size_t i = at; i < at + n; i++) {
        const uint32_t magnitude = bits_of(load(x, i)) & 0x7fffffff;
        largest = magnitude > largest ? magnitude : largest;
    }
    return value_of(largest);
}

static ALWAYS_INLINE void quantize_as(const struct bench_args *args, const struct recipe r, load_fn *load) {
    const void *x = args->a;
    uint8_t *restrict codes = args->dst;
    for (size_t at = 0; at < args->n; at += r.block) {
        const float a = largest(load, x, at, r.block);
        const float factor = r.scale(&args->what->block, a, args->dst2, at / r.block);
        if (r.packs)
            for (size_t i = at / 2; i < (at + r.block) / 2; i++)
                codes[i] = (uint8_t)(e2m1_nearest(load(x, 2 * i) * factor) |
                                     e2m1_nearest(load(x, 2 * i + 1) * factor) << 4);
        else
            for (size_t i = at; i < at + r.block; i++)
                codes[i] = e4m3_nearest(r.divides ? load(x, i) / factor : load(x, i) * factor);
    }
}

static ALWAYS_INLINE void quantize(const struct bench_args *args, size_t repeat, const struct recipe r) {
    if (args->what->block.wide == PTO_F32) {
        REPEAT(quantize_as(args, r, load_f32))
    } else {
        REPEAT(quantize_as(args, r, load_bf16))
    }
}

static void floor_e4m3(const struct bench_args *args, size_t repeat) {
    quantize(args, repeat, (struct recipe){32, mx_floor, false, false});
}

static void rceil_e4m3(const struct bench_args *args, size_t repeat) {
    quantize(args, repeat, (struct recipe){32, mx_rceil, false, false});
}

static void floor_e2m1(const struct bench_args *args, size_t repeat) {
    quantize(args, repeat, (struct recipe){32, mx_floor, false, true});
}

static void rceil_e2m1(const struct bench_args *args, size_t repeat) {
    quantize(args, repeat, (struct recipe){32, mx_rceil, false, true});
}

static void te_e2m1(const struct bench_args *args, size_t repeat) {
    quantize(args, repeat, (struct recipe){16, nv_te, false, true});
}

static void div_e4m3(const struct bench_args *args, size_t repeat) {
    quantize(args, repeat, (struct recipe){128, fp8_div, true, false});
}

bench_find LOOP_FINDER(block);

bench_fn *LOOP_FINDER(block)(const struct bench_what *what) {
    static const struct {
        pto_block_rule rule;
        pto_dtype elem;
        bench_fn *run;
    } rows[] = {
        {PTO_MX_FLOOR, PTO_E4M3, floor_e4m3}, {PTO_MX_RCEIL, PTO_E4M3, rceil_e4m3},
        {PTO_MX_FLOOR, PTO_E2M1, floor_e2m1}, {PTO_MX_RCEIL, PTO_E2M1, rceil_e2m1},
        {PTO_NV_TE, PTO_E2M1, te_e2m1},       {PTO_FP8_DIV, PTO_E4M3, div_e4m3},
    };
    const pto_block_op *op = &what->block;
    if (what->operation != BENCH_QUANTIZE || op->block_rows != 1 || op->pow2 || op->wide == PTO_F16)
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].rule == op->rule && rows[i].elem == op->elem) return rows[i].run;
    return NULL;
}
