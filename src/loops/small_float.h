/* SPDX-License-Identifier: MIT */
/*
 * Comparison, maximum and minimum of floats of 8 bits and less, in the compilers' vector types. The including file
 * defines ISA and VBYTES. The types differ only in constants, except that those of 6 bits have no NaNs.
 */
#ifndef PTO_LOOPS_SMALL_FLOAT_H
#define PTO_LOOPS_SMALL_FLOAT_H

#include "core/codes.h"
#include "core/maxmin.h"

#define NAME(name) CAT3(name, _, ISA)

typedef s8 codes __attribute__((vector_size(VBYTES)));
typedef u16 code_pairs __attribute__((vector_size(VBYTES)));

/* What a loop needs besides the codes. */
struct small_loop {
    codes nan_flip, nan_mask, largest, nan;
    /* For comparisons: the result if x < y, what is XORed with it if x == y or x > y, and the result for NaNs. */
    codes less, equal, greater, unordered;
    codes reverse; /* for a minimum all ones, which reverse the order of keys; otherwise 0 */
};

/* Codes of 6 bits without NaNs, or codes of 8 bits whose NaNs lose or win against every other code. Comparisons do not
 * distinguish the latter two. */
enum small_kind { SIX_BITS, NANS_LOSE, NANS_WIN };

/* Computes a vector of results from vectors of codes. */
typedef codes small_fn(enum small_kind kind, const struct small_loop *k, codes x, codes y);

static ALWAYS_INLINE codes every(unsigned code) {
    return (codes){0} + (s8)code;
}

static ALWAYS_INLINE codes where(codes truth, codes x, codes y) {
    return y ^ ((x ^ y) & truth);
}

static ALWAYS_INLINE codes small_load(const u8 *p, size_t bytes) {
    codes x = {0};
    memcpy(&x, p, bytes);
    return x;
}

static ALWAYS_INLINE codes is_nan(const struct small_loop *k, codes x) {
    return (codes)(((x ^ k->nan_flip) & k->nan_mask) > k->largest);
}

/* Returns codes of 6 bits as codes of 8, with two zeros at the end. */
static ALWAYS_INLINE codes widened(enum small_kind kind, codes x) {
    if (kind != SIX_BITS) return x;
    x += x;
    return x + x;
}

/* Returns keys that are ordered like the values: both zeros are 0. */
static ALWAYS_INLINE codes value_keys(codes x) {
    const codes negative = (codes)(x < 0);
    return ((x & 0x7f) ^ negative) - negative;
}

/* Returns keys that are ordered like the values, with -0 below +0. It converts these keys to codes again, too. */
static ALWAYS_INLINE codes order_keys(codes x) {
    return x ^ ((codes)(x < 0) & 0x7f);
}

static ALWAYS_INLINE codes small_truth(enum small_kind kind, const struct small_loop *k, codes x, codes y) {
    const codes p = value_keys(widened(kind, x)), q = value_keys(widened(kind, y));
    const codes truth = k->less ^ ((codes)(p == q) & k->equal) ^ ((codes)(p > q) & k->greater);
    return kind == SIX_BITS ? truth : where(is_nan(k, x) | is_nan(k, y), k->unordered, truth);
}

/* NaNs that do not propagate get the lowest key, and so lose. */
static ALWAYS_INLINE codes small_extreme(enum small_kind kind, const struct small_loop *k, codes x, codes y) {
    const codes no_x = is_nan(k, x), no_y = is_nan(k, y);
    codes p = order_keys(widened(kind, x)) ^ k->reverse, q = order_keys(widened(kind, y)) ^ k->reverse, r;
    if (kind == NANS_LOSE) {
        p = where(no_x, every(0x80), p);
        q = where(no_y, every(0x80), q);
    }
    r = order_keys(where((codes)(p > q), p, q) ^ k->reverse);
    if (kind == SIX_BITS) return (codes)((code_pairs)r >> 2) & 0x3f;
    return where(kind == NANS_WIN ? no_x | no_y : no_x & no_y, k->nan, r);
}

static ALWAYS_INLINE void small_walk(small_fn *compute, enum small_kind kind, bool scalar,
                                     const struct small_loop *k, const u8 *a, const u8 *b, u8 *dst,
                                     size_t n) {
    const codes s = scalar ? every(*b) : (codes){0};
    codes r;
    for (; n >= VBYTES; n -= VBYTES) {
        r = compute(kind, k, small_load(a, VBYTES), scalar ? s : small_load(b, VBYTES));
        memcpy(dst, &r, VBYTES);
        a += VBYTES;
        b += scalar ? 0 : VBYTES;
        dst += VBYTES;
    }
    if (n == 0) return;
    r = compute(kind, k, small_load(a, n), scalar ? s : small_load(b, n));
    memcpy(dst, &r, n);
}

static ALWAYS_INLINE void small_lanes(small_fn *compute, enum small_kind kind, bool scalar,
                                      const struct small_loop *k, const void *a, const void *b, void *dst,
                                      size_t n) {
    if (scalar)
        small_walk(compute, kind, true, k, a, b, dst, n);
    else
        small_walk(compute, kind, false, k, a, b, dst, n);
}

static ALWAYS_INLINE struct small_loop small_constants(const struct small_float *f) {
    return (struct small_loop){.nan_flip = every(f->nan_flip),
                               .nan_mask = every(f->nan_mask),
                               .largest = every((u8)f->largest),
                               .nan = every(f->nan)};
}

void NAME(pto_small_compare)(const struct small_float *f, unsigned outcomes, bool scalar, const void *a,
                             const void *b, void *truth, size_t n) {
    struct small_loop k = small_constants(f);
    const unsigned less = outcomes & OUTCOME_LESS;
    k.less = every(less);
    k.equal = every((outcomes & OUTCOME_EQUAL) / OUTCOME_EQUAL ^ less);
    k.greater = every((outcomes & OUTCOME_GREATER) / OUTCOME_GREATER ^ less);
    k.unordered = every((outcomes & OUTCOME_UNORDERED) / OUTCOME_UNORDERED);
    if (f->bits == 8)
        small_lanes(small_truth, NANS_LOSE, scalar, &k, a, b, truth, n);
    else
        small_lanes(small_truth, SIX_BITS, scalar, &k, a, b, truth, n);
}

void NAME(pto_small_extreme)(const struct small_float *f, unsigned what, bool scalar, const void *a,
                             const void *b, void *dst, size_t n) {
    struct small_loop k = small_constants(f);
    k.reverse = every((what & MAXMIN_OPS) == MAXMIN_MIN ? 0xff : 0);
    if (f->bits != 8)
        small_lanes(small_extreme, SIX_BITS, scalar, &k, a, b, dst, n);
    else if ((what & PTO_PROPAGATE_NAN) == 0)
        small_lanes(small_extreme, NANS_LOSE, scalar, &k, a, b, dst, n);
    else
        small_lanes(small_extreme, NANS_WIN, scalar, &k, a, b, dst, n);
}

#undef NAME
#endif
