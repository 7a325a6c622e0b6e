/* SPDX-License-Identifier: MIT */
/* Prints untrusted text, such as arguments, file names and lines of programs, safely on a terminal. */
#ifndef PTO_CLI_SAFE_TEXT_H
#define PTO_CLI_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes `length` bytes of UTF-8. Characters that control a terminal (control characters, escapes, marks that change
 * the direction of writing) and bytes that are not UTF-8 become '?'. A tab stays a tab.
 */
void put_safe(FILE *out, const char *text, size_t length);

/* Writes a whole string like put_safe(). */
void put_safe_string(FILE *out, const char *text);

/*
 * Decodes the first character of a text that is not empty. Returns its length in bytes and sets *character to its
 * code point. A byte that begins no UTF-8 character has length 1 and the code point NOT_UTF8. Sets *unsafe to whether
 * put_safe() writes '?' for it.
 */
enum { NOT_UTF8 = 0x7fffffff };
size_t utf8_decode(const char *text, size_t length, uint32_t *character, bool *unsafe);

/* Writes blanks and tabs as wide as the output of put_safe() for the first `length` bytes, then "^\n". */
void put_caret(FILE *out, const char *text, size_t length);

#endif
