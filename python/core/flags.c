/* SPDX-License-Identifier: MIT */
/* Functions of pto._core for x86's flags of a comparison and for SETcc. */
#include "job.h"

static pto_status call_flags_cmp(const job *j, char *const *at, size_t n) {
    return pto_flags_cmp(j->type, at[0], at[1], (uint32_t *)(void *)at[2], n);
}

static pto_status call_flags_test(const job *j, char *const *at, size_t n) {
    return pto_flags_test(j->type, at[0], at[1], (uint32_t *)(void *)at[2], n);
}

static pto_status call_flags_ucomi(const job *j, char *const *at, size_t n) {
    return pto_flags_ucomi(j->type, at[0], at[1], (uint32_t *)(void *)at[2], n);
}

static pto_status call_setcc(const job *j, char *const *at, size_t n) {
    return pto_setcc(j->op.cc, (const uint32_t *)(const void *)at[0], (uint8_t *)at[1], n);
}

static pto_status call_cmp_setcc(const job *j, char *const *at, size_t n) {
    return pto_cmp_setcc(j->op.cc, j->type, at[0], at[1], (uint8_t *)at[2], n);
}

static void explain_type(const job *j, pto_status status) {
    char words[64];
    PyOS_snprintf(words, sizeof words, "%s of %s", j->name, pto_dtype_name(j->type));
    core_raise(status, words);
}

/* Adds the operands a and b, both of type type_object, or of their own type if type_object is None. */
static bool add_pair(job *j, PyObject *const *pair, PyObject *type_object) {
    static const char *const names[] = {"a", "b"};
    const int type = job_type(pair, names, 2, type_object);
    if (type < 0) return false;
    j->type = (pto_dtype)type;
    j->explain = explain_type;
    return job_elements(j, "a", pair[0], j->type, false) && job_elements(j, "b", pair[1], j->type, false) &&
           job_shape(j);
}

/* Adds a result array of bool: SETcc writes a byte of 0 or 1. */
static bool add_bools(job *j, PyObject *out) {
    PyObject *kind = PyUnicode_FromString("bool");
    const bool added = kind != NULL && job_result_mask(j, "out", out, kind, 8);
    Py_XDECREF(kind);
    return added;
}

static bool condition_named(PyObject *text, pto_cc *cc) {
    pto_parse_error error;
    const char *words = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (words != NULL && pto_parse_setcc(words, cc, &error) == PTO_OK) return true;
    if (words != NULL)
        PyErr_Format(PyExc_ValueError, "text: %R: %s", text, error.text);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "text: SETcc's name is wanted, not %R", text);
    return false;
}

/* flags(which, a, b, type, out): returns EFLAGS. `which` is 0 for CMP, 1 for TEST, 2 for UCOMI. */
static PyObject *flags(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const struct {
        const char *name;
        job_call *call;
    } known[] = {
        {"flags_cmp", call_flags_cmp}, {"flags_test", call_flags_test}, {"flags_ucomi", call_flags_ucomi}};
    PyObject *result = NULL;
    long which;
    job j;
    (void)module;
    if (!core_counted("flags", count, 5)) return NULL;
    which = PyLong_AsLong(args[0]);
    if (which < 0 || which >= (long)(sizeof known / sizeof *known)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "which: no such flags");
        return NULL;
    }
    job_begin(&j, known[which].name, known[which].call);
    if (add_pair(&j, args + 1, args[3]) && job_result(&j, "out", args[4], PTO_U32, NULL) && job_run(&j))
        result = job_take(&j, 2, args[4]);
    job_end(&j);
    return result;
}

/* setcc(text, eflags, out) */
static PyObject *setcc(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *result = NULL;
    job j;
    (void)module;
    if (!core_counted("setcc", count, 3)) return NULL;
    job_begin(&j, "setcc", call_setcc);
    if (condition_named(args[0], &j.op.cc) && job_elements(&j, "eflags", args[1], PTO_U32, false) &&
        job_shape(&j) && add_bools(&j, args[2]) && job_run(&j))
        result = job_take(&j, 1, args[2]);
    job_end(&j);
    return result;
}

/* cmp_setcc(text, a, b, type, out) */
static PyObject *cmp_setcc(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *result = NULL;
    job j;
    (void)module;
    if (!core_counted("cmp_setcc", count, 5)) return NULL;
    job_begin(&j, "cmp_setcc", call_cmp_setcc);
    if (condition_named(args[0], &j.op.cc) && add_pair(&j, args + 1, args[3]) && add_bools(&j, args[4]) &&
        job_run(&j))
        result = job_take(&j, 2, args[4]);
    job_end(&j);
    return result;
}

PyMethodDef flags_methods[] = {
    CORE_FUNCTION(flags), CORE_FUNCTION(setcc), CORE_FUNCTION(cmp_setcc), {NULL, NULL, 0, NULL}};
