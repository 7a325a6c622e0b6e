/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference implementation of pto_cast(): one element at a time, with integer arithmetic only. A source is
 * decoded to sign * m * 2^e, rounded once at the destination's last significand bit, and encoded.
 */
#include "core/cast.h"

#include "scalar/hif8.h"

static struct exact_value decode(pto_dtype src, u64 bits, unsigned width) {
    if (cast_is_integer(src)) return from_integer(cast_is_signed(src), bits, width);
    switch (src) {
    case PTO_HIF8: return from_hif8(bits);
    case PTO_UE8M0: return from_ue8m0(bits);
    case PTO_S2F6: return from_s2f6(bits);
    default: return from_float(cvt_format_of(src), bits >> cast_unused_below(src));
    }
}

/* Returns x rounded to an integer multiple of 2^-6, as an integer of 8 bits. */
static u64 to_s2f6(const struct exact_value *x, pto_round round, u64 random) {
    struct exact_value units = *x;
    units.e += 6;
    return clamped_integer(&units, round, true, 8, random, CAST_RANDOM_BITS);
}

/* Returns the code of a finite x without sign, or ~0 if x is too large. */
static u64 magnitude_code(pto_dtype dst, const struct exact_value *x, pto_round round, u64 random) {
    const struct cvt_format f = cvt_format_of(dst);
    u64 code;
    switch (dst) {
    case PTO_HIF8:
        code = hif8_magnitude(x, round, random, CAST_RANDOM_BITS);
        return code == HIF8_INFINITY ? ~(u64)0 : code;
    case PTO_UE8M0:
        code = ue8m0_magnitude(x, round, random, CAST_RANDOM_BITS);
        return code >= UE8M0_NAN ? ~(u64)0 : code;
    default:
        code = rounded_code(f, x, round, random, CAST_RANDOM_BITS);
        return code > cvt_max_code(f) ? ~(u64)0 : code << cast_unused_below(dst);
    }
}

/* Adds the sign to a code without sign. The NaN that stands for an infinity is positive, and so is zero in formats that
 * have only one. */
static u64 with_sign(pto_dtype dst, u64 code, bool negative) {
    const struct cvt_format f = cvt_format_of(dst);
    const bool has_one_zero = dst == PTO_HIF8 || cvt_has_one_zero(f);
    const bool is_nan = code == cast_nan(dst) && f.specials != SPECIALS_NONE;
    if (!negative || is_nan || (code == 0 && has_one_zero)) return code;
    return code | cast_sign(dst);
}

static u64 to_float(pto_cast_op op, const struct exact_value *x, u64 random) {
    u64 code;
    if (x->kind == FINITE) {
        code = magnitude_code(op.dst, x, op.round, random);
        if (code == ~(u64)0) code = cast_overflow(op, x->negative);
    } else {
        code = op.overflow == PTO_OVERFLOW_SATURATE ? cast_largest(op.dst) : cast_infinity(op.dst);
    }
    return with_sign(op.dst, code, x->negative);
}

static u64 convert(pto_cast_op op, unsigned src_bits, unsigned dst_bits, u64 bits, u64 random) {
    struct exact_value x = decode(op.src, bits, src_bits);
    if (x.kind == NOT_A_NUMBER) return cast_nan(op.dst);
    if (cast_is_integer(op.dst))
        return clamped_integer(&x, op.round, cast_is_signed(op.dst), dst_bits, random, CAST_RANDOM_BITS);
    if (op.dst == PTO_S2F6) return to_s2f6(&x, op.round, random);
    if (cast_has_no_sign(op.dst)) x.negative = false;
    return to_float(op, &x, random);
}

/* Elements that share a byte are stored together, because in place they overwrite sources of each other. */
void pto_cast_scalar(const pto_cast_op *form, const void *src, void *dst, const void *random, size_t n) {
    const pto_cast_op op = *form;
    const unsigned src_bits = pto_dtypes[op.src].bits, dst_bits = pto_dtypes[op.dst].bits;
    const size_t group = dst_bits < 8 ? 8 / dst_bits : 1, bytes = dst_bits < 8 ? 1 : dst_bits / 8;
    u8 *to = dst;
    for (size_t i = 0; i < n; i += group, to += bytes) {
        u64 together = 0;
        for (size_t k = 0; k < min_size(group, n - i); ++k) {
            const u64 word = random != NULL ? load_bytes((const u8 *)random + 4 * (i + k), 4) : 0;
            const u64 x = load_element(src, i + k, src_bits);
            together |= convert(op, src_bits, dst_bits, x, word) << k * dst_bits;
        }
        store_bytes(to, together, bytes);
    }
}
