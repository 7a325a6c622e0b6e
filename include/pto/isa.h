/* SPDX-License-Identifier: MIT */
/**
 * @file isa.h
 * Which instruction set the kernels use.
 */
#ifndef PTO_ISA_H
#define PTO_ISA_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The backends. All give the same bits; SCALAR, plain integer C one lane at a time, is the definition and in
 * every build. AVX2 needs BMI2 and F16C too, AVX512 besides F, BW, DQ and VL; where the CPU has FP16 as well,
 * AVX512 compares f16 with it. On x86 the NEON backend is built through SIMDe, for cross-checking: it can be
 * asked for but is never chosen by itself.
 */
typedef enum pto_isa { PTO_ISA_SCALAR, PTO_ISA_AVX2, PTO_ISA_AVX512, PTO_ISA_NEON } pto_isa;

/** "scalar", "avx2", "avx512" or "neon", as the environment variable PTO_ISA spells it; "?" for no such ISA.
 */
PTO_API const char *pto_isa_name(pto_isa isa);

/** Whether this build has the backend and this CPU and operating system can run it. */
PTO_API bool pto_isa_available(pto_isa isa);

/**
 * The backend that calls use now. It is chosen at the first use of the library: the one that the environment
 * variable PTO_ISA names, else the best available. A name that is unknown or unavailable gives the best one,
 * and one line on stderr. Where PTO_AVX512_FP16 is 0 when AVX512 is chosen, here or by pto_isa_use, it does
 * without FP16.
 */
PTO_API pto_isa pto_isa_active(void);

/**
 * Use this backend from now on, in every thread; calls that are under way finish with the one they started
 * with. Returns PTO_OK, or PTO_ERR_ISA (and changes nothing) if it is not available.
 */
PTO_CALL pto_status pto_isa_use(pto_isa isa);

#ifdef __cplusplus
}
#endif
#endif
