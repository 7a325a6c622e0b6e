/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE /* syscall */
#endif

#include "dispatch/cpu.h"

#include <stdatomic.h>

#include "core/common.h"
#include "core/fetch.h"

/* What backends ask for, as bits. */
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
 * The compiler's own detection reads cpuid within its leaf bounds and believes an AVX feature only if XCR0
 * says that the operating system saves the registers. It does not know F16C (clang 14) and AVX512-FP16 by
 * name, whose registers are AVX's and AVX-512's.
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
    /* vpermi2b is one step there, and three in Intel's CPUs. */
    if ((found & HAS_AVX512_VBMI) != 0 && __builtin_cpu_is("amd")) found |= LOOKS_UP_128;
    if (__builtin_cpu_is("intel")) found |= FETCHES_LATE;
    return found;
}

#elif defined(__aarch64__) && defined(__linux__)

#    include <sys/auxv.h>

/* The system says what the CPU has and it lets programs use; where its headers do not know of these, this is how it
 * spells them. */
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

/* Nobody is asked: what the library was compiled for is there. */
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

/* The system names extensions by letters. */
#    define HWCAP_V (1UL << ('V' - 'A'))
#    ifndef PR_RISCV_V_GET_CONTROL
#        define PR_RISCV_V_GET_CONTROL 70
#    endif

enum { V_CONTROL = 3, V_CONTROL_OFF = 1 };

/* The letter may stand for a draft, too, 0.7.1, whose CPUs run systems that have no other word for what they have. Both
 * have these instructions. But vtype, here lanes of a byte, tail and masked ones agnostic, has bits that the draft knows
 * nothing of, and is then marked as illegal by its sign. Spelled in numbers, since the file is compiled without V. */
static NOINLINE bool is_v_1_0(void) {
    long vtype;
    __asm__ volatile(".4byte 0x0c0072d7\n\t" /* vsetvli t0, zero, e8, m1, ta, ma */
                     "csrr %0, 0xc21"        /* vtype */
                     : "=r"(vtype)
                     :
                     : "t0");
    return vtype >= 0;
}

/* Whether a process may use V is another question: where it may not, the first instruction ends it. An answer below 0 is
 * of systems that do not know the question. */
static bool is_v_forbidden(void) {
    const int kept_errno = errno, control = prctl(PR_RISCV_V_GET_CONTROL);
    errno = kept_errno;
    return control >= 0 && (control & V_CONTROL) == V_CONTROL_OFF;
}

/* Zvfh has no letter: systems since Linux 6.8 tell of it by riscv_hwprobe, which may be newer than the headers here. What
 * the library is compiled for need not be told. */
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

/* V is asked for by the letter, which every system with V has, and not by riscv_hwprobe, which older ones and emulators
 * lack. */
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

/* Asked once: a virtual machine may take microseconds to answer. Whoever writes it writes the same. */
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
    if (isa == PTO_ISA_NEON) return true; /* SIMDe's rendering needs the baseline alone */
    return pto_cpu_native(isa);
}
