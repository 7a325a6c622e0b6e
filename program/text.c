/* SPDX-License-Identifier: MIT */
/* The tokenizer for the texts of PTX and PTO programs. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word_byte(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           c == '%' || c == '.';
}

static void new_line(struct text *t) {
    t->line++;
    t->line_begin = t->next + 1;
}

/* Skips a block comment. If it has no end, sets t->unclosed, and skips the rest of the text. */
static void skip_block_comment(struct text *t) {
    const struct token start = {.kind = TOKEN_PUNCTUATION,
                                .at = t->next,
                                .length = 2,
                                .line = t->line,
                                .column = (size_t)(t->next - t->line_begin) + 1};
    t->next += 2;
    while (*t->next != 0 && !(t->next[0] == '*' && t->next[1] == '/')) {
        if (*t->next == '\n') new_line(t);
        t->next++;
    }
    if (*t->next != 0)
        t->next += 2;
    else
        t->unclosed = start;
}

static void skip_blanks(struct text *t) {
    for (;;) {
        if (*t->next == '\n') {
            new_line(t);
            t->next++;
        } else if (*t->next == ' ' || *t->next == '\t' || *t->next == '\r' || *t->next == '\f' ||
                   *t->next == '\v') {
            t->next++;
        } else if (t->next[0] == '/' && t->next[1] == '/') {
            t->next += strcspn(t->next, "\n");
        } else if (t->next[0] == '/' && t->next[1] == '*') {
            skip_block_comment(t);
        } else {
            return;
        }
    }
}

/* Returns the length of a word. A word may contain "::", as in ".scaled::n1", but not at its start or end. */
static size_t word_length(const char *at) {
    size_t n = 0;
    for (;;) {
        if (is_word_byte(at[n]))
            n++;
        else if (n != 0 && at[n] == ':' && at[n + 1] == ':' && is_word_byte(at[n + 2]))
            n += 2;
        else
            return n;
    }
}

/* Returns the length of a number. The exponent of a decimal number may have a sign, as in 1.0e-5. In a number
 * that begins with 0x, 0f, 0d or 0b, an "e" is a digit, so a sign after the "e" does not belong to the
 * number. */
static size_t number_length(const char *at) {
    const bool bits = at[0] == '0' && at[1] != 0 && strchr("xXfFdDbB", at[1]) != NULL;
    size_t n = 0;
    while (is_word_byte(at[n]) ||
           (!bits && n != 0 && (at[n] == '-' || at[n] == '+') && (at[n - 1] == 'e' || at[n - 1] == 'E')))
        n++;
    return n;
}

static size_t punctuation_length(const char *at) {
    return at[0] == '-' && at[1] == '>' ? 2 : 1;
}

static size_t string_length(const char *at) {
    const size_t inside = strcspn(at + 1, "\"\n");
    return at[1 + inside] == '"' ? inside + 2 : inside + 1;
}

void pto_text_next(struct text *t) {
    struct token *now = &t->now;
    t->previous_end = t->next;
    skip_blanks(t);
    now->at = t->next;
    now->line = t->line;
    now->column = (size_t)(t->next - t->line_begin) + 1;
    if (*t->next == 0) {
        now->kind = TOKEN_END;
        now->length = 0;
    } else if (memcmp(t->next, "...", strnlen(t->next, 3)) == 0 && strnlen(t->next, 3) == 3) {
        now->kind = TOKEN_PUNCTUATION;
        now->length = 3;
    } else if (is_digit(*t->next) || (*t->next == '.' && is_digit(t->next[1]))) {
        now->kind = TOKEN_NUMBER;
        now->length = number_length(t->next);
    } else if (is_word_byte(*t->next)) {
        now->kind = TOKEN_WORD;
        now->length = word_length(t->next);
    } else if (*t->next == '"') {
        now->kind = TOKEN_STRING;
        now->length = string_length(t->next);
    } else {
        now->kind = TOKEN_PUNCTUATION;
        now->length = punctuation_length(t->next);
    }
    t->next += now->length;
}

struct text pto_text_open(const char *text, pto_program_error *error) {
    struct text t = {.next = text, .line_begin = text, .line = 1, .error = error};
    memset(error, 0, sizeof *error);
    pto_text_next(&t);
    return t;
}

bool pto_text_check_comments(const char *text, pto_program_error *error) {
    struct text t = pto_text_open(text, error);
    while (t.now.kind != TOKEN_END) pto_text_next(&t);
    return t.unclosed.length == 0 ||
           pto_text_error(&t, &t.unclosed, "this comment has no end: expected '*/' further on");
}

bool pto_token_is(const struct token *token, const char *word) {
    return token->kind != TOKEN_END && strlen(word) == token->length &&
           memcmp(word, token->at, token->length) == 0;
}

bool pto_text_take(struct text *t, const char *word) {
    if (!pto_token_is(&t->now, word)) return false;
    pto_text_next(t);
    return true;
}

bool pto_text_expect(struct text *t, const char *word) {
    return pto_text_take(t, word) || pto_text_error(t, &t->now, "expected '%s'", word);
}

bool pto_text_peek_is(const struct text *t, const char *sign) {
    struct text ahead = *t;
    pto_text_next(&ahead);
    return pto_token_is(&ahead.now, sign);
}

/* Sets the error's position to byte `offset` of `token`, which may be an opcode without its blanks. */
static void set_position(struct text *t, const struct token *token, size_t offset) {
    struct text place = {.next = t->joined_from, .line = token->line};
    t->error->line = token->line;
    t->error->column = token->column + offset;
    if (token->at != t->joined) return;
    place.line_begin = place.next - (token->column - 1);
    for (size_t i = 0; i <= offset; i++) {
        if (i != 0) place.next++;
        if (token->at[i] == '.') skip_blanks(&place);
    }
    t->error->line = place.line;
    t->error->column = (size_t)(place.next - place.line_begin) + 1;
}

static bool set_place(struct text *t, const struct token *token, size_t offset) {
    const size_t capacity = sizeof t->error->word - 1, left = token->length - offset;
    if (t->failed) return false;
    t->failed = true;
    set_position(t, token, offset);
    memcpy(t->error->word, token->at + offset, left < capacity ? left : capacity);
    return true;
}

bool pto_text_error(struct text *t, const struct token *token, const char *format, ...) {
    va_list arguments;
    if (!set_place(t, token, 0)) return false;
    va_start(arguments, format);
    (void)vsnprintf(t->error->text, sizeof t->error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool pto_text_error_inside(struct text *t, const struct token *token, size_t offset, const char *words) {
    if (!set_place(t, token, offset < token->length ? offset : 0))
        return false; /* an offset after the token's end means its start */
    (void)snprintf(t->error->text, sizeof t->error->text, "%s", words);
    return false;
}

bool pto_text_skip_pair(struct text *t, const char *open, const char *close) {
    const struct token first = t->now;
    size_t depth = 0;
    do {
        if (t->now.kind == TOKEN_END) return pto_text_error(t, &first, "expected '%s' further on", close);
        if (pto_token_is(&t->now, open)) depth++;
        if (pto_token_is(&t->now, close)) depth--;
        pto_text_next(t);
    } while (depth != 0);
    return true;
}
