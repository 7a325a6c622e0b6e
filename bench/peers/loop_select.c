/* SPDX-License-Identifier: MIT */
/* Plain loops for selection by a mask and by indices. Only the width of the lanes matters. */
#include "peers/loop.h"

#define SELECT(bits, name, on)                                                                               \
    static void select_##bits##_##name(const struct bench_args *args, size_t repeat) {                       \
        const bool reversed = args->what->operation == BENCH_VSELR;                                          \
        const uint##bits##_t *x = reversed ? args->b : args->a, *y = reversed ? args->a : args->b;           \
        const uint8_t *m = args->m;                                                                          \
        uint##bits##_t *restrict dst = args->dst;                                                            \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = (on) ? x[i] : y[i])                                   \
    }
#define SELECT_ONE(bits, name, on)                                                                           \
    static void select_one_##bits##_##name(const struct bench_args *args, size_t repeat) {                   \
        const uint##bits##_t *x = args->a, y = *(const uint##bits##_t *)args->b;                             \
        const uint8_t *m = args->m;                                                                          \
        uint##bits##_t *restrict dst = args->dst;                                                            \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t i = 0; i < n; i++) dst[i] = (on) ? x[i] : y)                                      \
    }
#define PERMUTE(bits)                                                                                        \
    static void permute_##bits(const struct bench_args *args, size_t repeat) {                               \
        enum { LANES = 2048 / (bits) };                                                                      \
        const uint##bits##_t *x = args->a, *index = args->b;                                                 \
        uint##bits##_t *restrict dst = args->dst;                                                            \
        const size_t n = args->n;                                                                            \
        REPEAT(for (size_t group = 0; group < n; group += LANES) for (size_t i = 0; i < LANES; i++)          \
                   dst[group + i] = x[group + index[group + i] % LANES])                                     \
    }
#define SELECTS(bits)                                                                                        \
    SELECT(bits, packed, m[i / 8] >> i % 8 & 1)                                                              \
    SELECT(bits, bytes, m[i])                                                                                \
    SELECT_ONE(bits, packed, m[i / 8] >> i % 8 & 1)                                                          \
    SELECT_ONE(bits, bytes, m[i])                                                                            \
    PERMUTE(bits)

SELECTS(8)
SELECTS(16)
SELECTS(32)
SELECTS(64)

struct select_row {
    size_t bits;
    bench_fn *packed, *bytes, *one_packed, *one_bytes, *permute;
};

#define ROW(bits)                                                                                            \
    {                                                                                                        \
        bits, select_##bits##_packed, select_##bits##_bytes, select_one_##bits##_packed,                     \
            select_one_##bits##_bytes, permute_##bits                                                        \
    }
static const struct select_row select_rows[] = {ROW(8), ROW(16), ROW(32), ROW(64)};

bench_find LOOP_FINDER(select);

bench_fn *LOOP_FINDER(select)(const struct bench_what *what) {
    const bool bytes = what->mask == PTO_MASK_BYTE, one = what->operation == BENCH_VSELS;
    const bool permutes = what->operation == BENCH_VPERMUTE;
    if (what->operation != BENCH_VSEL && what->operation != BENCH_VSELR && !one && !permutes) return NULL;
    if (!bytes && what->mask != PTO_MASK_PACKED) return NULL;
    for (size_t i = 0; i < sizeof select_rows / sizeof *select_rows; i++) {
        const struct select_row *row = &select_rows[i];
        if (row->bits != pto_dtype_bits(what->type)) continue;
        if (permutes) return row->permute;
        if (one) return bytes ? row->one_bytes : row->one_packed;
        return bytes ? row->bytes : row->packed;
    }
    return NULL;
}
