/* SPDX-License-Identifier: MIT */
/** @file instructions.h Emulates VCMPPH, VMAXPH and VMINPH of AVX512-FP16 on 512 bits, with exceptions suppressed. */
#ifndef PTO_TEST_FP16_INSTRUCTIONS_H
#define PTO_TEST_FP16_INSTRUCTIONS_H

#include <stdint.h>

enum { FP16_LANES = 32 };

/** Returns the lanes of `k` for whose pair of binary16 values `predicate`, an immediate of the instruction, is
 * true. */
uint32_t fp16_vcmpph(uint32_t k, const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES],
                     unsigned predicate);

/** Stores the larger or the smaller value of each pair. The result is b if both are zeros or either is a NaN. */
void fp16_vmaxph(const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES], uint16_t result[FP16_LANES]);
void fp16_vminph(const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES], uint16_t result[FP16_LANES]);

/** Returns the number of instructions that were emulated in this process. */
unsigned long fp16_count(void);

#endif
