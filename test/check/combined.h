/* SPDX-License-Identifier: MIT */
/** @file combined.h  What the checks of setp and set share: operands, c, and every CmpOp with every BoolOp. */
#ifndef PTO_TEST_COMBINED_H
#define PTO_TEST_COMBINED_H

#include "check/checks.h"
#include "support/operands.h"

struct combined {
    struct operands in;
    struct guarded c;
    unsigned char *truth_c;  /* in.count + COMBINED_EXTRA values; c of a call starts below COMBINED_EXTRA */
    unsigned char *c_before; /* detects whether a call wrote c */
    struct rng rng;
    size_t turn;
    char text[64];
};

enum { COMBINED_EXTRA = 512 };

/** Fills a and b with random and special values. If `cross` is true, they begin with all pairs of special values. */
void combined_open(struct combined *w, const char *purpose, pto_dtype type, bool cross);
void combined_close(struct combined *w);

/** Returns a mask c of that kind beside a guard page, filled with truth values. */
pto_mask combined_place_c(struct combined *w, pto_mask_kind kind, size_t n, enum place place);

struct combination {
    pto_cmp cmp;
    bool ftz;
    pto_boolop boolop;
    bool not_c;
};

/** Sets the report's sources for lanes of `bits` bits in the result: a, b, and c unless it is absent. */
void combined_sources(struct report *r, const struct combined *w, size_t first, pto_mask c, size_t bits);

/** combination_of() returns combination number `number` of an operator, .ftz or not, and either no BoolOp or a BoolOp
 * with c or with !c. */
enum { COMBINED_BOOLS = 7, COMBINATIONS = MODEL_OPS * 2 * COMBINED_BOOLS };
struct combination combination_of(size_t number);

#endif
