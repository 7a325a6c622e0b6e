/* SPDX-License-Identifier: MIT */
/* Which conversions there are, and how PTX spells them. */
#ifndef PTO_PTX_CVT_FORMS_H
#define PTO_PTX_CVT_FORMS_H

#include "core/formats.h"
#include "pto/convert.h"
#include "ptx/words.h"

struct cvt_spelling {
    u8 dst_lanes, src_lanes;
};

/* Whether PTX has op in this spelling, NULL: in any. PTO_OK, PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
pto_status pto_cvt_spelled(pto_cvt_op op, const struct cvt_spelling *spelling);

/* The first spelling of a legal op, false if PTX does not have it. */
bool pto_cvt_find_spelling(pto_cvt_op op, struct cvt_spelling *spelling);

/* What pto_cvt takes: the composed pairs of convert.h are legal too. */
pto_status pto_cvt_takes(pto_cvt_op op);

/* The two instructions that a composed op, which is legal, stands for: the first ends, the second begins in a
 * type between. */
void pto_cvt_steps(pto_cvt_op op, pto_cvt_op steps[2]);

/*
 * Since when, and on which target first, PTX has the spelling of a legal op by pairs, as cvt.rn.f16x2.f32. False, and nothing
 * is written, where that is the only one or as old as the scalar one.
 */
bool pto_cvt_pairs_are_younger(pto_cvt_op op, int *isa, const char **target);

/* What may be said of a pair of types: a rounding with the flags that must and may stand beside it. */
struct cvt_choice {
    pto_round round;
    unsigned must, may; /* may: what must, too */
    struct cvt_spelling spelling;
};

enum { CVT_CHOICES = 32 };

/* All that may be said of a pair in this spelling; NULL: in any, without repeats, and of composed pairs, too.
 * Returns how many there are, 0 if there is no such pair. */
size_t pto_cvt_choices(pto_dtype dst, pto_dtype src, const struct cvt_spelling *spelling,
                       struct cvt_choice choices[CVT_CHOICES]);

#endif
