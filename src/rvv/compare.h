/* SPDX-License-Identifier: MIT */
/*
 * Comparison and choose kernels for one lane type, for any register length. Include with
 *   LANE      u8 .. s64, f16, f16z, bf16, f32, f32z, f64: the suffix of its related_LANE
 *   WIDTH     8, 16, 32, 64
 *   FLOATING  1 if operands can be unordered
 * and ISA defined, which is the suffix of the kernels' names.
 */
#define NAME(prefix)   CAT3(prefix, LANE, CAT(_, ISA))
#define KIND           CAT(kind_of_, LANE)
#define ELEMENT_BYTES  ((size_t)WIDTH / 8)
#define related        CAT(related_, LANE)
#define lanes          CAT(lanes_, KIND)
#define truth          CAT(truth_, KIND)
#define bytes          CAT(bytes_, KIND)
#define load           CAT(load_group_, KIND)
#define compare_params NAME(compare_params_)
#define compare_group  NAME(compare_group_)
#define compare_as     NAME(compare_as_)
#define operand        NAME(operand_)
#define source         NAME(source_)
#define chosen_group   NAME(chosen_group_)
#define choose_next    NAME(choose_next_)
#define choose_as      NAME(choose_as_)

/* The parameters of a comparison. */
struct compare_params {
    enum mask_storage storage;
    enum relation r;
    bool scalar;
    u8 flipped;
};

/* Compares one group and writes its mask. s is the right-hand side in the scalar form. For flips and off see
 * vector.h. */
static ALWAYS_INLINE void compare_group(struct compare_params c, const u8 *a, const u8 *b, lanes s,
                                        truth flips, bytes off, u8 *mask, bool whole, size_t vl) {
    const truth t = related(c.r, load(a, whole, vl), c.scalar ? s : load(b, whole, vl), vl);
    if (c.storage == MASK_AS_BITS)
        CAT(store_bits_, KIND)(mask, t, flips, vl);
    else if (c.storage == MASK_AS_BYTES)
        CAT(store_bytes_, KIND)(mask, t, off, c.flipped, vl);
    else
        CAT(store_image_, KIND)(mask, t, c.flipped, vl);
}

/* The mask of a whole group has whole bytes in every storage, so only the last group can end within a byte. */
static ALWAYS_INLINE pto_status compare_as(enum mask_storage storage, enum relation r, bool scalar,
                                           const void *src0, const void *src1, void *mask, size_t n,
                                           u64 flip) {
    const struct compare_params c = {storage, r, scalar, (u8)(flip & 1)};
    const size_t lane_bits = storage_lane_bits(storage, ELEMENT_BYTES), group = CAT(lanes_of_, KIND)();
    const lanes s = CAT(broadcast_, KIND)(scalar ? load_bytes(src1, ELEMENT_BYTES) : 0, group);
    const truth flips = CAT(invert_mask_, KIND)(c.flipped, group);
    const bytes off = CAT(inverted_zero_, KIND)(c.flipped, group);
    const size_t step = group * ELEMENT_BYTES, step_b = scalar ? 0 : step, step_out = group * lane_bits / 8;
    const u8 *a = src0, *b = src1;
    u8 *out = mask, *const end = out + lanes_in_pairs(n, group) * lane_bits / 8;
    size_t left = n - lanes_in_pairs(n, group);
    while (out < end) {
        compare_group(c, a, b, s, flips, off, out, true, group);
        compare_group(c, a + step, b + step_b, s, flips, off, out + step_out, true, group);
        a += 2 * step;
        b += 2 * step_b;
        out += 2 * step_out;
    }
    for (; left != 0; left -= min_size(left, group)) {
        compare_group(c, a, b, s, flips, off, out, false, min_size(left, group));
        a += step;
        b += step_b;
        out += step_out;
    }
    clear_spare(mask, n * lane_bits);
    return PTO_OK;
}

/* An operand: the rest of an array, or a scalar for all lanes. */
struct operand {
    const u8 *from;
    u64 element;
    bool scalar;
};

static ALWAYS_INLINE lanes source(const struct operand *o, bool whole, size_t vl) {
    return o->scalar ? CAT(broadcast_, KIND)(o->element, vl) : load(o->from, whole, vl);
}

/* Returns one group of results. `plain` means that all operands are arrays, and that the third is aligned to the lane
 * size. */
static ALWAYS_INLINE lanes chosen_group(enum relation r, bool plain, const struct operand o[4], bool whole,
                                        size_t vl) {
    truth t = related(r, source(&o[0], whole, vl), source(&o[1], whole, vl), vl);
    if (plain) return CAT(load_masked_, KIND)(t, o[2].from, source(&o[3], whole, vl), vl);
    t = CAT(computed_now_, KIND)(t);
    return CAT(select_, KIND)(t, source(&o[2], whole, vl), source(&o[3], whole, vl), vl);
}

static ALWAYS_INLINE u8 *choose_next(struct operand o[4], u8 *dst, size_t step) {
    UNROLL
    for (size_t k = 0; k < 4; ++k) o[k].from += o[k].scalar ? 0 : step;
    return dst + step;
}

static ALWAYS_INLINE void choose_as(enum relation r, bool plain, const struct sources *c, u8 *dst, size_t n) {
    const size_t group = CAT(lanes_of_, KIND)(), step = group * ELEMENT_BYTES, groups = plain ? 4 : 2;
    size_t left = n & (groups * group - 1);
    const u8 *const end = dst + (n - left) * ELEMENT_BYTES;
    struct operand o[4];
    for (size_t k = 0; k < 4; ++k)
        o[k] = (struct operand){c->in[k], is_scalar(c, k) ? load_bytes(c->in[k], ELEMENT_BYTES) : 0,
                                is_scalar(c, k)};
    while (dst < end) UNROLL for (size_t k = 0; k < groups; ++k) {
            CAT(store_group_, KIND)(dst, chosen_group(r, plain, o, true, group), true, group);
            dst = choose_next(o, dst, step);
        }
    while (left != 0) {
        const size_t vl = min_size(left, group);
        CAT(store_group_, KIND)(dst, chosen_group(r, plain, o, false, vl), false, vl);
        dst = choose_next(o, dst, step);
        left -= vl;
    }
}

/* choose_any is a function of its own, so that plain arrays need no checks of operands. `arrays` is a copy whose
 * scalars are 0 at compile time. */
#define CHOOSE(context, r, outcomes, mirror)                                                                 \
    static NOINLINE void NAME(choose_any_##r##_)(const struct sources *c, void *dst, size_t n) {             \
        choose_as(RELATION_##r, false, c, dst, n);                                                           \
    }                                                                                                        \
    static void NAME(choose_##r##_)(const struct sources *c, void *dst, size_t n) {                          \
        const struct sources arrays = {{c->in[0], c->in[1], c->in[2], c->in[3]}, 0};                         \
        if (c->scalars != 0 || (uintptr_t)c->in[2] % ELEMENT_BYTES != 0)                                     \
            NAME(choose_any_##r##_)(c, dst, n);                                                              \
        else                                                                                                 \
            choose_as(RELATION_##r, true, &arrays, dst, n);                                                  \
    }
#include "loops/compare_any_length.h"

#undef KIND
#undef lanes
#undef truth
#undef bytes
#undef load
#undef compare_params
#undef compare_group
#undef operand
#undef source
#undef chosen_group
#undef choose_next
#undef choose_as
