/* SPDX-License-Identifier: MIT */
/* PTX instructions on integers and bits, as loops that compilers vectorize. */
#include "integers.h"

#include "ir.h"

#include <string.h>

/* Results may be stored over sources, but only at the same index. Compilers cannot know this, and would otherwise run
 * the scalar version of a loop for `mad.lo.s32 a, a, b, c`. Clang warns of loops that a target cannot vectorize. */
#ifdef __clang__
#    pragma clang diagnostic ignored "-Wpass-failed"
#    define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#    define INDEPENDENT _Pragma("GCC ivdep")
#endif

static inline uint32_t load_32(const void *from, size_t i);
static inline void store_32(void *to, size_t i, uint32_t x);

/* Returns the high 64 bits of a product. */
static inline uint64_t high_product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)a * b >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

#define BITS        8
#define WORD        uint8_t
#define SIGNED_WORD int8_t
#define WIDE        uint16_t
#define SIGNED_WIDE int16_t
#define NAME(x)     x##_8
#include "integers_loops.h"

#define BITS        16
#define WORD        uint16_t
#define SIGNED_WORD int16_t
#define WIDE        uint32_t
#define SIGNED_WIDE int32_t
#define NAME(x)     x##_16
#include "integers_loops.h"

#define BITS        32
#define WORD        uint32_t
#define SIGNED_WORD int32_t
#define WIDE        uint64_t
#define SIGNED_WIDE int64_t
#define NAME(x)     x##_32
#include "integers_loops.h"

#define BITS        64
#define WORD        uint64_t
#define SIGNED_WORD int64_t
#define NAME(x)     x##_64
#include "integers_loops.h"

/* ---- operations on 32 bits ---- */

static inline uint64_t product_24(bool sign, uint32_t a, uint32_t b) {
    return sign ? (uint64_t)((int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8))
                : (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}

static inline uint32_t bit_mask(bool clamp, uint32_t position, uint32_t length) {
    const uint32_t from = clamp ? position : position & 31, bits = clamp ? length : length & 31;
    return from < 32 ? low_ones_32(bits) << (from & 31) : 0;
}

/* Returns the low `bits` bits of a, extended to 32 with zeros or the highest of them. */
static inline uint32_t extended(bool clamp, bool sign, uint32_t a, uint32_t bits) {
    return extract_32(sign, a, 0, clamp ? (bits < 32 ? bits : 32) : bits & 31);
}

/* Returns the position of the set bit number |offset| from `base` on, upwards or downwards, or all ones. An offset of 0
 * means the bit at `base` itself. */
static inline uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset) {
    uint32_t left = offset < 0 ? 0U - (uint32_t)offset : (uint32_t)offset;
    if (offset == 0) return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    for (uint32_t at = base; at < 32; at += offset < 0 ? UINT32_MAX : 1)
        if (mask >> at & 1 && --left == 0) return at;
    return UINT32_MAX;
}

static void nth_set_loop(const struct addresses *at, size_t n) {
    for (size_t i = 0; i < n; i++)
        store_32(at->dst[0], i,
                 nth_set(load_32(at->src[0], i), load_32(at->src[1], i), (int32_t)load_32(at->src[2], i)));
}

/* Returns byte `nibble & 7` of the eight bytes of b and a. Bit 3 of the nibble replaces it by copies of its sign. */
static inline uint32_t picked_byte(uint64_t bytes, uint32_t nibble) {
    const uint32_t byte = (uint32_t)(bytes >> (8 * (nibble & 7))) & 0xff;
    return nibble & 8 ? (byte >> 7) * 0xff : byte;
}

/* Returns the selector of the general prmt that does what a mode does with selector c. */
static inline uint32_t selector(enum integer_op op, uint32_t c) {
    static const uint16_t selectors[][4] = {{0x3210, 0x4321, 0x5432, 0x6543},  /* F4E */
                                            {0x5670, 0x6701, 0x7012, 0x0123},  /* B4E */
                                            {0x0000, 0x1111, 0x2222, 0x3333},  /* RC8 */
                                            {0x3210, 0x3211, 0x3222, 0x3333},  /* ECL */
                                            {0x0000, 0x1110, 0x2210, 0x3210},  /* ECR */
                                            {0x1010, 0x3232, 0x1010, 0x3232}}; /* RC16 */
    return op == INTEGER_PRMT ? c : selectors[op - INTEGER_PRMT_F4E][c & 3];
}

static inline uint32_t permuted(enum integer_op op, uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = a | (uint64_t)b << 32;
    const uint32_t s = selector(op, c);
    uint32_t d = 0;
    for (unsigned i = 0; i < 4; i++) d |= picked_byte(bytes, s >> (4 * i)) << (8 * i);
    return d;
}

static inline uint32_t funnel(enum integer_op op, uint32_t a, uint32_t b, uint32_t c) {
    const bool clamp = op == INTEGER_SHF_L_CLAMP || op == INTEGER_SHF_R_CLAMP;
    const uint32_t by = clamp ? (c < 32 ? c : 32) : c & 31;
    const uint64_t both = a | (uint64_t)b << 32;
    if (op == INTEGER_SHF_L_CLAMP || op == INTEGER_SHF_L_WRAP) return (uint32_t)(both << by >> 32);
    return (uint32_t)(both >> by);
}

static inline uint32_t result_32_only(enum integer_op op, bool sign, uint32_t a, uint32_t b, uint32_t c) {
    switch (op) {
    case INTEGER_MUL24_LO: return (uint32_t)product_24(sign, a, b);
    case INTEGER_MUL24_HI: return (uint32_t)(product_24(sign, a, b) >> 16);
    case INTEGER_MAD24_LO: return (uint32_t)product_24(sign, a, b) + c;
    case INTEGER_MAD24_HI: return (uint32_t)(product_24(sign, a, b) >> 16) + c;
    case INTEGER_MAD24_HI_SAT: return add_sat_32(true, (uint32_t)(product_24(true, a, b) >> 16), c);
    case INTEGER_BMSK_CLAMP:
    case INTEGER_BMSK_WRAP: return bit_mask(op == INTEGER_BMSK_CLAMP, a, b);
    case INTEGER_SZEXT_CLAMP:
    case INTEGER_SZEXT_WRAP: return extended(op == INTEGER_SZEXT_CLAMP, sign, a, b);
    case INTEGER_SHF_L_CLAMP:
    case INTEGER_SHF_L_WRAP:
    case INTEGER_SHF_R_CLAMP:
    case INTEGER_SHF_R_WRAP: return funnel(op, a, b, c);
    default: return permuted(op, a, b, c);
    }
}

static inline bool has_c(enum integer_op op) {
    return op != INTEGER_MUL24_LO && op != INTEGER_MUL24_HI && op != INTEGER_BMSK_CLAMP &&
           op != INTEGER_BMSK_WRAP && op != INTEGER_SZEXT_CLAMP && op != INTEGER_SZEXT_WRAP;
}

static inline void loop_32_only(enum integer_op op, bool sign, const struct addresses *at, size_t n) {
    const void *a = at->src[0], *b = at->src[1], *c = has_c(op) ? at->src[2] : a;
    INDEPENDENT
    for (size_t i = 0; i < n; i++)
        store_32(at->dst[0], i, result_32_only(op, sign, load_32(a, i), load_32(b, i), load_32(c, i)));
}

static inline void loop_32_by_sign(enum integer_op op, bool sign, const struct addresses *at, size_t n) {
    if (sign)
        loop_32_only(op, true, at, n);
    else
        loop_32_only(op, false, at, n);
}

/* ---- lop3 ---- */

/* Entry 4 a + 2 b + c of the table is the result for the bits a, b and c. The entries become masks, so that the loop
 * has no branches. */
static void lop3_loop(unsigned table, const struct addresses *at, size_t n) {
    uint32_t entry[8];
    for (unsigned i = 0; i < 8; i++) entry[i] = table >> i & 1 ? UINT32_MAX : 0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = load_32(at->src[0], i), b = load_32(at->src[1], i), c = load_32(at->src[2], i);
        const uint32_t low =
            (~b & ((~c & entry[0]) | (c & entry[1]))) | (b & ((~c & entry[2]) | (c & entry[3])));
        const uint32_t high =
            (~b & ((~c & entry[4]) | (c & entry[5]))) | (b & ((~c & entry[6]) | (c & entry[7])));
        store_32(at->dst[0], i, (~a & low) | (a & high));
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

static inline int64_t part(bool sign, unsigned bits, uint32_t word, unsigned i) {
    const uint32_t value = word >> (bits * i) & low_ones_32(bits);
    return sign && value >> (bits - 1) ? (int64_t)value - ((int64_t)1 << bits) : (int64_t)value;
}

static inline void dot_loop(enum integer_op op, bool sign_a, bool sign_b, const struct addresses *at,
                            size_t n) {
    const unsigned products = op == INTEGER_DP4A ? 4 : 2, bits = 32 / products;
    const unsigned first = op == INTEGER_DP2A_HI ? 2 : 0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = load_32(at->src[0], i), b = load_32(at->src[1], i);
        uint32_t sum = load_32(at->src[2], i);
        for (unsigned k = 0; k < products; k++)
            sum += (uint32_t)(part(sign_a, bits, a, k) * part(sign_b, 8, b, first + k));
        store_32(at->dst[0], i, sum);
    }
}

/* Returns `value`, saturated to integers of `bits` bits. */
static inline uint32_t saturated_part(bool sign, unsigned bits, int32_t value) {
    const int32_t largest = (int32_t)low_ones_32(bits - (sign ? 1 : 0)), least = sign ? -largest - 1 : 0;
    return (uint32_t)(value < least ? least : value > largest ? largest : value) & low_ones_32(bits);
}

static void pack_loop(bool sign, unsigned bits, const struct addresses *at, size_t n) {
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = saturated_part(sign, bits, (int32_t)load_32(at->src[0], i));
        const uint32_t b = saturated_part(sign, bits, (int32_t)load_32(at->src[1], i));
        const uint32_t c = at->src[2] ? load_32(at->src[2], i) << (2 * bits & 31) : 0;
        store_32(at->dst[0], i, b | a << bits | c);
    }
}

/* ---- the loop of an operation ---- */

static void run_dot(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    switch (p->op) {
    case INTEGER_DP4A: dot_loop(INTEGER_DP4A, p->is_signed, p->b_is_signed, at, n); break;
    case INTEGER_DP2A_LO: dot_loop(INTEGER_DP2A_LO, p->is_signed, p->b_is_signed, at, n); break;
    default: dot_loop(INTEGER_DP2A_HI, p->is_signed, p->b_is_signed, at, n); break;
    }
}

static void run_32_only(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    const bool sign = p->is_signed;
    switch (p->op) {
    case INTEGER_MUL24_LO: loop_32_by_sign(INTEGER_MUL24_LO, sign, at, n); break;
    case INTEGER_MUL24_HI: loop_32_by_sign(INTEGER_MUL24_HI, sign, at, n); break;
    case INTEGER_MAD24_LO: loop_32_by_sign(INTEGER_MAD24_LO, sign, at, n); break;
    case INTEGER_MAD24_HI: loop_32_by_sign(INTEGER_MAD24_HI, sign, at, n); break;
    case INTEGER_MAD24_HI_SAT: loop_32_only(INTEGER_MAD24_HI_SAT, true, at, n); break;
    case INTEGER_BMSK_CLAMP: loop_32_only(INTEGER_BMSK_CLAMP, false, at, n); break;
    case INTEGER_BMSK_WRAP: loop_32_only(INTEGER_BMSK_WRAP, false, at, n); break;
    case INTEGER_SZEXT_CLAMP: loop_32_by_sign(INTEGER_SZEXT_CLAMP, sign, at, n); break;
    case INTEGER_SZEXT_WRAP: loop_32_by_sign(INTEGER_SZEXT_WRAP, sign, at, n); break;
    case INTEGER_FNS: nth_set_loop(at, n); break;
    case INTEGER_SHF_L_CLAMP: loop_32_only(INTEGER_SHF_L_CLAMP, false, at, n); break;
    case INTEGER_SHF_L_WRAP: loop_32_only(INTEGER_SHF_L_WRAP, false, at, n); break;
    case INTEGER_SHF_R_CLAMP: loop_32_only(INTEGER_SHF_R_CLAMP, false, at, n); break;
    case INTEGER_SHF_R_WRAP: loop_32_only(INTEGER_SHF_R_WRAP, false, at, n); break;
    case INTEGER_PRMT: loop_32_only(INTEGER_PRMT, false, at, n); break;
    default: loop_32_only(p->op, false, at, n); break; /* the modes of prmt, which are rare */
    }
}

void pto_integers(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    const size_t elements = n * p->lane_elements;
    if (p->op == INTEGER_LOP3) {
        lop3_loop(p->table, at, n);
        if (at->dst[1]) test_loop(at->dst[0], at->dst[1], n);
    } else if (p->op == INTEGER_PACK) {
        pack_loop(p->is_signed, p->part_bits, at, n);
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
