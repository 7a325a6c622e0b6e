/* SPDX-License-Identifier: MIT */
/* XLA handlers for block scaling of stacks of contiguous matrices, in as many threads as set_threads() set. */
#include "block.h"
#include "pool.h"
#include "xla.h"

#include <stdatomic.h>

/* An operand: all its matrices, one after the other. */
typedef struct stack {
    char *data;
    size_t stride; /* bytes of a row */
    size_t rows, cols;
} stack;

typedef struct blocks {
    xla_block_op op;
    bool back;
    stack wide, codes, scales, rbits; /* rbits.data is NULL without random bits */
    size_t matrices;
    float *tensors; /* second-level values, or NULL */
    size_t tensor_count;
    size_t parts;
    atomic_int status;
} blocks;

/* ---- operands ---- */

/* Fills *s from a buffer. Returns false if its element size is not `bits`, its rank is below 3, or it has another
 * number of matrices than b. */
static bool take(blocks *b, stack *s, const xla_buffer *buffer, size_t bits) {
    const int64_t nd = buffer->rank;
    if (nd < 3 || xla_bits(buffer) != (int)bits) return false;
    s->data = buffer->data;
    s->rows = (size_t)buffer->dims[nd - 2];
    s->cols = (size_t)buffer->dims[nd - 1];
    s->stride = s->cols * (bits / 8);
    return xla_count(buffer, nd - 2) == b->matrices;
}

/* Stores the buffer of second-level values. Each value is for the same number of consecutive matrices. */
static bool take_tensors(blocks *b, const xla_buffer *buffer) {
    b->tensors = buffer->data;
    b->tensor_count = xla_count(buffer, buffer->rank);
    return xla_bits(buffer) == 32 &&
           (b->tensor_count == 0 ? b->matrices == 0 : b->matrices % b->tensor_count == 0);
}

static size_t scale_bits(const blocks *b) {
    return pto_dtype_bits(pto_block_scale_type(b->op.block.rule));
}

static bool fits(const blocks *b) {
    pto_block_size size;
    const stack *x = &b->wide;
    if (pto_block_sizes(b->op.block, x->rows, x->cols, &size) != PTO_OK) return false;
    if (b->codes.rows != x->rows || b->codes.cols != size.row_bytes) return false;
    if (b->scales.rows != size.scale_rows || b->scales.cols != size.scale_cols) return false;
    return b->rbits.data == NULL || (b->rbits.rows == x->rows && b->rbits.cols == (x->cols + 3) / 4);
}

/* Fills in the operands that quantization and dequantization share. */
static bool take_all(blocks *b, const xla_buffer *wide, const xla_buffer *codes, const xla_buffer *scales) {
    if (wide->rank < 3) return false;
    b->matrices = xla_count(wide, wide->rank - 2);
    return take(b, &b->wide, wide, pto_dtype_bits(b->op.block.wide)) && take(b, &b->codes, codes, 8) &&
           take(b, &b->scales, scales, scale_bits(b));
}

/* ---- work ---- */

static size_t block_rows(const blocks *b) {
    return b->op.block.block_rows == 0 ? b->wide.rows : b->op.block.block_rows;
}

/* Calls libpto for `rows` rows of a matrix, from row `first` on, which must start a block. */
static pto_status do_matrix(const blocks *b, size_t matrix, size_t first, size_t rows) {
    const size_t row = matrix * b->wide.rows + first;
    const size_t scale_row = matrix * b->scales.rows + first / block_rows(b);
    char *wide = b->wide.data + row * b->wide.stride, *codes = b->codes.data + row * b->codes.stride;
    char *scales = b->scales.data + scale_row * b->scales.stride;
    const uint32_t *rbits =
        b->rbits.data == NULL ? NULL : (const void *)(b->rbits.data + row * b->rbits.stride);
    pto_block_op op = b->op.block;
    if (b->tensors != NULL) op.tensor = b->tensors[matrix / (b->matrices / b->tensor_count)];
    if (b->back)
        return pto_block_dequantize(op, codes, b->codes.stride, scales, b->scales.stride, rows, b->wide.cols,
                                    wide, b->wide.stride);
    return pto_block_quantize(op, wide, b->wide.stride, rows, b->wide.cols, codes, b->codes.stride, scales,
                              b->scales.stride, rbits);
}

/* The work of one thread. A part is a range of rows of blocks, which are counted through all matrices. */
static void do_share(void *context, size_t part) {
    blocks *b = context;
    const size_t block = block_rows(b), bands = (b->wide.rows + block - 1) / block, all = bands * b->matrices;
    const size_t last = all * (part + 1) / b->parts;
    for (size_t band = all * part / b->parts; band < last;) {
        const size_t matrix = band / bands, begin = band % bands;
        const size_t end = last - matrix * bands < bands ? last - matrix * bands : bands;
        const size_t stop = end * block < b->wide.rows ? end * block : b->wide.rows;
        const pto_status status = do_matrix(b, matrix, begin * block, stop - begin * block);
        if (status != PTO_OK) atomic_store(&b->status, (int)status);
        band = matrix * bands + end;
    }
}

static xla_error *run(blocks *b, const xla_frame *frame, const char *name) {
    if (!fits(b)) return xla_fail(frame, name, "operands have other shapes than are wanted");
    if (b->matrices == 0 || b->wide.rows == 0) return NULL;
    b->parts = pool_threads();
    pool_run(do_share, b, b->parts);
    return xla_status(frame, name, (pto_status)b->status);
}

/* Computes the second-level value of each tensor from its largest magnitude. */
static pto_status find_tensors(const blocks *b) {
    const size_t each = b->tensor_count == 0 ? 0 : b->matrices / b->tensor_count;
    for (size_t i = 0; i < b->tensor_count; ++i) {
        /* The matrices of a tensor are adjacent in memory, so they are read as one matrix. */
        const char *x = b->wide.data + i * each * b->wide.rows * b->wide.stride;
        pto_status status;
        float amax = 0;
        status = pto_block_amax(b->op.block.wide, x, b->wide.stride, each * b->wide.rows, b->wide.cols,
                                b->op.keep_nan, &amax);
        if (status == PTO_OK)
            status = block_number_of(b->op.block.rule, b->op.block.wide, amax, &b->tensors[i]);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

/* ---- handlers ---- */

static xla_error *quantize(xla_frame *frame, const char *name, bool find) {
    blocks b = {.back = false};
    const xla_buffers *in = &frame->arguments, *out = &frame->results;
    xla_error *answer;
    bool random, given, good;
    if (!xla_is_call(frame, 1, 3, find ? 3 : 2, &answer)) return answer;
    if (!xla_op(frame, &b.op, sizeof b.op)) return xla_fail(frame, name, "there is no such op");
    random = b.op.block.round == PTO_RS;
    given = b.op.block.two_level && !find;
    good = in->count == 1 + given + random && take_all(&b, in->at[0], out->at[0], out->at[1]);
    if (good && (given || find)) good = take_tensors(&b, find ? out->at[2] : in->at[1]);
    if (good && random) good = take(&b, &b.rbits, in->at[1 + given], 32);
    if (!good) return xla_fail(frame, name, "operands have other types or shapes than are wanted");
    if (find) {
        const pto_status status = find_tensors(&b);
        if (status != PTO_OK) return xla_status(frame, name, status);
    }
    return run(&b, frame, name);
}

xla_error *xla_quantize(xla_frame *frame) {
    return quantize(frame, "quantize", false);
}

xla_error *xla_find_quantize(xla_frame *frame) {
    return quantize(frame, "quantize", true);
}

xla_error *xla_dequantize(xla_frame *frame) {
    blocks b = {.back = true};
    const xla_buffers *in = &frame->arguments;
    xla_error *answer;
    bool good;
    if (!xla_is_call(frame, 2, 3, 1, &answer)) return answer;
    if (!xla_op(frame, &b.op, sizeof b.op)) return xla_fail(frame, "dequantize", "there is no such op");
    good = in->count == 2 + b.op.block.two_level && take_all(&b, frame->results.at[0], in->at[0], in->at[1]);
    if (good && b.op.block.two_level) good = take_tensors(&b, in->at[2]);
    if (!good) return xla_fail(frame, "dequantize", "operands have other types or shapes than are wanted");
    return run(&b, frame, "dequantize");
}
