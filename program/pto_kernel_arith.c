/* SPDX-License-Identifier: MIT */
/* Scalar operations of kernel programs: arith and llvm.bitcast. Integers wrap modulo 2^bits. */
#include "pto_kernel.h"

#include "arithmetic.h"

#include <string.h>

enum scalar {
    ADDI,
    SUBI,
    MULI,
    DIVSI,
    DIVUI,
    REMSI,
    REMUI,
    CEILDIVUI,
    MINSI,
    MAXSI,
    MINUI,
    MAXUI,
    ANDI,
    ORI,
    XORI,
    SHLI,
    SHRSI,
    SHRUI,
    CMPI,
    ADDF,
    SUBF,
    MULF,
    DIVF,
    CMPF,
    SELECT,
    EXTSI,
    EXTUI,
    BITCAST
};

enum shape { TWO_INTEGERS, TWO_FLOATS, COMPARE_INTEGERS, COMPARE_FLOATS, CHOICE, CAST };

static const struct row {
    const char *name;
    enum scalar scalar;
    enum shape shape;
} rows[] = {
    {"arith.addi", ADDI, TWO_INTEGERS},     {"arith.subi", SUBI, TWO_INTEGERS},
    {"arith.muli", MULI, TWO_INTEGERS},     {"arith.divsi", DIVSI, TWO_INTEGERS},
    {"arith.divui", DIVUI, TWO_INTEGERS},   {"arith.remsi", REMSI, TWO_INTEGERS},
    {"arith.remui", REMUI, TWO_INTEGERS},   {"arith.ceildivui", CEILDIVUI, TWO_INTEGERS},
    {"arith.minsi", MINSI, TWO_INTEGERS},   {"arith.maxsi", MAXSI, TWO_INTEGERS},
    {"arith.minui", MINUI, TWO_INTEGERS},   {"arith.maxui", MAXUI, TWO_INTEGERS},
    {"arith.andi", ANDI, TWO_INTEGERS},     {"arith.ori", ORI, TWO_INTEGERS},
    {"arith.xori", XORI, TWO_INTEGERS},     {"arith.shli", SHLI, TWO_INTEGERS},
    {"arith.shrsi", SHRSI, TWO_INTEGERS},   {"arith.shrui", SHRUI, TWO_INTEGERS},
    {"arith.cmpi", CMPI, COMPARE_INTEGERS}, {"arith.addf", ADDF, TWO_FLOATS},
    {"arith.subf", SUBF, TWO_FLOATS},       {"arith.mulf", MULF, TWO_FLOATS},
    {"arith.divf", DIVF, TWO_FLOATS},       {"arith.cmpf", CMPF, COMPARE_FLOATS},
    {"arith.select", SELECT, CHOICE},       {"arith.index_cast", EXTSI, CAST},
    {"arith.index_castui", EXTUI, CAST},    {"arith.extsi", EXTSI, CAST},
    {"arith.extui", EXTUI, CAST},           {"arith.trunci", EXTUI, CAST},
    {"arith.bitcast", BITCAST, CAST},       {"llvm.bitcast", BITCAST, CAST},
};

/* ---- running ---- */

static uint64_t wrap(uint64_t x, unsigned bits) {
    return bits == 64 ? x : x & (((uint64_t)1 << bits) - 1);
}

static uint64_t shift(enum scalar scalar, uint64_t a, int64_t signed_a, uint64_t by, unsigned bits) {
    if (by >= bits) return scalar == SHRSI && signed_a < 0 ? UINT64_MAX : 0;
    if (scalar == SHLI) return a << by;
    return scalar == SHRUI ? a >> by : (uint64_t)(signed_a >> by);
}

/* Returns a quotient or remainder. If the least signed integer is divided by -1, the quotient wraps. */
static uint64_t divide(enum scalar scalar, uint64_t a, uint64_t b, int64_t signed_a, int64_t signed_b) {
    switch (scalar) {
    case DIVUI: return a / b;
    case REMUI: return a % b;
    case CEILDIVUI: return a / b + (a % b != 0);
    case DIVSI: return signed_b == -1 ? 0 - (uint64_t)signed_a : (uint64_t)(signed_a / signed_b);
    default: return signed_b == -1 ? 0 : (uint64_t)(signed_a % signed_b);
    }
}

static bool run_integers(struct kernel_machine *m, const struct kernel_op *op) {
    const uint64_t a = kernel_bits(m, op->in[0]), b = kernel_bits(m, op->in[1]);
    const int64_t signed_a = kernel_signed(m, op->in[0]), signed_b = kernel_signed(m, op->in[1]);
    const unsigned bits = op->in[0]->type.bits;
    const enum scalar scalar = (enum scalar)op->variant;
    uint64_t result;
    if (scalar >= DIVSI && scalar <= CEILDIVUI && b == 0)
        return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "division by zero");
    switch (scalar) {
    case ADDI: result = a + b; break;
    case SUBI: result = a - b; break;
    case MULI: result = a * b; break;
    case MINSI: result = signed_a < signed_b ? a : b; break;
    case MAXSI: result = signed_a > signed_b ? a : b; break;
    case MINUI: result = a < b ? a : b; break;
    case MAXUI: result = a > b ? a : b; break;
    case ANDI: result = a & b; break;
    case ORI: result = a | b; break;
    case XORI: result = a ^ b; break;
    case SHLI:
    case SHRSI:
    case SHRUI: result = shift(scalar, a, signed_a, b, bits); break;
    default: result = divide(scalar, a, b, signed_a, signed_b); break;
    }
    kernel_set_bits(m, op->out[0], wrap(result, bits));
    return true;
}

/* Returns the bits of an operand, with the sign bit of a signed operand inverted. Comparing two results as
 * unsigned integers then compares the operands. */
static uint64_t ordered(const struct kernel_machine *m, const struct kernel_value *v, bool is_signed) {
    return is_signed ? (uint64_t)kernel_signed(m, v) ^ (uint64_t)1 << 63 : kernel_bits(m, v);
}

/* number[0]: a pto_cmp; number[1]: whether the operands are signed */
static bool run_compare_integers(struct kernel_machine *m, const struct kernel_op *op) {
    const uint64_t a = ordered(m, op->in[0], op->number[1] != 0),
                   b = ordered(m, op->in[1], op->number[1] != 0);
    bool result;
    switch ((pto_cmp)op->number[0]) {
    case PTO_EQ: result = a == b; break;
    case PTO_NE: result = a != b; break;
    case PTO_LT: result = a < b; break;
    case PTO_LE: result = a <= b; break;
    case PTO_GT: result = a > b; break;
    default: result = a >= b; break;
    }
    kernel_set_bits(m, op->out[0], result);
    return true;
}

static bool run_floats(struct kernel_machine *m, const struct kernel_op *op) {
    static const enum arithmetic operations[] = {
        [ADDF] = ARITHMETIC_ADD, [SUBF] = ARITHMETIC_SUB, [MULF] = ARITHMETIC_MUL};
    const struct typed_parameters typed = {.type = op->in[0]->type.element, .elements_per_lane = 1};
    const struct addresses at = {.dst = {kernel_at(m, op->out[0])},
                                 .src = {kernel_at(m, op->in[0]), kernel_at(m, op->in[1])}};
    kernel_set_bits(m, op->out[0], 0);
    return pto_kernel_is_ok(m, op, pto_arithmetic(operations[op->variant], &typed, &at, 1));
}

/* The quotient is computed in f64 and rounded again. For f16, bf16 and f32 this gives the correctly rounded
 * quotient, because the f64 result is never so close to a tie that the first rounding matters. */
static bool run_divide_floats(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_dtype type = op->in[0]->type.element;
    const pto_cvt_op widen = {.dst = PTO_F64, .src = type};
    const pto_cvt_op narrow = {.dst = type, .src = PTO_F64, .round = PTO_RN};
    double a, b;
    kernel_set_bits(m, op->out[0], 0);
    if (!pto_kernel_is_ok(m, op, pto_cvt(widen, kernel_at(m, op->in[0]), &a, NULL, 1)) ||
        !pto_kernel_is_ok(m, op, pto_cvt(widen, kernel_at(m, op->in[1]), &b, NULL, 1)))
        return false;
    a /= b;
    return pto_kernel_is_ok(m, op, pto_cvt(narrow, &a, kernel_at(m, op->out[0]), NULL, 1));
}

/* number[0]: a pto_cmp, or ALWAYS or NEVER */
enum { NEVER = -1, ALWAYS = -2 };

static bool run_compare_floats(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_dtype type = op->in[0]->type.element;
    unsigned char result = op->number[0] == ALWAYS;
    if (op->number[0] >= 0 &&
        !pto_kernel_is_ok(m, op,
                          pto_vcmp(type, (pto_cmp)op->number[0], 0, kernel_at(m, op->in[0]),
                                   kernel_at(m, op->in[1]), PTO_NO_MASK, pto_bytes(&result), 1)))
        return false;
    kernel_set_bits(m, op->out[0], result);
    return true;
}

static bool run_select(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_value *from = kernel_bits(m, op->in[0]) & 1 ? op->in[1] : op->in[2];
    memcpy(kernel_at(m, op->out[0]), kernel_at(m, from), pto_kernel_value_bytes(&from->type));
    return true;
}

static bool run_cast(struct kernel_machine *m, const struct kernel_op *op) {
    const uint64_t x =
        op->variant == EXTSI ? (uint64_t)kernel_signed(m, op->in[0]) : kernel_bits(m, op->in[0]);
    kernel_set_bits(m, op->out[0],
                    op->out[0]->type.kind == KERNEL_INTEGER ? wrap(x, op->out[0]->type.bits) : x);
    return true;
}

/* ---- parsing ---- */

static struct kernel_value *read_operand(struct kernel_front *f) {
    const struct token name = f->text.now;
    if (!kernel_is_name(&name)) {
        (void)pto_text_error(&f->text, &name, "expected an operand, such as %%a");
        return NULL;
    }
    pto_kernel_next(&f->text);
    return pto_kernel_find(f, &name);
}

/* Reads `count` operands separated by commas, and skips modifiers such as overflow<nsw>. */
static bool read_operands(struct kernel_front *f, struct kernel_op *op, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i != 0 && !pto_kernel_expect(&f->text, ",")) return false;
        op->in[i] = read_operand(f);
        if (!op->in[i]) return false;
    }
    while (f->text.now.kind == TOKEN_WORD && pto_text_peek_is(&f->text, "<")) {
        pto_kernel_next(&f->text);
        if (!pto_kernel_skip_pair(&f->text, "<", ">")) return false;
    }
    return true;
}

/* Reads ": type", and checks that it is the type of operand i. */
static bool read_type_of(struct kernel_front *f, const struct kernel_op *op, size_t i) {
    struct kernel_written type;
    return pto_kernel_expect(&f->text, ":") && pto_kernel_type_read(f, &type) &&
           (pto_kernel_types_agree(&type.type, &op->in[i]->type) ||
            pto_kernel_wrong_type(f, &type.token, &op->in[i]->type, &type.type));
}

static bool expect_kind(struct kernel_front *f, const struct kernel_op *op, enum kernel_kind kind) {
    for (size_t i = 0; i < op->in_count; i++)
        if (op->in[i]->type.kind != kind || !pto_kernel_types_agree(&op->in[0]->type, &op->in[i]->type))
            return pto_text_error(&f->text, &op->place, "expected %zu %s of one type", op->in_count,
                                  kind == KERNEL_FLOAT ? "floats" : "integers");
    return true;
}

static bool make_result(struct kernel_front *f, struct kernel_call *c, struct kernel_op *op,
                        struct kernel_type type) {
    if (c->result_count != 1)
        return pto_text_error(&f->text, &c->opcode, "expected 1 result; %zu stand here", c->result_count);
    op->out[0] = pto_kernel_define(f, &c->result[0], type);
    return op->out[0] != NULL;
}

/* Reads a predicate of arith.cmpi or arith.cmpf. */
static bool read_predicate(struct kernel_front *f, struct kernel_op *op, bool floats) {
    static const struct {
        const char *word;
        int of_integers, of_floats; /* -3: not legal */
        bool is_signed;
    } predicates[] = {
        {"eq", PTO_EQ, -3, false},       {"ne", PTO_NE, -3, false},       {"slt", PTO_LT, -3, true},
        {"sle", PTO_LE, -3, true},       {"sgt", PTO_GT, -3, true},       {"sge", PTO_GE, -3, true},
        {"ult", PTO_LT, PTO_LTU, false}, {"ule", PTO_LE, PTO_LEU, false}, {"ugt", PTO_GT, PTO_GTU, false},
        {"uge", PTO_GE, PTO_GEU, false}, {"oeq", -3, PTO_EQ, false},      {"one", -3, PTO_NE, false},
        {"olt", -3, PTO_LT, false},      {"ole", -3, PTO_LE, false},      {"ogt", -3, PTO_GT, false},
        {"oge", -3, PTO_GE, false},      {"ord", -3, PTO_NUM, false},     {"ueq", -3, PTO_EQU, false},
        {"une", -3, PTO_NEU, false},     {"uno", -3, PTO_NAN, false},     {"false", -3, NEVER, false},
        {"true", -3, ALWAYS, false},
    };
    for (size_t i = 0; i < sizeof predicates / sizeof predicates[0]; i++) {
        const int number = floats ? predicates[i].of_floats : predicates[i].of_integers;
        if (number == -3 || !pto_token_is(&f->text.now, predicates[i].word)) continue;
        op->number[0] = number;
        op->number[1] = predicates[i].is_signed;
        pto_kernel_next(&f->text);
        return pto_kernel_expect(&f->text, ",");
    }
    return pto_text_error(&f->text, &f->text.now, "expected a predicate, such as %s", floats ? "olt" : "slt");
}

static bool read_two(struct kernel_front *f, struct kernel_call *c, struct kernel_op *op, bool floats) {
    return read_operands(f, op, 2) && read_type_of(f, op, 0) &&
           expect_kind(f, op, floats ? KERNEL_FLOAT : KERNEL_INTEGER) &&
           make_result(f, c, op, op->in[0]->type);
}

static bool read_compare(struct kernel_front *f, struct kernel_call *c, struct kernel_op *op, bool floats) {
    return read_predicate(f, op, floats) && read_operands(f, op, 2) && read_type_of(f, op, 0) &&
           expect_kind(f, op, floats ? KERNEL_FLOAT : KERNEL_INTEGER) &&
           make_result(f, c, op, pto_kernel_integer(1));
}

/* Reads "%c, %a, %b : type". One version of MLIR prints ": i1, type" instead, which is accepted, too. */
static bool read_choice(struct kernel_front *f, struct kernel_call *c, struct kernel_op *op) {
    struct kernel_written types[2];
    size_t count = 0;
    if (!read_operands(f, op, 3) || !pto_kernel_expect(&f->text, ":") ||
        !pto_kernel_type_list(f, types, 2, &count))
        return false;
    if (op->in[0]->type.kind != KERNEL_INTEGER || op->in[0]->type.bits != 1)
        return pto_text_error(&f->text, &op->place, "expected a condition of type i1");
    for (size_t i = 1; i < 3; i++)
        if (!pto_kernel_types_agree(&types[count - 1].type, &op->in[i]->type))
            return pto_kernel_wrong_type(f, &types[count - 1].token, &op->in[i]->type,
                                         &types[count - 1].type);
    return make_result(f, c, op, op->in[1]->type);
}

static size_t bits_of(const struct kernel_type *type) {
    return type->kind == KERNEL_INTEGER ? type->bits : pto_dtype_bits(type->element);
}

static bool read_cast(struct kernel_front *f, struct kernel_call *c, struct kernel_op *op) {
    struct kernel_written to;
    const struct kernel_type *from;
    if (!read_operands(f, op, 1) || !read_type_of(f, op, 0) || !pto_kernel_expect(&f->text, "to") ||
        !pto_kernel_type_read(f, &to))
        return false;
    from = &op->in[0]->type;
    if (from->kind > KERNEL_FLOAT || to.type.kind > KERNEL_FLOAT)
        return pto_text_error(&f->text, &to.token, "expected two scalar types");
    if (op->variant == BITCAST ? bits_of(from) != bits_of(&to.type)
                               : from->kind != KERNEL_INTEGER || to.type.kind != KERNEL_INTEGER)
        return pto_text_error(&f->text, &to.token,
                              op->variant == BITCAST ? "expected a type of the same width"
                                                     : "expected an integer type");
    return make_result(f, c, op, to.type);
}

/* Reads "true", "false", or a number and its type, and defines a constant. There is no op, because nothing is
 * executed. */
static bool read_constant(struct kernel_front *f, struct kernel_call *c) {
    const bool is_true = pto_token_is(&f->text.now, "true"),
               is_word = is_true || pto_token_is(&f->text.now, "false");
    const bool minus = !is_word && pto_kernel_take(&f->text, "-");
    const struct token number = f->text.now;
    struct kernel_written type = {.type = pto_kernel_integer(1)};
    struct kernel_value *v;
    uint64_t bits = is_true;
    pto_kernel_next(&f->text);
    if (!is_word || pto_token_is(&f->text.now, ":")) {
        if (!pto_kernel_expect(&f->text, ":") || !pto_kernel_type_read(f, &type)) return false;
        if (type.type.kind > KERNEL_FLOAT)
            return pto_text_error(&f->text, &type.token, "expected a scalar type");
    }
    if (!is_word && !pto_kernel_number(f, &number, minus, &type.type, &bits)) return false;
    if (c->result_count != 1) return pto_text_error(&f->text, &c->opcode, "expected a name for the constant");
    v = pto_kernel_define(f, &c->result[0], type.type);
    if (!v) return false;
    v->is_constant = true;
    v->bits = bits;
    return true;
}

static bool read_row(struct kernel_front *f, struct kernel_call *c, const struct row *row,
                     struct kernel_op *op) {
    op->variant = (int)row->scalar;
    switch (row->shape) {
    case TWO_INTEGERS: op->run = run_integers; return read_two(f, c, op, false);
    case TWO_FLOATS:
        op->run = row->scalar == DIVF ? run_divide_floats : run_floats;
        return read_two(f, c, op, true);
    case COMPARE_INTEGERS: op->run = run_compare_integers; return read_compare(f, c, op, false);
    case COMPARE_FLOATS: op->run = run_compare_floats; return read_compare(f, c, op, true);
    case CHOICE: op->run = run_select; return read_choice(f, c, op);
    default: op->run = run_cast; return read_cast(f, c, op);
    }
}

bool pto_kernel_arith(struct kernel_front *f, struct kernel_call *c, struct kernel_op **op) {
    *op = NULL;
    if (pto_token_is(&c->opcode, "arith.constant")) return read_constant(f, c);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!pto_token_is(&c->opcode, rows[i].name)) continue;
        *op = pto_kernel_op(f, &c->opcode, rows[i].shape == CHOICE ? 3 : rows[i].shape == CAST ? 1 : 2, 1);
        return *op && read_row(f, c, &rows[i], *op) && pto_kernel_skip_location(&f->text);
    }
    return pto_text_error(&f->text, &c->opcode, "unknown operation of scalars");
}
