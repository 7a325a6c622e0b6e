/* SPDX-License-Identifier: MIT */
/* Plain loops for comparisons: to packed bits, with a vector and with a scalar; to bytes; and compare-and-select. */
#include "peers/lanes.h"
#include "peers/loop.h"

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

bench_find LOOP_FINDER(compare);

/* There is no loop for setp. */
bench_fn *LOOP_FINDER(compare)(const struct bench_what *what) {
    const bool chooses = what->operation == BENCH_VCMPSEL;
    if (what->operation != BENCH_VCMP && what->operation != BENCH_VCMPS && !chooses) return NULL;
    if ((what->flags & PTO_FTZ) || what->seed) return NULL;
    for (size_t i = 0; i < sizeof compare_rows / sizeof *compare_rows; i++) {
        const struct compare_row *row = &compare_rows[i];
        if (row->type != what->type || row->cmp != what->cmp) continue;
        if (chooses) return row->choose;
        if (what->mask == PTO_MASK_PACKED) return what->operation == BENCH_VCMPS ? row->scalar : row->packed;
        if (what->mask == PTO_MASK_BYTE && what->operation == BENCH_VCMP) return row->bytes;
    }
    return NULL;
}
