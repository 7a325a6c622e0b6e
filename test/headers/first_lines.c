/* SPDX-License-Identifier: MIT */
/* Typical first lines of a user's C or C++ code, which must compile without warnings. They are never run. */
#include <pto/pto.h>

int first_lines(const float *x, const uint8_t *known, size_t n) {
    const float zero = 0;
    float y[4];
    uint8_t m[1], b[4];
    size_t on;
    bool any;
    pto_cvt_op op;
    pto_plan plan;
    pto_preg p;
    if (n != 4 || pto_vcmps(PTO_F32, PTO_LT, 0, x, &zero, PTO_NO_MASK, pto_packed(m), n) != PTO_OK) return 1;
    if (pto_vsel(PTO_F32, x, x, pto_packed(m), y, n) != PTO_OK) return 1;
    if (pto_vsel(PTO_F32, x, x, pto_packed_in(known), y, n) != PTO_OK) return 1;
    if (pto_mask_mov(pto_packed_in(known), pto_bytes(b), n) != PTO_OK) return 1;
    if (pto_mask_count(pto_bytes_in(b), n, &on) != PTO_OK) return 1;
    if (pto_mask_any(pto_mask_in(b, PTO_MASK_BYTE), n, &any) != PTO_OK) return 1;
    if (pto_vcmpsel(PTO_F32, PTO_LT, 0, pto_in_array(x), pto_in_scalar(&zero), pto_in_scalar(&zero),
                    pto_in_array(x), y, n) != PTO_OK)
        return 1;
    if (pto_parse_cvt("cvt.rn.f16.f32", &op, NULL) != PTO_OK || pto_plan_cvt(&plan, op) != PTO_OK) return 1;
    pto_run(&plan, x, NULL, NULL, b, 2);
    if (pto_pset(32, PTO_PAT_VL4, &p) != PTO_OK) return 1;
    return pto_vcmp(PTO_F32, PTO_EQ, 0, x, y, pto_mask_at(p.w, PTO_MASK_B32), pto_bytes(b), n) != PTO_OK;
}
