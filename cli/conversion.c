/* SPDX-License-Identifier: MIT */
#include "conversion.h"

#include "element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The last result on the value's side, which an infinity gives, too, rounded as numbers are. */
static bool is_end(pto_cvt_op op, double from, double to) {
    unsigned char source[8] = {0}, end[8] = {0};
    double last;
    if (op.round == PTO_RS) op.round = PTO_RN;
    if (op.src <= PTO_S64 || pto_dtype_code(op.src, copysign(INFINITY, from), source) != PTO_OK) return false;
    return pto_cvt(op, source, end, NULL, 1) == PTO_OK && element_value(op.dst, end, &last) && to == last;
}

/* Beyond the end of the destination, or of [0, 1], and not merely rounded to that. */
static bool is_beyond(pto_cvt_op op, double from, double to) {
    const bool outside = from > 0 ? from > to : from < to;
    if (op.dst > PTO_S64 && op.sat) return from > 1 || from < 0;
    if (!outside || (op.dst <= PTO_S64 && fabs(from - to) < 1)) return false;
    return is_end(op, from, to);
}

/* Of a number that is not what it became; what has no sign is told by its magnitude. */
static const char *changed(pto_cvt_op op, double from, double to) {
    if (op.src <= PTO_S64 && op.dst <= PTO_S64) return op.sat ? "(saturated)" : "(the low bits)";
    if (op.relu && from < 0 && to == 0) return "(negative: .relu)";
    if (isinf(to) || isnan(to)) return "(overflow)";
    if (is_beyond(op, from, to)) return "(saturated)";
    return to == 0 && op.ftz && op.dst != PTO_F16 && fabs(from) < 0x1p-126 ? "(flushed)" : "(inexact)";
}

static const char *became(pto_cvt_op op, const void *source, const void *result) {
    const bool has_no_sign = element_has_no_sign(op.dst);
    double from, to;
    if (op.scale != PTO_SCALE_NONE || !element_value(op.src, source, &from) ||
        !element_value(op.dst, result, &to))
        return "";
    if (isnan(from)) return isnan(to) ? "" : "(from a NaN)";
    if (from == to && (signbit(from) == signbit(to) || op.dst <= PTO_S64)) return "(exact)";
    if (from == to || (has_no_sign && -from == to)) return "(without its sign)";
    return changed(op, has_no_sign ? fabs(from) : from, to);
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
        words = "";
        if (operands != NULL) {
            element_at(op.src, operands[packed ? 0 : count - 1 - i], packed ? i : 0, source);
            words = became(op, source, element);
        }
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
