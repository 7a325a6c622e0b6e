/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference implementation of cvt: one element at a time, with integer arithmetic only. A source is
 * decoded to sign * m * 2^e, rounded once at the destination's last significand bit, and encoded.
 */
#include "core/formats.h"
#include "core/kernels.h"
#include "scalar/exact_value.h"

/* ---- reading ---- */

static struct exact_value decode_float(pto_dtype src, u64 code) {
    switch (src) {
    case PTO_UE8M0: return from_ue8m0(code);
    case PTO_S2F6: return from_s2f6(code);
    default: return from_float(cvt_format_of(src), code);
    }
}

/* Applies the ue8m0 code `scale` to x. Multiplies if cvt_multiplies(op.dst), else divides. */
static void scale_by(struct exact_value *x, pto_cvt_op op, u64 scale) {
    const int by = (int)scale - UE8M0_BIAS;
    if (scale == UE8M0_NAN) x->kind = NOT_A_NUMBER;
    x->e += cvt_multiplies(op.dst) ? by : -by;
}

/* ---- writing floating point ---- */

/* Returns the code of a magnitude that is too large, for ops without .satfinite. Depending on the rounding
 * direction, it is the largest finite value or the next code: infinity, or the NaN of a format without
 * infinities. */
static u64 overflow(struct cvt_format f, pto_round round, bool negative) {
    const bool stays = round == PTO_RZ || (round == PTO_RM && !negative) || (round == PTO_RP && negative);
    return stays ? cvt_max_code(f) : cvt_max_code(f) + 1;
}

/* Returns whether x is below 2^-126 after it has been rounded to the precision of f32 with an unbounded
 * exponent. */
static bool is_tiny(const struct exact_value *x, pto_round round) {
    const int t = floor_log2(x->m) + x->e;
    const u64 c = round_to_multiple(x, t - 23, round, 0, 0);
    return t + (int)(c >> 24) < -126; /* c >> 24 is 1 if c was rounded up to 2^24 */
}

static u64 magnitude_of(pto_cvt_op op, struct cvt_format f, const struct exact_value *x, u64 r) {
    u64 code;
    if (x->kind == INFINITE) return cvt_max_code(f) + (op.satfinite ? 0 : 1); /* infinity, or the only NaN */
    if (x->m == 0) return 0;
    if (op.ftz && op.dst == PTO_F32 && is_tiny(x, op.round)) return 0;
    code = rounded_code(f, x, op.round, r, (int)cvt_random_bits(op.dst));
    if (code <= cvt_max_code(f)) return code;
    return op.satfinite ? cvt_max_code(f) : overflow(f, op.round, x->negative);
}

/* Returns the result for a source NaN, as cvt_nan_of() specifies it. If keeps_payload is set there, the
 * result includes the sign and as much of the payload as fits. */
static u64 nan_result(pto_cvt_op op, struct cvt_format from, struct cvt_format to, u64 bits) {
    const struct cvt_nan nan = cvt_nan_of(op);
    const int narrower = from.fraction_bits - to.fraction_bits;
    const u64 sign = bits >> (from.exponent_bits + from.fraction_bits);
    const u64 payload = bits & low_bits(from.fraction_bits);
    if (!nan.keeps_payload) return nan.bits;
    return nan.bits | sign << (to.exponent_bits + to.fraction_bits) |
           (narrower >= 0 ? payload >> narrower : payload << -narrower);
}

static u64 clamp_negative_and_one(pto_cvt_op op, struct cvt_format f, u64 magnitude, bool negative) {
    const u64 one = cvt_one_code(f);
    if ((op.relu || op.sat || (op.pzo && magnitude == 0)) && negative) return 0;
    if (op.sat && magnitude > one) return one;
    return magnitude | (u64)negative << (f.exponent_bits + f.fraction_bits);
}

static u64 to_float(pto_cvt_op op, const struct exact_value *x, u64 r) {
    const struct cvt_format f = cvt_format_of(op.dst);
    return clamp_negative_and_one(op, f, magnitude_of(op, f, x, r), x->negative);
}

/* Converts f32 to tf32 with .rna. Every GPU does this by integer arithmetic on the bits, also for NaNs. */
static u64 to_tf32_rna(pto_cvt_op op, u64 x) {
    const u64 infinity = 0x7f800000, magnitude = 0x7fffffff;
    u64 r = (x & magnitude) < infinity ? x + 0x1000 : x;
    r &= 0xffffe000;
    if (op.satfinite && (r & magnitude) >= infinity) r -= 0x2000;
    return r;
}

/* ---- writing ue8m0: only an exponent, no sign ---- */

static u64 to_ue8m0(pto_cvt_op op, const struct exact_value *x) {
    const u64 largest = op.satfinite ? 0xfe : 0xff;
    u64 code;
    int k;
    if (x->kind == NOT_A_NUMBER) return 0xff;
    if (x->kind == INFINITE) return largest;
    if (x->m == 0) return 0;
    k = floor_log2(x->m) + x->e;
    if (op.round == PTO_RP && (x->m & (x->m - 1)) != 0) ++k;
    code = k < -127 ? 0 : (u64)(k + 127);
    return code < largest ? code : largest;
}

/* ---- writing s2f6: an integer multiple of 1/64, clamped ---- */

static u64 to_s2f6(pto_cvt_op op, const struct exact_value *x) {
    const u64 limit = !x->negative ? 127 : op.relu ? 0 : 128;
    u64 c = 0;
    if (x->kind == NOT_A_NUMBER) return cvt_nan_of(op).bits;
    if (x->kind == INFINITE || (x->m != 0 && floor_log2(x->m) + x->e > 1))
        c = limit;
    else if (x->m != 0)
        c = round_to_multiple(x, -6, op.round, 0, 0);
    if (c > limit) c = limit;
    return (x->negative ? ~c + 1 : c) & 0xff;
}

/* ---- writing integers ---- */

static u64 to_integer(pto_cvt_op op, const struct exact_value *x, unsigned width) {
    if (x->kind == NOT_A_NUMBER) return cvt_integer_nan(op, width);
    return clamped_integer(x, op.round, cvt_is_signed(op.dst), width, 0, 0);
}

static u64 integer_to_integer(pto_cvt_op op, const struct exact_value *x, unsigned width) {
    if (op.sat) return to_integer(op, x, width);
    return signed_integer(x->m, x->negative, width);
}

/* ---- one element ---- */

/* `extra` is the random bits for .rs, or the element's scale. */
static u64 convert_float(pto_cvt_op op, unsigned dst_bits, u64 bits, u64 extra) {
    const struct cvt_format from = cvt_format_of(op.src);
    struct exact_value x = decode_float(op.src, bits);
    if (cvt_flushes_sources(op) && x.kind == FINITE && (bits & cvt_inf_code(from)) == 0) x.m = 0;
    if (op.scale != PTO_SCALE_NONE) scale_by(&x, op, extra);
    if (op.dst == PTO_S2F6) return to_s2f6(op, &x);
    if (op.dst == PTO_UE5M3) x.negative = false;
    if (op.dst == PTO_UE8M0) return to_ue8m0(op, &x);
    if (cvt_is_integer(op.dst)) return to_integer(op, &x, dst_bits);
    if (op.dst == PTO_TF32 && op.round == PTO_RNA) return to_tf32_rna(op, bits);
    if (op.round == PTO_RS && op.src == PTO_BF16) { /* composed of bf16 -> f32, f32 -> dst */
        x.m <<= 16;
        x.e -= 16;
    }
    if (x.kind == NOT_A_NUMBER) {
        if (op.src == PTO_UE8M0 && cvt_nan_of(op).keeps_payload)
            return 0x7fff0000; /* the NaN of bf16, as f32 */
        return nan_result(op, from, cvt_format_of(op.dst), bits);
    }
    if (cvt_is_integral_round(op.round)) x = integral(&x, op.round);
    return to_float(op, &x, extra) << (op.dst == PTO_TF32 ? 13 : 0);
}

static u64 convert(pto_cvt_op op, unsigned src_bits, unsigned dst_bits, u64 bits, u64 extra) {
    struct exact_value x;
    if (!cvt_is_integer(op.src)) return convert_float(op, dst_bits, bits, extra);
    x = from_integer(cvt_is_signed(op.src), bits, src_bits);
    return cvt_is_integer(op.dst) ? integer_to_integer(op, &x, dst_bits) : to_float(op, &x, extra);
}

/* ---- random bits and scales ---- */

static u64 reversed_16(u64 v) {
    u64 r = 0;
    for (int i = 0; i < 16; ++i) r |= (v >> i & 1) << (15 - i);
    return r;
}

/* Returns the random bits of element i, a part of a 32-bit word. The layout is a table in docs/semantics.md. */
static u64 random_of(pto_dtype dst, const u8 *extra, size_t i) {
    u64 chunk;
    u32 word;
    memcpy(&word, extra + i / cvt_random_group(dst) * sizeof word, sizeof word);
    if (dst == PTO_F16 || dst == PTO_BF16)
        return (i % 2 != 0 ? word >> 16 : word) & low_bits(cvt_random_bits(dst));
    if (dst == PTO_E2M1) word = (word & 0xff0000ff) | (word & 0xff00) << 8 | (word >> 8 & 0xff00);
    chunk = i % 4 >= 2 ? word >> 16 : word & 0xffff;
    return i % 2 != 0 ? reversed_16(chunk) : chunk;
}

static u64 extra_of(pto_cvt_op op, const u8 *extra, size_t i) {
    if (op.round == PTO_RS) return random_of(op.dst, extra, i);
    return op.scale != PTO_SCALE_NONE ? extra[i / cvt_scale_group(op.scale)] : 0;
}

/* ---- arrays ---- */

static void convert_all(const pto_cvt_op *form, const void *src, void *dst, const void *extra, size_t n) {
    const pto_cvt_op op = *form;
    const unsigned src_bits = (unsigned)pto_dtype_bits(op.src), dst_bits = (unsigned)pto_dtype_bits(op.dst);
    const bool copies = cvt_is_copy(op);
    for (size_t i = 0; i < n; ++i) {
        const u64 x = load_element(src, i, src_bits);
        store_element(dst, i, dst_bits,
                      copies ? x : convert(op, src_bits, dst_bits, x, extra_of(op, extra, i)));
    }
}

const struct cvt_kernel *pto_cvt_scalar(pto_cvt_op op) {
    static const struct cvt_kernel kernel = {convert_all, 1, FP_ANY};
    (void)op;
    return &kernel;
}
