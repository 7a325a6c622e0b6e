/* SPDX-License-Identifier: MIT */
/* XLA handlers for calls that compute lane by lane. Rows are traversed as in walk.c, but XLA's arrays are always
 * contiguous and of the same rank, and each dimension is the call's or 1. */
#include "pool.h"
#include "xla.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_OPERANDS = 5, MOST_DIMS = 64, SHARED = 1 << 17 };

typedef struct lanes_operand {
    const xla_buffer *buffer;
    char *data;
    size_t item_bits, lane_bits;
    bool may_be_one, one;   /* may have, or has, one element for all lanes of a row */
    size_t step[MOST_DIMS]; /* stride in bytes of every dimension except the last */
} lanes_operand;

typedef struct lanes lanes;
typedef pto_status lanes_call(const lanes *l, char *const *at, size_t n);

struct lanes {
    lanes_call *call;
    union {
        pto_cvt_op cvt;
        xla_select_op select;
    } op;
    int operands;
    lanes_operand operand[MOST_OPERANDS]; /* the last one is the result */
    int64_t nd;
    size_t shape[MOST_DIMS], rows;
    size_t parts;
    atomic_int status;
};

/* Adds an operand. Returns false if its element type does not fit lanes of lane_bits bits. */
static bool add(lanes *l, const xla_buffer *buffer, size_t lane_bits, bool may_be_one) {
    lanes_operand *o = &l->operand[l->operands++];
    o->buffer = buffer;
    o->data = buffer->data;
    o->item_bits = (size_t)xla_bits(buffer);
    o->lane_bits = lane_bits;
    o->may_be_one = may_be_one;
    /* An array element may hold several lanes: a byte has two 4-bit lanes, and a random word or scale serves several.
     * */
    return o->item_bits != 0 && (may_be_one ? o->item_bits == lane_bits : o->item_bits % lane_bits == 0);
}

/* ---- layouts ---- */

/* Sets the shape of the call: the dimensions of the result, except the last, which is lanes_of_row. */
static bool take_shape(lanes *l, size_t lanes_of_row) {
    const xla_buffer *result = l->operand[l->operands - 1].buffer;
    l->nd = result->rank;
    if (l->nd < 1 || l->nd > MOST_DIMS) return false;
    for (int64_t d = 0; d + 1 < l->nd; ++d) l->shape[d] = (size_t)result->dims[d];
    l->shape[l->nd - 1] = lanes_of_row;
    return true;
}

/* Sets o->one and o->step. Returns false if the operand's shape cannot be broadcast to the call's. */
static bool lay_out(const lanes *l, lanes_operand *o) {
    const int64_t last = l->nd - 1;
    const size_t cols = l->shape[last], items = (cols * o->lane_bits + o->item_bits - 1) / o->item_bits;
    const bool written = o == &l->operand[l->operands - 1];
    size_t step;
    if (o->buffer->rank != l->nd) return false;
    o->one = o->may_be_one && o->buffer->dims[last] == 1 && (cols != 1 || xla_count(o->buffer, last) == 1);
    if (!o->one && (size_t)o->buffer->dims[last] != items) return false;
    step = (size_t)o->buffer->dims[last] * (o->item_bits / 8);
    for (int64_t d = last - 1; d >= 0; --d) {
        const size_t dim = (size_t)o->buffer->dims[d];
        if (dim != l->shape[d] && (dim != 1 || written)) return false;
        o->step[d] = dim == 1 ? 0 : step;
        step *= dim;
    }
    return true;
}

/* Returns whether dimensions d and d + 1 can be merged: in every operand, the stride of d is the extent of d + 1. If
 * d + 1 is the last dimension, its rows must also be whole array elements. */
static bool meet(const lanes *l, int64_t d) {
    const bool of_rows = d + 2 == l->nd;
    for (int i = 0; i < l->operands; ++i) {
        const lanes_operand *o = &l->operand[i];
        const size_t row_bits = o->one ? 0 : l->shape[d + 1] * o->lane_bits;
        if (of_rows ? row_bits % o->item_bits != 0 || o->step[d] != row_bits / 8
                    : o->step[d] != o->step[d + 1] * l->shape[d + 1])
            return false;
    }
    return true;
}

/* Merges adjacent dimensions wherever the layout allows, as collapse() in walk.c. */
static void collapse(lanes *l) {
    for (int64_t d = l->nd - 2; d >= 0; --d) {
        if (l->shape[d] != 1 && !meet(l, d)) continue;
        l->shape[d + 1] *= l->shape[d];
        for (int i = 0; i < l->operands; ++i) {
            size_t *step = l->operand[i].step;
            memmove(&step[d], &step[d + 1], (size_t)(l->nd - 2 - d) * sizeof *step);
        }
        memmove(&l->shape[d], &l->shape[d + 1], (size_t)(l->nd - 1 - d) * sizeof *l->shape);
        --l->nd;
    }
}

/* ---- the walk ---- */

static void do_rows(lanes *l, size_t first, size_t count, size_t lane, size_t n) {
    for (size_t row = first; row < first + count; ++row) {
        char *at[MOST_OPERANDS];
        size_t rest = row;
        pto_status status;
        for (int i = 0; i < l->operands; ++i) {
            const lanes_operand *o = &l->operand[i];
            at[i] = o->data + (o->one ? 0 : lane * o->lane_bits / 8);
        }
        for (int64_t d = l->nd - 2; d >= 0; --d) {
            for (int i = 0; i < l->operands; ++i) at[i] += rest % l->shape[d] * l->operand[i].step[d];
            rest /= l->shape[d];
        }
        status = l->call(l, at, n);
        if (status != PTO_OK) {
            atomic_store(&l->status, (int)status);
            return;
        }
    }
}

static void do_part(void *context, size_t part) {
    lanes *l = context;
    const size_t cols = l->shape[l->nd - 1];
    size_t begin, count;
    if (l->rows >= 4 * l->parts) {
        const size_t first = l->rows / l->parts * part;
        do_rows(l, first, part + 1 == l->parts ? l->rows - first : l->rows / l->parts, 0, cols);
    } else if (pto_split(cols, l->parts, part, &begin, &count) == PTO_OK && count > 0) {
        do_rows(l, 0, l->rows, begin, count);
    }
}

static size_t bytes_of_lane(const lanes *l) {
    size_t bits = 0;
    for (int i = 0; i < l->operands; ++i) bits += l->operand[i].lane_bits;
    return bits / 8;
}

static xla_error *run(lanes *l, const xla_frame *frame, const char *name, size_t lanes_of_row) {
    bool good = take_shape(l, lanes_of_row);
    for (int i = 0; good && i < l->operands; ++i) good = lay_out(l, &l->operand[i]);
    if (!good) return xla_fail(frame, name, "operands have other shapes than are wanted");
    collapse(l);
    l->rows = 1;
    for (int64_t d = 0; d + 1 < l->nd; ++d) l->rows *= l->shape[d];
    if (l->rows == 0 || l->shape[l->nd - 1] == 0) return NULL;
    l->parts = l->rows * l->shape[l->nd - 1] * bytes_of_lane(l) < SHARED ? 1 : pool_threads();
    pool_run(do_part, l, l->parts);
    return xla_status(frame, name, (pto_status)l->status);
}

/* ---- cvt ---- */

static pto_status call_cvt(const lanes *l, char *const *at, size_t n) {
    return pto_cvt(l->op.cvt, at[0], at[l->operands - 1], l->operands == 3 ? at[1] : NULL, n);
}

/* Returns the bits of a random word or of scales that belong to one lane. */
static size_t extra_bits(pto_cvt_op op) {
    if (op.round == PTO_RS) return op.dst == PTO_F16 || op.dst == PTO_BF16 ? 16 : 8;
    return op.scale == PTO_SCALE_N1 ? 4 : 8;
}

xla_error *xla_cvt(xla_frame *frame) {
    lanes l = {.call = call_cvt};
    xla_error *answer;
    const xla_buffer *x;
    size_t bits, cols;
    int64_t count;
    if (!xla_is_call(frame, 1, 2, 1, &answer)) return answer;
    count = frame->arguments.count;
    if (!xla_op(frame, &l.op.cvt, sizeof l.op.cvt)) return xla_fail(frame, "cvt", "there is no such op");
    x = frame->arguments.at[0];
    bits = pto_dtype_bits(l.op.cvt.src);
    if (!add(&l, x, bits, false) ||
        (count == 2 && !add(&l, frame->arguments.at[1], extra_bits(l.op.cvt), false)) ||
        !add(&l, frame->results.at[0], pto_dtype_bits(l.op.cvt.dst), false))
        return xla_fail(frame, "cvt", "operands have other types than are wanted");
    cols = x->rank < 1 ? 0 : (size_t)x->dims[x->rank - 1] * (l.operand[0].item_bits / bits);
    return run(&l, frame, "cvt", cols);
}

/* ---- selection ---- */

static pto_in in_of(const lanes *l, char *const *at, int i) {
    return l->operand[i].one ? pto_in_scalar(at[i]) : pto_in_array(at[i]);
}

static pto_status call_vcmpsel(const lanes *l, char *const *at, size_t n) {
    const xla_select_op op = l->op.select;
    return pto_vcmpsel(op.type, op.cmp, op.flags, in_of(l, at, 0), in_of(l, at, 1), in_of(l, at, 2),
                       in_of(l, at, 3), at[4], n);
}

static pto_status call_vmax(const lanes *l, char *const *at, size_t n) {
    return pto_vmax(l->op.select.type, l->op.select.flags, in_of(l, at, 0), in_of(l, at, 1), at[2], n);
}

static pto_status call_vmin(const lanes *l, char *const *at, size_t n) {
    return pto_vmin(l->op.select.type, l->op.select.flags, in_of(l, at, 0), in_of(l, at, 1), at[2], n);
}

static xla_error *select_lanes(xla_frame *frame, const char *name, lanes_call *call, int count) {
    lanes l = {.call = call};
    const xla_buffer *result;
    xla_error *answer;
    bool good = true;
    size_t bits;
    if (!xla_is_call(frame, count, count, 1, &answer)) return answer;
    if (!xla_op(frame, &l.op.select, sizeof l.op.select)) return xla_fail(frame, name, "there is no such op");
    bits = pto_dtype_bits(l.op.select.type);
    for (int i = 0; i < count; ++i) good = add(&l, frame->arguments.at[i], bits, true) && good;
    result = frame->results.at[0];
    if (!add(&l, result, bits, false) || !good)
        return xla_fail(frame, name, "operands have other types than are wanted");
    return run(&l, frame, name, result->rank < 1 ? 0 : (size_t)result->dims[result->rank - 1]);
}

xla_error *xla_vcmpsel(xla_frame *frame) {
    return select_lanes(frame, "vcmpsel", call_vcmpsel, 4);
}

xla_error *xla_vmax(xla_frame *frame) {
    return select_lanes(frame, "vmax", call_vmax, 2);
}

xla_error *xla_vmin(xla_frame *frame) {
    return select_lanes(frame, "vmin", call_vmin, 2);
}
