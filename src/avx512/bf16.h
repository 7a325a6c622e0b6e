/* SPDX-License-Identifier: MIT */
/*
 * Compares bf16 with the comparisons of f16. Both formats consist of a sign and a magnitude that has the order of
 * integers. So two bf16 compare as two f16 with the same bits do, if no magnitude is above that of f16's infinity.
 * Larger ones are out of range here: they are NaNs of f16, and finite values above 2^121, infinities and NaNs of bf16.
 * FP16 compares some vectors and also finds whether any lane is out of range. If so, the integer comparisons of
 * loops/half.h compare these lanes again.
 *
 * To FP16, lanes out of range are NaNs, so their relation to a scalar is false. If the scalar is in range, this is
 * wrong at most for large values of one sign, or of both signs for `ne`. A maximum of all lanes finds them.
 *
 * The -inf of masked scores is out of range, and comes in long runs. So after each failure in a row, four times as many
 * lanes are compared as integers before FP16 is tried again.
 */
#ifndef PTO_AVX512_BF16_H
#define PTO_AVX512_BF16_H

#include "avx512/load.h"

/* The number of lanes that FP16 tries at once, and the smallest and largest number of lanes that are compared as
 * integers after a failure. */
enum { BF16_TRY_LANES = 128, BF16_INTEGER_LANES_MIN = 512, BF16_INTEGER_LANES_MAX = 8192 };

/* Returns the lanes of k in which both operands are in range. */
static ALWAYS_INLINE vmask_16 bf16_as_f16(vmask_16 k, vec x, vec y) {
    return CMP_PH(k, x, y, _CMP_ORD_Q);
}

/* Stores 64 lanes of a mask at `out`, in the layout `storage`, each inverted if its bit of `flip` is set. */
static ALWAYS_INLINE void bf16_store(enum mask_storage storage, u8 *out, const vmask_16 *m, u64 flip) {
    switch (storage) {
    case MASK_AS_BYTES: m_bytes_16(out, m, flip); break;
    case MASK_AS_IMAGE: m_image_16(out, m, flip); break;
    default: store64(out, m_word_16(m) ^ flip);
    }
}

/* Compares BF16_TRY_LANES lanes. Returns false if any is out of range; the result in `out` is then wrong. */
static ALWAYS_INLINE bool bf16_try(enum mask_storage storage, enum relation r, const u8 *a, const u8 *b,
                                   u8 *out, u64 flip) {
    const size_t lane_bits = storage_lane_bits(storage, sizeof(u16));
    vmask_16 as_f16 = EVERY_LANE;
    UNROLL
    for (size_t word = 0; word < BF16_TRY_LANES / 64; ++word) {
        vmask_16 m[64 / VLANES_16];
        UNROLL
        for (size_t i = 0; i < 64 / VLANES_16; ++i) {
            const size_t at = (word * (64 / VLANES_16) + i) * VBYTES;
            const vec x = v_load(a + at), y = v_load(b + at);
            as_f16 = bf16_as_f16(as_f16, x, y);
            m[i] = r == RELATION_ORD ? EVERY_LANE : v_rel_f16(r, x, y);
        }
        bf16_store(storage, out + word * 8 * lane_bits, m, flip);
    }
    return as_f16 == EVERY_LANE;
}

enum { F16_INFINITY = 0x7c00 };

/*
 * Updates `extreme`, a maximum that shows whether f16's relation to a scalar may be wrong for a lane. For <
 * and <=, it is wrong for large negative values, which are less than the scalar but NaNs of f16. For > and
 * >=, it is wrong for large positive values, and for `ne` for both.
 */
static ALWAYS_INLINE vec bf16_extremes(enum relation r, vec extreme, vec x) {
    switch (r) {
    case RELATION_LT:
    case RELATION_LE: return _mm512_max_epu16(extreme, x);
    case RELATION_GT:
    case RELATION_GE: return _mm512_max_epi16(extreme, x);
    case RELATION_LG: return _mm512_max_epu16(extreme, v_add_16(x, x));
    default: return extreme; /* no value out of range equals the scalar */
    }
}

static ALWAYS_INLINE bool bf16_all_in_range(enum relation r, vec extreme) {
    switch (r) {
    case RELATION_LT:
    case RELATION_LE: return _mm512_cmpgt_epu16_mask(extreme, v_const_16(INT16_MIN + F16_INFINITY)) == 0;
    case RELATION_GT:
    case RELATION_GE: return _mm512_cmpgt_epi16_mask(extreme, v_const_16(F16_INFINITY)) == 0;
    case RELATION_LG: return _mm512_cmpgt_epu16_mask(extreme, v_const_16((s16)(2 * F16_INFINITY))) == 0;
    default: return true;
    }
}

/* Instructions that move masks run on the same port as the maximum instructions. So masks that are stored as
 * packed bits are combined first, which halves the number of moves. */
static ALWAYS_INLINE void bf16_store_beside_maxima(enum mask_storage storage, enum relation r, u8 *out,
                                                   const vmask_16 *m, u64 flip) {
    if (storage == MASK_AS_BITS && r != RELATION_EQ)
        store64(out, _cvtmask64_u64(_mm512_kunpackd(m[1], m[0])) ^ flip);
    else
        bf16_store(storage, out, m, flip);
}

/* Does the same as bf16_try() with a scalar that is in range. Returns false if f16's relation to the scalar may be
 * wrong for a lane. */
static ALWAYS_INLINE bool bf16_try_scalar(enum mask_storage storage, enum relation r, const u8 *a, vec scalar,
                                          u8 *out, u64 flip) {
    const size_t lane_bits = storage_lane_bits(storage, sizeof(u16));
    vec extreme = v_const_16(0);
    UNROLL
    for (size_t word = 0; word < BF16_TRY_LANES / 64; ++word) {
        vmask_16 m[64 / VLANES_16];
        UNROLL
        for (size_t i = 0; i < 64 / VLANES_16; ++i) {
            const vec x = load_once(a + (word * (64 / VLANES_16) + i) * VBYTES);
            extreme = bf16_extremes(r, extreme, x);
            m[i] = v_rel_f16(r, x, scalar);
        }
        bf16_store_beside_maxima(storage, r, out + word * 8 * lane_bits, m, flip);
    }
    return bf16_all_in_range(r, extreme);
}

/* The position of a comparison. */
struct bf16_cursor {
    const u8 *a, *b; /* b is one element if it is a scalar */
    u8 *out;
    size_t n; /* lanes left */
};

static ALWAYS_INLINE void bf16_advance(enum mask_storage storage, bool scalar, struct bf16_cursor *p,
                                       size_t lanes) {
    p->a += lanes * sizeof(u16);
    if (!scalar) p->b += lanes * sizeof(u16);
    p->out += lanes / 8 * storage_lane_bits(storage, sizeof(u16));
    p->n -= lanes;
}

/* Returns whether FP16 can compare the first vector. After a failure this is checked before the other vectors
 * are compared, so that data full of lanes out of range costs little. */
static ALWAYS_INLINE bool bf16_first_vector_fits(enum relation r, bool scalar, const struct bf16_cursor *p) {
    const vec x = v_load(p->a);
    if (scalar) return bf16_all_in_range(r, bf16_extremes(r, v_const_16(0), x));
    return bf16_as_f16(EVERY_LANE, x, v_load(p->b)) == EVERY_LANE;
}

/* Compares n lanes, which are at least BF16_TRY_LANES. A scalar must be in range. */
static ALWAYS_INLINE pto_status bf16_compare(enum mask_storage storage, enum relation r, bool scalar,
                                             const void *src0, const void *src1, void *mask, size_t n,
                                             u64 flip) {
    const struct compare_kernels *integers = &pto_compare_bf16_avx512;
    compare_fn *const by_integers = scalar ? integers->vs[storage][r] : integers->vv[storage][r];
    const vec s = scalar ? v_set1_16(src1) : v_const_16(0);
    struct bf16_cursor p = {src0, src1, mask, n};
    size_t integer_lanes = BF16_INTEGER_LANES_MIN;
    do {
        const bool may_try = integer_lanes == BF16_INTEGER_LANES_MIN || bf16_first_vector_fits(r, scalar, &p);
        if (may_try && (scalar ? bf16_try_scalar(storage, r, p.a, s, p.out, flip)
                               : bf16_try(storage, r, p.a, p.b, p.out, flip))) {
            bf16_advance(storage, scalar, &p, BF16_TRY_LANES);
            integer_lanes = BF16_INTEGER_LANES_MIN;
        } else {
            const size_t lanes = min_size(p.n, integer_lanes);
            (void)by_integers(p.a, p.b, p.out, lanes, flip);
            bf16_advance(storage, scalar, &p, lanes);
            integer_lanes = min_size(4 * integer_lanes, BF16_INTEGER_LANES_MAX);
        }
    } while (p.n >= BF16_TRY_LANES);
    return p.n != 0 ? by_integers(p.a, p.b, p.out, p.n, flip) : PTO_OK;
}

/* Returns whether FP16 can compare lanes with this scalar. ORD is excluded, because integer comparisons take no
 * longer for it. */
static ALWAYS_INLINE bool bf16_scalar_as_f16(enum relation r, const void *scalar) {
    return r != RELATION_ORD && (load_bytes(scalar, sizeof(u16)) & INT16_MAX) <= F16_INFINITY;
}

#define NAME(prefix)   CAT3(prefix, bf16_, ISA)
#define LANE_RELATIONS RELATIONS
#define IMAGE_STORAGE  IMAGE

/* Long comparisons are functions of their own, so that short calls save no registers. */
#define VV(storage, r, outcomes, mirror)                                                                     \
    static NOINLINE pto_status NAME(vv_long_##r##_##storage##_)(const void *a, const void *b, void *mask,    \
                                                                size_t n, u64 flip) {                        \
        return bf16_compare(MASK_AS_##storage, RELATION_##r, false, a, b, mask, n, flip);                    \
    }                                                                                                        \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        if (n >= BF16_TRY_LANES) return NAME(vv_long_##r##_##storage##_)(a, b, mask, n, flip);               \
        return pto_compare_bf16_avx512.vv[MASK_AS_##storage][RELATION_##r](a, b, mask, n, flip);             \
    }
#define VS(storage, r, outcomes, mirror)                                                                     \
    static NOINLINE pto_status NAME(vs_long_##r##_##storage##_)(const void *a, const void *scalar,           \
                                                                void *mask, size_t n, u64 flip) {            \
        return bf16_compare(MASK_AS_##storage, RELATION_##r, true, a, scalar, mask, n, flip);                \
    }                                                                                                        \
    static pto_status NAME(vs_##r##_##storage##_)(const void *a, const void *scalar, void *mask, size_t n,   \
                                                  u64 flip) {                                                \
        if (n >= BF16_TRY_LANES && bf16_scalar_as_f16(RELATION_##r, scalar))                                 \
            return NAME(vs_long_##r##_##storage##_)(a, scalar, mask, n, flip);                               \
        return pto_compare_bf16_avx512.vs[MASK_AS_##storage][RELATION_##r](a, scalar, mask, n, flip);        \
    }
#define VV_MIRRORED(storage, r, outcomes, mirror)                                                            \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return NAME(vv_##mirror##_##storage##_)(b, a, mask, n, flip);                                        \
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
#undef IMAGE_STORAGE

#endif
