/* SPDX-License-Identifier: MIT */
/* Conversions of kernel programs. pto_vcvt() makes them, except integers to s8, which it lacks, and VMI's
 * extsi, extui and trunci. */
#include "pto_kernel.h"

#include "arithmetic.h"
#include "pto.h"
#include "pto_kernel_operations.h"

#include <stdio.h>
#include <string.h>

/* number[0]: a pto_vpart, or NO_PART; number[1]: whether convert_integers() makes the conversion; number[2]:
 * whether overflows give the values that the vendor's test cases recorded */
enum { NO_PART = -1 };

/* ---- checks ---- */

static bool read_rounding(struct kernel_front *f, struct kernel_call *c, pto_vcvt_op *op) {
    static const char *const words[] = {"R", "A", "F", "C", "Z", "O", "H", NULL};
    static const pto_vrnd roundings[] = {PTO_VRND_R, PTO_VRND_A, PTO_VRND_F,
                                         PTO_VRND_C, PTO_VRND_Z, PTO_VRND_O};
    int64_t index;
    op->rnd = op->dst == PTO_HIF8 ? PTO_VRND_A : PTO_VRND_R;
    if (!pto_kernel_word(f, c, c->is_vmi ? "rounding" : "rnd", words, &index)) return false;
    if (index == 6) return pto_text_error(&f->text, &c->opcode, "H: its meaning is not public");
    if (index >= 0) op->rnd = roundings[index];
    return true;
}

static bool read_saturation(struct kernel_front *f, struct kernel_call *c, pto_vcvt_op *op, bool *found) {
    static const char *const words[] = {"NOSAT", "SAT", NULL};
    int64_t index;
    if (!pto_kernel_word(f, c, c->is_vmi ? "saturate" : "sat", words, &index)) return false;
    *found = index >= 0;
    op->sat = index == 1;
    return true;
}

/* Returns whether the conversion narrows integers of at most 32 bits. pto_vcvt() lacks such conversions to
 * s8. */
static bool narrows_integers(const pto_vcvt_op *op) {
    return pto_is_integer(op->src) && pto_is_integer(op->dst) &&
           pto_dtype_bits(op->dst) < pto_dtype_bits(op->src) && pto_dtype_bits(op->src) <= 32 &&
           op->rnd == PTO_VRND_R;
}

/* Checks that the conversion exists. If it exists with and without saturation, a VMI text must say which is
 * meant. */
static bool check_pair(struct kernel_front *f, struct kernel_call *c, pto_vcvt_op op, bool has_saturation) {
    const char *from = pto_type_spelling(op.src), *to = pto_type_spelling(op.dst);
    pto_vcvt_op other = op;
    const pto_status status = pto_vcvt_check(op);
    other.sat = !op.sat;
    c->op->number[1] = status == PTO_ERR_TYPE && narrows_integers(&op);
    if (status == PTO_ERR_TYPE && !c->op->number[1])
        return pto_text_error(
            &f->text, &c->opcode,
            "expected another type: there is no vcvt from %s to %s (pto_cast() converts all types)", from,
            to);
    if (status == PTO_ERR_MODIFIER)
        return pto_text_error(&f->text, &c->opcode, "vcvt from %s to %s does not take this %s", from, to,
                              pto_vcvt_check(other) == PTO_OK ? "saturation" : "rounding");
    if (c->is_vmi && !has_saturation && (c->op->number[1] || pto_vcvt_check(other) == PTO_OK))
        return pto_text_error(&f->text, &c->opcode, "expected saturate = \"SAT\" or \"NOSAT\" for %s to %s",
                              from, to);
    return true;
}

/* Reads the attribute `part`. It is required if the two types differ in width, and an error if they do
 * not. */
static bool read_part(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"EVEN", "ODD", "P0", "P1", "P2", "P3", NULL};
    static const pto_vpart parts[] = {PTO_PART_EVEN, PTO_PART_ODD, PTO_PART_P0,
                                      PTO_PART_P1,   PTO_PART_P2,  PTO_PART_P3};
    const unsigned from = c->op->lanes.bytes, to = pto_kernel_lane_bits(c->op->out[0]->type.element) / 8;
    const unsigned ratio = from > to ? from / to : to / from;
    const bool fours = ratio == 4 || pto_dtype_bits(c->type.element) == 4 ||
                       pto_dtype_bits(c->op->out[0]->type.element) == 4;
    int64_t index;
    if (!pto_kernel_word(f, c, "part", words, &index)) return false;
    c->op->number[0] = index < 0 ? NO_PART : (int64_t)parts[index];
    if (ratio == 1)
        return index < 0 ||
               pto_text_error(&f->text, &c->opcode, "expected no part: both types have one width");
    if (index < 0 || fours != (index >= 2))
        return pto_text_error(&f->text, &c->opcode, "expected part = %s",
                              fours ? "P0, P1, P2 or P3" : "EVEN or ODD");
    return true;
}

static pto_dtype converted(pto_dtype type) {
    return type == PTO_BF16X2 ? PTO_BF16 : type;
}

bool pto_kernel_prepare_vcvt(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *to = &c->op->out[0]->type;
    pto_vcvt_op op = {.dst = converted(to->element), .src = converted(c->type.element)};
    bool found;
    if (!read_rounding(f, c, &op) || !read_saturation(f, c, &op, &found) || !check_pair(f, c, op, found))
        return false;
    c->op->convert = op;
    c->op->number[2] = f->program->options.recorded && op.sat;
    if (!c->is_vmi) return read_part(f, c);
    c->op->number[0] = NO_PART;
    return to->lanes == c->type.lanes ||
           pto_text_error(&f->text, &c->out[0].token, "expected %u lanes in the result", c->type.lanes);
}

/* VMI's extsi, extui and trunci */
bool pto_kernel_prepare_extend(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *to = &c->op->out[0]->type;
    const bool narrows = c->operation->variant == 2;
    pto_vcvt_op op = {.dst = to->element, .src = c->type.element};
    bool found;
    if (!read_saturation(f, c, &op, &found)) return false;
    if (!pto_is_integer(op.src) || !pto_is_integer(op.dst) || to->lanes != c->type.lanes ||
        narrows != (pto_dtype_bits(op.dst) < pto_dtype_bits(op.src)) ||
        pto_dtype_bits(op.dst) == pto_dtype_bits(op.src))
        return pto_text_error(&f->text, &c->opcode, "expected integers with as many lanes, %s",
                              narrows ? "narrower" : "wider");
    c->op->convert = op;
    c->op->number[0] = NO_PART;
    c->op->number[1] = 1;
    return true;
}

/* ---- integers ---- */

static int64_t read_integer(const struct kernel_op *op, const void *from, size_t i) {
    const unsigned bits = (unsigned)pto_dtype_bits(op->convert.src), unused = 64 - bits;
    const uint64_t x = kernel_load(from, bits / 8, i);
    if (pto_dtype_class(op->convert.src) == PTO_CLASS_UNSIGNED) return (int64_t)x;
    return (int64_t)(x << unused) >> unused;
}

static int64_t clamp(int64_t x, pto_dtype type) {
    const unsigned bits = (unsigned)pto_dtype_bits(type);
    const bool is_signed = pto_dtype_class(type) == PTO_CLASS_SIGNED;
    const int64_t highest = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1,
                  lowest = is_signed ? -highest - 1 : 0;
    return x < lowest ? lowest : x > highest ? highest : x;
}

/* Returns the position that the part selects among the 2 or 4 narrow lanes that are as wide as one wide
 * lane. */
static size_t part_place(int64_t part) {
    return part == PTO_PART_ODD || part == PTO_PART_P1 ? 1
           : part == PTO_PART_P2                       ? 2
           : part == PTO_PART_P3                       ? 3
                                                       : 0;
}

static bool convert_integers(struct kernel_machine *m, const struct kernel_op *op, const void *from) {
    const unsigned bytes = (unsigned)pto_dtype_bits(op->convert.dst) / 8;
    const size_t each = op->number[0] == NO_PART ? 1 : op->lanes.bytes / bytes,
                 place = part_place(op->number[0]);
    unsigned char on[KERNEL_VMI_LANES / 8], *to = kernel_at(m, op->out[0]);
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    memset(to, 0, pto_kernel_value_bytes(&op->out[0]->type));
    for (size_t i = 0; i < op->lanes.count; i++) {
        int64_t x = read_integer(op, from, i);
        if (op->convert.sat) x = clamp(x, op->convert.dst);
        if (kernel_is_on(on, i)) kernel_store(to, bytes, each * i + place, (uint64_t)x);
    }
    return true;
}

/* ---- pto_vcvt ---- */

/* Converts 4-bit codes under a mask with one lane for each pair of codes. pto_vcvt_part() takes a mask with
 * one bit for each code, and the bit of a pair's lower code decides. So bit i of the mask is copied to bit 2
 * i. */
static pto_status convert_pairs(struct kernel_machine *m, const struct kernel_op *op, const void *from) {
    unsigned char spread[2 * KERNEL_VECTOR_BYTES / 8];
    const pto_status status =
        pto_mask_mov(pto_kernel_mask(m, op->mask), pto_mask_at(spread, PTO_MASK_B16), op->lanes.count);
    if (status != PTO_OK) return status;
    return pto_vcvt_part(op->convert, (pto_vpart)op->number[0], from, pto_packed(spread),
                         kernel_at(m, op->out[0]), op->out[0]->type.lanes);
}

static pto_status convert(struct kernel_machine *m, const struct kernel_op *op, const void *from,
                          pto_vcvt_op how, void *to) {
    const bool pairs = pto_dtype_bits(how.src) == 4;
    const size_t more = op->out[0]->type.lanes > op->lanes.count ? op->lanes.count : op->out[0]->type.lanes;
    unsigned char packed[KERNEL_VMI_LANES / 8];
    pto_mask mask = pto_kernel_mask(m, op->mask);
    if (op->mask && op->lanes.bytes == 8) { /* lane i of the b32 mask is for element i */
        if (!pto_kernel_packed(m, op, op->mask, packed, op->lanes.count)) return m->status;
        mask = pto_packed(packed);
    }
    if (op->number[0] != NO_PART && pairs && op->mask) return convert_pairs(m, op, from);
    if (op->number[0] != NO_PART) return pto_vcvt_part(how, (pto_vpart)op->number[0], from, mask, to, more);
    return pto_vcvt(how, from, mask, to,
                    (size_t)op->lanes.count * (pairs || pto_dtype_bits(how.dst) == 4 ? 2 : 1));
}

/* Returns the magnitude that the vendor's test cases recorded for overflows with saturation; 0 if libpto's
 * result stays. */
static unsigned recorded_overflow(const pto_vcvt_op *op) {
    if (op->dst == PTO_E4M3 && op->rnd == PTO_VRND_A) return 0x78;
    if (op->dst == PTO_E5M2 && op->rnd == PTO_VRND_A) return 0x7d;
    return op->dst == PTO_E5M2 && op->rnd == PTO_VRND_Z ? 0x7c : 0;
}

/* Replaces the magnitudes of overflows by the recorded one. An overflow is a finite source whose conversion
 * without saturation gives an infinity or a NaN. */
static bool replace_overflows(struct kernel_machine *m, const struct kernel_op *op, const void *from) {
    const unsigned recorded = recorded_overflow(&op->convert),
                   limit = op->convert.dst == PTO_E4M3 ? 0x7f : 0x7c;
    const size_t bytes = pto_kernel_value_bytes(&op->out[0]->type), each = bytes / op->lanes.count;
    const uint64_t infinity = op->convert.src == PTO_F32    ? 0x7f800000
                              : op->convert.src == PTO_BF16 ? 0x7f80
                                                            : 0x7c00;
    unsigned char *to = kernel_at(m, op->out[0]), *free_results = m->scratch[1];
    pto_vcvt_op without = op->convert;
    without.sat = false;
    if (recorded == 0) return true;
    if (!pto_kernel_is_ok(m, op, convert(m, op, from, without, free_results))) return false;
    for (size_t i = 0; i < bytes; i++) {
        const uint64_t source =
            kernel_load(from, op->lanes.bytes, i / each) & (((uint64_t)1 << (8 * op->lanes.bytes - 1)) - 1);
        if (source < infinity && (free_results[i] & 0x7f) >= limit)
            to[i] = (unsigned char)((to[i] & 0x80) | recorded);
    }
    return true;
}

static bool convert_from(struct kernel_machine *m, const struct kernel_op *op, const void *from) {
    if (op->number[1]) return convert_integers(m, op, from);
    if (!pto_kernel_is_ok(m, op, convert(m, op, from, op->convert, kernel_at(m, op->out[0])))) return false;
    return !op->number[2] || replace_overflows(m, op, from);
}

bool pto_kernel_vcvt(struct kernel_machine *m, const struct kernel_op *op) {
    return convert_from(m, op, kernel_at(m, op->in[0]));
}

/* Rounds the product to the type of the source, and then converts it. */
bool pto_kernel_vmulscvt(struct kernel_machine *m, const struct kernel_op *op) {
    const struct typed_parameters typed = {.type = op->lanes.type, .elements_per_lane = 1};
    const void *scalar = pto_kernel_spread(m, op, op->in[1], 1);
    const struct addresses product = {.dst = {m->scratch[0]}, .src = {kernel_at(m, op->in[0]), scalar}};
    return scalar &&
           pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_MUL, &typed, &product, op->lanes.count)) &&
           convert_from(m, op, m->scratch[0]);
}

/* ---- vtrc ---- */

bool pto_kernel_prepare_vtrc(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"R", "A", "F", "C", "Z", NULL};
    static const pto_vrnd roundings[] = {PTO_VRND_R, PTO_VRND_A, PTO_VRND_F, PTO_VRND_C, PTO_VRND_Z};
    int64_t index;
    if (!pto_kernel_word(f, c, "rnd", words, &index)) return false;
    c->op->convert.rnd = roundings[index < 0 ? 0 : index];
    return true;
}

bool pto_kernel_vtrc(struct kernel_machine *m, const struct kernel_op *op) {
    return pto_kernel_is_ok(m, op,
                            pto_vtrc(op->lanes.type, op->convert.rnd, kernel_at(m, op->in[0]),
                                     pto_kernel_mask(m, op->mask), kernel_at(m, op->out[0]),
                                     op->lanes.count));
}
