/* SPDX-License-Identifier: MIT */
/** @file checks_cvt.h  The checkers of cvt: see checks.h. */
#ifndef PTO_TEST_CHECKS_CVT_H
#define PTO_TEST_CHECKS_CVT_H

#include "check/checks.h"

/* check_cvt.c */
checker check_cvt_values, check_cvt_lengths, check_cvt_offsets, check_cvt_in_place, check_cvt_examples;
/* check_cvt_status.c */
checker check_cvt_status, check_cvt_plans, check_cvt_overlaps;
/* check_cvt_fpstate.c */
checker check_cvt_fpstate;
/* check_cvt_text.c */
checker check_cvt_text_legality, check_cvt_text_orders, check_cvt_text_format, check_cvt_text_malformed;
checker check_cvt_text_mutations;
/* check_cvt_sweep.c: a sampled sweep, seen on its own by the planted faults */
checker check_cvt_sweep;

/** Every stride-th f32; of the operations from f32, each parts-th from number `part` on. */
struct cvt_sweep {
    uint64_t stride;
    size_t part, parts;
};
void check_cvt_f32(const struct subject *subject, struct report *report, const struct cvt_sweep *sweep);

/** Every element by the model; the stride counts blocks of 65536 neighbours. */
void check_cvt_f32_model(const struct subject *subject, struct report *report, const struct cvt_sweep *sweep);

#endif
