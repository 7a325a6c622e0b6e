/* SPDX-License-Identifier: MIT */
/*
 * The list of relations that backends compute. All eighteen operators are relations or their complements (see
 * lowering.c). The enum, kernels, table rows and the scalar definition expand this list.
 *
 *   DIRECT(with, NAME, holds, NAME)    a relation that every backend has kernels for
 *   MIRRORED(with, NAME, holds, of)    `a NAME b` is `b of a`; for two arrays the kernel of relation `of` is used
 *
 * `holds` is the set of outcomes for which the relation is true. `with` is passed through to the user of the list.
 */
#ifndef PTO_CORE_RELATIONS_H
#define PTO_CORE_RELATIONS_H

/* The possible outcomes of comparing two operands, one bit each, so that a relation is a set of outcomes. */
enum relation { REL_LESS = 1, REL_EQUAL = 2, REL_GREATER = 4, REL_UNORDERED = 8 };

/* clang-format off */
#define INTEGER_RELATIONS(DIRECT, MIRRORED, with) \
    DIRECT(with, EQ, REL_EQUAL, EQ)               \
    DIRECT(with, LT, REL_LESS, LT)                \
    MIRRORED(with, GT, REL_GREATER, LT)

/* LG means less or greater. ORD means ordered: neither operand is a NaN. */
#define RELATIONS(DIRECT, MIRRORED, with)                        \
    INTEGER_RELATIONS(DIRECT, MIRRORED, with)                    \
    DIRECT(with, LE, REL_LESS | REL_EQUAL, LE)                   \
    DIRECT(with, LG, REL_LESS | REL_GREATER, LG)                 \
    DIRECT(with, ORD, REL_LESS | REL_EQUAL | REL_GREATER, ORD)   \
    MIRRORED(with, GE, REL_GREATER | REL_EQUAL, LE)
/* clang-format on */

#define NAMED(with, r, holds, of)   BASIS_##r,
#define COUNTED(with, r, holds, of) +1
enum basis { RELATIONS(NAMED, NAMED, ) };
enum { BASIS_COUNT = 0 RELATIONS(COUNTED, COUNTED, ) };
#undef NAMED
#undef COUNTED

/* Returns the relation that a mirrored relation becomes when its operands are exchanged, and r itself if r is not
 * mirrored. */
static inline enum basis basis_direct(enum basis r) {
    static const unsigned char direct[BASIS_COUNT] = {
#define OF(with, r, holds, of) [BASIS_##r] = BASIS_##of,
        RELATIONS(OF, OF, )
#undef OF
    };
    return (enum basis)direct[r];
}

#endif
