/* SPDX-License-Identifier: MIT */
/* Adds the sources and results of a job, and returns its results to Python. */
#include "job.h"

#include <string.h>

PyObject *job_image;

void job_begin(job *j, const char *name, job_call *call) {
    /* The operands stay uninitialised: their step arrays are most of the struct, and are written before they are
     * read. */
    j->name = name;
    j->call = call;
    j->explain = NULL;
    j->flags = 0;
    j->group = 0;
    j->operands = 0;
    j->nd = 0;
    j->flat = false;
    j->tensors = false;
}

void job_end(job *j) {
    for (int i = 0; i < j->operands; ++i) Py_CLEAR(j->operand[i].array);
}

operand *job_add(job *j, const char *name, PyArrayObject *array, int lane_bits) {
    operand *o = &j->operand[j->operands++];
    o->name = name;
    o->array = array;
    o->lane_bits = lane_bits;
    o->shapes = false;
    o->may_be_one = false;
    o->one = false;
    o->written = false;
    o->tensor = (struct dl_type){0, 0, 0};
    o->cols = -1;
    o->kind = PTO_MASK_PACKED;
    return o;
}

/* ---- sources ---- */

bool job_view(job *j, const char *name, view *v, bool may_be_one) {
    operand *o;
    npy_intp cols = -1;
    int lane_bits = 8 * (int)PyArray_ITEMSIZE(v->array);
    if (view_is_loose(v) && PyArray_NDIM(v->array) > 0)
        cols = PyArray_DIM(v->array, PyArray_NDIM(v->array) - 1);
    if (view_is_loose(v) && !view_pack(v)) return false;
    if (v->packed) lane_bits = 4;
    o = job_add(j, name, v->array, lane_bits);
    v->array = NULL;
    o->shapes = true;
    o->may_be_one = may_be_one;
    o->cols = cols;
    return true;
}

bool job_elements(job *j, const char *name, PyObject *object, pto_dtype type, bool may_be_one) {
    view v;
    bool added;
    switch (view_array(object, name, &v)) {
    case -1: return false;
    case 0:
        if (!view_numbers(object, name, type, NULL, &v)) return false;
        break;
    default:
        if (!view_is(&v, type)) {
            view_complain(&v, name, type);
            Py_DECREF(v.array);
            return false;
        }
    }
    if (pto_dtype_bits(type) == 4 && !view_is_loose(&v)) v.packed = true;
    j->tensors = j->tensors || v.tensor;
    added = job_view(j, name, &v, may_be_one);
    Py_XDECREF(v.array);
    return added;
}

static pto_mask_kind image_kind(size_t bits) {
    return bits == 8 ? PTO_MASK_B8 : bits == 16 ? PTO_MASK_B16 : bits == 32 ? PTO_MASK_B32 : PTO_MASK_B64;
}

static int mask_bits(pto_mask_kind kind) {
    return (int)pto_mask_bytes(kind, 8); /* eight lanes have as many bytes as one lane has bits */
}

/* Returns an attribute of a pto.Image: "data", its bytes, or "bits", the width of the elements that it masks. */
static PyObject *image_part(PyObject *image, const char *name, const char *part) {
    PyObject *value = PyObject_GetAttrString(image, part);
    if (value == NULL) PyErr_Format(PyExc_TypeError, "%s: this Image has no %s", name, part);
    return value;
}

static bool image_width(const char *name, npy_intp bits) {
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return true;
    return PyErr_Format(PyExc_ValueError, "%s: an Image is for elements of 8, 16, 32 or 64 bits, not %zd",
                        name, bits) != NULL;
}

static bool add_image(job *j, const char *name, PyObject *image) {
    PyObject *bits = image_part(image, name, "bits");
    PyObject *data = bits == NULL ? NULL : image_part(image, name, "data");
    view v = {0};
    bool added = false;
    if (data != NULL) {
        npy_intp width = 0;
        const bool known = core_number(bits, name, &width) && image_width(name, width);
        const int found = known ? view_array(data, name, &v) : -1;
        j->tensors = j->tensors || v.tensor;
        if (found == 1 && PyArray_TYPE(v.array) == NPY_UINT8) {
            const pto_mask_kind kind = image_kind((size_t)width);
            job_add(j, name, v.array, mask_bits(kind))->kind = kind;
            v.array = NULL;
            added = true;
        } else if (found >= 0) {
            PyErr_Format(PyExc_TypeError, "%s: the bytes of an Image are of dtype uint8", name);
        }
    }
    Py_XDECREF(v.array);
    Py_XDECREF(bits);
    Py_XDECREF(data);
    return added;
}

bool job_mask(job *j, const char *name, PyObject *object) {
    view v;
    operand *o;
    if (object == Py_None) {
        job_add(j, name, NULL, 1);
        return true;
    }
    if (Py_TYPE(object) == (PyTypeObject *)job_image) return add_image(j, name, object);
    switch (view_array(object, name, &v)) {
    case -1: return false;
    case 0:
        v.array = view_plain(object, name);
        if (v.array == NULL) return false;
        break;
    default: break;
    }
    j->tensors = j->tensors || v.tensor;
    if (PyArray_TYPE(v.array) == NPY_BOOL) {
        o = job_add(j, name, v.array, 8);
        o->kind = PTO_MASK_BYTE;
        o->shapes = true;
        return true;
    }
    if (PyArray_TYPE(v.array) == NPY_UINT8) {
        job_add(j, name, v.array, 1);
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s: a mask is an array of bool, packed bits in uint8 or an Image, not %S",
                 name, (PyObject *)PyArray_DESCR(v.array));
    Py_DECREF(v.array);
    return false;
}

bool job_extra(job *j, const char *name, PyObject *object, pto_dtype type, int lane_bits) {
    view v;
    if (object == Py_None) {
        job_add(j, name, NULL, lane_bits);
        return true;
    }
    switch (view_array(object, name, &v)) {
    case -1: return false;
    case 0:
        if (!view_numbers(object, name, type, NULL, &v)) return false;
        break;
    default:
        if (!view_is(&v, type)) {
            view_complain(&v, name, type);
            Py_DECREF(v.array);
            return false;
        }
    }
    j->tensors = j->tensors || v.tensor;
    job_add(j, name, v.array, lane_bits);
    return true;
}

/* ---- results ---- */

/* Returns descr, or the dtype of type if descr is NULL. */
static PyArray_Descr *borrowed(PyArray_Descr *descr, pto_dtype type) {
    return descr != NULL ? descr : dtype_descr(type);
}

/* Fills *v for an array that the user passes as a result. Sets an exception and returns false unless it is a writable
 * array in native byte order. */
static bool look_at_result(const char *name, PyObject *out, view *v) {
    const bool number = PyArray_IsScalar(out, Generic); /* view_array() would copy a scalar */
    const int found = number ? 0 : view_array(out, name, v);
    if (found == 0) PyErr_Format(PyExc_TypeError, "%s: an array is wanted to write to", name);
    if (found != 1) return false;
    if ((PyObject *)v->array != out && PyArray_Check(out)) {
        PyErr_Format(PyExc_ValueError, "%s: its bytes are in the other order", name);
    } else if (!PyArray_ISWRITEABLE(v->array)) {
        PyErr_Format(PyExc_ValueError, "%s: it is read-only", name);
    } else {
        return true;
    }
    Py_CLEAR(v->array);
    return false;
}

/* Allocates the array of a result with the shape of the call. Takes over the reference to descr. */
static bool new_result(job *j, operand *o, PyArray_Descr *descr) {
    npy_intp shape[NPY_MAXDIMS];
    const npy_intp item_bits = 8 * PyDataType_ELSIZE(descr);
    memcpy(shape, j->shape, (size_t)j->nd * sizeof *shape);
    shape[j->nd - 1] = (shape[j->nd - 1] * o->lane_bits + item_bits - 1) / item_bits;
    o->array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, descr, j->flat ? 0 : j->nd, shape, NULL,
                                                     NULL, 0, NULL);
    return o->array != NULL;
}

bool job_result(job *j, const char *name, PyObject *out, pto_dtype type, PyArray_Descr *descr) {
    const int lane_bits = (int)pto_dtype_bits(type);
    operand *o;
    view v;
    if (out == Py_None) {
        o = job_add(j, name, NULL, lane_bits);
        o->written = true;
        descr = borrowed(descr, type);
        if (descr == NULL) return false;
        o->tensor = tensor_type((int)type, descr);
        return new_result(j, o, descr);
    }
    Py_XDECREF(descr);
    if (!look_at_result(name, out, &v)) return false;
    if (!view_is(&v, type) || (v.type == PTO_E2M1 && !v.packed)) {
        if (v.type == PTO_E2M1)
            PyErr_Format(PyExc_TypeError, "%s: e2m1 is written two in a byte, to uint8", name);
        else
            view_complain(&v, name, type);
        Py_DECREF(v.array);
        return false;
    }
    job_add(j, name, v.array, lane_bits)->written = true;
    return true;
}

static bool kind_named(PyObject *name, size_t bits, pto_mask_kind *kind) {
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : "";
    if (text == NULL) return false;
    if (strcmp(text, "bool") == 0) {
        *kind = PTO_MASK_BYTE;
    } else if (strcmp(text, "packed") == 0) {
        *kind = PTO_MASK_PACKED;
    } else if (strcmp(text, "image") == 0) {
        *kind = image_kind(bits);
    } else {
        PyErr_Format(PyExc_ValueError, "mask: \"bool\", \"packed\" or \"image\", not %R", name);
        return false;
    }
    return true;
}

/* Returns whether a pto.Image is for elements of `wanted` bits, otherwise sets a ValueError. */
static bool goes_with_image(const char *name, PyObject *image, int wanted) {
    PyObject *part = image_part(image, name, "bits");
    npy_intp bits = 0;
    const bool known = part != NULL && core_number(part, name, &bits);
    Py_XDECREF(part);
    if (!known || bits == wanted) return known;
    return PyErr_Format(PyExc_ValueError, "%s: an Image for elements of %d bits is wanted, not of %zd", name,
                        wanted, bits) != NULL;
}

/* Uses `out` as the array of a mask result, if its class and dtype match o->kind. Returns false with an exception. */
static bool given_mask(job *j, const char *name, PyObject *out, operand *o) {
    PyObject *data = NULL;
    view v;
    bool seen;
    if (o->kind != PTO_MASK_BYTE && o->kind != PTO_MASK_PACKED) {
        if (Py_TYPE(out) != (PyTypeObject *)job_image) {
            PyErr_Format(PyExc_TypeError, "%s: an Image is wanted", name);
            return false;
        }
        if (!goes_with_image(name, out, 8 * o->lane_bits)) return false;
        data = image_part(out, name, "data");
        if (data == NULL) return false;
    }
    (void)j;
    seen = look_at_result(name, data == NULL ? out : data, &v);
    Py_XDECREF(data);
    if (!seen) return false;
    if (PyArray_TYPE(v.array) != (o->kind == PTO_MASK_BYTE ? NPY_BOOL : NPY_UINT8)) {
        PyErr_Format(PyExc_TypeError, "%s: a mask of this kind is of dtype %s, not %S", name,
                     o->kind == PTO_MASK_BYTE ? "bool" : "uint8", (PyObject *)PyArray_DESCR(v.array));
        Py_DECREF(v.array);
        return false;
    }
    o->array = v.array;
    return true;
}

bool job_result_mask(job *j, const char *name, PyObject *out, PyObject *kind, size_t bits) {
    operand *o;
    pto_mask_kind which;
    if (!kind_named(kind, bits, &which)) return false;
    o = job_add(j, name, NULL, mask_bits(which));
    o->kind = which;
    o->written = true;
    if (out != Py_None) return given_mask(j, name, out, o);
    o->tensor = (struct dl_type){which == PTO_MASK_BYTE ? DL_BOOL : DL_UINT, 8, 1};
    return new_result(j, o, PyArray_DescrFromType(which == PTO_MASK_BYTE ? NPY_BOOL : NPY_UINT8));
}

PyObject *job_take(job *j, int i, PyObject *out) {
    operand *o = &j->operand[i];
    PyObject *result = (PyObject *)o->array, *image;
    if (out != Py_None) {
        Py_INCREF(out);
        return out;
    }
    o->array = NULL;
    if (j->tensors) result = tensor_of((PyArrayObject *)result, o->tensor);
    if (result == NULL || o->kind == PTO_MASK_BYTE || o->kind == PTO_MASK_PACKED) return result;
    image = PyObject_CallFunction(job_image, "Oi", result, 8 * o->lane_bits);
    Py_DECREF(result);
    return image;
}

/* ---- types and operators ---- */

bool job_cmp(PyObject *name, pto_cmp *cmp) {
    pto_parse_error error;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (text != NULL && pto_parse_cmp(text, cmp, &error) == PTO_OK) return true;
    if (PyErr_Occurred()) return false;
    if (text == NULL)
        PyErr_Format(PyExc_TypeError, "cmp: an operator's name is wanted, not %R", name);
    else
        PyErr_Format(PyExc_ValueError, "cmp: %R: %s", name, error.text);
    return false;
}

int job_type(PyObject *const *objects, const char *const *names, int count, PyObject *type) {
    int found = dtype_named(type, "type");
    PyArrayObject *plain;
    view v;
    if (found != NO_TYPE) return found;
    for (int i = 0; i < count; ++i) {
        const int is_array = view_array(objects[i], names[i], &v);
        if (is_array < 0) return -2;
        if (is_array == 0) continue;
        found = v.type;
        if (found == NO_TYPE)
            PyErr_Format(PyExc_TypeError, "%s: libpto has no type for the dtype %S", names[i],
                         (PyObject *)PyArray_DESCR(v.array));
        Py_DECREF(v.array);
        return found == NO_TYPE ? -2 : found;
    }
    plain = view_plain(objects[0], names[0]);
    if (plain == NULL) return -2;
    found = dtype_type(PyArray_DESCR(plain));
    if (found == NO_TYPE)
        PyErr_Format(PyExc_TypeError, "%s: an array or numbers are wanted, not %S", names[0],
                     (PyObject *)PyArray_DESCR(plain));
    Py_DECREF(plain);
    return found == NO_TYPE ? -2 : found;
}
