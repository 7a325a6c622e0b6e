/* SPDX-License-Identifier: MIT */
/* Reads torch tensors without a call of Python code, and makes torch tensors of results. */
#ifndef TENSORS_H
#define TENSORS_H

#include "core.h"
#include "dlpack.h"

/* Initialises this file. The module calls it once, when it is loaded. Returns false with an exception. */
bool tensor_start(void);

/* Returns whether the object is a torch.Tensor or an instance of a subclass. It does not import torch. */
bool tensor_is(PyObject *object);

/* Returns torch's table of C functions, or NULL if this torch has none or the object is not exactly a torch.Tensor. */
const struct dl_exchange *tensor_exchange(PyObject *object);

/* Returns false and sets a BufferError if the tensor's memory alone does not give its values or meaning: it requires a
 * gradient, or its negation is pending. */
bool tensor_is_plain(PyObject *tensor, const char *name);

/* Prefixes the message of the exception with which torch refused to export a tensor with the name of an argument. A
 * RuntimeError, as for tensors that are sparse or on the device "meta", becomes a BufferError with the first line of
 * its message. */
void tensor_name_error(const char *name);

/* Returns the DLPack type of a result: that of `type`, or that of the dtype descr if `type` is negative or torch
 * lacks it. 4-bit and 6-bit types are bytes. */
struct dl_type tensor_type(int type, PyArray_Descr *descr);

/* Returns a new tensor over the memory of the array, whose reference it takes over. Returns NULL with an exception. */
PyObject *tensor_of(PyArrayObject *array, struct dl_type type);

/* Returns the pto_dtype of a torch.dtype, NO_TYPE if libpto has no such type, or -2 if the object is not a
 * torch.dtype. */
int tensor_dtype(PyObject *object);

#endif
