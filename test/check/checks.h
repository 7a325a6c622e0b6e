/* SPDX-License-Identifier: MIT */
/**
 * @file checks.h
 * The checkers: each runs one group of operations over its sweep and reports mismatches, never asserting
 * itself, so that the tests can show the library right and test_planted.c can show that faults are seen.
 */
#ifndef PTO_TEST_CHECKS_H
#define PTO_TEST_CHECKS_H

#include "support/harness.h"
#include "support/subject.h"

typedef void checker(const struct subject *subject, struct report *report);

/** Run the checker with signals caught. */
void check_run(checker *check, const struct subject *subject, struct report *report);

/** check_run on a fresh report, then report_expect_clean: the body of most cmocka tests. */
void check_expect_clean(checker *check, const struct subject *subject, const char *what);

/** Write a mask as no kernel would: the bits and byte values that reading must ignore are random. */
void check_fill_mask(struct rng *rng, pto_mask_kind kind, void *image, const unsigned char *truth, size_t n);

/** n truth values: runs of on, of off, and random ones. */
void check_fill_truth(struct rng *rng, unsigned char *truth, size_t n);

/** Name the first byte in which two images differ. */
void check_image(struct report *report, const unsigned char *expected, const unsigned char *got, size_t size);

/* check_compare.c */
checker check_compare_lengths, check_compare_offsets, check_compare_values, check_compare_in_place;
/* check_select.c */
checker check_select_lengths, check_select_offsets, check_select_in_place, check_broadcast;
/* check_long.c */
checker check_select_long, check_vcmpsel_long;
/* check_mask.c */
checker check_mask_logic, check_mask_offsets, check_mask_in_place, check_mask_questions, check_mask_bytes;
/* check_status.c, check_status_order.c */
checker check_compare_status, check_select_status, check_mask_status, check_vexp_status, check_plan_status;
checker check_isa_status, check_overlaps, check_words;
/* check_fpstate.c */
checker check_fpstate;
/* check_plan.c */
checker check_plan_keeps_isa;
/* check_threads.c */
checker check_threads;
/* check_vexp.c */
checker check_vexp_accuracy, check_vexp_specials, check_vexp_lengths, check_vexp_in_place, check_vexp_digest,
    check_vexp_all_f32;

/** Sweep of check_exhaustive: rows 0, step, 2*step, ... of the 65536; step 1 is all of them. */
struct exhaustive {
    pto_dtype type;
    size_t step;
};
void check_all_halves(const struct subject *subject, struct report *report, const struct exhaustive *sweep);
/** The same for setp with all operators, p and q, on lanes and on pairs. */
void check_all_halves_setp(const struct subject *subject, struct report *report,
                           const struct exhaustive *sweep);
checker check_all_bytes;

#endif
