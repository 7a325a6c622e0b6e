/* SPDX-License-Identifier: MIT */
/* Compress and expand kernels of NEON, which looks up bytes in a table of 16 or 32. */
#include "loops/move.h"

#include "neon/vec.h"

/* Returns for each byte k of x, a position of elements, the positions 2k and 2k + 1 of their halves. */
static ALWAYS_INLINE vec indices_of_halves(uint8x8_t x) {
    const uint8x8_t low = vadd_u8(x, x), high = vadd_u8(low, vdup_n_u8(1));
    return vcombine_u8(vzip1_u8(low, high), vzip2_u8(low, high));
}

static ALWAYS_INLINE vec indices_of_quarters(uint8x8_t x) {
    return indices_of_halves(vget_low_u8(indices_of_halves(x)));
}

static ALWAYS_INLINE uint8x8_t indices_of_ones(unsigned mask) {
    return vcreate_u8(ones_at[mask]);
}

static ALWAYS_INLINE uint8x8_t ranks(unsigned mask) {
    return vcreate_u8(ranks_of_mask(mask));
}

/* Returns 8 bytes, all ones where the mask has a 1. */
static ALWAYS_INLINE uint8x8_t lanes_on(unsigned mask) {
    return vcreate_u8(bytes_of_mask(mask) * 255);
}

/* Returns each of the first 8 bytes of x twice. */
static ALWAYS_INLINE vec doubled(uint8x8_t x) {
    return vcombine_u8(vzip1_u8(x, x), vzip2_u8(x, x));
}

static ALWAYS_INLINE vec quadrupled(uint8x8_t x) {
    return doubled(vget_low_u8(doubled(x)));
}

/* Looks up 4 of the 4 elements of 64 bits at `in`: element k of the result is element indices[k]. */
static ALWAYS_INLINE uint8x16x2_t look_up_four(const u8 *in, uint8x8_t indices) {
    const vec quarters = indices_of_quarters(indices);
    const vec low = indices_of_halves(vget_low_u8(quarters)),
              high = indices_of_halves(vget_high_u8(quarters));
    const uint8x16x2_t table = {{v_load(in), v_load(in + VBYTES)}};
    const uint8x16x2_t found = {{vqtbl2q_u8(table, low), vqtbl2q_u8(table, high)}};
    return found;
}

static ALWAYS_INLINE void compress_step_8(const u8 *in, unsigned mask, u8 *out) {
    vst1_u8(out, vtbl1_u8(vld1_u8(in), indices_of_ones(mask)));
}

static ALWAYS_INLINE void compress_step_16(const u8 *in, unsigned mask, u8 *out) {
    v_store(out, vqtbl1q_u8(v_load(in), indices_of_halves(indices_of_ones(mask))));
}

static ALWAYS_INLINE void compress_step_32(const u8 *in, unsigned mask, u8 *out) {
    v_store(out, vqtbl1q_u8(v_load(in), indices_of_quarters(indices_of_ones(mask))));
}

static ALWAYS_INLINE void compress_step_64(const u8 *in, unsigned mask, u8 *out) {
    const uint8x16x2_t found = look_up_four(in, indices_of_ones(mask));
    v_store(out, found.val[0]);
    v_store(out + VBYTES, found.val[1]);
}

static ALWAYS_INLINE void expand_step_8(const u8 *in, unsigned mask, u8 *out) {
    vst1_u8(out, vbsl_u8(lanes_on(mask), vtbl1_u8(vld1_u8(in), ranks(mask)), vld1_u8(out)));
}

static ALWAYS_INLINE void expand_step_16(const u8 *in, unsigned mask, u8 *out) {
    const vec x = vqtbl1q_u8(v_load(in), indices_of_halves(ranks(mask)));
    v_store(out, vbslq_u8(doubled(lanes_on(mask)), x, v_load(out)));
}

static ALWAYS_INLINE void expand_step_32(const u8 *in, unsigned mask, u8 *out) {
    const vec x = vqtbl1q_u8(v_load(in), indices_of_quarters(ranks(mask)));
    v_store(out, vbslq_u8(quadrupled(lanes_on(mask)), x, v_load(out)));
}

static ALWAYS_INLINE void expand_step_64(const u8 *in, unsigned mask, u8 *out) {
    const uint8x16x2_t found = look_up_four(in, ranks(mask));
    const vec on = quadrupled(lanes_on(mask));
    v_store(out, vbslq_u8(doubled(vget_low_u8(on)), found.val[0], v_load(out)));
    v_store(out + VBYTES, vbslq_u8(doubled(vget_high_u8(on)), found.val[1], v_load(out + VBYTES)));
}

MOVE_KERNELS(8, 8)
MOVE_KERNELS(16, 8)
MOVE_KERNELS(32, 4)
MOVE_KERNELS(64, 4)

const struct move_kernels pto_move_neon = {{compress_8, compress_16, compress_32, compress_64},
                                           {expand_8, expand_16, expand_32, expand_64}};
