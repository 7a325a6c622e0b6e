/* SPDX-License-Identifier: MIT */
/* Plain loops for a copy of a packed mask from lane 3 to lane 0, and for Philox4x32-10, block by block. */
#include "peers/loop.h"

/* Copies whole words. It may read one word after the end of the mask, which is inside the bench's buffer. */
static void copy_from_3(const struct bench_args *args, size_t repeat) {
    const uint64_t *src = args->a;
    uint64_t *restrict dst = args->dst;
    const size_t words = args->n / 64;
    REPEAT(for (size_t i = 0; i < words; i++) dst[i] = src[i] >> 3 | src[i + 1] << 61)
}

/* Operand a has the key, followed by the counter. Only the lower half of the counter is incremented. */
static void philox(const struct bench_args *args, size_t repeat) {
    const uint32_t *from = args->a;
    const uint64_t first = from[2] | (uint64_t)from[3] << 32;
    unsigned char *restrict dst = args->dst;
    const size_t blocks = args->n / 4;
    for (size_t pass = 0; pass < repeat; pass++) {
        for (size_t i = 0; i < blocks; i++) {
            const uint64_t at = first + i;
            uint32_t c[4] = {(uint32_t)at, (uint32_t)(at >> 32), from[4], from[5]};
            uint32_t key0 = from[0], key1 = from[1];
            for (int round = 0; round < 10; round++) {
                const uint64_t p = (uint64_t)c[0] * 0xd2511f53, q = (uint64_t)c[2] * 0xcd9e8d57;
                c[0] = (uint32_t)(q >> 32) ^ c[1] ^ key0;
                c[1] = (uint32_t)q;
                c[2] = (uint32_t)(p >> 32) ^ c[3] ^ key1;
                c[3] = (uint32_t)p;
                key0 += 0x9e3779b9;
                key1 += 0xbb67ae85;
            }
            memcpy(dst + i * sizeof c, c, sizeof c);
        }
        BENCH_BARRIER();
    }
}

bench_find LOOP_FINDER(bits);

bench_fn *LOOP_FINDER(bits)(const struct bench_what *what) {
    if (what->operation == BENCH_MASK_COPY) return copy_from_3;
    if (what->operation == BENCH_RANDOM) return philox;
    return NULL;
}
