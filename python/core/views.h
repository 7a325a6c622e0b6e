/* SPDX-License-Identifier: MIT */
/* Arrays of every framework as NumPy's: memory is looked at where it lies, and not copied. */
#ifndef VIEWS_H
#define VIEWS_H

#include "dtypes.h"

typedef struct view {
    PyArrayObject *array; /* owned */
    int type;             /* a pto_dtype, or NO_TYPE */
    bool packed;          /* of a type of 4 bits: an element is a byte that holds two */
    bool tensor;          /* a tensor of torch: results of the call are tensors too */
} view;

/* Looks at an array: NumPy's own, one of its scalars, or whatever has __dlpack__ and lies in the CPU's memory.
 * Returns 1, or 0 if the object is no array but perhaps a number, or -1 with an exception, which names the argument.
 * Masked arrays are refused, because results would have no mask. */
int view_array(PyObject *object, const char *name, view *out);

/* Returns false and sets a TypeError if the object is a masked array of NumPy's, or a nested sequence with one in it. */
bool view_without_masks(PyObject *object, const char *name);

/* The array that NumPy makes of a number or nested sequences; NULL with an exception, which names the argument. Masked
 * arrays inside are refused. */
PyArrayObject *view_plain(PyObject *object, const char *name);

/* A number or nested sequences of them, as an array of this type. Floats are rounded once, to nearest even; no float
 * becomes an integer. The array has dtype descr, or the type's own if that is NULL. False with an exception. */
bool view_numbers(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr, view *out);

/* Whether the elements are of the type: so is its dtype, or unsigned integers for a type that NumPy lacks; untyped bits
 * are anything of their width. */
bool view_is(const view *v, pto_dtype type);

/* Of numbers of 4 bits that lie one in a byte, ml_dtypes' way, makes an array with two in a byte, each row by itself,
 * as libpto has them. False with an exception. */
bool view_pack(view *v);

/* Another array in the place of one. */
void view_replace(PyArrayObject **place, PyArrayObject *array);

/* TypeError: name is of this type, where that one is wanted. */
void view_complain(const view *v, const char *name, pto_dtype wanted);

#endif
