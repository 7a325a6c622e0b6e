/* SPDX-License-Identifier: MIT */
/*
 * The functions that run PTO steps on a block of lanes. Their parameters are in `parameters.vector`. A mask is a
 * predicate; an ABSENT mask means every lane. A scalar operand is a register, too, of which only the first lane of the
 * block is read.
 */
#ifndef PTO_PROGRAM_PTO_STEPS_H
#define PTO_PROGRAM_PTO_STEPS_H

#include "steps.h"

enum { VECTOR_BITS = 2048 };

/* dst: mask; src: a, b (a scalar for vcmps), seed */
step_fn pto_step_vcmp, pto_step_vcmps;
/* dst: d; src: a, b, mask */
step_fn pto_step_vsel, pto_step_vselr, pto_step_vselrv2;
/* dst: d; src: a, lane numbers; d[i] is a[lane number i] within each vector register */
step_fn pto_step_permute;
/* dst: d; src: scalar */
step_fn pto_step_vbr;
/* dst: d; src: a; one lane of each vector register is copied to all its lanes */
step_fn pto_step_vdup;
/* dst: d; src: a, mask */
step_fn pto_step_vexp, pto_step_vcvt, pto_step_vtrc;
/* dst: d; src: a, scalar */
step_fn pto_step_vmaxs, pto_step_vmins;
/* dst: d; src: a */
step_fn pto_step_vrelu;
/* runs parameters.vector.compute on dst, src[0] and src[1]; then makes lanes zero where the mask src[5] is false */
step_fn pto_step_masked;
/* dst: mask */
step_fn pto_step_pset;
/* dst: mask, remaining count; src: count */
step_fn pto_step_plt;
/* dst: remaining count in each vector register of a loop; src: count, number of the vector register */
step_fn pto_step_remaining;
/* dst: mask; src: a, b, seed */
step_fn pto_step_vpand, pto_step_vpor, pto_step_vpxor;
/* dst: mask; src: a, seed */
step_fn pto_step_vpnot;
/* dst: mask; src: a, b, mask that selects a */
step_fn pto_step_vpsel;
/* dst: mask; src: a */
step_fn pto_step_ppack, pto_step_punpack, pto_step_pbitcast;
/* dst: low, high; src: a, b; masks for pintlv and pdintlv, vectors for vintlv and vdintlv */
step_fn pto_step_pintlv, pto_step_pdintlv, pto_step_vintlv, pto_step_vdintlv;
/* dst: d; src: a; copies the bits */
step_fn pto_step_vbits;
/* dst: d; src: a; unpack: from memory to the low parts of the elements of a register; pack: the inverse */
step_fn pto_step_unpack, pto_step_pack;

#endif
