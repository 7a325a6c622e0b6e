/* SPDX-License-Identifier: MIT */
/* Converts Python numbers to floating-point elements with a single rounding. NumPy and ml_dtypes round some of them
 * twice: a float to f32 and then to bf16, an int to f64 and then to f32. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "core.h"

/* Returns whether numbers_array() accepts this type. */
bool numbers_round(pto_dtype type);

/* Returns a number, or nested sequences of numbers, as a new array of this type and dtype. Each number is rounded to
 * nearest even. A number that overflows the type becomes an infinity; the NaN in types without infinities; the largest
 * value in types that have neither. Takes over the reference to descr. Returns NULL with an exception that names the
 * argument. */
PyArrayObject *numbers_array(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr);

#endif
