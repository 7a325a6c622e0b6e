/* SPDX-License-Identifier: MIT */
/*
 * EFLAGS and SETcc kernels in integer C without branches. The compiler makes vectors of them, for the
 * instruction set that the including folder is compiled for. ISA must be defined; no vocabulary is needed.
 * scalar/flags.h has the reference implementation.
 */
#include "core/kernels.h"
#include "pto/setcc.h"

#define NAME(name) CAT3(name, _, ISA)

/* Returns PF for a result: folds the eight bits of its low byte into one. PF is clear if the number of ones is
 * odd. */
static ALWAYS_INLINE u32 NAME(parity_flag)(u32 result) {
    result ^= result >> 4;
    result ^= result >> 2;
    result ^= result >> 1;
    return (~result & 1) << 2;
}

/* AF and OF for d = a - b: bit 4 of a ^ b ^ d is the borrow out of bit 3. The top bit of (a ^ b) & (a ^ d) is
 * the signed overflow. */
#define FLAGS_KERNELS(bits, type)                                                                            \
    static void CAT3(flags_cmp_, bits, CAT(_, ISA))(const void *a, const void *b, void *eflags, size_t n) {  \
        const u8 *pa = a, *pb = b;                                                                           \
        u8 *out = eflags;                                                                                    \
        for (size_t i = 0; i < n; ++i) {                                                                     \
            type x, y, d;                                                                                    \
            u32 flags;                                                                                       \
            memcpy(&x, pa + i * sizeof x, sizeof x);                                                         \
            memcpy(&y, pb + i * sizeof y, sizeof y);                                                         \
            d = (type)(x - y);                                                                               \
            flags =                                                                                          \
                (u32)(x < y) | NAME(parity_flag)((u32)d) | ((u32)(x ^ y ^ d) & PTO_AF) | (u32)(d == 0) << 6; \
            flags |= (u32)(d >> (bits - 1)) << 7;                                                            \
            flags |= (u32)((type)((x ^ y) & (x ^ d)) >> (bits - 1)) << 11;                                   \
            memcpy(out + i * 4, &flags, sizeof flags);                                                       \
        }                                                                                                    \
    }                                                                                                        \
    static void CAT3(flags_test_, bits, CAT(_, ISA))(const void *a, const void *b, void *eflags, size_t n) { \
        const u8 *pa = a, *pb = b;                                                                           \
        u8 *out = eflags;                                                                                    \
        for (size_t i = 0; i < n; ++i) {                                                                     \
            type x, y, r;                                                                                    \
            u32 flags;                                                                                       \
            memcpy(&x, pa + i * sizeof x, sizeof x);                                                         \
            memcpy(&y, pb + i * sizeof y, sizeof y);                                                         \
            r = x & y;                                                                                       \
            flags = NAME(parity_flag)((u32)r) | (u32)(r == 0) << 6 | (u32)(r >> (bits - 1)) << 7;            \
            memcpy(out + i * 4, &flags, sizeof flags);                                                       \
        }                                                                                                    \
    }

FLAGS_KERNELS(8, u8)
FLAGS_KERNELS(16, u16)
FLAGS_KERNELS(32, u32)
FLAGS_KERNELS(64, u64)
#undef FLAGS_KERNELS

/* Magnitudes above infinity are NaNs. With the sign applied, floats have the order of signed integers. */
#define UCOMI_KERNEL(name, type, infinity)                                                                   \
    static void CAT3(flags_ucomi_, name, CAT(_, ISA))(const void *a, const void *b, void *eflags,            \
                                                      size_t n) {                                            \
        const type max = (type)((u64) ~(u64)0 >> (65 - 8 * sizeof(type)));                                   \
        const u8 *pa = a, *pb = b;                                                                           \
        u8 *out = eflags;                                                                                    \
        for (size_t i = 0; i < n; ++i) {                                                                     \
            type x, y, mx, my;                                                                               \
            u32 flags;                                                                                       \
            memcpy(&x, pa + i * sizeof x, sizeof x);                                                         \
            memcpy(&y, pb + i * sizeof y, sizeof y);                                                         \
            mx = x & max;                                                                                    \
            my = y & max;                                                                                    \
            x = x < 0 ? (type)-mx : mx;                                                                      \
            y = y < 0 ? (type)-my : my;                                                                      \
            flags = (u32)(x < y) | (u32)(x == y) << 6;                                                       \
            flags = ((mx > (infinity)) | (my > (infinity))) != 0 ? PTO_CF | PTO_PF | PTO_ZF : flags;         \
            memcpy(out + i * 4, &flags, sizeof flags);                                                       \
        }                                                                                                    \
    }

UCOMI_KERNEL(f16, s16, 0x7c00)
UCOMI_KERNEL(bf16, s16, 0x7f80)
UCOMI_KERNEL(f32, s32, 0x7f800000)
UCOMI_KERNEL(f64, s64, (s64)0x7ff << 52)
#undef UCOMI_KERNEL

/* A condition holds if any flag of a set is 1. For "SF != OF", OF is first replaced by SF ^ OF, so that it is a
 * set of flags, too. */
static void NAME(setcc)(const void *eflags, void *dst, size_t n, unsigned cc) {
    static const u32 any_of[8] = {PTO_OF, PTO_CF, PTO_ZF, PTO_CF | PTO_ZF,
                                  PTO_SF, PTO_PF, PTO_OF, PTO_OF | PTO_ZF};
    const u32 mask = any_of[cc / 2], fold = cc >= PTO_CC_L ? PTO_OF : 0;
    const u8 *in = eflags, odd = cc & 1;
    u8 *out = dst;
    for (size_t i = 0; i < n; ++i) {
        u32 e;
        memcpy(&e, in + i * 4, sizeof e);
        out[i] = (u8)(((e ^ (e << 4 & fold)) & mask) != 0) ^ odd;
    }
}

#undef NAME
