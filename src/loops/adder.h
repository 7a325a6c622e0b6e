/* SPDX-License-Identifier: MIT */
#ifndef PTO_LOOPS_ADDER_H
#define PTO_LOOPS_ADDER_H

#include "core/formats.h"

/*
 * Constants for rounding an f32 to a smaller format, to nearest even, with one f32 addition.
 *
 * Let M be the number of fraction bits of the format. Let e be the exponent of x, but at least that of the
 * format's smallest normal value. The sum |x| + 2^(e + 23 - M) has the significand of the result, rounded to
 * nearest even, in its low bits. Adding e minus the bias above these bits gives the code. The bias, modulo 256,
 * is part of the constant `added`.
 */
struct adder {
    s32 least;   /* the smallest normal value of the format, as the bits of an f32 */
    s32 largest; /* the largest finite value, likewise */
    s32 added;   /* added to the exponent field of |x|, this gives the number to add */
    u32 cut;     /* how many fraction bits f32 has more than the format */
};

static ALWAYS_INLINE struct adder adder_of(struct cvt_format to) {
    const u32 m = to.fraction_bits, cut = 23 - m, least = (u32)(127 - to.bias + 1);
    const u32 largest = (u32)(cvt_max_code(to) << cut) + ((least - 1) << 23);
    const struct adder a = {(s32)(least << 23), (s32)largest, (s32)((cut << 23) + (-(least << m) & 0xff)),
                            cut};
    return a;
}

#endif
