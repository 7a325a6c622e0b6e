/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of the rules that choose between two scales of a block: see docs/block-scaling.md,
 * section 3. Each operation is one f32 operation in the order of the rule. */
#include "scalar/scaling_types.h"

/* Returns the smaller of x and the largest finite value, or that value for a NaN, as C's fminf does. */
static float at_most_largest(float x) {
    const float largest = float_of_bits(F32_LARGEST);
    return x <= largest ? x : largest;
}

float pto_scalar_choice_factor(const struct scaling *s, float v) {
    return at_most_largest(1.0F / (v * s->factor_operand));
}

static float e2m1_value(float x) {
    return value_of(PTO_E2M1, code_of(PTO_E2M1, true, x));
}

/* Returns the sum of 16 numbers: of halves, then of halves of these, and so on. */
static float sum_of_rows(float sums[CHOICE_ROWS]) {
    for (size_t half = CHOICE_ROWS / 2; half != 0; half /= 2)
        for (size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
    return sums[0];
}

/* Returns the error of x by a scale of value v, before its magnitude is taken. */
static float error_of(const struct scaling *s, float x, float v) {
    const float y = e2m1_value(x * pto_scalar_choice_factor(s, v)), w = y * v;
    switch (pto_block_rules[s->rule].choice) {
    case CHOICE_TE: return w * s->level / s->six_targets - x;
    case CHOICE_FI: return w * s->factor_operand - x;
    default: return w - x * s->scale_operand;
    }
}

/* Returns the error of x by the fake quantizer of ModelOpt, whose scale is z. */
static float fake_error_of(float x, float z) {
    const u32 sign = bits_of_float(x) & (u32)1 << 31;
    const bool is_finite = magnitude(z) <= float_of_bits(F32_LARGEST);
    const float y =
        z == 0.0F ? 0.0F : e2m1_value(magnitude(x) / (is_finite ? z : 1.0F)) * (is_finite ? z : 1.0F);
    return x - float_of_bits(bits_of_float(y) ^ sign);
}

/* Returns the sum of the errors of block k. v is the value of its scale, or that of ModelOpt's fake quantizer. */
static float block_error(const struct scaling *s, const struct block_elements *e, size_t k, float v) {
    const struct block_rule *rule = &pto_block_rules[s->rule];
    const size_t first = k * e->block, end = e->n - first < e->block ? e->n : first + e->block;
    float sums[CHOICE_ROWS] = {0};
    for (size_t row = 0; row < e->rows; ++row)
        for (size_t i = first; i < end; ++i) {
            const float x = element_at(s, e->x + row * e->stride, i);
            const float u = rule->choice == CHOICE_MODELOPT ? fake_error_of(x, v) : error_of(s, x, v);
            sums[row] += rule->squares ? u * u : magnitude(u);
        }
    return sum_of_rows(sums);
}

/* Returns the scale of block k by ModelOpt. a is the largest magnitude of the block. */
static u32 modelopt_code(const struct scaling *s, const struct block_elements *e, size_t k, float a) {
    static const float times[] = {1.0F, 1.5F};
    float errors[2], p, b;
    bool second;
    for (size_t i = 0; i < 2; ++i) {
        const float scale = a * times[i] / 6.0F;
        const float z = value_of(PTO_E4M3, e4m3_of(scale * s->scale_operand)) * s->fake_inverse;
        errors[i] = block_error(s, e, k, z);
    }
    second = errors[1] < errors[0] || (errors[1] != errors[1] && errors[0] == errors[0]);
    p = a * times[second] / 6.0F;
    b = (p == 0.0F ? 1.0F : p) * (float)pto_block_rules[s->rule].target / s->level_sixth;
    return e4m3_of(clamped(b, 0x1p-9F, 448.0F));
}

/* Returns the scale of block k by the other rules. A tie and a NaN choose the scale that maps to 6. */
static u32 chosen_code(const struct scaling *s, const struct block_elements *e, size_t k, float a) {
    const float b6 = a / 6.0F * s->scale_operand, b4 = b6 * 1.5F;
    const u32 c6 = e4m3_of(b6), c4 = e4m3_of(b4);
    const float e6 = block_error(s, e, k, value_of(PTO_E4M3, c6));
    const float e4 = block_error(s, e, k, value_of(PTO_E4M3, c4));
    return e4 < e6 ? c4 : c6;
}

bool pto_scalar_choose_scales(const struct scaling *s, const struct block_elements *e, const u32 *maxima,
                              size_t count, u8 *scales, float *factors) {
    const u8 choice = pto_block_rules[s->rule].choice;
    for (size_t k = 0; k < count; ++k) {
        const float a = value_of(s->type, maxima[k]);
        const bool is_modelopt = choice == CHOICE_MODELOPT, is_zero = choice == CHOICE_FI && a == 0.0F;
        const u32 code = is_modelopt ? modelopt_code(s, e, k, a) : is_zero ? 0 : chosen_code(s, e, k, a);
        const float v = value_of(PTO_E4M3, code);
        scales[k] = (u8)code;
        factors[k] = is_modelopt ? v * s->factor_operand : pto_scalar_choice_factor(s, v);
        if (is_zero) factors[k] = float_of_bits(F32_CANONICAL_NAN);
    }
    return false;
}
