/* SPDX-License-Identifier: MIT */
/**
 * @file loop.h
 * What the plain loops share: what one writes in C and leaves to the compiler, at -O3 and with the flags of
 * one instruction set, BENCH_ISA. Lanes of 16-bit floats widen by the plainest C there is for it; f16 is
 * there where the compiler has _Float16.
 */
#ifndef PTO_BENCH_LOOP_H
#define PTO_BENCH_LOOP_H

#include "peers/contender.h"

#include <string.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)

/* The file's entry: bench_loop_compare_avx2 */
#define LOOP_FINDER(name) PASTE(bench_loop_##name##_, BENCH_ISA)

static inline float bf16_value(uint16_t bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
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

#endif
