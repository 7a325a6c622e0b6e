/* SPDX-License-Identifier: MIT */
/**
 * @file example.h
 * Tables of example programs with their inputs and expected results. All elements are given as bits.
 */
#ifndef PTO_TEST_EXAMPLE_H
#define PTO_TEST_EXAMPLE_H

#include <pto/program.h>

#include <pto/pto.h>

enum { EXAMPLE_ARRAYS = 10, EXAMPLE_BITS = 16 };

/** The elements of one register. A packed register has several elements for each lane, a scalar has one for
 * all lanes. */
struct example_array {
    const char *name;
    pto_dtype type; /* PTO_B8 for a predicate, whose bytes are 0 or 1 */
    size_t n;
    uint64_t bits[EXAMPLE_BITS];
};

struct example {
    const char *title, *text;
    const char *file; /* a file of test/program/corpus with the text, used instead of `text` unless NULL */
    size_t lanes;
    bool counts_lanes; /* results depend on the lane number, so the lanes must not be repeated */
    struct example_array in[EXAMPLE_ARRAYS], out[EXAMPLE_ARRAYS];
};

/**
 * Runs the example and checks its results. Unless counts_lanes is set, also runs it with its lanes repeated, to
 * lengths around the 2048 lanes of a block; some of these runs have only the expected registers in `keep`. All
 * arrays have odd addresses.
 */
void example_check(const struct example *example);

/** Checks `count` examples. A failure names the title of the example. */
void examples_check(const struct example *examples, size_t count);

/** Returns the program of a PTX text. Fails the test if the text is invalid. */
pto_program *example_program(const char *text);

/** Runs the instruction "opcode d, a[, b[, c]]" over n lanes of arrays of `type`. Copies d to `result`. The
 * second source of a shift has the type u32. */
void example_instruction(const char *opcode, pto_dtype type, const void *const source[3], size_t sources,
                         void *result, size_t n);

#endif
