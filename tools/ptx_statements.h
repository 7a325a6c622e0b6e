/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_statements.h
 * The asm statement around each instruction of ptx_truth_forms.inc. A file that includes that list must first define
 *
 *     FORM(n, level, text, third, D, statement, inputs...)   third: operand c with its comma; D: letter of the result
 *     IN(S, field)                                           an input: its letter, and the member of ptx_operands
 *     PART(family, k), END_PART(family, k)
 *
 * so that the statements on a GPU are the same as those that the tests read. Letters are B, H, R and L for registers
 * of 8, 16, 32 and 64 bits. P are two predicates: %0 is 1 if p is true, and %1 is 2 if q is true. asm has no operands
 * of 8 bits, so 8-bit registers are declared inside the statement.
 */
#ifndef PTO_PTX_STATEMENTS_H
#define PTO_PTX_STATEMENTS_H

#define BEGIN_TO_B   "{ .reg .b8 d; "
#define BEGIN_TO_H   "{ "
#define BEGIN_TO_R   "{ "
#define BEGIN_TO_L   "{ "
#define NAME_TO_B    " d"
#define NAME_TO_H    " %0"
#define NAME_TO_R    " %0"
#define NAME_TO_L    " %0"
#define END_TO_B     "; mov.b16 %0, {d, 0}; }"
#define END_TO_H     "; }"
#define END_TO_R     "; }"
#define END_TO_L     "; }"
#define BEGIN_FROM_B ".reg .b8 s, unused; mov.b16 {s, unused}, %1; "
#define BEGIN_FROM_H
#define BEGIN_FROM_R
#define BEGIN_FROM_L
#define NAME_FROM_B ", s"
#define NAME_FROM_H ", %1"
#define NAME_FROM_R ", %1"
#define NAME_FROM_L ", %1"

/* The scale operand after one or two source operands: one scale of 8 bits (B), or two in 16 bits (H). */
#define BEGIN_SCALE1_B ".reg .b8 x, y; mov.b16 {x, y}, %2; "
#define BEGIN_SCALE2_B ".reg .b8 x, y; mov.b16 {x, y}, %3; "
#define BEGIN_SCALE1_H
#define BEGIN_SCALE2_H
#define NAME_SCALE1_B ", x"
#define NAME_SCALE2_B ", x"
#define NAME_SCALE1_H ", %2"
#define NAME_SCALE2_H ", %3"

/* The destination of setp: one predicate, or two. */
#define BOTH_0 "p"
#define BOTH_1 "p|q"

#define CVT1(n, level, text, D, S)                                                                           \
    FORM(n, level, text, "", D, BEGIN_TO_##D BEGIN_FROM_##S text NAME_TO_##D NAME_FROM_##S END_TO_##D,       \
         IN(S, a))
#define CVT2(n, level, text, D)                                                                              \
    FORM(n, level, text, "", D, BEGIN_TO_##D text NAME_TO_##D ", %1, %2" END_TO_##D, IN(R, a), IN(R, b))
#define CVT2R(n, level, text, D)                                                                             \
    FORM(n, level, text, "", D, BEGIN_TO_##D text NAME_TO_##D ", %1, %2, %3" END_TO_##D, IN(R, a), IN(R, b), \
         IN(R, random))
#define CVT4R(n, level, text, D)                                                                             \
    FORM(n, level, text, "", D, BEGIN_TO_##D text NAME_TO_##D ", {%1, %2, %3, %4}, %5" END_TO_##D, IN(R, a), \
         IN(R, b), IN(R, e), IN(R, f), IN(R, random))
#define CVT1S(n, level, text, D, S, X)                                                                       \
    FORM(n, level, text, "", D,                                                                              \
         BEGIN_TO_##D BEGIN_FROM_##S BEGIN_SCALE1_##X text                                                   \
             NAME_TO_##D NAME_FROM_##S NAME_SCALE1_##X END_TO_##D,                                           \
         IN(S, a), IN(H, scales))
#define CVT2S(n, level, text, D, X)                                                                          \
    FORM(n, level, text, "", D,                                                                              \
         BEGIN_TO_##D BEGIN_SCALE2_##X text NAME_TO_##D ", %1, %2" NAME_SCALE2_##X END_TO_##D, IN(R, a),     \
         IN(R, b), IN(H, scales))
#define SETP(n, level, text, third, S, Q)                                                                    \
    FORM(n, level, text, third, P,                                                                           \
         "{ .reg .pred p, q, c; setp.ne.u32 q, 0, 0; setp.ne.u32 c, %4, 0; " text " " BOTH_##Q               \
         ", %2, %3" third "; selp.u32 %0, 1, 0, p; selp.u32 %1, 2, 0, q; }",                                 \
         IN(S, a), IN(S, b), IN(R, c))
#define SET(n, level, text, third, D, S)                                                                     \
    FORM(n, level, text, third, D, "{ .reg .pred c; setp.ne.u32 c, %3, 0; " text " %0, %1, %2" third "; }",  \
         IN(S, a), IN(S, b), IN(R, c))
#define SELP(n, level, text, D)                                                                              \
    FORM(n, level, text, "", D, "{ .reg .pred c; setp.ne.u32 c, %3, 0; " text " %0, %1, %2, c; }", IN(D, a), \
         IN(D, b), IN(R, c))
#define SLCT(n, level, text, D)                                                                              \
    FORM(n, level, text, "", D, text " %0, %1, %2, %3;", IN(D, a), IN(D, b), IN(R, c))
#define MAXMIN(n, level, text, D) FORM(n, level, text, "", D, text " %0, %1, %2;", IN(D, a), IN(D, b))

#endif
