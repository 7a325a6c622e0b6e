/* SPDX-License-Identifier: MIT */
/*
 * Plain loops for max, min, clamp and ReLU with PTX's results. They compare float values and select the bits of an
 * operand. fmaxf() of the C library cannot be used: it may return either zero, and an unspecified NaN.
 */
#include "peers/lanes.h"
#include "peers/loop.h"

static inline float f32_value(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double f64_value(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#ifdef __FLT16_MAX__
static inline float f16_value(uint16_t bits) {
    half value;
    memcpy(&value, &bits, sizeof value);
    return half_value(value);
}
#endif

#define INTEGER_STEP(T, element)                                                                             \
    static inline element T##_step(bool max, bool nan, element x, element y) {                               \
        (void)nan;                                                                                           \
        return max == (x > y) ? x : y;                                                                       \
    }

/* nans: the result for two NaNs p and q. Equal values have different bits only if they are zeros. Then the sign bits
 * are combined by AND for max and by OR for min. */
#define FLOAT_STEP(T, element, value, nans)                                                                  \
    static inline element T##_step(bool max, bool nan, element p, element q) {                               \
        const __typeof__(value(p)) x = value(p), y = value(q);                                               \
        const bool x_nan = x != x, y_nan = y != y;                                                           \
        const element same = max ? p & q : p | q, other = (max ? x > y : x < y) ? p : q;                     \
        element chosen = x == y ? same : other;                                                              \
        if (nan) return x_nan || y_nan ? (element)(nans) : chosen;                                           \
        chosen = y_nan ? p : chosen; /* if only p is a NaN, the comparison above selects q */                \
        return x_nan && y_nan ? (element)(nans) : chosen;                                                    \
    }

#define CALLS(T, element, suffix, nan)                                                                       \
    static void T##_max##suffix(const struct bench_args *args, size_t repeat) {                              \
        const element *a = args->a, *b = args->b;                                                            \
        element *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = T##_step(true, nan, a[i], b[i]))                      \
    }                                                                                                        \
    static void T##_min##suffix(const struct bench_args *args, size_t repeat) {                              \
        const element *a = args->a, *b = args->b;                                                            \
        element *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = T##_step(false, nan, a[i], b[i]))                     \
    }                                                                                                        \
    static void T##_clamp##suffix(const struct bench_args *args, size_t repeat) {                            \
        const element *a = args->a, lo = (element)args->what->bounds[0],                                     \
                      hi = (element)args->what->bounds[1];                                                   \
        element *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] =                                                       \
                   T##_step(false, nan, T##_step(true, nan, a[i], lo), hi))                                  \
    }                                                                                                        \
    static void T##_relu##suffix(const struct bench_args *args, size_t repeat) {                             \
        const element *a = args->a;                                                                          \
        element *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = T##_step(true, nan, a[i], 0))                         \
    }

#define INTEGER(T, element, bits)                                                                            \
    INTEGER_STEP(T, element)                                                                                 \
    CALLS(T, element, , false)
BENCH_INTEGERS(INTEGER)

#define FLOAT(T, element, value, nans)                                                                       \
    FLOAT_STEP(T, element, value, nans)                                                                      \
    CALLS(T, element, , false)
FLOAT(F64, uint64_t, f64_value, nan ? INT64_MAX : q | 0x0008000000000000)
FLOAT(F32, uint32_t, f32_value, 0x7fffffff)
FLOAT(BF16, uint16_t, bf16_value, 0x7fff)
CALLS(F64, uint64_t, _nan, true)
CALLS(F32, uint32_t, _nan, true)
CALLS(BF16, uint16_t, _nan, true)
#ifdef __FLT16_MAX__
FLOAT(F16, uint16_t, f16_value, 0x7fff)
CALLS(F16, uint16_t, _nan, true)
#endif

struct maxmin_row {
    pto_dtype type;
    unsigned flags;
    bench_fn *max, *min, *clamp, *relu;
};

#define ROW(T, flags, suffix)                                                                                \
    {PTO_##T, flags, T##_max##suffix, T##_min##suffix, T##_clamp##suffix, T##_relu##suffix},
#define INTEGER_ROW(T, element, bits) ROW(T, 0, )

static const struct maxmin_row maxmin_rows[] = {
    BENCH_INTEGERS(INTEGER_ROW) ROW(F64, 0, ) ROW(F32, 0, ) ROW(BF16, 0, ) ROW(F32, PTO_PROPAGATE_NAN, _nan)
        ROW(F64, PTO_PROPAGATE_NAN, _nan) ROW(BF16, PTO_PROPAGATE_NAN, _nan)
#ifdef __FLT16_MAX__
            ROW(F16, 0, ) ROW(F16, PTO_PROPAGATE_NAN, _nan)
#endif
};

bench_find LOOP_FINDER(maxmin);

/* There are no loops with .ftz or .xorsign.abs. */
bench_fn *LOOP_FINDER(maxmin)(const struct bench_what *what) {
    for (size_t i = 0; i < sizeof maxmin_rows / sizeof *maxmin_rows; i++) {
        const struct maxmin_row *row = &maxmin_rows[i];
        if (row->type != what->type || row->flags != what->flags) continue;
        switch (what->operation) {
        case BENCH_VMAX: return row->max;
        case BENCH_VMIN: return row->min;
        case BENCH_VCLAMP: return row->clamp;
        case BENCH_VRELU: return row->relu;
        default: return NULL;
        }
    }
    return NULL;
}
