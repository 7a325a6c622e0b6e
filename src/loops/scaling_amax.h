/* SPDX-License-Identifier: MIT */
/*
 * Finds the largest magnitude of each block. NaNs are above all other values. If the rule ignores NaNs and one
 * is found, the blocks are processed again by a slower loop that skips them. Part of scaling.h.
 */

/* ---- one vector ---- */

static ALWAYS_INLINE u32v magnitudes(const u8 *p, pto_dtype type, bool propagates_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    const u32v code = v_load_32(p, tensor_elem_bytes(type), false);
    const u32v m = type == PTO_F32 ? magnitude_of_32(code) : code & 0x7fff;
    return propagates_nan ? m : v_sel_32(v_gt_u32(m, v_const_32(infinity)), v_const_32(0), m);
}

/* Loads n elements, fewer than a vector has. The other lanes are 0. */
static ALWAYS_INLINE u32v partial_magnitudes(const u8 *p, size_t n, pto_dtype type, bool propagates_nan) {
    u8 last[VBYTES] = {0};
    memcpy(last, p, n * tensor_elem_bytes(type));
    return magnitudes(last, type, propagates_nan);
}

static ALWAYS_INLINE void update_maxima(u32 *maxima, u32v m) {
    u8 *const at = (u8 *)maxima;
    v_store_32(at, max_signed(v_load_32(at, 4, false), m), 4);
}

/* ---- any block ---- */

static ALWAYS_INLINE u32 largest_of(const u8 *x, size_t n, pto_dtype type, bool propagates_nan) {
    const size_t size = tensor_elem_bytes(type);
    u32v m = v_const_32(0);
    size_t i = 0;
    for (; n - i >= VLANES_32; i += VLANES_32)
        m = max_signed(m, magnitudes(x + i * size, type, propagates_nan));
    if (i < n) m = max_signed(m, partial_magnitudes(x + i * size, n - i, type, propagates_nan));
    return v_largest_32(m)[0];
}

static ALWAYS_INLINE void amax_of_lanes(u32v m, size_t first, size_t n, size_t block, u32 *maxima) {
    for (size_t k = 0; k < n; ++k) {
        u32 *const max = &maxima[(first + k) / block];
        *max = m[k] > *max ? m[k] : *max;
    }
}

/* Processes blocks that are shorter than a vector. In blocks of one element, each lane is a maximum already. */
static ALWAYS_INLINE void amax_short_blocks(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type,
                                            bool propagates_nan) {
    const size_t size = tensor_elem_bytes(type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u8 *p = x + i * size;
        const size_t lanes = min_size(n - i, VLANES_32);
        const u32v m = lanes < VLANES_32 ? partial_magnitudes(p, lanes, type, propagates_nan)
                                         : magnitudes(p, type, propagates_nan);
        if (block == 1)
            update_maxima(maxima + i, m);
        else
            amax_of_lanes(m, i, lanes, block, maxima);
    }
}

static ALWAYS_INLINE void amax_any(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type,
                                   bool propagates_nan) {
    if (block < VLANES_32) {
        amax_short_blocks(x, n, block, maxima, type, propagates_nan);
        return;
    }
    for (size_t i = 0; i < n; i += block, ++maxima) {
        const u32 m =
            largest_of(x + i * tensor_elem_bytes(type), min_size(n - i, block), type, propagates_nan);
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
        m = halves ? v_max_u16(m, bits & 0x7fff7fff) : max_signed(m, magnitude_of_32(bits));
    }
    return halves ? max_signed(m & 0xffff, m >> 16) : m;
}

static ALWAYS_INLINE void amax_group(const u8 *x, size_t vectors, u32 *maxima, bool halves) {
    u32v m[VLANES_32];
    UNROLL for (size_t k = 0; k < VLANES_32; ++k) m[k] =
        largest_in(x + k * vectors * VBYTES, vectors, halves);
    update_maxima(maxima, v_max_of_each(m));
}

/* Processes VLANES_32 blocks, each half a vector of 16-bit elements, which are widened to 32 bits. */
static ALWAYS_INLINE void amax_group_of_halves(const u8 *x, u32 *maxima) {
    u32v m[VLANES_32];
    UNROLL for (size_t k = 0; k < VLANES_32; ++k) m[k] = v_load_32(x + k * VBYTES / 2, 2, false) & 0x7fff;
    update_maxima(maxima, v_max_of_each(m));
}

/* Processes `blocks` blocks of `bytes` bytes, if they have a suitable size. Returns how many it has processed,
 * from the first one on. */
static ALWAYS_INLINE size_t amax_groups(const u8 *x, size_t blocks, size_t bytes, u32 *maxima, bool halves) {
    const size_t vectors = bytes / VBYTES;
    size_t k = 0;
    if (halves && bytes == VBYTES / 2) {
        for (; blocks - k >= VLANES_32; k += VLANES_32) amax_group_of_halves(x + k * bytes, maxima + k);
        return k;
    }
    if (bytes % VBYTES != 0) return 0;
    for (; blocks - k >= VLANES_32; k += VLANES_32) {
        if (vectors == 1)
            amax_group(x + k * bytes, 1, maxima + k, halves);
        else if (vectors == 2)
            amax_group(x + k * bytes, 2, maxima + k, halves);
        else if (vectors == 4)
            amax_group(x + k * bytes, 4, maxima + k, halves);
        else
            amax_group(x + k * bytes, vectors, maxima + k, halves);
    }
    for (; k < blocks; ++k) {
        const u32 m = v_largest_32(largest_in(x + k * bytes, vectors, halves))[0];
        maxima[k] = m > maxima[k] ? m : maxima[k];
    }
    return k;
}

/* ---- all blocks ---- */

static ALWAYS_INLINE void amax_with_nans(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type) {
    const size_t size = tensor_elem_bytes(type);
    const size_t done = n < block ? 0 : amax_groups(x, n / block, block * size, maxima, size == 2);
    amax_any(x + done * block * size, n - done * block, block, maxima + done, type, true);
}

#include "loops/scaling_nans.h"
