/* SPDX-License-Identifier: MIT */
/* Scalar's. */
#include "core/random.h"

void pto_random_rvv(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    pto_random_scalar(key, counter, out, words);
}
