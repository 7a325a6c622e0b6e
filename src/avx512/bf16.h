/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of bf16 by those of f16. Signs and magnitudes of both are ordered alike, as integers are, up to the bits
 * of f16's infinity; beyond are f16's NaNs, and of bf16 numbers above 2^121, infinities and NaNs. So FP16 relates some
 * vectors and tells as it does whether any lane was beyond; then the comparisons in integers, loops/half.h, do them
 * again. To relate lanes to a scalar takes no more in integers, so all of those go that way.
 *
 * Among such lanes are the -inf of masked scores, which come in long runs: after each failure in a row twice as many
 * lanes go by integers before FP16 is tried again.
 */
#ifndef PTO_AVX512_BF16_H
#define PTO_AVX512_BF16_H

/* How many lanes are tried at once, and how many then go by integers, at least and at most. */
enum { BF16_TRIED = 128, BF16_LEFT_MIN = 256, BF16_LEFT_MAX = 8192 };

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

/* Relates BF16_TRIED lanes, of which none may be beyond: else what is in out is wrong, and the answer false. The first
 * vector is looked at before the others are worked on, so that data full of such lanes costs little. */
static ALWAYS_INLINE bool bf16_try(enum mask_form form, enum basis r, const u8 *a, const u8 *b, u8 *out,
                                   u64 flip) {
    const size_t lane_bits = form_lane_bits(form, sizeof(u16));
    vmask_16 as_f16 = EVERY_LANE;
    if (bf16_as_f16(EVERY_LANE, v_load(a), v_load(b)) != EVERY_LANE) return false;
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

/* How far a comparison has come. */
struct bf16_place {
    const u8 *a, *b;
    u8 *out;
    size_t n; /* lanes to go */
};

static ALWAYS_INLINE void bf16_go_on(enum mask_form form, struct bf16_place *p, size_t lanes) {
    p->a += lanes * sizeof(u16);
    p->b += lanes * sizeof(u16);
    p->out += lanes / 8 * form_lane_bits(form, sizeof(u16));
    p->n -= lanes;
}

/* At least BF16_TRIED lanes. */
static ALWAYS_INLINE pto_status bf16_compare(enum mask_form form, enum basis r, const void *src0,
                                             const void *src1, void *mask, size_t n, u64 flip) {
    compare_fn *const by_integers = pto_compare_bf16_avx512.vv[form][r];
    struct bf16_place p = {src0, src1, mask, n};
    size_t left = BF16_LEFT_MIN;
    do {
        if (bf16_try(form, r, p.a, p.b, p.out, flip)) {
            bf16_go_on(form, &p, BF16_TRIED);
            left = BF16_LEFT_MIN;
        } else {
            const size_t lanes = min_size(p.n, left);
            (void)by_integers(p.a, p.b, p.out, lanes, flip);
            bf16_go_on(form, &p, lanes);
            left = min_size(2 * left, BF16_LEFT_MAX);
        }
    } while (p.n >= BF16_TRIED);
    return p.n != 0 ? by_integers(p.a, p.b, p.out, p.n, flip) : PTO_OK;
}

#define NAME(prefix)   CAT3(prefix, bf16_, ISA)
#define LANE_RELATIONS RELATIONS
#define IMAGE_FORM     IMAGE

/* Long ones apart, so that short calls save no registers. */
#define VV(form, r, holds, of)                                                                               \
    static NOINLINE pto_status NAME(vv_long_##r##_##form##_)(const void *a, const void *b, void *mask,       \
                                                             size_t n, u64 flip) {                           \
        return bf16_compare(AS_##form, BASIS_##r, a, b, mask, n, flip);                                      \
    }                                                                                                        \
    static pto_status NAME(vv_##r##_##form##_)(const void *a, const void *b, void *mask, size_t n,           \
                                               u64 flip) {                                                   \
        if (n >= BF16_TRIED) return NAME(vv_long_##r##_##form##_)(a, b, mask, n, flip);                      \
        return pto_compare_bf16_avx512.vv[AS_##form][BASIS_##r](a, b, mask, n, flip);                        \
    }
#define VS(form, r, holds, of)                                                                               \
    static pto_status NAME(vs_##r##_##form##_)(const void *a, const void *scalar, void *mask, size_t n,      \
                                               u64 flip) {                                                   \
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
