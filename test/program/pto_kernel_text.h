/* SPDX-License-Identifier: MIT */
/** @file pto_kernel_text.h Makes and runs kernel programs from a few lines of text. An error fails the running
 * test. */
#ifndef PTO_TEST_PROGRAM_PTO_KERNEL_TEXT_H
#define PTO_TEST_PROGRAM_PTO_KERNEL_TEXT_H

#include "pto/program.h"

/** Sizes of the arrays %in and %out, address of %out in the unified buffer, and size of the text, in bytes. */
enum { KERNEL_IN = 4096, KERNEL_OUT = 4096, KERNEL_OUT_AT = 8192, KERNEL_TEXT = 16384 };

/**
 * Writes the text of a kernel with the statements `body`. Before them, the kernel copies the array %in to address 0
 * of the unified buffer; after them, it copies KERNEL_OUT bytes from KERNEL_OUT_AT to the array %out. `body` can use
 * pointers %in_T and %out_T to these two addresses, where T is the element type (f32, f16, bf16, i8, i16, i32, ui8,
 * ui16, ui32, si8, si16); constants %c0, %c1, .. %c8192 of type index; and constants %0, %1, .. %8192 of type i64.
 */
void kernel_text(const char *body, char text[KERNEL_TEXT]);

/** Runs the kernel with `body` on the KERNEL_IN bytes at `in`, and copies the KERNEL_OUT bytes of %out to
 * `out`. The language of the options is ignored. Returns the program, which the caller frees. */
pto_program *kernel_run_with(const char *body, pto_program_options options, const void *in, void *out);
/** Same as kernel_run_with() with default options, and frees the program. */
void kernel_run(const char *body, const void *in, void *out);

/** Fails the test unless a run of the kernel with `body` ends with this error. `line` counts from the first
 * line of `body`. */
void kernel_fails(const char *body, pto_program_options options, size_t line, size_t column, const char *word,
                  const char *text);
/** Fails the test unless parsing of the kernel with `body` ends with this error. */
void kernel_refused(const char *body, pto_program_options options, size_t line, size_t column,
                    const char *word, const char *text);

#endif
