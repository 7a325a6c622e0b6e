/* SPDX-License-Identifier: MIT */
/*
 * Codes of e2m1 on the way back. A scale that is a byte has 16 results, which are computed once by the loops that know
 * everything, and looked up from then on. Part of scaling.h.
 */

typedef u8 scale_vector __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE size_t bytes_of_results(pto_dtype wide) {
    return RESULTS_OF_SCALE * bytes_of_wide(wide);
}

/* Tell by one comparison for all. */
static bool are_known(const u8 *scales, size_t count, const struct scaling_results *results) {
    const u8 first = (u8)results->first;
    const u32v most = v_const_32((u32)(results->end - results->first - 1) * 0x01010101);
    u32v beyond = v_const_32(0);
    if (results->first == results->end) return false;
    for (; count >= VBYTES; count -= VBYTES, scales += VBYTES) {
        const u32v above = (u32v)((scale_vector)v_load_32(scales, 4, false) - first);
        beyond |= v_min_u8(above, most) ^ above;
    }
    for (size_t i = 0; i < count; ++i)
        if (scales[i] < results->first || scales[i] >= results->end) return false;
    return !v_any_32(v_gt_u32(beyond, v_const_32(0)));
}

/* Those of the scales from first to before end. */
static void add_results(const struct scaling *s, size_t first, size_t end, struct scaling_results *results) {
    enum { AT_ONCE = 16 };
    static const u16 values[RESULTS_OF_SCALE] = {0,      0x3800, 0x3c00, 0x3e00, 0x4000, 0x4200,
                                                 0x4400, 0x4600, 0x8000, 0xb800, 0xbc00, 0xbe00,
                                                 0xc000, 0xc200, 0xc400, 0xc600}; /* as f16 */
    const size_t bytes = bytes_of_results(s->wide);
    struct scaling near = *s;
    u16 halves[AT_ONCE * RESULTS_OF_SCALE];
    float factors[AT_ONCE + VLANES_32];
    u8 scales[AT_ONCE];
    near.streams = false;
    for (size_t k = 0; k < AT_ONCE; ++k) memcpy(halves + k * RESULTS_OF_SCALE, values, sizeof values);
    for (; first < end; first += AT_ONCE) {
        const size_t count = min_size(end - first, AT_ONCE);
        u8 *const row = results->of + first * bytes;
        for (size_t k = 0; k < count; ++k) scales[k] = (u8)(first + k);
        find_back(s, scales, count, factors);
        expand(&near, halves, factors, RESULTS_OF_SCALE, row, count * RESULTS_OF_SCALE);
        for (size_t k = 0; bytes_of_wide(s->wide) == 2 && k < count; ++k) v_arrange_halves(row + k * bytes);
    }
}

/* A scale costs about as much as a block. */
static bool tabulate(const struct scaling *s, const u8 *scales, size_t count,
                     struct scaling_results *results) {
    size_t first = results->first, end = results->end;
    if (are_known(scales, count, results)) return true;
    if (first == end) first = end = scales[0];
    for (size_t i = 0; i < count; ++i) {
        first = min_size(first, scales[i]);
        end = scales[i] < end ? end : scales[i] + (size_t)1;
    }
    if (end - first - (results->end - results->first) > count) return false;
    if (results->first == results->end) results->first = results->end = first;
    add_results(s, first, results->first, results);
    add_results(s, results->end, end, results);
    results->first = first;
    results->end = end;
    return true;
}

static ALWAYS_INLINE void look_up_16(pto_dtype wide, const u8 *codes, const u8 *row, u8 *y, bool stream) {
    if (wide == PTO_F32)
        v_look_up_singles(codes, row, y, stream);
    else
        v_look_up_halves(codes, row, y, stream);
}

/* Fewer than 16. */
static ALWAYS_INLINE void look_up_some(pto_dtype wide, const u8 *codes, const u8 *row, u8 *y, size_t n) {
    u8 first[RESULTS_OF_SCALE / 2] = {0}, last[RESULTS_OF_SCALE * 4];
    memcpy(first, codes, (n + 1) / 2);
    look_up_16(wide, first, row, last, false);
    memcpy(y, last, n * bytes_of_wide(wide));
}

static ALWAYS_INLINE void look_up_block(pto_dtype wide, const u8 *codes, const u8 *row, size_t block, u8 *y,
                                        bool stream) {
    const size_t bytes = bytes_of_results(wide);
    UNROLL for (size_t i = 0; i < block / 16; ++i)
        look_up_16(wide, codes + 8 * i, row, y + i * bytes, stream);
}

/* So many blocks of a constant size. */
static ALWAYS_INLINE void look_up_blocks(pto_dtype wide, const u8 *codes, const u8 *scales, const u8 *results,
                                         size_t block, u8 *y, size_t blocks, bool stream) {
    const size_t in = block / 2, out = block * bytes_of_wide(wide), row = bytes_of_results(wide);
    for (; blocks >= 4; blocks -= 4, codes += 4 * in, scales += 4, y += 4 * out) UNROLL
    for (size_t k = 0; k < 4; ++k)
        look_up_block(wide, codes + k * in, results + scales[k] * row, block, y + k * out, stream);
    for (size_t k = 0; k < blocks; ++k)
        look_up_block(wide, codes + k * in, results + scales[k] * row, block, y + k * out, stream);
}

static ALWAYS_INLINE void look_up_all(pto_dtype wide, const u8 *codes, const u8 *scales, const u8 *results,
                                      size_t block, u8 *y, size_t n, bool stream) {
    const size_t size = bytes_of_wide(wide);
    size_t i = 0;
    if (block == 16 || block == 32) {
        if (block == 16)
            look_up_blocks(wide, codes, scales, results, 16, y, n / 16, stream);
        else
            look_up_blocks(wide, codes, scales, results, 32, y, n / 32, stream);
        i = n / block * block;
    }
    for (; n - i >= 16; i += 16)
        look_up_16(wide, codes + i / 2, results + scales[i / block] * bytes_of_results(wide), y + i * size,
                   stream);
    if (i < n)
        look_up_some(wide, codes + i / 2, results + scales[i / block] * bytes_of_results(wide), y + i * size,
                     n - i);
}

static void look_up(const struct scaling *s, const u8 *codes, const u8 *scales,
                    const struct scaling_results *results, size_t block, u8 *y, size_t n) {
    const bool stream = s->streams && (uintptr_t)y % VBYTES == 0;
    if (s->wide == PTO_F32)
        look_up_all(PTO_F32, codes, scales, results->of, block, y, n, stream);
    else
        look_up_all(PTO_BF16, codes, scales, results->of, block, y, n, stream);
}
