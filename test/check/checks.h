/* SPDX-License-Identifier: MIT */
/** @file checks.h
 * The checkers. Each tests one group of operations and reports mismatches, but never asserts. So test_checks.c can
 * run it on the library, and test_planted.c on wrong libraries, in which it must find a mismatch. checks.def lists
 * the checkers. A checker is in the file of its name or of its group's name. */
#ifndef PTO_TEST_CHECKS_H
#define PTO_TEST_CHECKS_H

#include "support/harness.h"
#include "support/subject.h"

typedef void checker(const struct subject *subject, struct report *report);

#define CHECK(group, scope, function, words) checker function;
#include "check/checks.def"

enum check_scope { ONCE, EACH_ISA, EACH_ISA_AND_PLANS, SWEEP };

/** A row of checks.def. */
struct check {
    const char *group;
    enum check_scope scope;
    checker *run;
    const char *name;
    const char *words;
};

extern const struct check checks[];
extern const size_t checks_count;

/** Runs the checker and catches signals. */
void check_run(checker *check, const struct subject *subject, struct report *report);

/** Returns whether the subject has vexp; if not, the report records that. */
bool check_has_vexp(const struct subject *subject, struct report *report);

/** Returns whether the subject has random bits; if not, the report records that. */

/** Writes a mask in which everything that readers ignore is random: unused bits and the nonzero values of bytes. */
void check_fill_mask(struct rng *rng, pto_mask_kind kind, void *image, const unsigned char *truth, size_t n);

/** Fills in n truth values: runs of 1, runs of 0, and random ones. */
void check_fill_truth(struct rng *rng, unsigned char *truth, size_t n);

#endif
