/* SPDX-License-Identifier: MIT */
/* A call of libpto over arrays of any shape: operands are collected, brought to one shape, and the call is made for as
 * few rows as their layout allows, in as many threads as the user has asked for. */
#ifndef JOB_H
#define JOB_H

#include "tensors.h"
#include "views.h"

enum { MOST_OPERANDS = 6 };

/* One of the arrays of a call. */
typedef struct operand {
    const char *name;
    PyArrayObject *array; /* owned; NULL where there is none */
    int lane_bits;        /* of the array in memory */
    bool shapes;          /* an element is a lane: the array has a say in the shape of the call */
    bool may_be_one;      /* the call takes one element for all lanes */
    bool one;             /* and so it is */
    bool written;
    struct dl_type tensor; /* of a result that becomes a tensor of torch */
    npy_intp cols;         /* lanes of a row where two lie in a byte and the last may be alone; -1 */
    pto_mask_kind kind;
    npy_intp step[NPY_MAXDIMS]; /* of every dimension but the last, in bytes */
} operand;

typedef struct job job;

/* Makes the call for n lanes, operand i of which begin at at[i]; NULL where there is none. */
typedef pto_status job_call(const job *j, char *const *at, size_t n);

struct job {
    const char *name; /* of the call */
    job_call *call;
    void (*explain)(const job *j, pto_status status); /* raises, or NULL for the status' own words */
    pto_dtype type;
    pto_cmp cmp;
    unsigned flags;
    union {
        pto_cvt_op cvt;
        pto_setp_op setp;
        pto_set_op set;
        pto_vcvt_op vcvt;
        pto_dtype ctype;
        pto_cc cc;
        _Atomic size_t *total; /* of all shares */
    } op;
    int operands;
    operand operand[MOST_OPERANDS];
    int nd; /* of the shape of lanes; one dimension at least, flat says that there was none */
    bool flat;
    bool tensors; /* an operand is a tensor of torch: so are new results */
    npy_intp shape[NPY_MAXDIMS];
};

void job_begin(job *j, const char *name, job_call *call);

/* Lets go of all arrays. */
void job_end(job *j);

/* Adds an array that is there already, whose reference is taken over, or NULL for an operand that is not there. */
operand *job_add(job *j, const char *name, PyArrayObject *array, int lane_bits);

/* Adds elements of a type: of an array, numbers or sequences. */
bool job_elements(job *j, const char *name, PyObject *object, pto_dtype type, bool may_be_one);

/* Adds elements that libpto has no type for, or any: bits of the width of type. */
bool job_view(job *j, const char *name, view *v, bool may_be_one);

/* Adds a mask: bool, packed bits (uint8), an Image; None is every lane. */
bool job_mask(job *j, const char *name, PyObject *object);

/* Adds uint32 words of random bits or bytes of scales, of so many bits for a lane. */
bool job_extra(job *j, const char *name, PyObject *object, pto_dtype type, int lane_bits);

/* What lanes the call has, from the operands that were added: before the results are. */
bool job_shape(job *j);

/* Adds a result: out, or a new array of this type if that is None. descr, whose reference is taken over, may be NULL. */
bool job_result(job *j, const char *name, PyObject *out, pto_dtype type, PyArray_Descr *descr);

/* Adds a mask as a result: kind is "bool", "packed" or "image", of elements of so many bits. */
bool job_result_mask(job *j, const char *name, PyObject *out, PyObject *kind, size_t bits);

/* Makes the call. False with an exception; then nothing has been written, unless a signal handler has raised it. */
bool job_run(job *j);

/* A result as a new reference: out itself if it was given, else a new array of NumPy's, or a tensor if an operand is one.
 * A mask as an image becomes an Image of that. */
PyObject *job_take(job *j, int i, PyObject *out);

/* Which type operands have: that of argument type if it is not None, else of the first array among them; or of the
 * first number, as NumPy has it. -2 with an exception. */
int job_type(PyObject *const *objects, const char *const *names, int count, PyObject *type);

/* An operator by its name; false with an exception. */
bool job_cmp(PyObject *name, pto_cmp *cmp);

/* The class of masks as images, for job_mask and job_take. */
extern PyObject *job_image;

#endif
