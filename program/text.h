/* SPDX-License-Identifier: MIT */
/* The words of a program's text, with their places, and complaints about them. */
#ifndef PTO_PROGRAM_TEXT_H
#define PTO_PROGRAM_TEXT_H

#include "pto/program.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,   /* a name or an opcode, with its dots and "::" */
    TOKEN_NUMBER, /* what begins with a digit */
    TOKEN_STRING, /* between quotes, which belong to it */
    TOKEN_SIGN    /* any other character, "->" or "..." */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t length, line, column;
};

struct text {
    const char *at; /* behind `now` */
    const char *line_begin;
    size_t line;
    struct token now;
    const char *end; /* of the token before */
    pto_program_error *error;
    bool failed;
};

/* The first token is read. */
struct text pto_text_open(const char *text, pto_program_error *error);

/* On to the next token. */
void pto_text_next(struct text *t);

bool pto_token_is(const struct token *token, const char *word);

/* If the text goes on with this word or sign, step over it. */
bool pto_text_take(struct text *t, const char *word);

/* The same, and a complaint if it does not. */
bool pto_text_expect(struct text *t, const char *word);

/* Whether the token behind the present one is this sign. */
bool pto_text_follows(const struct text *t, const char *sign);

/* Complain, once: what was expected at the token. Returns false. */
bool pto_text_fail(struct text *t, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A complaint in words at a place inside a token. Returns false. */
bool pto_text_fail_inside(struct text *t, const struct token *token, size_t offset, const char *words);

#endif
