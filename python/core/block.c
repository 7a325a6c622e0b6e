/* SPDX-License-Identifier: MIT */
/* Functions of pto._core for block scaling of stacks of matrices. python/pto/_block.py calls them for arrays of any
 * shape. */
#include "block.h"

#include "job.h"
#include "pool.h"
#include "watch.h"

#include <math.h>
#include <string.h>

/* ---- ops ---- */

/* Converts op.tensor (a second-level value or eps) to f32. The object may be anything that has __float__; an int of any
 * size is rounded once. Returns false with an exception. */
static bool level_of(PyObject *object, float *level) {
    view v = {0};
    double value;
    if (PyLong_Check(object)) {
        if (!view_numbers(object, "tensor, eps", PTO_F32, NULL, &v)) return false;
        memcpy(level, PyArray_DATA(v.array), sizeof *level);
        Py_DECREF(v.array);
        return true;
    }
    value = PyFloat_AsDouble(object);
    if (!PyErr_Occurred()) {
        *level = (float)value;
        return true;
    }
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError, "tensor, eps: a number is wanted, not %R", object) != NULL;
}

static bool is_legal(pto_block_op op) {
    return pto_block_check(op) == PTO_OK;
}

/* Raises a TypeError that names the types that op may have in place of an illegal one. `wide` names the argument with
 * the type of the tensor. */
static void refuse_type(pto_block_op op, const char *wide) {
    const pto_block_op plain = {.wide = op.wide, .elem = PTO_E4M3, .round = PTO_RN};
    const bool wide_fits = is_legal(plain);
    char legal[64] = "";
    for (int t = 0; pto_dtype_bits((pto_dtype)t) != 0; ++t) {
        pto_block_op other = wide_fits ? op : plain;
        *(wide_fits ? &other.elem : &other.wide) = (pto_dtype)t;
        if (pto_block_check(other) != PTO_ERR_TYPE)
            core_list(legal, sizeof legal, pto_dtype_name((pto_dtype)t));
    }
    PyErr_Format(PyExc_TypeError, "%s: %s does not take %s; legal: %s", wide_fits ? "elem" : wide,
                 pto_block_rule_name(op.rule), pto_dtype_name(wide_fits ? op.elem : op.wide), legal);
}

/* Returns whether the op is legal for f32, some element type, and blocks that every rule takes. */
static bool is_legal_of_any(pto_block_op op) {
    static const pto_dtype elems[] = {PTO_E4M3, PTO_E2M1, PTO_S2F6, PTO_BFP8};
    bool fits = false;
    op.wide = PTO_F32;
    op.block_rows = 1;
    op.block_cols = 16;
    for (size_t i = 0; i < sizeof elems / sizeof elems[0]; ++i) {
        op.elem = elems[i];
        if (op.elem == PTO_BFP8) {
            op.block_rows = 1;
            op.block_cols = 16;
        }
        fits |= is_legal(op);
    }
    return fits;
}

/* If the rule does not take this modifier, raises a ValueError that names it and the rules that do, and returns true.
 * `modified` has this modifier and no other. */
static bool refuse_modifier(pto_block_op modified, const char *name) {
    const pto_block_rule rule = modified.rule;
    char legal[512] = "";
    if (modified.round == PTO_ROUND_NONE) modified.round = PTO_RN;
    for (int r = 0; r < PTO_BLOCK_RULE_LIMIT; ++r) {
        modified.rule = (pto_block_rule)r;
        if (!is_legal_of_any(modified)) continue;
        if (modified.rule == rule) return false;
        core_list(legal, sizeof legal, pto_block_rule_name(modified.rule));
    }
    PyErr_Format(PyExc_ValueError, "%s: %s does not take it; legal for: %s", name, pto_block_rule_name(rule),
                 legal);
    return true;
}

/* If the op is legal with blocks of 1 x 16, raises a ValueError about that and returns true. */
static bool refuse_block(pto_block_op op) {
    const size_t rows = op.block_rows, cols = op.block_cols;
    op.block_rows = 1;
    op.block_cols = 16;
    if (op.rule == PTO_BFP_TT && is_legal(op))
        PyErr_Format(PyExc_ValueError, "block: %s takes blocks of 1 x 16, not of %zu x %zu",
                     pto_block_rule_name(op.rule), rows, cols);
    return PyErr_Occurred() != NULL;
}

/* If the op is legal with a second level, or with blocks of one row, raises a ValueError about that and
 * returns true. */
static bool refuse_choice(pto_block_op op) {
    const char *const name = pto_block_rule_name(op.rule);
    const size_t rows = op.block_rows;
    bool takes_16;
    op.block_rows = 16;
    takes_16 = is_legal(op);
    op.block_rows = 1;
    if (is_legal(op)) {
        PyErr_Format(PyExc_ValueError, "block: %s takes blocks of 1 row%s, not of %zu", name,
                     takes_16 ? ", or of 16" : "", rows);
        return true;
    }
    if (op.two_level) return false;
    op.two_level = true;
    if (is_legal(op)) PyErr_Format(PyExc_ValueError, "two_level: %s needs it", name);
    return is_legal(op);
}

/* Raises the exception for an op that pto_block_check() refuses. */
static void refuse(pto_block_op op, pto_status status, const char *wide) {
    if (status == PTO_ERR_TYPE)
        refuse_type(op, wide);
    else if (!(op.tensor >= 0) && !op.two_level)
        PyErr_SetString(PyExc_ValueError, "eps: a number of at least 0 is wanted");
    else if (refuse_block(op) || refuse_choice(op))
        return;
    else if (!refuse_modifier((pto_block_op){.rule = op.rule, .round = op.round}, "rbits") &&
             !refuse_modifier((pto_block_op){.rule = op.rule, .pow2 = op.pow2}, "pow2") &&
             !refuse_modifier((pto_block_op){.rule = op.rule, .two_level = op.two_level}, "two_level") &&
             !refuse_modifier((pto_block_op){.rule = op.rule, .two_level = op.two_level, .tensor = op.tensor},
                              "eps"))
        PyErr_Format(PyExc_ValueError, "block: %s takes an even number of columns, 1, or 0 for all, not %zu",
                     pto_dtype_name(op.elem), op.block_cols);
}

/* block_op(wide, elem, rule, random, pow2, two_level, tensor, block_rows, block_cols, name): returns the bytes of a
 * pto_block_op that pto_block_check() accepts. `name` is the argument that has the type `wide`. */
static PyObject *block_op(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_block_op op;
    pto_status status;
    npy_intp rows, cols;
    const char *name;
    int wide, elem;
    (void)module;
    if (!core_counted("block_op", count, 10) || (name = core_text(args[9], "name")) == NULL) return NULL;
    wide = dtype_named(args[0], name);
    elem = wide < 0 ? -2 : dtype_named(args[1], "elem");
    if (wide < 0 || elem < 0) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "elem: a type is wanted");
        return NULL;
    }
    memset(&op, 0, sizeof op);
    op.wide = (pto_dtype)wide;
    op.elem = (pto_dtype)elem;
    op.rule = (pto_block_rule)PyLong_AsLong(args[2]);
    op.round = PyObject_IsTrue(args[3]) == 1 ? PTO_RS : PTO_RN;
    op.pow2 = PyObject_IsTrue(args[4]) == 1;
    op.two_level = PyObject_IsTrue(args[5]) == 1;
    if (PyErr_Occurred() || !level_of(args[6], &op.tensor)) return NULL;
    if (!core_number(args[7], "block", &rows) || !core_number(args[8], "block", &cols)) return NULL;
    if (rows < 0 || cols < 0)
        return PyErr_Format(PyExc_ValueError, "block: %zd rows and %zd columns are less than none", rows,
                            cols);
    op.block_rows = (size_t)rows;
    op.block_cols = (size_t)cols;
    status = pto_block_check(op);
    if (status == PTO_OK) return core_op_make(&op, sizeof op);
    refuse(op, status, name);
    return NULL;
}

/* block_scale(op): returns the name of the type of the block scales. */
static PyObject *block_scale(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_block_op op;
    (void)module;
    if (!core_counted("block_scale", count, 1) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    return PyUnicode_FromString(pto_dtype_name(pto_block_scale_type(op.rule)));
}

/* block_sizes(op, rows, cols): returns (row_bytes, scale_rows, scale_cols). */
static PyObject *block_sizes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_block_op op;
    pto_block_size size;
    size_t rows, cols;
    pto_status status;
    (void)module;
    if (!core_counted("block_sizes", count, 3) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    rows = PyLong_AsSize_t(args[1]);
    cols = PyLong_AsSize_t(args[2]);
    if (PyErr_Occurred()) return NULL;
    status = pto_block_sizes(op, rows, cols, &size);
    if (status != PTO_OK) {
        core_raise(status, "block_sizes");
        return NULL;
    }
    return Py_BuildValue("nnn", (Py_ssize_t)size.row_bytes, (Py_ssize_t)size.scale_rows,
                         (Py_ssize_t)size.scale_cols);
}

/* block_tensor(rule, amax): returns the second-level value that pto_block_tensor() computes. */
static PyObject *block_tensor(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    float amax, tensor;
    pto_status status;
    long rule;
    (void)module;
    if (!core_counted("block_tensor", count, 2)) return NULL;
    rule = PyLong_AsLong(args[0]);
    amax = (float)PyFloat_AsDouble(args[1]);
    if (PyErr_Occurred()) return NULL;
    status = pto_block_tensor((pto_block_rule)rule, amax, &tensor);
    if (status == PTO_OK) return PyFloat_FromDouble((double)tensor);
    core_raise(status, pto_block_rule_name((pto_block_rule)rule));
    return NULL;
}

/* Returns x rounded to the type `wide` and converted back to f32. */
static float rounded(pto_dtype wide, float x) {
    const pto_cvt_op there = {.dst = wide, .src = PTO_F32, .round = PTO_RN},
                     back = {.dst = PTO_F32, .src = wide};
    uint16_t narrow;
    if (wide == PTO_F32 || pto_cvt(there, &x, &narrow, NULL, 1) != PTO_OK) return x;
    return pto_cvt(back, &narrow, &x, NULL, 1) == PTO_OK ? x : NAN;
}

/* Returns the second-level value as compressed-tensors computes it. It computes 2688 / amax in the type of the
 * weight, as a reciprocal followed by a product. */
static float number_of_ct(pto_dtype wide, float amax) {
    const float least = wide == PTO_F16 ? 0x1p-14F : 0x1p-126F, a = amax < least ? least : amax;
    const float g = rounded(wide, 2688 * rounded(wide, 1 / a));
    return isfinite(g) ? g : 1;
}

/* Returns whether the second-level value of the rule is the largest magnitude, which may be 0. ModelOpt
 * divides by it. */
static bool takes_zero(pto_block_rule rule) {
    float number = 0;
    return rule != PTO_NV_46_MODELOPT && pto_block_tensor(rule, 3, &number) == PTO_OK && number == 3;
}

pto_status block_number_of(pto_block_rule rule, pto_dtype wide, float amax, float *number) {
    const pto_status status = pto_block_tensor(rule, amax, number);
    if (status != PTO_OK) return status;
    if (rule == PTO_NV_CT)
        *number = number_of_ct(wide, amax);
    else if (isfinite(amax) && !takes_zero(rule) && (*number == 0 || isinf(*number)))
        *number = 1;
    return PTO_OK;
}

/* block_number(rule, wide, amax): returns the second-level value that block_number_of() computes. */
static PyObject *block_number(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    float number;
    double amax;
    pto_status status;
    long rule;
    int wide;
    (void)module;
    if (!core_counted("block_number", count, 3)) return NULL;
    rule = PyLong_AsLong(args[0]);
    wide = dtype_named(args[1], "x");
    amax = PyFloat_AsDouble(args[2]);
    if (PyErr_Occurred()) return NULL;
    status = block_number_of((pto_block_rule)rule, (pto_dtype)wide, (float)amax, &number);
    if (status == PTO_OK) return PyFloat_FromDouble((double)number);
    core_raise(status, pto_block_rule_name((pto_block_rule)rule));
    return NULL;
}

/* ---- matrices ---- */

/* A two-dimensional array, or a stack of them: an array of three dimensions. */
typedef struct matrix {
    view v;
    char *data;
    size_t count, rows;
    size_t cols;    /* elements of the array, of which each may hold two */
    size_t stride;  /* bytes from a row to the next */
    npy_intp apart; /* bytes from a matrix of the stack to the next; it may be negative or 0 in a source */
} matrix;

/* Returns whether libpto can read or write the array where it is: the elements of each row are contiguous, the rows
 * do not overlap and come in ascending order, and so do the matrices of a stack that is written. */
static bool is_laid_out(const matrix *m, bool written) {
    PyArrayObject *array = m->v.array;
    const int nd = PyArray_NDIM(array);
    const npy_intp item = PyArray_ITEMSIZE(array), row = (npy_intp)m->cols * item;
    const npy_intp step = PyArray_STRIDE(array, nd - 2);
    if (m->cols > 1 && PyArray_STRIDE(array, nd - 1) != item) return false;
    if (m->rows > 1 && step < row) return false;
    return !written || m->count <= 1 ||
           PyArray_STRIDE(array, 0) >= (npy_intp)(m->rows - 1) * (m->rows > 1 ? step : 0) + row;
}

/* Sets the data and strides of *m from its array. The strides of an empty array, and of a dimension with one element,
 * are arbitrary in NumPy. */
static void set_strides(matrix *m) {
    PyArrayObject *array = m->v.array;
    const bool empty = PyArray_SIZE(array) == 0;
    m->data = PyArray_BYTES(array);
    m->stride = m->rows > 1 && !empty ? (size_t)PyArray_STRIDE(array, PyArray_NDIM(array) - 2)
                                      : m->cols * (size_t)PyArray_ITEMSIZE(array);
    m->apart = m->count > 1 && !empty ? PyArray_STRIDE(array, 0) : 0;
}

/* Fills *m from an array of two dimensions, or of three if `stacks` is true. The elements of a row must be contiguous:
 * a source is copied otherwise, and an array that is written is refused. Returns false with an exception. */
static bool matrix_of(PyObject *object, const char *name, bool stacks, bool written, matrix *m) {
    const int found = view_array(object, name, &m->v);
    int nd;
    if (found == 0) PyErr_Format(PyExc_TypeError, "%s: an array is wanted", name);
    if (found != 1) return false;
    if (m->v.type == PTO_E2M1 && !m->v.packed && !written && !view_pack(&m->v)) goto failed;
    nd = PyArray_NDIM(m->v.array);
    if (nd != 2 && !(stacks && nd == 3)) {
        PyErr_Format(PyExc_ValueError, "%s: it has %d dimensions, not 2", name, nd);
        goto failed;
    }
    if (written && PyArray_Check(object) && (PyObject *)m->v.array != object) {
        PyErr_Format(PyExc_ValueError, "%s: its bytes are in the other order", name);
        goto failed;
    }
    if (written && !PyArray_ISWRITEABLE(m->v.array)) {
        PyErr_Format(PyExc_ValueError, "%s: it is read-only", name);
        goto failed;
    }
    m->count = nd == 3 ? (size_t)PyArray_DIM(m->v.array, 0) : 1;
    m->rows = (size_t)PyArray_DIM(m->v.array, nd - 2);
    m->cols = (size_t)PyArray_DIM(m->v.array, nd - 1);
    if (PyArray_SIZE(m->v.array) > 0 && !is_laid_out(m, written)) {
        PyArrayObject *copied;
        if (written) {
            PyErr_Format(PyExc_ValueError, "%s: the elements of a row must lie side by side", name);
            goto failed;
        }
        copied = (PyArrayObject *)PyArray_NewCopy(m->v.array, NPY_CORDER);
        if (copied == NULL) goto failed;
        view_replace(&m->v.array, copied);
    }
    set_strides(m);
    return true;
failed:
    Py_CLEAR(m->v.array);
    return false;
}

static bool shaped(const matrix *m, const char *name, size_t rows, size_t cols) {
    if (m->rows == rows && m->cols == cols) return true;
    PyErr_Format(PyExc_ValueError, "%s: its shape is (%zu, %zu), and not (%zu, %zu)", name, m->rows, m->cols,
                 rows, cols);
    return false;
}

/* Returns whether the elements have this type; otherwise sets a TypeError. A source of e2m1 is packed here; a result
 * that has one element in a byte is refused. */
static bool typed(const matrix *m, const char *name, pto_dtype type) {
    if (m->v.type == PTO_E2M1 && type == PTO_E2M1 && !m->v.packed)
        return PyErr_Format(PyExc_TypeError, "%s: e2m1 is written two in a byte, to uint8", name) != NULL;
    if (view_is(&m->v, type)) return true;
    view_complain(&m->v, name, type);
    return false;
}

/* QUANTIZE_LONG quantizes matrices that are one block each and so large that signals must be handled within a block. */
enum direction { QUANTIZE, REQUANTIZE, DEQUANTIZE, QUANTIZE_LONG };

typedef struct blocks {
    pto_block_op op;
    enum direction direction;
    matrix wide, codes, scales; /* `data` is that of the current matrix of the stack */
    matrix rbits;               /* rbits.v.array is NULL without random bits */
    size_t cols;                /* columns of the tensor */
    bool by_cols;               /* the work is divided by columns, otherwise by rows */
    size_t piece;               /* rows or columns of a piece */
    atomic_size_t next;         /* the first row or column that no thread has taken */
    atomic_int status;
    watch watch;
} blocks;

/* Calls libpto for a part of the tensor. `row` and `col` must start a block. */
static pto_status do_blocks(const blocks *b, size_t row, size_t rows, size_t col, size_t cols) {
    const size_t down = b->op.block_rows == 0 ? 0 : row / b->op.block_rows;
    const size_t along = b->op.block_cols == 0 ? 0 : col / b->op.block_cols;
    char *wide = b->wide.data + row * b->wide.stride + col * pto_dtype_bits(b->op.wide) / 8;
    char *codes = b->codes.data + row * b->codes.stride + col * pto_dtype_bits(b->op.elem) / 8;
    char *scales =
        b->scales.data + down * b->scales.stride + along * (size_t)PyArray_ITEMSIZE(b->scales.v.array);
    const uint32_t *rbits =
        b->rbits.v.array == NULL ? NULL : (const void *)(b->rbits.data + row * b->rbits.stride + col);
    switch (b->direction) {
    case QUANTIZE:
        return pto_block_quantize(b->op, wide, b->wide.stride, rows, cols, codes, b->codes.stride, scales,
                                  b->scales.stride, rbits);
    case REQUANTIZE:
        return pto_block_requantize(b->op, wide, b->wide.stride, rows, cols, codes, b->codes.stride, scales,
                                    b->scales.stride, rbits);
    default:
        return pto_block_dequantize(b->op, codes, b->codes.stride, scales, b->scales.stride, rows, cols, wide,
                                    b->wide.stride);
    }
}

/* A call checks for signals between two pieces of this many elements. Pieces of a dequantization are larger, because
 * libpto's call uses streaming stores from 16 MiB of results on. */
enum { PIECE = 1 << 20, PIECE_OF_RESULTS = 1 << 22 };

/* Returns the number of units in a piece: an equal share for each thread, but at most PIECE elements, or
 * PIECE_OF_RESULTS when dequantizing. `elements` is the number of elements of a unit. */
static size_t units_of_piece(const blocks *b, size_t units, size_t elements, size_t threads) {
    const size_t most =
        (b->direction == DEQUANTIZE ? PIECE_OF_RESULTS : PIECE) / (elements == 0 ? 1 : elements);
    const size_t share = units / threads + (units % threads != 0);
    return share > most ? most < 1 ? 1 : most : share < 1 ? 1 : share;
}

/*
 * Divides the work into pieces. The work is normally divided between rows of blocks. With a single row of blocks:
 * - If the scales are given, it is divided between any rows.
 * - Otherwise it is divided between columns of blocks. With random bits, this needs a tensor of one row, because the
 *   random words of a piece must be contiguous.
 */
static void cut(blocks *b, size_t threads) {
    const size_t rows = b->wide.rows;
    const bool one = b->op.block_rows == 0 || b->op.block_rows >= rows;
    const bool one_col = b->op.block_cols == 0 || b->op.block_cols >= b->cols;
    const bool given = b->direction != QUANTIZE;
    size_t unit = one ? rows : b->op.block_rows;
    b->by_cols =
        one && (rows <= 1 || !given) && (b->rbits.v.array == NULL || rows <= 1) && (given || !one_col);
    if (b->by_cols) {
        unit = one_col ? 64 : 64 * b->op.block_cols; /* 64, so that no byte or random word is split */
        b->piece = unit * units_of_piece(b, b->cols / unit + 1, unit * rows, threads);
        return;
    }
    if (unit == 0 || (one && given)) unit = 1;
    b->piece = unit * units_of_piece(b, rows / unit + (rows % unit != 0), unit * b->cols, threads);
}

/* The work of one thread: takes pieces until none are left, and stops early after a signal. */
static void do_pieces(void *context, size_t thread) {
    blocks *b = context;
    const size_t end = b->by_cols ? b->cols : b->wide.rows;
    (void)thread;
    for (size_t first; (first = atomic_fetch_add(&b->next, b->piece)) < end;) {
        const size_t count = end - first < b->piece ? end - first : b->piece;
        pto_status status;
        if (first > 0 && watch_stopped(&b->watch)) return;
        status =
            b->by_cols ? do_blocks(b, 0, b->wide.rows, first, count) : do_blocks(b, first, count, 0, b->cols);
        if (status != PTO_OK) atomic_store(&b->status, (int)status);
    }
}

/* Returns whether a stack has as many matrices as another; otherwise sets a ValueError. */
static bool as_many(const matrix *m, const char *name, const matrix *other, const char *other_name) {
    if (m->count == other->count) return true;
    PyErr_Format(PyExc_ValueError, "%s: it has %zu matrices, and %s has %zu", name, m->count, other_name,
                 other->count);
    return false;
}

/* Fills the stacks of *b from the arguments of run_blocks(), and checks their types and shapes. */
static bool block_operands(blocks *b, PyObject *const *args) {
    const bool back = b->direction == DEQUANTIZE, random = args[4] != Py_None;
    const bool fresh = b->direction == QUANTIZE || b->direction == QUANTIZE_LONG;
    const pto_dtype elem = b->op.elem;
    pto_block_size size;
    pto_dtype scale;
    if (!matrix_of(args[1], back ? "out" : "x", true, back, &b->wide) ||
        !matrix_of(args[2], "codes", true, !back, &b->codes) ||
        !matrix_of(args[3], "scales", true, fresh, &b->scales) ||
        (random && !matrix_of(args[4], "rbits", true, false, &b->rbits)))
        return false;
    if (back ? !as_many(&b->scales, "scales", &b->codes, "codes") ||
                   !as_many(&b->wide, "out", &b->codes, "codes")
             : !as_many(&b->codes, "codes", &b->wide, "x") || !as_many(&b->scales, "scales", &b->wide, "x") ||
                   (random && !as_many(&b->rbits, "rbits", &b->wide, "x")))
        return false;
    b->cols = b->wide.cols;
    if (pto_block_sizes(b->op, b->wide.rows, b->cols, &size) != PTO_OK) {
        PyErr_SetString(PyExc_ValueError, "x: it is larger than memory");
        return false;
    }
    scale = pto_block_scale_type(b->op.rule);
    return typed(&b->wide, back ? "out" : "x", b->op.wide) && typed(&b->codes, "codes", elem) &&
           typed(&b->scales, "scales", scale) && shaped(&b->codes, "codes", b->wide.rows, size.row_bytes) &&
           shaped(&b->scales, "scales", size.scale_rows, size.scale_cols) &&
           (!random || (typed(&b->rbits, "rbits", PTO_U32) &&
                        shaped(&b->rbits, "rbits", b->wide.rows, b->cols / 4 + (b->cols % 4 != 0))));
}

/* Checks that the rows of the random words are adjacent in memory, as libpto reads them; otherwise sets a ValueError.
 * */
static bool rbits_in_order(blocks *b) {
    if (b->rbits.v.array == NULL || b->rbits.stride == 4 * b->rbits.cols) return true;
    PyErr_SetString(PyExc_ValueError, "rbits: its rows must lie end to end");
    return false;
}

/* Sets *first and *end to the addresses between which a stack lies. They are equal for an absent or empty stack. */
static void extent_of(const matrix *m, uintptr_t *first, uintptr_t *end) {
    *first = *end = 0;
    if (m->v.array == NULL || PyArray_SIZE(m->v.array) == 0) return;
    *first = (uintptr_t)m->data;
    *end = *first + (m->rows - 1) * m->stride + m->cols * (size_t)PyArray_ITEMSIZE(m->v.array);
    if (m->apart < 0)
        *first -= (m->count - 1) * (0 - (uintptr_t)m->apart);
    else
        *end += (m->count - 1) * (uintptr_t)m->apart;
}

/* Returns whether no result overlaps another array; otherwise sets a ValueError. libpto checks each part of a call only
 * against itself, and after earlier parts were written, so the whole stacks are checked here. */
static bool blocks_apart(const blocks *b) {
    const matrix *const all[] = {&b->wide, &b->codes, &b->scales, &b->rbits};
    const bool back = b->direction == DEQUANTIZE;
    const bool written[] = {back, !back, !back && b->direction != REQUANTIZE, false};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k) {
            uintptr_t first, end, other_first, other_end;
            if (i == k || !written[i]) continue;
            extent_of(all[i], &first, &end);
            extent_of(all[k], &other_first, &other_end);
            if (first < other_end && other_first < end) {
                PyErr_SetString(PyExc_ValueError, "out overlaps another array of the call");
                return false;
            }
        }
    return true;
}

/* Finds the largest magnitude of a stack, some rows at a time. Magnitudes are compared as integers: the bits of
 * non-negative floats are ordered by value, and the NaN is larger than all of them. */
static pto_status find_amax(const matrix *m, bool keep_nan, watch *w, float *amax) {
    const size_t most = PIECE / (m->cols == 0 ? 1 : m->cols), each = most < 1 ? 1 : most;
    uint32_t bits = 0;
    const char *data = m->data;
    for (size_t i = 0; i < m->count; ++i, data += m->apart)
        for (size_t row = 0; row < m->rows && !watch_stopped(w); row += each) {
            const size_t rows = m->rows - row < each ? m->rows - row : each;
            float of_rows;
            uint32_t its_bits;
            const pto_status status = pto_block_amax((pto_dtype)m->v.type, data + row * m->stride, m->stride,
                                                     rows, m->cols, keep_nan, &of_rows);
            if (status != PTO_OK) return status;
            memcpy(&its_bits, &of_rows, sizeof its_bits);
            if (its_bits > bits) bits = its_bits;
        }
    memcpy(amax, &bits, sizeof bits);
    return PTO_OK;
}

/* Computes the scale of a matrix that is one block, from its largest magnitude. */
static pto_status scale_long_block(blocks *b) {
    const pto_block_rule rule = b->op.rule;
    const bool skips_nan = rule == PTO_MX_RCEIL_SAT || rule == PTO_NV_TE || rule == PTO_NV_RCP ||
                           rule == PTO_FP8_DIV || rule == PTO_MX_GGUF || rule == PTO_NV_GGUF ||
                           rule == PTO_MX_ONEDNN || rule == PTO_NV_ONEDNN;
    const pto_cvt_op narrow = {.dst = b->op.wide, .src = PTO_F32, .round = PTO_RN};
    pto_block_op op = b->op;
    matrix one = b->wide;
    float amax, single;
    uint8_t code;
    pto_status status;
    one.count = 1;
    op.round = PTO_RN;
    status = find_amax(&one, !skips_nan, &b->watch, &amax);
    single = amax;
    if (status == PTO_OK && op.wide != PTO_F32) status = pto_cvt(narrow, &amax, &single, NULL, 1);
    if (status != PTO_OK) return status;
    return pto_block_quantize(op, &single, sizeof single, 1, 1, &code, 1, b->scales.data, b->scales.stride,
                              NULL);
}

/* Does the work of all matrices of the stacks, which run_blocks() has checked. */
static void do_matrices(blocks *b) {
    const bool is_long = b->direction == QUANTIZE_LONG;
    const size_t threads = pool_threads();
    if (is_long) b->direction = REQUANTIZE;
    for (size_t i = 0; i < b->wide.count && b->status == PTO_OK; ++i) {
        if (i > 0 && watch_stopped(&b->watch)) return;
        if (is_long) b->status = (int)scale_long_block(b);
        if (b->status != PTO_OK || atomic_load(&b->watch.stopped)) return;
        cut(b, threads);
        atomic_store(&b->next, 0);
        pool_run(do_pieces, b, threads);
        b->wide.data += b->wide.apart;
        b->codes.data += b->codes.apart;
        b->scales.data += b->scales.apart;
        if (b->rbits.v.array != NULL) b->rbits.data += b->rbits.apart;
    }
}

/* run_blocks(op, wide, codes, scales, rbits, direction): writes the results to the given stacks and returns None. All
 * arrays are checked before anything is written. `direction` is a value of enum direction; rbits may be None. */
static PyObject *run_blocks(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    blocks b = {0};
    bool good;
    (void)module;
    if (!core_counted("run_blocks", count, 6) || !core_op_get(args[0], &b.op, sizeof b.op)) return NULL;
    b.direction = (enum direction)PyLong_AsLong(args[5]);
    good = !PyErr_Occurred() && block_operands(&b, args) && rbits_in_order(&b) && blocks_apart(&b);
    if (good) {
        watch_begin(&b.watch);
        do_matrices(&b);
        good = watch_end(&b.watch) && b.status == PTO_OK;
        if (b.status != PTO_OK && !PyErr_Occurred())
            core_raise((pto_status)b.status, pto_block_rule_name(b.op.rule));
    }
    Py_XDECREF(b.wide.v.array);
    Py_XDECREF(b.codes.v.array);
    Py_XDECREF(b.scales.v.array);
    Py_XDECREF(b.rbits.v.array);
    if (!good) return NULL;
    return Py_NewRef(Py_None);
}

/* block_amax(x, keep_nan): returns the largest magnitude of a stack. If keep_nan is true and x has a NaN, the result is
 * a NaN; otherwise NaNs are ignored. */
static PyObject *block_amax(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    matrix m;
    watch w;
    pto_status status;
    bool keep_nan, whole;
    float amax = 0;
    (void)module;
    if (!core_counted("block_amax", count, 2) || !matrix_of(args[0], "x", true, false, &m)) return NULL;
    keep_nan = PyObject_IsTrue(args[1]) == 1;
    watch_begin(&w);
    status = m.v.type < 0 ? PTO_ERR_TYPE : find_amax(&m, keep_nan, &w, &amax);
    whole = watch_end(&w);
    if (whole && status != PTO_OK) core_raise(status, "x");
    Py_DECREF(m.v.array);
    return !whole || status != PTO_OK ? NULL : PyFloat_FromDouble((double)amax);
}

/* ---- layouts of scales ---- */

static bool bytes_only(const matrix *m, const char *name) {
    if (PyArray_ITEMSIZE(m->v.array) == 1) return true;
    PyErr_Format(PyExc_TypeError, "%s: elements of one byte are wanted", name);
    return false;
}

/* lay_out_scales(layout, rowwise, tiled, back): copies scales from `rowwise` to `tiled`, or from `tiled` to `rowwise`
 * if `back` is true. `tiled` is a matrix of one row. */
static PyObject *lay_out_scales(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    matrix rowwise = {0}, tiled = {0};
    pto_scale_layout layout;
    bool back, good;
    (void)module;
    if (!core_counted("lay_out_scales", count, 4)) return NULL;
    layout = (pto_scale_layout)PyLong_AsLong(args[0]);
    back = PyObject_IsTrue(args[3]) == 1;
    good = !PyErr_Occurred() && matrix_of(args[1], "scales", false, back, &rowwise) &&
           matrix_of(args[2], "tiled", false, !back, &tiled) && bytes_only(&rowwise, "scales") &&
           bytes_only(&tiled, "tiled") &&
           shaped(&tiled, "tiled", 1, pto_scales_bytes(layout, rowwise.rows, rowwise.cols));
    if (good) {
        const pto_status status = back ? pto_scales_unswizzle(layout, tiled.data, rowwise.rows, rowwise.cols,
                                                              rowwise.data, rowwise.stride)
                                       : pto_scales_swizzle(layout, rowwise.data, rowwise.stride,
                                                            rowwise.rows, rowwise.cols, tiled.data);
        good = status == PTO_OK;
        if (!good) core_raise(status, "scales");
    }
    Py_XDECREF(rowwise.v.array);
    Py_XDECREF(tiled.v.array);
    if (!good) return NULL;
    return Py_NewRef(Py_None);
}

/* scales_bytes(layout, rows, cols): returns the size in bytes of scales in this layout. */
static PyObject *scales_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    size_t rows, cols;
    long layout;
    (void)module;
    if (!core_counted("scales_bytes", count, 3)) return NULL;
    layout = PyLong_AsLong(args[0]);
    rows = PyLong_AsSize_t(args[1]);
    cols = PyLong_AsSize_t(args[2]);
    return PyErr_Occurred() ? NULL
                            : PyLong_FromSize_t(pto_scales_bytes((pto_scale_layout)layout, rows, cols));
}

/* ---- layouts that store codes and scales together ---- */

/* pack_blocks(layout, codes, scales, packed, cols, unpack): copies codes and scales to `packed`, or from it if `unpack`
 * is true. `packed` is a matrix of one row; `cols` is the number of elements of a row. */
static PyObject *pack_blocks(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    matrix codes = {0}, scales = {0}, packed = {0};
    pto_pack_layout layout;
    size_t cols;
    bool unpack, good;
    (void)module;
    if (!core_counted("pack_blocks", count, 6)) return NULL;
    layout = (pto_pack_layout)PyLong_AsLong(args[0]);
    cols = PyLong_AsSize_t(args[4]);
    unpack = PyObject_IsTrue(args[5]) == 1;
    good = !PyErr_Occurred() && matrix_of(args[1], "codes", false, unpack, &codes) &&
           matrix_of(args[2], "scales", false, unpack, &scales) &&
           matrix_of(args[3], "packed", false, !unpack, &packed) && bytes_only(&codes, "codes") &&
           bytes_only(&scales, "scales") && bytes_only(&packed, "packed") &&
           shaped(&codes, "codes", scales.rows, layout == PTO_PACK_TT_TILE ? cols : cols / 2) &&
           shaped(&packed, "packed", 1, pto_block_pack_bytes(layout, codes.rows, cols));
    if (good) {
        const pto_status status = unpack ? pto_block_unpack(layout, packed.data, codes.rows, cols, codes.data,
                                                            codes.stride, scales.data, scales.stride)
                                         : pto_block_pack(layout, codes.data, codes.stride, scales.data,
                                                          scales.stride, codes.rows, cols, packed.data);
        good = status == PTO_OK;
        if (!good) core_raise(status, "codes");
    }
    Py_XDECREF(codes.v.array);
    Py_XDECREF(scales.v.array);
    Py_XDECREF(packed.v.array);
    if (!good) return NULL;
    return Py_NewRef(Py_None);
}

/* pack_bytes(layout, rows, cols): returns the size in bytes of a tensor in this layout. */
static PyObject *pack_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    size_t rows, cols;
    long layout;
    (void)module;
    if (!core_counted("pack_bytes", count, 3)) return NULL;
    layout = PyLong_AsLong(args[0]);
    rows = PyLong_AsSize_t(args[1]);
    cols = PyLong_AsSize_t(args[2]);
    return PyErr_Occurred() ? NULL
                            : PyLong_FromSize_t(pto_block_pack_bytes((pto_pack_layout)layout, rows, cols));
}

PyMethodDef block_methods[] = {
    CORE_FUNCTION(block_op),     CORE_FUNCTION(block_scale),    CORE_FUNCTION(block_sizes),
    CORE_FUNCTION(block_tensor), CORE_FUNCTION(block_number),   CORE_FUNCTION(run_blocks),
    CORE_FUNCTION(block_amax),   CORE_FUNCTION(lay_out_scales), CORE_FUNCTION(scales_bytes),
    CORE_FUNCTION(pack_blocks),  CORE_FUNCTION(pack_bytes),     {NULL, NULL, 0, NULL}};
