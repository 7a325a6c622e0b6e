/* SPDX-License-Identifier: MIT */
#include "pto/mask.h"

#include "block.h"
#include "check.h"
#include "dispatch.h"

size_t pto_mask_bytes(pto_mask_kind kind, size_t n) {
    size_t bits = mask_lane_bits(kind);
    return n / 8 * bits + (n % 8 * bits + 7) / 8;
}

/* One step of mask logic over the words of a block: d may be a, b or s. */
typedef void logic_fn(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words);

static void logic_and(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words) {
    (void)s;
    for (size_t w = 0; w < words; ++w) d[w] = a[w] & b[w];
}

static void logic_or(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words) {
    (void)s;
    for (size_t w = 0; w < words; ++w) d[w] = a[w] | b[w];
}

static void logic_xor(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words) {
    (void)s;
    for (size_t w = 0; w < words; ++w) d[w] = a[w] ^ b[w];
}

static void logic_not(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words) {
    (void)b;
    (void)s;
    for (size_t w = 0; w < words; ++w) d[w] = ~a[w];
}

static void logic_mov(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words) {
    (void)b;
    (void)s;
    for (size_t w = 0; w < words; ++w) d[w] = a[w];
}

static void logic_sel(const u64 *a, const u64 *b, const u64 *s, u64 *d, size_t words) {
    for (size_t w = 0; w < words; ++w) d[w] = (a[w] & s[w]) | (b[w] & ~s[w]);
}

static void load_at(const struct pto_kernels *k, pto_mask m, size_t i, u64 *bits, size_t lanes) {
    const u8 *p = m.data;
    block_load(k->mask_load[m.kind], p + block_bytes(i, mask_lane_bits(m.kind)), bits, lanes);
}

static void store_at(const struct pto_kernels *k, pto_mask m, size_t i, const u64 *bits, size_t lanes) {
    u8 *p = m.data;
    k->mask_store[m.kind](bits, p + block_bytes(i, mask_lane_bits(m.kind)), lanes);
}

/* dst = op(src[0], src[1], src[2]) of which the first `sources` are given. */
static pto_status mask_logic(logic_fn *op, const pto_mask *src, size_t sources, pto_mask dst, size_t n) {
    const struct pto_kernels *k = pto_active_kernels();
    u64 in[3][BLOCK_WORDS], out[BLOCK_WORDS];

    for (size_t s = 0; n != 0 && s < sources; ++s)
        if (src[s].data == NULL) return PTO_ERR_NULL;
    if (n != 0 && dst.data == NULL) return PTO_ERR_NULL;
    for (size_t s = 0; s < sources; ++s)
        if (mask_lane_bits(src[s].kind) == 0) return PTO_ERR_MASK;
    if (mask_lane_bits(dst.kind) == 0) return PTO_ERR_MASK;
    for (size_t s = 0; n != 0 && s < sources; ++s)
        if (!apart(operand_mask(dst, n), operand_mask(src[s], n))) return PTO_ERR_OVERLAP;

    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        size_t lanes = min_size(n - i, BLOCK_LANES), words = block_words(lanes);
        for (size_t s = 0; s < sources; ++s) load_at(k, src[s], i, in[s], lanes);
        op(in[0], in[1], in[2], out, words);
        out[words - 1] &= low_bits(lanes - (words - 1) * 64);
        store_at(k, dst, i, out, lanes);
    }
    return PTO_OK;
}

pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    pto_mask src[] = {a, b};
    return mask_logic(logic_and, src, 2, dst, n);
}

pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    pto_mask src[] = {a, b};
    return mask_logic(logic_or, src, 2, dst, n);
}

pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n) {
    pto_mask src[] = {a, b};
    return mask_logic(logic_xor, src, 2, dst, n);
}

pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n) {
    return mask_logic(logic_not, &a, 1, dst, n);
}

pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n) {
    return mask_logic(logic_mov, &a, 1, dst, n);
}

pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n) {
    pto_mask src[] = {a, b, sel};
    return mask_logic(logic_sel, src, 3, dst, n);
}

static pto_status question_status(pto_mask m, size_t n, const void *out) {
    if (out == NULL || (n != 0 && m.data == NULL)) return PTO_ERR_NULL;
    return mask_lane_bits(m.kind) == 0 ? PTO_ERR_MASK : PTO_OK;
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
        load_at(k, m, i, bits, lanes);
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
        load_at(k, m, i, bits, lanes);
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
