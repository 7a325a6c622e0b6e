/* SPDX-License-Identifier: MIT */
/* Checks the operands and results of PTO's operations: finds their registers and types, and checks that the
 * types agree. */
#include "pto.h"

#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

static bool mismatch(struct pto_front *f, const struct token *at, const struct pto_type *wanted,
                     const struct pto_type *actual) {
    char expected[48], found[48];
    pto_type_name(wanted, expected, sizeof expected);
    pto_type_name(actual, found, sizeof found);
    return pto_text_error(&f->text, at, "expected %s here; this is %s", expected, found);
}

static bool unknown_type(struct pto_front *f, const struct pto_call *c, const char *example) {
    return pto_text_error(&f->text, &c->opcode, "expected types after the operands, such as : %s", example);
}

/* ---- assigning types to operands ---- */

static bool is_word(char role) {
    return role == '"';
}

/* Returns the number of operands for which `roles` has letters, and sets *needed to the number that must be
 * present. */
static size_t count_roles(const char *roles, size_t *needed) {
    size_t count = 0;
    *needed = 0;
    for (; *roles; roles++) {
        if (is_word(*roles)) continue;
        count++;
        if (*roles != 'M' && *roles != 'P') *needed = count;
    }
    return count;
}

static char role_of(const char *roles, size_t i) {
    for (; *roles; roles++)
        if (!is_word(*roles) && i-- == 0) return *roles;
    return 0;
}

static bool check_results(struct pto_front *f, const struct pto_call *c, size_t count) {
    if (c->result_count != count)
        return pto_text_error(&f->text, &c->opcode, "expected %zu result%s of it; %zu stand here", count,
                              count == 1 ? "" : "s", c->result_count);
    if (c->out_count != 0 && c->out_count != count)
        return pto_text_error(&f->text, &c->out[0].token, "expected %zu type%s of results", count,
                              count == 1 ? "" : "s");
    return true;
}

static bool check_counts(struct pto_front *f, const struct pto_call *c, const char *roles) {
    size_t needed;
    const size_t most = count_roles(roles, &needed);
    if (c->operand_count > most)
        return pto_text_error(&f->text, &c->operand[most].token, "expected %zu operand%s of %.*s", most,
                              most == 1 ? "" : "s", (int)c->opcode.length, c->opcode.at);
    if (c->operand_count < needed)
        return pto_text_error(&f->text, &c->opcode, "expected %zu operand%s; %zu stand here", needed,
                              needed == 1 ? "" : "s", c->operand_count);
    if ((strchr(roles, '"') != NULL) == (c->word.length != 0)) return true;
    if (c->word.length != 0) return pto_text_error(&f->text, &c->word, "expected no word in quotes here");
    return pto_text_error(&f->text, &c->opcode, "expected a word in quotes after the operands");
}

/* Assigns the types in the text to the operands, in order. An array may have a second type in the text:
 * index, the type of its offset. */
static bool match_types(struct pto_front *f, struct pto_call *c, const char *roles) {
    struct pto_type matched[CALL_OPERANDS];
    size_t k = 0;
    if (c->in_count == 0) return true;
    for (size_t i = 0; i < c->operand_count; i++) {
        if (k == c->in_count)
            return pto_text_error(&f->text, &c->in[k - 1].token, "expected %zu types, one for each operand",
                                  c->operand_count);
        matched[i] = c->in[k++];
        if (role_of(roles, i) == 'a' && k < c->in_count && c->in[k].kind == KIND_INDEX) k++;
    }
    if (k != c->in_count)
        return pto_text_error(&f->text, &c->in[k].token, "expected %zu types, one for each operand",
                              c->operand_count);
    memcpy(c->in, matched, c->operand_count * sizeof matched[0]);
    c->in_count = c->operand_count;
    return true;
}

static const struct pto_type *given(const struct pto_call *c, size_t i) {
    return c->in_count != 0 ? &c->in[i] : NULL;
}

static const struct pto_type *known_value(const struct pto_front *f, const struct token *name) {
    const int reg = pto_value_find(f, name);
    return reg == ABSENT ? NULL : &f->values[reg].type;
}

/* ---- the operation's type ---- */

static bool is_of_elements(const struct pto_type *type) {
    return type && type->known && type->kind != KIND_MASK && type->kind != KIND_INDEX;
}

static bool set_type(struct pto_front *f, struct pto_call *c, const struct pto_type *type,
                     const struct token *name, const struct token *at) {
    if (!is_of_elements(type) || (c->typed && c->type == type->type)) return true;
    if (c->typed)
        return pto_text_error(&f->text, at, "expected elements of %s, as %.*s has them; these are of %s",
                              pto_type_spelling(c->type), (int)c->source.length, c->source.at,
                              pto_type_spelling(type->type));
    c->typed = true;
    c->type = type->type;
    c->source = *name;
    return true;
}

/* Sets the operation's type from the operands with one of `letters`: from the definitions of the operands,
 * and from the types in the text. Reports an error if two of these types differ. */
static bool set_type_from(struct pto_front *f, struct pto_call *c, const char *roles, const char *letters) {
    for (size_t i = 0; i < c->operand_count; i++) {
        const struct token *name = &c->operand[i].token;
        const struct pto_type *type = given(c, i);
        if (!strchr(letters, role_of(roles, i))) continue;
        if (!set_type(f, c, known_value(f, name), name, name)) return false;
        if (type && !set_type(f, c, type, name, &type->token)) return false;
    }
    return true;
}

/* Sets the operation's type from the type that the text gives for a result. Only vectors with the letter "v"
 * are used, because others may have another type. */
static bool set_type_from_results(struct pto_front *f, struct pto_call *c, const char *results) {
    for (size_t i = 0; i < c->out_count && results[i] && !c->typed; i++)
        if (results[i] == 'v' && c->out[i].kind == KIND_VECTOR &&
            !set_type(f, c, &c->out[i], &c->result[0], &c->out[i].token))
            return false;
    return true;
}

/* Finds the operation's type. Vectors are used before scalars, because a scalar may differ in signedness. */
static bool find_type(struct pto_front *f, struct pto_call *c, const char *operands, const char *results,
                      uint64_t types) {
    if (types == 0) return true;
    if (!set_type_from(f, c, operands, "va") || !set_type_from_results(f, c, results)) return false;
    if (!c->typed && !set_type_from(f, c, operands, "sd")) return false;
    if (!c->typed) return unknown_type(f, c, "!pto.vreg<64xf32>, ...");
    if (types >> c->type & 1) return true;
    return pto_text_error(&f->text, &c->opcode, "%.*s does not take %s", (int)c->opcode.length, c->opcode.at,
                          pto_type_spelling(c->type));
}

/* ---- the lanes of masks ---- */

static void take_lane(struct pto_call *c, const struct pto_type *type) {
    if (c->lane == 0 && type && type->kind == KIND_MASK && type->known) c->lane = type->lane;
}

static bool find_lane(struct pto_front *f, struct pto_call *c, const char *operands, const char *results) {
    if (!strpbrk(operands, "pP")) return true;
    for (size_t i = 0; i < c->operand_count; i++) {
        if (!strchr("pP", role_of(operands, i))) continue;
        take_lane(c, known_value(f, &c->operand[i].token));
        take_lane(c, given(c, i));
    }
    for (size_t i = 0; i < c->out_count && results[i]; i++)
        if (results[i] == 'p') take_lane(c, &c->out[i]);
    return c->lane != 0 || unknown_type(f, c, "!pto.mask<b32>, ...");
}

/* ---- operands ---- */

static unsigned fitting_lane(const struct pto_call *c) {
    const unsigned lane = pto_lane_of(c->type) * c->width_ratio;
    return lane > 32 ? 32 : lane; /* PTO has no masks of 64-bit lanes */
}

/* Returns whether operand i, which may be a scalar or a vector, is a vector. */
static bool is_vector(const struct pto_front *f, const struct pto_call *c, size_t i) {
    const struct pto_type *value = known_value(f, &c->operand[i].token), *given_type = given(c, i);
    return (value && value->kind == KIND_VECTOR) || (!value && given_type && given_type->kind == KIND_VECTOR);
}

static struct pto_type other_vector(const struct pto_front *f, const struct pto_call *c, size_t i) {
    const struct pto_type *value = known_value(f, &c->operand[i].token), *given_type = given(c, i);
    if (value && value->kind == KIND_VECTOR && value->known) return pto_vector_type(value->type);
    if (given_type && given_type->kind == KIND_VECTOR && given_type->known)
        return pto_vector_type(given_type->type);
    return pto_vector_type(c->type);
}

static struct pto_type wanted(const struct pto_front *f, const struct pto_call *c, char role, size_t i) {
    struct pto_type type = pto_vector_type(c->type);
    switch (role) {
    case 'y': return other_vector(f, c, i);
    case 's': return pto_scalar_type(c->type);
    case 'd': return is_vector(f, c, i) ? type : pto_scalar_type(c->type);
    case 'c': return pto_scalar_type(PTO_S32);
    case 'm':
    case 'M': return pto_mask_type(fitting_lane(c));
    case 'p':
    case 'P': return pto_mask_type(c->lane);
    case 'a': type.kind = KIND_MEMORY; return type;
    default: return type;
    }
}

static bool use_operand(struct pto_front *f, struct pto_call *c, char role, size_t i) {
    const struct pto_operand *o = &c->operand[i];
    const struct pto_type type = wanted(f, c, role, i), *given_type = given(c, i);
    if (given_type && !pto_types_agree(given_type, &type))
        return mismatch(f, &given_type->token, &type, given_type);
    if (o->has_offset && role != 'a')
        return pto_text_error(&f->text, &o->offset, "expected no offset: this operand is no array");
    c->src[i] = pto_value_use(f, &o->token, type);
    if (c->src[i] == ABSENT) return false;
    if (role == 's' && f->values[c->src[i]].carried_index != ABSENT)
        return pto_text_error(&f->text, &o->token, "expected a scalar that is the same in each register");
    return true;
}

bool pto_operands_use(struct pto_front *f, struct pto_call *c, const char *operands, const char *results,
                      uint64_t types) {
    for (size_t i = 0; i < CALL_OPERANDS; i++) c->src[i] = ABSENT;
    if (!check_counts(f, c, operands) || !check_results(f, c, strlen(results)) ||
        !match_types(f, c, operands) || !find_type(f, c, operands, results, types) ||
        !find_lane(f, c, operands, results))
        return false;
    for (size_t i = 0; i < c->operand_count; i++)
        if (!use_operand(f, c, role_of(operands, i), i)) return false;
    return true;
}

/* ---- results ---- */

static struct pto_type wanted_result(const struct pto_front *f, const struct pto_call *c, char role,
                                     size_t i) {
    if (role == 'u' || role == 'r') return c->out[i]; /* the operation has checked this type */
    return wanted(f, c, role, i);
}

bool pto_results_make(struct pto_front *f, struct pto_call *c, const char *results) {
    for (size_t i = 0; i < c->result_count; i++) {
        const struct pto_type type = wanted_result(f, c, results[i], i);
        if (c->out_count != 0 && !pto_types_agree(&c->out[i], &type))
            return mismatch(f, &c->out[i].token, &type, &c->out[i]);
        c->dst[i] = pto_value_make(f, REG_NAMED, &c->result[i], type);
        if (c->dst[i] == ABSENT) return false;
    }
    return true;
}
