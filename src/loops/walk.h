/* SPDX-License-Identifier: MIT */
/*
 * The way through operands that are arrays or one element spread over SPREAD_BYTES, into one array: what kernels have
 * in common that compute a lane from the lanes of its place. To be included after a vec.h.
 */
#ifndef PTO_LOOPS_WALK_H
#define PTO_LOOPS_WALK_H

enum { WALK_OPERANDS = 4, WALK_VECTORS = SPREAD_BYTES / VBYTES < 4 ? SPREAD_BYTES / VBYTES : 4 };

/* What is computed from a vector of each operand; what: which relation, or which operation, a constant. */
typedef vec walk_fn(unsigned what, const vec *x);

/* Where a walk has come to. An operand that is one element stays where it is. */
struct walk {
    const u8 *in[WALK_OPERANDS];
    size_t stays[WALK_OPERANDS]; /* 0, or all ones */
    u8 *out;
};

static ALWAYS_INLINE vec walk_vector(walk_fn *compute, unsigned what, size_t operands, const struct walk *w,
                                     size_t at) {
    vec x[WALK_OPERANDS];
    UNROLL
    for (size_t k = 0; k < operands; ++k) x[k] = v_load(w->in[k] + at);
    return compute(what, x);
}

/* Fewer bytes than a vector has. */
static ALWAYS_INLINE void walk_some(walk_fn *compute, unsigned what, size_t operands, const struct walk *w,
                                    size_t bytes) {
    vec x[WALK_OPERANDS];
    UNROLL
    for (size_t k = 0; k < operands; ++k)
        x[k] = w->stays[k] ? v_load(w->in[k]) : v_load_bytes(w->in[k], bytes);
    v_store_bytes(w->out, compute(what, x), bytes);
}

static ALWAYS_INLINE void walk_on(struct walk *w, size_t operands, size_t bytes) {
    UNROLL
    for (size_t k = 0; k < operands; ++k) w->in[k] += bytes & ~w->stays[k];
    w->out += bytes;
}

/* The vector of the last whole lanes, which may begin with lanes that the one before it has too. */
static ALWAYS_INLINE vec walk_last(walk_fn *compute, unsigned what, size_t operands, const struct walk *w,
                                   size_t bytes) {
    struct walk last = *w;
    walk_on(&last, operands, bytes - VBYTES);
    return walk_vector(compute, what, operands, &last, 0);
}

/* At least a vector. The last one, if it is not whole, is computed before others are stored, for dst may be a
 * source. */
static ALWAYS_INLINE void walk_vectors(walk_fn *compute, unsigned what, size_t operands, struct walk w,
                                       size_t bytes, bool stream) {
    const bool rest = bytes % VBYTES != 0;
    const vec last = rest ? walk_last(compute, what, operands, &w, bytes) : v_zero();
    u8 *const out_last = w.out + bytes - VBYTES;
    if (!stream)
        for (; bytes >= (size_t)WALK_VECTORS * VBYTES; bytes -= (size_t)WALK_VECTORS * VBYTES) {
            UNROLL
            for (size_t i = 0; i < WALK_VECTORS; ++i)
                v_store(w.out + i * VBYTES, walk_vector(compute, what, operands, &w, i * VBYTES));
            walk_on(&w, operands, (size_t)WALK_VECTORS * VBYTES);
        }
    for (; bytes >= VBYTES; bytes -= VBYTES) {
        const vec x = walk_vector(compute, what, operands, &w, 0);
        if (stream)
            v_stream(w.out, x);
        else
            v_store(w.out, x);
        walk_on(&w, operands, VBYTES);
    }
    if (stream) v_stream_end();
    if (rest) v_store(out_last, last);
}

static ALWAYS_INLINE void walk(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                               const struct choice *c, void *dst, size_t n) {
    const size_t bytes = n * element_bytes;
    struct walk w = {.out = dst};
    bool in_place = false;
    UNROLL
    for (size_t k = 0; k < operands; ++k) {
        w.in[k] = c->in[k];
        w.stays[k] = c->one[k] ? SIZE_MAX : 0;
        in_place |= dst == c->in[k];
    }
    if (bytes < VBYTES) {
        walk_some(compute, what, operands, &w, bytes);
    } else if (STREAMS && !in_place && stream_pays(dst, element_bytes, n)) {
        const size_t head = stream_head(dst);
        if (head != 0) walk_some(compute, what, operands, &w, head);
        walk_on(&w, operands, head);
        walk_vectors(compute, what, operands, w, bytes - head, true);
    } else {
        walk_vectors(compute, what, operands, w, bytes, false);
    }
}

#endif
