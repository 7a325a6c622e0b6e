/* SPDX-License-Identifier: MIT */
/* Loads and stores of vector registers in kernel programs: contiguous, in patterns, of two registers, and of
 * blocks of 32 bytes. */
#include "pto_kernel.h"

#include "pto_kernel_operations.h"

#include <string.h>

static const struct kernel_value *result(const struct kernel_op *op, size_t i) {
    return op->out_count > i ? op->out[i] : NULL;
}

static bool image_bit(const unsigned char *image, size_t i) {
    return image[i / 8] >> (i % 8) & 1;
}

/* ---- patterns ---- */

enum pattern {
    NORM,
    BROADCAST,
    BROADCAST_BLOCK,
    UPSAMPLE,
    DOWNSAMPLE,
    UNPACK,
    UNPACK4,
    ELEMENT_TO_BLOCK,
    FIRST,
    PACK
};

/* A word that selects how the units of a register lie in memory. */
struct distribution {
    const char *name;
    enum pattern pattern;
    unsigned bytes; /* of a unit: loads, in memory; stores, in the register; 0: as wide as a lane */
};

static const struct distribution loads[] = {
    {"NORM", NORM, 0},
    {"BRC_B8", BROADCAST, 1},
    {"BRC_B16", BROADCAST, 2},
    {"BRC_B32", BROADCAST, 4},
    {"BRC_BLK", BROADCAST_BLOCK, 32},
    {"US_B8", UPSAMPLE, 1},
    {"US_B16", UPSAMPLE, 2},
    {"DS_B8", DOWNSAMPLE, 1},
    {"DS_B16", DOWNSAMPLE, 2},
    {"UNPK_B8", UNPACK, 1},
    {"UNPK_B16", UNPACK, 2},
    {"UNPK_B32", UNPACK, 4},
    {"UNPK4", UNPACK4, 1},
    {"UNPK4_B8", UNPACK4, 1},
    {"E2B_B16", ELEMENT_TO_BLOCK, 2},
    {"E2B_B32", ELEMENT_TO_BLOCK, 4},
};

static const struct distribution stores[] = {
    {"NORM", NORM, 0},    {"NORM_B8", NORM, 1},  {"NORM_B16", NORM, 2}, {"NORM_B32", NORM, 4},
    {"1PT_B8", FIRST, 1}, {"1PT_B16", FIRST, 2}, {"1PT_B32", FIRST, 4}, {"PK_B16", PACK, 2},
    {"PK_B32", PACK, 4},  {"PK_B64", PACK, 8},   {"PK4_B32", PACK, 4},
};

static const char *const unknown_patterns[] = {"SPLT4CHN", "SPLT2CHN", "MRG4CHN", "MRG2CHN"};

/* Returns the token that gives the distribution, or the opcode if there is no such token. */
static const struct token *distribution_place(struct kernel_call *c) {
    const struct kernel_attribute *a = pto_kernel_attribute(c, "dist");
    if (a && a->value.length != 0) return &a->value;
    return c->word_count ? &c->word[0] : &c->opcode;
}

/* number[0]: the pattern; number[1]: bytes of a unit; number[2]: bytes of each unit that the pattern PACK stores;
 * number[3]: number of units that the pattern reads from memory or stores */
static bool set_distribution(struct kernel_front *f, struct kernel_call *c, const struct distribution *known,
                             size_t count) {
    const struct token *place = distribution_place(c);
    const struct distribution *found = place == &c->opcode ? known : NULL;
    for (size_t i = 0; i < sizeof unknown_patterns / sizeof unknown_patterns[0]; i++)
        if (place->kind == TOKEN_STRING && place->length > strlen(unknown_patterns[i]) &&
            memcmp(place->at + 1, unknown_patterns[i], strlen(unknown_patterns[i])) == 0)
            return pto_text_error(&f->text, place, "%s: its meaning is not public", unknown_patterns[i]);
    for (size_t i = 0; i < count && !found; i++)
        if (place->kind == TOKEN_STRING && strlen(known[i].name) + 2 == place->length &&
            memcmp(known[i].name, place->at + 1, place->length - 2) == 0)
            found = &known[i];
    if (!found) return pto_text_error(&f->text, place, "expected a distribution, such as \"NORM\"");
    c->op->number[0] = found->pattern;
    c->op->number[1] = found->bytes ? found->bytes : c->op->lanes.bytes;
    c->op->number[2] = strcmp(found->name, "PK4_B32") == 0 ? 1 : found->bytes / 2;
    if (c->word_count) c->word_is_taken[0] = true;
    return true;
}

bool pto_kernel_prepare_vsts(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type wanted = pto_kernel_mask_for(&c->type);
    if (!set_distribution(f, c, stores, sizeof stores / sizeof stores[0])) return false;
    c->op->number[3] = c->op->number[0] == FIRST ? 1 : KERNEL_VECTOR_BYTES / c->op->number[1];
    if (!c->op->mask || distribution_place(c) != &c->opcode ||
        pto_kernel_types_agree(&wanted, &c->op->mask->type))
        return true;
    return pto_kernel_wrong_type(f, &c->operand[c->operand_count - 1].token, &wanted, &c->op->mask->type);
}

/* Returns the number of units that a load reads from memory. `units` is the number that a register has. */
static size_t units_read(enum pattern pattern, size_t units) {
    switch (pattern) {
    case BROADCAST:
    case BROADCAST_BLOCK: return 1;
    case UPSAMPLE:
    case UNPACK: return units / 2;
    case DOWNSAMPLE: return units * 2;
    case UNPACK4: return units / 4;
    case ELEMENT_TO_BLOCK: return KERNEL_VECTOR_BYTES / KERNEL_BLOCK_BYTES;
    default: return units;
    }
}

bool pto_kernel_prepare_vlds(struct kernel_front *f, struct kernel_call *c) {
    int64_t *number = c->op->number;
    if (!set_distribution(f, c, loads, sizeof loads / sizeof loads[0])) return false;
    number[3] = (int64_t)units_read((enum pattern)number[0], KERNEL_VECTOR_BYTES / (size_t)number[1]);
    return true;
}

/* Fills a register with units of `bytes` bytes from memory. */
static void fill(unsigned char *to, const unsigned char *from, enum pattern pattern, unsigned bytes) {
    const unsigned wide = pattern == UNPACK ? 2 * bytes : pattern == UNPACK4 ? 4 : bytes;
    for (size_t i = 0; i < KERNEL_VECTOR_BYTES / wide; i++) {
        size_t unit = i;
        if (pattern == BROADCAST || pattern == BROADCAST_BLOCK) unit = 0;
        if (pattern == UPSAMPLE) unit = i / 2;
        if (pattern == DOWNSAMPLE) unit = 2 * i;
        if (pattern == ELEMENT_TO_BLOCK) unit = i / (KERNEL_BLOCK_BYTES / bytes);
        if (bytes == KERNEL_BLOCK_BYTES)
            memcpy(to + i * bytes, from, bytes);
        else
            kernel_store(to, wide, i, kernel_load(from, bytes, unit));
    }
}

bool pto_kernel_vlds(struct kernel_machine *m, const struct kernel_op *op) {
    const enum pattern pattern = (enum pattern)op->number[0];
    const unsigned bytes = (unsigned)op->number[1];
    const size_t units = (size_t)op->number[3];
    const struct kernel_pointer p =
        pto_kernel_post(m, op->in[0], result(op, 1), op->in[1], kernel_element_bytes(op->in[0]));
    const unsigned char *from;
    if (pattern == NORM && !pto_kernel_check_aligned(m, op, &op->pointer, &p, 0)) return false;
    from = pto_kernel_units(m, op, &p, 0, bytes, units, false);
    if (!from) return false;
    /* For a number of bytes that is not constant, compilers call memcpy(), which stores 32 bytes or more at a time if
     * the CPU can. Loads of such registers would wait for smaller stores. */
    if (pattern == NORM)
        memcpy(kernel_at(m, op->out[0]), from, units * bytes);
    else
        fill(kernel_at(m, op->out[0]), from, pattern, bytes);
    return true;
}

/* Returns the image of the op's mask, or an image with all bits on if the op has no mask. */
static const unsigned char *image(const struct kernel_machine *m, const struct kernel_op *op) {
    static const unsigned char on[KERNEL_IMAGE_BYTES] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    return op->mask ? kernel_at(m, op->mask) : on;
}

/* Returns whether the mask is on for all units of `bytes` bytes. */
static bool all_on(const unsigned char *mask, unsigned bytes) {
    const uint64_t bits = bytes == 1   ? UINT64_MAX
                          : bytes == 2 ? 0x5555555555555555
                          : bytes == 4 ? 0x1111111111111111
                                       : 0x0101010101010101;
    uint64_t words[KERNEL_IMAGE_BYTES / 8];
    memcpy(words, mask, sizeof words);
    return (words[0] & words[1] & words[2] & words[3] & bits) == bits;
}

/* Stores the first `kept` bytes of each unit of `bytes` bytes where the mask is on. The pattern FIRST ignores
 * the mask. */
static bool store_units(struct kernel_machine *m, const struct kernel_op *op, const struct kernel_pointer *p,
                        const unsigned char *from, unsigned bytes, unsigned kept, size_t units) {
    const unsigned char *mask = image(m, op);
    if (op->number[0] == FIRST || all_on(mask, bytes)) {
        unsigned char *to = pto_kernel_units(m, op, p, 0, kept, units, true);
        if (!to) return false;
        if (kept == bytes) memcpy(to, from, units * bytes);
        for (size_t i = 0; i < units && kept != bytes; i++) memcpy(to + i * kept, from + i * bytes, kept);
        return true;
    }
    for (size_t i = 0; i < units; i++) {
        const struct kernel_access access = {.unit = "lane", .index = i, .writes = true};
        unsigned char *to;
        if (!image_bit(mask, i * bytes)) continue;
        to = pto_kernel_access(m, op, &op->pointer, p, (int64_t)(i * kept), kept, access);
        if (!to) return false;
        memcpy(to, from + i * bytes, kept);
    }
    return true;
}

bool pto_kernel_vsts(struct kernel_machine *m, const struct kernel_op *op) {
    const enum pattern pattern = (enum pattern)op->number[0];
    const unsigned bytes = (unsigned)op->number[1], kept = pattern == PACK ? (unsigned)op->number[2] : bytes;
    const struct kernel_pointer p =
        pto_kernel_post(m, op->in[1], result(op, 0), op->in[2], kernel_element_bytes(op->in[1]));
    if (pattern == NORM && !pto_kernel_check_aligned(m, op, &op->pointer, &p, 0)) return false;
    return store_units(m, op, &p, kernel_at(m, op->in[0]), bytes, kept, (size_t)op->number[3]);
}

/* ---- two registers ---- */

enum { PAIR_BYTES = 2 * KERNEL_VECTOR_BYTES };

/* number[0]: bytes of a unit */
static bool set_unit(struct kernel_front *f, struct kernel_call *c, const char *const *words) {
    static const int64_t bytes[] = {1, 2, 4, KERNEL_BLOCK_BYTES};
    int64_t index;
    if (!pto_kernel_word(f, c, "dist", words, &index)) return false;
    if (index < 0)
        return pto_text_error(&f->text, &c->opcode, "expected a distribution, such as \"%s\"", words[2]);
    c->op->number[0] = bytes[index];
    return true;
}

bool pto_kernel_prepare_vldsx2(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"DINTLV_B8", "DINTLV_B16", "DINTLV_B32", "BDINTLV", NULL};
    return set_unit(f, c, words);
}

bool pto_kernel_prepare_vstsx2(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"INTLV_B8", "INTLV_B16", "INTLV_B32", NULL};
    return set_unit(f, c, words);
}

/* Copies units from `both`, an array of 512 bytes, to two registers if `split` is true; otherwise from the
 * registers to `both`. Unit i of `both` belongs to `low` if i is even, and to `high` if i is odd. */
static void interleave(unsigned char *both, unsigned char *low, unsigned char *high, size_t bytes,
                       bool split) {
    for (size_t i = 0; i < PAIR_BYTES / bytes; i++) {
        unsigned char *one = (i % 2 ? high : low) + i / 2 * bytes;
        memcpy(split ? one : both + i * bytes, split ? both + i * bytes : one, bytes);
    }
}

bool pto_kernel_vldsx2(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p =
        pto_kernel_post(m, op->in[0], result(op, 2), op->in[1], kernel_element_bytes(op->in[0]));
    const size_t bytes = (size_t)op->number[0];
    unsigned char *from = pto_kernel_units(m, op, &p, 0, bytes, PAIR_BYTES / bytes, false);
    if (from) interleave(from, kernel_at(m, op->out[0]), kernel_at(m, op->out[1]), bytes, true);
    return from != NULL;
}

/* The mask is ignored. */
bool pto_kernel_vstsx2(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_pointer p =
        pto_kernel_post(m, op->in[2], result(op, 0), op->in[3], kernel_element_bytes(op->in[2]));
    const size_t bytes = (size_t)op->number[0];
    unsigned char *to = pto_kernel_units(m, op, &p, 0, bytes, PAIR_BYTES / bytes, true);
    if (to) interleave(to, kernel_at(m, op->in[0]), kernel_at(m, op->in[1]), bytes, false);
    return to != NULL;
}

/* ---- blocks of 32 bytes ---- */

/* in: [value,] pointer, block stride, repeat stride, mask. Strides are in blocks. Block k is copied if bit 4
 * k of the image is on. The repeat stride is added to the address, or in the post-update form, which has
 * `next`, only to the new pointer. `first` is the index of the pointer. */
static bool each_block(struct kernel_machine *m, const struct kernel_op *op, size_t first,
                       const struct kernel_value *next, bool writes, unsigned char *lanes) {
    const struct kernel_pointer p = kernel_get_pointer(m, op->in[first]);
    const int64_t block = (int64_t)(kernel_bits(m, op->in[first + 1]) & 0xffff) * KERNEL_BLOCK_BYTES;
    const int64_t repeat = (int64_t)(kernel_bits(m, op->in[first + 2]) & 0xffff) * KERNEL_BLOCK_BYTES;
    const unsigned char *mask = image(m, op);
    for (size_t k = 0; k < KERNEL_VECTOR_BYTES / KERNEL_BLOCK_BYTES; k++) {
        const struct kernel_access access = {.unit = "block", .index = k, .writes = writes};
        unsigned char *register_at = lanes + k * KERNEL_BLOCK_BYTES, *at;
        if (!image_bit(mask, 4 * k)) {
            if (!writes) memset(register_at, 0, KERNEL_BLOCK_BYTES);
            continue;
        }
        at = pto_kernel_access(m, op, &op->pointer, &p, (int64_t)k * block + (next ? 0 : repeat),
                               KERNEL_BLOCK_BYTES, access);
        if (!at) return false;
        memcpy(writes ? at : register_at, writes ? register_at : at, KERNEL_BLOCK_BYTES);
    }
    if (next) kernel_set_pointer(m, next, kernel_advance(p, repeat, 1));
    return true;
}

bool pto_kernel_vsldb(struct kernel_machine *m, const struct kernel_op *op) {
    return each_block(m, op, 0, result(op, 1), false, kernel_at(m, op->out[0]));
}

bool pto_kernel_vsstb(struct kernel_machine *m, const struct kernel_op *op) {
    return each_block(m, op, 1, result(op, 0), true, kernel_at(m, op->in[0]));
}
