/* SPDX-License-Identifier: MIT */
/** @file model_vcvt.h
 * The model of PTO's vcvt and vtrc, which is slow but simple. It was written from the documents independently of
 * the library and shares only its public enums.
 *
 * Every source value is an exact number m * 2^e. The values of the destination's codes are sorted and searched for
 * the two neighbours of the source value. The rounding chooses between these by exact comparison. The search
 * includes the value that would follow the largest one if the format had more codes. So with every rounding, a value
 * overflows if it is rounded above the largest. */
#ifndef PTO_TEST_MODEL_VCVT_H
#define PTO_TEST_MODEL_VCVT_H

#include "model/model_number.h"

enum { MODEL_VCVT_DTYPES = PTO_HIF8 + 1, MODEL_VRNDS = 6, MODEL_VPARTS = 6, MODEL_VCVT_TEXT = 80 };

/** The `part` of functions below for pto_vcvt(), which converts lane to lane and has no part. */
enum { MODEL_WHOLE = -1 };

/** Returns the code of one result element for source code `bits`. The operation must be legal. */
uint64_t model_vcvt(const pto_vcvt_op *op, uint64_t bits);
uint64_t model_vtrc(pto_dtype type, pto_vrnd rnd, uint64_t bits);

/** The HiFloat8 codes without sign in ascending order of their values, from zero to the largest, then infinity. */
enum { MODEL_HIF8_RANKS = 128 };
unsigned model_hif8_code(size_t rank);

/** Returns in m * 2^q the value of a HiFloat8 code without sign. The code of infinity is decoded like a
 * finite value. */
void model_hif8_decode(unsigned code, uint64_t *m, int *q);

/** Returns the value of any HiFloat8 code. */
struct number model_hif8_value(uint64_t bits);

/** The statuses that pto_vcvt() and pto_vcvt_check() must return for the operation, and pto_vtrc() for its type and
 * rounding. */
pto_status model_vcvt_status(const pto_vcvt_op *op);
pto_status model_vtrc_status(pto_dtype type, pto_vrnd rnd);

/** The status that pto_vcvt_part() must return: PTO_ERR_MODIFIER for a part that does not fit the pair. */
pto_status model_vcvt_part_status(const pto_vcvt_op *op, int part);

/** Returns the number of parts of a legal pair: 1 (no parts), 2 (even and odd) or 4. */
size_t model_vcvt_parts(const pto_vcvt_op *op);

/** Returns part number i of the pair. */
int model_vcvt_part(const pto_vcvt_op *op, size_t i);

/** The number of elements that a part processes together: 2 for 4-bit types, else 1. */
size_t model_vcvt_group(const pto_vcvt_op *op, int part);

/** The number of elements in the source and in the result for this n. */
size_t model_vcvt_sources(const pto_vcvt_op *op, int part, size_t n);
size_t model_vcvt_results(const pto_vcvt_op *op, int part, size_t n);

/** Finds the source element of a result element, and the mask lane that controls it. Returns false if the part
 * writes zero there. */
bool model_vcvt_origin(const pto_vcvt_op *op, int part, size_t result, size_t *source, size_t *lane);

/** Whether a mask of this kind fits this source type. */
bool model_vcvt_kind_fits(pto_mask_kind kind, pto_dtype src);

/** Describes an operation, as in "f16 <- f32 R sat, part even". */
void model_vcvt_describe(const pto_vcvt_op *op, int part, char text[MODEL_VCVT_TEXT]);

/** Returns the name of a type, including the types that only vcvt has. */
const char *model_vcvt_type_name(pto_dtype type);

#endif
