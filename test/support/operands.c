/* SPDX-License-Identifier: MIT */
/* Read-only source arrays between guard pages, and the relations of their lanes. */
#include "support/operands.h"

#include <string.h>

static void decode(struct operands *o, int ftz) {
    const size_t parts = o->count * o->parts;
    const size_t size = o->size / o->parts;
    o->value_a[ftz] = harness_allocate(parts * sizeof *o->value_a[ftz]);
    o->value_b[ftz] = harness_allocate(parts * sizeof *o->value_b[ftz]);
    o->relation[ftz] = harness_allocate(parts);
    for (size_t i = 0; i < parts; i++) {
        o->value_a[ftz][i] = model_decode(o->part, ftz, o->a.data + i * size);
        o->value_b[ftz][i] = model_decode(o->part, ftz, o->b.data + i * size);
    }
    model_relations(o->part, o->value_a[ftz], o->value_b[ftz], false, o->relation[ftz], parts);
}

void operands_open(struct operands *o, struct rng *rng, pto_dtype type, bool cross) {
    memset(o, 0, sizeof *o);
    o->type = type;
    o->part = model_part(type);
    o->size = model_word(type);
    o->parts = model_parts(type);
    guarded_open(&o->a, HARNESS_LONGEST * o->size);
    guarded_open(&o->b, HARNESS_LONGEST * o->size);
    o->count = o->a.size / o->size;
    values_pairs(rng, o->part, o->a.data, o->b.data, o->count * o->parts);
    if (cross) values_cross(o->part, o->a.data, o->b.data);
    guarded_freeze(&o->a);
    guarded_freeze(&o->b);
}

void operands_relate(struct operands *o) {
    decode(o, 0);
    decode(o, 1);
}

void operands_close(struct operands *o) {
    guarded_close(&o->a);
    guarded_close(&o->b);
    for (int ftz = 0; ftz < 2; ftz++) {
        harness_free(o->value_a[ftz]);
        harness_free(o->value_b[ftz]);
        harness_free(o->relation[ftz]);
    }
}

pto_mask_kind mask_kind(pto_dtype type, size_t number) {
    switch (number % MASK_KINDS) {
    case 0: return PTO_MASK_PACKED;
    case 1: return model_word_image(type);
    default: return PTO_MASK_BYTE;
    }
}

size_t operands_first(const struct operands *o, size_t n, enum place place) {
    return place == AT_BEGIN ? 0 : o->count - n;
}
