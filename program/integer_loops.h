/* SPDX-License-Identifier: MIT */
/*
 * Instructions on integers and bits, as loops that compilers vectorize. Each file that includes this is compiled for
 * another instruction set. It defines INTEGER_LOOPS, the name of the function that the end of this file defines; see
 * loops.h. Callers of the inline functions pass constants for `op` and `sign`, so that the compiler makes a separate
 * loop for each combination.
 */
#include "integer_vectors.h"

#include <string.h>

/* Results may be stored over sources, but only at the same index. Compilers cannot know this, and would otherwise run
 * the scalar version of a loop for `mad.lo.s32 a, a, b, c`. Clang warns of loops that a target cannot vectorize. */
#ifdef __clang__
#    pragma clang diagnostic ignored "-Wpass-failed"
#    define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#    define INDEPENDENT _Pragma("GCC ivdep")
#endif

static ALWAYS_INLINE uint32_t load_32(const void *from, size_t i);
static ALWAYS_INLINE void store_32(void *to, size_t i, uint32_t x);

#define BITS        8
#define WORD        uint8_t
#define SIGNED_WORD int8_t
#define WIDE        uint16_t
#define SIGNED_WIDE int16_t
#define NAME(x)     x##_8
#include "integer_width.h"

#define BITS        16
#define WORD        uint16_t
#define SIGNED_WORD int16_t
#define WIDE        uint32_t
#define SIGNED_WIDE int32_t
#define NAME(x)     x##_16
#include "integer_width.h"

#define BITS        32
#define WORD        uint32_t
#define SIGNED_WORD int32_t
#define WIDE        uint64_t
#define SIGNED_WIDE int64_t
#define NAME(x)     x##_32
#include "integer_width.h"

#define BITS        64
#define WORD        uint64_t
#define SIGNED_WORD int64_t
#define NAME(x)     x##_64
#include "integer_width.h"

/* ---- operations on 32 bits ---- */

static ALWAYS_INLINE uint32_t low_24(bool sign, uint32_t a) {
    return sign ? (uint32_t)((int32_t)(a << 8) >> 8) : a & 0xffffff;
}

static ALWAYS_INLINE uint32_t product_24_lo(bool sign, uint32_t a, uint32_t b) {
    return low_24(sign, a) * low_24(sign, b);
}

static ALWAYS_INLINE uint32_t product_24_hi(bool sign, uint32_t a, uint32_t b) {
    return (uint32_t)(mul_wide_32(sign, low_24(sign, a), low_24(sign, b)) >> 16);
}

static ALWAYS_INLINE uint32_t bit_mask(bool clamp, uint32_t position, uint32_t length) {
    const uint32_t from = clamp ? position : position & 31, bits = clamp ? length : length & 31;
    return shifted_left_32(low_ones_32(bits), from);
}

/* Returns the low `bits` bits of a, extended to 32 with zeros or the highest of them. */
static ALWAYS_INLINE uint32_t extended(bool clamp, bool sign, uint32_t a, uint32_t bits) {
    return extract_32(sign, a, 0, clamp ? (bits < 32 ? bits : 32) : bits & 31);
}

/* A bit of a mask: the one of number `rank`, counted from 1, among the set bits from bit `at` on. */
struct ranked {
    uint32_t at, rank;
};

/* Moves `at` over `half` bits if the ranked bit is above them. They have as many set bits as the lowest field of
 * sums >> at, which has 2 * half bits if half > 1. */
static ALWAYS_INLINE struct ranked skip_half(struct ranked x, uint32_t sums, uint32_t half) {
    const uint32_t below = sums >> x.at & (2 * half - 1),
                   is_above = (uint32_t)((int32_t)(below - x.rank) >> 31);
    return (struct ranked){x.at + (half & is_above), x.rank - (below & is_above)};
}

/* Returns the position of the set bit number `rank` of the mask, by binary search. The rank is at least 1, and at most
 * the number of set bits. */
static ALWAYS_INLINE uint32_t position_of_rank(uint32_t mask, uint32_t rank) {
    const uint32_t pairs = mask - (mask >> 1 & 0x55555555);
    const uint32_t fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333);
    const uint32_t eights = (fours + (fours >> 4)) & 0x0f0f0f0f;
    struct ranked x = {0, rank};
    x = skip_half(x, eights + (eights >> 8), 16);
    x = skip_half(x, eights, 8);
    x = skip_half(x, fours, 4);
    x = skip_half(x, pairs, 2);
    return skip_half(x, mask, 1).at;
}

/* Returns the position of the set bit number |offset| from `base` on, upwards or downwards, or all ones. An offset of 0
 * means the bit at `base` itself. */
static ALWAYS_INLINE uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset) {
    const uint32_t from_base = shifted_left_32(UINT32_MAX, base), at_base = shifted_left_32(1, base);
    const uint32_t magnitude = offset < 0 ? 0U - (uint32_t)offset : (uint32_t)offset;
    const uint32_t up_to_base = base < 32 ? ~from_base | at_base : 0;
    const uint32_t searched = mask & (offset < 0 ? up_to_base : offset == 0 ? at_base : from_base);
    const uint32_t count = ones_32(searched), wanted = offset == 0 ? 1 : magnitude;
    const uint32_t at = position_of_rank(searched, offset < 0 ? count + 1 - wanted : wanted);
    return wanted > count ? UINT32_MAX : at;
}

static void nth_set_loop(struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = 0; i < n; i++)
        store_32(at.dst[0], i,
                 nth_set(load_32(at.src[0], i), load_32(at.src[1], i), (int32_t)load_32(at.src[2], i)));
}

/* Shifts the 64 bits of b and a, where b is the higher half. A count of 32 or more moves one half to the place of the
 * other. */
static ALWAYS_INLINE uint32_t funnel(enum integer_op op, uint32_t a, uint32_t b, uint32_t c) {
    const bool left = op == INTEGER_SHF_L_CLAMP || op == INTEGER_SHF_L_WRAP;
    const bool clamp = op == INTEGER_SHF_L_CLAMP || op == INTEGER_SHF_R_CLAMP;
    const uint32_t by = c & 31, result = left ? b << by | a >> 1 >> (31 - by) : a >> by | b << 1 << (31 - by);
    return clamp && c >= 32 ? (left ? a : b) : result;
}

static ALWAYS_INLINE uint32_t result_32_only(enum integer_op op, bool sign, uint32_t a, uint32_t b,
                                             uint32_t c) {
    switch (op) {
    case INTEGER_MUL24_LO: return product_24_lo(sign, a, b);
    case INTEGER_MUL24_HI: return product_24_hi(sign, a, b);
    case INTEGER_MAD24_LO: return product_24_lo(sign, a, b) + c;
    case INTEGER_MAD24_HI: return product_24_hi(sign, a, b) + c;
    case INTEGER_MAD24_HI_SAT: return add_sat_32(true, product_24_hi(true, a, b), c);
    case INTEGER_BMSK_CLAMP:
    case INTEGER_BMSK_WRAP: return bit_mask(op == INTEGER_BMSK_CLAMP, a, b);
    case INTEGER_SZEXT_CLAMP:
    case INTEGER_SZEXT_WRAP: return extended(op == INTEGER_SZEXT_CLAMP, sign, a, b);
    default: return funnel(op, a, b, c);
    }
}

static ALWAYS_INLINE bool has_c(enum integer_op op) {
    return op != INTEGER_MUL24_LO && op != INTEGER_MUL24_HI && op != INTEGER_BMSK_CLAMP &&
           op != INTEGER_BMSK_WRAP && op != INTEGER_SZEXT_CLAMP && op != INTEGER_SZEXT_WRAP;
}

static ALWAYS_INLINE void loop_32_only(enum integer_op op, bool sign, struct addresses at, size_t n) {
    const void *a = at.src[0], *b = at.src[1], *c = has_c(op) ? at.src[2] : a;
    INDEPENDENT
    for (size_t i = is_high_product(op) ? high_product_vectors(op, sign, 32, at, n) : 0; i < n; i++)
        store_32(at.dst[0], i, result_32_only(op, sign, load_32(a, i), load_32(b, i), load_32(c, i)));
}

static ALWAYS_INLINE void loop_32_by_sign(enum integer_op op, bool sign, struct addresses at, size_t n) {
    if (sign)
        loop_32_only(op, true, at, n);
    else
        loop_32_only(op, false, at, n);
}

/* ---- prmt ---- */

/* Returns byte `nibble & 7` of the eight bytes of b and a. Bit 3 of the nibble replaces it by copies of its sign. */
static ALWAYS_INLINE uint32_t picked_byte(uint32_t a, uint32_t b, uint32_t nibble) {
    const uint32_t byte = (nibble & 4 ? b : a) >> (8 * (nibble & 3)) & 0xff;
    return nibble & 8 ? (0 - (byte >> 7)) & 0xff : byte;
}

static ALWAYS_INLINE uint32_t permuted(uint32_t a, uint32_t b, uint32_t s) {
    uint32_t d = picked_byte(a, b, s);
    for (unsigned i = 1; i < 4; i++) d |= picked_byte(a, b, s >> (4 * i)) << (8 * i);
    return d;
}

/* Returns the selectors of the general prmt that do what a mode does for the four values of the two low bits of c, the
 * first in the lowest 16 bits. */
static uint64_t mode_selectors(enum integer_op op) {
    switch (op) {
    case INTEGER_PRMT_F4E: return 0x6543543243213210;
    case INTEGER_PRMT_B4E: return 0x0123701267015670;
    case INTEGER_PRMT_RC8: return 0x3333222211110000;
    case INTEGER_PRMT_ECL: return 0x3333322232113210;
    case INTEGER_PRMT_ECR: return 0x3210221011100000;
    default: return 0x3232101032321010; /* RC16 */
    }
}

static ALWAYS_INLINE void permute_loop(bool general, uint64_t selectors, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = permute_vectors(general, selectors, at, n); i < n; i++) {
        const uint32_t a = load_32(at.src[0], i), b = load_32(at.src[1], i), c = load_32(at.src[2], i);
        const uint32_t s = general ? c : (uint32_t)(selectors >> (16 * (c & 3)));
        store_32(at.dst[0], i, permuted(a, b, s));
    }
}

/* ---- lop3 ---- */

/* Entry 4 a + 2 b + c of the table is the result for the bits a, b and c. It is computed as a polynomial: the sum
 * modulo 2 of the products of a, b and c whose coefficients are 1. The coefficients become masks, so that the loop has
 * no branches. */
static ALWAYS_INLINE void lop3_loop(unsigned table, struct addresses at, size_t n) {
    uint32_t x[8];
    for (unsigned i = 0; i < 8; i++) x[i] = table >> i & 1 ? UINT32_MAX : 0;
    for (unsigned bit = 1; bit < 8; bit *= 2)
        for (unsigned i = 0; i < 8; i++)
            if (i & bit) x[i] ^= x[i - bit];
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = load_32(at.src[0], i), b = load_32(at.src[1], i), c = load_32(at.src[2], i);
        const uint32_t without_a = x[0] ^ (c & x[1]) ^ (b & (x[2] ^ (c & x[3])));
        const uint32_t with_a = x[4] ^ (c & x[5]) ^ (b & (x[6] ^ (c & x[7])));
        store_32(at.dst[0], i, without_a ^ (a & with_a));
    }
}

/* Sets bit i of `packed` to whether word i is not zero. */
static void test_loop(const void *words, unsigned char *packed, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (size_t k = 0; k < 8 && i + k < n; k++) byte |= (unsigned)(load_32(words, i + k) != 0) << k;
        packed[i / 8] = (unsigned char)byte;
    }
}

/* ---- sums of products, and packing ---- */

/* Returns part i of a word, extended to 32 bits. */
static ALWAYS_INLINE uint32_t part(bool sign, unsigned bits, uint32_t word, unsigned i) {
    const uint32_t at_top = word << (32 - bits * (i + 1));
    return sign ? (uint32_t)((int32_t)at_top >> (32 - bits)) : at_top >> (32 - bits);
}

static ALWAYS_INLINE void dot_loop(enum integer_op op, bool sign_a, bool sign_b, struct addresses at,
                                   size_t n) {
    const unsigned products = op == INTEGER_DP4A ? 4 : 2, bits = 32 / products;
    const unsigned first = op == INTEGER_DP2A_HI ? 2 : 0;
    INDEPENDENT
    for (size_t i = op == INTEGER_DP4A ? dot_vectors(sign_a, sign_b, at, n) : 0; i < n; i++) {
        const uint32_t a = load_32(at.src[0], i), b = load_32(at.src[1], i);
        uint32_t sum = load_32(at.src[2], i);
        for (unsigned k = 0; k < products; k++)
            sum += part(sign_a, bits, a, k) * part(sign_b, 8, b, first + k);
        store_32(at.dst[0], i, sum);
    }
}

static ALWAYS_INLINE void dot_by_signs(enum integer_op op, const struct integer_parameters *p,
                                       struct addresses at, size_t n) {
    if (p->is_signed && p->b_is_signed)
        dot_loop(op, true, true, at, n);
    else if (p->is_signed)
        dot_loop(op, true, false, at, n);
    else if (p->b_is_signed)
        dot_loop(op, false, true, at, n);
    else
        dot_loop(op, false, false, at, n);
}

/* Returns `value`, saturated to integers of `bits` bits. */
static ALWAYS_INLINE uint32_t saturated_part(bool sign, unsigned bits, int32_t value) {
    const int32_t largest = (int32_t)low_ones_32(bits - (sign ? 1 : 0)), least = sign ? -largest - 1 : 0;
    value = value < least ? least : value;
    return (uint32_t)(value > largest ? largest : value) & low_ones_32(bits);
}

static void pack_loop(bool sign, unsigned bits, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = saturated_part(sign, bits, (int32_t)load_32(at.src[0], i));
        const uint32_t b = saturated_part(sign, bits, (int32_t)load_32(at.src[1], i));
        const uint32_t c = at.src[2] ? load_32(at.src[2], i) << (2 * bits & 31) : 0;
        store_32(at.dst[0], i, b | a << bits | c);
    }
}

/* ---- the loop of an operation ---- */

static void run_dot(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    switch (p->op) {
    case INTEGER_DP4A: dot_by_signs(INTEGER_DP4A, p, *at, n); break;
    case INTEGER_DP2A_LO: dot_by_signs(INTEGER_DP2A_LO, p, *at, n); break;
    default: dot_by_signs(INTEGER_DP2A_HI, p, *at, n); break;
    }
}

static void run_32_only(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    const bool sign = p->is_signed;
    switch (p->op) {
    case INTEGER_MUL24_LO: loop_32_by_sign(INTEGER_MUL24_LO, sign, *at, n); break;
    case INTEGER_MUL24_HI: loop_32_by_sign(INTEGER_MUL24_HI, sign, *at, n); break;
    case INTEGER_MAD24_LO: loop_32_by_sign(INTEGER_MAD24_LO, sign, *at, n); break;
    case INTEGER_MAD24_HI: loop_32_by_sign(INTEGER_MAD24_HI, sign, *at, n); break;
    case INTEGER_MAD24_HI_SAT: loop_32_only(INTEGER_MAD24_HI_SAT, true, *at, n); break;
    case INTEGER_BMSK_CLAMP: loop_32_only(INTEGER_BMSK_CLAMP, false, *at, n); break;
    case INTEGER_BMSK_WRAP: loop_32_only(INTEGER_BMSK_WRAP, false, *at, n); break;
    case INTEGER_SZEXT_CLAMP: loop_32_by_sign(INTEGER_SZEXT_CLAMP, sign, *at, n); break;
    case INTEGER_SZEXT_WRAP: loop_32_by_sign(INTEGER_SZEXT_WRAP, sign, *at, n); break;
    case INTEGER_FNS: nth_set_loop(*at, n); break;
    case INTEGER_SHF_L_CLAMP: loop_32_only(INTEGER_SHF_L_CLAMP, false, *at, n); break;
    case INTEGER_SHF_L_WRAP: loop_32_only(INTEGER_SHF_L_WRAP, false, *at, n); break;
    case INTEGER_SHF_R_CLAMP: loop_32_only(INTEGER_SHF_R_CLAMP, false, *at, n); break;
    case INTEGER_SHF_R_WRAP: loop_32_only(INTEGER_SHF_R_WRAP, false, *at, n); break;
    case INTEGER_PRMT: permute_loop(true, 0, *at, n); break;
    default: permute_loop(false, mode_selectors(p->op), *at, n); break;
    }
}

void INTEGER_LOOPS(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    const size_t elements = n * p->lane_elements;
    if (p->op == INTEGER_LOP3) {
        lop3_loop(p->table, *at, n);
        if (at->dst[1]) test_loop(at->dst[0], at->dst[1], n);
    } else if (p->op == INTEGER_PACK) {
        pack_loop(p->is_signed, p->part_bits, *at, n);
    } else if (p->op >= INTEGER_DP4A) {
        run_dot(p, at, n);
    } else if (p->op >= INTEGER_MUL24_LO) {
        run_32_only(p, at, n);
    } else if (p->bits == 8) {
        run_8(p->op, p->is_signed, at, elements);
    } else if (p->bits == 16) {
        run_16(p->op, p->is_signed, at, elements);
    } else if (p->bits == 32) {
        run_32(p->op, p->is_signed, at, elements);
    } else {
        run_64(p->op, p->is_signed, at, elements);
    }
}
