/* SPDX-License-Identifier: MIT */
/* Special values and pairs of operands. */
#include "support/values.h"

#include <string.h>

enum { STRETCH = 1024 };

static uint64_t all_bits(pto_dtype type) {
    return UINT64_MAX >> (64 - 8 * model_size(type));
}

static uint64_t sign_bit(pto_dtype type) {
    return model_is_float(type) ? model_sign_bit(type) : (uint64_t)1 << (8 * model_size(type) - 1);
}

static size_t special_integers(pto_dtype type, uint64_t values[VALUES_MAX_SPECIALS]) {
    const uint64_t all = all_bits(type);
    const uint64_t sign = sign_bit(type);
    const uint64_t half = (uint64_t)1 << 4 * model_size(type);
    const uint64_t list[] = {0,
                             1,
                             2,
                             all,
                             all - 1,
                             all - 2,
                             sign,
                             sign + 1,
                             sign - 1,
                             sign - 2,
                             half,
                             half - 1,
                             half + 1,
                             all - half,
                             sign + half,
                             0x5555555555555555U & all,
                             0xaaaaaaaaaaaaaaaaU & all};
    memcpy(values, list, sizeof list);
    return sizeof list / sizeof list[0];
}

/** Returns the magnitude whose top 16 bits are f16's infinity and whose other bits are 0. bf16 may be compared with
 * f16 instructions, to which greater magnitudes are NaNs. */
static uint64_t f16_range_max(pto_dtype type) {
    return (uint64_t)0x7c00 << (8 * model_size(type) - 16);
}

static size_t both_signs(pto_dtype type, uint64_t magnitude, uint64_t values[2]) {
    values[0] = magnitude;
    values[1] = magnitude | sign_bit(type);
    return 2;
}

static size_t special_floats(pto_dtype type, uint64_t values[VALUES_MAX_SPECIALS]) {
    const int fraction_bits = model_fraction_bits(type);
    const uint64_t normal = (uint64_t)1 << fraction_bits; /* the smallest normal number */
    const uint64_t quiet = normal >> 1;                   /* the quiet bit of a NaN */
    const uint64_t exponents = ((uint64_t)1 << model_exponent_bits(type)) - 1;
    const uint64_t infinity = exponents << fraction_bits;
    const uint64_t one = exponents / 2 << fraction_bits;
    const uint64_t magnitudes[] = {0,
                                   1,
                                   2,
                                   quiet,
                                   normal - 2,
                                   normal - 1,
                                   normal,
                                   normal + 1,
                                   one - 1,
                                   one,
                                   one + 1,
                                   one + normal,
                                   infinity - 2,
                                   infinity - 1,
                                   infinity,
                                   infinity + 1,          /* signalling */
                                   infinity + 2,          /* signalling */
                                   infinity + quiet / 2,  /* signalling */
                                   infinity + quiet - 1,  /* signalling */
                                   infinity + quiet,      /* quiet, no payload */
                                   infinity + quiet + 1,  /* quiet */
                                   infinity + normal - 1, /* quiet, all ones */
                                   infinity + quiet + quiet / 2};
    const size_t count = sizeof magnitudes / sizeof magnitudes[0];
    size_t specials = 0;
    for (size_t i = 0; i < count; i++) specials += both_signs(type, magnitudes[i], values + specials);
    for (uint64_t i = 0; i < 3 && type == PTO_BF16; i++)
        specials += both_signs(type, f16_range_max(type) - 1 + i, values + specials);
    return specials;
}

size_t values_special(pto_dtype type, uint64_t values[VALUES_MAX_SPECIALS]) {
    return model_is_float(type) ? special_floats(type, values) : special_integers(type, values);
}

/* Little-endian, like the library's memory layout. */
uint64_t value_load(pto_dtype type, const void *array, size_t lane) {
    uint64_t bits = 0;
    const size_t size = model_size(type);
    memcpy(&bits, (const unsigned char *)array + lane * size, size);
    return bits;
}

void value_store(pto_dtype type, void *array, size_t lane, uint64_t bits) {
    const size_t size = model_size(type);
    memcpy((unsigned char *)array + lane * size, &bits, size);
}

static uint64_t infinity_bits(pto_dtype type) {
    return (((uint64_t)1 << model_exponent_bits(type)) - 1) << model_fraction_bits(type);
}

bool value_is_nan(pto_dtype type, uint64_t bits) {
    const unsigned char code = (unsigned char)bits;
    if (model_is_small(type)) return model_decode(type, false, &code).nan;
    return model_is_float(type) && (bits & ~sign_bit(type)) > infinity_bits(type);
}

bool value_is_signalling(pto_dtype type, uint64_t bits) {
    return value_is_nan(type, bits) && !model_is_small(type) &&
           (bits >> (model_fraction_bits(type) - 1) & 1) == 0;
}

bool value_is_subnormal(pto_dtype type, uint64_t bits) {
    const uint64_t magnitude = bits & ~sign_bit(type);
    return model_is_float(type) && magnitude != 0 && magnitude >> model_fraction_bits(type) == 0;
}

static void random_pair(struct rng *rng, pto_dtype type, const uint64_t *specials, size_t count,
                        uint64_t pair[2]) {
    const uint64_t all = all_bits(type);
    const size_t width = 8 * model_size(type);
    const uint64_t x = rng_next(rng) & all;
    const uint64_t y = rng_next(rng) & all;
    const uint64_t special = specials[rng_below(rng, count)];

    pair[0] = x;
    pair[1] = y;
    switch (rng_below(rng, 10)) {
    case 0:
    case 1:
        pair[0] = special;
        pair[1] = specials[rng_below(rng, count)];
        break;
    case 2: pair[1] = special; break;
    case 3: pair[0] = special; break;
    case 4: pair[1] = x; break;
    case 5: pair[1] = (x + 1) & all; break;
    case 6: pair[1] = (x - 1) & all; break;
    case 7: pair[1] = x ^ (uint64_t)1 << rng_below(rng, width); break;
    case 8: /* floats: two subnormals, or two values near each other */
        if (model_is_float(type)) {
            pair[0] = x & ~infinity_bits(type);
            pair[1] = y & ~infinity_bits(type);
        }
        break;
    default: break;
    }
}

/** Returns `bits`, changed if f16 instructions would not compare them correctly. Most values stay unchanged. */
static uint64_t to_f16_range(pto_dtype type, uint64_t bits) {
    const bool is_like = !model_is_float(type) || (bits & ~sign_bit(type)) <= f16_range_max(type);
    return is_like ? bits : bits & ~(sign_bit(type) >> 2);
}

/** Whether the lane gets a value that f16 instructions compare correctly. That is so in every second stretch of 1024
 * lanes, except for about one lane in 512. */
static bool is_in_f16_range_run(struct rng *rng, size_t lane) {
    return lane / STRETCH % 2 == 1 && rng_below(rng, 512) != 0;
}

void values_pairs(struct rng *rng, pto_dtype type, void *a, void *b, size_t n) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(type, specials);
    for (size_t i = 0; i < n; i++) {
        uint64_t pair[2];
        random_pair(rng, type, specials, count, pair);
        if (is_in_f16_range_run(rng, i)) {
            pair[0] = to_f16_range(type, pair[0]);
            pair[1] = to_f16_range(type, pair[1]);
        }
        value_store(type, a, i, pair[0]);
        value_store(type, b, i, pair[1]);
    }
}

size_t values_cross_size(pto_dtype type) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(type, specials);
    return count * count;
}

void values_cross(pto_dtype type, void *a, void *b) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(type, specials);
    for (size_t i = 0; i < count * count; i++) {
        value_store(type, a, i, specials[i / count]);
        value_store(type, b, i, specials[i % count]);
    }
}
