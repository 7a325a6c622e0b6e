/* SPDX-License-Identifier: MIT */
/* Conversion between NumPy's dtypes and libpto's types (pto_dtype). */
#ifndef DTYPES_H
#define DTYPES_H

#include "core.h"

enum { NO_TYPE = -1 };

/* Returns the pto_dtype for a dtype, NO_TYPE if there is none, or -2 with an exception. For bool it returns PTO_U8. */
int dtype_type(PyArray_Descr *descr);

/* Returns the dtype of results of a type as a new reference: NumPy's own dtype, otherwise ml_dtypes' if that package
 * is installed, otherwise the unsigned integer of the same width. It is always uint8 for e2m1, which is packed two in
 * a byte. Returns NULL with an exception. */
PyArray_Descr *dtype_descr(pto_dtype type);

/* Returns whether NumPy itself has no dtype for a type. Arrays of unsigned integers are accepted for such a type. */
bool dtype_is_foreign(pto_dtype type);

/* Returns the pto_dtype that a user specified: by PTX's name, a torch.dtype, or anything that numpy.dtype() takes
 * except its codes of a letter and a byte count, such as "u4". Returns NO_TYPE for None, or -2 with an exception that
 * names the argument. */
int dtype_named(PyObject *object, const char *argument);

#endif
