/* SPDX-License-Identifier: MIT */
/* Builds the intermediate representation of a program: names, registers and steps. */
#include "ir.h"

#include "platform.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* An entry of the tree of names. Constants are in scope -1, and their name is their width and value. */
struct binding {
    int scope, reg;
    uint32_t scatter; /* pto_scatter() of the name */
    size_t length;
    const char *name;
};

static struct binding binding_of(int scope, const char *name, size_t length, int reg) {
    return (struct binding){scope, reg, pto_scatter(name, length), length, name};
}

static int compare_bindings(const void *a, const void *b) {
    const struct binding *x = a, *y = b;
    if (x->scatter != y->scatter) return x->scatter < y->scatter ? -1 : 1;
    if (x->scope != y->scope) return x->scope < y->scope ? -1 : 1;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    return memcmp(x->name, y->name, x->length);
}

static int find(const pto_program *p, int scope, const char *name, size_t length) {
    const struct binding key = binding_of(scope, name, length, ABSENT);
    void *const *found = tfind(&key, &p->names, compare_bindings);
    return found ? ((const struct binding *)*found)->reg : ABSENT;
}

static bool bind_name(pto_program *p, int scope, const char *name, size_t length, int reg) {
    struct binding *binding = malloc(sizeof *binding);
    if (!binding) return false;
    *binding = binding_of(scope, name, length, reg);
    if (tsearch(binding, &p->names, compare_bindings)) return true;
    free(binding);
    return false;
}

int pto_ir_find(const pto_program *p, int scope, const struct token *name) {
    return find(p, scope, name->at, name->length);
}

/* ---- registers ---- */

/* Returns the array, enlarged if its `count` elements of `size` bytes fill its capacity. Returns NULL if
 * there is no memory. */
static void *grow(void *array, size_t count, size_t *capacity, size_t size) {
    void *grown;
    if (count < *capacity) return array;
    grown = realloc(array, (2 * *capacity + 16) * size);
    if (grown) *capacity = 2 * *capacity + 16;
    return grown;
}

static int add_reg(pto_program *p, const struct reg *reg) {
    struct reg *regs = grow(p->regs, p->reg_count, &p->reg_capacity, sizeof *regs);
    if (!regs) return ABSENT;
    p->regs = regs;
    regs[p->reg_count] = *reg;
    return (int)p->reg_count++;
}

static int add_bound(pto_program *p, int scope, struct reg *reg, const char *name, size_t length) {
    int number = ABSENT;
    reg->name = pto_duplicate_text(name, length);
    if (reg->name) number = add_reg(p, reg);
    if (number == ABSENT) {
        free(reg->name);
        return ABSENT;
    }
    return bind_name(p, scope, reg->name, length, number) ? number : ABSENT;
}

int pto_ir_add(pto_program *p, enum reg_kind kind, int scope, const struct token *name, pto_dtype type,
               bool predicate) {
    struct reg reg = {
        .kind = kind, .type = predicate ? PTO_B8 : type, .predicate = predicate, .elements_per_lane = 1};
    return name ? add_bound(p, scope, &reg, name->at, name->length) : add_reg(p, &reg);
}

int pto_ir_constant(pto_program *p, pto_dtype type, bool predicate, uint64_t value) {
    enum { CONSTANTS = -1 };
    struct reg reg = {.kind = REG_CONSTANT,
                      .type = predicate ? PTO_B8 : type,
                      .predicate = predicate,
                      .elements_per_lane = 1,
                      .value = value};
    char name[48];
    const int length = snprintf(name, sizeof name, "%u:%llx", predicate ? 1U : (unsigned)pto_dtype_bits(type),
                                (unsigned long long)value);
    const int known = find(p, CONSTANTS, name, (size_t)length);
    return known != ABSENT ? known : add_bound(p, CONSTANTS, &reg, name, (size_t)length);
}

size_t pto_reg_bits(const struct reg *r) {
    return r->elements_per_lane * (r->predicate ? 1 : pto_dtype_bits(r->type));
}

size_t pto_reg_block_bytes(const struct reg *r, size_t lanes) {
    return (lanes * pto_reg_bits(r) + 7) / 8;
}

/* ---- the index ---- */

static int compare_named_regs(const void *a, const void *b) {
    const struct named_reg *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->reg > y->reg) - (x->reg < y->reg);
}

/* Returns false for a register that is only declared, or not even that: no step reads or writes it. */
static bool is_used(const struct reg *r) {
    return r->kind != REG_NAMES && (r->kind != REG_NAMED || r->written || r->input);
}

bool pto_ir_index(pto_program *p) {
    p->named = malloc((p->reg_count + 1) * sizeof *p->named);
    p->sorted = malloc((p->reg_count + 1) * sizeof *p->sorted);
    p->used = malloc((p->reg_count + 1) * sizeof *p->used);
    if (!p->named || !p->sorted || !p->used) return false;
    for (size_t i = 0; i < p->reg_count; i++) {
        const struct reg *r = &p->regs[i];
        if (r->kind == REG_NAMED) p->named[p->named_count++] = (struct named_reg){r->name, i};
        if (is_used(r)) p->used[p->used_count++] = i;
    }
    memcpy(p->sorted, p->named, p->named_count * sizeof *p->sorted);
    qsort(p->sorted, p->named_count, sizeof *p->sorted, compare_named_regs);
    return true;
}

struct reg *pto_ir_named(const pto_program *p, const char *name) {
    size_t begin = 0, end = p->named_count;
    while (begin < end) { /* binary search for the first entry whose name is not less than `name` */
        const size_t middle = begin + (end - begin) / 2;
        if (strcmp(p->sorted[middle].name, name) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    if (begin == p->named_count || strcmp(p->sorted[begin].name, name) != 0) return NULL;
    return &p->regs[p->sorted[begin].reg];
}

/* ---- steps ---- */

struct step pto_step_of(step_fn *run, size_t line) {
    struct step s = {.run = run, .guard = ABSENT, .line = line};
    for (size_t i = 0; i < STEP_RESULTS; i++) s.dst[i] = ABSENT;
    for (size_t i = 0; i < STEP_SOURCES; i++) s.src[i] = ABSENT;
    return s;
}

static void mark_read(pto_program *p, int number, const struct token *place) {
    struct reg *r = number == ABSENT ? NULL : &p->regs[number];
    if (!r || r->kind != REG_NAMED || r->written || r->input) return;
    r->input = true;
    r->line = place->line;
    r->column = place->column;
}

static void mark_written(pto_program *p, int number, bool guarded) {
    struct reg *r = number == ABSENT ? NULL : &p->regs[number];
    if (!r) return;
    if (!r->written && guarded) r->partial = true;
    r->written = true;
}

bool pto_ir_step(pto_program *p, const struct step *step, const struct token *place) {
    struct step *steps = grow(p->steps, p->step_count, &p->step_capacity, sizeof *steps);
    if (!steps) return false;
    p->steps = steps;
    for (size_t i = 0; i < STEP_SOURCES; i++) mark_read(p, step->src[i], place);
    mark_read(p, step->guard, place);
    for (size_t i = 0; i < STEP_RESULTS; i++) mark_written(p, step->dst[i], step->guard != ABSENT);
    steps[p->step_count++] = *step;
    return true;
}

/* ---- freeing ---- */

/* Compares all entries as equal, so that tdelete() removes the root. */
static int any_order(const void *a, const void *b) {
    (void)a, (void)b;
    return 0;
}

void pto_ir_free(pto_program *p) {
    while (p->names) {
        void *binding = *(void **)p->names;
        (void)tdelete(binding, &p->names, any_order);
        free(binding);
    }
    for (size_t i = 0; i < p->reg_count; i++) free(p->regs[i].name);
    free(p->named);
    free(p->sorted);
    free(p->used);
    free(p->regs);
    free(p->steps);
}
