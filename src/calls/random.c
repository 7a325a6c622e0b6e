/* SPDX-License-Identifier: MIT */
/* Random bits for stochastic rounding. */
#include "pto/random.h"

#include "core/check.h"
#include "core/random.h"
#include "dispatch/dispatch.h"

#define KERNEL(ISA, isa, attribute) [PTO_ISA_##ISA] = pto_random_##isa,

static random_fn *random_of(pto_isa isa) {
    static random_fn *const by_isa[] = {BUILT_ISAS(KERNEL)};
    return by_isa[isa] != NULL ? by_isa[isa] : pto_random_scalar; /* NULL: a weak symbol that is not linked */
}

static struct operand four_words(const uint32_t *p) {
    return operand_array(p, 32, RANDOM_BLOCK);
}

/* Adds `blocks` to the 128-bit counter. */
static void advance_counter(u32 counter[4], u64 blocks) {
    for (size_t w = 0; w < RANDOM_BLOCK && blocks != 0; ++w) {
        const u64 sum = counter[w] + (blocks & UINT32_MAX);
        counter[w] = (u32)sum;
        blocks = (blocks >> 32) + (sum >> 32);
    }
}

pto_status pto_random_bits(const uint32_t key[2], const uint32_t counter[4], uint32_t *out, size_t words) {
    random_fn *run;
    u32 k[2], at[4];

    if (words != 0 && (key == NULL || counter == NULL || out == NULL)) return PTO_ERR_NULL;
    if (is_empty_or_too_large(words)) return size_status(words);
    if (!disjoint(operand_array(out, 32, words), operand_array(key, 32, 2)) ||
        !disjoint(operand_array(out, 32, words), four_words(counter)))
        return PTO_ERR_OVERLAP;

    run = random_of(pto_active_kernels()->isa);
    memcpy(k, key, sizeof k);
    memcpy(at, counter, sizeof at);
    for (size_t i = 0; i < words;) { /* each run ends before the lowest word of the counter wraps around */
        const u64 blocks = ((u64)1 << 32) - at[0];
        const size_t count = (words - i) / RANDOM_BLOCK < blocks ? words - i : (size_t)blocks * RANDOM_BLOCK;
        run(k, at, (u8 *)(out + i), count);
        advance_counter(at, blocks);
        i += count;
    }
    return PTO_OK;
}

pto_status pto_random_counter(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]) {
    u32 at[4];
    if (counter == NULL || next == NULL) return PTO_ERR_NULL;
    if (!overlap_allowed(four_words(next), four_words(counter))) return PTO_ERR_OVERLAP;
    memcpy(at, counter, sizeof at);
    advance_counter(at, blocks);
    memcpy(next, at, sizeof at);
    return PTO_OK;
}
