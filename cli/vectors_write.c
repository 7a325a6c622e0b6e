/* SPDX-License-Identifier: MIT */
/* Writes tables of vectors. */
#include "vectors_write.h"

#include <inttypes.h>

const char *vector_format_name(enum vector_format format) {
    static const char *const names[VECTOR_FORMATS] = {"json", "csv", "hex"};
    return names[format];
}

/* ---- numbers ---- */

/* Writes an element in hexadecimal, with a digit for each four bits of its type. */
static void put_digits(FILE *out, uint64_t element, unsigned bits) {
    char text[16] = {0};
    const unsigned digits = (bits + 3) / 4;
    for (unsigned i = 0; i < digits; ++i) text[i] = "0123456789abcdef"[element >> 4 * (digits - 1 - i) & 15];
    fwrite(text, 1, digits, out);
}

static void put_element(FILE *out, const char *before, uint64_t element, unsigned bits, const char *after) {
    fputs(before, out);
    put_digits(out, element, bits);
    fputs(after, out);
}

/* ---- JSON ---- */

static void json_columns(FILE *out, const struct vector_table *table) {
    for (size_t c = 0; c < table->column_count; ++c) {
        const struct vector_column *const column = &table->columns[c];
        fprintf(out, "%s{\"name\":\"%s\",\"type\":\"%s\",\"bits\":%u,\"count\":%u,\"role\":\"%s\"}",
                c == 0 ? "" : ",", column->name, column->type, column->bits, column->count,
                column->is_result ? "result" : "input");
    }
}

/* A cell of one element is a string, a cell of a block an array of strings. */
static void json_row(FILE *out, const struct vector_table *table, const uint64_t *at) {
    for (size_t c = 0; c < table->column_count; ++c) {
        const struct vector_column *const column = &table->columns[c];
        fputs(c == 0 ? "[" : ",", out);
        if (column->count > 1) fputc('[', out);
        for (unsigned i = 0; i < column->count; ++i)
            put_element(out, i == 0 ? "\"0x" : ",\"0x", *at++, column->bits, "\"");
        if (column->count > 1) fputc(']', out);
    }
    fputc(']', out);
}

static void write_json(FILE *out, const struct vector_form *form, const char *source,
                       const struct vector_table *table, size_t position) {
    fprintf(out, "%s{\"name\":\"%s\",\"source\":\"%s\",\"columns\":[", position == 0 ? "" : ",\n", form->name,
            source);
    json_columns(out, table);
    fputs("],\"rows\":[\n", out);
    for (size_t i = 0; i < table->rows; ++i) {
        json_row(out, table, vector_table_row(table, i));
        fputs(i + 1 < table->rows ? ",\n" : "\n", out);
    }
    fputs("]}", out);
}

/* ---- CSV and hex ---- */

static void write_header(FILE *out, const char *comment, const struct vector_form *form, const char *source,
                         const struct vector_settings *settings) {
    fprintf(out, "%s name: %s\n%s source: %s\n", comment, form->name, comment, source);
    fprintf(out, "%s libpto %s, count %" PRIu32 ", seed %" PRIu32 "\n", comment, pto_version(),
            settings->count, settings->seed);
}

/* The columns of a block are numbered: x0, x1 and so on. */
static void csv_columns(FILE *out, const struct vector_table *table) {
    for (size_t c = 0; c < table->column_count; ++c) {
        const struct vector_column *const column = &table->columns[c];
        for (unsigned i = 0; i < column->count; ++i) {
            fprintf(out, "%s%s", c + i == 0 ? "" : ",", column->name);
            if (column->count > 1) fprintf(out, "%u", i);
        }
    }
    fputc('\n', out);
}

static void write_csv(FILE *out, const struct vector_table *table) {
    csv_columns(out, table);
    for (size_t i = 0; i < table->rows; ++i) {
        const uint64_t *at = vector_table_row(table, i);
        for (size_t c = 0; c < table->column_count; ++c)
            for (unsigned k = 0; k < table->columns[c].count; ++k)
                put_element(out, c + k == 0 ? "0x" : ",0x", *at++, table->columns[c].bits, "");
        fputc('\n', out);
    }
}

/* Describes the fields of a line, from the left to the right, as members of a packed struct in SystemVerilog. */
static void hex_fields(FILE *out, const struct vector_table *table) {
    size_t total = 0;
    fputs("// fields:", out);
    for (size_t c = 0; c < table->column_count; ++c) {
        const struct vector_column *const column = &table->columns[c];
        const unsigned width = (column->bits + 3) / 4 * 4;
        fputs(" logic ", out);
        if (column->count > 1) fprintf(out, "[%u:0]", column->count - 1);
        fprintf(out, "[%u:0] %s;", width - 1, column->name);
        total += (size_t)width * column->count;
    }
    fputs("\n// types:", out);
    for (size_t c = 0; c < table->column_count; ++c)
        fprintf(out, "%s %s %s", c == 0 ? "" : ",", table->columns[c].name, table->columns[c].type);
    fprintf(out, "\n// rows: %zu of %zu bits\n", table->rows, total);
}

/* In a field, element 0 is in the lowest bits, so the last element comes first. */
static void write_hex(FILE *out, const struct vector_table *table) {
    hex_fields(out, table);
    for (size_t i = 0; i < table->rows; ++i) {
        const uint64_t *at = vector_table_row(table, i);
        for (size_t c = 0; c < table->column_count; ++c) {
            const struct vector_column *const column = &table->columns[c];
            if (c != 0) fputc('_', out);
            for (unsigned k = column->count; k-- != 0;) put_digits(out, at[k], column->bits);
            at += column->count;
        }
        fputc('\n', out);
    }
}

/* ---- files ---- */

void vectors_begin(FILE *out, enum vector_format format, const struct vector_settings *settings) {
    if (format == VECTORS_JSON)
        fprintf(out,
                "{\"library\":\"libpto\",\"version\":\"%s\",\"count\":%" PRIu32 ",\"seed\":%" PRIu32
                ",\"vectors\":[\n",
                pto_version(), settings->count, settings->seed);
}

void vectors_write(FILE *out, enum vector_format format, const struct vector_form *form,
                   const struct vector_settings *settings, const struct vector_table *table,
                   size_t position) {
    char source[VECTOR_SOURCE_SIZE];
    vector_source(form, source);
    if (format == VECTORS_JSON) {
        write_json(out, form, source, table, position);
    } else {
        write_header(out, format == VECTORS_CSV ? "#" : "//", form, source, settings);
        (format == VECTORS_CSV ? write_csv : write_hex)(out, table);
    }
}

void vectors_end(FILE *out, enum vector_format format) {
    if (format == VECTORS_JSON) fputs("\n]}\n", out);
}
