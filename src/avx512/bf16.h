/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of bf16 by those of f16. Signs and magnitudes of both are ordered alike, as integers are, up to the bits
 * of f16's infinity; beyond are f16's NaNs, and of bf16 numbers above 2^121, infinities and NaNs. So FP16 relates some
 * vectors and tells as it does whether any lane was beyond; then the comparisons in integers, loops/half.h, do them
 * again. To a scalar that is not beyond itself, most lanes that are have the relation of f16's NaNs, none; the others lie at
 * one end, or for `ne` at either, and a maximum of all lanes tells whether there is any.
 *
 * Among such lanes are the -inf of masked scores, which come in long runs: after each failure in a row four times
 * as many lanes go by integers before FP16 is tried again.
 */
#ifndef PTO_AVX512_BF16_H
#define PTO_AVX512_BF16_H

#include "avx512/load.h"

/* How many lanes are tried at once, and how many then go by integers, at least and at most. */
enum { BF16_TRIED = 128, BF16_LEFT_MIN = 512, BF16_LEFT_MAX = 8192 };

/* The lanes of k, but those where either operand is beyond. */
static ALWAYS_INLINE vmask_16 bf16_as_f16(vmask_16 k, vec x, vec y) {
    return CMP_PH(k, x, y, _CMP_ORD_Q);
}

/* 64 lanes in a form. */
static ALWAYS_INLINE void bf16_put(enum mask_form form, u8 *out, const vmask_16 *m, u64 flip) {
    switch (form) {
    case AS_BYTES: m_bytes_16(out, m, flip); break;
    case AS_IMAGE: m_image_16(out, m, flip); break;
    default: store64(out, m_word_16(m) ^ flip);
    }
}

/* Relates BF16_TRIED lanes, of which none may be beyond: else what is in out is wrong, and the answer false. */
static ALWAYS_INLINE bool bf16_try(enum mask_form form, enum basis r, const u8 *a, const u8 *b, u8 *out,
                                   u64 flip) {
    const size_t lane_bits = form_lane_bits(form, sizeof(u16));
    vmask_16 as_f16 = EVERY_LANE;
    UNROLL
    for (size_t word = 0; word < BF16_TRIED / 64; ++word) {
        vmask_16 m[64 / VLANES_16];
        UNROLL
        for (size_t i = 0; i < 64 / VLANES_16; ++i) {
            const size_t at = (word * (64 / VLANES_16) + i) * VBYTES;
            const vec x = v_load(a + at), y = v_load(b + at);
            as_f16 = bf16_as_f16(as_f16, x, y);
            m[i] = r == BASIS_ORD ? EVERY_LANE : v_rel_f16(r, x, y);
        }
        bf16_put(form, out + word * 8 * lane_bits, m, flip);
    }
    return as_f16 == EVERY_LANE;
}

enum { F16_INFINITY = 0x7c00 };

/* The furthest of the lanes whose relation to a scalar may not be what f16's is: large negative numbers, which are less than
 * it, but are NaNs as f16; or large positive ones; or both. */
static ALWAYS_INLINE vec bf16_further(enum basis r, vec furthest, vec x) {
    switch (r) {
    case BASIS_LT:
    case BASIS_LE: return _mm512_max_epu16(furthest, x);
    case BASIS_GT:
    case BASIS_GE: return _mm512_max_epi16(furthest, x);
    case BASIS_LG: return _mm512_max_epu16(furthest, v_add_16(x, x));
    default: return furthest; /* equality, of which nothing is in the way */
    }
}

static ALWAYS_INLINE bool bf16_none_beyond(enum basis r, vec furthest) {
    switch (r) {
    case BASIS_LT:
    case BASIS_LE: return _mm512_cmpgt_epu16_mask(furthest, v_const_16(INT16_MIN + F16_INFINITY)) == 0;
    case BASIS_GT:
    case BASIS_GE: return _mm512_cmpgt_epi16_mask(furthest, v_const_16(F16_INFINITY)) == 0;
    case BASIS_LG: return _mm512_cmpgt_epu16_mask(furthest, v_const_16((s16)(2 * F16_INFINITY))) == 0;
    default: return true;
    }
}

/* The port of maxima moves masks, too: of bits half as many are moved if they are put together before. */
static ALWAYS_INLINE void bf16_put_beside_maxima(enum mask_form form, enum basis r, u8 *out,
                                                 const vmask_16 *m, u64 flip) {
    if (form == AS_BITS && r != BASIS_EQ)
        store64(out, _cvtmask64_u64(_mm512_kunpackd(m[1], m[0])) ^ flip);
    else
        bf16_put(form, out, m, flip);
}

/* The same to a scalar that is not beyond. The answer is false where some lane's relation to it may not be f16's. */
static ALWAYS_INLINE bool bf16_try_scalar(enum mask_form form, enum basis r, const u8 *a, vec scalar, u8 *out,
                                          u64 flip) {
    const size_t lane_bits = form_lane_bits(form, sizeof(u16));
    vec furthest = v_const_16(0);
    UNROLL
    for (size_t word = 0; word < BF16_TRIED / 64; ++word) {
        vmask_16 m[64 / VLANES_16];
        UNROLL
        for (size_t i = 0; i < 64 / VLANES_16; ++i) {
            const vec x = load_once(a + (word * (64 / VLANES_16) + i) * VBYTES);
            furthest = bf16_further(r, furthest, x);
            m[i] = v_rel_f16(r, x, scalar);
        }
        bf16_put_beside_maxima(form, r, out + word * 8 * lane_bits, m, flip);
    }
    return bf16_none_beyond(r, furthest);
}

/* How far a comparison has come. */
struct bf16_place {
    const u8 *a, *b; /* b is one element in the scalar form */
    u8 *out;
    size_t n; /* lanes to go */
};

static ALWAYS_INLINE void bf16_go_on(enum mask_form form, bool scalar, struct bf16_place *p, size_t lanes) {
    p->a += lanes * sizeof(u16);
    if (!scalar) p->b += lanes * sizeof(u16);
    p->out += lanes / 8 * form_lane_bits(form, sizeof(u16));
    p->n -= lanes;
}

/* Whether the first vector can be related so. After a failure it is looked at before the others are worked on, so that data
 * full of lanes beyond costs little. */
static ALWAYS_INLINE bool bf16_begins_as_f16(enum basis r, bool scalar, const struct bf16_place *p) {
    const vec x = v_load(p->a);
    if (scalar) return bf16_none_beyond(r, bf16_further(r, v_const_16(0), x));
    return bf16_as_f16(EVERY_LANE, x, v_load(p->b)) == EVERY_LANE;
}

/* At least BF16_TRIED lanes. A scalar is not beyond. */
static ALWAYS_INLINE pto_status bf16_compare(enum mask_form form, enum basis r, bool scalar, const void *src0,
                                             const void *src1, void *mask, size_t n, u64 flip) {
    const struct compare_kernels *integers = &pto_compare_bf16_avx512;
    compare_fn *const by_integers = scalar ? integers->vs[form][r] : integers->vv[form][r];
    const vec s = scalar ? v_set1_16(src1) : v_const_16(0);
    struct bf16_place p = {src0, src1, mask, n};
    size_t left = BF16_LEFT_MIN;
    do {
        const bool hopeful = left == BF16_LEFT_MIN || bf16_begins_as_f16(r, scalar, &p);
        if (hopeful && (scalar ? bf16_try_scalar(form, r, p.a, s, p.out, flip)
                               : bf16_try(form, r, p.a, p.b, p.out, flip))) {
            bf16_go_on(form, scalar, &p, BF16_TRIED);
            left = BF16_LEFT_MIN;
        } else {
            const size_t lanes = min_size(p.n, left);
            (void)by_integers(p.a, p.b, p.out, lanes, flip);
            bf16_go_on(form, scalar, &p, lanes);
            left = min_size(4 * left, BF16_LEFT_MAX);
        }
    } while (p.n >= BF16_TRIED);
    return p.n != 0 ? by_integers(p.a, p.b, p.out, p.n, flip) : PTO_OK;
}

/* Whether FP16 relates lanes to it; ORD takes no more in integers. */
static ALWAYS_INLINE bool bf16_scalar_as_f16(enum basis r, const void *scalar) {
    return r != BASIS_ORD && (load_bytes(scalar, sizeof(u16)) & INT16_MAX) <= F16_INFINITY;
}

#define NAME(prefix)   CAT3(prefix, bf16_, ISA)
#define LANE_RELATIONS RELATIONS
#define IMAGE_FORM     IMAGE

/* Long ones apart, so that short calls save no registers. */
#define VV(form, r, holds, of)                                                                               \
    static NOINLINE pto_status NAME(vv_long_##r##_##form##_)(const void *a, const void *b, void *mask,       \
                                                             size_t n, u64 flip) {                           \
        return bf16_compare(AS_##form, BASIS_##r, false, a, b, mask, n, flip);                               \
    }                                                                                                        \
    static pto_status NAME(vv_##r##_##form##_)(const void *a, const void *b, void *mask, size_t n,           \
                                               u64 flip) {                                                   \
        if (n >= BF16_TRIED) return NAME(vv_long_##r##_##form##_)(a, b, mask, n, flip);                      \
        return pto_compare_bf16_avx512.vv[AS_##form][BASIS_##r](a, b, mask, n, flip);                        \
    }
#define VS(form, r, holds, of)                                                                               \
    static NOINLINE pto_status NAME(vs_long_##r##_##form##_)(const void *a, const void *scalar, void *mask,  \
                                                             size_t n, u64 flip) {                           \
        return bf16_compare(AS_##form, BASIS_##r, true, a, scalar, mask, n, flip);                           \
    }                                                                                                        \
    static pto_status NAME(vs_##r##_##form##_)(const void *a, const void *scalar, void *mask, size_t n,      \
                                               u64 flip) {                                                   \
        if (n >= BF16_TRIED && bf16_scalar_as_f16(BASIS_##r, scalar))                                        \
            return NAME(vs_long_##r##_##form##_)(a, scalar, mask, n, flip);                                  \
        return pto_compare_bf16_avx512.vs[AS_##form][BASIS_##r](a, scalar, mask, n, flip);                   \
    }
#define VV_MIRRORED(form, r, holds, of)                                                                      \
    static pto_status NAME(vv_##r##_##form##_)(const void *a, const void *b, void *mask, size_t n,           \
                                               u64 flip) {                                                   \
        return NAME(vv_##of##_##form##_)(b, a, mask, n, flip);                                               \
    }
RELATIONS(VV, VV_MIRRORED, BITS)
RELATIONS(VS, VS, BITS)
RELATIONS(VV, VV_MIRRORED, BYTES)
RELATIONS(VS, VS, BYTES)
RELATIONS(VV, VV_MIRRORED, IMAGE)
RELATIONS(VS, VS, IMAGE)
#undef VV
#undef VS
#undef VV_MIRRORED

const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef LANE_RELATIONS
#undef IMAGE_FORM

#endif
