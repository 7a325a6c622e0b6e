/* SPDX-License-Identifier: MIT */
/*
 * The definition: every kernel one lane at a time in plain integer C. What the vector folders give is right
 * exactly when it is this, bit for bit. It ships in every build.
 */
#include "core/kernels.h"
#include "scalar/flags.h"
#include "scalar/relation.h"

#define LANE         u8
#define TYPE         u8
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         u16
#define TYPE         u16
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         u32
#define TYPE         u32
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         u64
#define TYPE         u64
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s8
#define TYPE         s8
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s16
#define TYPE         s16
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s32
#define TYPE         s32
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s64
#define TYPE         s64
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         f16
#define TYPE         u16
#define RELATE(a, b) relate_float(a, b, format_of(16, 10))
#define FLOATING     1
#include "scalar/compare.h"

#define LANE f16z
#define TYPE u16
#define RELATE(a, b)                                                                                         \
    relate_float(flush_subnormal(a, format_of(16, 10)), flush_subnormal(b, format_of(16, 10)),               \
                 format_of(16, 10))
#define FLOATING 1
#include "scalar/compare.h"

#define LANE         bf16
#define TYPE         u16
#define RELATE(a, b) relate_float(a, b, format_of(16, 7))
#define FLOATING     1
#include "scalar/compare.h"

#define LANE         f32
#define TYPE         u32
#define RELATE(a, b) relate_float(a, b, format_of(32, 23))
#define FLOATING     1
#include "scalar/compare.h"

#define LANE f32z
#define TYPE u32
#define RELATE(a, b)                                                                                         \
    relate_float(flush_subnormal(a, format_of(32, 23)), flush_subnormal(b, format_of(32, 23)),               \
                 format_of(32, 23))
#define FLOATING 1
#include "scalar/compare.h"

#define LANE         f64
#define TYPE         u64
#define RELATE(a, b) relate_float(a, b, format_of(64, 52))
#define FLOATING     1
#include "scalar/compare.h"

static bool bit(const void *bits, size_t i) {
    const u8 *p = bits;
    return p[i / 8] >> i % 8 & 1;
}

/* A lane of the mask has lane_bits bits, and is on where one of those in lane_on is 1. */
static ALWAYS_INLINE void select_by(size_t lane_bits, u8 lane_on, const void *x, const void *y,
                                    const void *mask, void *dst, size_t n, size_t element_bytes) {
    u8 *out = dst;
    for (size_t i = 0; i < n; ++i) {
        const size_t at = i * lane_bits;
        const bool on = (((const u8 *)mask)[at / 8] >> at % 8 & lane_on) != 0;
        u8 copy[8];
        memcpy(copy, (on ? (const u8 *)x : (const u8 *)y) + i * element_bytes, element_bytes);
        memcpy(out + i * element_bytes, copy, element_bytes);
    }
}

#define SELECT(name, width, lane_bits, lane_on)                                                              \
    static void name(const void *x, const void *y, const void *mask, void *dst, size_t n) {                  \
        select_by(lane_bits, lane_on, x, y, mask, dst, n, (width) / 8);                                      \
    }

SELECT(select_8_scalar, 8, 1, 1)
SELECT(select_16_scalar, 16, 1, 1)
SELECT(select_32_scalar, 32, 1, 1)
SELECT(select_64_scalar, 64, 1, 1)
SELECT(select_by_bytes_8_scalar, 8, 8, 0xff)
SELECT(select_by_bytes_16_scalar, 16, 8, 0xff)
SELECT(select_by_bytes_32_scalar, 32, 8, 0xff)
SELECT(select_by_bytes_64_scalar, 64, 8, 0xff)
SELECT(select_by_image_16_scalar, 16, 2, 1)
SELECT(select_by_image_32_scalar, 32, 4, 1)
SELECT(select_by_image_64_scalar, 64, 8, 1)
#undef SELECT

static ALWAYS_INLINE void fill_bytes(const void *scalar, void *dst, size_t n, size_t element_bytes) {
    u8 copy[8];
    u8 *out = dst;
    memcpy(copy, scalar, element_bytes);
    for (size_t i = 0; i < n; ++i) memcpy(out + i * element_bytes, copy, element_bytes);
}

static void fill_8_scalar(const void *scalar, void *dst, size_t n) {
    fill_bytes(scalar, dst, n, 1);
}

static void fill_16_scalar(const void *scalar, void *dst, size_t n) {
    fill_bytes(scalar, dst, n, 2);
}

static void fill_32_scalar(const void *scalar, void *dst, size_t n) {
    fill_bytes(scalar, dst, n, 4);
}

static void fill_64_scalar(const void *scalar, void *dst, size_t n) {
    fill_bytes(scalar, dst, n, 8);
}

/* A mask whose lane i is bit i * lane_bits. A byte of bits is cleared before its first lane, spare bits with
 * it. */
static ALWAYS_INLINE void load_image(const void *mask, void *bits, size_t n, size_t lane_bits) {
    u8 *out = bits;
    for (size_t i = 0; i < n; ++i) {
        bool on = bit(mask, i * lane_bits);
        if (i % 8 == 0) out[i / 8] = 0;
        out[i / 8] |= (u8)(on << i % 8);
    }
}

static ALWAYS_INLINE void store_image(const void *bits, void *mask, size_t n, size_t lane_bits) {
    u8 *out = mask;
    for (size_t i = 0; i < n; ++i) {
        size_t at = i * lane_bits;
        if (at % 8 == 0) out[at / 8] = 0;
        out[at / 8] |= (u8)(bit(bits, i) << at % 8);
    }
}

static void load_packed_scalar(const void *mask, void *bits, size_t n) {
    load_image(mask, bits, n, 1);
}

static void load_b16_scalar(const void *mask, void *bits, size_t n) {
    load_image(mask, bits, n, 2);
}

static void load_b32_scalar(const void *mask, void *bits, size_t n) {
    load_image(mask, bits, n, 4);
}

static void load_b64_scalar(const void *mask, void *bits, size_t n) {
    load_image(mask, bits, n, 8);
}

static void load_byte_scalar(const void *mask, void *bits, size_t n) {
    const u8 *in = mask;
    u8 *out = bits;
    for (size_t i = 0; i < n; ++i) {
        if (i % 8 == 0) out[i / 8] = 0;
        out[i / 8] |= (u8)((in[i] != 0) << i % 8);
    }
}

static void store_packed_scalar(const void *bits, void *mask, size_t n) {
    store_image(bits, mask, n, 1);
}

static void store_b16_scalar(const void *bits, void *mask, size_t n) {
    store_image(bits, mask, n, 2);
}

static void store_b32_scalar(const void *bits, void *mask, size_t n) {
    store_image(bits, mask, n, 4);
}

/* A B64 image and a BYTE mask are written alike. */
static void store_byte_scalar(const void *bits, void *mask, size_t n) {
    store_image(bits, mask, n, 8);
}

static u64 logic_of(enum logic op, u64 a, u64 b, u64 s) {
    switch (op) {
    case LOGIC_AND: return a & b;
    case LOGIC_OR: return a | b;
    case LOGIC_XOR: return a ^ b;
    default: return (a & s) | (b & ~s);
    }
}

static void logic(enum logic op, const u8 *a, const u8 *b, const u8 *s, u8 *dst, size_t n, u64 flip_a,
                  u64 flip_b) {
    for (size_t i = 0; i < n; i += 64) {
        const size_t lanes = min_size(n - i, 64), bytes = (lanes + 7) / 8, at = i / 8;
        const u64 select = op == LOGIC_SEL ? load_bytes(s + at, bytes) : 0;
        const u64 x = load_bytes(a + at, bytes) ^ flip_a, y = load_bytes(b + at, bytes) ^ flip_b;
        store_bytes(dst + at, logic_of(op, x, y, select) & low_bits(lanes), bytes);
    }
}

static void logic_and_scalar(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,
                             u64 flip_b) {
    logic(LOGIC_AND, a, b, s, dst, n, flip_a, flip_b);
}

static void logic_or_scalar(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,
                            u64 flip_b) {
    logic(LOGIC_OR, a, b, s, dst, n, flip_a, flip_b);
}

static void logic_xor_scalar(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,
                             u64 flip_b) {
    logic(LOGIC_XOR, a, b, s, dst, n, flip_a, flip_b);
}

static void logic_sel_scalar(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,
                             u64 flip_b) {
    logic(LOGIC_SEL, a, b, s, dst, n, flip_a, flip_b);
}

const struct pto_kernels pto_kernels_scalar = {
    .isa = PTO_ISA_SCALAR,
    .compare =
        {
            [LANE_U8] = {&pto_compare_u8_scalar, FP_ANY, true},
            [LANE_U16] = {&pto_compare_u16_scalar, FP_ANY, true},
            [LANE_U32] = {&pto_compare_u32_scalar, FP_ANY, true},
            [LANE_U64] = {&pto_compare_u64_scalar, FP_ANY, true},
            [LANE_S8] = {&pto_compare_s8_scalar, FP_ANY, true},
            [LANE_S16] = {&pto_compare_s16_scalar, FP_ANY, true},
            [LANE_S32] = {&pto_compare_s32_scalar, FP_ANY, true},
            [LANE_S64] = {&pto_compare_s64_scalar, FP_ANY, true},
            [LANE_F16] = {&pto_compare_f16_scalar, FP_ANY, true},
            [LANE_F16Z] = {&pto_compare_f16z_scalar, FP_ANY, true},
            [LANE_BF16] = {&pto_compare_bf16_scalar, FP_ANY, true},
            [LANE_F32] = {&pto_compare_f32_scalar, FP_ANY, true},
            [LANE_F32Z] = {&pto_compare_f32z_scalar, FP_ANY, true},
            [LANE_F64] = {&pto_compare_f64_scalar, FP_ANY, true},
        },
    .select[AS_BITS] = {select_8_scalar, select_16_scalar, select_32_scalar, select_64_scalar},
    .select[AS_BYTES] = {select_by_bytes_8_scalar, select_by_bytes_16_scalar, select_by_bytes_32_scalar,
                         select_by_bytes_64_scalar},
    .select[AS_IMAGE] = {select_8_scalar, select_by_image_16_scalar, select_by_image_32_scalar,
                         select_by_image_64_scalar},
    .fill = {fill_8_scalar, fill_16_scalar, fill_32_scalar, fill_64_scalar},
    .mask_load =
        {
            [PTO_MASK_PACKED] = load_packed_scalar,
            [PTO_MASK_B8] = load_packed_scalar,
            [PTO_MASK_B16] = load_b16_scalar,
            [PTO_MASK_B32] = load_b32_scalar,
            [PTO_MASK_B64] = load_b64_scalar,
            [PTO_MASK_BYTE] = load_byte_scalar,
        },
    .mask_store =
        {
            [PTO_MASK_PACKED] = store_packed_scalar,
            [PTO_MASK_B8] = store_packed_scalar,
            [PTO_MASK_B16] = store_b16_scalar,
            [PTO_MASK_B32] = store_b32_scalar,
            [PTO_MASK_B64] = store_byte_scalar,
            [PTO_MASK_BYTE] = store_byte_scalar,
        },
    .logic = {logic_and_scalar, logic_or_scalar, logic_xor_scalar, logic_sel_scalar},
    .flags_cmp = {flags_cmp_8_scalar, flags_cmp_16_scalar, flags_cmp_32_scalar, flags_cmp_64_scalar},
    .flags_test = {flags_test_8_scalar, flags_test_16_scalar, flags_test_32_scalar, flags_test_64_scalar},
    .flags_ucomi_f16 = flags_ucomi_f16_scalar,
    .flags_ucomi_bf16 = flags_ucomi_bf16_scalar,
    .flags_ucomi_f32 = flags_ucomi_f32_scalar,
    .flags_ucomi_f64 = flags_ucomi_f64_scalar,
    .setcc = setcc_scalar,
};
