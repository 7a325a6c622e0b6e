/* SPDX-License-Identifier: MIT */
/* A call of libpto over arrays of any shape. Operands are added and broadcast to one shape. The call is then made for
 * as few rows as the memory layout allows, in as many threads as set_threads() set. */
#ifndef JOB_H
#define JOB_H

#include "tensors.h"
#include "views.h"

enum { MOST_OPERANDS = 6 };

/* An array operand of a call, a source or a result. */
typedef struct operand {
    const char *name;
    PyArrayObject *array; /* owned; NULL if the operand is absent */
    int lane_bits;        /* bits that a lane occupies in memory */
    bool shapes;          /* each element is a lane, so the array takes part in the broadcast of the shape */
    bool may_be_one;      /* libpto's call accepts a single element for all lanes */
    bool one;             /* the array has a single element, which libpto uses for all lanes */
    bool written;
    struct dl_type tensor; /* DLPack type of a result that becomes a torch tensor */
    npy_intp cols;         /* lanes of a row if it is packed and its last byte may be half used, else -1 */
    pto_mask_kind kind;
    npy_intp step[NPY_MAXDIMS]; /* stride in bytes of every dimension except the last */
} operand;

typedef struct job job;

/* Calls libpto for n lanes. Operand i starts at at[i], which is NULL if the operand is absent. */
typedef pto_status job_call(const job *j, char *const *at, size_t n);

struct job {
    const char *name; /* name of the call, for messages */
    job_call *call;
    void (*explain)(const job *j, pto_status status); /* sets the exception; NULL: core_raise() does so */
    pto_dtype type;
    pto_cmp cmp;
    unsigned flags;
    union {
        pto_cvt_op cvt;
        pto_setp_op setp;
        pto_set_op set;
        pto_cast_op cast;
        pto_vcvt_op vcvt;
        pto_dtype ctype;
        pto_float_test test;
        pto_cc cc;
        size_t lanes;          /* vpermute: the lanes of a group */
        _Atomic size_t *total; /* mask_count: the sum over all parts */
    } op;
    npy_intp
        group; /* lanes of a row that one call must process together, a divisor of the row; 0 counts as 1 */
    int operands;
    operand operand[MOST_OPERANDS];
    int nd;       /* dimensions of the shape, at least 1 after job_shape() */
    bool flat;    /* all operands are zero-dimensional; nd is 1 nevertheless */
    bool tensors; /* an operand is a torch tensor; then new results are tensors too */
    npy_intp shape[NPY_MAXDIMS];
};

/* Initialises a job without operands. */
void job_begin(job *j, const char *name, job_call *call);

/* Releases all arrays. */
void job_end(job *j);

/* Adds an operand. It takes over the reference to array, which is NULL for an absent operand. */
operand *job_add(job *j, const char *name, PyArrayObject *array, int lane_bits);

/* Adds a source with elements of a type, from an array, a number or nested sequences. Returns false with an
 * exception. */
bool job_elements(job *j, const char *name, PyObject *object, pto_dtype type, bool may_be_one);

/* Adds the array of a view as a source, without a check of its type. Packs 4-bit elements that are one in a byte. Takes
 * the array over, except on failure: returns false with an exception. */
bool job_view(job *j, const char *name, view *v, bool may_be_one);

/* Adds a mask as a source: an array of bool, packed bits in uint8, or a pto.Image. None means every lane. */
bool job_mask(job *j, const char *name, PyObject *object);

/* Adds random words (uint32) or scales (bytes), of which each lane uses lane_bits bits. None means an absent operand.
 * */
bool job_extra(job *j, const char *name, PyObject *object, pto_dtype type, int lane_bits);

/* Computes the shape of the call by broadcasting the sources. It is called after all sources and before the results are
 * added. Returns false with an exception. */
bool job_shape(job *j);

/* Adds a result: `out`, or a new array if that is None. A new array has dtype descr, or dtype_descr(type) if descr is
 * NULL. Takes over the reference to descr. */
bool job_result(job *j, const char *name, PyObject *out, pto_dtype type, PyArray_Descr *descr);

/* Adds a mask as a result. `kind` is "bool", "packed" or "image"; a predicate image is for elements of `bits` bits. */
bool job_result_mask(job *j, const char *name, PyObject *out, PyObject *kind, size_t bits);

/* Makes the call. Returns false with an exception; then nothing has been written, unless a signal handler raised it. */
bool job_run(job *j);

/* Returns result i as a new reference: `out` if that is not None; otherwise a new NumPy array, or a torch tensor if a
 * source is one. A predicate image is wrapped in a pto.Image. */
PyObject *job_take(job *j, int i, PyObject *out);

/* Returns the type of the operands: `type` if it is not None, otherwise that of the first array among the objects. If
 * none is an array, it is the type that NumPy gives to objects[0]. Returns -2 with an exception. */
int job_type(PyObject *const *objects, const char *const *names, int count, PyObject *type);

/* Parses the name of a comparison operator into *cmp. Returns false with an exception. */
bool job_cmp(PyObject *name, pto_cmp *cmp);

/* The class pto.Image, set by set_image(). */
extern PyObject *job_image;

#endif
