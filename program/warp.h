/* SPDX-License-Identifier: MIT */
/* Instructions of kernels by which the threads of a warp exchange values, and atomic accesses to memory. */
#ifndef PTO_PROGRAM_WARP_H
#define PTO_PROGRAM_WARP_H

#include <stdbool.h>

/* The comments list the results and the sources of the step, in the names of the PTX instruction. */
enum warp_op {
    WARP_SHUFFLE_UP, /* dst: d, p (may be ABSENT); src: a, b, c */
    WARP_SHUFFLE_DOWN,
    WARP_SHUFFLE_BUTTERFLY,
    WARP_SHUFFLE_INDEX,
    WARP_VOTE_ALL, /* dst: p; src: a, membermask */
    WARP_VOTE_ANY,
    WARP_VOTE_UNIFORM,
    WARP_BALLOT,      /* dst: d; src: a, membermask */
    WARP_ACTIVE_MASK, /* dst: d */
    WARP_MATCH_ANY,   /* dst: d; src: a, membermask */
    WARP_MATCH_ALL,   /* dst: d, p (may be ABSENT); src: a, membermask */
    WARP_ELECT,       /* dst: d (may be ABSENT), p; src: membermask */
    WARP_REDUCE_ADD,  /* dst: d; src: a, membermask */
    WARP_REDUCE_MIN,
    WARP_REDUCE_MAX,
    WARP_REDUCE_AND,
    WARP_REDUCE_OR,
    WARP_REDUCE_XOR
};

struct warp_parameters {
    enum warp_op op;
    bool is_signed; /* reductions */
    bool negated;   /* votes: a has a "!" */
};

/* Each operation computes the new value in memory from the old one and the operand b, which have the same
 * type. */
enum atomic_op {
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCHANGE,
    ATOMIC_COMPARE, /* a third operand c if the old value is equal to b, else the old value */
    ATOMIC_ADD,
    ATOMIC_INCREMENT, /* 0 if the old value is b or more, else the old value + 1 */
    ATOMIC_DECREMENT, /* b if the old value is 0 or more than b, else the old value - 1 */
    ATOMIC_MIN,
    ATOMIC_MAX
};

#endif
