/* SPDX-License-Identifier: MIT */
/*
 * The functions that run PTO steps on a block of lanes. Above each function, a comment lists the registers of the step.
 * Their parameters are in `parameters.vector`. A mask is a predicate; ABSENT stands for a mask that is true in all
 * lanes. Of a scalar, only the value in the first lane of the block is read; of a count, that in the first lane of each
 * vector register.
 */
#ifndef PTO_PROGRAM_PTO_STEPS_H
#define PTO_PROGRAM_PTO_STEPS_H

#include "steps.h"

enum { VECTOR_BITS = 2048 };

/* dst: mask; src: a, b (a scalar for vcmps), seed */
step_fn pto_step_vcmp, pto_step_vcmps;
/* dst: d; src: a, b, mask */
step_fn pto_step_vsel, pto_step_vselr, pto_step_vselrv2;
/* dst: d; src: a, numbers; d[i] is a[numbers[i]] within each vector register */
step_fn pto_step_permute;
/* dst: d; src: scalar */
step_fn pto_step_vbr;
/* dst: d; src: a; copies one lane of each vector register to all lanes of this register */
step_fn pto_step_vdup;
/* dst: d; src: a, mask */
step_fn pto_step_vexp, pto_step_vcvt, pto_step_vtrc;
/* dst: d; src: a, scalar */
step_fn pto_step_vmaxs, pto_step_vmins;
/* dst: d; src: a */
step_fn pto_step_vrelu;
/* calls parameters.vector.compute for the same registers, then sets lanes to 0 where the mask src[5] is
 * off */
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
/* dst: d; src: a; unpack copies elements in memory to the low parts of wider elements in a register; pack
 * does the reverse */
step_fn pto_step_unpack, pto_step_pack;

/* pto_pintlv() or pto_pdintlv() */
typedef pto_status pto_image_change(unsigned g, pto_preg a, pto_preg b, pto_preg *low, pto_preg *high);

/* Applies `change` to images in which each group of g / 8 bits moves as a whole. `bits` is the number of bits of a
 * group that can be 1, from the lowest on. */
pto_status pto_image_pairs(pto_image_change *change, unsigned g, unsigned bits, const pto_preg from[2],
                           pto_preg to[2]);

#endif
