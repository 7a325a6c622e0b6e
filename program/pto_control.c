/* SPDX-License-Identifier: MIT */
/* Parses statements of PTO text that are not PTO's own operations: constants, integer arithmetic, which is
 * computed at parse time, and the loop. */
#include "pto.h"

#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pto_type index_type = {.kind = KIND_INDEX, .known = true};

/* ---- integers ---- */

/* Converts bits to a signed integer. MLIR's integers wrap, so they are computed as uint64_t, which wraps in
 * C. */
static int64_t wrapped(uint64_t bits) {
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(int64_t value) {
    return (uint64_t)value;
}

static bool is_value(const struct token *token) {
    return token->kind == TOKEN_WORD && token->length > 1 && token->at[0] == '%';
}

static bool read_integer(struct pto_front *f, struct token *token, struct pto_affine *a) {
    *token = f->text.now;
    if (!is_value(token) && token->kind != TOKEN_NUMBER)
        return pto_text_error(&f->text, token, "expected an integer: a name such as %%c64, or a number");
    pto_text_next(&f->text);
    *a = pto_integer_of(f, token);
    return true;
}

/* ---- constants ---- */

/* Sets *bits to a decimal number as f16 or bf16. The number is rounded to f64 and then again, as in MLIR for
 * every float type. Returns NULL or an error message. */
static const char *half_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits) {
    const pto_cvt_op op = {.dst = type, .src = PTO_F64, .round = PTO_RN};
    uint16_t half = 0;
    const char *error = pto_number_bits(number, minus, PTO_F64, bits);
    if (error) return error;
    if (pto_cvt(op, bits, &half, NULL, 1) != PTO_OK) return "expected a number that this type has";
    *bits = half;
    return NULL;
}

static const char *constant_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits) {
    static const pto_dtype same_width[] = {[2] = PTO_B16, [4] = PTO_B32};
    const bool hexadecimal = number->length > 1 && (number->at[1] == 'x' || number->at[1] == 'X');
    if (!pto_is_float(type)) return pto_number_bits(number, minus, type, bits);
    if (hexadecimal) return pto_number_bits(number, minus, same_width[pto_dtype_bits(type) / 8], bits);
    if (type == PTO_F32) return pto_number_bits(number, minus, type, bits);
    return half_bits(number, minus, type, bits);
}

static struct pto_affine signed_integer(uint64_t bits, pto_dtype type) {
    const unsigned unused = 64 - (unsigned)pto_dtype_bits(type);
    return (struct pto_affine){.known = !pto_is_float(type),
                               .base = wrapped(bits << unused) / ((int64_t)1 << unused)};
}

static bool make_constant(struct pto_front *f, const struct token *name, pto_dtype type, uint64_t bits) {
    const int reg = pto_value_make(f, REG_CONSTANT, name, pto_scalar_type(type));
    if (reg == ABSENT) return false;
    f->program->regs[reg].value = bits;
    f->values[reg].affine = signed_integer(bits, type);
    return true;
}

static bool make_index(struct pto_front *f, const struct token *name, struct pto_affine a, int cast_from) {
    const int reg = pto_value_make(f, REG_HIDDEN, name, index_type);
    if (reg == ABSENT) return false;
    f->values[reg].affine = a;
    f->values[reg].cast_from = cast_from;
    return true;
}

/* Reads the constant "true" or "false". */
static bool make_truth(struct pto_front *f, const struct token *result) {
    const bool truth = pto_token_is(&f->text.now, "true");
    struct pto_type type;
    pto_text_next(&f->text);
    if (pto_text_take(&f->text, ":") && !pto_type_read(f, &type)) return false;
    return make_constant(f, result, PTO_U8, truth);
}

bool pto_constant_read(struct pto_front *f, const struct token *result) {
    struct pto_type type;
    struct token number;
    uint64_t bits = 0;
    const char *error;
    bool minus;
    if (pto_token_is(&f->text.now, "true") || pto_token_is(&f->text.now, "false"))
        return make_truth(f, result);
    minus = pto_text_take(&f->text, "-");
    number = f->text.now;
    if (number.kind != TOKEN_NUMBER) return pto_text_error(&f->text, &number, "expected a number");
    pto_text_next(&f->text);
    if (pto_token_is(&f->text.now, "{") && !pto_text_skip_pair(&f->text, "{", "}")) return false;
    if (!pto_text_expect(&f->text, ":") || !pto_type_read(f, &type)) return false;
    if (!type.known || (type.kind != KIND_SCALAR && type.kind != KIND_INDEX))
        return pto_text_error(&f->text, &type.token,
                              "expected the type of a scalar, such as f32, i32 or index");
    if (type.kind == KIND_INDEX) type.type = PTO_S64;
    error = constant_bits(&number, minus, type.type, &bits);
    if (error) return pto_text_error(&f->text, &number, "%s", error);
    if (type.kind == KIND_INDEX) return make_index(f, result, signed_integer(bits, PTO_S64), ABSENT);
    return make_constant(f, result, type.type, bits);
}

/* ---- integer arithmetic ---- */

static struct pto_affine add(struct pto_affine a, struct pto_affine b) {
    if (!a.known || !b.known) return (struct pto_affine){.known = false};
    return (struct pto_affine){true, wrapped(bits_of(a.base) + bits_of(b.base)),
                               wrapped(bits_of(a.increment) + bits_of(b.increment))};
}

static struct pto_affine subtract(struct pto_affine a, struct pto_affine b) {
    b.base = wrapped(0 - bits_of(b.base));
    b.increment = wrapped(0 - bits_of(b.increment));
    return add(a, b);
}

/* Returns a product, which is known only if one factor is the same in all iterations. */
static struct pto_affine multiply(struct pto_affine a, struct pto_affine b) {
    if (!a.known || !b.known || (a.increment != 0 && b.increment != 0))
        return (struct pto_affine){.known = false};
    return (struct pto_affine){
        true, wrapped(bits_of(a.base) * bits_of(b.base)),
        wrapped(bits_of(a.base) * bits_of(b.increment) + bits_of(a.increment) * bits_of(b.base))};
}

/* Returns the scalar that a cast of the value `name` reads: the value itself, or if it is an index, the
 * scalar from which it was cast. */
static int cast_source(const struct pto_front *f, const struct token *name) {
    const int reg = pto_value_find(f, name);
    if (reg == ABSENT || f->values[reg].type.kind == KIND_SCALAR) return reg;
    return f->values[reg].cast_from;
}

static bool copy_scalar(struct pto_front *f, const struct token *result, const struct token *from,
                        const struct pto_type *to) {
    const int source = cast_source(f, from);
    struct step step = pto_step_of(pto_step_mov, result->line);
    if (source == ABSENT || !pto_types_agree(&f->values[source].type, to))
        return pto_text_error(&f->text, from,
                              "expected a constant, or a scalar of the same width as the result");
    step.src[0] = source;
    step.dst[0] = pto_value_make(f, REG_NAMED, result, *to);
    if (step.dst[0] == ABSENT) return false;
    f->values[step.dst[0]].carried_index = f->values[source].carried_index;
    f->values[step.dst[0]].subtracted = f->values[source].subtracted;
    step.parameters.vector = (struct vector_parameters){.typed = {.type = to->type, .elements_per_lane = 1}};
    return pto_ir_step(f->program, &step, from) || pto_no_memory(f);
}

static bool keep_integer(struct pto_front *f, const struct token *result, const struct token *from,
                         struct pto_affine a, const struct pto_type *type, bool is_cast) {
    if (type->kind == KIND_INDEX) return make_index(f, result, a, is_cast ? cast_source(f, from) : ABSENT);
    if (type->kind != KIND_SCALAR || !type->known || pto_is_float(type->type))
        return pto_text_error(&f->text, &type->token, "expected a type of integers, such as i32 or index");
    if (a.known && a.increment == 0) {
        const unsigned unused = 64 - (unsigned)pto_dtype_bits(type->type);
        return make_constant(f, result, type->type, (uint64_t)a.base << unused >> unused);
    }
    if (is_cast) return copy_scalar(f, result, from, type);
    return pto_text_error(&f->text, from,
                          "expected integers that are known before the program runs: constants");
}

static bool read_cast(struct pto_front *f, const struct token *result) {
    struct pto_type from, to;
    struct pto_affine a = {.known = false};
    struct token token;
    if (!read_integer(f, &token, &a) || !pto_text_expect(&f->text, ":") || !pto_type_read(f, &from) ||
        !pto_text_expect(&f->text, "to") || !pto_type_read(f, &to))
        return false;
    if (pto_value_find(f, &token) == ABSENT && !a.known && from.kind == KIND_SCALAR &&
        pto_value_use(f, &token, from) == ABSENT)
        return false;
    return keep_integer(f, result, &token, a, &to, true);
}

bool pto_integer_read(struct pto_front *f, const struct token *opcode, const struct token *result) {
    struct pto_affine a = {.known = false}, b = {.known = false};
    struct token first, second;
    struct pto_type type;
    if (pto_token_is(opcode, "arith.constant")) return pto_constant_read(f, result);
    if (pto_token_is(opcode, "arith.index_cast") || pto_token_is(opcode, "arith.index_castui"))
        return read_cast(f, result);
    if (!pto_token_is(opcode, "arith.addi") && !pto_token_is(opcode, "arith.subi") &&
        !pto_token_is(opcode, "arith.muli"))
        return pto_text_error(&f->text, opcode,
                              "expected arith.constant, addi, subi, muli, index_cast or index_castui");
    if (!read_integer(f, &first, &a) || !pto_text_expect(&f->text, ",") || !read_integer(f, &second, &b) ||
        !pto_text_expect(&f->text, ":") || !pto_type_read(f, &type))
        return false;
    a = pto_token_is(opcode, "arith.muli")   ? multiply(a, b)
        : pto_token_is(opcode, "arith.addi") ? add(a, b)
                                             : subtract(a, b);
    return keep_integer(f, result, &first, a, &type, false);
}

/* ---- the loop ---- */

static int register_number(struct pto_front *f) {
    if (f->vector_number == ABSENT)
        f->vector_number = pto_value_add(f, REG_LANE_NUMBER, NULL, pto_scalar_type(PTO_U32));
    return f->vector_number;
}

/* Reads "%remaining = %total" of iter_args: a count that each vector register decreases. */
static bool read_carried(struct pto_front *f) {
    struct pto_loop *loop = &f->loop;
    const struct token name = f->text.now;
    struct step step = pto_step_of(pto_step_remaining, name.line);
    struct token from;
    if (!is_value(&name)) return pto_text_error(&f->text, &name, "expected a name, such as %%remaining");
    if (loop->count == LOOP_CARRIED)
        return pto_text_error(&f->text, &name, "expected at most %d of them", (int)LOOP_CARRIED);
    pto_text_next(&f->text);
    if (!pto_text_expect(&f->text, "=")) return false;
    from = f->text.now;
    if (!is_value(&from)) return pto_text_error(&f->text, &from, "expected a value, such as %%total");
    pto_text_next(&f->text);
    step.src[0] = pto_value_use(f, &from, pto_scalar_type(PTO_S32));
    step.src[1] = register_number(f);
    if (step.src[0] == ABSENT || step.src[1] == ABSENT) return false;
    step.dst[0] = pto_value_make(f, REG_NAMED, &name, pto_scalar_type(PTO_S32));
    if (step.dst[0] == ABSENT) return false;
    f->values[step.dst[0]].carried_index = (int)loop->count;
    loop->carried[loop->count++] = (struct pto_carried){step.dst[0], f->program->step_count};
    step.parameters.vector = (struct vector_parameters){.typed = {.type = PTO_U32}};
    return pto_ir_step(f->program, &step, &from) || pto_no_memory(f);
}

static bool read_types(struct pto_front *f) {
    struct pto_type type;
    do {
        if (!pto_type_read(f, &type)) return false;
    } while (pto_text_take(&f->text, ","));
    return true;
}

static bool read_all_carried(struct pto_front *f) {
    if (!pto_text_take(&f->text, "iter_args")) return true;
    if (!pto_text_expect(&f->text, "(")) return false;
    do {
        if (!read_carried(f)) return false;
    } while (pto_text_take(&f->text, ","));
    if (!pto_text_expect(&f->text, ")")) return false;
    if (!pto_text_take(&f->text, "->")) return true;
    return pto_text_expect(&f->text, "(") && read_types(f) && pto_text_expect(&f->text, ")");
}

/* If the bounds of the loop are constants, sets the number of vector registers that the loop processes. This
 * number is 0 if the upper bound is not above the lower bound. */
static bool count_registers(struct pto_front *f, const struct token *step_token, struct pto_affine from,
                            struct pto_affine to, struct pto_affine step) {
    if (!step.known || step.base <= 0)
        return pto_text_error(&f->text, step_token, "expected a step that is a constant, such as %%c64");
    if (!from.known || !to.known) return true;
    f->program->counts_vectors = true;
    if (to.base > from.base) {
        const uint64_t last = (bits_of(to.base) - bits_of(from.base) - 1) / bits_of(step.base);
        f->program->vectors = last < SIZE_MAX ? (size_t)last + 1 : SIZE_MAX;
    }
    return true;
}

bool pto_loop_read(struct pto_front *f, const struct token *place) {
    const struct token variable = f->text.now;
    struct pto_affine from, to, step;
    struct token token;
    struct pto_type type;
    if (f->loop.open || f->loop.closed)
        return pto_text_error(&f->text, place,
                              "expected one loop in a program, over the registers of its arrays");
    if (f->has_outside_access)
        return pto_text_error(&f->text, &f->outside_access, "expected loads and stores only in the loop");
    if (!is_value(&variable))
        return pto_text_error(&f->text, &variable, "expected the loop's variable, as %%i");
    pto_text_next(&f->text);
    if (!pto_text_expect(&f->text, "=") || !read_integer(f, &token, &from) ||
        !pto_text_expect(&f->text, "to") || !read_integer(f, &token, &to) ||
        !pto_text_expect(&f->text, "step") || !read_integer(f, &token, &step) ||
        !count_registers(f, &token, from, to, step))
        return false;
    f->loop = (struct pto_loop){.open = true, .place = *place};
    if (!make_index(f, &variable, (struct pto_affine){from.known, from.base, step.base}, ABSENT))
        return false;
    if (!read_all_carried(f)) return false;
    return !pto_text_take(&f->text, ":") || pto_type_read(f, &type);
}

/* Reads one value of scf.yield. The value must be the carried count unchanged, or the remaining count that
 * pto.plt computed from it. */
static bool read_yield(struct pto_front *f, const struct token *name) {
    struct pto_loop *loop = &f->loop;
    const int reg = pto_value_find(f, name);
    const struct pto_value *v = reg == ABSENT ? NULL : &f->values[reg];
    if (loop->yielded == loop->count)
        return pto_text_error(&f->text, name, "expected as many values as iter_args has, %zu", loop->count);
    if (!v || v->type.kind != KIND_SCALAR || v->carried_index != (int)loop->yielded)
        return pto_text_error(&f->text, name,
                              "expected what pto.plt leaves of %s: a loop hands on no other values",
                              f->program->regs[loop->carried[loop->yielded].reg].name);
    f->program->steps[loop->carried[loop->yielded++].step].parameters.vector.subtracted_per_vector =
        v->subtracted;
    return true;
}

bool pto_yield_read(struct pto_front *f) {
    if (!is_value(&f->text.now)) return true;
    do {
        const struct token name = f->text.now;
        pto_text_next(&f->text);
        if (!read_yield(f, &name)) return false;
    } while (pto_text_take(&f->text, ","));
    return !pto_text_take(&f->text, ":") || read_types(f);
}

bool pto_loop_end(struct pto_front *f) {
    if (f->loop.yielded != f->loop.count)
        return pto_text_error(&f->text, &f->text.now, "expected scf.yield with %zu values", f->loop.count);
    f->loop.open = false;
    f->loop.closed = true;
    return true;
}
