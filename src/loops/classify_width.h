/* SPDX-License-Identifier: MIT */
/* The classify kernel of elements of WIDTH bits. Part of classify.h. */
#define unsigned_lanes  CAT(class_lanes_, WIDTH)
#define vmask           CAT(vmask_, WIDTH)
#define LANES           CAT(VLANES_, WIDTH)
#define vectors_of      CAT(class_vectors_of_, WIDTH)
#define classify_vector CAT(classify_vector_, WIDTH)
#define classify_words  CAT(classify_words_, WIDTH)
#define classify_word   CAT(classify_word_, WIDTH)

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

/* Returns the classes of 64 elements as a word. */
static ALWAYS_INLINE u64 classify_word(bool has_zero, const struct class_vectors *k, const u8 *src) {
    vmask m[64 / LANES];
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) m[i] = classify_vector(has_zero, k, v_load(src + i * VBYTES));
    return CAT(m_word_, WIDTH)(m);
}

static ALWAYS_INLINE void classify_words(bool has_zero, const struct code_class *c, const u8 *src, u8 *bits,
                                         size_t n) {
    const struct class_vectors k = vectors_of(c);
    u8 last[8 * WIDTH];
    for (; n >= 64; n -= 64) {
        store64(bits, classify_word(has_zero, &k, src));
        src += sizeof last;
        bits += 8;
    }
    if (n == 0) return;
    memset(last, 0, sizeof last);
    memcpy(last, src, n * WIDTH / 8);
    store_bytes(bits, classify_word(has_zero, &k, last) & low_bits(n), (n + 7) / 8);
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
#undef classify_word
#undef WIDTH
