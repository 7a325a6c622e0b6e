/* SPDX-License-Identifier: MIT */
/* Detects the instruction sets of the processor and operating system. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE /* syscall */
#endif

#include "dispatch/cpu.h"

#include <stdatomic.h>

#include "core/common.h"
#include "core/prefetch.h"

/* Bits of the detected features. The bit of variant i is bit VARIANT_BITS + i. */
enum {
    DETECTED = 1,
    HAS_AVX2 = 2,
    HAS_AVX512 = 4,
    HAS_SVE = 8,
    HAS_RVV = 16,
    HAS_FAST_128_BYTE_TABLES = 32,
    NEEDS_PREFETCH = 64,
    VARIANT_BITS = 8
};

_Static_assert((int)VARIANT_BITS + (int)VARIANT_COUNT < 32, "the features must fit a word");

#if defined(__x86_64__) || defined(__i386__)

#    include <cpuid.h>

/*
 * __builtin_cpu_supports() reads CPUID only within its leaf bounds, and reports an AVX feature only if XCR0 shows that
 * the operating system saves the registers. In clang 14 it does not accept the name of F16C, so the bit of F16C is read
 * from CPUID. F16C uses the registers of AVX, which the operating system saves if the check of AVX2 succeeds.
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
    /* VPERMI2B is one micro-operation on AMD CPUs and three on Intel's. */
    if ((found & HAS_AVX512) != 0 && __builtin_cpu_is("amd")) found |= HAS_FAST_128_BYTE_TABLES;
    if (__builtin_cpu_is("intel")) found |= NEEDS_PREFETCH;
    return found;
}

static u64 cpu_word(enum cpu_word word) {
    unsigned a, b, c, d;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return 0;
    return word == CPU_X86_7_EDX ? d : word == CPU_X86_7_ECX ? c : 0;
}

#elif defined(__aarch64__) && defined(__linux__)

#    include <sys/auxv.h>

/* AT_HWCAP and AT_HWCAP2 report the extensions that the CPU has and that Linux lets programs use. Older headers do not
 * define HWCAP_SVE. */
#    ifndef HWCAP_SVE
#        define HWCAP_SVE (1UL << 22)
#    endif

static unsigned detect(void) {
    return DETECTED | ((getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? HAS_SVE : 0U);
}

static u64 cpu_word(enum cpu_word word) {
    return word == CPU_ARM_HWCAP ? getauxval(AT_HWCAP) : word == CPU_ARM_HWCAP2 ? getauxval(AT_HWCAP2) : 0;
}

#elif defined(__aarch64__) && defined(__APPLE__)

#    include <sys/sysctl.h>

static unsigned detect(void) {
    return DETECTED;
}

/* Returns whether the CPU has a feature. Versions of macOS that do not know its name report an error. */
static bool has_feature(const char *name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

/* The bits are those of Linux. */
static u64 cpu_word(enum cpu_word word) {
    if (word == CPU_ARM_HWCAP) return has_feature("hw.optional.arm.FEAT_FP16") ? 1U << 10 : 0;
    if (word == CPU_ARM_HWCAP2) return has_feature("hw.optional.arm.FEAT_BF16") ? 1U << 14 : 0;
    return 0;
}

#elif defined(__aarch64__)

static unsigned detect(void) {
    return DETECTED;
}

/* There is no run-time detection here: only the extensions that the library was compiled for are used. The bits are
 * those of Linux. */
static u64 cpu_word(enum cpu_word word) {
#    ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
    if (word == CPU_ARM_HWCAP) return 1U << 10;
#    endif
#    ifdef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
    if (word == CPU_ARM_HWCAP2) return 1U << 14;
#    endif
    (void)word;
    return 0;
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

/* Returns whether V is version 1.0. Some systems also set the bit of V on CPUs with the draft 0.7.1. Both versions have
 * the instructions below. But the vtype requested here (byte elements, tail and mask agnostic) has bits that the draft
 * does not define, so a CPU with the draft sets vill, the sign bit of vtype. The instructions are written as numbers
 * because this file is compiled without V. */
static NOINLINE bool is_v_1_0(void) {
    long vtype;
    __asm__ volatile(".4byte 0x0c0072d7\n\t" /* vsetvli t0, zero, e8, m1, ta, ma */
                     "csrr %0, 0xc21"        /* vtype */
                     : "=r"(vtype)
                     :
                     : "t0");
    return vtype >= 0;
}

/* Returns whether V is forbidden in this process; then the first V instruction would end it. On systems without this
 * request, prctl() returns a negative value, and V is allowed. */
static bool is_v_forbidden(void) {
    const int saved_errno = errno, control = prctl(PR_RISCV_V_GET_CONTROL);
    errno = saved_errno;
    return control >= 0 && (control & V_CONTROL) == V_CONTROL_OFF;
}

/* V is detected by its bit in AT_HWCAP, which every system with V provides. Older systems and emulators lack
 * riscv_hwprobe. */
static unsigned detect(void) {
    const bool named = (getauxval(AT_HWCAP) & HWCAP_V) != 0;
    return named && !is_v_forbidden() && is_v_1_0() ? DETECTED | HAS_RVV : DETECTED;
}

/* Extensions with longer names, such as Zvfh, have no bit in AT_HWCAP. Linux reports them through riscv_hwprobe, Zvfh
 * since 6.8. The headers may be too old to define that system call and its key, so both are given as numbers. If the
 * library is compiled for Zvfh, Zvfh is used without a report. */
static u64 cpu_word(enum cpu_word word) {
    enum { RISCV_HWPROBE = 258, IMA_EXT_0 = 4 };
    struct {
        int64_t key;
        u64 value;
    } probe = {IMA_EXT_0, 0};
    const int saved_errno = errno;
    bool answered;
    if (word != CPU_RISCV_IMA_EXT_0) return 0;
    answered = syscall(RISCV_HWPROBE, &probe, 1UL, 0UL, NULL, 0UL) == 0 && probe.key == IMA_EXT_0;
    errno = saved_errno;
    if (!answered) probe.value = 0;
#    ifdef __riscv_zvfh
    probe.value |= 1U << 30;
#    endif
    return probe.value;
}

#else

static unsigned detect(void) {
    return DETECTED;
}

static u64 cpu_word(enum cpu_word word) {
    (void)word;
    return 0;
}

#endif

/* Returns whether a CPU with the features `found` runs the backend natively, not emulated by SIMDe. */
static bool is_native(pto_isa isa, unsigned found) {
    switch (isa) {
    case PTO_ISA_SCALAR: return true;
    case PTO_ISA_AVX2: return (found & HAS_AVX2) != 0;
    case PTO_ISA_AVX512: return (found & HAS_AVX512) != 0;
#if defined(__aarch64__)
    case PTO_ISA_NEON: return true;
#else
    case PTO_ISA_NEON: return false;
#endif
    case PTO_ISA_SVE: return (found & HAS_SVE) != 0;
    case PTO_ISA_RVV: return (found & HAS_RVV) != 0;
    case PTO_ISA_GENERIC: return true;
    }
    return false;
}

/* Returns the bits of the variants that this CPU has; `found` are its other features. A variant counts only if its
 * backend can run natively: this also ensures that the operating system saves the registers. */
static unsigned detect_variants(unsigned found) {
#define VARIANT_FEATURE(VARIANT, ISA, name, variable, word, mask) {PTO_ISA_##ISA, word, mask},
    static const struct {
        pto_isa isa;
        enum cpu_word word;
        u32 mask;
    } rows[] = {VARIANTS(VARIANT_FEATURE)};
#undef VARIANT_FEATURE
    unsigned variants = 0;
    for (unsigned i = 0; i < VARIANT_COUNT; ++i)
        if (is_native(rows[i].isa, found) && (cpu_word(rows[i].word) & rows[i].mask) == rows[i].mask)
            variants |= 1U << (VARIANT_BITS + i);
    return variants;
}

/* Returns the detected features. They are cached, because detection can take microseconds in a virtual machine.
 * Threads that race here store the same value. */
static unsigned features(void) {
    static _Atomic(unsigned) cache;
    unsigned found = atomic_load_explicit(&cache, memory_order_relaxed);
    if (found != 0) return found;
    found = detect();
    found |= detect_variants(found);
    atomic_store_explicit(&cache, found, memory_order_relaxed);
    return found;
}

bool pto_cpu_needs_prefetch(void) {
    return (features() & NEEDS_PREFETCH) != 0;
}

bool pto_cpu_has_fast_128_byte_tables(void) {
    return (features() & HAS_FAST_128_BYTE_TABLES) != 0;
}

bool pto_cpu_has_variant(enum variant variant) {
    return (features() >> (VARIANT_BITS + (unsigned)variant) & 1) != 0;
}

bool pto_cpu_native(pto_isa isa) {
    return is_native(isa, features());
}

bool pto_cpu_runs(pto_isa isa) {
    if (isa == PTO_ISA_NEON) return true; /* emulated by SIMDe, NEON needs only the baseline instructions */
    return pto_cpu_native(isa);
}
