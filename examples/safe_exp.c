/* SPDX-License-Identifier: MIT */
#include "programs.h"

/*
 * The PTO program, from a softmax, where x is the input less its maximum and so not above 0: mark the lanes
 * below the least argument whose exponential is worth having (vcmps "lt"), select that argument there and x
 * elsewhere (vsel), and take the exponential of every lane (vexp). Without the clamp, lanes far below the
 * maximum would underflow.
 *
 * The compare is PTX's: NaN is not below min_arg, so a NaN reaches the exponential, which gives the canonical
 * NaN.
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
