/* SPDX-License-Identifier: MIT */
/** @file fpstate.h
 * The floating-point state of the thread as the CPU stores it: MXCSR and the x87 words on x86, FPCR and FPSR on
 * Arm. */
#ifndef PTO_TEST_FPSTATE_H
#define PTO_TEST_FPSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fp_state {
    uint64_t control; /* MXCSR without its flags, or FPCR */
    uint64_t status;  /* the sticky flags of MXCSR, or FPSR */
    uint64_t x87;     /* control, status and tag word; the tags reveal a stray MMX instruction */
};

struct fp_state fp_state_get(void);

/** Sets control and status. The x87 words stay unchanged. */
void fp_state_set(const struct fp_state *state);

bool fp_state_same(const struct fp_state *a, const struct fp_state *b);

/** Sets *state to hostile state `number` and *title to its description. Together, the states have every rounding mode
 * with flushing of results and operands, exceptions unmasked, and sticky flags set, each on and off. Bits that the
 * CPU does not store are omitted. Returns false if there are fewer states. */
bool fp_state_hostile(size_t number, struct fp_state *state, const char **title);

enum { FP_STATES_MAX = 128, FP_STATES_TITLE = 112 };

/** Hostile states and their descriptions. */
struct fp_states {
    struct fp_state state[FP_STATES_MAX];
    char title[FP_STATES_MAX][FP_STATES_TITLE];
    size_t count;
};

/** Collects all hostile states, or every seventh in a quick run. */
void fp_states_collect(struct fp_states *states, bool quick);

#endif
