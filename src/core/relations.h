/* SPDX-License-Identifier: MIT */
/*
 * The list of relations that backends compute. All eighteen operators are relations or their complements (see
 * lowering.c). The enum below, the kernels, the rows of kernel tables and the scalar definition are made by expanding
 * this list.
 *
 *   DIRECT(context, NAME, outcomes, NAME)      a relation that every backend has kernels for
 *   MIRRORED(context, NAME, outcomes, mirror)  `a NAME b` is `b mirror a`; for two arrays the kernel of `mirror` runs
 *
 * `outcomes` is the set of outcomes for which the relation is true. `context` is passed through to the user of the
 * list.
 */
#ifndef PTO_CORE_RELATIONS_H
#define PTO_CORE_RELATIONS_H

/* The possible outcomes of comparing two operands, one bit each, so that a relation is a set of outcomes. */
enum outcome {
    OUTCOME_LESS = 1,
    OUTCOME_EQUAL = 2,
    OUTCOME_GREATER = 4,
    OUTCOME_UNORDERED = 8,
    OUTCOMES = 15
};

/* clang-format off */
#define INTEGER_RELATIONS(DIRECT, MIRRORED, context) \
    DIRECT(context, EQ, OUTCOME_EQUAL, EQ)           \
    DIRECT(context, LT, OUTCOME_LESS, LT)            \
    MIRRORED(context, GT, OUTCOME_GREATER, LT)

/* LG means less or greater. ORD means ordered: neither operand is a NaN. */
#define RELATIONS(DIRECT, MIRRORED, context)                                  \
    INTEGER_RELATIONS(DIRECT, MIRRORED, context)                              \
    DIRECT(context, LE, OUTCOME_LESS | OUTCOME_EQUAL, LE)                     \
    DIRECT(context, LG, OUTCOME_LESS | OUTCOME_GREATER, LG)                   \
    DIRECT(context, ORD, OUTCOME_LESS | OUTCOME_EQUAL | OUTCOME_GREATER, ORD) \
    MIRRORED(context, GE, OUTCOME_GREATER | OUTCOME_EQUAL, LE)
/* clang-format on */

#define NAMED(context, r, outcomes, mirror)   RELATION_##r,
#define COUNTED(context, r, outcomes, mirror) +1
enum relation { RELATIONS(NAMED, NAMED, ) };
enum { RELATION_COUNT = 0 RELATIONS(COUNTED, COUNTED, ) };
#undef NAMED
#undef COUNTED

/* Returns the relation that a mirrored relation becomes when its operands are exchanged, and r itself if r is not
 * mirrored. */
static inline enum relation relation_direct(enum relation r) {
    static const unsigned char direct[RELATION_COUNT] = {
#define MIRROR(context, r, outcomes, mirror) [RELATION_##r] = RELATION_##mirror,
        RELATIONS(MIRROR, MIRROR, )
#undef MIRROR
    };
    return (enum relation)direct[r];
}

/* Returns the outcomes for which the relation is true. */
static inline unsigned relation_outcomes(enum relation r) {
    static const unsigned char all[RELATION_COUNT] = {
#define OUTCOMES(context, r, outcomes, mirror) [RELATION_##r] = (outcomes),
        RELATIONS(OUTCOMES, OUTCOMES, )
#undef OUTCOMES
    };
    return all[r];
}

#endif
