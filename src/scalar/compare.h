/* SPDX-License-Identifier: MIT */
/*
 * Compare and choose kernels for one lane type, one lane at a time. scalar/lanes.h includes this file and
 * defines LANE, TYPE, RELATE and FLOATING.
 */
#define NAME(prefix)  CAT3(prefix, LANE, _scalar)
#define compare_lanes NAME(compare_lanes_)
#define choose_lanes  NAME(choose_lanes_)

#if FLOATING
#    define LANE_RELATIONS RELATIONS
#else
#    define LANE_RELATIONS INTEGER_RELATIONS
#endif

/* Compares n lanes. The truth of a lane is stored in the lowest of its bits in the mask; the other bits are 0. */
static ALWAYS_INLINE void compare_lanes(enum mask_storage storage, unsigned outcomes, bool scalar,
                                        const void *a, const void *b, void *mask, size_t n, u64 flip) {
    const size_t lane_bits = storage_lane_bits(storage, sizeof(TYPE));
    const u8 *pa = a, *pb = b;
    u8 *out = mask;
    TYPE first; /* loaded before any store: the mask may start at the scalar */
    memcpy(&first, pb, sizeof first);
    for (size_t i = 0; i < n; ++i) {
        const size_t at = i * lane_bits;
        TYPE x, y = first;
        memcpy(&x, pa + i * sizeof x, sizeof x);
        if (!scalar) memcpy(&y, pb + i * sizeof y, sizeof y);
        bool truth = (RELATE(x, y) & outcomes) != 0;
        if (at % 8 == 0) out[at / 8] = 0;
        out[at / 8] |= (u8)((truth ^ (flip & 1)) << at % 8);
    }
}

#define VV(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        compare_lanes(MASK_AS_##storage, outcomes, false, a, b, mask, n, flip);                              \
        return PTO_OK;                                                                                       \
    }
#define VS(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vs_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        compare_lanes(MASK_AS_##storage, outcomes, true, a, b, mask, n, flip);                               \
        return PTO_OK;                                                                                       \
    }
LANE_RELATIONS(VV, VV, BITS)
LANE_RELATIONS(VS, VS, BITS)
LANE_RELATIONS(VV, VV, BYTES)
LANE_RELATIONS(VS, VS, BYTES)
LANE_RELATIONS(VV, VV, IMAGE)
LANE_RELATIONS(VS, VS, IMAGE)
#undef VV
#undef VS

static ALWAYS_INLINE void choose_lanes(unsigned outcomes, const struct sources *c, void *dst, size_t n) {
    u8 *out = dst;
    for (size_t i = 0; i < n; ++i) {
        TYPE x, y, u, v;
        memcpy(&x, (const u8 *)c->in[0] + (is_scalar(c, 0) ? 0 : i) * sizeof x, sizeof x);
        memcpy(&y, (const u8 *)c->in[1] + (is_scalar(c, 1) ? 0 : i) * sizeof y, sizeof y);
        memcpy(&u, (const u8 *)c->in[2] + (is_scalar(c, 2) ? 0 : i) * sizeof u, sizeof u);
        memcpy(&v, (const u8 *)c->in[3] + (is_scalar(c, 3) ? 0 : i) * sizeof v, sizeof v);
        if ((RELATE(x, y) & outcomes) == 0) u = v;
        memcpy(out + i * sizeof u, &u, sizeof u);
    }
}

#define CHOOSE(context, r, outcomes, mirror)                                                                 \
    static void NAME(choose_##r##_)(const struct sources *c, void *dst, size_t n) {                          \
        choose_lanes(outcomes, c, dst, n);                                                                   \
    }
#define NOTHING(context, r, outcomes, mirror)
LANE_RELATIONS(CHOOSE, NOTHING, )
#undef CHOOSE

#define CHOOSE(context, r, outcomes, mirror) [RELATION_##r] = NAME(choose_##r##_),
const struct choose_kernels NAME(pto_choose_) = {{LANE_RELATIONS(CHOOSE, NOTHING, )}};
#undef CHOOSE
#undef NOTHING

#define IMAGE_STORAGE IMAGE
const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef IMAGE_STORAGE
#undef LANE_RELATIONS
#undef compare_lanes
#undef choose_lanes
#undef LANE
#undef TYPE
#undef RELATE
#undef FLOATING
