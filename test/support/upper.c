/* SPDX-License-Identifier: MIT */
/* Finds out whether the upper parts of vector registers are in use. */
#include "support/upper.h"

#if defined(__x86_64__)

#    include <cpuid.h>

enum { OSXSAVE = 1 << 27, AVX = 1 << 28, XGETBV_1 = 1 << 2 };
enum { UPPER_YMM = 1 << 2, UPPER_ZMM = 1 << 6 }; /* bits of XINUSE; zmm16 to zmm31 have another bit */

bool upper_is_reported(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & OSXSAVE) == 0 || (c & AVX) == 0) return false;
    if (!__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || (a & XGETBV_1) == 0) return false;
    upper_clear();
    return !upper_in_use();
}

void upper_clear(void) {
    __asm__ volatile("vzeroupper" ::: "memory");
}

void upper_use(void) {
    __asm__ volatile("vpcmpeqd %%ymm9, %%ymm9, %%ymm9" ::: "xmm9");
}

bool upper_in_use(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1) : "memory");
    return (low & (UPPER_YMM | UPPER_ZMM)) != 0;
}

#else

bool upper_is_reported(void) {
    return false;
}

void upper_clear(void) {}

void upper_use(void) {}

bool upper_in_use(void) {
    return false;
}

#endif
