/* SPDX-License-Identifier: MIT */
/*
 * Compare kernels for one lane type, one lane at a time. Include with
 *   LANE      name of the lane type, as in LANE_f32
 *   TYPE      its storage, an integer type
 *   RELATE(a, b)  the relation between two TYPEs
 *   FLOATING  1 if operands can be unordered
 */
#define NAME(prefix) CAT3(prefix, LANE, _scalar)

/* A lane of the mask is the lowest of lane_bits bits. */
static ALWAYS_INLINE void NAME(compare_)(unsigned true_for, bool scalar, const void *a, const void *b,
                                         void *mask, size_t lane_bits, size_t n, u64 flip) {
    const u8 *pa = a, *pb = b;
    u8 *out = mask;
    TYPE first; /* the mask may begin where a scalar lies */
    memcpy(&first, pb, sizeof first);
    for (size_t i = 0; i < n; ++i) {
        const size_t at = i * lane_bits;
        TYPE x, y = first;
        memcpy(&x, pa + i * sizeof x, sizeof x);
        if (!scalar) memcpy(&y, pb + i * sizeof y, sizeof y);
        bool truth = (RELATE(x, y) & true_for) != 0;
        if (at % 8 == 0) out[at / 8] = 0;
        out[at / 8] |= (u8)((truth ^ (flip & 1)) << at % 8);
    }
}

#define BYTES(name) NAME(CAT(bytes_, name))
#define IMAGE(name) NAME(CAT(image_, name))

#define KERNEL(name, true_for, scalar)                                                                       \
    static pto_status NAME(name)(const void *a, const void *b, void *bits, size_t n, u64 flip) {             \
        NAME(compare_)(true_for, scalar, a, b, bits, 1, n, flip);                                            \
        return PTO_OK;                                                                                       \
    }                                                                                                        \
    static pto_status BYTES(name)(const void *a, const void *b, void *dst, size_t n, u64 flip) {             \
        NAME(compare_)(true_for, scalar, a, b, dst, 8, n, flip);                                             \
        return PTO_OK;                                                                                       \
    }                                                                                                        \
    static pto_status IMAGE(name)(const void *a, const void *b, void *dst, size_t n, u64 flip) {             \
        NAME(compare_)(true_for, scalar, a, b, dst, sizeof(TYPE), n, flip);                                  \
        return PTO_OK;                                                                                       \
    }

KERNEL(vv_eq_, REL_EQUAL, false)
KERNEL(vv_lt_, REL_LESS, false)
KERNEL(vv_gt_, REL_GREATER, false)
KERNEL(vs_eq_, REL_EQUAL, true)
KERNEL(vs_lt_, REL_LESS, true)
KERNEL(vs_gt_, REL_GREATER, true)
#if FLOATING
KERNEL(vv_le_, REL_LESS | REL_EQUAL, false)
KERNEL(vv_lg_, REL_LESS | REL_GREATER, false)
KERNEL(vv_ord_, REL_LESS | REL_EQUAL | REL_GREATER, false)
KERNEL(vv_ge_, REL_GREATER | REL_EQUAL, false)
KERNEL(vs_le_, REL_LESS | REL_EQUAL, true)
KERNEL(vs_ge_, REL_GREATER | REL_EQUAL, true)
KERNEL(vs_lg_, REL_LESS | REL_GREATER, true)
KERNEL(vs_ord_, REL_LESS | REL_EQUAL | REL_GREATER, true)
#endif
#undef KERNEL

static ALWAYS_INLINE void NAME(choose_)(unsigned true_for, const struct choice *c, void *dst, size_t n) {
    u8 *out = dst;
    for (size_t i = 0; i < n; ++i) {
        TYPE x, y, u, v;
        memcpy(&x, (const u8 *)c->in[0] + (c->one[0] ? 0 : i) * sizeof x, sizeof x);
        memcpy(&y, (const u8 *)c->in[1] + (c->one[1] ? 0 : i) * sizeof y, sizeof y);
        memcpy(&u, (const u8 *)c->in[2] + (c->one[2] ? 0 : i) * sizeof u, sizeof u);
        memcpy(&v, (const u8 *)c->in[3] + (c->one[3] ? 0 : i) * sizeof v, sizeof v);
        if ((RELATE(x, y) & true_for) == 0) u = v;
        memcpy(out + i * sizeof u, &u, sizeof u);
    }
}

#define KERNEL(name, true_for)                                                                               \
    static void NAME(name)(const struct choice *c, void *dst, size_t n) {                                    \
        NAME(choose_)(true_for, c, dst, n);                                                                  \
    }

KERNEL(choose_eq_, REL_EQUAL)
KERNEL(choose_lt_, REL_LESS)
#if FLOATING
KERNEL(choose_le_, REL_LESS | REL_EQUAL)
KERNEL(choose_lg_, REL_LESS | REL_GREATER)
KERNEL(choose_ord_, REL_LESS | REL_EQUAL | REL_GREATER)
#endif
#undef KERNEL

const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef BYTES
#undef IMAGE
#undef LANE
#undef TYPE
#undef RELATE
#undef FLOATING
