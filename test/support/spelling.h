/* SPDX-License-Identifier: MIT */
/** @file spelling.h  The text of setp and set, with the words in PTX's order and in every other order. */
#ifndef PTO_TEST_SPELLING_H
#define PTO_TEST_SPELLING_H

#include "model/model_ptx.h"

enum { SPELLING_WORDS = 7, SPELLING_TEXT = 96 };

/** The words of an instruction in PTX's order, without the dots: operator, BoolOp, ftz, types. */
struct spelling {
    const char *word[SPELLING_WORDS];
    size_t count;
    size_t first_type; /* index of the first type; types never change their order */
};

struct spelling spelling_of_setp(const pto_setp_op *op);
struct spelling spelling_of_set(const pto_set_op *op);

/** Appends a dot and the word after the first `used` characters, or nothing for an empty word. Returns the new
 * length. */
size_t spelling_append(char text[SPELLING_TEXT], size_t used, const char *word);

/** Writes the whole text. `order` has the indices of the words, or is NULL for PTX's order. */
void spelling_join(char text[SPELLING_TEXT], const char *name, const struct spelling *w, const size_t *order);

/** Changes `order`, which starts as 0, 1, 2, ..., to the next legal order. Returns false after the last. */
bool spelling_next_order(const struct spelling *w, size_t *order);

#endif
