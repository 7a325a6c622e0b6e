/* SPDX-License-Identifier: MIT */
/*
 * Element-wise traversal: dst[i] = compute(in[0][i], in[1][i], ...), where each operand is an array or one
 * element that is broadcast. Include after a vec.h.
 *
 * A kernel has three parts, so that rarely used code exists once: fewer lanes than a vector (walk_partial()), the
 * start of a long run (walk_head() and walk_after()), and whole vectors (walk_vectors()).
 */
#ifndef PTO_LOOPS_WALK_H
#define PTO_LOOPS_WALK_H

/* WALK_VECTORS is the number of vectors per iteration. Measured for vectors of 64 and of 32 bytes; fewer or
 * more are slower. */
enum { WALK_OPERANDS = 4, WALK_VECTORS = VBYTES == 16 ? 8 : 4, WALK_BYTES = WALK_VECTORS * VBYTES };

/* From this many bytes on, aligning dst pays: no vector is then stored to two cache lines. */
enum { LONG_RUN_BYTES = 32 << 10 };

/* Computes a vector of the result from a vector of each operand. `what` is a constant: a relation, or an operation. */
typedef vec walk_fn(unsigned what, const vec *x);

/* Which operands are arrays: all, only the first, or any combination. The first two are common enough for loops of
 * their own. */
enum walk_kind { WALK_ARRAYS, WALK_FIRST, WALK_ANY };

struct walk {
    const u8 *in[WALK_OPERANDS];
    size_t offset_mask
        [WALK_OPERANDS]; /* WALK_ANY: offsets are masked by this, all ones for an array, 0 for one element */
    vec broadcast[WALK_OPERANDS]; /* WALK_FIRST: the broadcast operands */
    u8 *out;
};

/* Returns a vector with one element in every lane. */
static ALWAYS_INLINE vec walk_broadcast(size_t element_bytes, const void *element) {
    switch (element_bytes) {
    case 1: return v_set1_8(element);
    case 2: return v_set1_16(element);
    case 4: return v_set1_32(element);
    default: return v_set1_64(element);
    }
}

/* Returns the vector of operand k at offset `at` + `ahead`. */
static ALWAYS_INLINE vec walk_operand(enum walk_kind kind, const struct walk *w, size_t k, size_t at,
                                      size_t ahead) {
    if (kind == WALK_FIRST && k != 0) return w->broadcast[k];
    return v_load(w->in[k] + (kind == WALK_ANY ? at & w->offset_mask[k] : at) + ahead);
}

static ALWAYS_INLINE vec walk_vector(walk_fn *compute, unsigned what, size_t operands, enum walk_kind kind,
                                     const struct walk *w, size_t at, size_t ahead) {
    vec x[WALK_OPERANDS];
    UNROLL
    for (size_t k = 0; k < operands; ++k) x[k] = walk_operand(kind, w, k, at, ahead);
    return compute(what, x);
}

/* Computes `bytes` bytes of the result, fewer than a vector has. */
static ALWAYS_INLINE void walk_partial(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                       const struct sources *c, u8 *out, size_t bytes) {
    vec x[WALK_OPERANDS];
    UNROLL
    for (size_t k = 0; k < operands; ++k)
        x[k] = is_scalar(c, k) ? walk_broadcast(element_bytes, c->in[k]) : v_load_bytes(c->in[k], bytes);
    v_store_bytes(out, compute(what, x), bytes);
}

/* Does the same as walk_partial(), with a separate copy of the code for calls that have only arrays. Use it where calls
 * are so short that this saves more time than the larger code costs. */
static ALWAYS_INLINE void walk_partial_or_arrays(walk_fn *compute, unsigned what, size_t operands,
                                                 size_t element_bytes, const struct sources *c, u8 *out,
                                                 size_t bytes) {
    const struct sources arrays = {{c->in[0], c->in[1], c->in[2], c->in[3]}, 0};
    if (c->scalars == 0)
        walk_partial(compute, what, operands, element_bytes, &arrays, out, bytes);
    else
        walk_partial(compute, what, operands, element_bytes, c, out, bytes);
}

/*
 * Computes `bytes` bytes of the result, at least a vector. A partial last vector ends with the last lane, so it
 * overlaps the vector before it. It is computed before that is stored, because dst may be a source.
 */
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

/* Returns the operands without their first `bytes` bytes. */
static ALWAYS_INLINE struct sources walk_after(size_t operands, const struct sources *c, size_t bytes) {
    struct sources after = {{NULL}, c->scalars};
    for (size_t k = 0; k < operands; ++k) {
        after.in[k] = c->in[k];
        if (!is_scalar(c, k)) after.in[k] = (const u8 *)c->in[k] + bytes;
    }
    return after;
}

/* Returns how many bytes a kernel computes first, so that in the rest of a long run no vector is stored across two
 * cache lines. */
static ALWAYS_INLINE size_t walk_head(size_t element_bytes, const void *dst, size_t n) {
    return n >= LONG_RUN_BYTES / element_bytes && (uintptr_t)dst % element_bytes == 0 ? stream_head(dst) : 0;
}

/* dst[i] = *element for at least a vector of lanes. */
static ALWAYS_INLINE void walk_fill(size_t element_bytes, const void *element, u8 *dst, size_t n) {
    const size_t bytes = n * element_bytes, end = bytes - VBYTES;
    const vec broadcast = walk_broadcast(element_bytes, element);
    const bool stream = stream_pays(dst, element_bytes, n);
    size_t at = 0;
    v_store(dst + end, broadcast);
    if ((uintptr_t)dst % element_bytes == 0) {
        v_store(dst, broadcast);
        at = stream_head(dst);
    }
    for (; at <= end; at += VBYTES) {
        if (stream)
            v_stream(dst + at, broadcast);
        else
            v_store(dst + at, broadcast);
    }
    if (stream) v_stream_end();
}

/* Fills a block with one element, and returns the block. */
static ALWAYS_INLINE const u8 *walk_block(size_t element_bytes, const void *element, u8 *block) {
    const vec broadcast = walk_broadcast(element_bytes, element);
    UNROLL
    for (size_t i = 0; i < WALK_VECTORS; ++i) v_store(block + i * VBYTES, broadcast);
    return block;
}

/* Computes n lanes, at least a vector. */
static ALWAYS_INLINE void walk_lanes(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                     enum walk_kind kind, const struct sources *c, void *dst, size_t n) {
    u8 blocks[WALK_OPERANDS][WALK_BYTES];
    struct walk w;
    bool in_place = false;
    w.out = dst;
    UNROLL
    for (size_t k = 0; k < operands; ++k) {
        w.in[k] = c->in[k];
        w.offset_mask[k] = is_scalar(c, k) ? 0 : SIZE_MAX;
        w.broadcast[k] = kind == WALK_FIRST && k != 0 ? walk_broadcast(element_bytes, c->in[k]) : v_zero();
        if (kind == WALK_ANY && is_scalar(c, k)) w.in[k] = walk_block(element_bytes, c->in[k], blocks[k]);
        in_place |= dst == c->in[k];
    }
    walk_vectors(compute, what, operands, kind, &w, n * element_bytes,
                 STREAMS && unlikely(!in_place && stream_pays(dst, element_bytes, n)));
}

#endif
