/* SPDX-License-Identifier: MIT */
/* The instructions of ptx_truth_forms.inc, and which digest each of them makes. */
#ifndef PTO_PTX_LIST_H
#define PTO_PTX_LIST_H

#include "digest_input.h"
#include "ptx_chip.h"

/* The instruction that makes a form's digest, NULL for none. Where PTX spells the form for one element and for two, the
 * packed instruction if asked to. */
const struct ptx_instruction *ptx_instruction_of(const struct form *form, bool packed);

/* What an instruction is given of a block of the form. */
struct ptx_batch ptx_batch_of(const struct form *form, const struct truth_shape *shape, struct block *block);

#endif
