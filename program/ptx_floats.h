/* SPDX-License-Identifier: MIT */
/* The PTX instructions on floats: arithmetic, approximations, testp, and min and max of three. */
#ifndef PTO_PROGRAM_PTX_FLOATS_H
#define PTO_PROGRAM_PTX_FLOATS_H

#include "ptx.h"

/* Returns whether pto_ptx_float() handles the instruction: it supports the name, and the opcode has a float
 * type. */
bool pto_ptx_is_float(const struct statement *s);

/* Checks an instruction on floats and appends its steps. `row` is not used. Returns false after an error. */
bool pto_ptx_float(struct ptx *x, const struct statement *s, const struct instruction *row);

#endif
