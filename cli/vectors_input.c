/* SPDX-License-Identifier: MIT */
/* Chosen and pseudo-random operands. */
#include "vectors_input.h"

#include <stdlib.h>

struct truth_shape vector_shape(pto_dtype type) {
    const bool is_pair = type == PTO_F16X2 || type == PTO_BF16X2;
    struct truth_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.unit_bits = (unsigned)pto_dtype_bits(type);
    shape.halves = is_pair ? 2 : 1;
    switch (type) {
    case PTO_F16:
    case PTO_F16X2: shape.kind = TRUTH_F16; break;
    case PTO_BF16:
    case PTO_BF16X2: shape.kind = TRUTH_BF16; break;
    case PTO_F32:
    case PTO_TF32: shape.kind = TRUTH_F32; break;
    case PTO_F64: shape.kind = TRUTH_F64; break;
    default: shape.kind = TRUTH_INT; break;
    }
    return shape;
}

/* The low bits of a tf32 are 0. */
static uint64_t used_bits(pto_dtype type, uint64_t operand) {
    return type == PTO_TF32 ? operand & UINT32_C(0xffffe000) : operand;
}

uint64_t vector_random(pto_dtype type, uint64_t index) {
    const struct truth_shape shape = vector_shape(type);
    if (shape.kind == TRUTH_INT) return truth_integer(shape.unit_bits, index);
    return used_bits(type, truth_float(shape.kind, index));
}

uint64_t vector_special(pto_dtype type, unsigned i) {
    const struct truth_shape shape = vector_shape(type);
    return used_bits(type, truth_special(&shape, i));
}

void vector_operands_add(struct vector_operands *list, uint64_t operand) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 4096 : 2 * list->capacity;
        uint64_t *const items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) out_of_memory();
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = operand;
}

/* ---- boundaries of a destination ---- */

/* Returns the operand of type `src` that has the value of a code of type `dst`, or the nearest one. */
static uint64_t value_of(pto_dtype src, pto_dtype dst, uint64_t code) {
    const pto_cast_op op = {src, dst, PTO_RN, PTO_OVERFLOW_IEEE};
    uint64_t from = code & truth_all_bits((unsigned)pto_dtype_bits(dst)), to = 0;
    if (pto_cast(op, &from, &to, NULL, 1) != PTO_OK) return 0;
    return to;
}

/* Returns whether a float has the highest exponent field, which infinities and NaNs have. */
static bool is_not_finite(const struct truth_shape *shape, uint64_t operand) {
    const uint64_t top = truth_all_bits(truth_exponent_bits(shape->kind)) << truth_fraction_bits(shape->kind);
    return shape->kind != TRUTH_INT && (operand & top) == top;
}

/* Returns the operand that is as far beyond `at` as the middle between `before` and `at` is on this side. */
static uint64_t beyond(const struct truth_shape *shape, uint64_t before, uint64_t at) {
    const uint64_t all = truth_all_bits(shape->unit_bits);
    return before <= at ? (at + (at - before) / 2) & all : (at - (before - at) / 2) & all;
}

/*
 * Returns the middle between two adjacent values of the destination, `at` and `next`. The bits of floats of one sign
 * are in the order of their values and linear up to the next power of two, so the middle is the mean of the bits.
 * Beside a zero it is half of the other value. If `next` is not finite or has the other sign, the middle is as far from
 * `at` as that of `before` and `at`.
 */
static uint64_t middle(const struct truth_shape *shape, uint64_t before, uint64_t at, uint64_t next) {
    const uint64_t all = truth_all_bits(shape->unit_bits), magnitude = all >> 1;
    const bool is_float = shape->kind != TRUTH_INT;
    const uint64_t half = is_float ? (uint64_t)1 << truth_fraction_bits(shape->kind) : 0;
    if (is_float && (at & magnitude) == 0) return (next - half) & all;
    if (is_float && (next & magnitude) == 0) return (at - half) & all;
    if (((at ^ next) & ~magnitude & all) != 0 || is_not_finite(shape, next)) return beyond(shape, before, at);
    return at <= next ? at + (next - at) / 2 : next + (at - next) / 2;
}

/* Appends an operand and the two next to it. */
static void add_three(struct vector_operands *list, pto_dtype src, uint64_t operand) {
    const uint64_t all = truth_all_bits((unsigned)pto_dtype_bits(src));
    const uint64_t last = src == PTO_TF32 ? (uint64_t)1 << 13 : 1;
    vector_operands_add(list, used_bits(src, (operand - last) & all));
    vector_operands_add(list, used_bits(src, operand));
    vector_operands_add(list, used_bits(src, (operand + last) & all));
}

/* A value of the destination as an operand of the source, and its rank in the order of the values. */
struct ranked {
    int64_t rank;
    uint64_t operand;
};

static int compare_ranks(const void *a, const void *b) {
    const struct ranked *const x = a, *const y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Returns the operands of type `src` with the values of `count` codes of type `dst`, in the order of their values, with
 * -0 below +0. */
static void rank_codes(struct ranked *ranked, pto_dtype src, pto_dtype dst, unsigned count) {
    const struct truth_shape shape = vector_shape(src);
    const uint64_t sign = (uint64_t)1 << (shape.unit_bits - 1);
    const bool has_sign = shape.kind != TRUTH_INT || pto_dtype_class(src) == PTO_CLASS_SIGNED;
    for (unsigned i = 0; i < count; ++i) {
        const uint64_t operand = value_of(src, dst, i);
        const int64_t magnitude = (int64_t)(operand & (sign - 1));
        const bool negative = has_sign && (operand & sign) != 0;
        const int64_t below = shape.kind != TRUTH_INT ? -magnitude - 1 : magnitude - (int64_t)(sign - 1) - 1;
        ranked[i] = (struct ranked){negative ? below : magnitude, operand};
    }
    qsort(ranked, count, sizeof *ranked, compare_ranks);
}

/* Adds all values of a destination of at most 256 codes, the middles between adjacent ones, and what would be the
 * middles beyond the lowest and the highest one. */
static void add_all_boundaries(struct vector_operands *list, pto_dtype src, pto_dtype dst, unsigned count) {
    const struct truth_shape shape = vector_shape(src);
    const uint64_t magnitude = truth_all_bits(shape.unit_bits) >> 1;
    struct ranked ranked[256];
    unsigned first = 0, last = count - 1;
    rank_codes(ranked, src, dst, count);
    for (unsigned i = 0; i < count; ++i) add_three(list, src, ranked[i].operand);
    while (first < last && is_not_finite(&shape, ranked[first].operand)) ++first;
    while (first < last && is_not_finite(&shape, ranked[last].operand)) --last;
    for (unsigned i = first; i < last; ++i) {
        const uint64_t at = ranked[i].operand, next = ranked[i + 1].operand;
        const bool zeros = shape.kind != TRUTH_INT && ((at | next) & magnitude) == 0;
        if (at != next && !zeros) add_three(list, src, middle(&shape, at, at, next));
    }
    if (first < last) {
        add_three(list, src, beyond(&shape, ranked[first + 1].operand, ranked[first].operand));
        add_three(list, src, beyond(&shape, ranked[last - 1].operand, ranked[last].operand));
    }
    /* Instructions with random bits take groups of up to four elements. */
    while (list->count % 4 != 0) vector_operands_add(list, ranked[last].operand);
}

void vector_boundaries(struct vector_operands *list, pto_dtype src, pto_dtype dst) {
    const struct truth_shape shape = vector_shape(src);
    const uint64_t codes = source_codes(dst), step = dst == PTO_TF32 ? (uint64_t)1 << 13 : 1;
    if (pto_cast_check((pto_cast_op){src, dst, PTO_RN, PTO_OVERFLOW_IEEE}) != PTO_OK) return;
    if (codes != 0 && codes <= 256) {
        add_all_boundaries(list, src, dst, (unsigned)codes);
        return;
    }
    for (unsigned i = 0; i < 256; ++i) {
        const uint64_t code = i < TRUTH_SPECIALS ? vector_special(dst, i) : vector_random(dst, i);
        const uint64_t at = value_of(src, dst, code);
        add_three(list, src, at);
        add_three(list, src,
                  middle(&shape, value_of(src, dst, code - step), at, value_of(src, dst, code + step)));
    }
}
