/* SPDX-License-Identifier: MIT */
/* Launches a kernel of a PTX module on small arrays, and prints the results of each instruction in some threads. */
#include "element.h"
#include "explorer.h"
#include "script.h"
#include "value.h"

#include <pto/module.h>
#include <pto/pto.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_THREADS = 8,
    MOST_THREADS = 1 << 20, /* in a launch */
    MOST_SHARED = 1 << 20,  /* bytes of shared memory that a launch may add */
};

/* An array of the launch. */
struct memory {
    pto_dtype type;
    void *data;
    size_t count;
};

struct launch {
    pto_module *module;
    pto_kernel kernel;
    pto_dim3 grid, block;
    size_t first; /* first thread whose results are printed */
    size_t steps;
    pto_argument *arguments;
    struct memory *memory;      /* the array of each parameter; data is NULL if it has none */
    unsigned char (*scalar)[8]; /* the scalar of each parameter */
};

static bool report(const char *name, const char *what) {
    report_error(&command_kernel, "%s: %s", name, what);
    return false;
}

/* ---- output ---- */

static void put_kernels(const pto_module *module) {
    pto_kernel k;
    for (size_t i = 0; pto_module_kernel_at(module, i, &k) == PTO_OK; ++i) {
        printf("{\"kind\":\"kernel\",\"name\":");
        put_json_string(stdout, k.name);
        printf(",\"supported\":%s}\n", k.problem == NULL ? "true" : "false");
    }
}

static void put_parameters(const pto_kernel *k) {
    for (size_t i = 0; i < k->parameter_count; ++i) {
        const pto_parameter *const p = &k->parameters[i];
        printf("{\"kind\":\"register\",\"name\":");
        put_json_string(stdout, p->name);
        printf(",\"type\":\"%s\",\"input\":true,\"memory\":%s,\"written\":%s,\"each\":1,\"bytes\":%zu}\n",
               pto_dtype_name(p->type), p->pointer ? "true" : "false", p->written ? "true" : "false",
               p->bytes);
    }
}

static size_t count_of(pto_dim3 dim) {
    return (size_t)dim.x * dim.y * dim.z;
}

/* Returns whether a thread executed a step. */
static bool is_active(const pto_program_step *step, size_t thread) {
    return thread >= step->first && thread - step->first < step->lanes &&
           (step->active == NULL || pto_mask_get(pto_packed_in(step->active), thread - step->first));
}

/* Writes the bits or the values of a step for each thread that is printed; null for one that did not execute it. */
static void put_threads(const struct launch *l, const pto_program_step *step, const char *name, bool values) {
    const size_t all = count_of(l->grid) * count_of(l->block);
    printf(",\"%s\":[", name);
    for (size_t i = 0; i < SHOWN_THREADS && l->first + i < all; ++i) {
        unsigned char element[8];
        char text[SCRIPT_ELEMENT];
        if (i != 0) putchar(',');
        if (!is_active(step, l->first + i)) {
            printf("null");
            continue;
        }
        element_at(step->type, step->data, l->first + i - step->first, element);
        script_element(step->type, element, text);
        if (values)
            printf("\"%s\"", strstr(text, "  ") + 2);
        else
            printf("\"0x%0*" PRIx64 "\"", element_hex_digits(step->type), element_bits(step->type, element));
    }
    putchar(']');
}

static void trace_step(void *user, const pto_program_step *step) {
    struct launch *const l = user;
    bool is_shown = false;
    for (size_t i = 0; i < SHOWN_THREADS && !is_shown; ++i) is_shown = is_active(step, l->first + i);
    if (!is_shown || ++l->steps > SHOWN_STEPS) return;
    printf("{\"kind\":\"step\",\"line\":%zu,\"name\":", step->line);
    put_json_string(stdout, step->name);
    printf(",\"type\":\"%s\"", pto_dtype_name(step->type));
    put_threads(l, step, "bits", false);
    put_threads(l, step, "values", true);
    puts("}");
}

static void put_results(const struct launch *l) {
    for (size_t i = 0; i < l->kernel.parameter_count; ++i)
        if (l->arguments[i].memory != NULL)
            put_lanes("result", 0, l->kernel.parameters[i].name, l->memory[i].type, false, l->memory[i].data,
                      l->memory[i].count);
}

/* ---- arguments ---- */

/* Reads "f32: 1, 2, 3" or "zeros:f32:64". Returns false if the text is neither, or after an error. */
static bool read_memory(const char *name, const char *text, struct memory *m) {
    static const char zeros[] = "zeros:";
    const bool is_zeros = strncmp(text, zeros, sizeof zeros - 1) == 0;
    const char *const type = is_zeros ? text + sizeof zeros - 1 : text, *const colon = strchr(type, ':');
    char word[16] = "", *end;
    if (colon == NULL || (size_t)(colon - type) >= sizeof word) return false;
    memcpy(word, type, (size_t)(colon - type));
    if (pto_parse_dtype(word, &m->type, NULL) != PTO_OK) return false;
    if (!is_zeros) {
        m->data = read_values(&command_kernel, name, colon + 1, m->type, false, &m->count);
        return m->data != NULL;
    }
    m->count = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || m->count > MOST_THREADS) return false;
    m->data = calloc(m->count + 1, 8);
    if (m->data == NULL) out_of_memory();
    return true;
}

static bool bind_memory(struct launch *l, size_t i, const char *text) {
    const pto_parameter *const p = &l->kernel.parameters[i];
    struct memory *const m = &l->memory[i];
    if (!read_memory(p->name, text, m))
        return report(p->name,
                      "expected an array such as f32: 1, 2, 3 or zeros:f32:64; 0 is the null pointer");
    l->arguments[i] = (pto_argument){.bytes = (m->count * pto_dtype_bits(m->type) + 7) / 8};
    if (p->written)
        l->arguments[i].memory = m->data;
    else
        l->arguments[i].input = m->data;
    return true;
}

/* Binds "NAME=VALUES". The value 0 leaves an argument out, which is a null pointer or a struct of zeros. */
static bool bind(struct launch *l, char *argument) {
    char *const equals = strchr(argument, '=');
    const pto_parameter *p = NULL;
    size_t i = 0;
    if (equals == NULL) return report(argument, "expected NAME=VALUES");
    *equals = '\0';
    for (; i < l->kernel.parameter_count && p == NULL; ++i)
        if (strcmp(l->kernel.parameters[i].name, argument) == 0) p = &l->kernel.parameters[i];
    if (p == NULL || strcmp(equals + 1, "0") == 0) return true;
    if (p->pointer || strchr(equals + 1, ':') != NULL) return bind_memory(l, i - 1, equals + 1);
    if (p->bytes * 8 != pto_dtype_bits(p->type)) return report(argument, "expected 0 for a struct");
    if (value_read(equals + 1, p->type, l->scalar[i - 1]) == VALUE_INVALID) {
        report_error(&command_kernel, "%s: expected a value of type .%s for %s", equals + 1,
                     pto_dtype_name(p->type), argument);
        return false;
    }
    l->arguments[i - 1] = (pto_argument){.scalar = l->scalar[i - 1], .bytes = p->bytes};
    return true;
}

/* Reads "64", "8x8" or "8x8x4". An empty text leaves *dim as it is. */
static bool read_size(const char *name, const char *text, pto_dim3 *dim) {
    unsigned x, y = 1, z = 1;
    char more;
    if (*text == '\0') return true;
    if (sscanf(text, "%u%c", &x, &more) != 1 && sscanf(text, "%ux%u%c", &x, &y, &more) != 2 &&
        sscanf(text, "%ux%ux%u%c", &x, &y, &z, &more) != 3)
        return report(name, "expected a size such as 64, 16x16 or 8x8x4");
    *dim = (pto_dim3){x, y, z};
    return true;
}

/* Sets the sizes that the user left out, by the rules of `pto launch`: the block that the kernel requires or 128
 * threads, and a thread for each element of the largest array. */
static bool complete_sizes(struct launch *l, const char *grid, const char *block) {
    enum { DEFAULT_THREADS = 128 };
    const pto_dim3 required = l->kernel.block;
    size_t largest = 1;
    l->block = (pto_dim3){DEFAULT_THREADS, 1, 1};
    if (required.x != 0)
        l->block = (pto_dim3){required.x, required.y ? required.y : 1, required.z ? required.z : 1};
    if (!read_size("block", block, &l->block)) return false;
    for (size_t i = 0; i < l->kernel.parameter_count; ++i)
        if (l->memory[i].count > largest) largest = l->memory[i].count;
    if (count_of(l->block) == 0) return report("block", "expected at least one thread");
    l->grid = (pto_dim3){(uint32_t)((largest + count_of(l->block) - 1) / count_of(l->block)), 1, 1};
    if (!read_size("grid", grid, &l->grid)) return false;
    if ((double)l->grid.x * l->grid.y * l->grid.z * (double)count_of(l->block) > MOST_THREADS)
        return report("grid", "this is too large for the page; expected at most 2^20 threads");
    return true;
}

/* Chooses the kernel with this name; without a name, the first one that is supported. */
static bool choose_kernel(struct launch *l, const char *name) {
    for (size_t i = 0; pto_module_kernel_at(l->module, i, &l->kernel) == PTO_OK; ++i)
        if (*name != '\0' ? strcmp(l->kernel.name, name) == 0 : l->kernel.problem == NULL) return true;
    return pto_module_kernel_at(l->module, 0, &l->kernel) == PTO_OK;
}

/* ---- the subcommand ---- */

static void *allocate(size_t n, size_t size) {
    void *const memory = calloc(n + 1, size);
    if (memory == NULL) out_of_memory();
    return memory;
}

/* Prints the kernels of the module, and the parameters of the one that is chosen. */
static int put_interface(struct launch *l, const char *name) {
    put_kernels(l->module);
    if (!choose_kernel(l, name)) return STATUS_ERROR;
    printf("{\"kind\":\"chosen\",\"name\":");
    put_json_string(stdout, l->kernel.name);
    puts("}");
    put_parameters(&l->kernel);
    if (l->kernel.problem == NULL) return STATUS_OK;
    put_error(l->kernel.problem);
    return STATUS_DIFFERENT;
}

static int launch(struct launch *l, char **argv, char **inputs) {
    const size_t shared = strtoul(argv[4], NULL, 10);
    l->arguments = allocate(l->kernel.parameter_count, sizeof *l->arguments);
    l->memory = allocate(l->kernel.parameter_count, sizeof *l->memory);
    l->scalar = allocate(l->kernel.parameter_count, sizeof *l->scalar);
    for (; *inputs != NULL; ++inputs)
        if (!bind(l, *inputs)) return STATUS_ERROR;
    if (!complete_sizes(l, argv[2], argv[3])) return STATUS_ERROR;
    if (shared > MOST_SHARED || pto_module_share(l->module, shared) != PTO_OK) {
        report("shared memory", "expected at most 1048576 bytes");
        return STATUS_ERROR;
    }
    l->first = strtoul(argv[5], NULL, 10);
    if (l->first >= count_of(l->grid) * count_of(l->block)) {
        report("first thread", "the grid has fewer threads");
        return STATUS_ERROR;
    }
    printf("{\"kind\":\"launch\",\"first\":%zu,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u]}\n", l->first,
           l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z);
    if (pto_module_launch(l->module, l->kernel.name, l->grid, l->block, l->arguments,
                          l->kernel.parameter_count) != PTO_OK) {
        put_error(pto_module_problem(l->module));
        return STATUS_DIFFERENT;
    }
    put_results(l);
    if (l->steps > SHOWN_STEPS) printf("{\"kind\":\"more\",\"steps\":%zu}\n", l->steps);
    return STATUS_OK;
}

/* The module is on stdin. The arguments are: kernel, grid, block, bytes of dynamic shared memory, first thread to
 * print, each of which may be empty, and inputs. With only a kernel, nothing is launched. */
static int run(int argc, char **argv) {
    enum { FIRST_INPUT = 6 };
    static struct launch l;
    const pto_program_options options = {.trace = trace_step, .user = &l, .max_steps = KERNEL_STEPS};
    pto_program_error error = {.line = 0};
    size_t size;
    int status;
    if (argc != 2 && argc < FIRST_INPUT) return report_error(&command_kernel, "expected more arguments");
    l.module = pto_module_new((char *)read_input(&size), options, &error);
    if (l.module == NULL) {
        put_error(&error);
        return STATUS_DIFFERENT;
    }
    status = put_interface(&l, argv[1]);
    return status != STATUS_OK || argc == 2 ? status : launch(&l, argv, argv + FIRST_INPUT);
}

const struct command command_kernel = {.name = "kernel", .run = run};
