/* SPDX-License-Identifier: MIT */
/* NEON's. */
#include "core/random.h"

void pto_random_sve(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    pto_random_neon(key, counter, out, words);
}
