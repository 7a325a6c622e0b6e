/* SPDX-License-Identifier: MIT */
/**
 * @file compare.h
 * Compare arrays lane by lane into a mask.
 */
#ifndef PTO_COMPARE_H
#define PTO_COMPARE_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * dst[i] = seed[i] && (src0[i] CMP src1[i]) for i < n; with PTO_MERGE, lanes whose seed is off keep dst[i].
 *
 * Types: the sixteen one-lane types, with the operators that pto_cmp lists for their class.
 * seed: PTO_NO_MASK means every lane. seed and dst may be of different kinds.
 *
 * Semantics: the pto.vcmp page of the PTO vector instruction set; for floating point PTX setp (PTX ISA,
 * "Comparison and Selection Instructions"): ordered operators are false on NaN, NE among them; +0 equals -0;
 * infinities and subnormals are ordinary values; with PTO_FTZ a subnormal operand counts as zero. NaN
 * payloads never matter and a signalling NaN raises nothing.
 *
 * In place: dst may be the seed (same address, as many bits per lane), or a source if the type has 8 bits and
 * dst is a BYTE mask.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src0, src1, dst's data), PTO_ERR_TYPE, PTO_ERR_OP,
 * PTO_ERR_MODIFIER (an unknown flag; PTO_FTZ on a type other than f16 and f32), PTO_ERR_MASK (dst or seed of
 * a kind that does not fit the type), PTO_ERR_OVERLAP.
 */
PTO_API pto_status pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                            pto_mask seed, pto_mask dst, size_t n);

/** As pto_vcmp with one scalar for the right-hand side: dst[i] = seed[i] && (src[i] CMP *scalar). */
PTO_API pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                             pto_mask seed, pto_mask dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
