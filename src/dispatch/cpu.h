/* SPDX-License-Identifier: MIT */
/* Which instructions this processor and operating system can run. */
#ifndef PTO_DISPATCH_CPU_H
#define PTO_DISPATCH_CPU_H

#include "core/variants.h"
#include "pto/isa.h"

/* Whether every instruction that the backend uses can be executed on this machine. */
bool pto_cpu_runs(pto_isa isa);

/* Whether the CPU has the variant's extension in addition to everything that its backend requires. */
bool pto_cpu_has_variant(enum variant variant);

/* Whether 128-byte tables are looked up as fast as 64-byte ones by AVX512_VBMI, if the CPU has that. */
bool pto_cpu_has_fast_128_byte_tables(void);

/* Whether the backend runs natively on this machine, not emulated by SIMDe. */
bool pto_cpu_native(pto_isa isa);

#endif
