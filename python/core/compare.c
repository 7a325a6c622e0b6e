/* SPDX-License-Identifier: MIT */
/* Functions of pto._core for vcmp, setp and set. */
#include "job.h"

#include <string.h>

static pto_mask mask_of(const job *j, char *const *at, int i) {
    return pto_mask_at(at[i], j->operand[i].kind);
}

/* Lists the types that vcmp takes with these flags in legal[size]. */
static void list_vcmp_types(unsigned flags, char *legal, size_t size) {
    uint8_t byte = 0;
    for (int t = 0; pto_dtype_bits((pto_dtype)t) != 0; ++t)
        if (pto_vcmp((pto_dtype)t, PTO_LT, flags, &byte, &byte, PTO_NO_MASK, pto_packed(&byte), 0) == PTO_OK)
            core_list(legal, size, pto_dtype_name((pto_dtype)t));
}

static void explain_vcmp(const job *j, pto_status status) {
    char words[PTO_EXPLAIN_SIZE], text[PTO_TEXT_SIZE], legal[256] = "";
    const unsigned ftz = j->flags & PTO_FTZ;
    const pto_setp_op op = {.type = j->type, .cmp = j->cmp, .ftz = ftz != 0};
    const char *const name = pto_dtype_name(j->type);
    if (status == PTO_ERR_TYPE || (ftz != 0 && pto_dtype_bits(j->type) == 8)) {
        list_vcmp_types(ftz, legal, sizeof legal);
        if (status == PTO_ERR_TYPE)
            PyErr_Format(PyExc_TypeError, "vcmp compares no %s; legal: %s", name, legal);
        else
            PyErr_Format(PyExc_ValueError, "ftz: vcmp of %s does not take it; legal for: %s", name, legal);
        return;
    }
    if (pto_dtype_bits(j->type) == 8 || pto_setp_explain(op, words, sizeof words) != PTO_OK)
        PyOS_snprintf(words, sizeof words, "vcmp of %s", name);
    else if (pto_format_setp(op, text, sizeof text) != PTO_OK) {
        core_raise_text(status, words); /* the explanation names what is wrong and what is legal */
        return;
    }
    core_raise(status, words);
}

static pto_status call_vcmp(const job *j, char *const *at, size_t n) {
    if (j->operand[1].one)
        return pto_vcmps(j->type, j->cmp, j->flags, at[0], at[1], mask_of(j, at, 2), mask_of(j, at, 3), n);
    return pto_vcmp(j->type, j->cmp, j->flags, at[0], at[1], mask_of(j, at, 2), mask_of(j, at, 3), n);
}

/* vcmp(a, b, cmp, flags, seed, kind, type, out): returns the mask. */
static PyObject *vcmp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"a", "b"};
    PyObject *result = NULL;
    int type;
    job j;
    (void)module;
    if (!core_counted("vcmp", count, 8)) return NULL;
    job_begin(&j, "vcmp", call_vcmp);
    j.explain = explain_vcmp;
    type = job_type(args, names, 2, args[6]);
    if (type < 0 || !job_cmp(args[2], &j.cmp)) return NULL;
    j.type = (pto_dtype)type;
    j.flags = (unsigned)PyLong_AsLong(args[3]);
    if (!PyErr_Occurred() && job_elements(&j, "a", args[0], j.type, false) &&
        job_elements(&j, "b", args[1], j.type, true) && job_mask(&j, "seed", args[4]) && job_shape(&j) &&
        job_result_mask(&j, "out", args[7], args[5], pto_dtype_bits(j.type)) && job_run(&j))
        result = job_take(&j, 3, args[7]);
    job_end(&j);
    return result;
}

/* ---- testp ---- */

static const char *const test_names[] = {"finite", "infinite",  "number", "notanumber",
                                         "normal", "subnormal", "zero",   "negative"};
enum { TESTS = sizeof test_names / sizeof test_names[0] };

static pto_status call_testp(const job *j, char *const *at, size_t n) {
    return pto_testp(j->type, j->op.test, j->flags, at[0], mask_of(j, at, 1), mask_of(j, at, 2), n);
}

static void explain_testp(const job *j, pto_status status) {
    char words[64];
    PyOS_snprintf(words, sizeof words, "testp of %s", pto_dtype_name(j->type));
    core_raise(status, words);
}

/* Parses the name of a test. Returns false with an exception. */
static bool test_of(PyObject *name, pto_float_test *test) {
    char legal[128] = "";
    for (size_t i = 0; i < TESTS; ++i) {
        *test = (pto_float_test)i;
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, test_names[i]) == 0) return true;
        core_list(legal, sizeof legal, test_names[i]);
    }
    PyErr_Format(PyExc_ValueError, "test: one of %s is wanted, not %R", legal, name);
    return false;
}

/* testp(x, test, flags, seed, kind, type, out): returns the mask. */
static PyObject *testp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x"};
    PyObject *result = NULL;
    int type;
    job j;
    (void)module;
    if (!core_counted("testp", count, 7)) return NULL;
    job_begin(&j, "testp", call_testp);
    j.explain = explain_testp;
    type = job_type(args, names, 1, args[5]);
    if (type < 0 || !test_of(args[1], &j.op.test)) return NULL;
    j.type = (pto_dtype)type;
    j.flags = (unsigned)PyLong_AsLong(args[2]);
    if (!PyErr_Occurred() && job_elements(&j, "x", args[0], j.type, false) && job_mask(&j, "seed", args[3]) &&
        job_shape(&j) && job_result_mask(&j, "out", args[6], args[4], pto_dtype_bits(j.type)) && job_run(&j))
        result = job_take(&j, 2, args[6]);
    job_end(&j);
    return result;
}

/* ---- PTX's ---- */

/* Raises the exception for a call with the operand c, whose text was legal. */
static void raise_with_c(pto_status status, const char *words) {
    if (status == PTO_ERR_MODIFIER)
        PyErr_SetString(PyExc_ValueError, "c, not_c: they are legal only with .and, .or or .xor");
    else
        core_raise(status, words);
}

static void explain_setp(const job *j, pto_status status) {
    char words[PTO_EXPLAIN_SIZE];
    if (pto_setp_explain(j->op.setp, words, sizeof words) != PTO_OK) words[0] = '\0';
    raise_with_c(status, words);
}

static void explain_set(const job *j, pto_status status) {
    char words[PTO_EXPLAIN_SIZE];
    if (pto_set_explain(j->op.set, words, sizeof words) != PTO_OK) words[0] = '\0';
    raise_with_c(status, words);
}

static pto_status call_setp(const job *j, char *const *at, size_t n) {
    return pto_setp(j->op.setp, at[0], at[1], mask_of(j, at, 2), mask_of(j, at, 3), mask_of(j, at, 4), n);
}

static pto_status call_set(const job *j, char *const *at, size_t n) {
    return pto_set(j->op.set, at[0], at[1], mask_of(j, at, 2), at[3], n);
}

static bool predicate_wanted(pto_boolop boolop, const PyObject *c) {
    if (boolop == PTO_BOOL_NONE || c != Py_None) return true;
    PyErr_SetString(PyExc_ValueError, "c: the predicate is wanted that .and, .or or .xor combines with");
    return false;
}

/* setp(op, a, b, c, not_c, kind, out_p, out_q): returns both predicates, (p, q). */
static PyObject *setp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *p = NULL, *q = NULL, *both = NULL;
    job j;
    (void)module;
    if (!core_counted("setp", count, 8)) return NULL;
    job_begin(&j, "setp", call_setp);
    j.explain = explain_setp;
    if (!core_op_get(args[0], &j.op.setp, sizeof j.op.setp)) return NULL;
    j.op.setp.not_c = PyObject_IsTrue(args[4]) == 1;
    j.type = j.op.setp.type;
    if (predicate_wanted(j.op.setp.boolop, args[3]) && job_elements(&j, "a", args[1], j.type, false) &&
        job_elements(&j, "b", args[2], j.type, false) && job_mask(&j, "c", args[3]) && job_shape(&j) &&
        job_result_mask(&j, "p", args[6], args[5], pto_dtype_bits(j.type)) &&
        job_result_mask(&j, "q", args[7], args[5], pto_dtype_bits(j.type)) && job_run(&j)) {
        p = job_take(&j, 3, args[6]);
        q = job_take(&j, 4, args[7]);
        if (p != NULL && q != NULL) both = PyTuple_Pack(2, p, q);
    }
    Py_XDECREF(p);
    Py_XDECREF(q);
    job_end(&j);
    return both;
}

/* set(op, a, b, c, not_c, out): returns the elements. */
static PyObject *set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *result = NULL;
    job j;
    (void)module;
    if (!core_counted("set", count, 6)) return NULL;
    job_begin(&j, "set", call_set);
    j.explain = explain_set;
    if (!core_op_get(args[0], &j.op.set, sizeof j.op.set)) return NULL;
    j.op.set.not_c = PyObject_IsTrue(args[4]) == 1;
    j.type = j.op.set.stype;
    if (predicate_wanted(j.op.set.boolop, args[3]) && job_elements(&j, "a", args[1], j.type, false) &&
        job_elements(&j, "b", args[2], j.type, false) && job_mask(&j, "c", args[3]) && job_shape(&j) &&
        job_result(&j, "out", args[5], j.op.set.dtype, NULL) && job_run(&j))
        result = job_take(&j, 3, args[5]);
    job_end(&j);
    return result;
}

PyMethodDef compare_methods[] = {CORE_FUNCTION(vcmp),
                                 CORE_FUNCTION(testp),
                                 CORE_FUNCTION(setp),
                                 CORE_FUNCTION(set),
                                 {NULL, NULL, 0, NULL}};
