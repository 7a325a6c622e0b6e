// SPDX-License-Identifier: MIT
//
// Measures PTX's conversions (cvt).
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_status call(const bench_args &r) {
    const pto_cvt_op &op = r.what->cvt;
    const bool takes_extra = op.round == PTO_RS || op.scale != PTO_SCALE_NONE;
    return pto_cvt(op, r.a, r.dst, takes_extra ? r.m : nullptr, r.n);
}

pto_status plan(pto_plan *plan, const bench_what &w) {
    return pto_plan_cvt(plan, w.cvt);
}

/// Conversions that a quick run measures on every instruction set.
const pto_cvt_op wide[] = {
    conversion(PTO_F16, PTO_F32, PTO_RN),          conversion(PTO_BF16, PTO_F32, PTO_RN),
    conversion(PTO_S32, PTO_F32, PTO_RZI),         conversion(PTO_F32, PTO_F16, PTO_ROUND_NONE),
    conversion(PTO_F32, PTO_BF16, PTO_ROUND_NONE), conversion(PTO_F32, PTO_S32, PTO_RN),
    conversion(PTO_F32, PTO_F64, PTO_RN),          conversion(PTO_F64, PTO_F32, PTO_ROUND_NONE),
};

/// The other conversions: of bytes, of small formats, and those that came with PTX ISA 9.1 to 9.5.
const pto_cvt_op others[] = {
    conversion(PTO_F32, PTO_S8, PTO_RN),
    conversion(PTO_F32, PTO_U8, PTO_RN),
    conversion(PTO_E4M3, PTO_F32, PTO_RN, true),
    conversion(PTO_E5M2, PTO_F32, PTO_RN, true),
    conversion(PTO_E2M3, PTO_F32, PTO_RN, true),
    conversion(PTO_E3M2, PTO_F32, PTO_RN, true),
    conversion(PTO_E2M1, PTO_F32, PTO_RN, true),
    conversion(PTO_UE8M0, PTO_F32, PTO_RZ, true),
    conversion(PTO_F16, PTO_E4M3, PTO_RN),
    conversion(PTO_F16, PTO_E5M2, PTO_RN),
    conversion(PTO_F16, PTO_E2M3, PTO_RN),
    conversion(PTO_F16, PTO_E3M2, PTO_RN),
    conversion(PTO_F16, PTO_E2M1, PTO_RN),
    conversion(PTO_F32, PTO_E4M3, PTO_ROUND_NONE),
    conversion(PTO_F32, PTO_E5M2, PTO_ROUND_NONE),
    conversion(PTO_F32, PTO_E2M3, PTO_ROUND_NONE),
    conversion(PTO_F32, PTO_E3M2, PTO_ROUND_NONE),
    conversion(PTO_F32, PTO_E2M1, PTO_ROUND_NONE),
    conversion(PTO_F32, PTO_UE8M0, PTO_ROUND_NONE),
    conversion(PTO_E4M3, PTO_BF16, PTO_RN, true),
    conversion(PTO_BF16, PTO_E4M3, PTO_RN, false, PTO_SCALE_N2),
    conversion(PTO_E4M3, PTO_BF16, PTO_RN, true, PTO_SCALE_N1),
    conversion(PTO_E4M3, PTO_F32, PTO_RN, true, PTO_SCALE_N1),
    conversion(PTO_E4M3, PTO_F32, PTO_RZ, true),
    conversion(PTO_E2M1, PTO_BF16, PTO_RN, true),
    conversion(PTO_E2M1, PTO_BF16, PTO_RN, true, PTO_SCALE_N1),
    conversion(PTO_UE5M3, PTO_F32, PTO_RN),
    conversion(PTO_S2F6, PTO_F32, PTO_RN, true),
    conversion(PTO_BF16, PTO_S2F6, PTO_RN, false, PTO_SCALE_N2),
};

void add_cells(Cells &cells) {
    for (const pto_cvt_op &op : wide) {
        cells.every_size(convert(op));
        if (is_float(op.src) && !cells.thin()) cells.laden(convert(op));
    }
    if (!cells.thin())
        for (const pto_cvt_op &op : others) {
            cells.every_size(convert(op));
            if (is_float(op.src) && cells.full()) cells.laden(convert(op));
        }
    cells.places(convert(wide[0]));
}

} // namespace

namespace operation {

extern const Operation cvt;
const Operation cvt = {"cvt", call, repeated<call>, add_cells, 1, Writes::converted, plain, plan};

} // namespace operation

} // namespace bench
