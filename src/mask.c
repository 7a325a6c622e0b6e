/* SPDX-License-Identifier: MIT */
#include "pto/mask.h"

#include "block.h"
#include "dispatch.h"

size_t pto_mask_bytes(pto_mask_kind kind, size_t n) {
    size_t bits = is_mask_kind(kind) ? mask_lane_bits(kind) : 0;
    return n / 8 * bits + (n % 8 * bits + 7) / 8;
}

/* dst = op(src[0], src[1], src[2]), the first flipped if asked for; of the sources the first `sources` are
 * given and src[0] stands for the others. */
static pto_status mask_logic(enum logic op, const pto_mask *src, size_t sources, pto_mask dst, size_t n,
                             u64 flip) {
    const struct pto_kernels *k = pto_active_kernels();
    u64 in[3][BLOCK_WORDS], buffer[BLOCK_WORDS];

    for (size_t s = 0; n != 0 && s < sources; ++s)
        if (src[s].data == NULL) return PTO_ERR_NULL;
    if (n != 0 && dst.data == NULL) return PTO_ERR_NULL;
    for (size_t s = 0; s < sources; ++s)
        if (!is_mask_kind(src[s].kind)) return PTO_ERR_MASK;
    if (!is_mask_kind(dst.kind)) return PTO_ERR_MASK;
    for (size_t s = 0; n != 0 && s < sources; ++s)
        if (!apart(operand_mask(dst, n), operand_mask(src[s], n))) return PTO_ERR_OVERLAP;

    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        const void *first = block_bits(k, src[0], i, in[0], lanes), *bits[3] = {first, first, first};
        void *out = block_target(dst, i, buffer);
        for (size_t s = 1; s < sources; ++s) bits[s] = block_bits(k, src[s], i, in[s], lanes);
        k->logic[op](bits[0], bits[1], bits[2], out, lanes, flip, flip);
        block_end(k, dst, i, out, lanes);
    }
    return PTO_OK;
}

pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    const pto_mask src[] = {a, b};
    return mask_logic(LOGIC_AND, src, 2, dst, n, 0);
}

pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    const pto_mask src[] = {a, b};
    return mask_logic(LOGIC_OR, src, 2, dst, n, 0);
}

pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    const pto_mask src[] = {a, b};
    return mask_logic(LOGIC_XOR, src, 2, dst, n, 0);
}

pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_AND, &a, 1, dst, n, ~(u64)0);
}

pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_AND, &a, 1, dst, n, 0);
}

pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n) {
    const pto_mask src[] = {a, b, sel};
    return mask_logic(LOGIC_SEL, src, 3, dst, n, 0);
}

static pto_status question_status(pto_mask m, size_t n, const void *out) {
    if (out == NULL || (n != 0 && m.data == NULL)) return PTO_ERR_NULL;
    return is_mask_kind(m.kind) ? PTO_OK : PTO_ERR_MASK;
}

/* Number of ones. Branch-free and without a popcnt instruction, which baseline x86-64 lacks. */
static size_t ones(u64 x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (size_t)(x * 0x0101010101010101u >> 56);
}

static size_t count_lanes(pto_mask m, size_t n) {
    const struct pto_kernels *k = pto_active_kernels();
    u64 bits[BLOCK_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        size_t lanes = min_size(n - i, BLOCK_LANES);
        block_load(k, m, i, bits, lanes);
        for (size_t w = 0; w < block_words(lanes); ++w) count += ones(bits[w]);
    }
    return count;
}

/* The first lane that is on (flip 0) or off (flip all ones); n if there is none. */
static size_t first_lane(pto_mask m, size_t n, u64 flip) {
    const struct pto_kernels *k = pto_active_kernels();
    u64 bits[BLOCK_WORDS];
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        size_t lanes = min_size(n - i, BLOCK_LANES);
        block_load(k, m, i, bits, lanes);
        for (size_t w = 0; w < block_words(lanes); ++w) {
            u64 found = bits[w] ^ flip;
            /* below the lowest one there are as many ones in found-1 as places; spare bits lie beyond n */
            if (found != 0) return min_size(n, i + w * 64 + ones(~found & (found - 1)));
        }
    }
    return n;
}

pto_status pto_mask_count(pto_mask m, size_t n, size_t *out) {
    pto_status status = question_status(m, n, out);
    if (status == PTO_OK) *out = count_lanes(m, n);
    return status;
}

pto_status pto_mask_any(pto_mask m, size_t n, bool *out) {
    pto_status status = question_status(m, n, out);
    if (status == PTO_OK) *out = first_lane(m, n, 0) < n;
    return status;
}

pto_status pto_mask_all(pto_mask m, size_t n, bool *out) {
    pto_status status = question_status(m, n, out);
    if (status == PTO_OK) *out = first_lane(m, n, ~(u64)0) == n;
    return status;
}

pto_status pto_mask_none(pto_mask m, size_t n, bool *out) {
    pto_status status = question_status(m, n, out);
    if (status == PTO_OK) *out = first_lane(m, n, 0) == n;
    return status;
}

pto_status pto_mask_first(pto_mask m, size_t n, size_t *out) {
    pto_status status = question_status(m, n, out);
    if (status == PTO_OK) *out = first_lane(m, n, 0);
    return status;
}
