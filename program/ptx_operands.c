/* SPDX-License-Identifier: MIT */
/* Finds the registers of the operands of PTX instructions, checks their types, and appends steps. */
#include "ptx.h"

#include "number.h"

bool pto_ptx_no_memory(struct ptx *x) {
    return pto_text_error(&x->text, &x->text.now, "there is not enough memory");
}

/* ---- registers ---- */

static int find_in_scopes(const struct ptx *x, const struct token *name) {
    for (size_t i = x->depth; i-- > 0;) {
        const int reg = pto_ir_find(x->program, x->scopes[i], name);
        if (reg != ABSENT) return reg;
    }
    return ABSENT;
}

/* Returns whether a register of type `reg` meets `need`, by the rules of NVIDIA's assembler. */
static bool agrees(pto_dtype reg, struct requirement need) {
    const size_t bits = pto_dtype_bits(reg), wanted = pto_dtype_bits(need.type);
    if (bits != wanted && !(need.wider && bits > wanted)) return false;
    if (pto_is_untyped(reg)) return true;
    if (need.untyped_only) return false;
    if (pto_is_untyped(need.type) || (pto_is_integer(reg) && pto_is_integer(need.type))) return true;
    return reg == need.type;
}

/* Returns the type of an undeclared register at its first use: the instruction's type, or untyped bits if these are
 * required. */
static pto_dtype first_type(struct requirement need) {
    static const pto_dtype bits[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    return need.untyped_only ? bits[pto_dtype_bits(need.type) / 8] : need.type;
}

static int add_undeclared(struct ptx *x, const struct token *name, pto_dtype type, bool predicate) {
    const int reg = pto_ir_add(x->program, REG_NAMED, 0, name, type, predicate);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

bool pto_ptx_is_special(const struct token *name) {
    return pto_token_is(name, "%tid.x") || pto_token_is(name, "%laneid");
}

static int special_register(struct ptx *x) {
    const struct token shared_name = {.kind = TOKEN_WORD, .at = "%tid.x", .length = 6};
    int reg = pto_ir_find(x->program, 0, &shared_name);
    if (reg == ABSENT) reg = pto_ir_add(x->program, REG_LANE_NUMBER, 0, &shared_name, PTO_U32, false);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

static bool type_error(struct ptx *x, const struct token *name, const struct reg *r,
                       struct requirement need) {
    if (r->predicate)
        return pto_text_error(&x->text, name, "expected a register of type .%s, not a predicate",
                              pto_dtype_name(need.type));
    if (need.untyped_only && pto_dtype_bits(r->type) == pto_dtype_bits(need.type))
        return pto_text_error(&x->text, name, "expected a register of untyped bits, .b%zu; this one is .%s",
                              pto_dtype_bits(need.type), pto_dtype_name(r->type));
    return pto_text_error(&x->text, name, "expected a register that goes with .%s; this one is .%s",
                          pto_dtype_name(need.type), pto_dtype_name(r->type));
}

static int typed_register(struct ptx *x, const struct token *name, struct requirement need) {
    int reg = find_in_scopes(x, name);
    struct reg *r;
    if (reg == ABSENT) return add_undeclared(x, name, first_type(need), false);
    r = &x->program->regs[reg];
    if (r->predicate || !agrees(r->type, need)) {
        (void)type_error(x, name, r, need);
        return ABSENT;
    }
    if (!r->declared && pto_is_untyped(r->type) && !pto_is_untyped(need.type) && !need.untyped_only &&
        !need.wider)
        r->type = need.type;
    return reg;
}

int pto_ptx_part_result(struct ptx *x, const struct token *name, struct requirement need) {
    if (pto_token_is(name, "_")) return ABSENT;
    if (pto_ptx_is_special(name)) {
        (void)pto_text_error(&x->text, name, "expected a register that can be written");
        return ABSENT;
    }
    return typed_register(x, name, need);
}

int pto_ptx_part_source(struct ptx *x, const struct token *name, struct requirement need) {
    if (pto_token_is(name, "_")) {
        (void)pto_text_error(&x->text, name, "expected a register to read; _ only takes results");
        return ABSENT;
    }
    return typed_register(x, name, need);
}

static int immediate(struct ptx *x, const struct operand *o, struct requirement need) {
    uint64_t bits = 0;
    const char *error = pto_number_bits(&o->token, o->minus, need.type, &bits);
    int reg;
    if (error) {
        (void)pto_text_error(&x->text, &o->token, "%s", error);
        return ABSENT;
    }
    reg = pto_ir_constant(x->program, need.type, false, bits);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

/* Special registers are operands of mov and cvt only. Those are the instructions that set `need.wider`. */
int pto_ptx_source(struct ptx *x, const struct operand *o, struct requirement need) {
    if (o->kind == OPERAND_NUMBER && !o->negated) return immediate(x, o, need);
    if (o->kind == OPERAND_NAME && !o->negated) {
        if (pto_ptx_is_special(&o->token)) {
            if (need.wider && pto_dtype_bits(need.type) <= 32) return special_register(x);
            (void)pto_text_error(&x->text, &o->token, "special registers are read by mov and cvt alone");
            return ABSENT;
        }
        return typed_register(x, &o->token, need);
    }
    (void)pto_text_error(&x->text, &o->token, "expected a register or a number of type .%s",
                         pto_dtype_name(need.type));
    return ABSENT;
}

int pto_ptx_result(struct ptx *x, const struct operand *o, struct requirement need) {
    if (o->kind == OPERAND_NAME && !o->negated) return pto_ptx_part_result(x, &o->token, need);
    (void)pto_text_error(&x->text, &o->token, "expected a register to write, of type .%s",
                         pto_dtype_name(need.type));
    return ABSENT;
}

/* ---- predicates ---- */

static int predicate(struct ptx *x, const struct token *name) {
    const int reg = find_in_scopes(x, name);
    if (pto_ptx_is_special(name) || pto_token_is(name, "_")) {
        (void)pto_text_error(&x->text, name, "expected a predicate");
        return ABSENT;
    }
    if (reg == ABSENT) return add_undeclared(x, name, PTO_B8, true);
    if (x->program->regs[reg].predicate) return reg;
    (void)pto_text_error(&x->text, name, "expected a predicate; this register is .%s",
                         pto_dtype_name(x->program->regs[reg].type));
    return ABSENT;
}

static int constant_predicate(struct ptx *x, const struct operand *o) {
    uint64_t bits = 0;
    if (pto_number_bits(&o->token, o->minus, PTO_B32, &bits)) {
        (void)pto_text_error(&x->text, &o->token, "expected a predicate, 0 or 1");
        return ABSENT;
    }
    return bits != 0 ? x->always : x->never;
}

int pto_ptx_predicate(struct ptx *x, const struct operand *o, bool *negated) {
    *negated = o->negated;
    if (o->kind == OPERAND_NUMBER) return constant_predicate(x, o);
    if (o->kind == OPERAND_NAME) return predicate(x, &o->token);
    (void)pto_text_error(&x->text, &o->token, "expected a predicate");
    return ABSENT;
}

int pto_ptx_predicate_result(struct ptx *x, const struct token *name) {
    return pto_token_is(name, "_") ? ABSENT : predicate(x, name);
}

/* ---- steps ---- */

bool pto_ptx_step(struct ptx *x, const struct statement *s, struct step *step) {
    if (x->text.failed) return false;
    step->guard = s->guard;
    step->guard_not = s->guard_not;
    return pto_ir_step(x->program, step, &s->opcode) || pto_ptx_no_memory(x);
}
