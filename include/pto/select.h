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
 * Caches: with a packed mask, a result of 16 MiB or more that is no source is written past them on x86.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src0, src1, m's data, dst), PTO_ERR_TYPE, PTO_ERR_MASK,
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                             size_t n);

/**
 * dst[i] = m[i] ? src1[i] : src0[i]: pto_vsel reversed. All else as there.
 *
 * The PTO page leaves the predicate of vselr implicit; here it is the argument m. (Newer PTO compiler
 * documents use the name vselr for a permutation of lanes; this is not that.)
 */
PTO_CALL pto_status pto_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                              size_t n);

/** The same lanes as pto_vselr. The PTO page of vselrv2 records only its operands, which are those of vselr.
 */
PTO_CALL pto_status pto_vselrv2(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                                size_t n);

/**
 * dst[i] = *scalar for i < n. Types: the sixteen one-lane types.
 *
 * The scalar may be dst[0] (same address); it may not lie elsewhere in dst.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vbr(pto_dtype t, const void *scalar, void *dst, size_t n);

/**
 * PTX selp: dst[i] = p[i] ? a[i] : b[i]. Types: those of PTX, B, U, S of 16 to 64 bits, F32 and F64 (pto_vsel
 * takes the others too). All else as for pto_vsel.
 */
PTO_CALL pto_status pto_selp(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n);

/**
 * PTX slct: dst[i] = c[i] >= 0 ? a[i] : b[i]. ctype is PTO_S32 or PTO_F32, that of c's elements; -0 counts as
 * >= 0, a NaN does not. ftz (PTO_F32 only): a subnormal c counts as zero, so also a negative one chooses a; a
 * and b are bits.
 *
 * Types of a, b, dst: as for pto_selp. In place: dst may be a or b, or c if t has 32 bits.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE (t or ctype), PTO_ERR_MODIFIER,
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_slct(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b,
                             const void *c, void *dst, size_t n);

/** An operand that is an array or one scalar for every lane. */
typedef struct pto_in {
    const void *data;
    bool scalar;
} pto_in;

static inline pto_in pto_in_array(const void *p) {
    pto_in in;
    in.data = p;
    in.scalar = false;
    return in;
}

static inline pto_in pto_in_scalar(const void *p) {
    pto_in in;
    in.data = p;
    in.scalar = true;
    return in;
}

/**
 * Compare and select in one pass over memory, without a stored mask: dst[i] = (x[i] CMP y[i]) ? u[i] : v[i],
 * each of the four an array or a scalar. ReLU is pto_vcmpsel(t, PTO_LT, 0, x, zero, zero, x, dst, n), a NaN
 * staying a NaN.
 *
 * Types and operators as for pto_vcmp, flags: PTO_FTZ (it acts on the comparison, not on u and v, which are
 * bits). In place: dst may be any of the four arrays (and may begin at a scalar). Caches: as for pto_vsel.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER,
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                pto_in v, void *dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
