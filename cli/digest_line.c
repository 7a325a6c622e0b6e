/* SPDX-License-Identifier: MIT */
/* Writes, reads and merges lines of digests. */
#include "digest_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The version of the definitions in docs/digests.md. It changes when the definition of an input or of the sum
 * changes. */
#define DEFINITION "1"

void digest_add(struct digest128 *digest, struct digest128 more) {
    digest->low += more.low;
    digest->high += more.high + (digest->low < more.low);
}

void write_line(const struct line *line) {
    printf("{\"form\":\"%s\",\"inputs\":\"%s\",\"count\":%" PRIu64 ",\"shares\":[%" PRIu64 ",%" PRIu64
           "],\"of\":%" PRIu64 ",\"digest\":\"%016" PRIx64 "%016" PRIx64 "\",\"definition\":" DEFINITION
           ",\"version\":\"%s\",\"isa\":\"%s\"}\n",
           line->form, line->inputs, line->count, line->begin, line->end, line->share_count,
           line->digest.high, line->digest.low, line->version, line->isa);
}

bool form_of_line(const struct form_list *forms, const struct line *line, struct form *form) {
    for (size_t i = 0; i < forms->count; ++i) {
        if (strcmp(forms->items[i].name, line->form) != 0) continue;
        *form = forms->items[i];
        if (strcmp(line->inputs, coverage_name(COVERS_SAMPLE)) == 0) use_sample(form);
        return form->count == line->count && strcmp(coverage_name(form->coverage), line->inputs) == 0;
    }
    return false;
}

bool common_range(const struct line *line, uint64_t range[2]) {
    if (range[0] < line->begin) range[0] = line->begin;
    if (range[1] > line->end) range[1] = line->end;
    return range[0] < range[1];
}

void add_line(struct line_list *list, const struct line *line) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        struct line *const items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) out_of_memory();
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *line;
}

/* ---- reading; only the exact format of write_line() is accepted ---- */

static bool take_text(const char **at, const char *text) {
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0) return false;
    *at += length;
    return true;
}

static bool is_printable(char c) {
    return c >= ' ' && c < 0x7f;
}

/* Reads a word and the quotation mark after it. Words have only printable ASCII characters and no escapes. */
static bool take_word(const char **at, char *word, size_t size) {
    size_t length = 0;
    while (is_printable((*at)[length]) && (*at)[length] != '"' && (*at)[length] != '\\') ++length;
    if (length == 0 || length >= size || (*at)[length] != '"') return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length + 1;
    return true;
}

static bool take_number(const char **at, uint64_t *number) {
    char *end;
    if (**at < '0' || **at > '9') return false;
    if (**at == '0' && (*at)[1] >= '0' && (*at)[1] <= '9')
        return false; /* JSON does not allow leading zeros */
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

static bool take_digits(const char **at, uint64_t *number) {
    *number = 0;
    for (int i = 0; i < 16; ++i, ++*at) {
        static const char digits[] = "0123456789abcdef";
        const char *const digit = **at != '\0' ? strchr(digits, **at) : NULL;
        if (digit == NULL) return false;
        *number = *number << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static bool is_consistent(const struct line *line) {
    return line->share_count == share_count(line->count) && line->begin < line->end &&
           line->end <= line->share_count;
}

/* Parses a line. Returns NULL, or the name of the first part that is wrong. */
static const char *read_line(const char *at, struct line *line) {
    if (!take_text(&at, "{\"form\":\"") || !take_word(&at, line->form, sizeof line->form)) return "form";
    if (!take_text(&at, ",\"inputs\":\"") || !take_word(&at, line->inputs, sizeof line->inputs))
        return "inputs";
    if (!take_text(&at, ",\"count\":") || !take_number(&at, &line->count)) return "count";
    if (!take_text(&at, ",\"shares\":[") || !take_number(&at, &line->begin)) return "shares";
    if (!take_text(&at, ",") || !take_number(&at, &line->end) || !take_text(&at, "]")) return "shares";
    if (!take_text(&at, ",\"of\":") || !take_number(&at, &line->share_count)) return "of";
    if (!take_text(&at, ",\"digest\":\"") || !take_digits(&at, &line->digest.high)) return "digest";
    if (!take_digits(&at, &line->digest.low) || !take_text(&at, "\"")) return "digest";
    if (!take_text(&at, ",\"definition\":" DEFINITION)) return "definition " DEFINITION;
    if (!take_text(&at, ",\"version\":\"") || !take_word(&at, line->version, sizeof line->version))
        return "version";
    if (!take_text(&at, ",\"isa\":\"") || !take_word(&at, line->isa, sizeof line->isa)) return "isa";
    if (strcmp(at, "}\n") != 0 && strcmp(at, "}\r\n") != 0 && strcmp(at, "}") != 0) return "the end";
    return is_consistent(line) ? NULL : "shares that fit the count";
}

/* Parses a line and appends it to the list. A NUL byte in the line is an error, because the text would end
 * there. */
static int add_text(const struct command *command, const char *path, size_t number, const char *text,
                    size_t length, struct line_list *list) {
    struct line line;
    const char *const missing = strlen(text) == length ? read_line(text, &line) : "text without NUL bytes";
    if (missing != NULL)
        return report_error(command, "%s:%zu: expected a line of pto digest; not found: %s", path, number,
                            missing);
    add_line(list, &line);
    return STATUS_OK;
}

/* Reads a line with its line feed into *text, an allocation of *size bytes that may move. Returns the length of the
 * line, or 0 at the end of the file. */
static size_t get_line(FILE *in, char **text, size_t *size) {
    size_t length = 0;
    int byte = 0;
    while (byte != '\n' && (byte = getc(in)) != EOF) {
        if (length + 1 >= *size) {
            char *const grown = realloc(*text, *size = 2 * *size + 256);
            if (grown == NULL) out_of_memory();
            memset(grown + length, 0, *size - length);
            *text = grown;
        }
        (*text)[length++] = (char)byte;
        (*text)[length] = '\0';
    }
    return length;
}

static int read_stream(const struct command *command, const char *path, FILE *in, struct line_list *list) {
    char *text = NULL;
    size_t size = 0, number = 0, length;
    int status = STATUS_OK;
    while (status == STATUS_OK && (length = get_line(in, &text, &size)) != 0)
        status = add_text(command, path, ++number, text, length, list);
    free(text);
    if (status != STATUS_OK) return status;
    if (ferror(in) != 0) return report_error(command, "%s: %s", path, strerror(errno));
    return number != 0 ? STATUS_OK
                       : report_error(command, "%s: expected lines of pto digest; the file is empty", path);
}

int read_lines(const struct command *command, const char *path, struct line_list *list) {
    FILE *const in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    int status;
    if (in == NULL) return report_error(command, "%s: %s", path, strerror(errno));
    status = read_stream(command, path, in, list);
    if (in != stdin) (void)fclose(in);
    return status;
}

/* ---- merging ---- */

int compare_lines(const struct line *a, const struct line *b) {
    int order = strcmp(a->form, b->form);
    if (order == 0) order = strcmp(a->inputs, b->inputs);
    if (order != 0) return order;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int compare_form_and_share(const void *left, const void *right) {
    return compare_lines(left, right);
}

static bool of_same_inputs(const struct line *a, const struct line *b) {
    return strcmp(a->form, b->form) == 0 && strcmp(a->inputs, b->inputs) == 0;
}

/* Returns whether two lines of one form have the same count of inputs and the same version. */
static bool can_merge(const struct line *a, const struct line *b) {
    return a->count == b->count && strcmp(a->version, b->version) == 0;
}

/* Adds the shares of b to line a. Returns false if they do not directly follow the shares of a. */
static bool join(struct line *a, const struct line *b) {
    if (a->end != b->begin) return false;
    a->end = b->end;
    digest_add(&a->digest, b->digest);
    if (strcmp(a->isa, b->isa) != 0) strcpy(a->isa, "several");
    return true;
}

int merge_lines(const struct command *command, struct line_list *list) {
    size_t kept = 0;
    if (list->count == 0) return STATUS_OK;
    qsort(list->items, list->count, sizeof *list->items, compare_form_and_share);
    for (size_t i = 1; i < list->count; ++i) {
        struct line *const last = &list->items[kept], *const next = &list->items[i];
        if (of_same_inputs(last, next)) {
            if (!can_merge(last, next))
                return report_error(command, "%s: expected the same count and version in all lines",
                                    next->form);
            if (next->begin < last->end)
                return report_error(command, "%s: expected each share once; share %" PRIu64 " occurs twice",
                                    next->form, next->begin);
            if (join(last, next)) continue;
        }
        list->items[++kept] = *next;
    }
    list->count = kept + 1;
    return STATUS_OK;
}
