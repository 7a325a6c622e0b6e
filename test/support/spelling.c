/* SPDX-License-Identifier: MIT */
/* The text of setp and set. */
#include "support/spelling.h"

#include <stdlib.h>
#include <string.h>

static void add(struct spelling *w, const char *word) {
    if (*word) w->word[w->count++] = word;
}

struct spelling spelling_of_setp(const pto_setp_op *op) {
    struct spelling w = {{NULL}, 0, 0};
    add(&w, model_op_name(op->cmp));
    add(&w, model_bool_name(op->boolop));
    add(&w, op->ftz ? "ftz" : "");
    w.first_type = w.count;
    add(&w, pto_dtype_name(op->type));
    return w;
}

struct spelling spelling_of_set(const pto_set_op *op) {
    const pto_setp_op rest = {op->stype, op->cmp, op->boolop, false, op->ftz};
    struct spelling w = spelling_of_setp(&rest);
    if (model_is_packed(op->stype) && op->dtype == op->stype) return w; /* one word for both types */
    w.word[w.count - 1] = pto_dtype_name(op->dtype);
    add(&w, pto_dtype_name(op->stype));
    return w;
}

/* Does not use snprintf(), because there are millions of texts and snprintf() takes several times as long as the
 * parser under test. */
size_t spelling_append(char text[SPELLING_TEXT], size_t used, const char *word) {
    const size_t length = strlen(word);
    if (length == 0) return used;
    if (used + 1 + length >= SPELLING_TEXT) abort();
    text[used] = '.';
    memcpy(text + used + 1, word, length + 1);
    return used + 1 + length;
}

void spelling_join(char text[SPELLING_TEXT], const char *name, const struct spelling *w,
                   const size_t *order) {
    size_t used = strlen(name);
    memcpy(text, name, used + 1);
    for (size_t i = 0; i < w->count; i++) {
        used = spelling_append(text, used, w->word[order ? order[i] : i]);
    }
}

/** Changes `order` to the next permutation of n numbers. Returns false after the last. */
static bool next_permutation(size_t *order, size_t n) {
    size_t i = n - 1, k = i, swap;
    while (i > 0 && order[i - 1] >= order[i]) {
        i--;
    }
    if (i == 0) return false;
    while (order[k] <= order[i - 1]) {
        k--;
    }
    swap = order[i - 1];
    order[i - 1] = order[k];
    order[k] = swap;
    for (size_t a = i, b = n - 1; a < b; a++, b--) {
        swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    return true;
}

static bool types_in_order(const struct spelling *w, const size_t *order) {
    size_t last = 0;
    for (size_t i = 0; i < w->count; i++) {
        if (order[i] < w->first_type) continue;
        if (order[i] < last) return false;
        last = order[i];
    }
    return true;
}

bool spelling_next_order(const struct spelling *w, size_t *order) {
    while (next_permutation(order, w->count)) {
        if (types_in_order(w, order)) return true;
    }
    return false;
}
