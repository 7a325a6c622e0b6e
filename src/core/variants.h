/* SPDX-License-Identifier: MIT */
/*
 * CPU variants: extensions that a backend uses in addition to its own instructions, if the CPU has them. Each row is
 *
 *   X(VARIANT, ISA, name, variable, word, mask)
 *
 *   VARIANT   names the enumerator VARIANT_<VARIANT>, and PTO_BUILD_<VARIANT>, which is defined if its kernels are
 *   built ISA       the backend name      as `pto info` prints it variable  the environment variable that switches it
 *   off with the value 0 word      the CPU word that reports it (enum cpu_word) mask      the bits of this word that
 *   must be set
 *
 * Detection, environment variables, pto_isa_variant(), `pto info` and the tests expand from these rows. CMake reads
 * these rows, too, so each row must be on one line.
 */
#ifndef PTO_CORE_VARIANTS_H
#define PTO_CORE_VARIANTS_H

/* clang-format off */
#define VARIANTS(X)                                                                                          \
    X(AVX512_FP16, AVX512, "fp16", "PTO_AVX512_FP16", CPU_X86_7_EDX, 1U << 23)                               \
    X(AVX512_VBMI, AVX512, "vbmi", "PTO_AVX512_VBMI", CPU_X86_7_ECX, 1U << 1 | 1U << 6 | 1U << 8)            \
    X(NEON_FP16, NEON, "fp16", "PTO_ARM_FP16", CPU_ARM_HWCAP, 1U << 10)                                      \
    X(NEON_BF16, NEON, "bf16", "PTO_ARM_BF16", CPU_ARM_HWCAP2, 1U << 14)                                     \
    X(SVE_BF16, SVE, "bf16", "PTO_ARM_BF16", CPU_ARM_HWCAP2, 1U << 12)                                       \
    X(SVE_SVE2, SVE, "sve2", "PTO_ARM_SVE2", CPU_ARM_HWCAP2, 1U << 1)                                        \
    X(RVV_FP16, RVV, "fp16", "PTO_RVV_FP16", CPU_RISCV_IMA_EXT_0, 1U << 30)
/* clang-format on */

/*
 * Words of feature bits: EDX and ECX of CPUID leaf 7, AT_HWCAP and AT_HWCAP2 of Linux on 64-bit Arm, and the value of
 * RISCV_HWPROBE_KEY_IMA_EXT_0. A word that belongs to another architecture is 0.
 */
enum cpu_word { CPU_X86_7_EDX, CPU_X86_7_ECX, CPU_ARM_HWCAP, CPU_ARM_HWCAP2, CPU_RISCV_IMA_EXT_0 };

#define VARIANT_ENUMERATOR(VARIANT, ISA, name, variable, word, mask) VARIANT_##VARIANT,
enum variant { VARIANTS(VARIANT_ENUMERATOR) VARIANT_COUNT };
#undef VARIANT_ENUMERATOR

#endif
