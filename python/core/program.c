/* SPDX-License-Identifier: MIT */
/* The function of pto._core that runs a program, given as text, on arrays. */
#include "job.h"
#include "watch.h"

#include <pto/program.h>

#include <string.h>

enum { MOST_INPUTS = 64 };

/* A program, and the arrays that are bound to it. */
typedef struct script {
    pto_program *program;
    PyArrayObject *bound[MOST_INPUTS];
    const char *names[MOST_INPUTS]; /* the registers that they are bound to; memory of the program */
    size_t inputs, lanes;
    bool lanes_given;
    bool tensors;          /* an input is a torch tensor; then results are tensors too */
    const char *empty;     /* the name of an input without elements, or NULL */
    PyArrayObject *shaped; /* the input whose shape results get, or NULL; borrowed */
    watch watch;
} script;

static bool is_stopped(void *user) {
    return watch_stopped(&((script *)user)->watch);
}

/* Finds a register by its name, or else by its name without the leading %: registers of PTO programs start with %,
 * which a Python keyword argument cannot. */
static bool find(const pto_program *program, const char *name, pto_program_register *found) {
    for (size_t i = 0; pto_program_register_at(program, i, found) == PTO_OK; ++i)
        if (strcmp(found->name, name) == 0) return true;
    for (size_t i = 0; pto_program_register_at(program, i, found) == PTO_OK; ++i)
        if (found->name[0] == '%' && strcmp(found->name + 1, name) == 0) return true;
    return false;
}

static size_t lane_bits(const pto_program_register *r) {
    return r->predicate ? 8 : pto_dtype_bits(r->type);
}

/* Returns whether the array fits the register. Its elements must have the register's type. If that type is untyped,
 * packed, or E1M2 or HIF8, elements of another type also fit, if a whole number of them fills a lane. */
static bool goes_with(const view *v, const pto_program_register *r) {
    const size_t bits = v->packed ? 4 : 8 * (size_t)PyArray_ITEMSIZE(v->array);
    const pto_class class = pto_dtype_class(r->type);
    const bool is_words =
        class == PTO_CLASS_BITS || class == PTO_CLASS_PACKED || r->type == PTO_E1M2 || r->type == PTO_HIF8;
    if (r->predicate) return PyArray_TYPE(v->array) == NPY_BOOL || PyArray_TYPE(v->array) == NPY_UINT8;
    if (view_is(v, r->type)) return true;
    return is_words && bits <= lane_bits(r) && lane_bits(r) % bits == 0;
}

/* Returns the element type with which the array is bound to the register. */
static pto_dtype bound_type(const view *v, const pto_program_register *r) {
    if (r->predicate) return PTO_U8;
    if (8 * (size_t)PyArray_ITEMSIZE(v->array) == lane_bits(r) || lane_bits(r) < 8) return r->type;
    return (pto_dtype)(PyArray_ITEMSIZE(v->array) == 1   ? PTO_B8
                       : PyArray_ITEMSIZE(v->array) == 2 ? PTO_B16
                                                         : PTO_B32);
}

/* Fills *v with a contiguous array of the object that fits the register. Returns false with an exception. */
static bool take(script *s, const pto_program_register *r, PyObject *object, view *v) {
    PyArrayObject *dense;
    switch (view_array(object, r->name, v)) {
    case -1: return false;
    case 0: return view_numbers(object, r->name, r->predicate ? PTO_U8 : r->type, NULL, v);
    default: break;
    }
    s->tensors = s->tensors || v->tensor;
    if (view_is_loose(v) && !view_pack(v)) goto failed;
    if (!goes_with(v, r)) {
        PyErr_Format(PyExc_TypeError, "%s: the register is of type .%s, the array of dtype %S", r->name,
                     r->predicate ? "pred" : pto_dtype_name(r->type), (PyObject *)PyArray_DESCR(v->array));
        goto failed;
    }
    dense = (PyArrayObject *)PyArray_GETCONTIGUOUS(v->array);
    if (dense == NULL) goto failed;
    view_replace(&v->array, dense);
    return true;
failed:
    Py_CLEAR(v->array);
    return false;
}

/* Binds an object to the register of this name, and updates the number of lanes and the shape of results. */
static bool bind(script *s, const char *name, PyObject *object) {
    pto_program_register r;
    pto_dtype type;
    pto_status status;
    size_t elements, lanes;
    view v = {0};
    if (!find(s->program, name, &r)) {
        PyErr_Format(PyExc_TypeError, "%s: the program has no such register", name);
        return false;
    }
    if (s->inputs == MOST_INPUTS) {
        PyErr_Format(PyExc_ValueError, "%s: more than %d inputs", name, MOST_INPUTS);
        return false;
    }
    for (size_t i = 0; i < s->inputs; ++i)
        if (strcmp(s->names[i], r.name) == 0)
            return PyErr_Format(PyExc_TypeError, "%s: %s is given twice", name, r.name) != NULL;
    if (!take(s, &r, object, &v)) return false;
    s->names[s->inputs] = r.name;
    s->bound[s->inputs++] = v.array;
    type = bound_type(&v, &r);
    elements = (size_t)PyArray_NBYTES(v.array) * 8 / pto_dtype_bits(type);
    lanes = elements * pto_dtype_bits(type) / lane_bits(&r) / r.each;
    if (elements == 0) s->empty = r.name;
    if (!s->lanes_given && lanes > s->lanes) s->lanes = lanes;
    if (s->shaped == NULL && PyArray_NDIM(v.array) > 0 && pto_dtype_bits(type) == lane_bits(&r))
        s->shaped = v.array;
    status = pto_program_bind(s->program, r.name, type, PyArray_DATA(v.array), elements);
    if (status != PTO_OK) core_raise(status, r.name);
    return status == PTO_OK;
}

static bool bind_all(script *s, PyObject *inputs) {
    PyObject *name, *object;
    Py_ssize_t at = 0;
    while (PyDict_Next(inputs, &at, &name, &object)) {
        const char *text = core_text(name, "inputs");
        if (text == NULL || !bind(s, text, object)) return false;
    }
    return true;
}

static PyObject *complain(const pto_program_error *error) {
    if (error->line == 0) return PyErr_Format(PyExc_ValueError, "%s", error->text);
    return PyErr_Format(PyExc_ValueError, "line %zu, column %zu: \"%s\": %s", error->line, error->column,
                        error->word, error->text);
}

/* ---- results ---- */

/* Returns the value of a register as a new array, or None if it has no value. */
static PyObject *value_array(const script *s, const pto_program_register *r) {
    pto_dtype type;
    const void *data;
    size_t n;
    npy_intp shape[NPY_MAXDIMS];
    PyArray_Descr *descr;
    PyObject *array;
    int nd = 1;
    if (pto_program_value(s->program, r->name, &type, &data, &n) != PTO_OK) return Py_NewRef(Py_None);
    descr = r->predicate ? PyArray_DescrFromType(NPY_BOOL) : dtype_descr(type);
    if (descr == NULL) return NULL;
    shape[0] =
        (npy_intp)(r->predicate ? n : (n * pto_dtype_bits(type) + 7) / 8 / (size_t)PyDataType_ELSIZE(descr));
    if (s->shaped != NULL && PyArray_SIZE(s->shaped) == shape[0]) {
        nd = PyArray_NDIM(s->shaped);
        memcpy(shape, PyArray_DIMS(s->shaped), (size_t)nd * sizeof *shape);
    }
    array = PyArray_NewFromDescr(&PyArray_Type, descr, nd, shape, NULL, NULL, 0, NULL);
    if (array != NULL)
        memcpy(PyArray_DATA((PyArrayObject *)array), data, (size_t)PyArray_NBYTES((PyArrayObject *)array));
    if (array == NULL || !s->tensors) return array;
    return tensor_of((PyArrayObject *)array, tensor_type(r->predicate ? PTO_U8 : (int)type, descr));
}

static PyObject *results(const script *s) {
    pto_program_register r;
    PyObject *all = PyDict_New();
    for (size_t i = 0; all != NULL && pto_program_register_at(s->program, i, &r) == PTO_OK; ++i) {
        PyObject *one;
        if (!r.result) continue;
        one = value_array(s, &r);
        if (one == NULL || (one != Py_None && PyDict_SetItemString(all, r.name, one) != 0)) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *run_bound(script *s) {
    pto_status status;
    if (s->empty != NULL && s->lanes > (s->lanes_given ? 0 : 1))
        return PyErr_Format(PyExc_ValueError, "%s: it has no elements, and there are %zu lanes", s->empty,
                            s->lanes);
    if (!s->lanes_given) s->lanes = s->empty != NULL ? 0 : s->lanes == 0 ? 1 : s->lanes;
    watch_begin(&s->watch);
    status = pto_program_run(s->program, s->lanes);
    if (!watch_end(&s->watch)) return NULL;
    return status == PTO_OK ? results(s) : complain(pto_program_problem(s->program));
}

/* run(text, language, profile, lanes, inputs): runs the program and returns a dict from the names of its result
 * registers to arrays. `inputs` is a dict from register names to arrays. */
static PyObject *run(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_program_options options = {0};
    pto_program_error error;
    script s = {0};
    npy_intp lanes = 0;
    const char *text;
    PyObject *all = NULL;
    (void)module;
    if (!core_counted("run", count, 5)) return NULL;
    text = core_text(args[0], "text");
    if (text == NULL) return NULL;
    options.language = (pto_program_language)PyLong_AsLong(args[1]);
    options.profile = (pto_program_profile)PyLong_AsLong(args[2]);
    if (PyErr_Occurred()) return NULL;
    s.lanes_given = args[3] != Py_None;
    if (s.lanes_given && !core_number(args[3], "lanes", &lanes)) return NULL;
    if (lanes < 0) return PyErr_Format(PyExc_ValueError, "lanes: %zd is less than none", lanes);
    s.lanes = (size_t)lanes;
    options.stop = is_stopped;
    options.user = &s;
    s.program = pto_program_new(text, options, &error);
    if (s.program == NULL) return complain(&error);
    if (bind_all(&s, args[4])) all = run_bound(&s);
    pto_program_free(s.program);
    for (size_t i = 0; i < s.inputs; ++i) Py_DECREF(s.bound[i]);
    return all;
}

PyMethodDef program_methods[] = {CORE_FUNCTION(run), {NULL, NULL, 0, NULL}};
