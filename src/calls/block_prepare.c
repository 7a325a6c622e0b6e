/* SPDX-License-Identifier: MIT */
/* Block scaling: computes the second-level value of a tensor, and the constants that kernels need for an op. */
#include "calls/block_call.h"

#include "core/fpenv.h"

/* ---- the second-level value of a tensor ---- */

static const float nv_max_product = 2688.0F; /* MAX of e4m3 times that of e2m1 */

/* Returns 6 times the largest scale: 2688, or for a rule with a choice 6T. */
static float max_product(pto_block_rule rule) {
    const struct block_rule *r = &pto_block_rules[rule];
    return r->choice != CHOICE_NONE ? 6.0F * (float)r->target : nv_max_product;
}

static float canonical(float x) {
    return x != x ? float_of_bits(F32_CANONICAL_NAN) : x;
}

static bool is_finite(float x) {
    return (bits_of_float(x) & F32_INFINITY) != F32_INFINITY;
}

/* Returns the second-level value g. For NV_CT it is 1 if the quotient is infinite or a NaN, for example because all
 * elements are 0; compressed-tensors does the same. */
static float nv_divisor(pto_block_rule rule, float amax) {
    const float g = canonical(max_product(rule) / amax);
    return rule == PTO_NV_CT && !is_finite(g) ? 1.0F : g;
}

pto_status pto_block_tensor(pto_block_rule rule, float amax, float *tensor) {
    fp_state saved;
    if (tensor == NULL) return PTO_ERR_NULL;
    if (!is_block_rule(rule) || pto_block_rules[rule].level == LEVEL_NONE) return PTO_ERR_MODIFIER;
    saved = fp_enter(FP_IEEE);
    switch (pto_block_rules[rule].level) {
    case LEVEL_A: *tensor = canonical(amax); break;
    case LEVEL_MULTIPLIER: *tensor = canonical(amax / nv_max_product); break;
    default: *tensor = nv_divisor(rule, amax); break;
    }
    fp_leave(saved);
    return PTO_OK;
}

/* ---- preparation of an op, in the state FP_IEEE ---- */

/* Sets the fields that depend on the element type. The table has the f32 bits of MAX and f32(1 / MAX). */
static void set_elem(struct scaling *s, pto_dtype elem) {
    static const u32 bits[BLOCK_ELEM_TYPES][2] = {
        [0 /* PTO_E4M3 */] = {0x43e00000, 0x3b124925},    [PTO_E5M2 - PTO_E4M3] = {0x47600000, 0x37924925},
        [PTO_E2M3 - PTO_E4M3] = {0x40f00000, 0x3e088889}, [PTO_E3M2 - PTO_E4M3] = {0x41e00000, 0x3d124925},
        [PTO_E2M1 - PTO_E4M3] = {0x40c00000, RCP_6},      [PTO_S2F6 - PTO_E4M3] = {0x3ffe0000, 0x3f010204}};
    s->elem = elem;
    if (pto_block_rules[s->rule].family == FAMILY_BFP) return; /* its kernels use no other field */
    s->max = float_of_bits(bits[elem_index(elem)][0]);
    s->rcp = float_of_bits(bits[elem_index(elem)][1]);
    s->emax = (int)(bits[elem_index(elem)][0] >> 23) - 127;
    s->product_limit = float_of_bits((bits[elem_index(elem)][0] & F32_INFINITY) + (1U << 23));
    s->fraction_bits = s->rule == PTO_MX_EVEN1 ? 1 : cvt_format_of(elem).fraction_bits;
}

/* Sets the fields of a rule with a choice. The op has a second level. */
static void set_choice(struct scaling *s, float tensor) {
    const float largest = float_of_bits(F32_LARGEST), h = tensor * 1.75F / 6.0F;
    const enum block_choice choice = (enum block_choice)pto_block_rules[s->rule].choice;
    float e = tensor;
    s->six_targets = max_product(s->rule);
    if (s->six_targets != nv_max_product) s->level_rcp = float_of_bits(RCP_1536);
    if (choice == CHOICE_TE || choice == CHOICE_FAST) {
        e = s->six_targets / tensor;
        if (!(e <= largest)) e = largest; /* also if e is a NaN */
        if (tensor == 0.0F || e == 0.0F) e = 1.0F;
    }
    s->scale_operand = e;
    s->factor_operand = 1.0F / e;
    if (choice != CHOICE_MODELOPT) return;
    s->scale_operand = h <= 0x1p-24F ? 448.0F : 448.0F / h;
    s->factor_operand = tensor / s->six_targets;
    s->fake_inverse = 1.0F / s->scale_operand;
    s->level_sixth = tensor / 6.0F;
}

static void set_level(struct scaling *s, const pto_block_op *op) {
    const float largest = float_of_bits(F32_LARGEST);
    float e = 1.0F;
    s->level = s->scale_operand = s->factor_operand = op->two_level ? op->tensor : 1.0F;
    s->level_rcp = float_of_bits(RCP_2688);
    if (pto_block_rules[op->rule].choice != CHOICE_NONE) set_choice(s, op->tensor);
    switch (op->rule) {
    case PTO_NV_TE:
        if (op->two_level) e = nv_max_product / op->tensor;
        if (!(e <= largest)) e = largest; /* also if e is a NaN */
        if (op->two_level && op->tensor == 0.0F) e = 1.0F;
        if (e == 0.0F) e = 1.0F;
        s->scale_operand = e * float_of_bits(RCP_6);
        s->factor_operand = 1.0F / e;
        break;
    case PTO_NV_RCP:
    case PTO_NV_AO: s->factor_operand = 1.0F / s->level; break;
    case PTO_NV_MODELOPT: s->scale_operand = 6.0F * s->level; break;
    default: break;
    }
}

/* Sets the fields that depend on the tensor's type. The table has the f32 bits of the type's largest value, and of the
 * distance from 1 to the next larger value. */
static void set_tensor_type(struct scaling *s, pto_dtype type) {
    static const u32 bits[BLOCK_TENSOR_TYPES][2] = {
        {0x477fe000, 0x3a800000}, {0x7f7f0000, 0x3c000000}, {F32_LARGEST, 0x34000000}};
    s->type = type;
    s->type_max = float_of_bits(bits[tensor_type_index(type)][0]);
    s->zero_block_scale = s->rule == PTO_FP8_CT ? float_of_bits(bits[tensor_type_index(type)][1]) : 0.0F;
}

struct scaling pto_block_prepare(const pto_block_op *op) {
    const struct block_rule *rule = &pto_block_rules[op->rule];
    struct scaling s = {.rule = op->rule,
                        .scale_op = (enum scale_op)rule->scale_op,
                        .propagates_nan = rule->propagates_nan,
                        .pow2 = op->pow2,
                        .two_level = op->two_level,
                        .eps = rule->takes_eps ? op->tensor : 0.0F};
    set_tensor_type(&s, op->wide);
    set_elem(&s, op->elem);
    set_level(&s, op);
    return s;
}
