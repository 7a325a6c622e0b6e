/* SPDX-License-Identifier: MIT */
/* A program that does not call pto_vexp(): it links to libpto's archive without SLEEF. */
#include <pto/pto.h>

int main(void) {
    static const float a[] = {1, 2, 3, 4}, b[] = {4, 3, 2, 1};
    float least[4];
    unsigned char mask = 0;
    if (pto_vcmp(PTO_F32, PTO_LT, 0, a, b, PTO_NO_MASK, pto_packed(&mask), 4) != PTO_OK) return 1;
    if (pto_vsel(PTO_F32, a, b, pto_packed(&mask), least, 4) != PTO_OK) return 2;
    return mask == 3 && least[0] == 1 && least[1] == 2 && least[2] == 2 && least[3] == 1 ? 0 : 3;
}
