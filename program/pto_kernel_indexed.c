/* SPDX-License-Identifier: MIT */
/* Indexed and unaligned loads and stores of kernel programs. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <string.h>

/* Returns whether the mask is on in lane i, for lanes of `bytes` bytes. A NULL mask is on in all lanes. */
static bool lane_is_on(const struct kernel_machine *m, const struct kernel_value *mask, unsigned bytes,
                       size_t i) {
    const unsigned char *at = mask ? kernel_at(m, mask) : NULL;
    const size_t bit = mask && mask->type.is_vmi ? i : i * bytes;
    return !at || (at[bit / 8] >> (bit % 8) & 1);
}

/* ---- gather and scatter ---- */

bool pto_kernel_prepare_gather(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *offsets = &c->op->in[1]->type;
    const unsigned element = kernel_element_bytes(c->op->in[0]);
    if (!pto_is_integer(offsets->element))
        return pto_text_error(&f->text, &c->operand[1].token, "expected integers");
    if (offsets->lanes > c->type.lanes)
        return pto_text_error(&f->text, &c->operand[1].token, "expected %u offsets", c->type.lanes);
    return element == c->op->lanes.bytes || (element == 1 && c->op->lanes.bytes == 2) ||
           pto_text_error(&f->text, &c->opcode,
                          "expected a result with the pointer's elements, or ui16 for bytes");
}

/* in: pointer, offsets in elements, mask. If lanes have 16 bits and elements 8, lanes are zero-extended. */
bool pto_kernel_gather(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[0]);
    const unsigned element = kernel_element_bytes(op->in[0]), width = kernel_element_bytes(op->in[1]),
                   bytes = op->lanes.bytes;
    unsigned char *to = m->scratch[0];
    memset(to, 0, (size_t)op->lanes.count * bytes);
    for (size_t i = 0; i < op->in[1]->type.lanes; i++) {
        const struct kernel_access access = {.unit = "lane", .index = i};
        const uint64_t offset = kernel_load(kernel_at(m, op->in[1]), width, i);
        const unsigned char *at;
        if (!lane_is_on(m, op->mask, bytes, i)) continue;
        at = pto_kernel_access(m, op, &op->pointer, &p, (int64_t)(offset * element), element, access);
        if (!at) return false;
        kernel_store(to, bytes, i, kernel_load(at, element, 0));
    }
    memcpy(kernel_at(m, op->out[0]), to, (size_t)op->lanes.count * bytes);
    return true;
}

/* in: pointer, offsets of blocks in bytes, mask. Block k is loaded if lane k of a b32 mask is on. A mask of
 * VMI has one lane for each lane of the result, and the first lane of a block decides for the block. */
bool pto_kernel_gather_blocks(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[0]);
    const size_t blocks = (size_t)op->lanes.count * op->lanes.bytes / KERNEL_BLOCK_BYTES;
    const unsigned width = kernel_element_bytes(op->in[1]);
    unsigned char *to = m->scratch[0];
    memset(to, 0, (size_t)op->lanes.count * op->lanes.bytes);
    for (size_t k = 0; k < blocks && k < op->in[1]->type.lanes; k++) {
        const struct kernel_access access = {.unit = "block", .index = k};
        const uint64_t offset = kernel_load(kernel_at(m, op->in[1]), width, k);
        const size_t lane = op->mask && op->mask->type.is_vmi ? k * KERNEL_BLOCK_BYTES / op->lanes.bytes : k;
        const unsigned char *at;
        if (!lane_is_on(m, op->mask, 4, lane)) continue;
        if (offset % KERNEL_BLOCK_BYTES != 0)
            return pto_kernel_fail(m, op, &op->pointer, PTO_ERR_SIZE, "offset %zu is %llu, no multiple of 32",
                                   k, (unsigned long long)offset);
        at = pto_kernel_access(m, op, &op->pointer, &p, (int64_t)offset, KERNEL_BLOCK_BYTES, access);
        if (!at) return false;
        memcpy(to + k * KERNEL_BLOCK_BYTES, at, KERNEL_BLOCK_BYTES);
    }
    memcpy(kernel_at(m, op->out[0]), to, (size_t)op->lanes.count * op->lanes.bytes);
    return true;
}

bool pto_kernel_prepare_scatter(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *offsets = &c->op->in[2]->type;
    if (!pto_is_integer(offsets->element))
        return pto_text_error(&f->text, &c->operand[2].token, "expected integers");
    if (kernel_element_bytes(c->op->in[1]) != c->op->lanes.bytes)
        return pto_text_error(&f->text, &c->operand[1].token, "expected a pointer to the vector's elements");
    return offsets->lanes == c->type.lanes ||
           (c->op->lanes.bytes == 1 && offsets->lanes * 2 == c->type.lanes) ||
           pto_text_error(&f->text, &c->operand[2].token, "expected %u offsets", c->type.lanes);
}

/* in: value, pointer, offsets in elements, mask. Lanes are stored in ascending order. If there are half as
 * many offsets as bytes, only the bytes with an even index are stored. */
bool pto_kernel_scatter(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[1]);
    const unsigned width = kernel_element_bytes(op->in[2]), bytes = op->lanes.bytes;
    const size_t n = op->in[2]->type.lanes, each = op->lanes.count / n;
    for (size_t i = 0; i < n; i++) {
        const struct kernel_access access = {.unit = "lane", .index = i, .writes = true};
        const uint64_t offset = kernel_load(kernel_at(m, op->in[2]), width, i);
        unsigned char *at;
        if (!lane_is_on(m, op->mask, width, i)) continue;
        at = pto_kernel_access(m, op, &op->pointer, &p, (int64_t)(offset * bytes), bytes, access);
        if (!at) return false;
        kernel_store(at, bytes, 0, kernel_load(kernel_at(m, op->in[0]), bytes, i * each));
    }
    return true;
}

/* ---- unaligned loads and stores; they access memory at once, so an align value has no content ---- */

static void set_next(const struct kernel_machine *m, const struct kernel_op *op, size_t i,
                     struct kernel_pointer p, int64_t count, int64_t bytes) {
    if (op->out_count > i) kernel_set_pointer(m, op->out[i], kernel_advance(p, count, bytes));
}

/* in: pointer, align[, elements by which the pointer advances]; out: value, align[, pointer] */
bool pto_kernel_vldus(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[0]);
    const unsigned bytes = op->lanes.bytes;
    const unsigned char *from = pto_kernel_units(m, op, &p, 0, bytes, op->lanes.count, false);
    if (!from) return false;
    memcpy(kernel_at(m, op->out[0]), from, KERNEL_VECTOR_BYTES);
    set_next(m, op, 2, p, op->in_count == 3 ? kernel_signed(m, op->in[2]) : op->lanes.count,
             kernel_element_bytes(op->in[0]));
    return true;
}

/* in: align, number of elements to store, value, pointer; out: align[, pointer] */
bool pto_kernel_vstus(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[3]);
    const unsigned bytes = op->lanes.bytes;
    const int64_t count = kernel_signed(m, op->in[1]);
    unsigned char *to;
    if (count < 0 || count > (int64_t)op->lanes.count)
        return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "%lld elements are stored, of %u", (long long)count,
                               op->lanes.count);
    to = pto_kernel_units(m, op, &p, 0, bytes, (size_t)count, true);
    if (!to) return false;
    memcpy(to, kernel_at(m, op->in[2]), (size_t)count * bytes);
    set_next(m, op, 1, p, count, kernel_element_bytes(op->in[3]));
    return true;
}

/* in: align, pointer[, elements by which the pointer advances]; out: [pointer]. Stores nothing, because vstus
 * and vstur have stored all bytes. */
bool pto_kernel_vstas(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[1]);
    set_next(m, op, 0, p, op->in_count == 3 ? kernel_signed(m, op->in[2]) : 0,
             kernel_element_bytes(op->in[1]));
    return true;
}

/* ---- PTO's register AR, an offset for vstur in bytes ---- */

bool pto_kernel_prepare_ar(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"AR", NULL};
    int64_t index;
    if (!pto_kernel_word(f, c, "spr", words, &index)) return false;
    return index == 0 || pto_text_error(&f->text, &c->opcode, "expected \"AR\"");
}

bool pto_kernel_sprclr(struct kernel_machine *m, const struct kernel_op *op) {
    (void)op;
    m->stored = 0;
    return true;
}

/* variant: number of bytes in a unit of the offset */
bool pto_kernel_sprst(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p =
        pto_kernel_post(m, op->in[0], op->out_count ? op->out[0] : NULL, op->in[1], op->variant);
    unsigned char *to = pto_kernel_units(m, op, &p, 0, sizeof m->stored, 1, true);
    if (to) memcpy(to, &m->stored, sizeof m->stored);
    return to != NULL;
}

/* number[0]: 0 (POST_UPDATE) if vstur adds the number of stored bytes to AR */
bool pto_kernel_prepare_vstur(struct kernel_front *f, struct kernel_call *c) {
    static const char *const modes[] = {"POST_UPDATE", "NO_POST_UPDATE", NULL};
    if (!pto_kernel_word(f, c, "mode", modes, &c->op->number[0])) return false;
    return c->op->number[0] >= 0 ||
           pto_text_error(&f->text, &c->opcode, "expected POST_UPDATE or NO_POST_UPDATE");
}

/* in: align, value, pointer. Stores the bytes that the last vsqz moved to the front, AR bytes after the
 * pointer. */
bool pto_kernel_vstur(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[2]);
    const bool whole = m->squeezed % op->lanes.bytes == 0;
    const size_t unit = whole ? op->lanes.bytes : 1;
    unsigned char *to = pto_kernel_units(m, op, &p, m->stored, unit, m->squeezed / unit, true);
    if (!to) return false;
    memcpy(to, kernel_at(m, op->in[1]), m->squeezed);
    if (op->number[0] == 0) m->stored += m->squeezed;
    return true;
}
