/* SPDX-License-Identifier: MIT */
/* Plain loops for conversions: those for which C has a cast, and bf16, which takes one line. */
#include "peers/loop.h"

static inline uint16_t bf16_nearest(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value) return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#define CONVERT(name, to, from, value)                                                                       \
    static void name(const struct bench_args *args, size_t repeat) {                                         \
        const from *src = args->a;                                                                           \
        to *restrict dst = args->dst;                                                                        \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = (value))                                              \
    }

CONVERT(s32_f32, int32_t, float, (int32_t)src[i])
CONVERT(f32_s32, float, int32_t, (float)src[i])
CONVERT(f32_f64, float, double, (float)src[i])
CONVERT(f64_f32, double, float, src[i])
CONVERT(bf16_f32, uint16_t, float, bf16_nearest(src[i]))
CONVERT(f32_bf16, float, uint16_t, bf16_value(src[i]))
#ifdef __FLT16_MAX__
CONVERT(f16_f32, half, float, (half)src[i])
CONVERT(f32_f16, float, half, half_value(src[i]))
#endif

bench_find LOOP_FINDER(convert);

bench_fn *LOOP_FINDER(convert)(const struct bench_what *what) {
    static const struct {
        pto_dtype dst, src;
        bench_fn *run;
    } rows[] = {
        {PTO_S32, PTO_F32, s32_f32}, {PTO_F32, PTO_S32, f32_s32},   {PTO_F32, PTO_F64, f32_f64},
        {PTO_F64, PTO_F32, f64_f32}, {PTO_BF16, PTO_F32, bf16_f32}, {PTO_F32, PTO_BF16, f32_bf16},
#ifdef __FLT16_MAX__
        {PTO_F16, PTO_F32, f16_f32}, {PTO_F32, PTO_F16, f32_f16},
#endif
    };
    if (what->operation != BENCH_CVT) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].dst == what->cvt.dst && rows[i].src == what->cvt.src) return rows[i].run;
    return NULL;
}
