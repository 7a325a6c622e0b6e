/* SPDX-License-Identifier: MIT */
/*
 * What PTO's steps do, with `how.vector`. Masks are predicates, ABSENT: every lane. An operand that is a scalar is a
 * register, too, of which the first lane of the block counts.
 */
#ifndef PTO_PROGRAM_PTO_STEPS_H
#define PTO_PROGRAM_PTO_STEPS_H

#include "steps.h"

enum { VECTOR_BITS = 2048 };

/* dst: mask; src: a, b (a scalar for vcmps), seed */
step_fn pto_step_vcmp, pto_step_vcmps;
/* dst: d; src: a, b, mask */
step_fn pto_step_vsel, pto_step_vselr, pto_step_vselrv2;
/* dst: d; src: a, numbers of its lanes */
step_fn pto_step_permute;
/* dst: d; src: a scalar */
step_fn pto_step_vbr;
/* dst: d; src: a, of which one lane goes to all of the register */
step_fn pto_step_vdup;
/* dst: d; src: a, mask */
step_fn pto_step_vexp, pto_step_vcvt, pto_step_vtrc;
/* dst: d; src: a, b, a scalar */
step_fn pto_step_vmaxs, pto_step_vmins;
/* dst: d; src: a */
step_fn pto_step_vrelu;
/* dst, src[0], src[1]: of `compute`; src: mask in [5]; lanes that are off are zero */
step_fn pto_step_under_mask;
/* dst: mask */
step_fn pto_step_pset;
/* dst: mask, what remains; src: a count */
step_fn pto_step_plt;
/* dst: what a loop's register has left; src: a count, the register's number */
step_fn pto_step_remaining;
/* dst: mask; src: a, b, governing mask */
step_fn pto_step_vpand, pto_step_vpor, pto_step_vpxor;
/* dst: mask; src: a, governing mask */
step_fn pto_step_vpnot;
/* dst: mask; src: a, b, selecting mask */
step_fn pto_step_vpsel;
/* dst: mask; src: a */
step_fn pto_step_ppack, pto_step_punpack, pto_step_pbitcast;
/* dst: low, high; src: a, b; of masks, of vectors */
step_fn pto_step_pintlv, pto_step_pdintlv, pto_step_vintlv, pto_step_vdintlv;
/* dst: d; src: a; the same bits */
step_fn pto_step_vbits;
/* dst: d; src: a; of memory into the low parts of a register's elements, and back */
step_fn pto_step_unpack, pto_step_pack;

#endif
