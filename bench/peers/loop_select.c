/* SPDX-License-Identifier: MIT */
/* Select: only the width of the lanes counts. */
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
#define SELECTS(bits)                                                                                        \
    SELECT(bits, packed, m[i / 8] >> i % 8 & 1)                                                              \
    SELECT(bits, bytes, m[i])

SELECTS(8)
SELECTS(16)
SELECTS(32)
SELECTS(64)

bench_find LOOP_FINDER(select);

bench_fn *LOOP_FINDER(select)(const struct bench_what *what) {
    const bool bytes = what->mask == PTO_MASK_BYTE;
    if (what->operation != BENCH_VSEL && what->operation != BENCH_VSELR) return NULL;
    if (!bytes && what->mask != PTO_MASK_PACKED) return NULL;
    switch (pto_dtype_bits(what->type)) {
    case 8: return bytes ? select_8_bytes : select_8_packed;
    case 16: return bytes ? select_16_bytes : select_16_packed;
    case 32: return bytes ? select_32_bytes : select_32_packed;
    case 64: return bytes ? select_64_bytes : select_64_packed;
    default: return NULL;
    }
}
