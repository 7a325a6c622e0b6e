/* SPDX-License-Identifier: MIT */
/*
 * Select and fill kernels for one element width, for any register length. Include with WIDTH (8, 16, 32 or 64) and ISA
 * defined. Defines select_WIDTH_ISA, select_by_bytes_WIDTH_ISA and select_by_image_WIDTH_ISA (not for 8); the same
 * names with selects, whose sources may be scalars; and fill_WIDTH_ISA.
 */
#define NAME(prefix)   CAT3(prefix, WIDTH, CAT(_, ISA))
#define ELEMENT_BYTES  ((size_t)WIDTH / 8)
#define get_truth      NAME(get_truth_)
#define lanes          CAT(lanes_, WIDTH)
#define load           CAT(load_group_, WIDTH)
#define store          CAT(store_group_, WIDTH)
#define broadcast      CAT(broadcast_, WIDTH)
#define select_sources NAME(select_sources_)
#define select_group   NAME(select_group_)
#define scalar_of      NAME(scalar_of_)
#define select_next    NAME(select_next_)
#define select_as      NAME(select_as_)
#define selects_as     NAME(selects_as_)

static ALWAYS_INLINE CAT(truth_, WIDTH) get_truth(enum mask_storage storage, const u8 *mask, size_t vl) {
    if (storage == MASK_AS_BITS) return CAT(get_bits_, WIDTH)(mask, vl);
    if (storage == MASK_AS_BYTES) return CAT(get_bytes_, WIDTH)(mask, vl);
#if WIDTH == 64
    return get_lowest_64(mask, vl);
#else
    return CAT(computed_now_, WIDTH)(CAT(get_image_, WIDTH)(mask, vl));
#endif
}

/* Both sources. Bit 0 of `scalars` means that x is a scalar, bit 1 that y is. A scalar y is broadcast; a scalar x need
 * not be. */
struct select_sources {
    const u8 *x, *y;
    unsigned scalars;
};

/* Selects one group, which begins at byte `at` of dst and of the arrays. */
static ALWAYS_INLINE void select_group(enum mask_storage storage, const struct select_sources *s, u64 sx,
                                       lanes sy, const u8 *mask, u8 *dst, size_t at, bool whole, size_t vl) {
    const CAT(truth_, WIDTH) t = get_truth(storage, mask, vl);
    const lanes y = (s->scalars & 2) != 0 ? sy : load(s->y + at, whole, vl);
    store(dst + at,
          (s->scalars & 1) != 0 ? CAT(select_scalar_, WIDTH)(t, sx, y, vl)
                                : CAT(select_, WIDTH)(t, load(s->x + at, whole, vl), y, vl),
          whole, vl);
}

static ALWAYS_INLINE u8 *select_next(struct select_sources *s, u8 *dst, size_t step) {
    s->x += (s->scalars & 1) != 0 ? 0 : step;
    s->y += (s->scalars & 2) != 0 ? 0 : step;
    return dst + step;
}

static ALWAYS_INLINE u64 scalar_of(const struct select_sources *s, unsigned bit, const u8 *from) {
    return (s->scalars & bit) != 0 ? load_bytes(from, ELEMENT_BYTES) : 0;
}

static ALWAYS_INLINE void select_as(enum mask_storage storage, struct select_sources s, const u8 *mask,
                                    u8 *dst, size_t n) {
    const size_t group = CAT(lanes_of_, WIDTH)(), step = group * ELEMENT_BYTES;
    const size_t step_mask = group * storage_lane_bits(storage, ELEMENT_BYTES) / 8;
    const u8 *const end = dst + lanes_in_pairs(n, group) * ELEMENT_BYTES;
    const u64 sx = scalar_of(&s, 1, s.x);
    const lanes sy = broadcast(scalar_of(&s, 2, s.y), group);
    size_t left = n - lanes_in_pairs(n, group);
    for (; dst < end; dst = select_next(&s, dst, 2 * step)) {
        select_group(storage, &s, sx, sy, mask, dst, 0, true, group);
        select_group(storage, &s, sx, sy, mask + step_mask, dst, step, true, group);
        mask += 2 * step_mask;
    }
    for (; left != 0; left -= min_size(left, group)) {
        select_group(storage, &s, sx, sy, mask, dst, 0, false, min_size(left, group));
        dst = select_next(&s, dst, step);
        mask += step_mask;
    }
}

#include "loops/select_any_length.h"

static void NAME(fill_)(const void *scalar, void *dst, size_t n) {
    const size_t group = CAT(lanes_of_, WIDTH)();
    const lanes x = broadcast(load_bytes(scalar, ELEMENT_BYTES), group);
    size_t at = 0;
    for (; n - at >= group; at += group) store((u8 *)dst + at * ELEMENT_BYTES, x, true, group);
    if (at != n) store((u8 *)dst + at * ELEMENT_BYTES, x, false, n - at);
}

#undef NAME
#undef ELEMENT_BYTES
#undef get_truth
#undef lanes
#undef load
#undef store
#undef broadcast
#undef select_sources
#undef select_group
#undef scalar_of
#undef select_next
#undef select_as
#undef selects_as
#undef WIDTH
