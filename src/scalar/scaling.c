/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference implementation of block scaling: one block and one element at a time. The scales of MX are
 * computed by integer arithmetic on the bits of f32. Everything else is f32 arithmetic in the order that the
 * rule specifies, with each operation rounded once. The compiler flags of this folder forbid contraction and
 * reordering, which would change results. exact_value.h converts values to and from other types.
 */
#include "scalar/scaling_types.h"

/* ---- the largest magnitude ---- */

static bool find_amax(const struct scaling *s, const u8 *x, size_t n, size_t block, u32 *maxima) {
    const struct cvt_format f = cvt_format_of(s->type);
    const unsigned width = width_of(s->type);
    bool passed = false;
    for (size_t i = 0; i < n; ++i) {
        u32 *const max = &maxima[i / block];
        const u32 magnitude = (u32)(load_element(x, i, width) & low_bits(width - 1));
        if (magnitude > cvt_inf_code(f) && !s->propagates_nan)
            passed = true;
        else if (magnitude > *max)
            *max = magnitude;
    }
    return passed;
}

/* ---- MX: scales are powers of two, stored as ue8m0 ---- */

/* Returns floor(log2(a)) + 127, where log2(a) is first rounded to f32. If a is at most n units below a power of two,
 * the logarithm is rounded up to an integer. Returns 0 or 1 for a subnormal and 255 for an infinity. */
static u32 field_of_log2(u32 a) {
    enum { RANGES = 8 };
    static const u32 n[RANGES] = {0, 1, 2, 5, 11, 22, 44, 44};
    const int k = (int)(a >> 23) - 126;
    int range = 0; /* k lies between 1 - 2^(range + 1) and 2^(range + 1) */
    while (range < RANGES - 1 && (k > 2 << range || k < 1 - (2 << range))) ++range;
    return (a + n[range]) >> 23;
}

/* Returns the code of PTO_MX_CANN6 and PTO_MX_CANN7 before it is limited. f32 is truncated to bf16, f16 is rounded. */
static int cann_code(const struct scaling *s, float a) {
    const u32 t = bits_of_float(s->type == PTO_F16 ? rounded_to(PTO_BF16, a) : a) >> 16;
    return (int)((t + (s->rule == PTO_MX_CANN6 ? CANN6_ADDED : CANN7_ADDED)) >> 7) - s->emax;
}

static u32 mx_code(const struct scaling *s, float amax) {
    const u32 a = bits_of_float(amax);
    u32 b = a, up = 0;
    int code;
    if (s->rule == PTO_MX_GGUF) {
        code = (int)field_of_log2(a) - s->emax;
        return code > 0 ? (u32)code : 0;
    }
    switch (s->rule) {
    case PTO_MX_RCEIL:
    case PTO_MX_RCEIL_SAT:
        b = bits_of_float(amax * s->rcp);
        if (b <= F32_MIN_UE8M0) return 0;
        if (b >= F32_INFINITY) return s->rule == PTO_MX_RCEIL_SAT && b == F32_INFINITY ? 254 : UE8M0_NAN;
        return (b >> 23) + ((b & F32_FRACTION_MASK) != 0);
    case PTO_MX_EVEN:
    case PTO_MX_EVEN1:
    case PTO_MX_EVEN_QUARK: b = a + ((u32)1 << (22 - s->fraction_bits)); break;
    case PTO_MX_CEIL: up = (a & F32_FRACTION_MASK) != 0; break;
    default: break;
    }
    if (s->rule == PTO_MX_EVEN_QUARK && a <= F32_INFINITY && b >= F32_INFINITY) return 254;
    if (b >= F32_INFINITY) return UE8M0_NAN;
    code = (int)((b >> 23) + up) - s->emax;
    if (s->rule == PTO_MX_CANN6 || s->rule == PTO_MX_CANN7) code = cann_code(s, amax);
    return code > 0 ? (u32)code : 0;
}

/* mx_scale() returns 2^(code - 127), and mx_inverse() its reciprocal. */
static float mx_scale(u32 code) {
    if (code == UE8M0_NAN) return float_of_bits(F32_CANONICAL_NAN);
    return float_of_bits(code == 0 ? F32_MIN_UE8M0 : code << 23);
}

static float mx_inverse(u32 code) {
    return code == UE8M0_NAN ? mx_scale(code) : mx_scale(254 - code);
}

/* Returns what elements are multiplied with. For PTO_MX_GGUF it is half the scale, which nearest_element() uses. */
static float mx_factor(const struct scaling *s, u32 code) {
    switch (s->rule) {
    case PTO_MX_CANN:
    case PTO_MX_CANN6:
    case PTO_MX_CANN7: return code == 0 ? 0.0F : mx_inverse(code);
    case PTO_MX_GGUF: return code == UE8M0_NAN ? 0x1p127F : mx_scale(code) * 0.5F;
    default: return mx_inverse(code);
    }
}

/* Returns what codes are multiplied with. The codes of PTO_MX_INT8 are integers in units of 2^-6. */
static float mx_dequantize_factor(const struct scaling *s, u32 code) {
    return s->rule == PTO_MX_INT8 ? mx_scale(code) * 0x1p-6F : mx_scale(code);
}

/* ---- NVFP4: scales are e4m3, or ue5m3 ---- */

/* Returns the code of PTO_NV_GGUF. It rounds half up, where the bits below half a unit do not count, and there is none
 * between 240 and 448. */
static u32 gguf_code(float a) {
    enum { LEAST_NORMAL_FIELD = 120, UNIT = 20, LARGEST = 0x7e };
    const float b = at_most(a / 6.0F, 448.0F);
    u32 code;
    if (b < 0x1p-6F) {
        code = (u32)(b * 512.0F + 0.5F);
        return code < 7 ? code : 7;
    }
    code = ((bits_of_float(b) + ((u32)1 << (UNIT - 1))) >> UNIT) - (LEAST_NORMAL_FIELD << 3);
    return code < 15 << 3 ? code : LARGEST;
}

/* Returns the value of a scale of PTO_NV_GGUF, whose upper bit is ignored. */
static float gguf_value(u32 code) {
    if (code == 0x7f) return 0.0F;
    return float_of_bits((code & 0x7f) << 20) * 0x1p120F;
}

static u32 nv_code(const struct scaling *s, float a) {
    const float largest = float_of_bits(F32_LARGEST);
    float b;
    u32 code;
    switch (s->rule) {
    case PTO_NV_TE: return e4m3_of(at_most(a * s->scale_operand, largest));
    case PTO_NV_RCP: return e4m3_of(s->scale_operand * (a * float_of_bits(RCP_6)));
    case PTO_NV_AO: b = a / 6.0F; return e4m3_of(clamped(b / s->scale_operand, 0x1p-6F, 448.0F));
    case PTO_NV_MODELOPT:
        b = a / s->scale_operand;
        return e4m3_of(clamped(b == 0.0F ? 1.0F : b, 0x1p-9F, 448.0F));
    case PTO_NV_GGUF: return gguf_code(a);
    case PTO_NV_ONEDNN: return e4m3_of(rounded_to(PTO_F16, clamped(a / 6.0F, 0.125F, 448.0F)));
    case PTO_NV_QUARK:
        b = round_to_type(s, a / 6.0F);
        return (u32)code_of(PTO_UE5M3, true, b == 0.0F ? QUARK_LEAST : b);
    default:
        b = round_to_type(s, a / 6.0F);
        code = e4m3_of(s->scale_operand * b);
        return (code & 0x7f) == 0 ? CT_ZERO_SCALE : code;
    }
}

/* Returns the value of a scale. */
static float nv_value(const struct scaling *s, u32 code) {
    if (s->rule == PTO_NV_GGUF) return gguf_value(code);
    return value_of(s->rule == PTO_NV_QUARK ? PTO_UE5M3 : PTO_E4M3, code);
}

static float nv_factor(const struct scaling *s, u32 code) {
    const float v = nv_value(s, code);
    const enum block_choice choice = (enum block_choice)pto_block_rules[s->rule].choice;
    if (choice != CHOICE_NONE && choice != CHOICE_MODELOPT) return pto_scalar_choice_factor(s, v);
    switch (s->rule) {
    case PTO_NV_TE: return at_most(1.0F / (v * s->factor_operand), float_of_bits(F32_LARGEST));
    case PTO_NV_RCP: return v == 0.0F ? 0.0F : 1.0F / (v * s->factor_operand);
    case PTO_NV_AO: return s->factor_operand / v;
    case PTO_NV_MODELOPT:
    case PTO_NV_46_MODELOPT: return v * s->factor_operand;
    case PTO_NV_GGUF: return v * 0.5F;
    case PTO_NV_ONEDNN: return 1.0F / v;
    case PTO_NV_QUARK: return v == 0.0F ? QUARK_LEAST : v;
    default: return v / s->factor_operand;
    }
}

static float nv_dequantize_factors(const struct scaling *s, u32 code) {
    const float v = nv_value(s, code);
    switch (pto_block_rules[s->rule].level) {
    case LEVEL_A:
        if (s->rule == PTO_NV_46_MODELOPT) return s->factor_operand * v;
        return s->two_level ? v * s->level * s->level_rcp : v;
    case LEVEL_MULTIPLIER: return s->level * v;
    default: return v / s->level;
    }
}

/* ---- FP8: scales are f32 ---- */

/* Returns the smallest power of two that is at least x, limited to powers of two that are normal in f32. */
static float up_to_power(float x) {
    const u32 bits = bits_of_float(x);
    const u32 field = (bits >> 23) + ((bits & F32_FRACTION_MASK) != 0);
    return float_of_bits((field < 1 ? 1 : field > 254 ? 254 : field) << 23);
}

/* Returns the scale of a block whose largest magnitude is a. Sets *factor to the value by which the elements
 * are multiplied or divided. */
static float fp8_scale(const struct scaling *s, float a, float *factor) {
    const float infinity = float_of_bits(F32_INFINITY);
    const float floor = a < s->eps ? s->eps : a; /* a NaN stays a NaN */
    float scale, r;
    switch (s->rule) {
    case PTO_FP8_MUL: *factor = s->max / floor; return floor * s->rcp;
    case PTO_FP8_TE:
        r = floor == 0.0F || floor == infinity ? 1.0F : s->max / floor;
        if (r == infinity) r = s->type_max;
        *factor = s->pow2 ? float_of_bits(bits_of_float(r) & ~(u32)F32_FRACTION_MASK) : r;
        return 1.0F / *factor;
    case PTO_FP8_HF: *factor = a > 0.0F ? 1.0F / a * s->max : 1.0F; return 1.0F / *factor;
    case PTO_FP8_AO:
    case PTO_FP8_CT:
        scale = round_to_type(s, floor / s->max);
        *factor = scale == 0.0F ? s->zero_block_scale : scale;
        return *factor;
    default:
        scale = floor / s->max;
        if (s->pow2) scale = up_to_power(scale);
        *factor = s->rule == PTO_FP8_RCP ? 1.0F / scale : scale;
        return scale;
    }
}

static float fp8_factor(const struct scaling *s, float scale) {
    return s->scale_op == SCALE_MULTIPLY ? 1.0F / scale : scale;
}

/* ---- the scales of blocks ---- */

static float scale_at(const u8 *scales, size_t i) {
    u32 bits;
    memcpy(&bits, scales + i * sizeof bits, sizeof bits);
    return float_of_bits(bits);
}

static void store_scale(u8 *scales, size_t i, float scale) {
    const u32 bits = scale != scale ? F32_CANONICAL_NAN : bits_of_float(scale);
    memcpy(scales + i * sizeof bits, &bits, sizeof bits);
}

static bool find_scales(const struct scaling *s, const u32 *maxima, size_t count, u8 *scales,
                        float *factors) {
    for (size_t i = 0; i < count; ++i) {
        const float a = value_of(s->type, maxima[i]);
        switch (pto_block_rules[s->rule].family) {
        case FAMILY_MX: factors[i] = mx_factor(s, scales[i] = (u8)mx_code(s, a)); break;
        case FAMILY_NV: factors[i] = nv_factor(s, scales[i] = (u8)nv_code(s, a)); break;
        default: store_scale(scales, i, fp8_scale(s, a, &factors[i])); break;
        }
    }
    return false;
}

static void find_factors(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    for (size_t i = 0; i < count; ++i) switch (pto_block_rules[s->rule].family) {
        case FAMILY_MX: factors[i] = mx_factor(s, scales[i]); break;
        case FAMILY_NV: factors[i] = nv_factor(s, scales[i]); break;
        default: factors[i] = fp8_factor(s, scale_at(scales, i)); break;
        }
}

static bool find_dequantize_factors(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    for (size_t i = 0; i < count; ++i) switch (pto_block_rules[s->rule].family) {
        case FAMILY_MX: factors[i] = mx_dequantize_factor(s, scales[i]); break;
        case FAMILY_NV: factors[i] = nv_dequantize_factors(s, scales[i]); break;
        default: factors[i] = scale_at(scales, i); break;
        }
    return false;
}

/* ---- elements ---- */

/* Returns x * factor clamped to [-MAX, MAX], where a NaN becomes -MAX, and rounded to f16 if elements have a byte. */
static float clamped_product(const struct scaling *s, float x, float factor) {
    float t = x * factor;
    t = t > -s->max ? t : -s->max;
    t = t < s->max ? t : s->max;
    return s->elem == PTO_E2M1 ? t : rounded_to(PTO_F16, t);
}

/* Returns the value of the first e2m1 code whose value times 2 d is nearest to x. All distances are infinite or NaNs if
 * x is; then it is the first code. */
static float nearest_element(float x, float d) {
    static const float twice[] = {0, 1, 2, 3, 4, 6, 8, 12, -0.0F, -1, -2, -3, -4, -6, -8, -12};
    size_t best = 0;
    float least = magnitude(twice[0] * d - x);
    for (size_t k = 1; k < sizeof twice / sizeof twice[0]; ++k) {
        const float distance = magnitude(twice[k] * d - x);
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return twice[best] * 0.5F;
}

static float product_of(const struct scaling *s, const u8 *x, size_t i, float factor) {
    const float value = value_of(s->type, load_element(x, i, width_of(s->type)));
    switch (s->scale_op) {
    case SCALE_MULTIPLY: return value * factor;
    case SCALE_DIVIDE: return value / factor;
    case SCALE_CLAMP: return clamped_product(s, value, factor);
    case SCALE_NEAREST: return nearest_element(value, factor);
    default: return round_to_type(s, value / factor);
    }
}

static void scaled_products(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                            float *products, size_t n) {
    for (size_t i = 0; i < n; ++i) products[i] = product_of(s, x, i, factors[i / block]);
}

static void quantize(const struct scaling *s, bool in_range, const u8 *x, const float *factors, size_t block,
                     u8 *codes, size_t n) {
    (void)in_range;
    for (size_t i = 0; i < n; ++i)
        store_element(codes, i, width_of(s->elem),
                      code_of(s->elem, true, product_of(s, x, i, factors[i / block])));
}

static void dequantize_f16(const struct scaling *s, const u16 *halves, const float *factors, size_t block,
                           u8 *y, size_t n) {
    for (size_t i = 0; i < n; ++i)
        store_element(y, i, width_of(s->type),
                      code_of(s->type, false, value_of(PTO_F16, halves[i]) * factors[i / block]));
}

/* ---- block floating point ---- */

/* Returns element i as f32. NaNs keep their fraction, shifted up. */
static u32 bfp_source(const struct scaling *s, const u8 *x, size_t i) {
    const u32 code = (u32)load_element(x, i, width_of(s->type));
    const float value = value_of(s->type, code);
    if (s->type == PTO_F32) return code;
    if (s->type == PTO_BF16) return code << 16;
    return value == value ? bits_of_float(value)
                          : (code & 0x8000) << 16 | F32_INFINITY | (code & 0x03ff) << 13;
}

static u32 bfp_field(u32 x) {
    return x >> 23 & 0xff;
}

/* Returns the code of x in a block whose largest exponent field is `field`. The significand is first truncated to 24
 * bits of the block's exponent, and then rounded to nearest even. */
static u32 bfp_code(u32 x, u32 field, unsigned bits) {
    const u32 down = field - bfp_field(x), most = (1U << bits) - 1, half = 1U << (23 - bits);
    u32 significand, m, rest;
    if (bfp_field(x) == 0 || down > 23) return 0;
    significand = ((x & F32_FRACTION_MASK) + F32_FRACTION_MASK + 1) >> down;
    m = significand / (2 * half);
    rest = significand % (2 * half);
    if (rest > half || (rest == half && m % 2 != 0)) ++m;
    if (m > most) m = most;
    return m == 0 ? 0 : (x >> 31) << bits | m;
}

static void quantize_bfp(const struct scaling *s, const u8 *x, u8 *fields, u8 *codes, size_t n) {
    for (size_t first = 0; first < n; first += BFP_BLOCK) {
        const size_t end = min_size(n, first + BFP_BLOCK);
        u32 field = 0;
        for (size_t i = first; i < end; ++i) {
            const u32 own = bfp_field(bfp_source(s, x, i));
            field = own > field ? own : field;
        }
        fields[first / BFP_BLOCK] = (u8)field;
        for (size_t i = first; i < end; ++i)
            store_element(codes, i, width_of(s->elem),
                          bfp_code(bfp_source(s, x, i), field, bfp_bits(s->elem)));
    }
}

static void fence(void) {}

const struct scaling_kernels *pto_scaling_scalar(void) {
    static const struct scaling_kernels kernels = {.amax = find_amax,
                                                   .scales = find_scales,
                                                   .choose_scales = pto_scalar_choose_scales,
                                                   .factors = find_factors,
                                                   .dequantize_factors = find_dequantize_factors,
                                                   .quantize = quantize,
                                                   .dequantize_f16 = dequantize_f16,
                                                   .scaled_products = scaled_products,
                                                   .quantize_bfp = quantize_bfp,
                                                   .fence = fence};
    return &kernels;
}
