/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of vargmax and vargmin. */
#include "faults/planted_faults.h"
#include "support/values.h"

/** Returns the last of equal elements that follow each other. */
static pto_status last_of_equals(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                                 size_t n) {
    const pto_status status = pto_vargmax(t, flags, src, seed, index, n);
    const bool plain = status == PTO_OK && !seed.data && *index + 1 < n && t == PTO_U32;
    if (plain && value_load(t, src, *index) == value_load(t, src, *index + 1)) ++*index;
    return status;
}

static pto_status nan_never_wins(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                                 size_t n) {
    return pto_vargmin(t, t == PTO_BF16 ? flags & ~(unsigned)PTO_PROPAGATE_NAN : flags, src, seed, index, n);
}

static pto_status without_ftz(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                              size_t n) {
    return pto_vargmax(t, t == PTO_F32 ? flags & ~(unsigned)PTO_FTZ : flags, src, seed, index, n);
}

static pto_status ignores_seed(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                               size_t n) {
    return pto_vargmin(t, flags, src, n > 4000 && seed.kind == PTO_MASK_BYTE ? PTO_NO_MASK : seed, index, n);
}

/** Returns n and not SIZE_MAX if no lane is on. */
static pto_status none_is_n(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                            size_t n) {
    const pto_status status = pto_vargmax(t, flags, src, seed, index, n);
    if (status == PTO_OK && n > 0 && *index == SIZE_MAX) *index = n;
    return status;
}

static pto_status takes_bits(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                             size_t n) {
    return pto_vargmax(t == PTO_B32 ? PTO_U32 : t, flags, src, seed, index, n);
}

static const struct planted_fault faults[] = {
    {"vargmax returns the last of equal elements", check_argmax, .calls.vargmax = last_of_equals},
    {"vargmin of bf16 loses NaNs", check_argmax, .calls.vargmin = nan_never_wins},
    {"vargmax of f32 ignores PTO_FTZ", check_argmax, .calls.vargmax = without_ftz},
    {"vargmin ignores a long seed of bytes", check_argmax, .calls.vargmin = ignores_seed},
    {"vargmax returns n if no lane is on", check_argmax, .calls.vargmax = none_is_n},
    {"vargmax takes b32", check_argmax_status, .calls.vargmax = takes_bits},
};
const struct planted_list planted_argmax = {faults, sizeof faults / sizeof faults[0]};
