/* SPDX-License-Identifier: MIT */
/*
 * Compare and choose kernels for one lane type, for vectors whose length is known only at run time.
 * scalar/lanes.h includes this file and defines LANE, TYPE, RELATE and FLOATING.
 */
#define NAME(prefix)  CAT3(prefix, LANE, CAT(_, ISA))
#define relate        NAME(relate_)
#define compare       NAME(compare_)
#define choose_vector NAME(choose_vector_)

#if FLOATING
#    define LANE_RELATIONS RELATIONS
#else
#    define LANE_RELATIONS INTEGER_RELATIONS
#endif

/* Returns the lanes of `p` in which the relation between x and y is one of `outcomes`. Other lanes are false. */
static predicate relate(unsigned outcomes, const predicate *p, const vector *x, const vector *y) {
    predicate truth = {{false}};
    for (size_t k = 0; k < vector_lanes(sizeof(TYPE)); ++k) {
        TYPE a, b;
        memcpy(&a, x->byte + k * sizeof a, sizeof a);
        memcpy(&b, y->byte + k * sizeof b, sizeof b);
        truth.lane[k] = p->lane[k] && (RELATE(a, b) & outcomes) != 0;
    }
    return truth;
}

static pto_status compare(enum mask_storage storage, unsigned outcomes, bool scalar, const u8 *a, const u8 *b,
                          u8 *mask, size_t n, u64 flip) {
    const size_t lane_bits = storage_lane_bits(storage, sizeof(TYPE));
    const size_t lanes = vector_lanes(sizeof(TYPE));
    vector y = broadcast_element(b, sizeof(TYPE)); /* loaded first: the mask may start at the scalar */
    for (size_t i = 0; i < n; i += lanes) {
        const predicate p = while_less(i, n, lanes);
        const vector x = load_lanes(&p, a + i * sizeof(TYPE), sizeof(TYPE));
        predicate truth;
        if (!scalar) y = load_lanes(&p, b + i * sizeof(TYPE), sizeof(TYPE));
        truth = relate(outcomes, &p, &x, &y);
        for (size_t k = 0; k < lanes; ++k) truth.lane[k] ^= (bool)(flip & 1);
        store_mask_lanes(&p, &truth, mask, i, lane_bits, lanes);
    }
    return PTO_OK;
}

#define VV(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return compare(MASK_AS_##storage, outcomes, false, a, b, mask, n, flip);                             \
    }
#define VS(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vs_##r##_##storage##_)(const void *a, const void *s, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return compare(MASK_AS_##storage, outcomes, true, a, s, mask, n, flip);                              \
    }
LANE_RELATIONS(VV, VV, BITS)
LANE_RELATIONS(VS, VS, BITS)
LANE_RELATIONS(VV, VV, BYTES)
LANE_RELATIONS(VS, VS, BYTES)
LANE_RELATIONS(VV, VV, IMAGE)
LANE_RELATIONS(VS, VS, IMAGE)
#undef VV
#undef VS

static void choose_vector(unsigned outcomes, const struct sources *c, u8 *dst, size_t n) {
    const size_t lanes = vector_lanes(sizeof(TYPE));
    for (size_t i = 0; i < n; i += lanes) {
        const predicate p = while_less(i, n, lanes);
        predicate truth;
        vector in[4];
        for (size_t k = 0; k < 4; ++k) {
            const u8 *from = c->in[k];
            in[k] = is_scalar(c, k) ? broadcast_element(from, sizeof(TYPE))
                                    : load_lanes(&p, from + i * sizeof(TYPE), sizeof(TYPE));
        }
        truth = relate(outcomes, &p, &in[0], &in[1]);
        choose_lanes(&truth, &in[2], &in[3], sizeof(TYPE));
        store_lanes(&p, dst + i * sizeof(TYPE), &in[2], sizeof(TYPE));
    }
}

#define CHOOSE(context, r, outcomes, mirror)                                                                 \
    static void NAME(choose_##r##_)(const struct sources *c, void *dst, size_t n) {                          \
        choose_vector(outcomes, c, dst, n);                                                                  \
    }
#define NOTHING(context, r, outcomes, mirror)
LANE_RELATIONS(CHOOSE, NOTHING, )
#undef CHOOSE

#define CHOOSE(context, r, outcomes, mirror) [RELATION_##r] = NAME(choose_##r##_),
static const struct choose_kernels NAME(pto_choose_) = {{LANE_RELATIONS(CHOOSE, NOTHING, )}};
#undef CHOOSE
#undef NOTHING

#define IMAGE_STORAGE IMAGE
static const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef relate
#undef compare
#undef choose_vector
#undef LANE_RELATIONS
#undef IMAGE_STORAGE
#undef LANE
#undef TYPE
#undef RELATE
#undef FLOATING
