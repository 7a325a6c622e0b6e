/* SPDX-License-Identifier: MIT */
/* The model of vmax, vmin, vclamp and vrelu. */
#include "model/model_maxmin.h"

#include <math.h>

/** The types with their legal modifiers, from the syntax lines of max and min in the PTX ISA, and their canonical
 * NaN. The types of 8 bits and less, and NaN propagation and the canonical NaN of f64, are additions of this library.
 */
struct maxmin_row {
    pto_dtype type;
    unsigned flags;
    uint64_t nan;
};

static const struct maxmin_row rows[] = {
    {PTO_U8, 0, 0},
    {PTO_U16, 0, 0},
    {PTO_U32, 0, 0},
    {PTO_U64, 0, 0},
    {PTO_S8, 0, 0},
    {PTO_S16, 0, 0},
    {PTO_S32, 0, 0},
    {PTO_S64, 0, 0},
    {PTO_F16, PTO_FTZ | PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS, 0x7fff},
    {PTO_BF16, PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS, 0x7fff},
    {PTO_F32, PTO_FTZ | PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS, 0x7fffffff},
    {PTO_E4M3, PTO_PROPAGATE_NAN, 0x7f},
    {PTO_E5M2, PTO_PROPAGATE_NAN, 0x7f},
    {PTO_E2M3, PTO_PROPAGATE_NAN, 0},
    {PTO_E3M2, PTO_PROPAGATE_NAN, 0},
    {PTO_E4M3FNUZ, PTO_PROPAGATE_NAN, 0x80},
    {PTO_E5M2FNUZ, PTO_PROPAGATE_NAN, 0x80},
    {PTO_E4M3B11FNUZ, PTO_PROPAGATE_NAN, 0x80},
    {PTO_E4M3IEEE, PTO_PROPAGATE_NAN, 0x7f},
    {PTO_E3M4, PTO_PROPAGATE_NAN, 0x7f},
    {PTO_BINARY8P3SE, PTO_PROPAGATE_NAN, 0x80},
    {PTO_BINARY8P4SE, PTO_PROPAGATE_NAN, 0x80},
    {PTO_F64, PTO_PROPAGATE_NAN, 0x7fffffffffffffff},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct maxmin_row *row_of(pto_dtype type) {
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].type == type) return &rows[i];
    }
    return NULL;
}

size_t model_maxmin_operands(enum model_maxmin call) {
    static const size_t operands[MODEL_MAXMIN_CALLS] = {2, 2, 3, 1};
    return operands[call];
}

pto_status model_maxmin_status(enum model_maxmin call, pto_dtype type, unsigned flags) {
    const struct maxmin_row *row = row_of(type);
    const bool signs = call == MODEL_MAX || call == MODEL_MIN;
    if (!row) return PTO_ERR_TYPE;
    if ((flags & PTO_XORSIGN_ABS) && !signs) return PTO_ERR_MODIFIER;
    return (flags & ~row->flags) != 0 ? PTO_ERR_MODIFIER : PTO_OK;
}

/** Encodes a value that is neither a NaN nor negative: the exponent of its leading bit, then the bits after it. */
static uint64_t encode(pto_dtype type, double number) {
    const int fraction_bits = model_fraction_bits(type);
    const uint64_t infinity = ((uint64_t)1 << model_exponent_bits(type)) - 1;
    const int bias = (int)(infinity / 2);
    int exponent;
    double significand;

    if (number == 0) return 0;
    if (isinf(number)) return infinity << fraction_bits;
    significand = 2 * frexp(number, &exponent); /* in [1, 2) */
    exponent += bias - 1;
    if (exponent < 1) return (uint64_t)ldexp(number, bias - 1 + fraction_bits); /* subnormal */
    return ((uint64_t)exponent << fraction_bits) + (uint64_t)ldexp(significand - 1, fraction_bits);
}

static bool sign_of(pto_dtype type, const void *element) {
    if (model_is_small(type)) return *(const unsigned char *)element / model_sign_bit(type) % 2 != 0;
    const size_t last = model_size(type) - 1; /* little-endian */
    return ((const unsigned char *)element)[last] >= 128;
}

/** Returns the code of an f64 NaN without its sign, made quiet. Bit 51 is the highest fraction bit. */
static uint64_t quiet_payload(const void *element) {
    const unsigned char *bytes = element;
    uint64_t code = bytes[7] & 0x7f;
    for (size_t i = 7; i-- > 0;) {
        code = code * 256 + bytes[i];
    }
    return code | (uint64_t)1 << 51;
}

struct model_lane model_lane_read(pto_dtype type, unsigned flags, const void *element) {
    struct model_lane lane = {.value = model_decode(type, (flags & PTO_FTZ) != 0, element)};
    if (!model_is_float(type)) {
        for (size_t i = model_size(type); i-- > 0;) {
            lane.magnitude = lane.magnitude * 256 + ((const unsigned char *)element)[i];
        }
        return lane;
    }
    lane.negative = sign_of(type, element);
    if (model_is_small(type))
        lane.magnitude = *(const unsigned char *)element % model_sign_bit(type);
    else if (!lane.value.nan)
        lane.magnitude = encode(type, fabs(lane.value.real));
    else if (type == PTO_F64)
        lane.magnitude = quiet_payload(element);
    return lane;
}

static struct model_lane absolute(const struct model_lane *lane) {
    struct model_lane result = *lane;
    result.value.real = fabs(result.value.real);
    result.negative = false;
    return result;
}

/** Whether a is the greater of two non-NaN values. +0 is greater than -0. */
static bool first_is_greater(pto_dtype type, const struct model_lane *a, const struct model_lane *b) {
    switch (model_relate(type, &a->value, &b->value)) {
    case MODEL_GREATER: return true;
    case MODEL_LESS: return false;
    default: return !a->negative;
    }
}

/** Returns the maximum or minimum of a and b as the PTX ISA defines it. `propagate` is true for .NaN. */
static struct model_lane two_inputs(enum model_maxmin step, pto_dtype type, bool propagate,
                                    const struct model_lane *a, const struct model_lane *b) {
    if (propagate && b->value.nan) return *b;
    if (a->value.nan) return propagate ? *a : *b;
    if (b->value.nan) return *a;
    return first_is_greater(type, a, b) == (step == MODEL_MAX) ? *a : *b;
}

struct model_lane model_maxmin_step(enum model_maxmin step, pto_dtype type, unsigned flags,
                                    const struct model_lane *a, const struct model_lane *b) {
    const bool propagate = (flags & PTO_PROPAGATE_NAN) != 0;
    struct model_lane result, x, y;
    if (!(flags & PTO_XORSIGN_ABS)) return two_inputs(step, type, propagate, a, b);
    x = absolute(a);
    y = absolute(b);
    result = two_inputs(step, type, propagate, &x, &y);
    result.negative = a->negative != b->negative; /* for a NaN operand too, but a NaN result is canonical */
    return result;
}

uint64_t model_lane_bits_of(pto_dtype type, unsigned flags, const struct model_lane *lane) {
    const uint64_t half = model_sign_bit(type);
    /* of two NaNs of f64 an H100 returns the second operand's, made quiet */
    const bool keeps_payload = type == PTO_F64 && !(flags & PTO_PROPAGATE_NAN);
    if (lane->value.nan && !keeps_payload) return row_of(type)->nan;
    return lane->magnitude + (lane->negative ? half : 0);
}

uint64_t model_maxmin(enum model_maxmin call, pto_dtype type, unsigned flags,
                      const struct model_lane *operands) {
    static const unsigned char zeros[8];
    struct model_lane other = call == MODEL_RELU ? model_lane_read(type, flags, zeros) : operands[1];
    struct model_lane result =
        model_maxmin_step(call == MODEL_MIN ? MODEL_MIN : MODEL_MAX, type, flags, &operands[0], &other);
    if (call == MODEL_CLAMP) result = model_maxmin_step(MODEL_MIN, type, flags, &result, &operands[2]);
    return model_lane_bits_of(type, flags, &result);
}
