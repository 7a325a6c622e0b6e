/* SPDX-License-Identifier: MIT */
/* PTX instructions on integers and bits: the table of the forms that NVIDIA's assembler accepts, and the
 * functions that check a statement against the table and append its steps. */
#include "ptx.h"

#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

/* Words of an opcode that are neither part of the instruction's name nor types. They may be in any order. */
enum word {
    WORD_SAT = 1 << 0,
    WORD_CC = 1 << 1,
    WORD_RELU = 1 << 2,
    WORD_SHIFTAMT = 1 << 3,
    WORD_CLAMP = 1 << 4,
    WORD_WRAP = 1 << 5,
    WORD_AND = 1 << 6,
    WORD_OR = 1 << 7,
    WORD_F4E = 1 << 8,
    WORD_B4E = 1 << 9,
    WORD_RC8 = 1 << 10,
    WORD_ECL = 1 << 11,
    WORD_ECR = 1 << 12,
    WORD_RC16 = 1 << 13,
    WORDS_ONCE = (WORD_RC16 << 1) - WORD_CLAMP /* words from WORD_CLAMP on must not occur twice */
};

/* A form of an instruction. `operands` has one letter for each operand, the result first:
 *   t, T  an operand of the first type of the opcode, of the second type
 *   w     an operand of twice the width of the first type
 *   c     a u32; a register must not be .f16x2
 *   p     as c; a constant must be less than 256
 *   i     a constant
 *   l     as t, or _
 *   L     as l, followed by a predicate: d|p
 *   q     a predicate
 *   k, K  an s32, a b32; a register may be wider */
struct form {
    const char *name; /* the words at the beginning of the opcode, in this order */
    unsigned words;
    enum integer_op op; /* if `run` is pto_step_integer */
    const char *types;  /* a list separated by blanks; each item has all types of an opcode */
    const char *operands;
    step_fn *run;
};

#define ALL   "u16 u32 u64 s16 s32 s64"
#define LONG  "u32 u64 s32 s64"
#define PAIRS " u16x2 s16x2"
#define BYTES " u8x4 s8x4"
#define SIGNS "u32.u32 u32.s32 s32.u32 s32.s32"

static const struct form forms[] = {
    {"add", 0, 0, ALL PAIRS BYTES, "ttt", pto_step_add},
    {"add", WORD_SAT, INTEGER_ADD_SAT, "u32 s32" PAIRS BYTES, "ttt", pto_step_integer},
    {"add", WORD_CC, INTEGER_ADD_CARRY, LONG, "ttt", pto_step_integer},
    {"addc", 0, INTEGER_ADD_CARRY, ALL, "ttt", pto_step_integer},
    {"addc", WORD_CC, INTEGER_ADD_CARRY, LONG, "ttt", pto_step_integer},
    {"addc", WORD_SAT, INTEGER_ADD_CARRY_SAT, "s32", "ttt", pto_step_integer},
    {"sub", 0, 0, ALL BYTES, "ttt", pto_step_sub},
    {"sub", WORD_SAT, INTEGER_SUB_SAT, "s32" BYTES, "ttt", pto_step_integer},
    {"sub", WORD_CC, INTEGER_SUB_CARRY, LONG, "ttt", pto_step_integer},
    {"subc", 0, INTEGER_SUB_CARRY, ALL, "ttt", pto_step_integer},
    {"subc", WORD_CC, INTEGER_SUB_CARRY, LONG, "ttt", pto_step_integer},
    {"subc", WORD_SAT, INTEGER_SUB_CARRY_SAT, "s32", "ttt", pto_step_integer},
    {"mul.lo", 0, 0, ALL, "ttt", pto_step_mul},
    {"mul.hi", 0, INTEGER_MUL_HI, ALL, "ttt", pto_step_integer},
    {"mul.wide", 0, INTEGER_MUL_WIDE, "u16 u32 s16 s32", "wtt", pto_step_integer},
    {"mad.lo", 0, INTEGER_MAD_LO, ALL, "tttt", pto_step_integer},
    {"mad.lo", WORD_CC, INTEGER_MAD_LO_CARRY, LONG, "tttt", pto_step_integer},
    {"mad.hi", 0, INTEGER_MAD_HI, ALL, "tttt", pto_step_integer},
    {"mad.hi", WORD_SAT, INTEGER_MAD_HI_SAT, "s32", "tttt", pto_step_integer},
    {"mad.hi", WORD_CC, INTEGER_MAD_HI_CARRY, LONG, "tttt", pto_step_integer},
    {"mad.wide", 0, INTEGER_MAD_WIDE, "u16 u32 s16 s32", "wttw", pto_step_integer},
    {"madc.lo", 0, INTEGER_MAD_LO_CARRY, ALL, "tttt", pto_step_integer},
    {"madc.lo", WORD_CC, INTEGER_MAD_LO_CARRY, LONG, "tttt", pto_step_integer},
    {"madc.hi", 0, INTEGER_MAD_HI_CARRY, ALL, "tttt", pto_step_integer},
    {"madc.hi", WORD_CC, INTEGER_MAD_HI_CARRY, LONG, "tttt", pto_step_integer},
    {"madc.hi", WORD_SAT, INTEGER_MAD_HI_CARRY_SAT, "s32", "tttt", pto_step_integer},
    {"mul24.lo", 0, INTEGER_MUL24_LO, "u32 s32", "ttt", pto_step_integer},
    {"mul24.hi", 0, INTEGER_MUL24_HI, "u32 s32", "ttt", pto_step_integer},
    {"mad24.lo", 0, INTEGER_MAD24_LO, "u32 s32", "tttt", pto_step_integer},
    {"mad24.hi", 0, INTEGER_MAD24_HI, "u32 s32", "tttt", pto_step_integer},
    {"mad24.hi", WORD_SAT, INTEGER_MAD24_HI_SAT, "s32", "tttt", pto_step_integer},
    {"div", 0, INTEGER_DIV, ALL, "ttt", pto_step_integer},
    {"rem", 0, INTEGER_REM, ALL, "ttt", pto_step_integer},
    {"sad", 0, INTEGER_SAD, ALL, "tttt", pto_step_integer},
    {"neg", 0, 0, "s16 s32 s64 s8x4", "tt", pto_step_neg},
    {"abs", 0, 0, "s16 s32 s64", "tt", pto_step_abs},
    {"min", 0, 0, ALL PAIRS BYTES, "ttt", pto_step_min},
    {"min", WORD_RELU, INTEGER_MIN_RELU, "s32 s16x2 s8x4", "ttt", pto_step_integer},
    {"max", 0, 0, ALL PAIRS BYTES, "ttt", pto_step_max},
    {"max", WORD_RELU, INTEGER_MAX_RELU, "s32 s16x2 s8x4", "ttt", pto_step_integer},
    {"cnot", 0, INTEGER_CNOT, "b16 b32 b64", "tt", pto_step_integer},
    {"popc", 0, INTEGER_POPC, "b32 b64", "ct", pto_step_integer},
    {"clz", 0, INTEGER_CLZ, "b32 b64", "ct", pto_step_integer},
    {"bfind", 0, INTEGER_BFIND, LONG, "ct", pto_step_integer},
    {"bfind", WORD_SHIFTAMT, INTEGER_BFIND_SHIFTAMT, LONG, "ct", pto_step_integer},
    {"brev", 0, INTEGER_BREV, "b32 b64", "tt", pto_step_integer},
    {"bfe", 0, INTEGER_BFE, LONG, "ttpp", pto_step_integer},
    {"bfi", 0, INTEGER_BFI, "b32 b64", "tttpp", pto_step_integer},
    {"bmsk", WORD_CLAMP, INTEGER_BMSK_CLAMP, "b32", "ccc", pto_step_integer},
    {"bmsk", WORD_WRAP, INTEGER_BMSK_WRAP, "b32", "ccc", pto_step_integer},
    {"szext", WORD_CLAMP, INTEGER_SZEXT_CLAMP, "u32 s32", "ttc", pto_step_integer},
    {"szext", WORD_WRAP, INTEGER_SZEXT_WRAP, "u32 s32", "ttc", pto_step_integer},
    {"fns", 0, INTEGER_FNS, "b32", "tttt", pto_step_integer},
    {"lop3", 0, INTEGER_LOP3, "b32", "lttti", pto_step_integer},
    {"lop3", WORD_AND, INTEGER_LOP3, "b32", "Ltttiq", pto_step_integer},
    {"lop3", WORD_OR, INTEGER_LOP3, "b32", "Ltttiq", pto_step_integer},
    {"prmt", 0, INTEGER_PRMT, "b32", "tttt", pto_step_integer},
    {"prmt", WORD_F4E, INTEGER_PRMT_F4E, "b32", "tttt", pto_step_integer},
    {"prmt", WORD_B4E, INTEGER_PRMT_B4E, "b32", "tttt", pto_step_integer},
    {"prmt", WORD_RC8, INTEGER_PRMT_RC8, "b32", "tttt", pto_step_integer},
    {"prmt", WORD_ECL, INTEGER_PRMT_ECL, "b32", "tttt", pto_step_integer},
    {"prmt", WORD_ECR, INTEGER_PRMT_ECR, "b32", "tttt", pto_step_integer},
    {"prmt", WORD_RC16, INTEGER_PRMT_RC16, "b32", "tttt", pto_step_integer},
    {"shf.l", WORD_CLAMP, INTEGER_SHF_L_CLAMP, "b32", "tttc", pto_step_integer},
    {"shf.l", WORD_WRAP, INTEGER_SHF_L_WRAP, "b32", "tttc", pto_step_integer},
    {"shf.r", WORD_CLAMP, INTEGER_SHF_R_CLAMP, "b32", "tttc", pto_step_integer},
    {"shf.r", WORD_WRAP, INTEGER_SHF_R_WRAP, "b32", "tttc", pto_step_integer},
    {"dp4a", 0, INTEGER_DP4A, SIGNS, "ctTc", pto_step_integer},
    {"dp2a.lo", 0, INTEGER_DP2A_LO, SIGNS, "ctTc", pto_step_integer},
    {"dp2a.hi", 0, INTEGER_DP2A_HI, SIGNS, "ctTc", pto_step_integer},
    {"cvt.pack", WORD_SAT, INTEGER_PACK, "u16.s32 s16.s32", "kkk", pto_step_integer},
    {"cvt.pack", WORD_SAT, INTEGER_PACK, "u8.s32.b32 s8.s32.b32 u4.s32.b32 s4.s32.b32 u2.s32.b32 s2.s32.b32",
     "kkkK", pto_step_integer},
};

enum { FORMS = sizeof forms / sizeof forms[0], TYPES = 3 };

/* ---- opcodes ---- */

struct integer_type {
    const char *name;
    pto_dtype type; /* type of an element */
    unsigned bits, elements;
    bool is_signed;
};

static const struct integer_type types[] = {
    {"u16", PTO_U16, 16, 1, false},   {"u32", PTO_U32, 32, 1, false},  {"u64", PTO_U64, 64, 1, false},
    {"s16", PTO_S16, 16, 1, true},    {"s32", PTO_S32, 32, 1, true},   {"s64", PTO_S64, 64, 1, true},
    {"b16", PTO_B16, 16, 1, false},   {"b32", PTO_B32, 32, 1, false},  {"b64", PTO_B64, 64, 1, false},
    {"u16x2", PTO_U16, 16, 2, false}, {"s16x2", PTO_S16, 16, 2, true}, {"u8x4", PTO_U8, 8, 4, false},
    {"s8x4", PTO_S8, 8, 4, true},     {"u8", PTO_U8, 8, 1, false},     {"s8", PTO_S8, 8, 1, true},
    {"b8", PTO_B8, 8, 1, false},      {"u4", PTO_U8, 4, 1, false},     {"s4", PTO_S8, 4, 1, true},
    {"u2", PTO_U8, 2, 1, false},      {"s2", PTO_S8, 2, 1, true},
};

static const struct {
    const char *name;
    enum word word;
} words[] = {{"sat", WORD_SAT},     {"cc", WORD_CC},     {"relu", WORD_RELU}, {"shiftamt", WORD_SHIFTAMT},
             {"clamp", WORD_CLAMP}, {"wrap", WORD_WRAP}, {"and", WORD_AND},   {"or", WORD_OR},
             {"f4e", WORD_F4E},     {"b4e", WORD_B4E},   {"rc8", WORD_RC8},   {"ecl", WORD_ECL},
             {"ecr", WORD_ECR},     {"rc16", WORD_RC16}};

/* A part of an opcode: the bytes before the first dot, or between two dots. */
struct piece {
    const char *at;
    size_t length;
};

/* Sets *p to the piece that starts at byte `offset` of the opcode. Returns false if the opcode is shorter. */
static bool piece_at(const struct token *opcode, size_t offset, struct piece *p) {
    if (offset > opcode->length) return false;
    p->at = opcode->at + offset;
    p->length = 0;
    while (offset + p->length < opcode->length && p->at[p->length] != '.') p->length++;
    return true;
}

static bool is_text(const struct piece *p, const char *text) {
    return strlen(text) == p->length && memcmp(p->at, text, p->length) == 0;
}

static const struct integer_type *type_named(const struct piece *p) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (is_text(p, types[i].name)) return &types[i];
    return NULL;
}

/* The parts of an opcode. */
struct opcode {
    struct piece name;
    unsigned words;
    const struct integer_type *type[TYPES];
    size_t types;
};

/* Returns whether the piece is the name of a form, or unless `whole` is set the part of such a name before
 * its dot. */
static bool is_name(const struct piece *p, bool whole) {
    for (size_t i = 0; i < FORMS; i++) {
        const char *name = forms[i].name;
        if (strncmp(name, p->at, p->length) == 0 &&
            (name[p->length] == 0 || (!whole && name[p->length] == '.')))
            return true;
    }
    return false;
}

/* Returns the name of an instruction: the first two pieces of an opcode if together they are the name of a
 * form without blanks; otherwise the first piece. */
static struct piece name_of(const struct statement *s) {
    struct piece name = {NULL, 0}, second;
    (void)piece_at(&s->opcode, 0, &name);
    if (piece_at(&s->opcode, name.length + 1, &second)) {
        const struct piece both = {name.at, name.length + 1 + second.length};
        if (both.length <= s->first_piece && is_name(&both, true)) return both;
    }
    return name;
}

bool pto_ptx_is_integer(const struct statement *s) {
    const struct piece name = name_of(s);
    struct piece p = name;
    if (!is_name(&name, false)) return false;
    for (size_t offset = name.length + 1; piece_at(&s->opcode, offset, &p); offset += p.length + 1)
        if (type_named(&p)) return true;
    return false;
}

/* ---- the checks of an opcode ---- */

static bool take_word(struct ptx *x, const struct statement *s, size_t offset, const struct piece *p,
                      struct opcode *o) {
    const struct integer_type *type = type_named(p);
    if (type && o->types < TYPES) {
        o->type[o->types++] = type;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!is_text(p, words[i].name)) continue;
        if (o->words & words[i].word & WORDS_ONCE)
            return pto_text_error_inside(&x->text, &s->opcode, offset, "this word is there twice");
        o->words |= words[i].word;
        return true;
    }
    return pto_text_error_inside(&x->text, &s->opcode, offset,
                                 "expected a type or a modifier of this instruction");
}

/* Reports that `name` is incomplete, such as mul without .lo or .hi, and lists the complete names. Returns
 * false. */
static bool name_more(struct ptx *x, const struct statement *s, const struct piece *name) {
    char names[64] = "";
    for (size_t i = 0; i < FORMS; i++) {
        const char *is = forms[i].name;
        if (strncmp(is, name->at, name->length) != 0 || is[name->length] != '.' || strstr(names, is))
            continue;
        if (strlen(names) + strlen(is) + 2 > sizeof names) break;
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), " %s", is);
    }
    return pto_text_error(&x->text, &s->opcode, "expected one of%s", names);
}

static bool take_words(struct ptx *x, const struct statement *s, struct opcode *o) {
    struct piece p;
    *o = (struct opcode){.name = name_of(s)};
    if (!is_name(&o->name, true)) return name_more(x, s, &o->name);
    for (size_t offset = o->name.length + 1; piece_at(&s->opcode, offset, &p); offset += p.length + 1)
        if (!take_word(x, s, offset, &p, o)) return false;
    return true;
}

/* Returns whether an item of a list of types, from `item` to `end`, has exactly the types of `o`. */
static bool item_is(const struct opcode *o, const char *item, const char *end) {
    for (size_t i = 0; i < o->types; i++) {
        const size_t length = strlen(o->type[i]->name);
        if (i != 0 && *item++ != '.') return false;
        if ((size_t)(end - item) < length || memcmp(item, o->type[i]->name, length) != 0) return false;
        item += length;
    }
    return item == end;
}

static bool has_types(const struct form *f, const struct opcode *o) {
    const char *item = f->types;
    for (;;) {
        const char *end = item + strcspn(item, " ");
        if (item_is(o, item, end)) return true;
        if (*end == 0) return false;
        item = end + 1;
    }
}

/* Returns the number of types in the first item of a list; all items of a list have the same number. */
static size_t type_count(const char *list) {
    size_t count = 1;
    for (; *list != 0 && *list != ' '; list++) count += *list == '.';
    return count;
}

/* Reports why no form fits an opcode. Returns NULL. */
static const struct form *no_form(struct ptx *x, const struct statement *s, const struct opcode *o) {
    const int length = (int)o->name.length;
    size_t count = 0;
    bool typed = false;
    for (size_t i = 0; i < FORMS; i++) {
        if (!is_text(&o->name, forms[i].name)) continue;
        count = type_count(forms[i].types);
        typed = typed || has_types(&forms[i], o);
    }
    if (typed)
        (void)pto_text_error(
            &x->text, &s->opcode,
            "this combination of modifiers does not exist, or %.*s.%s needs another modifier", length,
            o->name.at, o->type[0]->name);
    else if (o->types != count)
        (void)pto_text_error(&x->text, &s->opcode, "expected %zu type%s", count, count == 1 ? "" : "s");
    else
        (void)pto_text_error(&x->text, &s->opcode, "%.*s does not take .%s here", length, o->name.at,
                             o->type[0]->name);
    return NULL;
}

static const struct form *form_of(struct ptx *x, const struct statement *s, const struct opcode *o) {
    for (size_t i = 0; i < FORMS; i++)
        if (is_text(&o->name, forms[i].name) && forms[i].words == o->words && has_types(&forms[i], o))
            return &forms[i];
    return no_form(x, s, o);
}

/* ---- operands ---- */

static struct requirement requirement_of(const struct integer_type *t) {
    if (t->elements > 1) return (struct requirement){.type = PTO_B32, .packed = true};
    return (struct requirement){.type = t->type};
}

static pto_dtype wide_type(const struct integer_type *t) {
    if (t->bits == 16) return t->is_signed ? PTO_S32 : PTO_U32;
    return t->is_signed ? PTO_S64 : PTO_U64;
}

static struct requirement requirement_of_letter(char letter, const struct opcode *o) {
    switch (letter) {
    case 'T': return requirement_of(o->type[1]);
    case 'w': return (struct requirement){.type = wide_type(o->type[0])};
    case 'c':
    case 'p': return (struct requirement){.type = PTO_U32, .plain = true};
    case 'k': return (struct requirement){.type = PTO_S32, .wider = true};
    case 'K': return (struct requirement){.type = PTO_B32, .wider = true};
    default: return requirement_of(o->type[0]);
    }
}

static bool is_integer_constant(const struct operand *o) {
    return o->kind == OPERAND_NUMBER &&
           (o->number.kind == CONSTANT_SIGNED || o->number.kind == CONSTANT_UNSIGNED);
}

static int hidden(struct ptx *x, pto_dtype type, bool predicate) {
    const int reg = pto_ir_add(x->program, REG_HIDDEN, 0, NULL, type, predicate);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

static bool is_wide(const struct ptx *x, int reg) {
    return reg != ABSENT && pto_reg_bits(&x->program->regs[reg]) == 64;
}

static struct step halves(const struct statement *s, step_fn *run) {
    struct step step = pto_step_of(run, s->opcode.line);
    step.parameters.typed = (struct typed_parameters){.type = PTO_B32, .elements_per_lane = 2};
    return step;
}

/* If `reg` has 64 bits, returns a hidden register with the low half of `reg`; otherwise returns `reg`. */
static int low_half(struct ptx *x, const struct statement *s, int reg) {
    struct step step = halves(s, pto_step_split);
    if (!is_wide(x, reg)) return reg;
    step.src[0] = reg;
    step.dst[0] = hidden(x, PTO_B32, false);
    if (step.dst[0] == ABSENT || pto_ir_step(x->program, &step, &s->opcode)) return step.dst[0];
    (void)pto_ptx_no_memory(x);
    return ABSENT;
}

static int source(struct ptx *x, const struct statement *s, size_t i, char letter, const struct opcode *o) {
    const struct operand *operand = &s->operand[i];
    const bool wider = letter == 'k' || letter == 'K';
    int reg;
    if (letter == 'p' && is_integer_constant(operand) && operand->number.bits > 255) {
        (void)pto_text_error(&x->text, &operand->token, "expected a number from 0 to 255");
        return ABSENT;
    }
    if (wider && operand->kind == OPERAND_NAME && pto_ptx_is_special(x, &operand->token)) {
        (void)pto_text_error(&x->text, &operand->token, "only mov and cvt read special registers");
        return ABSENT;
    }
    reg = pto_ptx_source(x, operand, requirement_of_letter(letter, o));
    return wider ? low_half(x, s, reg) : reg;
}

/* ---- steps ---- */

/* Returns the register of the carry flag. `partial` is set so that its lanes are 0 until a statement sets
 * them. */
static int carry_flag(struct ptx *x) {
    if (x->carry == ABSENT) {
        x->carry = hidden(x, PTO_U32, false);
        if (x->carry != ABSENT) x->program->regs[x->carry].partial = true;
    }
    return x->carry;
}

static bool uses_carry(enum integer_op op) {
    return op >= INTEGER_ADD_CARRY && op <= INTEGER_MAD_HI_CARRY_SAT;
}

/* Sets the carry flags that an operation reads and writes. An instruction that does not read the flag gets a
 * constant: 0, which is no carry, or for a subtraction 1, which is no borrow. */
static bool take_carry(struct ptx *x, const struct form *f, struct step *step) {
    const char *dot = strchr(f->name, '.');
    const bool reads = f->name[(dot ? (size_t)(dot - f->name) : strlen(f->name)) - 1] == 'c';
    step->src[3] = reads ? carry_flag(x)
                         : pto_ir_constant(x->program, PTO_U32, false, f->op == INTEGER_SUB_CARRY ? 1 : 0);
    if (f->words & WORD_CC) step->dst[1] = carry_flag(x);
    return (step->src[3] != ABSENT && (!(f->words & WORD_CC) || step->dst[1] != ABSENT)) ||
           pto_ptx_no_memory(x);
}

static struct integer_parameters parameters_of(const struct form *f, const struct opcode *o) {
    return (struct integer_parameters){.op = f->op,
                                       .bits = o->type[0]->bits,
                                       .is_signed = o->type[0]->is_signed,
                                       .b_is_signed = o->types > 1 && o->type[1]->is_signed,
                                       .part_bits = o->type[0]->bits,
                                       .lane_elements = o->type[0]->elements};
}

/* Sets the result d of lop3. If the text has `_`, d is a hidden register, because the step always writes
 * d. */
static bool take_lop3_result(struct ptx *x, const struct operand *d, struct step *step) {
    const struct operand name = {.kind = OPERAND_NAME, .token = d->token};
    const bool sink = pto_token_is(&d->token, "_");
    step->dst[0] =
        sink ? hidden(x, PTO_B32, false) : pto_ptx_result(x, &name, (struct requirement){.type = PTO_B32});
    return !x->text.failed;
}

static bool check_table(struct ptx *x, const struct operand *table) {
    return is_integer_constant(table) ||
           pto_text_error(&x->text, &table->token, "expected a constant integer");
}

static bool make_lop3(struct ptx *x, const struct statement *s, struct step *step) {
    const struct operand *d = &s->operand[0];
    if (d->kind != OPERAND_SINK && (d->kind != OPERAND_NAME || d->negated))
        return pto_text_error(&x->text, &d->token, "expected one register to write");
    if (!check_table(x, &s->operand[4]) || !take_lop3_result(x, d, step)) return false;
    step->parameters.integer.table = (unsigned)s->operand[4].number.bits & 0xff;
    return pto_ptx_step(x, s, step);
}

/* Returns the register of a predicate operand. If the operand has a "!", appends a step that inverts the
 * predicate, and returns the register of the result. */
static int true_predicate(struct ptx *x, const struct statement *s, const struct operand *o) {
    struct step invert = pto_step_of(pto_step_pnot, s->opcode.line);
    bool negated;
    invert.src[0] = pto_ptx_predicate(x, o, &negated);
    if (invert.src[0] == ABSENT || !negated) return invert.src[0];
    invert.dst[0] = hidden(x, PTO_B8, true);
    if (invert.dst[0] == ABSENT || pto_ir_step(x->program, &invert, &s->opcode)) return invert.dst[0];
    (void)pto_ptx_no_memory(x);
    return ABSENT;
}

/* Appends the steps of lop3 with a predicate result p, which is "(d != 0) and q" or "(d != 0) or q". */
static bool make_lop3_test(struct ptx *x, const struct statement *s, const struct form *f,
                           struct step *step) {
    const struct operand *d = &s->operand[0];
    struct step combine = pto_step_of(f->words & WORD_AND ? pto_step_pand : pto_step_por, s->opcode.line);
    if (d->kind != OPERAND_PAIR || d->count != 2 || pto_token_is(&d->part[1].token, "_"))
        return pto_text_error(&x->text, &d->token, "expected a result and a predicate, d|p");
    if (!check_table(x, &s->operand[4]) || !take_lop3_result(x, d, step)) return false;
    step->parameters.integer.table = (unsigned)s->operand[4].number.bits & 0xff;
    combine.src[0] = step->dst[1] = hidden(x, PTO_B8, true);
    combine.src[1] = true_predicate(x, s, &s->operand[5]);
    combine.dst[0] = pto_ptx_predicate_result(x, &d->part[1].token);
    return !x->text.failed && pto_ptx_step(x, s, step) && pto_ptx_step(x, s, &combine);
}

/* Appends a step whose result register has 64 bits. The operation computes the low half; the high half is
 * 0. */
static bool make_wider(struct ptx *x, const struct statement *s, struct step *step) {
    struct step join = halves(s, pto_step_join);
    join.dst[0] = step->dst[0];
    join.src[0] = step->dst[0] = hidden(x, PTO_B32, false);
    join.src[1] = pto_ir_constant(x->program, PTO_B32, false, 0);
    if (join.src[0] == ABSENT || join.src[1] == ABSENT) return pto_ptx_no_memory(x);
    return pto_ptx_step(x, s, step) && pto_ptx_step(x, s, &join);
}

bool pto_ptx_make_integer(struct ptx *x, const struct statement *s) {
    struct step step;
    struct opcode o;
    const struct form *f;
    const struct integer_type *type;
    if (!take_words(x, s, &o)) return false;
    f = form_of(x, s, &o);
    type = f ? o.type[0] : NULL; /* every form has a type */
    if (!type || !pto_ptx_operand_count(x, s, strlen(f->operands))) return false;
    step = pto_step_of(f->run, s->opcode.line);
    if (f->run == pto_step_integer)
        step.parameters.integer = parameters_of(f, &o);
    else
        step.parameters.typed =
            (struct typed_parameters){.type = type->type, .elements_per_lane = type->elements};
    if (f->operands[0] != 'l' && f->operands[0] != 'L')
        step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of_letter(f->operands[0], &o));
    for (size_t i = 1; f->operands[i] != 0; i++)
        if (f->operands[i] != 'i' && f->operands[i] != 'q')
            step.src[i - 1] = source(x, s, i, f->operands[i], &o);
    if (uses_carry(f->op) && !take_carry(x, f, &step)) return false;
    switch (f->operands[0]) {
    case 'l': return make_lop3(x, s, &step);
    case 'L': return make_lop3_test(x, s, f, &step);
    case 'k': return is_wide(x, step.dst[0]) ? make_wider(x, s, &step) : pto_ptx_step(x, s, &step);
    default: return pto_ptx_step(x, s, &step);
    }
}
