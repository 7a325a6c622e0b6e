/* SPDX-License-Identifier: MIT */
/* Finds what a conversion did to each element, by comparing source and result exactly. */
#include "conversion.h"

#include "element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A source element and its result. */
struct converted_element {
    pto_cvt_op op;
    const void *result;
    double from, to; /* the doubles nearest to source and result */
    int order; /* compares their exact values: 1 if the source is larger, -1 if smaller, 0 if equal or a NaN */
};

/* Returns whether the result equals what an infinity with the source's sign converts to, which is the largest
 * or smallest value of the destination. */
static bool is_range_end(const struct converted_element *c) {
    unsigned char source[8] = {0}, end[8] = {0};
    pto_cvt_op op = c->op;
    double last;
    if (op.round == PTO_RS) op.round = PTO_RN;
    if (element_is_integer(op.src) || pto_dtype_code(op.src, copysign(INFINITY, c->from), source) != PTO_OK)
        return false;
    return pto_cvt(op, source, end, NULL, 1) == PTO_OK && element_nearest(op.dst, end, &last) &&
           !isnan(last) && element_order(op.dst, end, op.dst, c->result) == 0;
}

/* Returns whether the source is outside the range of the destination, which is [0, 1] for floats with .sat.
 * If the result is an integer that differs from the source by less than 1, the source was only rounded and is
 * inside. */
static bool is_out_of_range(const struct converted_element *c) {
    const bool outside = c->from > 0 ? c->order > 0 : c->order < 0;
    const bool has_fraction = fabs(c->from) < 0x1p52; /* larger doubles are integers */
    if (!element_is_integer(c->op.dst) && c->op.sat) return c->from > 1 || c->from < 0;
    if (!outside || (element_is_integer(c->op.dst) && has_fraction && fabs(c->from - c->to) < 1))
        return false;
    return is_range_end(c);
}

/* Returns the remark on a result that differs from its source. */
static const char *remark_on_change(const struct converted_element *c) {
    const pto_cvt_op op = c->op;
    if (element_is_integer(op.src) && element_is_integer(op.dst))
        return op.sat ? "(saturated)" : "(the low bits)";
    if (op.relu && c->from < 0 && c->to == 0) return "(negative: .relu)";
    if (isinf(c->to) || isnan(c->to)) return "(overflow)";
    if (is_out_of_range(c)) return "(saturated)";
    return c->to == 0 && op.ftz && op.dst != PTO_F16 && fabs(c->from) < 0x1p-126 ? "(flushed)" : "(inexact)";
}

static int order_of(double a, double b) {
    return (a > b) - (a < b);
}

static const char *remark_on(pto_cvt_op op, const void *source, const void *result) {
    const bool has_no_sign = element_has_no_sign(op.dst);
    struct converted_element c = {.op = op, .result = result};
    bool equal;
    if (op.scale != PTO_SCALE_NONE || !element_nearest(op.src, source, &c.from) ||
        !element_nearest(op.dst, result, &c.to))
        return "";
    if (isnan(c.from)) return isnan(c.to) ? "" : "(from a NaN)";
    c.order = isnan(c.to) ? 0 : element_order(op.src, source, op.dst, result);
    equal = !isnan(c.to) && c.order == 0;
    if (equal && (signbit(c.from) == signbit(c.to) || element_is_integer(op.dst))) return "(exact)";
    if (equal || (has_no_sign && -c.from == c.to)) return "(without its sign)";
    if (has_no_sign) { /* the conversion used the magnitude */
        c.from = fabs(c.from);
        c.order = order_of(c.from, c.to);
    }
    return remark_on_change(&c);
}

/* Returns how many elements of type `element` a register of type `reg` holds. Returns 0 if the types do not
 * determine it, for example for one s16 in a 32-bit register. */
static unsigned elements_of(pto_dtype element, pto_dtype reg) {
    const size_t bits = pto_dtype_bits(element), wide = pto_dtype_bits(reg);
    const bool is_small = pto_dtype_class(element) == PTO_CLASS_FLOAT && bits <= 8;
    if (reg == element || (bits == wide && !is_small)) return 1;
    return is_small || pto_dtype_class(reg) == PTO_CLASS_PACKED ? (unsigned)(wide / bits) : 0;
}

void conversion_note(pto_cvt_op op, pto_dtype operand_type, const unsigned char (*operands)[8],
                     pto_dtype result_type, const void *result, char note[CONVERSION_NOTE]) {
    const unsigned count = elements_of(op.dst, result_type);
    const bool packed = count > 1 && elements_of(op.src, operand_type) == count;
    size_t length = 0;
    note[0] = '\0';
    for (unsigned i = 0; i < count && length < CONVERSION_NOTE; ++i) {
        unsigned char source[8], element[8];
        char text[VALUE_TEXT_SIZE] = "";
        const char *words;
        element_at(op.dst, result, i, element);
        words = "";
        if (operands != NULL) {
            element_at(op.src, operands[packed ? 0 : count - 1 - i], packed ? i : 0, source);
            words = remark_on(op, source, element);
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
    const size_t untyped_bits = pto_dtype_class(reg) == PTO_CLASS_BITS ? pto_dtype_bits(reg) : 64;
    const bool is_scale = operand > 0 && op.scale != PTO_SCALE_NONE && untyped_bits <= 16;
    *element = is_scale ? PTO_UE8M0 : op.src;
    if (is_scale) return (unsigned)(pto_dtype_bits(reg) / 8);
    return operand == 0 && untyped_bits <= 32 && reg != op.src ? elements_of(op.src, reg) : 0;
}

void conversion_elements_text(pto_dtype element, unsigned count, const void *word,
                              char text[CONVERSION_NOTE]) {
    size_t length = 0;
    for (unsigned i = 0; i < count && length < CONVERSION_NOTE; ++i) {
        unsigned char one[8];
        char number[VALUE_TEXT_SIZE];
        element_at(element, word, i, one);
        element_text(element, one, number);
        length +=
            (size_t)snprintf(text + length, CONVERSION_NOTE - length, "%s%s", i == 0 ? "  {" : ", ", number);
    }
    if (length < CONVERSION_NOTE) snprintf(text + length, CONVERSION_NOTE - length, "}");
}
