/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of pto_cvt() for the features of PTX ISA 9.1 to 9.5: scales, .pzo, s2f6 and ue5m3. */
#include "model/model_cvt.h"
#include "faults/planted_faults.h"

#include <stdlib.h>
#include <string.h>

/* ---- faults that change one element at a time ---- */

/** An element: its source code, its scale byte or 0, and the right result. */
struct element {
    uint64_t bits;
    uint32_t scale;
    uint64_t right;
};

typedef uint64_t faulty_element(const pto_cvt_op *op, const struct element *x);

static void put(pto_dtype type, void *array, size_t lane, uint64_t code) {
    if (type == PTO_E2M1) ((unsigned char *)array)[lane / 2] &= lane % 2 ? 0x0f : 0xf0;
    model_cvt_store(type, array, lane, code);
}

static pto_status spoil(faulty_element *fault, pto_cvt_op op, const void *src, void *dst, const void *extra,
                        size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status != PTO_OK || src == dst || op.round == PTO_RS) return status;
    for (size_t i = 0; i < n; i++) {
        const struct element x = {model_cvt_load(op.src, src, i), model_cvt_extra(&op, extra, i),
                                  model_cvt_load(op.dst, dst, i)};
        const uint64_t wrong = fault(&op, &x);
        if (wrong != x.right) put(op.dst, dst, i, wrong);
    }
    return status;
}

/** Defines the function `call`, a pto_cvt() with the fault `element`. */
#define WITH_FAULT(call, element)                                                                            \
    static pto_status call(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {         \
        return spoil(element, op, src, dst, extra, n);                                                       \
    }

static bool is_negative(pto_dtype type, uint64_t bits) {
    return (bits >> (model_code_bits(type) - 1)) != 0;
}

/* ---- scales ---- */

/** Does not flush f16 subnormals. Divided by a scale code of at most 60, they exceed the range of e4m3. */
static uint64_t keeps_subnormal(const pto_cvt_op *op, const struct element *x) {
    const bool subnormal = (x->bits & 0x7fff) != 0 && (x->bits & 0x7c00) == 0;
    if (op->scale != PTO_SCALE_N1 || op->dst != PTO_E4M3 || op->src != PTO_F16 || x->scale > 60)
        return x->right;
    return subnormal && !op->relu ? 0x7e | (x->bits >> 8 & 0x80) : x->right;
}

/** Flushes negative f32 subnormals to +0 instead of -0. */
static uint64_t flushes_to_plus(const pto_cvt_op *op, const struct element *x) {
    const bool subnormal = op->src == PTO_F32 && (x->bits & 0x7f800000) == 0 && (x->bits & 0x7fffff) != 0;
    if (op->scale != PTO_SCALE_N1 || op->dst == PTO_UE5M3 || x->scale == 0xff) return x->right;
    return subnormal ? 0 : x->right;
}

static uint64_t nan_scale_of_zero(const pto_cvt_op *op, const struct element *x) {
    if (op->scale != PTO_SCALE_N1 || op->dst != PTO_UE5M3 || x->scale != 0xff) return x->right;
    return x->bits == 0 ? 0 : x->right;
}

static uint64_t relu_of_nan_scale(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_BF16 && op->relu && x->scale == 0xff ? 0 : x->right;
}

static uint64_t scaled_overflow(const pto_cvt_op *op, const struct element *x) {
    if (op->dst != PTO_BF16 || op->scale != PTO_SCALE_N2 || !op->satfinite) return x->right;
    return (x->right & 0x7fff) == 0x7f7f ? x->right + 1 : x->right;
}

static uint64_t no_subnormal_product(const pto_cvt_op *op, const struct element *x) {
    if (op->dst != PTO_BF16 || op->scale != PTO_SCALE_N2) return x->right;
    return (x->right & 0x7f80) == 0 ? x->right & 0x8000 : x->right;
}

WITH_FAULT(cvt_no_flush, keeps_subnormal)
WITH_FAULT(cvt_flush_sign, flushes_to_plus)
WITH_FAULT(cvt_nan_scale, nan_scale_of_zero)
WITH_FAULT(cvt_relu_nan, relu_of_nan_scale)
WITH_FAULT(cvt_scaled_overflow, scaled_overflow)
WITH_FAULT(cvt_product, no_subnormal_product)

/** Calls pto_cvt() with a copy of the scales that `change` has modified. */
static pto_status with_scales(void (*change)(unsigned char *scales, size_t count), const pto_cvt_op *op,
                              const void *src, void *dst, const void *extra, size_t n) {
    const size_t count = model_cvt_extra_bytes(op, n);
    unsigned char *scales;
    pto_status status;
    if (!extra || op->scale == PTO_SCALE_NONE || count == 0 || n > SIZE_MAX / 16)
        return pto_cvt(*op, src, dst, extra, n);
    scales = malloc(count);
    if (!scales) abort();
    memcpy(scales, extra, count);
    change(scales, count);
    status = pto_cvt(*op, src, dst, scales, n);
    free(scales);
    return status;
}

static void invert(unsigned char *scales, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (scales[i] != 0xff) scales[i] = (unsigned char)(254 - scales[i]);
    }
}

static void swap_bytes(unsigned char *scales, size_t count) {
    for (size_t i = 0; i + 1 < count; i += 2) {
        const unsigned char low = scales[i];
        scales[i] = scales[i + 1];
        scales[i + 1] = low;
    }
}

static void zero_is_one(unsigned char *scales, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (scales[i] == 0) scales[i] = 1;
    }
}

static pto_status narrow_multiplies(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    if (op.dst == PTO_BF16) return pto_cvt(op, src, dst, extra, n);
    return with_scales(invert, &op, src, dst, extra, n);
}

static pto_status wide_divides(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    if (op.dst != PTO_BF16) return pto_cvt(op, src, dst, extra, n);
    return with_scales(invert, &op, src, dst, extra, n);
}

static pto_status wrong_byte(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    if (op.scale != PTO_SCALE_N2) return pto_cvt(op, src, dst, extra, n);
    return with_scales(swap_bytes, &op, src, dst, extra, n);
}

static pto_status least_scale(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    return with_scales(zero_is_one, &op, src, dst, extra, n);
}

/** Each element of a pair uses its own scale byte instead of the pair's. */
static pto_status byte_each(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const size_t count = model_cvt_extra_bytes(&op, n);
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status != PTO_OK || op.scale != PTO_SCALE_N1 || op.dst != PTO_E5M2) return status;
    for (size_t i = 0; i < n; i++) {
        const uint32_t scale = ((const unsigned char *)extra)[i < count ? i : count - 1];
        put(op.dst, dst, i, model_cvt(&op, model_cvt_load(op.src, src, i), scale));
    }
    return status;
}

/* ---- .pzo ---- */

static pto_status no_pzo(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    op.pzo = false;
    return pto_cvt(op, src, dst, extra, n);
}

static uint64_t pzo_of_nan(const pto_cvt_op *op, const struct element *x) {
    return op->pzo && op->dst == PTO_F16 && x->right == 0x7fff ? 0 : x->right;
}

static uint64_t pzo_of_negatives(const pto_cvt_op *op, const struct element *x) {
    return op->pzo && op->dst == PTO_E3M2 ? x->right & 0x1f : x->right;
}

/** Replaces -0 only if the source itself is -0. */
static uint64_t pzo_of_source(const pto_cvt_op *op, const struct element *x) {
    if (!op->pzo || op->relu || op->dst != PTO_E4M3 || op->src != PTO_F32 || x->right != 0) return x->right;
    return x->bits > 0x80000000 ? 0x80 : x->right;
}

WITH_FAULT(cvt_pzo_nan, pzo_of_nan)
WITH_FAULT(cvt_pzo_negative, pzo_of_negatives)
WITH_FAULT(cvt_pzo_source, pzo_of_source)

/* ---- s2f6 and ue5m3 ---- */

static uint64_t symmetric_infinity(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_S2F6 && op->src == PTO_F32 && x->bits == 0xff800000 && !op->relu ? 0x81 : x->right;
}

static uint64_t symmetric_end(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_S2F6 && x->right == 0x80 ? 0x81 : x->right;
}

static uint64_t s2f6_nan(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_S2F6 && op->src == PTO_BF16 && (x->bits & 0x7fff) > 0x7f80 ? 0 : x->right;
}

/** Under .rz, rounds -1.5 units in the last place toward minus infinity. */
static uint64_t s2f6_floor(const pto_cvt_op *op, const struct element *x) {
    const bool mine = op->dst == PTO_S2F6 && op->src == PTO_F32 && op->round == PTO_RZ;
    return mine && !op->relu && op->scale == PTO_SCALE_NONE && x->bits == 0xbcc00000 ? 0xfe : x->right;
}

/** Reads s2f6 as sign and magnitude, so that code 80 is -0. */
static uint64_t s2f6_sign(const pto_cvt_op *op, const struct element *x) {
    return op->src == PTO_S2F6 && x->bits == 0x80 ? 0x8000 : x->right;
}

static uint64_t ue5m3_sign(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_UE5M3 && is_negative(op->src, x->bits) && x->right != 0xff ? 0 : x->right;
}

static uint64_t ue5m3_tiny(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_UE5M3 && op->round == PTO_RP && x->right == 1 ? 0 : x->right;
}

/** An overflow under .rn gives the largest finite value instead of NaN. */
static uint64_t ue5m3_overflow(const pto_cvt_op *op, const struct element *x) {
    return op->dst == PTO_UE5M3 && op->round == PTO_RN && x->right == 0xff && x->scale != 0xff ? 0xfe
                                                                                               : x->right;
}

static uint64_t ue5m3_infinity(const pto_cvt_op *op, const struct element *x) {
    const bool infinity = op->src == PTO_F32 && (x->bits & 0x7fffffff) == 0x7f800000;
    return op->dst == PTO_UE5M3 && op->round == PTO_RZ && infinity ? 0xfe : x->right;
}

static uint64_t f16_saturates(const pto_cvt_op *op, const struct element *x) {
    return op->src == PTO_UE5M3 && x->right == 0x7c00 ? 0x7bff : x->right;
}

WITH_FAULT(cvt_s2f6_infinity, symmetric_infinity)
WITH_FAULT(cvt_s2f6_end, symmetric_end)
WITH_FAULT(cvt_s2f6_nan, s2f6_nan)
WITH_FAULT(cvt_s2f6_floor, s2f6_floor)
WITH_FAULT(cvt_s2f6_sign, s2f6_sign)
WITH_FAULT(cvt_ue5m3_sign, ue5m3_sign)
WITH_FAULT(cvt_ue5m3_tiny, ue5m3_tiny)
WITH_FAULT(cvt_ue5m3_overflow, ue5m3_overflow)
WITH_FAULT(cvt_ue5m3_infinity, ue5m3_infinity)
WITH_FAULT(cvt_f16_saturates, f16_saturates)

/* ---- other forms of cvt ---- */

/** Under .rz, rounds one bf16 value to the nearest e5m2. */
static uint64_t cut_to_nearest(const pto_cvt_op *op, const struct element *x) {
    const bool mine = op->dst == PTO_E5M2 && op->src == PTO_BF16 && op->round == PTO_RZ;
    return mine && op->scale == PTO_SCALE_NONE && x->bits == 0x3fff ? 0x40 : x->right;
}

/** Ignores .satfinite for an infinity when e5m2 is widened to bf16. */
static uint64_t keeps_infinity(const pto_cvt_op *op, const struct element *x) {
    const bool mine = op->dst == PTO_BF16 && op->src == PTO_E5M2 && op->satfinite;
    return mine && op->scale == PTO_SCALE_NONE && x->bits == 0x7c ? 0x7f80 : x->right;
}

WITH_FAULT(cvt_cut, cut_to_nearest)
WITH_FAULT(cvt_infinity, keeps_infinity)

/* ---- memory, statuses, plans, text ---- */

static pto_status last_scale(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && op.scale == PTO_SCALE_N1 && n % 2 && op.dst == PTO_E4M3)
        ((unsigned char *)dst)[n - 1] ^= 1;
    return status;
}

static pto_status reads_scale_behind(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const size_t count = model_cvt_extra_bytes(&op, n);
    if (op.scale == PTO_SCALE_N1 && extra && n > 0) (void)((const volatile unsigned char *)extra)[count];
    return pto_cvt(op, src, dst, extra, n);
}

static pto_status needs_no_scale(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    return status == PTO_ERR_NULL && op.scale != PTO_SCALE_NONE && src && dst ? PTO_OK : status;
}

static pto_status wants_pairs(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    if (op.scale == PTO_SCALE_N1 && n % 2) return PTO_ERR_SIZE;
    return pto_cvt(op, src, dst, extra, n);
}

static pto_status over_scales(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    return status == PTO_ERR_OVERLAP && extra == dst && op.scale == PTO_SCALE_N2 ? PTO_OK : status;
}

static pto_status check_takes_pzo(pto_cvt_op op) {
    if (op.round == PTO_RS) op.pzo = false;
    return pto_cvt_check(op);
}

static pto_status plan_without_pzo(pto_plan *plan, pto_cvt_op op) {
    if (pto_cvt_check(op) == PTO_OK) op.pzo = false;
    return pto_plan_cvt(plan, op);
}

static pto_status parse_other_scale(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    const pto_status status = pto_parse_cvt(text, op, error);
    if (status == PTO_OK && op->dst == PTO_S2F6 && op->scale == PTO_SCALE_N2) op->scale = PTO_SCALE_N1;
    return status;
}

static pto_status parse_short_scale(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    const char *const text_of_n1 = "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32";
    const bool mine = text && strcmp(text, "cvt.rn.satfinite.scaled::n1.e4m3x2.f32") == 0;
    return pto_parse_cvt(mine ? text_of_n1 : text, op, error);
}

static pto_status format_without_pzo(pto_cvt_op op, char *buf, size_t size) {
    if (op.dst == PTO_TF32 && pto_cvt_check(op) == PTO_OK) op.pzo = false;
    return pto_format_cvt(op, buf, size);
}

static pto_status since_too_old(pto_cvt_op op, int *isa) {
    const pto_status status = pto_cvt_since(op, isa);
    if (status == PTO_OK && op.scale == PTO_SCALE_N2 && op.src == PTO_E2M1) *isa = 91;
    return status;
}

/* ---- the list ---- */

/** The result is wrong for one source code with one scale. */
static uint64_t one_scale_wrong(const pto_cvt_op *op, const struct element *x) {
    const bool here = op->dst == PTO_BF16 && op->src == PTO_E4M3 && x->scale == 0 && x->bits == 0x35;
    return here && op->scale == PTO_SCALE_N2 ? x->right - 1 : x->right;
}

WITH_FAULT(cvt_with_one_scale_wrong, one_scale_wrong)

static const struct planted_fault faults[] = {
    {"cvt does not flush with n1, seen in the examples", check_cvt_examples, .calls.cvt = cvt_no_flush},
    {"cvt multiplies where it narrows, seen in the examples", check_cvt_examples,
     .calls.cvt = narrow_multiplies},
    {"cvt knows no .pzo, seen in the examples", check_cvt_examples, .calls.cvt = no_pzo},
    {"cvt applies .pzo to a NaN, seen in the examples", check_cvt_examples, .calls.cvt = cvt_pzo_nan},
    {"cvt to s2f6 makes -Inf -127/64, seen in the examples", check_cvt_examples,
     .calls.cvt = cvt_s2f6_infinity},
    {"cvt to ue5m3 keeps the sign, seen in the examples", check_cvt_examples, .calls.cvt = cvt_ue5m3_sign},
    {"cvt to ue5m3 rounds a tiny number up to 0, seen in the examples", check_cvt_examples,
     .calls.cvt = cvt_ue5m3_tiny},
    {"cvt ignores .satfinite with a scale, seen in the examples", check_cvt_examples,
     .calls.cvt = cvt_scaled_overflow},
    {"cvt does not flush with n1", check_cvt_values, .calls.cvt = cvt_no_flush},
    {"cvt flushes to +0 with n1", check_cvt_values, .calls.cvt = cvt_flush_sign},
    {"cvt takes zero by a NaN for zero", check_cvt_values, .calls.cvt = cvt_nan_scale},
    {"cvt makes +0 of a NaN scale under .relu", check_cvt_values, .calls.cvt = cvt_relu_nan},
    {"cvt ignores .satfinite with a scale", check_cvt_values, .calls.cvt = cvt_scaled_overflow},
    {"cvt flushes small products", check_cvt_values, .calls.cvt = cvt_product},
    {"cvt multiplies where it narrows", check_cvt_values, .calls.cvt = narrow_multiplies},
    {"cvt divides where it widens", check_cvt_values, .calls.cvt = wide_divides},
    {"cvt takes the other byte of n2", check_cvt_values, .calls.cvt = wrong_byte},
    {"cvt takes the scale 2^-127 for 2^-126", check_cvt_values, .calls.cvt = least_scale},
    {"cvt takes a scale for each element with n1", check_cvt_values, .calls.cvt = byte_each},
    {"cvt knows no .pzo", check_cvt_values, .calls.cvt = no_pzo},
    {"cvt is wrong in one code under one scale", check_cvt_scales, .calls.cvt = cvt_with_one_scale_wrong},
    {"cvt is wrong in one code under one scale, seen by the sweep of all", check_cvt_all_scales,
     .calls.cvt = cvt_with_one_scale_wrong},
    {"cvt applies .pzo to a NaN", check_cvt_values, .calls.cvt = cvt_pzo_nan},
    {"cvt applies .pzo to negative results", check_cvt_values, .calls.cvt = cvt_pzo_negative},
    {"cvt applies .pzo only to a source of -0", check_cvt_values, .calls.cvt = cvt_pzo_source},
    {"cvt to s2f6 makes -Inf -127/64", check_cvt_values, .calls.cvt = cvt_s2f6_infinity},
    {"cvt to s2f6 ends at -127/64", check_cvt_values, .calls.cvt = cvt_s2f6_end},
    {"cvt to s2f6 makes a NaN 0", check_cvt_values, .calls.cvt = cvt_s2f6_nan},
    {"cvt to s2f6 cuts downwards", check_cvt_examples, .calls.cvt = cvt_s2f6_floor},
    {"cvt from s2f6 takes -2 for -0", check_cvt_values, .calls.cvt = cvt_s2f6_sign},
    {"cvt to ue5m3 keeps the sign", check_cvt_values, .calls.cvt = cvt_ue5m3_sign},
    {"cvt to ue5m3 rounds a tiny number up to 0", check_cvt_values, .calls.cvt = cvt_ue5m3_tiny},
    {"cvt to ue5m3 saturates without .satfinite", check_cvt_values, .calls.cvt = cvt_ue5m3_overflow},
    {"cvt to ue5m3 saturates Inf with .rz", check_cvt_values, .calls.cvt = cvt_ue5m3_infinity},
    {"cvt from ue5m3 to f16 saturates", check_cvt_values, .calls.cvt = cvt_f16_saturates},
    {"cvt.rz to e5m2 rounds to nearest", check_cvt_values, .calls.cvt = cvt_cut},
    {"cvt from e5m2 keeps Inf under .satfinite", check_cvt_values, .calls.cvt = cvt_infinity},
    {"cvt is wrong in half a pair with n1", check_cvt_lengths, .calls.cvt = last_scale},
    {"cvt reads a scale too many", check_cvt_lengths, .calls.cvt = reads_scale_behind},
    {"cvt needs no scales where there are some", check_cvt_status, .calls.cvt = needs_no_scale},
    {"cvt wants whole pairs with n1", check_cvt_status, .calls.cvt = wants_pairs},
    {"cvt_check takes .pzo with .rs", check_cvt_status, .calls.cvt_check = check_takes_pzo},
    {"cvt writes over the scales", check_cvt_overlaps, .calls.cvt = over_scales},
    {"plan_cvt forgets .pzo", check_cvt_plans, .calls.plan_cvt = plan_without_pzo},
    {"parse_cvt takes n2 for n1", check_cvt_text_legality, .calls.parse_cvt = parse_other_scale},
    {"parse_cvt takes half a word of .scaled", check_cvt_text_malformed,
     .calls.parse_cvt = parse_short_scale},
    {"format_cvt forgets .pzo", check_cvt_text_format, .calls.format_cvt = format_without_pzo},
    {"cvt_since is too early with a scale", check_cvt_since, .calls.cvt_since = since_too_old},
};
const struct planted_list planted_cvt_scaled = {faults, sizeof faults / sizeof faults[0]};
