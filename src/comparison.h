/* SPDX-License-Identifier: MIT */
/* One comparison resolved to a kernel of the active backend: what every call that compares has in common. */
#ifndef PTO_SRC_COMPARISON_H
#define PTO_SRC_COMPARISON_H

#include "dtype.h"
#include "fpenv.h"
#include "pto/types.h"

/* Which operands are arrays and which one element: a and b, a alone, b alone. */
enum operand_form { FORM_VV, FORM_VS, FORM_SV };

struct comparison {
    compare_fn *kernel;
    u64 flip;          /* the complement, if all ones */
    u8 element_bytes;  /* of a and b */
    u8 fp;             /* enum fp_need */
    u8 swap;           /* the kernel takes (b, a) */
    u8 a_step, b_step; /* from lane to lane in bytes, 0 for a scalar */
};

/*
 * Resolve. PTO_ERR_OP: the type does not have the operator; PTO_ERR_MODIFIER: the type does not flush.
 * The operator is checked first, as everywhere.
 */
pto_status pto_comparison(struct comparison *c, const struct pto_kernels *k, const struct dtype_info *type,
                          pto_cmp op, bool ftz, enum operand_form form);

/* Truth of lanes i to i + lanes - 1 as packed bits. The FP state must be entered. */
static inline void comparison_run(const struct comparison *c, const void *a, const void *b, size_t i,
                                  void *bits, size_t lanes) {
    const u8 *x = (const u8 *)a + i * c->a_step, *y = (const u8 *)b + i * c->b_step;
    c->kernel(c->swap ? y : x, c->swap ? x : y, bits, lanes, c->flip);
}

static inline fp_state comparison_enter(const struct comparison *c) {
    fp_state none = {0};
    return c->fp == FP_ANY ? none : fp_enter((enum fp_need)c->fp);
}

static inline void comparison_leave(const struct comparison *c, fp_state saved) {
    if (c->fp != FP_ANY) fp_leave(saved);
}

#endif
