// SPDX-License-Identifier: MIT
//
// Measures casts between formats, to nearest even: f32, f16 and bf16 from and to each type of up to 8 bits, and some
// other pairs.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_status call(const bench_args &r) {
    const pto_cvt_op &op = r.what->cvt;
    return pto_cast({op.dst, op.src, PTO_RN, PTO_OVERFLOW_IEEE}, r.a, r.dst, nullptr, r.n);
}

bench_what casts(pto_dtype dst, pto_dtype src) {
    bench_what what = {};
    what.operation = BENCH_CAST;
    what.type = src;
    what.cvt.dst = dst;
    what.cvt.src = src;
    return what;
}

const pto_dtype small[] = {PTO_E4M3,     PTO_E5M2,        PTO_E2M3,     PTO_E3M2,  PTO_E2M1,
                           PTO_E1M2,     PTO_UE8M0,       PTO_S2F6,     PTO_UE5M3, PTO_HIF8,
                           PTO_U8,       PTO_S8,          PTO_U4,       PTO_S4,    PTO_E4M3FNUZ,
                           PTO_E5M2FNUZ, PTO_E4M3B11FNUZ, PTO_E4M3IEEE, PTO_E3M4};

const pto_dtype others[][2] = {{PTO_F32, PTO_F64},      {PTO_F16, PTO_F64},  {PTO_E4M3, PTO_F64},
                               {PTO_S32, PTO_F64},      {PTO_F64, PTO_F32},  {PTO_S64, PTO_F32},
                               {PTO_E4M3, PTO_S32},     {PTO_E4M3, PTO_S64}, {PTO_TF32, PTO_F32},
                               {PTO_E4M3, PTO_E4M3FNUZ}};

void add_cells(Cells &cells) {
    for (const pto_dtype wide : {PTO_F32, PTO_F16, PTO_BF16})
        for (const pto_dtype type : small) {
            cells.one_size(casts(type, wide));
            cells.one_size(casts(wide, type));
        }
    for (const auto &pair : others) cells.one_size(casts(pair[0], pair[1]));
}

std::string rest_of_name(const bench_what &what) {
    return std::string(".") + pto_dtype_name(what.cvt.dst) + "." + pto_dtype_name(what.cvt.src);
}

} // namespace

namespace operation {

extern const Operation cast;
const Operation cast = {"cast", call,    repeated<call>, add_cells,   1, Writes::converted,
                        plain,  nullptr, nullptr,        rest_of_name};

} // namespace operation

} // namespace bench
