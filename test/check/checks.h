/* SPDX-License-Identifier: MIT */
/**
 * @file checks.h
 * The checkers: each runs one group of operations over its sweep and reports mismatches, never asserting
 * itself, so that the tests can show the library right and test_planted.c can show that faults are seen.
 * checks.def lists them; each is in the file of its name or of its group's.
 */
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

/** Run the checker with signals caught. */
void check_run(checker *check, const struct subject *subject, struct report *report);

/** Whether the subject has vexp; if not, the report says so. */
bool check_has_vexp(const struct subject *subject, struct report *report);

/** The same of the random bits. */
bool check_has_random(const struct subject *subject, struct report *report);

/** Write a mask as no kernel would: the bits and byte values that reading must ignore are random. */
void check_fill_mask(struct rng *rng, pto_mask_kind kind, void *image, const unsigned char *truth, size_t n);

/** n truth values: runs of on, of off, and random ones. */
void check_fill_truth(struct rng *rng, unsigned char *truth, size_t n);

/** Name the first byte in which two images differ. */
void check_image(struct report *report, const unsigned char *expected, const unsigned char *got, size_t size);

#endif
