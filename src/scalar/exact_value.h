/* SPDX-License-Identifier: MIT */
/*
 * Exact values and their rounding, for the scalar reference implementations of conversions and block scaling. A
 * value is sign * m * 2^e and is rounded once, at the destination's last significand bit.
 */
#ifndef PTO_SCALAR_EXACT_VALUE_H
#define PTO_SCALAR_EXACT_VALUE_H

#include "core/formats.h"

enum kind { FINITE, INFINITE, NOT_A_NUMBER };

struct exact_value {
    enum kind kind;
    bool negative;
    u64 m; /* |x| = m * 2^e */
    int e;
};

/* ---- reading ---- */

static inline struct exact_value from_integer(bool is_signed, u64 bits, unsigned width) {
    struct exact_value x = {FINITE, false, bits, 0};
    if (is_signed && (bits >> (width - 1)) != 0) {
        x.negative = true;
        x.m = (~bits + 1) & low_bits(width);
    }
    return x;
}

static inline struct exact_value from_float(struct cvt_format f, u64 code) {
    const u64 magnitude = code & low_bits((size_t)f.exponent_bits + f.fraction_bits);
    const int exponent = (int)(magnitude >> f.fraction_bits);
    struct exact_value x = {FINITE, (code >> (f.exponent_bits + f.fraction_bits) & 1) != 0, 0, 0};
    if (cvt_has_one_zero(f) && code == cvt_canonical_nan(f)) x.kind = NOT_A_NUMBER;
    if (magnitude > cvt_max_code(f))
        x.kind = cvt_has_infinity(f) && magnitude == cvt_inf_code(f) ? INFINITE : NOT_A_NUMBER;
    x.m = magnitude & low_bits(f.fraction_bits);
    if (exponent != 0) x.m |= (u64)1 << f.fraction_bits;
    x.e = (exponent != 0 ? exponent : 1) - f.bias - f.fraction_bits;
    return x;
}

static inline struct exact_value from_ue8m0(u64 code) {
    struct exact_value x = {code == UE8M0_NAN ? NOT_A_NUMBER : FINITE, false, 1, (int)code - UE8M0_BIAS};
    return x;
}

static inline struct exact_value from_s2f6(u64 code) {
    struct exact_value x = from_integer(true, code, 8);
    x.e = -6;
    return x;
}

/* ---- rounding ---- */

/* Returns floor(log2(m)). m must not be 0. */
static inline int floor_log2(u64 m) {
#if defined(__GNUC__)
    return 63 - __builtin_clzll(m);
#else
    int t = 0;
    while (m >>= 1) ++t;
    return t;
#endif
}

static inline u64 shift_right(u64 m, int by) {
    return by < 64 ? m >> by : 0;
}

/* Returns the top k bits of `rest`, which has sh bits. */
static inline u64 leading_bits(u64 rest, int sh, int k) {
    return sh >= k ? shift_right(rest, sh - k) : rest << (k - sh);
}

/* Returns whether keep * 2^sh + rest, where sh > 0, is rounded up to the next multiple of 2^sh. Only the parity of
 * `keep` matters. For .rs, r holds k random bits. */
static inline bool rounds_up(pto_round round, bool negative, u64 keep, u64 rest, int sh, u64 r, int k) {
    const u64 half = sh <= 64 ? (u64)1 << (sh - 1) : 0; /* 0 stands for a value above any rest */
    const bool above = half != 0 && rest > half, tie = half != 0 && rest == half;
    switch (round) {
    case PTO_ROUND_NONE:
    case PTO_RN:
    case PTO_RNI: return above || (tie && (keep & 1) != 0);
    case PTO_RNA: return above || tie;
    case PTO_RM:
    case PTO_RMI: return negative && rest != 0;
    case PTO_RP:
    case PTO_RPI: return !negative && rest != 0;
    case PTO_RO: return rest != 0 && (keep & 1) == 0;
    case PTO_RS: return (leading_bits(rest, sh, k) + r) >> k != 0;
    case PTO_RZ:
    case PTO_RZI: break;
    }
    return false;
}

/* Returns |x| / 2^q rounded to an integer; |x| is rounded only once. r and k are the random bits of .rs, as for
 * rounds_up(). `flip` is 1 if the codes of odd integers are even and vice versa, otherwise 0. */
static inline u64 round_by_code(const struct exact_value *x, int q, u64 flip, pto_round round, u64 r, int k) {
    const int sh = q - x->e;
    u64 keep;
    if (sh <= 0) return x->m << -sh;
    keep = shift_right(x->m, sh);
    return keep + rounds_up(round, x->negative, keep ^ flip, x->m - (sh < 64 ? keep << sh : 0), sh, r, k);
}

static inline u64 round_to_multiple(const struct exact_value *x, int q, pto_round round, u64 r, int k) {
    return round_by_code(x, q, 0, round, r, k);
}

/* ---- floating point ---- */

/* Returns the code, without sign, of c * 2^q, which must need no rounding in format f. If the exponent does
 * not fit in its field, returns ~0. */
static inline u64 encode(struct cvt_format f, u64 c, int q) {
    u64 exponent;
    if (c >> f.fraction_bits == 0) return c; /* zero or subnormal, where q is the format's lowest */
    if (c >> f.fraction_bits == 2) {
        c >>= 1;
        q += 1;
    }
    exponent = (u64)q + f.fraction_bits + (u64)f.bias; /* at least 1 */
    if (exponent >> f.exponent_bits != 0) return ~(u64)0;
    return (exponent << f.fraction_bits) + (c - ((u64)1 << f.fraction_bits));
}

/* Returns the code, without sign, of a finite x rounded to the format's precision, with an exponent that is
 * unbounded above. A result that is too large gives a code above cvt_max_code(f). */
static inline u64 rounded_code(struct cvt_format f, const struct exact_value *x, pto_round round, u64 r,
                               int k) {
    int q;
    if (x->m == 0) return 0;
    q = floor_log2(x->m) + x->e;
    if (q < 1 - f.bias) q = 1 - f.bias;
    q -= f.fraction_bits;
    return encode(f, round_to_multiple(x, q, round, r, k), q);
}

/* Returns x rounded to an integral value. If rounding changes x, the format from which x was decoded can
 * represent the result exactly. */
static inline struct exact_value integral(const struct exact_value *x, pto_round round) {
    struct exact_value whole = *x;
    if (x->kind != FINITE || x->e >= 0) return whole;
    whole.m = round_to_multiple(x, 0, round, 0, 0);
    whole.e = 0;
    return whole;
}

/* ---- ue8m0: only an exponent ---- */

/* Returns the code of a finite |x|, which may be too large. There is no zero: magnitudes below the smallest become the
 * smallest. */
static inline u64 ue8m0_magnitude(const struct exact_value *x, pto_round round, u64 r, int k) {
    int exponent;
    u64 code;
    if (x->m == 0) return 0;
    exponent = floor_log2(x->m) + x->e;
    if (exponent < -UE8M0_BIAS) return 0;
    code = (u64)exponent + UE8M0_BIAS;
    return code + round_by_code(x, exponent, ~code & 1, round, r, k) - 1;
}

/* ---- integers ---- */

/* Returns the two's complement of `width` bits of a value with this magnitude and sign. */
static inline u64 signed_integer(u64 magnitude, bool negative, unsigned width) {
    return (negative ? ~magnitude + 1 : magnitude) & low_bits(width);
}

/* Returns x, which must not be a NaN, rounded and clamped to the range of an integer of `width` bits. r and k
 * are the random bits of .rs, as for rounds_up(). */
static inline u64 clamped_integer(const struct exact_value *x, pto_round round, bool is_signed,
                                  unsigned width, u64 r, int k) {
    const u64 most = is_signed ? low_bits(width - 1) : low_bits(width);
    const u64 most_negative = is_signed ? (u64)1 << (width - 1) : 0;
    const u64 limit = x->negative ? most_negative : most;
    u64 c = 0;
    if (x->kind == INFINITE || (x->m != 0 && floor_log2(x->m) + x->e >= 64))
        c = limit;
    else if (x->m != 0)
        c = round_to_multiple(x, 0, round, r, k);
    return signed_integer(c < limit ? c : limit, x->negative, width);
}

/* ---- elements in memory ---- */

static inline u64 load_element(const u8 *p, size_t i, unsigned bits) {
    if (bits < 8) return p[i * bits / 8] >> i * bits % 8 & low_bits(bits);
    return load_bytes(p + i * (bits / 8), bits / 8);
}

/* Elements must be stored in order, because storing the first element of a byte clears the others. */
static inline void store_element(u8 *p, size_t i, unsigned bits, u64 x) {
    if (bits < 8)
        p[i * bits / 8] = (u8)(i * bits % 8 != 0 ? p[i * bits / 8] | x << i * bits % 8 : x);
    else
        store_bytes(p + i * (bits / 8), x, bits / 8);
}

#endif
