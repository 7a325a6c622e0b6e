/* SPDX-License-Identifier: MIT */
/* A program of one call: linked statically, it contains only the kernels that pto_vrelu needs. */
#include <pto/maxmin.h>

#include <stdio.h>

int main(void) {
    static const float x[4] = {-1.0F, 2.0F, -0.0F, 4.0F};
    float y[4];
    if (pto_vrelu(PTO_F32, 0, x, y, 4) != PTO_OK) return 1;
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    return y[0] != 0 || y[1] != 2 || y[3] != 4;
}
