/* SPDX-License-Identifier: MIT */
/*
 * The definition of cvt: one element at a time, in integers alone. A source becomes sign * m * 2^e, is
 * rounded once at the place where the destination's last digit lies, and is laid out again.
 */
#include "core/formats.h"
#include "core/kernels.h"

enum kind { FINITE, INFINITE, NOT_A_NUMBER };

struct number {
    enum kind kind;
    bool negative;
    u64 m; /* |x| = m * 2^e */
    int e;
};

/* ---- reading ---- */

static struct number from_integer(pto_dtype src, u64 bits, unsigned width) {
    struct number x = {FINITE, false, bits, 0};
    if (cvt_is_signed(src) && (bits >> (width - 1)) != 0) {
        x.negative = true;
        x.m = (~bits + 1) & low_bits(width);
    }
    return x;
}

static struct number from_float(struct cvt_format f, u64 code) {
    const u64 magnitude = code & low_bits((size_t)f.exponent_bits + f.fraction_bits);
    const int exponent = (int)(magnitude >> f.fraction_bits);
    struct number x = {FINITE, (code >> (f.exponent_bits + f.fraction_bits) & 1) != 0, 0, 0};
    if (magnitude > cvt_max_code(f))
        x.kind = f.specials == SPECIALS_IEEE && magnitude == cvt_inf_code(f) ? INFINITE : NOT_A_NUMBER;
    x.m = magnitude & low_bits(f.fraction_bits);
    if (exponent != 0) x.m |= (u64)1 << f.fraction_bits;
    x.e = (exponent != 0 ? exponent : 1) - f.bias - f.fraction_bits;
    return x;
}

static struct number from_ue8m0(u64 code) {
    struct number x = {code == UE8M0_NAN ? NOT_A_NUMBER : FINITE, false, 1, (int)code - UE8M0_BIAS};
    return x;
}

static struct number from_s2f6(u64 code) {
    struct number x = from_integer(PTO_S8, code, 8);
    x.e = -6;
    return x;
}

static struct number from_a_float(pto_dtype src, u64 code) {
    switch (src) {
    case PTO_UE8M0: return from_ue8m0(code);
    case PTO_S2F6: return from_s2f6(code);
    default: return from_float(cvt_format_of(src), code);
    }
}

/* Times or over the power of two that a ue8m0 stands for. */
static void scale_by(struct number *x, pto_cvt_op op, u64 scale) {
    const int by = (int)scale - UE8M0_BIAS;
    if (scale == UE8M0_NAN) x->kind = NOT_A_NUMBER;
    x->e += cvt_multiplies(op.dst) ? by : -by;
}

/* ---- rounding ---- */

/* floor(log2 m), for m != 0 */
static int floor_log2(u64 m) {
#if defined(__GNUC__)
    return 63 - __builtin_clzll(m);
#else
    int t = 0;
    while (m >>= 1) ++t;
    return t;
#endif
}

static u64 shift_right(u64 m, int by) {
    return by < 64 ? m >> by : 0;
}

/* Whether |x| = keep * 2^sh + rest, 0 < sh, goes up to keep + 1. r: the random bits of .rs, k of them. */
static bool goes_up(pto_round round, bool negative, u64 keep, u64 rest, int sh, u64 r, int k) {
    const u64 half = sh <= 64 ? (u64)1 << (sh - 1) : 0; /* 0: more than any rest */
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
    case PTO_RS: return (shift_right(rest, sh - k) + r) >> k != 0;
    case PTO_RZ:
    case PTO_RZI: break;
    }
    return false;
}

/* |x| as a multiple of 2^q, rounded once. */
static u64 round_at(const struct number *x, int q, pto_round round, u64 r, int k) {
    const int sh = q - x->e;
    u64 keep;
    if (sh <= 0) return x->m << -sh;
    keep = shift_right(x->m, sh);
    return keep + goes_up(round, x->negative, keep, x->m - (sh < 64 ? keep << sh : 0), sh, r, k);
}

/* ---- writing floating point ---- */

/* c * 2^q, exact in the format but for its range, as a magnitude; anything too large is ~0. */
static u64 lay_out(struct cvt_format f, u64 c, int q) {
    int exponent;
    if (c >> f.fraction_bits == 0) return c; /* zero, subnormal: q is the lowest */
    if (c >> f.fraction_bits == 2) {
        c >>= 1;
        q += 1;
    }
    exponent = q + f.fraction_bits + f.bias;
    if (exponent >= 1 << f.exponent_bits) return ~(u64)0;
    return ((u64)exponent << f.fraction_bits) + (c - ((u64)1 << f.fraction_bits));
}

/* What a result beyond the largest finite number is: the rounding decides. */
static u64 overflow(struct cvt_format f, pto_round round, bool negative) {
    const bool stays = round == PTO_RZ || (round == PTO_RM && !negative) || (round == PTO_RP && negative);
    return stays ? cvt_max_code(f) : cvt_max_code(f) + 1;
}

/* Whether the result of f32 <- f64 in the given rounding, were its exponent unbounded, lies below 2^-126. */
static bool is_tiny(const struct number *x, pto_round round) {
    const int t = floor_log2(x->m) + x->e;
    const u64 c = round_at(x, t - 23, round, 0, 0);
    return t + (int)(c >> 24) < -126; /* rounding up to the next power of two adds one */
}

static u64 magnitude_of(pto_cvt_op op, struct cvt_format f, const struct number *x, u64 r) {
    u64 code;
    int q;
    if (x->kind == INFINITE) return cvt_max_code(f) + (op.satfinite ? 0 : 1); /* infinity, or the one NaN */
    if (x->m == 0) return 0;
    if (op.ftz && op.dst == PTO_F32 && is_tiny(x, op.round)) return 0;
    q = floor_log2(x->m) + x->e;
    if (q < 1 - f.bias) q = 1 - f.bias;
    q -= f.fraction_bits;
    code = lay_out(f, round_at(x, q, op.round, r, (int)cvt_random_bits(op.dst)), q);
    if (code <= cvt_max_code(f)) return code;
    return op.satfinite ? cvt_max_code(f) : overflow(f, op.round, x->negative);
}

/* A NaN as the table says, with as much of the source's sign and payload as it keeps. */
static u64 nan_of(pto_cvt_op op, struct cvt_format from, struct cvt_format to, u64 bits) {
    const struct cvt_nan nan = cvt_nan_of(op);
    const int narrower = from.fraction_bits - to.fraction_bits;
    const u64 sign = bits >> (from.exponent_bits + from.fraction_bits);
    const u64 payload = bits & low_bits(from.fraction_bits);
    if (!nan.keep) return nan.bits;
    return nan.bits | sign << (to.exponent_bits + to.fraction_bits) |
           (narrower >= 0 ? payload >> narrower : payload << -narrower);
}

static u64 clamp_negative_and_one(pto_cvt_op op, struct cvt_format f, u64 magnitude, bool negative) {
    const u64 one = cvt_one_code(f);
    if ((op.relu || op.sat || (op.pzo && magnitude == 0)) && negative) return 0;
    if (op.sat && magnitude > one) return one;
    return magnitude | (u64)negative << (f.exponent_bits + f.fraction_bits);
}

static u64 to_float(pto_cvt_op op, const struct number *x, u64 r) {
    const struct cvt_format f = cvt_format_of(op.dst);
    return clamp_negative_and_one(op, f, magnitude_of(op, f, x, r), x->negative);
}

/* To an integral value of the same format. Every result that is rounded at all is exact in it. */
static struct number integral(const struct number *x, pto_round round) {
    struct number whole = *x;
    if (x->kind != FINITE || x->e >= 0) return whole;
    whole.m = round_at(x, 0, round, 0, 0);
    whole.e = 0;
    return whole;
}

/* tf32 .rna is integer arithmetic on every GPU, whose results for NaNs follow from it. */
static u64 to_tf32_rna(pto_cvt_op op, u64 x) {
    const u64 infinity = 0x7f800000, magnitude = 0x7fffffff;
    u64 r = (x & magnitude) < infinity ? x + 0x1000 : x;
    r &= 0xffffe000;
    if (op.satfinite && (r & magnitude) >= infinity) r -= 0x2000;
    return r;
}

/* ---- writing ue8m0: the exponent alone, no sign ---- */

static u64 to_ue8m0(pto_cvt_op op, const struct number *x) {
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

/* ---- writing s2f6: a clamped integer of sixty-fourths ---- */

static u64 to_s2f6(pto_cvt_op op, const struct number *x) {
    const u64 limit = !x->negative ? 127 : op.relu ? 0 : 128;
    u64 c = 0;
    if (x->kind == NOT_A_NUMBER) return cvt_nan_of(op).bits;
    if (x->kind == INFINITE || (x->m != 0 && floor_log2(x->m) + x->e > 1))
        c = limit;
    else if (x->m != 0)
        c = round_at(x, -6, op.round, 0, 0);
    if (c > limit) c = limit;
    return (x->negative ? ~c + 1 : c) & 0xff;
}

/* ---- writing integers ---- */

static u64 to_integer(pto_cvt_op op, const struct number *x, unsigned width) {
    const bool is_signed = cvt_is_signed(op.dst);
    const u64 most = is_signed ? low_bits(width - 1) : low_bits(width);
    const u64 most_negative = is_signed ? (u64)1 << (width - 1) : 0;
    const u64 limit = x->negative ? most_negative : most;
    u64 c;
    if (x->kind == NOT_A_NUMBER) return cvt_integer_nan(op, width);
    if (x->m == 0)
        c = 0;
    else if (x->kind == INFINITE || floor_log2(x->m) + x->e >= 64)
        c = limit;
    else
        c = round_at(x, 0, op.round, 0, 0);
    if (c > limit) c = limit;
    return (x->negative ? ~c + 1 : c) & low_bits(width);
}

static u64 integer_to_integer(pto_cvt_op op, const struct number *x, unsigned width) {
    if (op.sat) return to_integer(op, x, width);
    return (x->negative ? ~x->m + 1 : x->m) & low_bits(width);
}

/* ---- one element ---- */

/* extra: the random bits of .rs, or the element's scale. */
static u64 convert_float(pto_cvt_op op, unsigned dst_bits, u64 bits, u64 extra) {
    const struct cvt_format from = cvt_format_of(op.src);
    struct number x = from_a_float(op.src, bits);
    if (cvt_flushes_source(op) && x.kind == FINITE && (bits & cvt_inf_code(from)) == 0) x.m = 0;
    if (op.scale != PTO_SCALE_NONE) scale_by(&x, op, extra);
    if (op.dst == PTO_S2F6) return to_s2f6(op, &x);
    if (op.dst == PTO_UE5M3) x.negative = false;
    if (op.dst == PTO_UE8M0) return to_ue8m0(op, &x);
    if (cvt_is_integer(op.dst)) return to_integer(op, &x, dst_bits);
    if (op.dst == PTO_TF32 && op.round == PTO_RNA) return to_tf32_rna(op, bits);
    if (op.round == PTO_RS && op.src == PTO_BF16) { /* composed: .rs sees the digits of f32 */
        x.m <<= 16;
        x.e -= 16;
    }
    if (x.kind == NOT_A_NUMBER) {
        if (op.src == PTO_UE8M0 && cvt_nan_of(op).keep) return 0x7fff0000; /* bf16's NaN, widened */
        return nan_of(op, from, cvt_format_of(op.dst), bits);
    }
    if (cvt_is_integral_round(op.round)) x = integral(&x, op.round);
    return to_float(op, &x, extra) << (op.dst == PTO_TF32 ? 13 : 0);
}

static u64 convert(pto_cvt_op op, unsigned src_bits, unsigned dst_bits, u64 bits, u64 extra) {
    struct number x;
    if (!cvt_is_integer(op.src)) return convert_float(op, dst_bits, bits, extra);
    x = from_integer(op.src, bits, src_bits);
    return cvt_is_integer(op.dst) ? integer_to_integer(op, &x, dst_bits) : to_float(op, &x, extra);
}

/* ---- random bits and scales ---- */

static u64 reversed_16(u64 v) {
    u64 r = 0;
    for (int i = 0; i < 16; ++i) r |= (v >> i & 1) << (15 - i);
    return r;
}

/* Element i's share of its word: see the table in docs/semantics.md. */
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

static u64 load_element(const u8 *p, size_t i, unsigned bits) {
    if (bits == 4) return p[i / 2] >> (i % 2 * 4) & 0xf;
    return load_bytes(p + i * (bits / 8), bits / 8);
}

/* Elements come in order: the low nibble of a byte clears the high one. */
static void store_element(u8 *p, size_t i, unsigned bits, u64 x) {
    if (bits == 4)
        p[i / 2] = (u8)(i % 2 != 0 ? p[i / 2] | x << 4 : x);
    else
        store_bytes(p + i * (bits / 8), x, bits / 8);
}

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
