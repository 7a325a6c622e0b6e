/* SPDX-License-Identifier: MIT */
/*
 * Converts Python numbers to floating-point elements with a single rounding.
 *
 * Every number is first converted to an f64 that is exact or rounded to odd. For types narrower than f32 it is then
 * converted to an f32 that is exact or rounded to odd. Rounding to odd records in the lowest bit that bits were lost.
 * The final rounding to nearest even then has the same result as a single rounding of the exact value, because the
 * intermediate formats have at least two bits more precision than the results.
 */
#include "numbers.h"

#include "views.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum rounding { TO_NEAREST, TO_ODD };

/* ---- f64 to f32, with integer instructions, because the thread may flush subnormals to zero ---- */

/* Returns m / 2^shift, rounded to an integer. */
static uint64_t shift_right(uint64_t m, int shift, enum rounding rounding) {
    const uint64_t q = shift > 63 ? 0 : m >> shift, rest = shift > 63 ? m : m & ((UINT64_C(1) << shift) - 1);
    uint64_t half;
    if (rounding == TO_ODD) return q | (rest != 0);
    if (shift > 63) return q;
    half = UINT64_C(1) << (shift - 1);
    return q + (rest > half || (rest == half && (q & 1) != 0));
}

static uint32_t f32_of_f64(double x, enum rounding rounding) {
    uint64_t bits, m;
    uint32_t sign;
    int exponent;
    memcpy(&bits, &x, sizeof bits);
    sign = (uint32_t)(bits >> 32) & 0x80000000U;
    exponent = (int)(bits >> 52 & 0x7ff);
    m = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff) return sign | 0x7f800000U | (m == 0 ? 0 : 0x00400000U | (uint32_t)(m >> 29));
    if (exponent != 0) m |= UINT64_C(1) << 52;
    exponent += 127 - 1023;
    if (exponent >= 255) return sign | (rounding == TO_ODD ? 0x7f7fffffU : 0x7f800000U);
    if (exponent <= 0) return sign | (uint32_t)shift_right(m, 29 + 1 - exponent, rounding);
    /* A carry out of the mantissa increments the exponent, and turns the largest finite value into infinity. */
    return sign | (uint32_t)(((uint64_t)(exponent - 1) << 23) + shift_right(m, 29, rounding));
}

/* ---- numbers to f64 ---- */

/* Stores the top 63 bits of a positive integer of more than 63 bits in *top, and the number of bits below in *shift,
 * which is limited to 4096. The lowest bit of *top is also set if any bit below is. Returns false with an exception.
 * */
static bool top_of(PyObject *n, uint64_t *top, int *shift) {
    PyObject *length = PyObject_CallMethod(n, "bit_length", NULL), *by = NULL, *high = NULL, *again = NULL;
    const Py_ssize_t bits = length == NULL ? -1 : PyLong_AsSsize_t(length);
    int same = -1;
    if (bits > 0) {
        *shift = bits > 4096 ? 4096 : (int)(bits - 63);
        by = PyLong_FromSsize_t(bits - 63);
        high = by == NULL ? NULL : PyNumber_Rshift(n, by);
        again = high == NULL ? NULL : PyNumber_Lshift(high, by);
        same = again == NULL ? -1 : PyObject_RichCompareBool(again, n, Py_EQ);
    }
    if (same >= 0) *top = PyLong_AsUnsignedLongLong(high) | (same == 0);
    Py_XDECREF(length);
    Py_XDECREF(by);
    Py_XDECREF(high);
    Py_XDECREF(again);
    return same >= 0 && !PyErr_Occurred();
}

/* Returns m * 2^shift as an f64. */
static double f64_of_integer(uint64_t m, int shift, enum rounding rounding) {
    while (m >> 53 != 0) {
        int excess = 1;
        while (m >> 53 >> excess != 0) ++excess;
        m = shift_right(m, excess, rounding); /* rounding may carry into bit 53, so the loop runs again */
        shift += excess;
    }
    return ldexp((double)m, shift);
}

static bool f64_of_int(PyObject *n, enum rounding rounding, double *value) {
    int overflow, shift = 0;
    const long long small = PyLong_AsLongLongAndOverflow(n, &overflow);
    bool negative = small < 0;
    uint64_t m = negative ? 0 - (uint64_t)small : (uint64_t)small;
    if (small == -1 && overflow == 0 && PyErr_Occurred()) return false;
    if (overflow != 0) {
        PyObject *magnitude = PyNumber_Absolute(n);
        const bool good = magnitude != NULL && top_of(magnitude, &m, &shift);
        Py_XDECREF(magnitude);
        if (!good) return false;
        negative = overflow < 0;
    }
    *value = f64_of_integer(m, shift, rounding);
    if (negative) *value = -*value;
    return true;
}

/* Converts a long double, which may be x87's 80-bit format or quadruple precision, to f64. */
static double f64_of_long_double(long double x, enum rounding rounding) {
    const double near = (double)x;
    uint64_t bits;
    double odd = near;
    if (rounding == TO_NEAREST || (long double)near == x || x != x) return near;
    if (isinf(near) || fabsl((long double)near) > fabsl(x)) odd = nextafter(near, 0.0);
    memcpy(&bits, &odd, sizeof bits);
    bits |= 1;
    memcpy(&odd, &bits, sizeof bits);
    return odd;
}

/* Converts a number to f64. Returns 1, 0 if the object is not a number, or -1 with an exception. */
static int f64_of_number(PyObject *x, enum rounding rounding, double *value) {
    PyObject *integer;
    int found;
    if (PyFloat_Check(x)) {
        *value = PyFloat_AsDouble(x);
        return 1;
    }
    if (PyLong_Check(x)) return f64_of_int(x, rounding, value) ? 1 : -1;
    if (PyArray_IsScalar(x, Bool)) {
        *value = PyObject_IsTrue(x);
        return 1;
    }
    if (PyArray_IsScalar(x, LongDouble)) {
        long double wide;
        PyArray_ScalarAsCtype(x, &wide);
        *value = f64_of_long_double(wide, rounding);
        return 1;
    }
    if (PyArray_IsScalar(x, Floating)) { /* f16 and f32, which are exact */
        *value = PyFloat_AsDouble(x);
        return *value == -1 && PyErr_Occurred() ? -1 : 1;
    }
    if (!PyArray_IsScalar(x, Integer)) return 0;
    integer = PyNumber_Index(x);
    found = integer != NULL && f64_of_int(integer, rounding, value) ? 1 : -1;
    Py_XDECREF(integer);
    return found;
}

/* ---- f64 to elements ---- */

static pto_cast_op from_f32(pto_dtype type) {
    return (pto_cast_op){.dst = type, .src = PTO_F32, .round = PTO_RN};
}

/* Rounds the bits of an f32 to nearest even and stores an element of a type narrower than f32. */
static void narrow(pto_dtype type, uint32_t f32, void *element) {
    if (pto_cast(from_f32(type), &f32, element, NULL, 1) != PTO_OK)
        Py_FatalError("a type of numbers_round() without a cast");
}

static void set_element(pto_dtype type, double x, char *element) {
    uint32_t f32;
    if (type == PTO_F64) {
        memcpy(element, &x, sizeof x);
        return;
    }
    f32 = f32_of_f64(x, type == PTO_F32 ? TO_NEAREST : TO_ODD);
    if (type == PTO_F32)
        memcpy(element, &f32, sizeof f32);
    else
        narrow(type, f32, element);
}

bool numbers_round(pto_dtype type) {
    const bool packed = pto_dtype_bits(type) < 6;
    return pto_dtype_class(type) == PTO_CLASS_FLOAT && !packed && pto_cast_check(from_f32(type)) == PTO_OK;
}

/* ---- arrays of them ---- */

/* Converts an array of Python objects to elements. Returns 1, 0 if one of the objects is not a number, or -1 with an
 * exception. */
static int fill(PyArrayObject *leaves, pto_dtype type, PyArrayObject *array) {
    const enum rounding rounding = type == PTO_F64 ? TO_NEAREST : TO_ODD;
    PyObject *const *leaf = PyArray_DATA(leaves);
    char *at = PyArray_BYTES(array);
    int found = 1;
    for (npy_intp i = 0; found == 1 && i < PyArray_SIZE(leaves); ++i, at += PyArray_ITEMSIZE(array)) {
        double value;
        found = f64_of_number(leaf[i], rounding, &value);
        if (found == 1) set_element(type, value, at);
    }
    return found;
}

/* Makes an array from nested sequences of numbers. Returns 1, 0 if one of their items is not a number, or -1 with an
 * exception. */
static int array_of(PyObject *object, pto_dtype type, PyArray_Descr *descr, PyArrayObject **array) {
    PyArrayObject *leaves = (PyArrayObject *)PyArray_FromAny(object, PyArray_DescrFromType(NPY_OBJECT), 0, 0,
                                                             NPY_ARRAY_CARRAY_RO, NULL);
    int filled;
    if (leaves == NULL) return -1;
    Py_INCREF(descr);
    *array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, descr, PyArray_NDIM(leaves),
                                                   PyArray_DIMS(leaves), NULL, NULL, 0, NULL);
    filled = *array == NULL ? -1 : fill(leaves, type, *array);
    if (filled != 1) Py_CLEAR(*array);
    Py_DECREF(leaves);
    return filled;
}

/* Makes an array from sequences that contain other objects than numbers, such as arrays of one element. NumPy converts
 * them to numbers first, if it can. */
static int array_of_plain(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr,
                          PyArrayObject **array) {
    PyArrayObject *plain = view_plain(object, name);
    int made = 0;
    if (plain == NULL) return -1;
    if (strchr("biuf", PyArray_DESCR(plain)->kind) != NULL)
        made = array_of((PyObject *)plain, type, descr, array);
    if (made == 0)
        PyErr_Format(PyExc_TypeError, "%s: %s cannot be made of this %S", name, pto_dtype_name(type),
                     (PyObject *)PyArray_DESCR(plain));
    Py_DECREF(plain);
    return made;
}

PyArrayObject *numbers_array(PyObject *object, const char *name, pto_dtype type, PyArray_Descr *descr) {
    PyArrayObject *array = NULL;
    double value;
    int made = f64_of_number(object, type == PTO_F64 ? TO_NEAREST : TO_ODD, &value);
    if (made == 1) {
        array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, descr, 0, NULL, NULL, NULL, 0, NULL);
        if (array != NULL) set_element(type, value, PyArray_BYTES(array));
        return array;
    }
    if (made == 0) made = view_without_masks(object, name) ? array_of(object, type, descr, &array) : -1;
    if (made == 0) (void)array_of_plain(object, name, type, descr, &array);
    Py_DECREF(descr);
    return array;
}
