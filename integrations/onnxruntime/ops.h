/* SPDX-License-Identifier: MIT */
/* The operators of the domain `pto`: Cvt, Cast, Quantize and Dequantize, without any runtime.
 *
 * An adapter of a runtime reads the attributes of a node. It calls op_set() while the model is loaded, op_shapes() when
 * shapes are known, and op_run() for each inference. README.md describes the inputs, outputs and attributes of each
 * operator. */
#ifndef PTO_INTEGRATIONS_OPS_H
#define PTO_INTEGRATIONS_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pto/pto.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum op_kind { OP_CVT, OP_CAST, OP_QUANTIZE, OP_DEQUANTIZE, OP_KINDS } op_kind;

enum { OP_INPUTS = 3, OP_OUTPUTS = 3, OP_RANK = 16, OP_TEXT = 64, OP_PROBLEM = 400 };

/* The name of an operator, its numbers of inputs and outputs, and how many of them are required. */
typedef struct op_signature {
    const char *name;
    size_t inputs, required_inputs, outputs, required_outputs;
} op_signature;

extern const op_signature op_signatures[OP_KINDS];

/* The attributes of a node. op_text_attributes and op_integer_attributes have the operators of each attribute. */
typedef struct op_attributes {
    char form[OP_TEXT], to[OP_TEXT], from[OP_TEXT], round[OP_TEXT], overflow[OP_TEXT], elem[OP_TEXT],
        rule[OP_TEXT];
    int64_t bytes, block_rows, block_cols, two_level, pow2, cols;
    float eps;
} op_attributes;

/* An attribute: its name, its offset in op_attributes, and the operators that have it, as bits 1 << op_kind. */
typedef struct op_attribute {
    const char *name;
    size_t offset;
    unsigned kinds;
} op_attribute;

enum { OP_TEXTS = 7, OP_INTEGERS = 6 };
extern const op_attribute op_text_attributes[OP_TEXTS], op_integer_attributes[OP_INTEGERS];

/* Whether an operator has the attribute eps, which is the only one of type float. */
static inline bool op_has_eps(op_kind kind) {
    return kind == OP_QUANTIZE;
}

/* The value of integer attributes, and of eps, that a node does not have. */
enum { OP_ABSENT = -1 };

/* Returns the attributes of a node that sets none of them. */
op_attributes op_no_attributes(void);

/* The type of a tensor whose elements libpto does not take. */
#define OP_NO_TYPE ((pto_dtype)-1)

/* A tensor of the runtime. `type` is its element type in memory: PTO_U8 for tensors of bytes that contain codes. A
 * dimension that is not known yet is negative. Results keep the negative numbers of the dimensions of the first input
 * that they share, and other unknown dimensions are -1. */
typedef struct op_tensor {
    pto_dtype type;
    size_t rank;
    int64_t dims[OP_RANK];
    void *data;
    bool present;
} op_tensor;

/* A node with all defaults filled in. */
typedef struct op_setting {
    op_kind kind;
    pto_dtype src, dst; /* Cvt, Cast: the types of the elements */
    pto_cvt_op cvt;
    pto_cast_op cast;
    pto_block_op block;
    int64_t
        cols; /* Dequantize: elements of a row if codes are packed in bytes, 0 if the bytes determine it */
    pto_dtype types[OP_OUTPUTS]; /* the element types of the outputs in memory */
} op_setting;

/* Sets setting->types to the types of the outputs, also if the node is illegal: then they are a guess. A runtime that
 * infers types before it makes kernels needs them to reach the call of op_set() that reports what is wrong. `native`
 * returns whether the runtime has tensors of a type. */
void op_types(op_setting *setting, op_kind kind, const op_attributes *attributes, bool (*native)(pto_dtype));

/* Checks the attributes of a node and the types of its inputs, and fills *setting. Returns false and writes a message
 * to `problem`, which has OP_PROBLEM bytes, if the node is illegal. */
bool op_set(op_setting *setting, op_kind kind, const op_attributes *attributes, const op_tensor in[OP_INPUTS],
            bool (*native)(pto_dtype), char *problem);

/* Sets the types and dimensions of all outputs. Returns false and writes a message if the shapes do not fit. */
bool op_shapes(const op_setting *setting, const op_tensor in[OP_INPUTS], op_tensor out[OP_OUTPUTS],
               char *problem);

/* Runs part(job, k) for all k below parts, possibly on several threads. */
typedef void (*op_parallel)(void *pool, void (*part)(void *job, size_t k), void *job, size_t parts);

/* Computes the outputs, whose shapes are those of op_shapes(). Returns false and writes a message on an error. */
bool op_run(const op_setting *setting, const op_tensor in[OP_INPUTS], const op_tensor out[OP_OUTPUTS],
            op_parallel parallel, void *pool, char *problem);

#ifdef __cplusplus
}
#endif
#endif
