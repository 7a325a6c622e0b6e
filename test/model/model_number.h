/* SPDX-License-Identifier: MIT */
/**
 * @file model_number.h
 * Exact numbers, and what the codes of integers and of formats with an exponent field are worth: what the models
 * of the conversions stand on.
 */
#ifndef PTO_TEST_MODEL_NUMBER_H
#define PTO_TEST_MODEL_NUMBER_H

#include "model/model_cvt.h"

enum number_kind { FINITE, INFINITE, NAN_OF_SOME_KIND };

/** (-1)^negative * m * 2^e, an infinity, or a NaN. */
struct number {
    enum number_kind kind;
    bool negative;
    uint64_t m;
    int e;
};

/** Bring the leading one to the top, so that magnitudes compare by exponent, then significand. m is not 0. */
void number_lead(uint64_t *m, int *e);

/** -1, 0, 1: |m * 2^e| against |n * 2^f|. */
int number_compare(uint64_t m, int e, uint64_t n, int f);

struct format {
    pto_dtype type;
    int exponent_bits, fraction_bits, bias;
    uint64_t largest;  /* code of MAX_NORM */
    uint64_t infinity; /* its code, or 0 */
    uint64_t nan;      /* of PTX: the canonical NaN, or what a NaN becomes */
    uint64_t one;      /* 1.0, for .sat */
};

/** NULL for a type without an exponent field of one width. */
const struct format *number_format(pto_dtype type);

bool number_is_unsigned(pto_dtype type);

/** The sign bit; 0 for a format without. */
uint64_t number_sign(const struct format *f);

/** The value m * 2^q of a magnitude code, q being the exponent of its ulp; codes of Inf and NaN as if they
 * were numbers, so that the code behind MAX_NORM has the value that would come next. */
void number_decode(const struct format *f, uint64_t code, uint64_t *m, int *q);

/** A code that is probably the largest whose value is at most m * 2^e: where to look first, no more. */
uint64_t number_guess(const struct format *f, uint64_t m, int e);

/** The place between low + 1 and high that a search is to ask next: the guess, the one behind it, else the
 * middle. */
uint64_t number_ask(uint64_t low, uint64_t high, uint64_t guess);

bool number_is_signed(pto_dtype type);
bool number_is_integer(pto_dtype type);
uint64_t number_low_bits(uint64_t bits, int count);
uint64_t number_negated(uint64_t magnitude);
struct number number_of_integer(pto_dtype type, uint64_t bits);

/** The magnitude that is furthest out on this side. */
uint64_t number_limit(pto_dtype type, bool negative);

/** The code of an integral number or an infinity, brought into the range of the type. */
uint64_t number_clamped(pto_dtype type, const struct number *x);

/** What a code of an integer or of a format is worth; bits above its width are ignored. */
struct number number_of(pto_dtype type, uint64_t bits);

#endif
