/* SPDX-License-Identifier: MIT */
/* Parses the statements of PTX text: declarations, scopes, labels and jumps, and the operands of instructions.
 * ptx_operands.c finds the registers of operands, instructions.c checks instructions. */
#include "ptx.h"

#include "constant.h"
#include "platform.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

/* Appends a step on predicates for which the text has no instruction. */
static bool hidden_step(struct ptx *x, const struct token *place, step_fn *run, int d, int a, int b, int c) {
    struct step step = pto_step_of(run, place->line);
    step.dst[0] = d;
    step.src[0] = a;
    step.src[1] = b;
    step.src[2] = c;
    return pto_ir_step(x->program, &step, place) || pto_ptx_no_memory(x);
}

static int hidden_predicate(struct ptx *x) {
    const int reg = pto_ir_add(x->program, REG_HIDDEN, 0, NULL, PTO_B8, true);
    if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    return reg;
}

/* ---- jumps ---- */

struct label {
    struct token name;
    uint32_t scatter; /* pto_scatter() of the name */
    int waiting;      /* predicate of the lanes that wait there, or ABSENT */
    bool placed;
    size_t number; /* in order of appearance */
    size_t step;   /* in a kernel: the number of the step that follows it */
    struct label *next;
};

static int compare_labels(const void *a, const void *b) {
    const struct label *first = a, *second = b;
    const struct token *x = &first->name, *y = &second->name;
    if (first->scatter != second->scatter) return first->scatter < second->scatter ? -1 : 1;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    return memcmp(x->at, y->at, x->length);
}

static struct label *find_label(struct ptx *x, const struct token *name) {
    const struct label key = {.name = *name, .scatter = pto_scatter(name->at, name->length)};
    void *const *found = tfind(&key, &x->label_names, compare_labels);
    return found ? *(struct label *const *)found : NULL;
}

/* Adds a label that was not named before. Returns NULL without memory. */
static struct label *add_label(struct ptx *x, const struct token *name) {
    struct label *label = malloc(sizeof *label);
    const uint32_t scatter = pto_scatter(name->at, name->length);
    if (label)
        *label =
            (struct label){.name = *name, .scatter = scatter, .waiting = ABSENT, .number = x->label_count++};
    if (!label || !tsearch(label, &x->label_names, compare_labels)) {
        free(label);
        (void)pto_ptx_no_memory(x);
        return NULL;
    }
    *x->next_label = label;
    x->next_label = &label->next;
    return label;
}

static void free_labels(struct ptx *x) {
    while (x->labels) {
        struct label *label = x->labels;
        x->labels = label->next;
        (void)tdelete(label, &x->label_names, compare_labels);
        free(label);
    }
    x->next_label = &x->labels;
    x->label_count = 0;
}

/* Deactivates the active lanes for which the predicate `condition` is true, or false if `negated`. They are added to
 * the predicate *waiting, which is created if it is ABSENT. If `waiting` is NULL, they never become active again. */
static bool deactivate_lanes(struct ptx *x, const struct token *place, int condition, bool negated,
                             int *waiting) {
    const int leaving = hidden_predicate(x), staying = hidden_predicate(x);
    const int before = x->active == ABSENT ? x->always : x->active;
    if (leaving == ABSENT || staying == ABSENT) return false;
    if (!hidden_step(x, place, pto_step_psel, leaving, negated ? x->never : before,
                     negated ? before : x->never, condition))
        return false;
    if (!hidden_step(x, place, pto_step_psel, staying, x->never, before, leaving)) return false;
    x->active = staying;
    if (!waiting) return true;
    if (*waiting == ABSENT) {
        *waiting = leaving;
        return true;
    }
    return hidden_step(x, place, pto_step_por, leaving, leaving, *waiting, ABSENT) &&
           (*waiting = leaving, true);
}

/* Makes the lanes that wait at `label` active again. If no lanes wait elsewhere and none has left the program, all
 * lanes are active. */
static bool reactivate_lanes(struct ptx *x, struct label *label, const struct token *place) {
    int joined;
    label->placed = true;
    if (label->waiting == ABSENT) return true;
    x->waiting--;
    if (x->waiting == 0) {
        x->active = ABSENT;
        return true;
    }
    joined = hidden_predicate(x);
    if (joined == ABSENT) return false;
    if (!hidden_step(x, place, pto_step_por, joined, x->active, label->waiting, ABSENT)) return false;
    x->active = joined;
    return true;
}

static bool place_label(struct ptx *x, const struct token *name) {
    struct label *label = find_label(x, name);
    if (label && label->placed) return pto_text_error(&x->text, name, "this label is there already");
    if (!label) label = add_label(x, name);
    if (!label) return false;
    label->step = x->program->step_count;
    return reactivate_lanes(x, label, name);
}

/* Reads the target of a branch of a kernel. parameters.target of the step becomes the number of the label;
 * set_targets() later replaces it by the number of a step. */
static bool kernel_branch(struct ptx *x, const struct statement *s) {
    const struct token target = x->text.now;
    struct step step = pto_step_of(NULL, s->opcode.line);
    struct label *label;
    if (target.kind != TOKEN_WORD) return pto_text_error(&x->text, &target, "expected a label");
    pto_text_next(&x->text);
    label = find_label(x, &target);
    if (!label) label = add_label(x, &target);
    if (!label) return false;
    step.kind = STEP_BRANCH;
    step.parameters.target = label->number;
    return pto_ptx_step(x, s, &step) && pto_text_expect(&x->text, ";");
}

static bool kernel_exit(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    step.kind = STEP_EXIT;
    return pto_ptx_step(x, s, &step) && pto_text_expect(&x->text, ";");
}

/* Returns whether the lanes that reach step `target` end there. */
static bool is_end(const pto_program *p, size_t target) {
    return target == p->step_count ||
           (p->steps[target].kind == STEP_EXIT && p->steps[target].guard == ABSENT);
}

/* Replaces the labels of branches by steps. A branch to the end ends its lanes itself, so that no lanes wait there. */
static bool set_targets(struct ptx *x) {
    pto_program *p = x->program;
    size_t *steps = malloc((x->label_count + 1) * sizeof *steps);
    if (!steps) return pto_ptx_no_memory(x);
    for (const struct label *label = x->labels; label; label = label->next)
        steps[label->number] = label->step;
    for (size_t i = 0; i < p->step_count; i++) {
        struct step *s = &p->steps[i];
        if (s->kind != STEP_BRANCH) continue;
        s->parameters.target = steps[s->parameters.target];
        if (is_end(p, s->parameters.target)) s->kind = STEP_EXIT;
    }
    free(steps);
    return true;
}

static bool branch(struct ptx *x, const struct token *place, int condition, bool negated) {
    const struct token target = x->text.now;
    struct label *label;
    if (target.kind != TOKEN_WORD) return pto_text_error(&x->text, &target, "expected a label");
    pto_text_next(&x->text);
    label = find_label(x, &target);
    if (label && label->placed)
        return pto_text_error(&x->text, &target,
                              "a branch backwards: programs go forwards, lane by lane in step");
    if (!label) label = add_label(x, &target);
    if (!label) return false;
    if (label->waiting == ABSENT) x->waiting++;
    return deactivate_lanes(x, place, condition, negated, &label->waiting) && pto_text_expect(&x->text, ";");
}

/* Handles ret and exit. The count x->waiting is not decremented for these, so reactivate_lanes() never takes all
 * lanes for active again. */
static bool exit_lanes(struct ptx *x, const struct token *place, int condition, bool negated) {
    x->waiting++;
    return deactivate_lanes(x, place, condition, negated, NULL) && pto_text_expect(&x->text, ";");
}

/* Reports a label that is named and does not stand in the text. Returns NULL if there is none. */
static const struct label *report_missing_label(struct ptx *x) {
    const struct label *label = x->labels;
    while (label && label->placed) label = label->next;
    if (label) (void)pto_text_error(&x->text, &label->name, "expected a label that follows");
    return label;
}

/* ---- reading operands ---- */

static bool read_part(struct ptx *x, struct part *part) {
    struct text *t = &x->text;
    *part = (struct part){.token = t->now};
    part->is_number = pto_constant_starts(t);
    if (part->is_number) return pto_constant_parse(t, &part->number);
    if (t->now.kind != TOKEN_WORD) return pto_text_error(t, &t->now, "expected a register");
    pto_text_next(t);
    return true;
}

static bool read_parts(struct ptx *x, struct operand *o, const char *between, const char *end) {
    do {
        if (o->count == PTX_PARTS)
            return pto_text_error(&x->text, &x->text.now, "expected at most %d", (int)PTX_PARTS);
        if (!end && x->text.now.kind != TOKEN_WORD)
            return pto_text_error(&x->text, &x->text.now, "expected a register");
        if (!read_part(x, &o->part[o->count++])) return false;
    } while (pto_text_take(&x->text, between));
    return !end || pto_text_expect(&x->text, end);
}

/* Reads an address after its bracket: a, a+4, a+-4 or 4, where 4 may be any constant expression. */
static bool read_address(struct ptx *x, struct operand *o) {
    struct text *t = &x->text;
    struct constant constant = {CONSTANT_SIGNED, 0};
    uint64_t offset = 0;
    const char *error;
    o->kind = OPERAND_ADDRESS;
    o->token = t->now;
    o->is_number = pto_constant_starts(t);
    if (o->is_number) {
        if (!pto_constant_parse(t, &o->number)) return false;
        return pto_text_expect(t, "]");
    }
    if (t->now.kind != TOKEN_WORD)
        return pto_text_error(t, &t->now, "expected a register, a variable or a number");
    pto_text_next(t);
    if (pto_text_take(t, "+")) {
        const struct token place = t->now;
        if (!pto_constant_parse(t, &constant)) return false;
        error = pto_constant_bits(&constant, PTO_S64, &offset);
        if (error) return pto_text_error(t, &place, "%s", error);
    }
    o->offset = (int64_t)offset;
    return pto_text_expect(t, "]");
}

/* Makes the operand a group of registers if its name is that of a vector. */
static void expand_vector(struct ptx *x, struct operand *o) {
    const int vector = pto_ptx_find(x, &o->token);
    const struct reg *r = vector == ABSENT ? NULL : &x->program->regs[vector];
    if (!r || r->kind != REG_NAMES) return;
    o->kind = OPERAND_GROUP;
    while (o->count < r->value) {
        struct token component = o->token;
        component.at = r[1 + o->count].name;
        component.length = strlen(component.at);
        o->part[o->count++].token = component;
    }
}

static bool read_operand(struct ptx *x, struct operand *o) {
    struct text *t = &x->text;
    memset(o, 0, sizeof *o);
    o->token = t->now;
    if (x->kernel && pto_text_take(t, "[")) return read_address(x, o);
    if (pto_text_take(t, "{")) {
        o->kind = OPERAND_GROUP;
        return read_parts(x, o, ",", "}");
    }
    if (pto_constant_starts(t)) {
        o->kind = OPERAND_NUMBER;
        return pto_constant_parse(t, &o->number);
    }
    o->negated = pto_text_take(t, "!");
    o->token = t->now;
    if (t->now.kind != TOKEN_WORD) return pto_text_error(t, &t->now, "expected an operand");
    pto_text_next(t);
    o->kind = pto_token_is(&o->token, "_") ? OPERAND_SINK : OPERAND_NAME;
    if (o->kind == OPERAND_NAME && !o->negated) expand_vector(x, o);
    if (!pto_token_is(&t->now, "|")) return true;
    pto_text_next(t);
    o->kind = OPERAND_PAIR;
    o->count = 0;
    o->part[o->count++].token = o->token;
    return read_parts(x, o, "|", NULL);
}

static bool read_operands(struct ptx *x, struct statement *s) {
    do {
        if (s->count == PTX_OPERANDS)
            return pto_text_error(&x->text, &x->text.now, "expected at most %d operands", (int)PTX_OPERANDS);
        if (!read_operand(x, &s->operand[s->count++])) return false;
    } while (pto_text_take(&x->text, ","));
    return true;
}

/* ---- declarations ---- */

static bool is_register_type(pto_dtype type) {
    return pto_is_untyped(type) || pto_is_integer(type) || type == PTO_F16 || type == PTO_F32 ||
           type == PTO_F64 || type == PTO_F16X2;
}

/* What a declaration says of its registers. */
struct register_type {
    pto_dtype type;
    bool is_predicate;
    size_t components; /* of a vector: 2 or 4; otherwise 0 */
};

/* Cuts the current token at its second dot, so that .reg.b32 is read as .reg .b32 is. */
static void split_directive(struct text *t) {
    const char *dot = t->now.length < 2 ? NULL : memchr(t->now.at + 1, '.', t->now.length - 1);
    if (t->now.kind != TOKEN_WORD || *t->now.at != '.' || !dot) return;
    t->now.length = (size_t)(dot - t->now.at);
    t->next = dot;
}

/* Reads .align N before a type. Alignment means nothing for registers here. */
static bool read_register_alignment(struct ptx *x) {
    const struct token number = x->text.now;
    uint64_t align = 0;
    if (number.kind != TOKEN_NUMBER || pto_number_bits(&number, false, PTO_U32, &align) || align == 0 ||
        (align & (align - 1)) != 0)
        return pto_text_error(&x->text, &number, "expected a power of two");
    pto_text_next(&x->text);
    return true;
}

/* Reads the type of a declaration: .pred, or one of PTX's fundamental types, which may be that of a vector. */
static bool read_register_type(struct ptx *x, struct register_type *r) {
    struct token token;
    char word[16] = "";
    *r = (struct register_type){.type = PTO_B8};
    split_directive(&x->text);
    if (pto_text_take(&x->text, ".align") && !read_register_alignment(x)) return false;
    split_directive(&x->text);
    if (pto_text_take(&x->text, ".v2"))
        r->components = 2;
    else if (pto_text_take(&x->text, ".v4"))
        r->components = 4;
    token = x->text.now;
    r->is_predicate = r->components == 0 && pto_token_is(&token, ".pred");
    if (token.kind == TOKEN_WORD && token.length > 1 && token.length < sizeof word)
        memcpy(word, token.at + 1, token.length - 1);
    if (token.kind != TOKEN_WORD || token.at[0] != '.' ||
        (!r->is_predicate && (pto_parse_dtype(word, &r->type, NULL) != PTO_OK || !is_register_type(r->type))))
        return pto_text_error(&x->text, &token,
                              "expected a type of registers, such as .pred, .b32, .s32, .f16x2 or .f32");
    if (pto_dtype_bits(r->type) * r->components > 128)
        return pto_text_error(&x->text, &token, "expected a vector of at most 128 bits");
    pto_text_next(&x->text);
    return true;
}

/* Declares the name of a register, or of several. Errors point to `place`, which is another token if `name` is not in
 * the text. Returns the register, or ABSENT after an error. */
static int declare_name(struct ptx *x, const struct token *name, const struct token *place,
                        enum reg_kind kind, const struct register_type *r) {
    const int scope = x->scopes[x->depth - 1];
    int reg = ABSENT;
    if (pto_ptx_special(name) >= 0 || pto_token_is(name, "_")) {
        (void)pto_text_error(&x->text, place, "expected a name that has no meaning yet");
    } else if (pto_ir_find(x->program, scope, name) != ABSENT) {
        (void)pto_text_error(&x->text, place, "register %.*s is there already",
                             (int)(name->length < 48 ? name->length : 48), name->at);
    } else {
        reg = pto_ir_add(x->program, kind, scope, name, r->type, r->is_predicate);
        if (reg == ABSENT) (void)pto_ptx_no_memory(x);
    }
    if (reg != ABSENT) x->program->regs[reg].declared = true;
    return reg;
}

/* Declares a register, or a vector with its components: "f" stands for f.x and f.y. */
static bool declare(struct ptx *x, const struct token *name, const struct token *place,
                    const struct register_type *r) {
    static const char letters[] = "xyzw";
    const int reg = declare_name(x, name, place, r->components == 0 ? REG_NAMED : REG_NAMES, r);
    char text[PTX_NAME];
    const struct token component = {.kind = TOKEN_WORD, .at = text, .length = name->length + 2};
    if (reg == ABSENT || r->components == 0) return reg != ABSENT;
    x->program->regs[reg].value = r->components;
    if (component.length > sizeof text) return pto_text_error(&x->text, place, "expected a shorter name");
    memcpy(text, name->at, name->length);
    text[name->length] = '.';
    for (size_t i = 0; i < r->components; i++) {
        text[name->length + 1] = letters[i];
        if (declare_name(x, &component, place, REG_NAMED, r) == ABSENT) return false;
    }
    return true;
}

/* Notes that numbered registers are declared, so that no other number is taken for an undeclared register. */
static bool note_range(struct ptx *x, const struct token *stem) {
    const struct register_type none = {.type = PTO_B8};
    char text[PTX_NAME];
    const struct token name = {.kind = TOKEN_WORD, .at = text, .length = stem->length + 1};
    memcpy(text, stem->at, stem->length);
    text[stem->length] = '<';
    return declare_name(x, &name, stem, REG_NAMES, &none) != ABSENT;
}

/* Declares numbered registers: "%f<4>" stands for %f0 to %f3. */
static bool declare_numbered(struct ptx *x, const struct token *stem, const struct register_type *r) {
    enum {
        MAX_PER_DECLARATION = 1 << 16,
        MAX_REGISTERS = 1 << 20
    }; /* limits, so that a short text cannot exhaust memory */
    const struct token count = x->text.now;
    uint64_t n = 0;
    char name[PTX_NAME];
    if (count.kind != TOKEN_NUMBER || pto_number_bits(&count, false, PTO_U64, &n) || n > MAX_PER_DECLARATION)
        return pto_text_error(&x->text, &count, "expected a number of registers, %d at most",
                              (int)MAX_PER_DECLARATION);
    if (x->program->reg_count + n > MAX_REGISTERS)
        return pto_text_error(&x->text, &count, "expected %d registers at most, all together",
                              (int)MAX_REGISTERS);
    if (stem->length + 8 > sizeof name) return pto_text_error(&x->text, stem, "expected a shorter name");
    pto_text_next(&x->text);
    memcpy(name, stem->at, stem->length);
    for (uint64_t i = 0; i < n; i++) {
        struct token numbered = *stem;
        numbered.at = name;
        numbered.length = stem->length + pto_number_print(name + stem->length, i);
        if (!declare(x, &numbered, stem, r)) return false;
    }
    return note_range(x, stem) && pto_text_expect(&x->text, ">");
}

static bool parse_declarations(struct ptx *x) {
    struct register_type r;
    if (!read_register_type(x, &r)) return false;
    do {
        const struct token name = x->text.now;
        if (name.kind != TOKEN_WORD) return pto_text_error(&x->text, &name, "expected a name");
        pto_text_next(&x->text);
        if (pto_text_take(&x->text, "<") ? !declare_numbered(x, &name, &r) : !declare(x, &name, &name, &r))
            return false;
    } while (pto_text_take(&x->text, ","));
    return pto_text_expect(&x->text, ";");
}

/* ---- statements ---- */

/* Sets the guard predicate of statement `s`: true for lanes that have not jumped and for which `guard`, if there is
 * one, is true. */
static bool set_guard(struct ptx *x, struct statement *s, const struct operand *guard) {
    int reg = ABSENT, combined;
    if (guard) {
        reg = pto_ptx_predicate(x, guard, &s->guard_not);
        if (reg == ABSENT) return false;
    }
    s->guard = reg;
    if (x->active == ABSENT) return true;
    if (reg == ABSENT) {
        s->guard = x->active;
        return true;
    }
    combined = hidden_predicate(x);
    if (combined == ABSENT) return false;
    s->guard = combined;
    if (s->guard_not) {
        s->guard_not = false;
        return hidden_step(x, &s->opcode, pto_step_psel, combined, x->never, x->active, reg);
    }
    return hidden_step(x, &s->opcode, pto_step_pand, combined, x->active, reg, ABSENT);
}

static bool is_jump(const struct token *opcode, const char *name, const char *uniform) {
    return pto_token_is(opcode, name) || pto_token_is(opcode, uniform);
}

/* Adds the current token to the opcode of `s`. */
static bool join_opcode(struct ptx *x, struct statement *s) {
    const struct token *piece = &x->text.now;
    if (s->opcode.length + piece->length > sizeof x->opcode)
        return pto_text_error(&x->text, piece, "expected a shorter instruction");
    if (s->opcode.at != x->opcode) x->text.joined_from = s->opcode.at;
    x->text.joined = x->opcode;
    memmove(x->opcode, s->opcode.at, s->opcode.length);
    memcpy(x->opcode + s->opcode.length, piece->at, piece->length);
    s->opcode.at = x->opcode;
    s->opcode.length += piece->length;
    return true;
}

/* Reads the opcode of `s`. Blanks and comments may stand before the dots in it. */
static bool read_opcode(struct ptx *x, struct statement *s) {
    s->opcode = x->text.now;
    s->first_piece = s->opcode.length;
    if (s->opcode.kind != TOKEN_WORD) return pto_text_error(&x->text, &s->opcode, "expected an instruction");
    pto_text_next(&x->text);
    while (x->text.now.kind == TOKEN_WORD && x->text.now.at[0] == '.') {
        if (!join_opcode(x, s)) return false;
        pto_text_next(&x->text);
    }
    return true;
}

static bool parse_instruction(struct ptx *x, const struct operand *guard) {
    struct statement s = {.guard = ABSENT};
    const struct instruction *row;
    bool is_branch, is_exit;
    if (!read_opcode(x, &s) || !pto_ptx_count(x, &s.opcode)) return false;
    is_branch = is_jump(&s.opcode, "bra", "bra.uni");
    is_exit = is_jump(&s.opcode, "ret", "ret.uni") || pto_token_is(&s.opcode, "exit");
    if (x->kernel && (is_branch || is_exit))
        return set_guard(x, &s, guard) && (is_branch ? kernel_branch(x, &s) : kernel_exit(x, &s));
    if (is_branch || is_exit) {
        bool negated = false;
        const int condition = guard ? pto_ptx_predicate(x, guard, &negated) : x->always;
        if (condition == ABSENT) return false;
        return is_branch ? branch(x, &s.opcode, condition, negated)
                         : exit_lanes(x, &s.opcode, condition, negated);
    }
    if (x->kernel && pto_ptx_is_kernel_opcode(&s.opcode))
        return (pto_token_is(&x->text.now, ";") || read_operands(x, &s)) && set_guard(x, &s, guard) &&
               pto_ptx_kernel_instruction(x, &s) && pto_text_expect(&x->text, ";");
    row = pto_ptx_row(
        x, &s.opcode); /* first, because an unknown instruction may have operands of unknown kinds */
    return row && read_operands(x, &s) && set_guard(x, &s, guard) && pto_ptx_instruction(x, &s, row) &&
           pto_text_expect(&x->text, ";");
}

static bool parse_guarded(struct ptx *x) {
    struct operand guard = {.kind = OPERAND_NAME};
    guard.negated = pto_text_take(&x->text, "!");
    guard.token = x->text.now;
    if (guard.token.kind != TOKEN_WORD) return pto_text_error(&x->text, &guard.token, "expected a predicate");
    pto_text_next(&x->text);
    return parse_instruction(x, &guard);
}

static bool open_scope(struct ptx *x) {
    if (x->depth == PTX_SCOPES)
        return pto_text_error(&x->text, &x->text.now, "expected at most %d scopes", (int)PTX_SCOPES);
    x->scopes[x->depth++] = ++x->last_scope;
    return true;
}

static bool close_scope(struct ptx *x, const struct token *brace) {
    if (x->depth == 1) return pto_text_error(&x->text, brace, "expected a statement: no scope is open here");
    x->depth--;
    return true;
}

static bool parse_statement(struct ptx *x) {
    struct text *t = &x->text;
    struct token first;
    if (t->now.length > 5 && memcmp(t->now.at, ".reg.", 5) == 0) split_directive(t);
    first = t->now;
    if (pto_text_take(t, "{")) return open_scope(x);
    if (pto_text_take(t, "}")) return close_scope(x, &first);
    if (pto_text_take(t, "...")) return true;
    if (pto_text_take(t, ".reg")) return parse_declarations(x);
    if (pto_text_take(t, "@")) return parse_guarded(x);
    if (x->kernel && first.kind == TOKEN_WORD && first.at[0] == '.') return x->directive(x);
    if (first.kind == TOKEN_WORD && first.at[0] != '.' && pto_text_peek_is(t, ":")) {
        pto_text_next(t);
        pto_text_next(t);
        return place_label(x, &first);
    }
    return parse_instruction(x, NULL);
}

static bool parse_statements(struct ptx *x) {
    while (x->text.now.kind != TOKEN_END)
        if (!parse_statement(x)) return false;
    if (x->depth != 1) return pto_text_error(&x->text, &x->text.now, "expected '}'");
    return !report_missing_label(x);
}

static bool add_constants(struct ptx *x) {
    x->always = pto_ir_constant(x->program, PTO_B8, true, 1);
    x->never = pto_ir_constant(x->program, PTO_B8, true, 0);
    x->carry = ABSENT;
    x->next_label = &x->labels;
    return (x->always != ABSENT && x->never != ABSENT) || pto_ptx_no_memory(x);
}

bool pto_ptx_parse(struct ptx *x) {
    const bool good = add_constants(x) && parse_statements(x);
    free_labels(x);
    return good;
}

/* Checks the labels of a kernel, and sets the targets of its branches. In a kernel with errors, labels may be missing
 * because of these. */
static bool connect_labels(struct ptx *x) {
    const struct label *missing;
    if (x->kernel->problem) return true;
    missing = report_missing_label(x);
    x->survey.now = NULL;
    return missing ? pto_ptx_keep_problem(x, &missing->name) : set_targets(x);
}

/* The brace that closes the body is the one that finds only the outermost scope open. */
static bool parse_body_statements(struct ptx *x) {
    while (x->depth != 1 || !pto_text_take(&x->text, "}")) {
        const struct text start = x->text;
        x->survey.now = NULL;
        if (start.now.kind == TOKEN_END) return pto_text_error(&x->text, &start.now, "expected '}'");
        if (!parse_statement(x) && !pto_ptx_recover(x, &start)) return false;
    }
    return connect_labels(x);
}

bool pto_ptx_parse_body(struct ptx *x) {
    const bool good = add_constants(x) && parse_body_statements(x);
    free_labels(x);
    return good;
}
