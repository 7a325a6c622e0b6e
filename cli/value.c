/* SPDX-License-Identifier: MIT */
/* Parses values into elements of any type, rounded at most once. */
#include "value.h"

#include "element.h"
#include "odd_double.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

unsigned value_element_count(pto_dtype type, pto_dtype *part) {
    *part = type;
    switch (type) {
    case PTO_F16X2: *part = PTO_F16; return 2;
    case PTO_BF16X2: *part = PTO_BF16; return 2;
    case PTO_U8X4: *part = PTO_U8; return 4;
    case PTO_S8X4: *part = PTO_S8; return 4;
    case PTO_U16X2: *part = PTO_U16; return 2;
    case PTO_S16X2: *part = PTO_S16; return 2;
    default: return 1;
    }
}

static bool is_prefix(const char *text, char letter) {
    return text[0] == '0' && (text[1] == letter || text[1] == letter - 'a' + 'A');
}

/* Returns whether the text is a bit pattern: 0x, 0f or 0d and digits. A hexadecimal float such as 0x1.8p3 is not. */
static bool is_bits(const char *text) {
    if (is_prefix(text, 'x')) return strpbrk(text, ".pP") == NULL;
    return is_prefix(text, 'f') || is_prefix(text, 'd');
}

static enum value_result read_bits(const char *text, pto_dtype type, void *element) {
    const size_t bits = pto_dtype_bits(type), digits = strspn(text + 2, "0123456789abcdefABCDEF");
    unsigned long long value;
    errno = 0;
    value = strtoull(text + 2, NULL, 16);
    if (digits == 0 || text[2 + digits] != '\0' || errno != 0 || (bits < 64 && value >> bits != 0))
        return VALUE_INVALID;
    memcpy(element, &value, (bits + 7) / 8);
    return VALUE_EXACT;
}

/* Reads 0f and digits, the bits of an f32 in PTX, and stores the f64 of the same value. */
static enum value_result read_single_bits(const char *text, void *element) {
    float single;
    const enum value_result result = read_bits(text, PTO_F32, &single);
    const double value = result == VALUE_INVALID ? 0 : (double)single;
    memcpy(element, &value, sizeof value);
    return result;
}

/* Reads a decimal integer without strtod(), because a double cannot represent all 64-bit integers. */
static enum value_result read_integer(const char *text, pto_dtype type, void *element) {
    const bool is_signed = pto_dtype_class(type) == PTO_CLASS_SIGNED, minus = text[0] == '-';
    const unsigned bits = (unsigned)pto_dtype_bits(type);
    const unsigned long long half = 1ULL << (bits - 1);
    const unsigned long long most = minus ? half : is_signed ? half - 1 : half - 1 + half;
    unsigned long long value;
    char *end;
    errno = 0;
    value = strtoull(text + minus, &end, 10);
    if (!isdigit((unsigned char)text[minus]) || *end != '\0' || errno != 0 || value > most)
        return VALUE_INVALID;
    if (minus) value = (0 - value) & (half - 1 + half);
    memcpy(element, &value, (bits + 7) / 8);
    return VALUE_EXACT;
}

/* ---- floats ---- */

static bool cast_to(double value, pto_dtype type, pto_round round, pto_overflow overflow, void *element) {
    const pto_cast_op op = {type, PTO_F64, round, overflow};
    return pto_cast(op, &value, element, NULL, 1) == PTO_OK;
}

/* Rounds a double to nearest, ties to even. Values that are too large become infinities in types to which PTX converts
 * f64, and otherwise the largest value. */
static enum value_result round_to(double value, pto_dtype type, void *element) {
    const pto_cvt_op from_f64 = {.dst = type, .src = PTO_F64, .round = PTO_RN};
    if (pto_cvt(from_f64, &value, element, NULL, 1) == PTO_OK) return VALUE_ROUNDED;
    return cast_to(value, type, PTO_RN, PTO_OVERFLOW_SATURATE, element) ? VALUE_ROUNDED : VALUE_INVALID;
}

/* Rounds to hif8 as PTO does: to nearest, ties away from zero. */
static enum value_result round_to_hif8(double value, bool exact, void *element) {
    double back;
    if (!cast_to(value, PTO_HIF8, PTO_RNA, PTO_OVERFLOW_IEEE, element)) return VALUE_INVALID;
    if (!element_value(PTO_HIF8, element, &back)) return VALUE_INVALID;
    return exact && (back == value || isnan(value)) ? VALUE_EXACT : VALUE_ROUNDED;
}

static enum value_result round_to_f64(const char *text, void *element) {
    const double nearest = read_to_nearest(text);
    memcpy(element, &nearest, sizeof nearest);
    return VALUE_ROUNDED;
}

static enum value_result read_float(const char *text, pto_dtype type, void *element) {
    char *end;
    bool exact;
    const double value = read_to_odd(text, &end, &exact);
    if (end == text || *end != '\0') return VALUE_INVALID;
    if (type == PTO_HIF8) return round_to_hif8(value, exact, element);
    if (exact && pto_dtype_code(type, value, element) == PTO_OK) return VALUE_EXACT;
    if (!isfinite(value)) return VALUE_INVALID;
    if (value < 0 && element_has_no_sign(type)) return VALUE_INVALID;
    if (type == PTO_F64) return round_to_f64(text, element);
    return round_to(value, type, element);
}

static enum value_result read_one(const char *text, pto_dtype type, void *element) {
    if (type == PTO_F64 && is_prefix(text, 'f')) return read_single_bits(text, element);
    if (is_bits(text)) return read_bits(text, type, element);
    return element_is_integer(type) ? read_integer(text, type, element) : read_float(text, type, element);
}

/* Stores element i of a word. Elements of less than 8 bits share a byte, which must be 0 before its first element
 * is stored. */
static void put_part(pto_dtype part, unsigned i, const unsigned char *one, unsigned char *word) {
    const size_t bits = pto_dtype_bits(part);
    if (bits < 8)
        word[i * bits / 8] |= (unsigned char)((one[0] & ((1U << bits) - 1)) << i * bits % 8);
    else
        memcpy(word + i * bits / 8, one, bits / 8);
}

enum value_result value_read_parts(const char *text, pto_dtype part, unsigned parts, void *element) {
    enum value_result result = VALUE_EXACT;
    memset(element, 0, 8);
    if (*text++ != '{') return VALUE_INVALID;
    for (unsigned i = 0; i < parts; ++i) {
        const size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " ,}");
        unsigned char one[8] = {0};
        char word[64] = "";
        enum value_result one_result;
        if (length >= sizeof word) return VALUE_INVALID;
        memcpy(word, text + blanks, length);
        text += blanks + length;
        text += strspn(text, " ");
        if (*text++ != (i + 1 == parts ? '}' : ',')) return VALUE_INVALID;
        one_result = read_one(word, part, one);
        if (one_result > result) result = one_result;
        put_part(part, i, one, element);
    }
    return *text == '\0' ? result : VALUE_INVALID;
}

enum value_result value_read(const char *text, pto_dtype type, void *element) {
    pto_dtype part;
    const unsigned parts = value_element_count(type, &part);
    if (text[0] == '{') return value_read_parts(text, part, parts, element);
    memset(element, 0, 8);
    return parts == 1 ? read_one(text, type, element) : read_bits(text, type, element);
}
