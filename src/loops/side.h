/* SPDX-License-Identifier: MIT */
/* A source of a selection: an array, or one element spread over SPREAD_LANES lanes. To be included after a vec.h. */
#ifndef PTO_LOOPS_SIDE_H
#define PTO_LOOPS_SIDE_H

struct side {
    const u8 *p;
    bool moves; /* an array; a constant wherever there is a loop */
    vec same;   /* if it is not: what is everywhere */
};

static ALWAYS_INLINE struct side side_of(const void *p, bool moves) {
    struct side s;
    s.p = p;
    s.moves = moves;
    s.same = moves ? v_zero() : v_load(p);
    return s;
}

static ALWAYS_INLINE const u8 *side_at(struct side s, size_t at) {
    return s.moves ? s.p + at : s.p;
}

/* The vector `ahead` bytes behind a place. */
static ALWAYS_INLINE vec side_vector(struct side s, size_t at, size_t ahead) {
    return s.moves ? v_load(s.p + at + ahead) : s.same;
}

#endif
