/* SPDX-License-Identifier: MIT */
/* A small program that uses only the public header, compiled as a user would compile it. */
#include <pto/pto.h>

#include <stdio.h>

size_t second_unit(const float *a, const float *b, unsigned char *mask, size_t n);

/* The numeric values that the headers define. */
_Static_assert(PTO_OK == 0, "PTO_OK");
_Static_assert(PTO_FTZ == 1 && PTO_MERGE == 2, "flags");
_Static_assert(sizeof(pto_plan) == sizeof(void (*)(void)) + 56, "pto_plan");

static int masks_hold_what_they_are_given(void) {
    static unsigned char bits;
    return PTO_NO_MASK.data == NULL && pto_packed(&bits).kind == PTO_MASK_PACKED &&
           pto_bytes(&bits).data == &bits && pto_bytes(&bits).kind == PTO_MASK_BYTE &&
           pto_mask_at(&bits, PTO_MASK_B32).kind == PTO_MASK_B32;
}

int main(void) {
    const float a[5] = {1, 2, 3, 4, 5};
    const float b[5] = {5, 4, 3, 2, 1};
    unsigned char mask[1] = {0};
    float chosen[5];
    const pto_status compared = pto_vcmp(PTO_F32, PTO_LT, 0, a, b, PTO_NO_MASK, pto_packed(mask), 5);
    const pto_status selected = pto_vsel(PTO_F32, a, b, pto_packed(mask), chosen, 5);
    size_t count;

    if (compared != PTO_OK || selected != PTO_OK || mask[0] != 3 || chosen[1] > 2 || chosen[4] > 1) {
        fprintf(stderr, "wrong: %s, %s, mask %d\n", pto_strerror(compared), pto_strerror(selected), mask[0]);
        return 1;
    }
    if (!masks_hold_what_they_are_given()) {
        fprintf(stderr, "wrong: a mask's kind or data\n");
        return 1;
    }
    count = second_unit(a, b, mask, 5);
    printf("libpto %s, %s: %zu lanes\n", pto_version(), pto_isa_name(pto_isa_active()), count);
    return count == 2 ? 0 : 1;
}
