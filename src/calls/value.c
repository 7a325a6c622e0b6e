/* SPDX-License-Identifier: MIT */
/* Conversion of single elements to and from double, and access to single lanes of masks. */
#include "pto/value.h"

#include "core/check.h"
#include "core/formats.h"
#include "core/types.h"

/*
 * Everything in this file is computed by integer arithmetic on the bits of the double. So the caller's rounding mode,
 * flush modes and unmasked exceptions have no effect.
 */

enum { F64_FRACTION = 52, F64_BIAS = 1023, F64_TOP = 2047 };

static const u64 f64_sign = (u64)1 << 63;

static double of_bits(u64 bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static u64 bits_of(double value) {
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Returns the position of the highest bit that is set. x must not be 0. */
static int top_bit(u64 x) {
    int top = 0;
    while (x >>= 1) ++top;
    return top;
}

/* Sets *bits to the double m * 2^e. Returns false if m has more significant bits than a double. All values here are
 * normal doubles or 0; elements of type f64 are not converted by this function. */
static bool make_double(bool negative, u64 m, int e, u64 *bits) {
    const u64 sign = negative ? f64_sign : 0;
    int top;
    *bits = sign;
    if (m == 0) return true;
    top = top_bit(m);
    e += top;
    if (top > F64_FRACTION) {
        const int below = top - F64_FRACTION;
        if ((m & low_bits((size_t)below)) != 0) return false;
        m >>= below;
    } else {
        m <<= F64_FRACTION - top;
    }
    *bits = sign | (u64)(e + F64_BIAS) << F64_FRACTION | (m & low_bits(F64_FRACTION));
    return true;
}

/* A finite double as m * 2^e, where m is odd or 0. */
struct finite {
    bool negative;
    u64 m;
    int e;
};

static struct finite split_double(u64 bits) {
    const unsigned exponent = (unsigned)(bits >> F64_FRACTION) & F64_TOP;
    struct finite n = {(bits & f64_sign) != 0, bits & low_bits(F64_FRACTION), 1 - F64_BIAS - F64_FRACTION};
    if (exponent != 0) {
        n.m |= (u64)1 << F64_FRACTION;
        n.e += (int)exponent - 1;
    }
    for (; n.m != 0 && (n.m & 1) == 0; n.m >>= 1) ++n.e;
    return n;
}

static bool is_special(u64 bits) {
    return (bits >> F64_FRACTION & F64_TOP) == F64_TOP;
}

/* ---- integers, untyped bits and fixed point ---- */

/* Integers in units of 2^unit. */
struct fixed_format {
    unsigned bits;
    bool is_signed;
    int unit;
};

static bool is_fixed(const struct dtype_info *info, pto_dtype type) {
    return info->class != PTO_CLASS_FLOAT || type == PTO_S2F6;
}

static struct fixed_format fixed_format_of(const struct dtype_info *info, pto_dtype type) {
    const bool is_s2f6 = type == PTO_S2F6;
    return (struct fixed_format){info->bits, is_s2f6 || info->class == PTO_CLASS_SIGNED, is_s2f6 ? -6 : 0};
}

static bool fixed_value(struct fixed_format f, u64 code, u64 *bits) {
    const bool negative = f.is_signed && (code >> (f.bits - 1) & 1) != 0;
    const u64 magnitude = (negative ? 0 - code : code) & low_bits(f.bits);
    return make_double(negative, magnitude, f.unit, bits);
}

static bool fixed_code(struct fixed_format f, u64 bits, u64 *code) {
    const struct finite n = split_double(bits);
    const int e = n.e - f.unit;
    u64 largest = low_bits(f.bits);
    *code = 0;
    if (is_special(bits)) return false;
    if (n.m == 0) return true;
    if (e < 0 || top_bit(n.m) + e >= (int)f.bits) return false;
    if (f.is_signed) largest = (largest >> 1) + n.negative;
    *code = n.m << e;
    if (*code > largest || (n.negative && !f.is_signed)) return false;
    if (n.negative) *code = (0 - *code) & low_bits(f.bits);
    return true;
}

/* ---- binary formats ---- */

static const u64 f64_nan = (u64)F64_TOP << F64_FRACTION | (u64)1 << (F64_FRACTION - 1);

/* Returns the bits of a double, without sign, for the code of an infinity or a NaN. The payload of a NaN becomes the
 * leading bits of the double's payload. The single NaN of a format such as e4m3 becomes a quiet NaN without payload. */
static u64 special_bits(struct cvt_format f, u64 magnitude) {
    const u64 inf = (u64)F64_TOP << F64_FRACTION;
    if (f.specials == SPECIALS_NAN) return f64_nan;
    if (f.specials == SPECIALS_EXTENDED) return inf;
    return inf | (magnitude & low_bits(f.fraction_bits)) << (F64_FRACTION - f.fraction_bits);
}

static bool special_code(struct cvt_format f, u64 bits, u64 *magnitude) {
    const u64 payload = bits & low_bits(F64_FRACTION);
    if (f.specials == SPECIALS_NONE || (payload == 0 && !cvt_has_infinity(f))) return false;
    *magnitude = cvt_canonical_nan(f); /* in formats with one zero this includes the sign */
    if (payload == 0)
        *magnitude = cvt_inf_code(f);
    else if (f.specials == SPECIALS_IEEE && payload >> (F64_FRACTION - f.fraction_bits) != 0)
        *magnitude = cvt_inf_code(f) | payload >> (F64_FRACTION - f.fraction_bits);
    return true;
}

static u64 format_value(struct cvt_format f, u64 code) {
    const unsigned width = (unsigned)f.exponent_bits + f.fraction_bits;
    const bool negative = (code >> width & 1) != 0;
    const u64 magnitude = code & low_bits(width);
    const unsigned exponent = (unsigned)(magnitude >> f.fraction_bits);
    u64 bits, m = magnitude & low_bits(f.fraction_bits);
    if (cvt_has_one_zero(f) && code == cvt_canonical_nan(f)) return f64_nan;
    if (magnitude > cvt_max_code(f)) return special_bits(f, magnitude) | (negative ? f64_sign : 0);
    if (exponent != 0) m |= (u64)1 << f.fraction_bits;
    (void)make_double(negative, m, (exponent != 0 ? (int)exponent : 1) - f.bias - f.fraction_bits, &bits);
    return bits;
}

/* Sets *magnitude to the code, without sign, of m * 2^e, where m is odd. Returns false if the format cannot represent
 * the value. */
static bool code_of_finite(struct cvt_format f, u64 m, int e, u64 *magnitude) {
    const int lowest = 1 - f.bias - f.fraction_bits; /* the exponent of a subnormal's last bit */
    const int top = top_bit(m);
    int exponent = top + e + f.bias;
    if (e < lowest || top > f.fraction_bits || exponent > (int)low_bits(f.exponent_bits)) return false;
    if (exponent < 1)
        *magnitude = m << (e - lowest);
    else
        *magnitude =
            ((u64)exponent << f.fraction_bits) + ((m << (f.fraction_bits - top)) & low_bits(f.fraction_bits));
    return *magnitude <= cvt_max_code(f);
}

static bool code_of_magnitude(struct cvt_format f, u64 bits, u64 *magnitude) {
    const struct finite n = split_double(bits);
    *magnitude = 0;
    if (is_special(bits)) return special_code(f, bits, magnitude);
    return n.m == 0 || code_of_finite(f, n.m, n.e, magnitude);
}

static bool format_code(struct cvt_format f, u64 bits, u64 *code) {
    const u64 negative = bits >> 63;
    const bool is_known = code_of_magnitude(f, bits, code);
    if (cvt_has_one_zero(f) && *code == 0) return is_known; /* the code of -0 is the NaN */
    *code |= negative << (f.exponent_bits + f.fraction_bits);
    return is_known;
}

/* ---- ue5m3: no sign ---- */

static bool ue5m3_code(u64 bits, u64 *code) {
    const bool is_nan = is_special(bits) && (bits & low_bits(F64_FRACTION)) != 0;
    const bool is_negative = bits > f64_sign && !is_nan;
    return code_of_magnitude(cvt_format_of(PTO_UE5M3), bits, code) && !is_negative;
}

/* ---- ue8m0: powers of two from 2^-127 on, and one NaN ---- */

static u64 ue8m0_value(u64 code) {
    u64 bits;
    if (code == UE8M0_NAN) return f64_nan;
    (void)make_double(false, 1, (int)code - UE8M0_BIAS, &bits);
    return bits;
}

static bool ue8m0_code(u64 bits, u64 *code) {
    const struct finite n = split_double(bits);
    *code = UE8M0_NAN;
    if (is_special(bits)) return (bits & low_bits(F64_FRACTION)) != 0;
    if (n.m != 1 || n.negative || n.e < -UE8M0_BIAS || n.e + UE8M0_BIAS >= UE8M0_NAN) return false;
    *code = (u64)n.e + UE8M0_BIAS;
    return true;
}

/* ---- any type ---- */

/* Returns how many low bits of an element in memory its format does not use. A tf32 is the upper 19 bits of a word. */
static unsigned unused_below(pto_dtype type) {
    return type == PTO_TF32 ? 13 : 0;
}

static bool has_value(const struct dtype_info *info, pto_dtype type) {
    return info != NULL && pto_element_type(type) == type && type != PTO_HIF8 && !has_shared_exponent(type);
}

pto_status pto_dtype_value(pto_dtype type, const void *element, double *value) {
    const struct dtype_info *info = dtype_info(type);
    u64 code, bits;
    if (element == NULL || value == NULL) return PTO_ERR_NULL;
    if (!has_value(info, type)) return PTO_ERR_TYPE;
    code = load_bytes(element, (info->bits + 7U) / 8) >> unused_below(type);
    if (is_fixed(info, type)) {
        if (!fixed_value(fixed_format_of(info, type), code, &bits)) return PTO_ERR_SIZE;
    } else if (type == PTO_F64) {
        bits = code;
    } else if (type == PTO_UE8M0) {
        bits = ue8m0_value(code);
    } else {
        bits = format_value(cvt_format_of(type), code);
    }
    *value = of_bits(bits);
    return PTO_OK;
}

pto_status pto_dtype_code(pto_dtype type, double value, void *element) {
    const struct dtype_info *info = dtype_info(type);
    const u64 bits = bits_of(value);
    u64 code = bits;
    bool has_it = true;
    if (element == NULL) return PTO_ERR_NULL;
    if (!has_value(info, type)) return PTO_ERR_TYPE;
    if (is_fixed(info, type))
        has_it = fixed_code(fixed_format_of(info, type), bits, &code);
    else if (type == PTO_UE8M0)
        has_it = ue8m0_code(bits, &code);
    else if (type == PTO_UE5M3)
        has_it = ue5m3_code(bits, &code);
    else if (type != PTO_F64)
        has_it = format_code(cvt_format_of(type), bits, &code);
    if (!has_it) return PTO_ERR_SIZE;
    store_bytes(element, code << unused_below(type), (info->bits + 7U) / 8);
    return PTO_OK;
}

/* ---- lanes of masks ---- */

/* Returns the index of the byte that contains lane i. Sets *shift to the lane's first bit in it, and *own to the mask
 * of the lane's bits. */
static size_t lane_byte(pto_mask mask, size_t i, unsigned *shift, u8 *own) {
    const size_t bits = mask_lane_bits(mask.kind);
    *shift = (unsigned)(i % 8 * bits % 8);
    *own = (u8)(low_bits(bits) << *shift);
    return i / 8 * bits + i % 8 * bits / 8;
}

bool pto_mask_get(pto_mask mask, size_t i) {
    unsigned shift;
    u8 own, byte;
    if (mask.data == NULL) return true;
    if (!is_mask_kind(mask.kind)) return false;
    byte = ((const u8 *)mask.data)[lane_byte(mask, i, &shift, &own)];
    return mask.kind == PTO_MASK_BYTE ? byte != 0 : (byte >> shift & 1) != 0;
}

void pto_mask_set(pto_mask mask, size_t i, bool on) {
    unsigned shift;
    u8 own, *byte;
    if (mask.data == NULL || !is_mask_kind(mask.kind)) return;
    byte = (u8 *)mask.data + lane_byte(mask, i, &shift, &own);
    *byte = (u8)((*byte & ~(unsigned)own) | (unsigned)on << shift);
}
