/* SPDX-License-Identifier: MIT */
/* Reads torch tensors and makes torch tensors of results. */
#include "tensors.h"

#include "dtypes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- which objects are tensors ---- */

/* torch.Tensor, or NULL until the program has imported torch. It is never released. */
static _Atomic(PyObject *) tensor_class;
static _Atomic(const struct dl_exchange *) exchange_table;

static const struct dl_exchange *table_of(PyObject *type) {
    PyObject *capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
    const struct dl_exchange *table = capsule != NULL && PyCapsule_IsValid(capsule, "dlpack_exchange_api")
                                          ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api")
                                          : NULL;
    PyErr_Clear();
    Py_XDECREF(capsule); /* the table itself lives as long as the process */
    while (table != NULL && table->major != 1) table = table->previous;
    return table != NULL && table->borrow_from_object != NULL ? table : NULL;
}

static PyObject *find_tensor_class(void) {
    PyObject *found = atomic_load(&tensor_class), *name, *module;
    if (found != NULL) return found;
    name = PyUnicode_FromString("torch");
    module = name == NULL ? NULL : PyImport_GetModule(name);
    Py_XDECREF(name);
    found = module == NULL ? NULL : PyObject_GetAttrString(module, "Tensor");
    Py_XDECREF(module);
    PyErr_Clear();
    if (found == NULL || !PyType_Check(found)) { /* the import of torch may be in progress */
        Py_XDECREF(found);
        return NULL;
    }
    atomic_store(&exchange_table, table_of(found));
    atomic_store(&tensor_class, found);
    return found;
}

bool tensor_is(PyObject *object) {
    PyObject *class = find_tensor_class();
    int is;
    if (class == NULL) return false;
    if ((PyObject *)Py_TYPE(object) == class) return true;
    is = PyObject_IsInstance(object, class);
    if (is < 0) PyErr_Clear();
    return is == 1;
}

const struct dl_exchange *tensor_exchange(PyObject *object) {
    PyObject *class = atomic_load(&tensor_class);
    return (PyObject *)Py_TYPE(object) == class ? atomic_load(&exchange_table) : NULL;
}

static PyObject *requires_grad, *is_neg; /* names of attributes */

bool tensor_start(void) {
    requires_grad = PyUnicode_InternFromString("requires_grad");
    is_neg = PyUnicode_InternFromString("is_neg");
    return requires_grad != NULL && is_neg != NULL;
}

bool tensor_is_plain(PyObject *tensor, const char *name) {
    PyObject *gradient = PyObject_GetAttr(tensor, requires_grad), *negated = NULL;
    bool plain = false;
    if (gradient == NULL) return false;
    if (gradient == Py_True) {
        PyErr_Format(PyExc_BufferError, "%s: it requires a gradient, which would be lost; pass its detach()",
                     name);
    } else {
        negated = PyObject_CallMethodObjArgs(tensor, is_neg, NULL);
        if (negated == Py_True)
            PyErr_Format(PyExc_BufferError, "%s: its negation is pending; pass its resolve_neg()", name);
        else
            plain = negated != NULL;
    }
    Py_XDECREF(negated);
    Py_DECREF(gradient);
    return plain;
}

void tensor_name_error(const char *name) {
    PyObject *type, *value, *trace, *message;
    const char *text;
    char line[200] = "it has no memory that the CPU can read";
    if (!PyErr_ExceptionMatches(PyExc_RuntimeError) || PyErr_ExceptionMatches(PyExc_RecursionError)) {
        core_name_error(name);
        return;
    }
    PyErr_Fetch(&type, &value, &trace);
    message = value == NULL ? NULL : PyObject_Str(value);
    text = message == NULL ? NULL : PyUnicode_AsUTF8AndSize(message, NULL);
    if (text != NULL) PyOS_snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    PyErr_Format(PyExc_BufferError, "%s: %s", name, line);
    Py_XDECREF(message);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

/* ---- types ---- */

/* torch's name, libpto's type and DLPack's type of each torch dtype. torch.bool must be last, after uint8. */
static const struct {
    const char *name;
    int type;
    struct dl_type dl;
} known[] = {{"uint8", PTO_U8, {DL_UINT, 8, 1}},
             {"uint16", PTO_U16, {DL_UINT, 16, 1}},
             {"uint32", PTO_U32, {DL_UINT, 32, 1}},
             {"uint64", PTO_U64, {DL_UINT, 64, 1}},
             {"int8", PTO_S8, {DL_INT, 8, 1}},
             {"int16", PTO_S16, {DL_INT, 16, 1}},
             {"int32", PTO_S32, {DL_INT, 32, 1}},
             {"int64", PTO_S64, {DL_INT, 64, 1}},
             {"float16", PTO_F16, {DL_FLOAT, 16, 1}},
             {"bfloat16", PTO_BF16, {DL_BFLOAT, 16, 1}},
             {"float32", PTO_F32, {DL_FLOAT, 32, 1}},
             {"float64", PTO_F64, {DL_FLOAT, 64, 1}},
             {"float8_e4m3fn", PTO_E4M3, {DL_E4M3FN, 8, 1}},
             {"float8_e5m2", PTO_E5M2, {DL_E5M2, 8, 1}},
             {"float8_e4m3fnuz", PTO_E4M3FNUZ, {DL_E4M3FNUZ, 8, 1}},
             {"float8_e5m2fnuz", PTO_E5M2FNUZ, {DL_E5M2FNUZ, 8, 1}},
             {"float8_e8m0fnu", PTO_UE8M0, {DL_E8M0FNU, 8, 1}},
             {"float4_e2m1fn_x2", PTO_E2M1, {DL_E2M1FN, 4, 2}},
             {"bool", PTO_U8, {DL_BOOL, 8, 1}}};
enum { KNOWN = sizeof known / sizeof *known };

int tensor_dtype(PyObject *object) {
    PyObject *text = PyObject_Str((PyObject *)Py_TYPE(object));
    const char *words = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, NULL);
    int type = -2;
    if (words != NULL && strcmp(words, "<class 'torch.dtype'>") == 0) {
        type = NO_TYPE;
        Py_DECREF(text);
        text = PyObject_Str(object); /* such as torch.bfloat16 */
        words = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, NULL);
        for (int i = 0; words != NULL && i < KNOWN; ++i)
            if (strncmp(words, "torch.", 6) == 0 && strcmp(words + 6, known[i].name) == 0)
                type = known[i].type;
    }
    Py_XDECREF(text);
    PyErr_Clear();
    return type;
}

struct dl_type tensor_type(int type, PyArray_Descr *descr) {
    const uint8_t bits = (uint8_t)(8 * PyDataType_ELSIZE(descr));
    if (descr->kind == 'b') return (struct dl_type){DL_BOOL, 8, 1};
    for (int i = 0; i < KNOWN; ++i)
        if (known[i].type == type && type != PTO_E2M1) return known[i].dl;
    return (struct dl_type){descr->kind == 'f' ? DL_FLOAT : descr->kind == 'i' ? DL_INT : DL_UINT, bits, 1};
}

/* ---- results ---- */

struct owned {
    struct dl_versioned managed;
    int64_t sizes[]; /* the shape, then the strides */
};

/* The deleter of a tensor. torch may call it in a thread without the GIL, or after Python was finalised. */
static void release(struct dl_versioned *self) {
    if (Py_IsInitialized()) {
        const PyGILState_STATE state = PyGILState_Ensure();
        Py_DECREF((PyObject *)self->manager);
        PyGILState_Release(state);
    }
    free(self);
}

/* Returns a DLPack tensor over the array's memory, and takes over the reference to the array. Returns NULL with an
 * exception, and then does not take it over. */
static struct dl_versioned *manage(PyArrayObject *array, struct dl_type type) {
    const int nd = PyArray_NDIM(array);
    struct owned *o = malloc(sizeof *o + 2 * (size_t)nd * sizeof *o->sizes);
    if (o == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (int i = 0; i < nd; ++i) {
        o->sizes[i] = PyArray_DIM(array, i);
        o->sizes[nd + i] = PyArray_STRIDE(array, i) / PyArray_ITEMSIZE(array);
    }
    o->managed = (struct dl_versioned){
        .major = 1,
        .minor = 0,
        .manager = array,
        .deleter = release,
        .tensor = {.data = PyArray_DATA(array),
                   .device_type = DL_CPU,
                   .ndim = nd,
                   .dtype = type,
                   .shape = o->sizes,
                   .strides = o->sizes + nd},
    };
    return &o->managed;
}

/* Makes a tensor with a torch that lacks the table of C functions, in Python code that calls torch.from_numpy. */
static PyObject *tensor_by_name(PyArrayObject *array, struct dl_type type) {
    const char *name = NULL;
    PyObject *module = PyImport_ImportModule("pto._tensors"), *tensor;
    for (int i = 0; i < KNOWN; ++i)
        if (memcmp(&known[i].dl, &type, sizeof type) == 0) name = known[i].name;
    tensor = module == NULL ? NULL : PyObject_CallMethod(module, "from_numpy", "Os", (PyObject *)array, name);
    Py_XDECREF(module);
    return tensor;
}

PyObject *tensor_of(PyArrayObject *array, struct dl_type type) {
    const struct dl_exchange *table = atomic_load(&exchange_table);
    struct dl_versioned *managed;
    void *tensor = NULL;
    if (table == NULL) {
        tensor = tensor_by_name(array, type);
        Py_DECREF(array);
        return tensor;
    }
    managed = manage(array, type);
    if (managed == NULL) {
        Py_DECREF(array);
        return NULL;
    }
    return table->object_from_managed(managed, &tensor) == 0 ? tensor : NULL;
}
