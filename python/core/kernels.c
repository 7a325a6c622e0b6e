/* SPDX-License-Identifier: MIT */
/* The functions of pto._core that run kernels of PTX modules on arrays. */
#include "job.h"
#include "pool.h"
#include "watch.h"

#include <pto/module.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 256 };

static const char capsule_name[] = "pto.module";

/* The content of a capsule. Only one launch may use it at a time, because is_stopped() finds the launch's
 * watch here. */
typedef struct held_module {
    pto_module *module;
    pthread_mutex_t lock;
    watch *watch; /* the watch of the running launch */
} held_module;

static bool is_stopped(void *user) {
    return watch_stopped(((held_module *)user)->watch);
}

static void release(PyObject *capsule) {
    held_module *held = PyCapsule_GetPointer(capsule, capsule_name);
    pto_module_free(held->module);
    pthread_mutex_destroy(&held->lock);
    free(held);
}

static PyObject *complain(const pto_program_error *error) {
    if (error->line == 0) return PyErr_Format(PyExc_ValueError, "%s", error->text);
    if (error->column == 0) return PyErr_Format(PyExc_ValueError, "line %zu: %s", error->line, error->text);
    return PyErr_Format(PyExc_ValueError, "line %zu, column %zu: \"%s\": %s", error->line, error->column,
                        error->word, error->text);
}

/* module_new(text): parses a module and returns a capsule with it. */
static PyObject *module_new(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_program_options options = {.stop = is_stopped};
    pto_program_error error;
    held_module *held;
    const char *text;
    PyObject *capsule;
    (void)module;
    if (!core_counted("module_new", count, 1)) return NULL;
    text = core_text(args[0], "text");
    if (text == NULL) return NULL;
    held = calloc(1, sizeof *held);
    if (held == NULL) return PyErr_NoMemory();
    options.user = held;
    held->module = pto_module_new(text, options, &error);
    if (held->module == NULL) {
        free(held);
        return complain(&error);
    }
    pthread_mutex_init(&held->lock, NULL);
    capsule = PyCapsule_New(held, capsule_name, release);
    if (capsule != NULL) return capsule;
    pto_module_free(held->module);
    pthread_mutex_destroy(&held->lock);
    free(held);
    return NULL;
}

/* Returns why a kernel is not supported as a text, or None. */
static PyObject *problem_of(const pto_kernel *k) {
    const pto_program_error *const p = k->problem;
    if (p == NULL) Py_RETURN_NONE;
    return PyUnicode_FromFormat("line %zu, column %zu: \"%s\": %s", p->line, p->column, p->word, p->text);
}

static PyObject *parameter_list(const pto_kernel *k) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < k->parameter_count; ++i) {
        const pto_parameter *p = &k->parameters[i];
        PyObject *one = Py_BuildValue("(ssnOO)", p->name, pto_dtype_name(p->type), (Py_ssize_t)p->bytes,
                                      p->pointer ? Py_True : Py_False, p->written ? Py_True : Py_False);
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* module_kernels(capsule): returns a list of (name, parameters, block, bytes of shared memory, why it is not supported
 * or None); a parameter is (name, type, bytes, whether it is a pointer, whether the kernel writes there). */
static PyObject *module_kernels(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const held_module *held;
    PyObject *list;
    pto_kernel k;
    (void)module;
    if (!core_counted("module_kernels", count, 1)) return NULL;
    held = PyCapsule_GetPointer(args[0], capsule_name);
    if (held == NULL) return NULL;
    list = PyList_New(0);
    for (size_t i = 0; list != NULL && pto_module_kernel_at(held->module, i, &k) == PTO_OK; ++i) {
        PyObject *one = Py_BuildValue("(sN(III)nN)", k.name, parameter_list(&k), k.block.x, k.block.y,
                                      k.block.z, (Py_ssize_t)k.shared_bytes, problem_of(&k));
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* ---- arguments ---- */

/* The arguments of a launch, and the arrays whose memory the arguments point to. */
typedef struct operands {
    pto_argument arguments[MOST_ARGUMENTS];
    PyArrayObject *arrays[MOST_ARGUMENTS];
    size_t count;
} operands;

/* Gives a pointer parameter the memory of an array. An array that the kernel only reads is copied if it is
 * not contiguous. */
static bool take_memory(operands *o, const pto_parameter *p, view *v) {
    pto_argument *a = &o->arguments[o->count];
    if (p->written && !PyArray_ISWRITEABLE(v->array))
        return PyErr_Format(PyExc_ValueError, "%s: the kernel writes to this array, which is read-only",
                            p->name) != NULL;
    if (p->written && !PyArray_IS_C_CONTIGUOUS(v->array))
        return PyErr_Format(PyExc_ValueError, "%s: the kernel writes to this array, which is not contiguous",
                            p->name) != NULL;
    if (!PyArray_IS_C_CONTIGUOUS(v->array)) {
        PyArrayObject *dense = (PyArrayObject *)PyArray_GETCONTIGUOUS(v->array);
        if (dense == NULL) return false;
        view_replace(&v->array, dense);
    }
    a->bytes = (size_t)PyArray_NBYTES(v->array);
    if (p->written)
        a->memory = PyArray_DATA(v->array);
    else
        a->input = PyArray_DATA(v->array);
    return true;
}

static bool take_scalar(operands *o, const pto_parameter *p, const view *v) {
    if ((size_t)PyArray_NBYTES(v->array) != p->bytes)
        return PyErr_Format(PyExc_TypeError,
                            "%s: a value of %zd bytes does not fit this parameter of type .%s", p->name,
                            PyArray_NBYTES(v->array), pto_dtype_name(p->type)) != NULL;
    o->arguments[o->count] = (pto_argument){.scalar = PyArray_DATA(v->array), .bytes = p->bytes};
    return true;
}

static bool take_bytes(operands *o, const pto_parameter *p, PyObject *object) {
    char *data;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(object, &data, &length) != 0) return false;
    o->arguments[o->count++] = (pto_argument){.scalar = data, .bytes = (size_t)length};
    if ((size_t)length == p->bytes) return true;
    return PyErr_Format(PyExc_TypeError, "%s: it has %zu bytes, not %zd", p->name, p->bytes, length) != NULL;
}

static bool take_argument(operands *o, const pto_parameter *p, PyObject *object) {
    view v = {0};
    bool good;
    int found;
    o->arguments[o->count] = (pto_argument){0};
    if (object == Py_None) {
        ++o->count;
        return true;
    }
    if (PyBytes_Check(object)) return take_bytes(o, p, object);
    found = view_array(object, p->name, &v);
    if (found < 0 || (found == 0 && !view_numbers(object, p->name, p->type, NULL, &v))) return false;
    good = p->pointer || PyArray_NDIM(v.array) != 0 ? take_memory(o, p, &v) : take_scalar(o, p, &v);
    o->arrays[o->count++] = v.array;
    return good;
}

static bool take_arguments(operands *o, const pto_kernel *k, PyObject *objects) {
    const Py_ssize_t count = PyTuple_Size(objects);
    if (count < 0) return false;
    if ((size_t)count > k->parameter_count || count > MOST_ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "%s: %zd arguments are given for %zu parameters", k->name, count,
                            k->parameter_count) != NULL;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!take_argument(o, &k->parameters[i], PyTuple_GetItem(objects, i))) return false;
    return true;
}

/* ---- launches ---- */

typedef struct launch {
    held_module *held;
    const pto_kernel *kernel;
    pto_dim3 grid, block;
    const operands *operands;
    size_t blocks, parts;
    _Atomic int status;
} launch;

/* Runs one of the l->parts parts of the blocks. */
static void run_part(void *context, size_t part) {
    launch *l = context;
    const size_t each = l->blocks / l->parts, rest = l->blocks % l->parts;
    const size_t first = each * part + (part < rest ? part : rest);
    const pto_status status =
        pto_module_launch_blocks(l->held->module, l->kernel->name, l->grid, l->block, l->operands->arguments,
                                 l->operands->count, first, each + (part < rest));
    if (status != PTO_OK) l->status = status;
}

static PyObject *run_launch(launch *l, size_t shared) {
    const size_t threads = pool_threads();
    bool good, fits;
    watch w;
    pto_program_error problem;
    l->blocks = (size_t)l->grid.x * l->grid.y * l->grid.z;
    l->parts = l->blocks < threads ? 1 : threads;
    watch_begin(&w);
    pthread_mutex_lock(&l->held->lock);
    l->held->watch = &w;
    l->status = pto_module_share(l->held->module, shared);
    fits = l->status == PTO_OK;
    if (fits) pool_run(run_part, l, l->parts);
    problem = *pto_module_problem(l->held->module);
    pthread_mutex_unlock(&l->held->lock);
    good = watch_end(&w);
    if (!good) return NULL;
    if (l->status == PTO_OK) Py_RETURN_NONE;
    if (fits) return complain(&problem);
    core_raise((pto_status)l->status, "shared_bytes");
    return NULL;
}

static bool take_dim3(PyObject *object, const char *name, pto_dim3 *dim) {
    if (PyArg_ParseTuple(object, "III", &dim->x, &dim->y, &dim->z)) return true;
    core_name_error(name);
    return false;
}

/* module_launch(capsule, kernel, grid, block, arguments, shared_bytes): runs kernel number `kernel`. */
static PyObject *module_launch(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const size_t most_shared = (size_t)1 << 40;
    operands *o;
    pto_kernel k;
    launch l = {0};
    npy_intp kernel, shared;
    PyObject *result = NULL;
    (void)module;
    if (!core_counted("module_launch", count, 6)) return NULL;
    l.held = PyCapsule_GetPointer(args[0], capsule_name);
    if (l.held == NULL || !core_number(args[1], "kernel", &kernel) || !take_dim3(args[2], "grid", &l.grid) ||
        !take_dim3(args[3], "block", &l.block) || !core_number(args[5], "shared_bytes", &shared))
        return NULL;
    if (pto_module_kernel_at(l.held->module, (size_t)kernel, &k) != PTO_OK)
        return PyErr_Format(PyExc_ValueError, "kernel: there is no number %zd", (Py_ssize_t)kernel);
    if (k.problem != NULL) return complain(k.problem);
    o = calloc(1, sizeof *o);
    if (o == NULL) return PyErr_NoMemory();
    l.kernel = &k;
    l.operands = o;
    if (take_arguments(o, &k, args[4])) result = run_launch(&l, shared < 0 ? most_shared : (size_t)shared);
    for (size_t i = 0; i < o->count; ++i) Py_XDECREF((PyObject *)o->arrays[i]);
    free(o);
    return result;
}

PyMethodDef kernels_methods[] = {CORE_FUNCTION(module_new),
                                 CORE_FUNCTION(module_kernels),
                                 CORE_FUNCTION(module_launch),
                                 {NULL, NULL, 0, NULL}};
