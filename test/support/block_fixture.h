/* SPDX-License-Identifier: MIT */
/** @file block_fixture.h
 * What the checkers of block scaling share: ops, elements and scales to test, operands between guard pages, and
 * the comparison of a call with the model. */
#ifndef PTO_TEST_BLOCK_FIXTURE_H
#define PTO_TEST_BLOCK_FIXTURE_H

#include "support/harness.h"
#include "support/subject.h"
#include "model/model_block.h"

enum { BLOCK_OPS_MAX = 384, BLOCK_TENSOR_VALUES = 14 };

/** Returns in `ops` each rule that does not choose between scales, with all types, with and without pow2 and a second
 * level. Blocks have the shape that the rule usually has, rounding is to nearest, and op.tensor suits elements around
 * 1. Returns how many there are. */
size_t block_ops(pto_block_op ops[BLOCK_OPS_MAX]);

/** Sets op->tensor to second-level value or eps number `turn`, from 0 to BLOCK_TENSOR_VALUES - 1. All are legal, many
 * unusual. Returns false if the op takes neither. */
bool block_set_tensor(pto_block_op *op, size_t turn);

/** Fills in elements around 1, with some zeros, subnormals, infinities, NaNs, and runs of zeros. */
void block_fill_wide(struct rng *rng, pto_dtype wide, void *array, size_t n);

/** block_any_scale() returns a scale, which is near 1 in most cases. block_fill_scales() fills an array with such
 * scales. */
uint32_t block_any_scale(struct rng *rng, pto_block_rule rule);
void block_fill_scales(struct rng *rng, pto_block_rule rule, void *array, size_t n);

/* ---- operands ---- */

enum block_operand { BLOCK_WIDE, BLOCK_CODES, BLOCK_SCALES, BLOCK_RANDOM, BLOCK_OPERANDS };

/** block_bytes() returns the size of an operand in bytes, gaps between rows included. block_writes() returns whether
 * the call writes the operand. */
size_t block_bytes(const struct model_block_call *c, enum block_operand operand);
bool block_writes(enum model_block_kind kind, enum block_operand operand);

/** Returns the address of an operand's pointer in the call. */
void **block_operand_of(struct model_block_call *c, enum block_operand operand);

/** Memory for each operand, and the expected bytes of each result. */
struct block_buffers {
    struct guarded memory[BLOCK_OPERANDS];
    unsigned char *expected[BLOCK_OPERANDS];
    struct rng rng;
};

void block_buffers_open(struct block_buffers *w, const char *purpose, size_t size);
void block_buffers_close(struct block_buffers *w);

/** Sets the addresses of the call's operands. The first function places each operand beside a guard page; the second
 * places operand i at offset + 5 * i bytes after its leading guard page, to vary the alignment. */
void block_buffers_at_guard_pages(const struct block_buffers *w, struct model_block_call *c,
                                  enum place place);
void block_buffers_offset(const struct block_buffers *w, struct model_block_call *c, size_t offset);

/** Fills in what the call reads: elements, codes, scales, random words. */
void block_buffers_fill(struct block_buffers *w, enum model_block_kind kind,
                        const struct model_block_call *c);

/** Fills the results and the margins around them, and copies the results into w->expected. The caller then writes
 * the results that it expects there. */
void block_buffers_prepare(struct report *r, struct block_buffers *w, enum model_block_kind kind,
                           const struct model_block_call *c);

/** Makes the call. Compares every byte from the first of each result to its last, gaps between rows included, with
 * `expected`, and checks that the margins are intact. */
void block_buffers_compare(const struct subject *s, struct report *r, const struct block_buffers *w,
                           enum model_block_kind kind, const struct model_block_call *c);

/** Prepares a call, makes it, and compares its results with those of the model. */
void block_buffers_run(const struct subject *s, struct report *r, struct block_buffers *w,
                       enum model_block_kind kind, const struct model_block_call *c);

/** Makes the call of this kind. */
pto_status block_call(const struct subject *s, enum model_block_kind kind, const struct model_block_call *c);

/** Sets the report's description to the op, the shape and `detail`. */
void block_describe(struct report *r, enum model_block_kind kind, const struct model_block_call *c,
                    const char *detail);

#endif
