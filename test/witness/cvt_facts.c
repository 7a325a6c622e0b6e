/* SPDX-License-Identifier: MIT */
#include "witness/cvt_facts.h"

#include <stdlib.h>
#include <string.h>

/* Made by cvt_since.cmake. */
struct cvt_fact cvt_facts[] = {
#define FORM(text, class_number) {text, class_number},
#include "cvt_since.inc"
};
const size_t cvt_facts_count = sizeof cvt_facts / sizeof cvt_facts[0];

/** From which version on the target takes the forms of the class. */
static const struct accepted {
    const char *target;
    int class_number, isa;
} accepted[] = {
#define ACCEPTED(class_number, target, isa) {target, class_number, isa},
#include "cvt_since.inc"
};

enum { ACCEPTED_ROWS = sizeof accepted / sizeof accepted[0] };

static int by_text(const void *x, const void *y) {
    return strcmp(((const struct cvt_fact *)x)->text, ((const struct cvt_fact *)y)->text);
}

/** Before main. */
__attribute__((constructor)) static void sort_facts(void) {
    qsort(cvt_facts, cvt_facts_count, sizeof cvt_facts[0], by_text);
}

const struct cvt_fact *cvt_facts_find(const char *text) {
    const struct cvt_fact wanted = {text, 0};
    return bsearch(&wanted, cvt_facts, cvt_facts_count, sizeof cvt_facts[0], by_text);
}

bool cvt_fact_holds(const struct cvt_fact *fact, int isa, const char *target) {
    for (size_t i = 0; i < ACCEPTED_ROWS; i++) {
        const struct accepted *row = &accepted[i];
        if (row->class_number == fact->class_number && strcmp(row->target, target) == 0)
            return row->isa <= isa;
    }
    return false;
}

static bool among(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) return true;
    }
    return false;
}

size_t cvt_facts_targets(const char *targets[CVT_FACTS_TARGETS]) {
    size_t count = 0;
    for (size_t i = 0; i < ACCEPTED_ROWS; i++) {
        if (count < CVT_FACTS_TARGETS && !among(accepted[i].target, targets, count))
            targets[count++] = accepted[i].target;
    }
    return count;
}
