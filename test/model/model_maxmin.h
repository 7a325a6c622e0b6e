/* SPDX-License-Identifier: MIT */
/**
 * @file model_maxmin.h
 * The slow model of pto_vmax, pto_vmin, pto_vclamp and pto_vrelu: PTX ISA, "max" and "min" of integers, of f32 and
 * f64, and of halves. Operands become numbers, numbers are compared, and the number that wins is encoded again.
 */
#ifndef PTO_TEST_MODEL_MAXMIN_H
#define PTO_TEST_MODEL_MAXMIN_H

#include "model/model.h"

/** The calls, in the order in which the checks take them. */
enum model_extreme { MODEL_MAX, MODEL_MIN, MODEL_CLAMP, MODEL_RELU };
enum { MODEL_EXTREMES = 4, MODEL_EXTREME_FLAGS = PTO_FTZ | PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS };

/** How many operands the call takes: 2, 2, 3, 1. */
size_t model_extreme_operands(enum model_extreme call);

/** TYPE, MODIFIER or OK. */
pto_status model_extreme_status(enum model_extreme call, pto_dtype type, unsigned flags);

/** An operand or a result: its value, and how its elements spell it. */
struct model_lane {
    struct model_value value;
    bool negative; /* of a float: its sign, which a zero and a NaN have, too */
    uint64_t
        magnitude; /* of a float: its code without the sign, of a NaN only f64's; of an integer: its bits */
};

/** An operand as the flags make the operation see it. */
struct model_lane model_lane_read(pto_dtype type, unsigned flags, const void *element);

/** One step: MODEL_MAX or MODEL_MIN. */
struct model_lane model_extreme_step(enum model_extreme step, pto_dtype type, unsigned flags,
                                     const struct model_lane *a, const struct model_lane *b);

/** The element that stands for the result. */
uint64_t model_lane_bits_of(pto_dtype type, const struct model_lane *lane);

/** A whole call on one lane: as many operands as the call takes. */
uint64_t model_extreme(enum model_extreme call, pto_dtype type, unsigned flags,
                       const struct model_lane *operands);

#endif
