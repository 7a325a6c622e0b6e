/* SPDX-License-Identifier: MIT */
/* Broadcasts the operands of a job, checks their layout and overlap, and calls libpto for each row or part of one. */
#include "job.h"
#include "pool.h"
#include "watch.h"

#include <string.h>

/* Calls on fewer than WITHOUT_GIL bytes keep the GIL, and calls on fewer than SHARED bytes run only in the caller's
 * thread: they finish before another thread would have started. */
enum { WITHOUT_GIL = 4096, SHARED = 1 << 17 };

/*
 * A call checks for signals between two pieces of the work. A piece has 1 to MOST_UNITS units of up to UNIT lanes. It
 * starts with at most FIRST_UNITS units and is doubled while it takes less than FAST_US microseconds. A piece of
 * MOST_UNITS units is so large that libpto's call on it uses streaming stores, which it does from 16 MiB on. When rows
 * are grouped into units, a row counts as at least ROW_COST lanes.
 */
enum { UNIT = 1 << 20, FIRST_UNITS = 4, MOST_UNITS = 16, ROW_COST = 256, FAST_US = 4000 };

/* ---- the shape of the call ---- */

/* Sets a ValueError with the operand's shape and the expected one, and returns false. */
static bool misfit(const job *j, const operand *o) {
    PyObject *have = PyTuple_New(PyArray_NDIM(o->array)), *want = PyTuple_New(j->nd);
    const npy_intp item_bits = 8 * PyArray_ITEMSIZE(o->array);
    if (have != NULL && want != NULL) {
        for (int i = 0; i < PyArray_NDIM(o->array); ++i)
            PyTuple_SetItem(have, i, PyLong_FromSsize_t(PyArray_DIM(o->array, i)));
        for (int i = 0; i < j->nd; ++i) {
            const npy_intp lanes = j->shape[i];
            PyTuple_SetItem(want, i,
                            PyLong_FromSsize_t(
                                i + 1 < j->nd ? lanes : (lanes * o->lane_bits + item_bits - 1) / item_bits));
        }
        PyErr_Format(PyExc_ValueError, "%s: its shape is %R, and not %R", o->name, have, want);
    }
    Py_XDECREF(have);
    Py_XDECREF(want);
    return false;
}

/* The largest number of lanes of a call. Their total size in bits fits npy_intp. Broadcast arrays may exceed it. */
#define MOST_LANES (NPY_MAX_INTP / ((npy_intp)128 * MOST_OPERANDS))

static bool is_too_large(const char *name) {
    PyErr_Format(PyExc_ValueError, "%s: too many elements for one call, which takes at most %zd", name,
                 (Py_ssize_t)MOST_LANES);
    return false;
}

/* Returns whether the shape has at most MOST_LANES lanes, otherwise sets a ValueError. Dimensions of 0 count as 1. */
static bool is_countable(const job *j) {
    npy_intp lanes = 1;
    for (int i = 0; i < j->nd; ++i) {
        if (j->shape[i] > MOST_LANES / lanes) return is_too_large(j->name);
        if (j->shape[i] != 0) lanes *= j->shape[i];
    }
    return true;
}

/* Broadcasts the operand's shape into the call's shape by NumPy's rules. The operand must have one lane in each
 * element, or two if lanes have 4 bits. Returns false with an exception if the shapes do not fit. */
static bool widen(job *j, const operand *o) {
    const int nd = PyArray_NDIM(o->array), rise = nd - j->nd;
    for (int i = 0; i < nd; ++i)
        if (PyArray_DIM(o->array, i) > MOST_LANES / 8) return is_too_large(o->name);
    if (rise > 0) {
        memmove(j->shape + rise, j->shape, (size_t)j->nd * sizeof *j->shape);
        for (int i = 0; i < rise; ++i) j->shape[i] = 1;
        j->nd = nd;
    }
    for (int i = 1; i <= nd; ++i) {
        npy_intp dim = PyArray_DIM(o->array, nd - i), *lanes = &j->shape[j->nd - i];
        if (i == 1 && o->lane_bits < 8) dim = o->cols >= 0 ? o->cols : dim * (8 / o->lane_bits);
        if (*lanes == 1)
            *lanes = dim;
        else if (dim != 1 && dim != *lanes)
            return misfit(j, o);
    }
    return true;
}

bool job_shape(job *j) {
    for (int i = 0; i < j->operands; ++i)
        if (j->operand[i].array != NULL && j->operand[i].shapes && !widen(j, &j->operand[i])) return false;
    if (!is_countable(j)) return false;
    j->flat = j->nd == 0;
    if (j->flat) j->shape[j->nd++] = 1;
    return true;
}

/* ---- the layout of an operand ---- */

/* Returns whether the operand's shape equals the call's, except for dimensions of 1, which are broadcast. Results must
 * have exactly the call's shape. Sets *one_in_row if the last dimension is broadcast. */
static bool fits(const job *j, const operand *o, bool *one_in_row) {
    const int nd = PyArray_NDIM(o->array);
    const npy_intp item_bits = 8 * PyArray_ITEMSIZE(o->array), cols = j->shape[j->nd - 1];
    const npy_intp row = (cols * o->lane_bits + item_bits - 1) / item_bits;
    const npy_intp last = nd == 0 ? 1 : PyArray_DIM(o->array, nd - 1);
    *one_in_row = false;
    if (nd > j->nd || (o->written && nd != (j->flat ? 0 : j->nd))) return false;
    if (last != row) {
        if (o->written || last != 1 || !o->shapes) return false;
        *one_in_row = true;
    }
    for (int i = 2; i <= nd; ++i) {
        const npy_intp dim = PyArray_DIM(o->array, nd - i);
        if (dim != j->shape[j->nd - i] && (o->written || dim != 1)) return false;
    }
    return true;
}

/* Returns whether no two elements of a result array share memory, judged from its strides. The test is conservative: it
 * requires each stride to exceed the extent of all smaller ones. */
static bool apart_from_itself(const operand *o) {
    npy_intp size[NPY_MAXDIMS], step[NPY_MAXDIMS], reach = PyArray_ITEMSIZE(o->array);
    int count = 0;
    for (int i = 0; i < PyArray_NDIM(o->array); ++i) {
        const npy_intp s =
            PyArray_STRIDE(o->array, i) < 0 ? -PyArray_STRIDE(o->array, i) : PyArray_STRIDE(o->array, i);
        int at = count;
        if (PyArray_DIM(o->array, i) <= 1) continue;
        for (; at > 0 && step[at - 1] > s; --at) {
            step[at] = step[at - 1];
            size[at] = size[at - 1];
        }
        step[at] = s;
        size[at] = PyArray_DIM(o->array, i);
        ++count;
    }
    for (int i = 0; i < count; ++i) {
        if (step[i] < reach) return false;
        reach += step[i] * (size[i] - 1);
    }
    return true;
}

/* Replaces the operand's array by a copy with contiguous rows. If one element is broadcast along the rows, the copy has
 * the shape of the call. */
static bool copy(const job *j, operand *o, bool one_in_row) {
    PyArrayObject *copied;
    if (one_in_row) {
        PyArray_Descr *descr = PyArray_DESCR(o->array);
        Py_INCREF(descr);
        copied =
            (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, descr, j->nd, j->shape, NULL, NULL, 0, NULL);
        if (copied != NULL && PyArray_CopyInto(copied, o->array) != 0) Py_CLEAR(copied);
    } else {
        copied = (PyArrayObject *)PyArray_NewCopy(o->array, NPY_CORDER);
    }
    if (copied == NULL) return false;
    view_replace(&o->array, copied);
    return true;
}

/* Checks the shape and strides of an operand. Sources whose rows are not contiguous are copied; for results they are a
 * ValueError. Sets o->one if the call takes the operand as a scalar. Returns false with an exception. */
static bool lay_out(const job *j, operand *o) {
    const int nd = PyArray_NDIM(o->array);
    bool one_in_row;
    if (!fits(j, o, &one_in_row)) return misfit(j, o);
    if (PyArray_SIZE(o->array) == 0) return true; /* strides of an empty array are arbitrary */
    if (o->may_be_one && PyArray_SIZE(o->array) == 1) {
        o->one = true;
        return true;
    }
    if (one_in_row && o->lane_bits < 8) return misfit(j, o);
    if (nd > 0 && (one_in_row || (PyArray_DIM(o->array, nd - 1) > 1 &&
                                  PyArray_STRIDE(o->array, nd - 1) != PyArray_ITEMSIZE(o->array)))) {
        if (o->written) {
            PyErr_Format(PyExc_ValueError, "%s: the elements of a row must lie side by side", o->name);
            return false;
        }
        if (!copy(j, o, one_in_row)) return false;
    } else if (nd == 0 && one_in_row && !copy(j, o, true)) {
        return false;
    }
    if (o->written && !apart_from_itself(o)) {
        PyErr_Format(PyExc_ValueError, "%s: its elements overlap each other", o->name);
        return false;
    }
    return true;
}

/* Sets o->step: the stride of each dimension of the call except the last, 0 where the operand is broadcast. */
static void find_steps(const job *j, operand *o) {
    const int nd = PyArray_NDIM(o->array), rise = j->nd - nd;
    for (int i = 0; i + 1 < j->nd; ++i)
        o->step[i] = o->one || i < rise || PyArray_DIM(o->array, i - rise) == 1
                         ? 0
                         : PyArray_STRIDE(o->array, i - rise);
}

/* ---- overlap ---- */

typedef struct extent {
    npy_uintp begin, end;
} extent;

/* Returns the range of addresses that the operand's array covers; it is empty for an empty array. */
static extent extent_of(const operand *o) {
    extent e;
    e.begin = e.end = (npy_uintp)PyArray_DATA(o->array);
    if (PyArray_SIZE(o->array) == 0) return e;
    for (int i = 0; i < PyArray_NDIM(o->array); ++i) {
        const npy_intp reach = PyArray_STRIDE(o->array, i) * (PyArray_DIM(o->array, i) - 1);
        if (reach < 0)
            e.begin += (npy_uintp)reach;
        else
            e.end += (npy_uintp)reach;
    }
    e.end += (npy_uintp)PyArray_ITEMSIZE(o->array);
    return e;
}

/* Returns whether both operands have the same address, lane size and strides, so each lane overwrites only itself. */
static bool in_place(const job *j, const operand *in, const operand *out) {
    if (PyArray_DATA(in->array) != PyArray_DATA(out->array) || in->lane_bits != out->lane_bits || in->one)
        return false;
    for (int i = 0; i + 1 < j->nd; ++i)
        if (j->shape[i] > 1 && in->step[i] != out->step[i]) return false;
    return true;
}

/* Returns whether the rows of both operands interleave in memory without overlap, such as the left and right halves
 * of a matrix. */
static bool takes_turns(const job *j, const operand *in, const operand *out) {
    const npy_intp cols = j->shape[j->nd - 1];
    const npy_uintp in_row = (npy_uintp)(cols * in->lane_bits + 7) / 8,
                    out_row = (npy_uintp)(cols * out->lane_bits + 7) / 8;
    npy_uintp between, step;
    if (j->nd != 2 || in->step[0] != out->step[0] || in->step[0] <= 0 || in->one) return false;
    step = (npy_uintp)in->step[0];
    between = ((npy_uintp)PyArray_DATA(in->array) - (npy_uintp)PyArray_DATA(out->array)) % step;
    if ((npy_uintp)PyArray_DATA(in->array) < (npy_uintp)PyArray_DATA(out->array))
        between = step - ((npy_uintp)PyArray_DATA(out->array) - (npy_uintp)PyArray_DATA(in->array)) % step;
    return between >= out_row && between + in_row <= step;
}

/* Copies a scalar operand that overlaps a result: it is read for every lane, so it must not be overwritten. */
static bool keep_one(operand *o) {
    PyArrayObject *copied = (PyArrayObject *)PyArray_NewCopy(o->array, NPY_CORDER);
    if (copied == NULL) return false;
    view_replace(&o->array, copied);
    return true;
}

/* Returns whether the call may write `out` while it reads or writes `in`. Otherwise sets a ValueError and returns
 * false. */
static bool apart(const job *j, operand *in, const operand *out) {
    const extent a = extent_of(in), b = extent_of(out);
    if (a.end <= b.begin || b.end <= a.begin || in_place(j, in, out)) return true;
    if (in->one) return keep_one(in);
    if (!in->written && takes_turns(j, in, out)) return true;
    PyErr_Format(PyExc_ValueError, "%s overlaps %s", out->name, in->name);
    return false;
}

/* Checks each result against all other operands; returns false with an exception if two overlap. */
static bool all_apart(job *j) {
    for (int out = 0; out < j->operands; ++out)
        for (int in = 0; in < j->operands && j->operand[out].written; ++in)
            if (in != out && j->operand[in].array != NULL && j->operand[out].array != NULL &&
                (!j->operand[in].written || in < out) && !apart(j, &j->operand[in], &j->operand[out]))
                return false;
    return true;
}

/* ---- as few rows as can be ---- */

/* Returns whether, in every operand, the rows of dimension d are adjacent and whole bytes, so they form one long row.
 * */
static bool rows_meet(const job *j, int d) {
    const npy_intp cols = j->shape[d + 1];
    for (int i = 0; i < j->operands; ++i) {
        const operand *o = &j->operand[i];
        if (o->array == NULL || o->one) continue;
        if (cols * o->lane_bits % (8 * PyArray_ITEMSIZE(o->array)) != 0 ||
            o->step[d] != cols * o->lane_bits / 8)
            return false;
    }
    return true;
}

/* Returns whether dimensions d and d + 1 can be merged: in every operand the stride of d is the extent of d + 1. */
static bool dimensions_meet(const job *j, int d) {
    for (int i = 0; i < j->operands; ++i) {
        const operand *o = &j->operand[i];
        if (o->array != NULL && o->step[d] != o->step[d + 1] * j->shape[d + 1]) return false;
    }
    return true;
}

/* Removes dimension d from the shape and the steps, after collapse() has multiplied its size into dimension d + 1. */
static void drop(job *j, int d) {
    for (int i = 0; i < j->operands; ++i)
        memmove(&j->operand[i].step[d], &j->operand[i].step[d + 1],
                (size_t)(j->nd - 2 - d) * sizeof *j->operand[i].step);
    memmove(&j->shape[d], &j->shape[d + 1], (size_t)(j->nd - 1 - d) * sizeof *j->shape);
    --j->nd;
}

/* Merges adjacent dimensions wherever the layout allows, so that the call is made for as few rows as possible. */
static void collapse(job *j) {
    for (int d = j->nd - 2; d >= 0; --d) {
        const bool meet = d == j->nd - 2 ? rows_meet(j, d) : dimensions_meet(j, d);
        if (j->shape[d] != 1 && !meet) continue;
        j->shape[d + 1] *= j->shape[d];
        drop(j, d);
    }
}

/* ---- the calls ---- */

/* The work of a call, divided into units. A unit is one or more whole rows, or a part of a row if a row has several. */
typedef struct walk {
    const job *j;
    npy_intp rows, cols;
    size_t threads;
    npy_intp unit_rows, unit_cols;
    size_t row_units; /* units of a row */
    size_t units;
    atomic_size_t next;  /* the first unit that no thread has taken */
    atomic_size_t piece; /* the number of units that a thread takes at a time */
    atomic_int status;
    watch watch;
} walk;

/* Sets at[i] to the address of lane `lane` of row `row` of operand i, or NULL if the operand is absent. */
static void row_at(const job *j, npy_intp row, npy_intp lane, char **at) {
    npy_intp place[NPY_MAXDIMS];
    for (int d = j->nd - 2; d >= 0; --d) {
        place[d] = row % j->shape[d];
        row /= j->shape[d];
    }
    for (int i = 0; i < j->operands; ++i) {
        const operand *o = &j->operand[i];
        if (o->array == NULL) {
            at[i] = NULL;
            continue;
        }
        at[i] = PyArray_BYTES(o->array);
        for (int d = 0; d + 1 < j->nd; ++d) at[i] += place[d] * o->step[d];
        if (!o->one) at[i] += lane * o->lane_bits / 8;
    }
}

static void do_rows(walk *w, npy_intp first, npy_intp count, npy_intp lane, size_t lanes) {
    char *at[MOST_OPERANDS];
    for (npy_intp row = first; row < first + count; ++row) {
        pto_status status;
        row_at(w->j, row, lane, at);
        status = w->j->call(w->j, at, lanes);
        if (status != PTO_OK) {
            atomic_store(&w->status, (int)status);
            return;
        }
    }
}

static npy_intp divide_up(npy_intp n, npy_intp by) {
    return n / by + (n % by != 0);
}

/* Parts of a row begin at multiples of this number of lanes: the least common multiple of the call's group and of 64,
 * so that no two parts share a byte. */
static npy_intp part_granule(const job *j) {
    const npy_intp group = j->group > 0 ? j->group : 1, power_of_2 = group & -group;
    return power_of_2 >= 64 ? group : group / power_of_2 * 64;
}

/* Divides the work into units. Many rows are distributed as whole rows. Few rows are cut, so that every thread gets a
 * part of each. */
static void cut(walk *w) {
    const npy_intp threads = w->threads == 0 ? 1 : (npy_intp)w->threads, lanes = part_granule(w->j);
    const npy_intp most_cols = lanes < UNIT ? UNIT / lanes * lanes : lanes;
    const bool many = w->rows / 4 >= threads;
    w->unit_cols = many ? w->cols : divide_up(divide_up(w->cols, threads), lanes) * lanes;
    if (w->unit_cols > most_cols) w->unit_cols = most_cols;
    w->row_units = (size_t)divide_up(w->cols, w->unit_cols);
    w->unit_rows = 1;
    if (w->row_units == 1) {
        const npy_intp most = UNIT / (w->cols < ROW_COST ? ROW_COST : w->cols);
        w->unit_rows = divide_up(w->rows, threads);
        if (w->unit_rows > most) w->unit_rows = most < 1 ? 1 : most;
    }
    w->units = (size_t)divide_up(w->rows, w->unit_rows) * w->row_units;
    w->piece = w->row_units == 1 ? 1 : FIRST_UNITS;
    if (w->piece > w->units / (size_t)threads) w->piece = w->units / (size_t)threads;
    if (w->piece < 1) w->piece = 1;
}

/* Processes `count` units from `first` on. Consecutive units of one row are passed to libpto in one call. */
static void do_units(walk *w, size_t first, size_t count) {
    while (count > 0) {
        const npy_intp row = (npy_intp)(first / w->row_units) * w->unit_rows;
        const size_t in_row = first % w->row_units, left = w->row_units - in_row;
        const size_t some = count < left ? count : left;
        const npy_intp lane = (npy_intp)in_row * w->unit_cols;
        npy_intp rows = w->rows - row, lanes = w->cols - lane;
        if (rows > w->unit_rows) rows = w->unit_rows;
        if (lanes > (npy_intp)some * w->unit_cols) lanes = (npy_intp)some * w->unit_cols;
        do_rows(w, row, rows, lane, (size_t)lanes);
        first += some;
        count -= some;
    }
}

/* The work of one thread: takes pieces until no units are left, and stops early after a signal. Doubles the piece size
 * if a piece took less than FAST_US. */
static void do_pieces(void *context, size_t thread) {
    walk *w = context;
    (void)thread;
    for (;;) {
        const size_t piece = atomic_load(&w->piece), first = atomic_fetch_add(&w->next, piece);
        const long long begun = watch_now();
        if (first >= w->units || (first > 0 && watch_stopped(&w->watch))) return;
        do_units(w, first, piece < w->units - first ? piece : w->units - first);
        if (w->row_units > 1 && piece < MOST_UNITS && watch_now() - begun < FAST_US)
            atomic_store(&w->piece, 2 * piece < MOST_UNITS ? 2 * piece : MOST_UNITS);
    }
}

static npy_intp bytes_of(const job *j, npy_intp lanes) {
    npy_intp bits = 0;
    for (int i = 0; i < j->operands; ++i)
        if (j->operand[i].array != NULL && !j->operand[i].one) bits += j->operand[i].lane_bits;
    return lanes * bits / 8;
}

/* Processes all rows and stores the status of libpto's calls. Returns false with an exception if a signal ended the
 * call early. */
static bool walk_all(const job *j, pto_status *status) {
    walk w = {.j = j, .rows = 1, .cols = j->shape[j->nd - 1], .threads = 1};
    npy_intp bytes;
    bool whole = true;
    *status = PTO_OK;
    for (int d = 0; d + 1 < j->nd; ++d) w.rows *= j->shape[d];
    if (w.rows == 0 || w.cols == 0) return true;
    bytes = bytes_of(j, w.rows * w.cols);
    if (bytes < WITHOUT_GIL) {
        do_rows(&w, 0, w.rows, 0, (size_t)w.cols);
    } else {
        if (bytes >= SHARED) w.threads = pool_threads();
        cut(&w);
        watch_begin(&w.watch);
        pool_run(do_pieces, &w, w.threads);
        whole = watch_end(&w.watch);
    }
    *status = (pto_status)w.status;
    return whole;
}

static void explain(const job *j, pto_status status) {
    if (j->explain != NULL)
        j->explain(j, status);
    else
        core_raise(status, j->name);
}

/* Checks types, operators and modifiers before anything is copied or written, by a call with n == 0 and dummy pointers.
 * Returns false with an exception. */
static bool check(const job *j) {
    static char nothing[MOST_OPERANDS];
    char *at[MOST_OPERANDS];
    pto_status status;
    for (int i = 0; i < MOST_OPERANDS; ++i)
        at[i] = i < j->operands && j->operand[i].array == NULL ? NULL : &nothing[i];
    status = j->call(j, at, 0);
    if (status != PTO_OK) explain(j, status);
    return status == PTO_OK;
}

bool job_run(job *j) {
    pto_status status;
    if (!check(j)) return false;
    for (int i = 0; i < j->operands; ++i)
        if (j->operand[i].array != NULL && !lay_out(j, &j->operand[i])) return false;
    for (int i = 0; i < j->operands; ++i)
        if (j->operand[i].array != NULL) find_steps(j, &j->operand[i]);
    if (!all_apart(j)) return false;
    collapse(j);
    if (!walk_all(j, &status)) return false;
    if (status != PTO_OK) explain(j, status);
    return status == PTO_OK;
}
