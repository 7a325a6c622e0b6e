/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference implementation of PTO's vcvt and vtrc: one element at a time, with integer arithmetic
 * only. It shares exact_value.h with cvt. It differs from cvt in overflow, NaNs, and integers that do not
 * fit.
 */
#include "core/vcvt.h"

#include "scalar/hif8.h"

static u64 to_hif8(const struct exact_value *x, bool sat) {
    u64 code = hif8_magnitude(x, PTO_RNA, 0, 0);
    if (sat && code == HIF8_INFINITY) code = HIF8_LARGEST;
    return code != 0 ? code | (u64)x->negative << 7 : 0; /* there is no -0 */
}

/* ---- writing ---- */

static pto_round rounding_of(pto_vrnd rnd) {
    switch (rnd) {
    case PTO_VRND_A: return PTO_RNA;
    case PTO_VRND_F: return PTO_RM;
    case PTO_VRND_C: return PTO_RP;
    case PTO_VRND_Z: return PTO_RZ;
    case PTO_VRND_O: return PTO_RO;
    default: return PTO_RN;
    }
}

/* Converts x to a float. The result overflows if it is too large after rounding with an unbounded exponent,
 * whatever the rounding mode. */
static u64 to_float(pto_vcvt_op op, const struct exact_value *x) {
    const struct cvt_format f = cvt_format_of(op.dst);
    const bool stays_finite = op.sat || f.specials == SPECIALS_NONE;
    const u64 largest = cvt_max_code(f), beyond = stays_finite ? largest : largest + 1;
    u64 code = beyond;
    if (x->kind == NOT_A_NUMBER) return stays_finite ? 0 : vcvt_nan(op.dst);
    if (op.dst == PTO_HIF8) return to_hif8(x, op.sat);
    if (x->kind == FINITE) code = rounded_code(f, x, rounding_of(op.rnd), 0, 0);
    if (code > largest) code = beyond;
    if (code > largest && f.specials == SPECIALS_NAN) return vcvt_nan(op.dst);
    return code | (u64)x->negative << (f.exponent_bits + f.fraction_bits);
}

/* Returns the low `width` bits of x rounded to an integer. If |x| is at least 2^64, it has no fraction bits,
 * so it is only shifted. */
static u64 low_integer(const struct exact_value *x, pto_round round, unsigned width) {
    u64 c = 0;
    if (x->m != 0 && floor_log2(x->m) + x->e < 64)
        c = round_to_multiple(x, 0, round, 0, 0);
    else if (x->m != 0 && x->e < 64)
        c = x->m << x->e;
    return signed_integer(c, x->negative, width);
}

/* Converts x to an integer of `width` bits. Infinities are clamped even if the conversion does not
 * saturate. */
static u64 to_integer(pto_vcvt_op op, const struct exact_value *x, unsigned width) {
    const pto_round round = rounding_of(op.rnd);
    if (x->kind == NOT_A_NUMBER) return 0;
    if (vcvt_saturates(op) || x->kind == INFINITE)
        return clamped_integer(x, round, cvt_is_signed(op.dst), width, 0, 0);
    return low_integer(x, round, width);
}

/* ---- one element ---- */

static struct exact_value decode(pto_dtype src, u64 bits, unsigned width) {
    if (cvt_is_integer(src)) return from_integer(cvt_is_signed(src), bits, width);
    return src == PTO_HIF8 ? from_hif8(bits) : from_float(cvt_format_of(src), bits);
}

static u64 convert(pto_vcvt_op op, unsigned src_bits, unsigned dst_bits, u64 bits) {
    const struct exact_value x = decode(op.src, bits, src_bits);
    return cvt_is_integer(op.dst) ? to_integer(op, &x, dst_bits) : to_float(op, &x);
}

/* Rounds to an integral value of the same type. A NaN becomes quiet and keeps its other bits: vcvt_nan() has
 * the exponent bits, which are set in every NaN, and the quiet bit. */
static u64 truncate(pto_vcvt_op op, u64 bits) {
    const struct cvt_format f = cvt_format_of(op.src);
    const struct exact_value x = from_float(f, bits);
    struct exact_value whole;
    if (x.kind == NOT_A_NUMBER) return bits | vcvt_nan(op.src);
    whole = integral(&x, rounding_of(op.rnd));
    return to_float(op, &whole);
}

static void convert_all(const pto_vcvt_op *form, const struct ptx_cvt *ptx, const void *src, void *dst,
                        size_t n) {
    const pto_vcvt_op op = *form;
    const unsigned src_bits = (unsigned)pto_dtype_bits(op.src), dst_bits = (unsigned)pto_dtype_bits(op.dst);
    (void)ptx;
    for (size_t i = 0; i < n; ++i) {
        const u64 x = load_element(src, i, src_bits);
        store_element(dst, i, dst_bits,
                      op.dst == op.src ? truncate(op, x) : convert(op, src_bits, dst_bits, x));
    }
}

const struct vcvt_kernel *pto_vcvt_scalar(pto_vcvt_op op) {
    static const struct vcvt_kernel kernel = {convert_all, 1, FP_ANY, false};
    (void)op;
    return &kernel;
}
