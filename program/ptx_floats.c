/* SPDX-License-Identifier: MIT */
/* The table of PTX instructions on floats, and the functions that check their types, modifiers and operands and append
 * the steps. */
#include "ptx_floats.h"

#include "floats.h"

#include <string.h>

/* ---- the words of an opcode ---- */

/* The words of an opcode that are not types, as bits. An instruction has exactly one of the bits KIND_...;
 * KIND_NONE is set if the opcode has no such word. */
enum {
    KIND_NONE = 1,
    KIND_RN = 2,
    KIND_RZ = 4,
    KIND_RM = 8,
    KIND_RP = 16,
    KIND_APPROX = 32,
    KIND_FULL = 64,
    KINDS = 127,
    WORD_FTZ = 128,
    WORD_SAT = 256,
    WORD_RELU = 512,
    WORD_NAN = 1024,
    WORD_ABS = 2048,
    /* classes of testp */
    CLASS_FINITE = 1 << 12,
    CLASS_INFINITE = 1 << 13,
    CLASS_NUMBER = 1 << 14,
    CLASS_NAN = 1 << 15,
    CLASS_NORMAL = 1 << 16,
    CLASS_SUBNORMAL = 1 << 17,
    CLASSES = 63 << 12,
    ROUNDINGS = KIND_RN | KIND_RZ | KIND_RM | KIND_RP
};

/* Types. The types from F16X2 on have two elements. */
enum float_type { F16, BF16, F32, F64, F16X2, BF16X2, F32X2, TYPE_COUNT };

static const char *const type_names[TYPE_COUNT] = {"f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "f32x2"};

enum {
    BIT_F16 = 1 << F16 | 1 << F16X2,
    BIT_BF16 = 1 << BF16 | 1 << BF16X2,
    BIT_F32 = 1 << F32,
    BIT_F64 = 1 << F64,
    BIT_F32X2 = 1 << F32X2
};

static const struct {
    const char *word;
    unsigned bit;
} known_words[] = {{"rn", KIND_RN},
                   {"rz", KIND_RZ},
                   {"rm", KIND_RM},
                   {"rp", KIND_RP},
                   {"approx", KIND_APPROX},
                   {"full", KIND_FULL},
                   {"ftz", WORD_FTZ},
                   {"sat", WORD_SAT},
                   {"relu", WORD_RELU},
                   {"NaN", WORD_NAN},
                   {"abs", WORD_ABS},
                   {"finite", CLASS_FINITE},
                   {"infinite", CLASS_INFINITE},
                   {"number", CLASS_NUMBER},
                   {"notanumber", CLASS_NAN},
                   {"normal", CLASS_NORMAL},
                   {"subnormal", CLASS_SUBNORMAL}};

struct opcode_words {
    unsigned modifiers;
    enum float_type type[2];
    size_t types;
};

static bool word_is(const char *at, size_t length, const char *word) {
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static enum float_type type_of(const char *at, size_t length) {
    enum float_type type = F16;
    while (type < TYPE_COUNT && !word_is(at, length, type_names[type])) type++;
    return type;
}

static unsigned modifier_of(const char *at, size_t length) {
    for (size_t i = 0; i < sizeof known_words / sizeof known_words[0]; i++)
        if (word_is(at, length, known_words[i].word)) return known_words[i].bit;
    return 0;
}

static size_t name_length(const struct token *opcode) {
    const char *dot = memchr(opcode->at, '.', opcode->length);
    return dot ? (size_t)(dot - opcode->at) : opcode->length;
}

/* Returns the length of the word that starts at byte `offset` of the opcode. */
static size_t word_length(const struct token *opcode, size_t offset) {
    const char *dot = memchr(opcode->at + offset, '.', opcode->length - offset);
    return dot ? (size_t)(dot - opcode->at) - offset : opcode->length - offset;
}

static bool take_word(struct ptx *x, const struct token *opcode, size_t offset, size_t length,
                      struct opcode_words *w) {
    const enum float_type type = type_of(opcode->at + offset, length);
    const unsigned modifier = modifier_of(opcode->at + offset, length);
    if (type < TYPE_COUNT && w->types < 2) {
        w->type[w->types++] = type;
        return true;
    }
    if (!modifier)
        return pto_text_error_inside(&x->text, opcode, offset,
                                     "expected a type or a modifier of this instruction");
    if (w->modifiers & modifier)
        return pto_text_error_inside(&x->text, opcode, offset, "this word is there twice");
    w->modifiers |= modifier;
    return true;
}

static bool take_words(struct ptx *x, const struct token *opcode, struct opcode_words *w) {
    size_t length;
    *w = (struct opcode_words){0};
    for (size_t offset = name_length(opcode); offset < opcode->length; offset += length) {
        length = word_length(opcode, ++offset);
        if (!take_word(x, opcode, offset, length, w)) return false;
    }
    if (!(w->modifiers & KINDS)) w->modifiers |= KIND_NONE;
    return true;
}

/* ---- the table ---- */

/* A form of an instruction. `types` has a bit for each type of the result that is allowed. The sources have
 * the same type, unless the opcode has a second type, one of `others`: then all sources except the last one
 * have the second type. One of the bits in `kinds` must be present, and all in `required`. At least one bit
 * in `exclusive` must be absent. */
struct form {
    const char *name;
    enum arithmetic op;
    unsigned sources, types, others, kinds, allowed, required, exclusive;
};

enum { ANY_KIND = KIND_NONE | ROUNDINGS, RN_OR_NONE = KIND_NONE | KIND_RN };

static const struct form forms[] = {
    {"add", ARITHMETIC_ADD, 2, BIT_F16, 0, RN_OR_NONE, WORD_FTZ | WORD_SAT, 0, 0},
    {"add", ARITHMETIC_ADD, 2, BIT_BF16, 0, RN_OR_NONE, 0, 0, 0},
    {"add", ARITHMETIC_ADD, 2, BIT_F32, 0, ANY_KIND, WORD_FTZ | WORD_SAT, 0, 0},
    {"add", ARITHMETIC_ADD, 2, BIT_F64, 0, ANY_KIND, 0, 0, 0},
    {"add", ARITHMETIC_ADD, 2, BIT_F32X2, 0, ANY_KIND, WORD_FTZ, 0, 0},
    {"sub", ARITHMETIC_SUB, 2, BIT_F16, 0, RN_OR_NONE, WORD_FTZ | WORD_SAT, 0, 0},
    {"sub", ARITHMETIC_SUB, 2, BIT_BF16, 0, RN_OR_NONE, 0, 0, 0},
    {"sub", ARITHMETIC_SUB, 2, BIT_F32, 0, ANY_KIND, WORD_FTZ | WORD_SAT, 0, 0},
    {"sub", ARITHMETIC_SUB, 2, BIT_F64, 0, ANY_KIND, 0, 0, 0},
    {"sub", ARITHMETIC_SUB, 2, BIT_F32X2, 0, ANY_KIND, WORD_FTZ, 0, 0},
    {"mul", ARITHMETIC_MUL, 2, BIT_F16, 0, RN_OR_NONE, WORD_FTZ | WORD_SAT, 0, 0},
    {"mul", ARITHMETIC_MUL, 2, BIT_BF16, 0, RN_OR_NONE, 0, 0, 0},
    {"mul", ARITHMETIC_MUL, 2, BIT_F32, 0, ANY_KIND, WORD_FTZ | WORD_SAT, 0, 0},
    {"mul", ARITHMETIC_MUL, 2, BIT_F64, 0, ANY_KIND, 0, 0, 0},
    {"mul", ARITHMETIC_MUL, 2, BIT_F32X2, 0, ANY_KIND, WORD_FTZ, 0, 0},
    {"add", ARITHMETIC_ADD, 2, BIT_F32, 1 << F16 | 1 << BF16, ANY_KIND, WORD_SAT, 0, 0},
    {"sub", ARITHMETIC_SUB, 2, BIT_F32, 1 << F16 | 1 << BF16, ANY_KIND, WORD_SAT, 0, 0},
    {"fma", ARITHMETIC_FMA, 3, BIT_F16, 0, KIND_RN, WORD_FTZ | WORD_SAT | WORD_RELU, 0, WORD_SAT | WORD_RELU},
    {"fma", ARITHMETIC_FMA, 3, BIT_BF16, 0, ROUNDINGS, WORD_RELU, 0, 0},
    {"fma", ARITHMETIC_FMA, 3, BIT_F32, 0, ROUNDINGS, WORD_FTZ | WORD_SAT, 0, 0},
    {"fma", ARITHMETIC_FMA, 3, BIT_F64, 0, ROUNDINGS, 0, 0, 0},
    {"fma", ARITHMETIC_FMA, 3, BIT_F32X2, 0, ROUNDINGS, WORD_FTZ, 0, 0},
    {"fma", ARITHMETIC_FMA, 3, BIT_F32, 1 << F16 | 1 << BF16, ROUNDINGS, WORD_SAT, 0, 0},
    {"neg", ARITHMETIC_NEG, 1, BIT_F16 | BIT_F32, 0, KIND_NONE, WORD_FTZ, 0, 0},
    {"neg", ARITHMETIC_NEG, 1, BIT_BF16 | BIT_F64, 0, KIND_NONE, 0, 0, 0},
    {"abs", ARITHMETIC_ABS, 1, BIT_F16 | BIT_F32, 0, KIND_NONE, WORD_FTZ, 0, 0},
    {"abs", ARITHMETIC_ABS, 1, BIT_BF16 | BIT_F64, 0, KIND_NONE, 0, 0, 0},
    {"copysign", ARITHMETIC_COPYSIGN, 2, BIT_F32 | BIT_F64, 0, KIND_NONE, 0, 0, 0},
    {"div", ARITHMETIC_DIV, 2, BIT_F32, 0, ROUNDINGS | KIND_FULL, WORD_FTZ, 0, 0},
    {"div", ARITHMETIC_DIV_APPROX, 2, BIT_F32, 0, KIND_APPROX, WORD_FTZ, 0, 0},
    {"div", ARITHMETIC_DIV, 2, BIT_F64, 0, ROUNDINGS, 0, 0, 0},
    {"rcp", ARITHMETIC_RCP, 1, BIT_F32, 0, ROUNDINGS | KIND_APPROX, WORD_FTZ, 0, 0},
    {"rcp", ARITHMETIC_RCP, 1, BIT_F64, 0, ROUNDINGS, WORD_FTZ, 0, 0},
    {"sqrt", ARITHMETIC_SQRT, 1, BIT_F32, 0, ROUNDINGS | KIND_APPROX, WORD_FTZ, 0, 0},
    {"sqrt", ARITHMETIC_SQRT, 1, BIT_F64, 0, ROUNDINGS, 0, 0, 0},
    {"rcp", ARITHMETIC_RCP_HIGH, 1, BIT_F64, 0, KIND_APPROX, WORD_FTZ, WORD_FTZ, 0},
    {"rsqrt", ARITHMETIC_RSQRT, 1, BIT_F32, 0, KIND_APPROX, WORD_FTZ, 0, 0},
    {"rsqrt", ARITHMETIC_RSQRT, 1, BIT_F64, 0, KIND_APPROX, 0, 0, 0},
    {"rsqrt", ARITHMETIC_RSQRT_HIGH, 1, BIT_F64, 0, KIND_APPROX, WORD_FTZ, WORD_FTZ, 0},
    {"ex2", ARITHMETIC_EX2, 1, BIT_F16, 0, KIND_APPROX, 0, 0, 0},
    {"ex2", ARITHMETIC_EX2, 1, BIT_BF16, 0, KIND_APPROX, WORD_FTZ, WORD_FTZ, 0},
    {"ex2", ARITHMETIC_EX2, 1, BIT_F32, 0, KIND_APPROX, WORD_FTZ, 0, 0},
    {"lg2", ARITHMETIC_LG2, 1, BIT_F32, 0, KIND_APPROX, WORD_FTZ, 0, 0},
    {"sin", ARITHMETIC_SIN, 1, BIT_F32, 0, KIND_APPROX, WORD_FTZ, 0, 0},
    {"cos", ARITHMETIC_COS, 1, BIT_F32, 0, KIND_APPROX, WORD_FTZ, 0, 0},
    {"tanh", ARITHMETIC_TANH, 1, BIT_F16 | BIT_BF16 | BIT_F32, 0, KIND_APPROX, 0, 0, 0},
};

enum { FORMS = sizeof forms / sizeof forms[0] };

static bool has_name(const struct form *f, const struct token *opcode) {
    return word_is(opcode->at, name_length(opcode), f->name);
}

static bool fits_types(const struct form *f, const struct opcode_words *w) {
    if (w->types == 0 || w->types > 2 || !(f->types >> w->type[0] & 1)) return false;
    return w->types == 1 ? f->others == 0 : f->others >> w->type[1] & 1;
}

static bool fits_modifiers(const struct form *f, unsigned modifiers) {
    const unsigned kind = modifiers & KINDS, rest = modifiers & ~(unsigned)KINDS;
    return (kind & (kind - 1)) == 0 && (kind & f->kinds) != 0 && (rest & ~f->allowed) == 0 &&
           (rest & f->required) == f->required &&
           (f->exclusive == 0 || (rest & f->exclusive) != f->exclusive);
}

/* Returns the form that fits an opcode, or NULL after an error. */
static const struct form *find_form(struct ptx *x, const struct token *opcode, const struct opcode_words *w) {
    const struct form *same_types = NULL;
    for (size_t i = 0; i < FORMS; i++) {
        if (!has_name(&forms[i], opcode) || !fits_types(&forms[i], w)) continue;
        if (fits_modifiers(&forms[i], w->modifiers)) return &forms[i];
        if (!same_types) same_types = &forms[i];
    }
    if (!same_types)
        (void)pto_text_error(&x->text, opcode, "expected another type for this instruction");
    else if (w->modifiers & KIND_NONE & ~same_types->kinds)
        (void)pto_text_error(&x->text, opcode,
                             same_types->kinds & KIND_RN ? "expected a rounding, .rn" : "expected .approx");
    else
        (void)pto_text_error(&x->text, opcode, "a modifier that %s.%s does not have here, or one is missing",
                             same_types->name, type_names[w->type[0]]);
    return NULL;
}

/* ---- operands and steps ---- */

/* Returns the requirement on a register. PTX has no declarations of bf16 and bf16x2, so declared registers of
 * these types are untyped bits. For f32x2, NVIDIA's assembler requires untyped bits. */
static struct requirement requirement_of(enum float_type type) {
    static const pto_dtype types[TYPE_COUNT] = {PTO_F16,   PTO_BF16,   PTO_F32, PTO_F64,
                                                PTO_F16X2, PTO_BF16X2, PTO_B64};
    return (struct requirement){.type = types[type], .untyped_only = type == F32X2};
}

static struct typed_parameters parameters_of(enum float_type type, unsigned modifiers) {
    static const pto_dtype elements[TYPE_COUNT] = {PTO_F16, PTO_BF16, PTO_F32, PTO_F64,
                                                   PTO_F16, PTO_BF16, PTO_F32};
    return (struct typed_parameters){.type = elements[type],
                                     .elements_per_lane = type >= F16X2 ? 2 : 1,
                                     .round = modifiers & KIND_RZ   ? PTO_RZ
                                              : modifiers & KIND_RM ? PTO_RM
                                              : modifiers & KIND_RP ? PTO_RP
                                                                    : PTO_RN,
                                     .ftz = (modifiers & WORD_FTZ) != 0,
                                     .sat = (modifiers & WORD_SAT) != 0,
                                     .relu = (modifiers & WORD_RELU) != 0};
}

static bool check_operand_count(struct ptx *x, const struct statement *s, size_t count) {
    const struct token *last = s->count > count ? &s->operand[count].token : &x->text.now;
    return s->count == count || pto_text_error(&x->text, last, "expected %zu operands", count);
}

/* Appends a step that runs for all lanes and has a hidden f32 register as its result. Returns this register,
 * or ABSENT after an error. */
static int hidden_f32(struct ptx *x, const struct statement *s, struct step *step) {
    step->dst[0] = pto_ir_add(x->program, REG_HIDDEN, 0, NULL, PTO_F32, false);
    if (step->dst[0] != ABSENT && pto_ir_step(x->program, step, &s->opcode)) return step->dst[0];
    (void)pto_ptx_no_memory(x);
    return ABSENT;
}

/* Appends a step that converts the source `o`, a register of f16 or bf16, to f32. Returns the hidden register
 * with the result, or ABSENT after an error. */
static int widened_source(struct ptx *x, const struct statement *s, const struct operand *o,
                          enum float_type type) {
    struct step step = pto_step_of(pto_step_cvt, s->opcode.line);
    if (o->kind != OPERAND_NAME) {
        (void)pto_text_error(&x->text, &o->token, "expected a register of type .%s", type_names[type]);
        return ABSENT;
    }
    step.src[0] = pto_ptx_source(x, o, requirement_of(type));
    step.parameters.cvt =
        (struct cvt_parameters){{.dst = PTO_F32, .src = type == F16 ? PTO_F16 : PTO_BF16}, 1, 16, 32, false};
    return step.src[0] == ABSENT ? ABSENT : hidden_f32(x, s, &step);
}

static bool make_form(struct ptx *x, const struct statement *s, const struct form *f,
                      const struct opcode_words *w) {
    struct step step = pto_step_of(pto_step_float, s->opcode.line);
    if (!check_operand_count(x, s, f->sources + 1)) return false;
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(w->type[0]));
    for (size_t i = 0; i < f->sources; i++)
        step.src[i] = w->types == 2 && i + 1 < f->sources
                          ? widened_source(x, s, &s->operand[i + 1], w->type[1])
                          : pto_ptx_source(x, &s->operand[i + 1], requirement_of(w->type[0]));
    step.parameters.typed = parameters_of(w->type[0], w->modifiers);
    step.parameters.typed.operation = f->op;
    return pto_ptx_step(x, s, &step);
}

/* ---- min and max of three ---- */

static bool is_three_input(const struct statement *s) {
    const size_t length = name_length(&s->opcode);
    return s->count == 4 && (word_is(s->opcode.at, length, "min") || word_is(s->opcode.at, length, "max"));
}

static bool make_three_input(struct ptx *x, const struct statement *s, const struct opcode_words *w) {
    const bool is_max = s->opcode.at[1] == 'a';
    struct step absolute = pto_step_of(pto_step_abs, s->opcode.line);
    struct step first = pto_step_of(is_max ? pto_step_max : pto_step_min, s->opcode.line), second;
    int source[3];
    if (w->types != 1 || w->type[0] != F32)
        return pto_text_error(&x->text, &s->opcode, "only min and max of .f32 have three sources");
    if (w->modifiers & ~(unsigned)(KIND_NONE | WORD_FTZ | WORD_NAN | WORD_ABS))
        return pto_text_error(&x->text, &s->opcode,
                              "a modifier that min and max of three sources do not have");
    absolute.parameters.typed = first.parameters.typed = parameters_of(F32, w->modifiers);
    first.parameters.typed.flags =
        (w->modifiers & WORD_FTZ ? PTO_FTZ : 0U) | (w->modifiers & WORD_NAN ? PTO_PROPAGATE_NAN : 0U);
    second = first;
    second.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(F32));
    for (size_t i = 0; i < 3; i++) {
        source[i] = pto_ptx_source(x, &s->operand[i + 1], requirement_of(F32));
        if (x->text.failed) return false;
        absolute.src[0] = source[i];
        if (w->modifiers & WORD_ABS) source[i] = hidden_f32(x, s, &absolute);
    }
    first.src[0] = source[0];
    first.src[1] = source[1];
    second.src[0] = x->text.failed ? ABSENT : hidden_f32(x, s, &first);
    second.src[1] = source[2];
    return pto_ptx_step(x, s, &second);
}

/* ---- testp ---- */

static bool is_testp(const struct statement *s) {
    return word_is(s->opcode.at, name_length(&s->opcode), "testp");
}

static bool make_testp(struct ptx *x, const struct statement *s, const struct opcode_words *w) {
    static const pto_float_test tests[] = {PTO_TEST_FINITE,     PTO_TEST_INFINITE, PTO_TEST_NUMBER,
                                           PTO_TEST_NOTANUMBER, PTO_TEST_NORMAL,   PTO_TEST_SUBNORMAL};
    struct step step = pto_step_of(pto_step_testp, s->opcode.line);
    const unsigned class = w->modifiers & CLASSES;
    size_t number = 0;
    if (w->types != 1 || (w->type[0] != F32 && w->type[0] != F64) || class == 0 ||
        (class & (class - 1)) != 0 || w->modifiers != (class | KIND_NONE))
        return pto_text_error(&x->text, &s->opcode, "expected one class and one type, .f32 or .f64");
    if (!check_operand_count(x, s, 2)) return false;
    if (s->operand[0].kind != OPERAND_NAME || s->operand[0].negated)
        return pto_text_error(&x->text, &s->operand[0].token, "expected a predicate to write");
    step.dst[0] = pto_ptx_predicate_result(x, &s->operand[0].token);
    step.src[0] = pto_ptx_source(x, &s->operand[1], requirement_of(w->type[0]));
    while (!(class >> number & CLASS_FINITE)) number++;
    step.parameters.typed = parameters_of(w->type[0], w->modifiers);
    step.parameters.typed.operation = tests[number];
    return pto_ptx_step(x, s, &step);
}

/* ---- the interface ---- */

/* Returns whether a word of the opcode is a float type. */
static bool has_float_type(const struct token *opcode) {
    size_t length;
    for (size_t offset = name_length(opcode); offset < opcode->length; offset += length) {
        length = word_length(opcode, ++offset);
        if (type_of(opcode->at + offset, length) < TYPE_COUNT) return true;
    }
    return false;
}

bool pto_ptx_is_float(const struct statement *s) {
    if (!has_float_type(&s->opcode)) return false;
    if (is_three_input(s) || is_testp(s)) return true;
    for (size_t i = 0; i < FORMS; i++)
        if (has_name(&forms[i], &s->opcode)) return true;
    return false;
}

bool pto_ptx_float(struct ptx *x, const struct statement *s, const struct instruction *row) {
    struct opcode_words w;
    const struct form *f;
    (void)row;
    if (!take_words(x, &s->opcode, &w)) return false;
    if (is_testp(s)) return make_testp(x, s, &w);
    if (is_three_input(s)) return make_three_input(x, s, &w);
    f = find_form(x, &s->opcode, &w);
    return f && make_form(x, s, f, &w);
}
