/* SPDX-License-Identifier: MIT */
/* Records the operations of a kernel program, and continues after those that are not supported. */
#include "pto_kernel.h"

#include <stdlib.h>
#include <string.h>

/* ---- uses ---- */

static bool add_use(struct kernel_front *f, const struct token *name, struct kernel_function *function) {
    struct kernel_survey *s = f->survey;
    if (s->count == s->capacity) {
        const size_t capacity = 2 * s->capacity + 64;
        struct kernel_use *grown = realloc(s->use, capacity * sizeof *grown);
        if (!grown) return pto_text_error(&f->text, &f->text.now, "there is not enough memory");
        s->use = grown;
        s->capacity = capacity;
    }
    s->use[s->count++] = (struct kernel_use){.name = *name, .function = function};
    return true;
}

bool pto_kernel_count(struct kernel_front *f, const struct token *name) {
    return !f->survey || add_use(f, name, f->function);
}

/* Moves the error of the text to entry `use` of the survey. Drops it if it is about an unknown value and there is an
 * earlier problem, which may be why the value is unknown. */
static bool keep_problem(struct kernel_front *f, size_t use) {
    struct kernel_survey *s = f->survey;
    if (!s->misses_value || s->problem_count == 0) {
        pto_program_error *problem = pto_kernel_allocate(f, sizeof *problem);
        if (!problem) return false;
        *problem = *f->text.error;
        s->use[use].problem = problem;
        s->problem_count++;
    }
    s->misses_value = false;
    memset(f->text.error, 0, sizeof *f->text.error);
    f->text.failed = false;
    return true;
}

/* ---- where statements end ---- */

static bool is_first_of_line(const struct text *t) {
    for (const char *c = t->line_begin; c < t->now.at; c++)
        if (*c != ' ' && *c != '\t') return false;
    return true;
}

/* Returns whether a new statement begins here, or the region ends: there is no sign at the end of a statement. */
static bool is_next_statement(const struct kernel_front *f) {
    const struct token *now = &f->text.now;
    if (now->kind == TOKEN_END || pto_token_is(now, "}")) return true;
    if (!is_first_of_line(&f->text)) return false;
    if (kernel_is_name(now)) return pto_kernel_begins_statement(f);
    if (now->kind == TOKEN_STRING) return pto_text_peek_is(&f->text, "(");
    return now->kind == TOKEN_WORD && (memchr(now->at, '.', now->length) || pto_token_is(now, "return"));
}

/* Returns whether the current token is the "{" of a region, not of attributes. */
static bool is_region(const struct text *t) {
    struct text ahead = *t;
    if (!pto_token_is(&t->now, "{")) return false;
    pto_kernel_next(&ahead);
    if (kernel_is_name(&ahead.now) || ahead.now.kind != TOKEN_WORD) return !pto_token_is(&ahead.now, "}");
    return !pto_text_peek_is(&ahead, "=") && !pto_text_peek_is(&ahead, ",") && !pto_text_peek_is(&ahead, "}");
}

/* Reads a region for its operations only. */
static bool read_unused_region(struct kernel_front *f) {
    struct kernel_region unused = {0};
    const size_t mark = pto_kernel_open_names(f);
    bool good;
    pto_kernel_next(&f->text);
    if (pto_kernel_take(&f->text, "^")) /* the arguments of the region */
        while (f->text.now.kind != TOKEN_END && !pto_kernel_take(&f->text, ")")) pto_kernel_next(&f->text);
    (void)pto_kernel_take(&f->text, ":");
    good = f->read_region(f, &unused);
    pto_kernel_close_names(f, mark);
    return good;
}

static bool opens(const struct token *t) {
    return pto_token_is(t, "(") || pto_token_is(t, "[") || pto_token_is(t, "{") || pto_token_is(t, "<");
}

static bool closes(const struct token *t) {
    return pto_token_is(t, ")") || pto_token_is(t, "]") || pto_token_is(t, "}") || pto_token_is(t, ">");
}

/* Moves the text, which is at the beginning of a statement, to the next one. Reads the regions from `reached` on,
 * where parsing stopped. Returns false if they do not end as they should. */
static bool skip_statement(struct kernel_front *f, const char *reached) {
    const char *begin = f->text.now.at;
    size_t depth = 0;
    for (;;) {
        const struct token *now = &f->text.now;
        if (now->at != begin && now->at >= reached && depth == 0 && is_next_statement(f)) return true;
        if (now->kind == TOKEN_END) return true;
        if (now->at >= reached && is_region(&f->text)) {
            if (!read_unused_region(f)) return false;
            continue;
        }
        if (opens(now)) depth++;
        if (closes(now) && depth != 0) depth--;
        pto_kernel_next(&f->text);
    }
}

/* ---- continuing ---- */

/* If something from the text's position to `reached`, before any region, is refused, replaces the error: the reason
 * explains more than the parser's error. */
static void explain_refusal(struct kernel_front *f, const struct text *start, const char *reached) {
    struct token before = {.kind = TOKEN_END}, last = {.kind = TOKEN_END};
    struct text t = *start;
    for (; t.now.kind != TOKEN_END && t.now.at <= reached && !is_region(&t); pto_kernel_next(&t)) {
        const char *why = pto_kernel_reason(&before, &last, &t.now);
        if (why) {
            memset(t.error, 0, sizeof *t.error);
            (void)pto_text_error(&t, &t.now, "%s", why);
            f->survey->misses_value = false;
            return;
        }
        before = last;
        last = t.now;
    }
}

bool pto_kernel_recover(struct kernel_front *f, const struct text *start, size_t use) {
    const char *reached = f->text.now.at;
    if (!f->survey || f->survey->is_unbalanced) return false;
    if (f->survey->count == use && !pto_kernel_count(f, &start->now)) return false;
    explain_refusal(f, start, reached);
    if (!keep_problem(f, use)) return false;
    f->text = *start;
    return skip_statement(f, reached);
}

bool pto_kernel_recover_function(struct kernel_front *f, struct kernel_function *function,
                                 const struct text *start) {
    const struct token keyword = {
        .kind = TOKEN_WORD, .at = "func.func", .length = 9, .line = start->now.line};
    if (!f->survey) return false;
    function->is_unknown = function->has_global_pointer = true;
    explain_refusal(f, start, f->text.now.at);
    if (!add_use(f, &keyword, function) || !keep_problem(f, f->survey->count - 1)) return false;
    f->text = *start;
    if (!pto_kernel_skip_pair(&f->text, "(", ")")) return false;
    pto_kernel_skip_results(&f->text);
    return true;
}
