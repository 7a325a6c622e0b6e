/* SPDX-License-Identifier: MIT */
/**
 * @file setcc.h
 * x86 SETcc on arrays: EFLAGS words of CMP, TEST and UCOMISS/UCOMISD, the sixteen conditions, and results in bytes of 0
 * or 1, which are NumPy's and PyTorch's bool.
 *
 * @code
 * // CMP, then SETB and SETL: 200 is above 100 as an unsigned byte, and below it as a signed one (-56).
 * const uint8_t a[2] = {200, 7}, b[2] = {100, 7};
 * uint32_t eflags[2];
 * uint8_t below[2], less[2];
 * if (pto_flags_cmp(PTO_U8, a, b, eflags, 2) != PTO_OK) return 1;
 * assert(eflags[1] == (PTO_ZF | PTO_PF));       // equal
 * if (pto_setcc(PTO_CC_B, eflags, below, 2) != PTO_OK) return 1;
 * if (pto_cmp_setcc(PTO_CC_L, PTO_U8, a, b, less, 2) != PTO_OK) return 1; // both steps in one
 * assert(below[0] == 0 && less[0] == 1 && below[1] == 0 && less[1] == 0);
 * @endcode
 */
#ifndef PTO_SETCC_H
#define PTO_SETCC_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The sixteen conditions in the order of their x86 encoding. Each odd one is the complement of the previous one. */
typedef enum pto_cc {
    PTO_CC_O = 0, /**< OF: overflow */
    PTO_CC_NO,    /**< not OF */
    PTO_CC_B,     /**< CF: below, unsigned less; also C, NAE */
    PTO_CC_AE,    /**< not CF: above or equal; also NB, NC */
    PTO_CC_E,     /**< ZF: equal; also Z */
    PTO_CC_NE,    /**< not ZF: not equal; also NZ */
    PTO_CC_BE,    /**< CF or ZF: below or equal; also NA */
    PTO_CC_A,     /**< neither CF nor ZF: above; also NBE */
    PTO_CC_S,     /**< SF: negative */
    PTO_CC_NS,    /**< not SF */
    PTO_CC_P,     /**< PF: parity even, or unordered; also PE */
    PTO_CC_NP,    /**< not PF; also PO */
    PTO_CC_L,     /**< SF != OF: signed less; also NGE */
    PTO_CC_GE,    /**< SF == OF: greater or equal; also NL */
    PTO_CC_LE,    /**< ZF or SF != OF: less or equal; also NG */
    PTO_CC_G      /**< not ZF, and SF == OF: greater; also NLE */
} pto_cc;

/**
 * The status flags at their bit positions in EFLAGS. All other bits of an EFLAGS word are written as 0 and not read.
 */
enum {
    PTO_CF = 1 << 0, /**< carry: unsigned less */
    PTO_PF = 1 << 2, /**< parity of the lowest byte is even; after UCOMI: unordered */
    PTO_AF = 1 << 4, /**< carry out of the lowest four bits */
    PTO_ZF = 1 << 6, /**< zero: equal */
    PTO_SF = 1 << 7, /**< sign of the result */
    PTO_OF = 1 << 11 /**< signed overflow */
};

/**
 * dst[i] = condition cc holds in eflags[i] ? 1 : 0, for i < n.
 *
 * eflags: n words. dst: n bytes. Semantics: SETcc of the Intel SDM.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_OP (unknown condition), PTO_ERR_SIZE, PTO_ERR_OVERLAP (dst
 * must not overlap eflags at all, because their elements differ in size).
 */
PTO_CALL pto_status pto_setcc(pto_cc cc, const uint32_t *eflags, uint8_t *dst, size_t n);

/**
 * eflags[i] = the flags of CMP a[i], b[i], for i < n: CF PF AF ZF SF OF of a[i] - b[i].
 *
 * a, b: n elements of type t. eflags: n words. Types: B, U, S of 8 to 64 bits; B, U and S of one width give the same
 * flags. Semantics: CMP of the Intel SDM.
 *
 * In place: eflags may be a or b if the type has 32 bits.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_flags_cmp(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);

/**
 * eflags[i] = the flags of TEST a[i], b[i], for i < n: PF ZF SF of a[i] & b[i]. CF and OF are 0. AF, which x86 leaves
 * undefined, is 0 too. Everything else is as for pto_flags_cmp().
 */
PTO_CALL pto_status pto_flags_test(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);

/**
 * eflags[i] = the flags of UCOMISS or UCOMISD a[i], b[i], for i < n.
 *
 * ZF PF CF are 000 for greater, 001 for less, 100 for equal and 111 for unordered. The other flags are 0.
 *
 * Types: F32, F64, and by the same rule F16 and BF16. Subnormals are ordinary values, +0 equals -0. Every NaN is
 * unordered and raises no exception. Semantics: UCOMISS of the Intel SDM. In place and statuses are as for
 * pto_flags_cmp().
 */
PTO_CALL pto_status pto_flags_ucomi(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);

/**
 * dst[i] = 1 if cc holds after comparing a[i] with b[i], else 0, for i < n: CMP (integer types) or UCOMI (float types),
 * then SETcc, in one pass.
 *
 * a, b: n elements of type t, any of the one-lane types. dst: n bytes.
 *
 * In place: dst may be a or b if the type has 8 bits.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_cmp_setcc(pto_cc cc, pto_dtype t, const void *a, const void *b, uint8_t *dst,
                                  size_t n);

#ifdef __cplusplus
}
#endif
#endif
