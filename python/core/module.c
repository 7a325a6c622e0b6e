/* SPDX-License-Identifier: MIT */
/* Initialises the module pto._core, and defines the helpers that its files share. */
#define CORE_MODULE
#include "tensors.h"

#include <string.h>

static PyObject *exception_of(pto_status status) {
    return status == PTO_ERR_TYPE ? PyExc_TypeError : PyExc_ValueError;
}

void core_raise(pto_status status, const char *what) {
    if (what == NULL || *what == '\0')
        PyErr_SetString(exception_of(status), pto_strerror(status));
    else
        PyErr_Format(exception_of(status), "%s (%s)", what, pto_strerror(status));
}

void core_raise_text(pto_status status, const char *text) {
    PyErr_SetString(exception_of(status), text);
}

void core_list(char *list, size_t size, const char *word) {
    const size_t length = strlen(list);
    PyOS_snprintf(list + length, size - length, "%s%s", length != 0 ? ", " : "", word);
}

bool core_number(PyObject *object, const char *name, npy_intp *number) {
    PyObject *whole = PyNumber_Index(object);
    if (whole == NULL) {
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "%s: a whole number is wanted, not %R", name, object) != NULL;
    }
    *number = PyLong_AsSsize_t(whole);
    Py_DECREF(whole);
    if (*number != -1 || !PyErr_Occurred()) return true;
    PyErr_Clear();
    return PyErr_Format(PyExc_ValueError, "%s: %R is larger than memory", name, object) != NULL;
}

void core_name_error(const char *name) {
    enum { KINDS = 3 };
    PyObject *const kinds[KINDS] = {PyExc_TypeError, PyExc_BufferError, PyExc_ValueError};
    for (int i = 0; i < KINDS; ++i) {
        PyObject *type, *value, *trace;
        if (!PyErr_ExceptionMatches(kinds[i])) continue;
        PyErr_Fetch(&type, &value, &trace);
        PyErr_Format(kinds[i], "%s: %S", name, value);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
        return;
    }
}

const char *core_text(PyObject *object, const char *name) {
    Py_ssize_t length;
    const char *text;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s: a text is wanted, not %R", name, object);
        return NULL;
    }
    text = PyUnicode_AsUTF8AndSize(object, &length);
    if (text == NULL || strlen(text) == (size_t)length) return text;
    PyErr_Format(PyExc_ValueError, "%s: there is a zero in it", name);
    return NULL;
}

/* Returns false with an ImportError if another interpreter of this process has loaded the module. Like NumPy itself,
 * the module supports one interpreter: NumPy's dtypes and function table are stored in static variables. */
static bool only_interpreter(void) {
    static int64_t owner = -1;
    const int64_t here = PyInterpreterState_GetID(PyInterpreterState_Get());
    if (here < 0) return false;
    if (owner == -1) owner = here;
    if (owner == here) return true;
    PyErr_SetString(PyExc_ImportError, "pto is in use by another interpreter of this process");
    return false;
}

static int add_constants(PyObject *module) {
    return PyModule_AddIntConstant(module, "FTZ", PTO_FTZ) != 0 ||
                   PyModule_AddIntConstant(module, "MERGE", PTO_MERGE) != 0 ||
                   PyModule_AddIntConstant(module, "PROPAGATE_NAN", PTO_PROPAGATE_NAN) != 0 ||
                   PyModule_AddIntConstant(module, "XORSIGN_ABS", PTO_XORSIGN_ABS) != 0
               ? -1
               : 0;
}

static int start(PyObject *module) {
    PyMethodDef *const methods[] = {arrays_methods,
                                    convert_methods,
                                    compare_methods,
                                    select_methods,
                                    masks_methods,
                                    flags_methods,
                                    block_methods,
                                    text_methods,
                                    system_methods,
                                    program_methods,
                                    kernels_methods,
                                    xla_methods,
                                    NULL};
    if (!only_interpreter()) return -1;
    import_array1(-1);
    if (!tensor_start()) return -1;
    for (size_t i = 0; methods[i] != NULL; ++i)
        if (PyModule_AddFunctions(module, methods[i]) != 0) return -1;
    return add_constants(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, NULL}, /* set in PyInit__core: ISO C forbids the cast */
#if defined Py_GIL_DISABLED && !defined Py_LIMITED_API
                                   {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                   {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "pto._core", .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void) {
    int (*const function)(PyObject *) = start;
    memcpy(&slots[0].value, &function, sizeof function);
    return PyModuleDef_Init(&definition);
}
