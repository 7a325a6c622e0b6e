/* SPDX-License-Identifier: MIT */
/* The functions that run PTX steps on a block of lanes. Above each function, a comment lists the registers of
 * the step in the names of the PTX instruction. */
#ifndef PTO_PROGRAM_STEPS_H
#define PTO_PROGRAM_STEPS_H

#include "ir.h"

/* dst: p, q (ABSENT if the text has no q); src: a, b, c (ABSENT without a BoolOp) */
step_fn pto_step_setp;
/* dst: d; src: a, b, c (ABSENT without a BoolOp) */
step_fn pto_step_set;
/* dst: d; src: a, b, p */
step_fn pto_step_selp;
/* dst: d; src: a, b, c */
step_fn pto_step_slct;
/* dst: d; src[0] to src[3]: the elements of a lane, the lowest first; src[4]: random bits or scales */
step_fn pto_step_cvt;
/* dst: d; src: a */
step_fn pto_step_mov, pto_step_not, pto_step_neg, pto_step_abs;
/* dst: d; src: a, b */
step_fn pto_step_and, pto_step_or, pto_step_xor, pto_step_add, pto_step_sub, pto_step_mul, pto_step_max,
    pto_step_min, pto_step_shl, pto_step_shr;
/* dst: d; src: a, b, c */
step_fn pto_step_fma;
/* dst, src: see integers.h */
step_fn pto_step_integer;
/* dst: d; src: a, b, c (ABSENT if the operation in the parameters has fewer sources) */
step_fn pto_step_float;
/* dst: p; src: a */
step_fn pto_step_testp;
/* dst: d; src: `elements_per_lane` registers of type `type`, the lowest first */
step_fn pto_step_join;
/* dst: `elements_per_lane` registers of type `type`, the lowest first (ABSENT for `_`); src: a */
step_fn pto_step_split;
/* dst: d; src: a, b; all predicates */
step_fn pto_step_pand, pto_step_por, pto_step_pxor;
/* dst: d; src: a; both predicates */
step_fn pto_step_pmov, pto_step_pnot;
/* dst: d; src: a, b, s; all predicates; d is a where s is true, b elsewhere */
step_fn pto_step_psel;

/* Prepares a step for many blocks: sets all members of *ready except the operands in `at`. */
void pto_step_prepare(const struct step *s, struct prepared *ready);

#endif
