/* SPDX-License-Identifier: MIT */
/* Names of instructions: error messages for unknown names, and the list of all names. */
#include "pto.h"
#include "pto_kernel.h"
#include "ptx.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* Names of operations that PTO's pages describe and that nothing here runs, or their beginnings. For these no other
 * name is suggested, although some are similar to names of the tables. */
static const char *const other_units[] = {"t",     "mte_",  "copy_",   "vmi.",    "mad",
                                          "simt_", "sync.", "atomic_", "vbitsort"};

static bool is_of_other_unit(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof other_units / sizeof other_units[0]; i++)
        if (length >= strlen(other_units[i]) && memcmp(name, other_units[i], strlen(other_units[i])) == 0)
            return true;
    return false;
}

enum { LONGEST_NAME = 15 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t pto_name_distance(const char *a, size_t a_length, const char *b) {
    const size_t b_length = strlen(b);
    size_t rows[LONGEST_NAME + 1][LONGEST_NAME + 1];
    if (a_length > LONGEST_NAME || b_length > LONGEST_NAME) return LONGEST_NAME;
    for (size_t i = 0; i <= a_length; i++)
        for (size_t j = 0; j <= b_length; j++) {
            rows[i][j] = i + j;
            if (i == 0 || j == 0) continue;
            rows[i][j] =
                least(rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    return rows[a_length][b_length];
}

/* With two changes, a short name can become a different operation: vdiv and vdup. */
size_t pto_name_tolerance(size_t length) {
    return length < 6 ? 1 : 2;
}

/* ---- the list ---- */

/* A name of the list. */
struct listed {
    const char *name;
    bool is_vmi;
    bool has_width; /* it ends in the width of a lane, and so stands for three operations */
};

static bool is_of_programs(const struct listed *operation) {
    const char *name;
    bool has_width;
    for (size_t i = 0; !operation->is_vmi && pto_operation_name(i, &name, &has_width); i++)
        if (has_width == operation->has_width && strcmp(name, operation->name) == 0) return true;
    return false;
}

/* Sets *operation to row i of the tables of operations, first those of programs over lanes, then those of kernels. The
 * name is empty if an earlier row has it. Returns false if there is no row i. */
static bool listed_row(size_t i, struct listed *operation) {
    size_t programs = 0;
    const char *name;
    bool has_width;
    while (pto_operation_name(programs, &name, &has_width)) {
        if (programs++ != i) continue;
        *operation = (struct listed){.name = name, .has_width = has_width};
        return true;
    }
    if (!pto_kernel_operation_name(i - programs, &operation->name, &operation->is_vmi, &operation->has_width))
        return false;
    if (is_of_programs(operation)) operation->name = "";
    return true;
}

/* Writes the name of operation i of the list. */
static bool pto_name(size_t i, char *to, size_t size) {
    struct listed operation;
    for (size_t row = 0; listed_row(row, &operation); row++) {
        const size_t count = *operation.name == 0 ? 0 : operation.has_width ? 3 : 1;
        const char *const vmi = operation.is_vmi ? "vmi." : "";
        if (i >= count) {
            i -= count;
            continue;
        }
        if (operation.has_width)
            (void)snprintf(to, size, "pto.%s%s%u", vmi, operation.name, 8U << i);
        else
            (void)snprintf(to, size, "pto.%s%s", vmi, operation.name);
        return true;
    }
    return false;
}

pto_status pto_program_instruction(pto_program_language language, size_t i,
                                   char name[PTO_PROGRAM_INSTRUCTION_SIZE]) {
    const char *const ptx = pto_ptx_name(i);
    if (!name) return PTO_ERR_NULL;
    if (language != PTO_PROGRAM_PTX && language != PTO_PROGRAM_PTO) return PTO_ERR_MODIFIER;
    if (language == PTO_PROGRAM_PTO)
        return pto_name(i, name, PTO_PROGRAM_INSTRUCTION_SIZE) ? PTO_OK : PTO_ERR_SIZE;
    if (!ptx) return PTO_ERR_SIZE;
    (void)snprintf(name, PTO_PROGRAM_INSTRUCTION_SIZE, "%s", ptx);
    return PTO_OK;
}

/* ---- unknown names ---- */

/* Returns whether kernels can have the operation "pto." name. (Programs cannot, or this would not be asked.) */
static bool is_of_kernels(const char *name, size_t length) {
    char listed[PTO_PROGRAM_INSTRUCTION_SIZE];
    for (size_t i = 0; pto_name(i, listed, sizeof listed); i++)
        if (strlen(listed) == length + 4 && memcmp(listed + 4, name, length) == 0) return true;
    return false;
}

static size_t length_without_digits(const char *name, size_t length) {
    while (length != 0 && name[length - 1] >= '0' && name[length - 1] <= '9') length--;
    return length;
}

bool pto_operation_unknown(struct pto_front *f, const struct pto_call *c) {
    const char *name, *nearest = NULL;
    size_t best = pto_name_tolerance(c->name_length) + 1;
    bool has_width, nearest_has_width = false;
    if (is_of_kernels(c->name, c->name_length))
        return pto_text_error(&f->text, &c->opcode,
                              "PTO has this operation, but only kernels can have it here");
    if (is_of_other_unit(c->name, c->name_length))
        return pto_text_error(&f->text, &c->opcode, "PTO has this operation, but programs here do not");
    for (size_t i = 0; pto_operation_name(i, &name, &has_width); i++) {
        const size_t length = has_width ? length_without_digits(c->name, c->name_length) : c->name_length;
        const size_t d = pto_name_distance(c->name, length, name);
        if (d >= best) continue;
        best = d;
        nearest = name;
        nearest_has_width = has_width;
    }
    if (!nearest) return pto_text_error(&f->text, &c->opcode, "unknown operation");
    return pto_text_error(&f->text, &c->opcode, "unknown operation; perhaps pto.%s%s is meant", nearest,
                          nearest_has_width ? "8, _b16 or _b32" : "");
}
