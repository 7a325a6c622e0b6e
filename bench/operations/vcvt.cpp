// SPDX-License-Identifier: MIT
//
// Measures PTO's conversions (every pair of types once, to nearest, and saturating if that is legal) and vtrc, which
// rounds to integral values.
#include "measure/cells.h"
#include "measure/subject.h"

#include <algorithm>
#include <vector>

namespace bench {

namespace {

pto_status call_vcvt(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcvt({w.cvt.dst, w.cvt.src, w.rnd, w.cvt.sat}, r.a, PTO_NO_MASK, r.dst, r.n);
}

pto_status call_vtrc(const bench_args &r) {
    return pto_vtrc(r.what->type, r.what->rnd, r.a, PTO_NO_MASK, r.dst, r.n);
}

bench_what converts(bench_operation operation, const pto_vcvt_op &op) {
    bench_what what = {};
    what.operation = operation;
    what.type = op.src;
    what.cvt.dst = op.dst;
    what.cvt.src = op.src;
    what.cvt.sat = op.sat;
    what.rnd = op.rnd;
    return what;
}

/// Returns each pair of types of the library's list once, with its first rounding, which is PTO_VRND_R except for hif8.
/// It is saturating if such a form exists.
std::vector<pto_vcvt_op> each_pair() {
    std::vector<pto_vcvt_op> pairs;
    for (size_t i = 0; i < pto_vcvt_form_count(); i++) {
        pto_vcvt_op op;
        if (pto_vcvt_form(i, &op) != PTO_OK) continue;
        const auto same = [&](const pto_vcvt_op &pair) { return pair.dst == op.dst && pair.src == op.src; };
        const auto pair = std::find_if(pairs.begin(), pairs.end(), same);
        if (pair == pairs.end())
            pairs.push_back(op);
        else if (op.rnd == pair->rnd)
            pair->sat |= op.sat;
    }
    return pairs;
}

std::string rest_of_name(const bench_what &what) {
    return std::string(".") + pto_dtype_name(what.cvt.dst) + "." + pto_dtype_name(what.cvt.src) +
           (what.cvt.sat ? ".sat" : "");
}

void cells_of_vcvt(Cells &cells) {
    for (const pto_vcvt_op &op : each_pair()) cells.one_size(convert_as_pto(op));
}

void cells_of_vtrc(Cells &cells) {
    for (const pto_dtype type : {PTO_F16, PTO_BF16, PTO_F32})
        cells.one_size(converts(BENCH_VTRC, {type, type, PTO_VRND_R, false}));
}

} // namespace

bench_what convert_as_pto(const pto_vcvt_op &op) {
    return converts(BENCH_VCVT, op);
}

namespace operation {

extern const Operation vcvt;
const Operation vcvt = {"vcvt",  call_vcvt, repeated<call_vcvt>, cells_of_vcvt, 1, Writes::converted, plain,
                        nullptr, nullptr,   rest_of_name};

extern const Operation vtrc;
const Operation vtrc = {"vtrc", call_vtrc, repeated<call_vtrc>, cells_of_vtrc, 1, Writes::lanes, plain};

} // namespace operation

} // namespace bench
