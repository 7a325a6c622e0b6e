/* SPDX-License-Identifier: MIT */
/*
 * The rooflines, compiled once for each instruction set, BENCH_ISA. BENCH_VECTOR is the width of its vectors in bytes.
 * With the compiler's vector extension, the loops consist only of loads, xors and stores.
 */
#include "peers/contender.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)

typedef unsigned long long vector __attribute__((vector_size(BENCH_VECTOR), aligned(1), may_alias));
typedef unsigned long long register_vector __attribute__((vector_size(BENCH_VECTOR)));

enum { STEP = 4 * BENCH_VECTOR };

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Returns the xor of all streams at offset `at`. `reads` is a constant where this is inlined. */
static ALWAYS_INLINE register_vector fold(const struct bench_traffic *t, unsigned reads, size_t at) {
    register_vector x = {0};
    for (unsigned r = 0; r < reads; r++) x ^= *(const vector *)(t->in[r] + at);
    return x;
}

/* Reads all streams. It uses four accumulators, so that the latency of the xor does not limit the speed. */
static ALWAYS_INLINE void read_all(const struct bench_traffic *t, unsigned reads) {
    register_vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (size_t at = 0; at < t->bytes; at += STEP) {
        s0 ^= fold(t, reads, at);
        s1 ^= fold(t, reads, at + BENCH_VECTOR);
        s2 ^= fold(t, reads, at + (size_t)2 * BENCH_VECTOR);
        s3 ^= fold(t, reads, at + (size_t)3 * BENCH_VECTOR);
    }
    s0 ^= s1 ^ s2 ^ s3;
#if defined(__aarch64__) /* keeps the result alive, in a vector register */
    __asm__ volatile("" ::"w"(s0));
#else
    __asm__ volatile("" ::"v"(s0));
#endif
}

static ALWAYS_INLINE void copy_all(const struct bench_traffic *t, unsigned reads, unsigned writes) {
    for (size_t at = 0; at < t->bytes; at += STEP) {
        for (size_t k = 0; k < STEP; k += BENCH_VECTOR) {
            const register_vector x = fold(t, reads, at + k);
            for (unsigned w = 0; w < writes; w++) *(vector *)(t->out[w] + at + k) = x;
        }
    }
}

#define CASE(reads_, writes_)                                                                                \
    if (t->reads == (reads_) && t->writes == (writes_)) {                                                    \
        for (size_t i = 0; i < repeat; i++) {                                                                \
            if ((writes_) == 0)                                                                              \
                read_all(t, reads_);                                                                         \
            else                                                                                             \
                copy_all(t, reads_, writes_);                                                                \
            BENCH_BARRIER();                                                                                 \
        }                                                                                                    \
        return;                                                                                              \
    }

bench_roofline PASTE(bench_roofline_, BENCH_ISA);

void PASTE(bench_roofline_, BENCH_ISA)(const struct bench_traffic *traffic, size_t repeat) {
    const struct bench_traffic local = *traffic, *t = &local; /* a local copy, which stores cannot alias */
    CASE(0, 1)
    CASE(1, 0)
    CASE(2, 0)
    CASE(1, 1)
    CASE(2, 1)
    CASE(4, 1)
    CASE(8, 1)
    CASE(5, 1)
    CASE(2, 2)
    CASE(5, 2)
    CASE(9, 2)
    CASE(1, 2)
    CASE(1, 4)
    CASE(1, 8)
    __builtin_trap(); /* no cell has another combination */
}
