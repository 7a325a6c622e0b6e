/* SPDX-License-Identifier: MIT */
/** @file cvt_facts.h  Which target takes which spelling of cvt since when: data/cvt_since.json. */
#ifndef PTO_TEST_CVT_FACTS_H
#define PTO_TEST_CVT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

enum { CVT_FACTS = 1264 };

/** A spelling; those of one class came to each target with the same version. */
struct cvt_fact {
    const char *text; /* modifiers in PTX's order: "cvt.rn.f16x2.f32" */
    int class_number;
};

extern struct cvt_fact cvt_facts[]; /* by their texts, in the order of strcmp */
extern const size_t cvt_facts_count;

/** NULL if the table does not have it. */
const struct cvt_fact *cvt_facts_find(const char *text);

/** Whether the target takes it under that version of the ISA, 95 for 9.5. */
bool cvt_fact_holds(const struct cvt_fact *fact, int isa, const char *target);

/** All targets of the table, each once. */
enum { CVT_FACTS_TARGETS = 32 };
size_t cvt_facts_targets(const char *targets[CVT_FACTS_TARGETS]);

#endif
