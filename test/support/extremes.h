/* SPDX-License-Identifier: MIT */
/** @file extremes.h  What checks and witnesses of vmax, vmin, vclamp and vrelu share: every form, operands in
 * memory, and a call. */
#ifndef PTO_TEST_EXTREMES_H
#define PTO_TEST_EXTREMES_H

#include "support/harness.h"
#include "support/subject.h"
#include "model/model_maxmin.h"
#include "support/values.h"

enum { EXTREME_INS = 3, EXTREME_LONGEST = HARNESS_LONGEST + 4096 };

/** The sources, read-only between guard pages; memory for scalars; and the result. */
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

/** The parameters of a call: operation, type, flags, and which operands are scalars. */
struct extreme_form {
    enum model_extreme call;
    pto_dtype type;
    unsigned flags;
    unsigned scalars; /* bit k: operand k is a scalar */
};

struct extreme_case {
    struct extreme_form form;
    size_t n, first;
    enum place place;
    pto_in in[EXTREME_INS];
    unsigned char *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

/** Returns "vmax" and so on. */
const char *extreme_name(enum model_extreme call);

/** Returns legal form number `number` of the type, or false if there are fewer. */
bool extreme_form_of(pto_dtype type, size_t number, struct extreme_form *form);

/** If `cross` is true, the sources begin with every special value against every special value. */
struct extremes *extremes_open(const char *purpose, pto_dtype type, bool cross);
void extremes_close(struct extremes *w);

/** Places a case's operands beside guard pages and its scalars on pages of their own. Fills dst. */
void extreme_place(struct extremes *w, struct extreme_case *x);

/** Makes the call. */
pto_status extreme_call(const struct subject *s, const struct extreme_form *form, const pto_in *in, void *dst,
                        size_t n);

/** Computes the expected n lanes from the current operands. */
void extreme_expect(const struct extreme_form *form, const pto_in *in, unsigned char *expected, size_t n);

/** Sets the report's description to the form and the detail. */
void extreme_describe(struct report *r, struct extremes *w, const struct extreme_case *x, const char *detail);

/** Runs a case and compares everything that it wrote. */
void extreme_run(const struct subject *s, struct report *r, struct extremes *w, const struct extreme_case *x,
                 const char *detail);

#endif
