/* SPDX-License-Identifier: MIT */
/* Loads and stores of VMI vectors in kernel programs. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <string.h>

/* number[0]: an enum mode; number[1]: number of groups */
enum mode { CONTINUOUS, BROADCAST, UNPACK, DEINTERLEAVE, GROUPS, BLOCKS };

static bool set_mode(struct kernel_front *f, struct kernel_call *c, bool has_stride) {
    static const char *const modes[] = {"continuous", "brc", "unpack", "dintlv", NULL};
    int64_t mode, groups = 1;
    bool found;
    if (!pto_kernel_word(f, c, "dist_mode", modes, &mode)) return false;
    if (!pto_kernel_integer_attribute(f, c, "group", &groups, &found)) return false;
    if (found != has_stride && found)
        return pto_text_error(&f->text, &c->opcode, "expected a stride for the groups");
    if (mode > 0 && has_stride)
        return pto_text_error(&f->text, &c->opcode, "expected no stride with dist_mode");
    if (groups < 1 || c->type.lanes % (uint64_t)groups != 0)
        return pto_text_error(&f->text, &c->opcode, "expected a number of groups that divides %u lanes",
                              c->type.lanes);
    c->op->number[0] = found ? GROUPS : has_stride ? BLOCKS : mode < 0 ? CONTINUOUS : mode;
    c->op->number[1] = groups;
    if (c->op->number[0] == BLOCKS && (size_t)c->type.lanes * c->op->lanes.bytes % KERNEL_BLOCK_BYTES != 0)
        return pto_text_error(&f->text, &c->opcode, "expected a vector of whole blocks of 32 bytes");
    return true;
}

/* Checks the width of the elements that the pointer points to. Integers may be stored as narrower integers:
 * then their low bytes are stored. */
static bool check_elements(struct kernel_front *f, struct kernel_call *c, const struct kernel_value *pointer,
                           bool stores) {
    const unsigned memory = kernel_element_bytes(pointer), lane = c->op->lanes.bytes;
    const bool narrows = stores && c->op->number[0] != BLOCKS && pto_is_integer(c->type.element) &&
                         pto_is_integer(pointer->type.element);
    if (c->op->number[0] == UNPACK ? memory < lane : narrows ? memory <= lane : memory == lane) return true;
    return pto_text_error(&f->text, &c->opcode, "expected a pointer to elements %s those of the vector",
                          c->op->number[0] == UNPACK ? "narrower than" : "as wide as");
}

bool pto_kernel_prepare_vload(struct kernel_front *f, struct kernel_call *c) {
    if (!set_mode(f, c, c->operand_count == 3)) return false;
    if ((c->op->number[0] == DEINTERLEAVE) != (c->result_count == 2))
        return pto_text_error(&f->text, &c->opcode, "expected two results with dist_mode = \"dintlv\" only");
    return check_elements(f, c, c->op->in[0], false);
}

bool pto_kernel_prepare_vstore(struct kernel_front *f, struct kernel_call *c) {
    const bool has_stride = c->operand_count > 3 && c->op->in[3]->type.kind == KERNEL_INTEGER;
    if (!set_mode(f, c, has_stride)) return false;
    if (c->op->number[0] > CONTINUOUS && c->op->number[0] < GROUPS)
        return pto_text_error(&f->text, &c->opcode, "expected dist_mode = \"continuous\"");
    if (c->op->number[0] == GROUPS && c->op->mask)
        return pto_text_error(&f->text, &c->opcode, "expected no mask: stores of groups have none");
    return check_elements(f, c, c->op->in[1], true);
}

/* Returns the offset of lane i in memory from the pointer, in bytes. Elements in memory have `bytes`
 * bytes. */
static int64_t lane_offset(const struct kernel_op *op, int64_t stride, size_t i, unsigned bytes) {
    const size_t each = op->lanes.count / (size_t)op->number[1], per_block = KERNEL_BLOCK_BYTES / bytes;
    switch (op->number[0]) {
    case BROADCAST: return 0;
    case GROUPS: return (int64_t)((i / each) * (uint64_t)stride * bytes + i % each * bytes);
    case BLOCKS:
        return (int64_t)(i / per_block * (uint64_t)(stride & 0xffff) * KERNEL_BLOCK_BYTES +
                         i % per_block * bytes);
    default: return (int64_t)(i * bytes);
    }
}

/* in: pointer, offset[, stride]; out: one or two vectors */
bool pto_kernel_vload(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned memory = kernel_element_bytes(op->in[0]), bytes = op->lanes.bytes;
    const struct kernel_pointer p =
        kernel_advance(kernel_get_pointer(m, op->in[0]), kernel_signed(m, op->in[1]), memory);
    const int64_t stride = op->in_count == 3 ? kernel_signed(m, op->in[2]) : 0;
    const size_t n = op->lanes.count * op->out_count;
    if (op->number[0] == CONTINUOUS) {
        const unsigned char *from = pto_kernel_units(m, op, &p, 0, bytes, n, false);
        if (from) memcpy(kernel_at(m, op->out[0]), from, n * bytes);
        return from != NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const struct kernel_access access = {.unit = "lane", .index = i};
        const unsigned char *from =
            pto_kernel_access(m, op, &op->pointer, &p, lane_offset(op, stride, i, memory), memory, access);
        if (!from) return false;
        kernel_store(kernel_at(m, op->out[i % op->out_count]), bytes, i / op->out_count,
                     kernel_load(from, memory, 0));
    }
    return true;
}

/* in: value, pointer, offset[, stride][, mask]. In the mode BLOCKS the first lane of a block decides whether
 * the block is stored. */
bool pto_kernel_vstore(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned bytes = op->lanes.bytes, memory = kernel_element_bytes(op->in[1]);
    const size_t per_block = KERNEL_BLOCK_BYTES / bytes;
    const struct kernel_pointer p =
        kernel_advance(kernel_get_pointer(m, op->in[1]), kernel_signed(m, op->in[2]), memory);
    const int64_t stride = op->number[0] >= GROUPS ? kernel_signed(m, op->in[3]) : 0;
    const unsigned char *from = kernel_at(m, op->in[0]);
    unsigned char on[KERNEL_VMI_LANES / 8];
    if (op->number[0] == CONTINUOUS && !op->mask && memory == bytes) {
        unsigned char *to = pto_kernel_units(m, op, &p, 0, bytes, op->lanes.count, true);
        if (to) memcpy(to, from, (size_t)op->lanes.count * bytes);
        return to != NULL;
    }
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    for (size_t i = 0; i < op->lanes.count; i++) {
        const struct kernel_access access = {.unit = "lane", .index = i, .writes = true};
        unsigned char *to;
        if (!kernel_is_on(on, op->number[0] == BLOCKS ? i / per_block * per_block : i)) continue;
        to = pto_kernel_access(m, op, &op->pointer, &p, lane_offset(op, stride, i, memory), memory, access);
        if (!to) return false;
        memcpy(to, from + i * bytes, memory);
    }
    return true;
}
