/* SPDX-License-Identifier: MIT */
/* Which forms of an instruction PTX has: asked by the calls and by the text parsers alike. */
#ifndef PTO_SRC_LEGAL_H
#define PTO_SRC_LEGAL_H

#include "pto/compare.h"

/* PTO_OK, or PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER, in this order. not_c is the operands' affair. */
pto_status pto_setp_legal(pto_setp_op op);
pto_status pto_set_legal(pto_set_op op);

#endif
