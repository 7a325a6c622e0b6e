/* SPDX-License-Identifier: MIT */
/* The table of PTO's operations, and the functions that check an operation and append its steps. */
#include "pto.h"

#include <stdio.h>
#include <string.h>

struct operation {
    const char *name; /* without "pto."; if the name ends in _b, 8, 16 or 32 follows in the text */
    const char *operands, *results;
    bool (*make)(struct pto_front *f, struct pto_call *c, const struct operation *row);
    step_fn *step;
    uint64_t types; /* bit t is set if type t is allowed; 0: the operation has no element type */
    unsigned flags; /* flags of the step, for float types only */
};

#define TYPE(t)  ((uint64_t)1 << (t))
#define BYTES    (TYPE(PTO_U8) | TYPE(PTO_S8))
#define WORDS    (TYPE(PTO_U16) | TYPE(PTO_S16) | TYPE(PTO_U32) | TYPE(PTO_S32))
#define LONGS    (TYPE(PTO_U64) | TYPE(PTO_S64))
#define FLOATS   (TYPE(PTO_F16) | TYPE(PTO_BF16) | TYPE(PTO_F32))
#define CODES    (TYPE(PTO_E4M3) | TYPE(PTO_E5M2) | TYPE(PTO_HIF8))
#define PAIRS    (TYPE(PTO_E2M1) | TYPE(PTO_E1M2))
#define SIGNED   (TYPE(PTO_S8) | TYPE(PTO_S16) | TYPE(PTO_S32) | FLOATS)
#define NUMBERS  (BYTES | WORDS | FLOATS)
#define ELEMENTS (NUMBERS | CODES)
#define ALL      (ELEMENTS | LONGS | PAIRS)

/* ---- steps ---- */

static struct step start(const struct pto_call *c, const struct operation *row) {
    struct step s = pto_step_of(row->step, c->opcode.line);
    s.parameters.vector = (struct vector_parameters){
        .typed = {.type = c->type, .flags = pto_is_float(c->type) ? row->flags : 0},
        .bits = c->typed ? (unsigned)pto_dtype_bits(c->type) : c->lane,
        .lane = {c->lane, c->lane},
        .group = c->lane};
    return s;
}

static bool finish(struct pto_front *f, const struct pto_call *c, const struct step *s) {
    if (f->text.failed) return false;
    return pto_ir_step(f->program, s, &c->opcode) || pto_no_memory(f);
}

/* Returns a hidden mask for 64-bit elements. The text has a mask for 32-bit elements, of which every second
 * lane is used. */
static int mask_of_64_bits(struct pto_front *f, const struct pto_call *c, int mask) {
    struct step s = pto_step_of(pto_step_pbitcast, c->opcode.line);
    const int wide = pto_value_hidden(f, KIND_MASK, PTO_B8, 64);
    s.src[0] = mask;
    s.dst[0] = wide;
    s.parameters.vector = (struct vector_parameters){.bits = 64, .lane = {32, 64}};
    return wide != ABSENT && finish(f, c, &s) ? wide : ABSENT;
}

/* Returns the register of the seed predicate for the mask operand `mask`, or ABSENT if all lanes are on. */
static int seed_of(struct pto_front *f, const struct pto_call *c, int mask) {
    if (mask == ABSENT || f->values[mask].is_all_true) return ABSENT;
    return c->typed && pto_dtype_bits(c->type) == 64 ? mask_of_64_bits(f, c, mask) : mask;
}

static bool use(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    return pto_operands_use(f, c, row->operands, row->results, row->types);
}

static bool use_and_make(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    return use(f, c, row) && pto_results_make(f, c, row->results);
}

/* ---- words in quotes, and attributes ---- */

/* Sets *number to the index of the quoted word in `list`, which ends with NULL. If the list does not have the
 * word, reports an error with the text `expected` and returns false. */
static bool find_word(struct pto_front *f, const struct token *word, const char *const *list,
                      const char *expected, size_t *number) {
    for (*number = 0; list[*number]; ++*number) {
        const char *one = list[*number];
        if (strlen(one) + 2 == word->length && memcmp(one, word->at + 1, word->length - 2) == 0) return true;
    }
    return pto_text_error(&f->text, word, "expected %s", expected);
}

static const struct pto_attribute *attribute(const struct pto_call *c, const char *key) {
    for (size_t i = 0; i < c->attribute_count; i++)
        if (pto_token_is(&c->attribute[i].key, key)) return &c->attribute[i];
    return NULL;
}

static bool same_text(const struct token *a, const struct token *b) {
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* Reports an attribute that is not in `keys`, or that occurs twice. `keys` has at most three keys, then
 * NULL. */
static bool check_attributes(struct pto_front *f, const struct pto_call *c, const char *const *keys) {
    for (size_t i = 0; i < c->attribute_count; i++) {
        const struct token *key = &c->attribute[i].key;
        bool known = false;
        for (size_t k = 0; keys[k]; k++) known = known || pto_token_is(key, keys[k]);
        if (!known && keys[0])
            return pto_text_error(&f->text, key, "expected %s%s%s%s%s", keys[0], keys[1] ? ", " : "",
                                  keys[1] ? keys[1] : "", keys[1] && keys[2] ? ", " : "",
                                  keys[1] && keys[2] ? keys[2] : "");
        if (!known) return pto_text_error(&f->text, key, "expected no attributes: this operation has none");
        for (size_t k = 0; k < i; k++)
            if (same_text(key, &c->attribute[k].key))
                return pto_text_error(&f->text, key, "expected each attribute once");
    }
    return true;
}

/* ---- compare and select ---- */

static bool make_compare(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    static const char *const words[] = {"eq", "ne", "lt", "le", "gt", "ge", NULL};
    static const pto_cmp operators[] = {PTO_EQ, PTO_NE, PTO_LT, PTO_LE, PTO_GT, PTO_GE};
    struct step s;
    size_t number;
    if (!use(f, c, row) || !find_word(f, &c->word, words, "eq, ne, lt, le, gt or ge", &number) ||
        !pto_results_make(f, c, row->results))
        return false;
    s = start(c, row);
    s.parameters.vector.cmp = operators[number];
    if (operators[number] == PTO_NE && f->program->options.profile == PTO_PROFILE_A5 && pto_is_float(c->type))
        s.parameters.vector.cmp = PTO_NEU;
    s.src[0] = c->src[0];
    s.src[1] = c->src[1];
    s.src[2] = seed_of(f, c, c->src[2]);
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

/* Appends a step whose sources and results are the operands and results of the operation, in order. */
static bool make_direct(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    for (size_t i = 0; i < CALL_OPERANDS; i++) s.src[i] = c->src[i];
    for (size_t i = 0; i < c->result_count; i++) s.dst[i] = c->dst[i];
    return finish(f, c, &s);
}

/* Appends the step of vselr as in PTO's newer documents: lane i of the result is the lane of the first
 * operand whose number is lane i of the second operand. */
static bool make_permutation(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (c->operand_count == 3)
        return pto_text_error(&f->text, &c->operand[2].token, "expected no mask beside the numbers of lanes");
    if (!pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    s.run = pto_step_permute;
    s.src[0] = c->src[0];
    s.src[1] = c->src[1];
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

/* If the text has no mask operand, uses the mask that was defined last, because PTO's page leaves the mask
 * implicit. */
static bool implicit_mask(struct pto_front *f, struct pto_call *c) {
    const struct pto_type fits = pto_mask_type(pto_lane_of(c->type));
    char name[48], expected[48];
    if (c->src[2] != ABSENT) return true;
    if (f->last_mask == ABSENT)
        return pto_text_error(&f->text, &c->opcode,
                              "expected a mask: a third operand, or one that an operation above makes");
    c->src[2] = f->last_mask;
    if (pto_types_agree(&f->values[c->src[2]].type, &fits)) return true;
    pto_type_name(&fits, expected, sizeof expected);
    pto_type_name(&f->values[c->src[2]].type, name, sizeof name);
    return pto_text_error(&f->text, &c->opcode,
                          "expected %s as a third operand: the mask made last, %s, is %s", expected,
                          f->program->regs[c->src[2]].name, name);
}

static bool make_vselr(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    pto_dtype other;
    if (!use(f, c, row)) return false;
    other = f->values[c->src[1]].type.type;
    if (other != c->type) {
        if (pto_is_integer(other) && pto_dtype_bits(other) == pto_dtype_bits(c->type))
            return make_permutation(f, c, row);
        return pto_text_error(
            &f->text, &c->operand[1].token,
            "expected elements of %s to select, or integers of that width: numbers of lanes",
            pto_type_spelling(c->type));
    }
    if (pto_is_integer(other) && c->operand_count == 2)
        return pto_text_error(
            &f->text, &c->opcode,
            "expected a mask as a third operand; or another sign, if these are numbers of lanes");
    if (!implicit_mask(f, c) || !pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    for (size_t i = 0; i < 3; i++) s.src[i] = c->src[i];
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

static bool make_vselrv2(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (!use(f, c, row) || !implicit_mask(f, c) || !pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    for (size_t i = 0; i < 3; i++) s.src[i] = c->src[i];
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

/* ---- arithmetic with a mask ---- */

/* Appends the step, so that lanes in which the mask is off become 0. */
static bool finish_masked(struct pto_front *f, const struct pto_call *c, struct step *s, int mask) {
    s->src[5] = seed_of(f, c, mask);
    if (s->src[5] != ABSENT) {
        s->parameters.vector.compute = s->run;
        s->run = pto_step_masked;
    }
    s->dst[0] = c->dst[0];
    return finish(f, c, s);
}

static bool make_unary(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    return finish_masked(f, c, &s, c->src[1]);
}

static bool make_binary(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    s.src[1] = c->src[1];
    return finish_masked(f, c, &s, c->src[2]);
}

/* Returns the register of a hidden vector that has the scalar in all lanes. */
static int broadcast_scalar(struct pto_front *f, const struct pto_call *c, int scalar) {
    struct step s = pto_step_of(pto_step_vbr, c->opcode.line);
    const int vector = pto_value_hidden(f, KIND_VECTOR, c->type, 0);
    s.src[0] = scalar;
    s.dst[0] = vector;
    s.parameters.vector =
        (struct vector_parameters){.typed = {.type = c->type}, .bits = (unsigned)pto_dtype_bits(c->type)};
    return vector != ABSENT && finish(f, c, &s) ? vector : ABSENT;
}

static bool make_with_scalar(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    s.src[1] = broadcast_scalar(f, c, c->src[1]);
    return s.src[1] != ABSENT && finish_masked(f, c, &s, c->src[2]);
}

static bool make_exp(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
#ifdef PTO_NO_VMATH
    return pto_text_error(&f->text, &c->opcode, "expected a libpto built with SLEEF, which has vexp");
#endif
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    s.src[1] = seed_of(f, c, c->src[1]);
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

/* Appends the step of vdup, which copies a scalar to all lanes, or the first or last lane of each vector
 * register. */
static bool make_dup(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    static const char *const positions[] = {"LOWEST", "HIGHEST", NULL};
    const struct pto_attribute *position = attribute(c, "position");
    struct step s;
    size_t number = 0;
    if (position && !find_word(f, &position->value, positions, "LOWEST or HIGHEST", &number)) return false;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    s.parameters.vector.highest = number == 1;
    if (f->values[c->src[0]].type.kind == KIND_SCALAR) s.run = pto_step_vbr;
    return finish_masked(f, c, &s, c->src[1]);
}

/* ---- masks ---- */

static bool make_pattern(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    char word[16] = "";
    struct step s;
    pto_pattern pattern;
    pto_preg p;
    if (!use(f, c, row)) return false;
    if (c->word.length - 2 < sizeof word) memcpy(word, c->word.at + 1, c->word.length - 2);
    if (pto_parse_pattern(word, &pattern, NULL) != PTO_OK)
        return pto_text_error(
            &f->text, &c->word,
            "expected PAT_ALL, PAT_ALLF, PAT_H, PAT_Q, PAT_M3, PAT_M4 or PAT_VL1 to PAT_VL128");
    if (pto_pset(c->lane, pattern, &p) != PTO_OK)
        return pto_text_error(&f->text, &c->word, "expected a pattern of at most %u lanes",
                              VECTOR_BITS / c->lane);
    if (!pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    s.parameters.vector.pattern = pattern;
    s.dst[0] = c->dst[0];
    f->values[c->dst[0]].is_all_true = pattern == PTO_PAT_ALL;
    return finish(f, c, &s);
}

/* Appends the step of plt. If the count is computed from a carried count of the loop, so is the remaining
 * count. */
static bool make_first_lanes(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    s.dst[0] = c->dst[0];
    s.dst[1] = c->dst[1];
    f->values[c->dst[1]].carried_index = f->values[c->src[0]].carried_index;
    f->values[c->dst[1]].subtracted = f->values[c->src[0]].subtracted + VECTOR_BITS / c->lane;
    return finish(f, c, &s);
}

/* Appends the step for whole images, if bits of the operands' images that are no lane's lowest may be 1, or become 1.
 */
static bool add_image_step(struct pto_front *f, const struct pto_call *c, const struct operation *row) {
    const struct step s = start(c, row);
    bool needed = row->step == pto_step_vpnot && c->src[1] == ABSENT && c->lane > 8;
    for (size_t i = 0; i < CALL_OPERANDS; i++)
        needed = needed || (c->src[i] != ABSENT && f->values[c->src[i]].image != ABSENT);
    return !needed || pto_image_step(f, c, &s);
}

static bool make_logic(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    const size_t last = strlen(row->operands) - 1;
    struct step s;
    if (!use_and_make(f, c, row)) return false;
    s = start(c, row);
    for (size_t i = 0; i < last; i++) s.src[i] = c->src[i];
    s.src[last] = seed_of(f, c, c->src[last]);
    s.dst[0] = c->dst[0];
    return finish(f, c, &s) && add_image_step(f, c, row);
}

/* Appends the steps of an operation on masks whose operands must all be present. */
static bool make_of_masks(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    return make_direct(f, c, row) && add_image_step(f, c, row);
}

/* Appends the steps of an operation that moves the lowest bits of lanes to those of lanes of `lane` bits. The result is
 * a mask with lanes of the width that its type in the text has; without a type, those of the mask type nearest to
 * `lane`. It gets an image if bits may be 1 that are no lane's lowest. */
static bool make_other_lanes(struct pto_front *f, struct pto_call *c, const struct operation *row,
                             unsigned lane, pto_half half) {
    const bool has_image = f->values[c->src[0]].image != ABSENT;
    struct step s;
    if (c->out_count != 0 && c->out[0].kind != KIND_MASK)
        return pto_text_error(&f->text, &c->out[0].token, "expected a mask, such as !pto.mask<b16>");
    if (c->out_count == 0 || !c->out[0].known) {
        const struct token place = c->out_count ? c->out[0].token : c->opcode;
        c->out[0] = pto_mask_type(lane < 8 ? 8 : lane > 32 ? 32 : lane);
        c->out[0].token = place;
        c->out_count = 1;
    }
    if (!pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    s.parameters.vector.lane[0] = has_image ? 8 : c->lane;
    s.parameters.vector.lane[1] = c->out[0].lane;
    s.src[0] = has_image ? pto_image_of(f, c, c->src[0]) : c->src[0];
    s.dst[0] = c->dst[0];
    s.parameters.vector.half = half;
    if (!finish(f, c, &s)) return false;
    if (c->out[0].lane == 8 || (!has_image && lane >= c->out[0].lane)) return true;
    return pto_image_step(f, c, &s);
}

static bool make_half(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    static const char *const halves[] = {"LOWER", "HIGHER", NULL};
    const bool narrows = row->step == pto_step_ppack;
    size_t number;
    if (!use(f, c, row) || !find_word(f, &c->word, halves, "LOWER or HIGHER", &number)) return false;
    return make_other_lanes(f, c, row, narrows ? c->lane / 2 : c->lane * 2,
                            number == 0 ? PTO_LOWER : PTO_HIGHER);
}

static bool make_bitcast(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    if (!use(f, c, row)) return false;
    if (c->out_count == 0 || !c->out[0].known)
        return pto_text_error(&f->text, c->out_count ? &c->out[0].token : &c->opcode,
                              "expected the lanes of the result, as -> !pto.mask<b8>");
    return make_other_lanes(f, c, row, c->lane, PTO_LOWER);
}

/* ---- conversions ---- */

static bool result_type(struct pto_front *f, const struct pto_call *c, pto_dtype *type) {
    if (c->out_count == 0)
        return pto_text_error(&f->text, &c->opcode,
                              "expected the type of the result, as -> !pto.vreg<64xi32>");
    if (c->out[0].kind != KIND_VECTOR || !c->out[0].known)
        return pto_text_error(&f->text, &c->out[0].token,
                              "expected the type of a register, as !pto.vreg<64xi32>");
    *type = c->out[0].type;
    return true;
}

static const char *const roundings[] = {"R", "A", "F", "C", "Z", "O", NULL};

/* Reads the attribute rnd. Without it, conversions round to nearest even, except those to hif8: to nearest,
 * with ties away from zero. */
static bool read_rounding(struct pto_front *f, const struct pto_call *c, pto_vcvt_op *op) {
    const struct pto_attribute *rnd = attribute(c, "rnd");
    size_t number = 0;
    op->rnd = op->dst == PTO_HIF8 ? PTO_VRND_A : PTO_VRND_R;
    if (!rnd) return true;
    if (!find_word(f, &rnd->value, roundings, "R, A, F, C, Z or O", &number)) return false;
    op->rnd = (pto_vrnd)number;
    return true;
}

static bool read_saturation(struct pto_front *f, const struct pto_call *c, pto_vcvt_op *op) {
    static const char *const words[] = {"NOSAT", "SAT", NULL};
    const struct pto_attribute *sat = attribute(c, "sat");
    size_t number = 0;
    if (sat && !find_word(f, &sat->value, words, "SAT or NOSAT", &number)) return false;
    op->sat = number == 1;
    return true;
}

static bool check_conversion(struct pto_front *f, const struct pto_call *c, pto_vcvt_op op) {
    const struct pto_attribute *rnd = attribute(c, "rnd"), *sat = attribute(c, "sat");
    const char *from = pto_type_spelling(op.src), *to = pto_type_spelling(op.dst);
    const pto_status status = pto_vcvt_check(op);
    pto_vcvt_op plain = op;
    if (status == PTO_OK) return true;
    if (status == PTO_ERR_TYPE)
        return pto_text_error(
            &f->text, &c->out[0].token,
            "expected another type: there is no vcvt from %s to %s (pto_cast() converts all types)", from,
            to);
    plain.sat = false;
    if (op.sat && pto_vcvt_check(plain) == PTO_OK)
        return pto_text_error(&f->text, &sat->value, "expected no SAT: %s to %s has no choice", from, to);
    return pto_text_error(&f->text, rnd ? &rnd->value : &c->opcode,
                          "expected another rnd: %s to %s does not have it", from, to);
}

/* Reads the attribute part, which selects the part of a wide element that a narrow element uses. */
static bool read_part(struct pto_front *f, const struct pto_call *c, pto_vcvt_op op,
                      struct vector_parameters *v) {
    static const char *const two[] = {"EVEN", "ODD", NULL}, *const four[] = {"P0", "P1", "P2", "P3", NULL};
    const unsigned src = (unsigned)pto_dtype_bits(op.src), dst = (unsigned)pto_dtype_bits(op.dst);
    const unsigned wide = src > dst ? src : dst, times = wide / (src > dst ? dst : src);
    const struct pto_attribute *part = attribute(c, "part");
    size_t number = 0;
    v->bits = wide;
    v->same_width = times == 1;
    if (times == 1) {
        if (part) return pto_text_error(&f->text, &part->key, "expected no part: both types have one width");
        return true;
    }
    if (!part)
        return pto_text_error(&f->text, &c->opcode, "expected {part = \"%s\"}: the widths are %u and %u bits",
                              times == 2 ? "EVEN\"} or {part = \"ODD" : "P0\"} to {part = \"P3", src, dst);
    if (!find_word(f, &part->value, times == 2 ? two : four, times == 2 ? "EVEN or ODD" : "P0, P1, P2 or P3",
                   &number))
        return false;
    v->part =
        times == 2 ? (number == 0 ? PTO_PART_EVEN : PTO_PART_ODD) : (pto_vpart)(PTO_PART_P0 + (int)number);
    return true;
}

static bool make_conversion(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    static const char *const keys[] = {"rnd", "sat", "part", NULL};
    pto_vcvt_op op = {.sat = false};
    struct step s;
    if (!check_attributes(f, c, keys) || !use(f, c, row) || !result_type(f, c, &op.dst)) return false;
    op.src = c->type;
    s = start(c, row);
    if (!read_rounding(f, c, &op) || !read_saturation(f, c, &op) || !check_conversion(f, c, op) ||
        !read_part(f, c, op, &s.parameters.vector) || !pto_results_make(f, c, row->results))
        return false;
    s.parameters.vector.cvt = op;
    s.src[0] = c->src[0];
    s.src[1] = seed_of(f, c, c->src[1]);
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

static bool make_rounding(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    struct step s;
    size_t number;
    if (!use(f, c, row) || !find_word(f, &c->word, roundings, "R, A, F, C or Z", &number)) return false;
    if (number == PTO_VRND_O) return pto_text_error(&f->text, &c->word, "expected R, A, F, C or Z");
    if (!pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    s.parameters.vector.cvt = (pto_vcvt_op){.src = c->type, .dst = c->type, .rnd = (pto_vrnd)number};
    s.src[0] = c->src[0];
    s.src[1] = seed_of(f, c, c->src[1]);
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

static bool make_reinterpretation(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    pto_dtype type;
    struct step s;
    if (!use(f, c, row) || !result_type(f, c, &type) || !pto_results_make(f, c, row->results)) return false;
    s = start(c, row);
    s.src[0] = c->src[0];
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

/* ---- memory ---- */

struct distribution {
    const char *word;
    unsigned narrow, wide; /* bits of an element in memory, in the register; 0: any width, equal in both */
};

static const struct distribution load_words[] = {
    {"NORM", 0, 0}, {"UNPK_B8", 8, 16}, {"UNPK_B16", 16, 32}, {"UNPK4_B8", 8, 32}, {NULL, 0, 0}};
static const struct distribution store_words[] = {
    {"NORM", 0, 0},    {"NORM_B8", 8, 8},  {"NORM_B16", 16, 16}, {"NORM_B32", 32, 32},
    {"PK_B16", 8, 16}, {"PK_B32", 16, 32}, {"PK4_B32", 8, 32},   {NULL, 0, 0}};

static const struct distribution *find_distribution(const struct distribution *list,
                                                    const struct token *word) {
    for (; list->word; list++)
        if (strlen(list->word) + 2 == word->length && memcmp(list->word, word->at + 1, word->length - 2) == 0)
            return list;
    return NULL;
}

/* Reads how elements in memory are placed in a register, from the attribute dist or from a word in quotes. */
static bool read_distribution(struct pto_front *f, struct pto_call *c, const struct distribution *list,
                              const struct distribution **found) {
    static const char *const keys[] = {"dist", NULL};
    const struct pto_attribute *dist = attribute(c, "dist");
    const struct token *word = dist ? &dist->value : c->word.length ? &c->word : NULL;
    *found = &list[0];
    if (!check_attributes(f, c, keys)) return false;
    if (!word) return true;
    *found = find_distribution(list, word);
    if (!*found)
        return pto_text_error(&f->text, word, "expected %s",
                              list == load_words
                                  ? "NORM, UNPK_B8, UNPK_B16 or UNPK4_B8"
                                  : "NORM, NORM_B8, NORM_B16, NORM_B32, PK_B16, PK_B32 or PK4_B32");
    c->width_ratio = (*found)->narrow ? (*found)->wide / (*found)->narrow : 1;
    c->word.length = 0;
    return true;
}

/* Checks that all loads and stores of an array access the same number of its elements for a vector
 * register. */
static bool use_memory(struct pto_front *f, const struct pto_call *c, const struct distribution *dist,
                       size_t operand) {
    struct pto_value *memory = &f->values[c->src[operand]];
    const struct pto_operand *o = &c->operand[operand];
    if (dist->narrow && dist->narrow != pto_dtype_bits(c->type))
        return pto_text_error(&f->text, &c->opcode, "expected elements of %u bits beside %s; these are %s",
                              dist->narrow, dist->word, pto_type_spelling(c->type));
    if (memory->width_ratio && memory->width_ratio != c->width_ratio)
        return pto_text_error(&f->text, &o->token, "expected as many elements for a register as above, %u",
                              VECTOR_BITS / pto_lane_of(c->type) / memory->width_ratio);
    memory->width_ratio = c->width_ratio;
    return pto_offset_check(f, o, VECTOR_BITS / pto_lane_of(c->type) / c->width_ratio);
}

static struct step access_memory(const struct pto_call *c, const struct operation *row, step_fn *otherwise) {
    struct step s = start(c, row);
    s.parameters.vector.bits = (unsigned)pto_dtype_bits(c->type) * c->width_ratio;
    s.parameters.vector.width_ratio = c->width_ratio;
    if (c->width_ratio > 1) s.run = otherwise;
    return s;
}

static bool make_load(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    const struct distribution *dist;
    struct step s;
    if (!read_distribution(f, c, load_words, &dist) || !use(f, c, row) || !use_memory(f, c, dist, 0) ||
        !pto_results_make(f, c, row->results))
        return false;
    s = access_memory(c, row, pto_step_unpack);
    s.src[0] = c->src[0];
    s.dst[0] = c->dst[0];
    return finish(f, c, &s);
}

/* Appends the step of vsts, in which lanes where the mask is off are not written to memory. */
static bool make_store(struct pto_front *f, struct pto_call *c, const struct operation *row) {
    const struct distribution *dist;
    struct step s;
    if (!read_distribution(f, c, store_words, &dist) || !use(f, c, row) || !use_memory(f, c, dist, 1) ||
        !pto_results_make(f, c, row->results))
        return false;
    s = access_memory(c, row, pto_step_pack);
    s.src[0] = c->src[0];
    s.dst[0] = c->src[1];
    s.guard = seed_of(f, c, c->src[2]);
    return finish(f, c, &s);
}

/* ---- the table ---- */

#ifdef PTO_NO_VMATH
#    define STEP_VEXP NULL
#else
#    define STEP_VEXP pto_step_vexp
#endif

/* PTO's vmax and vmin propagate NaNs (maxmin.h). */
static const struct operation operations[] = {
    {"vcmp", "vvm\"", "m", make_compare, pto_step_vcmp, NUMBERS, 0},
    {"vcmps", "vsm\"", "m", make_compare, pto_step_vcmps, NUMBERS, 0},
    {"vsel", "vvm", "v", make_direct, pto_step_vsel, ELEMENTS, 0},
    {"vselr", "vyM", "v", make_vselr, pto_step_vselr, ELEMENTS, 0},
    {"vselrv2", "vvM", "v", make_vselrv2, pto_step_vselrv2, ELEMENTS, 0},
    {"vbr", "s", "v", make_direct, pto_step_vbr, NUMBERS, 0},
    {"vdup", "dM", "v", make_dup, pto_step_vdup, NUMBERS, 0},
    {"vexp", "vM", "v", make_exp, STEP_VEXP, TYPE(PTO_F16) | TYPE(PTO_F32), 0},
    {"vadd", "vvM", "v", make_binary, pto_step_add, NUMBERS | LONGS, 0},
    {"vsub", "vvM", "v", make_binary, pto_step_sub, NUMBERS | LONGS, 0},
    {"vmul", "vvM", "v", make_binary, pto_step_mul, WORDS | FLOATS, 0},
    {"vadds", "vsM", "v", make_with_scalar, pto_step_add, NUMBERS, 0},
    {"vmuls", "vsM", "v", make_with_scalar, pto_step_mul, WORDS | FLOATS, 0},
    {"vmax", "vvM", "v", make_binary, pto_step_max, NUMBERS, PTO_PROPAGATE_NAN},
    {"vmin", "vvM", "v", make_binary, pto_step_min, NUMBERS, PTO_PROPAGATE_NAN},
    {"vmaxs", "vsM", "v", make_binary, pto_step_vmaxs, NUMBERS, PTO_PROPAGATE_NAN},
    {"vmins", "vsM", "v", make_binary, pto_step_vmins, NUMBERS, PTO_PROPAGATE_NAN},
    {"vrelu", "vM", "v", make_unary, pto_step_vrelu, TYPE(PTO_S32) | TYPE(PTO_F16) | TYPE(PTO_F32), 0},
    {"vabs", "vM", "v", make_unary, pto_step_abs, SIGNED, 0},
    {"vneg", "vM", "v", make_unary, pto_step_neg, SIGNED, 0},
    {"vand", "vvM", "v", make_binary, pto_step_and, ELEMENTS, 0},
    {"vor", "vvM", "v", make_binary, pto_step_or, ELEMENTS, 0},
    {"vxor", "vvM", "v", make_binary, pto_step_xor, ELEMENTS, 0},
    {"vnot", "vM", "v", make_unary, pto_step_not, BYTES | WORDS, 0},
    {"vintlv", "vv", "vv", make_direct, pto_step_vintlv, ELEMENTS, 0},
    {"vdintlv", "vv", "vv", make_direct, pto_step_vdintlv, ELEMENTS, 0},
    {"vcvt", "vM", "u", make_conversion, pto_step_vcvt, ALL, 0},
    {"vtrc", "vM\"", "v", make_rounding, pto_step_vtrc, FLOATS, 0},
    {"vbitcast", "v", "u", make_reinterpretation, pto_step_vbits, ALL, 0},
    {"vlds", "a", "v", make_load, pto_step_vbits, ALL, 0},
    {"vsts", "vaM", "", make_store, pto_step_vbits, ALL, 0},
    {"pset_b", "\"", "p", make_pattern, pto_step_pset, 0, 0},
    {"pge_b", "\"", "p", make_pattern, pto_step_pset, 0, 0},
    {"plt_b", "c", "pc", make_first_lanes, pto_step_plt, 0, 0},
    {"pand", "ppP", "p", make_logic, pto_step_vpand, 0, 0},
    {"por", "ppP", "p", make_logic, pto_step_vpor, 0, 0},
    {"pxor", "ppP", "p", make_logic, pto_step_vpxor, 0, 0},
    {"pnot", "pP", "p", make_logic, pto_step_vpnot, 0, 0},
    {"psel", "ppp", "p", make_of_masks, pto_step_vpsel, 0, 0},
    {"ppack", "p\"", "r", make_half, pto_step_ppack, 0, 0},
    {"punpack", "p\"", "r", make_half, pto_step_punpack, 0, 0},
    {"pbitcast", "p", "r", make_bitcast, pto_step_pbitcast, 0, 0},
    {"pintlv", "pp", "pp", make_of_masks, pto_step_pintlv, 0, 0},
    {"pintlv_b", "pp", "pp", make_of_masks, pto_step_pintlv, 0, 0},
    {"pdintlv", "pp", "pp", make_of_masks, pto_step_pdintlv, 0, 0},
    {"pdintlv_b", "pp", "pp", make_of_masks, pto_step_pdintlv, 0, 0},
};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static bool has_lanes(const struct operation *row) {
    const size_t length = strlen(row->name);
    return length > 2 && strcmp(row->name + length - 2, "_b") == 0;
}

/* Returns the width of a lane that the text spells: 8, 16 or 32; 0 for any other text. */
static unsigned lane_suffix(const char *at, size_t length) {
    if (length == 1 && at[0] == '8') return 8;
    if (length == 2 && memcmp(at, "16", 2) == 0) return 16;
    return length == 2 && memcmp(at, "32", 2) == 0 ? 32 : 0;
}

static bool is_named(const struct operation *row, struct pto_call *c) {
    const size_t length = strlen(row->name);
    if (c->name_length < length || memcmp(row->name, c->name, length) != 0) return false;
    if (!has_lanes(row)) return c->name_length == length;
    c->lane = lane_suffix(c->name + length, c->name_length - length);
    return c->lane != 0;
}

bool pto_operation_name(size_t i, const char **name, bool *has_width) {
    if (i >= OPERATIONS) return false;
    *name = operations[i].name;
    *has_width = has_lanes(&operations[i]);
    return true;
}

bool pto_operation(struct pto_front *f, struct pto_call *c) {
    static const char *const position[] = {"position", NULL}, *const none[] = {NULL};
    c->width_ratio = 1;
    for (size_t i = 0; i < OPERATIONS; i++) {
        const struct operation *row = &operations[i];
        if (!is_named(row, c)) continue;
        if (row->make != make_conversion && row->make != make_load && row->make != make_store &&
            !check_attributes(f, c, row->make == make_dup ? position : none))
            return false;
        return row->make(f, c, row);
    }
    return false;
}
