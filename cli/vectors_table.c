/* SPDX-License-Identifier: MIT */
/* Makes the tables of all forms except block scaling: chooses the inputs, and computes the results. */
#include "vectors_table.h"

#include "digest_input.h"
#include "vectors_input.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

uint64_t vector_get(const void *array, size_t bits, size_t i) {
    const unsigned char *const bytes = (const unsigned char *)array + i * bits / 8;
    uint64_t value = 0;
    if (bits < 8) return *bytes >> i * bits % 8 & ((1U << bits) - 1);
    memcpy(&value, bytes, bits / 8);
    return value;
}

void vector_set(void *array, size_t bits, size_t i, uint64_t value) {
    unsigned char *const bytes = (unsigned char *)array + i * bits / 8;
    if (bits < 8)
        *bytes |= (unsigned char)(value << i * bits % 8);
    else
        memcpy(bytes, &value, bits / 8);
}

void vector_table_add(struct vector_table *table, const char *name, const char *type, size_t bits,
                      size_t count, bool is_result) {
    table->columns[table->column_count++] =
        (struct vector_column){name, type, (unsigned)bits, (unsigned)count, is_result};
    table->width += count;
}

void vector_table_allocate(struct vector_table *table, size_t rows) {
    table->rows = rows;
    table->cells = calloc(rows * table->width, sizeof *table->cells);
    if (table->cells == NULL) out_of_memory();
}

uint64_t *vector_table_row(const struct vector_table *table, size_t row) {
    return table->cells + row * table->width;
}

static void add_element(struct vector_table *table, const char *name, pto_dtype type, bool is_result) {
    vector_table_add(table, name, pto_dtype_name(type), pto_dtype_bits(type), 1, is_result);
}

static void add_predicate(struct vector_table *table, const char *name, bool is_result) {
    vector_table_add(table, name, "pred", 1, 1, is_result);
}

/* ---- what a form reads and writes ---- */

/* The operands of a form. `extra` is how the operand after the sources is stored in memory. */
enum extra {
    EXTRA_NONE,
    EXTRA_SCALE,
    EXTRA_SHARED_SCALE,
    EXTRA_RANDOM,
    EXTRA_WORD,
    EXTRA_PREDICATE,
    EXTRA_C
};

struct shape {
    pto_dtype src, dst;
    bool is_pair; /* there are two sources, a and b */
    enum extra extra;
    pto_dtype ctype;      /* EXTRA_C */
    bool is_integral;     /* the result is rounded to an integral value */
    size_t group;         /* EXTRA_RANDOM: how many elements share a word */
    unsigned result_bits; /* 1 for predicates */
    bool has_q;           /* there is a second predicate */
};

static bool rounds_to_integral(pto_cvt_op op) {
    return op.round == PTO_RNI || op.round == PTO_RZI || op.round == PTO_RMI || op.round == PTO_RPI;
}

static void shape_of_cvt(pto_cvt_op op, struct shape *s) {
    s->dst = op.dst;
    s->is_integral = rounds_to_integral(op);
    s->group = elements_per_random_word(op.dst);
    if (op.round == PTO_RS) s->extra = EXTRA_RANDOM;
    if (op.scale != PTO_SCALE_NONE) s->extra = op.scale == PTO_SCALE_N1 ? EXTRA_SHARED_SCALE : EXTRA_SCALE;
}

static void shape_of_digest_form(const struct form *form, struct shape *s) {
    s->src = s->dst = source_type(form);
    s->is_pair = !is_conversion(form);
    switch (form->operation) {
    case OP_CVT: shape_of_cvt(form->cvt, s); break;
    case OP_VCVT: s->dst = form->vcvt.dst; break;
    case OP_VTRC: s->is_integral = true; break;
    case OP_SELP: s->extra = EXTRA_PREDICATE; break;
    case OP_SLCT:
        s->extra = EXTRA_C;
        s->ctype = form->ctype;
        break;
    default: break;
    }
    s->result_bits = (unsigned)result_bits(form);
}

static struct shape shape_of(const struct vector_form *form) {
    struct shape s = {.is_pair = true, .result_bits = 1};
    switch (form->kind) {
    case VECTORS_CAST:
        s.src = form->as.cast.src;
        s.dst = form->as.cast.dst;
        s.is_pair = false;
        if (form->as.cast.round == PTO_RS) s.extra = EXTRA_WORD;
        s.result_bits = (unsigned)pto_dtype_bits(s.dst);
        break;
    case VECTORS_SETP:
        s.src = s.dst = form->as.setp.type;
        s.has_q = true;
        if (form->as.setp.boolop != PTO_BOOL_NONE) s.extra = EXTRA_PREDICATE;
        break;
    case VECTORS_SET:
        s.src = form->as.set.stype;
        s.dst = form->as.set.dtype;
        if (form->as.set.boolop != PTO_BOOL_NONE) s.extra = EXTRA_PREDICATE;
        s.result_bits = (unsigned)pto_dtype_bits(s.dst);
        break;
    default: shape_of_digest_form(&form->as.form, &s); break;
    }
    return s;
}

static void add_columns(const struct shape *s, bool is_selp, struct vector_table *table) {
    add_element(table, "a", s->src, false);
    if (s->is_pair) add_element(table, "b", s->src, false);
    switch (s->extra) {
    case EXTRA_SCALE:
    case EXTRA_SHARED_SCALE: add_element(table, "scale", PTO_UE8M0, false); break;
    case EXTRA_RANDOM:
        add_element(table, "random", PTO_B32, false);
        add_element(table, "place", PTO_U8, false);
        break;
    case EXTRA_WORD: add_element(table, "random", PTO_B32, false); break;
    case EXTRA_PREDICATE: add_predicate(table, is_selp ? "p" : "c", false); break;
    case EXTRA_C: add_element(table, "c", s->ctype, false); break;
    default: break;
    }
    if (s->result_bits == 1) {
        add_predicate(table, "p", true);
        if (s->has_q) add_predicate(table, "q", true);
    } else {
        add_element(table, "d", s->dst, true);
    }
}

/* ---- inputs ---- */

static uint64_t first_index(const struct vector_settings *settings) {
    return (uint64_t)settings->seed << 32;
}

/* Writes the sources of a conversion: all, or special values, boundaries of the destination and pseudo-random ones. */
static void make_sources(const struct shape *s, const struct vector_settings *settings,
                         struct vector_table *table) {
    const uint64_t codes = source_codes(s->src), scales = 256;
    const bool has_scale = s->extra == EXTRA_SCALE || s->extra == EXTRA_SHARED_SCALE;
    struct vector_operands list = {NULL, 0, 0};
    if (codes != 0 && codes <= 1 << 16) {
        vector_table_allocate(table, (size_t)(has_scale && codes <= 256 ? codes * scales : codes));
        for (size_t i = 0; i < table->rows; ++i) *vector_table_row(table, i) = i % codes;
        return;
    }
    for (unsigned i = 0; i < TRUTH_SPECIALS; ++i) vector_operands_add(&list, vector_special(s->src, i));
    vector_boundaries(&list, s->src, s->is_integral ? PTO_S8 : s->dst);
    for (uint32_t i = 0; i < settings->count; ++i)
        vector_operands_add(&list, vector_random(s->src, first_index(settings) + i));
    vector_table_allocate(table, list.count);
    for (size_t i = 0; i < list.count; ++i) *vector_table_row(table, i) = list.items[i];
    free(list.items);
}

static struct truth_pair random_element_pair(pto_dtype type, uint64_t i) {
    const struct truth_shape shape = vector_shape(type);
    const uint64_t a = truth_left(&shape, i);
    return (struct truth_pair){a, truth_right(&shape, a, i)};
}

/* Returns pseudo-random pair i. If the type has two halves, each half has its own. */
static struct truth_pair random_pair(pto_dtype type, uint64_t i) {
    const pto_dtype half = type == PTO_F16X2 ? PTO_F16 : PTO_BF16;
    struct truth_pair low, high;
    if (type != PTO_F16X2 && type != PTO_BF16X2) return random_element_pair(type, i);
    low = random_element_pair(half, 2 * i);
    high = random_element_pair(half, 2 * i + 1);
    return (struct truth_pair){low.a | high.a << 16, low.b | high.b << 16};
}

/* Writes two operands: all pairs of 8 bits, or all pairs of special values and pseudo-random ones. */
static void make_pairs(const struct shape *s, const struct vector_settings *settings,
                       struct vector_table *table) {
    const uint64_t codes = source_codes(s->src), specials = TRUTH_SPECIALS;
    const bool has_all = codes != 0 && codes <= 256;
    const uint64_t chosen = has_all ? codes * codes : specials * specials;
    vector_table_allocate(table, (size_t)chosen + (has_all ? 0 : settings->count));
    for (size_t i = 0; i < table->rows; ++i) {
        uint64_t *const row = vector_table_row(table, i);
        if (has_all) {
            row[0] = i % codes;
            row[1] = i / codes;
        } else if (i < chosen) {
            row[0] = vector_special(s->src, (unsigned)(i % specials));
            row[1] = vector_special(s->src, (unsigned)(i / specials));
        } else {
            const struct truth_pair pair = random_pair(s->src, first_index(settings) + i);
            row[0] = pair.a;
            row[1] = pair.b;
        }
    }
}

/* Returns the scale of row i: of sources of at most 8 bits each scale for each source, otherwise a pseudo-random one,
 * which is often near 1. */
static uint64_t scale_of(const struct shape *s, uint64_t index, size_t i) {
    static const struct truth_shape one = {.scales = 1};
    const uint64_t codes = source_codes(s->src);
    if (codes != 0 && codes <= 256) return i / codes;
    return truth_scales(&one, index + (s->extra == EXTRA_SHARED_SCALE ? i / 2 : i));
}

/* Returns the operand c of slct. The special ones come in another order than those of a and b. */
static uint64_t selector_of(const struct shape *s, uint64_t index, size_t i) {
    const struct truth_shape shape = vector_shape(s->ctype);
    const size_t specials = TRUTH_SPECIALS;
    if (i < specials * specials) return truth_special(&shape, (unsigned)((i + i / specials) % specials));
    return truth_left(&shape, (index + i) ^ (uint64_t)1 << 50);
}

static void make_extras(const struct shape *s, const struct vector_settings *settings,
                        struct vector_table *table) {
    const uint64_t index = first_index(settings);
    /* cvt.rs.f16x2 reads 13 bits for each half; PTX requires that the others are 0. */
    const uint32_t random_mask = s->extra == EXTRA_RANDOM && s->dst == PTO_F16 ? 0x1fff1fff : UINT32_MAX;
    for (size_t i = 0; i < table->rows; ++i) {
        uint64_t *const extra = vector_table_row(table, i) + (s->is_pair ? 2 : 1);
        const uint64_t group = s->extra == EXTRA_RANDOM ? s->group : 1;
        switch (s->extra) {
        case EXTRA_SCALE:
        case EXTRA_SHARED_SCALE: extra[0] = scale_of(s, index, i); break;
        case EXTRA_RANDOM:
            extra[1] = i % group;
            extra[0] = truth_hash(~(index + i / group)) & random_mask;
            break;
        case EXTRA_WORD: extra[0] = truth_hash(~(index + i)) & random_mask; break;
        case EXTRA_PREDICATE: extra[0] = truth_predicates(index + i) & 1; break;
        case EXTRA_C: extra[0] = selector_of(s, index, i); break;
        default: break;
        }
    }
}

/* ---- results ---- */

/* Copies the operands of a block's rows from the table. */
static void fill_block(const struct shape *s, const struct vector_table *table, struct block *block) {
    const size_t bits = pto_dtype_bits(s->src);
    memset(&block->source, 0, block->n * sizeof *block->source.longs);
    memset(&block->extra, 0, block->n * sizeof *block->extra.longs);
    for (size_t i = 0; i < block->n; ++i) {
        const uint64_t *const row = vector_table_row(table, (size_t)block->first + i);
        const uint64_t extra = row[s->is_pair ? 2 : 1];
        vector_set(&block->source, bits, i, row[0]);
        if (s->is_pair) vector_set(&block->second, bits, i, row[1]);
        switch (s->extra) {
        case EXTRA_SCALE: block->extra.bytes[i] = (uint8_t)extra; break;
        case EXTRA_SHARED_SCALE: block->extra.bytes[i / 2] = (uint8_t)extra; break;
        case EXTRA_RANDOM: block->extra.words[i / s->group] = (uint32_t)extra; break;
        case EXTRA_WORD: block->extra.words[i] = (uint32_t)extra; break;
        case EXTRA_PREDICATE: vector_set(&block->extra, 1, i, extra); break;
        case EXTRA_C: vector_set(&block->extra, pto_dtype_bits(s->ctype), i, extra); break;
        default: break;
        }
    }
}

/* Computes the results of a block. `q` receives the second predicate of setp. */
static pto_status run_block(const struct vector_form *form, const struct shape *s, struct block *block,
                            union lanes *q) {
    const void *const a = &block->source, *const b = &block->second;
    void *const result = &block->result;
    const pto_mask c = s->extra == EXTRA_PREDICATE ? pto_packed_in(&block->extra) : PTO_NO_MASK;
    switch (form->kind) {
    case VECTORS_CAST:
        return pto_cast(form->as.cast, a, result, s->extra == EXTRA_WORD ? block->extra.words : NULL,
                        block->n);
    case VECTORS_SETP: return pto_setp(form->as.setp, a, b, c, pto_packed(result), pto_packed(q), block->n);
    case VECTORS_SET: return pto_set(form->as.set, a, b, c, result, block->n);
    default: return block_run(&form->as.form, block);
    }
}

static pto_status make_results(const struct vector_form *form, const struct shape *s,
                               struct vector_table *table) {
    struct block *const block = malloc(sizeof *block);
    union lanes *const q = malloc(sizeof *q);
    pto_status status = PTO_OK;
    if (block == NULL || q == NULL) out_of_memory();
    for (size_t first = 0; status == PTO_OK && first < table->rows; first += BLOCK_INPUTS) {
        block->first = first;
        block->n = table->rows - first < BLOCK_INPUTS ? table->rows - first : BLOCK_INPUTS;
        fill_block(s, table, block);
        status = run_block(form, s, block, q);
        for (size_t i = 0; status == PTO_OK && i < block->n; ++i) {
            uint64_t *const end = vector_table_row(table, first + i) + table->width;
            if (s->has_q) end[-1] = vector_get(q, 1, i);
            end[s->has_q ? -2 : -1] = vector_get(&block->result, s->result_bits, i);
        }
    }
    free(block);
    free(q);
    return status;
}

pto_status vector_table_make(const struct vector_form *form, const struct vector_settings *settings,
                             struct vector_table *table) {
    const struct shape s = shape_of(form);
    *table = (struct vector_table){.column_count = 0};
    add_columns(&s, form->kind == VECTORS_FORM, table);
    if (s.is_pair)
        make_pairs(&s, settings, table);
    else
        make_sources(&s, settings, table);
    make_extras(&s, settings, table);
    return make_results(form, &s, table);
}
