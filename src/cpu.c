/* SPDX-License-Identifier: MIT */
#include "cpu.h"

#if defined(__x86_64__) || defined(__i386__)

#    include <cpuid.h>

/*
 * The compiler's own detection reads cpuid within its leaf bounds and believes an AVX feature only if XCR0
 * says that the operating system saves the registers.
 */
static bool has_avx2(void) {
    unsigned a, b, c, d; /* clang 14 does not detect F16C by name; its registers are AVX's */
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* Its registers are those of AVX-512 F; not every compiler detects it by name. */
bool pto_cpu_avx512_fp16(void) {
    unsigned a, b, c, d;
    return has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & 1u << 23) != 0;
}

#else

static bool has_avx2(void) {
    return false;
}

static bool has_avx512(void) {
    return false;
}

bool pto_cpu_avx512_fp16(void) {
    return false;
}

#endif

bool pto_cpu_native(pto_isa isa) {
    switch (isa) {
    case PTO_ISA_SCALAR: return true;
    case PTO_ISA_AVX2: return has_avx2();
    case PTO_ISA_AVX512: return has_avx512();
#if defined(__aarch64__)
    case PTO_ISA_NEON: return true;
#else
    case PTO_ISA_NEON: return false;
#endif
    }
    return false;
}

bool pto_cpu_runs(pto_isa isa) {
    if (isa == PTO_ISA_NEON) return true; /* SIMDe's rendering needs the baseline alone */
#ifdef PTO_PORTABLE
    if (isa == PTO_ISA_AVX2) return true; /* likewise */
#endif
    return pto_cpu_native(isa);
}
