/* SPDX-License-Identifier: MIT */
/** @file spelling.h  setp and set as text, in PTX's order of the words and in every other one. */
#ifndef PTO_TEST_SPELLING_H
#define PTO_TEST_SPELLING_H

#include "model/model_ptx.h"

enum { SPELLING_WORDS = 7, SPELLING_TEXT = 96 };

/** The words of an instruction in PTX's order, without the dots: operator, BoolOp, ftz, types. */
struct spelling {
    const char *word[SPELLING_WORDS];
    size_t count;
    size_t first_type; /* from here on they must keep their order */
};

struct spelling spelling_of_setp(const pto_setp_op *op);
struct spelling spelling_of_set(const pto_set_op *op);

/** A dot and the word behind the first `used` characters; nothing for an empty word. Returns the new
 * length. */
size_t spelling_append(char text[SPELLING_TEXT], size_t used, const char *word);

/** The whole text; order: which word comes where, or NULL for PTX's own. */
void spelling_join(char text[SPELLING_TEXT], const char *name, const struct spelling *w, const size_t *order);

/** The next order, beginning from 0, 1, 2, ...; false after the last. */
bool spelling_next_order(const struct spelling *w, size_t *order);

#endif
