/* SPDX-License-Identifier: MIT */
/** @file instructions.h  What VCMPPH, VMAXPH and VMINPH of AVX512-FP16 do, with exceptions suppressed, on 512 bits. */
#ifndef PTO_TEST_FP16_INSTRUCTIONS_H
#define PTO_TEST_FP16_INSTRUCTIONS_H

#include <stdint.h>

enum { FP16_LANES = 32 };

/** Of the lanes of k, those whose pair of binary16 numbers the predicate, an immediate of the instruction, is true of. */
uint32_t fp16_vcmpph(uint32_t k, const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES],
                     unsigned predicate);

/** The larger of each pair, or the smaller; b's where both are zero or either is a NaN. */
void fp16_vmaxph(const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES], uint16_t result[FP16_LANES]);
void fp16_vminph(const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES], uint16_t result[FP16_LANES]);

/** How many instructions there were in this process. */
unsigned long fp16_count(void);

#endif
