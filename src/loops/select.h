/* SPDX-License-Identifier: MIT */
/*
 * Select and fill kernels for one element width, written in the vocabulary of an ISA's vec.h. Include with
 * WIDTH (8, 16, 32 or 64) and ISA defined. Defines select_WIDTH_ISA, select_by_bytes_WIDTH_ISA,
 * select_by_image_WIDTH_ISA (not for 8); the same names with selects, whose sources may be scalars; and
 * fill_WIDTH_ISA.
 */
#ifndef PTO_LOOPS_SELECT_H
#    define PTO_LOOPS_SELECT_H

/* A source of a selection: an array, or one element that is broadcast. All widths share it. */
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

/* Short names for this width, so that the code below reads as plain C. */
#define NAME(prefix)       CAT3(prefix, WIDTH, CAT(_, ISA))
#define LANES              CAT(VLANES_, WIDTH)
#define ELEMENT_BYTES      ((size_t)WIDTH / 8)
#define v_sel              CAT(v_sel_, WIDTH)
#define m_from_bits        CAT(m_from_bits_, WIDTH)
#define m_from_image       CAT(m_from_image_, WIDTH)
#define m_zero_bytes       CAT(m_zero_bytes_, WIDTH)
#define v_set1             CAT(v_set1_, WIDTH)
#define select_bits        NAME(select_bits_)
#define select_word        NAME(select_word_)
#define select_few         NAME(select_few_)
#define select_some        NAME(select_some_)
#define select_streaming   NAME(select_streaming_)
#define select_vector      NAME(select_vector_)
#define select_vector_some NAME(select_vector_some_)
#define select_last        NAME(select_last_)
#define select_vectors     NAME(select_vectors_)
#define select_by          NAME(select_by_)
#define selects_by         NAME(selects_by_)

#if WIDTH <= 16
#    define UNROLL_WORDS UNROLL_4 /* wider lanes already have many vectors per word */
#else
#    define UNROLL_WORDS
#endif

/* Selects 64 lanes at byte offset `at`. A source that is one element is the same vector everywhere. */
static ALWAYS_INLINE void select_word(struct select_source x, struct select_source y, size_t at, u64 word,
                                      u8 *out, bool stream) {
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) {
        const size_t ahead = i * VBYTES;
        const vec chosen =
            v_sel(m_from_bits(word, i), source_vector(x, at, ahead), source_vector(y, at, ahead));
        if (stream)
            v_stream(out + at + ahead, chosen);
        else
            v_store(out + at + ahead, chosen);
    }
}

/* Selects 1 to LANES lanes. */
static ALWAYS_INLINE void select_few(const u8 *x, const u8 *y, u64 word, u8 *out, size_t n) {
    const size_t bytes = n * ELEMENT_BYTES;
    const vec vx = v_load_bytes(x, bytes), vy = v_load_bytes(y, bytes);
    v_store_bytes(out, v_sel(m_from_bits(word, 0), vx, vy), bytes);
}

/* Selects n lanes, at most 64. A partial last vector ends with the last lane, so it overlaps the vector before
 * it. It is loaded before that is stored, because dst may be a source. */
static ALWAYS_INLINE void select_some(const u8 *x, const u8 *y, u64 word, u8 *out, size_t n) {
    const size_t last = n - LANES, at_last = last * ELEMENT_BYTES;
    vec chosen;
    if (n < LANES) {
        if (n != 0) select_few(x, y, word, out, n);
        return;
    }
    chosen = v_sel(m_from_bits(word >> last % 64, 0), v_load(x + at_last), v_load(y + at_last));
    for (size_t i = 0; i < last; i += LANES) {
        const size_t at = i * ELEMENT_BYTES;
        v_store(out + at, v_sel(m_from_bits(word >> i, 0), v_load(x + at), v_load(y + at)));
    }
    v_store(out + at_last, chosen);
}

/* Selects with streaming stores. The lanes before the first aligned vector are stored normally, so a word of
 * the mask may start inside a byte. */
static ALWAYS_INLINE void select_streaming(struct select_source x, struct select_source y, const u8 *bits,
                                           u8 *out, size_t n) {
    const size_t head = stream_head(out) / ELEMENT_BYTES, words = (n - head) / 64;
    size_t at = head * ELEMENT_BYTES;
    select_some(x.p, y.p, bits_at(bits, 0, head), out, head);
    for (size_t w = 0; w < words; ++w, at += 64 * ELEMENT_BYTES)
        select_word(x, y, at, bits_at(bits, head + w * 64, 64), out, true);
    v_stream_end();
    n -= head + words * 64;
    if (n != 0)
        select_some(source_at(x, at), source_at(y, at), bits_at(bits, head + words * 64, n), out + at, n);
}

static ALWAYS_INLINE void select_bits(struct select_source x, struct select_source y, const void *bits,
                                      void *dst, size_t n) {
    const u8 *in = bits;
    u8 *out = dst;
    const size_t words = n / 64, rest = n % 64, word_bytes = 64 * ELEMENT_BYTES, at = words * word_bytes;
    if (n <= LANES) { /* handled first, so that the shortest calls save no registers */
        select_few(x.p, y.p, load_bytes(in, (n + 7) / 8), out, n);
        return;
    }
    if (stream_pays(dst, ELEMENT_BYTES, n) && dst != x.p && dst != y.p) {
        select_streaming(x, y, in, out, n);
        return;
    }
    UNROLL_WORDS
    for (size_t w = 0; w < words; ++w) select_word(x, y, w * word_bytes, load64(in + 8 * w), out, false);
    if (rest == 0) return;
    select_some(source_at(x, at), source_at(y, at), load_bytes(in + 8 * words, (rest + 7) / 8), out + at,
                rest);
}

static void NAME(select_)(const void *x, const void *y, const void *bits, void *dst, size_t n) {
    select_bits(make_source(x, true), make_source(y, true), bits, dst, n);
}

/* Runs a separate loop for each combination of arrays and scalars, so that make_source() gets a compile-time
 * constant. */
static void NAME(selects_)(const struct sources *c, const void *bits, void *dst, size_t n) {
    switch (c->scalars) {
    case 0: select_bits(make_source(c->in[0], true), make_source(c->in[1], true), bits, dst, n); break;
    case 1: select_bits(make_source(c->in[0], false), make_source(c->in[1], true), bits, dst, n); break;
    case 2: select_bits(make_source(c->in[0], true), make_source(c->in[1], false), bits, dst, n); break;
    default: select_bits(make_source(c->in[0], false), make_source(c->in[1], false), bits, dst, n); break;
    }
}

/* ---- by a mask of bytes or an image, with lane_bits bits per lane ---- */

static ALWAYS_INLINE vec select_vector(enum mask_storage storage, const u8 *mask, vec x, vec y) {
#if WIDTH != 8
    if (storage == MASK_AS_IMAGE) return v_sel(m_from_image(mask), x, y);
#endif
    (void)storage;
    return v_sel(m_zero_bytes(mask), y, x);
}

/* Selects 1 to LANES lanes. */
static ALWAYS_INLINE void select_vector_some(enum mask_storage storage, size_t lane_bits, const u8 *x,
                                             const u8 *y, const u8 *mask, u8 *out, size_t n) {
    const size_t bytes = n * ELEMENT_BYTES;
    u8 on[VBYTES];
    v_store(on, v_load_bytes(mask, (n * lane_bits + 7) / 8));
    v_store_bytes(out, select_vector(storage, on, v_load_bytes(x, bytes), v_load_bytes(y, bytes)), bytes);
}

/* Selects the last LANES of n lanes and returns them. */
static ALWAYS_INLINE vec select_last(enum mask_storage storage, size_t lane_bits, struct select_source x,
                                     struct select_source y, const u8 *mask, size_t n) {
    const size_t before = n - LANES, at = before * ELEMENT_BYTES;
    const vec vx = source_vector(x, at, 0), vy = source_vector(y, at, 0);
    u8 on[8]; /* enough for the bits of one vector in an image */
    if (storage == MASK_AS_BYTES) return select_vector(storage, mask + before, vx, vy);
    store64(on, bits_at(mask, before * lane_bits, LANES * lane_bits));
    return select_vector(storage, on, vx, vy);
}

/* Selects n lanes, at least LANES, of which the first `at` bytes are done. A partial last vector ends with the
 * last lane, so it overlaps the vector before it. It is computed before any store, because dst may be a source
 * or the mask. */
static ALWAYS_INLINE void select_vectors(enum mask_storage storage, size_t lane_bits, struct select_source x,
                                         struct select_source y, const u8 *mask, u8 *out, size_t at, size_t n,
                                         bool stream) {
    const size_t done = at / ELEMENT_BYTES;
    const bool rest = (n - done) % LANES != 0;
    const vec last = rest ? select_last(storage, lane_bits, x, y, mask, n) : v_zero();
    u8 *const out_last = out + (n - LANES) * ELEMENT_BYTES;
    mask += done * lane_bits / 8;
    UNROLL_4
    for (size_t vectors = (n - done) / LANES; vectors != 0; --vectors) {
        const vec chosen = select_vector(storage, mask, source_vector(x, at, 0), source_vector(y, at, 0));
        if (stream)
            v_stream(out + at, chosen);
        else
            v_store(out + at, chosen);
        at += VBYTES;
        mask += LANES * lane_bits / 8;
    }
    if (stream) v_stream_end();
    if (rest) v_store(out_last, last);
}

/* Selects n lanes. If the head, the lanes before the first aligned vector, ends inside a byte of the mask,
 * normal stores are used: streaming stores would not pay for shifting all the mask after the head. */
static ALWAYS_INLINE void select_by(enum mask_storage storage, size_t lane_bits, struct select_source x,
                                    struct select_source y, const void *mask, void *dst, size_t n) {
    const size_t at = stream_head(dst), head = at / ELEMENT_BYTES;
    if (n < LANES)
        select_vector_some(storage, lane_bits, x.p, y.p, mask, dst, n);
    else if (stream_pays(dst, ELEMENT_BYTES, n) && dst != x.p && dst != y.p && head * lane_bits % 8 == 0) {
        if (head != 0) select_vector_some(storage, lane_bits, x.p, y.p, mask, dst, head);
        select_vectors(storage, lane_bits, x, y, mask, dst, at, n, true);
    } else
        select_vectors(storage, lane_bits, x, y, mask, dst, 0, n, false);
}

static ALWAYS_INLINE void selects_by(enum mask_storage storage, size_t lane_bits, const struct sources *c,
                                     const void *mask, void *dst, size_t n) {
    switch (c->scalars) {
    case 0:
        select_by(storage, lane_bits, make_source(c->in[0], true), make_source(c->in[1], true), mask, dst, n);
        break;
    case 1:
        select_by(storage, lane_bits, make_source(c->in[0], false), make_source(c->in[1], true), mask, dst,
                  n);
        break;
    case 2:
        select_by(storage, lane_bits, make_source(c->in[0], true), make_source(c->in[1], false), mask, dst,
                  n);
        break;
    default:
        select_by(storage, lane_bits, make_source(c->in[0], false), make_source(c->in[1], false), mask, dst,
                  n);
        break;
    }
}

static void NAME(select_by_bytes_)(const void *x, const void *y, const void *bytes, void *dst, size_t n) {
    select_by(MASK_AS_BYTES, 8, make_source(x, true), make_source(y, true), bytes, dst, n);
}

static void NAME(selects_by_bytes_)(const struct sources *c, const void *bytes, void *dst, size_t n) {
    selects_by(MASK_AS_BYTES, 8, c, bytes, dst, n);
}

#if WIDTH != 8
static void NAME(select_by_image_)(const void *x, const void *y, const void *image, void *dst, size_t n) {
    select_by(MASK_AS_IMAGE, ELEMENT_BYTES, make_source(x, true), make_source(y, true), image, dst, n);
}

static void NAME(selects_by_image_)(const struct sources *c, const void *image, void *dst, size_t n) {
    selects_by(MASK_AS_IMAGE, ELEMENT_BYTES, c, image, dst, n);
}
#endif

static void NAME(fill_)(const void *scalar, void *dst, size_t n) {
    u8 *out = dst;
    vec s = v_set1(scalar);
    for (; n >= LANES; n -= LANES) {
        v_store(out, s);
        out += VBYTES;
    }
    if (n != 0) v_store_bytes(out, s, n * ELEMENT_BYTES);
}

#undef NAME
#undef LANES
#undef ELEMENT_BYTES
#undef v_sel
#undef m_from_bits
#undef m_from_image
#undef m_zero_bytes
#undef v_set1
#undef select_bits
#undef select_word
#undef select_few
#undef select_some
#undef select_streaming
#undef select_vector
#undef select_vector_some
#undef select_last
#undef select_vectors
#undef select_by
#undef selects_by
#undef UNROLL_WORDS
#undef WIDTH
