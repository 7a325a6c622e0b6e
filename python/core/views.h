/* SPDX-License-Identifier: MIT */
/* NumPy arrays over the memory of arrays of any framework, without a copy. */
#ifndef VIEWS_H
#define VIEWS_H

#include "dtypes.h"

typedef struct view {
    PyArrayObject *array; /* owned */
    int type;             /* a pto_dtype, or NO_TYPE */
    bool packed;          /* for a 4-bit type: each array element is a byte that holds two */
    bool tensor;          /* the object is a torch tensor; then results of the call are tensors too */
} view;

/* Fills *out for a NumPy array, a NumPy scalar, or an object with __dlpack__ whose memory the CPU can read.
 * Returns 1. Returns 0 if the object is not an array; it may still be a number. Returns -1 with an exception that names
 * the argument. Masked arrays are refused, because results would have no mask. */
int view_array(PyObject *object, const char *name, view *out);

/* Returns false and sets a TypeError if the object is a NumPy masked array, or a nested sequence that contains one. */
bool view_without_masks(PyObject *object, const char *name);

/* Returns the array that NumPy makes of a number or of nested sequences. Masked arrays inside are refused. Returns NULL
 * with an exception that names the argument. */
PyArrayObject *view_plain(PyObject *object, const char *name);

/* Fills *out with an array of this type made from a number or nested sequences of numbers. Floats are rounded once, to
 * nearest even; a float for an integer type is a TypeError. The array has dtype descr, or dtype_descr(type) if descr is
 * NULL. Returns false with an exception. */
bool view_numbers(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr, view *out);

/* Returns whether the array is accepted as elements of the type: its dtype has that type, or it has unsigned integers
 * of the same width and NumPy lacks the type. PTO_B8 to PTO_B64 accept any dtype of their width, PTO_TF32 accepts
 * f32. */
bool view_is(const view *v, pto_dtype type);

/* Returns whether the array has 4-bit elements with one in a byte. */
bool view_is_loose(const view *v);

/* Replaces an array of 4-bit elements with one in a byte, as ml_dtypes stores them, by a packed copy with two in a
 * byte, as libpto reads them. Each row starts with a new byte. Returns false with an exception. */
bool view_pack(view *v);

/* Stores array in *place, taking over its reference, and releases the array that was there. */
void view_replace(PyArrayObject **place, PyArrayObject *array);

/* Sets a TypeError: argument `name` must have elements of type `wanted`, not of the dtype that v has. */
void view_complain(const view *v, const char *name, pto_dtype wanted);

#endif
