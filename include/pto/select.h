/* SPDX-License-Identifier: MIT */
/**
 * @file select.h
 * Choose lane by lane between two arrays under a mask; broadcast.
 */
#ifndef PTO_SELECT_H
#define PTO_SELECT_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * dst[i] = m[i] ? src0[i] : src1[i] for i < n. A copy of bits: NaN payloads and subnormals pass unchanged.
 *
 * Types: the sixteen one-lane types. m is needed: there is no default mask here.
 * Semantics: the pto.vsel page of the PTO vector instruction set.
 *
 * In place: dst may be src0 or src1, or the mask's memory if the type has 8 bits and m is a BYTE mask.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src0, src1, m's data, dst), PTO_ERR_TYPE, PTO_ERR_MASK,
 * PTO_ERR_OVERLAP.
 */
PTO_API pto_status pto_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n);

/**
 * dst[i] = m[i] ? src1[i] : src0[i]: pto_vsel reversed. All else as there.
 *
 * The PTO page leaves the predicate of vselr implicit; here it is the argument m. (Newer PTO compiler
 * documents use the name vselr for a permutation of lanes; this is not that.)
 */
PTO_API pto_status pto_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                             size_t n);

/** The same lanes as pto_vselr. The PTO page of vselrv2 records only its operands, which are those of vselr.
 */
PTO_API pto_status pto_vselrv2(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                               size_t n);

/**
 * dst[i] = *scalar for i < n. Types: the sixteen one-lane types.
 *
 * The scalar may be dst[0] (same address); it may not lie elsewhere in dst.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OVERLAP.
 */
PTO_API pto_status pto_vbr(pto_dtype t, const void *scalar, void *dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
