/* SPDX-License-Identifier: MIT */
/* Operations of kernel programs on masks, which are images of 256 bits; and loads and stores of masks. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"
#include "pto_steps.h"

#include <stdio.h>
#include <string.h>

static pto_preg get(const struct kernel_machine *m, const struct kernel_value *v) {
    pto_preg p;
    memcpy(&p, kernel_at(m, v), sizeof p);
    return p;
}

static bool put(struct kernel_machine *m, const struct kernel_op *op, pto_status status, const pto_preg *p,
                size_t out) {
    if (!pto_kernel_is_ok(m, op, status)) return false;
    memcpy(kernel_at(m, op->out[out]), p, sizeof *p);
    return true;
}

static pto_preg all_on(void) {
    pto_preg p;
    memset(&p, 0xff, sizeof p);
    return p;
}

/* ---- patterns and counts ---- */

/* number[0]: a pto_pattern */
bool pto_kernel_prepare_pattern(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_attribute *a = pto_kernel_attribute(c, "pattern");
    const struct token *word = a ? &a->value : c->word_count ? &c->word[0] : &c->opcode;
    char name[16] = "";
    pto_pattern pattern;
    pto_preg ignored;
    if (word->kind == TOKEN_STRING && word->length >= 2 && word->length - 2 < sizeof name)
        memcpy(name, word->at + 1, word->length - 2);
    if (pto_parse_pattern(name, &pattern, NULL) != PTO_OK)
        return pto_text_error(
            &f->text, word,
            "expected PAT_ALL, PAT_ALLF, PAT_H, PAT_Q, PAT_M3, PAT_M4 or PAT_VL1 to PAT_VL128");
    if (c->granularity != 0 && pto_pset(c->granularity, pattern, &ignored) != PTO_OK)
        return pto_text_error(&f->text, word, "expected a pattern of at most %u lanes",
                              KERNEL_VECTOR_BYTES * 8 / c->granularity);
    c->word_is_taken[0] = true;
    c->op->number[0] = pattern;
    return true;
}

bool pto_kernel_pset(struct kernel_machine *m, const struct kernel_op *op) {
    pto_preg p;
    return put(m, op, pto_pset(op->out[0]->type.bits, (pto_pattern)op->number[0], &p), &p, 0);
}

/* Sets the result to a mask in which only the lanes below `count` are on. */
static bool set_first(struct kernel_machine *m, const struct kernel_op *op, int64_t count) {
    const size_t lanes = op->out[0]->type.lanes;
    const size_t on = count < 0 ? 0 : (uint64_t)count > lanes ? lanes : (size_t)count;
    return pto_kernel_is_ok(m, op, pto_mask_range(pto_kernel_mask(m, op->out[0]), 0, on, lanes));
}

bool pto_kernel_plt(struct kernel_machine *m, const struct kernel_op *op) {
    const int64_t count = kernel_signed(m, op->in[0]), lanes = op->out[0]->type.lanes;
    if (!set_first(m, op, count)) return false;
    if (op->out_count == 2) kernel_set_bits(m, op->out[1], count > lanes ? (uint64_t)(count - lanes) : 0);
    return true;
}

/* in: loop, bound. Lane i is on if i + loop * lanes < bound. */
bool pto_kernel_pltm(struct kernel_machine *m, const struct kernel_op *op) {
    const int64_t loop = kernel_signed(m, op->in[0]), bound = kernel_signed(m, op->in[1]);
    int64_t before, count;
    if (__builtin_mul_overflow(loop, (int64_t)op->out[0]->type.lanes, &before))
        before = loop < 0 ? INT64_MIN : INT64_MAX;
    if (__builtin_sub_overflow(bound, before, &count)) count = before < 0 ? INT64_MAX : INT64_MIN;
    return set_first(m, op, count);
}

/* ---- logic ---- */

enum { AND, OR, XOR, NOT };

bool pto_kernel_plogic(struct kernel_machine *m, const struct kernel_op *op) {
    const bool two = op->variant != NOT;
    const size_t at = two ? 2 : 1;
    const pto_preg a = get(m, op->in[0]), b = two ? get(m, op->in[1]) : a;
    const pto_preg governing = op->in_count > at ? get(m, op->in[at]) : all_on();
    pto_preg p;
    pto_status status;
    switch (op->variant) {
    case AND: status = pto_pand(a, b, governing, &p); break;
    case OR: status = pto_por(a, b, governing, &p); break;
    case XOR: status = pto_pxor(a, b, governing, &p); break;
    default: status = pto_pnot(a, governing, &p); break;
    }
    return put(m, op, status, &p, 0);
}

bool pto_kernel_psel(struct kernel_machine *m, const struct kernel_op *op) {
    pto_preg p;
    return put(m, op, pto_psel(get(m, op->in[0]), get(m, op->in[1]), get(m, op->in[2]), &p), &p, 0);
}

bool pto_kernel_pbitcast(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_preg p = get(m, op->in[0]);
    return put(m, op, PTO_OK, &p, 0);
}

/* ---- packing and interleaving ---- */

/* number[0]: a pto_half */
bool pto_kernel_prepare_half(struct kernel_front *f, struct kernel_call *c) {
    static const char *const halves[] = {[PTO_LOWER] = "LOWER", [PTO_HIGHER] = "HIGHER", NULL};
    if (!pto_kernel_word(f, c, "part", halves, &c->op->number[0])) return false;
    return c->op->number[0] >= 0 || pto_text_error(&f->text, &c->opcode, "expected \"LOWER\" or \"HIGHER\"");
}

bool pto_kernel_ppack(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_half half = (pto_half)op->number[0];
    const pto_preg a = get(m, op->in[0]);
    pto_preg p;
    return put(m, op, op->variant == 0 ? pto_ppack(a, half, &p) : pto_punpack(a, half, &p), &p, 0);
}

bool pto_kernel_pintlv(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_preg from[2] = {get(m, op->in[0]), get(m, op->in[1])};
    const unsigned width = op->out[0]->type.bits;
    pto_preg to[2];
    const pto_status status =
        pto_image_pairs(op->variant == 0 ? pto_pintlv : pto_pdintlv, width, width / 8, from, to);
    return put(m, op, status, &to[0], 0) && put(m, op, status, &to[1], 1);
}

/* ---- memory ---- */

enum { NORM, US, DS, PK };

/* Returns the bytes that a load or store of an image accesses. */
static size_t stored_bytes(int64_t distribution) {
    return distribution == NORM ? 32 : distribution == DS ? 64 : 16;
}

/* number[0]: NORM, US, DS or PK; number[1]: number of bytes in a unit of the offset */
static bool set_distribution(struct kernel_front *f, struct kernel_call *c, const char *const *words) {
    int64_t *number = c->op->number;
    if (!pto_kernel_word(f, c, "dist", words, &number[0])) return false;
    if (number[0] < 0) number[0] = NORM;
    number[1] = c->operation->variant == 0 ? 1 : number[0] == NORM || number[0] == DS ? 32 : 16;
    return true;
}

/* variant: 0 for plds, whose offset is in bytes; 1 for pldi, whose offset is in units of 32 or 16 bytes */
bool pto_kernel_prepare_plds(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"NORM", "US", "DS", NULL};
    return set_distribution(f, c, words);
}

bool pto_kernel_prepare_psts(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"NORM", "PK", NULL};
    if (!set_distribution(f, c, words)) return false;
    if (c->op->number[0] == 1) c->op->number[0] = PK;
    c->op->number[1] = c->operation->variant == 0 ? 1 : c->op->number[0] == PK ? 16 : 32;
    return true;
}

static bool get_bit(const unsigned char *from, size_t i) {
    return from[i / 8] >> (i % 8) & 1;
}

struct kernel_pointer pto_kernel_post(const struct kernel_machine *m, const struct kernel_value *pointer,
                                      const struct kernel_value *next, const struct kernel_value *offset,
                                      int64_t bytes) {
    const struct kernel_pointer p = kernel_get_pointer(m, pointer);
    const struct kernel_pointer moved = kernel_advance(p, offset ? kernel_signed(m, offset) : 0, bytes);
    if (!next) return moved;
    kernel_set_pointer(m, next, moved);
    return p;
}

bool pto_kernel_plds(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_value *next = op->out_count == 2 ? op->out[1] : NULL;
    const struct kernel_pointer p = pto_kernel_post(m, op->in[0], next, op->in[1], op->number[1]);
    const unsigned char *from = pto_kernel_units(m, op, &p, 0, 1, stored_bytes(op->number[0]), false);
    unsigned char image[KERNEL_IMAGE_BYTES] = {0};
    if (!from) return false;
    for (size_t i = 0; i < KERNEL_VECTOR_BYTES; i++) {
        const size_t bit = op->number[0] == US ? i / 2 : op->number[0] == DS ? 2 * i : i;
        image[i / 8] |= (unsigned char)(get_bit(from, bit) << (i % 8));
    }
    memcpy(kernel_at(m, op->out[0]), image, sizeof image);
    return true;
}

bool pto_kernel_psts(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_value *next = op->out_count == 1 ? op->out[0] : NULL;
    const struct kernel_pointer p = pto_kernel_post(m, op->in[1], next, op->in[2], op->number[1]);
    pto_preg image = get(m, op->in[0]);
    unsigned char *to = pto_kernel_units(m, op, &p, 0, 1, stored_bytes(op->number[0]), true);
    if (!to) return false;
    if (op->number[0] == PK && !pto_kernel_is_ok(m, op, pto_ppack(image, PTO_LOWER, &image))) return false;
    memcpy(to, &image, stored_bytes(op->number[0]));
    return true;
}

/* in: align, mask, pointer. Stores one bit for each lane. The new pointer is the first byte after these
 * bits. */
bool pto_kernel_pstu(struct kernel_machine *m, const struct kernel_op *op) {
    const size_t lanes = op->in[1]->type.lanes, bytes = lanes / 8;
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[2]);
    unsigned char packed[KERNEL_IMAGE_BYTES], *to;
    if (!pto_kernel_packed(m, op, op->in[1], packed, lanes)) return false;
    to = pto_kernel_units(m, op, &p, 0, 1, bytes, true);
    if (!to) return false;
    memcpy(to, packed, bytes);
    if (op->out_count == 2) kernel_set_pointer(m, op->out[1], kernel_advance(p, (int64_t)bytes, 1));
    return true;
}

/* ---- VMI ---- */

bool pto_kernel_create_mask(struct kernel_machine *m, const struct kernel_op *op) {
    return set_first(m, op, kernel_signed(m, op->in[0]));
}

bool pto_kernel_prepare_vmi_mask(struct kernel_front *f, struct kernel_call *c) {
    int64_t groups = 1, size = 0;
    bool has_groups, has_size;
    if (c->operation->variant == 0) return true;
    if (!pto_kernel_integer_attribute(f, c, "num_groups", &groups, &has_groups) ||
        !pto_kernel_integer_attribute(f, c, "group_size", &size, &has_size))
        return false;
    if (size < 1 && has_groups && groups >= 1) size = c->op->out[0]->type.lanes / groups;
    if (size < 1 || (has_groups && groups * size != c->op->out[0]->type.lanes))
        return pto_text_error(&f->text, &c->opcode,
                              "expected num_groups * group_size to be the lanes of the mask");
    c->op->number[0] = size;
    return true;
}

/* number[0]: number of lanes in a group */
bool pto_kernel_create_group_mask(struct kernel_machine *m, const struct kernel_op *op) {
    const int64_t count = kernel_signed(m, op->in[0]), size = op->number[0];
    unsigned char *to = kernel_at(m, op->out[0]);
    memset(to, 0, pto_kernel_value_bytes(&op->out[0]->type));
    for (size_t i = 0; i < op->out[0]->type.lanes; i++)
        if ((int64_t)i % size < count) to[i / 8] |= (unsigned char)(1U << (i % 8));
    return true;
}

bool pto_kernel_vmi_pset(struct kernel_machine *m, const struct kernel_op *op) {
    const size_t lanes = op->out[0]->type.lanes;
    const pto_pattern pattern = (pto_pattern)op->number[0];
    static const size_t first[] = {[PTO_PAT_VL1] = 1,   [PTO_PAT_VL2] = 2,   [PTO_PAT_VL3] = 3,
                                   [PTO_PAT_VL4] = 4,   [PTO_PAT_VL8] = 8,   [PTO_PAT_VL16] = 16,
                                   [PTO_PAT_VL32] = 32, [PTO_PAT_VL64] = 64, [PTO_PAT_VL128] = 128};
    unsigned char *to = kernel_at(m, op->out[0]);
    memset(to, 0, pto_kernel_value_bytes(&op->out[0]->type));
    for (size_t i = 0; i < lanes; i++) {
        bool on;
        switch (pattern) {
        case PTO_PAT_ALL: on = true; break;
        case PTO_PAT_ALLF: on = false; break;
        case PTO_PAT_H: on = i < lanes / 2; break;
        case PTO_PAT_Q: on = i < lanes / 4; break;
        case PTO_PAT_M3: on = i % 3 == 0; break;
        case PTO_PAT_M4: on = i % 4 == 0; break;
        default: on = i < first[pattern]; break;
        }
        if (on) to[i / 8] |= (unsigned char)(1U << (i % 8));
    }
    return true;
}

/* Reads the words true and false of dense<[...]>: one for each lane, or one for all lanes. */
bool pto_kernel_prepare_constant_mask(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_attribute *a = pto_kernel_attribute(c, "value");
    const size_t lanes = c->op->out[0]->type.lanes;
    unsigned char *bits = pto_kernel_allocate(f, (lanes + 7) / 8);
    size_t count = 0;
    bool last = false;
    if (!bits) return false;
    if (!a) return pto_text_error(&f->text, &c->opcode, "expected value = dense<[...]>");
    for (size_t i = 0; i + 4 <= a->value.length && a->value.at[i] != '>'; i++) {
        const char *at = a->value.at + i;
        const bool is_true = memcmp(at, "true", 4) == 0;
        if (!is_true && memcmp(at, "false", i + 5 <= a->value.length ? 5 : 4) != 0) continue;
        last = is_true;
        if (count < lanes && is_true) bits[count / 8] |= (unsigned char)(1U << (count % 8));
        count++;
    }
    if (count == 1 && last) memset(bits, 0xff, (lanes + 7) / 8);
    if (count != 1 && count != lanes)
        return pto_text_error(&f->text, &a->value, "expected %zu lanes; %zu stand here", lanes, count);
    c->op->data = bits;
    return true;
}

bool pto_kernel_constant_mask(struct kernel_machine *m, const struct kernel_op *op) {
    memcpy(kernel_at(m, op->out[0]), op->data, pto_kernel_value_bytes(&op->out[0]->type));
    return true;
}

/* vand, vor, vxor and vnot of VMI masks */
bool pto_kernel_vmi_logic(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_mask a = pto_kernel_mask(m, op->in[0]), to = pto_kernel_mask(m, op->out[0]);
    const size_t lanes = op->out[0]->type.lanes, masked = op->variant == NOT ? 1 : 2;
    const pto_mask b = op->variant == NOT ? a : pto_kernel_mask(m, op->in[1]);
    pto_status status;
    switch (op->variant) {
    case AND: status = pto_mask_and(a, b, to, lanes); break;
    case OR: status = pto_mask_or(a, b, to, lanes); break;
    case XOR: status = pto_mask_xor(a, b, to, lanes); break;
    default: status = pto_mask_not(a, to, lanes); break;
    }
    if (status == PTO_OK && op->in_count > masked)
        status = pto_mask_and(to, pto_kernel_mask(m, op->in[masked]), to, lanes);
    return pto_kernel_is_ok(m, op, status);
}
