/* SPDX-License-Identifier: MIT */
/* Calls that check the lengths of all arrays and do not return on an error: in C with checks written by hand, and
 * with pto.hpp. cost.cmake counts the instructions of both. */
#ifndef PTO_TEST_COST_H
#define PTO_TEST_COST_H

#include <pto/pto.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cost_floats {
    float *data;
    size_t n;
};

struct cost_bytes {
    uint8_t *data;
    size_t n;
};

void cost_vcmp(struct cost_floats a, struct cost_floats b, struct cost_bytes mask);
void cost_vcmps(struct cost_floats a, float limit, struct cost_bytes mask);
void cost_vsel(struct cost_floats a, struct cost_floats b, struct cost_bytes mask, struct cost_floats to);
void cost_vcmpsel(struct cost_floats a, float limit, float other, struct cost_floats to);
void cost_vmax(struct cost_floats a, float limit, struct cost_floats to);
void cost_cvt(struct cost_floats a, struct cost_bytes codes);
size_t cost_count(struct cost_bytes mask, size_t n);

#ifdef __cplusplus
}
#endif
#endif
