/* SPDX-License-Identifier: MIT */
/** @file model_cvt.h
 * The model of PTX cvt, which is slow but simple. It was written from the documents independently of the library
 * and shares only its public enums.
 *
 * Every source value is an exact number m * 2^e. To round, the model searches the codes of the destination for the
 * two neighbours of the value, and chooses between them by exact comparison. Shifts only provide the first guess
 * of the search, never a result. A scale is a power of two, so it only changes e. The legal
 * forms are a table in model_cvt_legal.c, which is independent of data/cvt_legal.json. */
#ifndef PTO_TEST_MODEL_CVT_H
#define PTO_TEST_MODEL_CVT_H

#include "model/model.h"

enum { MODEL_ROUNDS = 11, MODEL_CVT_TYPES = 27, MODEL_CVT_TEXT = 80 };

/** Returns the code of one destination element for source code `bits`, whose bits above the type's width are
 * ignored. The operation must be legal or composed. `extra` is the element's random bits for .rs or its ue8m0 byte
 * for a scale, else unused. */
uint64_t model_cvt(const pto_cvt_op *op, uint64_t bits, uint32_t extra);

/** Returns what element `lane` takes from pto_cvt()'s operand `extra`: its random bits, extracted bit by bit, or
 * its scale. Returns 0 if the operation has no such operand. */
uint32_t model_cvt_extra(const pto_cvt_op *op, const void *extra, size_t lane);

/** The size in bytes of that operand for n elements, or 0 if there is none. */
size_t model_cvt_extra_bytes(const pto_cvt_op *op, size_t n);

/** The exponent e of a finite nonzero value, 2^e <= |x| < 2^(e+1). 0 for other values. */
int model_cvt_exponent(pto_dtype type, uint64_t bits);

/** The number of elements that share a random word: 2 or 4; 1 without .rs. */
size_t model_cvt_group(const pto_cvt_op *op);

/** All modifiers except the rounding, as bits in PTX's order, and their words such as "ftz". Both scale bits
 * together represent an invalid scale. */
enum { MODEL_FLAGS = 7, MODEL_FLAG_SETS = 1 << MODEL_FLAGS };
extern const char *const model_flag_names[MODEL_FLAGS];

/** model_cvt_with() returns an op that has these modifiers, but no types and no rounding. model_cvt_flags() returns
 * the modifiers of an op. */
pto_cvt_op model_cvt_with(unsigned flags);
unsigned model_cvt_flags(const pto_cvt_op *op);

/** Whether a reserved byte of the op is not 0. Every call refuses such an op. */
bool model_cvt_has_reserved(const pto_cvt_op *op);

/** There are MODEL_CVT_MODIFIERS combinations of a rounding and a set of other modifiers. model_cvt_modifiers()
 * returns an op that has combination number i and no types; model_cvt_modifiers_number() is its inverse. */
enum { MODEL_CVT_MODIFIERS = MODEL_ROUNDS * MODEL_FLAG_SETS };
pto_cvt_op model_cvt_modifiers(size_t i);
size_t model_cvt_modifiers_number(const pto_cvt_op *op);

/** Returns an invalid op with every modifier. Tests use it as a result that calls must not write. */
pto_cvt_op model_cvt_invalid(void);

/** model_cvt_check() returns PTO_OK if PTX has the operation. model_cvt_status() returns the status that pto_cvt(),
 * pto_plan_cvt() and pto_cvt_check() must return; these also accept composed pairs. */
pto_status model_cvt_check(const pto_cvt_op *op);
pto_status model_cvt_status(const pto_cvt_op *op);

/** A type as cvt spells it: the element type and how many elements are packed. */
struct model_cvt_word {
    const char *name;
    pto_dtype type;
    int lanes;
};

/** Every word that is a type in cvt's grammar, whether or not any form uses it. */
enum { MODEL_CVT_WORDS = 40 };
extern const struct model_cvt_word model_cvt_words[MODEL_CVT_WORDS];

/** The status that pto_parse_cvt() must return for these types in this spelling. */
pto_status model_cvt_spelling(const struct model_cvt_word *dst, const struct model_cvt_word *src,
                              const pto_cvt_op *modifiers);

/** Returns "rn" and so on, or "" for no rounding. */
const char *model_round_name(pto_round round);

/** Writes "cvt.rn.satfinite" and so on, without the types. */
void model_cvt_opcode(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]);

/** Writes the operation's scalar spelling for reports, even if PTX has no such instruction. */
void model_cvt_describe(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]);

bool model_same_cvt(const pto_cvt_op *x, const pto_cvt_op *y);

/* ---- memory layouts ---- */

/** The width of a code in bits: 6 for e2m3 and e3m2, and 32 for tf32, whose low 13 bits are not used. */
int model_code_bits(pto_dtype type);

/** The size of n elements in bytes. */
size_t model_cvt_bytes(pto_dtype type, size_t n);

/** model_cvt_load() returns an element without the bits that are ignored. model_cvt_store() stores an element into
 * memory that must be zero before. */
uint64_t model_cvt_load(pto_dtype type, const void *array, size_t lane);
void model_cvt_store(pto_dtype type, void *array, size_t lane, uint64_t code);

#endif
