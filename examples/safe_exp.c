/* SPDX-License-Identifier: MIT */
#include "programs.h"

/*
 * The exponential of a softmax as a PTO program. x is the input minus its maximum, and so at most 0. Mark the lanes
 * below min_arg, the smallest argument whose exponential is needed (vcmps "lt"). Select min_arg there and x elsewhere
 * (vsel). Compute the exponential of every lane (vexp). Without the clamp, lanes far below the maximum would
 * underflow.
 *
 * The comparison is PTX's: a NaN is not below min_arg, so it reaches the exponential, which gives the canonical NaN.
 */
pto_status safe_exp_f32(const float *x, float min_arg, float *y, uint8_t *mask, size_t n) {
    float least[TILE];
    pto_status status = pto_vbr(PTO_F32, &min_arg, least, TILE);

    for (size_t i = 0; i < n && status == PTO_OK; i += TILE) {
        size_t lanes = tile_lanes(n, i);
        pto_mask too_small = pto_packed(mask + i / 8);
        status = pto_vcmps(PTO_F32, PTO_LT, 0, x + i, &min_arg, PTO_NO_MASK, too_small, lanes);
        if (status == PTO_OK) status = pto_vsel(PTO_F32, least, x + i, too_small, y + i, lanes);
        if (status == PTO_OK) status = pto_vexp(PTO_F32, y + i, PTO_NO_MASK, y + i, lanes);
    }
    return status;
}
