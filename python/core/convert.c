/* SPDX-License-Identifier: MIT */
/* Functions of pto._core for cvt, cast, vcvt, vtrc and vexp. */
#include "job.h"

#include <string.h>

/* ---- cvt ---- */

static pto_status call_cvt(const job *j, char *const *at, size_t n) {
    return pto_cvt(j->op.cvt, at[0], at[2], at[1], n);
}

/* Returns how many elements share a random word under .rs. */
static int group_of(pto_cvt_op op) {
    return op.dst == PTO_F16 || op.dst == PTO_BF16 ? 2 : 4;
}

static void explain_cvt(const job *j, pto_status status) {
    char words[PTO_EXPLAIN_SIZE];
    const pto_cvt_op op = j->op.cvt;
    const bool random = op.round == PTO_RS, scaled = op.scale != PTO_SCALE_NONE;
    if (pto_cvt_explain(op, words, sizeof words) != PTO_OK) words[0] = '\0';
    if (status == PTO_ERR_SIZE && random)
        PyErr_Format(PyExc_ValueError,
                     "x: a word of random bits is for %d elements, and so each row has a multiple of them",
                     group_of(op));
    else if (status == PTO_ERR_NULL && (random || scaled))
        PyErr_Format(PyExc_ValueError, "%s: wanted for: %s", random ? "rbits" : "scales", words);
    else if (status == PTO_ERR_MODIFIER && pto_cvt_check(op) == PTO_OK)
        PyErr_Format(PyExc_ValueError, "rbits, scales: not for: %s", words);
    else
        core_raise(status, words);
}

/* Adds the extra operand of a conversion: random words under .rs, otherwise scales. None adds an absent operand. */
static bool add_extra(job *j, PyObject *extra) {
    const pto_cvt_op op = j->op.cvt;
    if (op.round == PTO_RS && extra != Py_None)
        return job_extra(j, "rbits", extra, PTO_U32, 32 / group_of(op));
    return job_extra(j, "scales", extra, PTO_UE8M0, op.scale == PTO_SCALE_N1 ? 4 : 8);
}

/* cvt(op, x, extra, out): returns the converted elements. `extra` is the random words or scales, or None. */
static PyObject *cvt(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *result = NULL;
    job j;
    (void)module;
    if (!core_counted("cvt", count, 4)) return NULL;
    job_begin(&j, "cvt", call_cvt);
    j.explain = explain_cvt;
    if (core_op_get(args[0], &j.op.cvt, sizeof j.op.cvt) &&
        job_elements(&j, "x", args[1], j.op.cvt.src, false) && add_extra(&j, args[2]) && job_shape(&j) &&
        job_result(&j, "out", args[3], j.op.cvt.dst, NULL) && job_run(&j))
        result = job_take(&j, 2, args[3]);
    job_end(&j);
    return result;
}

static bool finish_cvt(pto_cvt_op op) {
    char words[PTO_EXPLAIN_SIZE];
    const pto_status status = pto_cvt_check(op);
    if (status == PTO_OK) return true;
    if (pto_cvt_explain(op, words, sizeof words) == PTO_OK) core_raise_text(status, words);
    return false;
}

/* cvt_op(x, src, dst, round, ftz, sat, satfinite, relu, pzo, scale): returns the bytes of a legal pto_cvt_op. Types
 * may be given in all ways that dtype_named() takes; if src is None, it is the type of x. `round` and `scale` are
 * values of pto_round and pto_cvt_scale. */
static PyObject *cvt_op(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x"};
    pto_cvt_op op;
    int src, dst;
    (void)module;
    if (!core_counted("cvt_op", count, 10)) return NULL;
    memset(&op, 0, sizeof op); /* Python code may compare ops bytewise, including the padding */
    src = job_type(&args[0], names, 1, args[1]);
    if (src < 0) return NULL;
    dst = dtype_named(args[2], "to");
    if (dst < 0) {
        if (dst == NO_TYPE) PyErr_SetString(PyExc_TypeError, "to: a type is wanted");
        return NULL;
    }
    op.src = (pto_dtype)src;
    op.dst = (pto_dtype)dst;
    op.round = (pto_round)PyLong_AsLong(args[3]);
    op.ftz = PyObject_IsTrue(args[4]) == 1;
    op.sat = PyObject_IsTrue(args[5]) == 1;
    op.satfinite = PyObject_IsTrue(args[6]) == 1;
    op.relu = PyObject_IsTrue(args[7]) == 1;
    op.pzo = PyObject_IsTrue(args[8]) == 1;
    op.scale = (pto_cvt_scale)PyLong_AsLong(args[9]);
    return PyErr_Occurred() || !finish_cvt(op) ? NULL : core_op_make(&op, sizeof op);
}

/* ---- between any two formats ---- */

static pto_status call_cast(const job *j, char *const *at, size_t n) {
    return pto_cast(j->op.cast, at[0], at[2], at[1], n);
}

static void explain_cast(const job *j, pto_status status) {
    const pto_cast_op op = j->op.cast;
    char words[64];
    if (status == PTO_ERR_NULL && op.round == PTO_RS) {
        PyErr_SetString(PyExc_ValueError, "rbits: wanted for rs, a word for each element");
    } else if (status == PTO_ERR_MODIFIER && pto_cast_check(op) == PTO_OK) {
        PyErr_SetString(PyExc_ValueError, "rbits: only rs takes random bits");
    } else {
        PyOS_snprintf(words, sizeof words, "cast %s <- %s", pto_dtype_name(op.dst), pto_dtype_name(op.src));
        core_raise(status, words);
    }
}

/* Raises an exception and returns false for a type of 2 bits, of which an array cannot have any number of elements. */
static bool has_arrays(pto_dtype type, const char *argument) {
    if (pto_dtype_bits(type) >= 4) return true;
    PyErr_Format(PyExc_TypeError, "%s: there are no arrays of %s, whose elements are a quarter of a byte",
                 argument, pto_dtype_name(type));
    return false;
}

/* cast(x, src, to, round, overflow, rbits, out): returns the converted elements. `round` and `overflow` are values of
 * pto_round and pto_overflow; `rbits` is the random words, or None. */
static PyObject *cast(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x"};
    PyObject *result = NULL;
    int src, dst;
    job j;
    (void)module;
    if (!core_counted("cast", count, 7)) return NULL;
    src = job_type(&args[0], names, 1, args[1]);
    dst = src < 0 ? -2 : dtype_named(args[2], "to");
    if (dst == NO_TYPE) PyErr_SetString(PyExc_TypeError, "to: a type is wanted");
    if (src < 0 || dst < 0) return NULL;
    if (!has_arrays((pto_dtype)src, "x") || !has_arrays((pto_dtype)dst, "to")) return NULL;
    job_begin(&j, "cast", call_cast);
    j.explain = explain_cast;
    j.op.cast = (pto_cast_op){(pto_dtype)dst, (pto_dtype)src, (pto_round)PyLong_AsLong(args[3]),
                              (pto_overflow)PyLong_AsLong(args[4])};
    if (!PyErr_Occurred() && job_elements(&j, "x", args[0], (pto_dtype)src, false) &&
        job_extra(&j, "rbits", args[5], PTO_U32, 32) && job_shape(&j) &&
        job_result(&j, "out", args[6], (pto_dtype)dst, NULL) && job_run(&j))
        result = job_take(&j, 2, args[6]);
    job_end(&j);
    return result;
}

/* ---- PTO's ---- */

static pto_status call_vcvt(const job *j, char *const *at, size_t n) {
    return pto_vcvt(j->op.vcvt, at[0], pto_mask_at(at[1], j->operand[1].kind), at[2], n);
}

static pto_status call_vtrc(const job *j, char *const *at, size_t n) {
    return pto_vtrc(j->type, j->op.vcvt.rnd, at[0], pto_mask_at(at[1], j->operand[1].kind), at[2], n);
}

/* The names of the roundings, in the order of pto_vrnd. */
static const char *const roundings[] = {"R", "A", "F", "C", "Z", "O"};
enum { ROUNDINGS = sizeof roundings / sizeof roundings[0] };

static void explain_vcvt(const job *j, pto_status status) {
    pto_vcvt_op op = j->op.vcvt;
    const char *dst = pto_dtype_name(op.dst), *src = pto_dtype_name(op.src);
    const size_t given = (size_t)op.rnd;
    char words[128], legal[32] = "";
    bool takes_rnd = false;
    if (status == PTO_ERR_TYPE &&
        pto_cast_check((pto_cast_op){op.dst, op.src, PTO_RN, PTO_OVERFLOW_IEEE}) == PTO_OK) {
        PyOS_snprintf(words, sizeof words, "PTO's vcvt has no conversion %s <- %s; pto.cast() converts it",
                      dst, src);
        core_raise_text(status, words);
        return;
    }
    if (status != PTO_ERR_MODIFIER || given >= ROUNDINGS) {
        PyOS_snprintf(words, sizeof words, "vcvt %s <- %s", dst, src);
        core_raise(status, words);
        return;
    }
    op.sat = false;
    for (size_t i = 0; i < ROUNDINGS; ++i) {
        op.rnd = (pto_vrnd)i;
        if (pto_vcvt_check(op) != PTO_OK) continue;
        core_list(legal, sizeof legal, roundings[i]);
        takes_rnd = takes_rnd || i == given;
    }
    if (takes_rnd)
        PyErr_Format(PyExc_ValueError, "sat: vcvt %s <- %s does not take it; legal: False", dst, src);
    else
        PyErr_Format(PyExc_ValueError, "rnd: vcvt %s <- %s does not take %s; legal: %s", dst, src,
                     roundings[given], legal);
}

/* vcvt(x, src, to, rnd, sat, mask, out): returns the converted elements. `rnd` is a value of pto_vrnd. */
static PyObject *vcvt(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x"};
    PyObject *result = NULL;
    int src, dst;
    job j;
    (void)module;
    if (!core_counted("vcvt", count, 7)) return NULL;
    src = job_type(&args[0], names, 1, args[1]);
    dst = src < 0 ? -2 : dtype_named(args[2], "to");
    if (dst == NO_TYPE) PyErr_SetString(PyExc_TypeError, "to: a type is wanted");
    if (src < 0 || dst < 0) return NULL;
    job_begin(&j, "vcvt", call_vcvt);
    j.explain = explain_vcvt;
    j.op.vcvt = (pto_vcvt_op){(pto_dtype)dst, (pto_dtype)src, (pto_vrnd)PyLong_AsLong(args[3]),
                              PyObject_IsTrue(args[4]) == 1};
    if (!PyErr_Occurred() && job_elements(&j, "x", args[0], (pto_dtype)src, false) &&
        job_mask(&j, "mask", args[5]) && job_shape(&j) &&
        job_result(&j, "out", args[6], (pto_dtype)dst, NULL) && job_run(&j))
        result = job_take(&j, 2, args[6]);
    job_end(&j);
    return result;
}

static void explain_same_type(const job *j, pto_status status) {
    char words[64];
    PyOS_snprintf(words, sizeof words, "x: %s of %s", j->name, pto_dtype_name(j->type));
    core_raise(status, words);
}

/* Runs a job whose result has the type of its source, under a mask. args: x, mask, out. */
static PyObject *same_type(job *j, PyObject *const *args) {
    static const char *const names[] = {"x"};
    const int type = job_type(&args[0], names, 1, Py_None);
    PyObject *result = NULL;
    if (type < 0) return NULL;
    j->type = (pto_dtype)type;
    j->explain = explain_same_type;
    if (job_elements(j, "x", args[0], j->type, false) && job_mask(j, "mask", args[1]) && job_shape(j) &&
        job_result(j, "out", args[2], j->type, NULL) && job_run(j))
        result = job_take(j, 2, args[2]);
    job_end(j);
    return result;
}

/* vtrc(x, mask, out, rnd): returns the elements rounded to integral values. `rnd` is a value of pto_vrnd. */
static PyObject *vtrc(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    job j;
    (void)module;
    if (!core_counted("vtrc", count, 4)) return NULL;
    job_begin(&j, "vtrc", call_vtrc);
    j.op.vcvt.rnd = (pto_vrnd)PyLong_AsLong(args[3]);
    return PyErr_Occurred() ? NULL : same_type(&j, args);
}

#ifndef PTO_NO_VMATH
static pto_status call_vexp(const job *j, char *const *at, size_t n) {
    return pto_vexp(j->type, at[0], pto_mask_at(at[1], j->operand[1].kind), at[2], n);
}
#endif

/* vexp(x, mask, out): returns the exponentials. Raises NotImplementedError if libpto was built without SLEEF. */
static PyObject *vexp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!core_counted("vexp", count, 3)) return NULL;
#ifndef PTO_NO_VMATH
    job j;
    job_begin(&j, "vexp", call_vexp);
    return same_type(&j, args);
#else
    (void)args;
    PyErr_SetString(PyExc_NotImplementedError, "vexp: this build of libpto is without SLEEF");
    return NULL;
#endif
}

PyMethodDef convert_methods[] = {CORE_FUNCTION(cvt),   CORE_FUNCTION(cvt_op), CORE_FUNCTION(cast),
                                 CORE_FUNCTION(vcvt),  CORE_FUNCTION(vtrc),   CORE_FUNCTION(vexp),
                                 {NULL, NULL, 0, NULL}};
