/* SPDX-License-Identifier: MIT */
/* The model of the rules that quantize each block by two scales and keep the better one: docs/block-scaling.md,
 * section 3. */
#include "model/model_block.h"

#include <string.h>

enum { ONE = 0x3f800000, SIX = 0x40c00000, N3_2 = 0x3fc00000, N7_4 = 0x3fe00000 };
enum { N256 = 0x43800000, N448 = 0x43e00000, N1536 = 0x44c00000, N2688 = 0x45280000 };

/* ---- what the name of a rule says ---- */

static bool name_has(pto_block_rule rule, const char *part) {
    return strstr(model_block_rule_name(rule), part) != NULL;
}

/** 6T: 1536 or 2688. */
static uint32_t six_times_target(pto_block_rule rule) {
    return name_has(rule, "448") ? N2688 : N1536;
}

/** min(x, FLT_MAX), where a NaN gives FLT_MAX. */
static uint32_t capped(uint32_t x) {
    return model_f32_is_nan(x) ? MODEL_F32_LARGEST : model_f32_at_most(x, MODEL_F32_LARGEST);
}

/* ---- the second level ---- */

static uint32_t encode_scale(const pto_block_op *op) {
    const uint32_t tensor = model_f32_bits(op->tensor);
    uint32_t e;
    if (name_has(op->rule, ".fi.")) return tensor;
    e = capped(model_f32_div(six_times_target(op->rule), tensor));
    return model_f32_is_zero(tensor) || model_f32_is_zero(e) ? ONE : e;
}

static uint32_t decode_scale(const pto_block_op *op) {
    return model_f32_div(ONE, encode_scale(op));
}

uint32_t model_block_tensor_of_choice(pto_block_rule rule, uint32_t amax) {
    return name_has(rule, ".fi.") ? model_f32_div(six_times_target(rule), amax) : amax;
}

uint32_t model_block_multiplier_of_choice(const pto_block_op *op, uint32_t v) {
    const uint32_t tensor = model_f32_bits(op->tensor), targets = six_times_target(op->rule);
    if (op->rule == PTO_NV_46_MODELOPT) return model_f32_mul(model_f32_div(tensor, N1536), v);
    if (name_has(op->rule, ".fi.")) return model_f32_div(v, tensor);
    return model_f32_mul(model_f32_mul(v, tensor), model_f32_div(ONE, targets));
}

struct model_block_scaling model_block_scaling_of_choice(const pto_block_op *op, uint32_t v) {
    const uint32_t r = capped(model_f32_div(ONE, model_f32_mul(v, decode_scale(op))));
    const uint32_t s2 = model_f32_div(model_f32_bits(op->tensor), N1536);
    if (op->rule == PTO_NV_46_MODELOPT)
        return (struct model_block_scaling){MODEL_DIVIDE, model_f32_mul(v, s2)};
    return (struct model_block_scaling){MODEL_MULTIPLY, r};
}

/* ---- errors ---- */

static uint32_t e2m1_of(uint32_t x) {
    return model_f32_widened(PTO_E2M1, model_f32_element(PTO_E2M1, x));
}

/** The error of an element by a scale with the value v. */
static uint32_t error_by_scale(const pto_block_op *op, uint32_t v, uint32_t x) {
    const struct model_block_scaling scaling = model_block_scaling_of_choice(op, v);
    const uint32_t stored = model_f32_mul(e2m1_of(model_f32_mul(x, scaling.factor)), v);
    uint32_t w;
    if (name_has(op->rule, ".fast.")) return model_f32_sub(stored, model_f32_mul(x, encode_scale(op)));
    if (name_has(op->rule, ".fi."))
        w = model_f32_mul(stored, decode_scale(op));
    else
        w = model_f32_div(model_f32_mul(stored, model_f32_bits(op->tensor)), six_times_target(op->rule));
    return model_f32_sub(w, x);
}

/** The error of an element by the fake quantizer of ModelOpt with the scale z. */
static uint32_t error_by_fake_scale(uint32_t z, uint32_t x) {
    const uint32_t used = model_f32_is_nan(z) || (z & 0x7fffffff) == MODEL_F32_INF ? ONE : z;
    const uint32_t y =
        model_f32_is_zero(z) ? 0 : model_f32_mul(e2m1_of(model_f32_div(model_f32_abs(x), used)), used);
    return model_f32_sub(x, y ^ (x & 0x80000000));
}

static uint32_t error_of_row(const pto_block_op *op, uint32_t v, const uint32_t *x, size_t cols) {
    const bool squares = !name_has(op->rule, ".mae");
    uint32_t sum = 0;
    for (size_t i = 0; i < cols; i++) {
        const uint32_t u =
            op->rule == PTO_NV_46_MODELOPT ? error_by_fake_scale(v, x[i]) : error_by_scale(op, v, x[i]);
        sum = model_f32_add(sum, squares ? model_f32_mul(u, u) : model_f32_abs(u));
    }
    return sum;
}

/** Returns the sum of the rows first, first + step, first + 2 * step, ... of 16: the even half of these rows plus the
 * odd half. A row that is missing counts as 0. The recursion ends at single rows, after four steps. */
static uint32_t error_of_rows(const pto_block_op *op, uint32_t v, const struct model_block_elements *e,
                              size_t first, size_t step) {
    if (step == 16) return first < e->rows ? error_of_row(op, v, e->x + first * e->cols, e->cols) : 0;
    return model_f32_add(error_of_rows(op, v, e, first, 2 * step),
                         error_of_rows(op, v, e, first + step, 2 * step));
}

static uint32_t error_of_block(const pto_block_op *op, uint32_t v, const struct model_block_elements *e) {
    return error_of_rows(op, v, e, 0, 1);
}

/* ---- the choice ---- */

static bool is_less(uint32_t x, uint32_t y) {
    return !model_f32_is_nan(x) && !model_f32_is_nan(y) && model_f32_compare(x, y) < 0;
}

static uint32_t e4m3_value_of(uint32_t x) {
    return model_f32_widened(PTO_E4M3, model_f32_element(PTO_E4M3, x));
}

static uint32_t choose_of_modelopt(const pto_block_op *op, const struct model_block_elements *e, uint32_t a) {
    static const uint32_t times[] = {ONE, N3_2};
    const uint32_t tensor = model_f32_bits(op->tensor), h = model_f32_div(model_f32_mul(tensor, N7_4), SIX);
    const bool small = !model_f32_is_nan(h) && model_f32_compare(h, model_f32_power(-24)) <= 0;
    const uint32_t k = small ? N448 : model_f32_div(N448, h);
    uint32_t errors[2], p[2], chosen, b;
    for (int t = 0; t < 2; t++) {
        p[t] = model_f32_div(model_f32_mul(a, times[t]), SIX);
        errors[t] = error_of_block(
            op, model_f32_mul(e4m3_value_of(model_f32_mul(p[t], k)), model_f32_div(ONE, k)), e);
    }
    chosen = is_less(errors[1], errors[0]) || (model_f32_is_nan(errors[1]) && !model_f32_is_nan(errors[0]));
    b = model_f32_is_zero(p[chosen]) ? ONE : p[chosen];
    b = model_f32_div(model_f32_mul(b, N256), model_f32_div(tensor, SIX));
    b = model_f32_at_most(model_f32_at_least(b, model_f32_power(-9)), N448);
    return (uint32_t)model_f32_element(PTO_E4M3, b);
}

uint32_t model_block_choose(const pto_block_op *op, const struct model_block_elements *e, bool *zeros) {
    uint32_t a = 0, b6, b4;
    for (size_t i = 0; i < e->rows * e->cols; i++) {
        a = model_block_larger(model_block_propagates_nan(op->rule), a, e->x[i]);
    }
    *zeros = name_has(op->rule, ".fi.") && model_f32_is_zero(a);
    if (*zeros) return 0;
    if (op->rule == PTO_NV_46_MODELOPT) return choose_of_modelopt(op, e, a);
    b6 = model_f32_mul(model_f32_div(a, SIX), encode_scale(op));
    b4 = model_f32_mul(b6, N3_2);
    return (uint32_t)model_f32_element(
        PTO_E4M3, is_less(error_of_block(op, e4m3_value_of(b4), e), error_of_block(op, e4m3_value_of(b6), e))
                      ? b4
                      : b6);
}
