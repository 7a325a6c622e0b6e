/* SPDX-License-Identifier: MIT */
/* Functions of pto._core for mask logic, between masks of any kinds, and for counting the lanes that are set. */
#include "job.h"

#include <stdatomic.h>

static pto_mask mask_of(const job *j, char *const *at, int i) {
    return pto_mask_at(at[i], j->operand[i].kind);
}

static pto_status call_and(const job *j, char *const *at, size_t n) {
    return pto_mask_and(mask_of(j, at, 0), mask_of(j, at, 1), mask_of(j, at, 2), n);
}

static pto_status call_or(const job *j, char *const *at, size_t n) {
    return pto_mask_or(mask_of(j, at, 0), mask_of(j, at, 1), mask_of(j, at, 2), n);
}

static pto_status call_xor(const job *j, char *const *at, size_t n) {
    return pto_mask_xor(mask_of(j, at, 0), mask_of(j, at, 1), mask_of(j, at, 2), n);
}

static pto_status call_not(const job *j, char *const *at, size_t n) {
    return pto_mask_not(mask_of(j, at, 0), mask_of(j, at, 1), n);
}

static pto_status call_mov(const job *j, char *const *at, size_t n) {
    return pto_mask_mov(mask_of(j, at, 0), mask_of(j, at, 1), n);
}

static pto_status call_sel(const job *j, char *const *at, size_t n) {
    return pto_mask_sel(mask_of(j, at, 0), mask_of(j, at, 1), mask_of(j, at, 2), mask_of(j, at, 3), n);
}

static pto_status call_count(const job *j, char *const *at, size_t n) {
    size_t on;
    const pto_status status = pto_mask_count(mask_of(j, at, 0), n, &on);
    if (status == PTO_OK) atomic_fetch_add(j->op.total, on);
    return status;
}

/* ---- the number of lanes ---- */

enum { MOST_SOURCES = 3 };

static bool is_image(const operand *o) {
    return o->kind != PTO_MASK_BYTE && o->kind != PTO_MASK_PACKED;
}

static bool add_masks(job *j, const char *const *names, PyObject *const *masks, int count) {
    for (int i = 0; i < count && i < MOST_SOURCES; ++i) {
        if (masks[i] == Py_None) {
            PyErr_Format(PyExc_TypeError, "%s: a mask is wanted", names[i]);
            return false;
        }
        if (!job_mask(j, names[i], masks[i])) return false;
    }
    return true;
}

/* Returns the number of lanes of a row according to the masks of bool, or -1 if there is none. Packed masks do not
 * have an exact number, because their last byte may have unused bits. */
static npy_intp lanes_of_bools(const job *j) {
    npy_intp lanes = -1;
    for (int i = 0; i < j->operands; ++i) {
        const operand *o = &j->operand[i];
        const int nd = PyArray_NDIM(o->array);
        if (o->kind == PTO_MASK_BYTE && nd > 0 && PyArray_DIM(o->array, nd - 1) > lanes)
            lanes = PyArray_DIM(o->array, nd - 1);
    }
    return lanes;
}

/* Sets the shape of the call from the masks. A row has lanes_object lanes; if that is None, as many as the masks hold.
 * Returns false with an exception. */
static bool shape_masks(job *j, PyObject *lanes_object) {
    npy_intp lanes = lanes_of_bools(j);
    if (lanes_object != Py_None) {
        if (!core_number(lanes_object, "lanes", &lanes)) return false;
        if (lanes < 0) return PyErr_Format(PyExc_ValueError, "lanes: %zd is less than none", lanes) != NULL;
    }
    if (lanes >= 0) j->shape[j->nd++] = lanes;
    for (int i = 0; i < j->operands; ++i) {
        j->operand[i].shapes = true;
        j->operand[i].cols = lanes;
    }
    if (!job_shape(j)) return false;
    if (lanes < 0 || j->shape[j->nd - 1] == lanes) return true;
    return PyErr_Format(PyExc_ValueError, "lanes: a row has %zd and not %zd", j->shape[j->nd - 1], lanes) !=
           NULL;
}

/* ---- the functions ---- */

static const struct logic {
    const char *name;
    job_call *call;
    int sources;
} logic[] = {{"mask_and", call_and, 2}, {"mask_or", call_or, 2},   {"mask_xor", call_xor, 2},
             {"mask_not", call_not, 1}, {"mask_mov", call_mov, 1}, {"mask_sel", call_sel, 3}};

static const char *const names[MOST_SOURCES] = {"a", "b", "sel"};

static const struct logic *logic_named(PyObject *number) {
    const long i = PyLong_AsLong(number);
    if (i >= 0 && i < (long)(sizeof logic / sizeof *logic)) return &logic[i];
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "op: no such logic");
    return NULL;
}

/* Sets *bits to the element width of a predicate image as the result: the value of `object`, or if that is None the
 * width of the first source that is a predicate image. */
static bool image_bits(const job *j, PyObject *object, size_t *bits) {
    npy_intp wanted = 32; /* the default; unused if the result is not a predicate image */
    if (object != Py_None) {
        if (!core_number(object, "bits", &wanted)) return false;
    } else {
        for (int i = j->operands - 1; i >= 0; --i)
            if (is_image(&j->operand[i])) wanted = 8 * (npy_intp)j->operand[i].lane_bits;
    }
    *bits = (size_t)wanted;
    if (wanted == 8 || wanted == 16 || wanted == 32 || wanted == 64) return true;
    return PyErr_Format(PyExc_ValueError, "bits: 8, 16, 32 or 64, not %zd", wanted) != NULL;
}

/* mask_logic(op, a, b, sel, lanes, kind, bits, out): returns the result. `op` is an index into logic[]. */
static PyObject *mask_logic(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const struct logic *which;
    PyObject *result = NULL;
    size_t bits;
    job j;
    (void)module;
    if (!core_counted("mask_logic", count, 8)) return NULL;
    which = logic_named(args[0]);
    if (which == NULL) return NULL;
    job_begin(&j, which->name, which->call);
    if (add_masks(&j, names, args + 1, which->sources) && shape_masks(&j, args[4]) &&
        image_bits(&j, args[6], &bits) && job_result_mask(&j, "out", args[7], args[5], bits) && job_run(&j))
        result = job_take(&j, which->sources, args[7]);
    job_end(&j);
    return result;
}

/* mask_count(m, lanes): returns the number of lanes of m that are set. */
static PyObject *mask_count(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const name[] = {"m"};
    atomic_size_t total = 0;
    PyObject *result = NULL;
    job j;
    (void)module;
    if (!core_counted("mask_count", count, 2)) return NULL;
    job_begin(&j, "mask_count", call_count);
    j.op.total = &total;
    if (add_masks(&j, name, args, 1) && shape_masks(&j, args[1]) && job_run(&j))
        result = PyLong_FromSize_t(atomic_load(&total));
    job_end(&j);
    return result;
}

PyMethodDef masks_methods[] = {CORE_FUNCTION(mask_logic), CORE_FUNCTION(mask_count), {NULL, NULL, 0, NULL}};
