/* SPDX-License-Identifier: MIT */
/* Records the errors in kernels of PTX modules, continues after them, and counts the instructions that kernels have. */
#include "ptx.h"

#include "platform.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* ---- uses ---- */

static int compare_uses(const void *a, const void *b) {
    return strcmp(((const struct use *)a)->name, ((const struct use *)b)->name);
}

// NOLINTNEXTLINE(readability-non-const-parameter): it becomes a member of the key
static struct use *find_use(const struct survey *s, char *name) {
    const struct use key = {.name = name};
    void *const *found = tfind(&key, &s->names, compare_uses);
    return found ? *(struct use *const *)found : NULL;
}

/* Returns the use of this word, which may be new with a count of 0. Returns NULL without memory. */
static struct use *use_of(struct survey *s, const struct token *word) {
    char *name = pto_duplicate_text(word->at, word->length);
    struct use *use = name ? find_use(s, name) : NULL;
    if (use) {
        free(name);
        return use;
    }
    use = name ? malloc(sizeof *use) : NULL;
    if (use) *use = (struct use){.name = name, .line = word->line, .next = s->first};
    if (!use || !tsearch(use, &s->names, compare_uses)) {
        free(use);
        free(name);
        return NULL;
    }
    s->first = use;
    s->count++;
    return use;
}

bool pto_ptx_count(struct ptx *x, const struct token *opcode) {
    if (!x->kernel || !x->module->options.survey) return true;
    x->survey.now = use_of(&x->survey, opcode);
    if (!x->survey.now) return pto_ptx_no_memory(x);
    x->survey.now->count++;
    return true;
}

bool pto_ptx_end_survey(struct ptx *x) {
    struct survey *s = &x->survey;
    struct ptx_kernel *k = x->kernel;
    k->uses = s->count == 0 ? NULL : malloc(s->count * sizeof *k->uses);
    while (s->first) {
        struct use *use = s->first;
        s->first = use->next;
        (void)tdelete(use, &s->names, compare_uses);
        if (k->uses) k->uses[k->use_count++] = *use;
        if (!k->uses) pto_use_free(use);
        free(use);
    }
    if (s->count != k->use_count) return pto_ptx_no_memory(x);
    if (k->uses) qsort(k->uses, k->use_count, sizeof *k->uses, compare_uses);
    *s = (struct survey){0};
    return true;
}

void pto_use_free(struct use *use) {
    free(use->name);
    free(use->problem);
}

/* ---- errors ---- */

/* Copies the error to *problem, unless an earlier one is there. Returns false without memory. */
static bool copy_problem(const struct ptx *x, pto_program_error **problem) {
    if (*problem) return true;
    *problem = malloc(sizeof **problem);
    if (*problem) **problem = *x->text.error;
    return *problem != NULL;
}

bool pto_ptx_keep_problem(struct ptx *x, const struct token *word) {
    struct survey *s = &x->survey;
    bool good = !x->no_memory && copy_problem(x, &x->kernel->problem);
    if (good && x->module->options.survey) {
        struct use *use = s->now ? s->now : use_of(s, word);
        if (use && use != s->now) use->count++;
        good = use && copy_problem(x, &use->problem);
    }
    if (!good) return pto_ptx_no_memory(x);
    memset(x->text.error, 0, sizeof *x->text.error);
    x->text.failed = false;
    return true;
}

/* Skips the rest of a statement. A brace that closes a scope ends a statement that has no semicolon. */
static void skip_statement(struct text *t) {
    size_t depth = 0;
    while (t->now.kind != TOKEN_END && !(depth == 0 && pto_token_is(&t->now, "}"))) {
        if (pto_token_is(&t->now, "{")) depth++;
        if (pto_token_is(&t->now, "}")) depth--;
        if (pto_text_take(t, ";")) return;
        pto_text_next(t);
    }
}

bool pto_ptx_recover(struct ptx *x, const struct text *start) {
    struct text *t = &x->text;
    if (!pto_ptx_keep_problem(x, &start->now)) return false;
    *t = *start;
    if (pto_token_is(&t->now, "{")) return pto_text_skip_pair(t, "{", "}");
    if (pto_text_peek_is(t, ":")) {
        pto_text_next(t);
        pto_text_next(t);
    } else {
        skip_statement(t);
    }
    return true;
}
