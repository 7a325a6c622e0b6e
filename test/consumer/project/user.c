/* SPDX-License-Identifier: MIT */
/* A user's program, which compiles as C11 and as C++17: one call of each group, with results compared as bits. */
#include <pto/pto.h>

#include <stdio.h>
#include <string.h>

static int wrong(const char *what) {
    fprintf(stderr, "wrong: %s\n", what);
    return 1;
}

int main(void) {
    /* -1, a subnormal, 1, NaN, -0 */
    static const uint32_t x[5] = {0xbf800000U, 0x00000001U, 0x3f800000U, 0x7fc00001U, 0x80000000U};
    static const uint32_t relu[5] = {0, 0x00000001U, 0x3f800000U, 0x7fc00001U, 0x80000000U};
    static const uint32_t zero[5] = {0, 0, 0, 0, 0};
    uint32_t y[5];
    uint8_t mask[1] = {0xff}, bytes[5];
    pto_plan plan;
    char version[64];

    snprintf(version, sizeof version, "%d.%d.%d", PTO_VERSION_MAJOR, PTO_VERSION_MINOR, PTO_VERSION_PATCH);
    if (strcmp(version, pto_version()) != 0) return wrong("version");

    if (pto_vcmps(PTO_F32, PTO_LT, 0, x, zero, PTO_NO_MASK, pto_packed(mask), 5) != PTO_OK)
        return wrong("status");
    if (mask[0] != 0x01) return wrong("pto_vcmps");
    if (pto_vsel(PTO_F32, zero, x, pto_packed(mask), y, 5) != PTO_OK) return wrong("status");
    if (memcmp(y, relu, sizeof y) != 0) return wrong("pto_vsel");
    if (pto_mask_mov(pto_packed(mask), pto_bytes(bytes), 5) != PTO_OK) return wrong("status");
    if (memcmp(bytes, "\1\0\0\0\0", 5) != 0) return wrong("pto_mask_mov");

    if (pto_plan_vcmps(&plan, PTO_F32, PTO_GT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED) != PTO_OK)
        return wrong("status");
    pto_run(&plan, x, zero, NULL, mask, 5);
    if (mask[0] != 0x06) return wrong("pto_run");

#if defined(PTO_VMATH_H) && !defined(PTO_NO_VMATH)
    if (pto_vexp(PTO_F32, zero, PTO_NO_MASK, y, 5) != PTO_OK) return wrong("status");
    for (int i = 0; i < 5; ++i)
        if (y[i] != 0x3f800000U) return wrong("pto_vexp");
#endif
    printf("libpto %s, %s: fine\n", pto_version(), pto_isa_name(pto_isa_active()));
    return 0;
}
