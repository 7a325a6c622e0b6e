/* SPDX-License-Identifier: MIT */
/* The list of instructions, and the form whose digest each of them computes. */
#include "ptx_list.h"

#include "ptx_statements.h"

#include <assert.h>

#define FORM(n, level, text, third, D, statement, ...)                                                       \
    {n, level, text, third, statement, #D, {__VA_ARGS__}, 0},
#define IN(S, field)                                                                                         \
    { #S, offsetof(struct ptx_operands, field) }
#define PART(family, k)
#define END_PART(family, k)

static struct ptx_instruction list[] = {
#include "ptx_truth_forms.inc" /* made by ptx_truth_forms.cmake */
};

enum { LISTED = sizeof list / sizeof list[0] };

static_assert(sizeof(union lanes) <= PTX_MOST_BYTES, "the arrays of a block must fit the buffers of a chip");

/* ---- forms and instructions ---- */

/* The name of the form whose digest each instruction computes, or "" if there is none. */
static char form_names[LISTED][FORM_NAME_SIZE];

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Stores the form's name, such as "vcmp.lt.u16" for setp.lt.u16. Two instructions have the same name if PTX has a
 * form for one element and for two. */
static void name_form(const struct ptx_instruction *instruction, char name[FORM_NAME_SIZE]) {
    const char *const text = instruction->text;
    pto_cvt_op cvt;
    if (*instruction->third != '\0') return;
    if (starts(text, "setp."))
        snprintf(name, FORM_NAME_SIZE, "vcmp.%s", text + strlen("setp."));
    else if (starts(text, "max.") || starts(text, "min."))
        snprintf(name, FORM_NAME_SIZE, "v%s", text);
    else if (!starts(text, "cvt."))
        snprintf(name, FORM_NAME_SIZE, "%s", text);
    else if (pto_parse_cvt(text, &cvt, NULL) == PTO_OK)
        cvt_name(cvt, name);
}

/* Fills in the members of the list that the generated file does not set. Only the first call does this. */
static void prepare(void) {
    static bool is_prepared;
    unsigned part = 0;
    if (is_prepared) return;
    for (size_t i = 0; i < LISTED; ++i) {
        if (i != 0 && list[i].number % PTX_PART == 0) ++part;
        list[i].part = part;
        name_form(&list[i], form_names[i]);
    }
    is_prepared = true;
}

static bool is_packed(const struct ptx_instruction *instruction) {
    return strstr(instruction->text, "x2.") != NULL;
}

const struct ptx_instruction *ptx_instruction_of(const struct form *form, bool packed) {
    const struct ptx_instruction *found = NULL;
    prepare();
    for (size_t i = 0; i < LISTED; ++i) {
        if (strcmp(form_names[i], form->name) != 0) continue;
        if (found == NULL || is_packed(&list[i]) == packed) found = &list[i];
    }
    return found;
}

/* ---- blocks and instructions ---- */

/* Returns the number of elements that one instruction processes. */
static size_t elements(const struct form *form, const struct truth_shape *shape) {
    if (form->operation != OP_CVT) return 1;
    return (size_t)shape->units_in * shape->unit_bits / pto_dtype_bits(form->cvt.src);
}

struct ptx_batch ptx_batch_of(const struct form *form, const struct truth_shape *shape, struct block *block) {
    const size_t n = block->n / elements(form, shape);
    const unsigned bits =
        form->operation == OP_CVT ? shape->units_in * shape->unit_bits : (unsigned)pto_dtype_bits(form->type);
    struct ptx_batch batch = {.source = &block->source,
                              .other = &block->second,
                              .extra = &block->extra,
                              .result = &block->result,
                              .instructions = n,
                              .source_bytes = n * bits / 8,
                              .result_bytes = (n * shape->result_bits + 7) / 8};
    if (form->operation != OP_CVT) batch.other_bytes = batch.source_bytes;
    if (form->operation == OP_SLCT || shape->random_mask != 0) batch.extra_bytes = 4 * n;
    if (form->operation == OP_SELP) batch.extra_bytes = (n + 7) / 8;
    if (shape->scales != 0) batch.extra_bytes = shape->scales * n;
    return batch;
}
