/* SPDX-License-Identifier: MIT */
/* Functions of pto._core with which the Python code inspects and makes arrays and types. */
#include "job.h"

/* as_array(object, name): returns a NumPy array for the object; a NumPy array is returned unchanged. `name` is the
 * argument's name for messages. */
static PyObject *as_array(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const char *name;
    view v;
    (void)module;
    if (!core_counted("as_array", count, 2)) return NULL;
    name = PyUnicode_AsUTF8AndSize(args[1], NULL);
    if (name == NULL) return NULL;
    if (PyArray_Check(args[0])) return view_without_masks(args[0], name) ? Py_NewRef(args[0]) : NULL;
    switch (view_array(args[0], name, &v)) {
    case -1: return NULL;
    case 0: return (PyObject *)view_plain(args[0], name);
    default: return (PyObject *)v.array;
    }
}

/* type_of(object, name): returns the name of the libpto type of an array or of numbers. */
static PyObject *type_of(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const char *name;
    int type;
    (void)module;
    if (!core_counted("type_of", count, 2)) return NULL;
    name = PyUnicode_AsUTF8AndSize(args[1], NULL);
    if (name == NULL) return NULL;
    type = job_type(args, &name, 1, Py_None);
    return type < 0 ? NULL : PyUnicode_FromString(pto_dtype_name((pto_dtype)type));
}

static int wanted_type(PyObject *object) {
    const int type = dtype_named(object, "type");
    if (type == NO_TYPE) PyErr_SetString(PyExc_TypeError, "a type is wanted");
    return type;
}

/* type_name(type): returns the name of a type that is given in any of the ways that dtype_named() accepts. */
static PyObject *type_name(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    int type;
    (void)module;
    if (!core_counted("type_name", count, 1)) return NULL;
    type = wanted_type(args[0]);
    return type < 0 ? NULL : PyUnicode_FromString(pto_dtype_name((pto_dtype)type));
}

/* type_bits(type): returns the width of an element in bits. */
static PyObject *type_bits(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    int type;
    (void)module;
    if (!core_counted("type_bits", count, 1)) return NULL;
    type = wanted_type(args[0]);
    return type < 0 ? NULL : PyLong_FromSize_t(pto_dtype_bits((pto_dtype)type));
}

/* dtype_of(type): returns the NumPy dtype of results of this type. */
static PyObject *dtype_of(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    int type;
    (void)module;
    if (!core_counted("dtype_of", count, 1)) return NULL;
    type = wanted_type(args[0]);
    return type < 0 ? NULL : (PyObject *)dtype_descr((pto_dtype)type);
}

/* pack4(array): returns the array of float4_e2m1fn, which has one element in a byte, packed two in a byte along the
 * last axis. */
static PyObject *pack4(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    view v;
    (void)module;
    if (!core_counted("pack4", count, 1)) return NULL;
    if (view_array(args[0], "codes", &v) != 1)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "codes: an array is wanted");
    if (v.type != PTO_E2M1 || v.packed)
        view_complain(&v, "codes", PTO_E2M1);
    else if (view_pack(&v))
        return (PyObject *)v.array;
    Py_DECREF(v.array);
    return NULL;
}

/* like(operands, array, type): returns the array, or a torch tensor over its memory if an operand is a torch tensor. */
static PyObject *like(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    bool tensors = false;
    int type;
    (void)module;
    if (!core_counted("like", count, 3)) return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_Size(args[0]); ++i)
        tensors = tensors || tensor_is(PyTuple_GetItem(args[0], i));
    type = wanted_type(args[2]);
    if (type < 0 || PyErr_Occurred()) return NULL;
    Py_INCREF(args[1]);
    if (!tensors || !PyArray_Check(args[1])) return args[1];
    return tensor_of((PyArrayObject *)args[1], tensor_type(type, PyArray_DESCR((PyArrayObject *)args[1])));
}

/* number(object, type, name): returns a number as a zero-dimensional array of this type, rounded once. */
static PyObject *number(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const char *name;
    int type;
    view v;
    (void)module;
    if (!core_counted("number", count, 3)) return NULL;
    type = wanted_type(args[1]);
    name = PyUnicode_AsUTF8AndSize(args[2], NULL);
    if (type < 0 || name == NULL || !view_numbers(args[0], name, (pto_dtype)type, NULL, &v)) return NULL;
    return (PyObject *)v.array;
}

PyMethodDef arrays_methods[] = {CORE_FUNCTION(as_array),  CORE_FUNCTION(type_of),  CORE_FUNCTION(type_name),
                                CORE_FUNCTION(type_bits), CORE_FUNCTION(dtype_of), CORE_FUNCTION(pack4),
                                CORE_FUNCTION(like),      CORE_FUNCTION(number),   {NULL, NULL, 0, NULL}};
