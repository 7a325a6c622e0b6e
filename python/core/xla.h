/* SPDX-License-Identifier: MIT */
/* Calls from programs that XLA has compiled, such as those of jax.jit, by XLA's foreign function interface. Only what is
 * needed of that interface is declared here, with names of our own, so that nothing of jaxlib is wanted to build or to
 * import this; python/tests/test_jax.py compares it with the header that jaxlib brings. Structs tell their sizes, and one
 * that is smaller than what is read of it is refused. XLA calls from any thread, and without Python's lock. */
#ifndef XLA_H
#define XLA_H

#include <pto/pto.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the interface, major version 0 ---- */

/* The newest minor version whose structs begin with what is declared here. */
enum { XLA_MINOR = 3 };

enum {
    XLA_INVALID_ARGUMENT = 3, /* a code of errors */
    XLA_INTERNAL = 13,
    XLA_METADATA = 1, /* a kind of extensions */
    XLA_EXECUTE = 3,  /* a stage */
    XLA_ARRAY = 1,    /* a kind of attributes */
    XLA_U8 = 6,       /* a type of elements */
};

typedef struct xla_error xla_error;

typedef struct xla_extension {
    size_t size;
    int type;
    struct xla_extension *next;
} xla_extension;

typedef struct xla_version {
    size_t size;
    xla_extension *extension;
    int major, minor;
} xla_version;

typedef struct xla_error_args {
    size_t size;
    xla_extension *extension;
    const char *message;
    int code;
} xla_error_args;

typedef struct xla_api {
    size_t size;
    xla_extension *extension;
    xla_version version;
    const void *internal;
    xla_error *(*make_error)(xla_error_args *args);
} xla_api;

typedef struct xla_metadata {
    size_t size;
    xla_version version;
    uint32_t traits;
} xla_metadata;

typedef struct xla_metadata_extension {
    xla_extension base;
    xla_metadata *metadata;
} xla_metadata_extension;

typedef struct xla_buffer {
    size_t size;
    xla_extension *extension;
    int type;
    void *data;
    int64_t rank;
    int64_t *dims;
} xla_buffer;

/* Arguments, and results too. */
typedef struct xla_buffers {
    size_t size;
    xla_extension *extension;
    int64_t count;
    int *kinds;
    xla_buffer **at;
} xla_buffers;

typedef struct xla_span {
    const char *text;
    size_t length;
} xla_span;

typedef struct xla_array {
    int type;
    size_t count;
    const void *data;
} xla_array;

typedef struct xla_attributes {
    size_t size;
    xla_extension *extension;
    int64_t count;
    int *kinds;
    xla_span **names;
    void **at;
} xla_attributes;

typedef struct xla_frame {
    size_t size;
    xla_extension *extension;
    const xla_api *api;
    void *context;
    int stage;
    xla_buffers arguments, results;
    xla_attributes attributes;
} xla_frame;

typedef xla_error *xla_handler(xla_frame *frame);

/* ---- what handlers share ---- */

/* Whether the frame is a call to be carried out, with so many arguments, from least to most, and results. If not, *answer
 * is what the handler returns: to questions about the handler, and for errors. */
bool xla_is_call(const xla_frame *frame, int64_t least, int64_t most, int64_t results, xla_error **answer);

/* The bytes of the attribute "op", if there are so many. */
bool xla_op(const xla_frame *frame, void *op, size_t size);

/* Bits of an element in memory, 0 for types that are not taken. */
int xla_bits(const xla_buffer *buffer);

/* How many elements there are in the dimensions before this one. */
size_t xla_count(const xla_buffer *buffer, int64_t dims);

xla_error *xla_fail(const xla_frame *frame, const char *name, const char *what);
xla_error *xla_status(const xla_frame *frame, const char *name, pto_status status);

/* ---- handlers ---- */

/* x, and random bits or scales if there are; the result. op: a pto_cvt_op. */
xla_handler xla_cvt;

/* Operands of one rank, whose dimensions are the result's or 1; the result. op: an xla_select_op. */
xla_handler xla_vcmpsel, xla_vmax, xla_vmin;

typedef struct xla_select_op {
    pto_dtype type;
    pto_cmp cmp;
    unsigned flags;
} xla_select_op;

/* Stacks of matrices. With numbers of tensors, the first dimensions of the stack are theirs.
 * xla_quantize: x, the numbers if op.two_level, random bits if op.round is PTO_RS; codes and scales.
 * xla_find_quantize: the same without numbers, which it finds; codes, scales, the numbers.
 * xla_dequantize: codes, scales, the numbers if op.two_level; elements. op: an xla_block_op. */
xla_handler xla_quantize, xla_find_quantize, xla_dequantize;

typedef struct xla_block_op {
    pto_block_op block;
    bool keep_nan; /* where numbers are found */
} xla_block_op;

#endif
