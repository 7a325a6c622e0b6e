/* SPDX-License-Identifier: MIT */
/*
 * Compare kernels for one lane type, written once against the vocabulary of an ISA's vec.h. Include with
 *   LANE      u8 .. s64, f16, f16z, bf16, f32, f64: the suffix of its entries v_rel_LANE or v_lt_LANE
 *   WIDTH     8, 16, 32, 64
 *   FLOATING  1 if operands can be unordered
 * and ISA defined, whose name ends those of the kernels. Leaves pto_compare_LANE_ISA.
 *
 * 64 lanes make one word of the result, whatever the vector's length; the relation is a constant in each
 * kernel. The choose kernels put the truth to use at once.
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

/* Where VEC_NOT_LESS_LANE says so, masks are made as the complement of x < y, to be undone for many lanes at
 * once; where VEC_SCALAR_LANE does, a scalar has a relation of its own. */
#if CAT(VEC_NOT_LESS_, LANE)
static ALWAYS_INLINE u64 NAME(complement_)(enum basis r, bool scalar) {
    return r == BASIS_LT && !scalar ? ~(u64)0 : 0;
}

static ALWAYS_INLINE W(vmask_) NAME(relate_most_)(enum basis r, bool scalar, vec x, vec y) {
    return NAME(complement_)(r, scalar) != 0 ? CAT(v_not_less_, LANE)(x, y) : NAME(relate_)(r, x, y);
}
#else
static ALWAYS_INLINE u64 NAME(complement_)(enum basis r, bool scalar) {
    (void)r;
    (void)scalar;
    return 0;
}

static ALWAYS_INLINE W(vmask_) NAME(relate_most_)(enum basis r, bool scalar, vec x, vec y) {
#    if CAT(VEC_SCALAR_, LANE)
    if (scalar) return CAT(v_rel_scalar_, LANE)(r, x, y);
#    endif
    (void)scalar;
    return NAME(relate_)(r, x, y);
}
#endif

/* The masks of 64 lanes; in the scalar form s is the right-hand side. */
static ALWAYS_INLINE void NAME(masks_)(enum basis r, bool scalar, const u8 *a, const u8 *b, vec s,
                                       W(vmask_) * m) {
    UNROLL
    for (size_t i = 0; i < 64 / LANES; ++i) {
        vec x = v_load(a + i * VBYTES);
        vec y = scalar ? s : v_load(b + i * VBYTES);
        m[i] = NAME(relate_most_)(r, scalar, x, y);
    }
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
        m[i] = NAME(relate_most_)(r, scalar, x, y);
    }
    return W(m_word_)(m);
}

/* flip also undoes what complement_ says. */
static ALWAYS_INLINE void NAME(compare_)(enum basis r, bool scalar, const void *a, const void *b, void *bits,
                                         size_t n, u64 flip) {
    const u8 *pa = a, *pb = b;
    u8 *out = bits;
    vec s = scalar ? W(v_set1_)(b) : v_zero();
    flip ^= NAME(complement_)(r, scalar);
#if WIDTH <= 16
    UNROLL_4 /* the others have many vectors to a word */
#endif
        for (size_t words = n / 64; words != 0; --words) {
        W(vmask_) m[64 / LANES];
        NAME(masks_)(r, scalar, pa, pb, s, m);
        store64(out, W(m_word_)(m) ^ flip);
        pa += 64 * ELEMENT_BYTES;
        pb += scalar ? 0 : 64 * ELEMENT_BYTES;
        out += 8;
    }
    n %= 64;
    if (n != 0) store_bytes(out, (NAME(tail_)(r, scalar, pa, pb, s, n) ^ flip) & low_bits(n), (n + 7) / 8);
}

/* The images of the other widths are bits and, as they are written, bytes. */
#define BYTES(name) NAME(CAT(bytes_, name))
#if WIDTH == 8
#    define IMAGE(name) NAME(name)
#elif WIDTH == 64
#    define IMAGE(name) BYTES(name)
#else
#    define IMAGE(name) NAME(CAT(image_, name))
#endif

/* 64 lanes in a form other than bits, from masks. */
static ALWAYS_INLINE void NAME(put_)(enum mask_form form, u8 *out, const W(vmask_) * m, u64 flip) {
#if WIDTH == 16 || WIDTH == 32
    if (form == AS_IMAGE) {
        W(m_image_)(out, m, flip);
        return;
    }
#endif
    (void)form;
    W(m_bytes_)(out, m, flip);
}

/* Fewer, from a word whose other bits are 0. */
static NOINLINE void NAME(put_some_)(enum mask_form form, u8 *out, u64 word, size_t n) {
    if (form == AS_IMAGE)
        image_of_some(word, out, n, ELEMENT_BYTES);
    else
        bytes_of_some(word, out, n);
}

/* Each lane becomes lane_bits bits. */
static ALWAYS_INLINE void NAME(compare_as_)(enum mask_form form, size_t lane_bits, enum basis r, bool scalar,
                                            const void *a, const void *b, void *dst, size_t n, u64 flip) {
    const u8 *pa = a, *pb = b;
    u8 *out = dst;
    vec s = scalar ? W(v_set1_)(b) : v_zero();
    flip ^= NAME(complement_)(r, scalar);
    for (; n >= 64; n -= 64) {
        W(vmask_) m[64 / LANES];
        NAME(masks_)(r, scalar, pa, pb, s, m);
        NAME(put_)(form, out, m, flip);
        pa += 64 * ELEMENT_BYTES;
        pb += scalar ? 0 : 64 * ELEMENT_BYTES;
        out += 8 * lane_bits;
    }
    if (n != 0) NAME(put_some_)(form, out, (NAME(tail_)(r, scalar, pa, pb, s, n) ^ flip) & low_bits(n), n);
}

/* Of one comparison of two vectors its mirror image. */
#define SWAPPED(name, of)                                                                                    \
    static pto_status name(const void *a, const void *b, void *mask, size_t n, u64 flip) {                   \
        return of(b, a, mask, n, flip);                                                                      \
    }

#if WIDTH == 16 || WIDTH == 32
#    define IMAGE_KERNEL(name, basis, scalar)                                                                \
        static pto_status IMAGE(name)(const void *a, const void *b, void *dst, size_t n, u64 flip) {         \
            NAME(compare_as_)(AS_IMAGE, ELEMENT_BYTES, basis, scalar, a, b, dst, n, flip);                   \
            return PTO_OK;                                                                                   \
        }
#    define IMAGE_MIRROR(name, of) SWAPPED(IMAGE(name), IMAGE(of))
#else
#    define IMAGE_KERNEL(name, basis, scalar)
#    define IMAGE_MIRROR(name, of)
#endif

#define KERNEL(name, basis, scalar)                                                                          \
    static pto_status NAME(name)(const void *a, const void *b, void *bits, size_t n, u64 flip) {             \
        NAME(compare_)(basis, scalar, a, b, bits, n, flip);                                                  \
        return PTO_OK;                                                                                       \
    }                                                                                                        \
    static pto_status BYTES(name)(const void *a, const void *b, void *dst, size_t n, u64 flip) {             \
        NAME(compare_as_)(AS_BYTES, 8, basis, scalar, a, b, dst, n, flip);                                   \
        return PTO_OK;                                                                                       \
    }                                                                                                        \
    IMAGE_KERNEL(name, basis, scalar)

#define MIRROR(name, of)                                                                                     \
    SWAPPED(NAME(name), NAME(of))                                                                            \
    SWAPPED(BYTES(name), BYTES(of))                                                                          \
    IMAGE_MIRROR(name, of)

KERNEL(vv_eq_, BASIS_EQ, false)
KERNEL(vv_lt_, BASIS_LT, false)
MIRROR(vv_gt_, vv_lt_)
KERNEL(vs_eq_, BASIS_EQ, true)
KERNEL(vs_lt_, BASIS_LT, true)
KERNEL(vs_gt_, BASIS_GT, true)
#if FLOATING
KERNEL(vv_le_, BASIS_LE, false)
MIRROR(vv_ge_, vv_le_)
KERNEL(vv_lg_, BASIS_LG, false)
KERNEL(vv_ord_, BASIS_ORD, false)
KERNEL(vs_le_, BASIS_LE, true)
KERNEL(vs_ge_, BASIS_GE, true)
KERNEL(vs_lg_, BASIS_LG, true)
KERNEL(vs_ord_, BASIS_ORD, true)
#endif
#undef KERNEL
#undef IMAGE_KERNEL
#undef IMAGE_MIRROR
#undef SWAPPED
#undef MIRROR

/* u where x R y, else v, in[0] to in[3] being x, y, u and v. */
static ALWAYS_INLINE vec NAME(chosen_)(enum basis r, const u8 *const *in) {
    return W(v_sel_)(NAME(relate_)(r, v_load(in[0]), v_load(in[1])), v_load(in[2]), v_load(in[3]));
}

/* The same for fewer lanes than a vector has. */
static ALWAYS_INLINE void NAME(choose_some_)(enum basis r, const u8 *const *in, u8 *out, size_t n) {
    const W(vmask_) m = NAME(relate_)(r, W(v_load_n_)(in[0], n), W(v_load_n_)(in[1], n));
    W(v_store_n_)(out, W(v_sel_)(m, W(v_load_n_)(in[2], n), W(v_load_n_)(in[3], n)), n);
}

/* Up to the first line; the number of bytes. */
static ALWAYS_INLINE size_t NAME(choose_head_)(enum basis r, const struct choice *c, u8 *out) {
    const size_t bytes = stream_head(out);
    if (bytes != 0) NAME(choose_some_)(r, (const u8 *const *)c->in, out, bytes / ELEMENT_BYTES);
    return bytes;
}

static ALWAYS_INLINE void NAME(choose_)(enum basis r, const struct choice *c, void *dst, size_t n) {
    const bool in_place = dst == c->in[0] || dst == c->in[1] || dst == c->in[2] || dst == c->in[3];
    const bool stream = !in_place && stream_pays(dst, ELEMENT_BYTES, n);
    const size_t head = stream ? NAME(choose_head_)(r, c, dst) : 0;
    const u8 *in[4];
    u8 *out = (u8 *)dst + head;
    size_t step[4];
    for (size_t k = 0; k < 4; ++k) {
        in[k] = c->one[k] ? c->in[k] : (const u8 *)c->in[k] + head;
        step[k] = c->one[k] ? 0 : VBYTES;
    }
    n -= head / ELEMENT_BYTES;
    if (stream)
        for (; n >= LANES; n -= LANES) {
            v_stream(out, NAME(chosen_)(r, in));
            for (size_t k = 0; k < 4; ++k) in[k] += step[k];
            out += VBYTES;
        }
    else
        for (; n >= (size_t)2 * LANES; n -= (size_t)2 * LANES) { /* moving on costs as much as choosing */
            const u8 *const next[4] = {in[0] + step[0], in[1] + step[1], in[2] + step[2], in[3] + step[3]};
            v_store(out, NAME(chosen_)(r, in));
            v_store(out + VBYTES, NAME(chosen_)(r, next));
            for (size_t k = 0; k < 4; ++k) in[k] = next[k] + step[k];
            out += (size_t)2 * VBYTES;
        }
    if (n >= LANES) {
        v_store(out, NAME(chosen_)(r, in));
        for (size_t k = 0; k < 4; ++k) in[k] += step[k];
        out += VBYTES;
        n -= LANES;
    }
    if (stream) v_stream_end();
    if (n != 0) NAME(choose_some_)(r, in, out, n);
}

#define KERNEL(name, basis)                                                                                  \
    static void NAME(name)(const struct choice *c, void *dst, size_t n) {                                    \
        NAME(choose_)(basis, c, dst, n);                                                                     \
    }

KERNEL(choose_eq_, BASIS_EQ)
KERNEL(choose_lt_, BASIS_LT)
#if FLOATING
KERNEL(choose_le_, BASIS_LE)
KERNEL(choose_lg_, BASIS_LG)
KERNEL(choose_ord_, BASIS_ORD)
#endif
#undef KERNEL

const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef BYTES
#undef IMAGE
#undef W
#undef LANES
#undef ELEMENT_BYTES
#undef LANE
#undef WIDTH
#undef FLOATING
