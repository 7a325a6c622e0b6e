/* SPDX-License-Identifier: MIT */
/** @file model_number.h
 * Exact numbers, and the values of codes of integers and of formats with an exponent field. The models of
 * conversions are based on these. */
#ifndef PTO_TEST_MODEL_NUMBER_H
#define PTO_TEST_MODEL_NUMBER_H

#include "model/model_cvt.h"

enum number_kind { FINITE, INFINITE, NOT_A_NUMBER };

/** (-1)^negative * m * 2^e, an infinity, or a NaN. */
struct number {
    enum number_kind kind;
    bool negative;
    uint64_t m;
    int e;
};

/** Shifts the leading 1 of m to the top bit, so that magnitudes compare by exponent, then by significand. m must
 * not be 0. */
void number_normalize(uint64_t *m, int *e);

/** Compares |m * 2^e| with |n * 2^f|: -1, 0 or 1. */
int number_compare(uint64_t m, int e, uint64_t n, int f);

struct format {
    pto_dtype type;
    int exponent_bits, fraction_bits, bias;
    uint64_t largest;  /* code of MAX_NORM */
    uint64_t infinity; /* the code of infinity, or 0 */
    uint64_t nan;      /* PTX's canonical NaN, or the code that a NaN becomes */
    uint64_t one;      /* the code of 1.0, for .sat */
};

/** Returns the format of the type, or NULL if the type has no exponent field of fixed width. */
const struct format *number_format(pto_dtype type);

bool number_is_unsigned(pto_dtype type);

/** Returns whether the type has one zero, whose code with a sign is the only NaN. */
bool number_has_one_zero(pto_dtype type);

/** Returns the sign bit, or 0 for a format without a sign. */
uint64_t number_sign(const struct format *f);

/** Decodes a magnitude code to m * 2^q, where q is the exponent of its ulp. Codes of infinity and NaN are decoded
 * like finite values, so the code after MAX_NORM has the next value. */
void number_decode(const struct format *f, uint64_t code, uint64_t *m, int *q);

/** Returns a code that is probably the largest whose value is at most m * 2^e. It is only a first guess for a
 * search. */
uint64_t number_guess(const struct format *f, uint64_t m, int e);

/** Returns the index from low + 1 to high that a binary search tests next. That is `guess` if it is in the range,
 * then the index after it, and otherwise the middle. */
uint64_t number_next_probe(uint64_t low, uint64_t high, uint64_t guess);

bool number_is_signed(pto_dtype type);
bool number_is_integer(pto_dtype type);
uint64_t number_low_bits(uint64_t bits, int count);
uint64_t number_negated(uint64_t magnitude);
struct number number_of_integer(pto_dtype type, uint64_t bits);

/** The largest magnitude of a positive or negative value of the type. */
uint64_t number_limit(pto_dtype type, bool negative);

/** Returns the code of an integral value or an infinity, clamped to the range of the type. */
uint64_t number_clamped(pto_dtype type, const struct number *x);

/** Returns the value of a code of an integer type or a format. Bits above its width are ignored. */
struct number number_of(pto_dtype type, uint64_t bits);

#endif
