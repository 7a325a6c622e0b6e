/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of vcompress and vexpand. */
#include "faults/planted_faults.h"

#include <string.h>

/** Writes one element after the last one, as a loop that stores whole vectors does. */
static pto_status writes_behind_count(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n,
                                      size_t *count) {
    const pto_status status = pto_vcompress(t, src, m, dst, n, count);
    if (status == PTO_OK && n > 8 && *count > 0) memset((unsigned char *)dst + *count * model_size(t), 1, 1);
    return status;
}

static pto_status loses_lane_63(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n,
                                size_t *count) {
    const pto_status status = pto_vcompress(t, src, m, dst, n, count);
    if (status == PTO_OK && n == 64 && *count == 64 && t == PTO_U16) *count = 63;
    return status;
}

static pto_status takes_bytes_for_bits(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n,
                                       size_t *count) {
    if (m.kind == PTO_MASK_BYTE && n <= 8 && t == PTO_S64) m.kind = PTO_MASK_PACKED;
    return pto_vexpand(t, src, m, dst, n, count);
}

/** Clears the lanes that are off. */
static pto_status zeroes(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n, size_t *count) {
    const pto_status status = pto_vexpand(t, src, m, dst, n, count);
    for (size_t i = 0; status == PTO_OK && t == PTO_F32 && i < n; i++) {
        if (!model_mask_get(m.kind, m.data, i)) memset((unsigned char *)dst + 4 * i, 0, 4);
    }
    return status;
}

static pto_status takes_no_count(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n,
                                 size_t *count) {
    size_t other;
    return pto_vexpand(t, src, m, dst, n, count ? count : &other);
}

/** Refuses a dst whose first n elements would overlap src, though it gets fewer. */
static pto_status refuses_too_much(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n,
                                   size_t *count) {
    const unsigned char *from = src, *to = dst;
    if (n == 64 && from > to && from < to + n * model_size(t)) return PTO_ERR_OVERLAP;
    return pto_vcompress(t, src, m, dst, n, count);
}

static const struct planted_fault faults[] = {
    {"vcompress writes after the last element", check_move, .calls.vcompress = writes_behind_count},
    {"vcompress counts one lane too few", check_move, .calls.vcompress = loses_lane_63},
    {"vexpand takes a mask of bytes for bits", check_move, .calls.vexpand = takes_bytes_for_bits},
    {"vexpand clears lanes that are off", check_move, .calls.vexpand = zeroes},
    {"vexpand takes a count of NULL", check_move_status, .calls.vexpand = takes_no_count},
    {"vcompress refuses a dst that ends before src", check_move_status, .calls.vcompress = refuses_too_much},
};
const struct planted_list planted_move = {faults, sizeof faults / sizeof faults[0]};
