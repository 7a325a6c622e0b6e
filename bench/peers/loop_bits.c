/* SPDX-License-Identifier: MIT */
/* Plain loops for a copy of a packed mask from lane 3 to lane 0, and for Random123's Philox, block by block. */
#include "peers/loop.h"

/* Copies whole words. It may read one word after the end of the mask, which is inside the bench's buffer. */
static void copy_from_3(const struct bench_args *args, size_t repeat) {
    const uint64_t *src = args->a;
    uint64_t *restrict dst = args->dst;
    const size_t words = args->n / 64;
    REPEAT(for (size_t i = 0; i < words; i++) dst[i] = src[i] >> 3 | src[i + 1] << 61)
}

#ifndef PTO_NO_RANDOM
#    include <Random123/philox.h>

/* Operand a has the key, followed by the counter. Only the lower half of the counter is incremented. */
static void philox(const struct bench_args *args, size_t repeat) {
    const uint32_t *from = args->a;
    const philox4x32_key_t key = {{from[0], from[1]}};
    const uint64_t first = from[2] | (uint64_t)from[3] << 32;
    unsigned char *restrict dst = args->dst;
    const size_t blocks = args->n / 4;
    for (size_t pass = 0; pass < repeat; pass++) {
        for (size_t i = 0; i < blocks; i++) {
            const uint64_t at = first + i;
            const philox4x32_ctr_t counter = {{(uint32_t)at, (uint32_t)(at >> 32), from[4], from[5]}};
            const philox4x32_ctr_t words = philox4x32_R(10, counter, key);
            memcpy(dst + i * sizeof words.v, words.v, sizeof words.v);
        }
        BENCH_BARRIER();
    }
}
#endif

bench_find LOOP_FINDER(bits);

bench_fn *LOOP_FINDER(bits)(const struct bench_what *what) {
    if (what->operation == BENCH_MASK_COPY) return copy_from_3;
#ifndef PTO_NO_RANDOM
    if (what->operation == BENCH_RANDOM) return philox;
#endif
    return NULL;
}
