/* SPDX-License-Identifier: MIT */
/* The forms that have digests, each with a name, and how many inputs it has. docs/digests.md says which inputs. */
#ifndef PTO_CLI_DIGEST_FORM_H
#define PTO_CLI_DIGEST_FORM_H

#include "words.h"

/* What a digest covers: every input; every source, each with one scale or random word out of many; a sample, where there
 * are more or the user wants no more. */
enum coverage { COVERS_ALL, COVERS_SOURCES, COVERS_SAMPLE, COVERAGES };

enum operation { OP_CVT, OP_VCVT, OP_VTRC, OP_VCMP, OP_SET, OP_SELP, OP_SLCT, OP_VMAX, OP_VMIN };

struct form {
    char name[FORM_NAME];
    enum operation operation;
    enum coverage coverage;
    uint64_t count; /* of inputs */

    pto_cvt_op cvt;   /* OP_CVT */
    pto_vcvt_op vcvt; /* OP_VCVT; OP_VTRC, from a type to itself */
    pto_set_op set;   /* OP_SET */
    pto_dtype type;   /* of the operands: of all but conversions */
    pto_cmp cmp;      /* OP_VCMP */
    unsigned flags;   /* OP_VCMP, OP_VMAX, OP_VMIN; of OP_SLCT PTO_FTZ */
    pto_dtype ctype;  /* OP_SLCT: what chooses */
};

/* Of one source: cvt, vcvt, vtrc; the others have two operands of one type. */
bool is_conversion(const struct form *form);

/* Of the source, or of both operands. */
pto_dtype source_type(const struct form *form);

/* A digest is put together from shares of this many inputs; the last share has the rest. */
enum { SHARE_INPUTS = 1 << 20 };

uint64_t share_count(uint64_t inputs);

/* "all", "sources", "sample" */
const char *coverage_name(enum coverage coverage);

/* All of them; items are the caller's to free. */
struct form_list {
    struct form *items;
    size_t count, room;
};
void list_forms(struct form_list *list);

/* Keeps the forms whose names one of the patterns fits, as file names of the shell; no patterns: all. After a complaint
 * about a pattern that fits none: BAD_USE. */
int choose_forms(const struct command *command, char *const *patterns, int count, struct form_list *list);

/* Reads "BEGIN:END", shares from BEGIN on and before END. After a complaint: BAD_USE. */
int read_range(const struct command *command, const char *text, uint64_t range[2]);

/* Makes a form of more than 2^24 inputs its sample, of the same name. */
void take_sample(struct form *form);

/* Narrows a range to the shares of a form; false where none is left. */
bool narrow_range(const struct form *form, uint64_t range[2]);

/* Of the code of a source of cvt: how many there are, 0 for 2^64. */
uint64_t source_codes(pto_dtype type);

/* Elements that share a word of random bits. */
size_t random_group(pto_dtype dst);

#endif
