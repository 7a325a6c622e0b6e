/* SPDX-License-Identifier: MIT */
/** @file operands.h  Two read-only source arrays between guard pages, and how their lanes stand to each
 * other. */
#ifndef PTO_TEST_OPERANDS_H
#define PTO_TEST_OPERANDS_H

#include "model/model_ptx.h"
#include "support/values.h"

struct operands {
    pto_dtype type; /* as the instruction says it */
    pto_dtype part; /* what is compared: for the pairs a half, for packed integers one of them */
    size_t size;    /* bytes of an element */
    size_t parts;   /* per element */
    size_t count;   /* elements in a and in b, which fill their memory from guard page to guard page */
    struct guarded a, b;
    /* From operands_relate: */
    struct model_value *value_a[2], *value_b[2]; /* of the parts; [1]: under .ftz */
    unsigned char *relation[2];                  /* of each part of a to that of b, likewise */
};

/** Mixed values, or every special against every special first (`cross`). Freezes a and b. */
void operands_open(struct operands *o, struct rng *rng, pto_dtype type, bool cross);
/** Decode them and relate them by the model. */
void operands_relate(struct operands *o);
void operands_close(struct operands *o);

/** The element that a call of n elements begins with so that it lies right behind, or right before, a guard
 * page. */
size_t operands_first(const struct operands *o, size_t n, enum place place);

/** The kinds of mask that go with lanes of a type: PACKED, its image, BYTE, and over again. */
enum { MASK_KINDS = 3 };
pto_mask_kind mask_kind(pto_dtype type, size_t number);

/** The operator's answers for the parts of one element. */
static inline void operands_answer(const struct operands *o, const bool answers[4], bool ftz, size_t element,
                                   bool answer[MODEL_MOST_PARTS]) {
    const unsigned char *relation = &o->relation[ftz][element * o->parts];
    for (size_t i = 0; i < MODEL_MOST_PARTS; i++) {
        answer[i] = i < o->parts && answers[relation[i]];
    }
}

#endif
