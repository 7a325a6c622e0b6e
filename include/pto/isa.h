/* SPDX-License-Identifier: MIT */
/**
 * @file isa.h
 * Selects the backend: the instruction set that the kernels use.
 *
 * @code
 * // Every backend that this CPU can run gives the same bits.
 * const float x[3] = {1, NAN, -1}, zero = 0;
 * const pto_isa chosen = pto_isa_active();
 * for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; isa++) {
 *     uint8_t mask[1];
 *     if (pto_isa_use(isa) != PTO_OK) continue; // not in this build, or not on this CPU
 *     if (pto_vcmps(PTO_F32, PTO_GEU, 0, x, &zero, PTO_NO_MASK, pto_packed(mask), 3) != PTO_OK) return 1;
 *     assert(mask[0] == 0x3);
 * }
 * if (pto_isa_use(chosen) != PTO_OK) return 1;
 * @endcode
 */
#ifndef PTO_ISA_H
#define PTO_ISA_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The backends. All give the same bits.
 *
 * On x86-64, builds with tests also contain the NEON backend, emulated by SIMDe, for cross-checking (CMake option
 * PTO_BACKENDS). pto_isa_use() and PTO_ISA can select it, but it is never the default. A static program contains
 * it only if it links all of libpto.a (`-Wl,--whole-archive`).
 */
typedef enum pto_isa {
    PTO_ISA_SCALAR, /**< plain integer C, one lane at a time: defines the results, in every build */
    PTO_ISA_AVX2,   /**< AVX2, BMI2 and F16C */
    PTO_ISA_AVX512, /**< AVX2, BMI2 and F16C, and AVX-512 F, BW, DQ and VL. If the CPU has FP16, it is used to compare
                         f16 and bf16. If the CPU has VBMI, VBMI2 and GFNI, they are used to convert from and to formats
                         of at most 8 bits, in block scaling too */
    PTO_ISA_NEON, /**< 64-bit Arm. If the CPU has FP16, it is used to compare f16 and for max and min of f16. If the
                         CPU has BF16, it is used to round f32 to bf16. Linux reports both at run time; on other
                         systems they are used if the library is compiled for a CPU that has them */
    PTO_ISA_SVE, /**< 64-bit Arm with SVE of any vector length, on Linux; SVE2 is not needed. SVE does comparisons,
                         selections, masks, max and min, conversions, exp, random bits and block scaling; everything
                         else is as on NEON. If the CPU has BF16, it is used to round f32 to bf16 */
    PTO_ISA_RVV,    /**< 64-bit RISC-V with the vector extension V 1.0 of any vector length, on Linux. V does
                         comparisons, selections, masks, max and min, conversions, exp (if SLEEF supports RVV), random
                         bits and block scaling; everything else uses vectors of 64 bytes. Zvfh is used to compare f16,
                         for max and min of f16, and to convert between f32 and f16, if Linux 6.8 or later reports
                         it or the library is compiled for it */
    PTO_ISA_GENERIC /**< vectors of 16 bytes, which the compiler translates to the CPU's instructions: for CPUs
                         without a backend of their own, where it is preferred to scalar; on other CPUs it is built
                         only if the CMake option PTO_BACKENDS names it */
} pto_isa;

/**
 * Returns the name of a backend, as the environment variable PTO_ISA spells it: "scalar", "avx2", "avx512", "neon",
 * "sve", "rvv" or "generic". Returns "?" for a value that is not a backend.
 */
PTO_API const char *pto_isa_name(pto_isa isa);

/** Returns whether this build contains the backend and this CPU and operating system can run it. */
PTO_API bool pto_isa_available(pto_isa isa);

/** A CPU extension that a backend uses in addition to its own instructions, if the CPU has it. */
typedef struct pto_variant {
    const char *name;     /**< "fp16", "bf16", "vbmi", ... */
    const char *variable; /**< the environment variable that switches it off with the value 0 */
    pto_isa isa;          /**< the backend */
    bool built;           /**< this build has kernels for it */
    bool supported;       /**< this CPU and operating system can run it */
    bool used;            /**< calls use it now */

    uint8_t reserved[9]; /**< set to 0; for later properties */
} pto_variant;

/**
 * Stores in *out the properties of variant number i. To list all variants, count i up from 0 until the status is
 * PTO_ERR_SIZE.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (`out` is NULL), PTO_ERR_SIZE (there are at most i variants).
 */
PTO_CALL pto_status pto_isa_variant(size_t i, pto_variant *out);

/**
 * Returns the backend that calls use now.
 *
 * It is chosen at the first use of the library, which is a call of this header or any other call that computes. The
 * environment variable PTO_ISA names it, in upper or lower case; without it the best available one is used. If the
 * name is unknown or not available, the best one is used, and one line on stderr lists the available names.
 *
 * | variable        | value    | effect                                                                               |
 * | --------------- | -------- | ------------------------------------------------------------------------------------ |
 * | PTO_AVX512_FP16 | 0        | AVX512 does not use FP16                                                             |
 * | PTO_AVX512_VBMI | 0        | AVX512 does not use VBMI, VBMI2 and GFNI                                             |
 * | PTO_AVX512_VBMI | 64, 128  | VBMI uses look-up tables of that many bytes, even if the other size is faster        |
 * | PTO_ARM_FP16    | 0        | NEON does not use FP16                                                               |
 * | PTO_ARM_BF16    | 0        | NEON and SVE do not use BF16                                                         |
 * | PTO_ARM_SVE2    | 0        | none yet: no kernel uses SVE2                                                        |
 * | PTO_RVV_FP16    | 0        | RVV does not use Zvfh                                                                |
 *
 * The environment is read once, at the first use of the library. Later changes have no effect, and from then on setenv
 * in another thread is safe. Programs that run with more privileges than their user, such as setuid programs, ignore
 * these variables if the C library has secure_getenv.
 *
 * The line on stderr goes to file descriptor 2 and leaves errno unchanged. If a program may have closed that descriptor
 * and opened a file in its place, it can call pto_isa_use() first: then no line is written.
 */
PTO_API pto_isa pto_isa_active(void);

/**
 * Makes all threads use this backend from now on. Calls in progress and existing plans keep the backend that they
 * started with.
 *
 * Returns PTO_OK, or PTO_ERR_ISA (and changes nothing) if the backend is not available.
 */
PTO_CALL pto_status pto_isa_use(pto_isa isa);

#ifdef __cplusplus
}
#endif
#endif
