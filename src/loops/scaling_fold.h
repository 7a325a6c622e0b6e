/* SPDX-License-Identifier: MIT */
/*
 * Finds the largest magnitude of each block. NaNs are above all other values. If the rule ignores NaNs and one
 * is found, the blocks are processed again by a slower loop that skips them. Part of scaling.h.
 */

/* ---- one vector ---- */

static ALWAYS_INLINE u32v magnitudes(const u8 *p, pto_dtype wide, bool keeps_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(wide));
    const u32v code = v_load_32(p, bytes_of_wide(wide), false);
    const u32v m = wide == PTO_F32 ? magnitude_of_32(code) : code & 0x7fff;
    return keeps_nan ? m : v_sel_32(v_gt_u32(m, v_const_32(infinity)), v_const_32(0), m);
}

/* Loads n elements, fewer than a vector has. The other lanes are 0. */
static ALWAYS_INLINE u32v some_magnitudes(const u8 *p, size_t n, pto_dtype wide, bool keeps_nan) {
    u8 last[VBYTES] = {0};
    memcpy(last, p, n * bytes_of_wide(wide));
    return magnitudes(last, wide, keeps_nan);
}

static ALWAYS_INLINE void raise_to(u32 *maxima, u32v m) {
    u8 *const at = (u8 *)maxima;
    v_store_32(at, not_below(v_load_32(at, 4, false), m), 4);
}

/* ---- any block ---- */

static ALWAYS_INLINE u32 largest_of(const u8 *x, size_t n, pto_dtype wide, bool keeps_nan) {
    const size_t size = bytes_of_wide(wide);
    u32v m = v_const_32(0);
    size_t i = 0;
    for (; n - i >= VLANES_32; i += VLANES_32) m = not_below(m, magnitudes(x + i * size, wide, keeps_nan));
    if (i < n) m = not_below(m, some_magnitudes(x + i * size, n - i, wide, keeps_nan));
    return v_largest_32(m)[0];
}

static ALWAYS_INLINE void fold_lanes(u32v m, size_t first, size_t n, size_t block, u32 *maxima) {
    for (size_t k = 0; k < n; ++k) {
        u32 *const max = &maxima[(first + k) / block];
        *max = m[k] > *max ? m[k] : *max;
    }
}

/* Processes blocks that are shorter than a vector. In blocks of one element, each lane is a maximum already. */
static ALWAYS_INLINE void fold_short(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype wide,
                                     bool keeps_nan) {
    const size_t size = bytes_of_wide(wide);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u8 *p = x + i * size;
        const size_t lanes = min_size(n - i, VLANES_32);
        const u32v m =
            lanes < VLANES_32 ? some_magnitudes(p, lanes, wide, keeps_nan) : magnitudes(p, wide, keeps_nan);
        if (block == 1)
            raise_to(maxima + i, m);
        else
            fold_lanes(m, i, lanes, block, maxima);
    }
}

static ALWAYS_INLINE void fold_any(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype wide,
                                   bool keeps_nan) {
    if (block < VLANES_32) {
        fold_short(x, n, block, maxima, wide, keeps_nan);
        return;
    }
    for (size_t i = 0; i < n; i += block, ++maxima) {
        const u32 m = largest_of(x + i * bytes_of_wide(wide), min_size(n - i, block), wide, keeps_nan);
        *maxima = m > *maxima ? m : *maxima;
    }
}

/* ---- blocks of whole vectors, VLANES_32 blocks at once ---- */

/* Returns the largest magnitudes of `vectors` vectors, lane by lane. If `halves`, elements have 16 bits, and
 * the two in a lane are combined; else they have 32 bits. */
static ALWAYS_INLINE u32v largest_in(const u8 *x, size_t vectors, bool halves) {
    u32v m = v_const_32(0);
    for (size_t k = 0; k < vectors; ++k) {
        const u32v bits = v_load_32(x + k * VBYTES, 4, false);
        m = halves ? v_max_u16(m, bits & 0x7fff7fff) : not_below(m, magnitude_of_32(bits));
    }
    return halves ? not_below(m & 0xffff, m >> 16) : m;
}

static ALWAYS_INLINE void fold_group(const u8 *x, size_t vectors, u32 *maxima, bool halves) {
    u32v m[VLANES_32];
    UNROLL for (size_t k = 0; k < VLANES_32; ++k) m[k] =
        largest_in(x + k * vectors * VBYTES, vectors, halves);
    raise_to(maxima, v_largest_of_each(m));
}

/* Processes VLANES_32 blocks, each half a vector of 16-bit elements, which are widened to 32 bits. */
static ALWAYS_INLINE void fold_group_of_halves(const u8 *x, u32 *maxima) {
    u32v m[VLANES_32];
    UNROLL for (size_t k = 0; k < VLANES_32; ++k) m[k] = v_load_32(x + k * VBYTES / 2, 2, false) & 0x7fff;
    raise_to(maxima, v_largest_of_each(m));
}

/* Processes `blocks` blocks of `bytes` bytes, if they have a suitable size. Returns how many it has processed,
 * from the first one on. */
static ALWAYS_INLINE size_t fold_groups(const u8 *x, size_t blocks, size_t bytes, u32 *maxima, bool halves) {
    const size_t vectors = bytes / VBYTES;
    size_t k = 0;
    if (halves && bytes == VBYTES / 2) {
        for (; blocks - k >= VLANES_32; k += VLANES_32) fold_group_of_halves(x + k * bytes, maxima + k);
        return k;
    }
    if (bytes % VBYTES != 0) return 0;
    for (; blocks - k >= VLANES_32; k += VLANES_32) {
        if (vectors == 1)
            fold_group(x + k * bytes, 1, maxima + k, halves);
        else if (vectors == 2)
            fold_group(x + k * bytes, 2, maxima + k, halves);
        else
            fold_group(x + k * bytes, vectors, maxima + k, halves);
    }
    for (; k < blocks; ++k) {
        const u32 m = v_largest_32(largest_in(x + k * bytes, vectors, halves))[0];
        maxima[k] = m > maxima[k] ? m : maxima[k];
    }
    return k;
}

/* ---- all blocks ---- */

static ALWAYS_INLINE void fold_quickly(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype wide) {
    const size_t size = bytes_of_wide(wide);
    const size_t done = n < block ? 0 : fold_groups(x, n / block, block * size, maxima, size == 2);
    fold_any(x + done * block * size, n - done * block, block, maxima + done, wide, true);
}

#include "loops/scaling_nans.h"
