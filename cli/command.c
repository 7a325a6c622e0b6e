/* SPDX-License-Identifier: MIT */
/* Functions that all subcommands use: error messages, options, JSON strings. */
#include "command.h"

#include "safe_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *command_prefix = "";

/* Prints a message with put_safe_string(), because the message may contain command-line arguments or text
 * from files. */
static void put_message(FILE *out, const char *format, va_list arguments) {
    va_list again;
    char *text;
    int length;
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = malloc((size_t)length + 1);
    if (text == NULL) out_of_memory();
    vsnprintf(text, (size_t)length + 1, format, arguments);
    put_safe_string(out, text);
    free(text);
}

int report_error(const struct command *command, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s%s: ", command_prefix, command->name);
    va_start(arguments, format);
    put_message(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n       %s%s --help\n", command_prefix, command->name);
    return STATUS_ERROR;
}

int show_error(const char *text, const pto_parse_error *error) {
    put_safe_string(stdout, text);
    putchar('\n');
    put_caret(stdout, text, error->at);
    put_safe_string(stdout, error->text);
    putchar('\n');
    return STATUS_DIFFERENT;
}

/* Writes the names of all options: " --json --isa". */
static void list_options(char *list, size_t size, const struct option *options) {
    size_t length = 0;
    list[0] = '\0';
    for (; options->name != NULL && length < size; ++options)
        length += (size_t)snprintf(list + length, size - length, " --%s", options->name);
}

/* Writes the short options for getopt_long(), such as ":ji:". A colon after a letter means that the option
 * takes a value. */
static void letters_of(char *letters, size_t size, const struct option *options) {
    size_t length = 0;
    letters[length++] = ':';
    for (; options->name != NULL && length + 2 < size; ++options) {
        letters[length++] = (char)options->val;
        if (options->has_arg == required_argument) letters[length++] = ':';
    }
    letters[length] = '\0';
}

int next_option(const struct command *command, int argc, char **argv, const struct option *options) {
    char list[240], letters[40];
    const char *at = argv[optind < argc ? optind : argc - 1]; /* the argument that getopt_long() reads next */
    int found;
    letters_of(letters, sizeof letters, options);
    found = getopt_long(argc, argv, letters, options, NULL);
    if (found != '?' && found != ':') return found;
    if (optind > 0) at = argv[optind - 1];
    if (found == ':') {
        report_error(command, "%s: expected a value after it", at);
        return '?';
    }
    list_options(list, sizeof list, options);
    report_error(command, "%s: expected one of the options%s --help", at, list);
    return '?';
}

void out_of_memory(void) {
    fputs("pto: out of memory\n", stderr);
    exit(STATUS_ERROR);
}

char *safe_copy(const char *text) {
    size_t left = strlen(text);
    char *const copy = malloc(left + 1), *at = copy;
    if (copy == NULL) out_of_memory();
    while (left != 0) {
        uint32_t character;
        bool unsafe;
        const size_t bytes = utf8_decode(text, left, &character, &unsafe);
        if (unsafe)
            *at++ = '?';
        else
            at = (char *)memcpy(at, text, bytes) + bytes;
        text += bytes;
        left -= bytes;
    }
    *at = '\0';
    return copy;
}

/* Writes a JSON escape. Bytes that are not UTF-8, and unsafe characters of more than 16 bits, become U+FFFD. */
static void put_escape(FILE *out, uint32_t character) {
    fprintf(out, "\\u%04x", (unsigned)(character > 0xffff ? 0xfffd : character));
}

void put_json_string(FILE *out, const char *text) {
    size_t length = strlen(text);
    fputc('"', out);
    while (length != 0) {
        uint32_t character;
        bool unsafe;
        const size_t bytes = utf8_decode(text, length, &character, &unsafe);
        if (character == '"' || character == '\\')
            fprintf(out, "\\%c", *text);
        else if (unsafe || character == '\t')
            put_escape(out, character);
        else
            fwrite(text, 1, bytes, out);
        text += bytes;
        length -= bytes;
    }
    fputc('"', out);
}
