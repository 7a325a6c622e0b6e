/* SPDX-License-Identifier: MIT */
/**
 * @file example.h
 * Programs with what is bound to them and what they leave, as tables: all elements as bits.
 */
#ifndef PTO_TEST_EXAMPLE_H
#define PTO_TEST_EXAMPLE_H

#include <pto/program.h>

#include <pto/pto.h>

enum { EXAMPLE_ARRAYS = 10, EXAMPLE_BITS = 16 };

/** Elements of a type, several for a lane if a register holds them packed, or one for all lanes: a scalar. */
struct example_array {
    const char *name;
    pto_dtype type; /* of a predicate PTO_B8, of bytes 0 and 1 */
    size_t n;
    uint64_t bits[EXAMPLE_BITS];
};

struct example {
    const char *title, *text;
    const char *file; /* in the place of the text: one of test/program/corpus */
    size_t lanes;
    bool counts_lanes; /* what a lane gives depends on its number: it is not repeated */
    struct example_array in[EXAMPLE_ARRAYS], out[EXAMPLE_ARRAYS];
};

/**
 * Run it as it stands and, unless it counts lanes, over and over the same lanes: around a block's length, from arrays
 * at odd addresses, and with nothing kept but what is looked at.
 */
void example_check(const struct example *example);

/** The same for a table of them, which says the titles of those that fail. */
void examples_check(const struct example *examples, size_t count);

/** A program that must be one; PTX. */
pto_program *example_program(const char *text);

/** Run a program of one instruction `d, a[, b[, c]]` over n lanes of arrays of a type. */
void example_instruction(const char *opcode, pto_dtype type, const void *const source[3], size_t sources,
                         void *result, size_t n);

#endif
