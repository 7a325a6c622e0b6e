/* SPDX-License-Identifier: MIT */
/* The classes of codes in plain C, for vectors whose length is known only at run time. The compiler turns the first
 * loop into vectors. ISA must be defined. */
#ifndef PTO_LOOPS_CLASSIFY_PLAIN_H
#define PTO_LOOPS_CLASSIFY_PLAIN_H

#include "core/codes.h"

enum { CLASSIFY_LANES = 1024 };

/* Stores n truths, each 0 or 1, as bits. Truths after them are 0. */
static void pack_truths(const u8 *truth, u8 *bits, size_t n) {
    /* The multiplication moves the truth of byte k to bit 56 + k. */
    for (size_t i = 0; i < n; i += 8) bits[i / 8] = (u8)(load64(truth + i) * 0x0102040810204080 >> 56);
}

#define CLASSIFY(width)                                                                                      \
    static ALWAYS_INLINE void classify_lanes_##width(const struct code_class *c, bool has_zero,              \
                                                     const u##width *src, u8 *truth, size_t n) {             \
        const u##width mask = (u##width)c->mask, first = (u##width)c->first, count = (u##width)c->count,     \
                       zero = (u##width)c->zero;                                                             \
        for (size_t i = 0; i < n; ++i) {                                                                     \
            const u8 within = (u##width)((src[i] & mask) - first) < count;                                   \
            truth[i] = has_zero ? within | ((src[i] & zero) == 0) : within;                                  \
        }                                                                                                    \
    }                                                                                                        \
    static void classify_##width(const struct code_class *c, const void *src, void *bits, size_t n) {        \
        u##width elements[CLASSIFY_LANES];                                                                   \
        u8 truth[CLASSIFY_LANES];                                                                            \
        for (size_t i = 0; i < n; i += CLASSIFY_LANES) {                                                     \
            const size_t lanes = min_size(n - i, CLASSIFY_LANES);                                            \
            memcpy(elements, (const u8 *)src + i * sizeof *elements, lanes * sizeof *elements);              \
            memset(truth + lanes / 8 * 8, 0, lanes % 8 == 0 ? 0 : 8);                                        \
            if (c->zero != 0)                                                                                \
                classify_lanes_##width(c, true, elements, truth, lanes);                                     \
            else                                                                                             \
                classify_lanes_##width(c, false, elements, truth, lanes);                                    \
            pack_truths(truth, (u8 *)bits + i / 8, lanes);                                                   \
        }                                                                                                    \
    }
CLASSIFY(8)
CLASSIFY(16)
CLASSIFY(32)
CLASSIFY(64)
#undef CLASSIFY

#include "loops/classify_table.h"

#endif
