/* SPDX-License-Identifier: MIT */
/* Runs the blocks of a kernel program one after the other. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_constants(const struct kernel_machine *m) {
    for (const struct kernel_value *v = m->kernel->values; v; v = v->next)
        if (v->is_constant) kernel_set_bits(m, v, v->bits);
}

static void set_arguments(const struct kernel_machine *m) {
    for (size_t i = 0; i < m->kernel->argument_count; i++) {
        const struct kernel_argument *a = &m->kernel->argument[i];
        if (a->value->type.kind == KERNEL_POINTER)
            kernel_set_pointer(m, a->value, (struct kernel_pointer){(int)i, 0});
        else
            kernel_set_bits(m, a->value,
                            kernel_load(a->data, pto_kernel_lane_bits(a->value->type.element) / 8, 0));
    }
}

/* Sets the state in which each block starts. */
static void reset(struct kernel_machine *m) {
    memset(m->buffer, 0, m->kernel->touched);
    m->kernel->touched = 0;
    if (m->written) memset(m->written, 0, KERNEL_BUFFER_BYTES * sizeof *m->written);
    m->stored = m->squeezed = 0;
    m->flag_count = 0;
    memset(m->loop_stride, 0, sizeof m->loop_stride);
    for (size_t i = 0; i < 4; i++) m->loop_size[i / 2][i % 2] = 1;
}

static pto_status run_blocks(struct kernel_machine *m) {
    m->caller_state = pto_fp_enter_default();
    for (m->block = 0; m->block < m->blocks && m->status == PTO_OK; m->block++) {
        if (m->block != 0 && pto_kernel_is_stopped(m)) {
            m->status = PTO_ERR_STOPPED;
            break;
        }
        reset(m);
        set_arguments(m);
        if (!pto_kernel_run_region(m, &m->kernel->chosen->body) && m->status == PTO_OK)
            m->status = PTO_ERR_SIZE;
    }
    pto_fp_enter(&m->caller_state);
    return m->status;
}

pto_status pto_kernel_run_machine(pto_program *program, size_t blocks) {
    struct kernel *k = program->kernel;
    struct kernel_machine m = {.program = program, .kernel = k, .blocks = blocks, .memory = k->memory};
    m.budget = program->options.max_steps ? program->options.max_steps : (uint64_t)1 << 32;
    m.buffer = k->buffer;
    for (size_t i = 0; i < 3; i++) m.scratch[i] = k->scratch + i * KERNEL_SCRATCH_BYTES;
    if (program->options.strict) m.written = malloc(KERNEL_BUFFER_BYTES * sizeof *m.written);
    if (program->options.strict && !m.written) {
        (void)snprintf(program->problem.text, sizeof program->problem.text, "there is not enough memory");
        m.status = PTO_ERR_SIZE;
    } else {
        set_constants(&m);
        (void)run_blocks(&m);
    }
    if (m.status != PTO_OK && program->problem.text[0] == 0)
        (void)snprintf(program->problem.text, sizeof program->problem.text, "%s", pto_strerror(m.status));
    free(m.written);
    free(m.flag);
    return m.status;
}
