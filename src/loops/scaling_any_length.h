/* SPDX-License-Identifier: MIT */
/*
 * The kernels that process elements in vectors whose length is known only at run time. They use
 *
 *   scale_blocks(j, from, factors, block, to, n)  does the job `j`, most of which is a compile-time constant
 *
 * Part of the file that SCALING_LOOPS names.
 */
/* For codes to bf16 there are two loops: one if bf16 holds every product exactly, and one if not. */
#define JOB(work, scale_op, type, elem)                                                                      \
    static void work##_##scale_op##_##type##_##elem(const struct scaling *s, const u8 *from,                 \
                                                    const float *factors, size_t block, u8 *to, size_t n) {  \
        struct job j = {work, PTO_##type, PTO_##elem, SCALE_##scale_op, .exact = false};                     \
        (void)s;                                                                                             \
        if (work == DEQUANTIZE_CODES && PTO_##type == PTO_BF16 &&                                            \
            are_safe_powers_of_two(factors, (n + block - 1) / block)) {                                      \
            j.exact = true;                                                                                  \
            scale_blocks(j, from, factors, block, to, n);                                                    \
        } else {                                                                                             \
            j.exact = false;                                                                                 \
            scale_blocks(j, from, factors, block, to, n);                                                    \
        }                                                                                                    \
    }

#include "loops/scaling_table.h"

/* Works for all codes, also for NaNs, and always returns true. */
static bool dequantize_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                             u8 *y, size_t n) {
    run_dequantize_codes(s, codes, factors, block, y, n);
    return true;
}

static void fence(void) {}
