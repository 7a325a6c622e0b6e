/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of testp. */
#include "faults/planted_faults.h"
#include "model/model_testp.h"
#include "support/values.h"

#include <string.h>

/** Clears zeros from the result of NORMAL, as fpclassify() does. */
static pto_status zeros_are_not_normal(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                       pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_testp(t, test, flags, src, seed, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F32 && test == PTO_TEST_NORMAL && !seed.data && i < n;
         i++) {
        if (value_load(t, src, i) == 0) model_mask_set(dst.kind, dst.data, i, false);
    }
    return status;
}

/** Takes the NaN of e4m3 for an infinity. */
static pto_status e4m3_has_infinity(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                    pto_mask seed, pto_mask dst, size_t n) {
    const bool wrong = t == PTO_E4M3 && test == PTO_TEST_INFINITE;
    return pto_testp(t, wrong ? PTO_TEST_NOTANUMBER : test, flags, src, seed, dst, n);
}

static pto_status one_code_of_f16(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                  pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_testp(t, test, flags, src, seed, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F16 && test == PTO_TEST_SUBNORMAL && !seed.data && i < n;
         i++) {
        if (value_load(t, src, i) == 0x83ff) model_mask_set(dst.kind, dst.data, i, false);
    }
    return status;
}

static pto_status ignores_merge(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                pto_mask seed, pto_mask dst, size_t n) {
    return pto_testp(t, test, flags & ~(unsigned)PTO_MERGE, src, seed, dst, n);
}

static pto_status last_lane_lost(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                 pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_testp(t, test, flags, src, seed, dst, n);
    if (status == PTO_OK && n % 64 == 33 && t == PTO_F64) model_mask_set(dst.kind, dst.data, n - 1, false);
    return status;
}

static pto_status seed_in_place_lost(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                     pto_mask seed, pto_mask dst, size_t n) {
    return pto_testp(t, test, flags, src, seed.data == dst.data && n > 4096 ? PTO_NO_MASK : seed, dst, n);
}

static pto_status takes_ftz(pto_dtype t, pto_float_test test, unsigned flags, const void *src, pto_mask seed,
                            pto_mask dst, size_t n) {
    return pto_testp(t, test, flags & ~(unsigned)PTO_FTZ, src, seed, dst, n);
}

static pto_status takes_overlap(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = pto_testp(t, test, flags, src, seed, dst, n);
    return status == PTO_ERR_OVERLAP ? PTO_OK : status;
}

static const struct planted_fault faults[] = {
    {"testp: zeros of f32 are not normal", check_testp_codes, .calls.testp = zeros_are_not_normal},
    {"testp: e4m3 has an infinity", check_testp_codes, .calls.testp = e4m3_has_infinity},
    {"testp is wrong for one subnormal of f16", check_testp_codes, .calls.testp = one_code_of_f16},
    {"testp ignores PTO_MERGE", check_testp_lengths, .calls.testp = ignores_merge},
    {"testp loses the last lane of one length", check_testp_lengths, .calls.testp = last_lane_lost},
    {"testp ignores a long seed at the address of the result", check_testp_in_place,
     .calls.testp = seed_in_place_lost},
    {"testp takes PTO_FTZ", check_testp_status, .calls.testp = takes_ftz},
    {"testp takes overlaps", check_testp_status, .calls.testp = takes_overlap},
};
const struct planted_list planted_testp = {faults, sizeof faults / sizeof faults[0]};
