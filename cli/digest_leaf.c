/* SPDX-License-Identifier: MIT */
#include "digest_leaf.h"

#ifdef PTO_HAS_XXHASH
#    define XXH_INLINE_ALL /* its header alone: no library to load */
#    include <xxhash.h>

#    include <string.h>

bool has_leaves(void) {
    return true;
}

pto_status leaf(const struct form *form, uint64_t share, struct block *block, struct sum *digest) {
    const uint64_t first = share * SHARE_INPUTS;
    uint64_t end = first + SHARE_INPUTS;
    XXH3_state_t state;
    XXH128_hash_t hash;
    memset(&state, 0, sizeof state); /* the reset looks at the seed that was there before */
    XXH3_128bits_reset_withSeed(&state, share);
    if (end > form->count) end = form->count;
    for (uint64_t at = first; at < end; at += BLOCK) {
        const size_t n = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
        pto_status status;
        block_fill(form, block, at, n);
        status = block_run(form, block);
        if (status != PTO_OK) return status;
        XXH3_128bits_update(&state, &block->result, result_bytes(form, n));
    }
    hash = XXH3_128bits_digest(&state);
    digest->high = hash.high64;
    digest->low = hash.low64;
    return PTO_OK;
}
#else
bool has_leaves(void) {
    return false;
}

pto_status leaf(const struct form *form, uint64_t share, struct block *block, struct sum *digest) {
    (void)form;
    (void)share;
    (void)block;
    *digest = (struct sum){0, 0};
    return PTO_ERR_ISA;
}
#endif
