/* SPDX-License-Identifier: MIT */
/* Which instructions this processor and operating system can run. */
#ifndef PTO_DISPATCH_CPU_H
#define PTO_DISPATCH_CPU_H

#include "pto/isa.h"

/* Whether every instruction that the backend uses can be executed on this machine. */
bool pto_cpu_runs(pto_isa isa);

/* Whether AVX512-FP16 can be executed in addition to everything that PTO_ISA_AVX512 requires. */
bool pto_cpu_avx512_fp16(void);

/* Whether AVX512_VBMI, AVX512_VBMI2 and GFNI can be executed, too. Every CPU with the first two has GFNI. */
bool pto_cpu_avx512_vbmi(void);

/* Whether AVX512_VBMI can be executed and looks up 128-byte tables as fast as 64-byte ones. */
bool pto_cpu_looks_up_128(void);

/* Whether the FP16 and BF16 extensions of Armv8.2 can be executed in addition to what PTO_ISA_NEON requires, and BF16
 * in addition to what PTO_ISA_SVE requires. */
bool pto_cpu_neon_fp16(void);
bool pto_cpu_neon_bf16(void);
bool pto_cpu_sve_bf16(void);

/* Whether Zvfh can be executed in addition to what PTO_ISA_RVV requires. */
bool pto_cpu_rvv_fp16(void);

/* Whether the backend runs natively on this machine, not emulated by SIMDe. */
bool pto_cpu_native(pto_isa isa);

#endif
