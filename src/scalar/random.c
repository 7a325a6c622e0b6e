/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of the random bits: Random123's Philox4x32, one block at a time. */
#include "core/random.h"

#include <Random123/philox.h>

void pto_random_scalar(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    const philox4x32_key_t k = {{key[0], key[1]}};
    philox4x32_ctr_t at = {{counter[0], counter[1], counter[2], counter[3]}};
    for (size_t i = 0; i < words; i += RANDOM_BLOCK) {
        const philox4x32_ctr_t block = philox4x32_R(RANDOM_ROUNDS, at, k);
        memcpy(out + i * sizeof block.v[0], block.v, min_size(words - i, RANDOM_BLOCK) * sizeof block.v[0]);
        at.v[0]++;
    }
}
