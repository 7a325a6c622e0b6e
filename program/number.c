/* SPDX-License-Identifier: MIT */
/* Parses constants of PTX: integers, decimal floats, and the bit patterns 0f... and 0d... */
#include "number.h"

#include "ir.h"
#include "platform.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 128 };

static bool is_letter(char c, char lower) {
    return c == lower || c == lower - 'a' + 'A';
}

static bool is_float_type(pto_dtype type) {
    return type == PTO_F32 || type == PTO_F64;
}

/* Returns whether the text is 0f with 8 or 0d with 16 hexadecimal digits. */
static bool is_float_bits(const char *digits) {
    const bool wide = is_letter(digits[1], 'd');
    const size_t length = strlen(digits);
    if (digits[0] != '0' || (!wide && !is_letter(digits[1], 'f'))) return false;
    return length == (wide ? 18U : 10U) && strspn(digits + 2, "0123456789abcdefABCDEF") == length - 2;
}

static bool is_decimal_float(const char *digits) {
    return !(digits[0] == '0' && (is_letter(digits[1], 'x') || is_letter(digits[1], 'b'))) &&
           strpbrk(digits, ".eE") != NULL;
}

/* Parses a decimal number. Returns NULL or an error message. */
static const char *decimal_float(const char *digits, double *value) {
    char *end;
    if (!pto_strtod(digits, &end, value)) return "there is not enough memory";
    return *end ? "expected a number such as 1.5 or 2.0e-3" : NULL;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool takes_integers(pto_dtype type) {
    return pto_is_untyped(type) || pto_is_integer(type);
}

/* Returns the error message for a constant that operands of this type cannot have. */
static const char *constant_error(pto_dtype type) {
    return takes_integers(type) ? "expected an integer" : "expected a register: this type has no constants";
}

/* Sets *bits to an f32 pattern as an element of `type`. An untyped `type` must have 32 bits. Returns NULL or
 * an error message. */
static const char *bits_of_f32(uint32_t pattern, pto_dtype type, uint64_t *bits) {
    float value;
    memcpy(&value, &pattern, sizeof value);
    *bits = type == PTO_F64 ? double_bits(value) : pattern;
    if (is_float_type(type) || (pto_is_untyped(type) && pto_dtype_bits(type) == 32)) return NULL;
    return constant_error(type);
}

/* Sets *bits to an f64 as an element of `type`. An untyped `type` must have 64 bits. Returns NULL or an error
 * message. Decimal constants of PTX have type f64, and an instruction on f32 rounds them again: ptxas 13.0
 * converts 1.000000059604644775390625000000001 to 3f800000, although 3f800001 is nearer. MLIR reads decimal
 * numbers in the same way. */
static const char *bits_of_f64(uint64_t pattern, pto_dtype type, uint64_t *bits) {
    double value;
    memcpy(&value, &pattern, sizeof value);
    *bits = type == PTO_F32 ? float_bits((float)value) : pattern;
    if (is_float_type(type) || (pto_is_untyped(type) && pto_dtype_bits(type) == 64)) return NULL;
    return constant_error(type);
}

static const char *bits_of_integer(uint64_t value, pto_dtype type, uint64_t *bits) {
    const size_t width = pto_dtype_bits(type);
    if (is_float_type(type)) return "expected a number with a point, or 0f and its bits";
    if (!takes_integers(type)) return constant_error(type);
    *bits = width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
    return NULL;
}

const char *pto_constant_bits(const struct constant *value, pto_dtype type, uint64_t *bits) {
    switch (value->kind) {
    case CONSTANT_F32_PATTERN: return bits_of_f32((uint32_t)value->bits, type, bits);
    case CONSTANT_FLOAT:
    case CONSTANT_F64_PATTERN: return bits_of_f64(value->bits, type, bits);
    default: return bits_of_integer(value->bits, type, bits);
    }
}

static const char *integer_literal(char *digits, struct constant *value) {
    const size_t length = strlen(digits);
    const bool binary = digits[0] == '0' && is_letter(digits[1], 'b'),
               is_unsigned = digits[length - 1] == 'U';
    char *begin = binary ? digits + 2 : digits, *end;
    if (is_unsigned) digits[length - 1] = 0;
    errno = 0;
    value->bits = strtoull(begin, &end, binary ? 2 : 0);
    value->kind = is_unsigned || value->bits > INT64_MAX ? CONSTANT_UNSIGNED : CONSTANT_SIGNED;
    return *end || end == begin || errno ? "expected an integer of 64 bits at most" : NULL;
}

static bool copy_digits(const struct token *number, char digits[NUMBER_SIZE]) {
    if (number->kind != TOKEN_NUMBER || number->length >= NUMBER_SIZE) return false;
    memcpy(digits, number->at, number->length);
    digits[number->length] = 0;
    return true;
}

bool pto_number_is_pattern(const struct token *number) {
    char digits[NUMBER_SIZE];
    return copy_digits(number, digits) && is_float_bits(digits);
}

const char *pto_number_literal(const struct token *number, struct constant *value) {
    char digits[NUMBER_SIZE];
    const char *error;
    double decimal;
    if (!copy_digits(number, digits)) return "expected a number";
    if (is_float_bits(digits)) {
        value->kind = is_letter(digits[1], 'd') ? CONSTANT_F64_PATTERN : CONSTANT_F32_PATTERN;
        value->bits = strtoull(digits + 2, NULL, 16);
        return NULL;
    }
    if (!is_decimal_float(digits)) return integer_literal(digits, value);
    error = decimal_float(digits, &decimal);
    *value = (struct constant){CONSTANT_FLOAT, error ? 0 : double_bits(decimal)};
    return error;
}

const char *pto_number_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits) {
    struct constant value;
    const char *error = pto_number_literal(number, &value);
    if (error) return error;
    if (minus && (value.kind == CONSTANT_SIGNED || value.kind == CONSTANT_UNSIGNED))
        value.bits = 0 - value.bits;
    else if (minus)
        value.bits ^= (uint64_t)1 << (value.kind == CONSTANT_F32_PATTERN ? 31 : 63);
    return pto_constant_bits(&value, type, bits);
}

size_t pto_number_print(char *to, uint64_t number) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    memcpy(to, digits, (size_t)length);
    return (size_t)length;
}
