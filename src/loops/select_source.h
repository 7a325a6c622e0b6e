/* SPDX-License-Identifier: MIT */
/* A source of a selection: an array, or one element that is broadcast. Include after a vec.h. */
#ifndef PTO_LOOPS_SELECT_SOURCE_H
#define PTO_LOOPS_SELECT_SOURCE_H

struct select_source {
    const u8 *p;
    bool is_array; /* true for an array; a compile-time constant in every loop */
    vec broadcast; /* for one element: the vector with this element in every lane */
};

static ALWAYS_INLINE struct select_source make_source(const void *p, bool is_array) {
    struct select_source s;
    s.p = p;
    s.is_array = is_array;
    s.broadcast = is_array ? v_zero() : v_load(p);
    return s;
}

static ALWAYS_INLINE const u8 *source_at(struct select_source s, size_t at) {
    return s.is_array ? s.p + at : s.p;
}

/* Returns the vector at byte offset `at` + `ahead`. */
static ALWAYS_INLINE vec source_vector(struct select_source s, size_t at, size_t ahead) {
    return s.is_array ? v_load(s.p + at + ahead) : s.broadcast;
}

#endif
