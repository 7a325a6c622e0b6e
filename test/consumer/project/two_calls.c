/* SPDX-License-Identifier: MIT */
/* A program with two calls. Linked statically, it contains only the code that they need. */
#include <pto/compare.h>
#include <pto/select.h>

#include <stdio.h>

int main(void) {
    static const float x[4] = {-1.0F, 2.0F, -0.0F, 4.0F}, zeros[4] = {0};
    const float zero = 0;
    uint8_t mask[1] = {0};
    float relu[4];
    if (pto_vcmps(PTO_F32, PTO_LT, 0, x, &zero, PTO_NO_MASK, pto_packed(mask), 4) != PTO_OK) return 1;
    if (pto_vsel(PTO_F32, zeros, x, pto_packed(mask), relu, 4) != PTO_OK) return 1;
    printf("%g %g %g %g\n", relu[0], relu[1], relu[2], relu[3]);
    return relu[0] != 0 || relu[1] != 2 || relu[3] != 4;
}
