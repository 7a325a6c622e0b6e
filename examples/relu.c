/* SPDX-License-Identifier: MIT */
#include "programs.h"

/*
 * The PTO program: broadcast 0 to a vector (vbr), mark the lanes below 0 (vcmps "lt", every lane taking
 * part), and select the zeros where a lane is marked and the input elsewhere (vsel).
 *
 * The compare is PTX's: NaN is not below 0, so a NaN stays, with its payload; -0 is not below +0, so -0
 * stays.
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
