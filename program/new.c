/* SPDX-License-Identifier: MIT */
/* Creates a program from text: selects the language, parses, and prepares the registers for runs. */
#include "platform.h"
#include "pto.h"
#include "pto_kernel_operations.h"
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_ptx(pto_program *p, const char *text, pto_program_error *error) {
    struct ptx x = {.text = pto_text_open(text, error), .program = p, .depth = 1, .active = ABSENT};
    return pto_ptx_parse(&x);
}

static bool is_pto(const char *text, pto_program_language language) {
    struct text t;
    pto_program_error none;
    if (language != PTO_PROGRAM_ANY) return language == PTO_PROGRAM_PTO;
    for (t = pto_text_open(text, &none); t.now.kind != TOKEN_END; pto_text_next(&t))
        if (t.now.kind == TOKEN_WORD && t.now.length > 4 && memcmp(t.now.at, "pto.", 4) == 0) return true;
    return false;
}

static bool parse(pto_program *p, const char *text, pto_program_error *error) {
    if (!pto_text_check_comments(text, error)) return false;
    if (is_pto(text, p->options.language))
        return pto_kernel_recognize(text) ? pto_kernel_parse(p, text, NULL, error)
                                          : pto_pto_parse(p, text, error);
    return parse_ptx(p, text, error);
}

/* Marks the registers whose values are retained after a run: those in options.keep, or all registers with
 * names if options.keep is NULL. If several registers have the same name, only the first is marked, because
 * pto_program_value() finds only the first. */
static void mark_retained(pto_program *p) {
    const pto_program_options *o = &p->options;
    for (size_t i = 0; !o->keep && i < p->named_count; i++) p->regs[p->named[i].reg].keep = true;
    for (size_t i = 0; o->keep && i < o->keep_count; i++) {
        struct reg *r = pto_ir_named(p, o->keep[i]);
        if (r) r->keep = true;
    }
}

/* Calls parse() in the default FP state, which number.c requires. */
static bool parse_in_default_fp(pto_program *p, const char *text, pto_program_error *error) {
    const pto_fp_state state = pto_fp_enter_default();
    bool good;
    good = parse(p, text, error);
    pto_fp_enter(&state);
    return good;
}

bool pto_options_have_reserved(const pto_program_options *options) {
    for (size_t i = 0; i < sizeof options->reserved / sizeof options->reserved[0]; i++)
        if (options->reserved[i] != 0) return true;
    return false;
}

pto_program *pto_program_new(const char *text, pto_program_options options, pto_program_error *error) {
    pto_program_error unwanted;
    pto_program *p;
    if (!error) error = &unwanted;
    memset(error, 0, sizeof *error);
    if (pto_options_have_reserved(&options)) {
        (void)snprintf(error->text, sizeof error->text, "expected options whose reserved members are 0");
        return NULL;
    }
    p = text ? calloc(1, sizeof *p) : NULL;
    if (!p) {
        (void)snprintf(error->text, sizeof error->text, "%s",
                       text ? "there is not enough memory" : "expected a text, not NULL");
        return NULL;
    }
    p->options = options;
    if (!parse_in_default_fp(p, text, error)) {
        pto_program_free(p);
        return NULL;
    }
    if (!pto_ir_index(p)) {
        (void)snprintf(error->text, sizeof error->text, "there is not enough memory");
        pto_program_free(p);
        return NULL;
    }
    if (p->kernel)
        pto_kernel_keep(p);
    else
        mark_retained(p);
    p->options.keep = NULL; /* the caller may free the list now */
    return p;
}
