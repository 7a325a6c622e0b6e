/* SPDX-License-Identifier: MIT */
/* Block scaling code that the calls on arrays and the handlers for XLA share. */
#ifndef BLOCK_H
#define BLOCK_H

#include "core.h"

/* Computes the second-level value (pto_block_op.tensor) of a tensor of type `wide` whose largest magnitude is amax,
 * as the framework that the rule is named after computes it. Except for PTO_NV_TE, the value is 1 if the formula
 * gives 0 or infinity for a finite amax, because that would make every element a NaN. Returns the statuses of
 * pto_block_tensor(). */
pto_status block_number_of(pto_block_rule rule, pto_dtype wide, float amax, float *number);

#endif
