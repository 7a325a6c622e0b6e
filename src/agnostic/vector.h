/* SPDX-License-Identifier: MIT */
/*
 * A simulated vector ISA in the style of SVE, whose vector length is known only at run time. A vector is a C
 * array. Loads and stores take a predicate with one truth value per lane: inactive lanes are not accessed in
 * memory, and are loaded as 0.
 */
#ifndef PTO_AGNOSTIC_VECTOR_H
#define PTO_AGNOSTIC_VECTOR_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/common.h"

enum { VECTOR_BYTES_MIN = 16, VECTOR_BYTES_MAX = 256, VECTOR_BYTES_UNIT = 8 };

typedef struct vector {
    u8 byte[VECTOR_BYTES_MAX];
} vector;

typedef struct predicate {
    bool lane[VECTOR_BYTES_MAX];
} predicate;

/* Returns the vector length in bytes, which the environment variable PTO_AGNOSTIC_BYTES sets. There is no
 * default, because each test must specify the length that it tests. */
static inline size_t vector_bytes(void) {
    static _Atomic(size_t) cached;
    size_t bytes = atomic_load_explicit(&cached, memory_order_relaxed);
    if (bytes == 0) {
        const char *asked = getenv("PTO_AGNOSTIC_BYTES");
        bytes = asked != NULL ? strtoul(asked, NULL, 10) : 0;
        if (bytes < VECTOR_BYTES_MIN || bytes > VECTOR_BYTES_MAX || bytes % VECTOR_BYTES_UNIT != 0) {
            fprintf(stderr, "libpto: PTO_AGNOSTIC_BYTES is to be a multiple of %d from %d to %d\n",
                    VECTOR_BYTES_UNIT, VECTOR_BYTES_MIN, VECTOR_BYTES_MAX);
            exit(EXIT_FAILURE);
        }
        atomic_store_explicit(&cached, bytes, memory_order_relaxed);
    }
    return bytes;
}

static inline size_t vector_lanes(size_t element_bytes) {
    return vector_bytes() / element_bytes;
}

/* Returns the predicate of a vector that starts at lane i: lane k is true if i + k < n. */
static inline predicate while_less(size_t i, size_t n, size_t lanes) {
    predicate p = {{false}};
    for (size_t k = 0; k < lanes; ++k) p.lane[k] = k < n - i;
    return p;
}

static inline vector load_lanes(const predicate *p, const u8 *from, size_t element_bytes) {
    vector x = {{0}};
    for (size_t k = 0; k < vector_lanes(element_bytes); ++k)
        if (p->lane[k])
            memcpy(x.byte + k * element_bytes, from + k * element_bytes, element_bytes);
        else
            memset(x.byte + k * element_bytes, 0, element_bytes);
    return x;
}

static inline void store_lanes(const predicate *p, u8 *to, const vector *x, size_t element_bytes) {
    for (size_t k = 0; k < vector_lanes(element_bytes); ++k)
        if (p->lane[k]) memcpy(to + k * element_bytes, x->byte + k * element_bytes, element_bytes);
}

/* Returns a vector with the element at `p` in every lane. */
static inline vector broadcast_element(const u8 *p, size_t element_bytes) {
    vector x = {{0}};
    for (size_t k = 0; k < vector_lanes(element_bytes); ++k)
        memcpy(x.byte + k * element_bytes, p, element_bytes);
    return x;
}

/* Replaces the lanes of x in which `p` is false by those of y. */
static inline void choose_lanes(const predicate *p, vector *x, const vector *y, size_t element_bytes) {
    for (size_t k = 0; k < vector_lanes(element_bytes); ++k)
        if (!p->lane[k]) memcpy(x->byte + k * element_bytes, y->byte + k * element_bytes, element_bytes);
}

/* Returns the truth of the mask lanes from i on that are active in `p`. Each lane has `lane_bits` bits, and is
 * true if any of its bits in `lane_on` is 1. */
static inline predicate load_mask_lanes(const predicate *p, const u8 *mask, size_t i, size_t lane_bits,
                                        u8 lane_on, size_t lanes) {
    predicate truth = {{false}};
    for (size_t k = 0; k < lanes; ++k) {
        const size_t at = (i + k) * lane_bits;
        truth.lane[k] = p->lane[k] && (mask[at / 8] >> at % 8 & lane_on) != 0;
    }
    return truth;
}

/* Stores the active lanes of `truth` to the mask from lane i on, each as the lowest of `lane_bits` bits. A
 * vector may end inside a byte: the first lane of a byte clears it, and the next vector adds its own lanes. */
static inline void store_mask_lanes(const predicate *p, const predicate *truth, u8 *mask, size_t i,
                                    size_t lane_bits, size_t lanes) {
    for (size_t k = 0; k < lanes && p->lane[k]; ++k) {
        const size_t at = (i + k) * lane_bits;
        if (at % 8 == 0) mask[at / 8] = 0;
        mask[at / 8] |= (u8)(truth->lane[k] << at % 8);
    }
}

#endif
