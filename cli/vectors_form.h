/* SPDX-License-Identifier: MIT */
/* The forms that pto vectors writes: those with digests, each cast with its rounding and overflow, setp and set with
 * every BoolOp, and the rules of block scaling. */
#ifndef PTO_CLI_VECTORS_FORM_H
#define PTO_CLI_VECTORS_FORM_H

#include "digest_form.h"

enum vector_kind { VECTORS_FORM, VECTORS_CAST, VECTORS_SETP, VECTORS_SET, VECTORS_BLOCK };

struct vector_form {
    char name[FORM_NAME_SIZE];
    enum vector_kind kind;
    union {
        struct form form; /* VECTORS_FORM: any form of list_forms() that is neither cast nor set */
        pto_cast_op cast;
        pto_setp_op setp;
        pto_set_op set;
        pto_block_op block;
    } as;
};

/* A list of forms. list_vector_forms() fills it with all forms. The caller frees `items`. */
struct vector_list {
    struct vector_form *items;
    size_t count, capacity;
};
void list_vector_forms(struct vector_list *list);

/* Sets wanted[i] for each form i that the text selects. The text is a form's name, as PTX or pto eval spells it, a
 * pattern of names as in shell file names, or the name of a block rule. If it selects no form, reports an error and
 * returns STATUS_ERROR. */
int select_vector_forms(const struct command *command, const struct vector_list *list, const char *text,
                        bool *wanted);

/* Writes the document that defines the form. */
enum { VECTOR_SOURCE_SIZE = 96 };
void vector_source(const struct vector_form *form, char source[VECTOR_SOURCE_SIZE]);

#endif
