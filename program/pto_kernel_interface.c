/* SPDX-License-Identifier: MIT */
/* The calls of program.h for kernel programs: arguments, registers, runs and values. */
#include "pto_kernel.h"

#include "platform.h"
#include "pto_kernel_operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the lists of arguments and registers ---- */

static char *copy_name(const struct token *name) {
    return pto_duplicate_text(name->at, name->length);
}

static void free_lists(struct kernel *k) {
    for (size_t i = 0; i < k->argument_count; i++) {
        free(k->argument[i].name);
        free(k->argument[i].memory);
    }
    for (size_t i = 0; i < k->register_count; i++) {
        free(k->reg[i].name);
        free(k->reg[i].lanes);
        free(k->reg[i].image);
    }
    free(k->argument);
    free(k->reg);
    k->argument = NULL;
    k->reg = NULL;
    k->argument_count = k->register_count = 0;
}

static bool list_arguments(struct kernel *k) {
    const struct kernel_region *body = &k->chosen->body;
    k->argument = calloc(body->argument_count + 1, sizeof *k->argument);
    if (!k->argument) return false;
    for (size_t i = 0; i < body->argument_count; i++) {
        k->argument[i].value = body->arguments[i];
        k->argument[i].name = copy_name(&body->arguments[i]->name);
        if (!k->argument[i].name) return false;
        k->argument_count++;
    }
    return true;
}

static bool is_register(const struct kernel_value *v) {
    return v->name.length != 0 && (v->type.kind == KERNEL_VECTOR || v->type.kind == KERNEL_MASK);
}

static bool is_listed(const struct kernel *k, const char *name) {
    for (size_t i = 0; i < k->register_count; i++)
        if (strcmp(k->reg[i].name, name) == 0) return true;
    return false;
}

/* Adds the vectors and masks with names that the ops of a region make, each name once. */
// NOLINTNEXTLINE(misc-no-recursion): KERNEL_DEPTH bounds it
static bool list_region(struct kernel *k, const struct kernel_region *region) {
    for (const struct kernel_op *op = region ? region->first : NULL; op; op = op->next) {
        for (size_t i = 0; i < op->out_count; i++) {
            struct kernel_register *grown;
            char *name;
            if (!is_register(op->out[i])) continue;
            name = copy_name(&op->out[i]->name);
            if (!name) return false;
            if (is_listed(k, name)) {
                free(name);
                continue;
            }
            grown = realloc(k->reg, (k->register_count + 1) * sizeof *grown);
            if (!grown) {
                free(name);
                return false;
            }
            k->reg = grown;
            k->reg[k->register_count++] =
                (struct kernel_register){.value = op->out[i], .name = name, .keep = true};
        }
        if (!list_region(k, op->region[0]) || !list_region(k, op->region[1])) return false;
    }
    return true;
}

bool pto_kernel_list(pto_program *program, struct kernel_function *chosen) {
    struct kernel *k = program->kernel;
    free_lists(k);
    k->chosen = chosen;
    program->ran = false;
    return list_arguments(k) && list_region(k, &chosen->body);
}

void pto_kernel_keep(pto_program *program) {
    const pto_program_options *o = &program->options;
    struct kernel *k = program->kernel;
    for (size_t i = 0; o->keep && i < k->register_count; i++) {
        k->reg[i].keep = false;
        for (size_t j = 0; j < o->keep_count; j++)
            if (strcmp(k->reg[i].name, o->keep[j]) == 0) k->reg[i].keep = true;
    }
}

void pto_kernel_free(struct kernel *k) {
    if (!k) return;
    free_lists(k);
    pto_kernel_free_arena(k->arena);
    free(k->memory);
    free(k->buffer);
    free(k->scratch);
    free(k->text);
    free(k);
}

/* ---- choosing a kernel ---- */

static void list_kernels(const struct kernel *k, char *to, size_t size) {
    size_t used = 0;
    for (const struct kernel_function *i = k->functions; i && used < size; i = i->next)
        if (i->is_kernel && i->has_body)
            used += (size_t)snprintf(to + used, size - used, "%s%.*s", used ? ", " : "", (int)i->name.length,
                                     i->name.at);
}

pto_status pto_program_kernel(pto_program *program, const char *name) {
    if (!program || !name) return PTO_ERR_NULL;
    for (struct kernel_function *i = program->kernel ? program->kernel->functions : NULL; i; i = i->next)
        if (i->is_kernel && i->has_body && strlen(name) == i->name.length &&
            memcmp(name, i->name.at, i->name.length) == 0)
            return pto_kernel_list(program, i) ? PTO_OK : PTO_ERR_SIZE;
    return PTO_ERR_PARSE;
}

/* ---- arguments and registers ---- */

size_t pto_kernel_register_count(const pto_program *program) {
    return program->kernel->argument_count + program->kernel->register_count;
}

static void describe_argument(const struct kernel_argument *a, pto_program_register *out) {
    const bool memory = a->value->type.kind == KERNEL_POINTER;
    *out = (pto_program_register){.name = a->name,
                                  .type = a->value->type.element,
                                  .input = true,
                                  .result = memory && a->value->is_stored,
                                  .each = 1,
                                  .memory = memory};
}

static void describe_register(const struct kernel_register *r, pto_program_register *out) {
    const bool mask = r->value->type.kind == KERNEL_MASK;
    *out = (pto_program_register){.name = r->name,
                                  .type = mask ? PTO_B8 : r->value->type.element,
                                  .predicate = mask,
                                  .result = true,
                                  .each = 1};
}

pto_status pto_kernel_register_at(const pto_program *program, size_t i, pto_program_register *out) {
    const struct kernel *k = program->kernel;
    if (i >= pto_kernel_register_count(program)) return PTO_ERR_SIZE;
    if (i < k->argument_count)
        describe_argument(&k->argument[i], out);
    else
        describe_register(&k->reg[i - k->argument_count], out);
    return PTO_OK;
}

pto_status pto_kernel_register_named(const pto_program *program, const char *name,
                                     pto_program_register *out) {
    for (size_t i = 0; pto_kernel_register_at(program, i, out) == PTO_OK; i++)
        if (strcmp(out->name, name) == 0) return PTO_OK;
    return PTO_ERR_PARSE;
}

static struct kernel_argument *find_argument(const struct kernel *k, const char *name) {
    for (size_t i = 0; i < k->argument_count; i++)
        if (strcmp(k->argument[i].name, name) == 0) return &k->argument[i];
    return NULL;
}

pto_status pto_kernel_bind(pto_program *program, const char *name, pto_dtype type, const void *data,
                           size_t n) {
    struct kernel_argument *a = find_argument(program->kernel, name);
    const size_t bits = pto_dtype_bits(type) < 8 && pto_dtype_bits(type) != 0 ? 8 : pto_dtype_bits(type);
    if (!a) return PTO_ERR_PARSE;
    if (bits != pto_kernel_lane_bits(a->value->type.element)) return PTO_ERR_TYPE;
    a->data = data;
    a->n = n;
    a->data_type = type;
    a->is_bound = true;
    return PTO_OK;
}

/* ---- running ---- */

static pto_status problem(pto_program *p, const struct kernel_argument *a, pto_status status,
                          const char *text) {
    if (a) {
        p->problem.line = a->value->name.line;
        p->problem.column = a->value->name.column;
        (void)snprintf(p->problem.word, sizeof p->problem.word, "%s", a->name);
    }
    (void)snprintf(p->problem.text, sizeof p->problem.text, "%s%s", a ? p->problem.word : "", text);
    return status;
}

/* Returns the size of a bound array in bytes. */
static size_t bound_bytes(const struct kernel_argument *a) {
    return pto_dtype_bits(a->data_type) == 4 ? (a->n + 1) / 2 : a->n * (pto_dtype_bits(a->data_type) / 8);
}

/* Checks that an argument is bound, and copies its array to memory that the run may change. */
static pto_status prepare_argument(pto_program *p, struct kernel_argument *a) {
    unsigned char *memory;
    if (!a->is_bound) return problem(p, a, PTO_ERR_PARSE, " is an argument, and nothing is bound to it");
    if (a->value->type.kind != KERNEL_POINTER) {
        if (a->value->type.kind != KERNEL_INTEGER && a->value->type.kind != KERNEL_FLOAT)
            return problem(p, a, PTO_ERR_PARSE, " has a type that cannot be bound");
        return a->n == 1 ? PTO_OK : problem(p, a, PTO_ERR_SIZE, " is a scalar, which takes one element");
    }
    a->bytes = bound_bytes(a);
    memory = realloc(a->memory, a->bytes + 1);
    if (!memory) return problem(p, NULL, PTO_ERR_SIZE, "there is not enough memory");
    a->memory = memory;
    if (a->bytes != 0) memcpy(memory, a->data, a->bytes);
    return PTO_OK;
}

static pto_status prepare(pto_program *p) {
    struct kernel *k = p->kernel;
    char text[sizeof p->problem.text] = "the text has several kernels, and none was chosen: ";
    if (!k->chosen) {
        list_kernels(k, text + strlen(text), sizeof text - strlen(text));
        return problem(p, NULL, PTO_ERR_PARSE, text);
    }
    for (size_t i = 0; i < k->argument_count; i++) {
        const pto_status status = prepare_argument(p, &k->argument[i]);
        if (status != PTO_OK) return status;
    }
    if (!k->memory) k->memory = malloc(k->memory_bytes + KERNEL_RESULTS * (size_t)KERNEL_SCRATCH_BYTES);
    if (!k->buffer) k->buffer = calloc(1, KERNEL_BUFFER_BYTES);
    if (!k->scratch) k->scratch = malloc(3 * (size_t)KERNEL_SCRATCH_BYTES);
    if (!k->memory || !k->buffer || !k->scratch)
        return problem(p, NULL, PTO_ERR_SIZE, "there is not enough memory");
    memset(k->memory, 0, k->memory_bytes);
    return PTO_OK;
}

pto_status pto_kernel_run(pto_program *program, size_t blocks) {
    pto_status status;
    if (blocks == 0) return problem(program, NULL, PTO_ERR_SIZE, "a kernel runs on at least 1 block");
    status = prepare(program);
    if (status == PTO_OK) status = pto_kernel_run_machine(program, blocks);
    program->lanes = blocks;
    program->ran = status == PTO_OK;
    return status;
}

/* ---- values after a run ---- */

/* Copies the lanes or the image of a mask to memory of the register, which stays valid until the next run. */
static pto_status value_of_mask(const struct kernel *k, struct kernel_register *r, bool is_image,
                                pto_dtype *type, const void **data, size_t *n) {
    const struct kernel_machine m = {.memory = k->memory};
    const struct kernel_value *v = r->value;
    unsigned char **to = is_image ? &r->image : &r->lanes;
    *type = PTO_B8;
    *n = is_image ? pto_kernel_value_bytes(&v->type) : v->type.lanes;
    if (!*to) *to = malloc(*n);
    if (!*to) return PTO_ERR_SIZE;
    *data = *to;
    if (!is_image) return pto_mask_mov(pto_kernel_mask(&m, v), pto_bytes(*to), *n);
    memcpy(*to, k->memory + v->at, *n);
    return PTO_OK;
}

static pto_status value_of_register(const struct kernel *k, struct kernel_register *r, bool is_image,
                                    pto_dtype *type, const void **data, size_t *n) {
    const struct kernel_value *v = r->value;
    if (!r->keep) return PTO_ERR_SIZE;
    if (v->type.kind == KERNEL_MASK) return value_of_mask(k, r, is_image, type, data, n);
    if (is_image) return PTO_ERR_PARSE;
    *type = v->type.element;
    *n = (size_t)v->type.lanes * (pto_dtype_bits(v->type.element) == 4 ? 2 : 1);
    *data = k->memory + v->at;
    return PTO_OK;
}

pto_status pto_kernel_value_of(const pto_program *program, const char *name, pto_dtype *type,
                               const void **data, size_t *n) {
    static const char suffix[] = ".image";
    struct kernel *k = program->kernel;
    const struct kernel_argument *a = find_argument(k, name);
    const size_t length = strlen(name),
                 base = length > sizeof suffix - 1 ? length - (sizeof suffix - 1) : length;
    const bool is_image = base != length && strcmp(name + base, suffix) == 0;
    if (a) {
        if (!program->ran) return PTO_ERR_SIZE;
        *type = a->data_type;
        *n = a->n;
        *data = a->value->type.kind == KERNEL_POINTER ? a->memory : a->data;
        return PTO_OK;
    }
    for (size_t i = 0; i < k->register_count; i++) {
        struct kernel_register *r = &k->reg[i];
        const bool image_of = is_image && strlen(r->name) == base && memcmp(r->name, name, base) == 0;
        if (!image_of && strcmp(r->name, name) != 0) continue;
        return program->ran ? value_of_register(k, r, image_of, type, data, n) : PTO_ERR_SIZE;
    }
    return PTO_ERR_PARSE;
}
