/* SPDX-License-Identifier: MIT */
/*
 * Conversion kernels of one ISA, which compute in vectors of f32 or f64 (convert_vector.h). A backend's
 * convert.c defines ISA and VBYTES, and includes this file. It may also define CVT_ISA (see vector_types.h) and
 * CVT_NATIVE (see convert_all.h).
 *
 * The loops in this file process multiples of GRANULE elements.
 */
#include "core/formats.h"
#include "core/kernels.h"
#include "core/vcvt.h"
#include "loops/convert_kernel.h"

#define WORD 32
#include "loops/convert_vector.h"
#define WORD 64
#include "loops/convert_vector.h"

#define NAME(name) CAT3(name, _, ISA)

enum { GRANULE = 16, CHUNK = 256 };
_Static_assert(GRANULE % VLANES_32 == 0 && GRANULE % VLANES_64 == 0 && CHUNK % GRANULE == 0,
               "a granule must be whole vectors, and a chunk whole granules");

/* ---- conversions with loops of their own ---- */

static ALWAYS_INLINE void copy(const pto_cvt_op *op, const void *src, void *dst, size_t n) {
    memmove(dst, src, n * element_bytes(op->src));
}

/* A tf32 is the upper 19 bits of a 32-bit word. float_to_tf32_away() is for .rna, which it computes by the integer
 * arithmetic that GPUs use. */
static ALWAYS_INLINE void float_to_tf32(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(PTO_TF32);
    struct narrow_32 p = narrow_of_32(op, to);
    p.nan = (u32)cvt_canonical_nan(to);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + 4 * i, 4, false);
        v_store_32(dst + 4 * i, narrow_32(x, &p, to) << 13, 4);
    }
}

static ALWAYS_INLINE void float_to_tf32_away(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    const u32 step = 0x2000, infinity = infinity_bits_32(), back = op.satfinite ? step : 0;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + 4 * i, 4, false);
        const u32v up =
            v_sel_32(v_lt_u32(magnitude_of_32(x), v_const_32(infinity)), x + step / 2, x) & ~(step - 1);
        const vmask_32 finite = v_lt_u32(magnitude_of_32(up), v_const_32(infinity));
        v_store_32(dst + 4 * i, v_sel_32(finite, up, up - back), 4);
    }
}

/* A ue8m0 has only an exponent. Magnitudes up to 2^-127, half of the smallest normal f32, become code 0 even
 * with .rp. */
static ALWAYS_INLINE void float_to_ue8m0(pto_dtype src_type, pto_cvt_op op, const u8 *src, u8 *dst,
                                         size_t n) {
    const u32 add = op.round == PTO_RP ? 0x007fffff : 0, limit = op.satfinite ? 0xfe : 0xff;
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v m = magnitude_of_32(load_float_32(src + in * i, src_type));
        const u32v code = v_sel_32(v_gt_u32(m, v_const_32(0x00400000)), (m + add) >> 23, v_const_32(0));
        const vmask_32 is_nan = v_gt_u32(m, v_const_32(infinity_bits_32()));
        v_store_32(dst + i, v_sel_32(is_nan, v_const_32(0xff), v_min_u32(code, v_const_32(limit))), 1);
    }
}

/* ---- e2m1: two elements per byte, unpacked and packed chunk by chunk ---- */

typedef u16 code_pairs __attribute__((vector_size(GRANULE), aligned(1), may_alias));
typedef u8 nibble_pairs __attribute__((vector_size(GRANULE / 2), aligned(1), may_alias));

static ALWAYS_INLINE void unpack_nibbles(const u8 *src, u8 *codes, size_t n) {
    for (size_t i = 0; i < n; i += GRANULE) {
        const code_pairs both = __builtin_convertvector(*(const nibble_pairs *)(src + i / 2), code_pairs);
        *(code_pairs *)(codes + i) = (both | both << 4) & (u16)0x0f0f;
    }
}

static ALWAYS_INLINE void pack_nibbles(const u8 *codes, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; i += GRANULE) {
        const code_pairs apart = *(const code_pairs *)(codes + i);
        *(nibble_pairs *)(dst + i / 2) =
            __builtin_convertvector((apart | apart >> 4) & (u16)0xff, nibble_pairs);
    }
}

static ALWAYS_INLINE void float_to_e2m1(pto_dtype src_type, pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    u8 codes[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        float_to_float_32(PTO_E2M1, src_type, op, src + i * element_bytes(src_type), codes, lanes);
        pack_nibbles(codes, dst + i / 2, lanes);
    }
}

static ALWAYS_INLINE void e2m1_to_float(pto_dtype dst_type, pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    u8 codes[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        unpack_nibbles(src + i / 2, codes, lanes);
        float_to_float_32(dst_type, PTO_E2M1, op, codes, dst + i * element_bytes(dst_type), lanes);
    }
}

/* ---- .rs: the random bits of each element are extracted first ---- */

static ALWAYS_INLINE u64v reverse_16(u64v x) {
    x = (x & 0x5555555555555555) << 1 | (x >> 1 & 0x5555555555555555);
    x = (x & 0x3333333333333333) << 2 | (x >> 2 & 0x3333333333333333);
    x = (x & 0x0f0f0f0f0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0f);
    return (x & 0x00ff00ff00ff00ff) << 8 | (x >> 8 & 0x00ff00ff00ff00ff);
}

/* Extracts 16 random bits for each element from words that serve four elements each. For e2m1, the two middle bytes of
 * each word are swapped first. P and Q are the upper and the lower half of a word. Elements 4k to 4k+3 get Q, Q with
 * its bits reversed, P, and P with its bits reversed. The buffer `random` must hold whole vectors. */
static ALWAYS_INLINE void random_bits_of_4(pto_dtype dst, const u8 *extra, u16 *random, size_t words) {
    for (size_t i = 0; i < words; i += VLANES_64) {
        u32 last[VLANES_64] = {0};
        const u8 *some = extra + 4 * i;
        u64v w, reversed, four;
        if (words - i < VLANES_64) some = memcpy(last, some, (words - i) * sizeof last[0]);
        w = v_load_64(some, 4, false);
        if (dst == PTO_E2M1) w = (w & 0xff0000ff) | (w & 0xff00) << 8 | (w >> 8 & 0xff00);
        reversed = reverse_16(w);
        four = (w & 0xffff) | (reversed & 0xffff) << 16 | w >> 16 << 32 | reversed >> 16 << 48;
        memcpy(random + 4 * i, &four, sizeof four);
    }
}

/* Converts with stochastic rounding. `random` has 16 bits for each element. */
static ALWAYS_INLINE void float_stochastically_by(pto_dtype dst_type, pto_dtype src_type,
                                                  const struct narrow_32 *p, const u8 *src, u8 *dst,
                                                  const u8 *random, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const u32 k = cvt_random_bits(dst_type), mask = (u32)low_bits(k);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = load_float_32(src + in * i, src_type), r = v_load_32(random + 2 * i, 2, false) & mask;
        const u32v code = round_magnitude_stochastically_32(magnitude_of_32(x), r, k, to);
        v_store_32(dst + out * i, finish_code_32(code, x, p, to), out);
    }
}

static ALWAYS_INLINE void float_stochastically(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op,
                                               const u8 *src, u8 *dst, const u8 *extra, size_t n) {
    const struct narrow_32 p = narrow_of_32(op, cvt_format_of(dst_type));
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    u16 random[CHUNK];
    u8 codes[CHUNK];
    if (cvt_random_group(dst_type) == 2) { /* a word serves two elements: element 2k uses its low half */
        float_stochastically_by(dst_type, src_type, &p, src, dst, extra, n);
        return;
    }
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        u8 *to = dst_type == PTO_E2M1 ? codes : dst + out * i;
        random_bits_of_4(dst_type, extra + i, random, lanes / 4);
        float_stochastically_by(dst_type, src_type, &p, src + in * i, to, (const u8 *)random, lanes);
        if (dst_type == PTO_E2M1) pack_nibbles(codes, dst + i / 2, lanes);
    }
}

/* ---- a ue8m0 scale, a power of two ----
 *
 * Elements are multiplied or divided by it exactly, as the bits of f32, and the product is then rounded once. */

/* Returns `scaled`, except where m is infinite or a NaN: then m. If the scale is a NaN, the result is a NaN. */
static ALWAYS_INLINE u32v keep_specials(u32v m, u32v scale, u32v scaled) {
    const u32v y = v_sel_32(v_gt_u32(m, v_const_32(infinity_bits_32() - 1)), m, scaled);
    return v_sel_32(v_gt_u32(scale, v_const_32(UE8M0_NAN - 1)), v_const_32(0x7fffffff), y);
}

/* Returns a float without sign that has the fraction bits of `fraction` and the exponent field `exponent`, which may be
 * out of range. If it is too large, the result is the largest finite f32. If it is too small, the result is less than
 * half of any nonzero value of a small format. */
static ALWAYS_INLINE u32v with_exponent(u32v fraction, s32v exponent) {
    const u32v field = (u32v)v_clamp_32(exponent, 0, 255) << 23;
    return v_min_u32((fraction & 0x007fffff) | field, v_const_32(infinity_bits_32() - 1));
}

/* Returns x divided by the scale, for destinations of at most 8 bits. Subnormal x count as zero. */
static ALWAYS_INLINE u32v divide_by_scale(u32v x, u32v scale) {
    const u32v m = magnitude_of_32(x);
    const u32v y = with_exponent(m, (s32v)(m >> 23) - (s32v)scale + UE8M0_BIAS);
    const vmask_32 is_subnormal = v_lt_u32(m, v_const_32(power_of_2_32(-126)));
    return keep_specials(m, scale, v_sel_32(is_subnormal, v_const_32(0), y)) | sign_bit_of_32(x);
}

/* Loads elements as f32. Subnormals of f16 become zero, because as f32 they are normal and would not be flushed
 * later. */
static ALWAYS_INLINE u32v load_flushed(const u8 *p, pto_dtype type) {
    const struct cvt_format from = cvt_format_of(type);
    const u32 least = (u32)1 << from.fraction_bits;
    u32v code, m, x;
    if (type != PTO_F16) return load_float_32(p, type);
    code = v_load_32(p, 2, false);
    m = code & 0x7fff;
    x = (m << 13) + ((u32)(127 - from.bias) << 23);
    x = v_sel_32(v_gt_u32(m, v_const_32((u32)cvt_max_code(from))), x | infinity_bits_32(), x);
    return v_sel_32(v_lt_u32(m, v_const_32(least)), v_const_32(0), x) | (code & 0x8000) << 16;
}

/* Returns x multiplied by the scale. x has so few significand bits that even a subnormal product is exact. */
static ALWAYS_INLINE u32v multiply_by_scale(u32v x, u32v scale) {
    const u32v m = magnitude_of_32(x);
    const s32v exponent = (s32v)(m >> 23) + (s32v)scale - UE8M0_BIAS;
    const u32v digits = (m & 0x007fffff) | 0x00800000, down = (u32v)v_clamp_32(1 - exponent, 0, 31);
    const u32v normal = (m & 0x007fffff) | ((u32v)v_clamp_32(exponent, 0, 255) << 23);
    const u32v number = v_sel_32(v_gt_u32(down, v_const_32(0)), digits >> down,
                                 v_min_u32(normal, v_const_32(infinity_bits_32())));
    return keep_specials(m, scale, v_sel_32(v_lt_u32(m, v_const_32(1)), m, number)) | sign_bit_of_32(x);
}

/* Returns 64 * x divided by the scale. Subnormal x are not flushed. */
static ALWAYS_INLINE u32v s2f6_units(u32v x, u32v scale) {
    const u32v m = magnitude_of_32(x);
    const vmask_32 is_subnormal = v_lt_u32(m, v_const_32(power_of_2_32(-126)));
    const u32v counted = exact_float_32(v_sel_32(is_subnormal, m, v_const_32(0))); /* in units of 2^-149 */
    const u32v number = v_sel_32(is_subnormal, counted, m);
    const u32v less = v_sel_32(is_subnormal, v_const_32(149), v_const_32(0));
    const s32v exponent = (s32v)(number >> 23) - (s32v)less + 6 - (s32v)scale + UE8M0_BIAS;
    return keep_specials(m, scale, with_exponent(number, exponent)) | sign_bit_of_32(x);
}

/* ---- loops: one scale byte per element ---- */

static ALWAYS_INLINE void scaled_to_float(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op,
                                          const u8 *src, u8 *dst, const u8 *scales, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow_32 p = narrow_of_32(op, to);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v scale = v_load_32(scales + i, 1, false);
        const u32v y = cvt_multiplies(dst_type)
                           ? multiply_by_scale(load_float_32(src + in * i, src_type), scale)
                           : divide_by_scale(load_flushed(src + in * i, src_type), scale);
        v_store_32(dst + out * i, narrow_32(dst_type == PTO_UE5M3 ? magnitude_of_32(y) : y, &p, to), out);
    }
}

static ALWAYS_INLINE void scaled_to_s2f6(pto_dtype src_type, pto_cvt_op op, const u8 *src, u8 *dst,
                                         const u8 *scales, size_t n) {
    const struct to_integer_32 p = {.round = rounding_of_32(op.round),
                                    .flush = 0,
                                    .limit = 127,
                                    .limit_negative = op.relu ? 0 : 128,
                                    .nan = (u32)cvt_nan_of(op).bits};
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = load_float_32(src + in * i, src_type), scale = v_load_32(scales + i, 1, false);
        v_store_32(dst + i, to_integer_32(s2f6_units(x, scale), &p), 1);
    }
}

/* Stores each byte twice, for n bytes of `pairs`. */
static ALWAYS_INLINE void repeat_bytes_twice(const u8 *bytes, u8 *pairs, size_t n) {
    for (size_t i = 0; i < n; i += GRANULE) {
        const code_pairs one = __builtin_convertvector(*(const nibble_pairs *)(bytes + i / 2), code_pairs);
        *(code_pairs *)(pairs + i) = one | one << 8;
    }
}

/* Returns the scales of n elements from element i on, one byte for each. They are in `buffer`, unless `extra`
 * already has this layout. */
static ALWAYS_INLINE const u8 *scales_at(pto_cvt_scale scale, const u8 *extra, size_t i, u8 *buffer,
                                         size_t n) {
    switch (scale) {
    case PTO_SCALE_N2: return extra + i;
    case PTO_SCALE_N1: repeat_bytes_twice(extra + i / 2, buffer, n); return buffer;
    default: return memset(buffer, UE8M0_BIAS, n);
    }
}

static ALWAYS_INLINE void float_scaled(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                       u8 *dst, const u8 *extra, size_t n) {
    u8 codes[CHUNK], scale_buffer[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        const u8 *scales = scales_at(op.scale, extra, i, scale_buffer, lanes);
        const u8 *from = src_type == PTO_E2M1 ? codes : src + i * element_bytes(src_type);
        u8 *to = dst_type == PTO_E2M1 ? codes : dst + i * element_bytes(dst_type);
        if (src_type == PTO_E2M1) unpack_nibbles(src + i / 2, codes, lanes);
        if (dst_type == PTO_S2F6)
            scaled_to_s2f6(src_type, op, from, to, scales, lanes);
        else
            scaled_to_float(dst_type, src_type, op, from, to, scales, lanes);
        if (dst_type == PTO_E2M1) pack_nibbles(codes, dst + i / 2, lanes);
    }
}

#include "loops/convert_all.h"
#include "loops/vcvt.h"
