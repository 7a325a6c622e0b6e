/* SPDX-License-Identifier: MIT */
/*
 * The kernels over elements for vectors whose length the run tells, from
 *
 *   scale_blocks(j, from, factors, block, to, n)  the way through the blocks of a job, most of which is constant
 *
 * Part of what SCALING_LOOPS names.
 */
#define SCALING_HAS_CODES

/* One loop for bf16 that holds every product, and one for others. */
#define JOB(work, step, wide, elem)                                                                          \
    static void work##_##step##_##wide##_##elem(const struct scaling *s, const u8 *from,                     \
                                                const float *factors, size_t block, u8 *to, size_t n) {      \
        struct job j = {work, PTO_##wide, PTO_##elem, STEP_##step, .exact = false};                          \
        (void)s;                                                                                             \
        if (work == EXPAND_CODES && PTO_##wide == PTO_BF16 &&                                                \
            are_plain_powers(factors, (n + block - 1) / block)) {                                            \
            j.exact = true;                                                                                  \
            scale_blocks(j, from, factors, block, to, n);                                                    \
        } else {                                                                                             \
            j.exact = false;                                                                                 \
            scale_blocks(j, from, factors, block, to, n);                                                    \
        }                                                                                                    \
    }

#include "loops/scaling_table.h"

/* Any codes, NaNs too. */
static bool expand_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block, u8 *y,
                         size_t n) {
    expand_any_codes(s, codes, factors, block, y, n);
    return true;
}

static void finish(void) {}
