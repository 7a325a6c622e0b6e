// SPDX-License-Identifier: MIT
//
// Measures PTX's conversions (cvt).
#include "measure/cells.h"
#include "measure/subject.h"
#include "peers/lanes.h"

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

struct Conversion {
    Goal goal;
    pto_cvt_op op;
};

Goal wide_goal(pto_dtype dst, pto_dtype src) {
    return is_half(dst) || is_half(src) ? Goal::convert_half : Goal::convert;
}

const Conversion conversions[] = {
#define CVT(goal, dst, src, round, satfinite)                                                                \
    {Goal::goal, conversion(PTO_##dst, PTO_##src, PTO_##round, satfinite)},
#define WIDE(dst, src, round, satfinite)                                                                     \
    {wide_goal(PTO_##dst, PTO_##src), conversion(PTO_##dst, PTO_##src, PTO_##round, satfinite)},
#define TO(dst, src, round, satfinite)    CVT(to_small, dst, src, round, satfinite)
#define BYTES(dst, src, round, satfinite) CVT(none, dst, src, round, satfinite)
#define FROM(dst, src, round, satfinite)  CVT(from_small, dst, src, round, satfinite)
#define SCALED(goal, dst, src, round, satfinite, scale)                                                      \
    {Goal::goal, conversion(PTO_##dst, PTO_##src, PTO_##round, satfinite, PTO_SCALE_##scale)},
#define SMALL_BF16(dst, src, round, satfinite, scale) SCALED(small_bf16, dst, src, round, satfinite, scale)
#define LATE(dst, src, round, satfinite, scale)       SCALED(none, dst, src, round, satfinite, scale)
    BENCH_CVT_WIDE(WIDE) BENCH_CVT_FROM_BYTES(BYTES) BENCH_CVT_TO_SMALL(TO) BENCH_CVT_FROM_SMALL(FROM)
        BENCH_CVT_SMALL_BF16(SMALL_BF16) BENCH_CVT_LATE(LATE)};

void add_cells(Cells &cells) {
    for (const Conversion &c : conversions) {
        const bool quick = c.goal == Goal::convert || c.goal == Goal::convert_half;
        if (quick || !cells.thin()) cells.every_size(c.goal, convert(c.op));
        if (is_float(c.op.src) && !cells.thin() && (quick || cells.full())) cells.laden(convert(c.op));
    }
    cells.places(convert(conversions[0].op));
}

} // namespace

namespace operation {

extern const Operation cvt;
const Operation cvt = {"cvt", call, repeated<call>, add_cells, 1, Writes::converted, plain, plan};

} // namespace operation

} // namespace bench
