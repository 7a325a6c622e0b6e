/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of vpermute. */
#include "faults/planted_faults.h"

#include <stdlib.h>
#include <string.h>

/** Calls vpermute() with a copy of the indices, each changed by `change`. */
static pto_status changed(void change(unsigned char *index, size_t bytes, size_t lanes), pto_dtype t,
                          size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    const size_t bytes = model_size(t);
    unsigned char *copy;
    pto_status status;
    if (!index || bytes == 0 || n == 0 || n > SIZE_MAX / 16)
        return pto_vpermute(t, lanes, src, index, dst, n);
    copy = malloc(n * bytes);
    if (!copy) abort();
    memcpy(copy, index, n * bytes);
    for (size_t i = 0; i < n; i++) change(copy + i * bytes, bytes, lanes);
    status = pto_vpermute(t, lanes, src, copy, dst, n);
    free(copy);
    return status;
}

/** Indices outside the group select its last lane. */
static void clamp(unsigned char *index, size_t bytes, size_t lanes) {
    uint64_t number = 0;
    memcpy(&number, index, bytes);
    if (number >= lanes) number = lanes - 1;
    memcpy(index, &number, bytes);
}

static pto_status clamps(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    return changed(clamp, t, lanes, src, index, dst, n);
}

/** Only the low byte of an index counts. */
static void keep_low_byte(unsigned char *index, size_t bytes, size_t lanes) {
    (void)lanes;
    memset(index + 1, 0, bytes - 1);
}

static pto_status reads_low_bytes(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                                  size_t n) {
    return changed(keep_low_byte, t, lanes, src, index, dst, n);
}

/** Takes the whole array for one group. */
static pto_status one_group(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                            size_t n) {
    return pto_vpermute(t, lanes == 64 && n != 0 && n % 64 == 0 ? n : lanes, src, index, dst, n);
}

static pto_status last_group(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                             size_t n) {
    return pto_vpermute(t, lanes, src, index, dst, t == PTO_S16 && lanes == 5 && n > 5 ? n - 5 : n);
}

/** Is wrong at an odd address of the source. */
static pto_status misaligned(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                             size_t n) {
    const pto_status status = pto_vpermute(t, lanes, src, index, dst, n);
    if (status == PTO_OK && t == PTO_F32 && (uintptr_t)src % 64 == 33) *(unsigned char *)dst ^= 1;
    return status;
}

static pto_status rounds_n_down(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                                size_t n) {
    return pto_vpermute(t, lanes, src, index, dst, lanes > 1 && n < 100 ? n / lanes * lanes : n);
}

static pto_status takes_zero_lanes(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                                   size_t n) {
    return pto_vpermute(t, lanes == 0 && n == 0 ? 1 : lanes, src, index, dst, n);
}

static pto_status in_place_on_src(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                                  size_t n) {
    unsigned char copy[512];
    if (src != dst || !src || n * model_size(t) > sizeof copy)
        return pto_vpermute(t, lanes, src, index, dst, n);
    memcpy(copy, src, n * model_size(t));
    return pto_vpermute(t, lanes, copy, index, dst, n);
}

static const struct planted_fault faults[] = {
    {"vpermute clamps indices outside the group", check_permute_groups, .calls.vpermute = clamps},
    {"vpermute reads only the low bytes of indices", check_permute_groups, .calls.vpermute = reads_low_bytes},
    {"vpermute takes the array for one group", check_permute_groups, .calls.vpermute = one_group},
    {"vpermute leaves out the last group", check_permute_groups, .calls.vpermute = last_group},
    {"vpermute is wrong at one offset of src", check_permute_offsets, .calls.vpermute = misaligned},
    {"vpermute ignores an incomplete group", check_permute_status, .calls.vpermute = rounds_n_down},
    {"vpermute takes groups of no lanes if n == 0", check_permute_status, .calls.vpermute = takes_zero_lanes},
    {"vpermute takes dst at src", check_permute_overlaps, .calls.vpermute = in_place_on_src},
};
const struct planted_list planted_permute = {faults, sizeof faults / sizeof faults[0]};
