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
PTO_CALL pto_status pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                             pto_mask seed, pto_mask dst, size_t n);

/** As pto_vcmp with one scalar for the right-hand side: dst[i] = seed[i] && (src[i] CMP *scalar). */
PTO_CALL pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                              pto_mask seed, pto_mask dst, size_t n);

/** How PTX combines a comparison with a predicate c. */
typedef enum pto_boolop { PTO_BOOL_NONE, PTO_AND, PTO_OR, PTO_XOR } pto_boolop;

/**
 * A PTX setp instruction without its operands. not_c: c is written !c. Make it by pto_parse_setp or a
 * designated initialiser; all zero bits but type and cmp is the plain comparison.
 */
typedef struct pto_setp_op {
    pto_dtype type;
    pto_cmp cmp;
    pto_boolop boolop;
    bool not_c, ftz;
} pto_setp_op;

/**
 * PTX setp over arrays. For a one-lane type, with t[i] = a[i] CMP b[i] and c' = c or, under not_c, !c:
 *   p[i] = BoolOp(t[i], c'[i]),  q[i] = BoolOp(!t[i], c'[i]).
 * Without a BoolOp these are t[i] and !t[i]. For PTO_F16X2 and PTO_BF16X2 n counts pairs, and with t0, t1 the
 * truth of the low and the high halves p[i] = BoolOp(t0[i], c'[i]), q[i] = BoolOp(t1[i], c'[i]).
 *
 * Types: B, U, S of 16 to 64 bits, F16, BF16, F32, F64, F16X2, BF16X2, with the operators of their class; ftz
 * for F16, F16X2, F32. PTX gives f16 and bf16 no q; here they may have one, by the one-lane rule. Masks: any
 * kinds, mixed; Bxx of the type's width (32 for the pairs). q with data NULL is not wanted. c is needed with
 * a BoolOp and must be PTO_NO_MASK without one.
 * Semantics: PTX ISA, setp; its PTX text is set out in docs/semantics.md.
 *
 * In place: p or q may be c, or a source as for pto_vcmp; p and q may not overlap each other.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (a, b, p's data; c's with a BoolOp), PTO_ERR_TYPE,
 * PTO_ERR_OP, PTO_ERR_MODIFIER (ftz where there is none; no such BoolOp; c or not_c without a BoolOp),
 * PTO_ERR_MASK, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_setp(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p, pto_mask q,
                             size_t n);

/** A PTX set instruction without its operands: compare as stype, answer as dtype. */
typedef struct pto_set_op {
    pto_dtype dtype, stype;
    pto_cmp cmp;
    pto_boolop boolop;
    bool not_c, ftz;
} pto_set_op;

/**
 * PTX set over arrays: with r[i] = BoolOp(a[i] CMP b[i], c'[i]) as for pto_setp, dst[i] = r[i] ? true : +0,
 * where true is all ones for U16 S16 U32 S32 and 1.0 for F16, BF16, F32. For the pairs each half answers for
 * itself, with ffff in U32 and S32, and c[i] enters both halves.
 *
 * Types (dtype <- stype): U32 S32 F32 F16 BF16 <- B, U, S of 16 to 64 bits, F32, F64; U16 S16 U32 S32 F16
 * BF16 <- F16; U16 S16 U32 S32 BF16 <- BF16; U32 S32 F16X2 <- F16X2; U32 S32 BF16X2 <- BF16X2. ftz for stype
 * F16, F16X2, F32, unless dtype is BF16. A Bxx mask c goes with the width of stype.
 *
 * In place: dst may be a or b if dtype is as wide as stype.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (a, b, dst; c's data with a BoolOp), PTO_ERR_TYPE,
 * PTO_ERR_OP, PTO_ERR_MODIFIER, PTO_ERR_MASK, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_set(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
