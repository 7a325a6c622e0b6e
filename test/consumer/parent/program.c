/* SPDX-License-Identifier: MIT */
/* Checks that the parent's assertions are active, and calls libpto. */
#include <pto/compare.h>

int checked(int *times);

int main(void) {
    static const float x[3] = {1, 2, 3}, y[3] = {3, 2, 1};
    uint8_t mask[1] = {0};
    int times = 0;
    if (checked(&times) != 1) return 1; /* NDEBUG removed the assertion */
    if (pto_vcmp(PTO_F32, PTO_LT, 0, x, y, PTO_NO_MASK, pto_packed(mask), 3) != PTO_OK) return 2;
    return mask[0] == 1 ? 0 : 3;
}
