/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "element.h"
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All that is left of a stream, or NULL. */
static char *read_all(FILE *f) {
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
    if (text == NULL) return NULL;
    text[length] = '\0';
    if (ferror(f) == 0 && strlen(text) == length) return text;
    free(text);
    return NULL;
}

char *script_read(const struct command *command, const char *path) {
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char *text;
    if (f == NULL) {
        bad_use(command, "%s: %s", path, strerror(errno));
        return NULL;
    }
    text = read_all(f);
    if (f != stdin) fclose(f);
    if (text == NULL) bad_use(command, "%s: expected a text", path);
    return text;
}

static const char *line_of(const char *text, size_t line) {
    while (--line != 0) {
        text += strcspn(text, "\n");
        if (*text != '\0') ++text;
    }
    return text;
}

/* Below the line a caret, where tabs stay tabs. */
static void show_place(const char *text, size_t line, size_t column) {
    const char *const begin = line_of(text, line);
    const size_t length = strcspn(begin, "\r\n");
    fprintf(stderr, "%.*s\n", (int)length, begin);
    for (size_t i = 0; i + 1 < column && i < length; ++i) fputc(begin[i] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

void script_problem(const char *name, const char *text, const pto_program_error *error) {
    if (error->line == 0) {
        fprintf(stderr, "%s: %s\n", name, error->text);
        return;
    }
    fprintf(stderr, "%s:%zu:%zu: %s\n", name, error->line, error->column, error->text);
    show_place(text, error->line, error->column);
}

pto_program *script_parse(const char *name, const char *text, pto_program_options options) {
    pto_program_error error;
    pto_program *program = pto_program_new(text, options, &error);
    if (program == NULL) script_problem(name, text, &error);
    return program;
}

bool script_register(const pto_program *program, const char *name, pto_program_register *found) {
    for (size_t i = 0; pto_program_register_at(program, i, found) == PTO_OK; ++i)
        if (strcmp(found->name, name) == 0) return true;
    return false;
}

void script_element(pto_dtype type, const void *element, char text[SCRIPT_ELEMENT]) {
    const uint64_t bits = element_bits(type, element);
    char number[NUMBER_TEXT];
    pto_dtype part;
    const unsigned parts = value_parts(type, &part);
    size_t length = (size_t)snprintf(text, SCRIPT_ELEMENT, "0x%0*" PRIx64 "  %s", element_digits(type), bits,
                                     parts == 1 ? "" : "{");
    for (unsigned i = 0; i < parts && length < SCRIPT_ELEMENT; ++i) {
        element_text(part, (const unsigned char *)element + i * pto_dtype_bits(part) / 8, number);
        length +=
            (size_t)snprintf(text + length, SCRIPT_ELEMENT - length, "%s%s", i == 0 ? "" : ", ", number);
    }
    if (parts != 1 && length < SCRIPT_ELEMENT) snprintf(text + length, SCRIPT_ELEMENT - length, "}");
}
