/* SPDX-License-Identifier: MIT */
/*
 * Comparison and choose kernels for one lane type, for any vector length. Include with
 *   LANE      u8 .. s64, f16, f16z, bf16, f32, f64: the suffix of its related_LANE
 *   WIDTH     8, 16, 32, 64
 *   FLOATING  1 if operands can be unordered
 * and ISA defined, which is the suffix of the kernels' names.
 *
 * A block has as many lanes as a vector has bytes, so it takes ELEMENT_BYTES vectors. Its comparison gives one
 * predicate of bytes, which is the block's packed bits.
 */
#define NAME(prefix)     CAT3(prefix, LANE, CAT(_, ISA))
#define ELEMENT_BYTES    ((size_t)WIDTH / 8)
#define related          CAT(related_, LANE)
#define compare_operands NAME(compare_operands_)
#define truth_vector     NAME(truth_vector_)
#define truth_32         NAME(truth_32_)
#define truth_16         NAME(truth_16_)
#define truth_block      NAME(truth_block_)
#define store_mask_whole NAME(store_mask_whole_)
#define store_mask_part  NAME(store_mask_part_)
#define compare_as       NAME(compare_as_)
#define choose_vector    NAME(choose_vector_)
#define choose_rest      NAME(choose_rest_)
#define choose_arrays    NAME(choose_arrays_)

/* The operands of a block. If it is not whole, `bytes` bytes of each array are left. */
struct compare_operands {
    enum relation r;
    bool scalar, whole;
    const u8 *a, *b;
    size_t bytes;
};

/* Returns the truth of vector k of the block. s is the right-hand side in the scalar form, broadcast. */
static ALWAYS_INLINE svbool_t truth_vector(const struct compare_operands *c, svuint8_t s, size_t k) {
    svbool_t pg = svptrue_b8();
    svuint8_t x;
    if (!c->whole) {
        if (k * svcntb() >= c->bytes) return svpfalse_b();
        pg = bytes_of_vector(k, c->bytes);
    }
    x = svld1_vnum_u8(pg, c->a, (int64_t)k);
    return related(c->r, pg, x, c->scalar ? s : svld1_vnum_u8(pg, c->b, (int64_t)k));
}

/* These join the truth of neighbouring vectors: part k of the block as a predicate of 32-bit or 16-bit lanes, and the
 * whole block as a predicate of bytes. */
static ALWAYS_INLINE svbool_t truth_32(const struct compare_operands *c, svuint8_t s, size_t k) {
    if (ELEMENT_BYTES == 4) return truth_vector(c, s, k);
    return svuzp1_b32(truth_vector(c, s, 2 * k), truth_vector(c, s, 2 * k + 1));
}

static ALWAYS_INLINE svbool_t truth_16(const struct compare_operands *c, svuint8_t s, size_t k) {
    if (ELEMENT_BYTES == 2) return truth_vector(c, s, k);
    return svuzp1_b16(truth_32(c, s, 2 * k), truth_32(c, s, 2 * k + 1));
}

static ALWAYS_INLINE svbool_t truth_block(const struct compare_operands *c, svuint8_t s) {
    if (ELEMENT_BYTES == 1) return truth_vector(c, s, 0);
    return svuzp1_b8(truth_16(c, s, 0), truth_16(c, s, 1));
}

/* Writes the mask of a whole block. flips has the lanes whose truth is inverted. */
static ALWAYS_INLINE void store_mask_whole(enum mask_storage storage, const struct compare_operands *c,
                                           svuint8_t s, svbool_t flips, u8 *mask) {
    const svbool_t all = svptrue_b8();
    if (storage_lane_bits(storage, ELEMENT_BYTES) == ELEMENT_BYTES && WIDTH > 8) {
        UNROLL
        for (size_t k = 0; k < ELEMENT_BYTES; ++k)
            store_predicate(mask + k * svcntd(), sveor_b_z(all, truth_vector(c, s, k), flips));
    } else if (storage == MASK_AS_BITS)
        store_predicate(mask, sveor_b_z(all, truth_block(c, s), flips));
    else
        svst1_u8(all, mask, svdup_n_u8_z(sveor_b_z(all, truth_block(c, s), flips), 1));
}

/* Writes the mask of a block of which only `lanes` lanes exist. The spare bits of the last byte become 0. */
static ALWAYS_INLINE void store_mask_part(enum mask_storage storage, const struct compare_operands *c,
                                          svuint8_t s, svbool_t flips, u8 *mask, size_t lanes) {
    const svbool_t some = first_bytes(lanes);
    if (storage_lane_bits(storage, ELEMENT_BYTES) == ELEMENT_BYTES && WIDTH > 8) {
        const size_t bytes = (lanes * ELEMENT_BYTES + 7) / 8;
        for (size_t k = 0; k * svcntd() < bytes; ++k)
            store_predicate_some(mask + k * svcntd(),
                                 sveor_b_z(bytes_of_vector(k, c->bytes), truth_vector(c, s, k), flips),
                                 min_size(bytes - k * svcntd(), svcntd()));
    } else if (storage == MASK_AS_BITS)
        store_predicate_some(mask, sveor_b_z(some, truth_block(c, s), flips), (lanes + 7) / 8);
    else
        svst1_u8(some, mask, svdup_n_u8_z(sveor_b_z(some, truth_block(c, s), flips), 1));
}

static ALWAYS_INLINE pto_status compare_as(enum mask_storage storage, enum relation r, bool scalar,
                                           const void *src0, const void *src1, void *mask, size_t n,
                                           u64 flip) {
    /* An iteration takes at least four vectors, to reduce the overhead of the loop. */
    enum { BLOCKS = WIDTH == 8 ? 4 : WIDTH == 16 ? 2 : 1 };
    const size_t lanes = svcntb(), lane_bits = storage_lane_bits(storage, ELEMENT_BYTES);
    const svbool_t flips = predicate_all((flip & 1) != 0, lane_bits == ELEMENT_BYTES ? ELEMENT_BYTES : 1);
    const svuint8_t s = scalar ? broadcast_element(src1, ELEMENT_BYTES) : svdup_n_u8(0);
    const u8 *a = src0, *b = src1;
    u8 *out = mask;
    for (; n >= BLOCKS * lanes; n -= BLOCKS * lanes) {
        UNROLL
        for (size_t i = 0; i < BLOCKS; ++i) {
            const size_t at = i * lanes * ELEMENT_BYTES;
            const struct compare_operands c = {r, scalar, true, a + at, b + at, 0};
            store_mask_whole(storage, &c, s, flips, out + i * lane_bits * svcntd());
        }
        a += BLOCKS * lanes * ELEMENT_BYTES;
        b += scalar ? 0 : BLOCKS * lanes * ELEMENT_BYTES;
        out += BLOCKS * lane_bits * svcntd();
    }
    while (n != 0) {
        const size_t some = min_size(n, lanes);
        const struct compare_operands c = {r, scalar, false, a, b, some * ELEMENT_BYTES};
        store_mask_part(storage, &c, s, flips, out, some);
        a += lanes * ELEMENT_BYTES;
        b += scalar ? 0 : lanes * ELEMENT_BYTES;
        out += lane_bits * svcntd();
        n -= some;
    }
    return PTO_OK;
}

/* Stores vector k of dst: u where x R y, else v. in[] has x, y, u and v. */
static ALWAYS_INLINE void choose_vector(enum relation r, svbool_t pg, const u8 *const in[4], u8 *dst,
                                        int64_t k) {
    const svbool_t truth = related(r, pg, svld1_vnum_u8(pg, in[0], k), svld1_vnum_u8(pg, in[1], k));
    const svuint8_t u = svld1_vnum_u8(pg, in[2], k), v = svld1_vnum_u8(pg, in[3], k);
#if WIDTH == 8
    svst1_vnum_u8(pg, dst, k, svsel_u8(truth, u, v));
#else
    svst1_vnum_u8(pg, dst, k,
                  CAT(svreinterpret_u8_u, WIDTH)(CAT(svsel_u, WIDTH)(
                      truth, CAT3(svreinterpret_u, WIDTH, _u8)(u), CAT3(svreinterpret_u, WIDTH, _u8)(v))));
#endif
}

/* Computes dst from byte `at` to byte `bytes`. If operand k is a scalar, offset_mask[k] is 0, and from[k] is a vector
 * of copies of it. Otherwise offset_mask[k] is SIZE_MAX. */
static ALWAYS_INLINE void choose_rest(enum relation r, const u8 *const from[4], const size_t *offset_mask,
                                      u8 *dst, size_t at, size_t bytes) {
    for (; at < bytes; at += svcntb()) {
        const u8 *const in[4] = {from[0] + (at & offset_mask[0]), from[1] + (at & offset_mask[1]),
                                 from[2] + (at & offset_mask[2]), from[3] + (at & offset_mask[3])};
        choose_vector(r, svwhilelt_b8_u64(at, bytes), in, dst + at, 0);
    }
}

/* All operands are arrays. An iteration takes eight vectors, because it advances five pointers. Eight vectors are as
 * many as the immediate offsets of loads and stores reach. */
static ALWAYS_INLINE void choose_arrays(enum relation r, const u8 *const from[4], u8 *dst, size_t bytes) {
    static const size_t offset_mask[4] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    enum { VECTORS = 8 };
    const ptrdiff_t step = (ptrdiff_t)(VECTORS * svcntb());
    const u8 *in[4] = {from[0], from[1], from[2], from[3]};
    u8 *out = dst;
    for (ptrdiff_t left = (ptrdiff_t)bytes - step; left >= 0; left -= step) {
        UNROLL
        for (int64_t k = 0; k < VECTORS; ++k) choose_vector(r, svptrue_b8(), in, out, k);
        in[0] += step;
        in[1] += step;
        in[2] += step;
        in[3] += step;
        out += step;
    }
    choose_rest(r, from, offset_mask, dst, (size_t)(out - dst), bytes);
}

/* choose_scalars is a function of its own, so that calls whose operands are all arrays need no buffer for broadcast
 * scalars. */
#define CHOOSE(context, r, outcomes, mirror)                                                                 \
    static NOINLINE void NAME(choose_scalars_##r##_)(const struct sources *c, void *dst, size_t n) {         \
        u8 broadcast[4][VECTOR_BYTES_MAX];                                                                   \
        const u8 *from[4];                                                                                   \
        size_t offset_mask[4];                                                                               \
        for (size_t k = 0; k < 4; ++k) {                                                                     \
            offset_mask[k] = is_scalar(c, k) ? 0 : SIZE_MAX;                                                 \
            from[k] = is_scalar(c, k) ? broadcast[k] : c->in[k];                                             \
            if (is_scalar(c, k))                                                                             \
                svst1_u8(svptrue_b8(), broadcast[k], broadcast_element(c->in[k], ELEMENT_BYTES));            \
        }                                                                                                    \
        choose_rest(RELATION_##r, from, offset_mask, dst, 0, n *ELEMENT_BYTES);                              \
    }                                                                                                        \
    static void NAME(choose_##r##_)(const struct sources *c, void *dst, size_t n) {                          \
        const u8 *const from[4] = {c->in[0], c->in[1], c->in[2], c->in[3]};                                  \
        if (c->scalars != 0)                                                                                 \
            NAME(choose_scalars_##r##_)(c, dst, n);                                                          \
        else                                                                                                 \
            choose_arrays(RELATION_##r, from, dst, n *ELEMENT_BYTES);                                        \
    }
#include "loops/compare_any_length.h"

#undef compare_operands
#undef truth_vector
#undef truth_32
#undef truth_16
#undef truth_block
#undef store_mask_whole
#undef store_mask_part
#undef choose_vector
#undef choose_rest
#undef choose_arrays
