/* SPDX-License-Identifier: MIT */
/** @file cvt_facts.h
 * The table of data/cvt_since.json: from which PTX version each target accepts each spelling of cvt. */
#ifndef PTO_TEST_CVT_FACTS_H
#define PTO_TEST_CVT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

/** A spelling. All spellings of a class were introduced together, on each target with one version. */
struct cvt_fact {
    const char *text; /* modifiers in PTX's order: "cvt.rn.f16x2.f32" */
    int class_number;
};

extern struct cvt_fact cvt_facts[]; /* sorted by `text`, in the order of strcmp() */
extern const size_t cvt_facts_count;

/** Returns the row of a spelling, or NULL if the table does not have it. */
const struct cvt_fact *cvt_facts_find(const char *text);

/** Returns whether `target` accepts the spelling in PTX version `isa`, 95 for 9.5. */
bool cvt_fact_holds(const struct cvt_fact *fact, int isa, const char *target);

/** Stores the targets of the table, each once. Returns their number. */
enum { CVT_FACTS_TARGETS = 32 };
size_t cvt_facts_targets(const char *targets[CVT_FACTS_TARGETS]);

#endif
