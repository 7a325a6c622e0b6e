/* SPDX-License-Identifier: MIT */
/** @file model_ptx.h
 * The model of PTX setp, set and slct, of x86's flags and conditions, and of legality: literal tables from the
 * documents, based on model.h. */
#ifndef PTO_TEST_MODEL_PTX_H
#define PTO_TEST_MODEL_PTX_H

#include "model/model.h"

enum { MODEL_BOOLS = 4, MODEL_SELP_TYPES = 11, MODEL_SETP_TYPES = 15, MODEL_SET_TYPES = 19, MODEL_CCS = 16 };

/** The types of set, setp and selp, from which the sweeps enumerate. set takes the types of setp, which are first
 * in the list, and the packed integers. */
extern const pto_dtype model_set_types[MODEL_SET_TYPES];
extern const pto_dtype *const model_setp_types;
extern const pto_dtype model_selp_types[MODEL_SELP_TYPES];

/** f16x2 and bf16x2 have two halves in a word; u8x4, s8x4, u16x2 and s16x2 are packed integers. model_part()
 * returns the type of a part, or a one-lane type itself. model_parts() returns the number of parts. */
bool model_is_pair(pto_dtype type);
bool model_is_packed(pto_dtype type);
pto_dtype model_part(pto_dtype type);
size_t model_parts(pto_dtype type);
enum { MODEL_MOST_PARTS = 4 };

/** The size in bytes of an element, including pairs and packed integers; 0 for a type that setp does not take. */
size_t model_word(pto_dtype type);

/** Whether a mask of this kind fits the elements of setp, including pairs. */
bool model_kind_fits_word(pto_mask_kind kind, pto_dtype type);
pto_mask_kind model_word_image(pto_dtype type);

/** Returns the first of PTO_ERR_TYPE, _OP and _MODIFIER that applies, else PTO_OK. c and not_c are ignored. */
pto_status model_setp_status(pto_setp_op op);
pto_status model_set_status(pto_set_op op);

bool model_same_setp(const pto_setp_op *x, const pto_setp_op *y);
bool model_same_set(const pto_set_op *x, const pto_set_op *y);

bool model_bool(pto_boolop boolop, bool t, bool c);

/** Computes one lane of setp. `truth` has the comparison of the low half or the only lane, and of the high half. */
void model_setp_lane(const pto_setp_op *op, const bool truth[2], bool c, bool *p, bool *q);

/** Returns one element of set as bits. `truth` has the comparisons of its parts, the lowest first. */
uint64_t model_set_lane(const pto_set_op *op, const bool truth[MODEL_MOST_PARTS], bool c);

/** Whether slct chooses a. */
bool model_slct_lane(pto_dtype ctype, bool ftz, const void *c);

/** Returns EFLAGS after CMP, TEST and UCOMISS or UCOMISD of a and b. */
uint32_t model_flags_cmp(pto_dtype type, const void *a, const void *b);
uint32_t model_flags_test(pto_dtype type, const void *a, const void *b);
uint32_t model_flags_ucomi(pto_dtype type, const void *a, const void *b);

/** Whether the condition holds, from the table on Intel's SETcc page. */
bool model_condition(pto_cc cc, uint32_t eflags);

/** The 30 mnemonics of Intel's SETcc page, in the order of the page, in lower case, each with its opcode. */
enum { MODEL_MNEMONICS = 30 };
struct model_mnemonic {
    const char *name;
    int opcode; /* the second byte of 0F 9x */
};
extern const struct model_mnemonic model_mnemonics[MODEL_MNEMONICS];

/** Returns "and" and so on, or "" for no BoolOp. */
const char *model_bool_name(pto_boolop boolop);

#endif
