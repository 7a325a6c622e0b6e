/* SPDX-License-Identifier: MIT */
/* Permutation kernels of NEON, which looks up bytes in tables of up to 64. */
#include "neon/vec.h"

enum { LOOK_UP_MAX_8 = 16, LOOK_UP_MAX_16 = 16, LOOK_UP_MAX_32 = 16, LOOK_UP_MAX_64 = 16 };

static ALWAYS_INLINE uint8x16x4_t load_part(const u8 *table) {
    uint8x16x4_t part;
    UNROLL
    for (size_t i = 0; i < 4; ++i) part.val[i] = v_load(table + i * VBYTES);
    return part;
}

/* Bytes whose index is outside a part of the table become 0 for the first part, and stay unchanged for later parts. */
static ALWAYS_INLINE vec look_up_8(const u8 *table, size_t vectors, vec index) {
    enum { PART_BYTES = 4 * VBYTES };
    vec bytes;
    if (vectors == 1) return vqtbl1q_u8(v_load(table), index);
    if (vectors == 2) {
        const uint8x16x2_t part = {{v_load(table), v_load(table + VBYTES)}};
        return vqtbl2q_u8(part, index);
    }
    bytes = vqtbl4q_u8(load_part(table), index);
    UNROLL
    for (size_t i = 1; i < vectors / 4; ++i) {
        index = vsubq_u8(index, vdupq_n_u8(PART_BYTES));
        bytes = vqtbx4q_u8(bytes, load_part(table + i * PART_BYTES), index);
    }
    return bytes;
}

/* These look up every byte of each lane. */
static ALWAYS_INLINE vec look_up_16(const u8 *table, size_t vectors, vec index) {
    const uint16x8_t bytes = vmlaq_n_u16(vdupq_n_u16(0x0100), U16(index), 0x0202);
    return look_up_8(table, vectors, vreinterpretq_u8_u16(bytes));
}

static ALWAYS_INLINE vec look_up_32(const u8 *table, size_t vectors, vec index) {
    const uint32x4_t bytes = vmlaq_n_u32(vdupq_n_u32(0x03020100), U32(index), 0x04040404);
    return look_up_8(table, vectors, vreinterpretq_u8_u32(bytes));
}

static ALWAYS_INLINE vec look_up_64(const u8 *table, size_t vectors, vec index) {
    const uint32x4_t places = U32(vreinterpretq_u8_u64(vdupq_n_u64(0x0706050403020100)));
    const uint32x4_t bytes = vmlaq_n_u32(places, vtrn1q_u32(U32(index), U32(index)), 0x08080808);
    return look_up_8(table, vectors, vreinterpretq_u8_u32(bytes));
}

#define PERMUTE_LOOKS_UP
#define ISA neon
#include "loops/permute.h"
