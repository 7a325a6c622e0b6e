/* SPDX-License-Identifier: MIT */
/** @file combined.h  What the checks of setp and set share: operands, c, and every CmpOp with every BoolOp. */
#ifndef PTO_TEST_COMBINED_H
#define PTO_TEST_COMBINED_H

#include "check/checks.h"
#include "support/operands.h"

struct combined {
    struct operands in;
    struct guarded c;
    unsigned char *truth_c;  /* in.count + COMBINED_EXTRA lanes, of which a call's c begins anywhere */
    unsigned char *c_before; /* to see whether a call wrote c */
    struct rng rng;
    size_t turn;
    char text[64];
};

enum { COMBINED_EXTRA = 512 };

/** Specials against specials first, if `cross`. */
void combined_open(struct combined *w, const char *purpose, pto_dtype type, bool cross);
void combined_close(struct combined *w);

/** A c of that kind, filled, beside a guard page. */
pto_mask combined_place_c(struct combined *w, pto_mask_kind kind, size_t n, enum place place);

struct combination {
    pto_cmp cmp;
    bool ftz;
    pto_boolop boolop;
    bool not_c;
};

/** Per operator without and with .ftz: no BoolOp, then each with c and with !c. */
enum { COMBINED_BOOLS = 7, COMBINATIONS = MODEL_OPS * 2 * COMBINED_BOOLS };
struct combination combination_of(size_t number);

#endif
