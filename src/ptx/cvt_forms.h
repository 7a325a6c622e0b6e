/* SPDX-License-Identifier: MIT */
/* Which conversions there are, and how PTX spells them. */
#ifndef PTO_PTX_CVT_FORMS_H
#define PTO_PTX_CVT_FORMS_H

#include "core/formats.h"
#include "pto/convert.h"

/* How PTX spells a type in cvt: one element, two or four. */
enum cvt_lanes { CVT_X1 = 1, CVT_X2 = 2, CVT_X4 = 4 };

struct cvt_spelling {
    u8 dst_lanes, src_lanes;
};

/* Whether PTX has op in this spelling: PTO_OK, PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
pto_status pto_cvt_spelled(pto_cvt_op op, struct cvt_spelling spelling);

/* The first spelling of a legal op, false if op is not legal. */
bool pto_cvt_find_spelling(pto_cvt_op op, struct cvt_spelling *spelling);

/* As pto_cvt_check, but the composed pairs of convert.h are legal too: what pto_cvt takes. */
pto_status pto_cvt_takes(pto_cvt_op op);

#endif
