/* SPDX-License-Identifier: MIT */
/* The instructions of ptx_truth_forms.inc, and the form whose digest each of them computes. */
#ifndef PTO_PTX_LIST_H
#define PTO_PTX_LIST_H

#include "digest_input.h"
#include "ptx_chip.h"

/* Returns the instruction that computes a form's digest, or NULL if there is none. If PTX has the form for one
 * element and for two, it is the instruction for two if `packed` is true. */
const struct ptx_instruction *ptx_instruction_of(const struct form *form, bool packed);

/* Returns the operands and results of a block as a batch for the form's instruction. */
struct ptx_batch ptx_batch_of(const struct form *form, const struct truth_shape *shape, struct block *block);

#endif
