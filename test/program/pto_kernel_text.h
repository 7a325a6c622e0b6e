/* SPDX-License-Identifier: MIT */
/** @file pto_kernel_text.h Kernel programs around a few lines of text, for tests. An error fails the running test. */
#ifndef PTO_TEST_PROGRAM_PTO_KERNEL_TEXT_H
#define PTO_TEST_PROGRAM_PTO_KERNEL_TEXT_H

#include "pto/program.h"

/** Bytes of the arrays %in and %out, and their places in the unified buffer. */
enum { KERNEL_IN = 4096, KERNEL_OUT = 4096, KERNEL_OUT_AT = 8192, KERNEL_TEXT = 16384 };

/**
 * Writes a kernel around `body`. It copies the array %in to address 0 of the unified buffer and KERNEL_OUT bytes from
 * KERNEL_OUT_AT to the array %out. Inside, %in_T and %out_T are pointers of type T to these places (f32, f16, bf16, i8,
 * i16, i32, ui8, ui16, ui32, si8, si16), %c0, %c1, .. %c4096 are constants of type index, and %0, %1, .. of type i64.
 */
void kernel_text(const char *body, char text[KERNEL_TEXT]);

/** Runs the kernel around `body` on KERNEL_IN bytes, with these options, and fills KERNEL_OUT bytes. The language of the
 * options is ignored. Returns the program, which the caller frees. */
pto_program *kernel_run_with(const char *body, pto_program_options options, const void *in, void *out);
/** The same with default options; frees the program. */
void kernel_run(const char *body, const void *in, void *out);

/** Fails unless the run of a kernel around `body` fails at this place with this text. `line` counts from the first line
 * of `body`. */
void kernel_fails(const char *body, pto_program_options options, size_t line, size_t column, const char *word,
                  const char *text);
/** Fails unless parsing fails. */
void kernel_refused(const char *body, pto_program_options options, size_t line, size_t column,
                    const char *word, const char *text);

#endif
