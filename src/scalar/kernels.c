/* SPDX-License-Identifier: MIT */
/*
 * Scalar reference implementation of the compare, choose, select, fill, mask, logic and EFLAGS kernels: one
 * lane at a time in plain integer C. The other backends are correct if and only if their results are the same,
 * bit for bit. Every build contains it.
 */
#include "core/kernels.h"
#include "scalar/flags.h"
#include "scalar/relation.h"

#include "scalar/lanes.h"

static bool bit(const void *bits, size_t i) {
    const u8 *p = bits;
    return p[i / 8] >> i % 8 & 1;
}

/* Selects by a mask with `lane_bits` bits per lane. A lane is true if any of its bits that are set in
 * `lane_on` is 1. */
static ALWAYS_INLINE void select_by(size_t lane_bits, u8 lane_on, const struct sources *c, const void *mask,
                                    void *dst, size_t n, size_t element_bytes) {
    u8 *out = dst;
    for (size_t i = 0; i < n; ++i) {
        const size_t at = i * lane_bits;
        const unsigned k = (((const u8 *)mask)[at / 8] >> at % 8 & lane_on) != 0 ? 0 : 1;
        u8 copy[8];
        memcpy(copy, (const u8 *)c->in[k] + (is_scalar(c, k) ? 0 : i * element_bytes), element_bytes);
        memcpy(out + i * element_bytes, copy, element_bytes);
    }
}

#define SELECT(name, width, lane_bits, lane_on)                                                              \
    static void select##name(const void *x, const void *y, const void *mask, void *dst, size_t n) {          \
        const struct sources c = {{x, y, NULL, NULL}, 0};                                                    \
        select_by(lane_bits, lane_on, &c, mask, dst, n, (width) / 8);                                        \
    }                                                                                                        \
    static void selects##name(const struct sources *c, const void *mask, void *dst, size_t n) {              \
        select_by(lane_bits, lane_on, c, mask, dst, n, (width) / 8);                                         \
    }

SELECT(_8_scalar, 8, 1, 1)
SELECT(_16_scalar, 16, 1, 1)
SELECT(_32_scalar, 32, 1, 1)
SELECT(_64_scalar, 64, 1, 1)
SELECT(_by_bytes_8_scalar, 8, 8, 0xff)
SELECT(_by_bytes_16_scalar, 16, 8, 0xff)
SELECT(_by_bytes_32_scalar, 32, 8, 0xff)
SELECT(_by_bytes_64_scalar, 64, 8, 0xff)
SELECT(_by_image_16_scalar, 16, 2, 1)
SELECT(_by_image_32_scalar, 32, 4, 1)
SELECT(_by_image_64_scalar, 64, 8, 1)
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

static void shift_bits_scalar(const u8 *from, size_t at, u8 *to, size_t bytes) {
    copy_bits_by_words(from, at, to, bytes);
}

/* Converts a mask whose lane i is bit i * `lane_bits` to packed bits. Each byte of bits is cleared before its
 * first lane is stored, so the spare bits of the last byte are 0. */
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

static void copy_packed_scalar(const void *from, void *to, size_t n) {
    load_image(from, to, n, 1);
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

static void store_b16_scalar(const void *bits, void *mask, size_t n) {
    store_image(bits, mask, n, 2);
}

static void store_b32_scalar(const void *bits, void *mask, size_t n) {
    store_image(bits, mask, n, 4);
}

/* Stores B64 images, too, because a B64 image and a BYTE mask are written in the same way. */
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

#define PTO_ISA_SELF PTO_ISA_SCALAR
#define NAME(name)   CAT(name, _scalar)
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), FP_ANY, true }
#define COMPARE_F16(lane) COMPARE(lane, FP_ANY)
#define COMPARE_BF16      COMPARE(bf16, FP_ANY)
#define COMPARE_F32Z      COMPARE(f32z, FP_ANY)
#define CHOOSE(lane)      NAME(CAT(pto_choose_, lane))
#define CHOOSE_F16(lane)  CHOOSE(lane)
#define CHOOSE_F32Z       CHOOSE(f32z)

const struct pto_kernels pto_kernels_scalar = {
#include "core/table_rows.h"
};

const struct choose_table pto_choose_scalar = {
#include "core/choose_rows.h"
};

const struct flags_kernels pto_flags_scalar = {
#include "core/flags_rows.h"
};
