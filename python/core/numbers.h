/* SPDX-License-Identifier: MIT */
/* Python's numbers as floating-point elements, rounded once. NumPy and ml_dtypes round some of them twice: a float to
 * f32 and then to bf16, an int to f64 and then to f32. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "core.h"

/* Returns whether numbers_array() is for this type. */
bool numbers_round(pto_dtype type);

/* A number, or nested sequences of numbers, as a new array of this type and dtype, each number rounded to nearest even.
 * Numbers beyond the type become what f32 beyond it becomes: an infinity, the NaN of e4m3, or in types without either
 * the largest value. Takes the reference to descr over. NULL with an exception, which names the argument. */
PyArrayObject *numbers_array(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr);

#endif
