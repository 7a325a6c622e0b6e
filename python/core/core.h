/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the extension module pto._core share. The module uses Python's limited API, so one
 * build serves all versions from 3.10 on, and NumPy's C API. The functions that users call are in Python, in
 * python/pto. */
#ifndef CORE_H
#define CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API  NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION     NPY_1_23_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pto_core_numpy
#ifndef CORE_MODULE /* only module.c defines NumPy's table of C functions */
#    define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <pto/pto.h>

/* The signature of every function of the module. All arguments are positional; the Python functions in python/pto that
 * call them have the named parameters. */
typedef PyObject *core_function(PyObject *module, PyObject *const *args, Py_ssize_t count);

#define CORE_FUNCTION(name)                                                                                  \
    { #name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL }

/* The method table of each file. An entry whose name is NULL ends a table. */
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
extern PyMethodDef kernels_methods[];
extern PyMethodDef xla_methods[];

/* Returns true if count == wanted; otherwise sets a TypeError and returns false. */
static inline bool core_counted(const char *name, Py_ssize_t count, Py_ssize_t wanted) {
    if (count == wanted) return true;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, count);
    return false;
}

/* Reads an integer, such as a count, into *number. Returns false and sets an exception that names the argument if the
 * object is not an integer or does not fit Py_ssize_t. */
bool core_number(PyObject *object, const char *name, npy_intp *number);

/* Prefixes the message of the current exception, raised by NumPy or another framework, with the name of an argument.
 * Exceptions other than TypeError, BufferError and ValueError stay as they are. */
void core_name_error(const char *name);

/* Returns the UTF-8 text of a str. Returns NULL and sets an exception that names the argument: TypeError if the
 * object is not a str, ValueError if the text contains a zero byte. */
const char *core_text(PyObject *object, const char *name);

/* Python code holds an op as a bytes object with the bytes of the C struct. core_op_get() copies `size` bytes to op; it
 * returns false and sets a TypeError if the object is not bytes of that length. core_op_make() returns a new object. */
bool core_op_get(PyObject *object, void *op, size_t size);
PyObject *core_op_make(const void *op, size_t size);

/* Sets an exception for a status: TypeError for PTO_ERR_TYPE, otherwise ValueError. `what` begins the message; it may
 * be NULL or empty. */
void core_raise(pto_status status, const char *what);

/* Sets the exception of a status with a message that needs no text of the status. */
void core_raise_text(pto_status status, const char *text);

/* Appends a word to a list in a message, after ", " if the list is not empty. A list that is full is cut off. */
void core_list(char *list, size_t size, const char *word);

#endif
