/* SPDX-License-Identifier: MIT */
/* Argument checks shared by the public calls. Their order is the one that types.h documents. */
#ifndef PTO_SRC_CHECK_H
#define PTO_SRC_CHECK_H

#include "common.h"
#include "pto/mask.h"

/* Bits that one lane takes in a mask, 0 for a value that is no kind. */
static inline size_t mask_lane_bits(pto_mask_kind kind) {
    switch (kind) {
    case PTO_MASK_PACKED:
    case PTO_MASK_B8: return 1;
    case PTO_MASK_B16: return 2;
    case PTO_MASK_B32: return 4;
    case PTO_MASK_B64:
    case PTO_MASK_BYTE: return 8;
    }
    return 0;
}

/* Whether a mask of this kind goes with elements of this width: a Bxx image only with its own. */
static inline bool mask_fits(pto_mask_kind kind, size_t element_bits) {
    if (kind == PTO_MASK_PACKED || kind == PTO_MASK_BYTE) return true;
    return mask_lane_bits(kind) * 8 == element_bits;
}

/* An operand as the overlap rule sees it: `lanes` lanes of `bits` each, from p on. */
struct operand {
    const void *p;
    size_t bits, lanes;
};

static inline struct operand operand_mask(pto_mask m, size_t n) {
    struct operand o = {m.data, mask_lane_bits(m.kind), n};
    return o;
}

static inline struct operand operand_array(const void *p, size_t element_bits, size_t n) {
    struct operand o = {p, element_bits, n};
    return o;
}

static inline uintptr_t operand_end(struct operand o) {
    return (uintptr_t)o.p + (o.lanes / 8 * o.bits + (o.lanes % 8 * o.bits + 7) / 8);
}

static inline bool disjoint(struct operand a, struct operand b) {
    return operand_end(a) <= (uintptr_t)b.p || operand_end(b) <= (uintptr_t)a.p;
}

/* A destination and a source are apart, or exactly in place. An absent operand is NULL and overlaps nothing.
 */
static inline bool apart(struct operand dst, struct operand src) {
    if (src.p == NULL) return true;
    if (dst.p == src.p) return dst.bits == src.bits;
    return disjoint(dst, src);
}

#endif
