/* SPDX-License-Identifier: MIT */
#ifndef PTO_LOOPS_ROUND_BY_ADD_H
#define PTO_LOOPS_ROUND_BY_ADD_H

#include "core/formats.h"

/*
 * Constants for rounding an f32 to a smaller format, to nearest even, with one f32 addition.
 *
 * Let M be the number of fraction bits of the format. Let e be the exponent of x, but at least that of the
 * format's smallest normal value. The sum |x| + 2^(e + 23 - M) has the significand of the result, rounded to
 * nearest even, in its low bits. Adding e minus the bias above these bits gives the code. The bias, modulo 256,
 * is part of the constant `added`.
 */
struct round_by_add {
    s32 smallest_normal; /* the smallest normal value of the format, as the bits of an f32 */
    s32 largest_finite;  /* the largest finite value, likewise */
    s32 added;           /* plus the exponent field of |x|: the bits of the float to add to |x| */
    u32 dropped_bits;    /* how many fraction bits f32 has more than the format */
};

static ALWAYS_INLINE struct round_by_add round_by_add_of(struct cvt_format to) {
    const u32 m = to.fraction_bits, dropped_bits = 23 - m, smallest_normal = (u32)(127 - to.bias + 1);
    const u32 largest_finite = (u32)(cvt_max_code(to) << dropped_bits) + ((smallest_normal - 1) << 23);
    const struct round_by_add a = {(s32)(smallest_normal << 23), (s32)largest_finite,
                                   (s32)((dropped_bits << 23) + (-(smallest_normal << m) & 0xff)),
                                   dropped_bits};
    return a;
}

#endif
