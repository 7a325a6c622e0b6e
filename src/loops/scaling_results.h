/* SPDX-License-Identifier: MIT */
/* Fills the table of e2m1 results that scaling_look_up.h reads, using the general loops. Part of scaling.h. */

typedef u8 byte_vector __attribute__((vector_size(VBYTES)));

/* Returns whether the table has the results of all these scales. Whole vectors of scales are accumulated and
 * compared once. */
static bool has_results_of(const u8 *scales, size_t count, const struct scaling_results *results) {
    const u8 first = (u8)results->first;
    const u32v most = v_const_32((u32)(results->end - results->first - 1) * 0x01010101);
    u32v out_of_range = v_const_32(0);
    if (results->first == results->end) return false;
    for (; count >= VBYTES; count -= VBYTES, scales += VBYTES) {
        const u32v above = (u32v)((byte_vector)v_load_32(scales, 4, false) - first);
        out_of_range |= v_min_u8(above, most) ^ above;
    }
    for (size_t i = 0; i < count; ++i)
        if (scales[i] < results->first || scales[i] >= results->end) return false;
    return !v_any_32(v_gt_u32(out_of_range, v_const_32(0)));
}

enum { SCALES_AT_ONCE = 16 };

/* Adds the results of the scales from `first` to `end` - 1. `first` and `end` are multiples of SCALES_AT_ONCE. */
static void add_results(const struct scaling *s, size_t first, size_t end, struct scaling_results *results) {
    static const u16 values[RESULTS_PER_SCALE] = {0,      0x3800, 0x3c00, 0x3e00, 0x4000, 0x4200,
                                                  0x4400, 0x4600, 0x8000, 0xb800, 0xbc00, 0xbe00,
                                                  0xc000, 0xc200, 0xc400, 0xc600}; /* e2m1 as f16 */
    const size_t bytes = bytes_of_results(s->type);
    struct scaling unstreamed = *s;
    u16 halves[SCALES_AT_ONCE * RESULTS_PER_SCALE];
    float factors[SCALES_AT_ONCE + VLANES_32];
    u8 scales[SCALES_AT_ONCE], plain[sizeof(float) * SCALES_AT_ONCE * RESULTS_PER_SCALE];
    unstreamed.stream = false;
    for (size_t k = 0; k < SCALES_AT_ONCE; ++k) memcpy(halves + k * RESULTS_PER_SCALE, values, sizeof values);
    for (; first < end; first += SCALES_AT_ONCE) {
        u8 *const row = results->bytes + first % result_capacity(s->type) * bytes;
        for (size_t k = 0; k < SCALES_AT_ONCE; ++k) scales[k] = (u8)(first + k);
        find_dequantize_factors(s, scales, SCALES_AT_ONCE, factors);
        dequantize_f16(&unstreamed, halves, factors, RESULTS_PER_SCALE, plain,
                       (size_t)SCALES_AT_ONCE * RESULTS_PER_SCALE);
        for (size_t k = 0; k < SCALES_AT_ONCE; ++k) {
            if (s->type == PTO_F32)
                memcpy(row + k * bytes, plain + k * bytes, bytes);
            else
                v_arrange_halves(plain + k * bytes, row + k * bytes);
        }
    }
}

/* Extends the range from *first to *end - 1, so that it contains all these scales. */
static void extend_range(const u8 *scales, size_t count, size_t *first, size_t *end) {
    u32v least = v_const_32(~(u32)0), least_of_not = least;
    u8 ends[2][VBYTES];
    for (; count >= VBYTES; count -= VBYTES, scales += VBYTES) {
        const u32v x = v_load_32(scales, 4, false);
        least = v_min_u8(least, x);
        least_of_not = v_min_u8(least_of_not, ~x);
    }
    v_store_32(ends[0], least, 4);
    v_store_32(ends[1], ~least_of_not, 4);
    for (size_t i = 0; i < VBYTES; ++i) {
        *first = min_size(*first, ends[0][i]);
        *end = ends[1][i] < *end ? *end : ends[1][i] + (size_t)1;
    }
    for (size_t i = 0; i < count; ++i) {
        *first = min_size(*first, scales[i]);
        *end = scales[i] < *end ? *end : scales[i] + (size_t)1;
    }
}

/* Extends the range like extend_range(), and then to multiples of SCALES_AT_ONCE: neighbouring scales are likely
 * to occur later, and adding them now costs little. */
static void extend_range_to_multiples(const u8 *scales, size_t count, size_t *first, size_t *end) {
    extend_range(scales, count, first, end);
    *first = *first / SCALES_AT_ONCE * SCALES_AT_ONCE;
    *end = (*end + SCALES_AT_ONCE - 1) / SCALES_AT_ONCE * SCALES_AT_ONCE;
}

/* Sets *first and *end to the range of scales whose results are in the table. If there are none, the range is
 * empty and starts at the first of `scales`. */
static void range_of_table(const u8 *scales, const struct scaling_results *results, size_t *first,
                           size_t *end) {
    const bool none = results->first == results->end;
    *first = none ? scales[0] : results->first;
    *end = none ? scales[0] : results->end;
}

static bool tabulate(const struct scaling *s, const u8 *scales, size_t count,
                     struct scaling_results *results) {
    size_t first, end;
    if (has_results_of(scales, count, results)) return true;
    range_of_table(scales, results, &first, &end);
    extend_range_to_multiples(scales, count, &first, &end);
    if (end - first > result_capacity(s->type)) {
        /* These scales are too far from those in the table: start a new one. */
        results->first = results->end = 0;
        range_of_table(scales, results, &first, &end);
        extend_range_to_multiples(scales, count, &first, &end);
        if (end - first > result_capacity(s->type)) return false;
    }
    if (end - first - (results->end - results->first) > 2 * count) return false;
    if (results->first == results->end) results->first = results->end = first;
    add_results(s, first, results->first, results);
    add_results(s, results->end, end, results);
    results->first = first;
    results->end = end;
    return true;
}
