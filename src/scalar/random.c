/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of the random bits: Philox4x32-10, one block at a time. */
#include "core/random.h"

void pto_random_scalar(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    u32 at = counter[0];
    for (size_t i = 0; i < words; i += RANDOM_BLOCK) {
        u32 block[RANDOM_BLOCK] = {at++, counter[1], counter[2], counter[3]};
        philox_block(key, block);
        memcpy(out + i * sizeof block[0], block, min_size(words - i, RANDOM_BLOCK) * sizeof block[0]);
    }
}
