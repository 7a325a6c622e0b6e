/* SPDX-License-Identifier: MIT */
/* NumPy's dtypes and libpto's types. */
#ifndef DTYPES_H
#define DTYPES_H

#include "core.h"

enum { NO_TYPE = -1 };

/* The type that a dtype is, NO_TYPE if none; -2 with an exception. bool is PTO_U8. */
int dtype_type(PyArray_Descr *descr);

/* The dtype of results of a type, a new reference: NumPy's own, else that of ml_dtypes if it is there, else unsigned
 * integers of its width, of 4 bits two in a byte. NULL with an exception. */
PyArray_Descr *dtype_descr(pto_dtype type);

/* Whether NumPy has no dtype of its own for a type, so that unsigned integers stand for it. */
bool dtype_is_foreign(pto_dtype type);

/* A type as users name it: PTX's name, a torch.dtype, or what numpy.dtype takes, except its codes of a letter and a count
 * of bytes. None gives NO_TYPE; -2 with an exception, which names the argument. */
int dtype_named(PyObject *object, const char *argument);

#endif
