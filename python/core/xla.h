/* SPDX-License-Identifier: MIT */
/* Handlers that programs compiled by XLA, such as those of jax.jit, call through XLA's foreign function interface. The
 * needed part of that interface is declared here under other names, so neither building nor importing needs jaxlib.
 * python/tests/test_jax.py compares the declarations with jaxlib's header. A struct is refused if the size in its first
 * member is smaller than the part that is read. XLA calls handlers from any thread, without the GIL. */
#ifndef XLA_H
#define XLA_H

#include <pto/pto.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the interface, major version 0 ---- */

/* The newest minor version whose structs are known to begin with the members that are declared here. */
enum { XLA_MINOR = 3 };

enum {
    XLA_INVALID_ARGUMENT = 3, /* error code */
    XLA_INTERNAL = 13,
    XLA_METADATA = 1, /* extension type */
    XLA_EXECUTE = 3,  /* execution stage */
    XLA_ARRAY = 1,    /* attribute kind */
    XLA_U8 = 6,       /* element type */
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

/* The arguments or the results of a call. */
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

/* ---- helpers of the handlers ---- */

/* Returns whether the frame is a call that the handler must execute, with least to most arguments and `results`
 * results. Otherwise the handler must return *answer: NULL for queries and other stages, or an error. */
bool xla_is_call(const xla_frame *frame, int64_t least, int64_t most, int64_t results, xla_error **answer);

/* Copies the attribute "op" to op. Returns false if there is none with `size` bytes. */
bool xla_op(const xla_frame *frame, void *op, size_t size);

/* Returns the bits that an element occupies in memory, or 0 for types that are not supported. */
int xla_bits(const xla_buffer *buffer);

/* Returns the product of the first `dims` dimensions. */
size_t xla_count(const xla_buffer *buffer, int64_t dims);

/* Return an error for the call `name`. Its message is `what`, or the text of the status. xla_status() returns NULL if
 * the status is PTO_OK. */
xla_error *xla_fail(const xla_frame *frame, const char *name, const char *what);
xla_error *xla_status(const xla_frame *frame, const char *name, pto_status status);

/* ---- handlers ---- */

/* Arguments: x, and random bits or scales if needed. Results: the converted elements. op: a pto_cvt_op. */
xla_handler xla_cvt;

/* Arguments: the operands, all of the result's rank; each dimension is the result's or 1. Results: the selected
 * elements. op: an xla_select_op. */
xla_handler xla_vcmpsel, xla_vmax, xla_vmin;

typedef struct xla_select_op {
    pto_dtype type;
    pto_cmp cmp;
    unsigned flags;
} xla_select_op;

/* Handlers on stacks of matrices. An array of second-level values has the leading dimensions of the stack. op: an
 * xla_block_op. xla_quantize. Arguments: x, second-level values if op.two_level, random bits if op.round is PTO_RS.
 * Results: codes, scales. xla_find_quantize. It computes the second-level values. Arguments: x, random bits if
 * op.round is PTO_RS. Results: codes, scales, second-level values. xla_dequantize. Arguments: codes, scales,
 * second-level values if op.two_level. Results: the elements. */
xla_handler xla_quantize, xla_find_quantize, xla_dequantize;

typedef struct xla_block_op {
    pto_block_op block;
    bool keep_nan; /* only for xla_find_quantize: a NaN in a tensor makes its amax NaN */
} xla_block_op;

#endif
