/* SPDX-License-Identifier: MIT */
/** @file planted_faults.h  Faulty wrappers of the library's calls, each with the checker that must find it.
 */
#ifndef PTO_TEST_PLANTED_FAULTS_H
#define PTO_TEST_PLANTED_FAULTS_H

#include "check/checks.h"

struct planted_fault {
    const char *what;
    checker *check;
    void (*plant)(struct subject *subject);
};

extern const struct planted_fault planted_faults[];
extern const size_t planted_fault_count;
extern const struct planted_fault planted_ptx_faults[];
extern const size_t planted_ptx_fault_count;
extern const struct planted_fault planted_cvt_faults[];
extern const size_t planted_cvt_fault_count;

/** Wrong for one single pair of f16 operands out of the 2^32: for check_all_halves and check_all_halves_setp.
 */
void plant_one_pair(struct subject *subject);
void plant_one_pair_setp(struct subject *subject);

/** Now and then a wrong result, as from a race: for check_threads. */
void plant_now_and_then(struct subject *subject);

#endif
