/* SPDX-License-Identifier: MIT */
/* Functions of pto._core for instruction sets, threads, the version, and random bits. */
#include "job.h"
#include "pool.h"
#include "watch.h"

#include <string.h>

/* isa_available(isa), isa_active(), isa_use(isa): `isa` is a value of pto_isa; isa_active() returns a name. */
static PyObject *isa_available(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    long isa;
    (void)module;
    if (!core_counted("isa_available", count, 1)) return NULL;
    isa = PyLong_AsLong(args[0]);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(pto_isa_available((pto_isa)isa));
}

static PyObject *isa_active(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("isa_active", count, 0) ? PyUnicode_FromString(pto_isa_name(pto_isa_active())) : NULL;
}

static PyObject *isa_use(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_status status;
    long isa;
    (void)module;
    if (!core_counted("isa_use", count, 1)) return NULL;
    isa = PyLong_AsLong(args[0]);
    if (PyErr_Occurred()) return NULL;
    status = pto_isa_use((pto_isa)isa);
    if (status != PTO_OK) {
        core_raise(status, pto_isa_name((pto_isa)isa));
        return NULL;
    }
    return Py_NewRef(Py_None);
}

/* threads(), set_threads(k): get and set how many threads a call may use. */
static PyObject *threads(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("threads", count, 0) ? PyLong_FromSize_t(pool_threads()) : NULL;
}

static PyObject *set_threads(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    npy_intp wanted;
    (void)module;
    if (!core_counted("set_threads", count, 1) || !core_number(args[0], "threads", &wanted)) return NULL;
    if (wanted < 1) return PyErr_Format(PyExc_ValueError, "threads: 1 or more, not %zd", wanted);
    pool_set_threads((size_t)wanted);
    return Py_NewRef(Py_None);
}

static PyObject *version(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("version", count, 0) ? PyUnicode_FromString(pto_version()) : NULL;
}

/* set_image(class): stores the class pto.Image, in which predicate images are passed. */
static PyObject *set_image(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!core_counted("set_image", count, 1)) return NULL;
    Py_INCREF(args[0]);
    Py_XDECREF(job_image);
    job_image = args[0];
    return Py_NewRef(Py_None);
}

/* ---- random bits ---- */

/* Splits an integer into `count` words of 32 bits, the lowest first. Returns false with an exception if the object is
 * not an integer, is negative or has more bits. */
static bool words_of(PyObject *number, const char *name, uint32_t *words, int count) {
    PyObject *bits = PyLong_FromLong(32), *rest = PyNumber_Index(number);
    if (rest == NULL) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: a whole number is wanted, not %R", name, number);
    }
    for (int i = 0; bits != NULL && rest != NULL && i < count; ++i) {
        PyObject *next = PyNumber_Rshift(rest, bits);
        words[i] = (uint32_t)PyLong_AsUnsignedLongLongMask(rest);
        Py_DECREF(rest);
        rest = next;
    }
    if (rest != NULL && !PyErr_Occurred() && PyObject_IsTrue(rest) != 0)
        PyErr_Format(PyExc_ValueError, "%s: a number from 0 to 2**%d - 1 is wanted, not %R", name, 32 * count,
                     number);
    Py_XDECREF(rest);
    Py_XDECREF(bits);
    return !PyErr_Occurred();
}

enum { WORDS_AT_ONCE = 1 << 22 };

/* Adds `steps` to a counter of 128 bits. Every four words of random bits use one value of the counter. */
static void count_on(uint32_t counter[4], uint32_t steps) {
    uint64_t carry = steps;
    for (int i = 0; i < 4; ++i) {
        carry += counter[i];
        counter[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static pto_status fill_with_bits(const uint32_t key[2], uint32_t counter[4], uint32_t *words, size_t n,
                                 watch *w) {
    for (size_t i = 0; i < n && !watch_stopped(w); i += WORDS_AT_ONCE) {
        const size_t some = n - i < WORDS_AT_ONCE ? n - i : WORDS_AT_ONCE;
        const pto_status status = pto_random_bits(key, counter, words + i, some);
        if (status != PTO_OK) return status;
        count_on(counter, WORDS_AT_ONCE / 4);
    }
    return PTO_OK;
}

/* random_bits(key, counter, words): returns an array of `words` uint32. */
static PyObject *random_bits(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (!core_counted("random_bits", count, 3)) return NULL;
    uint32_t key[2], counter[4];
    npy_intp words;
    PyObject *array;
    watch w;
    pto_status status;
    bool whole;
    if (!words_of(args[0], "key", key, 2) || !words_of(args[1], "counter", counter, 4)) return NULL;
    if (!core_number(args[2], "words", &words)) return NULL;
    if (words < 0) return PyErr_Format(PyExc_ValueError, "words: not negative");
    array = PyArray_SimpleNew(1, &words, NPY_UINT32);
    if (array == NULL) return NULL;
    watch_begin(&w);
    status = fill_with_bits(key, counter, PyArray_DATA((PyArrayObject *)array), (size_t)words, &w);
    whole = watch_end(&w);
    if (whole && status == PTO_OK) return array;
    Py_DECREF(array);
    if (whole) core_raise(status, "random_bits");
    return NULL;
}

PyMethodDef system_methods[] = {
    CORE_FUNCTION(isa_available), CORE_FUNCTION(isa_active),  CORE_FUNCTION(isa_use),
    CORE_FUNCTION(threads),       CORE_FUNCTION(set_threads), CORE_FUNCTION(version),
    CORE_FUNCTION(set_image),     CORE_FUNCTION(random_bits), {NULL, NULL, 0, NULL}};
