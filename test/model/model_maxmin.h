/* SPDX-License-Identifier: MIT */
/** @file model_maxmin.h
 * The model of pto_vmax(), pto_vmin(), pto_vclamp() and pto_vrelu(), which is slow but simple: PTX ISA, "max" and
 * "min" of integers, of f32 and f64, and of half precision. Operands are decoded, compared as numbers, and the
 * result is encoded again. */
#ifndef PTO_TEST_MODEL_MAXMIN_H
#define PTO_TEST_MODEL_MAXMIN_H

#include "model/model.h"

/** The calls, in the order in which the checks run them. */
enum model_maxmin { MODEL_MAX, MODEL_MIN, MODEL_CLAMP, MODEL_RELU };
enum { MODEL_MAXMIN_CALLS = 4, MODEL_MAXMIN_FLAGS = PTO_FTZ | PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS };

/** The number of operands: 2, 2, 3 and 1. */
size_t model_maxmin_operands(enum model_maxmin call);

/** Returns PTO_ERR_TYPE, PTO_ERR_MODIFIER or PTO_OK. */
pto_status model_maxmin_status(enum model_maxmin call, pto_dtype type, unsigned flags);

/** An operand or a result: its value and its encoding. */
struct model_lane {
    struct model_value value;
    bool negative; /* of a float: its sign, which zeros and NaNs have, too */
    uint64_t
        magnitude; /* of a float: the code without the sign (NaNs: f64 only); of an integer: all its bits */
};

/** Decodes an operand, with subnormals flushed if the flags include PTO_FTZ. */
struct model_lane model_lane_read(pto_dtype type, unsigned flags, const void *element);

/** Returns the maximum of a and b if `step` is MODEL_MAX, their minimum if it is MODEL_MIN. */
struct model_lane model_maxmin_step(enum model_maxmin step, pto_dtype type, unsigned flags,
                                    const struct model_lane *a, const struct model_lane *b);

/** Encodes the result under these flags as an element. */
uint64_t model_lane_bits_of(pto_dtype type, unsigned flags, const struct model_lane *lane);

/** Computes a whole call for one lane, with as many operands as the call has. */
uint64_t model_maxmin(enum model_maxmin call, pto_dtype type, unsigned flags,
                      const struct model_lane *operands);

#endif
