/* SPDX-License-Identifier: MIT */
/* NumPy arrays over the memory of arrays of any framework, through DLPack or torch's table of C functions. */
#include "views.h"

#include "numbers.h"
#include "tensors.h"

#include <string.h>

/* Returns whether the object's class is defined in torch. Older torch versions return unversioned DLPack capsules,
 * which have no read-only flag; their tensors are writable. */
static bool is_of_torch(PyObject *object) {
    PyObject *module = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__module__");
    const char *text =
        module != NULL && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, NULL) : NULL;
    const bool is = text != NULL && strncmp(text, "torch", 5) == 0 && (text[5] == '\0' || text[5] == '.');
    Py_XDECREF(module);
    PyErr_Clear();
    return is;
}

/* Finds the tensor in a versioned or an unversioned DLPack capsule. Returns NULL if it is neither, or if its major
 * version is not 1. */
static void *newest_first(PyObject *capsule, struct dl_tensor **tensor, bool *read_only) {
    struct dl_versioned *versioned;
    struct dl_managed *managed;
    *read_only = false;
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (versioned->major != 1) return NULL;
        *read_only = (versioned->flags & DL_READ_ONLY) != 0;
        *tensor = &versioned->tensor;
        return versioned;
    }
    managed = PyCapsule_IsValid(capsule, "dltensor") ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
    *read_only = true; /* unversioned capsules have no flag, and jax exports memory that is never written */
    if (managed != NULL) *tensor = &managed->tensor;
    return managed;
}

/* Calls __dlpack__ with max_version=(1, 1), and again without it if that raises TypeError: older implementations do not
 * have this parameter. */
static PyObject *export(PyObject *method) {
    PyObject *nothing = PyTuple_New(0), *named = Py_BuildValue("{s(ii)}", "max_version", 1, 1);
    PyObject *capsule = NULL;
    if (nothing != NULL && named != NULL) {
        capsule = PyObject_Call(method, nothing, named);
        if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            capsule = PyObject_Call(method, nothing, NULL);
        }
    }
    Py_XDECREF(nothing);
    Py_XDECREF(named);
    return capsule;
}

static int family(struct dl_type t) {
    const int width = t.bits == 8 ? 0 : t.bits == 16 ? 1 : t.bits == 32 ? 2 : t.bits == 64 ? 3 : -1;
    if (t.lanes != 1 && t.code != DL_E2M1FN) return NO_TYPE;
    switch (t.code) {
    case DL_BOOL: return t.bits == 8 ? PTO_U8 : NO_TYPE;
    case DL_INT: return width < 0 ? NO_TYPE : PTO_S8 + width;
    case DL_UINT: return width < 0 ? NO_TYPE : PTO_U8 + width;
    case DL_FLOAT: return width == 1 ? PTO_F16 : width == 2 ? PTO_F32 : width == 3 ? PTO_F64 : NO_TYPE;
    case DL_BFLOAT: return width == 1 ? PTO_BF16 : NO_TYPE;
    case DL_E3M4: return PTO_E3M4;
    case DL_E4M3: return PTO_E4M3IEEE;
    case DL_E4M3B11FNUZ: return PTO_E4M3B11FNUZ;
    case DL_E4M3FN: return PTO_E4M3;
    case DL_E4M3FNUZ: return PTO_E4M3FNUZ;
    case DL_E5M2: return PTO_E5M2;
    case DL_E5M2FNUZ: return PTO_E5M2FNUZ;
    case DL_E8M0FNU: return PTO_UE8M0;
    case DL_E2M1FN: return t.bits * t.lanes == 8 ? PTO_E2M1 : NO_TYPE;
    default: return NO_TYPE;
    }
}

static bool on_host(const struct dl_tensor *t) {
    return t->device_type == DL_CPU || t->device_type == DL_CUDA_HOST || t->device_type == DL_ROCM_HOST ||
           t->device_type == DL_CUDA_MANAGED;
}

/* Checks the dimensions and the data pointer, which NumPy does not check. NumPy itself refuses sizes whose product
 * overflows. Returns false with a ValueError. */
static bool has_memory(const struct dl_tensor *t, const char *name) {
    bool empty = false;
    if (t->ndim < 0 || t->ndim > NPY_MAXDIMS || (t->ndim > 0 && t->shape == NULL))
        return PyErr_Format(PyExc_ValueError, "%s: DLPack gives %d dimensions%s", name, (int)t->ndim,
                            t->ndim > 0 && t->shape == NULL ? " without a shape" : "") != NULL;
    for (int i = 0; i < t->ndim; ++i) {
        if (t->shape[i] < 0)
            return PyErr_Format(PyExc_ValueError, "%s: DLPack gives a dimension of %lld elements", name,
                                (long long)t->shape[i]) != NULL;
        empty = empty || t->shape[i] == 0;
    }
    if (t->data != NULL || empty) return true;
    return PyErr_Format(PyExc_ValueError, "%s: DLPack gives a shape but no memory", name) != NULL;
}

/* Sets the strides in bytes. Returns false with a ValueError if the elements lie further apart than memory reaches: no
 * process has an address space of 2^57 bytes. Strides of an empty array, and of a dimension with one element, are
 * arbitrary in DLPack, and are not read. */
static bool set_strides(const struct dl_tensor *t, npy_intp bytes, const char *name, npy_intp *strides) {
    const int64_t most = sizeof(void *) > 4 ? INT64_C(1) << 56 : INT32_MAX;
    int64_t span = 0, dense = 1; /* bytes from the first element to the last; the stride of dense elements */
    bool empty = false;
    for (int i = 0; i < t->ndim; ++i) empty = empty || t->shape[i] == 0;
    for (int i = t->ndim - 1; i >= 0; --i) {
        const int64_t others = t->shape[i] - 1, stride = t->strides != NULL ? t->strides[i] : dense;
        strides[i] = bytes;
        if (empty || others == 0) continue;
        if (stride > most / bytes / others || stride < -(most / bytes / others)) {
            span = most + 1;
            break;
        }
        strides[i] = (npy_intp)(stride * bytes);
        span += (stride < 0 ? -stride : stride) * bytes * others;
        dense *= t->shape[i];
    }
    if (span <= most) return true;
    return PyErr_Format(PyExc_ValueError, "%s: DLPack gives strides that reach beyond memory", name) != NULL;
}

/* Makes a NumPy array over the tensor's memory, which `owner` keeps alive. If the owner is a capsule, it is not
 * renamed to "used_dltensor", so its own destructor releases the memory. */
static bool look_through(PyObject *owner, const struct dl_tensor *t, bool read_only, const char *name,
                         view *out) {
    static char nothing[8]; /* the data pointer of an empty array */
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    PyArray_Descr *descr;
    const int type = family(t->dtype);
    if (!on_host(t))
        return PyErr_Format(PyExc_TypeError, "%s lies on a device; libpto computes on the CPU", name) != NULL;
    if (type == NO_TYPE)
        return PyErr_Format(PyExc_TypeError, "%s: libpto has no type for DLPack's code %d with %d bits", name,
                            t->dtype.code, t->dtype.bits) != NULL;
    if (!has_memory(t, name)) return false;
    descr = t->dtype.code == DL_BOOL ? PyArray_DescrFromType(NPY_BOOL) : dtype_descr((pto_dtype)type);
    if (descr == NULL) return false;
    if (!set_strides(t, PyDataType_ELSIZE(descr), name, strides)) {
        Py_DECREF(descr);
        return false;
    }
    for (int i = 0; i < t->ndim; ++i) shape[i] = (npy_intp)t->shape[i];
    out->array =
        (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, descr, t->ndim, shape, strides,
                                              t->data == NULL ? nothing : (char *)t->data + t->byte_offset,
                                              read_only ? 0 : NPY_ARRAY_WRITEABLE, NULL);
    if (out->array == NULL) {
        core_name_error(name);
        return false;
    }
    out->type = type;
    out->packed = type == PTO_E2M1;
    Py_INCREF(owner);
    if (PyArray_SetBaseObject(out->array, owner) == 0) return true;
    Py_CLEAR(out->array);
    return false;
}

/* Reads a torch.Tensor through torch's table of C functions, which takes a tenth of the time of __dlpack__. */
static int from_tensor(const struct dl_exchange *table, PyObject *tensor, const char *name, view *out) {
    struct dl_tensor borrowed;
    if (!tensor_is_plain(tensor, name)) return -1;
    if (table->borrow_from_object(tensor, &borrowed) != 0) {
        tensor_name_error(name);
        return -1;
    }
    out->tensor = true;
    return look_through(tensor, &borrowed, false, name, out) ? 1 : -1;
}

/* Returns whether the tensor is a MaskedTensor, whose __dlpack__ would drop the mask. */
static bool loses_a_mask(PyObject *tensor) {
    PyObject *kind = PyObject_GetAttrString((PyObject *)Py_TYPE(tensor), "__name__");
    const char *text = kind == NULL ? NULL : PyUnicode_AsUTF8AndSize(kind, NULL);
    const bool loses = text != NULL && strcmp(text, "MaskedTensor") == 0;
    Py_XDECREF(kind);
    PyErr_Clear();
    return loses;
}

static int from_dlpack(PyObject *object, PyObject *method, const char *name, view *out) {
    struct dl_tensor *tensor;
    PyObject *capsule;
    bool read_only, seen;
    out->tensor = tensor_is(object);
    if (out->tensor && loses_a_mask(object)) {
        PyErr_Format(PyExc_TypeError, "%s: masked tensors are refused, because results have no mask", name);
        return -1;
    }
    if (out->tensor && !tensor_is_plain(object, name)) return -1;
    capsule = export(method);
    if (capsule == NULL) {
        if (out->tensor)
            tensor_name_error(name);
        else
            core_name_error(name);
        return -1;
    }
    if (newest_first(capsule, &tensor, &read_only) == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: __dlpack__ gives no capsule of a version that libpto knows", name);
        seen = false;
    } else {
        if (read_only && PyCapsule_IsValid(capsule, "dltensor")) read_only = !is_of_torch(object);
        seen = look_through(capsule, tensor, read_only, name, out);
    }
    Py_DECREF(capsule);
    return seen ? 1 : -1;
}

/* ---- masked arrays ---- */

/* Returns 1 if the object is a NumPy masked array, 0 if not, -1 with an exception. numpy.ma is imported only for
 * subclasses of ndarray. */
static int is_masked(PyObject *object) {
    PyObject *module, *class;
    int is;
    if (!PyArray_Check(object) || PyArray_CheckExact(object)) return 0;
    module = PyImport_ImportModule("numpy.ma");
    class = module == NULL ? NULL : PyObject_GetAttrString(module, "MaskedArray");
    is = class == NULL ? -1 : PyObject_IsInstance(object, class);
    Py_XDECREF(module);
    Py_XDECREF(class);
    return is;
}

// NOLINTNEXTLINE(misc-no-recursion): Python bounds the depth
bool view_without_masks(PyObject *object, const char *name) {
    const int masked = is_masked(object);
    bool unmasked = true;
    if (masked > 0)
        PyErr_Format(
            PyExc_TypeError,
            "%s: masked arrays are refused, because results have no mask; pass its filled() or its data",
            name);
    if (masked != 0) return false;
    if (!PyList_Check(object) && !PyTuple_Check(object)) return true;
    if (Py_EnterRecursiveCall(" while looking for masked arrays")) return false;
    for (Py_ssize_t i = 0; unmasked && i < PySequence_Size(object); ++i) {
        PyObject *item = PySequence_GetItem(object, i);
        unmasked = item != NULL && view_without_masks(item, name);
        Py_XDECREF(item);
    }
    Py_LeaveRecursiveCall();
    return unmasked;
}

/* ---- NumPy's ---- */

/* Fills *out for a NumPy array, whose reference it takes over. Arrays in foreign byte order are copied. Returns 1, or
 * -1 with an exception. */
static int from_numpy(PyArrayObject *array, const char *name, view *out) {
    out->array = array;
    if (PyDataType_REFCHK(PyArray_DESCR(array))) { /* references to objects must not be copied as bits */
        PyErr_Format(PyExc_TypeError, "%s: libpto has no type for the dtype %S", name,
                     (PyObject *)PyArray_DESCR(array));
        goto failed;
    }
    out->type = dtype_type(PyArray_DESCR(array));
    out->packed = false;
    if (out->type < NO_TYPE) goto failed;
    if (PyArray_ISNOTSWAPPED(array)) return 1;
    out->array = (PyArrayObject *)PyArray_FromArray(
        array, PyArray_DescrNewByteorder(PyArray_DESCR(array), NPY_NATIVE), NPY_ARRAY_DEFAULT);
    Py_DECREF(array);
    return out->array == NULL ? -1 : 1;
failed:
    Py_CLEAR(out->array);
    return -1;
}

int view_array(PyObject *object, const char *name, view *out) {
    const struct dl_exchange *table = tensor_exchange(object);
    PyObject *method;
    int found;
    out->array = NULL;
    out->tensor = false;
    if (table != NULL) return from_tensor(table, object, name, out);
    if (PyArray_Check(object)) {
        if (!view_without_masks(object, name)) return -1;
        Py_INCREF(object);
        return from_numpy((PyArrayObject *)object, name, out);
    }
    if (PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyList_Check(object)) return 0;
    if (PyArray_IsScalar(object, Generic)) {
        PyArrayObject *array = (PyArrayObject *)PyArray_FromScalar(object, NULL);
        return array == NULL ? -1 : from_numpy(array, name, out);
    }
    method = PyObject_GetAttrString(object, "__dlpack__");
    if (method == NULL) {
        PyErr_Clear();
        return 0;
    }
    found = from_dlpack(object, method, name, out);
    Py_DECREF(method);
    return found;
}

PyArrayObject *view_plain(PyObject *object, const char *name) {
    PyArrayObject *plain;
    if (!view_without_masks(object, name)) return NULL;
    plain = (PyArrayObject *)PyArray_FromAny(object, NULL, 0, 0, 0, NULL);
    if (plain == NULL) core_name_error(name);
    return plain;
}

/* Returns whether a cast between integer types kept all values. This is checked here because NumPy 1 wraps values
 * that are out of range and at most warns. */
static bool same_numbers(PyArrayObject *plain, PyArrayObject *cast) {
    const bool from_signed = PyArray_DESCR(plain)->kind == 'i', to_signed = PyArray_DESCR(cast)->kind == 'i';
    PyArray_Descr *descr = PyArray_DESCR(plain);
    PyArrayObject *back, *there;
    bool same;
    Py_INCREF(descr);
    Py_INCREF(descr);
    back = (PyArrayObject *)PyArray_FromArray(cast, descr, NPY_ARRAY_DEFAULT | NPY_ARRAY_FORCECAST);
    there = (PyArrayObject *)PyArray_FromArray(plain, descr, NPY_ARRAY_DEFAULT);
    same = back != NULL && there != NULL &&
           memcmp(PyArray_DATA(back), PyArray_DATA(there), (size_t)PyArray_NBYTES(there)) == 0;
    if (same && from_signed != to_signed && PyArray_ITEMSIZE(cast) == 8) {
        const int64_t *number = PyArray_DATA(there);
        for (npy_intp i = 0; i < PyArray_SIZE(there); ++i) same = same && number[i] >= 0;
    }
    Py_XDECREF(back);
    Py_XDECREF(there);
    return same;
}

/* Returns the object as an array of dtype `wanted`. Steals a reference to `wanted`. `plain` is the array that NumPy
 * made of the object; integers are cast from it and checked for range. On an error, sets an exception and returns
 * NULL. */
static PyArrayObject *cast_numbers(PyArrayObject *plain, PyArray_Descr *wanted, PyObject *object,
                                   const char *name, pto_dtype type) {
    const bool whole = strchr("iu", PyArray_DESCR(plain)->kind) != NULL && strchr("iu", wanted->kind) != NULL;
    PyArrayObject *cast =
        whole ? (PyArrayObject *)PyArray_FromArray(plain, wanted, NPY_ARRAY_FORCECAST)
              : (PyArrayObject *)PyArray_FromAny(object, wanted, 0, 0, NPY_ARRAY_FORCECAST, NULL);
    if (cast == NULL) {
        core_name_error(name);
    } else if (whole && !same_numbers(plain, cast)) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "%s: %R is beyond what %s holds", name, object,
                         pto_dtype_name(type));
        Py_CLEAR(cast);
    }
    return cast;
}

/* Converts numbers with NumPy's cast: for integer types, and for types or dtypes that numbers_array() does not take.
 * Returns false with an exception. */
static bool cast_plain(PyArrayObject *plain, PyObject *object, const char *name, pto_dtype type,
                       PyArray_Descr *wanted, view *out) {
    const char kind = PyArray_DESCR(plain)->kind;
    if (strchr("biuf", kind) == NULL || (kind == 'f' && strchr("bui", wanted->kind) != NULL)) {
        PyErr_Format(PyExc_TypeError, "%s: %s cannot be made of this %S", name, pto_dtype_name(type),
                     (PyObject *)PyArray_DESCR(plain));
        Py_DECREF(wanted);
        return false;
    }
    out->array = cast_numbers(plain, wanted, object, name, type);
    return out->array != NULL;
}

bool view_numbers(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr, view *out) {
    PyArray_Descr *wanted = descr != NULL ? descr : dtype_descr(type);
    PyArrayObject *plain;
    out->array = NULL;
    out->type = (int)type;
    out->packed = false;
    out->tensor = false;
    if (wanted == NULL) return false;
    if (descr != NULL) Py_INCREF(wanted);
    if (numbers_round(type) && (descr == NULL || dtype_type(descr) == (int)type)) {
        out->array = numbers_array(object, name, type, wanted);
        return out->array != NULL;
    }
    plain = view_plain(object, name);
    if (plain == NULL) {
        Py_DECREF(wanted);
        return false;
    }
    (void)cast_plain(plain, object, name, type, wanted, out);
    Py_DECREF(plain);
    return out->array != NULL;
}

bool view_is(const view *v, pto_dtype type) {
    const npy_intp bits = 8 * PyArray_ITEMSIZE(v->array);
    const size_t wanted = pto_dtype_bits(type) < 8 ? 8 : pto_dtype_bits(type);
    if (v->type == (int)type) return true;
    if (pto_dtype_class(type) == PTO_CLASS_BITS) return bits == (npy_intp)wanted;
    if (type == PTO_TF32) return v->type == PTO_F32;
    return dtype_is_foreign(type) && PyArray_DESCR(v->array)->kind == 'u' && bits == (npy_intp)wanted;
}

bool view_is_loose(const view *v) {
    return v->type != NO_TYPE && pto_dtype_bits((pto_dtype)v->type) == 4 && !v->packed;
}

bool view_pack(view *v) {
    PyArrayObject *loose = (PyArrayObject *)PyArray_GETCONTIGUOUS(v->array), *packed;
    const int nd = PyArray_NDIM(v->array);
    npy_intp shape[NPY_MAXDIMS], rows = 1, cols = 1, bytes;
    const unsigned char *from;
    unsigned char *to;
    if (loose == NULL) return false;
    for (int i = 0; i < nd; ++i) shape[i] = PyArray_DIM(loose, i);
    if (nd > 0) cols = shape[nd - 1];
    for (int i = 0; i + 1 < nd; ++i) rows *= shape[i];
    bytes = cols / 2 + cols % 2;
    if (nd > 0) shape[nd - 1] = bytes;
    packed = (PyArrayObject *)PyArray_SimpleNew(nd, shape, NPY_UINT8);
    if (packed != NULL) {
        from = PyArray_DATA(loose);
        to = PyArray_DATA(packed);
        for (npy_intp row = 0; row < rows; ++row, from += cols, to += bytes) {
            for (npy_intp i = 0; i < cols / 2; ++i)
                to[i] = (unsigned char)((from[2 * i] & 0xf) | (from[2 * i + 1] << 4));
            if (cols % 2 != 0) to[bytes - 1] = from[cols - 1] & 0xf;
        }
        view_replace(&v->array, packed);
        v->packed = true;
    }
    Py_DECREF(loose);
    return packed != NULL;
}

void view_replace(PyArrayObject **place, PyArrayObject *array) {
    PyArrayObject *before = *place;
    *place = array;
    Py_DECREF(before);
}

void view_complain(const view *v, const char *name, pto_dtype wanted) {
    PyErr_Format(PyExc_TypeError, "%s: elements of type %s are wanted, not of dtype %S", name,
                 pto_dtype_name(wanted), (PyObject *)PyArray_DESCR(v->array));
}
