/* SPDX-License-Identifier: MIT */
/* Select and fill kernels for vectors whose length is known only at run time. ISA must be defined. */
#define NAME(name) CAT3(name, _, ISA)

/* Returns the vector of operand k that starts at lane i. Only the lanes of an array that are active in `p` are
 * read. */
static vector NAME(load_source)(const struct sources *c, size_t k, const predicate *p, size_t i,
                                size_t element_bytes) {
    const u8 *from = c->in[k];
    return is_scalar(c, k) ? broadcast_element(from, element_bytes)
                           : load_lanes(p, from + i * element_bytes, element_bytes);
}

/* Selects by a mask with `lane_bits` bits per lane. A lane is true if any of its bits in `lane_on` is 1. */
static void NAME(select_by)(size_t lane_bits, u8 lane_on, const struct sources *c, const u8 *mask, u8 *dst,
                            size_t n, size_t element_bytes) {
    const size_t lanes = vector_lanes(element_bytes);
    for (size_t i = 0; i < n; i += lanes) {
        const predicate p = while_less(i, n, lanes),
                        on = load_mask_lanes(&p, mask, i, lane_bits, lane_on, lanes);
        vector chosen = NAME(load_source)(c, 0, &p, i, element_bytes);
        const vector other = NAME(load_source)(c, 1, &p, i, element_bytes);
        choose_lanes(&on, &chosen, &other, element_bytes);
        store_lanes(&p, dst + i * element_bytes, &chosen, element_bytes);
    }
}

#define SELECT(name, width, lane_bits, lane_on)                                                              \
    static void NAME(select##name)(const void *x, const void *y, const void *mask, void *dst, size_t n) {    \
        const struct sources c = {{x, y, NULL, NULL}, 0};                                                    \
        NAME(select_by)(lane_bits, lane_on, &c, mask, dst, n, (width) / 8);                                  \
    }                                                                                                        \
    static void NAME(selects##name)(const struct sources *c, const void *mask, void *dst, size_t n) {        \
        NAME(select_by)(lane_bits, lane_on, c, mask, dst, n, (width) / 8);                                   \
    }
SELECT(_8, 8, 1, 1)
SELECT(_16, 16, 1, 1)
SELECT(_32, 32, 1, 1)
SELECT(_64, 64, 1, 1)
SELECT(_by_bytes_8, 8, 8, 0xff)
SELECT(_by_bytes_16, 16, 8, 0xff)
SELECT(_by_bytes_32, 32, 8, 0xff)
SELECT(_by_bytes_64, 64, 8, 0xff)
SELECT(_by_image_16, 16, 2, 1)
SELECT(_by_image_32, 32, 4, 1)
SELECT(_by_image_64, 64, 8, 1)
#undef SELECT

static void NAME(fill)(const u8 *element, u8 *dst, size_t n, size_t element_bytes) {
    const size_t lanes = vector_lanes(element_bytes);
    const vector x = broadcast_element(element, element_bytes);
    for (size_t i = 0; i < n; i += lanes) {
        const predicate p = while_less(i, n, lanes);
        store_lanes(&p, dst + i * element_bytes, &x, element_bytes);
    }
}

#define FILL(name, width)                                                                                    \
    static void NAME(name)(const void *scalar, void *dst, size_t n) {                                        \
        NAME(fill)(scalar, dst, n, (width) / 8);                                                             \
    }
FILL(fill_8, 8)
FILL(fill_16, 16)
FILL(fill_32, 32)
FILL(fill_64, 64)
#undef FILL

#undef NAME
