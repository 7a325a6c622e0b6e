/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of pto_random_bits() and pto_random_counter(). */
#include "faults/planted_faults.h"
#include "model/model_random.h"

#include <stdatomic.h>
#include <string.h>

/** Exchanges the two words of the key. This changes all results, as a missing round would. */
static pto_status another_key(const uint32_t key[2], const uint32_t counter[4], uint32_t *out, size_t words) {
    const uint32_t exchanged[2] = {key ? key[1] : 0, key ? key[0] : 0};
    return pto_random_bits(key ? exchanged : NULL, counter, out, words);
}

static void write_word(uint32_t *out, size_t i, uint32_t word) {
    memcpy((unsigned char *)out + 4 * i, &word, sizeof word);
}

static pto_status loses_last(const uint32_t key[2], const uint32_t counter[4], uint32_t *out, size_t words) {
    const pto_status status = pto_random_bits(key, counter, out, words);
    if (status == PTO_OK && words > 128 && words % 4 == 1) write_word(out, words - 1, 0);
    return status;
}

static pto_status whole_blocks(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                               size_t words) {
    const pto_status status = pto_random_bits(key, counter, out, words);
    if (status == PTO_OK && words % 4 == 3) write_word(out, words, 0x12345678);
    return status;
}

/** Lets carries go no further than word `last` of the counter. */
static pto_status carry_into(size_t last, const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                             size_t words) {
    const pto_status status = pto_random_bits(key, counter, out, words);
    if (status != PTO_OK) return status;
    for (size_t i = 0; i < words; i += 4) {
        uint32_t at[4], block[4];
        model_random_counter(counter, i / 4, at);
        for (size_t w = last + 1; w < 4; w++) at[w] = counter[w];
        model_random_block(key, at, block);
        for (size_t w = i; w < words && w < i + 4; w++) write_word(out, w, block[w - i]);
    }
    return PTO_OK;
}

static pto_status no_carry(const uint32_t key[2], const uint32_t counter[4], uint32_t *out, size_t words) {
    return carry_into(0, key, counter, out, words);
}

static pto_status no_third(const uint32_t key[2], const uint32_t counter[4], uint32_t *out, size_t words) {
    return carry_into(2, key, counter, out, words);
}

static pto_status counter_of_64_bits(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]) {
    const uint32_t upper[2] = {counter ? counter[2] : 0, counter ? counter[3] : 0};
    const pto_status status = pto_random_counter(counter, blocks, next);
    if (status == PTO_OK) memcpy(next + 2, upper, sizeof upper);
    return status;
}

/** Adds the number of earlier calls, modulo 4, to `counter`, as if the generator had hidden state. */
static pto_status hidden_state(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                               size_t words) {
    static atomic_uint calls;
    uint32_t at[4];
    if (words == 0 || pto_random_counter(counter, atomic_fetch_add(&calls, 1) % 4, at) != PTO_OK)
        return pto_random_bits(key, counter, out, words);
    return pto_random_bits(key, at, out, words);
}

/** Every 64th word is 0, so each bit is 0 a little too often. */
static pto_status biased(const uint32_t key[2], const uint32_t counter[4], uint32_t *out, size_t words) {
    const pto_status status = pto_random_bits(key, counter, out, words);
    for (size_t i = 0; status == PTO_OK && i < words; i += 64) write_word(out, i, 0);
    return status;
}

static pto_status takes_no_key(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                               size_t words) {
    static const uint32_t none[2];
    return pto_random_bits(key ? key : none, counter, out, words);
}

static pto_status writes_over_counter(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                                      size_t words) {
    uint32_t copy[4];
    if (!key || !counter || !out || words == 0 || words > SIZE_MAX / 16)
        return pto_random_bits(key, counter, out, words);
    memcpy(copy, counter, sizeof copy);
    return pto_random_bits(key, copy, out, words);
}

static const struct planted_fault faults[] = {
    {"random_bits exchanges the words of the key", check_random_known, .calls.random_bits = another_key},
    {"random_bits loses the last word", check_random_lengths, .calls.random_bits = loses_last},
    {"random_bits writes its last block in full", check_random_lengths, .calls.random_bits = whole_blocks},
    {"random_bits carries nothing", check_random_carry, .calls.random_bits = no_carry},
    {"random_bits carries into only three words", check_random_carry, .calls.random_bits = no_third},
    {"random_counter has 64 bits", check_random_carry, .calls.random_counter = counter_of_64_bits},
    {"random_bits carries nothing, seen by shares", check_random_splits, .calls.random_bits = no_carry},
    {"random_bits remembers its calls", check_random_splits, .calls.random_bits = hidden_state},
    {"random_bits takes no key", check_random_status, .calls.random_bits = takes_no_key},
    {"random_bits lies over its counter", check_random_overlaps, .calls.random_bits = writes_over_counter},
    {"one word of 64 is 0", check_random_unbiased, .calls.random_bits = biased},
    {"random_bits remembers its calls, seen by threads", check_random_threads,
     .calls.random_bits = hidden_state},
};
const struct planted_list planted_random = {faults, sizeof faults / sizeof faults[0]};
