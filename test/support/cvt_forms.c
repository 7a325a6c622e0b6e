/* SPDX-License-Identifier: MIT */
#include "support/cvt_forms.h"

#include <stdlib.h>
#include <string.h>

/* Made by cvt_forms.cmake. */
const struct cvt_form cvt_forms[] = {
#define FORM(lanes, text, ...) {{__VA_ARGS__}, lanes, text},
#include "cvt_forms.inc"
#undef FORM
};
const size_t cvt_forms_count = sizeof cvt_forms / sizeof cvt_forms[0];

static const struct cvt_since since[] = {
#define SINCE(text, isa, target) {text, isa, target},
#include "cvt_since.inc" /* made by cvt_since.cmake */
#undef SINCE
};

const struct cvt_since *cvt_since_of(const char *text) {
    for (size_t i = 0; i < sizeof since / sizeof since[0]; i++) {
        if (strcmp(since[i].text, text) == 0) return &since[i];
    }
    return NULL;
}

pto_cvt_op cvt_ops[CVT_OPS_ROOM];
size_t cvt_ops_count;

/** Before main: the library's own list, which check_forms.c compares with the model. */
__attribute__((constructor)) static void list_ops(void) {
    cvt_ops_count = pto_cvt_form_count();
    if (cvt_ops_count > CVT_OPS_ROOM) abort();
    for (size_t i = 0; i < cvt_ops_count; i++) {
        if (pto_cvt_form(i, &cvt_ops[i]) != PTO_OK) abort();
    }
}
