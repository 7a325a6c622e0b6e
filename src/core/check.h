/* SPDX-License-Identifier: MIT */
/* Argument checks shared by the public calls, which apply them in the order that types.h documents. */
#ifndef PTO_CORE_CHECK_H
#define PTO_CORE_CHECK_H

#include "core/kernels.h"
#include "pto/mask.h"

static inline bool is_mask_kind(pto_mask_kind kind) {
    return (unsigned)kind <= PTO_MASK_BYTE;
}

/* Returns the bits that one lane takes: 1, 2, 4 or 8. `kind` must be valid. */
static inline size_t mask_lane_bits(pto_mask_kind kind) {
    static const u8 bits[MASK_KINDS] = {[PTO_MASK_PACKED] = 1, [PTO_MASK_B8] = 1,  [PTO_MASK_B16] = 2,
                                        [PTO_MASK_B32] = 4,    [PTO_MASK_B64] = 8, [PTO_MASK_BYTE] = 8};
    return bits[kind];
}

_Static_assert(PTO_MASK_PACKED == 0 && PTO_MASK_B8 == 1 && PTO_MASK_B16 == 2 && PTO_MASK_B32 == 3 &&
                   PTO_MASK_B64 == 4 && PTO_MASK_BYTE == 5,
               "mask_fits() requires these values");

/* Returns whether a mask of this kind can be used with elements of this width. A Bxx image fits only elements of xx
 * bits. */
static inline bool mask_fits(pto_mask_kind kind, size_t element_bits) {
    if (kind == PTO_MASK_PACKED || kind == PTO_MASK_BYTE) return true;
    return is_mask_kind(kind) && (size_t)4 << kind == element_bits;
}

/* Returns how a mask of this kind is stored. `kind` must fit its elements. */
static inline enum mask_storage mask_storage(pto_mask_kind kind) {
    static const u8 storages[MASK_KINDS] = {
        [PTO_MASK_PACKED] = MASK_AS_BITS, [PTO_MASK_B8] = MASK_AS_BITS,   [PTO_MASK_B16] = MASK_AS_IMAGE,
        [PTO_MASK_B32] = MASK_AS_IMAGE,   [PTO_MASK_B64] = MASK_AS_IMAGE, [PTO_MASK_BYTE] = MASK_AS_BYTES};
    return (enum mask_storage)storages[kind];
}

/* The largest number of lanes in a call. With more lanes, sizes in bits would overflow. */
#define MAX_LANES (SIZE_MAX / 16)

/* Returns whether n is 0 or too large. Then there is nothing to compute, and size_status() returns the status of the
 * call. */
static inline bool is_empty_or_too_large(size_t n) {
    return n - 1 >= MAX_LANES;
}

static inline pto_status size_status(size_t n) {
    return n == 0 ? PTO_OK : PTO_ERR_SIZE;
}

/* An operand as the overlap checks see it: `bytes` bytes from `begin` on, with elements of `bits` bits. */
struct operand {
    uintptr_t begin;
    size_t bytes, bits;
};

/* Returns the operand of n elements of 8, 16, 32 or 64 bits. */
static inline struct operand operand_array(const void *p, size_t element_bits, size_t n) {
    const struct operand o = {(uintptr_t)p, n * (element_bits / 8), element_bits};
    return o;
}

/* Returns the operand of n elements of any width; elements smaller than a byte are packed. No product exceeds SIZE_MAX
 * if n is at most MAX_LANES. */
static inline struct operand operand_bits(const void *p, size_t bits, size_t n) {
    const struct operand o = {(uintptr_t)p, bits >= 8 ? n * (bits / 8) : (n * bits + 7) / 8, bits};
    return o;
}

/* Returns the operand of a mask of n lanes. An absent mask is an empty operand at address 0, whatever its kind. */
static inline struct operand operand_mask(pto_mask m, size_t n) {
    const struct operand none = {0, 0, 0};
    size_t bits;
    if (m.data == NULL) return none;
    bits = mask_lane_bits(m.kind);
    return (struct operand){(uintptr_t)m.data, (n * bits + 7) / 8, bits};
}

/* Returns whether a and b do not overlap. They overlap if b begins within a, or less than b.bytes before a. An empty
 * operand inside the other one would count as an overlap, so neither may be empty, except an absent mask. The
 * difference of the addresses may wrap around. The sum of the two sizes does not wrap around if n is at most
 * MAX_LANES. */
static inline bool disjoint(struct operand a, struct operand b) {
    return b.begin - a.begin + (b.bytes - 1) >= a.bytes + (b.bytes - 1);
}

/* Returns whether dst and src satisfy the overlap rule of types.h: they are disjoint, or dst is exactly in place, which
 * means that both have the same address and element size. */
static inline bool overlap_allowed(struct operand dst, struct operand src) {
    return disjoint(dst, src) || (dst.begin == src.begin && dst.bits == src.bits);
}

/* Returns whether overlap_allowed() is true for dst and each of the `count` sources. */
static ALWAYS_INLINE bool overlaps_allowed(struct operand dst, const struct operand *sources, size_t count) {
    UNROLL
    for (size_t i = 0; i < count; ++i)
        if (unlikely(!overlap_allowed(dst, sources[i]))) return false;
    return true;
}

#endif
