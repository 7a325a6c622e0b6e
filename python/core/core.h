/* SPDX-License-Identifier: MIT */
/* The module pto._core: what its files share. It is written to Python's limited API, so that one build is for all
 * versions from 3.10 on, and to NumPy's C API. The functions that users see are in Python, in python/pto. */
#ifndef CORE_H
#define CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API  NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION     NPY_1_23_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pto_core_numpy
#ifndef CORE_MODULE /* one file holds NumPy's table */
#    define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <pto/pto.h>

/* Every function of the module takes its arguments by place: the functions in Python know their names. */
typedef PyObject *core_function(PyObject *module, PyObject *const *args, Py_ssize_t count);

#define CORE_FUNCTION(name)                                                                                  \
    { #name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL }

/* The methods of each file, ended by one without a name. */
extern PyMethodDef arrays_methods[];
extern PyMethodDef convert_methods[];
extern PyMethodDef compare_methods[];
extern PyMethodDef select_methods[];
extern PyMethodDef masks_methods[];
extern PyMethodDef flags_methods[];
extern PyMethodDef block_methods[];
extern PyMethodDef text_methods[];
extern PyMethodDef system_methods[];
extern PyMethodDef program_methods[];
extern PyMethodDef xla_methods[];

/* Whether a function was given so many arguments, else a TypeError. */
static inline bool core_counted(const char *name, Py_ssize_t count, Py_ssize_t wanted) {
    if (count == wanted) return true;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, count);
    return false;
}

/* A whole number, such as a count. Returns false and sets an exception that names the argument if it is none, or is
 * larger than any array. */
bool core_number(PyObject *object, const char *name, npy_intp *number);

/* Puts the name of an argument before the text of what NumPy or another framework has raised. */
void core_name_error(const char *name);

/* PyUnicode_AsUTF8AndSize, with the TypeError of an argument; a 0 inside ends no text. */
const char *core_text(PyObject *object, const char *name);

/* An op as Python holds it: its bytes. Returns false and sets an exception if the object is no such thing. */
bool core_op_get(PyObject *object, void *op, size_t size);
PyObject *core_op_make(const void *op, size_t size);

/* Sets an exception for a status: TypeError where a type is at fault, else ValueError. */
void core_raise(pto_status status, const char *what);

#endif
