/* SPDX-License-Identifier: MIT */
/*
 * What one writes in plain C and leaves to the compiler: -O3 and the flags of one instruction set, BENCH_ISA.
 * Lanes of 16-bit floats widen by the plainest C there is for it; f16 is there where the compiler has
 * _Float16.
 */
#include "peers/contender.h"
#include "peers/lanes.h"

#include <string.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)

static inline float bf16_value(uint16_t bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static inline uint16_t bf16_nearest(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value) return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#ifdef __FLT16_MAX__
__extension__ typedef _Float16 half;
static inline float half_value(half h) {
    return (float)h;
}
#endif

#define REPEAT(kernel)                                                                                       \
    for (size_t pass = 0; pass < repeat; pass++) {                                                           \
        kernel;                                                                                              \
        BENCH_BARRIER();                                                                                     \
    }

/* ---- compare: to packed bits, against a vector and against a scalar; to bytes ---- */

#define PACK(n, condition)                                                                                   \
    for (size_t k = 0; k < (n); k++) {                                                                       \
        const size_t i = 8 * byte + k;                                                                       \
        bits |= (unsigned)(condition) << k;                                                                  \
    }

#define PACKED(condition)                                                                                    \
    for (size_t byte = 0; byte < n / 8; byte++) {                                                            \
        unsigned bits = 0;                                                                                   \
        PACK(8, condition)                                                                                   \
        dst[byte] = (uint8_t)bits;                                                                           \
    }                                                                                                        \
    if (n % 8) {                                                                                             \
        const size_t byte = n / 8;                                                                           \
        unsigned bits = 0;                                                                                   \
        PACK(n % 8, condition)                                                                               \
        dst[byte] = (uint8_t)bits;                                                                           \
    }

#define COMPARE(op, relation, T, element, widen)                                                             \
    static inline bool T##_##op(element p, element q) {                                                      \
        const __typeof__(widen(p)) x = widen(p), y = widen(q);                                               \
        return relation;                                                                                     \
    }                                                                                                        \
    static void T##_##op##_packed(const struct bench_args *args, size_t repeat) {                            \
        const element *a = args->a, *b = args->b;                                                            \
        uint8_t *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(PACKED(T##_##op(a[i], b[i])))                                                                 \
    }                                                                                                        \
    static void T##_##op##_scalar(const struct bench_args *args, size_t repeat) {                            \
        const element *a = args->a, b = *(const element *)args->b;                                           \
        uint8_t *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(PACKED(T##_##op(a[i], b)))                                                                    \
    }                                                                                                        \
    static void T##_##op##_bytes(const struct bench_args *args, size_t repeat) {                             \
        const element *a = args->a, *b = args->b;                                                            \
        uint8_t *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = T##_##op(a[i], b[i]))                                 \
    }                                                                                                        \
    static void T##_##op##_choose(const struct bench_args *args, size_t repeat) {                            \
        const element *a = args->a, *b = args->b, *u = args->u, *v = args->v;                                \
        element *restrict dst = args->dst;                                                                   \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = T##_##op(a[i], b[i]) ? u[i] : v[i])                   \
    }

#define SAME(x)                   (x)
#define INTEGER(T, element, bits) BENCH_INTEGER_OPERATORS(COMPARE, T, element, SAME)
#define FLOAT(T, element, bits)   BENCH_FLOAT_OPERATORS(COMPARE, T, element, SAME)

BENCH_INTEGERS(INTEGER)
BENCH_FLOATS(FLOAT)
BENCH_FLOAT_OPERATORS(COMPARE, BF16, uint16_t, bf16_value)
#ifdef __FLT16_MAX__
BENCH_FLOAT_OPERATORS(COMPARE, F16, half, half_value)
#endif

struct compare_row {
    pto_dtype type;
    pto_cmp cmp;
    bench_fn *packed, *scalar, *bytes, *choose;
};

#define ROW(op, relation, T, ignored)                                                                        \
    {PTO_##T, PTO_##op, T##_##op##_packed, T##_##op##_scalar, T##_##op##_bytes, T##_##op##_choose},
#define INTEGER_ROWS(T, element, bits) BENCH_INTEGER_OPERATORS(ROW, T, )
#define FLOAT_ROWS(T, element, bits)   BENCH_FLOAT_OPERATORS(ROW, T, )

static const struct compare_row compare_rows[] = {BENCH_INTEGERS(INTEGER_ROWS) BENCH_FLOATS(FLOAT_ROWS)
                                                      BENCH_FLOAT_OPERATORS(ROW, BF16, )
#ifdef __FLT16_MAX__
                                                          BENCH_FLOAT_OPERATORS(ROW, F16, )
#endif
};

static bench_fn *find_compare(const struct bench_what *what) {
    if ((what->flags & PTO_FTZ) || what->seed) return NULL;
    for (size_t i = 0; i < sizeof compare_rows / sizeof *compare_rows; i++) {
        const struct compare_row *row = &compare_rows[i];
        if (row->type != what->type || row->cmp != what->cmp) continue;
        if (what->family == BENCH_VCMPSEL) return row->choose;
        if (what->mask == PTO_MASK_PACKED) return what->family == BENCH_VCMPS ? row->scalar : row->packed;
        if (what->mask == PTO_MASK_BYTE && what->family == BENCH_VCMP) return row->bytes;
    }
    return NULL;
}

/* ---- select: only the width of the lanes counts ---- */

#define SELECT(bits, name, on)                                                                               \
    static void select_##bits##_##name(const struct bench_args *args, size_t repeat) {                       \
        const bool reversed = args->what->family == BENCH_VSELR;                                             \
        const uint##bits##_t *x = reversed ? args->b : args->a, *y = reversed ? args->a : args->b;           \
        const uint8_t *m = args->m;                                                                          \
        uint##bits##_t *restrict dst = args->dst;                                                            \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = (on) ? x[i] : y[i])                                   \
    }
#define SELECTS(bits)                                                                                        \
    SELECT(bits, packed, m[i / 8] >> i % 8 & 1)                                                              \
    SELECT(bits, bytes, m[i])

SELECTS(8)
SELECTS(16)
SELECTS(32)
SELECTS(64)

static bench_fn *find_select(const struct bench_what *what) {
    const bool bytes = what->mask == PTO_MASK_BYTE;
    if (!bytes && what->mask != PTO_MASK_PACKED) return NULL;
    switch (pto_dtype_bits(what->type)) {
    case 8: return bytes ? select_8_bytes : select_8_packed;
    case 16: return bytes ? select_16_bytes : select_16_packed;
    case 32: return bytes ? select_32_bytes : select_32_packed;
    case 64: return bytes ? select_64_bytes : select_64_packed;
    default: return NULL;
    }
}

/* ---- convert: what C has a cast for, and bf16, for which it takes a line ---- */

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

static bench_fn *find_convert(const struct bench_what *what) {
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
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].dst == what->cvt.dst && rows[i].src == what->cvt.src) return rows[i].run;
    return NULL;
}

bench_find PASTE(bench_loop_, BENCH_ISA);

bench_fn *PASTE(bench_loop_, BENCH_ISA)(const struct bench_what *what) {
    switch (what->family) {
    case BENCH_VCMP:
    case BENCH_VCMPS:
    case BENCH_VCMPSEL: return find_compare(what);
    case BENCH_VSEL:
    case BENCH_VSELR: return find_select(what);
    case BENCH_CVT: return find_convert(what);
    default: break; /* setp: no C for a comparison of predicates worth the name */
    }
    return NULL;
}
