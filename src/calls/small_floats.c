/* SPDX-License-Identifier: MIT */
#include "calls/small_floats.h"

#include "core/lowering.h"

const struct small_float *pto_small_float(pto_dtype type) {
    static const struct small_float ocp_e4m3 = {8, 0, 0x7f, 0x7e, 0x7f}, e5m2 = {8, 0, 0x7f, 0x7c, 0x7f},
                                    fp6 = {6, 0, 0, 0, 0}, fnuz = {8, 0xff, 0xff, 0x7e, 0x80},
                                    ieee_e4m3 = {8, 0, 0x7f, 0x78, 0x7f}, e3m4 = {8, 0, 0x7f, 0x70, 0x7f};
    switch (type) {
    case PTO_E4M3: return &ocp_e4m3;
    case PTO_E5M2: return &e5m2;
    case PTO_E2M3:
    case PTO_E3M2: return &fp6;
    case PTO_E4M3FNUZ:
    case PTO_E5M2FNUZ:
    case PTO_E4M3B11FNUZ:
    case PTO_BINARY8P3SE:
    case PTO_BINARY8P4SE: return &fnuz;
    case PTO_E4M3IEEE: return &ieee_e4m3;
    case PTO_E3M4: return &e3m4;
    default: return NULL;
    }
}

bool pto_small_outcomes(pto_cmp op, unsigned *outcomes) {
    struct lowering l;
    if (lower(one_lane_info(PTO_F16), op, false, &l) != PTO_OK) return false;
    *outcomes = relation_outcomes((enum relation)l.relation) ^ (l.complement ? OUTCOMES : 0U);
    return true;
}
