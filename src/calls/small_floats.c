/* SPDX-License-Identifier: MIT */
#include "calls/small_floats.h"

#include "core/formats.h"

enum { F16_NAN = 0x7fff, F16_INFINITY = 0x7c00, F16_MAGNITUDE = 0x7fff, F16_SIGN_AT = 15 };

/* The largest magnitude, 7f, becomes 3f80, which is below f16's infinity. */
enum { MAGNITUDE_AT = 7 };

const struct small_float *pto_small_float(pto_dtype type) {
    static const struct small_float ocp_e4m3 = {7, 0x7f, 0x7f, 0, 0x7f}, e5m2 = {7, 0x7f, 0x7f, 2, 0x7f},
                                    fp6 = {5, 0, 0, -1, 0}, fnuz = {7, 0x80, 0xff, 0, 0x80},
                                    ieee_e4m3 = {7, 0x7f, 0x7f, 6, 0x7f}, e3m4 = {7, 0x7f, 0x7f, 14, 0x7f};
    switch (type) {
    case PTO_E4M3: return &ocp_e4m3;
    case PTO_E5M2: return &e5m2;
    case PTO_E2M3:
    case PTO_E3M2: return &fp6;
    case PTO_E4M3FNUZ:
    case PTO_E5M2FNUZ:
    case PTO_E4M3B11FNUZ: return &fnuz;
    case PTO_E4M3IEEE: return &ieee_e4m3;
    case PTO_E3M4: return &e3m4;
    default: return NULL;
    }
}

void pto_small_to_f16(const struct small_float *f, const u8 *codes, u16 *numbers, size_t n) {
    const struct small_float k = *f;
    const unsigned magnitude_mask = (1U << k.sign_at) - 1;
    for (size_t i = 0; i < n; ++i) {
        const unsigned code = codes[i], sign = code >> k.sign_at & 1;
        const bool is_nan = (int)((code ^ k.nan_flip) & k.nan_mask) <= k.nan_most;
        const unsigned number = sign << F16_SIGN_AT | (code & magnitude_mask) << MAGNITUDE_AT;
        numbers[i] = (u16)(is_nan ? F16_NAN : number);
    }
}

void pto_small_from_f16(const struct small_float *f, const u16 *numbers, u8 *codes, size_t n) {
    const struct small_float k = *f;
    for (size_t i = 0; i < n; ++i) {
        const unsigned number = numbers[i], magnitude = number & F16_MAGNITUDE;
        const unsigned code = number >> F16_SIGN_AT << k.sign_at | magnitude >> MAGNITUDE_AT;
        codes[i] = (u8)(magnitude > F16_INFINITY ? k.nan : code);
    }
}
