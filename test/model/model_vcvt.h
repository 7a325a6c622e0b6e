/* SPDX-License-Identifier: MIT */
/**
 * @file model_vcvt.h
 * The slow model of PTO's vcvt and vtrc: a second reading of the documents, sharing nothing with the library but
 * its public enums.
 *
 * Every source value is an exact number m * 2^e. The values of the destination's codes are put in order and
 * searched for the two neighbours of the number, between which the rounding chooses by comparing exact numbers.
 * The value that would follow the largest takes part as if the format had it, so that a number overflows when it
 * is rounded beyond the largest, whatever the rounding.
 */
#ifndef PTO_TEST_MODEL_VCVT_H
#define PTO_TEST_MODEL_VCVT_H

#include "model/model_cvt.h"

enum { MODEL_VCVT_DTYPES = PTO_HIF8 + 1, MODEL_VRNDS = 6, MODEL_VPARTS = 6, MODEL_VCVT_TEXT = 80 };

/** In the place of a part: the call that goes from lane to lane. */
enum { MODEL_WHOLE = -1 };

/** The code of one element of the result, for source code `bits`. The operation must be legal. */
uint64_t model_vcvt(const pto_vcvt_op *op, uint64_t bits);
uint64_t model_vtrc(pto_dtype type, pto_vrnd rnd, uint64_t bits);

/** The HiFloat8 codes from zero up by value, without their signs; behind the largest the one of infinity. */
enum { MODEL_HIF8_RANKS = 128 };
unsigned model_hif8_code(size_t rank);

/** What pto_vcvt and pto_vcvt_check must say of the operation, and pto_vtrc of its type and rounding. */
pto_status model_vcvt_status(const pto_vcvt_op *op);
pto_status model_vtrc_status(pto_dtype type, pto_vrnd rnd);

/** What pto_vcvt_part must say of them: a part that does not fit the pair is PTO_ERR_MODIFIER. */
pto_status model_vcvt_part_status(const pto_vcvt_op *op, int part);

/** How many parts the pair has, which has a row in the table: 1 (none), 2 (even and odd) or 4. */
size_t model_vcvt_parts(const pto_vcvt_op *op);

/** Part number i of those that the pair has. */
int model_vcvt_part(const pto_vcvt_op *op, size_t i);

/** Elements that a part takes together: 2 of four bits, otherwise 1. */
size_t model_vcvt_group(const pto_vcvt_op *op, int part);

/** How many elements the source and the result have for this n. */
size_t model_vcvt_sources(const pto_vcvt_op *op, int part, size_t n);
size_t model_vcvt_results(const pto_vcvt_op *op, int part, size_t n);

/**
 * Where an element of the result comes from: the source element, and the mask's lane that says whether it is on.
 * False for one that the part leaves zero.
 */
bool model_vcvt_origin(const pto_vcvt_op *op, int part, size_t result, size_t *source, size_t *lane);

/** Whether a mask of this kind goes with this source. */
bool model_vcvt_kind_fits(pto_mask_kind kind, pto_dtype src);

/** In words: "f16 <- f32 R sat, part even". */
void model_vcvt_describe(const pto_vcvt_op *op, int part, char text[MODEL_VCVT_TEXT]);

/** As pto_dtype_name, with the types that vcvt alone has. */
const char *model_vcvt_type_name(pto_dtype type);

#endif
