/* SPDX-License-Identifier: MIT */
#ifndef PTO_LOOPS_ADDER_H
#define PTO_LOOPS_ADDER_H

#include "core/formats.h"

/*
 * Rounding by the adder. |x| + 2^(e + 23 - M), e the exponent of x but at least that of the format's smallest
 * normal, has the digits of the result, rounded to nearest even, as its last ones; with e above them, less
 * the bias, they are the code. The bias rides, modulo a byte, in the number added.
 */
struct adder {
    s32 least;   /* the bits of the smallest normal, */
    s32 largest; /* and of the largest number, as f32 */
    s32 added;   /* to the exponent field of |x|, for the number to add */
    u32 cut;     /* digits that f32 has more */
};

static ALWAYS_INLINE struct adder adder_of(struct cvt_format to) {
    const u32 m = to.fraction_bits, cut = 23 - m, least = (u32)(127 - to.bias + 1);
    const u32 largest = (u32)(cvt_max_code(to) << cut) + ((least - 1) << 23);
    const struct adder a = {(s32)(least << 23), (s32)largest, (s32)((cut << 23) + (-(least << m) & 0xff)),
                            cut};
    return a;
}

#endif
