/* SPDX-License-Identifier: MIT */
/**
 * @file loop.h
 * Common parts of the plain C loops, which the compiler vectorises at -O3 with the flags of one instruction set,
 * BENCH_ISA. 16-bit floats are widened with simple C code; f16 is measured only if the compiler has _Float16.
 */
#ifndef PTO_BENCH_LOOP_H
#define PTO_BENCH_LOOP_H

#include "peers/contender.h"

#include <string.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)

/* The name of a file's entry point, such as bench_loop_compare_avx2. */
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
