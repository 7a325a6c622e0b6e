/* SPDX-License-Identifier: MIT */
/**
 * @file truth_inputs.h
 * The definitions that ptx_truth.cu on a GPU and test_truth.c on a CPU share: the inputs of each form, their order, and
 * the 64-bit digest of a block of results. It is valid C, C++ and CUDA.
 *
 * Operands are numbered. A unit is the content of one PTX source register (8, 16, 32 or 64 bits), or a pair of
 * operands for comparisons. Units of up to 32 bits and pairs of 16-bit operands run through all their values in
 * ascending order. So a block that differs identifies a range of inputs, and the NaNs of a scalar form are adjacent.
 * Wider units are computed from their number. Results have libpto's layout in memory, little-endian and without gaps,
 * and are digested as 64-bit words.
 *
 * A block of units has a digest, for which its words are numbered from 0. A file contains sums of the digests of
 * consecutive blocks, modulo 2^64, so that it is small enough to be checked in.
 */
#ifndef PTO_TRUTH_INPUTS_H
#define PTO_TRUTH_INPUTS_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#    define TRUTH_FN static __host__ __device__ inline
#else
#    define TRUTH_FN static inline
#endif

#define TRUTH_FORMAT "libpto truth 2"

/** The kinds of operands, which have different special values. */
enum truth_kind { TRUTH_INT, TRUTH_F16, TRUTH_BF16, TRUTH_F32, TRUTH_F64 };

/** The families of instructions. The comments say what a unit is. */
enum truth_family {
    TRUTH_CVT,    /* a source register */
    TRUTH_SETP,   /* a pair of operands */
    TRUTH_SET,    /* a pair of operands */
    TRUTH_SELP,   /* a pair of operands */
    TRUTH_SLCT,   /* the operand c */
    TRUTH_MAXMIN, /* a pair of operands */
    TRUTH_FAMILIES
};

/** The operands and results of a form. */
struct truth_shape {
    unsigned family;      /* enum truth_family */
    unsigned kind;        /* enum truth_kind of the operands */
    unsigned unit_bits;   /* bits of one operand */
    unsigned halves;      /* 2 if an operand is a register with two values of its kind, otherwise 1 */
    unsigned units_in;    /* units that one instruction reads: 1, or 2 and 4 for packed results */
    unsigned result_bits; /* bits that one instruction writes; 1 for setp, for each of its predicates */
    unsigned log2_units;  /* log2 of the number of all units */
    unsigned log2_block;  /* log2 of the number of units that share a digest */
    unsigned log2_sum;    /* log2 of the number of units that share a sum of digests, as stored in files */
    uint32_t random_mask; /* the random bits that .rs reads; 0 for other forms */
    unsigned scales;      /* bytes of scales that one instruction reads */
};

enum { TRUTH_SPECIALS = 44, TRUTH_LARGEST_SUM = 28 };

/* ---- pseudo-random numbers, each computed from its index ---- */

/** The finalizer of splitmix64. */
TRUTH_FN uint64_t truth_hash(uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

TRUTH_FN uint64_t truth_all_bits(unsigned bits) {
    return UINT64_MAX >> (64 - bits);
}

TRUTH_FN unsigned truth_fraction_bits(unsigned kind) {
    return kind == TRUTH_F16 ? 10 : kind == TRUTH_BF16 ? 7 : kind == TRUTH_F32 ? 23 : 52;
}

TRUTH_FN unsigned truth_exponent_bits(unsigned kind) {
    return kind == TRUTH_F16 ? 5 : kind == TRUTH_F64 ? 11 : 8;
}

/** Returns a random number whose low bits are cleared from a random position down, plus -1 to 2. Such values are near
 * the boundaries of rounding. */
TRUTH_FN uint64_t truth_rough(uint64_t random, unsigned bits) {
    const unsigned cut = (unsigned)(random >> 58) % bits;
    return ((random & truth_all_bits(bits)) >> cut << cut) + (random >> 56 & 3) - 1;
}

/**
 * Returns an unbiased exponent near a boundary of a conversion: the ends of the ranges of formats and of integer types.
 */
TRUTH_FN int truth_edge(uint64_t random) {
    const unsigned pick = (unsigned)(random >> 8) % 8;
    const int near = (int)(random & 3) - 1;
    switch (pick) {
    case 0: return -150 + (int)(random >> 16 & 31); /* f32 and bf16 subnormals */
    case 1: return -27 + (int)(random >> 16 & 15);  /* f16 subnormals */
    case 2: return -11 + (int)(random >> 16 & 15);  /* the 8-bit formats */
    case 3: return 127 + near;
    case 4: return 15 + near;
    case 5: return 63 + near;
    case 6: return 31 + near;
    default: return (int)(random >> 16 & 127) - 32;
    }
}

/** Returns a float that is not a NaN. Exponents and fractions near boundaries of conversions are more frequent. */
TRUTH_FN uint64_t truth_float(unsigned kind, uint64_t index) {
    const unsigned fraction_bits = truth_fraction_bits(kind), exponent_bits = truth_exponent_bits(kind);
    const uint64_t h = truth_hash(index), g = truth_hash(h);
    const int top = (int)truth_all_bits(exponent_bits);
    int exponent = (int)(g & truth_all_bits(exponent_bits));
    uint64_t bits;

    if (g >> 62 != 0) exponent = truth_edge(g >> 20) + top / 2;
    if (exponent < 0) exponent = 0;
    if (exponent > top) exponent = top;
    bits = ((uint64_t)exponent << fraction_bits) + truth_rough(h, fraction_bits);
    bits &= truth_all_bits(exponent_bits + fraction_bits);
    /* NaNs are replaced by subnormals: results of NaNs are compared individually, not through digests. */
    if (bits > (uint64_t)top << fraction_bits) bits &= truth_all_bits(fraction_bits);
    return bits | (g >> 61 & 1) << (exponent_bits + fraction_bits);
}

/** Returns an integer of any magnitude. Values near a power of two or with few significant bits are more frequent. */
TRUTH_FN uint64_t truth_integer(unsigned bits, uint64_t index) {
    const uint64_t h = truth_hash(index), g = truth_hash(h);
    const unsigned width = (unsigned)(g & 63) % bits + 1;
    const uint64_t magnitude = truth_rough(h, width) + (g >> 16 & 1 ? (uint64_t)1 << (width - 1) : 0);
    return (g >> 17 & 1 ? 0 - magnitude : magnitude) & truth_all_bits(bits);
}

/* ---- special values ---- */

TRUTH_FN uint64_t truth_special_float(unsigned kind, unsigned number) {
    const unsigned fraction_bits = truth_fraction_bits(kind), exponent_bits = truth_exponent_bits(kind);
    const uint64_t normal = (uint64_t)1 << fraction_bits, quiet = normal >> 1;
    const uint64_t infinity = truth_all_bits(exponent_bits) << fraction_bits;
    const uint64_t one = truth_all_bits(exponent_bits - 1) << fraction_bits;
    const uint64_t sign = (uint64_t)(number & 1) << (fraction_bits + exponent_bits);
    switch (number / 2) {
    case 0: return sign;
    case 1: return sign | 1;
    case 2: return sign | quiet;
    case 3: return sign | (normal - 1);
    case 4: return sign | normal;
    case 5: return sign | (normal + 1);
    case 6: return sign | (one - normal); /* one half */
    case 7: return sign | (one - 1);
    case 8: return sign | one;
    case 9: return sign | (one + 1);
    case 10: return sign | (one + quiet);
    case 11: return sign | (infinity - 2);
    case 12: return sign | (infinity - 1);
    case 13: return sign | infinity;
    case 14: return sign | (infinity + 1); /* cases 14 to 17 are signalling NaNs */
    case 15: return sign | (infinity + 2);
    case 16: return sign | (infinity + (quiet >> 1) + 5);
    case 17: return sign | (infinity + quiet - 1);
    case 18: return sign | (infinity + quiet);
    case 19: return sign | (infinity + quiet + 1);
    case 20: return sign | (infinity + quiet + (quiet >> 1));
    default: return sign | (infinity + normal - 1);
    }
}

TRUTH_FN uint64_t truth_special_integer(unsigned bits, unsigned number) {
    const uint64_t all = truth_all_bits(bits);
    const uint64_t power = (uint64_t)1 << (number / 4 * 7 % bits);
    switch (number) {
    case 0: return 0;
    case 1: return 1;
    case 2: return all;
    case 3: return all >> 1;
    case 4: return (all >> 1) + 1;
    case 5: return (all >> 1) + 2;
    case 6: return all - 1;
    case 7: return 0x5555555555555555U & all;
    default: return (number & 1 ? power + (number >> 1 & 1) : 0 - power + (number >> 1 & 1)) & all;
    }
}

/** Returns special operand `number` of TRUTH_SPECIALS. In a register of two halves, the upper half is the next
 * special. */
TRUTH_FN uint64_t truth_special(const struct truth_shape *shape, unsigned number) {
    const unsigned half_bits = shape->unit_bits / shape->halves;
    uint64_t bits = 0;
    for (unsigned half = 0; half < shape->halves; half++) {
        const unsigned n = (number + half) % TRUTH_SPECIALS;
        const uint64_t part = shape->kind == TRUTH_INT ? truth_special_integer(half_bits, n)
                                                       : truth_special_float(shape->kind, n);
        bits |= part << half * half_bits;
    }
    return bits;
}

/* ---- operands ---- */

/** Returns operand number `unit` of a form with one operand. */
TRUTH_FN uint64_t truth_operand(const struct truth_shape *shape, uint64_t unit) {
    if (shape->unit_bits == 64)
        return shape->kind == TRUTH_F64 ? truth_float(TRUTH_F64, unit) : truth_integer(64, unit);
    /* Operands of the same instruction are made different from each other, by a permutation within their block. */
    if (shape->units_in > 1 && unit & 1) unit ^= 0x555554U;
    return unit & truth_all_bits(shape->unit_bits);
}

/** Returns the random bits of execution number `instruction`. */
TRUTH_FN uint32_t truth_random(const struct truth_shape *shape, uint64_t instruction) {
    return (uint32_t)truth_hash(~instruction) & shape->random_mask;
}

/** Returns the ue8m0 scales of execution number `instruction`, the first in the lowest byte. Most are near 1. */
TRUTH_FN uint32_t truth_scales(const struct truth_shape *shape, uint64_t instruction) {
    const uint64_t h = truth_hash(instruction ^ 0xe8e8000000000000U);
    const uint64_t near = 0x6f6f + (h >> 8 & 0x1f1f), any = h >> 24 & 0xffff;
    if (shape->scales == 0) return 0;
    return (uint32_t)((h % 16 == 0 ? any : near) & truth_all_bits(8 * shape->scales));
}

struct truth_pair {
    uint64_t a, b;
};

/** Returns the left operand of a comparison of 32 or 64 bits. */
TRUTH_FN uint64_t truth_left(const struct truth_shape *shape, uint64_t index) {
    const uint64_t h = truth_hash(~index);
    if (h % 8 == 0) return truth_special(shape, (unsigned)(h >> 8) % TRUTH_SPECIALS);
    return shape->kind == TRUTH_INT ? truth_integer(shape->unit_bits, index)
                                    : truth_float(shape->kind, index);
}

/** Returns the right operand. It is often equal to the left operand a, adjacent to it, its negation, or one bit
 * different. */
TRUTH_FN uint64_t truth_right(const struct truth_shape *shape, uint64_t a, uint64_t index) {
    const uint64_t h = truth_hash(index ^ 0x5555000000000000U), bit = 1;
    uint64_t b;
    switch (h % 8) {
    case 0: b = a; break;
    case 1: b = a + 1; break;
    case 2: b = a - 1; break;
    case 3: b = a ^ bit << (shape->unit_bits - 1); break;
    case 4: b = a ^ bit << (h >> 8) % shape->unit_bits; break;
    case 5: b = truth_special(shape, (unsigned)(h >> 8) % TRUTH_SPECIALS); break;
    default: b = truth_left(shape, index + ((uint64_t)1 << 60)); break;
    }
    return b & truth_all_bits(shape->unit_bits);
}

/**
 * Returns pair number `unit`. For 16-bit operands, a is the low half of the number and b the high half. A unit of two
 * halves is two consecutive such pairs, made different from each other.
 */
TRUTH_FN struct truth_pair truth_operands(const struct truth_shape *shape, uint64_t unit) {
    struct truth_pair pair;
    if (shape->unit_bits == 16) {
        pair.a = unit & 0xffff;
        pair.b = unit >> 16 & 0xffff;
    } else if (shape->halves == 2) {
        const uint64_t low = 2 * unit, high = (2 * unit + 1) ^ 0x5554U;
        pair.a = (low & 0xffff) | (high & 0xffff) << 16;
        pair.b = (low >> 16 & 0xffff) | (high & 0xffff0000U);
    } else {
        pair.a = truth_left(shape, unit);
        pair.b = truth_right(shape, pair.a, unit);
    }
    return pair;
}

/** Returns special pair `number`. The results of special pairs are stored individually. */
TRUTH_FN struct truth_pair truth_special_pair(const struct truth_shape *shape, unsigned number) {
    struct truth_pair pair;
    pair.a = truth_special(shape, number);
    pair.b = truth_special(shape, (number * 7 + 3) % TRUTH_SPECIALS);
    return pair;
}

/** Returns the predicate operand c of 64 consecutive executions, the first in bit 0. */
TRUTH_FN uint64_t truth_predicates(uint64_t word) {
    return truth_hash(word ^ 0xc0c0000000000000U);
}

/** Returns the operands a and b of slct: two 64-bit patterns, of which it reads the low part. */
TRUTH_FN struct truth_pair truth_choice(uint64_t unit) {
    struct truth_pair pair;
    pair.a = (unit + 1) * 0x9e3779b97f4a7c15U;
    pair.b = ~(unit + 1) * 0xd6e8feb86659fd93U;
    return pair;
}

/* ---- functions that parse the text of a form into its shape ---- */

/** Sets the kind, bits and halves of the register for a type's name. Returns 0 if there is no such type. */
static inline int truth_type(const char *word, struct truth_shape *shape) {
    static const struct {
        const char *word;
        unsigned kind, bits, halves;
    } types[] = {{"b16", TRUTH_INT, 16, 1},     {"b32", TRUTH_INT, 32, 1},     {"b64", TRUTH_INT, 64, 1},
                 {"u8", TRUTH_INT, 8, 1},       {"u16", TRUTH_INT, 16, 1},     {"u32", TRUTH_INT, 32, 1},
                 {"u64", TRUTH_INT, 64, 1},     {"s8", TRUTH_INT, 8, 1},       {"s16", TRUTH_INT, 16, 1},
                 {"s32", TRUTH_INT, 32, 1},     {"s64", TRUTH_INT, 64, 1},     {"f16", TRUTH_F16, 16, 1},
                 {"bf16", TRUTH_BF16, 16, 1},   {"f32", TRUTH_F32, 32, 1},     {"f64", TRUTH_F64, 64, 1},
                 {"tf32", TRUTH_F32, 32, 1},    {"f16x2", TRUTH_F16, 32, 2},   {"bf16x2", TRUTH_BF16, 32, 2},
                 {"e4m3x2", TRUTH_INT, 16, 1},  {"e5m2x2", TRUTH_INT, 16, 1},  {"e2m3x2", TRUTH_INT, 16, 1},
                 {"e3m2x2", TRUTH_INT, 16, 1},  {"ue8m0x2", TRUTH_INT, 16, 1}, {"e2m1x2", TRUTH_INT, 8, 1},
                 {"e4m3x4", TRUTH_INT, 32, 1},  {"e5m2x4", TRUTH_INT, 32, 1},  {"e2m3x4", TRUTH_INT, 32, 1},
                 {"e3m2x4", TRUTH_INT, 32, 1},  {"e2m1x4", TRUTH_INT, 16, 1},  {"s2f6x2", TRUTH_INT, 16, 1},
                 {"ue5m3x2", TRUTH_INT, 16, 1}, {"u8x4", TRUTH_INT, 32, 1},    {"s8x4", TRUTH_INT, 32, 1},
                 {"u16x2", TRUTH_INT, 32, 1},   {"s16x2", TRUTH_INT, 32, 1}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(word, types[i].word) != 0) continue;
        shape->kind = types[i].kind;
        shape->unit_bits = types[i].bits;
        shape->halves = types[i].halves;
        return 1;
    }
    return 0;
}

static inline int truth_is_packed(const char *word) {
    return strcmp(word, "u8x4") == 0 || strcmp(word, "s8x4") == 0 || strcmp(word, "u16x2") == 0 ||
           strcmp(word, "s16x2") == 0;
}

/** Sets the number of units, and the numbers of units that share a digest and a sum of digests. */
static inline void truth_sizes(struct truth_shape *shape) {
    const int paired = shape->family != TRUTH_CVT && shape->family != TRUTH_SLCT;
    if (paired) {
        shape->log2_units = shape->unit_bits == 16 ? 32 : shape->halves == 2 ? 31 : 26;
        shape->log2_block = shape->log2_units == 26 ? 24 : 26;
    } else if (shape->unit_bits == 64) {
        shape->log2_units = 26;
        shape->log2_block = 22;
    } else {
        shape->log2_units = shape->unit_bits;
        shape->log2_block = shape->unit_bits == 32 ? 24 : shape->unit_bits == 16 ? 10 : 8;
    }
    shape->log2_sum = shape->log2_units;
    if (shape->log2_sum > TRUTH_LARGEST_SUM) shape->log2_sum = TRUTH_LARGEST_SUM;
}

/** Returns the family of an instruction's text, or TRUTH_FAMILIES if it has none. */
static inline unsigned truth_family_of(const char *text) {
    static const struct {
        const char *name;
        unsigned family;
    } names[] = {{"cvt.", TRUTH_CVT},   {"setp.", TRUTH_SETP},  {"set.", TRUTH_SET},   {"selp.", TRUTH_SELP},
                 {"slct.", TRUTH_SLCT}, {"max.", TRUTH_MAXMIN}, {"min.", TRUTH_MAXMIN}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(text, names[i].name, strlen(names[i].name)) == 0) return names[i].family;
    }
    return TRUTH_FAMILIES;
}

/** Fills *shape for a text such as "cvt.rn.f16x2.f32": the last word is the type of the operand, the one before it
 * that of the result. selp, max, min and set of packed integers have one type for both. Returns 0 if the text is not
 * a form. */
static inline int truth_shape_of(const char *text, struct truth_shape *shape) {
    const char *dot = strrchr(text, '.'), *dst = dot;
    struct truth_shape result;
    char word[16] = {0};

    memset(shape, 0, sizeof *shape);
    memset(&result, 0, sizeof result);
    shape->family = truth_family_of(text);
    if (shape->family == TRUTH_FAMILIES || !dot || !truth_type(dot + 1, shape)) return 0;
    do {
        dst--;
    } while (dst > text && *dst != '.');
    if (dot - dst - 1 >= (int)sizeof word) return 0;
    memcpy(word, dst + 1, (size_t)(dot - dst - 1));
    if (shape->family == TRUTH_MAXMIN || shape->family == TRUTH_SELP ||
        (shape->family == TRUTH_SET && truth_is_packed(dot + 1)))
        result = *shape;
    else if (shape->family != TRUTH_SETP && !truth_type(word, &result))
        return 0;
    shape->result_bits = shape->family == TRUTH_SETP ? 1 : result.unit_bits;
    shape->units_in = 1;
    if (shape->family == TRUTH_CVT && strcmp(dot, ".f32") == 0 && strstr(word, "x2")) shape->units_in = 2;
    if (shape->family == TRUTH_CVT && strcmp(dot, ".f32") == 0 && strstr(word, "x4")) shape->units_in = 4;
    /* f16x2 reads 13 of the random bits for each half, and requires the others to be zero. */
    if (strstr(text, ".rs.")) shape->random_mask = strcmp(word, "f16x2") == 0 ? 0x1fff1fffU : 0xffffffffU;
    shape->scales = strstr(text, "::n1::") ? 1 : strstr(text, "::n2::") ? 2 : 0;
    truth_sizes(shape);
    return 1;
}

/** Returns the number of special results of a form. */
TRUTH_FN unsigned truth_special_count(const struct truth_shape *shape) {
    return TRUTH_SPECIALS / shape->units_in;
}

/* ---- digests ---- */

/** Returns the term that word number j of a block adds to the block's digest, modulo 2^64. */
TRUTH_FN uint64_t truth_term(uint64_t word, uint64_t j) {
    return truth_hash(word + j * 0xd6e8feb86659fd93U);
}

#endif
