/* SPDX-License-Identifier: MIT */
/* The model of Philox4x32-10. */
#include "model/model_random.h"

#include <string.h>

enum { ROUNDS = 10 };

/** A 64-bit product in two words. */
struct product {
    uint32_t high, low;
};

/** Long multiplication with 16-bit digits. */
static struct product multiply(uint32_t x, uint32_t y) {
    const uint32_t x0 = x & 0xffff, x1 = x >> 16, y0 = y & 0xffff, y1 = y >> 16;
    const uint32_t units = x0 * y0, cross = x1 * y0, other = x0 * y1;
    const uint32_t middle = (units >> 16) + (cross & 0xffff) + (other & 0xffff);
    const struct product p = {x1 * y1 + (cross >> 16) + (other >> 16) + (middle >> 16),
                              middle << 16 | (units & 0xffff)};
    return p;
}

/** One round. The S-box maps each pair (R, L) to (mulhi(R, M) ^ k ^ L, mullo(R, M)); then the pairs are exchanged.
 * The multipliers are those of the paper's table for N = 4 and W = 32. */
static void round_of(const uint32_t key[2], uint32_t x[4]) {
    const struct product first = multiply(x[0], 0xd2511f53), second = multiply(x[2], 0xcd9e8d57);
    const uint32_t left[2] = {x[1], x[3]};
    x[0] = second.high ^ key[0] ^ left[0];
    x[1] = second.low;
    x[2] = first.high ^ key[1] ^ left[1];
    x[3] = first.low;
}

void model_random_block(const uint32_t key[2], const uint32_t counter[4], uint32_t block[4]) {
    /* The Weyl sequence of the key: 2^32 times the golden ratio less 1 and sqrt(3) less 1. */
    static const uint32_t step[2] = {0x9e3779b9, 0xbb67ae85};
    uint32_t k[2];
    memcpy(k, key, sizeof k);
    memcpy(block, counter, 4 * sizeof counter[0]);
    for (int i = 0; i < ROUNDS; i++) {
        round_of(k, block);
        k[0] += step[0];
        k[1] += step[1];
    }
}

void model_random_counter(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]) {
    const uint32_t more[4] = {(uint32_t)blocks, (uint32_t)(blocks >> 32), 0, 0};
    bool carry = false;
    for (int i = 0; i < 4; i++) {
        const uint32_t sum = counter[i] + more[i];
        const bool over = sum < more[i];
        next[i] = sum + carry;
        carry = over || (carry && next[i] == 0);
    }
}

void model_random_words(const uint32_t key[2], const uint32_t counter[4], uint32_t *words, size_t n) {
    uint32_t block[4], at[4];
    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0) {
            model_random_counter(counter, i / 4, at);
            model_random_block(key, at, block);
        }
        words[i] = block[i % 4];
    }
}
