/* SPDX-License-Identifier: MIT */
/* A source of a selection: an array, or one element that is broadcast. Include after a vec.h. */
#ifndef PTO_LOOPS_SIDE_H
#define PTO_LOOPS_SIDE_H

struct side {
    const u8 *p;
    bool moves; /* true for an array; a compile-time constant in every loop */
    vec same;   /* for one element: the vector with this element in every lane */
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

/* Returns the vector at byte offset `at` + `ahead`. */
static ALWAYS_INLINE vec side_vector(struct side s, size_t at, size_t ahead) {
    return s.moves ? v_load(s.p + at + ahead) : s.same;
}

#endif
