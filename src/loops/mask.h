/* SPDX-License-Identifier: MIT */
/*
 * Conversions between packed bits and the other mask kinds, and logic on packed bits, written in the vocabulary
 * of an ISA's vec.h: v_nonzero_8, v_bool_8, m_word_8, m_from_bits_8, bits_gather and bits_scatter; for logic
 * v_and, v_or and v_xor. ISA must be defined.
 */
#define SHIFT_BYTES VBYTES
#include "loops/shift_bits.h"

#define NAME(name) CAT3(name, _, ISA)

/* Returns 64 lanes of a BYTE mask as a word. */
static ALWAYS_INLINE u64 NAME(word_of_bytes)(const u8 *mask) {
    vmask_8 m[64 / VLANES_8];
    UNROLL
    for (size_t i = 0; i < 64 / VLANES_8; ++i) m[i] = v_nonzero_8(v_load(mask + i * VBYTES));
    return m_word_8(m);
}

static void NAME(load_byte)(const void *mask, void *bits, size_t n) {
    const u8 *in = mask;
    u8 *out = bits, last[64] = {0};
    for (; n >= 64; n -= 64) {
        store64(out, NAME(word_of_bytes)(in));
        in += 64;
        out += 8;
    }
    if (n == 0) return;
    memcpy(last, in, n);
    store_bytes(out, NAME(word_of_bytes)(last), (n + 7) / 8);
}

static void NAME(store_byte)(const void *bits, void *mask, size_t n) {
    const u8 *in = bits;
    u8 *out = mask;
    for (; n >= 64; n -= 64) {
        store_word_as_bytes(load64(in), out);
        in += 8;
        out += 64;
    }
    if (n != 0) store_partial_as_bytes(load_bytes(in, (n + 7) / 8), out, n);
}

/* In an image lane i is bit i * `lane_bits`, so a word of the image holds 64 / `lane_bits` lanes. */
static ALWAYS_INLINE void NAME(load_image)(const void *mask, void *bits, size_t n, size_t lane_bits) {
    const u8 *in = mask;
    u8 *out = bits;
    size_t bytes;
    for (; n >= 64; n -= 64) {
        u64 word = 0;
        UNROLL
        for (size_t i = 0; i < lane_bits; ++i)
            word |= bits_gather(load64(in + 8 * i), (unsigned)lane_bits) << i * 64 / lane_bits;
        store64(out, word);
        in += 8 * lane_bits;
        out += 8;
    }
    if (n == 0) return;
    bytes = (n * lane_bits + 7) / 8;
    u64 word = 0;
    for (size_t i = 0; 8 * i < bytes; ++i)
        word |= bits_gather(load_bytes(in + 8 * i, min_size(bytes - 8 * i, 8)), (unsigned)lane_bits)
                << i * 64 / lane_bits;
    store_bytes(out, word & low_bits(n), (n + 7) / 8);
}

static ALWAYS_INLINE void NAME(store_image)(const void *bits, void *mask, size_t n, size_t lane_bits) {
    const u8 *in = bits;
    u8 *out = mask;
    for (; n >= 64; n -= 64) {
        u64 word = load64(in);
        UNROLL
        for (size_t i = 0; i < lane_bits; ++i)
            store64(out + 8 * i, bits_scatter(word >> i * 64 / lane_bits, (unsigned)lane_bits));
        in += 8;
        out += 8 * lane_bits;
    }
    if (n != 0) store_partial_as_image(load_bytes(in, (n + 7) / 8), out, n, lane_bits);
}

static void NAME(load_b16)(const void *mask, void *bits, size_t n) {
    NAME(load_image)(mask, bits, n, 2);
}

static void NAME(load_b32)(const void *mask, void *bits, size_t n) {
    NAME(load_image)(mask, bits, n, 4);
}

static void NAME(load_b64)(const void *mask, void *bits, size_t n) {
    NAME(load_image)(mask, bits, n, 8);
}

static void NAME(store_b16)(const void *bits, void *mask, size_t n) {
    NAME(store_image)(bits, mask, n, 2);
}

static void NAME(store_b32)(const void *bits, void *mask, size_t n) {
    NAME(store_image)(bits, mask, n, 4);
}

/* Copies n bits. If they end inside a byte, its spare bits are cleared, not copied. */
static void NAME(copy_packed)(const void *from, void *to, size_t n) {
    size_t bytes = (n + 7) / 8;
    memmove(to, from, bytes);
    if (n % 8 != 0) ((u8 *)to)[bytes - 1] &= (u8)low_bits(n % 8);
}

/* ---- logic ---- */

static ALWAYS_INLINE vec NAME(logic_of)(enum logic op, vec a, vec b, vec s) {
    switch (op) {
    case LOGIC_AND: return v_and(a, b);
    case LOGIC_OR: return v_or(a, b);
    case LOGIC_XOR: return v_xor(a, b);
    default: return v_xor(b, v_and(v_xor(a, b), s));
    }
}

static ALWAYS_INLINE void NAME(logic)(enum logic op, const void *a, const void *b, const void *s, void *dst,
                                      size_t n, u64 flip_a, u64 flip_b) {
    const u8 *pa = a, *pb = b, *ps = op == LOGIC_SEL ? s : a;
    u8 *out = dst;
    const size_t bytes = (n + 7) / 8;
    const vec fa = v_set1_64(&flip_a), fb = v_set1_64(&flip_b);
    size_t i = 0;
    for (; i + VBYTES <= bytes; i += VBYTES)
        v_store(out + i,
                NAME(logic_of)(op, v_xor(v_load(pa + i), fa), v_xor(v_load(pb + i), fb), v_load(ps + i)));
    if (i < bytes) {
        const vec x = v_xor(v_load_bytes(pa + i, bytes - i), fa),
                  y = v_xor(v_load_bytes(pb + i, bytes - i), fb);
        v_store_bytes(out + i, NAME(logic_of)(op, x, y, v_load_bytes(ps + i, bytes - i)), bytes - i);
    }
    if (n % 8 != 0) out[bytes - 1] &= (u8)low_bits(n % 8);
}

#define LOGIC(name, op)                                                                                      \
    static void NAME(name)(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,     \
                           u64 flip_b) {                                                                     \
        NAME(logic)(op, a, b, s, dst, n, flip_a, flip_b);                                                    \
    }

LOGIC(logic_and, LOGIC_AND)
LOGIC(logic_or, LOGIC_OR)
LOGIC(logic_xor, LOGIC_XOR)
LOGIC(logic_sel, LOGIC_SEL)
#undef LOGIC

#undef NAME
