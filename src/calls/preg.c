/* SPDX-License-Identifier: MIT */
/* Operations on PTO's predicate registers of 256 bits. */
#include "pto/preg.h"

#include "core/check.h"

enum { REGISTER_BITS = 256, WORDS = REGISTER_BITS / 64, HALF_BITS = REGISTER_BITS / 2 };

static bool is_granularity(unsigned g) {
    return g == 8 || g == 16 || g == 32;
}

static size_t lane_count(unsigned g) {
    return REGISTER_BITS / (g / 8);
}

static bool bit(const pto_preg *p, size_t i) {
    return p->w[i / 64] >> i % 64 & 1;
}

static void set_bit(pto_preg *p, size_t i, bool on) {
    p->w[i / 64] |= (u64)on << i % 64;
}

static bool lane(const pto_preg *p, unsigned g, size_t i) {
    return bit(p, i * (g / 8));
}

static void set_lane(pto_preg *p, unsigned g, size_t i, bool on) {
    set_bit(p, i * (g / 8), on);
}

static struct operand register_operand(const pto_preg *p) {
    return operand_array(p, 8, sizeof *p);
}

/* Returns a register whose first n lanes are on. It is computed word by word, not lane by lane, because a program's
 * loop over vectors calls pto_plt() for every vector. */
static pto_preg first_lanes(unsigned g, size_t n) {
    const u64 lowest_of_lanes = ~(u64)0 / low_bits(g / 8);
    size_t bits = n * (g / 8);
    pto_preg p;
    for (size_t w = 0; w < WORDS; ++w) p.w[w] = bits > 64 * w ? low_bits(bits - 64 * w) & lowest_of_lanes : 0;
    return p;
}

static pto_preg every_nth_lane(unsigned g, size_t step) {
    pto_preg p = {{0}};
    for (size_t i = 0; i < lane_count(g); i += step) set_lane(&p, g, i, true);
    return p;
}

/* Returns the number of lanes of a VL pattern, and 0 for other patterns. */
static size_t vl_lanes(pto_pattern pattern) {
    switch (pattern) {
    case PTO_PAT_VL1: return 1;
    case PTO_PAT_VL2: return 2;
    case PTO_PAT_VL3: return 3;
    case PTO_PAT_VL4: return 4;
    case PTO_PAT_VL8: return 8;
    case PTO_PAT_VL16: return 16;
    case PTO_PAT_VL32: return 32;
    case PTO_PAT_VL64: return 64;
    case PTO_PAT_VL128: return 128;
    default: return 0;
    }
}

pto_status pto_pset(unsigned g, pto_pattern pattern, pto_preg *p) {
    size_t n, vl = vl_lanes(pattern);
    if (p == NULL) return PTO_ERR_NULL;
    if (!is_granularity(g)) return PTO_ERR_MASK;
    n = lane_count(g);
    switch (pattern) {
    case PTO_PAT_ALL: *p = first_lanes(g, n); return PTO_OK;
    case PTO_PAT_ALLF: *p = first_lanes(g, 0); return PTO_OK;
    case PTO_PAT_H: *p = first_lanes(g, n / 2); return PTO_OK;
    case PTO_PAT_Q: *p = first_lanes(g, n / 4); return PTO_OK;
    case PTO_PAT_M3: *p = every_nth_lane(g, 3); return PTO_OK;
    case PTO_PAT_M4: *p = every_nth_lane(g, 4); return PTO_OK;
    default: break;
    }
    if (vl == 0 || vl > n) return PTO_ERR_PATTERN;
    *p = first_lanes(g, vl);
    return PTO_OK;
}

pto_status pto_pge(unsigned g, pto_pattern pattern, pto_preg *p) {
    return pto_pset(g, pattern, p);
}

pto_status pto_plt(unsigned g, uint32_t *remaining, pto_preg *p) {
    size_t on;
    if (remaining == NULL || p == NULL) return PTO_ERR_NULL;
    if (!is_granularity(g)) return PTO_ERR_MASK;
    if (!disjoint(operand_array(remaining, 32, 1), register_operand(p))) return PTO_ERR_OVERLAP;
    on = min_size(*remaining, lane_count(g));
    *p = first_lanes(g, on);
    *remaining -= (uint32_t)on;
    return PTO_OK;
}

pto_status pto_pand(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p) {
    if (p == NULL) return PTO_ERR_NULL;
    for (size_t w = 0; w < WORDS; ++w) p->w[w] = (a.w[w] & b.w[w]) & governing.w[w];
    return PTO_OK;
}

pto_status pto_por(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p) {
    if (p == NULL) return PTO_ERR_NULL;
    for (size_t w = 0; w < WORDS; ++w) p->w[w] = (a.w[w] | b.w[w]) & governing.w[w];
    return PTO_OK;
}

pto_status pto_pxor(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p) {
    if (p == NULL) return PTO_ERR_NULL;
    for (size_t w = 0; w < WORDS; ++w) p->w[w] = (a.w[w] ^ b.w[w]) & governing.w[w];
    return PTO_OK;
}

pto_status pto_pnot(pto_preg a, pto_preg governing, pto_preg *p) {
    if (p == NULL) return PTO_ERR_NULL;
    for (size_t w = 0; w < WORDS; ++w) p->w[w] = ~a.w[w] & governing.w[w];
    return PTO_OK;
}

pto_status pto_psel(pto_preg a, pto_preg b, pto_preg sel, pto_preg *p) {
    if (p == NULL) return PTO_ERR_NULL;
    for (size_t w = 0; w < WORDS; ++w) p->w[w] = (a.w[w] & sel.w[w]) | (b.w[w] & ~sel.w[w]);
    return PTO_OK;
}

static bool is_half(pto_half half) {
    return half == PTO_LOWER || half == PTO_HIGHER;
}

static size_t half_base(pto_half half) {
    return half == PTO_HIGHER ? HALF_BITS : 0;
}

pto_status pto_ppack(pto_preg a, pto_half half, pto_preg *p) {
    pto_preg packed = {{0}};
    if (p == NULL) return PTO_ERR_NULL;
    if (!is_half(half)) return PTO_ERR_PATTERN;
    for (size_t i = 0; i < HALF_BITS; ++i) set_bit(&packed, half_base(half) + i, bit(&a, 2 * i));
    *p = packed;
    return PTO_OK;
}

pto_status pto_punpack(pto_preg a, pto_half half, pto_preg *p) {
    pto_preg unpacked = {{0}};
    if (p == NULL) return PTO_ERR_NULL;
    if (!is_half(half)) return PTO_ERR_PATTERN;
    for (size_t i = 0; i < HALF_BITS; ++i) set_bit(&unpacked, 2 * i, bit(&a, half_base(half) + i));
    *p = unpacked;
    return PTO_OK;
}

/* The argument checks of pintlv and pdintlv. */
static pto_status interleave_status(unsigned g, const pto_preg *lo, const pto_preg *hi) {
    if (lo == NULL || hi == NULL) return PTO_ERR_NULL;
    if (!is_granularity(g)) return PTO_ERR_MASK;
    return disjoint(register_operand(lo), register_operand(hi)) ? PTO_OK : PTO_ERR_OVERLAP;
}

/* Returns lane i of the 2 * lane_count(g) lanes of two registers. */
static bool lane_of_two(const pto_preg two[2], unsigned g, size_t i) {
    return lane(&two[i / lane_count(g)], g, i % lane_count(g));
}

pto_status pto_pintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi) {
    const pto_status status = interleave_status(g, lo, hi);
    pto_preg out[2] = {{{0}}, {{0}}};
    if (status != PTO_OK) return status;
    for (size_t i = 0, n = lane_count(g); i < 2 * n; ++i)
        set_lane(&out[i / n], g, i % n, lane(i % 2 == 0 ? &a : &b, g, i / 2));
    *lo = out[0];
    *hi = out[1];
    return PTO_OK;
}

pto_status pto_pdintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi) {
    const pto_status status = interleave_status(g, lo, hi);
    const pto_preg in[2] = {a, b};
    pto_preg out[2] = {{{0}}, {{0}}};
    if (status != PTO_OK) return status;
    for (size_t i = 0, n = lane_count(g); i < 2 * n; ++i)
        set_lane(&out[i % 2], g, i / 2, lane_of_two(in, g, i));
    *lo = out[0];
    *hi = out[1];
    return PTO_OK;
}
