/* SPDX-License-Identifier: MIT */
/* Makes the tables of block scaling: each row has the elements of one block, its scale, its codes, and the elements
 * after dequantization. */
#include "vectors_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_LIMIT = 128 }; /* elements of the largest block */

/* The blocks of a table before results are computed: elements, and the second-level value or eps of each block. */
struct blocks {
    const pto_block_op *op;
    size_t elements;             /* in a block */
    struct vector_operands wide; /* all elements, block by block */
};

/* ---- elements ---- */

static uint64_t float_bits(pto_dtype wide, unsigned exponent, uint64_t fraction) {
    const struct truth_shape shape = vector_shape(wide);
    return (uint64_t)exponent << truth_fraction_bits(shape.kind) |
           (fraction & truth_all_bits(truth_fraction_bits(shape.kind)));
}

/* Returns a pseudo-random element between 2^(exponent - 7) and 2^(exponent + 1) of either sign, where `exponent` is an
 * exponent field. Some have few fraction bits, so that ties are frequent. */
static uint64_t ordinary(pto_dtype wide, unsigned exponent, uint64_t index) {
    const struct truth_shape shape = vector_shape(wide);
    const uint64_t h = truth_hash(index), sign = h >> 63 << (shape.unit_bits - 1);
    const unsigned below = (unsigned)(h >> 8) % 8, fraction_bits = truth_fraction_bits(shape.kind);
    const uint64_t fraction = h >> 20 & truth_all_bits(fraction_bits);
    const unsigned cut = h >> 16 & 1 ? 0 : (unsigned)(h >> 11) % fraction_bits;
    return sign | float_bits(wide, exponent > below ? exponent - below : 0, fraction >> cut << cut);
}

/* Returns the exponent field of 1. */
static unsigned bias_of(pto_dtype wide) {
    const struct truth_shape shape = vector_shape(wide);
    return (unsigned)truth_all_bits(truth_exponent_bits(shape.kind) - 1);
}

/* Appends a block of ordinary elements around 1, of which the first is replaced. */
static void add_block(struct blocks *b, uint64_t first, uint64_t index) {
    vector_operands_add(&b->wide, first);
    for (size_t i = 1; i < b->elements; ++i)
        vector_operands_add(&b->wide, ordinary(b->op->wide, bias_of(b->op->wide), index + i));
}

/* Appends blocks with each special value among ordinary ones, and blocks with nothing else than a special value. */
static void add_specials(struct blocks *b) {
    for (unsigned i = 0; i < TRUTH_SPECIALS; ++i) {
        const uint64_t special = vector_special(b->op->wide, i);
        add_block(b, special, (uint64_t)1 << 40 | i << 8);
        for (size_t k = 0; k < b->elements; ++k) vector_operands_add(&b->wide, special);
    }
}

/* Appends blocks whose largest magnitude is at a boundary of a rule: near a power of two, and near 1.5, 1.75, 1.875 and
 * 1.9375 times that, with exponents at the ends of the range and around that of 1. */
static void add_borders(struct blocks *b) {
    static const uint32_t fractions[] = {0, 0x400000, 0x600000, 0x700000, 0x780000}; /* of an f32 */
    const pto_dtype wide = b->op->wide;
    const struct truth_shape shape = vector_shape(wide);
    const unsigned one = bias_of(wide), fraction_bits = truth_fraction_bits(shape.kind);
    const unsigned exponents[] = {1, 4, one - 4, one - 1, one, one + 1, one + 8, 2 * one};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; ++e)
        for (size_t f = 0; f < sizeof fractions / sizeof *fractions; ++f)
            for (uint64_t near = 0; near < 3; ++near) {
                const uint64_t fraction = (uint64_t)fractions[f] << 32 >> (55 - fraction_bits);
                const uint64_t largest = float_bits(wide, exponents[e], fraction) + near - 1;
                vector_operands_add(&b->wide, largest);
                for (size_t i = 1; i < b->elements; ++i)
                    vector_operands_add(&b->wide, ordinary(wide, exponents[e] - 1, (uint64_t)2 << 40 | i));
            }
}

/* Returns the largest finite value of the element type, as an element of the tensor. */
static uint64_t largest_element(const pto_block_op *op) {
    const double infinity = INFINITY;
    uint64_t code = 0, wide = 0;
    const pto_cast_op to_code = {op->elem, PTO_F64, PTO_RZ, PTO_OVERFLOW_SATURATE};
    const pto_cast_op to_wide = {op->wide, op->elem, PTO_RN, PTO_OVERFLOW_IEEE};
    if (pto_cast(to_code, &infinity, &code, NULL, 1) != PTO_OK ||
        pto_cast(to_wide, &code, &wide, NULL, 1) != PTO_OK)
        return 0;
    return wide;
}

/* Appends blocks whose first element is the largest value of the element type, so that the scale is 1 in most rules.
 * The others are the values of the type, the ties between them, and their neighbours. */
static void add_ties(struct blocks *b) {
    struct vector_operands values = {NULL, 0, 0};
    const uint64_t largest = largest_element(b->op);
    const struct truth_shape shape = vector_shape(b->op->wide);
    const uint64_t magnitude = truth_all_bits(shape.unit_bits) >> 1;
    size_t used = 0;
    vector_boundaries(&values, b->op->wide, b->op->elem);
    while (used < values.count) {
        vector_operands_add(&b->wide, largest);
        for (size_t i = 1; i < b->elements;) {
            const uint64_t value = used < values.count ? values.items[used++] : 0;
            if ((value & magnitude) > largest) continue; /* it would change the scale */
            vector_operands_add(&b->wide, value);
            ++i;
        }
    }
    free(values.items);
}

/* Appends pseudo-random blocks. Three quarters of them have exponents near that of 1. */
static void add_random(struct blocks *b, const struct vector_settings *settings) {
    const pto_dtype wide = b->op->wide;
    const unsigned one = bias_of(wide), near = wide == PTO_F16 ? 4 : 16;
    for (uint32_t k = 0; k < settings->count / 16; ++k) {
        const uint64_t index = ((uint64_t)settings->seed << 32 | k) << 8, h = truth_hash(~index);
        const unsigned exponent =
            h % 4 == 0 ? (unsigned)(h >> 8) % (2 * one) + 1 : one - near + (unsigned)(h >> 8) % (2 * near);
        for (size_t i = 0; i < b->elements; ++i)
            vector_operands_add(&b->wide, ordinary(wide, exponent, index + i));
    }
}

/* ---- rows ---- */

/* Returns whether the rule takes eps. */
static bool has_eps(pto_block_op op) {
    op.tensor = 1;
    return !op.two_level && pto_block_check(op) == PTO_OK;
}

/* Sets the second-level value, or eps, of block i. A second-level value is that of a tensor whose largest magnitude is
 * 1, 2, 4 or 8 times that of the block; in a fifth of the blocks, and in blocks of zeros or of very large elements, it
 * is that of 2688. eps is 0, 1e-10 or 1. */
static pto_status set_level(pto_block_op *op, const void *x, size_t elements, size_t i) {
    static const float eps[] = {0, 1e-10F, 1};
    float amax;
    pto_status status;
    if (!op->two_level) {
        if (has_eps(*op)) op->tensor = eps[i % 3];
        return PTO_OK;
    }
    status = pto_block_amax(op->wide, x, 0, 1, elements, false, &amax);
    if (status != PTO_OK) return status;
    if (amax == 0 || amax > 1e37F || i % 5 == 0) amax = 2688;
    return pto_block_tensor(op->rule, amax * (float)(1 << i % 4), &op->tensor);
}

static void add_columns(const pto_block_op *op, struct vector_table *table) {
    const size_t n = op->block_cols, wide = pto_dtype_bits(op->wide), elem = pto_dtype_bits(op->elem);
    const pto_dtype scale = pto_block_scale_type(op->rule);
    vector_table_add(table, "x", pto_dtype_name(op->wide), wide, n, false);
    if (op->two_level || has_eps(*op))
        vector_table_add(table, op->two_level ? "tensor" : "eps", pto_dtype_name(PTO_F32), 32, 1, false);
    vector_table_add(table, "scale", pto_dtype_name(scale), pto_dtype_bits(scale), 1, true);
    vector_table_add(table, "q", pto_dtype_name(op->elem), elem, n, true);
    vector_table_add(table, "y", pto_dtype_name(op->wide), wide, n, true);
}

/* Writes the elements of an array to a row. Returns the place after them. */
static uint64_t *put_array(uint64_t *at, const void *array, size_t bits, size_t n) {
    for (size_t i = 0; i < n; ++i) *at++ = vector_get(array, bits, i);
    return at;
}

static pto_status make_row(pto_block_op op, const uint64_t *elements, size_t i, uint64_t *at) {
    uint32_t x[BLOCK_LIMIT] = {0}, y[BLOCK_LIMIT] = {0}, scale[1] = {0};
    uint8_t q[BLOCK_LIMIT] = {0};
    const size_t n = op.block_cols, wide = pto_dtype_bits(op.wide);
    pto_status status;
    for (size_t k = 0; k < n; ++k) vector_set(x, wide, k, elements[k]);
    status = set_level(&op, x, n, i);
    if (status == PTO_OK) status = pto_block_quantize(op, x, 0, 1, n, q, 0, scale, 0, NULL);
    if (status == PTO_OK) status = pto_block_dequantize(op, q, 0, scale, 0, 1, n, y, 0);
    if (status != PTO_OK) return status;
    at = put_array(at, x, wide, n);
    if (op.two_level || has_eps(op)) at = put_array(at, &op.tensor, 32, 1);
    at = put_array(at, scale, pto_dtype_bits(pto_block_scale_type(op.rule)), 1);
    at = put_array(at, q, pto_dtype_bits(op.elem), n);
    (void)put_array(at, y, wide, n);
    return PTO_OK;
}

pto_status vector_table_blocks(const pto_block_op *op, const struct vector_settings *settings,
                               struct vector_table *table) {
    struct blocks b = {.op = op, .elements = op->block_cols, .wide = {NULL, 0, 0}};
    pto_status status = PTO_OK;
    *table = (struct vector_table){.column_count = 0};
    add_specials(&b);
    add_borders(&b);
    add_ties(&b);
    add_random(&b, settings);
    add_columns(op, table);
    vector_table_allocate(table, b.wide.count / b.elements);
    for (size_t i = 0; status == PTO_OK && i < table->rows; ++i)
        status = make_row(*op, b.wide.items + i * b.elements, i, vector_table_row(table, i));
    free(b.wide.items);
    return status;
}
