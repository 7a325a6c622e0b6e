/* SPDX-License-Identifier: MIT */
/* Computes the results of a form's blocks on a chip, for share_digest() and write_digest(). */
#ifndef PTO_PTX_DIGEST_H
#define PTO_PTX_DIGEST_H

#include "digest_share.h"
#include "ptx_list.h"

/* A form, and the instruction that computes it on a chip. */
struct ptx_form {
    struct form form; /* must be first: ptx_block_run() casts a pointer to it to a struct ptx_form */
    const struct ptx_instruction *instruction;
    struct truth_shape shape;
};

/* Fills *made. Returns false if PTX has no instruction for the form. */
bool ptx_form_of(const struct form *form, bool packed, struct ptx_form *made);

/* A block_runner. `form` must be the member of a struct ptx_form. */
pto_status ptx_block_run(const struct form *form, struct block *block);

#endif
