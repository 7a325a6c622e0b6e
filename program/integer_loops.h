/* SPDX-License-Identifier: MIT */
/*
 * Instructions on integers and bits, as loops that compilers vectorize. Each file that includes this is compiled for
 * another instruction set. It defines INTEGER_LOOPS, the name of the function that the end of this file defines; see
 * loops.h. Callers of the inline functions pass constants for `op` and `sign`, so that the compiler makes a separate
 * loop for each combination.
 */
#include "loops.h"

#include <string.h>

#ifdef __AVX2__
#    include <immintrin.h>
#endif

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

/* Returns the high 64 bits of a product. Of unsigned factors they are too large by b if a is a negative number, and by a
 * if b is. */
static ALWAYS_INLINE uint64_t high_product(bool sign, uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    __extension__ typedef __int128 signed_product;
    return sign ? (uint64_t)((signed_product)(int64_t)a * (int64_t)b >> 64)
                : (uint64_t)((product)a * b >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    const uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    return sign ? high - (b & (0 - (a >> 63))) - (a & (0 - (b >> 63))) : high;
#endif
}

/* ---- bit fields of 64 bits ----
 *
 * gcc 12 does not vectorize these: the variable shifts of C need masks, whose counts have another width. A shift of AVX2
 * whose count is 64 or more gives 0. The functions compute whole vectors, and return how many lanes they have. */

#ifdef __AVX2__
/* Loads a vector that begins with word i of `from`; words have 4 bytes. */
static ALWAYS_INLINE __m256i load_vector(const void *from, size_t i) {
    __m256i x;
    memcpy(&x, (const unsigned char *)from + 4 * i, sizeof x);
    return x;
}

static ALWAYS_INLINE void store_vector(void *to, size_t i, __m256i x) {
    memcpy((unsigned char *)to + 4 * i, &x, sizeof x);
}

/* Loads four words, for lanes of 64 bits. */
static ALWAYS_INLINE __m128i load_counts(const void *from, size_t i) {
    __m128i x;
    memcpy(&x, (const unsigned char *)from + 4 * i, sizeof x);
    return x;
}

static ALWAYS_INLINE __m256i shifted_right_signed(__m256i a, __m256i by) {
    const __m256i signs = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
    return _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(a, signs), by), signs);
}

static ALWAYS_INLINE __m256i low_ones_vector(__m256i length) {
    return _mm256_andnot_si256(_mm256_sllv_epi64(_mm256_set1_epi8(-1), length), _mm256_set1_epi8(-1));
}

static ALWAYS_INLINE size_t extract_vectors(bool sign, struct addresses at, size_t n) {
    const size_t whole = n - n % 4;
    for (size_t i = 0; i < whole; i += 4) {
        const __m256i a = load_vector(at.src[0], 2 * i);
        const __m256i from = _mm256_cvtepu32_epi64(load_counts(at.src[1], i));
        const __m128i length = load_counts(at.src[2], i), all = _mm_set1_epi32(64);
        const __m256i above = _mm256_cvtepu32_epi64(_mm_sub_epi32(all, _mm_min_epu32(length, all)));
        const __m256i field =
            sign ? _mm256_sllv_epi64(shifted_right_signed(a, from), above) : _mm256_srlv_epi64(a, from);
        store_vector(at.dst[0], 2 * i,
                     sign ? shifted_right_signed(field, above)
                          : _mm256_and_si256(field, low_ones_vector(_mm256_cvtepu32_epi64(length))));
    }
    return whole;
}

static ALWAYS_INLINE size_t insert_vectors(struct addresses at, size_t n) {
    const size_t whole = n - n % 4;
    for (size_t i = 0; i < whole; i += 4) {
        const __m256i b = load_vector(at.src[1], 2 * i);
        const __m256i from = _mm256_cvtepu32_epi64(load_counts(at.src[2], i));
        const __m256i length = _mm256_cvtepu32_epi64(load_counts(at.src[3], i));
        const __m256i mask = _mm256_sllv_epi64(low_ones_vector(length), from);
        const __m256i field = _mm256_sllv_epi64(load_vector(at.src[0], 2 * i), from);
        store_vector(at.dst[0], 2 * i,
                     _mm256_or_si256(_mm256_and_si256(field, mask), _mm256_andnot_si256(mask, b)));
    }
    return whole;
}
#else
static ALWAYS_INLINE size_t extract_vectors(bool sign, struct addresses at, size_t n) {
    (void)sign;
    (void)at;
    (void)n;
    return 0;
}

static ALWAYS_INLINE size_t insert_vectors(struct addresses at, size_t n) {
    (void)at;
    (void)n;
    return 0;
}
#endif

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

/* Returns the position of the set bit number |offset| from `base` on, upwards or downwards, or all ones. An offset of 0
 * means the bit at `base` itself. */
static ALWAYS_INLINE uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset) {
    uint32_t left = offset < 0 ? 0U - (uint32_t)offset : (uint32_t)offset;
    if (offset == 0) return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    for (uint32_t at = base; at < 32; at += offset < 0 ? UINT32_MAX : 1)
        if (mask >> at & 1 && --left == 0) return at;
    return UINT32_MAX;
}

static void nth_set_loop(struct addresses at, size_t n) {
    for (size_t i = 0; i < n; i++)
        store_32(at.dst[0], i,
                 nth_set(load_32(at.src[0], i), load_32(at.src[1], i), (int32_t)load_32(at.src[2], i)));
}

static ALWAYS_INLINE uint32_t funnel(enum integer_op op, uint32_t a, uint32_t b, uint32_t c) {
    const bool clamp = op == INTEGER_SHF_L_CLAMP || op == INTEGER_SHF_R_CLAMP;
    const uint32_t by = clamp ? (c < 32 ? c : 32) : c & 31;
    if (op == INTEGER_SHF_L_CLAMP || op == INTEGER_SHF_L_WRAP)
        return shifted_left_32(b, by) | shifted_right_32(false, a, 32 - by);
    return shifted_right_32(false, a, by) | shifted_left_32(b, 32 - by);
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
    for (size_t i = 0; i < n; i++)
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

#ifdef __AVX2__
/* Returns permuted() of eight lanes. Bits 2 and 3 of the nibbles become the sign bits of bytes, which blends test. */
static ALWAYS_INLINE __m256i permuted_vector(__m256i a, __m256i b, __m256i s) {
    const __m256i first =
        _mm256_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c, /* the first byte of each word */
                          0, 0x04040404, 0x08080808, 0x0c0c0c0c);
    __m256i index, d;
    s = _mm256_and_si256(s, _mm256_set1_epi32(0xffff)); /* spreads the nibbles over four bytes */
    s = _mm256_and_si256(_mm256_or_si256(s, _mm256_slli_epi32(s, 8)), _mm256_set1_epi32(0x00ff00ff));
    s = _mm256_and_si256(_mm256_or_si256(s, _mm256_slli_epi32(s, 4)), _mm256_set1_epi8(15));
    index = _mm256_or_si256(_mm256_and_si256(s, _mm256_set1_epi8(3)), first);
    d = _mm256_blendv_epi8(_mm256_shuffle_epi8(a, index), _mm256_shuffle_epi8(b, index),
                           _mm256_slli_epi32(s, 5));
    return _mm256_blendv_epi8(d, _mm256_cmpgt_epi8(_mm256_setzero_si256(), d), _mm256_slli_epi32(s, 4));
}

/* Computes whole vectors, and returns how many lanes they have. */
static ALWAYS_INLINE size_t permute_vectors(bool general, uint64_t selectors, struct addresses at, size_t n) {
    const size_t whole = n - n % 8;
    const __m256i twice = _mm256_set1_epi64x((long long)selectors);
    const __m256i table = _mm256_unpacklo_epi16(twice, _mm256_setzero_si256());
    for (size_t i = 0; i < whole; i += 8) {
        const __m256i c = load_vector(at.src[2], i), s = general ? c : _mm256_permutevar8x32_epi32(table, c);
        store_vector(at.dst[0], i, permuted_vector(load_vector(at.src[0], i), load_vector(at.src[1], i), s));
    }
    return whole;
}
#else
static ALWAYS_INLINE size_t permute_vectors(bool general, uint64_t selectors, struct addresses at, size_t n) {
    (void)general;
    (void)selectors;
    (void)at;
    (void)n;
    return 0;
}
#endif

static ALWAYS_INLINE void permute_loop(bool general, uint64_t selectors, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = permute_vectors(general, selectors, at, n); i < n; i++) {
        const uint32_t a = load_32(at.src[0], i), b = load_32(at.src[1], i), c = load_32(at.src[2], i);
        const uint32_t s = general ? c : (uint32_t)(selectors >> (16 * (c & 3)));
        store_32(at.dst[0], i, permuted(a, b, s));
    }
}

/* ---- lop3 ---- */

/* Entry 4 a + 2 b + c of the table is the result for the bits a, b and c. It is computed as a polynomial: the sum modulo
 * 2 of the products of a, b and c whose coefficients are 1. The coefficients become masks, so that the loop has no
 * branches. */
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
    for (size_t i = 0; i < n; i++) {
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
    return (uint32_t)(value < least ? least : value > largest ? largest : value) & low_ones_32(bits);
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
