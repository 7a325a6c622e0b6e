/* SPDX-License-Identifier: MIT */
#include "programs.h"

/*
 * ReLU as a PTO program: broadcast 0 to a vector (vbr), mark the lanes below 0 (vcmps "lt" on every lane), and select
 * the zeros in marked lanes and the input elsewhere (vsel).
 *
 * The comparison is PTX's: a NaN is not below 0, so it stays, with its payload. -0 is not below +0, so it stays too.
 */
pto_status relu_f32(const float *x, float *y, uint8_t *mask, size_t n) {
    const float c0 = 0.0F;
    float zero[TILE];
    pto_status status = pto_vbr(PTO_F32, &c0, zero, TILE);

    for (size_t i = 0; i < n && status == PTO_OK; i += TILE) {
        size_t lanes = tile_lanes(n, i);
        pto_mask negative = pto_packed(mask + i / 8);
        status = pto_vcmps(PTO_F32, PTO_LT, 0, x + i, &c0, PTO_NO_MASK, negative, lanes);
        if (status == PTO_OK) status = pto_vsel(PTO_F32, zero, x + i, negative, y + i, lanes);
    }
    return status;
}
