/* SPDX-License-Identifier: MIT */
/* The table of legal forms of setp and set. */
#include "support/legal_table.h"

#include <string.h>

struct form {
    const char *dtype; /* NULL for setp */
    const char *type;
    bool ftz;
    const char *cmp;
};

static const struct form forms[] = {
#define SETP(type, ftz, cmp)       {NULL, type, ftz, cmp},
#define SET(dtype, type, ftz, cmp) {dtype, type, ftz, cmp},
#include "legal_table.inc" /* made by legal_table.cmake */
};

enum { FORMS = sizeof forms / sizeof forms[0] };

static bool same_types(const struct form *f, const char *dtype, const char *type) {
    const bool same_dtype = dtype && f->dtype ? strcmp(dtype, f->dtype) == 0 : !dtype && !f->dtype;
    return same_dtype && strcmp(f->type, type) == 0;
}

/** The forms of the pair of types that was looked up last. Callers look up all forms of one pair before the next. */
static struct {
    const char *dtype, *type; /* names from pto_dtype_name() or the table, which are static */
    size_t count;
    size_t number[FORMS];
} last;

static void select_types(const char *dtype, const char *type) {
    if (last.type == type && last.dtype == dtype) return;
    last.dtype = dtype;
    last.type = type;
    last.count = 0;
    for (size_t i = 0; i < FORMS; i++) {
        if (same_types(&forms[i], dtype, type)) last.number[last.count++] = i;
    }
}

static bool find(const char *dtype, const char *type, bool ftz, const char *cmp) {
    select_types(dtype, type);
    for (size_t i = 0; i < last.count; i++) {
        const struct form *f = &forms[last.number[i]];
        if (f->ftz == ftz && strcmp(f->cmp, cmp) == 0) return true;
    }
    return false;
}

bool legal_table_setp(const char *type, bool ftz, const char *cmp) {
    return find(NULL, type, ftz, cmp);
}

bool legal_table_set(const char *dtype, const char *stype, bool ftz, const char *cmp) {
    return find(dtype, stype, ftz, cmp);
}

static size_t count(bool set) {
    size_t n = 0;
    for (size_t i = 0; i < FORMS; i++) {
        n += (forms[i].dtype != NULL) == set;
    }
    return n;
}

size_t legal_table_setp_count(void) {
    return count(false);
}

size_t legal_table_set_count(void) {
    return count(true);
}
