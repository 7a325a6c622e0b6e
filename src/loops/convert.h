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

/* A tf32 is the upper 19 bits of a 32-bit word. Its .rna, float_to_tf32_away(), is the integer arithmetic that
 * GPUs use. */
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

/* Extracts 16 random bits for each element from words that serve four elements. P and Q are the upper and the
 * lower half of a word. Elements 4k to 4k+3 get Q, Q with its bits reversed, P, and P with its bits reversed.
 * The buffer `random` must hold whole vectors. */
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
    if (cvt_random_group(dst_type) == 2) { /* a word serves two elements: 2k takes its low half */
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

#include "loops/convert_scaled.h"

#include "loops/convert_all.h"
#include "loops/vcvt.h"
