/* SPDX-License-Identifier: MIT */
/**
 * @file isa.h
 * Which instruction set the kernels use.
 *
 * @code
 * // The same bits from every backend that this CPU can run.
 * const float x[3] = {1, NAN, -1}, zero = 0;
 * const pto_isa chosen = pto_isa_active();
 * for (pto_isa isa = PTO_ISA_SCALAR; isa <= PTO_ISA_GENERIC; isa++) {
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
    PTO_ISA_SCALAR, /**< plain integer C, one lane at a time: the definition, in every build */
    PTO_ISA_AVX2,   /**< AVX2, BMI2 and F16C */
    PTO_ISA_AVX512, /**< these and AVX-512 F, BW, DQ and VL; where the CPU has them, f16 and bf16 are compared by
                         FP16, and formats of 8 bits and less converted from and to others, in blocks, too, by VBMI,
                         VBMI2 and GFNI */
    PTO_ISA_NEON, /**< 64-bit Arm; where the CPU has them, f16 are compared, and the larger or smaller of two found, by
                         FP16, and f32 are rounded to bf16 by BF16 (on Linux; elsewhere where the library is compiled
                         for a CPU that has them) */
    PTO_ISA_SVE, /**< 64-bit Arm with SVE, without SVE2, of any vector length, on Linux: comparisons, selections, masks,
                         max and min, conversions, exp, random bits, block scaling, and all else as NEON has it; BF16
                         too, where the CPU has it */
    PTO_ISA_RVV, /**< 64-bit RISC-V with the vector extension V, version 1.0, on Linux, of any vector length:
                         comparisons, selections, masks, max and min, conversions, exp (with a SLEEF that has RVV),
                         random bits, block scaling, and all else in vectors of 64 bytes; where Linux, since 6.8, says
                         that the CPU has Zvfh, or the library is compiled for one, f16 are compared, the larger or
                         smaller found, and f32 converted from and to f16 by it */
    PTO_ISA_GENERIC /**< vectors of 16 bytes of which the compiler makes what the processor has: for processors that
                         have no backend of their own, where it is chosen over scalar; elsewhere only where the CMake
                         option PTO_BACKENDS names it */
} pto_isa;

/**
 * "scalar", "avx2", "avx512", "neon", "sve", "rvv" or "generic", as the environment variable PTO_ISA spells it;
 * "?" for no such ISA.
 */
PTO_API const char *pto_isa_name(pto_isa isa);

/** Whether this build has the backend and this CPU and operating system can run it. */
PTO_API bool pto_isa_available(pto_isa isa);

/**
 * The backend that calls use now. It is chosen at the first use of the library: the one that the environment
 * variable PTO_ISA names, in capitals or not, else the best available. A name that is unknown or unavailable
 * gives the best one, and one line on stderr with the names that are available. Where PTO_AVX512_FP16 is 0,
 * AVX512 does without FP16, and where PTO_AVX512_VBMI is 0 without VBMI, VBMI2 and GFNI. Where that is 64 or
 * 128, it is this variable that says in how many bytes VBMI looks up, and not the CPU. Where PTO_ARM_FP16 is 0,
 * NEON does without FP16, where PTO_ARM_BF16 is 0, NEON and SVE without BF16, and where PTO_RVV_FP16 is 0, RVV
 * without Zvfh.
 *
 * The environment is read once, at the first use of the library, a call of this header or any other that
 * computes; what becomes of the variables later has no effect, and setenv in another thread is safe from then
 * on. Programs that run with more rights than their user, such as setuid ones, do not heed them, where the C
 * library has secure_getenv.
 *
 * The line goes to file descriptor 2 and leaves errno as it is. A program that has closed that descriptor and
 * may have opened a file in its place keeps the line out of it by pto_isa_use, whose choice needs none.
 */
PTO_API pto_isa pto_isa_active(void);

/**
 * Use this backend from here on, in every thread; calls that are under way, and plans, keep the one that they
 * started with. Returns PTO_OK, or PTO_ERR_ISA (and changes nothing) if it is not available.
 */
PTO_CALL pto_status pto_isa_use(pto_isa isa);

#ifdef __cplusplus
}
#endif
#endif
