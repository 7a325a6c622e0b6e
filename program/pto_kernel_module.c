/* SPDX-License-Identifier: MIT */
/* Lists the kernels of a PTO text, their arguments and their operations, in a module that cannot be launched. */
#include "launch.h"
#include "pto_kernel.h"

#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(pto_program_error *error) {
    memset(error, 0, sizeof *error);
    (void)snprintf(error->text, sizeof error->text, "there is not enough memory");
    return false;
}

/* ---- arguments ---- */

static pto_parameter parameter(const struct kernel_value *v) {
    const bool is_pointer = v->type.kind == KERNEL_POINTER;
    return (pto_parameter){.name = pto_duplicate_text(v->name.at, v->name.length),
                           .type = v->type.element,
                           .bytes = pto_dtype_bits(v->type.element) / 8,
                           .pointer = is_pointer,
                           .written = v->is_stored};
}

static bool list_arguments(struct ptx_kernel *to, const struct kernel_region *body) {
    to->parameters = calloc(body->argument_count + 1, sizeof *to->parameters);
    if (!to->parameters) return false;
    for (size_t i = 0; i < body->argument_count; i++) {
        to->parameters[i] = parameter(body->arguments[i]);
        if (!to->parameters[i].name) return false;
        to->parameter_count++;
    }
    return true;
}

/* ---- operations ---- */

/* Sets `is_reached` of the functions that `kernel` calls, directly or not, and of the kernel. */
static void mark_reached(struct kernel *k, const struct kernel_survey *s, struct kernel_function *kernel) {
    bool changed = true;
    for (struct kernel_function *i = k->functions; i; i = i->next) i->is_reached = i == kernel;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < s->count; i++) {
            struct kernel_function *callee = s->use[i].function->is_reached ? s->use[i].callee : NULL;
            if (!callee || callee->is_reached) continue;
            callee->is_reached = true;
            changed = true;
        }
    }
}

/* Returns the name without quotes, which it has in MLIR's generic form. */
static struct token plain_name(const struct kernel_use *use) {
    struct token name = use->name;
    if (name.kind == TOKEN_STRING && name.length >= 2) {
        name.at++;
        name.length -= 2;
    }
    return name;
}

/* Orders uses by their names, and those with equal names as in the text. */
static int compare_uses(const void *a, const void *b) {
    const struct kernel_use *x = *(const struct kernel_use *const *)a,
                            *y = *(const struct kernel_use *const *)b;
    const struct token p = plain_name(x), q = plain_name(y);
    const int order = memcmp(p.at, q.at, p.length < q.length ? p.length : q.length);
    if (order != 0) return order;
    if (p.length != q.length) return p.length < q.length ? -1 : 1;
    return (x > y) - (x < y);
}

static bool add_problem(pto_program_error **to, const pto_program_error *problem) {
    if (*to || !problem) return true;
    *to = malloc(sizeof **to);
    if (*to) **to = *problem;
    return *to != NULL;
}

/* Adds a use that is the next one in the order of compare_uses(). */
static bool add_use(struct ptx_kernel *to, const struct kernel_use *use) {
    const struct token name = plain_name(use);
    struct use *last = to->use_count ? &to->uses[to->use_count - 1] : NULL;
    if (!last || strlen(last->name) != name.length || memcmp(last->name, name.at, name.length) != 0) {
        last = &to->uses[to->use_count];
        *last = (struct use){.name = pto_duplicate_text(name.at, name.length), .line = name.line};
        if (!last->name) return false;
        to->use_count++;
    }
    last->count++;
    return add_problem(&last->problem, use->problem);
}

/* Lists the operations of the functions that are marked. */
static bool list_uses(struct ptx_kernel *to, const struct kernel_survey *s) {
    const struct kernel_use **use = malloc((s->count + 1) * sizeof(struct kernel_use *));
    size_t count = 0;
    bool good;
    to->uses = calloc(s->count + 1, sizeof *to->uses);
    good = use && to->uses;
    for (size_t i = 0; i < s->count && good; i++) {
        if (!s->use[i].function->is_reached) continue;
        use[count++] = &s->use[i];
        good = add_problem(&to->problem, s->use[i].problem);
    }
    if (good) qsort(use, count, sizeof(struct kernel_use *), compare_uses);
    for (size_t i = 0; i < count && good; i++) good = add_use(to, use[i]);
    free(use);
    return good;
}

/* ---- kernels ---- */

static bool add_kernel(pto_module *m, struct kernel *k, const struct kernel_survey *s,
                       struct kernel_function *function) {
    struct ptx_kernel *grown = realloc(m->kernels, (m->kernel_count + 1) * sizeof *grown);
    struct ptx_kernel *to;
    if (!grown) return false;
    m->kernels = grown;
    to = &grown[m->kernel_count++];
    memset(to, 0, sizeof *to);
    to->name = pto_duplicate_text(function->name.at, function->name.length);
    mark_reached(k, s, function);
    return to->name && list_arguments(to, &function->body) && list_uses(to, s);
}

static bool add_kernels(pto_module *m, struct kernel *k, const struct kernel_survey *s) {
    for (struct kernel_function *i = k->functions; i; i = i->next)
        if (i->is_kernel && i->has_body && !add_kernel(m, k, s, i)) return false;
    return true;
}

/* Returns whether pto_program_new() takes the text. */
static bool is_supported(pto_module *m, const char *text, pto_program_error *error) {
    pto_program program = {.options = m->options};
    const bool good = pto_kernel_parse(&program, text, NULL, error);
    pto_kernel_free(program.kernel);
    return good;
}

static bool has_problem(const pto_module *m) {
    for (size_t i = 0; i < m->kernel_count; i++)
        if (m->kernels[i].problem) return true;
    return false;
}

/* Parses the text twice. If pto_program_new() does not take the text, and the survey finds no problem in a kernel, the
 * error of pto_program_new() is that of the whole text. */
bool pto_kernel_list_module(pto_module *m, const char *text, pto_program_error *error) {
    struct kernel_survey survey = {0};
    pto_program program = {.options = m->options};
    pto_program_error surveyed;
    bool good;
    if (!pto_kernel_recognize(text)) {
        struct text t = pto_text_open(text, error);
        return pto_text_error(&t, &t.now,
                              "expected a function with the attribute pto.kernel, or with a pointer to gm");
    }
    good = is_supported(m, text, error);
    if (!pto_kernel_parse(&program, text, &survey, &surveyed)) {
        *error = surveyed;
        good = false;
    } else if (!add_kernels(m, program.kernel, &survey)) {
        good = no_memory(error);
    } else if (has_problem(m)) {
        good = true;
        memset(error, 0, sizeof *error);
    }
    free(survey.use);
    pto_kernel_free(program.kernel);
    return good;
}
