/* SPDX-License-Identifier: MIT */
/* Parses and computes constant expressions of PTX, as the section "Constant Expressions" of the PTX ISA
 * defines them. */
#include "constant.h"

#include <string.h>

enum { MAX_DEPTH = 64 }; /* of nested parentheses, signs and ?:, so that no text can exhaust the stack */

enum operation {
    OP_OR_ELSE,
    OP_AND_THEN,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM
};

/* Binary operators. An operator with a higher level binds more tightly. "||" comes before "|" and "<<" before
 * "<", because binary_at() takes the first sign that matches. */
static const struct binary {
    const char *sign;
    int level;
    enum operation operation;
} binaries[] = {{"||", 1, OP_OR_ELSE}, {"&&", 2, OP_AND_THEN}, {"|", 3, OP_OR},   {"^", 4, OP_XOR},
                {"&", 5, OP_AND},      {"==", 6, OP_EQ},       {"!=", 6, OP_NE},  {"<=", 7, OP_LE},
                {">=", 7, OP_GE},      {"<<", 8, OP_SHL},      {">>", 8, OP_SHR}, {"<", 7, OP_LT},
                {">", 7, OP_GT},       {"+", 9, OP_ADD},       {"-", 9, OP_SUB},  {"*", 10, OP_MUL},
                {"/", 10, OP_DIV},     {"%", 10, OP_REM}};

static bool parse_choice(struct text *t, unsigned depth, struct constant *value);
static bool parse_operand(struct text *t, unsigned depth, struct constant *value);

static bool is_integer(const struct constant *c) {
    return c->kind == CONSTANT_SIGNED || c->kind == CONSTANT_UNSIGNED;
}

static struct constant truth(bool value) {
    return (struct constant){CONSTANT_SIGNED, value};
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static struct constant float_constant(double value) {
    struct constant c = {CONSTANT_FLOAT, 0};
    memcpy(&c.bits, &value, sizeof value);
    return c;
}

/* ---- operators ---- */

static bool compute_floats(struct text *t, const struct token *place, enum operation operation, double a,
                           double b, struct constant *value) {
    switch (operation) {
    case OP_ADD: *value = float_constant(a + b); return true;
    case OP_SUB: *value = float_constant(a - b); return true;
    case OP_MUL: *value = float_constant(a * b); return true;
    case OP_DIV: *value = float_constant(a / b); return true;
    case OP_EQ: *value = truth(a == b); return true;
    case OP_NE: *value = truth(a != b); return true;
    case OP_LT: *value = truth(a < b); return true;
    case OP_LE: *value = truth(a <= b); return true;
    case OP_GT: *value = truth(a > b); return true;
    case OP_GE: *value = truth(a >= b); return true;
    default: return pto_text_error(t, place, "expected integers for this operator");
    }
}

/* Returns a / b. A signed b of -1 is handled separately, because the smallest integer divided by -1
 * overflows. */
static uint64_t quotient(bool is_signed, uint64_t a, uint64_t b) {
    if (!is_signed) return a / b;
    return b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static bool less(bool is_signed, uint64_t a, uint64_t b) {
    return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Returns a shifted right. The count is taken modulo 64, as by the CPU on which NVIDIA's assembler runs. */
static uint64_t shifted_right(bool is_signed, uint64_t a, uint64_t by) {
    const uint64_t signs = is_signed && a >> 63 ? UINT64_MAX : 0;
    by &= 63;
    return by == 0 ? a : a >> by | signs << (64 - by);
}

/* Computes +, -, *, /, << or >>. The result is signed if both operands are, and that of a shift if `a` is. */
static uint64_t integer_result(enum operation operation, bool both_signed, const struct constant *a,
                               uint64_t b) {
    switch (operation) {
    case OP_ADD: return a->bits + b;
    case OP_SUB: return a->bits - b;
    case OP_MUL: return a->bits * b;
    case OP_DIV: return quotient(both_signed, a->bits, b);
    case OP_SHL: return a->bits << (b & 63);
    default: return shifted_right(a->kind == CONSTANT_SIGNED, a->bits, b);
    }
}

static struct constant compute_integers(enum operation operation, struct constant a, struct constant b) {
    const bool both_signed = a.kind == CONSTANT_SIGNED && b.kind == CONSTANT_SIGNED;
    const bool shift = operation == OP_SHL || operation == OP_SHR;
    switch (operation) {
    case OP_OR_ELSE: return truth(a.bits != 0 || b.bits != 0);
    case OP_AND_THEN: return truth(a.bits != 0 && b.bits != 0);
    case OP_OR: return (struct constant){CONSTANT_UNSIGNED, a.bits | b.bits};
    case OP_XOR: return (struct constant){CONSTANT_UNSIGNED, a.bits ^ b.bits};
    case OP_AND: return (struct constant){CONSTANT_UNSIGNED, a.bits & b.bits};
    case OP_EQ: return truth(a.bits == b.bits);
    case OP_NE: return truth(a.bits != b.bits);
    case OP_LT: return truth(less(both_signed, a.bits, b.bits));
    case OP_GT: return truth(less(both_signed, b.bits, a.bits));
    case OP_LE: return truth(!less(both_signed, b.bits, a.bits));
    case OP_GE: return truth(!less(both_signed, a.bits, b.bits));
    case OP_REM: return (struct constant){CONSTANT_SIGNED, a.bits % b.bits};
    default:
        return (struct constant){(shift ? a.kind == CONSTANT_SIGNED : both_signed) ? CONSTANT_SIGNED
                                                                                   : CONSTANT_UNSIGNED,
                                 integer_result(operation, both_signed, &a, b.bits)};
    }
}

static bool compute(struct text *t, const struct token *place, enum operation operation,
                    const struct constant *b, struct constant *value) {
    if (is_integer(value) != is_integer(b))
        return pto_text_error(t, place, "expected two integers or two floats");
    if (!is_integer(b))
        return compute_floats(t, place, operation, double_of(value->bits), double_of(b->bits), value);
    if ((operation == OP_DIV || operation == OP_REM) && b->bits == 0)
        return pto_text_error(t, place, "expected a divisor other than zero");
    *value = compute_integers(operation, *value, *b);
    return true;
}

static bool compute_unary(struct text *t, const struct token *sign, struct constant *value) {
    if (*sign->at == '+') return true;
    if (*sign->at == '-') {
        value->bits = is_integer(value) ? 0 - value->bits : value->bits ^ (uint64_t)1 << 63;
        return true;
    }
    if (!is_integer(value)) return pto_text_error(t, sign, "expected an integer for this operator");
    *value = *sign->at == '!' ? truth(value->bits == 0) : (struct constant){CONSTANT_UNSIGNED, ~value->bits};
    return true;
}

/* ---- parsing ---- */

static bool is_unary(const struct token *token) {
    return pto_token_is(token, "-") || pto_token_is(token, "+") || pto_token_is(token, "!") ||
           pto_token_is(token, "~");
}

static bool parse_literal(struct text *t, struct constant *value) {
    const char *error = pto_number_literal(&t->now, value);
    if (error) return pto_text_error(t, &t->now, "%s", error);
    if (value->kind == CONSTANT_F32_PATTERN || value->kind == CONSTANT_F64_PATTERN)
        return pto_text_error(t, &t->now, "expected a number that can be part of an expression");
    pto_text_next(t);
    return true;
}

/* Reads the rest of a text in parentheses, after "(": an expression; or .s64 or .u64, and the operand after
 * ")" that they convert. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_DEPTH bounds it
static bool parse_parentheses(struct text *t, unsigned depth, struct constant *value) {
    const struct token first = t->now;
    const bool to_signed = pto_token_is(&first, ".s64");
    if (!to_signed && !pto_token_is(&first, ".u64"))
        return parse_choice(t, depth, value) && pto_text_expect(t, ")");
    pto_text_next(t);
    return pto_text_expect(t, ")") && parse_operand(t, depth, value) &&
           (is_integer(value) || pto_text_error(t, &first, "expected an integer to convert")) &&
           (value->kind = to_signed ? CONSTANT_SIGNED : CONSTANT_UNSIGNED, true);
}

/* Reads a literal, or an operand with a sign, a conversion or parentheses. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_DEPTH bounds it
static bool parse_operand(struct text *t, unsigned depth, struct constant *value) {
    const struct token first = t->now;
    *value = (struct constant){CONSTANT_SIGNED, 0};
    if (depth == MAX_DEPTH) return pto_text_error(t, &first, "expected fewer parentheses and signs");
    if (is_unary(&first)) {
        pto_text_next(t);
        return parse_operand(t, depth + 1, value) && compute_unary(t, &first, value);
    }
    if (pto_text_take(t, "(")) return parse_parentheses(t, depth + 1, value);
    if (pto_text_take(t, "WARP_SZ")) {
        *value = (struct constant){CONSTANT_SIGNED, 32};
        return true;
    }
    if (first.kind != TOKEN_NUMBER) return pto_text_error(t, &first, "expected an operand");
    return parse_literal(t, value);
}

/* Returns the binary operator at the current token, or NULL. */
static const struct binary *binary_at(const struct text *t) {
    if (t->now.kind == TOKEN_END || t->now.kind == TOKEN_NUMBER || t->now.kind == TOKEN_STRING) return NULL;
    if (t->now.kind == TOKEN_WORD && !pto_token_is(&t->now, "%")) return NULL;
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (strncmp(t->now.at, binaries[i].sign, strlen(binaries[i].sign)) == 0) return &binaries[i];
    return NULL;
}

/* Reads operands and binary operators of at least `level`. */
// NOLINTNEXTLINE(misc-no-recursion): there are ten levels
static bool parse_binary(struct text *t, int level, unsigned depth, struct constant *value) {
    const struct binary *b;
    if (!parse_operand(t, depth, value)) return false;
    while ((b = binary_at(t)) != NULL && b->level >= level) {
        const struct token place = t->now;
        struct constant right;
        for (size_t i = 0; i < strlen(b->sign); i++) pto_text_next(t);
        if (!parse_binary(t, b->level + 1, depth, &right) || !compute(t, &place, b->operation, &right, value))
            return false;
    }
    return true;
}

/* Reads an expression that may have the operator ?:. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_DEPTH bounds it
static bool parse_choice(struct text *t, unsigned depth, struct constant *value) {
    const struct token first = t->now;
    struct constant yes, no;
    if (!parse_binary(t, 1, depth, value)) return false;
    if (!pto_text_take(t, "?")) return true;
    if (depth == MAX_DEPTH) return pto_text_error(t, &first, "expected fewer parentheses and signs");
    if (!is_integer(value)) return pto_text_error(t, &first, "expected an integer as the condition");
    if (!parse_choice(t, depth + 1, &yes) || !pto_text_expect(t, ":") || !parse_choice(t, depth + 1, &no))
        return false;
    if (is_integer(&yes) != is_integer(&no))
        return pto_text_error(t, &first, "expected two integers or two floats");
    *value = value->bits != 0 ? yes : no;
    if (yes.kind != no.kind) value->kind = CONSTANT_UNSIGNED;
    return true;
}

bool pto_constant_starts(const struct text *t) {
    struct text after = *t;
    const struct token *now = &after.now;
    while (pto_token_is(now, "!")) pto_text_next(&after); /* "!" may also come before a predicate */
    return now->kind == TOKEN_NUMBER || pto_token_is(now, "WARP_SZ") || pto_token_is(now, "(") ||
           is_unary(now);
}

bool pto_constant_parse(struct text *t, struct constant *value) {
    if (pto_number_is_pattern(&t->now)) {
        const char *error = pto_number_literal(&t->now, value);
        if (error) return pto_text_error(t, &t->now, "%s", error);
        pto_text_next(t);
        return true;
    }
    return parse_choice(t, 0, value);
}
