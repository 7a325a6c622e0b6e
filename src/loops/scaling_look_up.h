/* SPDX-License-Identifier: MIT */
/*
 * Dequantizes codes of e2m1 by table look-up. A one-byte scale has 16 results, which are computed once and then
 * looked up. Uses v_look_up_halves() and v_look_up_singles(), see scaling.h.
 */

static ALWAYS_INLINE size_t bytes_of_results(pto_dtype type) {
    return RESULTS_PER_SCALE * tensor_elem_bytes(type);
}

static ALWAYS_INLINE const u8 *results_of(pto_dtype type, const u8 *results, u8 scale) {
    return results + scale % result_capacity(type) * bytes_of_results(type);
}

static ALWAYS_INLINE void look_up_16(pto_dtype type, const u8 *codes, const u8 *row, u8 *y, bool stream) {
    if (type == PTO_F32)
        v_look_up_singles(codes, row, y, stream);
    else
        v_look_up_halves(codes, row, y, stream);
}

/* Looks up n codes, fewer than 16. */
static ALWAYS_INLINE void look_up_partial(pto_dtype type, const u8 *codes, const u8 *row, u8 *y, size_t n) {
    u8 first[RESULTS_PER_SCALE / 2] = {0}, last[RESULTS_PER_SCALE * 4];
    memcpy(first, codes, (n + 1) / 2);
    look_up_16(type, first, row, last, false);
    memcpy(y, last, n * tensor_elem_bytes(type));
}

static ALWAYS_INLINE void look_up_block(pto_dtype type, const u8 *codes, const u8 *row, size_t block, u8 *y,
                                        bool stream) {
    const size_t bytes = bytes_of_results(type);
    UNROLL for (size_t i = 0; i < block / 16; ++i)
        look_up_16(type, codes + 8 * i, row, y + i * bytes, stream);
}

/* Looks up `blocks` blocks. `block`, their size, is a compile-time constant. */
static ALWAYS_INLINE void look_up_blocks(pto_dtype type, const u8 *codes, const u8 *scales, const u8 *results,
                                         size_t block, u8 *y, size_t blocks, bool stream) {
    const size_t in = block / 2, out = block * tensor_elem_bytes(type);
    for (; blocks >= 4; blocks -= 4, codes += 4 * in, scales += 4, y += 4 * out) UNROLL
    for (size_t k = 0; k < 4; ++k)
        look_up_block(type, codes + k * in, results_of(type, results, scales[k]), block, y + k * out, stream);
    for (size_t k = 0; k < blocks; ++k)
        look_up_block(type, codes + k * in, results_of(type, results, scales[k]), block, y + k * out, stream);
}

static ALWAYS_INLINE void look_up_all(pto_dtype type, const u8 *codes, const u8 *scales, const u8 *results,
                                      size_t block, u8 *y, size_t n, bool stream) {
    const size_t size = tensor_elem_bytes(type);
    size_t i = 0;
    if (block == 16 || block == 32) {
        if (block == 16)
            look_up_blocks(type, codes, scales, results, 16, y, n / 16, stream);
        else
            look_up_blocks(type, codes, scales, results, 32, y, n / 32, stream);
        i = n / block * block;
    }
    for (; n - i >= 16; i += 16)
        look_up_16(type, codes + i / 2, results_of(type, results, scales[i / block]), y + i * size, stream);
    if (i < n)
        look_up_partial(type, codes + i / 2, results_of(type, results, scales[i / block]), y + i * size,
                        n - i);
}

static void look_up(const struct scaling *s, const u8 *codes, const u8 *scales,
                    const struct scaling_results *results, size_t block, u8 *y, size_t n) {
    const bool stream = s->stream && (uintptr_t)y % VBYTES == 0;
    if (s->type == PTO_F32)
        look_up_all(PTO_F32, codes, scales, results->bytes, block, y, n, stream);
    else
        look_up_all(PTO_BF16, codes, scales, results->bytes, block, y, n, stream);
}
