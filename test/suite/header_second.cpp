/* SPDX-License-Identifier: MIT */
/* A second translation unit that includes all headers, which shows that these define nothing twice. */
#include <pto/pto.h>

size_t second_unit(const float *a, const float *b, unsigned char *mask, size_t n);

size_t second_unit(const float *a, const float *b, unsigned char *mask, size_t n) {
    size_t count = 0;
    pto_plan plan;
    if (pto_plan_vcmp(&plan, PTO_F32, PTO_LT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED) != PTO_OK) return 99;
    pto_run(&plan, a, b, nullptr, mask, n);
    if (pto_mask_count(pto_packed(mask), n, &count) != PTO_OK) return 99;
    return count;
}
