/* SPDX-License-Identifier: MIT */
/**
 * @file block_fixture.h
 * What the checkers of block scaling share: the ops, elements and scales worth trying, operands between guard
 * pages, and comparing a call with the model.
 */
#ifndef PTO_TEST_BLOCK_FIXTURE_H
#define PTO_TEST_BLOCK_FIXTURE_H

#include "support/harness.h"
#include "support/subject.h"
#include "model/model_block.h"

enum { BLOCK_OPS_ROOM = 192, BLOCK_NUMBERS = 14 };

/** Each rule with all types, with and without pow2 and a second level; blocks as its users have them, to nearest,
 * a number of a tensor that suits elements around 1. Returns how many. */
size_t block_ops(pto_block_op ops[BLOCK_OPS_ROOM]);

/** The op with another number of a tensor, or eps: those of `turn` 0 to BLOCK_NUMBERS - 1 are legal and often odd.
 * False if the op has none. */
bool block_with_number(pto_block_op *op, size_t turn);

/** Elements around 1, with zeros, subnormals, infinities and NaNs among them, and runs of zeros. */
void block_fill_wide(struct rng *rng, pto_dtype wide, void *array, size_t n);

/** A scale, for the most part near 1; and an array of them. */
uint32_t block_any_scale(struct rng *rng, pto_block_rule rule);
void block_fill_scales(struct rng *rng, pto_block_rule rule, void *array, size_t n);

/* ---- operands ---- */

enum block_operand { BLOCK_WIDE, BLOCK_CODES, BLOCK_SCALES, BLOCK_RANDOM, BLOCK_OPERANDS };

/** Its bytes from the first to the last; which of a call is written. */
size_t block_bytes(const struct model_block_call *c, enum block_operand operand);
bool block_writes(enum model_block_kind kind, enum block_operand operand);

/** The address of an operand in the call. */
void **block_operand_of(struct model_block_call *c, enum block_operand operand);

/** Memory for each operand, and for each result the bytes that are expected there. */
struct block_rooms {
    struct guarded memory[BLOCK_OPERANDS];
    unsigned char *expected[BLOCK_OPERANDS];
    struct rng rng;
};

void block_rooms_open(struct block_rooms *w, const char *purpose, size_t size);
void block_rooms_close(struct block_rooms *w);

/** Lay all operands of the call right beside their guard pages, or so many bytes away from the first of them. */
void block_rooms_beside(const struct block_rooms *w, struct model_block_call *c, enum place place);
void block_rooms_offset(const struct block_rooms *w, struct model_block_call *c, size_t offset);

/** Fill what the call reads: elements, codes, scales, random words. */
void block_rooms_fill(struct block_rooms *w, enum model_block_kind kind, const struct model_block_call *c);

/** Fills the results and the margins around them, and copies the results into `expected`. The caller then writes
 * there what the call must write. */
void block_rooms_prepare(struct report *r, struct block_rooms *w, enum model_block_kind kind,
                         const struct model_block_call *c);

/** Makes the call. Compares every byte from the first of each result to its last, gaps between rows included, with
 * `expected`, and checks that the margins are intact. */
void block_rooms_compare(const struct subject *s, struct report *r, const struct block_rooms *w,
                         enum model_block_kind kind, const struct model_block_call *c);

/** Both, with what the model expects. */
void block_rooms_run(const struct subject *s, struct report *r, struct block_rooms *w,
                     enum model_block_kind kind, const struct model_block_call *c);

/** The call of this kind. */
pto_status block_call(const struct subject *s, enum model_block_kind kind, const struct model_block_call *c);

/** Name the op in the report. */
void block_describe(struct report *r, enum model_block_kind kind, const struct model_block_call *c,
                    const char *detail);

#endif
