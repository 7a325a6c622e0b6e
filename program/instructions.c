/* SPDX-License-Identifier: MIT */
/* The table of PTX instructions, and the functions that check types, modifiers and operands and append the steps. */
#include "ptx_floats.h"

#include <stdio.h>
#include <string.h>

/* ---- modifiers and types in an opcode ---- */

enum modifier {
    MODIFIER_RN = 1,
    MODIFIER_FTZ = 2,
    MODIFIER_NAN = 4,
    MODIFIER_XORSIGN_ABS = 8,
    MODIFIER_XORSIGN = 16, /* .xorsign and .abs together become MODIFIER_XORSIGN_ABS */
    MODIFIER_ABS = 32
};

struct words {
    unsigned modifiers;
    pto_dtype type[2];
    size_t types;
    bool predicate; /* .pred */
};

static bool word_is(const char *at, size_t length, const char *word) {
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static unsigned modifier_of(const char *at, size_t length) {
    static const struct {
        const char *word;
        unsigned modifier;
    } known[] = {{"rn", MODIFIER_RN},
                 {"ftz", MODIFIER_FTZ},
                 {"NaN", MODIFIER_NAN},
                 {"xorsign", MODIFIER_XORSIGN},
                 {"abs", MODIFIER_ABS}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (word_is(at, length, known[i].word)) return known[i].modifier;
    return 0;
}

static bool type_of(const char *at, size_t length, pto_dtype *type) {
    char word[16] = "";
    if (length >= sizeof word) return false;
    memcpy(word, at, length);
    return pto_parse_dtype(word, type, NULL) == PTO_OK;
}

/* Adds the word of `length` bytes at `offset` of the opcode to `w`. It follows a dot and is a modifier or a type. */
static bool take_word(struct ptx *x, const struct token *opcode, size_t offset, size_t length,
                      struct words *w) {
    const char *at = opcode->at + offset;
    const unsigned modifier = modifier_of(at, length);
    if (modifier) {
        if (w->modifiers & modifier)
            return pto_text_error_inside(&x->text, opcode, offset, "this word is there twice");
        w->modifiers |= modifier;
        return true;
    }
    if (word_is(at, length, "pred") && w->types == 0 && !w->predicate) {
        w->predicate = true;
        return true;
    }
    if (w->types < 2 && type_of(at, length, &w->type[w->types])) {
        w->types++;
        return true;
    }
    return pto_text_error_inside(&x->text, opcode, offset,
                                 "expected a type or a modifier of this instruction");
}

static bool take_words(struct ptx *x, const struct token *opcode, struct words *w) {
    size_t offset = 0, end;
    memset(w, 0, sizeof *w);
    while (offset < opcode->length && opcode->at[offset] != '.') offset++;
    for (; offset < opcode->length; offset = end) {
        offset++;
        for (end = offset; end < opcode->length && opcode->at[end] != '.';) end++;
        if (!take_word(x, opcode, offset, end - offset, w)) return false;
    }
    if ((w->modifiers & (MODIFIER_XORSIGN | MODIFIER_ABS)) == (MODIFIER_XORSIGN | MODIFIER_ABS))
        w->modifiers ^= MODIFIER_XORSIGN | MODIFIER_ABS | MODIFIER_XORSIGN_ABS;
    return true;
}

/* ---- the rows of the table ---- */

struct instruction {
    const char *name;
    bool (*make)(struct ptx *x, const struct statement *s, const struct instruction *row);
    step_fn *step, *predicate_step;
    size_t sources;
    uint64_t types;                              /* bit t is set if type t is allowed */
    unsigned integer_modifiers, float_modifiers; /* allowed for integer types, for float types */
    unsigned required;                           /* allowed modifiers that must be present */
};

#define TYPE(t)  ((uint64_t)1 << (t))
#define UNTYPED  (TYPE(PTO_B16) | TYPE(PTO_B32) | TYPE(PTO_B64))
#define UNSIGNED (TYPE(PTO_U16) | TYPE(PTO_U32) | TYPE(PTO_U64))
#define SIGNED   (TYPE(PTO_S16) | TYPE(PTO_S32) | TYPE(PTO_S64))
#define F16_BF16 (TYPE(PTO_F16) | TYPE(PTO_F16X2) | TYPE(PTO_BF16) | TYPE(PTO_BF16X2))
#define F32_F64  (TYPE(PTO_F32) | TYPE(PTO_F64))

enum { MAXMIN_MODIFIERS = MODIFIER_FTZ | MODIFIER_NAN | MODIFIER_XORSIGN_ABS };

static bool has_ftz(pto_dtype type) {
    return type == PTO_F16 || type == PTO_F16X2 || type == PTO_F32;
}

static bool is_pair(pto_dtype type) {
    return type == PTO_F16X2 || type == PTO_BF16X2;
}

static pto_dtype half_of(pto_dtype type) {
    return type == PTO_F16X2 ? PTO_F16 : type == PTO_BF16X2 ? PTO_BF16 : type;
}

/* Checks that the opcode has `types` types, that the row allows them and the modifiers, and that required modifiers are
 * present. */
static bool check_words(struct ptx *x, const struct statement *s, const struct instruction *row,
                        const struct words *w, size_t types) {
    const bool is_float = w->types != 0 && !pto_is_untyped(w->type[0]) && !pto_is_integer(w->type[0]);
    const unsigned allowed = is_float ? row->float_modifiers : row->integer_modifiers;
    const unsigned needed = row->required & allowed;
    if (w->types != types)
        return pto_text_error(&x->text, &s->opcode, "expected %zu type%s", types, types == 1 ? "" : "s");
    if (w->predicate) return pto_text_error(&x->text, &s->opcode, "%s does not take .pred", row->name);
    if (!(row->types & TYPE(w->type[0])))
        return pto_text_error(&x->text, &s->opcode, "%s does not take .%s here", row->name,
                              pto_dtype_name(w->type[0]));
    if ((w->modifiers & ~allowed) || ((w->modifiers & MODIFIER_FTZ) && !has_ftz(w->type[types - 1])) ||
        ((w->modifiers & MODIFIER_XORSIGN_ABS) && w->type[0] == PTO_F64) ||
        ((w->modifiers & MODIFIER_NAN) && w->type[0] == PTO_F64))
        return pto_text_error(&x->text, &s->opcode, "a modifier that %s.%s does not have here", row->name,
                              pto_dtype_name(w->type[0]));
    if ((w->modifiers & needed) != needed)
        return pto_text_error(&x->text, &s->opcode, "expected a rounding, .rn");
    return true;
}

/* Returns the requirement on a register for an operand of `type`. Nothing is declared as bf16 or bf16x2, so a declared
 * register for these must be untyped bits. */
static struct requirement requirement_of(pto_dtype type) {
    return (struct requirement){.type = type};
}

/* ---- arithmetic, and logic on bits and predicates ---- */

static bool make_predicates(struct ptx *x, const struct statement *s, const struct instruction *row,
                            const struct words *w) {
    struct step step = pto_step_of(row->predicate_step, s->opcode.line);
    struct step invert = pto_step_of(pto_step_pnot, s->opcode.line);
    if (w->types != 0 || w->modifiers != 0)
        return pto_text_error(&x->text, &s->opcode, "expected %s.pred and no more words", row->name);
    if (!pto_ptx_operand_count(x, s, row->sources + 1)) return false;
    if (s->operand[0].kind != OPERAND_NAME || s->operand[0].negated)
        return pto_text_error(&x->text, &s->operand[0].token, "expected a predicate to write");
    step.dst[0] = pto_ptx_predicate_result(x, &s->operand[0].token);
    for (size_t i = 0; i < row->sources; i++) {
        bool negated;
        step.src[i] = pto_ptx_predicate(x, &s->operand[i + 1], &negated);
        if (step.src[i] == ABSENT) return false;
        if (!negated) continue;
        invert.src[0] = step.src[i];
        invert.dst[0] = step.src[i] = pto_ir_add(x->program, REG_HIDDEN, 0, NULL, PTO_B8, true);
        if (step.src[i] == ABSENT) return pto_ptx_no_memory(x);
        if (!pto_ir_step(x->program, &invert, &s->opcode)) return pto_ptx_no_memory(x);
    }
    return pto_ptx_step(x, s, &step);
}

static unsigned flags_of(unsigned modifiers) {
    return (modifiers & MODIFIER_FTZ ? PTO_FTZ : 0U) | (modifiers & MODIFIER_NAN ? PTO_PROPAGATE_NAN : 0U) |
           (modifiers & MODIFIER_XORSIGN_ABS ? PTO_XORSIGN_ABS : 0U);
}

/* Returns the requirement on the register of source i. The count of a shift is a u32. */
static struct requirement requirement_of_source(const struct instruction *row, size_t i, pto_dtype type) {
    const bool shift = row->step == pto_step_shl || row->step == pto_step_shr;
    return shift && i == 1 ? (struct requirement){.type = PTO_U32, .plain = true} : requirement_of(type);
}

static bool make_arithmetic(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct step step = pto_step_of(row->step, s->opcode.line);
    struct words w;
    if (pto_ptx_is_integer(s)) return pto_ptx_make_integer(x, s);
    if (!take_words(x, &s->opcode, &w)) return false;
    if (w.predicate && row->predicate_step) return make_predicates(x, s, row, &w);
    if (w.predicate) return pto_text_error(&x->text, &s->opcode, "%s does not take .pred", row->name);
    if (!check_words(x, s, row, &w, 1) || !pto_ptx_operand_count(x, s, row->sources + 1)) return false;
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(w.type[0]));
    for (size_t i = 0; i < row->sources; i++)
        step.src[i] = pto_ptx_source(x, &s->operand[i + 1], requirement_of_source(row, i, w.type[0]));
    step.parameters.typed = (struct typed_parameters){.type = half_of(w.type[0]),
                                                      .flags = flags_of(w.modifiers),
                                                      .elements_per_lane = is_pair(w.type[0]) ? 2 : 1,
                                                      .ftz = (w.modifiers & MODIFIER_FTZ) != 0};
    return pto_ptx_step(x, s, &step);
}

/* ---- mov ---- */

static pto_dtype part_type(pto_dtype whole, size_t parts) {
    static const pto_dtype bits[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    return bits[pto_dtype_bits(whole) / 8 / parts];
}

static bool has_value(const struct operand *group) {
    for (size_t i = 0; i < group->count; i++)
        if (group->part[i].is_number || !pto_token_is(&group->part[i].token, "_")) return true;
    return false;
}

static bool group_fits(struct ptx *x, const struct operand *group, pto_dtype whole) {
    const size_t bytes = pto_dtype_bits(whole) / 8;
    if (!pto_is_untyped(whole))
        return pto_text_error(&x->text, &group->token, "expected an untyped mov, such as mov.b32");
    if (!has_value(group)) return pto_text_error(&x->text, &group->token, "expected a part other than _");
    if ((group->count == 2 && bytes >= 2) || (group->count == 4 && bytes >= 4)) return true;
    return pto_text_error(&x->text, &group->token, "expected two or four parts of at least 8 bits");
}

/* Returns the requirement on the source of mov. %tid.x may be wider than `type`: mov then reads its low half. */
static struct requirement requirement_of_mov(pto_dtype type, const struct operand *o) {
    const bool special = o->kind == OPERAND_NAME && pto_ptx_special(&o->token) >= 0;
    struct requirement need = requirement_of(type);
    need.wider = special && (pto_is_untyped(type) || pto_is_integer(type)) &&
                 (!pto_token_is(&o->token, "%laneid") || pto_dtype_bits(type) == 32);
    return need;
}

/* The same for a part of a group, or for a source that is split. A special register must have the width of `type`. */
static struct requirement requirement_of_part(pto_dtype type, const struct operand *o) {
    return pto_dtype_bits(type) == 32 ? requirement_of_mov(type, o) : requirement_of(type);
}

/* Returns the register of a part that mov reads. Of a part `_` all bits are 0, as the assembler has it. Of an f64 the
 * assembler takes the low 32 bits. */
static int join_source(struct ptx *x, const struct part *part, pto_dtype type) {
    struct operand o = {.kind = part->is_number ? OPERAND_NUMBER : OPERAND_NAME,
                        .token = part->token,
                        .number = part->number};
    const bool is_f64 = part->number.kind == CONSTANT_FLOAT || part->number.kind == CONSTANT_F64_PATTERN;
    if (!part->is_number && pto_token_is(&part->token, "_")) o.kind = OPERAND_NUMBER;
    if (part->is_number && is_f64 && type == PTO_B32) o.number.kind = CONSTANT_UNSIGNED;
    return pto_ptx_source(x, &o, requirement_of_part(type, &o));
}

static bool make_join(struct ptx *x, const struct statement *s, pto_dtype whole) {
    const struct operand *group = &s->operand[1];
    struct step step = pto_step_of(pto_step_join, s->opcode.line);
    if (!group_fits(x, group, whole)) return false;
    step.parameters.typed = (struct typed_parameters){.type = part_type(whole, group->count),
                                                      .elements_per_lane = (unsigned)group->count};
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(whole));
    for (size_t i = 0; i < group->count; i++)
        step.src[i] = join_source(x, &group->part[i], step.parameters.typed.type);
    return pto_ptx_step(x, s, &step);
}

static bool make_split(struct ptx *x, const struct statement *s, pto_dtype whole) {
    const struct operand *group = &s->operand[0];
    struct step step = pto_step_of(pto_step_split, s->opcode.line);
    if (!group_fits(x, group, whole)) return false;
    step.parameters.typed = (struct typed_parameters){.type = part_type(whole, group->count),
                                                      .elements_per_lane = (unsigned)group->count};
    for (size_t i = 0; i < group->count; i++) {
        const struct part *part = &group->part[i];
        if (part->is_number) return pto_text_error(&x->text, &part->token, "expected a register to write");
        step.dst[i] = pto_ptx_part_result(x, &part->token, requirement_of(step.parameters.typed.type));
    }
    step.src[0] = pto_ptx_source(x, &s->operand[1], requirement_of_part(whole, &s->operand[1]));
    return pto_ptx_step(x, s, &step);
}

enum { VECTOR_MOV = sizeof "mov.v2." - 1 };

/* Returns the number of parts that the opcode of a mov of vectors gives, mov.v2 or mov.v4, or 0. */
static size_t vector_parts(const struct token *opcode) {
    if (opcode->length <= VECTOR_MOV || memcmp(opcode->at, "mov.v", 5) != 0) return 0;
    if (memcmp(opcode->at + 5, "2.", 2) == 0) return 2;
    return memcmp(opcode->at + 5, "4.", 2) == 0 ? 4 : 0;
}

static bool move_part(struct ptx *x, const struct statement *s, pto_dtype type, int to, int from) {
    struct step step = pto_step_of(pto_step_mov, s->opcode.line);
    step.parameters.typed = (struct typed_parameters){.type = type, .elements_per_lane = 1};
    step.dst[0] = to;
    step.src[0] = from;
    return pto_ptx_step(x, s, &step);
}

static int vector_source(struct ptx *x, const struct part *part, pto_dtype type) {
    const struct operand o = {.kind = OPERAND_NAME, .token = part->token};
    const bool is_special = !part->is_number && pto_ptx_is_special(x, &part->token);
    return pto_ptx_part_source(x, part, is_special ? requirement_of_part(type, &o) : requirement_of(type));
}

/* Copies vectors through hidden registers, because a register may be in both of them. */
static bool move_vector(struct ptx *x, const struct statement *s, pto_dtype type) {
    const struct operand *to = &s->operand[0], *from = &s->operand[1];
    const size_t count = from->count; /* that of both */
    int copies[PTX_PARTS];
    for (size_t i = 0; i < count; i++) {
        const int source = vector_source(x, &from->part[i], type);
        copies[i] = source == ABSENT ? ABSENT : pto_ir_add(x->program, REG_HIDDEN, 0, NULL, type, false);
        if (source != ABSENT && copies[i] == ABSENT) return pto_ptx_no_memory(x);
        if (source == ABSENT || !move_part(x, s, type, copies[i], source)) return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &to->part[i];
        int result;
        if (part->is_number) return pto_text_error(&x->text, &part->token, "expected a register to write");
        result = pto_ptx_part_result(x, &part->token, requirement_of(type));
        if (x->text.failed || (result != ABSENT && !move_part(x, s, type, result, copies[i]))) return false;
    }
    return true;
}

static bool make_vector_mov(struct ptx *x, const struct statement *s, const struct instruction *row,
                            size_t parts) {
    const struct token *opcode = &s->opcode;
    pto_dtype type;
    if (!pto_ptx_operand_count(x, s, 2)) return false;
    if (!type_of(opcode->at + VECTOR_MOV, opcode->length - VECTOR_MOV, &type) || !(row->types & TYPE(type)))
        return pto_text_error_inside(&x->text, opcode, VECTOR_MOV, "expected a type such as .b32 or .f32");
    if (pto_dtype_bits(type) * parts > 128)
        return pto_text_error(&x->text, opcode, "expected a vector of at most 128 bits");
    for (size_t i = 0; i < 2; i++)
        if (s->operand[i].kind != OPERAND_GROUP || s->operand[i].count != parts)
            return pto_text_error(&x->text, &s->operand[i].token, "expected a vector of %zu registers",
                                  parts);
    return move_vector(x, s, type);
}

static bool make_mov(struct ptx *x, const struct statement *s, const struct instruction *row) {
    const size_t parts = vector_parts(&s->opcode);
    struct step step = pto_step_of(pto_step_cvt, s->opcode.line);
    struct words w;
    size_t bits;
    if (parts != 0) return make_vector_mov(x, s, row, parts);
    if (!take_words(x, &s->opcode, &w)) return false;
    if (w.predicate) return make_predicates(x, s, row, &w);
    if (!check_words(x, s, row, &w, 1) || !pto_ptx_operand_count(x, s, 2)) return false;
    if (s->operand[1].kind == OPERAND_GROUP) return make_join(x, s, w.type[0]);
    if (s->operand[0].kind == OPERAND_GROUP) return make_split(x, s, w.type[0]);
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(w.type[0]));
    step.src[0] = pto_ptx_source(x, &s->operand[1], requirement_of_mov(w.type[0], &s->operand[1]));
    if (step.src[0] == ABSENT) return false;
    bits = pto_reg_bits(&x->program->regs[step.src[0]]);
    step.parameters.typed = (struct typed_parameters){.type = w.type[0], .elements_per_lane = 1};
    if (bits == pto_dtype_bits(w.type[0]))
        step.run = pto_step_mov;
    else /* the low half of a special register */
        step.parameters.cvt = (struct cvt_parameters){{.dst = PTO_U16, .src = PTO_U32}, 1, 32, 16, false};
    return pto_ptx_step(x, s, &step);
}

/* ---- selections ---- */

static bool make_selp(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct step step = pto_step_of(row->step, s->opcode.line);
    struct words w;
    bool negated;
    if (!take_words(x, &s->opcode, &w) || !check_words(x, s, row, &w, 1) || !pto_ptx_operand_count(x, s, 4))
        return false;
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(w.type[0]));
    negated = s->operand[3].negated;
    step.src[negated ? 1 : 0] = pto_ptx_source(x, &s->operand[1], requirement_of(w.type[0]));
    step.src[negated ? 0 : 1] = pto_ptx_source(x, &s->operand[2], requirement_of(w.type[0]));
    step.src[2] = pto_ptx_predicate(x, &s->operand[3], &negated);
    step.parameters.typed = (struct typed_parameters){.type = w.type[0], .elements_per_lane = 1};
    return pto_ptx_step(x, s, &step);
}

static bool make_slct(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct step step = pto_step_of(row->step, s->opcode.line);
    struct words w;
    if (!take_words(x, &s->opcode, &w)) return false;
    if (w.types == 2 && w.type[1] != PTO_S32 && w.type[1] != PTO_F32)
        return pto_text_error(&x->text, &s->opcode, "expected .s32 or .f32 for the second type");
    if (w.types == 2 && (w.modifiers & ~(unsigned)MODIFIER_FTZ) == 0 && !w.predicate &&
        row->types & TYPE(w.type[0])) {
        if ((w.modifiers & MODIFIER_FTZ) && w.type[1] != PTO_F32)
            return pto_text_error(&x->text, &s->opcode, "slct has .ftz only if the second type is .f32");
    } else if (!check_words(x, s, row, &w, 2)) {
        return false;
    }
    if (!pto_ptx_operand_count(x, s, 4)) return false;
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(w.type[0]));
    step.src[0] = pto_ptx_source(x, &s->operand[1], requirement_of(w.type[0]));
    step.src[1] = pto_ptx_source(x, &s->operand[2], requirement_of(w.type[0]));
    step.src[2] = pto_ptx_source(x, &s->operand[3], requirement_of(w.type[1]));
    step.parameters.typed = (struct typed_parameters){.type = w.type[0],
                                                      .other = w.type[1],
                                                      .elements_per_lane = 1,
                                                      .ftz = (w.modifiers & MODIFIER_FTZ) != 0};
    return pto_ptx_step(x, s, &step);
}

/* ---- setp and set, whose opcodes libpto parses ---- */

static bool copy_opcode(struct ptx *x, const struct token *opcode, char *to) {
    if (opcode->length >= PTX_OPCODE) return pto_text_error(&x->text, opcode, "expected an instruction");
    memcpy(to, opcode->at, opcode->length);
    to[opcode->length] = 0;
    return true;
}

static bool check_parsed(struct ptx *x, const struct token *opcode, pto_status status,
                         const pto_parse_error *error) {
    return status == PTO_OK || pto_text_error_inside(&x->text, opcode, error->at, error->text);
}

/* Reads the sources a, b and, if the instruction has a BoolOp, c. */
static bool take_a_b_c(struct ptx *x, const struct statement *s, pto_dtype type, int src[3], bool *not_c) {
    src[0] = pto_ptx_source(x, &s->operand[1], requirement_of(type));
    src[1] = pto_ptx_source(x, &s->operand[2], requirement_of(type));
    if (s->count == 4) src[2] = pto_ptx_predicate(x, &s->operand[3], not_c);
    return !x->text.failed;
}

static size_t operand_count(pto_boolop boolop) {
    return boolop == PTO_BOOL_NONE ? 3 : 4;
}

static bool is_half(pto_dtype type) {
    return type == PTO_F16 || type == PTO_BF16;
}

static bool take_p_and_q(struct ptx *x, const struct statement *s, pto_dtype type, struct step *step) {
    const struct operand *o = &s->operand[0];
    if (o->kind == OPERAND_PAIR && o->count == 2) {
        if (is_half(type))
            return pto_text_error(&x->text, &o->part[1].token,
                                  "expected one predicate: this type gives no second");
        step->dst[0] = pto_ptx_predicate_result(x, &o->part[0].token);
        step->dst[1] = pto_ptx_predicate_result(x, &o->part[1].token);
        if (step->dst[0] == step->dst[1] && step->dst[0] != ABSENT)
            return pto_text_error(&x->text, &o->part[1].token, "expected another predicate than p");
        if (step->dst[0] == step->dst[1] && !x->text.failed)
            return pto_text_error(&x->text, &o->part[1].token,
                                  "expected a predicate: one of both is written");
    } else if ((o->kind == OPERAND_NAME && !o->negated) || o->kind == OPERAND_SINK) {
        step->dst[0] = pto_ptx_predicate_result(x, &o->token);
    } else {
        return pto_text_error(&x->text, &o->token, "expected p or p|q");
    }
    if (x->text.failed) return false;
    if (step->dst[0] == ABSENT) /* pto_setp() always writes p */
        step->dst[0] = pto_ir_add(x->program, REG_HIDDEN, 0, NULL, PTO_B8, true);
    return step->dst[0] != ABSENT || pto_ptx_no_memory(x);
}

static bool make_setp(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct step step = pto_step_of(row->step, s->opcode.line);
    pto_setp_op *op = &step.parameters.setp;
    pto_parse_error error = {0, ""};
    char text[PTX_OPCODE];
    if (!copy_opcode(x, &s->opcode, text)) return false;
    if (!check_parsed(x, &s->opcode, pto_parse_setp(text, op, &error), &error)) return false;
    if (!pto_ptx_operand_count(x, s, operand_count(op->boolop))) return false;
    return take_p_and_q(x, s, op->type, &step) && take_a_b_c(x, s, op->type, step.src, &op->not_c) &&
           pto_ptx_step(x, s, &step);
}

static bool make_set(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct step step = pto_step_of(row->step, s->opcode.line);
    pto_set_op *op = &step.parameters.set;
    pto_parse_error error = {0, ""};
    char text[PTX_OPCODE];
    if (!copy_opcode(x, &s->opcode, text)) return false;
    if (!check_parsed(x, &s->opcode, pto_parse_set(text, op, &error), &error)) return false;
    if (!pto_ptx_operand_count(x, s, operand_count(op->boolop))) return false;
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(op->dtype));
    return take_a_b_c(x, s, op->stype, step.src, &op->not_c) && pto_ptx_step(x, s, &step);
}

/* ---- cvt ---- */

/* Returns the number of elements per register that the suffix of a type gives: 2 for "x2", 4 for "x4", otherwise 1. */
static unsigned suffix_count(const char *word, size_t length) {
    const char *end = word + length;
    if (length > 2 && memcmp(end - 2, "x2", 2) == 0) return 2;
    return length > 2 && memcmp(end - 2, "x4", 2) == 0 ? 4 : 1;
}

/* Sets elements[0] for the destination type of a cvt opcode, and elements[1] for the source type. Modifiers may stand
 * between and after the types. */
static void count_elements(const char *text, unsigned elements[2]) {
    size_t found = 0;
    for (const char *dot = strchr(text, '.'); dot && found < 2; dot = strchr(dot + 1, '.')) {
        const size_t length = strcspn(dot + 1, ".");
        const unsigned count = suffix_count(dot + 1, length);
        pto_dtype type;
        if (type_of(dot + 1, length - (count > 1 ? 2 : 0), &type)) elements[found++] = count;
    }
}

static pto_dtype bits_type(size_t bits) {
    return bits == 8 ? PTO_B8 : bits == 16 ? PTO_B16 : bits == 32 ? PTO_B32 : PTO_B64;
}

static bool is_narrow(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_FLOAT && pto_dtype_bits(type) <= 8;
}

/* Returns whether the type is one of those for which registers of cvt may be wider. */
static bool is_basic(pto_dtype type) {
    return pto_is_integer(type) || type == PTO_F16 || type == PTO_F32 || type == PTO_F64;
}

/* Returns the requirement on a register of `op` that holds `elements` elements of `type`. */
static struct requirement requirement_of_cvt(const pto_cvt_op *op, pto_dtype type, unsigned elements) {
    const bool basic = is_basic(op->dst) && is_basic(op->src);
    struct requirement need = requirement_of(type);
    if (is_narrow(type) || type == PTO_TF32) {
        need = (struct requirement){.type = bits_type(pto_dtype_bits(type) * elements), .untyped_only = true};
    } else if (elements == 2) {
        need.type = type == PTO_F16 ? PTO_F16X2 : PTO_BF16X2;
        need.wider = basic;
    } else {
        need.wider = basic || pto_is_untyped(type) || pto_is_integer(type) || type == PTO_F16;
    }
    return need;
}

/* Returns the register of the source of a cvt that has one source, or ABSENT after an error. The source may be a
 * special register if cvt converts integers to integers. */
static int cvt_source(struct ptx *x, const struct operand *o, const struct cvt_parameters *c) {
    const struct requirement need =
        requirement_of_cvt(&c->op, c->op.src, c->packed ? c->elements_per_lane : 1);
    const bool special = o->kind == OPERAND_NAME && pto_ptx_is_special(x, &o->token);
    if (special && !(pto_is_integer(c->op.dst) && pto_is_integer(c->op.src))) {
        (void)pto_text_error(&x->text, &o->token,
                             "cvt reads special registers only as integers, to integers");
        return ABSENT;
    }
    if (need.untyped_only && o->kind == OPERAND_NUMBER) {
        (void)pto_text_error(&x->text, &o->token, "expected a register: this type has no constants");
        return ABSENT;
    }
    return pto_ptx_source(x, o, need);
}

static unsigned bits_of_reg(const struct ptx *x, int reg, unsigned otherwise) {
    return reg == ABSENT ? otherwise : (unsigned)pto_reg_bits(&x->program->regs[reg]);
}

/* Reads the sources of a lane: a; a, b; or {a, b, e, f}, with the lowest element last. Sets *operands to their
 * count. */
static bool cvt_sources(struct ptx *x, const struct statement *s, struct step *step, size_t *operands) {
    const struct cvt_parameters *c = &step->parameters.cvt;
    const struct operand *first = &s->operand[1];
    if (c->packed || c->elements_per_lane == 1) {
        *operands = 1;
        if (s->count < 2) return pto_ptx_operand_count(x, s, 2);
        step->src[0] = cvt_source(x, first, c);
        return step->src[0] != ABSENT;
    }
    *operands = c->elements_per_lane == 4 ? 1 : 2;
    if (s->count < 1 + *operands) return pto_ptx_operand_count(x, s, 1 + *operands);
    if (c->elements_per_lane == 2) {
        step->src[1] = pto_ptx_source(x, first, requirement_of(c->op.src));
        step->src[0] = pto_ptx_source(x, &s->operand[2], requirement_of(c->op.src));
        return step->src[0] != ABSENT && step->src[1] != ABSENT;
    }
    if (first->kind != OPERAND_GROUP || first->count != 4)
        return pto_text_error(&x->text, &first->token, "expected {a, b, e, f}");
    for (size_t i = 0; i < 4; i++)
        step->src[3 - i] = pto_ptx_part_source(x, &first->part[i], requirement_of(c->op.src));
    return !x->text.failed;
}

/* Reads the operand after the sources, if the instruction has one: 32 random bits per lane, or one or two bytes of
 * scales. */
static bool cvt_extra(struct ptx *x, const struct statement *s, struct step *step, size_t operands) {
    const pto_cvt_op *op = &step->parameters.cvt.op;
    const bool extra = op->round == PTO_RS || op->scale != PTO_SCALE_NONE;
    const struct requirement word = {.type = PTO_B32, .untyped_only = true};
    const struct requirement scales = {.type = op->scale == PTO_SCALE_N1 ? PTO_B8 : PTO_B16,
                                       .untyped_only = true};
    if (!pto_ptx_operand_count(x, s, 1 + operands + (extra ? 1 : 0))) return false;
    if (!extra) return true;
    if (s->operand[1 + operands].kind == OPERAND_NUMBER)
        return pto_text_error(&x->text, &s->operand[1 + operands].token, "expected a register");
    step->src[4] = pto_ptx_source(x, &s->operand[1 + operands], op->round == PTO_RS ? word : scales);
    return step->src[4] != ABSENT;
}

/* Returns whether the opcode is that of cvt.pack, which is another instruction than cvt. */
static bool is_pack(const struct token *opcode) {
    const size_t length = strlen("cvt.pack");
    return opcode->length > length && memcmp(opcode->at, "cvt.pack.", length + 1) == 0;
}

static bool make_cvt(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct step step = pto_step_of(row->step, s->opcode.line);
    struct cvt_parameters *c = &step.parameters.cvt;
    unsigned elements[2] = {1, 1}; /* per register: of the destination, of the source */
    pto_parse_error error = {0, ""};
    char text[PTX_OPCODE];
    size_t operands = 0;
    if (is_pack(&s->opcode)) return pto_ptx_make_integer(x, s);
    if (!copy_opcode(x, &s->opcode, text)) return false;
    if (!check_parsed(x, &s->opcode, pto_parse_cvt(text, &c->op, &error), &error)) return false;
    count_elements(text, elements);
    c->elements_per_lane = elements[0];
    c->packed = elements[1] > 1;
    if (s->count != 0)
        step.dst[0] =
            pto_ptx_result(x, &s->operand[0], requirement_of_cvt(&c->op, c->op.dst, c->elements_per_lane));
    if (!cvt_sources(x, s, &step, &operands) || !cvt_extra(x, s, &step, operands)) return false;
    c->src_bits = bits_of_reg(x, step.src[0], 0);
    c->dst_bits = bits_of_reg(x, step.dst[0], (unsigned)pto_dtype_bits(c->op.dst) * c->elements_per_lane);
    return pto_ptx_step(x, s, &step);
}

/* ---- the table ---- */

static bool make_integer(struct ptx *x, const struct statement *s, const struct instruction *row) {
    (void)row;
    return pto_ptx_make_integer(x, s);
}

static const struct instruction instructions[] = {
    {"setp", make_setp, pto_step_setp, NULL, 0, 0, 0, 0, 0},
    {"set", make_set, pto_step_set, NULL, 0, 0, 0, 0, 0},
    {"cvt", make_cvt, pto_step_cvt, NULL, 0, 0, 0, 0, 0},
    {"selp", make_selp, pto_step_selp, NULL, 0, UNTYPED | UNSIGNED | SIGNED | F32_F64, 0, 0, 0},
    {"slct", make_slct, pto_step_slct, NULL, 0, UNTYPED | UNSIGNED | SIGNED | F32_F64, 0, 0, 0},
    {"mov", make_mov, pto_step_mov, pto_step_pmov, 1, UNTYPED | UNSIGNED | SIGNED | F32_F64, 0, 0, 0},
    {"and", make_arithmetic, pto_step_and, pto_step_pand, 2, UNTYPED, 0, 0, 0},
    {"or", make_arithmetic, pto_step_or, pto_step_por, 2, UNTYPED, 0, 0, 0},
    {"xor", make_arithmetic, pto_step_xor, pto_step_pxor, 2, UNTYPED, 0, 0, 0},
    {"not", make_arithmetic, pto_step_not, pto_step_pnot, 1, UNTYPED, 0, 0, 0},
    {"shl", make_arithmetic, pto_step_shl, NULL, 2, UNTYPED, 0, 0, 0},
    {"shr", make_arithmetic, pto_step_shr, NULL, 2, UNTYPED | UNSIGNED | SIGNED, 0, 0, 0},
    /* Before the function of a row, pto_ptx_is_float() is asked: ptx_floats.c has the forms of floats. */
    {.name = "add", .make = make_arithmetic},
    {.name = "sub", .make = make_arithmetic},
    {.name = "mul", .make = make_arithmetic},
    {.name = "fma", .make = pto_ptx_float},
    {.name = "neg", .make = make_arithmetic},
    {.name = "abs", .make = make_arithmetic},
    {"min", make_arithmetic, pto_step_min, NULL, 2, F16_BF16 | F32_F64, 0, MAXMIN_MODIFIERS, 0},
    {"max", make_arithmetic, pto_step_max, NULL, 2, F16_BF16 | F32_F64, 0, MAXMIN_MODIFIERS, 0},
    {.name = "mad", .make = make_integer},
    {.name = "madc", .make = make_integer},
    {.name = "mul24", .make = make_integer},
    {.name = "mad24", .make = make_integer},
    {.name = "addc", .make = make_integer},
    {.name = "subc", .make = make_integer},
    {.name = "div", .make = make_integer},
    {.name = "rem", .make = make_integer},
    {.name = "sad", .make = make_integer},
    {.name = "cnot", .make = make_integer},
    {.name = "popc", .make = make_integer},
    {.name = "clz", .make = make_integer},
    {.name = "bfind", .make = make_integer},
    {.name = "brev", .make = make_integer},
    {.name = "bfe", .make = make_integer},
    {.name = "bfi", .make = make_integer},
    {.name = "bmsk", .make = make_integer},
    {.name = "szext", .make = make_integer},
    {.name = "fns", .make = make_integer},
    {.name = "lop3", .make = make_integer},
    {.name = "prmt", .make = make_integer},
    {.name = "shf", .make = make_integer},
    {.name = "dp4a", .make = make_integer},
    {.name = "dp2a", .make = make_integer},
    {.name = "copysign", .make = pto_ptx_float},
    {.name = "testp", .make = pto_ptx_float},
    {.name = "rcp", .make = pto_ptx_float},
    {.name = "sqrt", .make = pto_ptx_float},
    {.name = "rsqrt", .make = pto_ptx_float},
    {.name = "ex2", .make = pto_ptx_float},
    {.name = "lg2", .make = pto_ptx_float},
    {.name = "sin", .make = pto_ptx_float},
    {.name = "cos", .make = pto_ptx_float},
    {.name = "tanh", .make = pto_ptx_float},
};

/* Jumps have no row, because ptx.c parses them. */
static const char *const jumps[] = {"bra", "ret", "exit"};

enum { ROWS = sizeof instructions / sizeof instructions[0], JUMPS = sizeof jumps / sizeof jumps[0] };

const char *pto_ptx_name(size_t i) {
    if (i < ROWS) return instructions[i].name;
    return i - ROWS < JUMPS ? jumps[i - ROWS] : NULL;
}

/* Reports an unknown instruction. In programs the message lists as many known names as fit. */
static void unknown_instruction(struct ptx *x, const struct token *opcode, size_t name_length) {
    char names[sizeof x->text.error->text - sizeof "unknown instruction; known are"];
    size_t length = 0;
    const char *name;
    if (x->kernel) {
        (void)pto_text_error(&x->text, opcode, "%s",
                             word_is(opcode->at, name_length, "call")
                                 ? "calls are not supported"
                                 : "unknown instruction, or one that is not supported");
        return;
    }
    for (size_t i = 0; (name = pto_ptx_name(i)) != NULL; i++) {
        const bool fits = length + strlen(name) + sizeof "  ..." <= sizeof names;
        length += (size_t)snprintf(names + length, sizeof names - length, " %s", fits ? name : "...");
        if (!fits) break;
    }
    (void)pto_text_error(&x->text, opcode, "unknown instruction; known are%s", names);
}

const struct instruction *pto_ptx_row(struct ptx *x, const struct token *opcode) {
    const char *dot = memchr(opcode->at, '.', opcode->length);
    const size_t length = dot ? (size_t)(dot - opcode->at) : opcode->length;
    for (size_t i = 0; i < ROWS; i++)
        if (word_is(opcode->at, length, instructions[i].name)) return &instructions[i];
    unknown_instruction(x, opcode, length);
    return NULL;
}

bool pto_ptx_instruction(struct ptx *x, const struct statement *s, const struct instruction *row) {
    return pto_ptx_is_float(s) ? pto_ptx_float(x, s, row) : row->make(x, s, row);
}
