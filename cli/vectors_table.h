/* SPDX-License-Identifier: MIT */
/* Tables of inputs and expected results. Each row is one test vector. */
#ifndef PTO_CLI_VECTORS_TABLE_H
#define PTO_CLI_VECTORS_TABLE_H

#include "vectors_form.h"

/* An operand or a result. Its cell in a row has one element, or those of a block. */
struct vector_column {
    const char *name;
    const char *type; /* the name of the type, or "pred" */
    unsigned bits;    /* of one element in memory; 1 for predicates */
    unsigned count;   /* elements in a cell */
    bool is_result;
};

enum { VECTOR_COLUMNS = 6 };

struct vector_table {
    struct vector_column columns[VECTOR_COLUMNS];
    size_t column_count;
    size_t width; /* elements in a row */
    size_t rows;
    uint64_t *cells; /* rows * width elements, row by row */
};

/* Which pseudo-random inputs a table has. */
struct vector_settings {
    /* The number for operands of more than 16 bits, and for pairs of more than 8. Block rules have a 16th of it. */
    uint32_t count;
    uint32_t seed;
};

/* Fills in the table of a form that is no block rule, computing the results with the active backend. The caller frees
 * table->cells. */
pto_status vector_table_make(const struct vector_form *form, const struct vector_settings *settings,
                             struct vector_table *table);

/* The same for a block rule. */
pto_status vector_table_blocks(const pto_block_op *op, const struct vector_settings *settings,
                               struct vector_table *table);

/* Appends a column. */
void vector_table_add(struct vector_table *table, const char *name, const char *type, size_t bits,
                      size_t count, bool is_result);

/* Allocates the cells for the columns that were added, all 0. */
void vector_table_allocate(struct vector_table *table, size_t rows);

/* Returns the first element of a row. */
uint64_t *vector_table_row(const struct vector_table *table, size_t row);

/* Return element i of an array whose elements have `bits` bits, 1 to 64, and set it. An array of elements of less than
 * 8 bits must be 0 before they are set. */
uint64_t vector_get(const void *array, size_t bits, size_t i);
void vector_set(void *array, size_t bits, size_t i, uint64_t value);

#endif
