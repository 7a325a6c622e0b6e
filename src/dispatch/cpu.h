/* SPDX-License-Identifier: MIT */
/* What this processor and operating system can run. */
#ifndef PTO_DISPATCH_CPU_H
#define PTO_DISPATCH_CPU_H

#include "pto/isa.h"

/* Whether every instruction that the backend is compiled with may be executed here. */
bool pto_cpu_runs(pto_isa isa);

/* Whether AVX512-FP16 may be executed besides all of PTO_ISA_AVX512. */
bool pto_cpu_avx512_fp16(void);

/* Whether AVX512_VBMI and VBMI2 may, and GFNI, which no CPU with both is without. */
bool pto_cpu_avx512_vbmi(void);

/* And whether these look up in 128 bytes as fast as in 64. */
bool pto_cpu_looks_up_128(void);

/* Whether FP16 and BF16 of Armv8.2 may be executed besides all of PTO_ISA_NEON, and BF16 besides all of PTO_ISA_SVE. */
bool pto_cpu_neon_fp16(void);
bool pto_cpu_neon_bf16(void);
bool pto_cpu_sve_bf16(void);

/* Whether Zvfh may be executed besides all of PTO_ISA_RVV. */
bool pto_cpu_rvv_fp16(void);

/* Whether the backend is this machine's own, not carried to it by SIMDe. */
bool pto_cpu_native(pto_isa isa);

#endif
