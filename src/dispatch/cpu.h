/* SPDX-License-Identifier: MIT */
/* Functions that detect which instructions this processor and operating system can run. */
#ifndef PTO_DISPATCH_CPU_H
#define PTO_DISPATCH_CPU_H

#include "core/variants.h"
#include "pto/isa.h"

/* Returns whether this machine can run every instruction that the backend uses, even if the instruction set is
 * emulated. */
bool pto_cpu_runs(pto_isa isa);

/* Returns whether the CPU has the variant's extension and everything that the variant's backend requires. */
bool pto_cpu_has_variant(enum variant variant);

/* Returns whether AVX512_VBMI looks up 128-byte tables as fast as 64-byte ones on this CPU, provided that it has
 * VBMI. */
bool pto_cpu_has_fast_128_byte_tables(void);

/* Returns whether the backend runs natively on this machine, not emulated by SIMDe. */
bool pto_cpu_native(pto_isa isa);

#endif
