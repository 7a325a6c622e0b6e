/* SPDX-License-Identifier: MIT */
/* Text from outside, such as arguments, file names and lines of programs, as it is shown on a terminal. */
#ifndef PTO_CLI_SHOWN_H
#define PTO_CLI_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes `length` bytes of UTF-8. Characters that a terminal acts on (control characters, escapes, marks that change the
 * direction of writing) and bytes that are no UTF-8 become '?'. A tab stays a tab.
 */
void put_shown(FILE *out, const char *text, size_t length);

/* The same of a whole string. */
void put_shown_string(FILE *out, const char *text);

/*
 * Decodes the first character of a text that is not empty. Returns its bytes and sets *character to its code point; a byte
 * that begins no UTF-8 counts as one, and *character is NOT_UTF8. *unsafe tells whether put_shown() writes '?' for it.
 */
enum { NOT_UTF8 = 0x7fffffff };
size_t shown_decode(const char *text, size_t length, uint32_t *character, bool *unsafe);

/* A copy of a string as it is shown, to be freed. */
char *shown_copy(const char *text);

/* Writes blanks and tabs that are as wide as put_shown() makes the first `length` bytes of a text, then "^\n". */
void put_caret(FILE *out, const char *text, size_t length);

#endif
