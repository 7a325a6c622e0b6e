/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of max, min, clamp and relu: one lane at a time, from the bits of the
 * operands. */
#include "core/maxmin.h"
#include "scalar/relation.h"

struct number_kind {
    size_t bytes;
    bool is_float, is_signed; /* is_signed is used for integers, format for floats */
    struct float_format format;
};

/* Returns the result if it is to be a NaN; y is the second operand. For f64 without PTO_PROPAGATE_NAN both are NaNs,
 * and the result is y made quiet. Otherwise it is the canonical NaN. The exponent bits of a NaN are all set, so
 * y | infinity >> 1 sets only the quiet bit. */
static u64 nan_result(struct float_format f, unsigned flags, u64 y) {
    return f.sign >> 63 != 0 && (flags & PTO_PROPAGATE_NAN) == 0 ? y | f.infinity >> 1 : f.sign - 1;
}

/* Returns the maximum or minimum of x and y, neither of which may be a NaN. Floats that compare equal either
 * are identical or are +0 and -0, and +0 counts as the greater one. */
static u64 of_numbers(const struct number_kind *t, bool max, u64 x, u64 y) {
    enum outcome r;
    if (t->is_float) {
        r = relate_float(x, y, t->format);
        if (r == OUTCOME_EQUAL) return max ? x & y : x | y;
    } else if (t->is_signed) {
        const unsigned unused = 64 - 8 * (unsigned)t->bytes;
        r = relate_signed((s64)(x << unused), (s64)(y << unused));
    } else {
        r = relate_unsigned(x, y);
    }
    return (r == OUTCOME_LESS) == max ? y : x;
}

static u64 of_floats(const struct number_kind *t, bool max, unsigned flags, u64 x, u64 y) {
    const struct float_format f = t->format;
    const u64 sign = (flags & PTO_XORSIGN_ABS) != 0 ? (x ^ y) & f.sign : 0;
    bool x_nan, y_nan;
    if ((flags & PTO_FTZ) != 0) {
        x = flush_subnormal(x, f);
        y = flush_subnormal(y, f);
    }
    if ((flags & PTO_XORSIGN_ABS) != 0) {
        x &= ~f.sign;
        y &= ~f.sign;
    }
    x_nan = (x & ~f.sign) > f.infinity;
    y_nan = (y & ~f.sign) > f.infinity;
    if ((x_nan && y_nan) || ((flags & PTO_PROPAGATE_NAN) != 0 && (x_nan || y_nan)))
        return nan_result(f, flags, y);
    if (x_nan || y_nan) return (x_nan ? y : x) | sign;
    return of_numbers(t, max, x, y) | sign;
}

static u64 extremum(const struct number_kind *t, bool max, unsigned flags, u64 x, u64 y) {
    return t->is_float ? of_floats(t, max, flags, x, y) : of_numbers(t, max, x, y);
}

static void maxmin_lanes(const struct number_kind *t, unsigned what, const struct sources *c, void *dst,
                         size_t n) {
    const unsigned op = what & MAXMIN_OPS, flags = what - op;
    const size_t operands = maxmin_operands(what);
    for (size_t i = 0; i < n; ++i) {
        u64 in[MAXMIN_OPERANDS] = {0}, result; /* relu has one operand: in[1] stays +0 */
        for (size_t k = 0; k < operands; ++k)
            in[k] = load_bytes((const u8 *)c->in[k] + (is_scalar(c, k) ? 0 : i * t->bytes), t->bytes);
        result = extremum(t, op != MAXMIN_MIN, flags, in[0], in[1]);
        if (op == MAXMIN_CLAMP) result = extremum(t, false, flags, result, in[2]);
        store_bytes((u8 *)dst + i * t->bytes, result, t->bytes);
    }
}

static void maxmin_integers(size_t bytes, bool is_signed, unsigned what, const struct sources *c, void *dst,
                            size_t n) {
    const struct number_kind t = {bytes, false, is_signed, {0, 0, 0}};
    maxmin_lanes(&t, what, c, dst, n);
}

static void maxmin_floats(unsigned bits, unsigned fraction_bits, unsigned what, const struct sources *c,
                          void *dst, size_t n) {
    const struct number_kind t = {bits / 8, true, true, format_of(bits, fraction_bits)};
    maxmin_lanes(&t, what, c, dst, n);
}

#define INTEGERS(lane, bytes, is_signed)                                                                     \
    static void maxmin_##lane(unsigned what, const struct sources *c, void *dst, size_t n) {                 \
        maxmin_integers(bytes, is_signed, what, c, dst, n);                                                  \
    }
INTEGERS(u8, 1, false)
INTEGERS(u16, 2, false)
INTEGERS(u32, 4, false)
INTEGERS(u64, 8, false)
INTEGERS(s8, 1, true)
INTEGERS(s16, 2, true)
INTEGERS(s32, 4, true)
INTEGERS(s64, 8, true)
#undef INTEGERS

#define FLOATS(lane, bits, fraction_bits)                                                                    \
    static void maxmin_##lane(unsigned what, const struct sources *c, void *dst, size_t n) {                 \
        maxmin_floats(bits, fraction_bits, what, c, dst, n);                                                 \
    }
FLOATS(f16, 16, 10)
FLOATS(bf16, 16, 7)
FLOATS(f32, 32, 23)
FLOATS(f64, 64, 52)
#undef FLOATS

#define NAME(lane) maxmin_##lane
const struct maxmin_table pto_maxmin_scalar = {
#include "core/maxmin_rows.h"
};
/* The same kernels serve all three tables, because each computes every operation of its lane type. */
const struct maxmin_table pto_clamp_scalar = {
#include "core/maxmin_rows.h" /* NOLINT(readability-duplicate-include) */
};
const struct maxmin_table pto_relu_scalar = {
#include "core/maxmin_rows.h" /* NOLINT(readability-duplicate-include) */
};
