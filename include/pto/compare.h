/* SPDX-License-Identifier: MIT */
/**
 * @file compare.h
 * Compares arrays lane by lane; the result is a mask, or an array of numbers.
 *
 * @code
 * // Which of the lanes whose seed is on are at least 1? Bit i of a packed mask is lane i.
 * const float x[5] = {0.5F, 1, NAN, 2, 3}, one = 1;
 * const uint8_t seed[1] = {0x0f};          // all lanes except 4
 * uint8_t mask[1];
 * if (pto_vcmps(PTO_F32, PTO_GE, 0, x, &one, pto_packed_in(seed), pto_packed(mask), 5) != PTO_OK) return 1;
 * assert(mask[0] == 0x0a);                 // lanes 1 and 3: a NaN is neither less nor greater nor equal
 *
 * // PTX setp with both of its results: p = t && c, q = !t && c.
 * const pto_setp_op op = {.type = PTO_F32, .cmp = PTO_NE, .boolop = PTO_AND};
 * const uint8_t c[5] = {1, 1, 1, 1, 0};
 * uint8_t p[5], q[5];
 * if (pto_setp(op, x, x, pto_bytes_in(c), pto_bytes(p), pto_bytes(q), 5) != PTO_OK) return 1;
 * assert(memcmp(p, (uint8_t[]){0, 0, 0, 0, 0}, 5) == 0); // PTX's ne is false on a NaN
 * assert(memcmp(q, (uint8_t[]){1, 1, 1, 1, 0}, 5) == 0);
 * @endcode
 */
#ifndef PTO_COMPARE_H
#define PTO_COMPARE_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * dst[i] = seed[i] && (src0[i] CMP src1[i]) for i < n. With PTO_MERGE, lanes whose seed is off keep dst[i].
 *
 * src0, src1: n elements each. seed: n lanes, or PTO_NO_MASK for every lane. dst: n lanes, in
 * pto_mask_bytes(dst.kind, n) bytes. seed and dst may be of different kinds. flags: PTO_FTZ, PTO_MERGE.
 *
 * Types: the one-lane types and the small floats (see pto_dtype), with the operators that pto_cmp lists for their
 * class. Small floats are slower: they are compared in f16.
 *
 * Semantics: pto.vcmp of the PTO vector instruction set (docs/what-is-pto.md). PTO leaves floating point to the rules
 * of the type; here those are PTX's (PTX ISA, setp). Ordered operators, including NE, are false on NaN. +0 equals -0.
 * Infinities and subnormals are ordinary values; with PTO_FTZ a subnormal operand counts as zero. NaN payloads have
 * no effect, and a signalling NaN raises no exception.
 *
 * This differs from PTO in one case: the vendor's tests of its simulator and devices count "ne" on floats as true if an
 * operand is a NaN. That is PTO_NEU here, so translate a PTO program's "ne" on floats to PTO_NEU.
 *
 * In place: dst may be the seed (same address, as many bits per lane), or a source if the type has 8 bits and
 * dst is a BYTE mask.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src0, src1, dst's data), PTO_ERR_TYPE, PTO_ERR_OP,
 * PTO_ERR_MODIFIER (an unknown flag; PTO_FTZ on a type other than f16 and f32), PTO_ERR_MASK (the kind of dst, or of a
 * seed with data, does not fit the type), PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                             pto_mask seed, pto_mask dst, size_t n);

/**
 * dst[i] = seed[i] && (src[i] CMP *scalar) for i < n: pto_vcmp() with one element as the right-hand operand.
 *
 * scalar: one element of type t, not a C number of another type. For PTO_F16 it points to 16 bits. dst may start at the
 * address of the scalar if both have elements of the same size. Everything else is as for pto_vcmp().
 */
PTO_CALL pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                              pto_mask seed, pto_mask dst, size_t n);

/** The tests of pto_testp(). The first six are PTX's, of which an element that is not a NaN passes several. */
typedef enum pto_float_test {
    PTO_TEST_FINITE,     /**< neither an infinity nor a NaN */
    PTO_TEST_INFINITE,   /**< an infinity */
    PTO_TEST_NUMBER,     /**< not a NaN */
    PTO_TEST_NOTANUMBER, /**< a NaN */
    PTO_TEST_NORMAL,     /**< finite, and not subnormal; zeros are normal */
    PTO_TEST_SUBNORMAL,  /**< subnormal, and so not a zero */
    PTO_TEST_ZERO,       /**< a zero of either sign; not in PTX */
    PTO_TEST_NEGATIVE    /**< the sign bit is set, also that of a zero or a NaN; not in PTX */
} pto_float_test;

/**
 * dst[i] = seed[i] && (src[i] passes the test) for i < n. With PTO_MERGE, lanes whose seed is off keep dst[i].
 *
 * src: n elements. seed: n lanes, or PTO_NO_MASK for every lane. dst: n lanes, in pto_mask_bytes(dst.kind, n) bytes.
 * seed and dst may be of different kinds. flags: PTO_MERGE.
 *
 * Types: PTX's F32 and F64, and by the same words F16, BF16, TF32, E4M3, E5M2, E2M3, E3M2, UE5M3, UE8M0, E4M3IEEE,
 * E3M4 and the three FNUZ types, whose NaN has the sign bit set. A format without infinities, NaNs, zeros or subnormals
 * has no element that passes that test; UE8M0 has only normal values and a NaN. The bits of an element that its format
 * does not use are ignored: 13 of TF32, and two of E2M3 and E3M2.
 *
 * @code
 * // Which elements would need care before a division?
 * const float x[5] = {1, -0.0F, 1e-40F, INFINITY, NAN};
 * uint8_t subnormal[1], finite[5];
 * if (pto_testp(PTO_F32, PTO_TEST_SUBNORMAL, 0, x, PTO_NO_MASK, pto_packed(subnormal), 5) != PTO_OK) return 1;
 * if (pto_testp(PTO_F32, PTO_TEST_FINITE, 0, x, PTO_NO_MASK, pto_bytes(finite), 5) != PTO_OK) return 1;
 * assert(subnormal[0] == 0x04);
 * assert(memcmp(finite, (uint8_t[]){1, 1, 1, 0, 0}, 5) == 0);
 * @endcode
 *
 * Semantics: PTX ISA, testp. There zeros are normal numbers, too.
 *
 * In place: dst may be the seed (same address, as many bits per lane), or src if the type has 8 bits and dst is a BYTE
 * mask.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (src, dst's data), PTO_ERR_TYPE, PTO_ERR_OP (unknown test),
 * PTO_ERR_MODIFIER (another flag), PTO_ERR_MASK (the kind of dst, or of a seed with data, does not fit the type),
 * PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_testp(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                              pto_mask seed, pto_mask dst, size_t n);

/** How PTX combines the result of a comparison with a predicate c. */
typedef enum pto_boolop {
    PTO_BOOL_NONE, /**< no BoolOp: there is no c */
    PTO_AND,       /**< both are true */
    PTO_OR,        /**< at least one is true */
    PTO_XOR        /**< exactly one is true */
} pto_boolop;

/**
 * A PTX setp instruction without its operands. pto_parse_setp() or a designated initializer makes one. If all fields
 * except type and cmp are zero, it is the plain comparison.
 */
typedef struct pto_setp_op {
    pto_dtype type;    /**< type of a and b */
    pto_cmp cmp;       /**< the comparison */
    pto_boolop boolop; /**< how the result of the comparison is combined with c */
    bool not_c;        /**< use !c in place of c */
    bool ftz;          /**< subnormal operands count as zero: F16, F16X2, F32 */
} pto_setp_op;

/**
 * PTX setp on arrays: compares a with b and combines the result with a predicate c.
 *
 * For a one-lane type, let t[i] = a[i] CMP b[i], and c'[i] = c[i], or !c[i] with not_c. Then p[i] = BoolOp(t[i], c'[i])
 * and q[i] = BoolOp(!t[i], c'[i]); without a BoolOp, p[i] = t[i] and q[i] = !t[i]. So q is not the complement of p if
 * there is a BoolOp. On a NaN, an ordered operator without a BoolOp gives p = 0 and q = 1.
 *
 * For PTO_F16X2 and PTO_BF16X2, n counts pairs. Let t0 and t1 be the results of the low and the high halves. Then
 * p[i] = BoolOp(t0[i], c'[i]) and q[i] = BoolOp(t1[i], c'[i]).
 *
 * a, b: n elements each. p, q: n lanes each; with data NULL, q is not computed. c: n lanes, required with a BoolOp;
 * without one it must be PTO_NO_MASK. The masks may be of different kinds; a Bxx kind must have the type's width (32
 * for the pairs).
 *
 * Types: B, U, S of 16 to 64 bits, F16, BF16, F32, F64, F16X2, BF16X2, with the operators of their class; ftz
 * for F16, F16X2, F32.
 *
 * Semantics: PTX ISA, setp. PTX has no q for f16 and bf16; here q follows the rule of one-lane types.
 *
 * In place: p or q may be c, or a source as for pto_vcmp(). p and q must not overlap each other.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (a, b, p's data; c's with a BoolOp), PTO_ERR_TYPE,
 * PTO_ERR_OP, PTO_ERR_MODIFIER (ftz with another type; an unknown BoolOp; c or not_c without a BoolOp),
 * PTO_ERR_MASK, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_setp(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p, pto_mask q,
                             size_t n);

/**
 * A PTX set instruction without its operands. It compares elements of type stype, and its results have type dtype. If
 * one of them is U8X4, S8X4, U16X2 or S16X2, the other must be the same type.
 */
typedef struct pto_set_op {
    pto_dtype dtype;   /**< type of the result */
    pto_dtype stype;   /**< type of a and b */
    pto_cmp cmp;       /**< the comparison */
    pto_boolop boolop; /**< how the result of the comparison is combined with c */
    bool not_c;        /**< use !c in place of c */
    bool ftz;          /**< subnormal operands count as zero */
} pto_set_op;

/**
 * PTX set on arrays: a comparison whose results are numbers.
 *
 * With r[i] = BoolOp(a[i] CMP b[i], c'[i]) as for pto_setp(), dst[i] = r[i] ? true : +0. Here true is all ones for
 * U16, S16, U32 and S32, and 1.0 for F16, BF16 and F32. For the pairs n counts pairs. Each half of a pair has its own
 * result, which is ffff in U32 and S32 if true, and c[i] is combined with both halves.
 *
 * For the packed types U8X4, S8X4, U16X2 and S16X2, n counts words of 32 bits. Each of the four or two elements of a
 * word has its own result, all ones or 0. These types require dtype == stype. They take no BoolOp, and so no c, and
 * they take no ftz.
 *
 * a, b: n elements of stype each. dst: n elements of dtype. c: as for pto_setp(); a Bxx mask must have the width of
 * stype.
 *
 * | dtype                   | stype                             | ftz                 |
 * | ----------------------- | --------------------------------- | ------------------- |
 * | U32 S32 F32 F16 BF16    | B, U, S of 16 to 64 bits, and F64 | no                  |
 * | U32 S32 F32 F16 BF16    | F32                               | unless dtype is BF16 |
 * | U16 S16 U32 S32 F16 BF16 | F16                              | unless dtype is BF16 |
 * | U16 S16 U32 S32 BF16    | BF16                              | no                  |
 * | U32 S32 F16X2           | F16X2                             | yes                 |
 * | U32 S32 BF16X2          | BF16X2                            | no                  |
 * | U8X4, S8X4, U16X2 or S16X2 | the same                       | no                  |
 *
 * @code
 * // Which bytes are below 0x80? Each byte of the word has its own result.
 * const uint32_t x[2] = {0x7f80ff00, 0x01020384}, top[2] = {0x80808080, 0x80808080};
 * const pto_set_op below = {.dtype = PTO_U8X4, .stype = PTO_U8X4, .cmp = PTO_LT};
 * uint32_t bytes[2];
 * if (pto_set(below, x, top, PTO_NO_MASK, bytes, 2) != PTO_OK) return 1;
 * assert(bytes[0] == 0xff0000ff && bytes[1] == 0xffffff00);
 * @endcode
 *
 * Semantics: PTX ISA, set. Where its pseudo-code and its prose disagree, NVIDIA's assembler decides
 * (docs/semantics.md).
 *
 * In place: dst may be a or b if dtype is as wide as stype.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (a, b, dst; c's data with a BoolOp), PTO_ERR_TYPE,
 * PTO_ERR_OP, PTO_ERR_MODIFIER (as for pto_setp(); a BoolOp, c, not_c or ftz with a packed type),
 * PTO_ERR_MASK, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_set(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
