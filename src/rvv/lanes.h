/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and loops for conversions: elements of 1 to 8 bytes in lanes of at least their size.
 *
 * A group has as many lanes as four registers hold of the wider type, so that eight groups fit into the register file.
 * Narrower elements take two registers, one or a half. In conversions between 32 and 64 bits, the 64-bit elements take
 * eight.
 *
 * Loads extend with zeros or with the sign, and stores truncate. As everywhere in this folder, memory is accessed as
 * bytes, vl is the number of lanes, and lanes from vl on are undefined.
 */
#ifndef PTO_RVV_LANES_H
#define PTO_RVV_LANES_H

#include <riscv_vector.h>

#include "core/formats.h"

/* ---- loads and stores of arrays as bytes ---- */

#define ARRAYS(w, g)                                                                                         \
    static ALWAYS_INLINE vuint##w##g##_t array_##w##g(const u8 *p, size_t vl) {                              \
        return __riscv_vreinterpret_v_u8##g##_u##w##g(__riscv_vle8_v_u8##g(p, vl * ((w) / 8)));              \
    }                                                                                                        \
    static ALWAYS_INLINE void put_array_##w##g(u8 *p, vuint##w##g##_t x, size_t vl) {                        \
        __riscv_vse8_v_u8##g(p, __riscv_vreinterpret_v_u##w##g##_u8##g(x), vl *((w) / 8));                   \
    }
ARRAYS(16, m1)
ARRAYS(16, m2)
ARRAYS(16, m4)
ARRAYS(32, m2)
ARRAYS(32, m4)
ARRAYS(32, m8)
ARRAYS(64, m4)
ARRAYS(64, m8)
#undef ARRAYS

/* ---- loads that extend elements to lanes of 16, 32 and 64 bits, and stores that truncate ---- */

/* Extends x from elements of b bits in registers m to lanes of w bits in registers g, which are n times as wide. */
#define EXTENSION(w, g, n, m, b)                                                                             \
    (is_signed ? __riscv_vreinterpret_v_i##w##g##_u##w##g(                                                   \
                     __riscv_vsext_vf##n##_i##w##g(__riscv_vreinterpret_v_u##b##m##_i##b##m(x), vl))         \
               : __riscv_vzext_vf##n##_u##w##g(x, vl))

static ALWAYS_INLINE vuint16m4_t load_halves(const u8 *p, size_t bytes, bool is_signed, size_t vl) {
    vuint8m2_t x;
    if (bytes == 2) return array_16m4(p, vl);
    x = __riscv_vle8_v_u8m2(p, vl);
    return EXTENSION(16, m4, 2, m2, 8);
}

static ALWAYS_INLINE vuint32m4_t words_of_halves(vuint16m2_t x, bool is_signed, size_t vl) {
    return EXTENSION(32, m4, 2, m2, 16);
}

static ALWAYS_INLINE vuint32m4_t words_of_bytes(vuint8m1_t x, bool is_signed, size_t vl) {
    return EXTENSION(32, m4, 4, m1, 8);
}

static ALWAYS_INLINE vuint32m4_t load_words(const u8 *p, size_t bytes, bool is_signed, size_t vl) {
    if (bytes == 4) return array_32m4(p, vl);
    if (bytes == 2) return words_of_halves(array_16m2(p, vl), is_signed, vl);
    return words_of_bytes(__riscv_vle8_v_u8m1(p, vl), is_signed, vl);
}

static ALWAYS_INLINE vuint64m4_t longs_of_words(vuint32m2_t x, bool is_signed, size_t vl) {
    return EXTENSION(64, m4, 2, m2, 32);
}

static ALWAYS_INLINE vuint64m4_t longs_of_halves(vuint16m1_t x, bool is_signed, size_t vl) {
    return EXTENSION(64, m4, 4, m1, 16);
}

static ALWAYS_INLINE vuint64m4_t load_longs(const u8 *p, size_t bytes, bool is_signed, size_t vl) {
    vuint8mf2_t x;
    if (bytes == 8) return array_64m4(p, vl);
    if (bytes == 4) return longs_of_words(array_32m2(p, vl), is_signed, vl);
    if (bytes == 2) return longs_of_halves(array_16m1(p, vl), is_signed, vl);
    x = __riscv_vle8_v_u8mf2(p, vl);
    return EXTENSION(64, m4, 8, mf2, 8);
}

static ALWAYS_INLINE void store_halves(u8 *p, vuint16m4_t x, size_t bytes, size_t vl) {
    if (bytes == 2)
        put_array_16m4(p, x, vl);
    else
        __riscv_vse8_v_u8m2(p, __riscv_vncvt_x_x_w_u8m2(x, vl), vl);
}

static ALWAYS_INLINE void store_words(u8 *p, vuint32m4_t x, size_t bytes, size_t vl) {
    vuint16m2_t low;
    if (bytes == 4) {
        put_array_32m4(p, x, vl);
        return;
    }
    low = __riscv_vncvt_x_x_w_u16m2(x, vl);
    if (bytes == 2)
        put_array_16m2(p, low, vl);
    else
        __riscv_vse8_v_u8m1(p, __riscv_vncvt_x_x_w_u8m1(low, vl), vl);
}

static ALWAYS_INLINE void store_longs(u8 *p, vuint64m4_t x, size_t bytes, size_t vl) {
    vuint32m2_t word;
    vuint16m1_t half;
    if (bytes == 8) {
        put_array_64m4(p, x, vl);
        return;
    }
    word = __riscv_vncvt_x_x_w_u32m2(x, vl);
    if (bytes == 4) {
        put_array_32m2(p, word, vl);
        return;
    }
    half = __riscv_vncvt_x_x_w_u16m1(word, vl);
    if (bytes == 2)
        put_array_16m1(p, half, vl);
    else
        __riscv_vse8_v_u8mf2(p, __riscv_vncvt_x_x_w_u8mf2(half, vl), vl);
}

/* ---- loops over an array ---- */

/* How a conversion rounds where fcsr does not do it. ROUND_BY_SIGN adds f->add_if_positive to positive values and
 * f->add_if_negative to negative ones, and truncates. */
enum rounding { ROUND_TO_NEAREST, ROUND_TOWARDS_ZERO, ROUND_BY_SIGN, ROUND_TO_ODD };

/* The parameters of a conversion. In each loop the fields above the line are compile-time constants. Those below the
 * line vary at run time in the loops for any rounding or modifiers. */
struct cvt_params {
    pto_dtype dst, src;
    enum rounding rounding;
    bool relu;           /* negative values become 0 */
    bool bounded;        /* integers are clamped, not truncated; floats are clamped to lo and hi */
    float max_magnitude; /* to f16 and small formats: magnitudes are limited to this */
    /* ---- */
    u64 nan;                /* result for a NaN ... */
    bool keeps_nan_payload; /* ... OR'ed with the sign and leading payload bits of the source */
    float lo, hi;
    /* f64: positive values less than flush_below, and negative values more than -flush_below_negative, become zero */
    double flush_below, flush_below_negative;
    u32 infinity_mask; /* mask of the bits that show that a source is infinite; 0: not used */
    u32 add_if_positive, add_if_negative; /* ROUND_BY_SIGN: added to positive and to negative values */
    bool flushes;                         /* subnormal f32 sources become zero */
    bool replaces_code;                   /* a result of `code`, which includes the sign, ... */
    u32 code, replacement;                /* ... is replaced by `replacement` */
};

/* Converts vl elements, at most a group. */
typedef void group_fn(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl);

/* Returns how many of n elements the next group takes, in lanes of `bits` bits. */
static ALWAYS_INLINE size_t group_of(unsigned bits, size_t n) {
    switch (bits) {
    case 16: return __riscv_vsetvl_e16m4(n);
    case 32: return __riscv_vsetvl_e32m4(n);
    default: return __riscv_vsetvl_e64m4(n);
    }
}

/* Returns whether the type has 4 bits, so that two elements share a byte. */
static ALWAYS_INLINE bool is_nibble(pto_dtype type) {
    return type == PTO_E2M1 || type == PTO_E1M2;
}

static ALWAYS_INLINE size_t group_bytes(pto_dtype type, size_t vl) {
    return is_nibble(type) ? vl / 2 : vl * element_bytes(type);
}

static ALWAYS_INLINE void each_group(group_fn *convert, struct cvt_params f, unsigned bits, const u8 *src,
                                     u8 *dst, size_t n) {
    while (n != 0) {
        const size_t max_magnitude = group_of(bits, n),
                     vl = is_nibble(f.src) || is_nibble(f.dst) ? max_magnitude & ~(size_t)1 : max_magnitude;
        convert(&f, src, dst, vl);
        src += group_bytes(f.src, vl);
        dst += group_bytes(f.dst, vl);
        n -= vl;
    }
}

static ALWAYS_INLINE void each_16(group_fn *convert, struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    each_group(convert, f, 16, src, dst, n);
}

static ALWAYS_INLINE void each_32(group_fn *convert, struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    each_group(convert, f, 32, src, dst, n);
}

static ALWAYS_INLINE void each_64(group_fn *convert, struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    each_group(convert, f, 64, src, dst, n);
}

#endif
