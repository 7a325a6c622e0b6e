/* SPDX-License-Identifier: MIT */
/* Reads program text, and prints errors and registers. */
#include "script.h"

#include "element.h"
#include "safe_text.h"
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Reads a stream to its end. If that fails, or the content contains a NUL byte, returns NULL and sets *why. */
static char *read_all(FILE *f, const char **why) {
    size_t room = 4096, length = 0;
    char *text = malloc(room);
    while (text != NULL) {
        char *grown;
        length += fread(text + length, 1, room - 1 - length, f);
        if (length < room - 1) break;
        room *= 2;
        grown = realloc(text, room);
        if (grown == NULL) free(text);
        text = grown;
    }
    *why = ferror(f) != 0 ? strerror(errno) : "there is not enough memory";
    if (text == NULL) return NULL;
    text[length] = '\0';
    if (ferror(f) == 0 && strlen(text) == length) return text;
    if (ferror(f) == 0) *why = "expected a text; this file has a zero byte";
    free(text);
    return NULL;
}

char *script_read(const struct command *command, const char *path) {
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    const char *why;
    char *text;
    if (f == NULL) {
        report_error(command, "%s: %s", path, strerror(errno));
        return NULL;
    }
    text = read_all(f, &why);
    if (f != stdin) fclose(f);
    if (text == NULL) report_error(command, "%s: %s", path, why);
    return text;
}

static const char *line_of(const char *text, size_t line) {
    while (--line != 0) {
        text += strcspn(text, "\n");
        if (*text != '\0') ++text;
    }
    return text;
}

/* Prints a line of the text, and below it a caret at the column. */
static void show_place(const char *text, size_t line, size_t column) {
    const char *const begin = line_of(text, line);
    const size_t length = strcspn(begin, "\r\n");
    put_safe(stderr, begin, length);
    fputc('\n', stderr);
    put_caret(stderr, begin, column - 1 < length ? column - 1 : length);
}

void script_problem(const char *name, const char *text, const pto_program_error *error) {
    put_safe_string(stderr, name);
    if (error->line != 0) fprintf(stderr, ":%zu:%zu", error->line, error->column);
    fputs(": ", stderr);
    put_safe_string(stderr, error->text);
    fputc('\n', stderr);
    if (error->line != 0) show_place(text, error->line, error->column);
}

bool script_has_ptx_kernel(const char *text) {
    return strstr(text, ".entry") != NULL;
}

bool script_is_pto(const char *text) {
    return strstr(text, "pto.") != NULL && !script_has_ptx_kernel(text);
}

pto_program *script_parse(const char *name, const char *text, pto_program_options options) {
    pto_program_error error;
    pto_program *program = pto_program_new(text, options, &error);
    if (program != NULL) return program;
    script_problem(name, text, &error);
    if (script_has_ptx_kernel(text)) fprintf(stderr, "       pto launch runs the kernels of PTX files\n");
    return NULL;
}

void script_names(const pto_program *program, bool inputs, char names[SCRIPT_NAMES]) {
    pto_program_register r;
    size_t length = 0;
    names[0] = '\0';
    for (size_t i = 0; pto_program_register_at(program, i, &r) == PTO_OK; ++i) {
        if (inputs ? !r.input : !r.result) continue;
        if (length + strlen(r.name) + sizeof ", , ..." > SCRIPT_NAMES) {
            snprintf(names + length, SCRIPT_NAMES - length, ", ...");
            return;
        }
        length +=
            (size_t)snprintf(names + length, SCRIPT_NAMES - length, "%s%s", length == 0 ? "" : ", ", r.name);
    }
    if (length == 0) snprintf(names, SCRIPT_NAMES, "none");
}

void script_lanes(const char *name, pto_dtype type, bool predicate, const void *data, size_t n, bool more) {
    printf("%-8s .%-6s", name, predicate ? "pred" : pto_dtype_name(type));
    for (size_t i = 0; i < n; ++i) {
        unsigned char element[8];
        char text[SCRIPT_ELEMENT];
        element_at(type, data, i, element);
        script_element(type, element, text);
        printf("  %s", predicate ? (*element ? "1" : "0") : strstr(text, "  ") + 2);
    }
    puts(more ? " ..." : "");
}

void script_element(pto_dtype type, const void *element, char text[SCRIPT_ELEMENT]) {
    const uint64_t bits = element_bits(type, element);
    char number[VALUE_TEXT_SIZE];
    pto_dtype part;
    const unsigned parts = value_element_count(type, &part);
    size_t length = (size_t)snprintf(text, SCRIPT_ELEMENT, "0x%0*" PRIx64 "  %s", element_hex_digits(type),
                                     bits, parts == 1 ? "" : "{");
    for (unsigned i = 0; i < parts && length < SCRIPT_ELEMENT; ++i) {
        element_text(part, (const unsigned char *)element + i * pto_dtype_bits(part) / 8, number);
        length +=
            (size_t)snprintf(text + length, SCRIPT_ELEMENT - length, "%s%s", i == 0 ? "" : ", ", number);
    }
    if (parts != 1 && length < SCRIPT_ELEMENT) snprintf(text + length, SCRIPT_ELEMENT - length, "}");
}
