/* SPDX-License-Identifier: MIT */
/* The vocabulary (see loops/vocabulary.h) for AArch64 NEON: vectors and masks of 16 bytes. The code is native
 * on Arm; elsewhere SIMDe emulates the instructions. */
#ifndef PTO_NEON_VEC_H
#define PTO_NEON_VEC_H

#if defined(__aarch64__)
#    include <arm_neon.h>
#else
#    define SIMDE_ENABLE_NATIVE_ALIASES
#    include <simde/arm/neon.h>
#endif

#include "core/kernels.h"

enum { VBYTES = 16, VLANES_8 = 16, VLANES_16 = 8, VLANES_32 = 4, VLANES_64 = 2 };

typedef uint8x16_t vec;
typedef uint8x16_t vmask_8; /* lanes of all ones or all zeros */
typedef uint8x16_t vmask_16;
typedef uint8x16_t vmask_32;
typedef uint8x16_t vmask_64;

#define U16(x) vreinterpretq_u16_u8(x)
#define U32(x) vreinterpretq_u32_u8(x)
#define U64(x) vreinterpretq_u64_u8(x)
#define S8(x)  vreinterpretq_s8_u8(x)
#define S16(x) vreinterpretq_s16_u8(x)
#define S32(x) vreinterpretq_s32_u8(x)
#define S64(x) vreinterpretq_s64_u8(x)
#define F32(x) vreinterpretq_f32_u8(x)
#define F64(x) vreinterpretq_f64_u8(x)

static ALWAYS_INLINE vec v_zero(void) {
    return vdupq_n_u8(0);
}

static ALWAYS_INLINE vec v_and(vec x, vec y) {
    return vandq_u8(x, y);
}

static ALWAYS_INLINE vec v_or(vec x, vec y) {
    return vorrq_u8(x, y);
}

static ALWAYS_INLINE vec v_xor(vec x, vec y) {
    return veorq_u8(x, y);
}

static ALWAYS_INLINE vec v_load(const void *p) {
    return vld1q_u8(p);
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    vst1q_u8(p, x);
}

static ALWAYS_INLINE vec v_load_bytes(const void *p, size_t bytes) {
    u8 buffer[VBYTES] = {0};
    memcpy(buffer, p, bytes);
    return v_load(buffer);
}

static ALWAYS_INLINE void v_store_bytes(void *p, vec x, size_t bytes) {
    u8 buffer[VBYTES];
    v_store(buffer, x);
    memcpy(p, buffer, bytes);
}

static ALWAYS_INLINE vec v_set1_8(const void *p) {
    u8 k;
    memcpy(&k, p, sizeof k);
    return vdupq_n_u8(k);
}

static ALWAYS_INLINE vec v_set1_16(const void *p) {
    u16 k;
    memcpy(&k, p, sizeof k);
    return vreinterpretq_u8_u16(vdupq_n_u16(k));
}

static ALWAYS_INLINE vec v_set1_32(const void *p) {
    u32 k;
    memcpy(&k, p, sizeof k);
    return vreinterpretq_u8_u32(vdupq_n_u32(k));
}

static ALWAYS_INLINE vec v_set1_64(const void *p) {
    u64 k;
    memcpy(&k, p, sizeof k);
    return vreinterpretq_u8_u64(vdupq_n_u64(k));
}

static ALWAYS_INLINE vmask_8 v_eq_8(vec x, vec y) {
    return vceqq_u8(x, y);
}

static ALWAYS_INLINE vmask_16 v_eq_16(vec x, vec y) {
    return vreinterpretq_u8_u16(vceqq_u16(U16(x), U16(y)));
}

static ALWAYS_INLINE vmask_32 v_eq_32(vec x, vec y) {
    return vreinterpretq_u8_u32(vceqq_u32(U32(x), U32(y)));
}

static ALWAYS_INLINE vmask_64 v_eq_64(vec x, vec y) {
    return vreinterpretq_u8_u64(vceqq_u64(U64(x), U64(y)));
}

static ALWAYS_INLINE vmask_8 v_lt_u8(vec x, vec y) {
    return vcltq_u8(x, y);
}

static ALWAYS_INLINE vmask_16 v_lt_u16(vec x, vec y) {
    return vreinterpretq_u8_u16(vcltq_u16(U16(x), U16(y)));
}

static ALWAYS_INLINE vmask_32 v_lt_u32(vec x, vec y) {
    return vreinterpretq_u8_u32(vcltq_u32(U32(x), U32(y)));
}

static ALWAYS_INLINE vmask_64 v_lt_u64(vec x, vec y) {
    return vreinterpretq_u8_u64(vcltq_u64(U64(x), U64(y)));
}

static ALWAYS_INLINE vmask_8 v_lt_s8(vec x, vec y) {
    return vcltq_s8(S8(x), S8(y));
}

static ALWAYS_INLINE vmask_16 v_lt_s16(vec x, vec y) {
    return vreinterpretq_u8_u16(vcltq_s16(S16(x), S16(y)));
}

static ALWAYS_INLINE vmask_32 v_lt_s32(vec x, vec y) {
    return vreinterpretq_u8_u32(vcltq_s32(S32(x), S32(y)));
}

static ALWAYS_INLINE vmask_64 v_lt_s64(vec x, vec y) {
    return vreinterpretq_u8_u64(vcltq_s64(S64(x), S64(y)));
}

/* NEON has no "less or greater" and no "ordered", so they take two comparisons each. */
static ALWAYS_INLINE vmask_32 v_rel_f32(enum relation r, vec x, vec y) {
    const float32x4_t a = F32(x), b = F32(y);
    switch (r) {
    case RELATION_EQ: return vreinterpretq_u8_u32(vceqq_f32(a, b));
    case RELATION_LT: return vreinterpretq_u8_u32(vcltq_f32(a, b));
    case RELATION_LE: return vreinterpretq_u8_u32(vcleq_f32(a, b));
    case RELATION_LG: return vreinterpretq_u8_u32(vorrq_u32(vcltq_f32(a, b), vcgtq_f32(a, b)));
    case RELATION_ORD: return vreinterpretq_u8_u32(vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b)));
    case RELATION_GT: return vreinterpretq_u8_u32(vcgtq_f32(a, b));
    case RELATION_GE: return vreinterpretq_u8_u32(vcgeq_f32(a, b));
    }
    return v_zero();
}

static ALWAYS_INLINE vmask_64 v_rel_f64(enum relation r, vec x, vec y) {
    const float64x2_t a = F64(x), b = F64(y);
    switch (r) {
    case RELATION_EQ: return vreinterpretq_u8_u64(vceqq_f64(a, b));
    case RELATION_LT: return vreinterpretq_u8_u64(vcltq_f64(a, b));
    case RELATION_LE: return vreinterpretq_u8_u64(vcleq_f64(a, b));
    case RELATION_LG: return vreinterpretq_u8_u64(vorrq_u64(vcltq_f64(a, b), vcgtq_f64(a, b)));
    case RELATION_ORD: return vreinterpretq_u8_u64(vandq_u64(vceqq_f64(a, a), vceqq_f64(b, b)));
    case RELATION_GT: return vreinterpretq_u8_u64(vcgtq_f64(a, b));
    case RELATION_GE: return vreinterpretq_u8_u64(vcgeq_f64(a, b));
    }
    return v_zero();
}

static ALWAYS_INLINE vmask_8 m_none_8(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_16 m_none_16(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_32 m_none_32(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_64 m_none_64(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_16 m_and_16(vmask_16 a, vmask_16 b) {
    return vandq_u8(a, b);
}

static ALWAYS_INLINE vmask_16 m_or_16(vmask_16 a, vmask_16 b) {
    return vorrq_u8(a, b);
}

static ALWAYS_INLINE vmask_16 m_not_16(vmask_16 a) {
    return vmvnq_u8(a);
}

/* Returns 1, 2, 4, ... 128 in the lanes of each half. */
static ALWAYS_INLINE vec bit_of_lane_8(void) {
    return vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
}

/* Gives each lane the weight of its bit, then adds neighbours until eight lanes have become one byte. */
static ALWAYS_INLINE u64 m_word_8(const vmask_8 *m) {
    const vec weight = bit_of_lane_8();
    vec low = vpaddq_u8(vandq_u8(m[0], weight), vandq_u8(m[1], weight));
    vec high = vpaddq_u8(vandq_u8(m[2], weight), vandq_u8(m[3], weight));
    vec sum = vpaddq_u8(low, high);
    return vgetq_lane_u64(U64(vpaddq_u8(sum, sum)), 0);
}

static ALWAYS_INLINE void m_bytes_8(u8 *p, const vmask_8 *m, u64 flip) {
    const vec one = vdupq_n_u8(1), off = vdupq_n_u8((u8)(flip & 1));
    UNROLL
    for (size_t i = 0; i < 4; ++i) v_store(p + i * VBYTES, v_xor(v_and(m[i], one), off));
}

/* Masks of wider lanes are narrowed in pairs, by taking the even parts of both. */
static ALWAYS_INLINE void pack_mask_16(const vmask_16 *m, vmask_8 *half) {
    UNROLL
    for (size_t i = 0; i < 4; ++i) half[i] = vuzp1q_u8(m[2 * i], m[2 * i + 1]);
}

static ALWAYS_INLINE void pack_mask_32(const vmask_32 *m, vmask_16 *half) {
    UNROLL
    for (size_t i = 0; i < 8; ++i)
        half[i] = vreinterpretq_u8_u16(vuzp1q_u16(U16(m[2 * i]), U16(m[2 * i + 1])));
}

static ALWAYS_INLINE void pack_mask_64(const vmask_64 *m, vmask_32 *half) {
    UNROLL
    for (size_t i = 0; i < 16; ++i)
        half[i] = vreinterpretq_u8_u32(vuzp1q_u32(U32(m[2 * i]), U32(m[2 * i + 1])));
}

static ALWAYS_INLINE u64 m_word_16(const vmask_16 *m) {
    vmask_8 half[4];
    pack_mask_16(m, half);
    return m_word_8(half);
}

static ALWAYS_INLINE u64 m_word_32(const vmask_32 *m) {
    vmask_16 half[8];
    pack_mask_32(m, half);
    return m_word_16(half);
}

static ALWAYS_INLINE u64 m_word_64(const vmask_64 *m) {
    vmask_32 half[16];
    pack_mask_64(m, half);
    return m_word_32(half);
}

static ALWAYS_INLINE void m_bytes_16(u8 *p, const vmask_16 *m, u64 flip) {
    vmask_8 half[4];
    pack_mask_16(m, half);
    m_bytes_8(p, half, flip);
}

static ALWAYS_INLINE void m_bytes_32(u8 *p, const vmask_32 *m, u64 flip) {
    vmask_16 half[8];
    pack_mask_32(m, half);
    m_bytes_16(p, half, flip);
}

static ALWAYS_INLINE void m_bytes_64(u8 *p, const vmask_64 *m, u64 flip) {
    vmask_32 half[16];
    pack_mask_64(m, half);
    m_bytes_32(p, half, flip);
}

/* Works like m_word_8, but fewer lanes become one byte. */
static ALWAYS_INLINE void m_image_16(u8 *p, const vmask_16 *m, u64 flip) {
    const vec weight = vreinterpretq_u8_u32(vdupq_n_u32(0x40100401u)), off = vdupq_n_u8((u8)(flip & 0x55));
    vmask_8 half[4];
    pack_mask_16(m, half);
    vec low = vpaddq_u8(vandq_u8(half[0], weight), vandq_u8(half[1], weight));
    vec high = vpaddq_u8(vandq_u8(half[2], weight), vandq_u8(half[3], weight));
    v_store(p, v_xor(vpaddq_u8(low, high), off));
}

static ALWAYS_INLINE void m_image_32(u8 *p, const vmask_32 *m, u64 flip) {
    const vec weight = vreinterpretq_u8_u16(vdupq_n_u16(0x1001)), off = vdupq_n_u8((u8)(flip & 0x11));
    vmask_16 half[8];
    vmask_8 quarter[4];
    pack_mask_32(m, half);
    pack_mask_16(half, quarter);
    UNROLL
    for (size_t i = 0; i < 2; ++i)
        v_store(
            p + i * VBYTES,
            v_xor(vpaddq_u8(vandq_u8(quarter[2 * i], weight), vandq_u8(quarter[2 * i + 1], weight)), off));
}

/*
 * Each lane tests its bit in a copy of all bits. Byte lanes test it in a copy of the byte that contains it.
 */
static ALWAYS_INLINE vmask_8 m_from_bits_8(u64 word, size_t i) {
    const u64 bits = word >> i * VLANES_8;
    static const u8 byte_of_lane[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const vec bytes = vcombine_u8(vcreate_u8(bits), vcreate_u8(0));
    return vtstq_u8(vqtbl1q_u8(bytes, v_load(byte_of_lane)), bit_of_lane_8());
}

static ALWAYS_INLINE vmask_16 m_from_bits_16(u64 word, size_t i) {
    const u64 bits = word >> i * VLANES_16;
    static const u16 bit_of_lane[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vreinterpretq_u8_u16(vtstq_u16(vdupq_n_u16((u16)bits), vld1q_u16(bit_of_lane)));
}

static ALWAYS_INLINE vmask_32 m_from_bits_32(u64 word, size_t i) {
    const u64 bits = word >> i * VLANES_32;
    static const u32 bit_of_lane[4] = {1, 2, 4, 8};
    return vreinterpretq_u8_u32(vtstq_u32(vdupq_n_u32((u32)bits), vld1q_u32(bit_of_lane)));
}

static ALWAYS_INLINE vmask_64 m_from_bits_64(u64 word, size_t i) {
    const u64 bits = word >> i * VLANES_64;
    static const u64 bit_of_lane[2] = {1, 2};
    return vreinterpretq_u8_u64(vtstq_u64(vdupq_n_u64(bits), U64(v_load(bit_of_lane))));
}

static ALWAYS_INLINE vmask_16 m_from_image_16(const u8 *p) {
    static const u16 bit_of_lane[8] = {1, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14};
    return vreinterpretq_u8_u16(vtstq_u16(vdupq_n_u16((u16)load_bytes(p, 2)), vld1q_u16(bit_of_lane)));
}

static ALWAYS_INLINE vmask_32 m_from_image_32(const u8 *p) {
    static const u32 bit_of_lane[4] = {1, 1 << 4, 1 << 8, 1 << 12};
    return vreinterpretq_u8_u32(vtstq_u32(vdupq_n_u32((u32)load_bytes(p, 2)), vld1q_u32(bit_of_lane)));
}

static ALWAYS_INLINE vmask_64 m_from_image_64(const u8 *p) {
    static const u64 bit_of_lane[2] = {1, 1 << 8};
    return vreinterpretq_u8_u64(vtstq_u64(vdupq_n_u64(load_bytes(p, 2)), U64(v_load(bit_of_lane))));
}

static ALWAYS_INLINE vmask_8 m_zero_bytes_8(const u8 *p) {
    return vceqzq_u8(v_load(p));
}

static ALWAYS_INLINE vmask_16 m_zero_bytes_16(const u8 *p) {
    return vreinterpretq_u8_u16(vceqzq_u16(vmovl_u8(vld1_u8(p))));
}

static ALWAYS_INLINE vmask_32 m_zero_bytes_32(const u8 *p) {
    const uint8x8_t bytes = vcreate_u8(load_bytes(p, 4));
    return vreinterpretq_u8_u32(vceqzq_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes)))));
}

static ALWAYS_INLINE vmask_64 m_zero_bytes_64(const u8 *p) {
    static const u64 byte_of_lane[2] = {0xff, 0xff00};
    const vec bytes = vreinterpretq_u8_u64(vdupq_n_u64(load_bytes(p, 2)));
    return vreinterpretq_u8_u64(vceqzq_u64(U64(v_and(bytes, v_load(byte_of_lane)))));
}

static ALWAYS_INLINE vec v_sel_8(vmask_8 m, vec x, vec y) {
    return vbslq_u8(m, x, y);
}

#define v_sel_16 v_sel_8 /* all bits of a mask lane are equal, so a bitwise selection suffices */
#define v_sel_32 v_sel_8
#define v_sel_64 v_sel_8

static ALWAYS_INLINE vmask_8 v_nonzero_8(vec x) {
    return vtstq_u8(x, x);
}

static ALWAYS_INLINE vec v_bool_8(vmask_8 m) {
    return vandq_u8(m, vdupq_n_u8(1));
}

static ALWAYS_INLINE vec v_const_16(s16 k) {
    return vreinterpretq_u8_s16(vdupq_n_s16(k));
}

static ALWAYS_INLINE vec v_abs_16(vec x) {
    return vandq_u8(x, v_const_16(0x7fff));
}

/* The absolute value of the bits as an integer is the magnitude m of a positive half, and 8000 - m of a
 * negative one. Adding the sign, 8000, to the latter makes it -m. */
static ALWAYS_INLINE vec v_order_16(vec x) {
    const vec sign = vandq_u8(x, v_const_16(INT16_MIN));
    return vreinterpretq_u8_s16(vabaq_s16(S16(sign), S16(x), vdupq_n_s16(0)));
}

static ALWAYS_INLINE vec v_add_16(vec x, vec y) {
    return vreinterpretq_u8_u16(vaddq_u16(U16(x), U16(y)));
}

/* Saturating instructions are not used, because they would set QC in FPSR. */
static ALWAYS_INLINE vec v_adds_s16(vec x, vec y) {
    const int16x8_t most = vsubq_s16(vdupq_n_s16(INT16_MAX), S16(y));
    return vreinterpretq_u8_s16(vaddq_s16(vminq_s16(S16(x), most), S16(y)));
}

static ALWAYS_INLINE vec v_subs_s16(vec x, vec y) {
    const int16x8_t least = vaddq_s16(vdupq_n_s16(INT16_MIN), S16(y));
    return vreinterpretq_u8_s16(vsubq_s16(vmaxq_s16(S16(x), least), S16(y)));
}

static ALWAYS_INLINE vmask_16 v_none_of_16(vec x, vec bits) {
    return vreinterpretq_u8_u16(vceqzq_u16(U16(vandq_u8(x, bits))));
}

#include "loops/vocabulary.h"

#endif
