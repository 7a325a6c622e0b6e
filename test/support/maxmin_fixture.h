/* SPDX-License-Identifier: MIT */
/** @file maxmin_fixture.h  What checks and witnesses of vmax, vmin, vclamp and vrelu share: every form, operands in
 * memory, and a call. */
#ifndef PTO_TEST_MAXMIN_FIXTURE_H
#define PTO_TEST_MAXMIN_FIXTURE_H

#include "support/harness.h"
#include "support/subject.h"
#include "model/model_maxmin.h"
#include "support/values.h"

enum { MAXMIN_INS = 3, MAXMIN_LONGEST = HARNESS_LONGEST + 4096 };

/** The sources, read-only between guard pages; memory for scalars; and the result. */
struct maxmin_fixture {
    pto_dtype type;
    size_t size;
    size_t count; /* elements in each source, which fill their memory from guard page to guard page */
    struct guarded source[MAXMIN_INS], scalar[MAXMIN_INS], dst;
    unsigned char expected[8 * MAXMIN_LONGEST];
    struct rng rng;
    size_t turn;
    char text[80];
};

/** The parameters of a call: operation, type, flags, and which operands are scalars. */
struct maxmin_form {
    enum model_maxmin call;
    pto_dtype type;
    unsigned flags;
    unsigned scalars; /* bit k: operand k is a scalar */
};

struct maxmin_case {
    struct maxmin_form form;
    size_t n, first;
    enum place place;
    pto_in in[MAXMIN_INS];
    unsigned char *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

/** Returns "vmax" and so on. */
const char *maxmin_name(enum model_maxmin call);

/** Sets *form to legal form number `number` of the type. Returns false if there are fewer forms. */
bool maxmin_form_of(pto_dtype type, size_t number, struct maxmin_form *form);

/** Allocates the fixture and fills its sources with random and special values. If `cross` is true, the first
 * two sources begin with all pairs of special values. */
struct maxmin_fixture *maxmin_fixture_open(const char *purpose, pto_dtype type, bool cross);
void maxmin_fixture_close(struct maxmin_fixture *w);

/** Places a case's operands beside guard pages and its scalars on pages of their own. Fills dst. */
void maxmin_place(struct maxmin_fixture *w, struct maxmin_case *x);

/** Makes the call. */
pto_status maxmin_call(const struct subject *s, const struct maxmin_form *form, const pto_in *in, void *dst,
                       size_t n);

/** Computes the n result lanes that the model expects for the operands `in`. */
void maxmin_expect(const struct maxmin_form *form, const pto_in *in, unsigned char *expected, size_t n);

/** Sets the report's sources, so that the report of a wrong lane shows its operands. */
void maxmin_sources(struct report *r, const struct maxmin_form *form, const pto_in *in);

/** Sets the report's description to the form, its sources and the detail. */
void maxmin_describe(struct report *r, struct maxmin_fixture *w, const struct maxmin_case *x,
                     const char *detail);

/** Runs a case and compares everything that it wrote. */
void maxmin_run(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                const struct maxmin_case *x, const char *detail);

#endif
