/* SPDX-License-Identifier: MIT */
/* The results of a form's blocks by a chip, for leaf and write_digest. */
#ifndef PTO_PTX_DIGEST_H
#define PTO_PTX_DIGEST_H

#include "digest_leaf.h"
#include "ptx_list.h"

/* A form, and what makes it on a chip. */
struct ptx_form {
    struct form form; /* first: a pointer to it is one to all of this */
    const struct ptx_instruction *instruction;
    struct truth_shape shape;
};

/* False where PTX has no instruction for the form. */
bool ptx_form_of(const struct form *form, bool packed, struct ptx_form *made);

/* A block_runner of the form in a struct ptx_form. */
pto_status ptx_block_run(const struct form *form, struct block *block);

#endif
