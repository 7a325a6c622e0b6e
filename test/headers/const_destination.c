/* SPDX-License-Identifier: MIT */
/* Passes a destination in constant memory, which the compiler must report. */
#include <pto/pto.h>

static const uint8_t rom[8];

int const_destination(const float *x, size_t n) {
    return pto_vcmp(PTO_F32, PTO_LT, 0, x, x, PTO_NO_MASK, pto_packed(rom), n);
}
