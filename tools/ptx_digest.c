/* SPDX-License-Identifier: MIT */
/* Computes the results of a form's blocks on a chip. */
#include "ptx_digest.h"

bool ptx_form_of(const struct form *form, bool packed, struct ptx_form *made) {
    made->form = *form;
    made->instruction = ptx_instruction_of(form, packed);
    return made->instruction != NULL && truth_shape_of(made->instruction->text, &made->shape) != 0;
}

pto_status ptx_block_run(const struct form *form, struct block *block) {
    const struct ptx_form *const on_chip = (const struct ptx_form *)form;
    const struct ptx_batch batch = ptx_batch_of(form, &on_chip->shape, block);
    if (batch.result_bytes != result_bytes(form, block->n)) return PTO_ERR_SIZE;
    ptx_chip_run(on_chip->instruction, &on_chip->shape, &batch);
    return PTO_OK;
}
