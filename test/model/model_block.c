/* SPDX-License-Identifier: MIT */
/* The model of scaling one block: its scale, its elements' codes, and dequantization. Section numbers are those of
 * docs/block-scaling.md. */
#include "model/model_block.h"
#include "model/model_number.h"

#include <stdio.h>

enum { ONE = 0x3f800000, SIX = 0x40c00000, N448 = 0x43e00000, N2688 = 0x45280000 };
enum { SIXTH = 0x3e2aaaab, NTH_2688 = 0x39c30c31 }; /* f32(1/6), f32(1/2688) */

/* ---- rules and elements: section 1 ---- */

static const struct rule {
    const char *name;
    pto_dtype scale_type;
    bool propagates_nan;
} rules[MODEL_BLOCK_RULES] = {
    [PTO_MX_FLOOR] = {"mx.floor", PTO_UE8M0, true}, [PTO_MX_CEIL] = {"mx.ceil", PTO_UE8M0, true},
    [PTO_MX_EVEN] = {"mx.even", PTO_UE8M0, true},   [PTO_MX_EVEN1] = {"mx.even1", PTO_UE8M0, true},
    [PTO_MX_RCEIL] = {"mx.rceil", PTO_UE8M0, true}, [PTO_MX_RCEIL_SAT] = {"mx.rceil.sat", PTO_UE8M0, false},
    [PTO_NV_TE] = {"nv.te", PTO_E4M3, false},       [PTO_NV_RCP] = {"nv.rcp", PTO_E4M3, false},
    [PTO_NV_AO] = {"nv.ao", PTO_E4M3, true},        [PTO_NV_MODELOPT] = {"nv.modelopt", PTO_E4M3, true},
    [PTO_NV_CT] = {"nv.ct", PTO_E4M3, true},        [PTO_FP8_DIV] = {"fp8.div", PTO_F32, false},
    [PTO_FP8_RCP] = {"fp8.rcp", PTO_F32, true},     [PTO_FP8_MUL] = {"fp8.mul", PTO_F32, false},
    [PTO_FP8_TE] = {"fp8.te", PTO_F32, false},      [PTO_FP8_CT] = {"fp8.ct", PTO_F32, true},
};

/** The largest finite value as f32, its reciprocal rounded to f32, its exponent, and the number of fraction bits. */
static const struct element {
    pto_dtype type;
    uint32_t largest, reciprocal;
    int emax, fraction_bits;
} elements[] = {
    {PTO_E4M3, 0x43e00000, 0x3b124925, 8, 3}, {PTO_E5M2, 0x47600000, 0x37924925, 15, 2},
    {PTO_E2M3, 0x40f00000, 0x3e088889, 2, 3}, {PTO_E3M2, 0x41e00000, 0x3d124925, 4, 2},
    {PTO_E2M1, 0x40c00000, 0x3e2aaaab, 2, 1},
};

static const struct element *element_of(const pto_block_op *op) {
    const struct element *e = elements;
    while (e->type != op->elem) {
        e++;
    }
    return e;
}

static bool is_rule(pto_block_rule rule) {
    return (int)rule >= 0 && (int)rule < MODEL_BLOCK_RULES;
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
    return model_block_scale_type(rule) == PTO_E4M3;
}

bool model_block_is_fp8(pto_block_rule rule) {
    return model_block_scale_type(rule) == PTO_F32;
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

/** wide(x) of docs/block-scaling.md: rounds x to the source type and converts it back to f32. */
static uint32_t in_wide(const pto_block_op *op, uint32_t x) {
    return model_f32_widened(op->wide, model_f32_narrowed(op->wide, x));
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

static uint32_t mx_scale(const pto_block_op *op, uint32_t amax) {
    const struct element *e = element_of(op);
    const pto_cvt_op upwards = {
        .dst = PTO_UE8M0, .src = PTO_F32, .round = PTO_RP, .satfinite = op->rule == PTO_MX_RCEIL_SAT};
    if (op->rule != PTO_MX_RCEIL && op->rule != PTO_MX_RCEIL_SAT) return code_of_magnitude(e, op->rule, amax);
    return (uint32_t)model_cvt(&upwards, model_f32_mul(amax, e->reciprocal), 0);
}

static uint32_t mx_inverse(uint32_t code) {
    return code == UE8M0_NAN ? MODEL_F32_NAN : model_f32_power(UE8M0_BIAS - (int)code);
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

/** Returns the scale before it is rounded to e4m3. */
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
    default: return model_f32_mul(second, in_wide(op, model_f32_div(a, SIX)));
    }
}

static uint32_t nv_scale(const pto_block_op *op, uint32_t a) {
    enum { EIGHTH = 0x20 }; /* as an e4m3 code */
    const uint32_t code = (uint32_t)model_f32_element(PTO_E4M3, nv_scale_before_rounding(op, a));
    const bool zero = model_f32_is_zero(model_f32_widened(PTO_E4M3, code));
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
    const uint32_t v = model_f32_widened(PTO_E4M3, scale), second = second_level_value(op);
    switch (op->rule) {
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

static uint32_t fp8_scale(const pto_block_op *op, uint32_t amax) {
    const struct element *e = element_of(op);
    const uint32_t a = op->rule == PTO_FP8_CT ? amax : model_f32_at_least(amax, model_f32_bits(op->tensor));
    uint32_t s;
    switch (op->rule) {
    case PTO_FP8_MUL: return model_f32_mul(a, e->reciprocal);
    case PTO_FP8_TE: return model_f32_div(ONE, te_multiplier(op, a));
    case PTO_FP8_CT:
        s = in_wide(op, model_f32_div(a, N448));
        return model_f32_is_zero(s) ? epsilon_of_wide(op) : s;
    default: s = model_f32_div(a, e->largest); return op->pow2 ? power_not_below(s) : s;
    }
}

/** Whether the rule computes the factor for elements from amax, not from the rounded scale. */
static bool multiplies_by_magnitude(pto_block_rule rule) {
    return rule == PTO_FP8_MUL || rule == PTO_FP8_TE;
}

static struct model_block_scaling scaling_by_magnitude(const pto_block_op *op, uint32_t amax) {
    const uint32_t a = model_f32_at_least(amax, model_f32_bits(op->tensor));
    const uint32_t r =
        op->rule == PTO_FP8_TE ? te_multiplier(op, a) : model_f32_div(element_of(op)->largest, a);
    return (struct model_block_scaling){MODEL_MULTIPLY, r};
}

static struct model_block_scaling fp8_scaling(const pto_block_op *op, uint32_t s) {
    switch (op->rule) {
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
    if (model_block_is_mx(op->rule)) return (struct model_block_scaling){MODEL_MULTIPLY, mx_inverse(scale)};
    return model_block_is_nv(op->rule) ? nv_scaling(op, scale) : fp8_scaling(op, scale);
}

uint64_t model_block_element(const pto_block_op *op, const struct model_block_scaling *scaling, uint32_t x,
                             uint32_t r) {
    const pto_cvt_op el = {.dst = op->elem, .src = PTO_F32, .round = op->round, .satfinite = true};
    uint32_t y = scaling->operation == MODEL_MULTIPLY ? model_f32_mul(x, scaling->factor)
                                                      : model_f32_div(x, scaling->factor);
    if (scaling->operation == MODEL_DIVIDE_ROUNDED) y = in_wide(op, y);
    return model_cvt(&el, y, r);
}

/* ---- dequantization: section 5 ---- */

uint32_t model_block_multiplier(const pto_block_op *op, uint32_t scale) {
    const uint32_t v = model_f32_widened(model_block_scale_type(op->rule), scale),
                   second = second_level_value(op);
    if (!op->two_level) return v;
    switch (op->rule) {
    case PTO_NV_TE: return model_f32_mul(model_f32_mul(v, second), NTH_2688);
    case PTO_NV_AO:
    case PTO_NV_MODELOPT: return model_f32_mul(second, v);
    default: return model_f32_div(v, second);
    }
}

uint64_t model_block_value(const pto_block_op *op, uint32_t multiplier, uint64_t code) {
    const uint32_t y = model_f32_mul(model_f32_widened(op->elem, code), multiplier);
    return model_f32_narrowed(op->wide, y);
}

uint32_t model_block_tensor(pto_block_rule rule, uint32_t amax) {
    /* nv.ct gives 1 for a NaN and where 2688 / amax overflows, which is for amax up to 2688 / 2^128. */
    if (rule == PTO_NV_CT && (model_f32_is_nan(amax) || (amax & 0x7fffffff) <= 0x05280000)) return ONE;
    if (model_f32_is_nan(amax)) return MODEL_F32_NAN;
    if (rule == PTO_NV_TE) return amax;
    if (rule == PTO_NV_AO || rule == PTO_NV_MODELOPT) return model_f32_div(amax, N2688);
    return model_f32_div(N2688, amax);
}
