/* SPDX-License-Identifier: MIT */
/* Detects the instruction sets of the processor and operating system. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE /* syscall */
#endif

#include "dispatch/cpu.h"

#include <stdatomic.h>

#include "core/common.h"
#include "core/fetch.h"

/* The features that backends require, as bits. */
enum {
    DETECTED = 1,
    HAS_AVX2 = 2,
    HAS_AVX512 = 4,
    HAS_AVX512_FP16 = 8,
    HAS_AVX512_VBMI = 16,
    LOOKS_UP_128 = 32,
    HAS_SVE = 64,
    HAS_RVV = 128,
    HAS_NEON_FP16 = 256,
    HAS_NEON_BF16 = 512,
    HAS_SVE_BF16 = 1024,
    HAS_RVV_FP16 = 2048,
    FETCHES_LATE = 4096
};

#if defined(__x86_64__) || defined(__i386__)

#    include <cpuid.h>

/*
 * __builtin_cpu_supports() reads CPUID only within its leaf bounds, and reports an AVX feature only if XCR0 shows that
 * the operating system saves the registers. It does not support the names of F16C (clang 14) and AVX512-FP16, so these
 * are read from CPUID. They use the registers of AVX and AVX-512.
 */
static unsigned detect(void) {
    unsigned a, b, c, d, found = DETECTED;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0)
        found |= HAS_AVX2;
    if ((found & HAS_AVX2) != 0 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found |= HAS_AVX512;
    if ((found & HAS_AVX512) != 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & 1u << 23) != 0)
        found |= HAS_AVX512_FP16;
    if ((found & HAS_AVX512) != 0 && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("gfni"))
        found |= HAS_AVX512_VBMI;
    /* VPERMI2B is one micro-operation on AMD CPUs and three on Intel's. */
    if ((found & HAS_AVX512_VBMI) != 0 && __builtin_cpu_is("amd")) found |= LOOKS_UP_128;
    if (__builtin_cpu_is("intel")) found |= FETCHES_LATE;
    return found;
}

#elif defined(__aarch64__) && defined(__linux__)

#    include <sys/auxv.h>

/* AT_HWCAP and AT_HWCAP2 report which extensions the CPU has and the kernel lets programs use. Older headers lack some
 * of the bits, so these are defined here. */
#    ifndef HWCAP_ASIMDHP
#        define HWCAP_ASIMDHP (1UL << 10)
#    endif
#    ifndef HWCAP_SVE
#        define HWCAP_SVE (1UL << 22)
#    endif
#    ifndef HWCAP2_SVEBF16
#        define HWCAP2_SVEBF16 (1UL << 12)
#    endif
#    ifndef HWCAP2_BF16
#        define HWCAP2_BF16 (1UL << 14)
#    endif

static unsigned detect(void) {
    const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
    unsigned found = DETECTED;
    if ((first & HWCAP_ASIMDHP) != 0) found |= HAS_NEON_FP16;
    if ((second & HWCAP2_BF16) != 0) found |= HAS_NEON_BF16;
    if ((first & HWCAP_SVE) != 0) found |= HAS_SVE;
    if ((first & HWCAP_SVE) != 0 && (second & HWCAP2_SVEBF16) != 0) found |= HAS_SVE_BF16;
    return found;
}

#elif defined(__aarch64__)

/* There is no run-time detection here: only the extensions that the library was compiled for are used. */
static unsigned detect(void) {
    unsigned found = DETECTED;
#    ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
    found |= HAS_NEON_FP16;
#    endif
#    ifdef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
    found |= HAS_NEON_BF16;
#    endif
    return found;
}

#elif defined(__riscv) && __riscv_xlen == 64 && defined(__linux__)

#    include <errno.h>
#    include <sys/auxv.h>
#    include <sys/prctl.h>
#    include <unistd.h>

/* AT_HWCAP has a bit for each single-letter extension. */
#    define HWCAP_V (1UL << ('V' - 'A'))
#    ifndef PR_RISCV_V_GET_CONTROL
#        define PR_RISCV_V_GET_CONTROL 70
#    endif

enum { V_CONTROL = 3, V_CONTROL_OFF = 1 };

/* Whether V is version 1.0. On CPUs with the draft 0.7.1, some systems set the bit of V, too. Both versions have the
 * instructions below. But the vtype requested here (byte elements, tail and mask agnostic) has bits that the draft
 * does not define. The draft then sets vill, the sign bit of vtype. The instructions are given as numbers because this
 * file is compiled without V. */
static NOINLINE bool is_v_1_0(void) {
    long vtype;
    __asm__ volatile(".4byte 0x0c0072d7\n\t" /* vsetvli t0, zero, e8, m1, ta, ma */
                     "csrr %0, 0xc21"        /* vtype */
                     : "=r"(vtype)
                     :
                     : "t0");
    return vtype >= 0;
}

/* Whether this process may not use V. If it may not, the first V instruction ends the process. prctl() returns a
 * negative value on systems without this request; V is then allowed. */
static bool is_v_forbidden(void) {
    const int kept_errno = errno, control = prctl(PR_RISCV_V_GET_CONTROL);
    errno = kept_errno;
    return control >= 0 && (control & V_CONTROL) == V_CONTROL_OFF;
}

/* Whether the system reports Zvfh, which has no bit in AT_HWCAP. Linux reports it through riscv_hwprobe since 6.8; the
 * call may be newer than the headers, so its numbers are written out. If the library is compiled for Zvfh, no report is
 * needed. */
#    ifdef __riscv_zvfh
static bool is_zvfh_told(void) {
    return true;
}
#    else
static bool is_zvfh_told(void) {
    enum { RISCV_HWPROBE = 258, EXTENSIONS = 4, ZVFH = 30 };
    struct {
        int64_t key;
        u64 value;
    } asked = {EXTENSIONS, 0};
    const int kept_errno = errno;
    const bool answered = syscall(RISCV_HWPROBE, &asked, 1UL, 0UL, NULL, 0UL) == 0;
    errno = kept_errno;
    return answered && asked.key == EXTENSIONS && (asked.value >> ZVFH & 1) != 0;
}
#    endif

/* V is detected by its bit in AT_HWCAP, which every system with V provides. Older systems and emulators lack
 * riscv_hwprobe. */
static unsigned detect(void) {
    const bool named = (getauxval(AT_HWCAP) & HWCAP_V) != 0;
    if (!named || is_v_forbidden() || !is_v_1_0()) return DETECTED;
    return DETECTED | HAS_RVV | (is_zvfh_told() ? HAS_RVV_FP16 : 0U);
}

#else

static unsigned detect(void) {
    return DETECTED;
}

#endif

/* Whether `feature` was detected. The result is cached, because detection can take microseconds in a virtual machine.
 * Threads that race here store the same value. */
static bool has(unsigned feature) {
    static _Atomic(unsigned) kept;
    unsigned found = atomic_load_explicit(&kept, memory_order_relaxed);
    if (found == 0) atomic_store_explicit(&kept, found = detect(), memory_order_relaxed);
    return (found & feature) != 0;
}

bool pto_cpu_fetches_late(void) {
    return has(FETCHES_LATE);
}

bool pto_cpu_avx512_fp16(void) {
    return has(HAS_AVX512_FP16);
}

bool pto_cpu_avx512_vbmi(void) {
    return has(HAS_AVX512_VBMI);
}

bool pto_cpu_looks_up_128(void) {
    return has(LOOKS_UP_128);
}

bool pto_cpu_neon_fp16(void) {
    return has(HAS_NEON_FP16);
}

bool pto_cpu_neon_bf16(void) {
    return has(HAS_NEON_BF16);
}

bool pto_cpu_sve_bf16(void) {
    return has(HAS_SVE_BF16);
}

bool pto_cpu_rvv_fp16(void) {
    return has(HAS_RVV_FP16);
}

bool pto_cpu_native(pto_isa isa) {
    switch (isa) {
    case PTO_ISA_SCALAR: return true;
    case PTO_ISA_AVX2: return has(HAS_AVX2);
    case PTO_ISA_AVX512: return has(HAS_AVX512);
#if defined(__aarch64__)
    case PTO_ISA_NEON: return true;
#else
    case PTO_ISA_NEON: return false;
#endif
    case PTO_ISA_SVE: return has(HAS_SVE);
    case PTO_ISA_RVV: return has(HAS_RVV);
    case PTO_ISA_GENERIC: return true;
    }
    return false;
}

bool pto_cpu_runs(pto_isa isa) {
    if (isa == PTO_ISA_NEON) return true; /* emulated by SIMDe it needs only the baseline instructions */
    return pto_cpu_native(isa);
}
