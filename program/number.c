/* SPDX-License-Identifier: MIT */
/* Parses constants of PTX: integers, decimal floats, and the bit patterns 0f... and 0d... */
#include "number.h"

#include "ir.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 64 };

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

/* Parses a decimal number and returns NULL or an error message. It selects the C locale, because the decimal point
 * of the process's locale may be a comma. */
static const char *decimal_float(const char *digits, double *value) {
    const locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before;
    char *end;
    if (c == (locale_t)0) return "there is not enough memory";
    before = uselocale(c);
    *value = strtod(digits, &end);
    (void)uselocale(before);
    freelocale(c);
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

/* Converts the f32 or f64 bit pattern 0f... or 0d... to `type`. An untyped type accepts only a pattern of its own
 * width. */
static const char *bits_of_float(const char *digits, bool minus, pto_dtype type, uint64_t *bits) {
    const bool wide = is_letter(digits[1], 'd');
    const uint64_t read = strtoull(digits + 2, NULL, 16) ^ (minus ? (uint64_t)1 << (wide ? 63 : 31) : 0);
    const uint32_t low = (uint32_t)read;
    double value;
    float narrow;
    if (pto_dtype_bits(type) == (wide ? 64U : 32U) && (is_float_type(type) || pto_is_untyped(type))) {
        *bits = read;
        return NULL;
    }
    if (!is_float_type(type)) return constant_error(type);
    if (wide) {
        memcpy(&value, &read, sizeof value);
        *bits = float_bits((float)value);
    } else {
        memcpy(&narrow, &low, sizeof narrow);
        *bits = double_bits(narrow);
    }
    return NULL;
}

/* Decimal constants of PTX are of type f64, and an instruction on f32 rounds them again: ptxas 13.0 converts
 * 1.000000059604644775390625000000001 to 3f800000, although 3f800001 is nearer. MLIR reads decimals the same way. */
static const char *bits_of_decimal(const char *digits, bool minus, pto_dtype type, uint64_t *bits) {
    double value;
    const char *error = decimal_float(digits, &value);
    if (error) return error;
    if (!is_float_type(type)) return constant_error(type);
    if (minus) value = -value;
    *bits = type == PTO_F64 ? double_bits(value) : float_bits((float)value);
    return NULL;
}

static const char *bits_of_integer(char *digits, bool minus, pto_dtype type, uint64_t *bits) {
    const size_t length = strlen(digits), width = pto_dtype_bits(type);
    const bool binary = digits[0] == '0' && is_letter(digits[1], 'b');
    char *begin = binary ? digits + 2 : digits, *end;
    if (is_float_type(type)) return "expected a number with a point, or 0f and its bits";
    if (!takes_integers(type)) return constant_error(type);
    if (is_letter(digits[length - 1], 'u')) digits[length - 1] = 0;
    errno = 0;
    *bits = strtoull(begin, &end, binary ? 2 : 0);
    if (*end || end == begin || errno) return "expected an integer of 64 bits at most";
    if (minus) *bits = 0 - *bits;
    if (width < 64) *bits &= ((uint64_t)1 << width) - 1;
    return NULL;
}

const char *pto_number_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits) {
    char digits[NUMBER_SIZE] = "";
    if (number->kind != TOKEN_NUMBER || number->length >= sizeof digits) return "expected a number";
    memcpy(digits, number->at, number->length);
    if (is_float_bits(digits)) return bits_of_float(digits, minus, type, bits);
    if (is_decimal_float(digits)) return bits_of_decimal(digits, minus, type, bits);
    return bits_of_integer(digits, minus, type, bits);
}

size_t pto_number_print(char *to, uint64_t number) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    memcpy(to, digits, (size_t)length);
    return (size_t)length;
}
