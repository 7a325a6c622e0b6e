/* SPDX-License-Identifier: MIT */
/*
 * The kernels that process elements in vectors whose length is known only at run time. They use
 *
 *   scale_blocks(j, from, factors, block, to, n)  does the job `j`, most of which is a compile-time constant
 *
 * Part of the file that SCALING_LOOPS names.
 */
/* Codes to bf16 have two loops: one if bf16 holds every product exactly, and one if not. */
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

/* Works for all codes, also for NaNs, and always returns true. */
static bool expand_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block, u8 *y,
                         size_t n) {
    expand_any_codes(s, codes, factors, block, y, n);
    return true;
}

static void finish(void) {}
