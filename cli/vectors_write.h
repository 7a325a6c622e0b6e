/* SPDX-License-Identifier: MIT */
/* Writes tables of vectors as JSON, CSV or lines of $readmemh. docs/vectors.md describes the formats. */
#ifndef PTO_CLI_VECTORS_WRITE_H
#define PTO_CLI_VECTORS_WRITE_H

#include "vectors_table.h"

enum vector_format { VECTORS_JSON, VECTORS_CSV, VECTORS_HEX, VECTOR_FORMATS };

/* Returns the name of a format, which is also the ending of files. */
const char *vector_format_name(enum vector_format format);

/* vectors_begin() and vectors_end() write what encloses the tables of a file. `position` counts the tables of a file
 * from 0. A file of CSV or hex has one table. */
void vectors_begin(FILE *out, enum vector_format format, const struct vector_settings *settings);
void vectors_write(FILE *out, enum vector_format format, const struct vector_form *form,
                   const struct vector_settings *settings, const struct vector_table *table, size_t position);
void vectors_end(FILE *out, enum vector_format format);

#endif
