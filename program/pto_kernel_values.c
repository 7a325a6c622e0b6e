/* SPDX-License-Identifier: MIT */
/* The memory, names and values of kernel programs. */
#include "pto_kernel.h"

#include "number.h"
#include "pto.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* A piece of memory that is freed with the program. */
struct chunk {
    struct chunk *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

static bool no_memory(struct kernel_front *f) {
    return pto_text_error(&f->text, &f->text.now, "there is not enough memory");
}

void *pto_kernel_allocate(struct kernel_front *f, size_t bytes) {
    enum { CHUNK_BYTES = 65536 - sizeof(struct chunk), ALIGNMENT = 16 };
    struct chunk *chunk = f->kernel->arena;
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!chunk || chunk->size - chunk->used < rounded) {
        const size_t size = rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES;
        chunk = calloc(1, sizeof *chunk + size);
        if (!chunk) {
            (void)no_memory(f);
            return NULL;
        }
        chunk->size = size;
        chunk->next = f->kernel->arena;
        f->kernel->arena = chunk;
    }
    chunk->used += rounded;
    return chunk->bytes + chunk->used - rounded;
}

void pto_kernel_free_arena(void *arena) {
    struct chunk *chunk = arena;
    while (chunk) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

/* ---- values ---- */

size_t pto_kernel_value_bytes(const struct kernel_type *type) {
    switch (type->kind) {
    case KERNEL_POINTER: return sizeof(struct kernel_pointer);
    case KERNEL_VECTOR: return (size_t)type->lanes * pto_kernel_lane_bits(type->element) / 8;
    case KERNEL_MASK: return type->is_vmi ? (type->lanes + 7) / 8 : KERNEL_IMAGE_BYTES;
    case KERNEL_ALIGN: return 0;
    default: return sizeof(uint64_t);
    }
}

struct kernel_value *pto_kernel_value(struct kernel_front *f, const struct token *name,
                                      struct kernel_type type) {
    struct kernel_value *v = pto_kernel_allocate(f, sizeof *v);
    const size_t alignment = type.kind == KERNEL_VECTOR ? 64 : 16;
    struct kernel *k = f->kernel;
    if (!v) return NULL;
    k->memory_bytes = (k->memory_bytes + alignment - 1) / alignment * alignment;
    v->at = k->memory_bytes;
    k->memory_bytes += pto_kernel_value_bytes(&type);
    v->type = type;
    v->element_bytes = pto_kernel_lane_bits(type.element) / 8;
    if (name) v->name = *name;
    v->next = k->values;
    k->values = v;
    return v;
}

struct kernel_value *pto_kernel_constant(struct kernel_front *f, struct kernel_type type, uint64_t bits) {
    struct kernel_value *v = pto_kernel_value(f, NULL, type);
    if (!v) return NULL;
    v->is_constant = true;
    v->bits = bits;
    return v;
}

/* ---- names ---- */

static size_t hash_of(const struct token *name) {
    return pto_scatter(name->at, name->length) % KERNEL_HASHES;
}

static struct kernel_symbol *find_symbol(const struct kernel_front *f, const struct token *name) {
    for (size_t i = f->hash[hash_of(name)]; i != 0; i = f->symbol[i - 1].hidden) {
        const struct token *other = &f->symbol[i - 1].name;
        if (other->length == name->length && memcmp(other->at, name->at, name->length) == 0)
            return &f->symbol[i - 1];
    }
    return NULL;
}

bool pto_kernel_alias(struct kernel_front *f, const struct token *name, struct kernel_value *value) {
    const struct kernel_symbol *known = find_symbol(f, name);
    const size_t hash = hash_of(name);
    if (known && (size_t)(known - f->symbol) >= f->region_first)
        return pto_text_error(&f->text, name, "expected a new name: this one is made in line %zu",
                              known->name.line);
    if (f->symbol_count == f->symbol_capacity) {
        const size_t capacity = 2 * f->symbol_capacity + 64;
        struct kernel_symbol *grown = realloc(f->symbol, capacity * sizeof *grown);
        if (!grown) return no_memory(f);
        f->symbol = grown;
        f->symbol_capacity = capacity;
    }
    f->symbol[f->symbol_count] = (struct kernel_symbol){*name, value, f->hash[hash]};
    f->hash[hash] = ++f->symbol_count;
    return true;
}

struct kernel_value *pto_kernel_define(struct kernel_front *f, const struct token *name,
                                       struct kernel_type type) {
    struct kernel_value *v = pto_kernel_value(f, name, type);
    if (!v || pto_token_is(name, "%_")) return v;
    return pto_kernel_alias(f, name, v) ? v : NULL;
}

struct kernel_value *pto_kernel_find(struct kernel_front *f, const struct token *name) {
    struct kernel_symbol *symbol = find_symbol(f, name);
    if (!symbol) {
        if (f->survey) f->survey->misses_value = true;
        (void)pto_text_error(&f->text, name, "expected a value: nothing above gives it this name");
        return NULL;
    }
    return symbol->value;
}

size_t pto_kernel_open_names(struct kernel_front *f) {
    const size_t mark = f->region_first;
    f->region_first = f->symbol_count;
    return mark;
}

void pto_kernel_close_names(struct kernel_front *f, size_t mark) {
    while (f->symbol_count > f->region_first) {
        const struct kernel_symbol *last = &f->symbol[--f->symbol_count];
        f->hash[hash_of(&last->name)] = last->hidden;
    }
    f->region_first = mark;
}

/* ---- numbers ---- */

/* Sets *bits to a decimal number rounded to the type, or to the bits that a hexadecimal number gives. Returns
 * NULL or an error message. */
static const char *float_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits) {
    const bool is_hexadecimal = number->length > 2 && number->at[1] == 'x';
    const pto_dtype wide = type == PTO_F64 ? PTO_F64 : PTO_F32;
    const char *error = pto_number_bits(number, minus, is_hexadecimal ? PTO_B64 : wide, bits);
    const pto_cvt_op narrow = {.dst = type, .src = PTO_F64, .round = PTO_RN};
    double value;
    if (error || is_hexadecimal || type == wide) return error;
    error = pto_number_bits(number, minus, PTO_F64, bits);
    memcpy(&value, bits, sizeof value);
    *bits = 0;
    if (!error && pto_cvt(narrow, &value, bits, NULL, 1) != PTO_OK)
        return "expected an integer or a hexadecimal number";
    return error;
}

bool pto_kernel_number(struct kernel_front *f, const struct token *number, bool minus,
                       const struct kernel_type *type, uint64_t *bits) {
    const char *error;
    if (type->kind == KERNEL_FLOAT) {
        error = float_bits(number, minus, type->element, bits);
    } else {
        error = pto_number_bits(number, minus, PTO_B64, bits);
        if (type->bits < 64) *bits &= ((uint64_t)1 << type->bits) - 1;
    }
    return error == NULL || pto_text_error(&f->text, number, "%s", error);
}
