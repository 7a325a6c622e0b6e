/* SPDX-License-Identifier: MIT */
/* Ignores a status, which the compiler must report. */
#include <pto/pto.h>

void ignored_status(const float *x, uint8_t *m, size_t n) {
    pto_vcmp(PTO_F32, PTO_LT, 0, x, x, PTO_NO_MASK, pto_packed(m), n);
}
