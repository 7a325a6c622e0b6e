/* SPDX-License-Identifier: MIT */
/**
 * @file fuzz_text.h
 * Functions that the fuzz targets of programs and of modules share. fuzz_mutate.c has the mutator of these targets.
 */
#ifndef PTO_TEST_FUZZ_TEXT_H
#define PTO_TEST_FUZZ_TEXT_H

#include <pto/program.h>

#include <stdlib.h>

/* Ends the process if a condition does not hold. libFuzzer then reports the input. */
static inline void fuzz_require(bool holds) {
    if (!holds) abort();
}

/* Returns a random number below 2^32 and advances *seed. */
uint64_t fuzz_random(uint64_t *seed);

/* Returns a copy of the input that ends with a zero byte, and sets *seed to a number that depends on every byte. */
char *fuzz_text(const uint8_t *data, size_t size, uint64_t *seed);

/* Returns `size` random bytes at an address that often is not aligned. A sanitizer detects every access after their
 * end, and often one before their start. The caller frees them with fuzz_free_bytes(). */
void *fuzz_new_bytes(size_t size, uint64_t *seed);

/* Returns a scalar of `size` bytes, as fuzz_new_bytes() does. It is often a small integer, because scalars are numbers
 * of elements. */
void *fuzz_new_scalar(size_t size, uint64_t *seed);

/* Frees what the functions above returned. NULL is allowed. */
void fuzz_free_bytes(const void *bytes);

/* Checks that the error's position is in the text and that the error's word is at that position. An opcode may have
 * blanks and comments before its dots, which the word does not have. */
void fuzz_check_error(const char *text, const pto_program_error *error);

/* A callback for pto_program_options.trace: adds all bytes of a step to the unsigned number at `user`. */
void fuzz_count_bytes(void *user, const pto_program_step *step);

/* Keeps a copy of a text that is valid, from which the mutator may make others. */
void fuzz_keep_valid_text(const char *text);

#endif
