/* SPDX-License-Identifier: MIT */
#include "programs.h"

/*
 * The maximum as a PTO program: mark the lanes where a is greater than b (vcmp "gt"), and select a there and b
 * elsewhere (vsel).
 *
 * Both steps are plans here: the arguments are checked once, not once per tile. A plan uses the backend that was active
 * when it was made.
 *
 * The comparison is PTX's. If a or b is a NaN, a is not greater, so b is taken, whether or not it is the NaN. b is also
 * taken in equal lanes, including +0 and -0.
 */
pto_status max_f32(const float *a, const float *b, float *y, uint8_t *mask, size_t n) {
    pto_plan greater, select;
    pto_status status = pto_plan_vcmp(&greater, PTO_F32, PTO_GT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED);
    if (status == PTO_OK) status = pto_plan_vsel(&select, PTO_F32, PTO_MASK_PACKED);
    if (status != PTO_OK) return status;

    for (size_t i = 0; i < n; i += TILE) {
        size_t lanes = tile_lanes(n, i);
        pto_run(&greater, a + i, b + i, NULL, mask + i / 8, lanes);
        pto_run(&select, a + i, b + i, mask + i / 8, y + i, lanes);
    }
    return PTO_OK;
}
