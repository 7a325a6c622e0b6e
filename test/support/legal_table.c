/* SPDX-License-Identifier: MIT */
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

static bool find(const char *dtype, const char *type, bool ftz, const char *cmp) {
    for (size_t i = 0; i < FORMS; i++) {
        const struct form *f = &forms[i];
        const bool same_dtype = dtype && f->dtype ? strcmp(dtype, f->dtype) == 0 : !dtype && !f->dtype;
        if (same_dtype && f->ftz == ftz && strcmp(f->type, type) == 0 && strcmp(f->cmp, cmp) == 0)
            return true;
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
