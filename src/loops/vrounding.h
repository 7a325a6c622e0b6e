/* SPDX-License-Identifier: MIT */
/* Rounding of words of 32 bits in every direction: those of PTX, and the two that only PTO has. Included after
 * convert_vector.h. */
#ifndef PTO_LOOPS_VROUNDING_H
#define PTO_LOOPS_VROUNDING_H

#include "core/vcvt.h"

/* struct rounding with the two roundings that PTX lacks. */
struct vrounding {
    struct rounding_32 ptx; /* the rounding for R, F, C or Z; A uses that for R, and O that for Z */
    u32 away;               /* 1: ties go up, as if the last bit that remains were 1 */
    u32 odd;                /* 1: the last bit that remains becomes 1 if any bit is cut off */
};

static ALWAYS_INLINE struct vrounding vrounding_of(pto_vrnd rnd) {
    struct vrounding r;
    r.ptx = rounding_of_32(vcvt_ptx_round(rnd));
    r.away = rnd == PTO_VRND_A;
    r.odd = rnd == PTO_VRND_O;
    return r;
}

/* Returns what to add to m before it is shifted right by sh. */
static ALWAYS_INLINE u32v vround_add(u32v m, u32v sh, u32v sign, const struct vrounding *r) {
    const u32v ones = v_minus_1_32(v_const_32(1) << sh);
    return ((ones >> r->ptx.nearest) & by_sign_32(sign, r->ptx.bias_mask, r->ptx.bias_mask_negative)) +
           (((m >> sh) | r->away) & ones & r->ptx.even);
}

/* Returns m >> sh, rounded, for 0 <= sh <= MAX_SHIFT_32. The bits above and below the cut are added separately,
 * because m may use all 32 bits. */
static ALWAYS_INLINE u32v vround_shift(u32v m, u32v sh, u32v sign, const struct vrounding *r) {
    const u32v rest = m & v_minus_1_32(v_const_32(1) << sh);
    const u32v shifted = (m >> sh) + ((rest + vround_add(m, sh, sign, r)) >> sh);
    return shifted | (v_min_u32(rest, v_const_32(1)) & r->odd);
}

#endif
