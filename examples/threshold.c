/* SPDX-License-Identifier: MIT */
#include "programs.h"

/*
 * A threshold as a PTO program: mark the scores that are at least the threshold (vcmps "ge"), select them there and 0
 * elsewhere (vsel).
 *
 * The comparison is PTX's: for a NaN it is false, so a NaN becomes 0. If the threshold is a NaN, every score becomes 0.
 */
pto_status threshold_f32(const float *x, float at_least, float *y, uint8_t *mask, size_t n) {
    const float c0 = 0.0F;
    float zero[TILE];
    pto_status status = pto_vbr(PTO_F32, &c0, zero, TILE);

    for (size_t i = 0; i < n && status == PTO_OK; i += TILE) {
        size_t lanes = tile_lanes(n, i);
        pto_mask passed = pto_packed(mask + i / 8);
        status = pto_vcmps(PTO_F32, PTO_GE, 0, x + i, &at_least, PTO_NO_MASK, passed, lanes);
        if (status == PTO_OK) status = pto_vsel(PTO_F32, x + i, zero, passed, y + i, lanes);
    }
    return status;
}
