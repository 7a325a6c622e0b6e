/* SPDX-License-Identifier: MIT */
#include "eval_cast.h"

#include "cast_text.h"
#include "element.h"
#include "script.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>

struct evaluation {
    const struct command *command;
    pto_cast_op op;
    unsigned char source[8], result[8];
    unsigned char random[8]; /* a u32 */
    enum value_result given; /* how the source relates to the value that was given */
};

/* ---- what the conversion did ---- */

/* Returns whether the result is the one for an infinity that saturates, and the source is beyond it. `order` compares
 * source and result. */
static bool is_clamped(const struct evaluation *e, double from, double to, int order) {
    const pto_cast_op saturate = {e->op.dst, PTO_F64, PTO_RN, PTO_OVERFLOW_SATURATE};
    const double infinity = copysign(INFINITY, from);
    unsigned char end[8] = {0};
    const bool is_fraction = fabs(from) < 0x1p52 && fabs(from - to) < 1;
    if (order != (signbit(from) != 0 ? -1 : 1)) return false;
    if (element_is_integer(e->op.dst) && is_fraction) return false; /* it was only rounded */
    if (pto_cast(saturate, &infinity, end, NULL, 1) != PTO_OK) return false;
    return element_bits(e->op.dst, end) == element_bits(e->op.dst, e->result);
}

static const char *remark_on(const struct evaluation *e) {
    const pto_dtype src = e->op.src, dst = e->op.dst;
    double from, to;
    int order;
    if (!element_nearest(src, e->source, &from) || !element_nearest(dst, e->result, &to)) return "";
    if (isnan(from)) return isnan(to) ? "" : "  (from a NaN)";
    if (isnan(to) || (isinf(to) && !isinf(from))) return "  (overflow)";
    order = element_order(src, e->source, dst, e->result);
    if (order == 0 && (signbit(from) == signbit(to) || element_is_integer(dst))) return "  (exact)";
    if (order == 0 || (element_has_no_sign(dst) && -from == to)) return "  (without its sign)";
    return is_clamped(e, from, to, order) ? "  (saturated)" : "  (inexact)";
}

/* ---- operands and results ---- */

static bool is_stochastic(const struct evaluation *e) {
    return e->op.round == PTO_RS;
}

static int read_value(const struct command *command, const char *text, pto_dtype type, const char *name,
                      void *element, enum value_result *given) {
    *given = value_read(text, type, element);
    if (*given != VALUE_INVALID) return STATUS_OK;
    return report_error(command, "%s: expected a value of type .%s for %s", text, pto_dtype_name(type), name);
}

static int read_values(struct evaluation *e, char **values, int count) {
    const int wanted = is_stochastic(e) ? 2 : 1;
    enum value_result unused;
    if (count > wanted) return report_error(e->command, "%s: expected %d values", values[wanted], wanted);
    if (count < 1)
        return report_error(e->command, "expected a value for a, of type .%s", pto_dtype_name(e->op.src));
    if (count < wanted) return report_error(e->command, "expected a value for r, of type .u32");
    if (read_value(e->command, values[0], e->op.src, "a", e->source, &e->given) != STATUS_OK)
        return STATUS_ERROR;
    return wanted == 1 ? STATUS_OK : read_value(e->command, values[1], PTO_U32, "r", e->random, &unused);
}

static void print_row(const char *role, const char *name, pto_dtype type, const void *element,
                      const char *note) {
    char text[SCRIPT_ELEMENT];
    script_element(type, element, text);
    printf("%-3s %-8s .%-7s %s%s\n", role, name, pto_dtype_name(type), text, note);
}

static int print_result(struct evaluation *e) {
    if (pto_cast(e->op, e->source, e->result, is_stochastic(e) ? e->random : NULL, 1) != PTO_OK)
        return STATUS_ERROR;
    print_row("out", "d", e->op.dst, e->result, remark_on(e));
    return STATUS_OK;
}

static int print_all_isas(struct evaluation *e) {
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa) {
        if (!pto_isa_available(isa) || pto_isa_use(isa) != PTO_OK) continue;
        printf("%s\n", pto_isa_name(isa));
        if (print_result(e) != STATUS_OK) return STATUS_ERROR;
    }
    return STATUS_OK;
}

int eval_cast(const struct command *command, char **arguments, int count, bool all_isas) {
    struct evaluation e = {.command = command, .given = VALUE_EXACT};
    pto_parse_error error;
    if (!parse_cast(arguments[0], &e.op, &error)) {
        report_error(command, "%s: %s", arguments[0], error.text);
        return STATUS_DIFFERENT;
    }
    if (read_values(&e, arguments + 1, count - 1) != STATUS_OK) return STATUS_ERROR;
    printf("%s d, a%s;\n", arguments[0], is_stochastic(&e) ? ", r" : "");
    print_row("in", "a", e.op.src, e.source,
              e.given == VALUE_ROUNDED ? "  (the nearest to what was given)" : "");
    if (is_stochastic(&e)) print_row("in", "r", PTO_U32, e.random, "");
    return all_isas ? print_all_isas(&e) : print_result(&e);
}
