/* SPDX-License-Identifier: MIT */
/* Pointers of kernel programs: checks of bounds, castptr, addptr, and loads and stores of one element. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- bounds ---- */

/* Writes an address in the form that errors show, such as "%arg0 + 4096". */
static void address_name(const struct kernel_machine *m, const struct kernel_pointer *p, int64_t at, char *to,
                         size_t size) {
    const char *name = p->array == KERNEL_UB ? "ub" : m->kernel->argument[p->array].name;
    if (at < 0)
        (void)snprintf(to, size, "%.40s - %" PRIu64, name, 0 - (uint64_t)at);
    else
        (void)snprintf(to, size, "%.40s + %" PRId64, name, at);
}

static bool out_of_bounds(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                          const struct kernel_pointer *p, int64_t at, size_t bytes, size_t end,
                          struct kernel_access access) {
    char unit[48] = "the operation", address[72], where[48];
    if (access.unit)
        (void)snprintf(unit, sizeof unit, "%s %zu%s", access.unit, access.index,
                       access.is_copy ? " of the copy" : "");
    address_name(m, p, at, address, sizeof address);
    if (at < 0)
        (void)snprintf(where, sizeof where, "before its start");
    else
        (void)snprintf(where, sizeof where, "past its end (%zu bytes)", end);
    return pto_kernel_fail(m, op, word, PTO_ERR_SIZE, "%s %s %zu bytes at %s, %s", unit,
                           access.writes ? "writes" : "reads", bytes, address, where);
}

/* With options.strict, records the bytes of the unified buffer that are written, and reports a byte that is
 * read before it is written. Copies may read such bytes. Returns false after an error. */
static bool check_written(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                          size_t at, size_t bytes, struct kernel_access access) {
    if (access.writes) {
        memset(m->written + at, true, bytes);
        return true;
    }
    for (size_t i = at; i < at + bytes && !access.is_copy; i++)
        if (!m->written[i])
            return pto_kernel_fail(m, op, word, PTO_ERR_SIZE,
                                   "lane %zu reads ub + %zu, which nothing has written", access.index, i);
    return true;
}

/* Records that bytes of the buffer before `end` may have other values than 0. */
static void touch(struct kernel_machine *m, size_t end) {
    if (end > m->kernel->touched) m->kernel->touched = end;
}

unsigned char *pto_kernel_access(struct kernel_machine *m, const struct kernel_op *op,
                                 const struct token *word, const struct kernel_pointer *p, int64_t offset,
                                 size_t bytes, struct kernel_access access) {
    const bool in_buffer = p->array == KERNEL_UB;
    unsigned char *base = in_buffer ? m->buffer : m->kernel->argument[p->array].memory;
    const size_t end = in_buffer ? KERNEL_BUFFER_BYTES : m->kernel->argument[p->array].bytes;
    int64_t at;
    if (__builtin_add_overflow(p->offset, offset, &at)) at = INT64_MIN;
    if (at < 0 || (uint64_t)at > end || bytes > end - (size_t)at) {
        (void)out_of_bounds(m, op, word, p, at, bytes, end, access);
        return NULL;
    }
    if (in_buffer && access.writes) touch(m, (size_t)at + bytes);
    if (m->written && in_buffer && !check_written(m, op, word, (size_t)at, bytes, access)) return NULL;
    return base + at;
}

/* Checks all units together. If this fails, and always with options.strict, checks unit by unit. */
unsigned char *pto_kernel_units(struct kernel_machine *m, const struct kernel_op *op,
                                const struct kernel_pointer *p, int64_t offset, size_t bytes, size_t count,
                                bool writes) {
    const size_t end = p->array == KERNEL_UB ? KERNEL_BUFFER_BYTES : m->kernel->argument[p->array].bytes;
    struct kernel_access access = {.unit = "lane", .writes = writes};
    int64_t at;
    if (!m->written && !__builtin_add_overflow(p->offset, offset, &at) && at >= 0 && (uint64_t)at <= end &&
        bytes * count <= end - (size_t)at) {
        if (writes && p->array == KERNEL_UB) touch(m, (size_t)at + bytes * count);
        return (p->array == KERNEL_UB ? m->buffer : m->kernel->argument[p->array].memory) + at;
    }
    for (; access.index < count; access.index++)
        if (!pto_kernel_access(m, op, &op->pointer, p, offset + (int64_t)(access.index * bytes), bytes,
                               access))
            return NULL;
    access.index = 0;
    return pto_kernel_access(m, op, &op->pointer, p, offset, bytes, access);
}

bool pto_kernel_check_aligned(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                              const struct kernel_pointer *p, int64_t offset) {
    char address[72];
    if (!m->program->options.strict || p->array != KERNEL_UB ||
        (uint64_t)(p->offset + offset) % KERNEL_BLOCK_BYTES == 0)
        return true;
    address_name(m, p, p->offset + offset, address, sizeof address);
    return pto_kernel_fail(m, op, word, PTO_ERR_SIZE, "%s is not at a multiple of 32 bytes", address);
}

/* ---- castptr and addptr ---- */

static bool run_castptr(struct kernel_machine *m, const struct kernel_op *op) {
    const bool from_pointer = op->in[0]->type.kind == KERNEL_POINTER;
    const bool to_pointer = op->out[0]->type.kind == KERNEL_POINTER;
    if (!from_pointer)
        kernel_set_pointer(m, op->out[0],
                           (struct kernel_pointer){KERNEL_UB, (int64_t)kernel_bits(m, op->in[0])});
    else if (to_pointer)
        kernel_set_pointer(m, op->out[0], kernel_get_pointer(m, op->in[0]));
    else
        kernel_set_bits(m, op->out[0],
                        (uint64_t)kernel_get_pointer(m, op->in[0]).offset << (64 - op->out[0]->type.bits) >>
                            (64 - op->out[0]->type.bits));
    return true;
}

bool pto_kernel_castptr(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *from, *to;
    if (c->operand_count != 1 || c->result_count != 1 || c->out_count != 1)
        return pto_text_error(&f->text, &c->opcode,
                              "expected an operand, a result and the type of the result");
    from = &c->operand[0].value->type;
    to = &c->out[0].type;
    if ((from->kind != KERNEL_INTEGER && from->kind != KERNEL_POINTER) ||
        (to->kind != KERNEL_INTEGER && to->kind != KERNEL_POINTER) ||
        (from->kind == KERNEL_INTEGER && to->kind == KERNEL_INTEGER))
        return pto_text_error(&f->text, &c->out[0].token,
                              "expected an integer and a pointer, or two pointers");
    if (c->in_count == 1 && !pto_kernel_types_agree(&c->in[0].type, from))
        return pto_kernel_wrong_type(f, &c->in[0].token, from, &c->in[0].type);
    if (from->kind == KERNEL_POINTER && to->kind == KERNEL_POINTER && from->is_global != to->is_global)
        return pto_text_error(&f->text, &c->out[0].token, "expected a pointer to the same memory");
    if (from->kind == KERNEL_POINTER ? to->kind == KERNEL_INTEGER && from->is_global : to->is_global)
        return pto_text_error(&f->text, &c->out[0].token, "arrays in gm have no address: only ub has");
    c->op->run = run_castptr;
    return pto_kernel_result(f, c, 0, *to);
}

bool pto_kernel_addptr(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[0]);
    kernel_set_pointer(m, op->out[0],
                       kernel_advance(p, kernel_signed(m, op->in[1]), kernel_element_bytes(op->in[0])));
    return true;
}

/* ---- one element ---- */

static bool is_element(const struct kernel_type *scalar, const struct kernel_type *pointer) {
    const unsigned bits =
        scalar->kind == KERNEL_INTEGER ? scalar->bits : pto_kernel_lane_bits(scalar->element);
    return bits == pto_kernel_lane_bits(pointer->element);
}

bool pto_kernel_prepare_load_scalar(struct kernel_front *f, struct kernel_call *c) {
    return is_element(&c->op->out[0]->type, &c->op->in[0]->type) ||
           pto_text_error(&f->text, &c->opcode, "expected a result as wide as the pointer's elements");
}

bool pto_kernel_prepare_store_scalar(struct kernel_front *f, struct kernel_call *c) {
    if (c->op->in[1]->root) c->op->in[1]->root->is_stored = true;
    return is_element(&c->op->in[0]->type, &c->op->in[1]->type) ||
           pto_text_error(&f->text, &c->opcode, "expected a value as wide as the pointer's elements");
}

bool pto_kernel_load_scalar(struct kernel_machine *m, const struct kernel_op *op) {
    const int64_t bytes = kernel_element_bytes(op->in[0]);
    const struct kernel_pointer p =
        kernel_advance(kernel_get_pointer(m, op->in[0]), kernel_signed(m, op->in[1]), bytes);
    const struct kernel_access access = {.writes = false};
    const unsigned char *at = pto_kernel_access(m, op, &op->pointer, &p, 0, (size_t)bytes, access);
    if (at) kernel_set_bits(m, op->out[0], kernel_load(at, (unsigned)bytes, 0));
    return at != NULL;
}

bool pto_kernel_store_scalar(struct kernel_machine *m, const struct kernel_op *op) {
    const int64_t bytes = kernel_element_bytes(op->in[1]);
    const struct kernel_pointer p =
        kernel_advance(kernel_get_pointer(m, op->in[1]), kernel_signed(m, op->in[2]), bytes);
    const struct kernel_access access = {.writes = true};
    unsigned char *at = pto_kernel_access(m, op, &op->pointer, &p, 0, (size_t)bytes, access);
    if (at) kernel_store(at, (unsigned)bytes, 0, kernel_bits(m, op->in[0]));
    return at != NULL;
}
