/* SPDX-License-Identifier: MIT */
/* Reads and writes NumPy's .npy files. */
#include "npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The file format: "\x93NUMPY", a major and a minor version byte, the length of the header (little-endian, 2 bytes
 * in version 1 and 4 in version 2), the header, the data. The header is a Python dictionary with exactly these keys:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (384, 384), }
 */
enum { PREAMBLE = 8, HEADER_MAX = 65536 };

/* Skips white space and then `text`. Returns the position after it, NULL if `text` is not there or s is NULL. */
static const char *skip(const char *s, const char *text) {
    size_t length = strlen(text);
    if (s == NULL) return NULL;
    while (isspace((unsigned char)*s)) ++s;
    return strncmp(s, text, length) == 0 ? s + length : NULL;
}

static const char *either(const char *s, const char *text, const char *or_text) {
    const char *end = skip(s, text);
    return end != NULL ? end : skip(s, or_text);
}

/* Reads one dimension. Refuses it if the bytes of the tensor would exceed SIZE_MAX. */
static const char *dimension(const char *s, npy_tensor *t) {
    char *end;
    unsigned long long value;
    s = skip(s, "");
    if (s == NULL || !isdigit((unsigned char)*s) || t->dims == NPY_MAX_DIMS) return NULL;
    errno = 0;
    value = strtoull(s, &end, 10);
    if (errno != 0 || (value != 0 && t->n > SIZE_MAX / sizeof(double) / value)) return NULL;
    t->shape[t->dims++] = (size_t)value;
    t->n *= (size_t)value;
    return end;
}

/* Reads a shape: "(384, 384)", "(384,)", "()". */
static const char *shape(const char *s, npy_tensor *t) {
    t->n = 1;
    t->dims = 0;
    s = skip(s, "(");
    while (s != NULL && skip(s, ")") == NULL) {
        s = dimension(s, t);
        /* As in Python tuples, the last dimension needs a comma only if it is the only one. */
        if (t->dims == 1 || skip(s, ")") == NULL) s = skip(s, ",");
    }
    return skip(s, ")");
}

/* Reads "'<f4'": byte order, kind and size. */
static const char *descr(const char *s, npy_tensor *t) {
    char quote;
    size_t length;
    s = skip(s, "");
    if (s == NULL || (*s != '\'' && *s != '"')) return NULL;
    quote = *s++;
    for (length = 0; s[length] != quote && s[length] != '\0';) ++length;
    if (s[length] != quote || length != 3 || strchr("<|", s[0]) == NULL || strchr("biufV", s[1]) == NULL ||
        strchr("1248", s[2]) == NULL)
        return NULL;
    memcpy(t->descr, s, length);
    t->descr[length] = '\0';
    t->item = (size_t)(s[2] - '0');
    return s + length + 1;
}

/* Reads the header. Returns NULL if this reader can read the tensor, else the reason. The keys may be in any order,
 * each once. */
static const char *header(const char *s, npy_tensor *t) {
    unsigned seen = 0;
    s = skip(s, "{");
    while (s != NULL && skip(s, "}") == NULL) {
        const char *value;
        unsigned key;
        if ((value = either(s, "'descr'", "\"descr\"")) != NULL) {
            key = 1;
            s = descr(skip(value, ":"), t);
            if (s == NULL) return "its elements are no little-endian numbers of 1, 2, 4 or 8 bytes";
        } else if ((value = either(s, "'fortran_order'", "\"fortran_order\"")) != NULL) {
            key = 2;
            s = skip(skip(value, ":"), "False");
            if (s == NULL) return "it is not in C order";
        } else if ((value = either(s, "'shape'", "\"shape\"")) != NULL) {
            key = 4;
            s = shape(skip(value, ":"), t);
            if (s == NULL) return "its shape is malformed, too large or of too many dimensions";
        } else {
            return "its header has an unknown key";
        }
        if ((seen & key) != 0) return "its header has a key twice";
        seen |= key;
        if (skip(s, "}") == NULL) s = skip(s, ",");
    }
    s = skip(skip(s, "}"), "");
    if (s == NULL || *s != '\0') return "its header is malformed";
    return seen == 7 ? NULL : "its header lacks descr, fortran_order or shape";
}

/* Returns the length of the header, 0 if this is not a file that this reader can read. */
static size_t header_length(FILE *f) {
    unsigned char head[PREAMBLE], length[4] = {0};
    if (fread(head, 1, PREAMBLE, f) != PREAMBLE || memcmp(head, "\x93NUMPY", 6) != 0) return 0;
    if (head[6] != 1 && head[6] != 2) return 0;
    if (fread(length, 1, head[6] == 1 ? 2 : 4, f) == 0) return 0;
    return length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
}

static const char *read_stream(FILE *f, npy_tensor *t, char *text) {
    size_t length = header_length(f);
    const char *wrong;
    if (length == 0 || length >= HEADER_MAX) return "it is not a .npy file of version 1 or 2";
    if (fread(text, 1, length, f) != length) return "it ends within its header";
    text[length] = '\0';
    if (strlen(text) != length) return "its header is malformed";
    wrong = header(text, t);
    if (wrong != NULL) return wrong;
    t->data = malloc(t->n != 0 ? t->n * t->item : 1);
    if (t->data == NULL) return "there is no memory for it";
    if (fread(t->data, t->item, t->n, f) != t->n) return "it ends within its data";
    return fgetc(f) == EOF ? NULL : "it has bytes left over after its data";
}

const char *npy_read(const char *path, npy_tensor *t) {
    FILE *f = fopen(path, "rb");
    char *text = malloc(HEADER_MAX);
    const char *wrong = f == NULL ? "it cannot be opened" : "there is no memory for it";
    *t = (npy_tensor){0};
    if (f != NULL && text != NULL) wrong = read_stream(f, t, text);
    if (wrong != NULL) npy_free(t);
    free(text);
    if (f != NULL) fclose(f);
    return wrong;
}

const char *npy_read_f32(const char *path, npy_tensor *t) {
    const char *wrong = npy_read(path, t);
    if (wrong != NULL || strcmp(t->descr, "<f4") == 0) return wrong;
    npy_free(t);
    return "its elements are not little-endian 32-bit floats ('<f4')";
}

/* The header, including its preamble, is padded with blanks to a multiple of this many bytes. */
enum { NPY_ALIGNMENT = 64 };

/* Prints a shape, "(384, 384)" or "(384,)", and returns its length. */
static int print_shape(char *to, size_t size, const npy_tensor *t) {
    int length = snprintf(to, size, "(");
    for (size_t i = 0; i < t->dims; ++i)
        length += snprintf(to + length, size - (size_t)length, "%s%zu", i == 0 ? "" : ", ", t->shape[i]);
    return length + snprintf(to + length, size - (size_t)length, t->dims == 1 ? ",)" : ")");
}

const char *npy_write(const char *path, const npy_tensor *t) {
    char text[32 * NPY_MAX_DIMS + 128], dimensions[32 * NPY_MAX_DIMS];
    unsigned char head[PREAMBLE + 2] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    FILE *f;
    size_t length, padded;
    bool good;
    (void)print_shape(dimensions, sizeof dimensions, t);
    length = (size_t)snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                              t->descr, dimensions);
    padded = (sizeof head + length + 1 + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT - sizeof head;
    head[PREAMBLE] = (unsigned char)padded;
    head[PREAMBLE + 1] = (unsigned char)(padded >> 8);
    f = fopen(path, "wb");
    if (f == NULL) return "it cannot be opened for writing";
    good = fwrite(head, 1, sizeof head, f) == sizeof head &&
           fprintf(f, "%-*s\n", (int)padded - 1, text) > 0 && fwrite(t->data, t->item, t->n, f) == t->n;
    return fclose(f) == 0 && good ? NULL : "it cannot be written";
}

void npy_free(npy_tensor *t) {
    free(t->data);
    *t = (npy_tensor){0};
}
