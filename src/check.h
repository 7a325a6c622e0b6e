/* SPDX-License-Identifier: MIT */
/* Argument checks shared by the public calls. Their order is the one that types.h documents. */
#ifndef PTO_SRC_CHECK_H
#define PTO_SRC_CHECK_H

#include "kernels.h"
#include "pto/mask.h"

static inline bool is_mask_kind(pto_mask_kind kind) {
    return (unsigned)kind <= PTO_MASK_BYTE;
}

/* Bits that one lane takes, 1, 2, 4 or 8, for a kind that is one. */
static inline size_t mask_lane_bits(pto_mask_kind kind) {
    static const u8 bits[MASK_KINDS] = {[PTO_MASK_PACKED] = 1, [PTO_MASK_B8] = 1,  [PTO_MASK_B16] = 2,
                                        [PTO_MASK_B32] = 4,    [PTO_MASK_B64] = 8, [PTO_MASK_BYTE] = 8};
    return bits[kind];
}

_Static_assert(PTO_MASK_PACKED == 0 && PTO_MASK_B8 == 1 && PTO_MASK_B16 == 2 && PTO_MASK_B32 == 3 &&
                   PTO_MASK_B64 == 4 && PTO_MASK_BYTE == 5,
               "mask_fits counts on these values");

/* Whether a mask of this kind goes with elements of this width: a Bxx image only with its own. */
static inline bool mask_fits(pto_mask_kind kind, size_t element_bits) {
    if (kind == PTO_MASK_PACKED || kind == PTO_MASK_BYTE) return true;
    return is_mask_kind(kind) && (size_t)4 << kind == element_bits;
}

/* For a kind that fits its elements. */
static inline enum mask_form mask_form(pto_mask_kind kind) {
    static const u8 forms[MASK_KINDS] = {
        [PTO_MASK_PACKED] = AS_BITS, [PTO_MASK_B8] = AS_BITS,   [PTO_MASK_B16] = AS_IMAGE,
        [PTO_MASK_B32] = AS_IMAGE,   [PTO_MASK_B64] = AS_IMAGE, [PTO_MASK_BYTE] = AS_BYTES};
    return (enum mask_form)forms[kind];
}

/* An operand as the overlap rule sees it: bytes from begin up to end, in elements of so many bits. */
struct operand {
    uintptr_t begin, end;
    size_t bits;
};

/* Elements of 8, 16, 32 or 64 bits. */
static inline struct operand operand_array(const void *p, size_t element_bits, size_t n) {
    const struct operand o = {(uintptr_t)p, (uintptr_t)p + n * (element_bits / 8), element_bits};
    return o;
}

/* Elements of any size, those below a byte packed. */
static inline struct operand operand_bits(const void *p, size_t bits, size_t n) {
    const struct operand o = {(uintptr_t)p, (uintptr_t)p + (n * bits + 7) / 8, bits};
    return o;
}

/* For a kind that is one. */
static inline struct operand operand_mask(pto_mask m, size_t n) {
    return operand_bits(m.data, mask_lane_bits(m.kind), n);
}

static inline bool disjoint(struct operand a, struct operand b) {
    return a.end <= b.begin || b.end <= a.begin;
}

/* A destination and a source are apart, or exactly in place. An absent operand is NULL and overlaps nothing.
 */
static inline bool apart(struct operand dst, struct operand src) {
    return disjoint(dst, src) || src.begin == 0 || (dst.begin == src.begin && dst.bits == src.bits);
}

#endif
