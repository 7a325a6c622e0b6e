/* SPDX-License-Identifier: MIT */
/* The classify kernel of elements of WIDTH bits. Part of classify.h. */
#define unsigned_lanes  CAT(class_lanes_, WIDTH)
#define vmask           CAT(vmask_, WIDTH)
#define LANES           CAT(VLANES_, WIDTH)
#define vectors_of      CAT(class_vectors_of_, WIDTH)
#define classify_vector CAT(classify_vector_, WIDTH)
#define classify_words  CAT(classify_words_, WIDTH)
#define classify_rest   CAT(classify_rest_, WIDTH)

typedef CAT(u, WIDTH) unsigned_lanes __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE struct class_vectors vectors_of(const struct code_class *c) {
    const u64 lowest = (u64)1 << (WIDTH - 1), offset = lowest - c->first, limit = lowest + c->count;
    return (struct class_vectors){CAT(v_set1_, WIDTH)(&c->mask), CAT(v_set1_, WIDTH)(&offset),
                                  CAT(v_set1_, WIDTH)(&limit), CAT(v_set1_, WIDTH)(&c->zero)};
}

static ALWAYS_INLINE vmask classify_vector(bool has_zero, const struct class_vectors *k, vec x) {
    const vec place = (vec)((unsigned_lanes)v_and(x, k->mask) + (unsigned_lanes)k->offset);
    const vmask within = CAT(v_lt_s, WIDTH)(place, k->limit);
    return has_zero ? (vmask)(within | CAT(v_eq_, WIDTH)(v_and(x, k->zero), v_zero())) : within;
}

/* Returns the classes of n < 64 elements as a word, of which the other bits are unspecified. */
static ALWAYS_INLINE u64 classify_rest(bool has_zero, const struct class_vectors *k, const u8 *src,
                                       size_t n) {
    const size_t bytes = n * WIDTH / 8;
    vmask m[64 / LANES];
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) {
        const size_t at = i * VBYTES;
        m[i] = CAT(m_none_, WIDTH)();
        if (at + VBYTES <= bytes)
            m[i] = classify_vector(has_zero, k, v_load(src + at));
        else if (at < bytes)
            m[i] = classify_vector(has_zero, k, v_load_bytes(src + at, bytes - at));
    }
    return CAT(m_word_, WIDTH)(m);
}

static ALWAYS_INLINE void classify_words(bool has_zero, const struct code_class *c, const u8 *src, u8 *bits,
                                         size_t n) {
    const struct class_vectors k = vectors_of(c);
    for (; n >= 64; n -= 64) {
        vmask m[64 / LANES];
        UNROLL
        for (size_t i = 0; i < 64 / LANES; ++i)
            m[i] = classify_vector(has_zero, &k, v_load(src + i * VBYTES));
        store64(bits, CAT(m_word_, WIDTH)(m));
        src += 64 / LANES * VBYTES;
        bits += 8;
    }
    if (n != 0) store_bytes(bits, classify_rest(has_zero, &k, src, n) & low_bits(n), (n + 7) / 8);
}

static void CAT(classify_, WIDTH)(const struct code_class *c, const void *src, void *bits, size_t n) {
    if (c->zero != 0)
        classify_words(true, c, src, bits, n);
    else
        classify_words(false, c, src, bits, n);
}

#undef unsigned_lanes
#undef vmask
#undef LANES
#undef vectors_of
#undef classify_vector
#undef classify_words
#undef classify_rest
#undef WIDTH
