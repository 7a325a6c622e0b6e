/* SPDX-License-Identifier: MIT */
/* Binds the inputs of pto run to registers, and writes the outputs of pto run and pto launch to files. */
#include "arrays.h"

#include "output.h"
#include "script.h"
#include "value.h"
#include "words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char zeros[] = "zeros:"; /* an input that begins with this is an array of zeros */

static bool report(const struct arrays *a, const char *name, const char *what) {
    report_error(a->command, "%s: %s", name, what);
    return false;
}

static bool split(const char *text, struct assignment *to) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0' || (size_t)(equals - text) >= sizeof to->name)
        return false;
    memcpy(to->name, text, (size_t)(equals - text));
    to->name[equals - text] = '\0';
    to->value = equals + 1;
    return true;
}

static bool add_assignment(const struct arrays *a, struct assignment *list, size_t *count, const char *text) {
    if (*count == MAX_ARRAYS) {
        report_error(a->command, "%s: expected at most %d of these", text, MAX_ARRAYS);
        return false;
    }
    if (!split(text, &list[*count]))
        return report(a, text,
                      "expected NAME=FILE.npy or NAME=FILE.safetensors:TENSOR, or NAME=VALUE for an input");
    ++*count;
    return true;
}

bool arrays_take_input(struct arrays *a, const char *text) {
    if (!add_assignment(a, a->input, &a->inputs, text)) return false;
    for (size_t i = 0; i + 1 < a->inputs; ++i)
        if (strcmp(a->input[i].name, a->input[a->inputs - 1].name) == 0)
            return report(a, a->input[i].name, "expected only one input of this name");
    return true;
}

bool arrays_take_output(struct arrays *a, const char *text) {
    return add_assignment(a, a->output, &a->outputs, text);
}

static bool has_name(const struct arrays *a, const char *text, const struct tensor_place *place) {
    return place->name == NULL || *place->name != '\0' ||
           report(a, text, "expected a tensor's name after the ':'");
}

bool arrays_find(const pto_program *program, const char *name, pto_program_register *r) {
    char with_sign[sizeof((struct assignment *)NULL)->name + 1];
    if (pto_program_register_named(program, name, r) == PTO_OK) return true;
    if (*name == '%') return false;
    snprintf(with_sign, sizeof with_sign, "%%%s", name);
    return pto_program_register_named(program, with_sign, r) == PTO_OK;
}

static bool no_register(const struct arrays *a, const pto_program *program, const char *name, bool input) {
    char inputs[SCRIPT_NAMES], results[SCRIPT_NAMES];
    script_names(program, true, inputs);
    script_names(program, false, results);
    if (input)
        report_error(a->command, "%s: expected a register of the program; its inputs: %s", name, inputs);
    else
        report_error(a->command, "%s: expected a register of the program; its results: %s; its inputs: %s",
                     name, results, inputs);
    return false;
}

/* ---- inputs ---- */

static size_t element_bits(const pto_program_register *r) {
    return r->predicate ? 8 : pto_dtype_bits(r->type);
}

static bool is_untyped(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_BITS;
}

static bool is_integer(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    return class == PTO_CLASS_UNSIGNED || class == PTO_CLASS_SIGNED;
}

/* Returns whether this is a float type that every file format has. */
static bool is_float(pto_dtype type) {
    return type == PTO_F16 || type == PTO_F32 || type == PTO_F64;
}

/*
 * Returns whether the register accepts the tensor's type. File formats without a name for a type have its elements as
 * untyped bits or integers, so these are accepted, too.
 */
static bool accepts_type(const struct tensor *t, const pto_program_register *r) {
    pto_dtype part;
    (void)value_element_count(r->type, &part);
    if (r->predicate) return t->is_bool || t->type == PTO_U8;
    if (is_untyped(t->type) || is_untyped(r->type)) return true;
    if (t->is_bool) return false;
    return is_integer(t->type) ? !is_float(r->type) : t->type == part;
}

/* Returns whether the width of the tensor's elements fits the register. For a register of 4-bit elements the
 * file has bytes with two elements each. If the register is untyped or its type is packed, several elements
 * of the file may form one of the register. */
static bool width_fits(const struct tensor *t, const pto_program_register *r) {
    const size_t bits = pto_dtype_bits(t->type), wanted = element_bits(r);
    pto_dtype part;
    if (bits == wanted) return true;
    if (wanted < 8) return bits == 8;
    return wanted % bits == 0 && !r->predicate &&
           (is_untyped(r->type) || value_element_count(r->type, &part) > 1);
}

static bool bind(const struct arrays *a, pto_program *program, const pto_program_register *r, pto_dtype type,
                 const void *data, size_t n) {
    const pto_status status = pto_program_bind(program, r->name, type, data, n);
    return status == PTO_OK || report(a, r->name, pto_strerror(status));
}

/* Makes the tensor one-dimensional, with n elements. */
static void shorten(struct tensor *t, size_t n) {
    t->n = n;
    t->dims = 1;
    t->shape[0] = n;
}

/* Writes which elements a register accepts from a file. */
static void describe_accepted(const pto_program_register *r, char *to, size_t size) {
    const char *const name = pto_dtype_name(r->type);
    const size_t bits = element_bits(r);
    pto_dtype part;
    const unsigned parts = value_element_count(r->type, &part);
    if (r->predicate)
        snprintf(to, size, "bool or u8");
    else if (is_untyped(r->type))
        snprintf(to, size, "any elements of %zu bits, or narrower ones, several in each lane", bits);
    else if (parts > 1)
        snprintf(to, size, "%s, %u in each lane", pto_dtype_name(part), parts);
    else if (is_float(r->type))
        snprintf(to, size, "%s", name);
    else if (bits < 8)
        snprintf(to, size, "%s, or bytes with two codes each", name);
    else
        snprintf(to, size, "%s%sintegers of %zu bits", is_integer(r->type) ? "" : name,
                 is_integer(r->type) ? "" : ", or ", bits);
}

/* Writes the type and shape of a tensor: "f32, 384 x 384". */
static void describe_tensor(const struct tensor *t, char *to, size_t size) {
    size_t length = (size_t)snprintf(to, size, "%s,", t->is_bool ? "bool" : pto_dtype_name(t->type));
    if (t->dims == 0) snprintf(to + length, size - length, " one element");
    for (size_t i = 0; i < t->dims && length < size; ++i)
        length += (size_t)snprintf(to + length, size - length, "%s %zu", i == 0 ? "" : " x", t->shape[i]);
}

static bool check_fit(const struct tensor *t, const pto_program_register *r, char error[TENSOR_ERROR_SIZE]) {
    char found[80], accepted[100];
    if (accepts_type(t, r) && width_fits(t, r)) return true;
    describe_tensor(t, found, sizeof found);
    describe_accepted(r, accepted, sizeof accepted);
    return tensor_error(error, "it holds elements of %s; expected %s", found, accepted);
}

static bool read_file(const struct arrays *a, const char *text, const struct tensor_place *place,
                      const pto_program_register *r, struct tensor *t) {
    char error[TENSOR_ERROR_SIZE];
    const bool good = place->format->read(place->path, place->name, t, error) && check_fit(t, r, error);
    if (!good)
        report_error(a->command, "%s: %s, for the register %s of type .%s", text, error, r->name,
                     r->predicate ? "pred" : pto_dtype_name(r->type));
    return good;
}

static bool bind_lanes(struct arrays *a, pto_program *program, const pto_program_register *r,
                       struct tensor *t) {
    const size_t bits = pto_dtype_bits(t->type), wanted = element_bits(r), lane = wanted * r->each;
    const size_t lanes = (size_t)((uint64_t)t->n * bits / lane);
    if (!a->lanes_given && lanes > a->lanes) a->lanes = lanes;
    a->has_arrays = true;
    if (a->lanes_given && lanes > a->lanes) shorten(t, (size_t)((uint64_t)a->lanes * lane / bits));
    if (a->shape_source == NULL && bits == wanted) a->shape_source = t;
    if (bits <= wanted) return bind(a, program, r, bits == wanted ? r->type : t->type, t->data, t->n);
    return bind(a, program, r, r->type, t->data, t->n * (bits / wanted));
}

/* Binds the memory of a kernel program to an array, and appends the padding bytes to the array. */
static bool bind_memory(const struct arrays *a, pto_program *program, const pto_program_register *r,
                        struct tensor *t) {
    const size_t bytes = tensor_bytes(t), bits = pto_dtype_bits(t->type), each = bits < 8 ? 1 : bits / 8;
    unsigned char *const padded = realloc(t->data, bytes + a->padding + 1);
    if (padded == NULL) out_of_memory();
    memset(padded + bytes, 0, a->padding);
    t->data = padded;
    return bind(a, program, r, bits == element_bits(r) ? r->type : t->type, t->data,
                (t->n * bits / 8 + a->padding) / each * (bits < 8 ? 2 : 1));
}

static bool bind_tensor(struct arrays *a, pto_program *program, const pto_program_register *r,
                        struct tensor *t) {
    if (r->memory) return bind_memory(a, program, r, t);
    return bind_lanes(a, program, r, t);
}

/* Reads TYPE:N after "zeros:" into a tensor of n zeros. Returns false after an error. */
static bool read_zeros(const struct arrays *a, const char *text, struct tensor *t) {
    const char *const colon = strchr(text, ':');
    char type[16] = "", *end;
    unsigned long long n;
    if (colon == NULL || (size_t)(colon - text) >= sizeof type)
        return report(a, text, "expected TYPE:N after zeros:, such as f32:1024");
    memcpy(type, text, (size_t)(colon - text));
    n = strtoull(colon + 1, &end, 10);
    if (!find_type(type, &t->type)) return report(a, type, "expected a type, such as f32");
    if (end == colon + 1 || *end != '\0' || colon[1] == '-' || n > SIZE_MAX / 16)
        return report(a, text, "expected a number of elements");
    shorten(t, (size_t)n);
    t->data = calloc(tensor_bytes(t) + 1, 1);
    if (t->data == NULL) out_of_memory();
    return true;
}

static bool bind_zeros(struct arrays *a, pto_program *program, size_t i, const pto_program_register *r) {
    char error[TENSOR_ERROR_SIZE];
    struct tensor *const t = &a->tensor[i];
    if (!read_zeros(a, a->input[i].value + strlen(zeros), t)) return false;
    if (!check_fit(t, r, error)) return report(a, a->input[i].value, error);
    return bind_tensor(a, program, r, t);
}

static bool bind_file(struct arrays *a, pto_program *program, size_t i, const struct tensor_place *place,
                      const pto_program_register *r) {
    const char *const text = a->input[i].value;
    return has_name(a, text, place) && read_file(a, text, place, r, &a->tensor[i]) &&
           bind_tensor(a, program, r, &a->tensor[i]);
}

static bool bind_value(struct arrays *a, pto_program *program, size_t i, const pto_program_register *r) {
    const pto_dtype type = r->predicate ? PTO_U8 : r->type;
    if (value_read(a->input[i].value, type, a->value[i]) == VALUE_INVALID) {
        report_error(a->command, "%s: expected a .npy or .safetensors file, or a value of type .%s",
                     a->input[i].value, pto_dtype_name(type));
        return false;
    }
    return bind(a, program, r, type, a->value[i], 1);
}

static bool bind_input(struct arrays *a, pto_program *program, size_t i) {
    struct tensor_place place;
    pto_program_register r;
    bool good;
    if (!arrays_find(program, a->input[i].name, &r)) return no_register(a, program, a->input[i].name, true);
    if (strncmp(a->input[i].value, zeros, strlen(zeros)) == 0) return bind_zeros(a, program, i, &r);
    if (!tensor_place_of(a->input[i].value, &place)) return bind_value(a, program, i, &r);
    good = bind_file(a, program, i, &place, &r);
    free(place.path);
    return good;
}

bool arrays_bind(struct arrays *a, pto_program *program) {
    for (size_t i = 0; i < a->inputs; ++i)
        if (!bind_input(a, program, i)) return false;
    if (!a->has_arrays && !a->lanes_given) a->lanes = 1;
    return true;
}

/* ---- outputs ---- */

static void shape_of(const struct arrays *a, size_t n, unsigned parts, struct tensor *t) {
    t->dims = 1;
    t->shape[0] = n;
    if (a->shape_source != NULL && a->shape_source->n == n) {
        t->dims = a->shape_source->dims;
        memcpy(t->shape, a->shape_source->shape, sizeof t->shape);
    }
    if (parts > 1 && t->dims < TENSOR_MAX_DIMS) t->shape[t->dims++] = parts;
}

bool arrays_check_outputs(const struct arrays *a, const pto_program *program) {
    pto_program_register r;
    for (size_t i = 0; i < a->outputs; ++i)
        if (!arrays_find(program, a->output[i].name, &r))
            return no_register(a, program, a->output[i].name, false);
    return true;
}

static bool result_of(const struct arrays *a, const void *source, const struct assignment *output,
                      struct tensor *t) {
    const pto_program *program = source;
    pto_program_register r;
    const void *data;
    pto_dtype type;
    unsigned parts;
    size_t n;
    if (!arrays_find(program, output->name, &r) ||
        pto_program_value(program, r.name, &type, &data, &n) != PTO_OK)
        return report(a, output->name, "expected a register that has a value");
    if (r.memory) n -= a->padding * 8 / pto_dtype_bits(type);
    *t = (struct tensor){.name = output->name, .is_bool = r.predicate};
    parts = value_element_count(type, &t->type);
    if (r.predicate) t->type = PTO_U8;
    t->n = n * parts;
    if (pto_dtype_bits(t->type) < 8 && n % 2 != 0)
        return report(a, output->name, "it has an odd number of 4-bit codes, which do not fill whole bytes");
    memcpy(&t->data, &data, sizeof data); /* casts const away; the elements are only read */
    shape_of(a, n, parts, t);
    return true;
}

static bool has_duplicate_name(const struct tensor *tensors, size_t count) {
    for (size_t i = 0; i + 1 < count; ++i)
        if (strcmp(tensors[i].name, tensors[count - 1].name) == 0) return true;
    return false;
}

/* Returns the number of the first output that goes to the same file as output i. */
static size_t first_of_file(const struct tensor_place *places, size_t i) {
    size_t first = 0;
    while (first < i && !output_same(places[first].path, places[i].path)) ++first;
    return first;
}

/* `get` returns the result for an output; `source` is its argument. */
struct results {
    arrays_result *get;
    const void *source;
};

/* Collects the tensors of all outputs that go to the same file as the output `first`. */
static bool collect_tensors(const struct arrays *a, const struct results *results,
                            const struct tensor_place *places, const size_t *file_of, size_t first,
                            struct tensor *tensors, size_t *count) {
    *count = 0;
    for (size_t i = first; i < a->outputs; ++i) {
        if (file_of[i] != first) continue;
        if (!has_name(a, a->output[i].value, &places[i]) ||
            !results->get(a, results->source, &a->output[i], &tensors[*count]))
            return false;
        if (places[i].name != NULL) tensors[*count].name = places[i].name;
        ++*count;
        if (places[i].format->has_names && has_duplicate_name(tensors, *count))
            return report(a, a->output[i].value, "expected another name: this one is given twice");
    }
    return true;
}

/* Writes all outputs that go to the same file as the output `first`. An existing file is not yet replaced. */
static bool write_file(const struct arrays *a, const struct results *results,
                       const struct tensor_place *places, const size_t *file_of, size_t first,
                       struct output *file) {
    struct tensor tensors[MAX_ARRAYS];
    char error[TENSOR_ERROR_SIZE];
    const char *const path = places[first].path;
    size_t count;
    if (!collect_tensors(a, results, places, file_of, first, tensors, &count)) return false;
    return (output_begin(file, path, error) &&
            places[first].format->write(file->write_path, tensors, count, error)) ||
           report(a, path, error);
}

/* Writes all outputs to temporary files. When all are complete, they replace the old files. */
static bool write_files(const struct arrays *a, const struct results *results,
                        const struct tensor_place *places, struct output *files) {
    size_t file_of[MAX_ARRAYS] = {0};
    char error[TENSOR_ERROR_SIZE];
    for (size_t i = 0; i < a->outputs; ++i) file_of[i] = first_of_file(places, i);
    for (size_t i = 0; i < a->outputs; ++i)
        if (file_of[i] == i && !write_file(a, results, places, file_of, i, &files[i])) return false;
    for (size_t i = 0; i < a->outputs; ++i)
        if (file_of[i] == i && !output_copy(&files[i], error)) return report(a, places[i].path, error);
    for (size_t i = 0; i < a->outputs; ++i)
        if (file_of[i] == i && !output_commit(&files[i], error)) return report(a, places[i].path, error);
    return true;
}

bool arrays_write_results(const struct arrays *a, arrays_result *result, const void *source) {
    const struct results results = {result, source};
    struct tensor_place places[MAX_ARRAYS];
    struct output files[MAX_ARRAYS] = {{.mode = 0}};
    bool good;
    for (size_t i = 0; i < a->outputs; ++i) tensor_place_for_writing(a->output[i].value, &places[i]);
    good = write_files(a, &results, places, files);
    for (size_t i = 0; i < a->outputs; ++i) {
        output_end(&files[i]);
        free(places[i].path);
    }
    return good;
}

bool arrays_write(const struct arrays *a, const pto_program *program) {
    return arrays_write_results(a, result_of, program);
}

void arrays_free(struct arrays *a) {
    for (size_t i = 0; i < a->inputs; ++i) free(a->tensor[i].data);
}
