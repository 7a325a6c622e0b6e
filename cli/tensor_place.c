/* SPDX-License-Identifier: MIT */
/* The file formats of arrays, NumPy files, and the parsing of places such as FILE.safetensors:NAME. */
#include "npy.h"
#include "safetensors.h"

#include <stdlib.h>
#include <string.h>

/* ---- NumPy's files ---- */

/* Returns the type for NumPy's letter of a kind of type, and the element size in bytes. For unknown letters
 * this is a type of untyped bits. */
static pto_dtype npy_type(char kind, size_t item) {
    const size_t row = item == 1 ? 0 : item == 2 ? 1 : item == 4 ? 2 : 3;
    switch (kind) {
    case 'u': return (pto_dtype)(PTO_U8 + row);
    case 'i': return (pto_dtype)(PTO_S8 + row);
    case 'f': return item == 2 ? PTO_F16 : item == 4 ? PTO_F32 : item == 8 ? PTO_F64 : PTO_B8;
    default: return (pto_dtype)(PTO_B8 + row);
    }
}

static bool read_npy(const char *path, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]) {
    npy_tensor array;
    const char *problem = npy_read(path, &array);
    (void)name;
    if (problem != NULL) return tensor_error(error, "%s", problem);
    *t = (struct tensor){.data = array.data,
                         .n = array.n,
                         .type = npy_type(array.descr[1], array.item),
                         .is_bool = array.descr[1] == 'b' && array.item == 1,
                         .dims = array.dims};
    if (t->is_bool) t->type = PTO_U8;
    memcpy(t->shape, array.shape, sizeof t->shape);
    return true;
}

/* Returns NumPy's name (descr) of the tensor's type, or NULL if NumPy does not have the type. */
static const char *descr_of(const struct tensor *t) {
    static const char *const words[] = {
        [PTO_U8] = "|u1",  [PTO_U16] = "<u2", [PTO_U32] = "<u4", [PTO_U64] = "<u8",
        [PTO_S8] = "|i1",  [PTO_S16] = "<i2", [PTO_S32] = "<i4", [PTO_S64] = "<i8",
        [PTO_F16] = "<f2", [PTO_F32] = "<f4", [PTO_F64] = "<f8"};
    if (t->is_bool) return "|b1";
    return (size_t)t->type < sizeof words / sizeof *words ? words[t->type] : NULL;
}

static bool write_npy(const char *path, const struct tensor *tensors, size_t count,
                      char error[TENSOR_ERROR_SIZE]) {
    struct tensor t = tensors[0];
    npy_tensor array = {.data = t.data};
    const char *problem;
    if (count != 1) return tensor_error(error, "it can hold only one array");
    if (descr_of(&t) == NULL) tensor_as_bits(&t);
    array.n = t.n;
    array.item = pto_dtype_bits(t.type) / 8;
    array.dims = t.dims;
    memcpy(array.shape, t.shape, sizeof t.shape);
    snprintf(array.descr, sizeof array.descr, "%s", descr_of(&t));
    problem = npy_write(path, &array);
    return problem == NULL || tensor_error(error, "%s", problem);
}

_Static_assert((int)NPY_MAX_DIMS == (int)TENSOR_MAX_DIMS,
               "a shape must have the same capacity in both structs");

/* ---- places ---- */

static const struct tensor_format formats[] = {{".npy", false, read_npy, write_npy},
                                               {".safetensors", true, safetensors_read, safetensors_write}};

/* If the text is a place of this format, returns the format's suffix in the text, otherwise NULL. */
static const char *suffix_in(const char *text, const struct tensor_format *format) {
    const size_t length = strlen(format->suffix);
    for (const char *at = text; (at = strstr(at, format->suffix)) != NULL; ++at)
        if (at != text && (at[length] == '\0' || (format->has_names && at[length] == ':'))) return at;
    return NULL;
}

static void place_at(const char *text, size_t length, const struct tensor_format *format,
                     struct tensor_place *place) {
    place->format = format;
    place->path = malloc(length + 1);
    if (place->path == NULL) out_of_memory();
    memcpy(place->path, text, length);
    place->path[length] = '\0';
    place->name = text[length] == '\0' ? NULL : text + length + 1;
}

bool tensor_place_of(const char *text, struct tensor_place *place) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        const char *const suffix = suffix_in(text, &formats[i]);
        if (suffix == NULL) continue;
        place_at(text, (size_t)(suffix - text) + strlen(formats[i].suffix), &formats[i], place);
        return true;
    }
    return false;
}

void tensor_place_for_writing(const char *text, struct tensor_place *place) {
    if (strcmp(text, "-") == 0) text = "/dev/stdout";
    if (!tensor_place_of(text, place)) place_at(text, strlen(text), &formats[0], place);
}
