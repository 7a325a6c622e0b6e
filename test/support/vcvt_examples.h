/* SPDX-License-Identifier: MIT */
/** @file vcvt_examples.h  Known answers of vcvt and vtrc, from the vendor's tables and tests, and calculated by
 * hand. */
#ifndef PTO_TEST_VCVT_EXAMPLES_H
#define PTO_TEST_VCVT_EXAMPLES_H

#include <pto/pto.h>

/** Examples of one operation. If both types are equal, it is vtrc. */
struct vcvt_example {
    pto_vcvt_op op;
    const char *pairs; /* "input:output ..." in hexadecimal */
};

extern const struct vcvt_example vcvt_examples[];
extern const size_t vcvt_examples_count;

/** Reads the next pair and advances `*at`. Returns false after the last. */
bool vcvt_example_next(const char **at, uint64_t *input, uint64_t *output);

#endif
