/* SPDX-License-Identifier: MIT */
/*
 * Select and fill kernels for one element width, for any vector length. Include with WIDTH (8, 16, 32 or 64) and ISA
 * defined. Defines select_WIDTH_ISA, select_by_bytes_WIDTH_ISA and select_by_image_WIDTH_ISA (not for 8); the same
 * names with selects, whose sources may be scalars; and fill_WIDTH_ISA.
 */
#define NAME(prefix)   CAT3(prefix, WIDTH, CAT(_, ISA))
#define ELEMENT_BYTES  ((size_t)WIDTH / 8)
#define select_sources NAME(select_sources_)
#define select_lanes   NAME(select_lanes_)
#define select_vector  NAME(select_vector_)
#define select_block   NAME(select_block_)
#define select_step    NAME(select_step_)
#define load_mask_part NAME(load_mask_part_)
#define select_rest    NAME(select_rest_)
#define select_as      NAME(select_as_)
#define selects_as     NAME(selects_as_)

/* Both sources. Bit 0 of `scalars` means that x is a scalar, bit 1 that y is. */
struct select_sources {
    const u8 *x, *y;
    unsigned scalars;
};

static ALWAYS_INLINE svuint8_t select_lanes(svbool_t on, svuint8_t x, svuint8_t y) {
#if WIDTH == 8
    return svsel_u8(on, x, y);
#else
    return CAT(svreinterpret_u8_u, WIDTH)(
        CAT(svsel_u, WIDTH)(on, CAT3(svreinterpret_u, WIDTH, _u8)(x), CAT3(svreinterpret_u, WIDTH, _u8)(y)));
#endif
}

/* Stores vector k of the results, counted from byte `at`. sx and sy are the broadcast scalars. */
static ALWAYS_INLINE void select_vector(svbool_t pg, svbool_t on, const struct select_sources *s,
                                        svuint8_t sx, svuint8_t sy, u8 *dst, size_t at, size_t k) {
    const svuint8_t x = (s->scalars & 1) != 0 ? sx : svld1_vnum_u8(pg, s->x + at, (int64_t)k);
    const svuint8_t y = (s->scalars & 2) != 0 ? sy : svld1_vnum_u8(pg, s->y + at, (int64_t)k);
    svst1_vnum_u8(pg, dst + at, (int64_t)k, select_lanes(on, x, y));
}

/* Selects a block: as many lanes as a vector has bytes. `on` has the packed bits of their mask. */
static ALWAYS_INLINE void select_block(svbool_t on, const struct select_sources *s, svuint8_t sx,
                                       svuint8_t sy, u8 *dst, size_t at) {
    UNROLL
    for (size_t k = 0; k < ELEMENT_BYTES; ++k)
        select_vector(svptrue_b8(), expand_predicate(on, ELEMENT_BYTES, k), s, sx, sy, dst, at, k);
}

/* Vectors per iteration: four, or a block if that is more. */
#define STEP_VECTORS (WIDTH == 64 ? 8U : 4U)

static ALWAYS_INLINE void select_step(enum mask_storage storage, const u8 *mask,
                                      const struct select_sources *s, svuint8_t sx, svuint8_t sy, u8 *dst,
                                      size_t at) {
    const svbool_t all = svptrue_b8();
    UNROLL
    for (size_t k = 0; k < STEP_VECTORS; ++k) {
        if (storage == MASK_AS_BITS && k % ELEMENT_BYTES == 0)
            select_block(load_predicate(mask + k / ELEMENT_BYTES * svcntd()), s, sx, sy, dst,
                         at + k * svcntb());
        if (storage == MASK_AS_IMAGE)
            select_vector(all, load_predicate(mask + k * svcntd()), s, sx, sy, dst, at, k);
        if (storage == MASK_AS_BYTES)
            select_vector(all, load_truth_bytes(all, mask + k * (svcntb() / ELEMENT_BYTES), ELEMENT_BYTES), s,
                          sx, sy, dst, at, k);
    }
}

/* Returns the mask of the lanes from i on, at most n - i: those of a vector or, if the mask is packed bits, of a
 * block. */
static ALWAYS_INLINE svbool_t load_mask_part(enum mask_storage storage, svbool_t pg, const u8 *mask, size_t i,
                                             size_t n) {
    const size_t lane_bits = storage_lane_bits(storage, ELEMENT_BYTES);
    if (storage == MASK_AS_BYTES) return load_truth_bytes(pg, mask + i, ELEMENT_BYTES);
    return load_predicate_some(mask + i * lane_bits / 8, min_size((n - i) * lane_bits + 7, 8 * svcntd()) / 8);
}

/* Selects the lanes from i to the end. */
static ALWAYS_INLINE void select_rest(enum mask_storage storage, const struct select_sources *s, svuint8_t sx,
                                      svuint8_t sy, const u8 *mask, u8 *dst, size_t i, size_t n) {
    const size_t vectors = storage == MASK_AS_BITS ? ELEMENT_BYTES : 1;
    for (; i < n; i += vectors * svcntb() / ELEMENT_BYTES) {
        const size_t at = i * ELEMENT_BYTES, bytes = (n - i) * ELEMENT_BYTES;
        const svbool_t on = load_mask_part(storage, first_bytes(bytes), mask, i, n);
        UNROLL
        for (size_t k = 0; k < vectors; ++k)
            if (k * svcntb() < bytes)
                select_vector(bytes_of_vector(k, bytes), expand_predicate(on, vectors, k), s, sx, sy, dst, at,
                              k);
    }
}

static ALWAYS_INLINE void select_as(enum mask_storage storage, struct select_sources s, const u8 *mask,
                                    u8 *dst, size_t n) {
    const svuint8_t sx = (s.scalars & 1) != 0 ? broadcast_element(s.x, ELEMENT_BYTES) : svdup_n_u8(0);
    const svuint8_t sy = (s.scalars & 2) != 0 ? broadcast_element(s.y, ELEMENT_BYTES) : svdup_n_u8(0);
    const size_t step = STEP_VECTORS * svcntb() / ELEMENT_BYTES;
    size_t i = 0;
    for (; n - i >= step; i += step)
        select_step(storage, mask + i * storage_lane_bits(storage, ELEMENT_BYTES) / 8, &s, sx, sy, dst,
                    i * ELEMENT_BYTES);
    if (i != n) select_rest(storage, &s, sx, sy, mask, dst, i, n);
}

#include "loops/select_any_length.h"

static void NAME(fill_)(const void *scalar, void *dst, size_t n) {
    const svuint8_t x = broadcast_element(scalar, ELEMENT_BYTES);
    const size_t bytes = n * ELEMENT_BYTES;
    for (size_t at = 0; at < bytes; at += svcntb()) svst1_u8(svwhilelt_b8_u64(at, bytes), (u8 *)dst + at, x);
}

#undef NAME
#undef ELEMENT_BYTES
#undef select_sources
#undef select_lanes
#undef select_vector
#undef select_block
#undef select_step
#undef STEP_VECTORS
#undef load_mask_part
#undef select_rest
#undef select_as
#undef selects_as
#undef WIDTH
