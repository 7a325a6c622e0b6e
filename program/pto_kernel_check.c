/* SPDX-License-Identifier: MIT */
/* Checks the operands and results of an operation in a kernel program against the table of operations. */
#include "pto_kernel.h"

#include <stdio.h>
#include <string.h>

bool pto_kernel_wrong_type(struct kernel_front *f, const struct token *place,
                           const struct kernel_type *expected, const struct kernel_type *actual) {
    char wanted[48], is[48];
    pto_kernel_type_name(expected, wanted, sizeof wanted);
    pto_kernel_type_name(actual, is, sizeof is);
    return pto_text_error(&f->text, place, "expected %s; this is %s", wanted, is);
}

struct kernel_op *pto_kernel_op(struct kernel_front *f, const struct token *place, size_t in, size_t out) {
    struct kernel_op *op = pto_kernel_allocate(f, sizeof *op);
    if (!op) return NULL;
    op->in = pto_kernel_allocate(f, (in + out + 1) * sizeof(struct kernel_value *));
    if (!op->in) return NULL;
    op->out = op->in + in;
    op->in_count = in;
    op->out_count = out;
    op->place = *place;
    return op;
}

/* ---- the operation's type ---- */

static bool set_type(struct kernel_front *f, struct kernel_call *c, const struct kernel_type *type,
                     const struct token *source) {
    if (type->kind != KERNEL_VECTOR)
        return pto_text_error(&f->text, source, "expected a vector of pto.%s%.*s here",
                              c->is_vmi ? "vmi." : "", (int)c->name_length, c->name);
    if (type->is_vmi != c->is_vmi)
        return pto_text_error(&f->text, source, "expected a vector of %s: both kinds do not mix",
                              c->is_vmi ? "!pto.vmi.vreg" : "!pto.vreg");
    if (c->operation->types != 0 && (c->operation->types & kernel_bit(type->element)) == 0) {
        char name[48];
        pto_kernel_type_name(type, name, sizeof name);
        return pto_text_error(&f->text, source, "pto.%s%.*s does not take %s", c->is_vmi ? "vmi." : "",
                              (int)c->name_length, c->name, name);
    }
    c->type = *type;
    c->type_source = *source;
    c->has_type = true;
    c->op->lanes = pto_kernel_lanes(type);
    return true;
}

/* Sets the operation's type to the type of the first operand with the letter "v". If no operand has this
 * letter, uses the first result that has it. */
static bool find_type(struct kernel_front *f, struct kernel_call *c) {
    const char *operands = c->operation->operands, *results = c->operation->results;
    const char *letter = strchr(operands, 'v');
    const size_t operand = letter ? (size_t)(letter - operands) : 0;
    size_t result = 0;
    if (letter && operand < c->operand_count)
        return set_type(f, c, &c->operand[operand].value->type, &c->operand[operand].token);
    for (const char *r = results; !letter && *r; r++) {
        if (*r == 'v' && result < c->out_count)
            return set_type(f, c, &c->out[result].type, &c->out[result].token);
        if (*r == 'v')
            return pto_text_error(&f->text, &c->opcode, "expected the type of the result after the operands");
        if (*r != '?') result++;
    }
    return true;
}

/* ---- operands ---- */

static bool expected_operand(struct kernel_front *f, const struct kernel_operand *o, const char *what) {
    char is[48];
    pto_kernel_type_name(&o->value->type, is, sizeof is);
    return pto_text_error(&f->text, &o->token, "expected %s; this is %s", what, is);
}

static bool is_scalar_of(const struct kernel_type *scalar, const struct kernel_type *vector) {
    if (scalar->kind == KERNEL_FLOAT) return scalar->element == vector->element;
    return scalar->kind == KERNEL_INTEGER && pto_is_integer(vector->element) &&
           scalar->bits == pto_kernel_lane_bits(vector->element);
}

/* Returns whether the vector has integers, as many and as wide as the lanes of `type`: one number for each
 * lane. */
static bool is_index_vector(const struct kernel_type *vector, const struct kernel_type *type) {
    return vector->kind == KERNEL_VECTOR && vector->is_vmi == type->is_vmi &&
           pto_is_integer(vector->element) && vector->lanes == type->lanes &&
           pto_kernel_lane_bits(vector->element) == pto_kernel_lane_bits(type->element);
}

static bool use_pointer(struct kernel_front *f, struct kernel_call *c, const struct kernel_operand *o,
                        char letter) {
    const struct kernel_type *type = &o->value->type;
    if (type->kind != KERNEL_POINTER) return expected_operand(f, o, "a pointer");
    if (letter == 'g' && !type->is_global) return expected_operand(f, o, "a pointer to gm");
    if (letter == 'b' && type->is_global) return expected_operand(f, o, "a pointer to ub");
    if (c->op->pointer.length == 0) c->op->pointer = o->token;
    return true;
}

static bool use_mask(struct kernel_front *f, struct kernel_call *c, const struct kernel_operand *o,
                     char letter) {
    const struct kernel_type *type = &o->value->type;
    struct kernel_type wanted = {.kind = KERNEL_MASK, .bits = c->granularity};
    if (type->kind != KERNEL_MASK || type->is_vmi != c->is_vmi)
        return expected_operand(f, o, c->is_vmi ? "a mask of VMI" : "a mask");
    if (letter == 'm' || letter == 'M') wanted = pto_kernel_mask_for(&c->type);
    if (letter != 'k' && letter != 'K' && !pto_kernel_types_agree(&wanted, type))
        return pto_kernel_wrong_type(f, &o->token, &wanted, type);
    if (letter != 'x') c->op->mask = o->value;
    return true;
}

static bool use_align(struct kernel_front *f, const struct kernel_operand *o) {
    if (o->value->type.kind != KERNEL_ALIGN) return expected_operand(f, o, "!pto.align");
    if (o->value->is_used && f->program->options.strict)
        return pto_text_error(&f->text, &o->token,
                              "this !pto.align was used before; each use makes a new one");
    o->value->is_used = true;
    return true;
}

static bool use_operand(struct kernel_front *f, struct kernel_call *c, const struct kernel_operand *o,
                        char letter) {
    const struct kernel_type *type = &o->value->type;
    switch (letter) {
    case 'v':
        return pto_kernel_types_agree(&c->type, type) || pto_kernel_wrong_type(f, &o->token, &c->type, type);
    case 'u':
        return (type->kind == KERNEL_VECTOR && type->is_vmi == c->is_vmi) ||
               expected_operand(f, o, "a vector");
    case 'n':
        return is_index_vector(type, &c->type) ||
               expected_operand(f, o, "a vector of integers as wide as the elements");
    case 'd':
        return pto_kernel_types_agree(&c->type, type) || is_scalar_of(type, &c->type) ||
               expected_operand(f, o, "a vector of the result's type, or a scalar of its elements");
    case 's': return is_scalar_of(type, &c->type) || expected_operand(f, o, "a scalar of the vector's type");
    case 'i': return type->kind == KERNEL_INTEGER || expected_operand(f, o, "an integer");
    case 'e':
        return type->kind == KERNEL_INTEGER || type->kind == KERNEL_FLOAT ||
               expected_operand(f, o, "a scalar");
    case 'p':
    case 'g':
    case 'b': return use_pointer(f, c, o, letter);
    case 'a': return use_align(f, o);
    default: return use_mask(f, c, o, letter);
    }
}

static size_t count_letters(const char *letters, bool required_only) {
    size_t count = 0;
    for (; *letters; letters++) {
        const bool optional = *letters == '?' || *letters == 'M' || *letters == 'K';
        if (!required_only || !optional) count += *letters != '?';
        if (*letters == '?' && required_only) letters++;
    }
    return count;
}

static bool check_count(struct kernel_front *f, const struct kernel_call *c, const char *letters,
                        size_t count, const char *what) {
    const size_t least = count_letters(letters, true), most = count_letters(letters, false);
    if (count >= least && count <= most) return true;
    if (least == most)
        return pto_text_error(&f->text, &c->opcode, "expected %zu %s; %zu stand here", most, what, count);
    return pto_text_error(&f->text, &c->opcode, "expected %zu to %zu %s; %zu stand here", least, most, what,
                          count);
}

/* Returns whether the operand cannot be the optional integer of the letter "i", so it belongs to a later
 * letter. */
static bool skips(char letter, const struct kernel_operand *o) {
    return letter == 'i' && o->value->type.kind != KERNEL_INTEGER;
}

/* Checks each operand against its letter. If there are more operands than required letters, the optional
 * letters take them, from left to right. */
static bool use_operands(struct kernel_front *f, struct kernel_call *c) {
    const char *letters = c->operation->operands;
    size_t i = 0, spare;
    if (strchr(letters, '*')) return true;
    if (!check_count(f, c, letters, c->operand_count, "operands")) return false;
    spare = c->operand_count - count_letters(letters, true);
    for (; *letters; letters++) {
        const bool optional = *letters == '?' || *letters == 'M' || *letters == 'K';
        if (*letters == '?') letters++;
        if (optional && (spare == 0 || skips(*letters, &c->operand[i]))) continue;
        if (optional) spare--;
        if (!use_operand(f, c, &c->operand[i++], *letters)) return false;
    }
    return i == c->operand_count || expected_operand(f, &c->operand[i], "no operand here");
}

/* ---- declared types of operands ---- */

static bool is_literal(const struct kernel_operand *o) {
    return o->value->is_constant && !kernel_is_name(&o->token);
}

/* Returns whether an operand may have the declared type. */
static bool fits(const struct kernel_operand *o, const struct kernel_type *declared) {
    return pto_kernel_types_agree(declared, &o->value->type) ||
           (is_literal(o) && declared->kind == KERNEL_INTEGER);
}

/* Returns the index of the first operand that is not in `used` and may have the declared type; the number of
 * operands if there is no such operand. */
static size_t find_operand(const struct kernel_call *c, const bool *used,
                           const struct kernel_type *declared) {
    size_t i = 0;
    while (i < c->operand_count && (used[i] || !fits(&c->operand[i], declared))) i++;
    return i;
}

/* Returns the index of the first operand that is not in `used` and is not an integer; the number of operands
 * if there is no such operand. */
static size_t find_untyped(const struct kernel_call *c, const bool *used) {
    size_t i = 0;
    while (i < c->operand_count && (used[i] || c->operand[i].value->type.kind == KERNEL_INTEGER)) i++;
    return i;
}

/* Checks that each declared type belongs to an operand, and that each operand has a declared type. The types
 * need not be in the order of the operands, because pto.store_scalar gives the type of its pointer first. The
 * text may leave out the types of integers. */
static bool check_declared(struct kernel_front *f, struct kernel_call *c) {
    bool used[KERNEL_OPERANDS] = {false};
    size_t j = 0;
    if (!c->has_types) return true;
    for (; j < c->in_count; j++) {
        const size_t i = find_operand(c, used, &c->in[j].type), missing = find_untyped(c, used);
        if (i == c->operand_count && missing < i)
            return pto_kernel_wrong_type(f, &c->in[j].token, &c->operand[missing].value->type,
                                         &c->in[j].type);
        if (i == c->operand_count) break;
        used[i] = true;
    }
    if (find_untyped(c, used) < c->operand_count) {
        const struct token *name = &c->operand[find_untyped(c, used)].token;
        return pto_text_error(&f->text, &c->opcode, "expected a type for %.*s", (int)name->length, name->at);
    }
    for (size_t g = 0; g < c->group_count; g++)
        for (size_t k = 0; k < c->group[g].count && j < c->in_count; k++, j++)
            if (!pto_kernel_types_agree(&c->in[j].type, &c->group[g].value[k]->type))
                return pto_kernel_wrong_type(f, &c->in[j].token, &c->group[g].value[k]->type, &c->in[j].type);
    if (j < c->in_count)
        return pto_text_error(&f->text, &c->in[j].token,
                              "expected %zu types: there is no operand for this one", j);
    return true;
}

/* ---- results ---- */

/* Returns the function's argument that the first pointer operand is computed from, or NULL. */
static struct kernel_value *first_root(const struct kernel_call *c) {
    for (size_t i = 0; i < c->operand_count; i++)
        if (c->operand[i].value->type.kind == KERNEL_POINTER) return c->operand[i].value->root;
    return NULL;
}

bool pto_kernel_result(struct kernel_front *f, struct kernel_call *c, size_t i, struct kernel_type type) {
    if (i < c->out_count && !pto_kernel_types_agree(&type, &c->out[i].type))
        return pto_kernel_wrong_type(f, &c->out[i].token, &type, &c->out[i].type);
    if (i < c->out_count) type = c->out[i].type;
    if (i < c->result_count)
        c->op->out[i] = pto_kernel_define(f, &c->result[i], type);
    else /* the text gives the result no name */
        c->op->out[i] = pto_kernel_value(f, NULL, type);
    if (c->op->out[i] && type.kind == KERNEL_POINTER) c->op->out[i]->root = first_root(c);
    return c->op->out[i] != NULL;
}

static const struct kernel_type *first_pointer(const struct kernel_call *c) {
    for (size_t i = 0; i < c->operand_count; i++)
        if (c->operand[i].value->type.kind == KERNEL_POINTER) return &c->operand[i].value->type;
    return NULL;
}

static const struct kernel_type *first_integer(const struct kernel_call *c) {
    for (size_t i = 0; i < c->operand_count; i++)
        if (c->operand[i].value->type.kind == KERNEL_INTEGER) return &c->operand[i].value->type;
    return NULL;
}

static bool make_result(struct kernel_front *f, struct kernel_call *c, size_t i, char letter) {
    const bool is_declared = i < c->out_count;
    struct kernel_type type = {.kind = KERNEL_ALIGN};
    switch (letter) {
    case 'v': type = c->type; break;
    case 'm': type = pto_kernel_mask_for(&c->type); break;
    case 'x':
        type = (struct kernel_type){
            .kind = KERNEL_MASK, .bits = c->granularity, .lanes = KERNEL_VECTOR_BYTES * 8 / c->granularity};
        break;
    case 'p': type = *first_pointer(c); break;
    case 'i': type = first_integer(c) ? *first_integer(c) : pto_kernel_integer(64); break;
    case 'a': break;
    default: /* u, k, e: any vector, mask or scalar; the text must declare its type */
        if (!is_declared)
            return pto_text_error(&f->text, &c->opcode, "expected the type of the result after the operands");
        type = c->out[i].type;
        if (type.kind != (letter == 'u'   ? KERNEL_VECTOR
                          : letter == 'k' ? KERNEL_MASK
                                          : type.kind) ||
            (type.kind != KERNEL_INTEGER && type.kind != KERNEL_FLOAT && type.is_vmi != c->is_vmi) ||
            (letter == 'e' && type.kind > KERNEL_FLOAT))
            return pto_text_error(&f->text, &c->out[i].token, "expected the type of %s here",
                                  letter == 'u'   ? "a vector"
                                  : letter == 'k' ? "a mask"
                                                  : "a scalar");
    }
    if (letter == 'i' && is_declared && c->out[i].type.kind == KERNEL_INTEGER) type = c->out[i].type;
    return pto_kernel_result(f, c, i, type);
}

static bool make_results(struct kernel_front *f, struct kernel_call *c) {
    const char *letters = c->operation->results;
    size_t i = 0;
    if (strchr(letters, '*')) return true;
    if (!check_count(f, c, letters, c->result_count, "results")) return false;
    if (c->out_count > c->result_count)
        return pto_text_error(&f->text, &c->out[c->result_count].token,
                              "expected a name for the result of this type");
    for (; *letters && i < c->result_count; letters++)
        if (*letters != '?' && !make_result(f, c, i++, *letters)) return false;
    return true;
}

/* Checks VMI's attribute pmode. "merge" keeps the old value of lanes that are off. vsel has an operand for
 * the old value, and stores never write lanes that are off; other operations have no old value. */
static bool check_mode(struct kernel_front *f, struct kernel_call *c) {
    static const char *const modes[] = {"zero", "merge", NULL};
    const bool merges = strstr(c->operation->name, "store") || strcmp(c->operation->name, "vsel") == 0 ||
                        strcmp(c->operation->name, "vsstb") == 0;
    int64_t mode;
    if (!c->is_vmi) return true;
    if (!pto_kernel_word(f, c, "pmode", modes, &mode)) return false;
    return mode != 1 || merges ||
           pto_text_error(&f->text, &c->opcode, "merge needs an old value, and %s has no operand for it",
                          c->operation->name);
}

bool pto_kernel_check(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_operation *o = c->operation;
    struct kernel_op *op = pto_kernel_op(f, &c->opcode, c->operand_count, c->result_count);
    if (!op) return false;
    c->op = op;
    op->run = o->run;
    op->variant = o->variant;
    for (size_t i = 0; i < c->operand_count; i++) op->in[i] = c->operand[i].value;
    if (c->group_count != 0) {
        op->group = pto_kernel_allocate(f, c->group_count * sizeof *op->group);
        if (!op->group) return false;
        memcpy(op->group, c->group, c->group_count * sizeof *op->group);
        op->group_count = c->group_count;
    }
    return find_type(f, c) && use_operands(f, c) && check_declared(f, c) && make_results(f, c) &&
           check_mode(f, c) && (!o->prepare || o->prepare(f, c)) && pto_kernel_nothing_left(f, c);
}
