/* SPDX-License-Identifier: MIT */
/*
 * Compare kernels for one lane type, written once against the vocabulary of an ISA's vec.h. Include with
 *   LANE      u8 .. s64, f16, f16z, bf16, f32, f64: the suffix of its entries v_rel_LANE or v_lt_LANE
 *   WIDTH     8, 16, 32, 64
 *   FLOATING  1 if operands can be unordered
 * and ISA defined, whose name ends those of the kernels. Leaves kernels_LANE_ISA.
 *
 * 64 lanes make one word of the result, whatever the vector's length; the relation is a constant in each
 * kernel.
 */
#define NAME(prefix)  CAT3(prefix, LANE, CAT(_, ISA))
#define W(prefix)     CAT(prefix, WIDTH)
#define LANES         W(VLANES_)
#define ELEMENT_BYTES ((size_t)WIDTH / 8)

#if FLOATING
static ALWAYS_INLINE W(vmask_) NAME(relate_)(enum basis r, vec x, vec y) {
    return CAT(v_rel_, LANE)(r, x, y);
}
#else
static ALWAYS_INLINE W(vmask_) NAME(relate_)(enum basis r, vec x, vec y) {
    return r == BASIS_EQ ? W(v_eq_)(x, y) : r == BASIS_LT ? CAT(v_lt_, LANE)(x, y) : CAT(v_lt_, LANE)(y, x);
}
#endif

/* The word of 64 lanes; in the scalar form s is the right-hand side. */
static ALWAYS_INLINE u64 NAME(word_)(enum basis r, bool scalar, const u8 *a, const u8 *b, vec s) {
    W(vmask_) m[64 / LANES];
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) {
        vec x = v_load(a + i * VBYTES);
        vec y = scalar ? s : v_load(b + i * VBYTES);
        m[i] = NAME(relate_)(r, x, y);
    }
    return W(m_word_)(m);
}

/* The word of the last 1 to 63 lanes; what its other bits are is not said. */
static ALWAYS_INLINE u64 NAME(tail_)(enum basis r, bool scalar, const u8 *a, const u8 *b, vec s,
                                     size_t lanes) {
    W(vmask_) m[64 / LANES];
    for (size_t i = 0; i < 64 / LANES; ++i) {
        size_t at = i * LANES, left = lanes > at ? min_size(lanes - at, LANES) : 0;
        vec x, y;
        if (left == 0) {
            m[i] = W(m_none_)();
            continue;
        }
        x = W(v_load_n_)(a + i * VBYTES, left);
        y = scalar ? s : W(v_load_n_)(b + i * VBYTES, left);
        m[i] = NAME(relate_)(r, x, y);
    }
    return W(m_word_)(m);
}

static ALWAYS_INLINE void NAME(compare_)(enum basis r, bool scalar, const void *a, const void *b, void *bits,
                                         size_t n, u64 flip) {
    const u8 *pa = a, *pb = b;
    u8 *out = bits;
    vec s = scalar ? W(v_set1_)(b) : v_zero();
    for (; n >= 64; n -= 64) {
        store64(out, NAME(word_)(r, scalar, pa, pb, s) ^ flip);
        pa += 64 * ELEMENT_BYTES;
        pb += scalar ? 0 : 64 * ELEMENT_BYTES;
        out += 8;
    }
    if (n != 0) store_bytes(out, (NAME(tail_)(r, scalar, pa, pb, s, n) ^ flip) & low_bits(n), (n + 7) / 8);
}

#define KERNEL(name, basis, scalar)                                                                          \
    static void NAME(name)(const void *a, const void *b, void *bits, size_t n, u64 flip) {                   \
        NAME(compare_)(basis, scalar, a, b, bits, n, flip);                                                  \
    }

KERNEL(vv_eq_, BASIS_EQ, false)
KERNEL(vv_lt_, BASIS_LT, false)
KERNEL(vs_eq_, BASIS_EQ, true)
KERNEL(vs_lt_, BASIS_LT, true)
KERNEL(vs_gt_, BASIS_GT, true)
#if FLOATING
KERNEL(vv_le_, BASIS_LE, false)
KERNEL(vv_lg_, BASIS_LG, false)
KERNEL(vv_ord_, BASIS_ORD, false)
KERNEL(vs_le_, BASIS_LE, true)
KERNEL(vs_ge_, BASIS_GE, true)
KERNEL(vs_lg_, BASIS_LG, true)
KERNEL(vs_ord_, BASIS_ORD, true)
#endif
#undef KERNEL

static const struct compare_kernels NAME(kernels_) = {
#include "compare_rows.h"
};

#undef NAME
#undef W
#undef LANES
#undef ELEMENT_BYTES
#undef LANE
#undef WIDTH
#undef FLOATING
