/* SPDX-License-Identifier: MIT */
/* Functions that C11 lacks, or that not all systems have. */
#ifndef PTO_PLATFORM_H
#define PTO_PLATFORM_H

#include <fenv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of a cache line. */
enum { PTO_LINE = 64 };

/* Returns a copy of the first `length` bytes of `text`, which must contain no NUL byte, and a NUL byte after them.
 * Returns NULL if there is not enough memory. The caller frees it with free(). */
char *pto_duplicate_text(const char *text, size_t length);

/* A floating-point state: rounding mode, flushing, enabled traps and flags. fesetenv() of mingw-w64 leaves MXCSR as it
 * is. */
#if defined _WIN32 && defined __x86_64__
typedef unsigned pto_fp_state;
#else
typedef fenv_t pto_fp_state;
#endif

/* Sets the default state. Returns the state before. */
pto_fp_state pto_fp_enter_default(void);

void pto_fp_enter(const pto_fp_state *state);

/* Returns a number that depends on all bytes of a name, and differs widely for names that follow each other. Trees of
 * <search.h> compare it first: on Windows and macOS tsearch() does not balance them, so names that arrive in their own
 * order would make a list. */
uint32_t pto_scatter(const char *name, size_t length);

/* Returns `bytes` bytes that begin at the start of a cache line, or NULL if there is not enough memory. The caller
 * frees them with pto_free_lines(). */
void *pto_allocate_lines(size_t bytes);

/* Frees memory of pto_allocate_lines(). Does nothing if it is NULL. */
void pto_free_lines(void *memory);

/* Reads a decimal number as strtod() does in the C locale, because the locale of the process may have a decimal comma.
 * Returns false if there is not enough memory. */
bool pto_strtod(const char *digits, char **end, double *value);

#endif
