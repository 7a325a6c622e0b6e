/* SPDX-License-Identifier: MIT */
/* The model of scaling one block: its scale, its elements' codes, and dequantization. Section numbers are those of
 * docs/block-scaling.md. */
#include "model/model_block.h"
#include "model/model_number.h"

#include <math.h>
#include <stdio.h>

enum { HALF = 0x3f000000, ONE = 0x3f800000, SIX = 0x40c00000, N448 = 0x43e00000, N2688 = 0x45280000 };
enum { SIXTH = 0x3e2aaaab, NTH_2688 = 0x39c30c31 }; /* f32(1/6), f32(1/2688) */

/* ---- rules and elements: section 1 ---- */

static const struct rule {
    const char *name;
    pto_dtype scale_type;
    bool propagates_nan;
} rules[MODEL_BLOCK_RULES] = {
    [PTO_MX_FLOOR] = {"mx.floor", PTO_UE8M0, true},
    [PTO_MX_CEIL] = {"mx.ceil", PTO_UE8M0, true},
    [PTO_MX_EVEN] = {"mx.even", PTO_UE8M0, true},
    [PTO_MX_EVEN1] = {"mx.even1", PTO_UE8M0, true},
    [PTO_MX_RCEIL] = {"mx.rceil", PTO_UE8M0, true},
    [PTO_MX_RCEIL_SAT] = {"mx.rceil.sat", PTO_UE8M0, false},
    [PTO_NV_TE] = {"nv.te", PTO_E4M3, false},
    [PTO_NV_RCP] = {"nv.rcp", PTO_E4M3, false},
    [PTO_NV_AO] = {"nv.ao", PTO_E4M3, true},
    [PTO_NV_MODELOPT] = {"nv.modelopt", PTO_E4M3, true},
    [PTO_NV_CT] = {"nv.ct", PTO_E4M3, true},
    [PTO_FP8_DIV] = {"fp8.div", PTO_F32, false},
    [PTO_FP8_RCP] = {"fp8.rcp", PTO_F32, true},
    [PTO_FP8_MUL] = {"fp8.mul", PTO_F32, false},
    [PTO_FP8_TE] = {"fp8.te", PTO_F32, false},
    [PTO_FP8_CT] = {"fp8.ct", PTO_F32, true},
    [PTO_NV_46_TE_MAE256] = {"nv.46.te.mae256", PTO_E4M3, false},
    [PTO_NV_46_TE_MSE256] = {"nv.46.te.mse256", PTO_E4M3, false},
    [PTO_NV_46_TE_MAE448] = {"nv.46.te.mae448", PTO_E4M3, false},
    [PTO_NV_46_TE_MSE448] = {"nv.46.te.mse448", PTO_E4M3, false},
    [PTO_NV_46_FI_MAE256] = {"nv.46.fi.mae256", PTO_E4M3, false},
    [PTO_NV_46_FI_MSE256] = {"nv.46.fi.mse256", PTO_E4M3, false},
    [PTO_NV_46_FI_MAE448] = {"nv.46.fi.mae448", PTO_E4M3, false},
    [PTO_NV_46_FI_MSE448] = {"nv.46.fi.mse448", PTO_E4M3, false},
    [PTO_NV_46_FAST_MAE256] = {"nv.46.fast.mae256", PTO_E4M3, false},
    [PTO_NV_46_FAST_MSE256] = {"nv.46.fast.mse256", PTO_E4M3, false},
    [PTO_NV_46_FAST_MAE448] = {"nv.46.fast.mae448", PTO_E4M3, false},
    [PTO_NV_46_FAST_MSE448] = {"nv.46.fast.mse448", PTO_E4M3, false},
    [PTO_NV_46_MODELOPT] = {"nv.46.modelopt", PTO_E4M3, true},
    [PTO_MX_GGUF] = {"mx.gguf", PTO_UE8M0, false},
    [PTO_NV_GGUF] = {"nv.gguf", PTO_E4M3, false},
    [PTO_MX_ONEDNN] = {"mx.onednn", PTO_UE8M0, false},
    [PTO_NV_ONEDNN] = {"nv.onednn", PTO_E4M3, false},
    [PTO_MX_CANN] = {"mx.cann", PTO_UE8M0, true},
    [PTO_MX_CANN6] = {"mx.cann6", PTO_UE8M0, true},
    [PTO_MX_CANN7] = {"mx.cann7", PTO_UE8M0, true},
    [PTO_MX_EVEN_QUARK] = {"mx.even.quark", PTO_UE8M0, true},
    [PTO_NV_QUARK] = {"nv.quark", PTO_UE5M3, true},
    [PTO_BFP_TT] = {"bfp.tt", PTO_U8, true},
    [PTO_FP8_AO] = {"fp8.ao", PTO_F32, true},
    [PTO_FP8_HF] = {"fp8.hf", PTO_F32, true},
    [PTO_MX_INT8] = {"mx.int8", PTO_UE8M0, true},
};

/** The largest finite value as f32, its reciprocal rounded to f32, its exponent, and the number of fraction bits. */
static const struct element {
    pto_dtype type;
    uint32_t largest, reciprocal;
    int emax, fraction_bits;
} elements[] = {
    {PTO_E4M3, 0x43e00000, 0x3b124925, 8, 3}, {PTO_E5M2, 0x47600000, 0x37924925, 15, 2},
    {PTO_E2M3, 0x40f00000, 0x3e088889, 2, 3}, {PTO_E3M2, 0x41e00000, 0x3d124925, 4, 2},
    {PTO_E2M1, 0x40c00000, 0x3e2aaaab, 2, 1}, {PTO_S2F6, 0x3ffe0000, 0, 0, 0},
};

static const struct element *element_of(const pto_block_op *op) {
    const struct element *e = elements;
    while (e->type != op->elem) {
        e++;
    }
    return e;
}

static bool is_rule(pto_block_rule rule) {
    return (int)rule >= 0 && (int)rule < MODEL_BLOCK_RULES && rules[rule].name;
}

const char *model_block_rule_name(pto_block_rule rule) {
    return is_rule(rule) ? rules[rule].name : "?";
}

pto_dtype model_block_scale_type(pto_block_rule rule) {
    return is_rule(rule) ? rules[rule].scale_type : (pto_dtype)-1;
}

bool model_block_is_mx(pto_block_rule rule) {
    return model_block_scale_type(rule) == PTO_UE8M0;
}

bool model_block_is_nv(pto_block_rule rule) {
    const pto_dtype type = model_block_scale_type(rule);
    return type == PTO_E4M3 || type == PTO_UE5M3;
}

bool model_block_has_level(pto_block_rule rule) {
    return model_block_is_nv(rule) && rule != PTO_NV_GGUF && rule != PTO_NV_ONEDNN && rule != PTO_NV_QUARK;
}

bool model_block_is_fp8(pto_block_rule rule) {
    return model_block_scale_type(rule) == PTO_F32;
}

bool model_block_chooses(pto_block_rule rule) {
    return rule >= PTO_NV_46_TE_MAE256 && rule <= PTO_NV_46_MODELOPT;
}

bool model_block_takes_rs(pto_block_rule rule) {
    return (int)rule <= PTO_FP8_CT; /* the rules of the first set */
}

bool model_block_propagates_nan(pto_block_rule rule) {
    return rules[rule].propagates_nan;
}

void model_block_describe(const pto_block_op *op, char text[MODEL_BLOCK_TEXT]) {
    snprintf(text, MODEL_BLOCK_TEXT, "%s %s<-%s%s%s%s, tensor %08x, blocks %zux%zu",
             model_block_rule_name(op->rule), pto_dtype_name(op->elem), pto_dtype_name(op->wide),
             op->round == PTO_RS ? " rs" : "", op->pow2 ? " pow2" : "", op->two_level ? " two-level" : "",
             model_f32_bits(op->tensor), op->block_rows, op->block_cols);
}

uint32_t model_block_larger(bool propagate_nan, uint32_t magnitude, uint32_t x) {
    const uint32_t positive = (uint32_t)number_low_bits(x, 31);
    if (model_f32_is_nan(magnitude)) return magnitude;
    if (model_f32_is_nan(x)) return propagate_nan ? MODEL_F32_NAN : magnitude;
    return model_f32_at_least(magnitude, positive);
}

/** Rounds x to `type` and converts it back to f32. */
static uint32_t rounded_to(pto_dtype type, uint32_t x) {
    return model_f32_widened(type, model_f32_narrowed(type, x));
}

/** wide(x) of docs/block-scaling.md: rounds x to the source type and converts it back to f32. */
static uint32_t in_wide(const pto_block_op *op, uint32_t x) {
    return rounded_to(op->wide, x);
}

/* ---- MX: section 2 ---- */

enum { UE8M0_BIAS = 127, UE8M0_NAN = 255 };

/** Returns the code of 2^(k - emax), but at least 0. */
static uint32_t scale_code(int k, int emax) {
    const int code = k - emax + UE8M0_BIAS;
    return code > 0 ? (uint32_t)code : 0;
}

/** Returns the largest k for which m * 2^(k + e) <= a, or -127 if that is larger. For k = -127 and below,
 * scale_code() returns 0 for every element type. */
static int largest_power(const struct number *a, uint64_t m, int e) {
    struct number top = *a;
    int k;
    number_normalize(&top.m, &top.e);
    k = top.e + 62 > -UE8M0_BIAS ? top.e + 62 : -UE8M0_BIAS; /* half of the largest power not above a */
    while (number_compare(m, k + 1 + e, a->m, a->e) <= 0) {
        k++;
    }
    return k;
}

static bool is_power(const struct number *a, int k) {
    return number_compare(1, k, a->m, a->e) == 0;
}

/** Returns the scale code of a block whose largest magnitude is `amax`. The exponent of the scale comes from
 * floor(log2(amax)) for PTO_MX_FLOOR and from ceil(log2(amax)) for PTO_MX_CEIL. For the other rules, it comes from
 * floor(log2(b)), where b is amax rounded to `digits` fraction bits, ties up: b reaches 2^(k + 1) from
 * amax = (2 - 2^-(digits + 1)) * 2^k on. Returns 255 if amax is infinite or a NaN, or if b is above f32's range. */
static uint32_t code_of_magnitude(const struct element *e, pto_block_rule rule, uint32_t amax) {
    const struct number a = number_of(PTO_F32, amax);
    const int digits = rule == PTO_MX_EVEN1 ? 1 : e->fraction_bits;
    int k;
    if (a.kind != FINITE) return UE8M0_NAN;
    if (a.m == 0) return 0;
    if (rule == PTO_MX_FLOOR || rule == PTO_MX_CEIL) {
        k = largest_power(&a, 1, 0);
        return scale_code(rule == PTO_MX_CEIL && !is_power(&a, k) ? k + 1 : k, e->emax);
    }
    k = largest_power(&a, ((uint64_t)4 << digits) - 1, -digits - 2);
    return k > UE8M0_BIAS ? UE8M0_NAN : scale_code(k, e->emax);
}

/** For PTO_MX_GGUF: the logarithm in double precision, rounded to f32. Double precision is enough, as no f32 has a
 * logarithm that is closer than 2^-30 to the middle of two f32. */
static uint32_t gguf_mx_scale(uint32_t amax) {
    const struct number a = number_of(PTO_F32, amax);
    volatile float logarithm;
    if (a.kind == INFINITE) return 253;
    if (a.m == 0) return 0;
    logarithm = (float)log2(ldexp((double)a.m, a.e));
    return scale_code((int)floorf(logarithm), 2);
}

/** For PTO_MX_CANN6 and PTO_MX_CANN7: FLOOR of the magnitude as bf16, but one more above 6/4 or 7/4 of a
 * power of two. */
static uint32_t cann_scale(const pto_block_op *op, uint32_t amax) {
    const uint32_t in_bf16 = op->wide == PTO_F16 ? rounded_to(PTO_BF16, amax) : amax & 0xffff0000;
    const struct number a = number_of(PTO_F32, in_bf16);
    int k;
    if (number_of(PTO_F32, amax).kind != FINITE) return UE8M0_NAN;
    if (a.m == 0) return 0;
    k = largest_power(&a, 1, 0);
    return scale_code(k + (number_compare(op->rule == PTO_MX_CANN6 ? 6 : 7, k - 2, a.m, a.e) < 0), 2);
}

/** Quark gives 254 where PTO_MX_EVEN gives 255 for a magnitude that is not a NaN. */
static uint32_t quark_scale(const struct element *e, uint32_t amax) {
    const uint32_t code = code_of_magnitude(e, PTO_MX_EVEN, amax);
    return code == UE8M0_NAN && !model_f32_is_nan(amax) ? 254 : code;
}

static uint32_t mx_scale(const pto_block_op *op, uint32_t amax) {
    const struct element *e = element_of(op);
    const pto_cvt_op upwards = {
        .dst = PTO_UE8M0, .src = PTO_F32, .round = PTO_RP, .satfinite = op->rule == PTO_MX_RCEIL_SAT};
    switch (op->rule) {
    case PTO_MX_RCEIL:
    case PTO_MX_RCEIL_SAT: return (uint32_t)model_cvt(&upwards, model_f32_mul(amax, e->reciprocal), 0);
    case PTO_MX_GGUF: return gguf_mx_scale(amax);
    case PTO_MX_CANN6:
    case PTO_MX_CANN7: return cann_scale(op, amax);
    case PTO_MX_EVEN_QUARK: return quark_scale(e, amax);
    case PTO_MX_ONEDNN:
    case PTO_MX_CANN:
    case PTO_MX_INT8: return code_of_magnitude(e, PTO_MX_FLOOR, amax);
    default: return code_of_magnitude(e, op->rule, amax);
    }
}

static uint32_t mx_inverse(uint32_t code) {
    return code == UE8M0_NAN ? MODEL_F32_NAN : model_f32_power(UE8M0_BIAS - (int)code);
}

static struct model_block_scaling mx_scaling(const pto_block_op *op, uint32_t code) {
    switch (op->rule) {
    case PTO_MX_GGUF: return (struct model_block_scaling){MODEL_NEAREST, model_f32_power((int)code - 128)};
    case PTO_MX_ONEDNN: return (struct model_block_scaling){MODEL_CLAMP, mx_inverse(code)};
    case PTO_MX_CANN:
    case PTO_MX_CANN6:
    case PTO_MX_CANN7: return (struct model_block_scaling){MODEL_MULTIPLY, code == 0 ? 0 : mx_inverse(code)};
    default: return (struct model_block_scaling){MODEL_MULTIPLY, mx_inverse(code)};
    }
}

/* ---- NVFP4: section 3 ---- */

/** The second-level value, or 1 without a second level. */
static uint32_t second_level_value(const pto_block_op *op) {
    return op->two_level ? model_f32_bits(op->tensor) : ONE;
}

/** min(x, FLT_MAX) as fminf computes it: a NaN gives FLT_MAX. */
static uint32_t capped(uint32_t x) {
    return model_f32_is_nan(x) ? MODEL_F32_LARGEST : model_f32_at_most(x, MODEL_F32_LARGEST);
}

static uint32_t te_encode(const pto_block_op *op) {
    const uint32_t largest = second_level_value(op), enc = capped(model_f32_div(N2688, largest));
    if (!op->two_level || model_f32_is_zero(largest) || model_f32_is_zero(enc)) return ONE;
    return enc;
}

/** Clamps x to [2^least_power, 448]. A NaN is returned unchanged. */
static uint32_t clamped(uint32_t x, int least_power) {
    return model_f32_at_most(model_f32_at_least(x, model_f32_power(least_power)), N448);
}

/** The value of an e4m3 code in units of 2^-9. The code 7f would be 480. */
static uint64_t units_of(uint32_t code) {
    return code < 8 ? code : (uint64_t)(8 + code % 8) << (code / 8 - 1);
}

/** Returns the largest code up to 7 that is not above b * 512 + 1/2. */
static uint32_t gguf_small_scale(uint32_t b) {
    const uint32_t sum = model_f32_add(model_f32_mul(b, model_f32_power(9)), HALF);
    uint32_t code = 0;
    while (code < 7 && model_f32_compare(sum, model_f32_bits((float)(code + 1))) >= 0) {
        code++;
    }
    return code;
}

/** For PTO_NV_GGUF: from 2^-6 on, the largest code for which the middle between it and the one before is not above b.
 * What would be more than 240 is 448. */
static uint32_t gguf_nv_scale(uint32_t a) {
    enum { N240 = 0x77, LARGEST = 0x7e };
    const uint32_t b = model_f32_at_most(model_f32_div(a, SIX), N448);
    const struct number number = number_of(PTO_F32, b);
    uint32_t code = 8;
    if (model_f32_compare(b, model_f32_power(-6)) < 0) return gguf_small_scale(b);
    while (code <= N240 &&
           number_compare(units_of(code) + units_of(code + 1), -10, number.m, number.e) <= 0) {
        code++;
    }
    return code > N240 ? LARGEST : code;
}

/** The value of a scale. ggml ignores the sign of an e4m3 code, and takes 7f for 0 and ff for 480. */
static uint32_t nv_value(const pto_block_op *op, uint32_t scale) {
    if (op->rule == PTO_NV_GGUF && scale == 0x7f) return 0;
    if (op->rule == PTO_NV_GGUF)
        return model_f32_mul(model_f32_bits((float)units_of(scale % 128)), model_f32_power(-9));
    return model_f32_widened(model_block_scale_type(op->rule), scale);
}

/** Returns the scale before it is rounded to e4m3 or ue5m3. */
static uint32_t nv_scale_before_rounding(const pto_block_op *op, uint32_t a) {
    const uint32_t second = second_level_value(op);
    uint32_t b;
    switch (op->rule) {
    case PTO_NV_TE: return capped(model_f32_mul(a, model_f32_mul(te_encode(op), SIXTH)));
    case PTO_NV_RCP: return model_f32_mul(second, model_f32_mul(a, SIXTH));
    case PTO_NV_AO:
        b = model_f32_div(a, SIX);
        return clamped(op->two_level ? model_f32_div(b, second) : b, -6);
    case PTO_NV_MODELOPT:
        b = model_f32_div(a, model_f32_mul(SIX, second));
        return clamped(model_f32_is_zero(b) ? ONE : b, -9);
    case PTO_NV_ONEDNN: return rounded_to(PTO_F16, clamped(model_f32_div(a, SIX), -3));
    case PTO_NV_QUARK:
        b = in_wide(op, model_f32_div(a, SIX));
        return model_f32_is_zero(b) ? model_f32_power(-23) : b;
    default: return model_f32_mul(second, in_wide(op, model_f32_div(a, SIX)));
    }
}

static uint32_t nv_scale(const pto_block_op *op, uint32_t a) {
    enum { EIGHTH = 0x20 }; /* as an e4m3 code */
    uint32_t code;
    bool zero;
    if (op->rule == PTO_NV_GGUF) return gguf_nv_scale(a);
    code = (uint32_t)model_f32_element(model_block_scale_type(op->rule), nv_scale_before_rounding(op, a));
    zero = model_f32_is_zero(model_f32_widened(PTO_E4M3, code));
    return op->rule == PTO_NV_CT && zero ? EIGHTH : code;
}

/** Returns 1 / (v * dec), or the largest finite value if that overflows. A NaN scale gives a NaN. */
static uint32_t te_factor(const pto_block_op *op, uint32_t v) {
    const uint32_t dec = model_f32_div(ONE, te_encode(op));
    return model_f32_at_most(model_f32_div(ONE, model_f32_mul(v, dec)), MODEL_F32_LARGEST);
}

static uint32_t rcp_factor(const pto_block_op *op, uint32_t v) {
    if (model_f32_is_zero(v)) return 0;
    return model_f32_div(ONE, model_f32_mul(v, model_f32_div(ONE, second_level_value(op))));
}

static struct model_block_scaling nv_scaling(const pto_block_op *op, uint32_t scale) {
    const uint32_t v = nv_value(op, scale), second = second_level_value(op);
    if (model_block_chooses(op->rule)) return model_block_scaling_of_choice(op, v);
    switch (op->rule) {
    case PTO_NV_GGUF: return (struct model_block_scaling){MODEL_NEAREST, model_f32_mul(v, HALF)};
    case PTO_NV_ONEDNN: return (struct model_block_scaling){MODEL_CLAMP, model_f32_div(ONE, v)};
    case PTO_NV_QUARK:
        return (struct model_block_scaling){MODEL_DIVIDE, model_f32_is_zero(v) ? model_f32_power(-23) : v};
    case PTO_NV_TE: return (struct model_block_scaling){MODEL_MULTIPLY, te_factor(op, v)};
    case PTO_NV_RCP: return (struct model_block_scaling){MODEL_MULTIPLY, rcp_factor(op, v)};
    case PTO_NV_AO:
        return (struct model_block_scaling){MODEL_MULTIPLY, model_f32_div(model_f32_div(ONE, second), v)};
    case PTO_NV_MODELOPT: return (struct model_block_scaling){MODEL_DIVIDE, model_f32_mul(v, second)};
    default: return (struct model_block_scaling){MODEL_DIVIDE, model_f32_div(v, second)};
    }
}

/* ---- FP8: section 4 ---- */

/** Returns the smallest power of two from 2^-126 to 2^127 that is not below s, or 2^127 if there is none. */
static uint32_t power_not_below(uint32_t s) {
    const struct number number = number_of(PTO_F32, s);
    int k = -126;
    while (k < 127 && (number.kind != FINITE || number_compare(1, k, number.m, number.e) < 0)) {
        k++;
    }
    return model_f32_power(k);
}

/** Returns the largest power of two that is not above r, which is finite and at least 2^-126. */
static uint32_t power_not_above(uint32_t r) {
    const struct number number = number_of(PTO_F32, r);
    return model_f32_power(largest_power(&number, 1, 0));
}

static uint32_t largest_of_wide(const pto_block_op *op) {
    return model_f32_widened(op->wide, number_format(op->wide)->largest);
}

static uint32_t te_multiplier(const pto_block_op *op, uint32_t a) {
    uint32_t r;
    if (model_f32_is_zero(a) || a == MODEL_F32_INF) return ONE;
    r = model_f32_div(element_of(op)->largest, a);
    if (r == MODEL_F32_INF) r = largest_of_wide(op);
    return op->pow2 ? power_not_above(r) : r;
}

/** The distance from 1 to the next value of the source type. */
static uint32_t epsilon_of_wide(const pto_block_op *op) {
    return model_f32_power(-number_format(op->wide)->fraction_bits);
}

/** For PTO_FP8_HF: zero and a NaN are not above 0. */
static uint32_t hf_multiplier(const pto_block_op *op, uint32_t a) {
    if (model_f32_is_nan(a) || model_f32_is_zero(a)) return ONE;
    return model_f32_mul(model_f32_div(ONE, a), element_of(op)->largest);
}

static uint32_t fp8_scale(const pto_block_op *op, uint32_t amax) {
    const struct element *e = element_of(op);
    const uint32_t a = op->rule == PTO_FP8_CT ? amax : model_f32_at_least(amax, model_f32_bits(op->tensor));
    uint32_t s;
    switch (op->rule) {
    case PTO_FP8_MUL: return model_f32_mul(a, e->reciprocal);
    case PTO_FP8_TE: return model_f32_div(ONE, te_multiplier(op, a));
    case PTO_FP8_HF: return model_f32_div(ONE, hf_multiplier(op, amax));
    case PTO_FP8_AO: return in_wide(op, model_f32_div(a, e->largest));
    case PTO_FP8_CT:
        s = in_wide(op, model_f32_div(a, N448));
        return model_f32_is_zero(s) ? epsilon_of_wide(op) : s;
    default: s = model_f32_div(a, e->largest); return op->pow2 ? power_not_below(s) : s;
    }
}

/** Whether the rule computes the factor for elements from amax, not from the rounded scale. */
static bool multiplies_by_magnitude(pto_block_rule rule) {
    return rule == PTO_FP8_MUL || rule == PTO_FP8_TE || rule == PTO_FP8_HF;
}

static struct model_block_scaling scaling_by_magnitude(const pto_block_op *op, uint32_t amax) {
    const uint32_t a = model_f32_at_least(amax, model_f32_bits(op->tensor));
    switch (op->rule) {
    case PTO_FP8_TE: return (struct model_block_scaling){MODEL_MULTIPLY, te_multiplier(op, a)};
    case PTO_FP8_HF: return (struct model_block_scaling){MODEL_MULTIPLY, hf_multiplier(op, amax)};
    default: return (struct model_block_scaling){MODEL_MULTIPLY, model_f32_div(element_of(op)->largest, a)};
    }
}

static struct model_block_scaling fp8_scaling(const pto_block_op *op, uint32_t s) {
    switch (op->rule) {
    case PTO_FP8_AO:
    case PTO_FP8_DIV: return (struct model_block_scaling){MODEL_DIVIDE, s};
    case PTO_FP8_CT: return (struct model_block_scaling){MODEL_DIVIDE_ROUNDED, s};
    default: return (struct model_block_scaling){MODEL_MULTIPLY, model_f32_div(ONE, s)};
    }
}

/* ---- all rules ---- */

uint32_t model_block_scale(const pto_block_op *op, uint32_t amax, struct model_block_scaling *scaling) {
    uint32_t scale;
    if (model_block_is_mx(op->rule))
        scale = mx_scale(op, amax);
    else
        scale = model_block_is_nv(op->rule) ? nv_scale(op, amax) : fp8_scale(op, amax);
    *scaling = multiplies_by_magnitude(op->rule) ? scaling_by_magnitude(op, amax)
                                                 : model_block_scaling_of(op, scale);
    return scale;
}

struct model_block_scaling model_block_scaling_of(const pto_block_op *op, uint32_t scale) {
    if (model_block_is_mx(op->rule)) return mx_scaling(op, scale);
    return model_block_is_nv(op->rule) ? nv_scaling(op, scale) : fp8_scaling(op, scale);
}

/** The last step of oneDNN: clamps as min(max(x, -MAX), MAX) with comparisons that are false for a NaN, and rounds to
 * f16 on the way to a one-byte type. */
static uint32_t clamped_as_onednn(const pto_block_op *op, uint32_t x) {
    const uint32_t most = element_of(op)->largest, least = most | 0x80000000;
    if (model_f32_is_nan(x) || model_f32_compare(x, least) < 0) x = least;
    if (model_f32_compare(x, most) > 0) x = most;
    return op->elem == PTO_E2M1 ? x : rounded_to(PTO_F16, x);
}

/** Tries all 16 codes of e2m1 in their order, as ggml does. */
static uint64_t first_nearest(uint32_t x, uint32_t half_scale) {
    uint64_t best = 0;
    uint32_t least = 0;
    for (uint64_t code = 0; code < 16; code++) {
        const uint32_t twice = model_f32_mul(model_f32_widened(PTO_E2M1, code), 0x40000000);
        const uint32_t distance = model_f32_abs(model_f32_sub(model_f32_mul(twice, half_scale), x));
        const bool compares = !model_f32_is_nan(distance) && !model_f32_is_nan(least);
        if (code == 0 || (compares && model_f32_compare(distance, least) < 0)) {
            best = code;
            least = distance;
        }
    }
    return best;
}

uint64_t model_block_element(const pto_block_op *op, const struct model_block_scaling *scaling, uint32_t x,
                             uint32_t r) {
    const pto_cvt_op el = {.dst = op->elem, .src = PTO_F32, .round = op->round, .satfinite = true};
    const bool divides = scaling->operation == MODEL_DIVIDE || scaling->operation == MODEL_DIVIDE_ROUNDED;
    uint32_t y;
    uint64_t code;
    if (scaling->operation == MODEL_NEAREST) return first_nearest(x, scaling->factor);
    y = divides ? model_f32_div(x, scaling->factor) : model_f32_mul(x, scaling->factor);
    if (scaling->operation == MODEL_DIVIDE_ROUNDED) y = in_wide(op, y);
    if (scaling->operation == MODEL_CLAMP) y = clamped_as_onednn(op, y);
    code = model_cvt(&el, y, r);
    return op->elem == PTO_S2F6 && code == 0x80 ? 0x81 : code; /* -127/64, not -2 */
}

/* ---- dequantization: section 5 ---- */

/** The value of a scale. */
static uint32_t value_of_scale(const pto_block_op *op, uint32_t scale) {
    if (op->rule == PTO_BFP_TT) return model_bfp_multiplier(op, scale);
    return model_block_is_nv(op->rule) ? nv_value(op, scale)
                                       : model_f32_widened(model_block_scale_type(op->rule), scale);
}

uint32_t model_block_multiplier(const pto_block_op *op, uint32_t scale) {
    const uint32_t v = value_of_scale(op, scale), second = second_level_value(op);
    if (!op->two_level) return v;
    if (model_block_chooses(op->rule)) return model_block_multiplier_of_choice(op, v);
    switch (op->rule) {
    case PTO_NV_TE: return model_f32_mul(model_f32_mul(v, second), NTH_2688);
    case PTO_NV_AO:
    case PTO_NV_MODELOPT: return model_f32_mul(second, v);
    default: return model_f32_div(v, second);
    }
}

/** The value of an element. A code of s2f6 is a signed integer in units of 2^-6. */
static uint32_t value_of_element(const pto_block_op *op, uint64_t code) {
    if (op->rule == PTO_BFP_TT) return model_bfp_value(op, code);
    if (op->elem != PTO_S2F6) return model_f32_widened(op->elem, code);
    return model_f32_mul(model_f32_bits((float)code - (code < 128 ? 0.0F : 256.0F)), model_f32_power(-6));
}

uint64_t model_block_value(const pto_block_op *op, uint32_t multiplier, uint64_t code) {
    const uint32_t y = model_f32_mul(value_of_element(op, code), multiplier);
    return model_f32_narrowed(op->wide, y);
}

uint32_t model_block_tensor(pto_block_rule rule, uint32_t amax) {
    /* nv.ct gives 1 for a NaN and where 2688 / amax overflows, which is for amax up to 2688 / 2^128. */
    if (rule == PTO_NV_CT && (model_f32_is_nan(amax) || (amax & 0x7fffffff) <= 0x05280000)) return ONE;
    if (model_f32_is_nan(amax)) return MODEL_F32_NAN;
    if (model_block_chooses(rule)) return model_block_tensor_of_choice(rule, amax);
    if (rule == PTO_NV_TE) return amax;
    if (rule == PTO_NV_AO || rule == PTO_NV_MODELOPT) return model_f32_div(amax, N2688);
    return model_f32_div(N2688, amax);
}
