/* SPDX-License-Identifier: MIT */
/* The calls of cost.h, with checks written by hand in C. */
#include "headers/cost.h"

__attribute__((noreturn, cold)) void cost_fail(pto_status status);

static void check(pto_status status) {
    if (status != PTO_OK) cost_fail(status);
}

static void check_size(bool fits) {
    if (!fits) cost_fail(PTO_ERR_SIZE);
}

static size_t packed_bytes(size_t n) {
    return n / 8 + (n % 8 + 7) / 8;
}

void cost_vcmp(struct cost_floats a, struct cost_floats b, struct cost_bytes mask) {
    check_size(mask.n >= packed_bytes(a.n));
    check_size(a.n == b.n);
    check(pto_vcmp(PTO_F32, PTO_LT, 0, a.data, b.data, PTO_NO_MASK, pto_packed(mask.data), a.n));
}

void cost_vcmps(struct cost_floats a, float limit, struct cost_bytes mask) {
    check_size(mask.n >= packed_bytes(a.n));
    check(pto_vcmps(PTO_F32, PTO_LT, 0, a.data, &limit, PTO_NO_MASK, pto_packed(mask.data), a.n));
}

void cost_vsel(struct cost_floats a, struct cost_floats b, struct cost_bytes mask, struct cost_floats to) {
    check_size(mask.n >= packed_bytes(to.n));
    check_size(a.n == to.n && b.n == to.n);
    check(pto_vsel(PTO_F32, a.data, b.data, pto_packed(mask.data), to.data, to.n));
}

void cost_vcmpsel(struct cost_floats a, float limit, float other, struct cost_floats to) {
    const pto_in x = pto_in_array(a.data);
    check_size(a.n == to.n);
    check(pto_vcmpsel(PTO_F32, PTO_LT, 0, x, pto_in_scalar(&limit), pto_in_scalar(&other), x, to.data, to.n));
}

void cost_vmax(struct cost_floats a, float limit, struct cost_floats to) {
    check_size(a.n == to.n);
    check(pto_vmax(PTO_F32, 0, pto_in_array(a.data), pto_in_scalar(&limit), to.data, to.n));
}

void cost_cvt(struct cost_floats a, struct cost_bytes codes) {
    const pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    check_size(a.n == codes.n);
    check(pto_cvt(op, a.data, codes.data, NULL, a.n));
}

size_t cost_count(struct cost_bytes mask, size_t n) {
    size_t count;
    check_size(mask.n >= packed_bytes(n));
    check(pto_mask_count(pto_packed(mask.data), n, &count));
    return count;
}
