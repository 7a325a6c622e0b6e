/* SPDX-License-Identifier: MIT */
/* What the calls on arrays and the handlers for XLA share of block scaling. */
#ifndef BLOCK_H
#define BLOCK_H

#include "core.h"

/* The second-level number of a tensor of this type with this largest magnitude, as the rule's stack finds it. It is 1 if
 * the formula gives 0 or infinity for a finite amax, which would make every element a NaN. Statuses as
 * pto_block_tensor(). */
pto_status block_number_of(pto_block_rule rule, pto_dtype wide, float amax, float *number);

#endif
