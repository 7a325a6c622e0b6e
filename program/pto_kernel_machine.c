/* SPDX-License-Identifier: MIT */
/* What all operations of kernel programs use while they run: errors, the budget, tracing, regions and masks.
 * Also operations that only order others, and queries. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors and the budget ---- */

bool pto_kernel_fail(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                     pto_status status, const char *format, ...) {
    pto_program_error *problem = &m->program->problem;
    va_list arguments;
    memset(problem, 0, sizeof *problem);
    if (!word) word = &op->place;
    problem->line = op->place.line;
    problem->column = op->place.column;
    (void)snprintf(problem->word, sizeof problem->word, "%.*s",
                   (int)(word->length < sizeof problem->word ? word->length : sizeof problem->word - 1),
                   word->at);
    va_start(arguments, format);
    (void)vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    m->status = status;
    return false;
}

bool pto_kernel_is_ok(struct kernel_machine *m, const struct kernel_op *op, pto_status status) {
    return status == PTO_OK || pto_kernel_fail(m, op, NULL, status, "%s", pto_strerror(status));
}

bool pto_kernel_is_stopped(struct kernel_machine *m) {
    const pto_program_options *o = &m->program->options;
    bool stopped;
    if (!o->stop) return false;
    pto_fp_enter(&m->caller_state);
    stopped = o->stop(o->user);
    m->caller_state = pto_fp_enter_default();
    return stopped;
}

bool pto_kernel_spend(struct kernel_machine *m, const struct kernel_op *op) {
    enum { BETWEEN_STOPS = 65536 };
    if (m->steps == m->budget)
        return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "the run took more than %llu operations",
                               (unsigned long long)m->budget);
    if (++m->steps % BETWEEN_STOPS != 0 || !pto_kernel_is_stopped(m)) return true;
    m->status = PTO_ERR_STOPPED;
    return false;
}

/* ---- tracing ---- */

static void trace_value(struct kernel_machine *m, const struct kernel_op *op, const struct kernel_value *v) {
    const pto_program_options *o = &m->program->options;
    const bool is_mask = v->type.kind == KERNEL_MASK;
    unsigned char bytes[KERNEL_VMI_LANES];
    char name[64];
    pto_program_step step = {
        .line = op->place.line, .name = name, .type = v->type.element, .data = kernel_at(m, v), .lanes = 1};
    (void)snprintf(name, sizeof name, "%.*s", (int)v->name.length, v->name.at);
    if (v->type.kind == KERNEL_VECTOR)
        step.lanes = (size_t)v->type.lanes * (pto_dtype_bits(v->type.element) == 4 ? 2 : 1);
    if (is_mask) {
        step.lanes = v->type.lanes;
        step.type = PTO_B8;
        step.data = bytes;
        if (pto_mask_mov(pto_kernel_mask(m, v), pto_bytes(bytes), step.lanes) != PTO_OK) return;
    }
    pto_fp_enter(&m->caller_state);
    o->trace(o->user, &step);
    m->caller_state = pto_fp_enter_default();
}

static void trace_op(struct kernel_machine *m, const struct kernel_op *op) {
    for (size_t i = 0; i < op->out_count; i++)
        if (op->out[i]->name.length != 0 && op->out[i]->type.kind != KERNEL_POINTER &&
            op->out[i]->type.kind != KERNEL_ALIGN)
            trace_value(m, op, op->out[i]);
}

bool pto_kernel_run_region(struct kernel_machine *m, const struct kernel_region *region) {
    const bool traces = m->program->options.trace != NULL;
    for (const struct kernel_op *op = region->first; op; op = op->next) {
        if (!pto_kernel_spend(m, op) || !op->run(m, op)) return false;
        if (traces) trace_op(m, op);
    }
    return true;
}

/* ---- masks and scalars as operands ---- */

pto_mask pto_kernel_mask(const struct kernel_machine *m, const struct kernel_value *v) {
    if (!v) return PTO_NO_MASK;
    if (v->type.is_vmi) return pto_packed(kernel_at(m, v));
    return pto_mask_at(kernel_at(m, v), v->type.bits == 8    ? PTO_MASK_B8
                                        : v->type.bits == 16 ? PTO_MASK_B16
                                                             : PTO_MASK_B32);
}

bool pto_kernel_packed(struct kernel_machine *m, const struct kernel_op *op, const struct kernel_value *v,
                       unsigned char *to, size_t lanes) {
    if (!v) {
        memset(to, 0xff, (lanes + 7) / 8);
        return true;
    }
    return pto_kernel_is_ok(m, op, pto_mask_mov(pto_kernel_mask(m, v), pto_packed(to), lanes));
}

/* Returns whether all lanes of a mask outside VMI are on. */
static bool is_full_image(const struct kernel_machine *m, const struct kernel_value *mask) {
    const uint64_t lanes = mask->type.bits == 8    ? UINT64_MAX
                           : mask->type.bits == 16 ? 0x5555555555555555
                                                   : 0x1111111111111111;
    uint64_t words[KERNEL_IMAGE_BYTES / 8];
    memcpy(words, kernel_at(m, mask), sizeof words);
    return (words[0] & words[1] & words[2] & words[3] & lanes) == lanes;
}

pto_mask pto_kernel_active(const struct kernel_machine *m, const struct kernel_op *op) {
    if (op->mask && !op->mask->type.is_vmi && is_full_image(m, op->mask)) return PTO_NO_MASK;
    return pto_kernel_mask(m, op->mask);
}

bool pto_kernel_zero_off(struct kernel_machine *m, const struct kernel_op *op, void *to) {
    const uint64_t zero = 0;
    unsigned char packed[KERNEL_VMI_LANES / 8];
    pto_mask mask = pto_kernel_active(m, op);
    if (!mask.data) return true;
    if (!op->mask->type.is_vmi && op->lanes.bytes == 8) { /* lane i of the b32 mask is for element i */
        if (!pto_kernel_packed(m, op, op->mask, packed, op->lanes.count)) return false;
        mask = pto_packed(packed);
    }
    return pto_kernel_is_ok(
        m, op, pto_vsels(op->lanes.bits, pto_in_array(to), pto_in_scalar(&zero), mask, to, op->lanes.count));
}

const void *pto_kernel_spread(struct kernel_machine *m, const struct kernel_op *op,
                              const struct kernel_value *v, unsigned scratch) {
    const pto_status status = pto_vbr(op->lanes.bits, kernel_at(m, v), m->scratch[scratch], op->lanes.count);
    return pto_kernel_is_ok(m, op, status) ? m->scratch[scratch] : NULL;
}

/* ---- order and queries ---- */

bool pto_kernel_nothing(struct kernel_machine *m, const struct kernel_op *op) {
    (void)m, (void)op;
    return true;
}

bool pto_kernel_accept(struct kernel_front *f, struct kernel_call *c) {
    (void)f;
    for (size_t i = 0; i < c->word_count; i++) c->word_is_taken[i] = true;
    for (size_t i = 0; i < c->attribute_count; i++) c->attribute[i].is_taken = true;
    return true;
}

/* Copies the three names of a flag, which are two pipes and an event, to the op. */
bool pto_kernel_prepare_flag(struct kernel_front *f, struct kernel_call *c) {
    struct token *names = pto_kernel_allocate(f, KERNEL_WORDS * sizeof *names);
    if (!names) return false;
    memcpy(names, c->word, c->word_count * sizeof *names);
    c->op->words = names;
    return pto_kernel_accept(f, c);
}

static bool same_flag(const struct token *a, const struct token *b) {
    for (size_t i = 0; i < 3; i++)
        if (a[i].length != b[i].length || (a[i].length != 0 && memcmp(a[i].at, b[i].at, a[i].length) != 0))
            return false;
    return true;
}

bool pto_kernel_set_flag(struct kernel_machine *m, const struct kernel_op *op) {
    if (!m->program->options.strict) return true;
    if (m->flag_count == m->flag_capacity) {
        const size_t capacity = 2 * m->flag_capacity + 16;
        const struct token **grown = realloc(m->flag, capacity * sizeof(struct token *));
        if (!grown) return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "there is not enough memory");
        m->flag = grown;
        m->flag_capacity = capacity;
    }
    for (size_t i = 0; i < m->flag_count; i++)
        if (same_flag(m->flag[i], op->words)) return true;
    m->flag[m->flag_count++] = op->words;
    return true;
}

bool pto_kernel_wait_flag(struct kernel_machine *m, const struct kernel_op *op) {
    if (!m->program->options.strict) return true;
    for (size_t i = 0; i < m->flag_count; i++)
        if (same_flag(m->flag[i], op->words)) return true;
    return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "no set_flag of the same three names precedes it");
}

/* variant: 0 for the index of the block, 1 for the number of blocks, 2 for the index of the sub-block, which
 * is 0, 3 for the number of sub-blocks, which is 1 */
bool pto_kernel_query(struct kernel_machine *m, const struct kernel_op *op) {
    const uint64_t values[] = {m->block, m->blocks, 0, 1};
    kernel_set_bits(m, op->out[0], values[op->variant]);
    return true;
}
