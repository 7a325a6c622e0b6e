/* SPDX-License-Identifier: MIT */
/* Logic on whole masks, and queries such as any, all and count. */
#include "pto/mask.h"

#include "core/block.h"
#include "dispatch/dispatch.h"

size_t pto_mask_bytes(pto_mask_kind kind, size_t n) {
    size_t bits = is_mask_kind(kind) ? mask_lane_bits(kind) : 0;
    return n / 8 * bits + (n % 8 * bits + 7) / 8;
}

static bool same_mask(pto_mask a, pto_mask b) {
    return a.data == b.data && a.kind == b.kind;
}

/* Sets dst to op(a, b, sel). a is complemented first if flip_a is all ones, and b if flip_b is. For an operand that the
 * operation does not use, callers pass `a` again, so that three operands can always be checked. */
static pto_status mask_logic(enum logic op, pto_mask a, u64 flip_a, pto_mask b, u64 flip_b, pto_mask sel,
                             pto_mask dst, size_t n) {
    const pto_mask src[3] = {a, b, sel};
    const struct pto_kernels *k;
    u64 in[3][BLOCK_WORDS], buffer[BLOCK_WORDS];

    for (size_t s = 0; n != 0 && s < 3; ++s)
        if (src[s].data == NULL) return PTO_ERR_NULL;
    if (n != 0 && dst.data == NULL) return PTO_ERR_NULL;
    for (size_t s = 0; s < 3; ++s)
        if (!is_mask_kind(src[s].kind)) return PTO_ERR_MASK;
    if (!is_mask_kind(dst.kind)) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    for (size_t s = 0; s < 3; ++s)
        if (!overlap_allowed(operand_mask(dst, n), operand_mask(src[s], n))) return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        const void *const first = block_bits(k, a, i, in[0], lanes), *bits[3] = {first, first, first};
        void *out = block_target(dst, i, buffer);
        for (size_t s = 1; s < 3; ++s)
            if (!same_mask(src[s], a)) bits[s] = block_bits(k, src[s], i, in[s], lanes);
        k->logic[op](bits[0], bits[1], bits[2], out, lanes, flip_a, flip_b);
        block_end(k, dst, i, out, lanes);
    }
    return PTO_OK;
}

pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_AND, a, 0, b, 0, a, dst, n);
}

pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_OR, a, 0, b, 0, a, dst, n);
}

pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_XOR, a, 0, b, 0, a, dst, n);
}

pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n) {
    const u64 complement = ~(u64)0;
    return mask_logic(LOGIC_AND, a, complement, a, complement, a, dst, n); /* (NOT a) AND (NOT a) */
}

pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_AND, a, 0, a, 0, a, dst, n);
}

pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n) {
    return mask_logic(LOGIC_SEL, a, 0, b, 0, sel, dst, n);
}

/* Checks the arguments of a query whose result takes `bytes` bytes at `out`. Queries write a result for n == 0, too. */
static pto_status query_status(pto_mask m, size_t n, const void *out, size_t bytes) {
    if (out == NULL || (n != 0 && m.data == NULL)) return PTO_ERR_NULL;
    if (!is_mask_kind(m.kind)) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    return disjoint(operand_array(out, 8, bytes), operand_mask(m, n)) ? PTO_OK : PTO_ERR_OVERLAP;
}

/* Returns the number of bits set. Branch-free and without POPCNT, which baseline x86-64 lacks. */
static size_t popcount(u64 x) {
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
        for (size_t w = 0; w < block_words(lanes); ++w) count += popcount(bits[w]);
    }
    return count;
}

/* Returns the first lane that is on (`flip` is 0) or off (`flip` is all ones), or n if there is none. */
static size_t first_lane(pto_mask m, size_t n, u64 flip) {
    const struct pto_kernels *k = pto_active_kernels();
    u64 bits[BLOCK_WORDS];
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        size_t lanes = min_size(n - i, BLOCK_LANES);
        block_load(k, m, i, bits, lanes);
        for (size_t w = 0; w < block_words(lanes); ++w) {
            u64 found = bits[w] ^ flip;
            /* ~found & (found - 1) has ones exactly below the lowest 1 of `found`. If flip is set, the unused bits
             * after lane n - 1 count as found, too; hence the minimum. */
            if (found != 0) return min_size(n, i + w * 64 + popcount(~found & (found - 1)));
        }
    }
    return n;
}

pto_status pto_mask_count(pto_mask m, size_t n, size_t *out) {
    pto_status status = query_status(m, n, out, sizeof *out);
    if (status == PTO_OK) *out = count_lanes(m, n);
    return status;
}

pto_status pto_mask_any(pto_mask m, size_t n, bool *out) {
    pto_status status = query_status(m, n, out, sizeof *out);
    if (status == PTO_OK) *out = first_lane(m, n, 0) < n;
    return status;
}

pto_status pto_mask_all(pto_mask m, size_t n, bool *out) {
    pto_status status = query_status(m, n, out, sizeof *out);
    if (status == PTO_OK) *out = first_lane(m, n, ~(u64)0) == n;
    return status;
}

pto_status pto_mask_none(pto_mask m, size_t n, bool *out) {
    pto_status status = query_status(m, n, out, sizeof *out);
    if (status == PTO_OK) *out = first_lane(m, n, 0) == n;
    return status;
}

pto_status pto_mask_first(pto_mask m, size_t n, size_t *out) {
    pto_status status = query_status(m, n, out, sizeof *out);
    if (status == PTO_OK) *out = first_lane(m, n, 0);
    return status;
}
