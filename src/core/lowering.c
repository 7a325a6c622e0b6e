/* SPDX-License-Identifier: MIT */
/* The table that maps every comparison operator to a relation or the complement of one. */
#include "core/lowering.h"

#define IS(relation)     LOWERED | RELATION_##relation
#define IS_NOT(relation) LOWERED | LOWERED_COMPLEMENT | RELATION_##relation

/* Integers are never unordered, so LE is the complement of GT and so on. */
#define EQUALITY [PTO_EQ] = IS(EQ), [PTO_NE] = IS_NOT(EQ)
#define ORDER    [PTO_LT] = IS(LT), [PTO_LE] = IS_NOT(GT), [PTO_GT] = IS(GT), [PTO_GE] = IS_NOT(LT)

_Static_assert((int)RELATION_COUNT <= (int)LOWERED_RELATION_MASK && (int)CMP_COUNT <= (int)CMP_CAPACITY,
               "every relation and operator must fit the table of lowerings");

/* The complement of a relation that is false for NaNs is true for NaNs: LTU is "not GE". Floating-point NE is ordered,
 * so it means less or greater. */
const u8 pto_lowerings[ELEMENT_CLASSES][CMP_CAPACITY] = {
    [PTO_CLASS_BITS] = {EQUALITY},
    [PTO_CLASS_SIGNED] = {EQUALITY, ORDER},
    [PTO_CLASS_UNSIGNED] =
        {EQUALITY, ORDER, [PTO_LO] = IS(LT), [PTO_LS] = IS_NOT(GT), [PTO_HI] = IS(GT), [PTO_HS] = IS_NOT(LT)},
    [PTO_CLASS_FLOAT] = {[PTO_EQ] = IS(EQ),
                         [PTO_NE] = IS(LG),
                         [PTO_LT] = IS(LT),
                         [PTO_LE] = IS(LE),
                         [PTO_GT] = IS(GT),
                         [PTO_GE] = IS(GE),
                         [PTO_EQU] = IS_NOT(LG),
                         [PTO_NEU] = IS_NOT(EQ),
                         [PTO_LTU] = IS_NOT(GE),
                         [PTO_LEU] = IS_NOT(GT),
                         [PTO_GTU] = IS_NOT(LE),
                         [PTO_GEU] = IS_NOT(LT),
                         [PTO_NUM] = IS(ORD),
                         [PTO_NAN] = IS_NOT(ORD)},
};
