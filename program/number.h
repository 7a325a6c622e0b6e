/* SPDX-License-Identifier: MIT */
/* Parses and prints numbers in the spelling of PTX. */
#ifndef PTO_PROGRAM_NUMBER_H
#define PTO_PROGRAM_NUMBER_H

#include "text.h"

enum constant_kind {
    CONSTANT_SIGNED, /* an s64 */
    CONSTANT_UNSIGNED,
    CONSTANT_FLOAT,       /* a decimal number, rounded to f64 */
    CONSTANT_F32_PATTERN, /* 0f and the bits of an f32 */
    CONSTANT_F64_PATTERN  /* 0d and the bits of an f64 */
};

struct constant {
    enum constant_kind kind;
    uint64_t bits;
};

/* Returns whether the token is a CONSTANT_F32_PATTERN or a CONSTANT_F64_PATTERN. */
bool pto_number_is_pattern(const struct token *number);

/* Sets *value to the value of a number. Returns NULL, or an error message. The FP state must be the default
 * one. */
const char *pto_number_literal(const struct token *number, struct constant *value);

/* Sets *bits to the constant `value` as an element of `type`. Returns NULL, or an error message. */
const char *pto_constant_bits(const struct constant *value, pto_dtype type, uint64_t *bits);

/* Sets *bits to the number as an element of `type`, negated if `minus` is true. Returns NULL, or an error
 * message. */
const char *pto_number_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits);

/* Writes `number` in decimal to `to`, without a terminating 0. Returns the number of characters. */
size_t pto_number_print(char *to, uint64_t number);

#endif
