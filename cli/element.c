/* SPDX-License-Identifier: MIT */
/* Converts single elements between memory, bits, values and text. */
#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t element_bytes(pto_dtype type) {
    return (pto_dtype_bits(type) + 7) / 8;
}

uint64_t element_bits(pto_dtype type, const void *element) {
    uint64_t bits = 0;
    memcpy(&bits, element, element_bytes(type)); /* libpto supports only little-endian machines */
    return pto_dtype_bits(type) < 8 ? bits & ((1U << pto_dtype_bits(type)) - 1) : bits;
}

void element_from_bits(pto_dtype type, uint64_t bits, void *element) {
    memcpy(element, &bits, element_bytes(type));
}

void element_at(pto_dtype type, const void *array, size_t i, unsigned char element[8]) {
    const size_t bits = pto_dtype_bits(type);
    const unsigned char *bytes = array;
    memset(element, 0, 8);
    if (bits < 8)
        element[0] = bytes[i * bits / 8] >> i * bits % 8 & ((1U << bits) - 1);
    else
        memcpy(element, bytes + i * bits / 8, bits / 8);
}

int element_hex_digits(pto_dtype type) {
    return (int)(pto_dtype_bits(type) + 3) / 4;
}

bool element_is_integer(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    return class == PTO_CLASS_BITS || class == PTO_CLASS_UNSIGNED || class == PTO_CLASS_SIGNED;
}

bool element_has_no_sign(pto_dtype type) {
    return type == PTO_UE8M0 || type == PTO_UE5M3;
}

/* pto_dtype_value() does not support hif8. */
bool element_value(pto_dtype type, const void *element, double *value) {
    const pto_cast_op from_hif8 = {PTO_F64, PTO_HIF8, PTO_RN, PTO_OVERFLOW_IEEE};
    if (type == PTO_HIF8) return pto_cast(from_hif8, element, value, NULL, 1) == PTO_OK;
    return pto_dtype_value(type, element, value) == PTO_OK;
}

/* ---- 64-bit integers, which a double may not hold ---- */

static bool is_long(pto_dtype type) {
    return type == PTO_B64 || type == PTO_U64 || type == PTO_S64;
}

bool element_nearest(pto_dtype type, const void *element, double *value) {
    const uint64_t bits = element_bits(type, element);
    if (!is_long(type)) return element_value(type, element, value);
    *value = type == PTO_S64 ? (double)(int64_t)bits : (double)bits;
    return true;
}

/* Returns a 64-bit integer minus its nearest double. The difference has less than 64 bits, so it is correct
 * although it is computed modulo 2^64. */
static int64_t rest_of(pto_dtype type, const void *element, double nearest) {
    uint64_t low = 0;
    if (!is_long(type)) return 0;
    if (nearest < 0x1p64) low = nearest < 0 ? (uint64_t)(int64_t)nearest : (uint64_t)nearest;
    return (int64_t)(element_bits(type, element) - low);
}

int element_order(pto_dtype a_type, const void *a, pto_dtype b_type, const void *b) {
    double x, y;
    int64_t x_rest, y_rest;
    if (!element_nearest(a_type, a, &x) || !element_nearest(b_type, b, &y)) return 0;
    if (x != y) return x < y ? -1 : 1; /* rounding to double never reverses the order */
    x_rest = rest_of(a_type, a, x);
    y_rest = rest_of(b_type, b, y);
    return (x_rest > y_rest) - (x_rest < y_rest);
}

/* ---- text ---- */

void double_text(double value, char text[VALUE_TEXT_SIZE]) {
    if (isnan(value)) {
        snprintf(text, VALUE_TEXT_SIZE, "%snan", signbit(value) ? "-" : "");
        return;
    }
    if (fabs(value) < 1e9 && value == trunc(value)) {
        snprintf(text, VALUE_TEXT_SIZE, "%.0f", value);
        return;
    }
    for (int digits = 1; digits <= 17; ++digits) {
        snprintf(text, VALUE_TEXT_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) return;
    }
}

/* Writes an f32 with the fewest digits that read back as the same f32. */
static void f32_text(const void *element, char text[VALUE_TEXT_SIZE]) {
    float value;
    memcpy(&value, element, sizeof value);
    double_text((double)value, text);
    if (isnan(value) || strlen(text) < 10) return;
    for (int digits = 1; digits <= 9; ++digits) {
        snprintf(text, VALUE_TEXT_SIZE, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) return;
    }
}

void element_text(pto_dtype type, const void *element, char text[VALUE_TEXT_SIZE]) {
    const uint64_t bits = element_bits(type, element);
    const unsigned unused = 64 - (unsigned)pto_dtype_bits(type);
    double value;
    if (pto_dtype_class(type) == PTO_CLASS_SIGNED)
        snprintf(text, VALUE_TEXT_SIZE, "%" PRId64, (int64_t)(bits << unused) >> unused);
    else if (element_is_integer(type))
        snprintf(text, VALUE_TEXT_SIZE, "%" PRIu64, bits);
    else if (type == PTO_F32)
        f32_text(element, text);
    else if (element_value(type, element, &value))
        double_text(value, text);
    else
        snprintf(text, VALUE_TEXT_SIZE, "-");
}

/* Returns a mask of the exponent bits of a code; zeros and subnormals are the codes in which these bits are
 * 0. Returns 0 for types without subnormals. */
static unsigned exponent_field(pto_dtype type) {
    switch (type) {
    case PTO_E4M3: return 0x78;
    case PTO_E5M2: return 0x7c;
    case PTO_E2M3: return 0x18;
    case PTO_E3M2: return 0x1c;
    case PTO_E2M1: return 0x6;
    case PTO_E1M2: return 0x4;
    case PTO_UE5M3: return 0xf8;
    case PTO_E4M3FNUZ:
    case PTO_E4M3B11FNUZ:
    case PTO_E4M3IEEE:
    case PTO_BINARY8P4SE: return 0x78;
    case PTO_E5M2FNUZ:
    case PTO_BINARY8P3SE: return 0x7c;
    case PTO_E3M4: return 0x70;
    case PTO_HIF8: return 0x78; /* if these are 0, the low three bits are the exponent, the lowest */
    default: return 0;
    }
}

const char *element_class(pto_dtype type, unsigned code, double value) {
    const unsigned field = exponent_field(type);
    if (isnan(value)) return "nan";
    if (isinf(value)) return "infinity";
    if (value == 0) return "zero";
    if (element_is_integer(type) || type == PTO_S2F6) return "number";
    return field != 0 && (code & field) == 0 ? "subnormal" : "normal";
}
