/* SPDX-License-Identifier: MIT */
/* Helpers for the handlers that XLA calls, and the functions of pto._core that make handlers and their ops. */
#include "xla.h"

#include "dtypes.h"

#include <stdio.h>
#include <string.h>

/* ---- frames ---- */

static xla_error *fail_as(const xla_frame *frame, int code, const char *name, const char *what) {
    char words[256];
    xla_error_args args = {sizeof args, NULL, words, code};
    xla_error *error;
    snprintf(words, sizeof words, "pto.%s: %s", name, what);
    error = frame->api->make_error(&args);
    /* cppcheck-suppress returnDanglingLifetime ; make_error copies the message */
    return error;
}

xla_error *xla_fail(const xla_frame *frame, const char *name, const char *what) {
    return fail_as(frame, XLA_INTERNAL, name, what);
}

xla_error *xla_status(const xla_frame *frame, const char *name, pto_status status) {
    return status == PTO_OK ? NULL : fail_as(frame, XLA_INVALID_ARGUMENT, name, pto_strerror(status));
}

/* The minor version that handlers report to XLA: jaxlib's, but at most XLA_MINOR. XLA decides whether it accepts it. */
static int minor = XLA_MINOR;

/* Answers XLA's query for the version that a handler was written for, and returns true. Such a query is a frame with
 * only a metadata extension. Returns false for other frames. */
static bool is_question(const xla_frame *frame) {
    const xla_metadata_extension *e = (const void *)frame->extension;
    if (e == NULL || e->base.type != XLA_METADATA) return false;
    /* XLA's size fields do not include trailing padding. If the version is not set here, XLA refuses the handler. */
    if (e->base.size < sizeof *e ||
        e->metadata->size < offsetof(xla_metadata, traits) + sizeof e->metadata->traits)
        return true;
    e->metadata->version.major = 0;
    e->metadata->version.minor = minor;
    e->metadata->traits = 0;
    return true;
}

/* Returns whether there are least to most buffers, and their structs are as large as the ones declared in xla.h. */
static bool whole(const xla_buffers *buffers, int64_t least, int64_t most) {
    if (buffers->size < sizeof *buffers || buffers->count < least || buffers->count > most) return false;
    for (int64_t i = 0; i < buffers->count; ++i)
        if (buffers->at[i]->size < sizeof *buffers->at[i]) return false;
    return true;
}

bool xla_is_call(const xla_frame *frame, int64_t least, int64_t most, int64_t results, xla_error **answer) {
    *answer = NULL;
    if (is_question(frame)) return false;
    /* Without XLA's table of functions, an error cannot be made. */
    if (frame->size < sizeof *frame || frame->api == NULL || frame->api->size < sizeof *frame->api)
        return false;
    if (frame->stage != XLA_EXECUTE) return false;
    if (whole(&frame->arguments, least, most) && whole(&frame->results, results, results) &&
        frame->attributes.size >= sizeof frame->attributes)
        return true;
    *answer = xla_fail(frame, "jax", "the call has other operands than are wanted");
    return false;
}

bool xla_op(const xla_frame *frame, void *op, size_t size) {
    const xla_attributes *all = &frame->attributes;
    for (int64_t i = 0; i < all->count; ++i) {
        const xla_span *name = all->names[i];
        const xla_array *array = all->at[i];
        if (name->length != 2 || memcmp(name->text, "op", 2) != 0) continue;
        if (all->kinds[i] != XLA_ARRAY || array->type != XLA_U8 || array->count != size) return false;
        memcpy(op, array->data, size);
        return true;
    }
    return false;
}

int xla_bits(const xla_buffer *buffer) {
    static const unsigned char bits[] = {
        [1] = 8,  [2] = 8,   [3] = 16,  [4] = 32,  [5] = 64,  [6] = 8,  [7] = 16, [8] = 32,
        [9] = 64, [10] = 16, [11] = 32, [12] = 64, [16] = 16, [19] = 8, [20] = 8, [33] = 8};
    return buffer->type < 0 || buffer->type >= (int)sizeof bits ? 0 : bits[buffer->type];
}

size_t xla_count(const xla_buffer *buffer, int64_t dims) {
    size_t count = 1;
    for (int64_t i = 0; i < dims; ++i) count *= (size_t)buffer->dims[i];
    return count;
}

/* ---- functions for Python ---- */

static bool add_handler(PyObject *all, const char *name, xla_handler *handler) {
    PyObject *capsule;
    void *pointer;
    int failed;
    memcpy(&pointer, &handler, sizeof pointer);
    capsule = PyCapsule_New(pointer, "xla._CUSTOM_CALL_TARGET", NULL);
    if (capsule == NULL) return false;
    failed = PyDict_SetItemString(all, name, capsule);
    Py_DECREF(capsule);
    return failed == 0;
}

/* xla_handlers(minor): returns a dict from names to capsules of handlers, for an XLA whose interface has this minor
 * version. */
static PyObject *xla_handlers(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const struct {
        const char *name;
        xla_handler *handler;
    } handlers[] = {{"cvt", xla_cvt},
                    {"vcmpsel", xla_vcmpsel},
                    {"vmax", xla_vmax},
                    {"vmin", xla_vmin},
                    {"quantize", xla_quantize},
                    {"find_quantize", xla_find_quantize},
                    {"dequantize", xla_dequantize}};
    PyObject *all;
    long theirs;
    (void)module;
    if (!core_counted("xla_handlers", count, 1)) return NULL;
    theirs = PyLong_AsLong(args[0]);
    all = PyErr_Occurred() ? NULL : PyDict_New();
    if (all == NULL) return NULL;
    minor = theirs < XLA_MINOR ? (int)theirs : XLA_MINOR;
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; ++i)
        if (!add_handler(all, handlers[i].name, handlers[i].handler)) {
            Py_DECREF(all);
            return NULL;
        }
    return all;
}

/* xla_select_op(type, cmp, flags): returns the bytes of an xla_select_op. cmp may be None. The caller has already
 * checked, by a call without lanes, that the operation is legal. */
static PyObject *make_select_op(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const char *cmp = "eq";
    xla_select_op op;
    int type;
    (void)module;
    memset(&op, 0, sizeof op);
    if (!core_counted("xla_select_op", count, 3)) return NULL;
    if (args[1] != Py_None) cmp = PyUnicode_AsUTF8AndSize(args[1], NULL);
    type = cmp == NULL ? -2 : dtype_named(args[0], "type");
    if (type < 0) return NULL;
    op.type = (pto_dtype)type;
    op.flags = (unsigned)PyLong_AsLong(args[2]);
    if (PyErr_Occurred()) return NULL;
    if (pto_parse_cmp(cmp, &op.cmp, NULL) == PTO_OK) return core_op_make(&op, sizeof op);
    return PyErr_Format(PyExc_ValueError, "cmp: there is no operator %s", cmp);
}

/* xla_block_op(op, keep_nan): returns the bytes of an xla_block_op. `op` is the result of block_op(). */
static PyObject *make_block_op(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    xla_block_op op;
    (void)module;
    memset(&op, 0, sizeof op);
    if (!core_counted("xla_block_op", count, 2) || !core_op_get(args[0], &op.block, sizeof op.block))
        return NULL;
    op.keep_nan = PyObject_IsTrue(args[1]) == 1;
    return core_op_make(&op, sizeof op);
}

PyMethodDef xla_methods[] = {
    CORE_FUNCTION(xla_handlers),
    {"xla_select_op", (PyCFunction)(void (*)(void))make_select_op, METH_FASTCALL, NULL},
    {"xla_block_op", (PyCFunction)(void (*)(void))make_block_op, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL}};
