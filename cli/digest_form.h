/* SPDX-License-Identifier: MIT */
/* The forms that have digests: their names, operations and numbers of inputs. docs/digests.md defines the inputs. */
#ifndef PTO_CLI_DIGEST_FORM_H
#define PTO_CLI_DIGEST_FORM_H

#include "words.h"

/* Which inputs a digest covers: all; every source, each with one of the possible scales or random words; or a
 * sample, for forms with more inputs or if the user chooses so. */
enum coverage { COVERS_ALL, COVERS_SOURCES, COVERS_SAMPLE, COVERAGE_COUNT };

enum operation { OP_CVT, OP_VCVT, OP_VTRC, OP_CAST, OP_VCMP, OP_SET, OP_SELP, OP_SLCT, OP_VMAX, OP_VMIN };

struct form {
    char name[FORM_NAME_SIZE];
    enum operation operation;
    enum coverage coverage;
    uint64_t count; /* number of inputs */

    pto_cvt_op cvt;   /* OP_CVT */
    pto_vcvt_op vcvt; /* OP_VCVT; for OP_VTRC src and dst are one type */
    pto_cast_op
        cast;        /* OP_CAST: the types; cast_of() returns what the inputs have as rounding and overflow */
    pto_set_op set;  /* OP_SET */
    pto_dtype type;  /* type of both operands; not for conversions */
    pto_cmp cmp;     /* OP_VCMP */
    unsigned flags;  /* OP_VCMP, OP_VMAX, OP_VMIN; for OP_SLCT 0 or PTO_FTZ */
    pto_dtype ctype; /* OP_SLCT: type of the operand c, which selects */
};

/* Returns whether the form has one source: cvt, vcvt, vtrc and cast. The others have two operands of one type. */
bool is_conversion(const struct form *form);

/* Returns the type of the source, or of both operands. */
pto_dtype source_type(const struct form *form);

/* The number of inputs in a share. A digest is the sum over shares; the last share of a form may have fewer inputs. */
enum { SHARE_INPUTS = 1 << 20 };

uint64_t share_count(uint64_t inputs);

/* Returns "all", "sources" or "sample". */
const char *coverage_name(enum coverage coverage);

/* A list of forms. list_forms() fills it with all forms. The caller frees `items`. */
struct form_list {
    struct form *items;
    size_t count, capacity;
};
void list_forms(struct form_list *list);

/* Removes the forms whose names match none of the `count` patterns, which are shell patterns. Without patterns all
 * forms stay. Reports a pattern that matches no form, and then returns STATUS_ERROR. */
int choose_forms(const struct command *command, char *const *patterns, int count, struct form_list *list);

/* Reads "BEGIN:END", the shares from BEGIN to END - 1. Returns STATUS_ERROR after an error. */
int read_range(const struct command *command, const char *text, uint64_t range[2]);

/* Replaces a form of more than 2^24 inputs by its sample, which has the same name. */
void use_sample(struct form *form);

/* Narrows a range to the shares that the form has. Returns false if the result is empty. */
bool narrow_range(const struct form *form, uint64_t range[2]);

/* Returns the number of codes of a source type. 0 stands for 2^64. */
uint64_t source_codes(pto_dtype type);

/* Returns the conversion of an input of a cast. Its inputs are in rows, one for each rounding and overflow. */
pto_cast_op cast_of(const struct form *form, uint64_t input);

/* Returns the number of inputs in a row of a cast. */
uint64_t cast_row_inputs(const struct form *form);

/* Returns how many elements share a word of random bits. */
size_t elements_per_random_word(pto_dtype dst);

#endif
