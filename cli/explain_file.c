/* SPDX-License-Identifier: MIT */
/* Summarises a PTX file, or kernels of PTO: which instructions they have, and which of these are not supported. */
#include "explain.h"

#include "safe_text.h"
#include "script.h"

#include <pto/module.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ---- */

static bool has_suffix(const char *text, const char *suffix) {
    const size_t length = strlen(text), n = strlen(suffix);
    return length > n && strcmp(text + length - n, suffix) == 0;
}

bool explain_is_file(const char *text) {
    struct stat status;
    if (strcmp(text, "-") == 0) return true;
    if (stat(text, &status) == 0) return !S_ISDIR(status.st_mode);
    return has_suffix(text, ".ptx") || has_suffix(text, ".pto") || has_suffix(text, ".mlir");
}

/* ---- kernels ---- */

static void show_arguments(const pto_kernel *k) {
    for (size_t i = 0; i < k->parameter_count; ++i) {
        const pto_parameter *const p = &k->parameters[i];
        printf("  argument %zu: ", i);
        put_safe_string(stdout, p->name);
        printf("  .%s%s\n", pto_dtype_name(p->type),
               p->written   ? "  array, written"
               : p->pointer ? "  array"
                            : "");
    }
}

void explain_parameters(const pto_kernel *k) {
    for (size_t i = 0; i < k->parameter_count; ++i) {
        const pto_parameter *const p = &k->parameters[i];
        printf("  parameter %zu: %s  .%s  %zu bytes%s\n", i, p->name, pto_dtype_name(p->type), p->bytes,
               p->written   ? "  pointer, written"
               : p->pointer ? "  pointer"
                            : "");
    }
}

static void show_memory(const pto_kernel *k) {
    if (k->block.x != 0) printf("  block: %u x %u x %u threads\n", k->block.x, k->block.y, k->block.z);
    if (k->shared_bytes != 0) printf("  shared memory: %zu bytes\n", k->shared_bytes);
}

static void show_instructions(const pto_module *module, size_t kernel, const char *what) {
    pto_instruction_use use;
    size_t total = 0;
    for (size_t i = 0; pto_module_use_at(module, kernel, i, &use) == PTO_OK; ++i) total += use.count;
    printf("  %s: %zu\n", what, total);
    for (size_t i = 0; pto_module_use_at(module, kernel, i, &use) == PTO_OK; ++i) {
        printf("    %5zu  ", use.count);
        put_safe_string(stdout, use.name);
        putchar('\n');
    }
}

/* Returns whether the word of an error, which is cut off if it is long, is this name. */
static bool is_name(const pto_program_error *problem, const char *name) {
    const size_t length = strlen(problem->word);
    return strncmp(problem->word, name, length) == 0 &&
           (name[length] == '\0' || length == sizeof problem->word - 1);
}

static void show_problems(const pto_module *module, size_t kernel) {
    pto_instruction_use use;
    puts("  not supported:");
    for (size_t i = 0; pto_module_use_at(module, kernel, i, &use) == PTO_OK; ++i) {
        if (use.problem == NULL) continue;
        printf("    line %zu, column %zu: ", use.problem->line, use.problem->column);
        put_safe_string(stdout, use.name);
        if (!is_name(use.problem, use.name) && use.problem->word[0] != '\0') {
            printf(": ");
            put_safe_string(stdout, use.problem->word);
        }
        printf(": ");
        put_safe_string(stdout, use.problem->text);
        putchar('\n');
    }
}

static int show_module(const pto_module *module, bool pto) {
    const size_t count = pto_module_kernel_count(module);
    size_t supported = 0;
    pto_kernel k;
    for (size_t i = 0; pto_module_kernel_at(module, i, &k) == PTO_OK; ++i) {
        put_safe_string(stdout, k.name);
        putchar('\n');
        if (pto)
            show_arguments(&k);
        else
            explain_parameters(&k);
        show_memory(&k);
        show_instructions(module, i, pto ? "operations" : "instructions");
        if (k.problem != NULL) show_problems(module, i);
        supported += k.problem == NULL;
        putchar('\n');
    }
    if (supported == count)
        printf("everything is supported: %zu kernel%s\n", count, count == 1 ? "" : "s");
    else if (pto)
        puts("not everything is supported: pto run refuses the file (docs/semantics.md, \"Kernels of PTO\")");
    else
        printf("not everything is supported: pto launch runs %zu of %zu kernel%s\n", supported, count,
               count == 1 ? "" : "s");
    return supported == count ? STATUS_OK : STATUS_DIFFERENT;
}

static int explain_text(const char *path, const char *text) {
    const bool pto = script_is_pto(text);
    const pto_program_options options = {.language = pto ? PTO_PROGRAM_PTO : PTO_PROGRAM_PTX, .survey = true};
    pto_program_error error;
    pto_module *const module = pto_module_new(text, options, &error);
    int status;
    if (module == NULL) {
        script_problem(path, text, &error);
        return STATUS_DIFFERENT;
    }
    status = show_module(module, pto);
    pto_module_free(module);
    return status;
}

int explain_file(const struct command *command, const char *path) {
    char *const text = script_read(command, path);
    int status;
    if (text == NULL) return STATUS_ERROR;
    status = explain_text(path, text);
    free(text);
    return status;
}
