/* SPDX-License-Identifier: MIT */
/* Functions that check which conversions are legal, and find how PTX spells them. */
#ifndef PTO_PTX_CVT_FORMS_H
#define PTO_PTX_CVT_FORMS_H

#include "core/formats.h"
#include "pto/convert.h"
#include "ptx/words.h"

struct cvt_spelling {
    u8 dst_lanes, src_lanes;
};

/* Returns PTO_OK if PTX has op in this spelling, or in any spelling if `spelling` is NULL. Otherwise returns
 * PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
pto_status pto_cvt_spelling_status(pto_cvt_op op, const struct cvt_spelling *spelling);

/* Sets *spelling to the first spelling of op. Returns false if PTX does not have op. */
bool pto_cvt_find_spelling(pto_cvt_op op, struct cvt_spelling *spelling);

/* Returns PTO_OK if pto_cvt() takes op: a form of PTX, or a composed pair of convert.h. Otherwise returns PTO_ERR_TYPE
 * or PTO_ERR_MODIFIER. */
pto_status pto_cvt_status(pto_cvt_op op);

/* Sets instructions[] to the two instructions of a composed op, which must be legal. The destination type of the first
 * is the source type of the second. */
void pto_cvt_split(pto_cvt_op op, pto_cvt_op instructions[2]);

/*
 * Returns whether op has both a scalar spelling and a spelling with pairs (such as cvt.rn.f16x2.f32), and the spelling
 * with pairs needs a later ISA version or target. If so, sets *isa and *target to what that spelling needs. Otherwise
 * writes nothing.
 */
bool pto_cvt_pairs_are_newer(pto_cvt_op op, int *isa, const char **target);

/* The modifiers that a pair of types takes with one rounding: those that are required and those that are allowed. */
struct cvt_modifiers_row {
    pto_round round;
    unsigned must, may; /* `may` includes `must` */
    struct cvt_spelling spelling;
};

enum { CVT_MAX_ROWS = 32 };

/* Stores in rows[] the legal roundings and modifiers of a pair of types in this spelling. If `spelling` is NULL, stores
 * those of every spelling, without repeats, and those of composed pairs. Returns the number of rows, which is 0 if
 * there is no such pair. */
size_t pto_cvt_list_modifiers(pto_dtype dst, pto_dtype src, const struct cvt_spelling *spelling,
                              struct cvt_modifiers_row rows[CVT_MAX_ROWS]);

#endif
