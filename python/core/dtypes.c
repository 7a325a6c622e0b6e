/* SPDX-License-Identifier: MIT */
/* Conversion between NumPy's dtypes and libpto's types. */
#include "dtypes.h"

#include "tensors.h"

#include <stdatomic.h>
#include <string.h>

/* ml_dtypes' names for the types that NumPy lacks. look_for() sets descr; it stays NULL if ml_dtypes lacks the type. */
static struct {
    pto_dtype type;
    const char *name;
    PyArray_Descr *descr;
} foreign[] = {{PTO_BF16, "bfloat16", NULL},
               {PTO_E4M3, "float8_e4m3fn", NULL},
               {PTO_E5M2, "float8_e5m2", NULL},
               {PTO_E2M3, "float6_e2m3fn", NULL},
               {PTO_E3M2, "float6_e3m2fn", NULL},
               {PTO_E2M1, "float4_e2m1fn", NULL},
               {PTO_UE8M0, "float8_e8m0fnu", NULL},
               {PTO_E4M3FNUZ, "float8_e4m3fnuz", NULL},
               {PTO_E5M2FNUZ, "float8_e5m2fnuz", NULL},
               {PTO_E4M3B11FNUZ, "float8_e4m3b11fnuz", NULL},
               {PTO_E4M3IEEE, "float8_e4m3", NULL},
               {PTO_E3M4, "float8_e3m4", NULL},
               {PTO_U4, "uint4", NULL},
               {PTO_S4, "int4", NULL}};
enum { FOREIGN = sizeof foreign / sizeof *foreign };

static atomic_bool looked_for;

/* Imports ml_dtypes on the first call and stores its dtypes in foreign[]. Returns false with an exception if the import
 * fails otherwise than by an ImportError; a missing package or type is not an error. */
static bool look_for(void) {
    PyObject *module;
    if (atomic_load(&looked_for)) return true;
    module = PyImport_ImportModule("ml_dtypes");
    if (module == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_ImportError)) return false;
        PyErr_Clear();
    }
    for (int i = 0; module != NULL && i < FOREIGN; ++i) {
        PyObject *scalar = PyObject_GetAttrString(module, foreign[i].name);
        PyArray_Descr *descr = NULL;
        if (scalar == NULL || !PyArray_DescrConverter(scalar, &descr)) PyErr_Clear();
        Py_XDECREF(scalar);
        foreign[i].descr = descr;
    }
    Py_XDECREF(module);
    atomic_store(&looked_for, true);
    return true;
}

bool dtype_is_foreign(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    if (pto_dtype_bits(type) < 8) return true;
    return class == PTO_CLASS_PACKED || (class == PTO_CLASS_FLOAT && type != PTO_F16 && type != PTO_F32 &&
                                         type != PTO_F64 && type != PTO_TF32);
}

/* Returns the type with this size in a family of four consecutive types of 1, 2, 4 and 8 bytes, or NO_TYPE. */
static int of_width(pto_dtype narrowest, npy_intp bytes) {
    switch (bytes) {
    case 1: return (int)narrowest;
    case 2: return (int)narrowest + 1;
    case 4: return (int)narrowest + 2;
    case 8: return (int)narrowest + 3;
    default: return NO_TYPE;
    }
}

int dtype_type(PyArray_Descr *descr) {
    if (descr->type_num >= NPY_USERDEF) {
        if (!look_for()) return -2;
        for (int i = 0; i < FOREIGN; ++i)
            if (foreign[i].descr != NULL && foreign[i].descr->type_num == descr->type_num)
                return (int)foreign[i].type;
        return NO_TYPE;
    }
    switch (descr->kind) {
    case 'b': return PTO_U8;
    case 'u': return of_width(PTO_U8, PyDataType_ELSIZE(descr));
    case 'i': return of_width(PTO_S8, PyDataType_ELSIZE(descr));
    case 'f':
        switch (PyDataType_ELSIZE(descr)) {
        case 2: return PTO_F16;
        case 4: return PTO_F32;
        case 8: return PTO_F64;
        default: return NO_TYPE;
        }
    default: return NO_TYPE;
    }
}

static int number_of_width(size_t bits) {
    return bits <= 8 ? NPY_UINT8 : bits == 16 ? NPY_UINT16 : bits == 32 ? NPY_UINT32 : NPY_UINT64;
}

PyArray_Descr *dtype_descr(pto_dtype type) {
    if (dtype_is_foreign(type) && pto_dtype_bits(type) >= 8) { /* those of 4 bits are packed */
        if (!look_for()) return NULL;
        for (int i = 0; i < FOREIGN; ++i)
            if (foreign[i].type == type && foreign[i].descr != NULL) {
                Py_INCREF(foreign[i].descr);
                return foreign[i].descr;
            }
    }
    switch (type) {
    case PTO_S8: return PyArray_DescrFromType(NPY_INT8);
    case PTO_S16: return PyArray_DescrFromType(NPY_INT16);
    case PTO_S32: return PyArray_DescrFromType(NPY_INT32);
    case PTO_S64: return PyArray_DescrFromType(NPY_INT64);
    case PTO_F16: return PyArray_DescrFromType(NPY_FLOAT16);
    case PTO_TF32:
    case PTO_F32: return PyArray_DescrFromType(NPY_FLOAT32);
    case PTO_F64: return PyArray_DescrFromType(NPY_FLOAT64);
    default: return PyArray_DescrFromType(number_of_width(pto_dtype_bits(type)));
    }
}

/* Returns whether text is the name of a type here and NumPy's code of a wider integer that programs use. Both are
 * refused; they are also named uint2 and uint4. */
static bool is_narrow_code(const char *text) {
    return strcmp(text, "u2") == 0 || strcmp(text, "u4") == 0;
}

/* Returns whether text looks like one of NumPy's codes of a letter and a byte count. They are refused because PTX's
 * names count bits: 'u4' is uint32 in NumPy, but a 4-bit type here. */
static bool is_ambiguous(const char *text) {
    return strchr("biufc", text[0]) != NULL && text[0] != '\0' && text[1] >= '0' && text[1] <= '9';
}

static int refuse_ambiguous(PyObject *object, const char *text, const char *argument) {
    PyArray_Descr *descr = NULL;
    PyObject *name = NULL;
    if (PyArray_DescrConverter(object, &descr)) name = PyObject_GetAttrString((PyObject *)descr, "name");
    PyErr_Clear();
    if (name != NULL)
        PyErr_Format(
            PyExc_TypeError,
            "%s: '%s' is ambiguous: it counts bytes in NumPy, where it is '%S', and names here count bits; "
            "write '%S', or one of pto.dtypes()",
            argument, text, name, name);
    else
        PyErr_Format(PyExc_TypeError, "%s: '%s' is neither one of pto.dtypes() nor a dtype", argument, text);
    Py_XDECREF(name);
    Py_XDECREF((PyObject *)descr);
    return -2;
}

static int descr_named(PyObject *object, const char *argument) {
    PyArray_Descr *descr = NULL;
    int type = tensor_dtype(object);
    if (type == NO_TYPE) {
        PyErr_Format(PyExc_TypeError, "%s: libpto has no type for %S", argument, object);
        return -2;
    }
    if (type >= 0) return type;
    if (!PyArray_DescrConverter(object, &descr)) {
        PyErr_Format(PyExc_TypeError, "%s: %R is neither one of pto.dtypes() nor a dtype", argument, object);
        return -2;
    }
    type = dtype_type(descr);
    if (type == NO_TYPE) {
        PyErr_Format(PyExc_TypeError, "%s: libpto has no type for the dtype %S", argument, (PyObject *)descr);
        type = -2;
    }
    Py_DECREF(descr);
    return type;
}

int dtype_named(PyObject *object, const char *argument) {
    static const struct {
        const char *name;
        pto_dtype type;
    } narrow[] = {{"uint2", PTO_U2}, {"int2", PTO_S2}, {"uint4", PTO_U4}, {"int4", PTO_S4}};
    pto_dtype type;
    const char *text;
    if (object == Py_None) return NO_TYPE;
    if (!PyUnicode_Check(object)) return descr_named(object, argument);
    text = core_text(object, argument);
    if (text == NULL) return -2;
    for (int i = 0; i < 4; ++i)
        if (strcmp(text, narrow[i].name) == 0) return (int)narrow[i].type;
    if (!is_narrow_code(text) && pto_parse_dtype(text, &type, NULL) == PTO_OK) return (int)type;
    if (is_ambiguous(text)) return refuse_ambiguous(object, text, argument);
    return descr_named(object, argument);
}
