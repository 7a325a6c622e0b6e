/* SPDX-License-Identifier: MIT */
/* Functions of pto._core that select elements: by a mask, by a comparison, or by which is larger. */
#include "job.h"

#include <string.h>

static pto_mask mask_of(const job *j, char *const *at, int i) {
    return pto_mask_at(at[i], j->operand[i].kind);
}

static pto_in in_of(const job *j, char *const *at, int i) {
    return j->operand[i].one ? pto_in_scalar(at[i]) : pto_in_array(at[i]);
}

/* Returns the status of the call for this type and these flags. */
static pto_status status_of(const job *j, pto_dtype type, unsigned flags) {
    char *nothing[MOST_OPERANDS] = {NULL};
    job other = *j;
    other.type = type;
    other.flags = flags;
    return j->call(&other, nothing, 0);
}

/* If the type does not take a flag, raises an exception that names the flag and the types that do, and returns true. */
static bool explain_flag(const job *j) {
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{PTO_FTZ, "ftz"}, {PTO_PROPAGATE_NAN, "propagate_nan"}, {PTO_XORSIGN_ABS, "xorsign_abs"}};
    char legal[256] = "";
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
        const unsigned flag = j->flags & flags[i].flag;
        if (flag == 0 || status_of(j, j->type, flag) != PTO_ERR_MODIFIER) continue;
        for (int t = 0; pto_dtype_bits((pto_dtype)t) != 0; ++t)
            if (status_of(j, (pto_dtype)t, flag) == PTO_OK)
                core_list(legal, sizeof legal, pto_dtype_name((pto_dtype)t));
        PyErr_Format(PyExc_ValueError, "%s: %s of %s does not take it; legal for: %s", flags[i].name, j->name,
                     pto_dtype_name(j->type), legal);
        return true;
    }
    return false;
}

static void explain_type(const job *j, pto_status status) {
    char words[64];
    if (status == PTO_ERR_MODIFIER && explain_flag(j)) return;
    PyOS_snprintf(words, sizeof words, "%s of %s", j->name, pto_dtype_name(j->type));
    core_raise(status, words);
}

/* ---- elements that are only moved ---- */

/* Returns the untyped pto_dtype of the width of a dtype's elements, or -2 with an exception. */
static int bits_of(PyArray_Descr *descr, const char *name) {
    switch (PyDataType_ELSIZE(descr)) {
    case 1: return PTO_B8;
    case 2: return PTO_B16;
    case 4: return PTO_B32;
    case 8: return PTO_B64;
    default:
        PyErr_Format(PyExc_TypeError, "%s: elements of 1, 2, 4 or 8 bytes are wanted, not of dtype %S", name,
                     (PyObject *)descr);
        return -2;
    }
}

/* Returns the dtype of the first array of two objects as a new reference. If neither is an array, it is the dtype
 * that NumPy gives to the first. Sets *tensor to the DLPack type of a result that becomes a torch tensor, which may
 * be a type that NumPy lacks. Returns NULL with an exception. */
static PyArray_Descr *dtype_of_first(PyObject *const *objects, const char *const *names,
                                     struct dl_type *tensor) {
    PyArrayObject *plain;
    PyArray_Descr *descr;
    view v;
    for (int i = 0; i < 2; ++i) {
        const int is_array = view_array(objects[i], names[i], &v);
        if (is_array < 0) return NULL;
        if (is_array == 0) continue;
        descr = PyArray_DESCR(v.array);
        *tensor = v.tensor && v.packed ? (struct dl_type){DL_E2M1FN, 4, 2} : tensor_type(v.type, descr);
        Py_INCREF(descr);
        Py_DECREF(v.array);
        return descr;
    }
    plain = view_plain(objects[0], names[0]);
    if (plain == NULL) return NULL;
    descr = PyArray_DESCR(plain);
    *tensor = tensor_type(dtype_type(descr), descr);
    Py_INCREF(descr);
    Py_DECREF(plain);
    return descr;
}

/* Adds a source that must have this dtype, because elements are moved without conversion. Numbers are converted to
 * it. */
static bool add_same(job *j, const char *name, PyObject *object, PyArray_Descr *descr) {
    const int type = dtype_type(descr);
    view v;
    operand *o;
    switch (type < NO_TYPE ? -1 : view_array(object, name, &v)) {
    case -1: return false;
    case 0:
        if (!view_numbers(object, name, type == NO_TYPE ? j->type : (pto_dtype)type, descr, &v)) return false;
        break;
    default:
        if (!PyArray_EquivTypes(PyArray_DESCR(v.array), descr)) {
            PyErr_Format(PyExc_TypeError, "%s: elements of dtype %S are wanted, not of %S", name,
                         (PyObject *)descr, (PyObject *)PyArray_DESCR(v.array));
            Py_DECREF(v.array);
            return false;
        }
    }
    j->tensors = j->tensors || v.tensor;
    o = job_add(j, name, v.array, 8 * (int)PyArray_ITEMSIZE(v.array));
    o->shapes = true;
    o->may_be_one = true;
    return true;
}

static pto_status call_vsel(const job *j, char *const *at, size_t n) {
    if (!j->operand[0].one && !j->operand[1].one)
        return pto_vsel(j->type, at[0], at[1], mask_of(j, at, 2), at[3], n);
    return pto_vsels(j->type, in_of(j, at, 0), in_of(j, at, 1), mask_of(j, at, 2), at[3], n);
}

/* Checks the type with pto_selp(), then selects with pto_vsels(), which has the same result and also takes scalars. */
static pto_status call_selp(const job *j, char *const *at, size_t n) {
    const pto_status status = pto_selp(j->type, at[0], at[1], mask_of(j, at, 2), at[3], 0);
    return status != PTO_OK
               ? status
               : pto_vsels(j->type, in_of(j, at, 0), in_of(j, at, 1), mask_of(j, at, 2), at[3], n);
}

/* Runs vsel or selp: args are a, b, mask, out. `known` is true for selp: the dtype of the elements must be a type of
 * libpto. vsel takes elements of every dtype as untyped bits. */
static PyObject *choose(job *j, PyObject *const *args, bool known) {
    const char *const names[] = {j->operand[0].name, j->operand[1].name};
    struct dl_type tensor;
    PyArray_Descr *descr = dtype_of_first(args, names, &tensor);
    PyObject *result = NULL;
    int type;
    if (descr == NULL) return NULL;
    type = known ? dtype_type(descr) : bits_of(descr, names[0]);
    if (type == NO_TYPE)
        PyErr_Format(PyExc_TypeError, "%s: libpto has no type for the dtype %S", names[0], (PyObject *)descr);
    if (type >= 0) {
        j->type = (pto_dtype)type;
        Py_INCREF(descr); /* for job_result */
        if (!add_same(j, names[0], args[0], descr) || !add_same(j, names[1], args[1], descr) ||
            !job_mask(j, j->operand[2].name, args[2]) || !job_shape(j)) {
            Py_DECREF(descr);
        } else if (job_result(j, "out", args[3], j->type, descr) && job_run(j)) {
            j->operand[3].tensor = tensor;
            result = job_take(j, 3, args[3]);
        }
    }
    Py_DECREF(descr);
    job_end(j);
    return result;
}

static bool mask_wanted(const PyObject *mask, const char *name) {
    if (mask != Py_None) return true;
    PyErr_Format(PyExc_TypeError, "%s: a mask is wanted", name);
    return false;
}

static void name_operands(job *j, const char *a, const char *b, const char *mask) {
    j->operand[0].name = a;
    j->operand[1].name = b;
    j->operand[2].name = mask;
}

/* vsel(a, b, m, out): returns the selected elements. */
static PyObject *vsel(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    job j;
    (void)module;
    if (!core_counted("vsel", count, 4) || !mask_wanted(args[2], "m")) return NULL;
    job_begin(&j, "vsel", call_vsel);
    name_operands(&j, "a", "b", "m");
    return choose(&j, args, false);
}

/* selp(a, b, p, out): returns the selected elements. */
static PyObject *selp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    job j;
    (void)module;
    if (!core_counted("selp", count, 4) || !mask_wanted(args[2], "p")) return NULL;
    job_begin(&j, "selp", call_selp);
    j.explain = explain_type;
    name_operands(&j, "a", "b", "p");
    return choose(&j, args, true);
}

static pto_status call_vpermute(const job *j, char *const *at, size_t n) {
    return pto_vpermute(j->type, j->op.lanes, at[0], at[1], at[2], n);
}

/* Sets the lanes of a group: `object`, or those of a whole row if it is None. Returns false with an exception. */
static bool set_group(job *j, PyObject *object) {
    const npy_intp row = j->shape[j->nd - 1];
    npy_intp lanes = row > 0 ? row : 1;
    if (object != Py_None) {
        lanes = PyNumber_AsSsize_t(object, PyExc_OverflowError);
        if (lanes == -1 && PyErr_Occurred()) return false;
        if (lanes < 1 || row % lanes != 0) {
            PyErr_Format(PyExc_ValueError,
                         "lanes: the last dimension has %zd elements, which %zd does not divide",
                         (Py_ssize_t)row, (Py_ssize_t)lanes);
            return false;
        }
    }
    j->group = lanes;
    j->op.lanes = (size_t)lanes;
    return true;
}

/* vpermute(x, index, lanes, out): returns the elements of x that the indices select. */
static PyObject *vpermute(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const pto_dtype index_types[] = {
        [PTO_B8] = PTO_U8, [PTO_B16] = PTO_U16, [PTO_B32] = PTO_U32, [PTO_B64] = PTO_U64};
    PyObject *const objects[] = {args[0], args[0]};
    const char *const names[] = {"x", "x"};
    PyObject *result = NULL;
    struct dl_type tensor;
    PyArray_Descr *descr;
    job j;
    int type;
    (void)module;
    if (!core_counted("vpermute", count, 4)) return NULL;
    descr = dtype_of_first(objects, names, &tensor);
    if (descr == NULL) return NULL;
    job_begin(&j, "vpermute", call_vpermute);
    type = bits_of(descr, "x");
    if (type >= 0) {
        j.type = (pto_dtype)type;
        if (add_same(&j, "x", args[0], descr)) {
            j.operand[0].may_be_one = false;
            Py_INCREF(descr); /* for job_result */
            if (!job_elements(&j, "index", args[1], index_types[type], false) || !job_shape(&j) ||
                !set_group(&j, args[2])) {
                Py_DECREF(descr);
            } else if (job_result(&j, "out", args[3], j.type, descr) && job_run(&j)) {
                j.operand[2].tensor = tensor;
                result = job_take(&j, 2, args[3]);
            }
        }
    }
    Py_DECREF(descr);
    job_end(&j);
    return result;
}

static pto_status call_slct(const job *j, char *const *at, size_t n) {
    return pto_slct(j->type, j->op.ctype, j->flags != 0, at[0], at[1], at[2], at[3], n);
}

/* slct(a, b, c, ftz, type, out): returns the selected elements. */
static PyObject *slct(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"a", "b", "c"};
    PyObject *result = NULL;
    int type, ctype;
    job j;
    (void)module;
    if (!core_counted("slct", count, 6)) return NULL;
    job_begin(&j, "slct", call_slct);
    j.explain = explain_type;
    type = job_type(args, names, 2, args[4]);
    ctype = type < 0 ? -2 : job_type(&args[2], &names[2], 1, Py_None);
    if (ctype < 0) return NULL;
    j.type = (pto_dtype)type;
    j.op.ctype = (pto_dtype)ctype;
    j.flags = PyObject_IsTrue(args[3]) == 1;
    if (job_elements(&j, "a", args[0], j.type, false) && job_elements(&j, "b", args[1], j.type, false) &&
        job_elements(&j, "c", args[2], j.op.ctype, false) && job_shape(&j) &&
        job_result(&j, "out", args[5], j.type, NULL) && job_run(&j))
        result = job_take(&j, 3, args[5]);
    job_end(&j);
    return result;
}

/* ---- the lanes of a mask ---- */

typedef pto_status move_call(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n, size_t *count);

/* Moves the elements of args[0] to args[2] under the mask of bool args[1]. All are C-contiguous arrays, which the
 * caller has checked; `lanes` is the argument that has as many elements as the mask. Returns how many were moved. */
static PyObject *move(const char *name, move_call *call, PyObject *const *args, Py_ssize_t given, int lanes) {
    PyArrayObject *array[3];
    pto_status status;
    size_t n, count = 0;
    int type;
    if (!core_counted(name, given, 3)) return NULL;
    for (int i = 0; i < 3; ++i) {
        array[i] = (PyArrayObject *)args[i];
        if (PyArray_Check(args[i]) && PyArray_IS_C_CONTIGUOUS(array[i]) &&
            !PyDataType_REFCHK(PyArray_DESCR(array[i])))
            continue;
        PyErr_Format(PyExc_TypeError, "%s: C-contiguous arrays without objects are wanted", name);
        return NULL;
    }
    type = bits_of(PyArray_DESCR(array[0]), "x");
    if (type < 0) return NULL;
    n = (size_t)PyArray_SIZE(array[lanes]);
    Py_BEGIN_ALLOW_THREADS;
    status = call((pto_dtype)type, PyArray_DATA(array[0]), pto_bytes_in(PyArray_DATA(array[1])),
                  PyArray_DATA(array[2]), n, &count);
    Py_END_ALLOW_THREADS;
    if (status == PTO_OK) return PyLong_FromSize_t(count);
    core_raise(status, name);
    return NULL;
}

/* vcompress(x, m, out): returns the number of elements. */
static PyObject *vcompress(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return move("vcompress", pto_vcompress, args, count, 0);
}

/* vexpand(x, m, out): returns the number of elements. */
static PyObject *vexpand(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return move("vexpand", pto_vexpand, args, count, 2);
}

typedef pto_status arg_call(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                            size_t n);

static pto_status call_vargmax(const job *j, char *const *at, size_t n) {
    size_t index;
    return pto_vargmax(j->type, j->flags, at[0], PTO_NO_MASK, &index, n);
}

/* Replaces the array of a view by a C-contiguous one. Returns false with an exception; then the view has no array. */
static bool make_dense(view *v) {
    PyArrayObject *dense = (PyArrayObject *)PyArray_GETCONTIGUOUS(v->array);
    Py_DECREF(v->array);
    v->array = dense;
    return dense != NULL;
}

/* Returns the index of an extreme of args[0] under the seed args[1], or -1. args[2] is the flags, args[3] the type. The
 * seed is None or has a bool for each element, contiguously. */
static PyObject *arg_extreme(const char *name, arg_call *call, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x"};
    const bool seeded = count == 4 && args[1] != Py_None;
    PyObject *result = NULL;
    pto_mask seed = PTO_NO_MASK;
    pto_status status;
    size_t index = 0;
    int type;
    job j; /* without operands: only its type and flags are used */
    view v;
    if (!core_counted(name, count, 4)) return NULL;
    job_begin(&j, name, call_vargmax);
    type = job_type(args, names, 1, args[3]);
    j.flags = (unsigned)PyLong_AsLong(args[2]);
    if (type < 0 || PyErr_Occurred()) return NULL;
    j.type = (pto_dtype)type;
    switch (view_array(args[0], "x", &v)) {
    case -1: return NULL;
    case 0:
        if (!view_numbers(args[0], "x", j.type, NULL, &v)) return NULL;
        break;
    default:
        if (!view_is(&v, j.type)) {
            view_complain(&v, "x", j.type);
            Py_DECREF(v.array);
            return NULL;
        }
    }
    if (!make_dense(&v)) return NULL;
    if (seeded) seed = pto_bytes_in(PyArray_DATA((PyArrayObject *)args[1]));
    Py_BEGIN_ALLOW_THREADS;
    status = call(j.type, j.flags, PyArray_DATA(v.array), seed, &index, (size_t)PyArray_SIZE(v.array));
    Py_END_ALLOW_THREADS;
    if (status == PTO_OK)
        result = PyLong_FromSsize_t(index == SIZE_MAX ? -1 : (Py_ssize_t)index);
    else
        explain_type(&j, status);
    Py_DECREF(v.array);
    return result;
}

/* vargmax(x, seed, flags, type): returns the index, or -1. */
static PyObject *vargmax(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return arg_extreme("vargmax", pto_vargmax, args, count);
}

/* vargmin(x, seed, flags, type): returns the index, or -1. */
static PyObject *vargmin(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    return arg_extreme("vargmin", pto_vargmin, args, count);
}

/* ---- by a comparison ---- */

static pto_status call_vcmpsel(const job *j, char *const *at, size_t n) {
    return pto_vcmpsel(j->type, j->cmp, j->flags, in_of(j, at, 0), in_of(j, at, 1), in_of(j, at, 2),
                       in_of(j, at, 3), at[4], n);
}

static pto_status call_vmax(const job *j, char *const *at, size_t n) {
    return pto_vmax(j->type, j->flags, in_of(j, at, 0), in_of(j, at, 1), at[2], n);
}

static pto_status call_vmin(const job *j, char *const *at, size_t n) {
    return pto_vmin(j->type, j->flags, in_of(j, at, 0), in_of(j, at, 1), at[2], n);
}

static pto_status call_vclamp(const job *j, char *const *at, size_t n) {
    return pto_vclamp(j->type, j->flags, in_of(j, at, 0), in_of(j, at, 1), in_of(j, at, 2), at[3], n);
}

static pto_status call_vrelu(const job *j, char *const *at, size_t n) {
    return pto_vrelu(j->type, j->flags, at[0], at[1], n);
}

/* Runs a job whose `count` sources and result have one type. Each source is an array or, if there are several, may be a
 * scalar. In args the sources are followed by flags, type and out. */
static PyObject *of_one_type(job *j, PyObject *const *args, const char *const *names, int count) {
    const int type = job_type(args, names, count, args[count + 1]);
    PyObject *result = NULL;
    if (type < 0) return NULL;
    j->type = (pto_dtype)type;
    j->flags = (unsigned)PyLong_AsLong(args[count]);
    j->explain = explain_type;
    if (PyErr_Occurred()) return NULL;
    for (int i = 0; i < count; ++i)
        if (!job_elements(j, names[i], args[i], j->type, count > 1)) goto done;
    if (job_shape(j) && job_result(j, "out", args[count + 2], j->type, NULL) && job_run(j))
        result = job_take(j, count, args[count + 2]);
done:
    job_end(j);
    return result;
}

/* vcmpsel(x, y, u, v, flags, type, out, cmp) */
static PyObject *vcmpsel(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x", "y", "u", "v"};
    job j;
    (void)module;
    if (!core_counted("vcmpsel", count, 8)) return NULL;
    job_begin(&j, "vcmpsel", call_vcmpsel);
    if (!job_cmp(args[7], &j.cmp)) return NULL;
    return of_one_type(&j, args, names, 4);
}

/* vmax(a, b, flags, type, out) */
static PyObject *vmax(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"a", "b"};
    job j;
    (void)module;
    if (!core_counted("vmax", count, 5)) return NULL;
    job_begin(&j, "vmax", call_vmax);
    return of_one_type(&j, args, names, 2);
}

/* vmin(a, b, flags, type, out) */
static PyObject *vmin(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"a", "b"};
    job j;
    (void)module;
    if (!core_counted("vmin", count, 5)) return NULL;
    job_begin(&j, "vmin", call_vmin);
    return of_one_type(&j, args, names, 2);
}

/* vclamp(x, lo, hi, flags, type, out) */
static PyObject *vclamp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x", "lo", "hi"};
    job j;
    (void)module;
    if (!core_counted("vclamp", count, 6)) return NULL;
    job_begin(&j, "vclamp", call_vclamp);
    return of_one_type(&j, args, names, 3);
}

/* vrelu(x, flags, type, out) */
static PyObject *vrelu(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {"x"};
    job j;
    (void)module;
    if (!core_counted("vrelu", count, 4)) return NULL;
    job_begin(&j, "vrelu", call_vrelu);
    return of_one_type(&j, args, names, 1);
}

PyMethodDef select_methods[] = {CORE_FUNCTION(vsel),      CORE_FUNCTION(selp),    CORE_FUNCTION(slct),
                                CORE_FUNCTION(vcmpsel),   CORE_FUNCTION(vmax),    CORE_FUNCTION(vmin),
                                CORE_FUNCTION(vclamp),    CORE_FUNCTION(vrelu),   CORE_FUNCTION(vpermute),
                                CORE_FUNCTION(vcompress), CORE_FUNCTION(vexpand), CORE_FUNCTION(vargmax),
                                CORE_FUNCTION(vargmin),   {NULL, NULL, 0, NULL}};
