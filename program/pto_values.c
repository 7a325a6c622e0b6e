/* SPDX-License-Identifier: MIT */
/* Parses the types in PTO text, and manages its values. */
#include "pto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pto_no_memory(struct pto_front *f) {
    return pto_text_error(&f->text, &f->text.now, "there is not enough memory");
}

/* ---- elements ---- */

struct spelling {
    const char *word;
    pto_dtype type;
};

/* If a type has several spellings, error messages use the first one. */
static const struct spelling spellings[] = {
    {"f32", PTO_F32},       {"f16", PTO_F16},       {"bf16", PTO_BF16},         {"i8", PTO_S8},
    {"i16", PTO_S16},       {"i32", PTO_S32},       {"i64", PTO_S64},           {"si8", PTO_S8},
    {"si16", PTO_S16},      {"si32", PTO_S32},      {"si64", PTO_S64},          {"ui8", PTO_U8},
    {"ui16", PTO_U16},      {"ui32", PTO_U32},      {"ui64", PTO_U64},          {"s8", PTO_S8},
    {"s16", PTO_S16},       {"s32", PTO_S32},       {"s64", PTO_S64},           {"u8", PTO_U8},
    {"u16", PTO_U16},       {"u32", PTO_U32},       {"u64", PTO_U64},           {"f8E4M3FN", PTO_E4M3},
    {"f8E5M2", PTO_E5M2},   {"f8E4M3", PTO_E4M3},   {"f8e4m3", PTO_E4M3},       {"f8e5m2", PTO_E5M2},
    {"e4m3", PTO_E4M3},     {"e5m2", PTO_E5M2},     {"hif8", PTO_HIF8},         {"pto.hif8", PTO_HIF8},
    {"f4E2M1x2", PTO_E2M1}, {"f4E1M2x2", PTO_E1M2}, {"pto.f4E2M1x2", PTO_E2M1}, {"pto.f4E1M2x2", PTO_E1M2},
    {"f4e2m1x2", PTO_E2M1}, {"f4e1m2x2", PTO_E1M2},
};

bool pto_element_find(const char *at, size_t length, pto_dtype *type) {
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strlen(spellings[i].word) == length && memcmp(spellings[i].word, at, length) == 0) {
            *type = spellings[i].type;
            return true;
        }
    return false;
}

const char *pto_type_spelling(pto_dtype type) {
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (spellings[i].type == type) return spellings[i].word;
    return pto_dtype_name(type);
}

unsigned pto_lane_of(pto_dtype type) {
    const unsigned bits = (unsigned)pto_dtype_bits(type);
    return bits < 8 ? 8 : bits;
}

/* ---- types ---- */

static bool element_error(struct pto_front *f, const struct token *token, size_t offset) {
    return pto_text_error_inside(
        &f->text, token, offset,
        "expected a type of elements: f32, f16, bf16, i8 to i64, ui8 to ui64, f8E4M3FN, f8E5M2, hif8");
}

/* Checks that a type has as many lanes as a vector register of 256 bytes. A pair of 4-bit codes is one lane.
 * 0 lanes stand for a placeholder, which is accepted. */
static bool check_lanes(struct pto_front *f, const struct token *token, size_t lanes, pto_dtype type) {
    const size_t wanted = VECTOR_BITS / pto_lane_of(type);
    if (lanes == 0 || lanes == wanted) return true;
    return pto_text_error(&f->text, token, "expected %zux%s: a register has 256 bytes", wanted,
                          pto_type_spelling(type));
}

/* Returns the length of a shape such as "64x" or "Nx" at the start of a token, or 0 if the token has no
 * shape. Sets *lanes to the number of the shape, or to 0 if it is a letter. */
static size_t shape_length(const struct token *token, size_t *lanes) {
    size_t i = 0;
    *lanes = 0;
    if (token->kind == TOKEN_WORD) return token->length > 1 && token->at[1] == 'x' ? 2 : 0;
    for (; i < token->length && token->at[i] >= '0' && token->at[i] <= '9' && i < 6; i++)
        *lanes = *lanes * 10 + (size_t)(token->at[i] - '0');
    return i < token->length && token->at[i] == 'x' ? i + 1 : 0;
}

/* Reads the rest of a vector type: <64xf32>, <NxT> or <256x!pto.hif8>. */
static bool read_vector(struct pto_front *f, struct pto_type *type) {
    struct token token;
    size_t lanes, offset;
    if (!pto_text_expect(&f->text, "<")) return false;
    token = f->text.now;
    if (token.kind != TOKEN_NUMBER && token.kind != TOKEN_WORD)
        return pto_text_error(&f->text, &token, "expected the shape of a register, such as 64xf32");
    offset = shape_length(&token, &lanes);
    if (offset == 0)
        return pto_text_error(&f->text, &token, "expected the shape of a register, such as 64xf32");
    pto_text_next(&f->text);
    if (offset == token.length && pto_text_take(&f->text, "!")) {
        token = f->text.now;
        offset = 0;
        pto_text_next(&f->text);
    }
    type->known = pto_element_find(token.at + offset, token.length - offset, &type->type);
    if (!type->known && (offset == token.length || token.at[offset] != 'T'))
        return element_error(f, &token, offset);
    if (type->known && !check_lanes(f, &token, lanes, type->type)) return false;
    return pto_text_expect(&f->text, ">");
}

/* Reads the rest of a mask type: <b32>, <G>, or nothing. */
static bool read_mask(struct pto_front *f, struct pto_type *type) {
    static const struct {
        const char *word;
        unsigned lane;
    } lanes[] = {{"b8", 8}, {"b16", 16}, {"b32", 32}, {"G", 0}};
    if (!pto_text_take(&f->text, "<")) return true;
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++)
        if (pto_text_take(&f->text, lanes[i].word)) {
            type->lane = lanes[i].lane;
            type->known = type->lane != 0;
            return pto_text_expect(&f->text, ">");
        }
    return pto_text_error(&f->text, &f->text.now, "expected b8, b16 or b32, or G in their place");
}

/* Reads the rest of a pointer type: <f32, ub>, or nothing. */
static bool read_pointer(struct pto_front *f, struct pto_type *type) {
    struct token token;
    if (!pto_text_take(&f->text, "<")) return true;
    (void)pto_text_take(&f->text, "!");
    token = f->text.now;
    type->known = pto_element_find(token.at, token.length, &type->type);
    if (!type->known && !pto_token_is(&token, "T")) return element_error(f, &token, 0);
    pto_text_next(&f->text);
    if (pto_text_take(&f->text, ",")) {
        if (f->text.now.kind != TOKEN_WORD)
            return pto_text_error(&f->text, &f->text.now, "expected a space of memory, such as ub");
        pto_text_next(&f->text);
    }
    return pto_text_expect(&f->text, ">");
}

static bool read_plain(struct pto_front *f, struct pto_type *type, const struct token *token) {
    type->kind = pto_token_is(token, "index") ? KIND_INDEX : KIND_SCALAR;
    type->known = type->kind == KIND_INDEX || pto_element_find(token->at, token->length, &type->type);
    if (pto_token_is(token, "i1")) {
        type->known = true;
        type->type = PTO_U8;
    }
    if (type->known || pto_token_is(token, "T")) return true;
    return pto_text_error(
        &f->text, token,
        "expected a type: !pto.vreg<64xf32>, !pto.mask<b32>, !pto.ptr<f32, ub>, f32, i32, index");
}

static bool is_dialect(const struct token *token, const char *plain, const char *with_mi) {
    return pto_token_is(token, plain) || pto_token_is(token, with_mi);
}

static bool read_type(struct pto_front *f, struct pto_type *type) {
    struct token token = f->text.now;
    if (token.kind != TOKEN_WORD && !pto_token_is(&token, "!"))
        return pto_text_error(&f->text, &token, "expected a type, such as !pto.vreg<64xf32> or f32");
    pto_text_next(&f->text);
    if (!pto_token_is(&token, "!")) return read_plain(f, type, &token);
    token = f->text.now;
    pto_text_next(&f->text);
    if (is_dialect(&token, "pto.vreg", "pto.mi.vreg")) return read_vector(f, type);
    type->kind = KIND_MASK;
    if (is_dialect(&token, "pto.mask", "pto.mi.mask")) return read_mask(f, type);
    type->kind = KIND_MEMORY;
    if (is_dialect(&token, "pto.ptr", "pto.mi.ptr")) return read_pointer(f, type);
    return read_plain(f, type, &token);
}

bool pto_type_read(struct pto_front *f, struct pto_type *type) {
    memset(type, 0, sizeof *type);
    type->token = f->text.now;
    if (!read_type(f, type)) return false;
    type->token.length = (size_t)(f->text.previous_end - type->token.at);
    return true;
}

struct pto_type pto_vector_type(pto_dtype type) {
    return (struct pto_type){.kind = KIND_VECTOR, .known = true, .type = type};
}

struct pto_type pto_mask_type(unsigned lane) {
    return (struct pto_type){.kind = KIND_MASK, .known = lane != 0, .lane = lane};
}

struct pto_type pto_scalar_type(pto_dtype type) {
    return (struct pto_type){.kind = KIND_SCALAR, .known = true, .type = type};
}

bool pto_types_agree(const struct pto_type *a, const struct pto_type *b) {
    if (a->kind != b->kind) return false;
    if (!a->known || !b->known || a->kind == KIND_INDEX) return true;
    if (a->kind == KIND_MASK) return a->lane == b->lane;
    if (a->type == b->type) return true;
    return a->kind == KIND_SCALAR && pto_is_integer(a->type) && pto_is_integer(b->type) &&
           pto_dtype_bits(a->type) == pto_dtype_bits(b->type);
}

void pto_type_name(const struct pto_type *type, char *to, size_t size) {
    const char *element = type->known ? pto_type_spelling(type->type) : "T";
    switch (type->kind) {
    case KIND_VECTOR:
        if (type->known)
            (void)snprintf(to, size, "!pto.vreg<%ux%s>", VECTOR_BITS / pto_lane_of(type->type), element);
        else
            (void)snprintf(to, size, "!pto.vreg<NxT>");
        break;
    case KIND_MASK:
        if (type->known)
            (void)snprintf(to, size, "!pto.mask<b%u>", type->lane);
        else
            (void)snprintf(to, size, "!pto.mask<G>");
        break;
    case KIND_SCALAR: (void)snprintf(to, size, "a scalar, %s", element); break;
    case KIND_MEMORY: (void)snprintf(to, size, "!pto.ptr<%s, ub>", element); break;
    default: (void)snprintf(to, size, "index"); break;
    }
}

/* ---- values ---- */

static bool reserve_values(struct pto_front *f, size_t count) {
    struct pto_value *grown;
    if (count <= f->value_capacity) return true;
    grown = realloc(f->values, (2 * count + 16) * sizeof *grown);
    if (!grown) return pto_no_memory(f);
    memset(grown + f->value_capacity, 0, (2 * count + 16 - f->value_capacity) * sizeof *grown);
    f->values = grown;
    f->value_capacity = 2 * count + 16;
    return true;
}

int pto_value_find(const struct pto_front *f, const struct token *name) {
    return pto_ir_find(f->program, 0, name);
}

int pto_value_add(struct pto_front *f, enum reg_kind kind, const struct token *name, struct pto_type type) {
    const bool mask = type.kind == KIND_MASK;
    const int reg = pto_ir_add(f->program, kind, 0, name, type.known && !mask ? type.type : PTO_B8, mask);
    if (reg == ABSENT) (void)pto_no_memory(f);
    if (reg == ABSENT || !reserve_values(f, f->program->reg_count)) return ABSENT;
    f->values[reg] = (struct pto_value){.type = type,
                                        .line = name ? name->line : 0,
                                        .is_defined = true,
                                        .image = ABSENT,
                                        .carried_index = ABSENT,
                                        .cast_from = ABSENT};
    return reg;
}

int pto_value_hidden(struct pto_front *f, enum pto_kind kind, pto_dtype type, unsigned lane) {
    const struct pto_type hidden = {.kind = kind, .known = true, .type = type, .lane = lane};
    return pto_value_add(f, REG_HIDDEN, NULL, hidden);
}

int pto_value_make(struct pto_front *f, enum reg_kind kind, const struct token *name, struct pto_type type) {
    const int known = pto_value_find(f, name);
    int reg;
    if (known != ABSENT) {
        (void)pto_text_error(&f->text, name, "expected a new name: this one is %s line %zu",
                             f->values[known].is_defined ? "made in" : "read in", f->values[known].line);
        return ABSENT;
    }
    reg = pto_value_add(f, kind, name, type);
    if (reg != ABSENT && type.kind == KIND_MASK) f->last_mask = reg;
    return reg;
}

/* Checks that an existing value has the type `type`. If the type of the value is a placeholder, it becomes
 * `type`. */
static bool check_and_infer(struct pto_front *f, int reg, const struct token *name, struct pto_type type) {
    struct pto_value *v = &f->values[reg];
    char wanted[48], actual[48];
    if (!pto_types_agree(&v->type, &type)) {
        pto_type_name(&type, wanted, sizeof wanted);
        pto_type_name(&v->type, actual, sizeof actual);
        return pto_text_error(&f->text, name, "expected %s; this is %s", wanted, actual);
    }
    if (v->type.known || !type.known) return true;
    v->type = type;
    if (type.kind != KIND_MASK) f->program->regs[reg].type = type.type;
    return true;
}

int pto_value_use(struct pto_front *f, const struct token *name, struct pto_type type) {
    int reg = pto_value_find(f, name);
    if (reg == ABSENT) {
        reg = pto_value_add(f, REG_NAMED, name, type);
        if (reg != ABSENT) f->values[reg].is_defined = false;
        return reg;
    }
    return check_and_infer(f, reg, name, type) ? reg : ABSENT;
}

/* ---- lane widths, at the end of the text ---- */

static unsigned memory_width(const struct pto_value *v) {
    return (unsigned)pto_dtype_bits(v->type.type) * (v->width_ratio ? v->width_ratio : 1);
}

/* Returns the width of a lane of the program: the width of the widest element, at least 8 bits. */
static unsigned widest(const struct pto_front *f) {
    unsigned bits = 8;
    for (size_t i = 0; i < f->program->reg_count && i < f->value_capacity; i++) {
        const struct pto_value *v = &f->values[i];
        unsigned own = 0;
        if (v->type.kind == KIND_VECTOR && v->type.known) own = (unsigned)pto_dtype_bits(v->type.type);
        if (v->type.kind == KIND_MASK) own = v->type.lane;
        if (v->type.kind == KIND_MEMORY) own = memory_width(v);
        if (own > bits) bits = own;
    }
    return bits;
}

static size_t elements_of(const struct pto_value *v, unsigned lane_bits) {
    switch (v->type.kind) {
    case KIND_VECTOR: return v->type.known ? lane_bits / pto_dtype_bits(v->type.type) : 1;
    case KIND_MASK: return v->type.lane ? lane_bits / v->type.lane : 1;
    case KIND_MEMORY: return lane_bits / memory_width(v);
    default: return 1;
    }
}

static unsigned log2_of(size_t n) {
    unsigned bits = 0;
    while (n >> bits > 1) bits++;
    return bits;
}

void pto_values_set_widths(struct pto_front *f) {
    pto_program *p = f->program;
    const unsigned lane_bits = widest(f);
    for (size_t i = 0; i < p->reg_count && i < f->value_capacity; i++)
        p->regs[i].elements_per_lane = elements_of(&f->values[i], lane_bits);
    for (size_t i = 0; i < p->step_count; i++) {
        struct vector_parameters *v = &p->steps[i].parameters.vector;
        v->lane_bits = lane_bits;
        v->typed.elements_per_lane = v->bits ? lane_bits / v->bits : 1;
    }
    p->vector_lanes = VECTOR_BITS / lane_bits;
    if (f->vector_number != ABSENT) p->regs[f->vector_number].value = log2_of(p->vector_lanes);
}

/* ---- integers ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Parses a decimal integer of at most 18 digits. If other bytes than an underscore follow the digits before
 * the end of the `length` bytes, the result is not known. */
static struct pto_affine decimal(const char *at, size_t length) {
    struct pto_affine a = {.known = length != 0};
    size_t i = 0;
    for (; i < length && i < 18 && is_digit(at[i]); i++) a.base = a.base * 10 + (at[i] - '0');
    a.known = i != 0 && (i == length || at[i] == '_');
    return a;
}

struct pto_affine pto_integer_of(const struct pto_front *f, const struct token *token) {
    const int reg = pto_value_find(f, token);
    if (reg != ABSENT) return f->values[reg].affine;
    if (token->kind == TOKEN_NUMBER) return decimal(token->at, token->length);
    if (token->length > 2 && token->at[1] == 'c') return decimal(token->at + 2, token->length - 2);
    return (struct pto_affine){.known = false};
}

/* ---- offsets ---- */

static bool check_outside(struct pto_front *f, const struct pto_operand *operand, struct pto_affine a) {
    if (f->loop.closed)
        return pto_text_error(&f->text, &operand->token, "expected loads and stores only in the loop");
    if (a.known && a.base != 0)
        return pto_text_error(
            &f->text, &operand->offset,
            "expected the offset 0: without a loop an array is one register after the other");
    f->has_outside_access = true;
    f->outside_access = operand->token;
    return true;
}

bool pto_offset_check(struct pto_front *f, const struct pto_operand *operand, size_t elements) {
    struct pto_affine a;
    if (!operand->has_offset)
        return pto_text_error(&f->text, &operand->token, "expected an offset after the array, such as [%%i]");
    a = pto_integer_of(f, &operand->offset);
    if (!f->loop.open) return check_outside(f, operand, a);
    if (!a.known)
        return pto_text_error(&f->text, &operand->offset, "expected an offset made of the loop's variable");
    if (a.base != 0)
        return pto_text_error(&f->text, &operand->offset, "expected an offset that begins at 0, not at %lld",
                              (long long)a.base);
    if (a.increment != (int64_t)elements)
        return pto_text_error(&f->text, &operand->offset,
                              "expected an offset that goes on by %zu, a register; this one does by %lld",
                              elements, (long long)a.increment);
    return true;
}
