/* SPDX-License-Identifier: MIT */
/*
 * RVV helpers for the loops of this folder. They use groups of eight vector registers, so that an iteration has as
 * many lanes as possible; one kind of group has four. The truth of a group is a mask register with a bit for each
 * lane, which is packed bits.
 *
 * The code works for every register length. A group has lanes_of_KIND() lanes. vl, at most that many, is the number of
 * lanes that an instruction processes; lanes from vl on are undefined. vsetvli grants a vl of at most a group
 * unchanged.
 *
 * Lanes are loaded and stored as bytes, because an access at an address that is not a multiple of the lane size may
 * trap. Whole groups are loaded and stored as registers, which needs no vl in bytes.
 */
#ifndef PTO_RVV_VECTOR_H
#define PTO_RVV_VECTOR_H

#include <riscv_vector.h>

#include "core/kernels.h"

/*
 * The kinds of groups, X(kind, w, g, b, m, i):
 *
 *   w  the bits of a lane
 *   g  the registers of a group
 *   b  the ratio of w to the number of registers, after which the mask type is named
 *   m  the registers for one byte for each lane
 *   i  the ratio b of the same group as bytes
 *
 * The kind `half` is for maxima of 16-bit floats. They take so many instructions that the group has half the size.
 */
#define EACH_KIND(X)                                                                                         \
    X(8, 8, m8, 1, m8, 1)                                                                                    \
    X(16, 16, m8, 2, m4, 1) X(half, 16, m4, 4, m2, 2) X(32, 32, m8, 4, m2, 1) X(64, 64, m8, 8, m1, 1)

#define TYPES(kind, w, g, b, m, i)                                                                           \
    typedef vuint##w##g##_t lanes_##kind;                                                                    \
    typedef vbool##b##_t truth_##kind;                                                                       \
    typedef vuint8##m##_t bytes_##kind; /* one byte for each lane */                                         \
    typedef vuint8##g##_t memory_##kind;
EACH_KIND(TYPES)
#undef TYPES

static ALWAYS_INLINE vuint8m8_t to_memory_8(lanes_8 x) {
    return x;
}

static ALWAYS_INLINE lanes_8 of_memory_8(vuint8m8_t x) {
    return x;
}

#define OTHER_THAN_BYTES(kind, w, g)                                                                         \
    static ALWAYS_INLINE memory_##kind to_memory_##kind(lanes_##kind x) {                                    \
        return __riscv_vreinterpret_v_u##w##g##_u8##g(x);                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind of_memory_##kind(memory_##kind x) {                                    \
        return __riscv_vreinterpret_v_u8##g##_u##w##g(x);                                                    \
    }
OTHER_THAN_BYTES(16, 16, m8)
OTHER_THAN_BYTES(half, 16, m4)
OTHER_THAN_BYTES(32, 32, m8)
OTHER_THAN_BYTES(64, 64, m8)
#undef OTHER_THAN_BYTES

/* ---- lanes ---- */

/* select_KIND() returns u where truth is set, else v. load_masked_KIND() does the same with u in memory, aligned to the
 * lane size, in fewer instructions and registers. computed_now_KIND() returns its argument, and makes the compiler
 * compute it before any later load. Otherwise compilers tend to load everything first, but only three groups fit into
 * the registers besides masks. */
#define LANES(kind, w, g, b, m, i)                                                                           \
    static ALWAYS_INLINE size_t lanes_of_##kind(void) {                                                      \
        return __riscv_vsetvlmax_e##w##g();                                                                  \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind load_##kind(const u8 *p, size_t vl) {                                  \
        return of_memory_##kind(__riscv_vle8_v_u8##g(p, vl * ((w) / 8)));                                    \
    }                                                                                                        \
    static ALWAYS_INLINE void store_##kind(u8 *p, lanes_##kind x, size_t vl) {                               \
        __riscv_vse8_v_u8##g(p, to_memory_##kind(x), vl *((w) / 8));                                         \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind load_group_##kind(const u8 *p, bool whole, size_t vl) {                \
        return whole ? of_memory_##kind(*(const memory_##kind *)p) : load_##kind(p, vl);                     \
    }                                                                                                        \
    static ALWAYS_INLINE void store_group_##kind(u8 *p, lanes_##kind x, bool whole, size_t vl) {             \
        if (whole)                                                                                           \
            *(memory_##kind *)p = to_memory_##kind(x);                                                       \
        else                                                                                                 \
            store_##kind(p, x, vl);                                                                          \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind broadcast_##kind(u64 element, size_t vl) {                             \
        return __riscv_vmv_v_x_u##w##g((u##w)element, vl);                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE truth_##kind computed_now_##kind(truth_##kind truth) {                              \
        __asm__ volatile("" : "+vm"(truth) : : "memory");                                                    \
        return truth;                                                                                        \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind select_##kind(truth_##kind truth, lanes_##kind u, lanes_##kind v,      \
                                                    size_t vl) {                                             \
        return __riscv_vmerge_vvm_u##w##g(v, u, truth, vl);                                                  \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind load_masked_##kind(truth_##kind truth, const void *p, lanes_##kind v,  \
                                                         size_t vl) {                                        \
        return __riscv_vle##w##_v_u##w##g##_mu(truth, v, p, vl);                                             \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##kind select_scalar_##kind(truth_##kind truth, u64 u, lanes_##kind v,        \
                                                           size_t vl) {                                      \
        return __riscv_vmerge_vxm_u##w##g(v, (u##w)u, truth, vl);                                            \
    }
EACH_KIND(LANES)
#undef LANES

/* Returns how many of n lanes are in whole pairs of groups. `group`, the lanes of a group, is a power of two. */
static ALWAYS_INLINE size_t lanes_in_pairs(size_t n, size_t group) {
    return n & ~(2 * group - 1);
}

/* ---- masks in memory, in every storage ---- */

/* Clears the spare bits in the last byte of a mask of `bits` bits. Stores of mask registers leave any value there. */
static ALWAYS_INLINE void clear_spare(u8 *mask, size_t bits) {
    if (bits % 8 != 0) mask[bits / 8] &= (u8)low_bits(bits % 8);
}

/* These store a mask. To store it inverted, `flipped` is 1, `flips` has all lanes set, and `off` has a 1 for each
 * lane; else all of them are 0. For an image, each lane becomes 0 or 1, so only its lowest byte can be nonzero.
 * Comparing the bytes with 0 then gives the image. */
#define PUT_TRUTH(kind, w, g, b, m, i)                                                                       \
    static ALWAYS_INLINE truth_##kind invert_mask_##kind(u8 flipped, size_t vl) {                            \
        return __riscv_vmsne_vx_u##w##g##_b##b(broadcast_##kind(flipped, vl), 0, vl);                        \
    }                                                                                                        \
    static ALWAYS_INLINE bytes_##kind inverted_zero_##kind(u8 flipped, size_t vl) {                          \
        return __riscv_vmv_v_x_u8##m(flipped, vl);                                                           \
    }                                                                                                        \
    static ALWAYS_INLINE void store_bits_##kind(u8 *p, truth_##kind truth, truth_##kind flips, size_t vl) {  \
        __riscv_vsm_v_b##b(p, __riscv_vmxor_mm_b##b(truth, flips, vl), vl);                                  \
    }                                                                                                        \
    static ALWAYS_INLINE void store_bytes_##kind(u8 *p, truth_##kind truth, bytes_##kind off, u8 flipped,    \
                                                 size_t vl) {                                                \
        __riscv_vse8_v_u8##m(p, __riscv_vmerge_vxm_u8##m(off, flipped ^ 1, truth, vl), vl);                  \
    }                                                                                                        \
    static ALWAYS_INLINE void store_image_##kind(u8 *p, truth_##kind truth, u8 flipped, size_t vl) {         \
        const lanes_##kind off = broadcast_##kind(flipped, vl);                                              \
        const memory_##kind x =                                                                              \
            to_memory_##kind(select_scalar_##kind(computed_now_##kind(truth), flipped ^ 1, off, vl));        \
        const size_t bits = vl * ((w) / 8);                                                                  \
        __riscv_vsm_v_b##i(p, __riscv_vmsne_vx_u8##g##_b##i(x, 0, bits), bits);                              \
    }
EACH_KIND(PUT_TRUTH)
#undef PUT_TRUTH

/* These load a mask: from packed bits; from bytes, which are true if not 0 (get_bytes) or if the lowest bit is set
 * (get_lowest); and from an image, of which the lowest bit of each lane counts. */
#define GET_TRUTH(kind, w, g, b, m, i)                                                                       \
    static ALWAYS_INLINE truth_##kind get_bits_##kind(const u8 *p, size_t vl) {                              \
        return __riscv_vlm_v_b##b(p, vl);                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE truth_##kind get_bytes_##kind(const u8 *p, size_t vl) {                             \
        return __riscv_vmsne_vx_u8##m##_b##b(__riscv_vle8_v_u8##m(p, vl), 0, vl);                            \
    }                                                                                                        \
    static ALWAYS_INLINE truth_##kind get_lowest_##kind(const u8 *p, size_t vl) {                            \
        const bytes_##kind lowest = __riscv_vand_vx_u8##m(__riscv_vle8_v_u8##m(p, vl), 1, vl);               \
        return __riscv_vmsne_vx_u8##m##_b##b(lowest, 0, vl);                                                 \
    }                                                                                                        \
    static ALWAYS_INLINE truth_##kind get_image_##kind(const u8 *p, size_t vl) {                             \
        const size_t bits = vl * ((w) / 8);                                                                  \
        const memory_##kind off = __riscv_vmv_v_x_u8##g(0, bits);                                            \
        const memory_##kind x = __riscv_vmerge_vxm_u8##g(off, 1, __riscv_vlm_v_b##i(p, bits), bits);         \
        const lanes_##kind lowest = __riscv_vand_vx_u##w##g(of_memory_##kind(x), 1, vl);                     \
        return __riscv_vmsne_vx_u##w##g##_b##b(lowest, 0, vl);                                               \
    }
EACH_KIND(GET_TRUTH)
#undef GET_TRUTH

/* ---- comparisons of lanes ---- */

#define INTEGER_RELATIONS_OF(w, b)                                                                           \
    static ALWAYS_INLINE truth_##w related_u##w(enum relation r, lanes_##w x, lanes_##w y, size_t vl) {      \
        return r == RELATION_EQ   ? __riscv_vmseq_vv_u##w##m8_b##b(x, y, vl)                                 \
               : r == RELATION_LT ? __riscv_vmsltu_vv_u##w##m8_b##b(x, y, vl)                                \
                                  : __riscv_vmsltu_vv_u##w##m8_b##b(y, x, vl);                               \
    }                                                                                                        \
    static ALWAYS_INLINE truth_##w related_s##w(enum relation r, lanes_##w x, lanes_##w y, size_t vl) {      \
        const vint##w##m8_t a = __riscv_vreinterpret_v_u##w##m8_i##w##m8(x);                                 \
        const vint##w##m8_t c = __riscv_vreinterpret_v_u##w##m8_i##w##m8(y);                                 \
        return r == RELATION_EQ   ? __riscv_vmseq_vv_i##w##m8_b##b(a, c, vl)                                 \
               : r == RELATION_LT ? __riscv_vmslt_vv_i##w##m8_b##b(a, c, vl)                                 \
                                  : __riscv_vmslt_vv_i##w##m8_b##b(c, a, vl);                                \
    }
INTEGER_RELATIONS_OF(8, 1)
INTEGER_RELATIONS_OF(16, 2)
INTEGER_RELATIONS_OF(32, 4)
INTEGER_RELATIONS_OF(64, 8)
#undef INTEGER_RELATIONS_OF

/* NaNs raise exception flags, which the callers of the kernels restore. LG (less or greater) takes two comparisons,
 * because "not equal" is true for NaNs. ORD (ordered) takes two as well: the second is masked by the first, and the
 * other lanes stay false. */
#define FLOAT_RELATION(w, b)                                                                                 \
    static ALWAYS_INLINE truth_##w related_f##w(enum relation r, lanes_##w x, lanes_##w y, size_t vl) {      \
        const vfloat##w##m8_t a = __riscv_vreinterpret_v_u##w##m8_f##w##m8(x);                               \
        const vfloat##w##m8_t c = __riscv_vreinterpret_v_u##w##m8_f##w##m8(y);                               \
        truth_##w one;                                                                                       \
        switch (r) {                                                                                         \
        case RELATION_EQ: return __riscv_vmfeq_vv_f##w##m8_b##b(a, c, vl);                                   \
        case RELATION_LT: return __riscv_vmflt_vv_f##w##m8_b##b(a, c, vl);                                   \
        case RELATION_LE: return __riscv_vmfle_vv_f##w##m8_b##b(a, c, vl);                                   \
        case RELATION_GT: return __riscv_vmflt_vv_f##w##m8_b##b(c, a, vl);                                   \
        case RELATION_GE: return __riscv_vmfle_vv_f##w##m8_b##b(c, a, vl);                                   \
        case RELATION_LG:                                                                                    \
            one = __riscv_vmflt_vv_f##w##m8_b##b(a, c, vl);                                                  \
            return __riscv_vmor_mm_b##b(one, __riscv_vmflt_vv_f##w##m8_b##b(c, a, vl), vl);                  \
        case RELATION_ORD:                                                                                   \
            one = __riscv_vmfeq_vv_f##w##m8_b##b(a, a, vl);                                                  \
            return __riscv_vmfeq_vv_f##w##m8_b##b##_mu(one, one, c, c, vl);                                  \
        }                                                                                                    \
        return __riscv_vmclr_m_b##b(vl);                                                                     \
    }
#ifdef RVV_BY_FP16
FLOAT_RELATION(16, 2)
#endif
FLOAT_RELATION(32, 4)
FLOAT_RELATION(64, 8)
#undef FLOAT_RELATION

/* Compares with subnormals flushed; RISC-V has no FP state that flushes. Flushing changes a result only if both
 * magnitudes are below the least normal value, and then the operands are equal. If only one magnitude is below it, the
 * order stays. */
#define FLUSHED_RELATION(w, b, twice_least_normal)                                                           \
    static ALWAYS_INLINE truth_##w related_f##w##z(enum relation r, lanes_##w x, lanes_##w y, size_t vl) {   \
        const truth_##w truth = related_f##w(r, x, y, vl);                                                   \
        lanes_##w either;                                                                                    \
        if (r == RELATION_ORD) return truth;                                                                 \
        either = __riscv_vor_vv_u##w##m8(x, y, vl);                                                          \
        either = __riscv_vadd_vv_u##w##m8(either, either, vl);                                               \
        if (r == RELATION_LT || r == RELATION_GT || r == RELATION_LG)                                        \
            return __riscv_vmsgtu_vx_u##w##m8_b##b##_mu(truth, truth, either, (twice_least_normal)-1, vl);   \
        return __riscv_vmor_mm_b##b(truth, __riscv_vmsltu_vx_u##w##m8_b##b(either, twice_least_normal, vl),  \
                                    vl);                                                                     \
    }
#ifdef RVV_BY_FP16
FLUSHED_RELATION(16, 2, 0x0800)
#endif
FLUSHED_RELATION(32, 4, 0x01000000)
#undef FLUSHED_RELATION

/* A 16-bit format: the code of infinity, and the largest magnitude that counts as zero. */
struct half {
    u16 infinity, zero;
};

/* Doubles x, which shifts the sign out. */
static ALWAYS_INLINE lanes_16 half_without_sign(lanes_16 x, size_t vl) {
    return __riscv_vadd_vv_u16m8(x, x, vl);
}

/* Maps sign and magnitude to two's complement: both zeros map to 0, order is preserved, NaNs lie outside the
 * infinities. */
static ALWAYS_INLINE vint16m8_t half_to_twos_complement(lanes_16 x, size_t vl) {
    const vint16m8_t a = __riscv_vreinterpret_v_u16m8_i16m8(x);
    return __riscv_vrsub_vx_i16m8_mu(__riscv_vmslt_vx_i16m8_b2(a, 0, vl), a, a, INT16_MIN, vl);
}

/* Returns x < y, or x <= y if or_equal. Each comparison is limited to the lanes for which the previous one is true. It
 * is enough to exclude positive NaNs in y and negative NaNs in x: with other NaNs, the comparison is false anyway. */
static ALWAYS_INLINE truth_16 half_below(bool or_equal, struct half h, lanes_16 x, lanes_16 y, size_t vl) {
    const vint16m8_t a = half_to_twos_complement(x, vl), b = half_to_twos_complement(y, vl);
    truth_16 t = __riscv_vmsle_vx_i16m8_b2(b, (s16)h.infinity, vl);
    t = __riscv_vmsgt_vx_i16m8_b2_mu(t, t, a, (s16)(-(s16)h.infinity - 1), vl);
    return or_equal ? __riscv_vmsle_vv_i16m8_b2_mu(t, t, a, b, vl)
                    : __riscv_vmslt_vv_i16m8_b2_mu(t, t, a, b, vl);
}

static ALWAYS_INLINE truth_16 half_is_not_nan(struct half h, lanes_16 doubled, size_t vl) {
    return __riscv_vmsleu_vx_u16m8_b2(doubled, (u16)(2 * h.infinity), vl);
}

static ALWAYS_INLINE truth_16 half_ordered(struct half h, lanes_16 x2, lanes_16 y2, size_t vl) {
    return __riscv_vmand_mm_b2(half_is_not_nan(h, x2, vl), half_is_not_nan(h, y2, vl), vl);
}

static ALWAYS_INLINE truth_16 half_zeros(struct half h, lanes_16 x2, lanes_16 y2, size_t vl) {
    return __riscv_vmsleu_vx_u16m8_b2(__riscv_vor_vv_u16m8(x2, y2, vl), (u16)(2 * h.zero), vl);
}

static ALWAYS_INLINE truth_16 half_equal(struct half h, lanes_16 x, lanes_16 y, size_t vl) {
    const truth_16 same = __riscv_vmseq_vv_u16m8_b2(x, y, vl);
    const lanes_16 x2 = half_without_sign(x, vl), y2 = half_without_sign(y, vl);
    const truth_16 equal = __riscv_vmor_mm_b2(same, half_zeros(h, x2, y2, vl), vl);
    return __riscv_vmand_mm_b2(equal, half_is_not_nan(h, y2, vl), vl);
}

static ALWAYS_INLINE truth_16 half_unequal(struct half h, lanes_16 x, lanes_16 y, size_t vl) {
    const truth_16 differ = __riscv_vmsne_vv_u16m8_b2(x, y, vl);
    const lanes_16 x2 = half_without_sign(x, vl), y2 = half_without_sign(y, vl);
    const truth_16 t = __riscv_vmand_mm_b2(differ, half_ordered(h, x2, y2, vl), vl);
    return __riscv_vmandn_mm_b2(t, half_zeros(h, x2, y2, vl), vl);
}

/* Replaces a y that counts as zero by the smallest or the largest such value, depending on r. All other values compare
 * with it as they do with zero; see half_flushed() in loops/half.h. */
static ALWAYS_INLINE lanes_16 half_flushed(struct half h, enum relation r, lanes_16 y, size_t vl) {
    const u16 end = (u16)(h.zero | (r == RELATION_LT || r == RELATION_GE ? 0x8000 : 0));
    const lanes_16 exponent = __riscv_vand_vx_u16m8(y, h.infinity, vl);
    return __riscv_vmerge_vxm_u16m8(y, end, __riscv_vmseq_vx_u16m8_b2(exponent, 0, vl), vl);
}

static ALWAYS_INLINE truth_16 related_half(struct half h, enum relation r, lanes_16 x, lanes_16 y,
                                           size_t vl) {
    const lanes_16 z = h.zero == 0 ? y : half_flushed(h, r, y, vl);
    switch (r) {
    case RELATION_EQ: return half_equal(h, x, y, vl);
    case RELATION_LT: return half_below(false, h, x, z, vl);
    case RELATION_LE: return half_below(true, h, x, z, vl);
    case RELATION_LG: return half_unequal(h, x, y, vl);
    case RELATION_ORD: return half_ordered(h, half_without_sign(x, vl), half_without_sign(y, vl), vl);
    case RELATION_GT: return half_below(false, h, z, x, vl);
    case RELATION_GE: return half_below(true, h, z, x, vl);
    }
    return __riscv_vmclr_m_b2(vl);
}

/* f16 and bf16 are compared as integers, because base RVV has instructions for f32 and f64 only. If RVV_BY_FP16 is
 * defined, there are instructions for f16, too. */
#define HALF_RELATION(type, infinity, zero)                                                                  \
    static ALWAYS_INLINE truth_16 related_##type(enum relation r, lanes_16 x, lanes_16 y, size_t vl) {       \
        return related_half((struct half){infinity, zero}, r, x, y, vl);                                     \
    }
#ifndef RVV_BY_FP16
HALF_RELATION(f16, 0x7c00, 0)
HALF_RELATION(f16z, 0x7c00, 0x03ff)
#endif
HALF_RELATION(bf16, 0x7f80, 0)
#undef HALF_RELATION

/* ---- the kind of group in which each lane type is compared ---- */

#define kind_of_u8   8
#define kind_of_u16  16
#define kind_of_u32  32
#define kind_of_u64  64
#define kind_of_s8   8
#define kind_of_s16  16
#define kind_of_s32  32
#define kind_of_s64  64
#define kind_of_f16  16
#define kind_of_f16z 16
#define kind_of_bf16 16
#define kind_of_f32  32
#define kind_of_f32z 32
#define kind_of_f64  64

#endif
