/* SPDX-License-Identifier: MIT */
/* Copies of kernel programs between global memory and the unified buffer, and inside the buffer: row by row,
 * in order. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <string.h>

enum { COPY_LOOPS = KERNEL_GROUPS };

/* A copy of `rows` rows of `bytes` bytes, repeated by loops around the rows. Loop 0 is the innermost loop.
 * All strides and steps are in bytes. */
struct copy {
    struct kernel_pointer from, to;
    const struct token *from_word, *to_word;
    uint64_t rows, bytes;
    uint64_t from_stride, to_stride;
    size_t loops; /* number of loops */
    uint64_t count[COPY_LOOPS], from_step[COPY_LOOPS], to_step[COPY_LOOPS];
    /* padding in the buffer: elements of `pad_bytes` bytes, `left` of them before each row and `right` after
     * it */
    bool pads;
    uint64_t pad_value, left, right;
    unsigned pad_bytes;
};

static void fill(unsigned char *to, const struct copy *c, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) to[i] = (unsigned char)(c->pad_value >> (i % c->pad_bytes * 8));
}

/* Returns the bytes of padding after a row: `right` elements; if `right` is 0, the bytes that fill the last
 * block of 32 bytes. `before` is the number of bytes in the row and in the padding before it. */
static uint64_t right_bytes(const struct copy *c, uint64_t before) {
    if (c->right != 0) return c->right * c->pad_bytes;
    return (KERNEL_BLOCK_BYTES - before % KERNEL_BLOCK_BYTES) % KERNEL_BLOCK_BYTES;
}

/* Returns the address of `bytes` bytes, which may be 0, of a row; or NULL after an error. */
static unsigned char *part(struct kernel_machine *m, const struct kernel_op *op, const struct copy *c,
                           bool writes, uint64_t offset, uint64_t bytes, uint64_t row) {
    const struct kernel_access access = {
        .unit = "row", .index = (size_t)row, .writes = writes, .is_copy = true};
    return pto_kernel_access(m, op, writes ? c->to_word : c->from_word, writes ? &c->to : &c->from,
                             (int64_t)offset, (size_t)bytes, access);
}

static bool copy_row(struct kernel_machine *m, const struct kernel_op *op, const struct copy *c,
                     uint64_t from, uint64_t to, uint64_t row) {
    const uint64_t left = c->pads ? c->left * c->pad_bytes : 0;
    const uint64_t right = c->pads ? right_bytes(c, left + c->bytes) : 0;
    const unsigned char *source;
    unsigned char *target;
    if (c->bytes > KERNEL_BUFFER_BYTES || left > KERNEL_BUFFER_BYTES || right > KERNEL_BUFFER_BYTES)
        return pto_kernel_fail(m, op, c->to_word, PTO_ERR_SIZE,
                               "row %zu of the copy is longer than the buffer", (size_t)row);
    if (!pto_kernel_check_aligned(m, op, c->from_word, &c->from, (int64_t)from) ||
        !pto_kernel_check_aligned(m, op, c->to_word, &c->to, (int64_t)to))
        return false;
    source = part(m, op, c, false, from, c->bytes, row);
    target = source ? part(m, op, c, true, to, left + c->bytes + right, row) : NULL;
    if (!target) return false;
    memmove(target + left, source, c->bytes);
    fill(target, c, left);
    fill(target + left + c->bytes, c, right);
    return true;
}

/* Runs the loops from `level` - 1 down to 0, and inside them copies the rows. */
// NOLINTNEXTLINE(misc-no-recursion): a copy has at most COPY_LOOPS loops
static bool copy_level(struct kernel_machine *m, const struct kernel_op *op, const struct copy *c,
                       size_t level, uint64_t from, uint64_t to) {
    if (level == 0) {
        for (uint64_t row = 0; row < c->rows; row++)
            if (!pto_kernel_spend(m, op) ||
                !copy_row(m, op, c, from + row * c->from_stride, to + row * c->to_stride, row))
                return false;
        return true;
    }
    for (uint64_t i = 0; i < c->count[level - 1]; i++) {
        if (!pto_kernel_spend(m, op) || !copy_level(m, op, c, level - 1, from + i * c->from_step[level - 1],
                                                    to + i * c->to_step[level - 1]))
            return false;
    }
    return true;
}

static struct copy copy_of(const struct kernel_machine *m, const struct kernel_op *op) {
    return (struct copy){.from = kernel_get_pointer(m, op->in[0]),
                         .to = kernel_get_pointer(m, op->in[1]),
                         .from_word = &op->pointer,
                         .to_word = &op->second_pointer};
}

/* Returns the count v. A negative count is the same as 0. */
static uint64_t count_of(const struct kernel_machine *m, const struct kernel_value *v) {
    const int64_t count = kernel_signed(m, v);
    return count < 0 ? 0 : (uint64_t)count;
}

/* ---- mte_gm_ub, mte_ub_gm, mte_ub_ub ---- */

static void set_groups(const struct kernel_machine *m, const struct kernel_op *op, struct copy *c) {
    for (size_t i = 0; i < op->group_count; i++) {
        const struct kernel_group *g = &op->group[i];
        if (pto_token_is(&g->name, "nburst")) {
            c->rows = count_of(m, g->value[0]);
            c->from_stride = (uint64_t)kernel_signed(m, g->value[1]);
            c->to_stride = (uint64_t)kernel_signed(m, g->value[2]);
        } else if (pto_token_is(&g->name, "loop")) {
            c->count[c->loops] = count_of(m, g->value[0]);
            c->from_step[c->loops] = (uint64_t)kernel_signed(m, g->value[1]);
            c->to_step[c->loops++] = (uint64_t)kernel_signed(m, g->value[2]);
        } else if (pto_token_is(&g->name, "pad")) {
            c->pads = true;
            c->pad_value = kernel_bits(m, g->value[0]);
            c->pad_bytes =
                (unsigned)(g->value[0]->type.kind == KERNEL_FLOAT ? pto_dtype_bits(g->value[0]->type.element)
                                                                  : g->value[0]->type.bits) /
                8;
            if (g->count == 3) c->left = count_of(m, g->value[1]);
            if (g->count == 3) c->right = count_of(m, g->value[2]);
        }
    }
}

/* number[0]: the index of the operand that gives the bytes of a row */
bool pto_kernel_copy(struct kernel_machine *m, const struct kernel_op *op) {
    struct copy c = copy_of(m, op);
    c.bytes = count_of(m, op->in[op->number[0]]);
    c.rows = 1;
    set_groups(m, op, &c);
    return copy_level(m, op, &c, c.loops, 0, 0);
}

/* The operands give the length of a row and the gaps between rows, not strides, all in blocks of 32 bytes. */
bool pto_kernel_copy_inside(struct kernel_machine *m, const struct kernel_op *op) {
    struct copy c = copy_of(m, op);
    c.rows = 1;
    set_groups(m, op, &c);
    c.bytes = count_of(m, op->in[2]);
    c.from_stride = (c.from_stride + c.bytes) * KERNEL_BLOCK_BYTES;
    c.to_stride = (c.to_stride + c.bytes) * KERNEL_BLOCK_BYTES;
    c.bytes = c.bytes > KERNEL_BUFFER_BYTES ? c.bytes : c.bytes * KERNEL_BLOCK_BYTES;
    return copy_level(m, op, &c, 0, 0, 0);
}

static bool check_group(struct kernel_front *f, const struct kernel_call *c, const struct kernel_group *g) {
    const bool is_pad = pto_token_is(&g->name, "pad");
    if (pto_token_is(&g->name, "l2_cache_ctl")) return true;
    if (!is_pad && !pto_token_is(&g->name, "nburst") && !pto_token_is(&g->name, "loop"))
        return pto_text_error(&f->text, &g->name, "expected nburst, loop, pad or l2_cache_ctl");
    if (is_pad && !c->op->in[0]->type.is_global)
        return pto_text_error(&f->text, &g->name, "expected no padding: only copies from gm have it");
    if (g->count != 3 && (!is_pad || g->count != 1))
        return pto_text_error(&f->text, &g->name, "expected 3 operands; %zu stand here", g->count);
    for (size_t i = is_pad; i < g->count; i++)
        if (g->value[i]->type.kind != KERNEL_INTEGER)
            return pto_text_error(&f->text, &g->name, "expected integers");
    if (is_pad && (g->value[0]->type.kind > KERNEL_FLOAT ||
                   (g->value[0]->type.kind == KERNEL_INTEGER && g->value[0]->type.bits < 8)))
        return pto_text_error(&f->text, &g->name, "expected a scalar of 8 to 64 bits");
    return true;
}

static bool check_groups(struct kernel_front *f, const struct kernel_call *c) {
    size_t bursts = 0;
    for (size_t i = 0; i < c->group_count; i++) {
        if (!check_group(f, c, &c->group[i])) return false;
        bursts += pto_token_is(&c->group[i].name, "nburst");
    }
    return bursts == 1 ||
           pto_text_error(&f->text, &c->opcode, "expected one nburst(n, source stride, destination stride)");
}

static void note_pointers(struct kernel_call *c) {
    c->op->pointer = c->operand[0].token;
    c->op->second_pointer = c->operand[1].token;
    if (c->op->in[1]->root) c->op->in[1]->root->is_stored = true;
}

/* The length of a row is the last operand. mte_gm_ub may have an operand before it that controls the L2
 * cache. */
bool pto_kernel_prepare_copy(struct kernel_front *f, struct kernel_call *c) {
    note_pointers(c);
    c->op->number[0] = (int64_t)c->operand_count - 1;
    return check_groups(f, c);
}

/* ---- copy_gm_to_ubuf, copy_ubuf_to_gm ---- */

enum { TO_BUFFER, FROM_BUFFER };

bool pto_kernel_prepare_loop_copy(struct kernel_front *f, struct kernel_call *c) {
    note_pointers(c);
    if (c->op->variant == TO_BUFFER && c->op->in[7]->is_constant && c->op->in[7]->bits != 0)
        return pto_text_error(&f->text, &c->operand[7].token, "data select 1: its meaning is not public");
    return true;
}

bool pto_kernel_loop_copy(struct kernel_machine *m, const struct kernel_op *op) {
    const bool out = op->variant == FROM_BUFFER;
    struct copy c = copy_of(m, op);
    if (!out && kernel_bits(m, op->in[7]) != 0)
        return pto_kernel_fail(m, op, &op->place, PTO_ERR_SIZE, "data select 1: its meaning is not public");
    c.rows = count_of(m, op->in[3]);
    c.bytes = count_of(m, op->in[4]);
    c.from_stride = (uint64_t)kernel_signed(m, op->in[out ? 7 : 9]);
    c.to_stride = (uint64_t)kernel_signed(m, op->in[out ? 6 : 10]);
    c.loops = 2;
    for (size_t i = 0; i < 2; i++) {
        c.count[i] = m->loop_size[op->variant][i];
        c.from_step[i] = m->loop_stride[op->variant][i][0];
        c.to_step[i] = m->loop_stride[op->variant][i][1];
    }
    return copy_level(m, op, &c, 2, 0, 0);
}

bool pto_kernel_set_loop_size(struct kernel_machine *m, const struct kernel_op *op) {
    for (size_t i = 0; i < 2; i++) m->loop_size[op->variant][i] = count_of(m, op->in[i]);
    return true;
}

/* variant: d + 2 * l, where d is the direction (TO_BUFFER or FROM_BUFFER) and l is 0 for loop 1, 1 for
 * loop 2 */
bool pto_kernel_set_loop_stride(struct kernel_machine *m, const struct kernel_op *op) {
    for (size_t i = 0; i < 2; i++)
        m->loop_stride[op->variant % 2][op->variant / 2][i] = (uint64_t)kernel_signed(m, op->in[i]);
    return true;
}
