/* SPDX-License-Identifier: MIT */
/* Reads and writes safetensors files with jansson. */
#include "safetensors.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* All in bytes. HEADER_MAX: the longest header that the safetensors library accepts. PREFIX: the size of the
 * number before the header, which is the header's length. ALIGNMENT: headers are padded to a multiple of
 * this. */
enum { HEADER_MAX = 100000000, PREFIX = 8, ALIGNMENT = 8 };

static const char METADATA[] = "__metadata__";

/* ---- types ---- */

struct dtype {
    const char *name;
    unsigned bits;
    bool is_supported; /* whether libpto has the type in this layout; it has no packed 6-bit types */
    bool is_bool;
    pto_dtype type;
};

/* The types of safetensors 0.8. */
static const struct dtype dtypes[] = {
    {"BOOL", 8, true, true, PTO_U8},          {"U8", 8, true, false, PTO_U8},
    {"I8", 8, true, false, PTO_S8},           {"U16", 16, true, false, PTO_U16},
    {"I16", 16, true, false, PTO_S16},        {"U32", 32, true, false, PTO_U32},
    {"I32", 32, true, false, PTO_S32},        {"U64", 64, true, false, PTO_U64},
    {"I64", 64, true, false, PTO_S64},        {"F16", 16, true, false, PTO_F16},
    {"BF16", 16, true, false, PTO_BF16},      {"F32", 32, true, false, PTO_F32},
    {"F64", 64, true, false, PTO_F64},        {"F8_E4M3", 8, true, false, PTO_E4M3},
    {"F8_E5M2", 8, true, false, PTO_E5M2},    {"F8_E8M0", 8, true, false, PTO_UE8M0},
    {"F4", 4, true, false, PTO_E2M1},         {"F8_E4M3FNUZ", 8, false, false, PTO_B8},
    {"F8_E5M2FNUZ", 8, false, false, PTO_B8}, {"F6_E2M3", 6, false, false, PTO_B8},
    {"F6_E3M2", 6, false, false, PTO_B8},     {"C64", 64, false, false, PTO_B64}};

enum { DTYPES = sizeof dtypes / sizeof *dtypes };

static const struct dtype *dtype_named(const char *name) {
    for (size_t i = 0; i < DTYPES; ++i)
        if (strcmp(dtypes[i].name, name) == 0) return &dtypes[i];
    return NULL;
}

static const struct dtype *dtype_of(const struct tensor *t) {
    for (size_t i = 0; i < DTYPES; ++i)
        if (dtypes[i].is_supported && dtypes[i].type == t->type && dtypes[i].is_bool == t->is_bool)
            return &dtypes[i];
    return NULL;
}

/* ---- text in messages ---- */

enum { EXCERPT_LENGTH = 60 };

/* A text from the file for a message. If it has more than EXCERPT_LENGTH bytes, the rest is replaced by
 * "...". */
struct excerpt {
    char text[EXCERPT_LENGTH + 4];
};

static struct excerpt make_excerpt(const char *text) {
    struct excerpt s;
    const bool whole = strlen(text) <= EXCERPT_LENGTH;
    size_t end = whole ? strlen(text) : EXCERPT_LENGTH;
    while (!whole && end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        --end; /* do not end within a UTF-8 character */
    snprintf(s.text, sizeof s.text, "%.*s%s", (int)end, text, whole ? "" : "...");
    return s;
}

/* ---- the header ---- */

/* Sets *size to the size of the file in bytes. Returns false if the stream does not support seeking. */
static bool file_size(FILE *f, uint64_t *size) {
    off_t end;
    if (fseeko(f, 0, SEEK_END) != 0) return false;
    end = ftello(f);
    *size = (uint64_t)end;
    return end >= 0 && fseeko(f, 0, SEEK_SET) == 0;
}

/* Returns the text of the header, which the caller frees, and sets *length. Returns NULL after an error. */
static char *read_header_text(FILE *f, uint64_t size, size_t *length, char error[TENSOR_ERROR_SIZE]) {
    unsigned char prefix[PREFIX];
    uint64_t n = 0;
    char *text;
    if (fread(prefix, 1, PREFIX, f) != PREFIX) {
        tensor_error(error, "it ends before its header");
        return NULL;
    }
    for (size_t i = PREFIX; i-- > 0;) n = n << 8 | prefix[i];
    if (n > HEADER_MAX || n > size - PREFIX) {
        tensor_error(error, "its header of %" PRIu64 " bytes is longer than %s", n,
                     n > HEADER_MAX ? "100 MB" : "the file");
        return NULL;
    }
    text = malloc((size_t)n + 1);
    *length = (size_t)n;
    if (text == NULL) {
        tensor_error(error, "there is no memory for its header");
    } else if (fread(text, 1, (size_t)n, f) != (size_t)n) {
        tensor_error(error, "it cannot be read");
        free(text);
        text = NULL;
    }
    return text;
}

/* Parses the header, and sets *data to the number of bytes after the header. Returns NULL after an error. */
static json_t *read_header(FILE *f, uint64_t *data, char error[TENSOR_ERROR_SIZE]) {
    uint64_t size;
    size_t length;
    json_error_t json_error;
    json_t *header;
    char *text;
    if (!file_size(f, &size)) {
        tensor_error(error, "it is not a seekable file");
        return NULL;
    }
    text = read_header_text(f, size, &length, error);
    if (text == NULL) return NULL;
    header =
        length != 0 && text[0] == '{' ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &json_error) : NULL;
    if (length == 0 || text[0] != '{')
        tensor_error(error, "its header is not a JSON object");
    else if (header == NULL)
        tensor_error(error, "its header is malformed: %s", make_excerpt(json_error.text).text);
    free(text);
    *data = size - PREFIX - length;
    return header;
}

/* ---- the tensors of a header ---- */

struct entry {
    const char *name;
    const struct dtype *dtype;
    const json_t *shape;
    uint64_t n, begin, end;
};

/* Sets *count to a JSON number that must be an integer of at least 0. */
static bool read_count(const json_t *value, uint64_t *count) {
    if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
    *count = (uint64_t)json_integer_value(value);
    return true;
}

static bool multiply(uint64_t a, uint64_t b, uint64_t *product) {
    if (a != 0 && b > UINT64_MAX / a) return false;
    *product = a * b;
    return true;
}

static bool read_shape(struct entry *s, char error[TENSOR_ERROR_SIZE]) {
    s->n = 1;
    if (!json_is_array(s->shape))
        return tensor_error(error, "the shape of its tensor %s is not a list", make_excerpt(s->name).text);
    for (size_t i = 0; i < json_array_size(s->shape); ++i) {
        uint64_t dimension;
        if (!read_count(json_array_get(s->shape, i), &dimension))
            return tensor_error(error, "the shape of its tensor %s does not consist of counts",
                                make_excerpt(s->name).text);
        if (!multiply(s->n, dimension, &s->n))
            return tensor_error(error, "the shape of its tensor %s is too large", make_excerpt(s->name).text);
    }
    return true;
}

/* Reads the data_offsets of a tensor, and checks that they match its shape and type. */
static bool read_offsets(struct entry *s, const json_t *offsets, char error[TENSOR_ERROR_SIZE]) {
    uint64_t bits;
    if (json_array_size(offsets) != 2 || !read_count(json_array_get(offsets, 0), &s->begin) ||
        !read_count(json_array_get(offsets, 1), &s->end) || s->begin > s->end)
        return tensor_error(error, "the data_offsets of its tensor %s are not two counts, the lower first",
                            make_excerpt(s->name).text);
    if (!multiply(s->n, s->dtype->bits, &bits))
        return tensor_error(error, "the shape of its tensor %s is too large", make_excerpt(s->name).text);
    if (bits % 8 != 0)
        return tensor_error(error, "its tensor %s ends within a byte", make_excerpt(s->name).text);
    if (bits / 8 != s->end - s->begin)
        return tensor_error(error, "its tensor %s has %" PRIu64 " bytes, but shape and dtype need %" PRIu64,
                            make_excerpt(s->name).text, s->end - s->begin, bits / 8);
    return true;
}

static bool read_entry(const char *name, const json_t *object, struct entry *s,
                       char error[TENSOR_ERROR_SIZE]) {
    const json_t *const dtype = json_object_get(object, "dtype");
    *s = (struct entry){.name = name, .shape = json_object_get(object, "shape")};
    if (json_object_size(object) != 3 || !json_is_string(dtype) || s->shape == NULL)
        return tensor_error(error, "its tensor %s is not described by dtype, shape and data_offsets",
                            make_excerpt(name).text);
    s->dtype = dtype_named(json_string_value(dtype));
    if (s->dtype == NULL)
        return tensor_error(error, "its tensor %s has the unknown dtype %s", make_excerpt(name).text,
                            make_excerpt(json_string_value(dtype)).text);
    return read_shape(s, error) && read_offsets(s, json_object_get(object, "data_offsets"), error);
}

static bool check_metadata(json_t *metadata, char error[TENSOR_ERROR_SIZE]) {
    if (!json_is_object(metadata)) return tensor_error(error, "its %s is not a JSON object", METADATA);
    for (void *i = json_object_iter(metadata); i != NULL; i = json_object_iter_next(metadata, i))
        if (!json_is_string(json_object_iter_value(i)))
            return tensor_error(error, "its %s has values that are not strings", METADATA);
    return true;
}

static bool read_entries(json_t *header, struct entry *entries, size_t *count,
                         char error[TENSOR_ERROR_SIZE]) {
    *count = 0;
    for (void *i = json_object_iter(header); i != NULL; i = json_object_iter_next(header, i)) {
        const char *const name = json_object_iter_key(i);
        json_t *const value = json_object_iter_value(i);
        if (strcmp(name, METADATA) == 0 ? !check_metadata(value, error)
                                        : !read_entry(name, value, &entries[(*count)++], error))
            return false;
    }
    return *count != 0 || tensor_error(error, "it contains no tensor");
}

static int compare_offsets(const void *a, const void *b) {
    const struct entry *const x = a, *const y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Checks that the tensors follow one another without gaps and together have `data` bytes, the rest of the
 * file. */
static bool check_offsets(struct entry *entries, size_t count, uint64_t data, char error[TENSOR_ERROR_SIZE]) {
    uint64_t at = 0;
    qsort(entries, count, sizeof *entries, compare_offsets);
    for (size_t i = 0; i < count; ++i) {
        if (entries[i].begin != at)
            return tensor_error(error, "its tensor %s %s", make_excerpt(entries[i].name).text,
                                entries[i].begin < at ? "overlaps another" : "begins after a gap");
        if (entries[i].end > data)
            return tensor_error(error, "its tensor %s ends after the end of the file",
                                make_excerpt(entries[i].name).text);
        at = entries[i].end;
    }
    return at == data || tensor_error(error, "bytes left over after its tensors: %" PRIu64, data - at);
}

/* ---- the chosen tensor ---- */

/* Writes a message that begins with `what` and lists the file's tensors, as many as fit. */
static void list_names(const char *what, const struct entry *entries, size_t count,
                       char error[TENSOR_ERROR_SIZE]) {
    size_t length = (size_t)snprintf(error, TENSOR_ERROR_SIZE, "%s its %zu tensors, which are", what, count);
    for (size_t i = 0; i < count; ++i) {
        const struct excerpt name = make_excerpt(entries[i].name);
        if (length + strlen(name.text) + sizeof ", , ..." > TENSOR_ERROR_SIZE) {
            snprintf(error + length, TENSOR_ERROR_SIZE - length, " ...");
            return;
        }
        length += (size_t)snprintf(error + length, TENSOR_ERROR_SIZE - length, "%s %s", i == 0 ? "" : ",",
                                   name.text);
    }
}

static const struct entry *choose(const struct entry *entries, size_t count, const char *name,
                                  char error[TENSOR_ERROR_SIZE]) {
    if (name == NULL && count == 1) return entries;
    for (size_t i = 0; name != NULL && i < count; ++i)
        if (strcmp(entries[i].name, name) == 0) return &entries[i];
    list_names(name == NULL ? "expected ':' after it, and one of" : "that is none of", entries, count, error);
    return NULL;
}

static bool take_shape(const struct entry *s, struct tensor *t, char error[TENSOR_ERROR_SIZE]) {
    t->dims = json_array_size(s->shape);
    if (t->dims > TENSOR_MAX_DIMS)
        return tensor_error(error, "it has more than %d dimensions", TENSOR_MAX_DIMS);
    for (size_t i = 0; i < t->dims; ++i) {
        uint64_t dimension;
        if (!read_count(json_array_get(s->shape, i), &dimension) || (size_t)dimension != dimension)
            return tensor_error(error, "its shape is too large");
        t->shape[i] = (size_t)dimension;
    }
    return true;
}

/* Reads the elements of a tensor. `data` is the offset in the file where the elements of all tensors begin. */
static bool take_tensor(FILE *f, const struct entry *s, uint64_t data, struct tensor *t,
                        char error[TENSOR_ERROR_SIZE]) {
    const uint64_t bytes = s->end - s->begin;
    if (!s->dtype->is_supported)
        return tensor_error(error, "its elements are of type %s, which libpto does not support",
                            s->dtype->name);
    if (!take_shape(s, t, error)) return false;
    t->n = (size_t)s->n;
    t->type = s->dtype->type;
    t->is_bool = s->dtype->is_bool;
    t->data = bytes < SIZE_MAX / 2 ? malloc((size_t)bytes + 1) : NULL;
    if (t->data == NULL) return tensor_error(error, "there is no memory for it");
    if (fseeko(f, (off_t)(data + s->begin), SEEK_SET) == 0 && fread(t->data, 1, (size_t)bytes, f) == bytes)
        return true;
    free(t->data);
    t->data = NULL;
    return tensor_error(error, "it cannot be read");
}

/* Finds the tensor `name` and reads it. `data` is the number of bytes after the header. */
static bool find_tensor(FILE *f, json_t *header, uint64_t data, const char *name, struct tensor *t,
                        char error[TENSOR_ERROR_SIZE]) {
    struct entry *const entries = calloc(json_object_size(header) + 1, sizeof *entries);
    const off_t begin = ftello(f);
    const struct entry *s = NULL;
    size_t count;
    bool good;
    if (entries == NULL) return tensor_error(error, "there is no memory for its header");
    if (read_entries(header, entries, &count, error) && check_offsets(entries, count, data, error))
        s = choose(entries, count, name, error);
    good = s != NULL && take_tensor(f, s, (uint64_t)begin, t, error);
    free(entries);
    return good;
}

bool safetensors_read_stream(FILE *f, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]) {
    uint64_t data;
    json_t *const header = read_header(f, &data, error);
    bool good;
    *t = (struct tensor){0};
    if (header == NULL) return false;
    good = find_tensor(f, header, data, name, t, error);
    json_decref(header);
    return good;
}

bool safetensors_read(const char *path, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]) {
    FILE *const f = fopen(path, "rb");
    bool good;
    if (f == NULL) return tensor_error(error, "it cannot be opened");
    good = safetensors_read_stream(f, name, t, error);
    fclose(f);
    return good;
}

/* ---- writing ---- */

static json_t *shape_to_write(const struct tensor *t) {
    json_t *const shape = json_array();
    for (size_t i = 0; i < t->dims; ++i)
        if (json_array_append_new(shape, json_integer((json_int_t)t->shape[i])) != 0) {
            json_decref(shape);
            return NULL;
        }
    return shape;
}

/* Adds a tensor to the header. Its elements begin at offset *at; sets *at to the offset after them. */
static bool add_tensor(json_t *header, const struct tensor *t, size_t *at, char error[TENSOR_ERROR_SIZE]) {
    const size_t end = *at + tensor_bytes(t);
    json_t *const entry = json_pack("{s:s, s:o, s:[I, I]}", "dtype", dtype_of(t)->name, "shape",
                                    shape_to_write(t), "data_offsets", (json_int_t)*at, (json_int_t)end);
    const char *const name = strcmp(t->name, METADATA) == 0 ? NULL : t->name; /* jansson rejects NULL */
    *at = end;
    return json_object_set_new(header, name, entry) == 0 ||
           tensor_error(error, "%s cannot be a tensor's name", make_excerpt(t->name).text);
}

static bool write_header(FILE *f, const json_t *header) {
    char *const text = json_dumps(header, JSON_COMPACT);
    const size_t length = text == NULL ? 0 : strlen(text);
    const size_t padded = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    unsigned char prefix[PREFIX];
    bool good;
    for (size_t i = 0; i < PREFIX; ++i) prefix[i] = (unsigned char)((uint64_t)padded >> 8 * i);
    good = text != NULL && fwrite(prefix, 1, PREFIX, f) == PREFIX &&
           fprintf(f, "%s%*s", text, (int)(padded - length), "") > 0;
    free(text);
    return good;
}

/* Sorts tensors by decreasing width of elements, as the safetensors library does. So all tensors are
 * aligned. */
static void sort_tensors(struct tensor *tensors, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        const struct tensor t = tensors[i];
        size_t at = i;
        for (; at > 0 && pto_dtype_bits(tensors[at - 1].type) < pto_dtype_bits(t.type); --at)
            tensors[at] = tensors[at - 1];
        tensors[at] = t;
    }
}

static bool write_file(const char *path, const json_t *header, const struct tensor *tensors, size_t count,
                       char error[TENSOR_ERROR_SIZE]) {
    FILE *const f = fopen(path, "wb");
    bool good;
    if (f == NULL) return tensor_error(error, "it cannot be opened for writing");
    good = write_header(f, header);
    for (size_t i = 0; good && i < count; ++i)
        good = fwrite(tensors[i].data, 1, tensor_bytes(&tensors[i]), f) == tensor_bytes(&tensors[i]);
    good = fclose(f) == 0 && good;
    return good || tensor_error(error, "it cannot be written");
}

static bool write_ordered(const char *path, struct tensor *tensors, size_t count,
                          char error[TENSOR_ERROR_SIZE]) {
    json_t *const header = json_object();
    size_t at = 0;
    bool good = true;
    for (size_t i = 0; i < count; ++i)
        if (dtype_of(&tensors[i]) == NULL) tensor_as_bits(&tensors[i]);
    sort_tensors(tensors, count);
    for (size_t i = 0; good && i < count; ++i) good = add_tensor(header, &tensors[i], &at, error);
    good = good && write_file(path, header, tensors, count, error);
    json_decref(header);
    return good;
}

bool safetensors_write(const char *path, const struct tensor *tensors, size_t count,
                       char error[TENSOR_ERROR_SIZE]) {
    struct tensor *const own = malloc(count * sizeof *own);
    bool good;
    if (own == NULL) return tensor_error(error, "there is no memory for it");
    memcpy(own, tensors, count * sizeof *own);
    good = write_ordered(path, own, count, error);
    free(own);
    return good;
}
