/* SPDX-License-Identifier: MIT */
/* The PTX instructions by which the threads of a warp exchange values, and atomic accesses: their forms and checks. */
#include "ptx.h"

#include "number.h"

#include <stdio.h>
#include <string.h>

static struct requirement of_type(pto_dtype type) {
    return (struct requirement){.type = type};
}

static bool check_count(struct ptx *x, const struct statement *s, size_t count) {
    return s->count == count || pto_text_error(&x->text, &s->opcode, "expected %zu operands", count);
}

/* Reads d or d|p. */
static bool result_and_predicate(struct ptx *x, const struct operand *o, pto_dtype type, int dst[2]) {
    if (o->kind == OPERAND_PAIR && o->count == 2) {
        dst[0] = pto_ptx_part_result(x, &o->part[0].token, of_type(type));
        dst[1] = pto_ptx_predicate_result(x, &o->part[1].token);
    } else {
        dst[0] = pto_ptx_result(x, o, of_type(type));
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
    while (i < sizeof modes / sizeof modes[0] && !pto_token_is(&s->opcode, modes[i].opcode)) i++;
    if (i == sizeof modes / sizeof modes[0])
        return pto_text_error(&x->text, &s->opcode, "expected shfl.sync.up, .down, .bfly or .idx, and .b32");
    step.kind = STEP_WARP;
    step.parameters.warp.op = modes[i].op;
    if (!check_count(x, s, 5) || !result_and_predicate(x, &s->operand[0], PTO_B32, step.dst)) return false;
    for (size_t k = 0; k < 3; k++) step.src[k] = pto_ptx_source(x, &s->operand[k + 1], of_type(PTO_B32));
    (void)pto_ptx_source(x, &s->operand[4], of_type(PTO_B32)); /* all threads that are here exchange values */
    return pto_ptx_step(x, s, &step);
}

/* How the operands of an instruction are read. */
enum warp_shape { SHAPE_VOTE, SHAPE_BALLOT, SHAPE_NONE, SHAPE_WORD, SHAPE_LONG, SHAPE_ELECT };

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
    {"redux.sync.add.u32", WARP_REDUCE_ADD, SHAPE_WORD, false},
    {"redux.sync.add.s32", WARP_REDUCE_ADD, SHAPE_WORD, true},
    {"redux.sync.min.u32", WARP_REDUCE_MIN, SHAPE_WORD, false},
    {"redux.sync.min.s32", WARP_REDUCE_MIN, SHAPE_WORD, true},
    {"redux.sync.max.u32", WARP_REDUCE_MAX, SHAPE_WORD, false},
    {"redux.sync.max.s32", WARP_REDUCE_MAX, SHAPE_WORD, true},
    {"redux.sync.and.b32", WARP_REDUCE_AND, SHAPE_WORD, false},
    {"redux.sync.or.b32", WARP_REDUCE_OR, SHAPE_WORD, false},
    {"redux.sync.xor.b32", WARP_REDUCE_XOR, SHAPE_WORD, false},
};

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
    return result_and_predicate(x, o, PTO_B32, step->dst);
}

/* Votes, matches, reductions and activemask. */
static bool make_warp(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    const struct warp_form *f = forms, *end = forms + sizeof forms / sizeof forms[0];
    size_t next = 1;
    while (f < end && !pto_token_is(&s->opcode, f->opcode)) f++;
    if (f == end)
        return pto_text_error(&x->text, &s->opcode, "this form of the instruction is not supported");
    step.kind = STEP_WARP;
    step.parameters.warp = (struct warp_parameters){.op = f->op, .is_signed = f->is_signed};
    if (!check_count(x, s, f->shape == SHAPE_NONE ? 1 : f->shape == SHAPE_ELECT ? 2 : 3)) return false;
    if (!read_result(x, s, f, &step)) return false;
    if (f->shape == SHAPE_VOTE || f->shape == SHAPE_BALLOT)
        step.src[0] = pto_ptx_predicate(x, &s->operand[next++], &step.parameters.warp.negated);
    else if (f->shape == SHAPE_WORD || f->shape == SHAPE_LONG)
        step.src[0] =
            pto_ptx_source(x, &s->operand[next++], of_type(f->shape == SHAPE_LONG ? PTO_B64 : PTO_B32));
    if (f->shape != SHAPE_NONE)
        step.src[f->shape == SHAPE_ELECT ? 0 : 1] = pto_ptx_source(x, &s->operand[next], of_type(PTO_B32));
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

static const struct atomic_form *find_atomic(const struct opcode_word *w) {
    for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++)
        if (pto_word_is(w, atomics[i].op)) return &atomics[i];
    return NULL;
}

static bool has_type(const struct atomic_form *f, pto_dtype type) {
    char text[16];
    (void)snprintf(text, sizeof text, " %s ", pto_dtype_name(type));
    return strstr(f->types, text) != NULL;
}

/* Reads the words of atom and red. Those that order accesses change no result here. */
static bool read_atomic_words(struct ptx *x, const struct token *opcode, struct memory_parameters *m) {
    static const char *const no_effect[] = {"relaxed", "acquire", "release", "acq_rel", "cta",
                                            "cluster", "gpu",     "sys",     NULL};
    const struct atomic_form *form = NULL;
    struct opcode_word w = {NULL, 0};
    bool has_type_word = false;
    while (pto_word_next(opcode, &w)) {
        const struct atomic_form *found = form ? NULL : find_atomic(&w);
        if (found)
            form = found;
        else if (form && pto_word_type(&w, &m->type))
            has_type_word = true;
        else if (form || (!pto_word_space(&w, &m->space) && !pto_word_is_one_of(&w, no_effect)))
            return pto_word_error(x, opcode, &w,
                                  "expected a space, an operation or a type of this instruction");
    }
    if (!form || !has_type_word || !has_type(form, m->type))
        return pto_text_error(&x->text, opcode, "expected an operation, and a type that it has");
    m->atomic = form->number;
    return true;
}

static bool make_atomic(struct ptx *x, const struct statement *s, bool has_result) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    struct memory_parameters m = {.count = 1};
    const size_t first = has_result ? 1 : 0;
    size_t sources;
    if (!read_atomic_words(x, &s->opcode, &m)) return false;
    sources = m.atomic == ATOMIC_COMPARE ? 2 : 1;
    if (!has_result && (m.atomic == ATOMIC_EXCHANGE || m.atomic == ATOMIC_COMPARE))
        return pto_text_error(&x->text, &s->opcode, "red does not have this operation");
    if (!check_count(x, s, first + 1 + sources)) return false;
    step.kind = STEP_ATOMIC;
    if (has_result && s->operand[0].kind != OPERAND_SINK) {
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
    return make_atomic(x, s, true);
}

bool pto_ptx_make_red(struct ptx *x, const struct statement *s) {
    return make_atomic(x, s, false);
}
