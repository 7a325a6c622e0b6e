/* SPDX-License-Identifier: MIT */
/* What steps do: operations on blocks of registers, each a call of libpto or a loop of arithmetic.c. */
#ifndef PTO_PROGRAM_STEPS_H
#define PTO_PROGRAM_STEPS_H

#include "ir.h"

/* dst: p, q (ABSENT: not wanted); src: a, b, c (ABSENT without a BoolOp) */
step_fn pto_step_setp;
/* dst: d; src: a, b, c (ABSENT without a BoolOp) */
step_fn pto_step_set;
/* dst: d; src: a, b, p */
step_fn pto_step_selp;
/* dst: d; src: a, b, c */
step_fn pto_step_slct;
/* dst: d; src: the elements of a lane from the lowest on, at most four; then in [4] random bits or scales */
step_fn pto_step_cvt;
/* dst: d; src: a */
step_fn pto_step_mov, pto_step_not, pto_step_neg, pto_step_abs;
/* dst: d; src: a, b */
step_fn pto_step_and, pto_step_or, pto_step_xor, pto_step_add, pto_step_sub, pto_step_mul, pto_step_max,
    pto_step_min, pto_step_shl, pto_step_shr;
/* dst: d; src: a, b, c */
step_fn pto_step_fma;
/* dst: d; src: its parts from the lowest on, `group` of them, of `type` */
step_fn pto_step_join;
/* dst: parts from the lowest on, ABSENT for some; src: a */
step_fn pto_step_split;
/* dst: d; src: a, b; of predicates */
step_fn pto_step_pand, pto_step_por, pto_step_pxor;
/* dst: d; src: a; of predicates */
step_fn pto_step_pmov, pto_step_pnot;
/* dst: d; src: a, b, s: a where s, else b; of predicates */
step_fn pto_step_psel;

#endif
