/* SPDX-License-Identifier: MIT */
/* Functions of pto._core that parse and explain instructions, list names and list legal forms. */
#include "core.h"

#include <string.h>

/* ---- ops as bytes ---- */

bool core_op_get(PyObject *object, void *op, size_t size) {
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(object, &bytes, &length) != 0) return false;
    if ((size_t)length != size) {
        PyErr_SetString(PyExc_TypeError, "these bytes are no such op");
        return false;
    }
    memcpy(op, bytes, size);
    return true;
}

PyObject *core_op_make(const void *op, size_t size) {
    return PyBytes_FromStringAndSize(op, (Py_ssize_t)size);
}

/* ---- parsers ---- */

/* Returns the bytes of a parsed op, or raises an error. As in the command `pto explain`, the message shows the text
 * with a mark below the position of the error. */
static PyObject *parsed(PyObject *text, pto_status status, const pto_parse_error *error, const void *op,
                        size_t size) {
    char mark[64] = {0};
    if (status == PTO_OK) return core_op_make(op, size);
    if (error->at + 3 < sizeof mark) {
        mark[0] = '\n';
        memset(mark + 1, ' ', error->at);
        mark[error->at + 1] = '^';
    }
    return PyErr_Format(status == PTO_ERR_TYPE ? PyExc_TypeError : PyExc_ValueError, "%U%s\n%s", text, mark,
                        error->text);
}

/* parse_cvt(text), parse_setp(text), parse_set(text): return the bytes of the op. */
static PyObject *parse_cvt(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_parse_error error;
    pto_cvt_op op;
    const char *text;
    (void)module;
    if (!core_counted("parse_cvt", count, 1) || (text = core_text(args[0], "text")) == NULL) return NULL;
    return parsed(args[0], pto_parse_cvt(text, &op, &error), &error, &op, sizeof op);
}

static PyObject *parse_setp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_parse_error error;
    pto_setp_op op;
    const char *text;
    (void)module;
    if (!core_counted("parse_setp", count, 1) || (text = core_text(args[0], "text")) == NULL) return NULL;
    return parsed(args[0], pto_parse_setp(text, &op, &error), &error, &op, sizeof op);
}

static PyObject *parse_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_parse_error error;
    pto_set_op op;
    const char *text;
    (void)module;
    if (!core_counted("parse_set", count, 1) || (text = core_text(args[0], "text")) == NULL) return NULL;
    return parsed(args[0], pto_parse_set(text, &op, &error), &error, &op, sizeof op);
}

/* ---- descriptions of ops ---- */

/* explain_cvt(op), explain_setp(op), explain_set(op): return a description in English. */
static PyObject *explain_cvt(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    char words[PTO_EXPLAIN_SIZE];
    pto_cvt_op op;
    (void)module;
    if (!core_counted("explain_cvt", count, 1) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    if (pto_cvt_explain(op, words, sizeof words) != PTO_OK) words[0] = '\0';
    return PyUnicode_FromString(words);
}

static PyObject *explain_setp(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    char words[PTO_EXPLAIN_SIZE];
    pto_setp_op op;
    (void)module;
    if (!core_counted("explain_setp", count, 1) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    if (pto_setp_explain(op, words, sizeof words) != PTO_OK) words[0] = '\0';
    return PyUnicode_FromString(words);
}

static PyObject *explain_set(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    char words[PTO_EXPLAIN_SIZE];
    pto_set_op op;
    (void)module;
    if (!core_counted("explain_set", count, 1) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    if (pto_set_explain(op, words, sizeof words) != PTO_OK) words[0] = '\0';
    return PyUnicode_FromString(words);
}

static PyObject *flag(bool on) {
    return PyBool_FromLong(on);
}

/* cvt_fields(op): returns (dst, src, round, ftz, sat, satfinite, relu, pzo, scale). */
static PyObject *cvt_fields(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pto_cvt_op op;
    (void)module;
    if (!core_counted("cvt_fields", count, 1) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    return Py_BuildValue("ssiNNNNNi", pto_dtype_name(op.dst), pto_dtype_name(op.src), (int)op.round,
                         flag(op.ftz), flag(op.sat), flag(op.satfinite), flag(op.relu), flag(op.pzo),
                         (int)op.scale);
}

/* cvt_since(op): returns the PTX ISA version that introduced the form, and the first target that supports it. */
static PyObject *cvt_since(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const char *target;
    pto_status status;
    pto_cvt_op op;
    int isa;
    (void)module;
    if (!core_counted("cvt_since", count, 1) || !core_op_get(args[0], &op, sizeof op)) return NULL;
    status = pto_cvt_since(op, &isa);
    if (status == PTO_OK) status = pto_cvt_target(op, &target);
    if (status == PTO_OK) return Py_BuildValue("is", isa, target);
    core_raise(status, "cvt_since");
    return NULL;
}

/* ---- legal forms ---- */

/* Returns the tuple (PTX text, or None if PTX lacks the form; op; PTX ISA version; first target) of form i. */
static PyObject *cvt_entry(size_t i) {
    char text[PTO_TEXT_SIZE];
    const char *target, *spelled = text;
    pto_cvt_op op;
    int since;
    memset(&op, 0, sizeof op);
    if (pto_cvt_form(i, &op) != PTO_OK || pto_cvt_since(op, &since) != PTO_OK ||
        pto_cvt_target(op, &target) != PTO_OK)
        return PyErr_Format(PyExc_SystemError, "form %zu", i);
    if (!pto_cvt_is_ptx(op)) spelled = NULL;
    if (spelled != NULL && pto_format_cvt(op, text, sizeof text) != PTO_OK)
        return PyErr_Format(PyExc_SystemError, "form %zu", i);
    return Py_BuildValue("zy#is", spelled, (const char *)&op, (Py_ssize_t)sizeof op, since, target);
}

static PyObject *setp_entry(size_t i) {
    char text[PTO_TEXT_SIZE];
    pto_setp_op op;
    if (pto_setp_form(i, &op) != PTO_OK || pto_format_setp(op, text, sizeof text) != PTO_OK)
        return PyErr_Format(PyExc_SystemError, "form %zu", i);
    return PyUnicode_FromString(text);
}

static PyObject *set_entry(size_t i) {
    char text[PTO_TEXT_SIZE];
    pto_set_op op;
    if (pto_set_form(i, &op) != PTO_OK || pto_format_set(op, text, sizeof text) != PTO_OK)
        return PyErr_Format(PyExc_SystemError, "form %zu", i);
    return PyUnicode_FromString(text);
}

static PyObject *vcvt_entry(size_t i) {
    pto_vcvt_op op;
    if (pto_vcvt_form(i, &op) != PTO_OK) return PyErr_Format(PyExc_SystemError, "form %zu", i);
    return Py_BuildValue("ssiN", pto_dtype_name(op.dst), pto_dtype_name(op.src), (int)op.rnd, flag(op.sat));
}

static PyObject *listed(size_t count, PyObject *entry(size_t)) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; ++i) {
        PyObject *one = entry(i);
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* cvt_forms(), setp_forms(), set_forms(), vcvt_forms(): return the lists of all legal forms. */
static PyObject *cvt_forms(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("cvt_forms", count, 0) ? listed(pto_cvt_form_count(), cvt_entry) : NULL;
}

static PyObject *setp_forms(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("setp_forms", count, 0) ? listed(pto_setp_form_count(), setp_entry) : NULL;
}

static PyObject *set_forms(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("set_forms", count, 0) ? listed(pto_set_form_count(), set_entry) : NULL;
}

static PyObject *vcvt_forms(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("vcvt_forms", count, 0) ? listed(pto_vcvt_form_count(), vcvt_entry) : NULL;
}

/* Returns the list of name(0), name(1), and so on, up to the first that starts with '?', which means an unknown
 * value. */
static PyObject *names_of(const char *name(int)) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && *name(i) != '?'; ++i) {
        PyObject *one = PyUnicode_FromString(name(i));
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static const char *dtype_name(int i) {
    return pto_dtype_name((pto_dtype)i);
}

static const char *isa_name(int i) {
    return pto_isa_name((pto_isa)i);
}

/* dtype_names(), isa_names(): return the names in the order of the C enumeration. */
static PyObject *dtype_names(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("dtype_names", count, 0) ? names_of(dtype_name) : NULL;
}

static PyObject *isa_names(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    (void)args;
    return core_counted("isa_names", count, 0) ? names_of(isa_name) : NULL;
}

/* rule_numbers(): returns a dict of the names of the block rules and their values. Not every value is a rule. */
static PyObject *rule_numbers(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *numbers;
    (void)module;
    (void)args;
    numbers = core_counted("rule_numbers", count, 0) ? PyDict_New() : NULL;
    for (int i = 0; numbers != NULL && i < PTO_BLOCK_RULE_LIMIT; ++i) {
        const char *const name = pto_block_rule_name((pto_block_rule)i);
        PyObject *number;
        if (*name == '?') continue;
        number = PyLong_FromLong(i);
        if (number == NULL || PyDict_SetItemString(numbers, name, number) != 0) Py_CLEAR(numbers);
        Py_XDECREF(number);
    }
    return numbers;
}

PyMethodDef text_methods[] = {
    CORE_FUNCTION(parse_cvt),   CORE_FUNCTION(parse_setp),   CORE_FUNCTION(parse_set),
    CORE_FUNCTION(explain_cvt), CORE_FUNCTION(explain_setp), CORE_FUNCTION(explain_set),
    CORE_FUNCTION(cvt_fields),  CORE_FUNCTION(cvt_since),    CORE_FUNCTION(cvt_forms),
    CORE_FUNCTION(setp_forms),  CORE_FUNCTION(set_forms),    CORE_FUNCTION(vcvt_forms),
    CORE_FUNCTION(dtype_names), CORE_FUNCTION(isa_names),    CORE_FUNCTION(rule_numbers),
    {NULL, NULL, 0, NULL}};
