/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of the kernels that work on the codes of floats. */
#include "core/codes.h"
#include "core/maxmin.h"

/* ---- classes ---- */

static ALWAYS_INLINE void classify(const struct code_class *c, const u8 *src, u8 *bits, size_t n,
                                   size_t bytes) {
    const u64 all = low_bits(8 * bytes);
    for (size_t i = 0; i < n; ++i) {
        const u64 x = load_bytes(src + i * bytes, bytes);
        const bool within = (((x & c->mask) - c->first) & all) < (c->count & all);
        const bool is_zero = c->zero != 0 && (x & c->zero) == 0;
        if (i % 8 == 0) bits[i / 8] = 0;
        bits[i / 8] |= (u8)((within || is_zero) << i % 8);
    }
}

static void classify_8(const struct code_class *c, const void *src, void *bits, size_t n) {
    classify(c, src, bits, n, 1);
}

static void classify_16(const struct code_class *c, const void *src, void *bits, size_t n) {
    classify(c, src, bits, n, 2);
}

static void classify_32(const struct code_class *c, const void *src, void *bits, size_t n) {
    classify(c, src, bits, n, 4);
}

static void classify_64(const struct code_class *c, const void *src, void *bits, size_t n) {
    classify(c, src, bits, n, 8);
}

const struct classify_table pto_classify_scalar = {{classify_8, classify_16, classify_32, classify_64}};

/* ---- small floats ---- */

static bool is_nan(const struct small_float *f, u8 x) {
    const int key = (x ^ f->nan_flip) & f->nan_mask;
    return f->bits == 8 && key < 0x80 && key > f->largest;
}

/* Returns the code as an integer with the order of the values. -0 is 0 or, if `zeros_differ` is set, below it. */
static int place_of(const struct small_float *f, u8 x, bool zeros_differ) {
    const int sign = 1 << (f->bits - 1), magnitude = x & (sign - 1);
    return (x & sign) == 0 ? magnitude : -magnitude - zeros_differ;
}

static unsigned outcome_of(const struct small_float *f, u8 x, u8 y) {
    const int p = place_of(f, x, false), q = place_of(f, y, false);
    if (is_nan(f, x) || is_nan(f, y)) return OUTCOME_UNORDERED;
    return p < q ? OUTCOME_LESS : p == q ? OUTCOME_EQUAL : OUTCOME_GREATER;
}

static u8 extreme_of(const struct small_float *f, unsigned what, u8 x, u8 y) {
    const bool no_x = is_nan(f, x), no_y = is_nan(f, y), is_max = (what & MAXMIN_OPS) == MAXMIN_MAX;
    const u8 code_mask = f->bits == 8 ? 0xff : 0x3f;
    if ((what & PTO_PROPAGATE_NAN) != 0 ? no_x || no_y : no_x && no_y) return f->nan;
    if (no_x || no_y) return no_x ? y : x;
    return ((place_of(f, x, true) > place_of(f, y, true)) == is_max ? x : y) & code_mask;
}

void pto_small_compare_scalar(const struct small_float *f, unsigned outcomes, bool scalar, const void *a,
                              const void *b, void *truth, size_t n) {
    const u8 *const x = a, *const y = b, first = *y;
    u8 *const out = truth;
    for (size_t i = 0; i < n; ++i) out[i] = (outcomes & outcome_of(f, x[i], scalar ? first : y[i])) != 0;
}

void pto_small_extreme_scalar(const struct small_float *f, unsigned what, bool scalar, const void *a,
                              const void *b, void *dst, size_t n) {
    const u8 *const x = a, *const y = b, first = *y;
    u8 *const out = dst;
    for (size_t i = 0; i < n; ++i) out[i] = extreme_of(f, what, x[i], scalar ? first : y[i]);
}
