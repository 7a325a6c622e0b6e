/* SPDX-License-Identifier: MIT */
/**
 * @file setcc.h
 * x86 SETcc over arrays: EFLAGS words of CMP, TEST and UCOMISS/UCOMISD, the sixteen conditions, and bytes of
 * 0 or 1, which NumPy and PyTorch call bool.
 */
#ifndef PTO_SETCC_H
#define PTO_SETCC_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The sixteen conditions in the order of their x86 encoding; each odd one is the complement of the one
 * before. */
typedef enum pto_cc {
    PTO_CC_O = 0, /**< OF */
    PTO_CC_NO,
    PTO_CC_B, /**< CF: below, unsigned <; also C, NAE */
    PTO_CC_AE,
    PTO_CC_E, /**< ZF: equal; also Z */
    PTO_CC_NE,
    PTO_CC_BE, /**< CF or ZF: below or equal; also NA */
    PTO_CC_A,
    PTO_CC_S, /**< SF */
    PTO_CC_NS,
    PTO_CC_P, /**< PF: parity even, or unordered; also PE */
    PTO_CC_NP,
    PTO_CC_L, /**< SF != OF: less, signed <; also NGE */
    PTO_CC_GE,
    PTO_CC_LE, /**< ZF or SF != OF: less or equal; also NG */
    PTO_CC_G
} pto_cc;

/** The status flags at their places in EFLAGS; all other bits of an EFLAGS word are written 0 and not read.
 */
enum {
    PTO_CF = 1 << 0,
    PTO_PF = 1 << 2,
    PTO_AF = 1 << 4,
    PTO_ZF = 1 << 6,
    PTO_SF = 1 << 7,
    PTO_OF = 1 << 11
};

/**
 * dst[i] = condition cc holds in eflags[i] ? 1 : 0.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_OP (no such condition), PTO_ERR_OVERLAP (dst may
 * not overlap eflags at all: their elements differ in size).
 */
PTO_CALL pto_status pto_setcc(pto_cc cc, const uint32_t *eflags, uint8_t *dst, size_t n);

/**
 * The flags of CMP a[i], b[i], that is of a[i] - b[i]: CF PF AF ZF SF OF. Types: B, U, S of 8 to 64 bits,
 * which all mean the same here. In place: eflags may be a or b if the type has 32 bits. Returns PTO_OK or, in
 * this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_flags_cmp(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);

/** The flags of TEST a[i], b[i], that is of a[i] & b[i]: CF and OF 0; AF, which x86 leaves undefined, is 0 as
 * well. */
PTO_CALL pto_status pto_flags_test(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);

/**
 * The flags of UCOMISS or UCOMISD a[i], b[i]: ZF PF CF = 000 greater, 001 less, 100 equal, 111 unordered; the
 * others 0. Types: F32, F64, and by the same rule F16 and BF16. Subnormals are ordinary values. In place as
 * for pto_flags_cmp.
 */
PTO_CALL pto_status pto_flags_ucomi(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);

/**
 * CMP (integer types) or UCOMI (float types), then SETcc, in one pass: dst[i] = 1 if cc holds after comparing
 * a[i] with b[i], else 0. In place: dst may be a or b if the type has 8 bits. Returns PTO_OK or, in this
 * order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_cmp_setcc(pto_cc cc, pto_dtype t, const void *a, const void *b, uint8_t *dst,
                                  size_t n);

#ifdef __cplusplus
}
#endif
#endif
