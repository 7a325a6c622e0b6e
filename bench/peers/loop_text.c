/* SPDX-License-Identifier: MIT */
/*
 * Plain loops that compute a whole text in one pass, as a compiler fuses it.
 */
#include "peers/loop.h"

#include <math.h>

/* max.f32 of PTX for numbers: +0 exceeds -0. The data has no NaNs. */
static inline float larger(float x, float y) {
    if (x == y) return signbit(x) ? y : x;
    return x > y ? x : y;
}

static void four_lines(const struct bench_args *args, size_t repeat) {
    const float *a = args->a, *b = args->b;
    float *restrict d = args->dst;
    const size_t n = args->n;
    REPEAT(for (size_t i = 0; i < n; i++) d[i] = a[i] < b[i] ? b[i] : larger(b[i], a[i]))
}

static void polynomial(const struct bench_args *args, size_t repeat) {
    const float *a = args->a, *b = args->b;
    float *restrict d = args->dst;
    const size_t n = args->n;
    REPEAT(for (size_t i = 0; i < n; i++) {
        const float x = fmaf(fmaf(fmaf(a[i], 1.0F, 0.125F), a[i], 0.25F), a[i], 0.5F);
        d[i] = fabsf(x * (b[i] * 0.5F + a[i]) - b[i]) + a[i];
    })
}

static void hash(const struct bench_args *args, size_t repeat) {
    const uint32_t *a = args->a, *b = args->b;
    uint32_t *restrict d = args->dst;
    const size_t n = args->n;
    REPEAT(for (size_t i = 0; i < n; i++) {
        uint32_t x = a[i] ^ b[i];
        x = (x ^ x >> 16) * 0x85ebca6b;
        x = (x ^ x >> 13) * 0xc2b2ae35;
        d[i] = x ^ x >> 16;
    })
}

bench_find LOOP_FINDER(text);
bench_fn *LOOP_FINDER(text)(const struct bench_what *what) {
    static bench_fn *const loops[] = {four_lines, polynomial, hash};
    const size_t count = sizeof loops / sizeof loops[0];
    if (what->operation != BENCH_PROGRAM && what->operation != BENCH_KERNEL) return NULL;
    return what->text->number < count ? loops[what->text->number] : NULL;
}
