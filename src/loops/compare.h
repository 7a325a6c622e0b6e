/* SPDX-License-Identifier: MIT */
/*
 * Compare and choose kernels for one lane type, written in the vocabulary of an ISA's vec.h. Include with
 *   LANE      u8 .. s64, f16, f16z, bf16, f32, f32z, f64: the suffix of v_rel_LANE or v_lt_LANE
 *   WIDTH     8, 16, 32, 64
 *   FLOATING  1 if operands can be unordered
 * and with ISA defined as the suffix of the kernels' names. Defines pto_compare_LANE_ISA and
 * pto_choose_LANE_ISA.
 *
 * 64 lanes make one word of the result, whatever the vector length. The relation is a compile-time constant in
 * each kernel. Choose kernels select by the vector mask at once, without storing it.
 */

#ifndef PTO_LOOPS_COMPARE_H
#    define PTO_LOOPS_COMPARE_H

#    include "loops/walk.h"

/* Runs `choose` in two parts: first for `head` bytes of the result, then for the lanes after them, whose results are
 * stored to aligned vectors. All lane types share this function. */
static NOINLINE void choose_after_head(choose_fn *choose, size_t element_bytes, size_t head,
                                       const struct sources *c, void *dst, size_t n) {
    const struct sources after = walk_after(WALK_OPERANDS, c, head);
    const size_t lanes = head / element_bytes;
    choose(c, dst, lanes);
    choose(&after, (u8 *)dst + head, n - lanes);
}

#endif

/* Short names for this lane type, so that the code below reads as plain C. */
#define NAME(prefix)         CAT3(prefix, LANE, CAT(_, ISA))
#define LANES                CAT(VLANES_, WIDTH)
#define ELEMENT_BYTES        ((size_t)WIDTH / 8)
#define vmask                CAT(vmask_, WIDTH)
#define v_set1               CAT(v_set1_, WIDTH)
#define v_sel                CAT(v_sel_, WIDTH)
#define v_eq                 CAT(v_eq_, WIDTH)
#define v_lt                 CAT(v_lt_, LANE)
#define v_ge                 CAT(v_ge_, LANE)
#define v_rel                CAT(v_rel_, LANE)
#define v_rel_scalar         CAT(v_rel_scalar_, LANE)
#define m_none               CAT(m_none_, WIDTH)
#define m_word               CAT(m_word_, WIDTH)
#define m_bytes              CAT(m_bytes_, WIDTH)
#define m_image              CAT(m_image_, WIDTH)
#define word_of_masks        NAME(word_of_masks_)
#define relate               NAME(relate_)
#define complement_mask      NAME(complement_mask_)
#define relate_or_complement NAME(relate_or_complement_)
#define relate_word          NAME(relate_word_)
#define relate_vector        NAME(relate_vector_)
#define compare_few          NAME(compare_few_)
#define compare_tail         NAME(compare_tail_)
#define compare_bits         NAME(compare_bits_)
#define compare_as           NAME(compare_as_)
#define store_words          NAME(store_words_)
#define store_masks          NAME(store_masks_)
#define store_tail           NAME(store_tail_)
#define choose_vector        NAME(choose_vector_)

#if WIDTH <= 16
#    define UNROLL_WORDS UNROLL_4 /* wider lanes already have many vectors per word */
#else
#    define UNROLL_WORDS
#endif

/* The predicate image of 8-bit lanes is packed bits. The image of 64-bit lanes is written like a byte mask. */
#if WIDTH == 8
#    define IMAGE_STORAGE BITS
#elif WIDTH == 64
#    define IMAGE_STORAGE BYTES
#else
#    define IMAGE_STORAGE IMAGE
#endif

#if FLOATING
#    define LANE_RELATIONS RELATIONS
static INLINE_IF_FOLDED vmask relate(enum relation r, vec x, vec y) {
    return v_rel(r, x, y);
}
#else
#    define LANE_RELATIONS INTEGER_RELATIONS
static INLINE_IF_FOLDED vmask relate(enum relation r, vec x, vec y) {
    return r == RELATION_EQ ? v_eq(x, y) : r == RELATION_LT ? v_lt(x, y) : v_lt(y, x);
}
#endif

/* If VEC_HAS_GE_LANE is 1, x < y of two arrays is computed as the complement of x >= y. complement_mask() returns the
 * value to XOR with the packed bits of the result: all ones in that case, else 0. If VEC_HAS_REL_SCALAR_LANE is 1, a
 * comparison with a scalar uses v_rel_scalar_LANE. */
#if CAT(VEC_HAS_GE_, LANE)
static ALWAYS_INLINE u64 complement_mask(enum relation r, bool scalar) {
    return r == RELATION_LT && !scalar ? ~(u64)0 : 0;
}

static ALWAYS_INLINE vmask relate_or_complement(enum relation r, bool scalar, vec x, vec y) {
    return complement_mask(r, scalar) != 0 ? v_ge(x, y) : relate(r, x, y);
}
#else
static ALWAYS_INLINE u64 complement_mask(enum relation r, bool scalar) {
    (void)r;
    (void)scalar;
    return 0;
}

static ALWAYS_INLINE vmask relate_or_complement(enum relation r, bool scalar, vec x, vec y) {
#    if CAT(VEC_HAS_REL_SCALAR_, LANE)
    if (scalar) return v_rel_scalar(r, x, y);
#    endif
    (void)scalar;
    return relate(r, x, y);
}
#endif

static ALWAYS_INLINE u64 word_of_masks(enum relation r, const vmask *m) {
#if WIDTH == 64 && !FLOATING && VEC_HAS_WORD_LT_64
    if (r != RELATION_EQ) return m_word_lt_64(m);
#endif
    (void)r;
    return m_word(m);
}

/* Compares 64 lanes into the vector masks `m`. In the scalar form the right-hand side is s, and b is not read. */
static ALWAYS_INLINE void relate_word(enum relation r, bool scalar, const u8 *a, const u8 *b, vec s,
                                      vmask *m) {
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) {
        vec x = v_load(a + i * VBYTES);
        vec y = scalar ? s : v_load(b + i * VBYTES);
        m[i] = relate_or_complement(r, scalar, x, y);
    }
}

/* Compares the lanes of one vector and returns the results as the low bits of a word. Its other bits are 0. */
static ALWAYS_INLINE u64 relate_vector(enum relation r, bool scalar, vec x, vec y) {
    vmask m[64 / LANES];
    m[0] = relate_or_complement(r, scalar, x, y);
    UNROLL
    for (size_t i = 1; i < 64 / LANES; ++i) m[i] = m_none();
    return m_word(m);
}

/* Compares 1 to LANES lanes and returns the results as the low bits of a word. Its other bits are unspecified. */
static ALWAYS_INLINE u64 compare_few(enum relation r, bool scalar, const u8 *a, const u8 *b, vec s,
                                     size_t lanes) {
    const size_t bytes = lanes * ELEMENT_BYTES;
    return relate_vector(r, scalar, v_load_bytes(a, bytes), scalar ? s : v_load_bytes(b, bytes));
}

/* Compares the last `lanes` lanes, 1 to 63, of operands that have more than LANES lanes in all. Returns the results as
 * the low bits of a word. The last vector ends with the last lane. It may start with lanes that belong to an earlier
 * vector or word; their bits are shifted out. */
static ALWAYS_INLINE u64 compare_tail(enum relation r, bool scalar, const u8 *a, const u8 *b, vec s,
                                      size_t lanes) {
    const ptrdiff_t at = ((ptrdiff_t)lanes - (ptrdiff_t)LANES) * (ptrdiff_t)ELEMENT_BYTES;
    const u64 last = relate_vector(r, scalar, v_load(a + at), scalar ? s : v_load(b + at));
    u64 word = 0;
    size_t i = 0;
    for (; i + LANES < lanes; i += LANES) {
        const size_t from = i * ELEMENT_BYTES;
        word |= relate_vector(r, scalar, v_load(a + from), scalar ? s : v_load(b + from)) << i % 64;
    }
    return word | last >> (-lanes % LANES) << i % 64;
}

/* Compares 64 * `words` lanes and stores the results as packed bits, each word XORed with `flip`. `words` is at most 4.
 * All words are computed before the first is stored. */
static ALWAYS_INLINE void store_words(enum relation r, bool scalar, const u8 *a, const u8 *b, vec s, u8 *bits,
                                      size_t words, u64 flip) {
    u64 word[4];
    UNROLL
    for (size_t i = 0; i < words; ++i) {
        vmask m[64 / LANES];
        relate_word(r, scalar, a + i * 64 * ELEMENT_BYTES, scalar ? b : b + i * 64 * ELEMENT_BYTES, s, m);
        word[i] = word_of_masks(r, m) ^ flip;
    }
    UNROLL
    for (size_t i = 0; i < words; ++i) store64(bits + 8 * i, word[i]);
}

/* Compares n lanes into packed bits, each XORed with a bit of `flip`: callers pass all ones to get the complement of
 * the relation. Here and in compare_as(), complement_mask() is combined with `flip` first. */
static ALWAYS_INLINE pto_status compare_bits(enum relation r, bool scalar, const void *src0, const void *src1,
                                             void *mask, size_t n, u64 flip) {
    const u8 *a = src0, *b = src1;
    u8 *bits = mask;
    vec s = scalar ? v_set1(b) : v_zero();
    flip ^= complement_mask(r, scalar);
    if (n <= LANES) { /* handled first, so that the shortest calls save no registers */
        store_bytes(bits, (compare_few(r, scalar, a, b, s, n) ^ flip) & low_bits(n), (n + 7) / 8);
        return PTO_OK;
    }
    size_t words = n / 64;
    /* If one vector makes a word, four words are computed at a time. One at a time took 1.1 times as long in the L1
     * cache of a Zen 5. */
    for (; LANES == 64 && words >= 4; words -= 4) {
        store_words(r, scalar, a, b, s, bits, 4, flip);
        a += 256 * ELEMENT_BYTES;
        b += scalar ? 0 : 256 * ELEMENT_BYTES;
        bits += 32;
    }
    UNROLL_WORDS
    for (; words != 0; --words) {
        store_words(r, scalar, a, b, s, bits, 1, flip);
        a += 64 * ELEMENT_BYTES;
        b += scalar ? 0 : 64 * ELEMENT_BYTES;
        bits += 8;
    }
    n %= 64;
    if (n != 0) store_bytes(bits, (compare_tail(r, scalar, a, b, s, n) ^ flip) & low_bits(n), (n + 7) / 8);
    return PTO_OK;
}

/* Stores 64 lanes, given as vector masks, as bytes or as an image. */
static ALWAYS_INLINE void store_masks(enum mask_storage storage, u8 *out, const vmask *m, u64 flip) {
#if WIDTH == 16 || WIDTH == 32
    if (storage == MASK_AS_IMAGE) {
        m_image(out, m, flip);
        return;
    }
#endif
    (void)storage;
    m_bytes(out, m, flip);
}

/* Stores n < 64 lanes, given as a word whose other bits are 0, as bytes or as an image. */
static NOINLINE void store_tail(enum mask_storage storage, u8 *out, u64 word, size_t n) {
    if (storage == MASK_AS_IMAGE)
        store_partial_as_image(word, out, n, ELEMENT_BYTES);
    else
        store_partial_as_bytes(word, out, n);
}

/* Compares n lanes into bytes or an image, with `lane_bits` bits per lane. */
static ALWAYS_INLINE pto_status compare_as(enum mask_storage storage, size_t lane_bits, enum relation r,
                                           bool scalar, const void *src0, const void *src1, void *mask,
                                           size_t n, u64 flip) {
    const u8 *a = src0, *b = src1;
    u8 *out = mask;
    vec s = scalar ? v_set1(b) : v_zero();
    flip ^= complement_mask(r, scalar);
    if (n <= LANES) {
        store_tail(storage, out, (compare_few(r, scalar, a, b, s, n) ^ flip) & low_bits(n), n);
        return PTO_OK;
    }
    for (; n >= 64; n -= 64) {
        vmask m[64 / LANES];
        relate_word(r, scalar, a, b, s, m);
        store_masks(storage, out, m, flip);
        a += 64 * ELEMENT_BYTES;
        b += scalar ? 0 : 64 * ELEMENT_BYTES;
        out += 8 * lane_bits;
    }
    if (n != 0) store_tail(storage, out, (compare_tail(r, scalar, a, b, s, n) ^ flip) & low_bits(n), n);
    return PTO_OK;
}

/* These macros map the name of a mask storage (BITS, BYTES or IMAGE) to the function that writes such a mask. They are
 * macros because a function in between would cost short calls a jump with clang. */
#define compare_BITS(...)  compare_bits(__VA_ARGS__)
#define compare_BYTES(...) compare_as(MASK_AS_BYTES, 8, __VA_ARGS__)
#define compare_IMAGE(...) compare_as(MASK_AS_IMAGE, ELEMENT_BYTES, __VA_ARGS__)

#define VV(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return compare_##storage(RELATION_##r, false, a, b, mask, n, flip);                                  \
    }
#define VV_MIRRORED(storage, r, outcomes, mirror)                                                            \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return NAME(vv_##mirror##_##storage##_)(b, a, mask, n, flip);                                        \
    }
#define VS(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vs_##r##_##storage##_)(const void *a, const void *s, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return compare_##storage(RELATION_##r, true, a, s, mask, n, flip);                                   \
    }
LANE_RELATIONS(VV, VV_MIRRORED, BITS)
LANE_RELATIONS(VS, VS, BITS)
LANE_RELATIONS(VV, VV_MIRRORED, BYTES)
LANE_RELATIONS(VS, VS, BYTES)
#if WIDTH == 16 || WIDTH == 32
LANE_RELATIONS(VV, VV_MIRRORED, IMAGE)
LANE_RELATIONS(VS, VS, IMAGE)
#endif
#undef VV
#undef VV_MIRRORED
#undef VS
#undef compare_BITS
#undef compare_BYTES
#undef compare_IMAGE

/* Returns u where x R y holds, else v; in[] has x, y, u and v. */
static ALWAYS_INLINE vec choose_vector(unsigned r, const vec *in) {
    return v_sel(relate((enum relation)r, in[0], in[1]), in[2], in[3]);
}

/* Defines the kernels of one relation. Short calls and calls with scalars have separate functions, so that a long call
 * whose operands are all arrays saves no registers. */
#define CHOOSE(context, r, outcomes, mirror)                                                                 \
    static NOINLINE void NAME(choose_few_##r##_)(const struct sources *c, void *dst, size_t n) {             \
        walk_partial_or_arrays(choose_vector, RELATION_##r, 4, ELEMENT_BYTES, c, dst, n *ELEMENT_BYTES);     \
    }                                                                                                        \
    static NOINLINE void NAME(choose_scalars_##r##_)(const struct sources *c, void *dst, size_t n) {         \
        walk_lanes(choose_vector, RELATION_##r, 4, ELEMENT_BYTES, WALK_ANY, c, dst, n);                      \
    }                                                                                                        \
    static void NAME(choose_##r##_)(const struct sources *c, void *dst, size_t n) {                          \
        size_t head;                                                                                         \
        if (n < LANES) {                                                                                     \
            NAME(choose_few_##r##_)(c, dst, n);                                                              \
            return;                                                                                          \
        }                                                                                                    \
        head = walk_head(ELEMENT_BYTES, dst, n);                                                             \
        if (unlikely(head != 0))                                                                             \
            choose_after_head(NAME(choose_##r##_), ELEMENT_BYTES, head, c, dst, n);                          \
        else if (c->scalars != 0)                                                                            \
            NAME(choose_scalars_##r##_)(c, dst, n);                                                          \
        else                                                                                                 \
            walk_lanes(choose_vector, RELATION_##r, 4, ELEMENT_BYTES, WALK_ARRAYS, c, dst, n);               \
    }
#define NOTHING(context, r, outcomes, mirror)
LANE_RELATIONS(CHOOSE, NOTHING, )
#undef CHOOSE

#define CHOOSE(context, r, outcomes, mirror) [RELATION_##r] = NAME(choose_##r##_),
const struct choose_kernels NAME(pto_choose_) = {{LANE_RELATIONS(CHOOSE, NOTHING, )}};
#undef CHOOSE
#undef NOTHING

const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef LANES
#undef ELEMENT_BYTES
#undef vmask
#undef v_set1
#undef v_sel
#undef v_eq
#undef v_lt
#undef v_ge
#undef v_rel
#undef v_rel_scalar
#undef m_none
#undef m_word
#undef word_of_masks
#undef m_bytes
#undef m_image
#undef relate
#undef complement_mask
#undef relate_or_complement
#undef relate_word
#undef relate_vector
#undef compare_few
#undef compare_tail
#undef compare_bits
#undef compare_as
#undef store_words
#undef store_masks
#undef store_tail
#undef choose_vector
#undef UNROLL_WORDS
#undef IMAGE_STORAGE
#undef LANE_RELATIONS
#undef LANE
#undef WIDTH
#undef FLOATING
