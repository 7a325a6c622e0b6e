/* SPDX-License-Identifier: MIT */
/* Splits a program's text into tokens with their positions, and records errors in the text. */
#ifndef PTO_PROGRAM_TEXT_H
#define PTO_PROGRAM_TEXT_H

#include "pto/program.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,       /* a name or an opcode, with its dots and "::" */
    TOKEN_NUMBER,     /* begins with a digit, or a point and a digit */
    TOKEN_STRING,     /* a text in quotes; the token includes the quotes */
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
    const char *joined;       /* NULL, or an opcode without the blanks and comments before its dots */
    const char *joined_from;  /* the first byte of that opcode in the text */
    struct token unclosed;    /* the start of a comment without an end; its length is 0 if there is none */
    pto_program_error *error;
    bool failed; /* whether an error was recorded */
};

/* Returns a struct text for the start of `text`, with the first token in `now`. Clears *error. */
struct text pto_text_open(const char *text, pto_program_error *error);

/* Returns false if a comment in the text has no end, and records an error at its start. The parsers do not detect
 * such a comment: to them, it ends with the text. Clears *error first. */
bool pto_text_check_comments(const char *text, pto_program_error *error);

/* Reads the next token into `now`. */
void pto_text_next(struct text *t);

/* Returns whether the token is this word or sign. */
bool pto_token_is(const struct token *token, const char *word);

/* If `now` is this word or sign, reads the next token and returns true. */
bool pto_text_take(struct text *t, const char *word);

/* Same as pto_text_take(), and reports an error if `now` is another token. */
bool pto_text_expect(struct text *t, const char *word);

/* Returns whether the token after `now` is this sign. */
bool pto_text_peek_is(const struct text *t, const char *sign);

/* Skips the tokens from `now`, which must be the sign `open`, to the matching `close`. Returns false after an
 * error. */
bool pto_text_skip_pair(struct text *t, const char *open, const char *close);

/* Records an error at `token`, with a message in the form of printf(). Only the first error of a text is
 * recorded. Returns false. */
bool pto_text_error(struct text *t, const struct token *token, const char *format, ...)
    __attribute__((format(__printf__, 3, 4)));

/* Records an error at byte `offset` of `token`, with the message `words`. Returns false. */
bool pto_text_error_inside(struct text *t, const struct token *token, size_t offset, const char *words);

#endif
