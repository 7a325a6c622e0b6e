/* SPDX-License-Identifier: MIT */
/* Finds the registers of the operands of PTX instructions, checks their types, and appends steps. */
#include "ptx.h"

#include <string.h>

bool pto_ptx_no_memory(struct ptx *x) {
    x->no_memory = true;
    return pto_text_error(&x->text, &x->text.now, "there is not enough memory");
}

/* ---- registers ---- */

static int find_name(const struct ptx *x, const struct token *name) {
    for (size_t i = x->depth; i-- > 0;) {
        const int reg = pto_ir_find(x->program, x->scopes[i], name);
        if (reg != ABSENT) return reg;
    }
    return ABSENT;
}

/* The components of vectors have two names: q.r is q.x, q.g is q.y, q.b is q.z, and q.a is q.w. */
int pto_ptx_find(const struct ptx *x, const struct token *name) {
    static const char colours[] = "rgba", letters[] = "xyzw";
    const int reg = find_name(x, name);
    const char *colour;
    struct token component = *name;
    char text[PTX_NAME];
    if (reg != ABSENT || name->length < 3 || name->length > sizeof text || name->at[name->length - 2] != '.')
        return reg;
    colour = strchr(colours, name->at[name->length - 1]);
    if (!colour) return ABSENT;
    memcpy(text, name->at, name->length);
    text[name->length - 1] = letters[colour - colours];
    component.at = text;
    return find_name(x, &component);
}

/* Returns whether a register of type `reg` meets the requirement `need`, with the rules of NVIDIA's
 * assembler. */
static bool agrees(pto_dtype reg, struct requirement need) {
    const size_t bits = pto_dtype_bits(reg), wanted = pto_dtype_bits(need.type);
    if (bits != wanted && !(need.wider && bits > wanted)) return false;
    if (need.packed) return pto_is_untyped(reg) || reg == PTO_F16X2;
    if (pto_is_untyped(reg)) return true;
    if (need.untyped_only) return false;
    if (pto_is_untyped(need.type) || (pto_is_integer(reg) && pto_is_integer(need.type))) return true;
    return reg == need.type || (reg == PTO_F16X2 && pto_is_integer(need.type) && !need.plain);
}

/* Returns the type of an undeclared register at its first use: the instruction's type, or untyped bits if these are
 * required. */
static pto_dtype first_type(struct requirement need) {
    static const pto_dtype bits[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    return need.untyped_only ? bits[pto_dtype_bits(need.type) / 8] : need.type;
}

/* Returns whether the name is a stem and a number, and numbered registers of this stem are declared. */
static bool is_outside_range(const struct ptx *x, const struct token *name) {
    char text[PTX_NAME];
    struct token stem = {.kind = TOKEN_WORD, .at = text};
    for (size_t i = name->length; i-- > 1 && name->at[i] >= '0' && name->at[i] <= '9';) {
        if (i >= sizeof text) continue;
        memcpy(text, name->at, i);
        text[i] = '<';
        stem.length = i + 1;
        if (pto_ptx_find(x, &stem) != ABSENT) return true;
    }
    return false;
}

static int add_undeclared(struct ptx *x, const struct token *name, pto_dtype type, bool predicate) {
    int reg = ABSENT;
    if (is_outside_range(x, name)) {
        (void)pto_text_error(&x->text, name, "expected a register that is declared; fewer are, by this name");
        return ABSENT;
    }
    if (x->kernel) {
        (void)pto_text_error(&x->text, name, "expected a register or variable that is declared");
        return ABSENT;
    }
    reg = pto_ir_add(x->program, REG_NAMED, 0, name, type, predicate);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

int pto_ptx_special(const struct token *name) {
    static const char *const names[SPECIALS] = {
        [SPECIAL_TID_X] = "%tid.x",       [SPECIAL_TID_Y] = "%tid.y",       [SPECIAL_TID_Z] = "%tid.z",
        [SPECIAL_NTID_X] = "%ntid.x",     [SPECIAL_NTID_Y] = "%ntid.y",     [SPECIAL_NTID_Z] = "%ntid.z",
        [SPECIAL_CTAID_X] = "%ctaid.x",   [SPECIAL_CTAID_Y] = "%ctaid.y",   [SPECIAL_CTAID_Z] = "%ctaid.z",
        [SPECIAL_NCTAID_X] = "%nctaid.x", [SPECIAL_NCTAID_Y] = "%nctaid.y", [SPECIAL_NCTAID_Z] = "%nctaid.z",
        [SPECIAL_LANEID] = "%laneid",     [SPECIAL_WARPID] = "%warpid",     [SPECIAL_NWARPID] = "%nwarpid"};
    for (int i = 0; i < SPECIALS; i++)
        if (pto_token_is(name, names[i])) return i;
    return -1;
}

bool pto_ptx_is_special(const struct ptx *x, const struct token *name) {
    const int special = pto_ptx_special(name);
    return x->kernel ? special >= 0 : special == SPECIAL_TID_X || special == SPECIAL_LANEID;
}

/* Returns the number of the register that holds a special register. In a program over lanes, the two special
 * registers share a register with the number of the lane. */
static int special_register(struct ptx *x, const struct token *name) {
    const struct token shared_name = {.kind = TOKEN_WORD, .at = "%tid.x", .length = 6};
    const struct token *key = x->kernel ? name : &shared_name;
    int reg = pto_ir_find(x->program, 0, key);
    if (reg == ABSENT)
        reg = pto_ir_add(x->program, x->kernel ? REG_SPECIAL : REG_LANE_NUMBER, 0, key, PTO_U32, false);
    if (reg == ABSENT)
        (void)pto_ptx_no_memory(x);
    else if (x->kernel)
        x->program->regs[reg].value = (uint64_t)pto_ptx_special(name);
    return reg;
}

const struct symbol *pto_ptx_symbol(const struct ptx *x, const struct token *name) {
    for (size_t i = x->symbol_count; i-- > 0;) {
        const struct symbol *s = &x->symbols[i];
        bool is_open = s->scope == MODULE_SCOPE;
        for (size_t k = 0; k < x->depth && !is_open; k++) is_open = x->scopes[k] == s->scope;
        if (is_open && s->name.length == name->length && memcmp(s->name.at, name->at, name->length) == 0)
            return s;
    }
    return NULL;
}

/* Returns the number of a register with the address of a parameter or variable. */
static int address_constant(struct ptx *x, const struct token *name, const struct symbol *symbol,
                            struct requirement need) {
    const size_t bits = pto_dtype_bits(need.type);
    int reg;
    if (bits < 32 || pto_dtype_class(need.type) == PTO_CLASS_FLOAT) {
        (void)pto_text_error(&x->text, name, "expected a register of type .%s, not an address",
                             pto_dtype_name(need.type));
        return ABSENT;
    }
    if (symbol->is_dynamic)
        reg = pto_ir_add(x->program, REG_SHARED_END, 0, NULL, need.type, false);
    else
        reg = pto_ir_constant(x->program, need.type, false,
                              bits == 32 ? (uint32_t)symbol->address : symbol->address);
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
    int reg = pto_ptx_find(x, name);
    struct reg *r;
    if (reg == ABSENT) return add_undeclared(x, name, first_type(need), false);
    r = &x->program->regs[reg];
    if (r->kind == REG_NAMES) {
        (void)pto_text_error(&x->text, name, "expected one register, not a vector");
        return ABSENT;
    }
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
    if (pto_ptx_is_special(x, name)) {
        (void)pto_text_error(&x->text, name, "expected a register that can be written");
        return ABSENT;
    }
    return typed_register(x, name, need);
}

static int constant(struct ptx *x, const struct token *place, const struct constant *value,
                    struct requirement need) {
    uint64_t bits = 0;
    const char *error = need.packed ? "expected a register: packed integers have no constants"
                                    : pto_constant_bits(value, need.type, &bits);
    int reg;
    if (error) {
        (void)pto_text_error(&x->text, place, "%s", error);
        return ABSENT;
    }
    reg = pto_ir_constant(x->program, need.type, false, bits);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

/* A special register is accepted only if `need.wider` is set, as for the sources of mov and cvt. */
int pto_ptx_source(struct ptx *x, const struct operand *o, struct requirement need) {
    if (o->kind == OPERAND_NUMBER) return constant(x, &o->token, &o->number, need);
    if (o->kind == OPERAND_NAME && !o->negated) {
        const struct symbol *symbol;
        if (pto_ptx_is_special(x, &o->token)) {
            if (need.wider && pto_dtype_bits(need.type) <= 32) return special_register(x, &o->token);
            (void)pto_text_error(&x->text, &o->token, "only mov and cvt read special registers");
            return ABSENT;
        }
        symbol = pto_ptx_find(x, &o->token) == ABSENT ? pto_ptx_symbol(x, &o->token) : NULL;
        return symbol ? address_constant(x, &o->token, symbol, need) : typed_register(x, &o->token, need);
    }
    (void)pto_text_error(&x->text, &o->token, "expected a register or a number of type .%s",
                         pto_dtype_name(need.type));
    return ABSENT;
}

int pto_ptx_part_source(struct ptx *x, const struct part *part, struct requirement need) {
    const struct operand o = {.kind = part->is_number                   ? OPERAND_NUMBER
                                      : pto_token_is(&part->token, "_") ? OPERAND_SINK
                                                                        : OPERAND_NAME,
                              .token = part->token,
                              .number = part->number};
    return pto_ptx_source(x, &o, need);
}

int pto_ptx_result(struct ptx *x, const struct operand *o, struct requirement need) {
    if (o->kind == OPERAND_NAME && !o->negated) return pto_ptx_part_result(x, &o->token, need);
    (void)pto_text_error(&x->text, &o->token, "expected a register to write, of type .%s",
                         pto_dtype_name(need.type));
    return ABSENT;
}

/* ---- predicates ---- */

static int predicate(struct ptx *x, const struct token *name) {
    const int reg = pto_ptx_find(x, name);
    if (pto_ptx_is_special(x, name) || pto_token_is(name, "_")) {
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
    if (o->number.kind == CONSTANT_SIGNED || o->number.kind == CONSTANT_UNSIGNED)
        return o->number.bits != 0 ? x->always : x->never;
    (void)pto_text_error(&x->text, &o->token, "expected a predicate, 0 or 1");
    return ABSENT;
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

/* ---- statements ---- */

bool pto_ptx_operand_count(struct ptx *x, const struct statement *s, size_t count) {
    const struct token *last = s->count > count ? &s->operand[count].token : &x->text.now;
    return s->count == count || pto_text_error(&x->text, last, "expected %zu operands", count);
}

bool pto_ptx_step(struct ptx *x, const struct statement *s, struct step *step) {
    if (x->text.failed) return false;
    step->guard = s->guard;
    step->guard_not = s->guard_not;
    step->column = s->opcode.column;
    return pto_ir_step(x->program, step, &s->opcode) || pto_ptx_no_memory(x);
}
