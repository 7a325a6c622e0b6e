/* SPDX-License-Identifier: MIT */
/*
 * Element-wise traversal: dst[i] = f(in0[i], in1[i], in2[i]), with one to three operands, each of which is an array or
 * a broadcast scalar.
 */
#ifndef PTO_SVE_WALK_H
#define PTO_SVE_WALK_H

#include "sve/vector.h"

enum { WALK_OPERANDS = 3 };

/* Computes a vector of results from a vector of each operand. `what`, a constant, selects the operation. Lanes after
 * the end of an array are zeros. */
typedef svuint8_t walk_fn(unsigned what, svuint8_t x, svuint8_t y, svuint8_t z);

/* Loads vector k of each operand and stores vector k of the results. If bit 1 or 2 of `scalars`, a constant, is set,
 * operand 1 or 2 is a scalar, broadcast in s1 or s2. */
static ALWAYS_INLINE void walk_vector(walk_fn *compute, unsigned what, unsigned scalars, size_t operands,
                                      const u8 *const in[WALK_OPERANDS], svuint8_t s1, svuint8_t s2, u8 *out,
                                      svbool_t pg, int64_t k) {
    const svuint8_t x = svld1_vnum_u8(pg, in[0], k);
    const svuint8_t y = operands < 2 || (scalars & 2) != 0 ? s1 : svld1_vnum_u8(pg, in[1], k);
    const svuint8_t z = operands < 3 || (scalars & 4) != 0 ? s2 : svld1_vnum_u8(pg, in[2], k);
    svst1_vnum_u8(pg, out, k, compute(what, x, y, z));
}

/* All operands are arrays, or all except the first are scalars. An iteration takes four vectors, or eight if it
 * advances more than two pointers. */
static ALWAYS_INLINE void walk_arrays(walk_fn *compute, unsigned what, unsigned scalars, size_t operands,
                                      size_t element_bytes, const struct sources *c, void *dst,
                                      size_t bytes) {
    const svuint8_t s1 = (scalars & 2) != 0 ? broadcast_element(c->in[1], element_bytes) : svdup_n_u8(0);
    const svuint8_t s2 = (scalars & 4) != 0 ? broadcast_element(c->in[2], element_bytes) : svdup_n_u8(0);
    const int64_t vectors = operands > 1 && scalars == 0 ? 8 : 4;
    const size_t step = (size_t)vectors * svcntb();
    const u8 *in[WALK_OPERANDS] = {c->in[0], c->in[operands < 2 ? 0 : 1], c->in[operands < 3 ? 0 : 2]};
    u8 *out = dst;
    const u8 *const end = out + bytes;
    if (bytes >= step)
        for (const u8 *const last = end - step; out <= last; out += step) {
            UNROLL
            for (int64_t k = 0; k < vectors; ++k)
                walk_vector(compute, what, scalars, operands, in, s1, s2, out, svptrue_b8(), k);
            UNROLL
            for (size_t i = 0; i < operands; ++i) in[i] += step;
        }
    for (size_t at = 0, left = (size_t)(end - out); at < left; at += svcntb()) {
        const u8 *const some[WALK_OPERANDS] = {in[0] + at, in[1] + at, in[2] + at};
        walk_vector(compute, what, scalars, operands, some, s1, s2, out + at, svwhilelt_b8_u64(at, left), 0);
    }
}

/* Any operands may be scalars. A scalar is broadcast to a vector in memory, whose address does not advance. */
static ALWAYS_INLINE void walk_any(walk_fn *compute, unsigned what, size_t operands, size_t element_bytes,
                                   const struct sources *c, void *dst, size_t bytes) {
    u8 broadcast[WALK_OPERANDS][VECTOR_BYTES_MAX];
    const u8 *from[WALK_OPERANDS] = {c->in[0], c->in[0], c->in[0]};
    size_t offset_mask[WALK_OPERANDS] = {0};
    UNROLL
    for (size_t i = 0; i < operands; ++i) {
        from[i] = is_scalar(c, i) ? broadcast[i] : c->in[i];
        offset_mask[i] = is_scalar(c, i) ? 0 : SIZE_MAX;
        if (is_scalar(c, i)) svst1_u8(svptrue_b8(), broadcast[i], broadcast_element(c->in[i], element_bytes));
    }
    for (size_t at = 0; at < bytes; at += svcntb()) {
        const u8 *const in[WALK_OPERANDS] = {from[0] + (at & offset_mask[0]), from[1] + (at & offset_mask[1]),
                                             from[2] + (at & offset_mask[2])};
        walk_vector(compute, what, 0, operands, in, svdup_n_u8(0), svdup_n_u8(0), (u8 *)dst + at,
                    svwhilelt_b8_u64(at, bytes), 0);
    }
}

#endif
