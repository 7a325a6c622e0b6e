/* SPDX-License-Identifier: MIT */
/** @file model_testp.h
 * The model of pto_testp(): PTX ISA, "testp", applied to the fields of an element. */
#ifndef PTO_TEST_MODEL_TESTP_H
#define PTO_TEST_MODEL_TESTP_H

#include "model/model.h"

/** The types that pto_testp() takes, and the number of tests. */
enum { MODEL_TESTP_TYPES = 16, MODEL_TESTS = 8 };
extern const pto_dtype model_testp_types[MODEL_TESTP_TYPES];

/** Returns the size of an element in bytes, or 0 for a type that pto_testp() does not take. */
size_t model_testp_size(pto_dtype type);

/** Returns whether the element with these bits passes the test. */
bool model_testp(pto_dtype type, pto_float_test test, uint64_t bits);

/** Returns PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER, PTO_ERR_MASK or PTO_OK. */
pto_status model_testp_status(pto_dtype type, int test, unsigned flags, int seed, int dst);

#endif
