/* SPDX-License-Identifier: MIT */
/* Tensors of torch: how they are read without a Python call, and how results become tensors. */
#ifndef TENSORS_H
#define TENSORS_H

#include "core.h"
#include "dlpack.h"

/* Called once, when the module is loaded. False with an exception. */
bool tensor_start(void);

/* Returns whether the object is a tensor of torch, or of a subclass. Imports nothing. */
bool tensor_is(PyObject *object);

/* Returns torch's table of C functions if the object is exactly a torch.Tensor and its torch has one, else NULL. */
const struct dl_exchange *tensor_exchange(PyObject *object);

/* Returns false and sets a BufferError if its memory does not fully describe the tensor: it requires a gradient, or its
 * negation is pending. */
bool tensor_is_plain(PyObject *tensor, const char *name);

/* The DLPack type of a result: of type, which may be negative, or else of dtype descr. Types of 4 and 6 bits are bytes. */
struct dl_type tensor_type(int type, PyArray_Descr *descr);

/* Returns a new tensor over the memory of the array; takes the reference to the array over. NULL with an exception. */
PyObject *tensor_of(PyArrayObject *array, struct dl_type type);

/* The pto_dtype of a torch.dtype, NO_TYPE if libpto has none for it, or -2 if the object is no torch.dtype. */
int tensor_dtype(PyObject *object);

#endif
