/* SPDX-License-Identifier: MIT */
/** @file operands.h  Two read-only source arrays between guard pages, and the relations of their lanes. */
#ifndef PTO_TEST_OPERANDS_H
#define PTO_TEST_OPERANDS_H

#include "model/model_ptx.h"
#include "support/values.h"

struct operands {
    pto_dtype type; /* the type of the instruction */
    pto_dtype part; /* the type that is compared: half of a pair, or one of the packed integers */
    size_t size;    /* bytes per element */
    size_t parts;   /* parts per element */
    size_t count;   /* elements in a and in b, each of which fills its memory between the guard pages */
    struct guarded a, b;
    /* Set by operands_relate(): */
    struct model_value *value_a[2], *value_b[2]; /* values of the parts; [1] with .ftz */
    unsigned char *relation[2];                  /* relation of each part of a to that of b; [1] with .ftz */
};

/** Fills a and b with random and special values and makes them read-only. If `cross` is true, they begin with all
 * pairs of special values. */
void operands_open(struct operands *o, struct rng *rng, pto_dtype type, bool cross);
/** Decodes the operands and relates them with the model. */
void operands_relate(struct operands *o);
void operands_close(struct operands *o);

/** Returns the first element of a call of n elements that begins right after a guard page or ends right before one. */
size_t operands_first(const struct operands *o, size_t n, enum place place);

/** mask_kind() returns PTO_MASK_PACKED, the predicate image kind of the type or PTO_MASK_BYTE, in turn as `number`
 * increases. */
enum { MASK_KINDS = 3 };
pto_mask_kind mask_kind(pto_dtype type, size_t number);

/** Sets `truth` to the operator's results for the parts of one element, and to false where there is no part. */
static inline void operands_truth(const struct operands *o, const bool truth_row[4], bool ftz, size_t element,
                                  bool truth[MODEL_MOST_PARTS]) {
    const unsigned char *relation = &o->relation[ftz][element * o->parts];
    for (size_t i = 0; i < MODEL_MOST_PARTS; i++) {
        truth[i] = i < o->parts && truth_row[relation[i]];
    }
}

#endif
