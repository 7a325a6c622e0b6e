/* SPDX-License-Identifier: MIT */
/*
 * Select and fill kernels for one element width, written once against the vocabulary of an ISA's vec.h.
 * Include with WIDTH  8, 16, 32, 64 and ISA defined. Leaves select_WIDTH_ISA, select_by_bytes_WIDTH_ISA,
 * select_by_image_WIDTH_ISA (but for 8) and fill_WIDTH_ISA.
 */
#define NAME(prefix)  CAT3(prefix, WIDTH, CAT(_, ISA))
#define W(prefix)     CAT(prefix, WIDTH)
#define LANES         W(VLANES_)
#define ELEMENT_BYTES ((size_t)WIDTH / 8)

/* 64 lanes. */
static ALWAYS_INLINE void NAME(select_word_)(const u8 *x, const u8 *y, u64 word, u8 *out, bool stream) {
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) {
        const size_t at = i * VBYTES;
        const vec chosen = W(v_sel_)(W(m_from_bits_)(word, i), v_load(x + at), v_load(y + at));
        if (stream)
            v_stream(out + at, chosen);
        else
            v_store(out + at, chosen);
    }
}

/* Up to 64 lanes. */
static ALWAYS_INLINE void NAME(select_some_)(const u8 *x, const u8 *y, u64 word, u8 *out, size_t n) {
    for (size_t i = 0; i < n; i += LANES) {
        const size_t lanes = min_size(n - i, LANES), at = i * ELEMENT_BYTES;
        const vec vx = W(v_load_n_)(x + at, lanes), vy = W(v_load_n_)(y + at, lanes);
        W(v_store_n_)(out + at, W(v_sel_)(W(m_from_bits_)(word >> i, 0), vx, vy), lanes);
    }
}

/* The lanes before the first line go the ordinary way, so words of the mask may begin within a byte. */
static void NAME(select_streaming_)(const u8 *x, const u8 *y, const u8 *bits, u8 *out, size_t n) {
    const size_t head = stream_head(out) / ELEMENT_BYTES, words = (n - head) / 64;
    size_t at = head * ELEMENT_BYTES;
    NAME(select_some_)(x, y, bits_at(bits, 0, head), out, head);
    for (size_t w = 0; w < words; ++w, at += 64 * ELEMENT_BYTES)
        NAME(select_word_)(x + at, y + at, bits_at(bits, head + w * 64, 64), out + at, true);
    v_stream_end();
    n -= head + words * 64;
    if (n != 0) NAME(select_some_)(x + at, y + at, bits_at(bits, head + words * 64, n), out + at, n);
}

static void NAME(select_)(const void *x, const void *y, const void *bits, void *dst, size_t n) {
    const u8 *px = x, *py = y, *in = bits;
    u8 *out = dst;
    const size_t words = n / 64, rest = n % 64, word_bytes = 64 * ELEMENT_BYTES;
    if (stream_pays(dst, ELEMENT_BYTES, n) && dst != x && dst != y) {
        NAME(select_streaming_)(px, py, in, out, n);
        return;
    }
#if WIDTH <= 16
    UNROLL_4 /* the others have many vectors to a word */
#endif
        for (size_t w = 0; w < words; ++w) NAME(select_word_)(
            px + w * word_bytes, py + w * word_bytes, load64(in + 8 * w), out + w * word_bytes, false);
    if (rest == 0) return;
    NAME(select_some_)
    (px + words * word_bytes, py + words * word_bytes, load_bytes(in + 8 * words, (rest + 7) / 8),
     out + words * word_bytes, rest);
}

/* ---- by a mask of bytes or an image, lane_bits for each lane ---- */

static ALWAYS_INLINE vec NAME(pick_)(enum mask_form form, const u8 *mask, vec x, vec y) {
#if WIDTH != 8
    if (form == AS_IMAGE) return W(v_sel_)(W(m_from_image_)(mask), x, y);
#endif
    (void)form;
    return W(v_sel_)(W(m_off_bytes_)(mask), y, x);
}

/* Less than a vector. */
static ALWAYS_INLINE void NAME(pick_some_)(enum mask_form form, size_t lane_bits, const u8 *x, const u8 *y,
                                           const u8 *mask, u8 *out, size_t n) {
    u8 on[LANES] = {0};
    if (n == 0) return;
    memcpy(on, mask, (n * lane_bits + 7) / 8);
    W(v_store_n_)(out, NAME(pick_)(form, on, W(v_load_n_)(x, n), W(v_load_n_)(y, n)), n);
}

static ALWAYS_INLINE void NAME(pick_many_)(enum mask_form form, size_t lane_bits, const u8 *x, const u8 *y,
                                           const u8 *mask, u8 *out, size_t n, bool stream) {
    size_t at = 0;
    UNROLL_4
    for (size_t vectors = n / LANES; vectors != 0; --vectors) {
        const vec picked = NAME(pick_)(form, mask, v_load(x + at), v_load(y + at));
        if (stream)
            v_stream(out + at, picked);
        else
            v_store(out + at, picked);
        at += VBYTES;
        mask += LANES * lane_bits / 8;
    }
    if (stream) v_stream_end();
    NAME(pick_some_)(form, lane_bits, x + at, y + at, mask, out + at, n % LANES);
}

/* A head that ends within a byte of the mask is not worth a shift of all that follows: it is not streamed. */
static ALWAYS_INLINE void NAME(select_by_)(enum mask_form form, size_t lane_bits, const void *x,
                                           const void *y, const void *mask, void *dst, size_t n) {
    const u8 *px = x, *py = y, *pm = mask;
    u8 *out = dst;
    const size_t at = stream_head(out), head = at / ELEMENT_BYTES, head_bits = head * lane_bits;
    if (stream_pays(dst, ELEMENT_BYTES, n) && dst != x && dst != y && head_bits % 8 == 0) {
        NAME(pick_some_)(form, lane_bits, px, py, pm, out, head);
        NAME(pick_many_)(form, lane_bits, px + at, py + at, pm + head_bits / 8, out + at, n - head, true);
    } else
        NAME(pick_many_)(form, lane_bits, px, py, pm, out, n, false);
}

static void NAME(select_by_bytes_)(const void *x, const void *y, const void *bytes, void *dst, size_t n) {
    NAME(select_by_)(AS_BYTES, 8, x, y, bytes, dst, n);
}

#if WIDTH != 8
static void NAME(select_by_image_)(const void *x, const void *y, const void *image, void *dst, size_t n) {
    NAME(select_by_)(AS_IMAGE, ELEMENT_BYTES, x, y, image, dst, n);
}
#endif

static void NAME(fill_)(const void *scalar, void *dst, size_t n) {
    u8 *out = dst;
    vec s = W(v_set1_)(scalar);
    for (; n >= LANES; n -= LANES) {
        v_store(out, s);
        out += VBYTES;
    }
    if (n != 0) W(v_store_n_)(out, s, n);
}

#undef NAME
#undef W
#undef LANES
#undef ELEMENT_BYTES
#undef WIDTH
