/* SPDX-License-Identifier: MIT */
/* Select and fill kernels, by vectors of any length. ISA must be defined. */
#define NAME(name) CAT3(name, _, ISA)

/* A lane of the mask has lane_bits bits, and is on where one of those in lane_on is. */
static void NAME(select_by)(size_t lane_bits, u8 lane_on, const u8 *x, const u8 *y, const u8 *mask, u8 *dst,
                            size_t n, size_t element_bytes) {
    const size_t lanes = vector_lanes(element_bytes);
    for (size_t i = 0; i < n; i += lanes) {
        const predicate p = while_less(i, n, lanes), on = load_truth(&p, mask, i, lane_bits, lane_on, lanes);
        vector chosen = load_lanes(&p, x + i * element_bytes, element_bytes);
        const vector other = load_lanes(&p, y + i * element_bytes, element_bytes);
        choose_lanes(&on, &chosen, &other, element_bytes);
        store_lanes(&p, dst + i * element_bytes, &chosen, element_bytes);
    }
}

#define SELECT(name, width, lane_bits, lane_on)                                                              \
    static void NAME(name)(const void *x, const void *y, const void *mask, void *dst, size_t n) {            \
        NAME(select_by)(lane_bits, lane_on, x, y, mask, dst, n, (width) / 8);                                \
    }
SELECT(select_8, 8, 1, 1)
SELECT(select_16, 16, 1, 1)
SELECT(select_32, 32, 1, 1)
SELECT(select_64, 64, 1, 1)
SELECT(select_by_bytes_8, 8, 8, 0xff)
SELECT(select_by_bytes_16, 16, 8, 0xff)
SELECT(select_by_bytes_32, 32, 8, 0xff)
SELECT(select_by_bytes_64, 64, 8, 0xff)
SELECT(select_by_image_16, 16, 2, 1)
SELECT(select_by_image_32, 32, 4, 1)
SELECT(select_by_image_64, 64, 8, 1)
#undef SELECT

static void NAME(fill)(const u8 *element, u8 *dst, size_t n, size_t element_bytes) {
    const size_t lanes = vector_lanes(element_bytes);
    const vector x = spread_element(element, element_bytes);
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
