/* SPDX-License-Identifier: MIT */
/*
 * The select kernels of one element width, for vectors whose length is known only at run time. The select.h of SVE and
 * RVV include this file. They define NAME, struct select_sources, and select_as(), which is the loop of all selections.
 */

/* Each combination of arrays and scalars has a loop of its own, in which s.scalars is a constant. */
static ALWAYS_INLINE void selects_as(enum mask_storage storage, const struct sources *c, const u8 *mask,
                                     u8 *dst, size_t n) {
    switch (c->scalars) {
    case 0: select_as(storage, (struct select_sources){c->in[0], c->in[1], 0}, mask, dst, n); break;
    case 1: select_as(storage, (struct select_sources){c->in[0], c->in[1], 1}, mask, dst, n); break;
    case 2: select_as(storage, (struct select_sources){c->in[0], c->in[1], 2}, mask, dst, n); break;
    default: select_as(storage, (struct select_sources){c->in[0], c->in[1], 3}, mask, dst, n); break;
    }
}

#define SELECT(name, storage)                                                                                \
    static void NAME(select##name)(const void *x, const void *y, const void *mask, void *dst, size_t n) {    \
        select_as(storage, (struct select_sources){x, y, 0}, mask, dst, n);                                  \
    }                                                                                                        \
    static void NAME(selects##name)(const struct sources *c, const void *mask, void *dst, size_t n) {        \
        selects_as(storage, c, mask, dst, n);                                                                \
    }
SELECT(_, MASK_AS_BITS)
SELECT(_by_bytes_, MASK_AS_BYTES)
#if WIDTH != 8
SELECT(_by_image_, MASK_AS_IMAGE)
#endif
#undef SELECT
