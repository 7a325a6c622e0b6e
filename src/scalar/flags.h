/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference implementation of SETcc and of the EFLAGS that CMP, TEST and UCOMI set, one lane at a time.
 * It follows the definitions of the flags in the Intel SDM (vol. 1, 3.4.3.1, and the SETcc, CMP, TEST, UCOMISS
 * pages).
 */
#ifndef PTO_SCALAR_FLAGS_H
#define PTO_SCALAR_FLAGS_H

#include "core/kernels.h"
#include "pto/setcc.h"
#include "scalar/relation.h"

static bool even_parity(u8 byte) {
    unsigned ones = 0;
    for (unsigned i = 0; i < 8; ++i) ones += byte >> i & 1u;
    return ones % 2 == 0;
}

/* Returns ZF, SF and PF for a result of `bits` bits. */
static u32 result_flags(u64 result, unsigned bits) {
    return (result == 0 ? PTO_ZF : 0u) | (result >> (bits - 1) & 1 ? PTO_SF : 0u) |
           (even_parity((u8)result) ? PTO_PF : 0u);
}

static u32 cmp_flags(u64 a, u64 b, unsigned bits) {
    u64 difference = (a - b) & low_bits(bits);
    bool a_sign = a >> (bits - 1) & 1, b_sign = b >> (bits - 1) & 1, d_sign = difference >> (bits - 1) & 1;
    u32 flags = result_flags(difference, bits);
    if (a < b) flags |= PTO_CF;                                /* a borrow out of the top bit */
    if ((a & 15) < (b & 15)) flags |= PTO_AF;                  /* a borrow out of bit 3 */
    if (a_sign != b_sign && d_sign != a_sign) flags |= PTO_OF; /* the signed difference does not fit */
    return flags;
}

static u32 ucomi_flags(enum outcome r) {
    switch (r) {
    case OUTCOME_UNORDERED: return PTO_ZF | PTO_PF | PTO_CF;
    case OUTCOME_LESS: return PTO_CF;
    case OUTCOME_EQUAL: return PTO_ZF;
    default: return 0;
    }
}

static bool condition(unsigned cc, u32 eflags) {
    bool cf = eflags & PTO_CF, pf = eflags & PTO_PF, zf = eflags & PTO_ZF, sf = eflags & PTO_SF,
         of = eflags & PTO_OF;
    bool holds = false;
    switch (cc & ~1u) {
    case PTO_CC_O: holds = of; break;
    case PTO_CC_B: holds = cf; break;
    case PTO_CC_E: holds = zf; break;
    case PTO_CC_BE: holds = cf || zf; break;
    case PTO_CC_S: holds = sf; break;
    case PTO_CC_P: holds = pf; break;
    case PTO_CC_L: holds = sf != of; break;
    case PTO_CC_LE: holds = zf || sf != of; break;
    default: break;
    }
    return holds != (cc & 1);
}

static u64 element(const void *p, size_t i, unsigned bits) {
    return load_bytes((const u8 *)p + i * (bits / 8), bits / 8);
}

static void store_flags(void *eflags, size_t i, u32 flags) {
    memcpy((u8 *)eflags + 4 * i, &flags, sizeof flags);
}

#define FLAGS_KERNELS(bits)                                                                                  \
    static void flags_cmp_##bits##_scalar(const void *a, const void *b, void *eflags, size_t n) {            \
        for (size_t i = 0; i < n; ++i)                                                                       \
            store_flags(eflags, i, cmp_flags(element(a, i, bits), element(b, i, bits), bits));               \
    }                                                                                                        \
    static void flags_test_##bits##_scalar(const void *a, const void *b, void *eflags, size_t n) {           \
        for (size_t i = 0; i < n; ++i)                                                                       \
            store_flags(eflags, i, result_flags(element(a, i, bits) & element(b, i, bits), bits));           \
    }

FLAGS_KERNELS(8)
FLAGS_KERNELS(16)
FLAGS_KERNELS(32)
FLAGS_KERNELS(64)
#undef FLAGS_KERNELS

#define UCOMI_KERNEL(type, bits, fraction_bits)                                                              \
    static void flags_ucomi_##type##_scalar(const void *a, const void *b, void *eflags, size_t n) {          \
        for (size_t i = 0; i < n; ++i) {                                                                     \
            enum outcome r =                                                                                 \
                relate_float(element(a, i, bits), element(b, i, bits), format_of(bits, fraction_bits));      \
            store_flags(eflags, i, ucomi_flags(r));                                                          \
        }                                                                                                    \
    }

UCOMI_KERNEL(f16, 16, 10)
UCOMI_KERNEL(bf16, 16, 7)
UCOMI_KERNEL(f32, 32, 23)
UCOMI_KERNEL(f64, 64, 52)
#undef UCOMI_KERNEL

static void setcc_scalar(const void *eflags, void *dst, size_t n, unsigned cc) {
    for (size_t i = 0; i < n; ++i) ((u8 *)dst)[i] = condition(cc, (u32)element(eflags, i, 32));
}

#endif
