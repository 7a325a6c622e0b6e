/* SPDX-License-Identifier: MIT */
/**
 * @file select.h
 * Selects lane by lane between two arrays under a mask, and broadcasts a scalar.
 *
 * @code
 * // ReLU in one call: y = x < 0 ? 0 : x. A NaN is not less than 0 and stays, and so does -0.
 * const float x[5] = {-2, 3, NAN, -0.0F, 5}, zero = 0;
 * const pto_in in = pto_in_array(x), nothing = pto_in_scalar(&zero);
 * float y[5];
 * if (pto_vcmpsel(PTO_F32, PTO_LT, 0, in, nothing, nothing, in, y, 5) != PTO_OK) return 1;
 * assert(y[0] == 0 && y[1] == 3 && isnan(y[2]) && signbit(y[3]) && y[4] == 5);
 *
 * // With a mask that exists already, in place: where it is on, y becomes x again.
 * const uint8_t mask[1] = {0x01};
 * if (pto_vsel(PTO_F32, x, y, pto_packed_in(mask), y, 5) != PTO_OK) return 1;
 * assert(y[0] == -2 && y[1] == 3);
 * @endcode
 */
#ifndef PTO_SELECT_H
#define PTO_SELECT_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * dst[i] = m[i] ? src0[i] : src1[i] for i < n. Bits are copied: NaN payloads and subnormals stay unchanged.
 *
 * src0, src1, dst: n elements each. m: n lanes. m is required; PTO_NO_MASK is not legal here.
 *
 * Types: the one-lane types and the small floats (see pto_dtype).
 *
 * Semantics: pto.vsel of the PTO vector instruction set (docs/what-is-pto.md).
 *
 * In place: dst may be src0 or src1, or the memory of m if the type has 8 bits and m is a BYTE mask.
 *
 * Caches: on x86, with a packed mask, a result of 16 MiB or more that is not in place is written with non-temporal
 * stores.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src0, src1, m's data, dst), PTO_ERR_TYPE, PTO_ERR_MASK,
 * PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                             size_t n);

/**
 * dst[i] = m[i] ? src1[i] : src0[i] for i < n: pto_vsel() with the sources swapped. Everything else is as for
 * pto_vsel().
 *
 * The PTO page leaves the predicate of vselr implicit; here it is the argument m. (Newer PTO compiler documents use the
 * name vselr for a permutation of lanes, which is pto_vpermute(). This call selects and does not permute.)
 */
PTO_CALL pto_status pto_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                              size_t n);

/**
 * dst[i] = m[i] ? src1[i] : src0[i] for i < n: the same as pto_vselr(). The PTO page of vselrv2 says only that its
 * operands are those of vselr.
 */
PTO_CALL pto_status pto_vselrv2(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                                size_t n);

/** An operand that is either an array or one scalar for all lanes. */
typedef struct pto_in {
    const void *data; /**< the first element of the array, or the scalar */
    bool scalar;      /**< whether data points to one scalar */
} pto_in;

/** Returns an operand that is the array at p. */
static inline pto_in pto_in_array(const void *p) {
    pto_in in;
    in.data = p;
    in.scalar = false;
    return in;
}

/** Returns an operand that is the scalar at p, used for every lane. */
static inline pto_in pto_in_scalar(const void *p) {
    pto_in in;
    in.data = p;
    in.scalar = true;
    return in;
}

/**
 * dst[i] = m[i] ? src0[i] : src1[i] for i < n, where each source is an array of n elements of type t or one scalar.
 *
 * Use it for a masked fill, or for where() with scalars.
 *
 * Semantics: pto_vsel() with scalars broadcast. PTO's tsels is this call with one array and one scalar.
 *
 * In place: dst may be an array source, may start at the address of a scalar, or may be the memory of m as for
 * pto_vsel(). Types, caches and statuses are as for pto_vsel(); PTO_ERR_NULL is also returned for a source whose data
 * is NULL.
 */
PTO_CALL pto_status pto_vsels(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n);

/**
 * dst[i] = *scalar for i < n: a broadcast of bits.
 *
 * scalar: one element of type t. dst: n elements. Types: those of pto_vsel().
 *
 * Semantics: pto.vbr as the PTO compare-and-select page uses it.
 *
 * In place: the scalar may be dst[0] (same address); it must not lie elsewhere in dst.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vbr(pto_dtype t, const void *scalar, void *dst, size_t n);

/**
 * Selects lanes by index: within each group of `lanes` lanes, dst[i] = src[index[i] mod lanes].
 *
 * So for i < n, dst[i] = src[g + index[i] % lanes], where g = i - i % lanes is the first lane of i's group. Bits are
 * copied. With lanes == n, the whole array is one group, and dst[i] = src[index[i] % n].
 *
 * lanes: at least 1; a PTO vector register of 256 bytes has 256 lanes of 8 bits, 64 of 32 bits. n: a multiple of
 * lanes. src, dst: n elements of type t. index: n unsigned integers of t's width, which may have any value.
 *
 * Types: the one-lane types and the small floats (see pto_dtype).
 *
 * Semantics: pto.vselr and pto.vselrv2 of newer PTO compiler documents, whose groups are vector registers.
 *
 * In place: dst may be index. It must not overlap src at all.
 *
 * Speed: groups of up to 256 bytes whose lanes are a power of 2 are faster on x86 and Arm.
 *
 * @code
 * // Reverses the order within each group of four.
 * const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
 * const uint32_t reversed[8] = {3, 2, 1, 0, 3, 2, 1, 4}; // 4 mod 4 is 0
 * float y[8];
 * if (pto_vpermute(PTO_F32, 4, x, reversed, y, 8) != PTO_OK) return 1;
 * assert(y[0] == 4 && y[3] == 1 && y[4] == 8 && y[7] == 5);
 * @endcode
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, index, dst), PTO_ERR_TYPE, PTO_ERR_SIZE (lanes is 0, n is too
 * large or not a multiple of lanes), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vpermute(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                                 size_t n);

/**
 * PTX selp on arrays: dst[i] = p[i] ? a[i] : b[i] for i < n. Bits are copied.
 *
 * Types: those of PTX, B, U, S of 16 to 64 bits, F32 and F64. PTX's selp does not take f16 and bf16; pto_vsel() takes
 * them, and 8-bit types. Everything else is as for pto_vsel().
 */
PTO_CALL pto_status pto_selp(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n);

/**
 * PTX slct on arrays: dst[i] = c[i] >= 0 ? a[i] : b[i] for i < n. Bits are copied.
 *
 * a, b, dst: n elements of type t each, any type that pto_selp() takes. c: n elements of ctype, PTO_S32 or PTO_F32. -0
 * counts as >= 0, a NaN of either sign does not. ftz (PTO_F32 only): a subnormal c counts as zero, so a negative one
 * selects a too. a and b are copied as bits and never flushed.
 *
 * Semantics: PTX ISA, slct.
 *
 * In place: dst may be a or b, or c if t has 32 bits.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE (t or ctype), PTO_ERR_MODIFIER (ftz with
 * PTO_S32), PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_slct(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b,
                             const void *c, void *dst, size_t n);

/**
 * dst[i] = (x[i] CMP y[i]) ? u[i] : v[i] for i < n: compares and selects in one pass over memory, without storing a
 * mask.
 *
 * x, y, u, v: each is an array of n elements of type t, or one scalar. dst: n elements.
 *
 * Types and operators: as for pto_vcmp(). flags: PTO_FTZ, which affects the comparison only; u and v are copied as
 * bits.
 *
 * Semantics: those of pto_vcmp(), then pto_vsel().
 *
 * In place: dst may be any of the four arrays, and may start at the address of a scalar. Caches: as for pto_vsel().
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER (PTO_FTZ on a type other
 * than f16 and f32; another flag), PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                pto_in v, void *dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
