/* SPDX-License-Identifier: MIT */
/* Checks the PTX instructions with which the threads of a warp exchange values, and atomic accesses, and
 * appends their steps. */
#include "ptx.h"

#include "number.h"

#include <stdio.h>
#include <string.h>

static struct requirement of_type(pto_dtype type) {
    return (struct requirement){.type = type};
}

/* Of a mask of lanes and of what reductions and matches give: no register of floats. */
static const struct requirement integer = {.type = PTO_U32, .plain = true};

/* Sets dst from an operand d or d|p. */
static bool result_and_predicate(struct ptx *x, const struct operand *o, struct requirement need,
                                 int dst[2]) {
    if (o->kind == OPERAND_PAIR && o->count == 2) {
        dst[0] = pto_ptx_part_result(x, &o->part[0].token, need);
        dst[1] = pto_ptx_predicate_result(x, &o->part[1].token);
    } else {
        dst[0] = pto_ptx_result(x, o, need);
    }
    return !x->text.failed;
}

static bool make_shuffle(struct ptx *x, const struct statement *s) {
    static const struct {
        const char *opcode;
        enum warp_op op;
    } modes[] = {{"shfl.sync.up.b32", WARP_SHUFFLE_UP},
                 {"shfl.sync.down.b32", WARP_SHUFFLE_DOWN},
                 {"shfl.sync.bfly.b32", WARP_SHUFFLE_BUTTERFLY},
                 {"shfl.sync.idx.b32", WARP_SHUFFLE_INDEX}};
    struct step step = pto_step_of(NULL, s->opcode.line);
    size_t i = 0;
    while (i < sizeof modes / sizeof modes[0] && !pto_word_same(&s->opcode, modes[i].opcode)) i++;
    if (i == sizeof modes / sizeof modes[0])
        return pto_text_error(&x->text, &s->opcode, "expected shfl.sync.up, .down, .bfly or .idx, and .b32");
    step.kind = STEP_WARP;
    step.parameters.warp.op = modes[i].op;
    if (!pto_ptx_operand_count(x, s, 5) ||
        !result_and_predicate(x, &s->operand[0], of_type(PTO_B32), step.dst))
        return false;
    for (size_t k = 0; k < 3; k++) step.src[k] = pto_ptx_source(x, &s->operand[k + 1], of_type(PTO_B32));
    (void)pto_ptx_source(x, &s->operand[4], integer); /* not used: all active threads exchange values */
    return pto_ptx_step(x, s, &step);
}

/* The operands of an instruction: for votes, ballot, no source, a source of 32 bits, of 64 bits, an integer of 32 bits,
 * for elect. */
enum warp_shape { SHAPE_VOTE, SHAPE_BALLOT, SHAPE_NONE, SHAPE_WORD, SHAPE_LONG, SHAPE_INTEGER, SHAPE_ELECT };

static const struct warp_form {
    const char *opcode;
    enum warp_op op;
    enum warp_shape shape;
    bool is_signed;
} forms[] = {
    {"vote.sync.all.pred", WARP_VOTE_ALL, SHAPE_VOTE, false},
    {"vote.sync.any.pred", WARP_VOTE_ANY, SHAPE_VOTE, false},
    {"vote.sync.uni.pred", WARP_VOTE_UNIFORM, SHAPE_VOTE, false},
    {"vote.sync.ballot.b32", WARP_BALLOT, SHAPE_BALLOT, false},
    {"activemask.b32", WARP_ACTIVE_MASK, SHAPE_NONE, false},
    {"match.any.sync.b32", WARP_MATCH_ANY, SHAPE_WORD, false},
    {"match.any.sync.b64", WARP_MATCH_ANY, SHAPE_LONG, false},
    {"match.all.sync.b32", WARP_MATCH_ALL, SHAPE_WORD, false},
    {"match.all.sync.b64", WARP_MATCH_ALL, SHAPE_LONG, false},
    {"elect.sync", WARP_ELECT, SHAPE_ELECT, false},
    {"redux.sync.add.u32", WARP_REDUCE_ADD, SHAPE_INTEGER, false},
    {"redux.sync.add.s32", WARP_REDUCE_ADD, SHAPE_INTEGER, true},
    {"redux.sync.min.u32", WARP_REDUCE_MIN, SHAPE_INTEGER, false},
    {"redux.sync.min.s32", WARP_REDUCE_MIN, SHAPE_INTEGER, true},
    {"redux.sync.max.u32", WARP_REDUCE_MAX, SHAPE_INTEGER, false},
    {"redux.sync.max.s32", WARP_REDUCE_MAX, SHAPE_INTEGER, true},
    {"redux.sync.and.b32", WARP_REDUCE_AND, SHAPE_INTEGER, false},
    {"redux.sync.or.b32", WARP_REDUCE_OR, SHAPE_INTEGER, false},
    {"redux.sync.xor.b32", WARP_REDUCE_XOR, SHAPE_INTEGER, false},
};

/* Returns the requirement on the source. Reductions take no register of floats, not even for .b32. */
static struct requirement source_of(enum warp_shape shape) {
    if (shape == SHAPE_INTEGER) return integer;
    return of_type(shape == SHAPE_LONG ? PTO_B64 : PTO_B32);
}

static bool read_result(struct ptx *x, const struct statement *s, const struct warp_form *f,
                        struct step *step) {
    const struct operand *o = &s->operand[0];
    if (f->shape == SHAPE_VOTE) {
        if (o->kind != OPERAND_NAME || o->negated)
            return pto_text_error(&x->text, &o->token, "expected a predicate to write");
        step->dst[0] = pto_ptx_predicate_result(x, &o->token);
        return !x->text.failed;
    }
    if (o->kind == OPERAND_PAIR && f->op != WARP_MATCH_ALL && f->op != WARP_ELECT)
        return pto_text_error(&x->text, &o->token,
                              "expected one register: this instruction gives no predicate");
    if (f->shape == SHAPE_ELECT && o->kind != OPERAND_PAIR)
        return pto_text_error(&x->text, &o->token, "expected d|p");
    return result_and_predicate(
        x, o,
        f->op == WARP_BALLOT || f->op == WARP_ACTIVE_MASK || f->op == WARP_ELECT ? of_type(PTO_B32) : integer,
        step->dst);
}

/* Appends the step of a vote, a match, a reduction, elect or activemask. */
static bool make_warp(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    const struct warp_form *f = forms, *end = forms + sizeof forms / sizeof forms[0];
    size_t next = 1;
    while (f < end && !pto_word_same(&s->opcode, f->opcode)) f++;
    if (f == end)
        return pto_text_error(&x->text, &s->opcode, "this form of the instruction is not supported");
    step.kind = STEP_WARP;
    step.parameters.warp = (struct warp_parameters){.op = f->op, .is_signed = f->is_signed};
    if (!pto_ptx_operand_count(x, s, f->shape == SHAPE_NONE ? 1 : f->shape == SHAPE_ELECT ? 2 : 3))
        return false;
    if (!read_result(x, s, f, &step)) return false;
    if (f->shape == SHAPE_VOTE || f->shape == SHAPE_BALLOT)
        step.src[0] = pto_ptx_predicate(x, &s->operand[next++], &step.parameters.warp.negated);
    else if (f->shape != SHAPE_NONE && f->shape != SHAPE_ELECT)
        step.src[0] = pto_ptx_source(x, &s->operand[next++], source_of(f->shape));
    if (f->shape != SHAPE_NONE)
        step.src[f->shape == SHAPE_ELECT ? 0 : 1] = pto_ptx_source(x, &s->operand[next], integer);
    return pto_ptx_step(x, s, &step);
}

/* ---- atomic accesses ---- */

static const struct atomic_form {
    const char *op;
    enum atomic_op number;
    const char *types;
} atomics[] = {
    {"and", ATOMIC_AND, " b32 b64 "},         {"or", ATOMIC_OR, " b32 b64 "},
    {"xor", ATOMIC_XOR, " b32 b64 "},         {"exch", ATOMIC_EXCHANGE, " b32 b64 "},
    {"cas", ATOMIC_COMPARE, " b16 b32 b64 "}, {"add", ATOMIC_ADD, " u32 s32 u64 f32 f64 "},
    {"inc", ATOMIC_INCREMENT, " u32 "},       {"dec", ATOMIC_DECREMENT, " u32 "},
    {"min", ATOMIC_MIN, " u32 s32 u64 s64 "}, {"max", ATOMIC_MAX, " u32 s32 u64 s64 "},
};

/* Returns the row of an operation that pto_ptx_access() has read. */
static const struct atomic_form *find_atomic(const char *op) {
    size_t i = 0;
    while (strcmp(atomics[i].op, op) != 0) i++;
    return &atomics[i];
}

static bool has_type(const struct atomic_form *f, pto_dtype type) {
    char text[16];
    (void)snprintf(text, sizeof text, " %s ", pto_dtype_name(type));
    return strstr(f->types, text) != NULL;
}

static bool make_atomic(struct ptx *x, const struct statement *s, unsigned user) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    struct memory_parameters m = {.count = 1};
    const size_t first = user == PTX_ATOM ? 1 : 0;
    const struct atomic_form *form;
    struct access a;
    size_t sources;
    if (!pto_ptx_access(x, &s->opcode, user, &m, &a)) return false;
    form = a.word[WORD_OPERATION] ? find_atomic(a.word[WORD_OPERATION]) : NULL;
    if (!form || !has_type(form, m.type))
        return pto_text_error(&x->text, &s->opcode, "expected an operation, and a type that it has");
    m.atomic = form->number;
    sources = m.atomic == ATOMIC_COMPARE ? 2 : 1;
    if (!pto_ptx_hint(x, s, &a, first + 1 + sources)) return false;
    step.kind = STEP_ATOMIC;
    if (first == 1 && s->operand[0].kind != OPERAND_SINK) {
        step.dst[0] = pto_ptx_result(x, &s->operand[0], of_type(m.type));
        if (step.dst[0] == ABSENT) return false;
    }
    step.src[0] = pto_ptx_address(x, &s->operand[first], m.space, &m.offset);
    for (size_t i = 0; i < sources; i++)
        step.src[1 + i] = pto_ptx_source(x, &s->operand[first + 1 + i], of_type(m.type));
    step.parameters.memory = m;
    return pto_ptx_step(x, s, &step);
}

bool pto_ptx_make_warp(struct ptx *x, const struct statement *s) {
    if (s->opcode.length > 4 && memcmp(s->opcode.at, "shfl", 4) == 0) return make_shuffle(x, s);
    return make_warp(x, s);
}

bool pto_ptx_make_atom(struct ptx *x, const struct statement *s) {
    return make_atomic(x, s, PTX_ATOM);
}

bool pto_ptx_make_red(struct ptx *x, const struct statement *s) {
    return make_atomic(x, s, PTX_RED);
}
