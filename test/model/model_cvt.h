/* SPDX-License-Identifier: MIT */
/**
 * @file model_cvt.h
 * The slow model of PTX cvt: a second reading of the documents, sharing nothing with the library but its
 * public enums.
 *
 * Every source value is an exact number m * 2^e. To round, the codes of the destination are decoded and
 * searched for the two neighbours of the number, and the mode chooses between them by comparing exact
 * numbers; no result comes from shifting out bits, which only tells the search where to look first. A scale
 * is a power of two and so only moves e. What is legal is read from the lines of the document, not from the
 * JSON.
 */
#ifndef PTO_TEST_MODEL_CVT_H
#define PTO_TEST_MODEL_CVT_H

#include "model/model.h"

enum { MODEL_ROUNDS = 11, MODEL_CVT_TYPES = 27, MODEL_CVT_TEXT = 80 };

/**
 * The code of one destination element, for source code `bits` (bits above the type's width are ignored). The
 * operation must be legal or composed. extra: this element's random bits for .rs, its ue8m0 byte for a scale;
 * not looked at otherwise.
 */
uint64_t model_cvt(const pto_cvt_op *op, uint64_t bits, uint32_t extra);

/** What element `lane` finds in pto_cvt's operand `extra`: its random bits, taken out of the words bit by bit,
 * or its scale. 0 where there is no such operand. */
uint32_t model_cvt_extra(const pto_cvt_op *op, const void *extra, size_t lane);

/** Bytes of that operand for n elements; 0 where there is none. */
size_t model_cvt_extra_bytes(const pto_cvt_op *op, size_t n);

/** The exponent of a finite number that is not zero: 2^e <= |x| < 2^(e+1). 0 for all others. */
int model_cvt_exponent(pto_dtype type, uint64_t bits);

/** Elements that share a random word: 2 or 4; 1 without .rs. */
size_t model_cvt_group(const pto_cvt_op *op);

/** The modifiers but for the rounding, as bits in PTX's order, and their words: "ftz". Both scales at once are
 * a scale that is none. */
enum { MODEL_FLAGS = 7, MODEL_FLAG_SETS = 1 << MODEL_FLAGS };
extern const char *const model_flag_names[MODEL_FLAGS];

/** A form without types and rounding, from its modifiers; and the modifiers of a form. */
pto_cvt_op model_cvt_with(unsigned flags);
unsigned model_cvt_flags(const pto_cvt_op *op);

/** Every rounding with every set of the others, number i of MODEL_CVT_MODIFIERS; without types. */
enum { MODEL_CVT_MODIFIERS = MODEL_ROUNDS * MODEL_FLAG_SETS };
pto_cvt_op model_cvt_modifiers(size_t i);
size_t model_cvt_modifiers_number(const pto_cvt_op *op);

/** An op that is none, with every modifier: what no call may have written to is still equal to it. */
pto_cvt_op model_cvt_odd(void);

/** Whether PTX has it; and what pto_cvt, pto_plan_cvt and pto_cvt_check (composed pairs too) must say of it. */
pto_status model_cvt_check(const pto_cvt_op *op);
pto_status model_cvt_status(const pto_cvt_op *op);

/** A type as cvt spells it: the element, and how many are packed. */
struct model_cvt_word {
    const char *name;
    pto_dtype type;
    int lanes;
};

/** Every word that is a type in cvt's grammar, legal somewhere or not. */
enum { MODEL_CVT_WORDS = 40 };
extern const struct model_cvt_word model_cvt_words[MODEL_CVT_WORDS];

/** What pto_parse_cvt must say of these types in this spelling. */
pto_status model_cvt_spelling(const struct model_cvt_word *dst, const struct model_cvt_word *src,
                              const pto_cvt_op *modifiers);

/** "rn" and so on; "" for none. */
const char *model_round_name(pto_round round);

/** "cvt.rn.satfinite", without the types. */
void model_cvt_opcode(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]);

/** The operation in words for reports: the scalar spelling, whether or not PTX has it. */
void model_cvt_describe(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]);

bool model_same_cvt(const pto_cvt_op *x, const pto_cvt_op *y);

/* ---- memory forms ---- */

/** Width of a code, 6 for e2m3 and e3m2, 19 + 13 for tf32. */
int model_code_bits(pto_dtype type);

/** Bytes that n elements take. */
size_t model_cvt_bytes(pto_dtype type, size_t n);

/** One element out of memory, ignored bits left out; and into memory that was zero. */
uint64_t model_cvt_load(pto_dtype type, const void *array, size_t lane);
void model_cvt_store(pto_dtype type, void *array, size_t lane, uint64_t code);

#endif
