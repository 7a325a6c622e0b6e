/* SPDX-License-Identifier: MIT */
/*
 * The way through operands that are arrays or one element, into one array: what kernels have in common that compute a
 * lane from the lanes of its place. To be included after a vec.h.
 */
#ifndef PTO_LOOPS_WALK_H
#define PTO_LOOPS_WALK_H

/* Vectors a turn, as measured for those of 64 and of 32 bytes: fewer or more are slower. */
enum { WALK_OPERANDS = 4, WALK_VECTORS = VBYTES == 16 ? 8 : 4, WALK_BYTES = WALK_VECTORS * VBYTES };

/* From so many bytes on it pays that no vector is stored to two lines of the cache. */
enum { LONG_RUN_BYTES = 32 << 10 };

/* What is computed from a vector of each operand; what: which relation, or which operation, a constant. */
typedef vec walk_fn(unsigned what, const vec *x);

/* Which operands are arrays. That all are, or the first alone, is common enough for loops that know it. */
enum walk_kind { WALK_ARRAYS, WALK_FIRST, WALK_ANY };

struct walk {
    const u8 *in[WALK_OPERANDS];
    size_t moves[WALK_OPERANDS]; /* of WALK_ANY: the bits of an offset that move an operand, all or none */
    vec same[WALK_OPERANDS];     /* of WALK_FIRST: the others */
    u8 *out;
};

/* One element in every lane. */
static ALWAYS_INLINE vec walk_spread(size_t element_bytes, const void *element) {
    switch (element_bytes) {
    case 1: return v_set1_8(element);
    case 2: return v_set1_16(element);
    case 4: return v_set1_32(element);
    default: return v_set1_64(element);
    }
}

/* The vector `ahead` bytes behind the place. */
static ALWAYS_INLINE vec walk_operand(enum walk_kind kind, const struct walk *w, size_t k, size_t at,
                                      size_t ahead) {
    if (kind == WALK_FIRST && k != 0) return w->same[k];
    return v_load(w->in[k] + (kind == WALK_ANY ? at & w->moves[k] : at) + ahead);
}

static ALWAYS_INLINE vec walk_vector(walk_fn *compute, unsigned what, size_t operands, enum walk_kind kind,
                                     const struct walk *w, size_t at, size_t ahead) {
    vec x[WALK_OPERANDS];
    UNROLL
    for (size_t k = 0; k < operands; ++k) x[k] = walk_operand(kind, w, k, at, ahead);
    return compute(what, x);
}

/* Fewer bytes than a vector has. */
static ALWAYS_INLINE void walk_some(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                    const struct choice *c, u8 *out, size_t bytes) {
    vec x[WALK_OPERANDS];
    UNROLL
    for (size_t k = 0; k < operands; ++k)
        x[k] = is_scalar(c, k) ? walk_spread(element_bytes, c->in[k]) : v_load_bytes(c->in[k], bytes);
    v_store_bytes(out, compute(what, x), bytes);
}

/* At least a vector. The last one, if it is not whole, begins with lanes that the one before it has too; it is computed
 * before others are stored, for dst may be a source. */
static ALWAYS_INLINE void walk_vectors(walk_fn *compute, unsigned what, size_t operands, enum walk_kind kind,
                                       const struct walk *w, size_t bytes, bool stream) {
    const size_t end = bytes - VBYTES, step = (size_t)WALK_VECTORS * VBYTES;
    const bool rest = bytes % VBYTES != 0;
    const vec last = rest ? walk_vector(compute, what, operands, kind, w, end, 0) : v_zero();
    size_t at = 0;
    if (stream) {
        for (; at <= end; at += VBYTES)
            v_stream(w->out + at, walk_vector(compute, what, operands, kind, w, at, 0));
        v_stream_end();
    } else {
        for (; at + step <= bytes; at += step) {
            UNROLL
            for (size_t i = 0; i < WALK_VECTORS; ++i)
                v_store(w->out + at + i * VBYTES,
                        walk_vector(compute, what, operands, kind, w, at, i * VBYTES));
        }
        for (; at <= end; at += VBYTES)
            v_store(w->out + at, walk_vector(compute, what, operands, kind, w, at, 0));
    }
    if (rest) v_store(w->out + end, last);
}

static ALWAYS_INLINE void walk_on(struct walk *w, size_t operands, size_t bytes) {
    UNROLL
    for (size_t k = 0; k < operands; ++k) w->in[k] += bytes & w->moves[k];
    w->out += bytes;
}

/* One element all over a block. */
static ALWAYS_INLINE const u8 *walk_block(size_t element_bytes, const void *element, u8 *block) {
    const vec same = walk_spread(element_bytes, element);
    UNROLL
    for (size_t i = 0; i < WALK_VECTORS; ++i) v_store(block + i * VBYTES, same);
    return block;
}

static ALWAYS_INLINE void walk_kind(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                    enum walk_kind kind, const struct choice *c, void *dst, size_t n) {
    const size_t bytes = n * element_bytes;
    u8 blocks[WALK_OPERANDS][WALK_BYTES];
    struct walk w;
    bool in_place = false, stream = false;
    size_t head = 0;
    w.out = dst;
    UNROLL
    for (size_t k = 0; k < operands; ++k) {
        w.in[k] = c->in[k];
        w.moves[k] = is_scalar(c, k) ? 0 : SIZE_MAX;
        w.same[k] = kind == WALK_FIRST && k != 0 ? walk_spread(element_bytes, c->in[k]) : v_zero();
        if (kind == WALK_ANY && is_scalar(c, k)) w.in[k] = walk_block(element_bytes, c->in[k], blocks[k]);
        in_place |= dst == c->in[k];
    }
    stream = STREAMS && !in_place && stream_pays(dst, element_bytes, n);
    if (stream || (bytes >= LONG_RUN_BYTES && (uintptr_t)dst % element_bytes == 0)) head = stream_head(dst);
    if (head != 0) {
        walk_some(compute, what, operands, element_bytes, c, dst, head);
        walk_on(&w, operands, head);
    }
    if (stream)
        walk_vectors(compute, what, operands, kind, &w, bytes - head, true);
    else
        walk_vectors(compute, what, operands, kind, &w, bytes - head, false);
}

/* All operands are arrays. */
static ALWAYS_INLINE void walk_arrays(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                      const struct choice *c, void *dst, size_t n) {
    if (n * element_bytes < VBYTES)
        walk_some(compute, what, operands, element_bytes, c, dst, n * element_bytes);
    else
        walk_kind(compute, what, operands, element_bytes, WALK_ARRAYS, c, dst, n);
}

/* Some are scalars. `first`: whether it is common that the first alone is an array. */
static ALWAYS_INLINE void walk_scalars(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                       bool first, const struct choice *c, void *dst, size_t n) {
    if (n * element_bytes < VBYTES)
        walk_some(compute, what, operands, element_bytes, c, dst, n * element_bytes);
    else if (first && c->scalars == (1U << operands) - 2)
        walk_kind(compute, what, operands, element_bytes, WALK_FIRST, c, dst, n);
    else
        walk_kind(compute, what, operands, element_bytes, WALK_ANY, c, dst, n);
}

#endif
