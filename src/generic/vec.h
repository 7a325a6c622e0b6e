/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary (see loops/vocabulary.h) in the vector types of gcc and clang, for any CPU. Vectors and masks
 * have 16 bytes; the compiler splits them where registers are shorter. Floats are compared by integer
 * arithmetic (generic/float.h), so results are exact in any FP state, and on CPUs whose vector units flush
 * subnormals.
 */
#ifndef PTO_GENERIC_VEC_H
#define PTO_GENERIC_VEC_H

/* On targets without 16-byte registers the compiler emits code for each lane. If loops were unrolled there,
 * the library would be 12 MB large. */
#if !defined(__SSE2__) && !defined(__VSX__) && !defined(__ARM_NEON) && !defined(__riscv_v) &&                \
    !defined(__loongarch_sx) && !defined(__wasm_simd128__)
#    define NO_UNROLL
#endif

#include "core/kernels.h"

enum { VBYTES = 16, VLANES_8 = 16, VLANES_16 = 8, VLANES_32 = 4, VLANES_64 = 2 };

typedef u8 vec __attribute__((vector_size(VBYTES)));
typedef vec vmask_8; /* lanes of all ones or all zeros */
typedef vec vmask_16;
typedef vec vmask_32;
typedef vec vmask_64;
typedef u64 u64_pair __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE vec v_zero(void) {
    return (vec){0};
}

static ALWAYS_INLINE vec v_and(vec x, vec y) {
    return x & y;
}

static ALWAYS_INLINE vec v_or(vec x, vec y) {
    return x | y;
}

static ALWAYS_INLINE vec v_xor(vec x, vec y) {
    return x ^ y;
}

static ALWAYS_INLINE vec v_load_bytes(const void *p, size_t bytes) {
    vec x = {0};
    memcpy(&x, p, bytes);
    return x;
}

static ALWAYS_INLINE void v_store_bytes(void *p, vec x, size_t bytes) {
    memcpy(p, &x, bytes);
}

static ALWAYS_INLINE vec v_load(const void *p) {
    return v_load_bytes(p, VBYTES);
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    v_store_bytes(p, x, VBYTES);
}

/* A mask lane is all ones or all zeros, so a bitwise selection is enough. */
static ALWAYS_INLINE vec v_select(vec m, vec x, vec y) {
    return (x & m) | (y & ~m);
}

/* Permutes the bits of x by exchanging binary digits a and b (a > b) of the position of each bit. So a bit
 * whose position has digit a = 0 and digit b = 1 is exchanged with the bit whose position has digit a = 1,
 * digit b = 0 and the same other digits. */
static ALWAYS_INLINE u64 exchange_index_bits(u64 x, unsigned a, unsigned b) {
    static const u64 with[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    const unsigned distance = (1U << a) - (1U << b);
    const u64 differ = (x >> distance ^ x) & ~with[a] & with[b];
    return x ^ differ ^ differ << distance;
}

#define WIDTH 8
#include "generic/lanes.h"
#define WIDTH 16
#include "generic/lanes.h"
#define WIDTH 32
#include "generic/lanes.h"
#define WIDTH 64
#include "generic/lanes.h"

#define WIDTH 16
#include "generic/float.h"
#define WIDTH 32
#include "generic/float.h"
#define WIDTH 64
#include "generic/float.h"

static ALWAYS_INLINE vmask_8 v_nonzero_8(vec x) {
    return (vec)(x != 0);
}

static ALWAYS_INLINE vec v_bool_8(vmask_8 m) {
    return m & 1;
}

/* Relations give the same results in any FP state, and raise no exception flag. */
#define VEC_INTEGER_RELATIONS
#define VEC_RAISES_NO_FLAGS true

static ALWAYS_INLINE vmask_16 half_relation(enum relation r, vec x, vec y, s16 infinity, bool flush) {
    return float_relation_16(r, x, y, infinity, flush);
}

static ALWAYS_INLINE vmask_32 v_rel_f32(enum relation r, vec x, vec y) {
    return float_relation_32(r, x, y, 0x7f800000, false);
}

static ALWAYS_INLINE vmask_32 v_rel_f32z(enum relation r, vec x, vec y) {
    return float_relation_32(r, x, y, 0x7f800000, true);
}

static ALWAYS_INLINE vmask_64 v_rel_f64(enum relation r, vec x, vec y) {
    return float_relation_64(r, x, y, 0x7ff0000000000000, false);
}

#include "loops/vocabulary.h"

#define WIDTH 16
#include "generic/image.h"
#define WIDTH 32
#include "generic/image.h"

#endif
