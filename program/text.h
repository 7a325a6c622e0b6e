/* SPDX-License-Identifier: MIT */
/* Splits a program's text into tokens with their places, and records errors in it. */
#ifndef PTO_PROGRAM_TEXT_H
#define PTO_PROGRAM_TEXT_H

#include "pto/program.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,       /* a name or an opcode, with its dots and "::" */
    TOKEN_NUMBER,     /* begins with a digit, or a point and a digit */
    TOKEN_STRING,     /* a text in quotes; the token includes them */
    TOKEN_PUNCTUATION /* "->", "..." or any other single character */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t length, line, column;
};

struct text {
    const char *next; /* first byte after `now` */
    const char *line_begin;
    size_t line;
    struct token now;
    const char *previous_end; /* end of the token before `now` */
    pto_program_error *error;
    bool failed;
};

/* Starts on a text and reads its first token into `now`. Clears *error. */
struct text pto_text_open(const char *text, pto_program_error *error);

/* Reads the next token into `now`. */
void pto_text_next(struct text *t);

bool pto_token_is(const struct token *token, const char *word);

/* Returns whether `now` is this word or sign, and if so reads the next token. */
bool pto_text_take(struct text *t, const char *word);

/* Like pto_text_take(), and reports an error if `now` is another token. */
bool pto_text_expect(struct text *t, const char *word);

/* Returns whether the token after `now` is this sign. */
bool pto_text_peek_is(const struct text *t, const char *sign);

/* Skips the text from the sign `open`, which is `now`, to the matching `close`. Returns false after an error. */
bool pto_text_skip_pair(struct text *t, const char *open, const char *close);

/* Reports an error at `token`, with a message that says what was expected. Only the first error of a text is recorded.
 * Returns false. */
bool pto_text_error(struct text *t, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports the message `words` as an error at byte `offset` of `token`. Returns false. */
bool pto_text_error_inside(struct text *t, const struct token *token, size_t offset, const char *words);

#endif
