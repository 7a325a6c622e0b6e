/* SPDX-License-Identifier: MIT */
/* A small program that uses only the public header, compiled as a user would compile it. */
#include <pto/pto.h>

#include <cstdio>

size_t second_unit(const float *a, const float *b, unsigned char *mask, size_t n);

int main() {
    const float a[5] = {1, 2, 3, 4, 5};
    const float b[5] = {5, 4, 3, 2, 1};
    unsigned char mask[1] = {0};
    float chosen[5];
    const pto_status compared = pto_vcmp(PTO_F32, PTO_LT, 0, a, b, PTO_NO_MASK, pto_packed(mask), 5);
    const pto_status selected = pto_vsel(PTO_F32, a, b, pto_packed(mask), chosen, 5);
    size_t count;

    if (compared != PTO_OK || selected != PTO_OK || mask[0] != 3 || chosen[1] > 2 || chosen[4] > 1) {
        std::fprintf(stderr, "wrong: %s, %s, mask %d\n", pto_strerror(compared), pto_strerror(selected),
                     mask[0]);
        return 1;
    }
    count = second_unit(a, b, mask, 5);
    std::printf("libpto %s, %s: %zu lanes\n", pto_version(), pto_isa_name(pto_isa_active()), count);
    return count == 2 ? 0 : 1;
}
