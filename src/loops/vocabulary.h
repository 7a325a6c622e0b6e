/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary: the vector operations in which the loops of this folder are written. This file defines those
 * that follow from others. A vec.h includes it at its end. Before that, it defines every operation that has no
 * toggle here. It may define those with a toggle itself, and then defines the toggle. W is 8, 16, 32 or 64, T
 * is u8 .. s64, F is f32 or f64, and r is an enum relation, always a compile-time constant.
 *
 * Vectors:
 *   vec                  one vector register of VBYTES bytes, of any lane type; VLANES_W lanes. VBYTES
 *                        divides 64, so that a word of 64 lanes is a whole number of vectors
 *   v_load(p)            v_store(p, x)  at any alignment
 *   v_load_bytes(p, b)   loads 1 to VBYTES bytes and accesses nothing else; the other bytes are 0
 *   v_store_bytes(p, x, b)
 *                        stores 1 to VBYTES bytes and accesses nothing else
 *   v_set1_W(p)          every lane = the element at p
 *   v_zero()             all bits 0
 *   v_and, v_or, v_xor   (x, y)  bitwise
 *   v_stream(p, x)       a non-temporal store, where p is a multiple of VBYTES; v_stream_end() orders these stores
 *                        before later ones. VEC_X86 for both, else ordinary stores
 *
 * Comparisons, lane by lane, into vector masks:
 *   vmask_W              the truth of VLANES_W lanes
 *   v_eq_W(x, y)         x == y
 *   v_lt_T(x, y)         x < y
 *   v_ge_T(x, y)         x >= y, where that is cheaper. VEC_HAS_GE_T 1, else not used
 *   v_rel_F(r, x, y)     relation r between floats, in the FP state that the table requires. VEC_RAISES_NO_FLAGS true:
 *                        it raises no exception flag; else callers save and restore the flags.
 *                        VEC_INTEGER_RELATIONS: it is integer arithmetic, which works in any FP state, and there
 *                        is also v_rel_f32z, which treats subnormals as zero; else v_rel_f32 does that by the FP state
 *   v_rel_f16, v_rel_f16z, v_rel_bf16
 *                        the same for halves; f16z treats subnormals as zero. VEC_HAS_F16_RELATION for
 *                        the first two, else made from half_relation
 *   v_rel_scalar_T(r, x, y)
 *                        v_rel_T for a y with one scalar in every lane, if that makes some relations cheaper.
 *                        VEC_HAS_REL_SCALAR_T 1, where T is a float or half type, else not used
 *   half_relation(r, x, y, infinity, flush)
 *                        relation r between halves whose infinity has these bits, in any FP state; flush
 *                        treats subnormals as zero. VEC_INTEGER_RELATIONS, else made from the operations at the end
 *
 * Vector masks:
 *   m_none_W()           no lane is true
 *   m_word_W(m)          64 lanes of truth, from an array of 64 / VLANES_W masks, lane 0 first
 *   m_word_lt_64(m)      the same for the results of integer x < y, where another way is faster.
 *                        VEC_HAS_WORD_LT_64 1, else not used
 *   m_bytes_W(p, m, f)   stores 64 lanes of truth as bytes: 1 for true and 0 for false if f is 0, the reverse if
 *                        f is all ones
 *   m_image_W(p, m, f)   stores them as a predicate image (see core/kernels.h) in the same way; W is 16 or 32
 *   m_from_bits_W(w, i)  the i-th VLANES_W of 64 bits as a mask, only for v_sel_W and v_bool_8
 *   m_zero_bytes_W(p)    true where the byte, of the VLANES_W at p, is 0; only for v_sel_W
 *   m_from_image_W(p)    VLANES_W lanes of an image, W > 8; only for v_sel_W
 *   v_sel_W(m, x, y)     m ? x : y, bitwise
 *   v_nonzero_8(x)       x != 0
 *   v_bool_8(m)          bytes 1 and 0
 *
 * Words of bits:
 *   bits_gather(x, s)    bits 0, s, 2s, ... of x side by side (s = 2, 4, 8), the rest 0
 *   bits_scatter(x, s)   the reverse. VEC_X86 for both, else made from shifts
 *
 * For the integer relations of halves, so not if VEC_INTEGER_RELATIONS is defined:
 *   v_order_16(x)        sign and magnitude to two's complement: both zeros give 0, the order stays the same
 *   v_add_16(x, y)       modulo 2^16; v_adds_s16, v_subs_s16  saturating, where y >= 0, without setting a flag
 *   v_none_of_16(x, y)   true where (x & y) == 0
 *   v_const_16(k)        every lane = k
 *   v_abs_16(x)          the magnitude, x & 0x7fff
 *   m_and_16, m_or_16, m_not_16
 *                        logic of masks
 *   half_ordered(x, y, infinity), half_eq and half_lg(x, y, infinity, nonzero)
 *                        as in half.h. VEC_HAS_HALF_EQUALITY for all three; then v_abs_16 and the logic of masks
 *                        are not used
 */
#ifndef PTO_LOOPS_VOCABULARY_H
#define PTO_LOOPS_VOCABULARY_H

#ifndef VEC_INTEGER_RELATIONS
#    include "loops/half.h"
#endif

#ifndef VEC_HAS_F16_RELATION
static ALWAYS_INLINE vmask_16 v_rel_f16(enum relation r, vec x, vec y) {
    return half_relation(r, x, y, 0x7c00, false);
}

static ALWAYS_INLINE vmask_16 v_rel_f16z(enum relation r, vec x, vec y) {
    return half_relation(r, x, y, 0x7c00, true);
}
#endif

static ALWAYS_INLINE vmask_16 v_rel_bf16(enum relation r, vec x, vec y) {
    return half_relation(r, x, y, 0x7f80, false);
}

/* ---- streaming (non-temporal) stores ----
 *
 * An ordinary store first reads the cache line. For a result that no cache will hold, that adds a third to the memory
 * traffic. */

#ifdef VEC_X86
enum { STREAMS = true };
#else
enum { STREAMS = false };
static ALWAYS_INLINE void v_stream(void *p, vec x) {
    v_store(p, x);
}
static ALWAYS_INLINE void v_stream_end(void) {}
#endif

/* Returns whether streaming stores pay for n elements. Elements must be aligned, so that one of them begins
 * each line. The caller must also check that dst is not a source, whose lines are in the cache. */
static ALWAYS_INLINE bool stream_pays(const void *dst, size_t element_bytes, size_t n) {
    return STREAMS && n >= STREAM_BYTES / element_bytes && (uintptr_t)dst % element_bytes == 0;
}

/* Returns how many bytes of dst lie before the first multiple of VBYTES. */
static ALWAYS_INLINE size_t stream_head(const void *dst) {
    return -(uintptr_t)dst % VBYTES;
}

static ALWAYS_INLINE void store_word_as_bytes(u64 word, u8 *mask) {
    UNROLL
    for (size_t i = 0; i < 64 / VLANES_8; ++i) v_store(mask + i * VBYTES, v_bool_8(m_from_bits_8(word, i)));
}

#ifndef VEC_RAISES_NO_FLAGS
#    define VEC_RAISES_NO_FLAGS false
#endif

#ifndef VEC_X86
/* Returns a word in which the low `ones` of every `period` bits are 1. */
static ALWAYS_INLINE u64 bits_every(unsigned ones, unsigned period) {
    return period >= 64 ? low_bits(ones) : ~(u64)0 / low_bits(period) * low_bits(ones);
}

/* Each iteration moves the groups of a pair next to each other: groups of w wanted bits become groups of 2w. */
static ALWAYS_INLINE u64 bits_gather(u64 x, unsigned s) {
    x &= bits_every(1, s);
    for (unsigned w = 1; w < 64 / s; w *= 2) x = (x | x >> w * (s - 1)) & bits_every(2 * w, 2 * w * s);
    return x;
}

static ALWAYS_INLINE u64 bits_scatter(u64 x, unsigned s) {
    x &= low_bits(64 / s);
    for (unsigned w = 32 / s; w >= 1; w /= 2) x = (x | x << w * (s - 1)) & bits_every(w, w * s);
    return x;
}
#endif

/* These two store the n < 64 lanes of a word whose other bits are 0: as bytes, and as an image with `lane_bits`
 * bits per lane. */
static ALWAYS_INLINE void store_partial_as_bytes(u64 word, u8 *mask, size_t n) {
    u8 last[64];
    store_word_as_bytes(word, last);
    memcpy(mask, last, n);
}

static ALWAYS_INLINE void store_partial_as_image(u64 word, u8 *mask, size_t n, size_t lane_bits) {
    const size_t bytes = (n * lane_bits + 7) / 8;
    for (size_t i = 0; 8 * i < bytes; ++i)
        store_bytes(mask + 8 * i, bits_scatter(word >> i * 64 / lane_bits, (unsigned)lane_bits),
                    min_size(bytes - 8 * i, 8));
}

#endif
