/* SPDX-License-Identifier: MIT */
/** @file extremes.h  What checks and witnesses of vmax, vmin, vclamp, vrelu share: every form, operands in memory, a call. */
#ifndef PTO_TEST_EXTREMES_H
#define PTO_TEST_EXTREMES_H

#include "support/harness.h"
#include "support/subject.h"
#include "model/model_maxmin.h"
#include "support/values.h"

enum { EXTREME_INS = 3, EXTREME_LONGEST = HARNESS_LONGEST + 4096 };

/** The sources, each between guard pages and read-only; scalars of their own; and the result. */
struct extremes {
    pto_dtype type;
    size_t size;
    size_t count; /* elements in each source, which fill their memory from guard page to guard page */
    struct guarded source[EXTREME_INS], scalar[EXTREME_INS], dst;
    unsigned char expected[8 * EXTREME_LONGEST];
    struct rng rng;
    size_t turn;
    char text[80];
};

/** A form of a call: which, of which type, with which flags, and which of its operands are scalars. */
struct extreme_form {
    enum model_extreme call;
    pto_dtype type;
    unsigned flags;
    unsigned scalars; /* bit k: operand k */
};

struct extreme_case {
    struct extreme_form form;
    size_t n, first;
    enum place place;
    pto_in in[EXTREME_INS];
    unsigned char *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

/** "vmax" and so on. */
const char *extreme_name(enum model_extreme call);

/** Every legal form of the type by number; false when there is no such number. */
bool extreme_form_of(pto_dtype type, size_t number, struct extreme_form *form);

/** With `cross` the sources begin with specials against specials. */
struct extremes *extremes_open(const char *purpose, pto_dtype type, bool cross);
void extremes_close(struct extremes *w);

/** Where a case's operands are: beside guard pages, the scalars alone on pages of their own, dst filled. */
void extreme_place(struct extremes *w, struct extreme_case *x);

/** The call itself. */
pto_status extreme_call(const struct subject *s, const struct extreme_form *form, const pto_in *in, void *dst,
                        size_t n);

/** What n lanes of the call must be, from the operands as they are now. */
void extreme_expect(const struct extreme_form *form, const pto_in *in, unsigned char *expected, size_t n);

/** Name the form, then the detail, in the report. */
void extreme_describe(struct report *r, struct extremes *w, const struct extreme_case *x, const char *detail);

/** Run a case and compare all that it wrote. */
void extreme_run(const struct subject *s, struct report *r, struct extremes *w, const struct extreme_case *x,
                 const char *detail);

#endif
