/* SPDX-License-Identifier: MIT */
/** @file bits_values.h Operands for the instructions of exact_bits.h, and a function that runs these
 * instructions. */
#ifndef PTO_TEST_BITS_VALUES_H
#define PTO_TEST_BITS_VALUES_H

#include "program/exact_bits.h"
#include "support/harness.h"

/** Operands, results and carry flags of n lanes. Each uint64_t has one element. */
struct bits_values {
    size_t n;
    uint64_t *in[EXACT_OPERANDS], *result;
    bool *flag_before, *flag_after;
};

/** Returns n elements for each source of a form: special values, and random bits of all magnitudes. */
struct bits_values bits_values_of(struct rng *rng, const struct exact_form *form, size_t n);
void bits_values_free(struct bits_values *v);

/** Runs the form as a program, and stores its results and carry flags. The result overwrites source number `in_place`,
 * which must have its width, or none if that is negative. */
void bits_values_run(struct bits_values *v, const struct exact_form *form, int in_place);

#endif
