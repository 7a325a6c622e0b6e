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

/** The elements of one register. A packed register has several for each lane, a scalar has one for all
 * lanes. */
struct example_array {
    const char *name;
    pto_dtype type; /* PTO_B8 for a predicate, whose bytes are 0 or 1 */
    size_t n;
    uint64_t bits[EXAMPLE_BITS];
};

struct example {
    const char *title, *text;
    const char *file; /* used instead of `text`: a file of test/program/corpus */
    size_t lanes;
    bool counts_lanes; /* results depend on the lane number, so lanes are not repeated */
    struct example_array in[EXAMPLE_ARRAYS], out[EXAMPLE_ARRAYS];
};

/**
 * Runs the example and checks its results. Unless it counts lanes, repeats its lanes to lengths around that of
 * a block, also with only the expected registers in `keep`. All arrays lie at odd addresses.
 */
void example_check(const struct example *example);

/** Checks `count` examples. A failure names the title of the example. */
void examples_check(const struct example *examples, size_t count);

/** Returns the program of a PTX text. Fails the test if the text is invalid. */
pto_program *example_program(const char *text);

/** Runs the instruction `d, a[, b[, c]]` over n lanes of arrays of `type`. Copies d to `result`. */
void example_instruction(const char *opcode, pto_dtype type, const void *const source[3], size_t sources,
                         void *result, size_t n);

#endif
