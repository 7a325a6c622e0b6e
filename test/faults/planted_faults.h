/* SPDX-License-Identifier: MIT */
/** @file planted_faults.h  Faulty wrappers of the library's calls, each with the check that must find it. */
#ifndef PTO_TEST_PLANTED_FAULTS_H
#define PTO_TEST_PLANTED_FAULTS_H

#include "check/checks.h"

struct planted_fault {
    const char *what;
    checker *check;
    struct subject calls; /* the faulty calls; the others are NULL */
    void (*plant)(struct subject *subject,
                  const void *detail); /* plants faults that need more than `calls` */
    const void *detail;
};

struct planted_list {
    const struct planted_fault *faults;
    size_t count;
};

/** One list for each file of this folder. */
extern const struct planted_list planted_basic, planted_ptx, planted_cvt, planted_cvt_scaled, planted_forms,
    planted_vcvt, planted_cast, planted_block, planted_maxmin, planted_mask, planted_random, planted_permute,
    planted_testp, planted_move, planted_argmax;

#endif
