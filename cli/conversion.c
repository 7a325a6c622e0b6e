/* SPDX-License-Identifier: MIT */
#include "conversion.h"

#include "element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether an infinity of the value's sign gives the same result: the last that there is on that side. */
static bool is_end(pto_cvt_op op, double from, const void *result) {
    const double infinity = copysign(INFINITY, from);
    unsigned char source[8] = {0}, end[8] = {0};
    double at, there;
    if (op.src <= PTO_S64 || op.round == PTO_RS || pto_dtype_code(op.src, infinity, source) != PTO_OK)
        return false;
    if (pto_cvt(op, source, end, NULL, 1) != PTO_OK || !element_value(op.dst, end, &at)) return false;
    return element_value(op.dst, result, &there) && at == there;
}

static const char *became(pto_cvt_op op, const void *source, const void *result) {
    double from, to;
    if (op.scale != PTO_SCALE_NONE || !element_value(op.src, source, &from) ||
        !element_value(op.dst, result, &to))
        return "";
    if (isnan(from)) return isnan(to) ? "" : "(from a NaN)";
    if (from == to && (signbit(from) == signbit(to) || op.dst <= PTO_S64)) return "(exact)";
    if (from == to) return "(without its sign)";
    if (op.src <= PTO_S64 && op.dst <= PTO_S64) return op.sat ? "(saturated)" : "(the low bits)";
    if (isinf(to)) return "(overflow)";
    if (is_end(op, from, result)) return "(saturated)";
    return to == 0 && op.ftz && fabs(from) < 0x1p-126 ? "(flushed)" : "(inexact)";
}

/* Element i of a word, the lowest is 0. */
static void element_at(pto_dtype type, const void *word, unsigned i, unsigned char element[8]) {
    const size_t bits = pto_dtype_bits(type);
    const unsigned char *bytes = word;
    memset(element, 0, 8);
    if (bits == 4)
        element[0] = bytes[i / 2] >> i % 2 * 4 & 0xf;
    else
        memcpy(element, bytes + i * bits / 8, bits / 8);
}

/* How many elements the register has; 0 where it is wider than one, or not told apart from that. */
static unsigned elements_of(pto_dtype element, pto_dtype reg) {
    const size_t bits = pto_dtype_bits(element), wide = pto_dtype_bits(reg);
    const bool is_small = element >= PTO_E4M3 && element <= PTO_UE5M3;
    if (reg == element || (bits == wide && element <= PTO_TF32)) return 1;
    return is_small || reg >= PTO_F16X2 ? (unsigned)(wide / bits) : 0;
}

void conversion_note(pto_cvt_op op, pto_dtype operand_type, const unsigned char (*operands)[8],
                     pto_dtype result_type, const void *result, char note[CONVERSION_NOTE]) {
    const unsigned count = elements_of(op.dst, result_type);
    const bool packed = count > 1 && elements_of(op.src, operand_type) == count;
    size_t length = 0;
    note[0] = '\0';
    for (unsigned i = 0; i < count && length < CONVERSION_NOTE; ++i) {
        unsigned char source[8], element[8];
        char text[NUMBER_TEXT] = "";
        const char *words;
        element_at(op.dst, result, i, element);
        element_at(op.src, operands[packed ? 0 : count - 1 - i], packed ? i : 0, source);
        words = became(op, source, element);
        if (count > 1) element_text(op.dst, element, text);
        length += (size_t)snprintf(note + length, CONVERSION_NOTE - length, "%s%s%s%s",
                                   count == 1 ? (*words ? "  " : "")
                                   : i == 0   ? "  {"
                                              : ", ",
                                   text, count > 1 && *words ? " " : "", words);
    }
    if (count > 1 && length < CONVERSION_NOTE) snprintf(note + length, CONVERSION_NOTE - length, "}");
}

unsigned conversion_elements(pto_cvt_op op, unsigned operand, pto_dtype reg, pto_dtype *element) {
    const bool is_scale = operand > 0 && op.scale != PTO_SCALE_NONE && reg <= PTO_B16;
    *element = is_scale ? PTO_UE8M0 : op.src;
    if (is_scale) return (unsigned)(pto_dtype_bits(reg) / 8);
    return operand == 0 && reg <= PTO_B32 && reg != op.src ? elements_of(op.src, reg) : 0;
}

void conversion_elements_text(pto_dtype element, unsigned count, const void *word,
                              char text[CONVERSION_NOTE]) {
    size_t length = 0;
    for (unsigned i = 0; i < count && length < CONVERSION_NOTE; ++i) {
        unsigned char one[8];
        char number[NUMBER_TEXT];
        element_at(element, word, i, one);
        element_text(element, one, number);
        length +=
            (size_t)snprintf(text + length, CONVERSION_NOTE - length, "%s%s", i == 0 ? "  {" : ", ", number);
    }
    if (length < CONVERSION_NOTE) snprintf(text + length, CONVERSION_NOTE - length, "}");
}
