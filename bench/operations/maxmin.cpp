// SPDX-License-Identifier: MIT
//
// Measures max, min, clamp between two scalars, and ReLU.
#include "measure/cells.h"
#include "measure/subject.h"
#include "peers/lanes.h"

namespace bench {

namespace {

pto_status call_vmax(const bench_args &r) {
    return pto_vmax(r.what->type, r.what->flags, pto_in_array(r.a), pto_in_array(r.b), r.dst, r.n);
}

pto_status call_vmin(const bench_args &r) {
    return pto_vmin(r.what->type, r.what->flags, pto_in_array(r.a), pto_in_array(r.b), r.dst, r.n);
}

pto_status call_vclamp(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vclamp(w.type, w.flags, pto_in_array(r.a), pto_in_scalar(&w.bounds[0]),
                      pto_in_scalar(&w.bounds[1]), r.dst, r.n);
}

pto_status call_vrelu(const bench_args &r) {
    return pto_vrelu(r.what->type, r.what->flags, r.a, r.dst, r.n);
}

pto_status plan_vmax(pto_plan *plan, const bench_what &w) {
    return pto_plan_vmax(plan, w.type, w.flags, 0);
}

pto_status plan_vmin(pto_plan *plan, const bench_what &w) {
    return pto_plan_vmin(plan, w.type, w.flags, 0);
}

pto_status plan_vrelu(pto_plan *plan, const bench_what &w) {
    return pto_plan_vrelu(plan, w.type, w.flags);
}

constexpr pto_dtype all_types[] = {
#define TYPE(T, element, bits) PTO_##T,
    BENCH_INTEGERS(TYPE) BENCH_FLOATS(TYPE) BENCH_HALVES(TYPE)
#undef TYPE
};

/// Returns whether a type is measured in a quick run, as an example of others: an unsigned and a signed integer whose
/// instructions every instruction set has, a 64-bit integer, which AVX2 lacks, and the floats.
bool stands_for_others(pto_dtype type) {
    return type == PTO_U8 || type == PTO_S16 || type == PTO_U64 || is_float(type);
}

/// Adds cells without and with NaN propagation. In a quick run, only f32 and f64 are measured with NaN propagation.
void plain_and_nan(Cells &cells, bench_operation operation, pto_dtype type) {
    cells.every_size(extreme(operation, type));
    if (type == PTO_F32 || type == PTO_F64 || (is_half(type) && cells.full()))
        cells.every_size(extreme(operation, type, PTO_PROPAGATE_NAN));
}

void cells_of_vmax(Cells &cells) {
    for (const pto_dtype type : all_types)
        if (cells.full() || (stands_for_others(type) && (!cells.thin() || is_float(type))))
            plain_and_nan(cells, BENCH_VMAX, type);
    for (const pto_dtype type : {PTO_E4M3, PTO_E5M2FNUZ, PTO_E2M3}) cells.one_size(extreme(BENCH_VMAX, type));
    cells.places(extreme(BENCH_VMAX, PTO_F32));
    if (cells.full())
        for (const unsigned flag : {PTO_FTZ, PTO_XORSIGN_ABS})
            cells.every_size(extreme(BENCH_VMAX, PTO_F32, flag));
    if (cells.thin()) return;
    const auto kinds = {Data::subnormal, Data::nan, Data::zero};
    for (const pto_dtype type : {PTO_F32, PTO_F64, PTO_F16, PTO_BF16})
        cells.laden(extreme(BENCH_VMAX, type), kinds);
    for (const unsigned flag : {PTO_PROPAGATE_NAN, PTO_FTZ})
        cells.laden(extreme(BENCH_VMAX, PTO_F32, flag), kinds);
}

void cells_of_vmin(Cells &cells) {
    if (!cells.full()) return;
    for (const pto_dtype type : {PTO_U8, PTO_S32, PTO_F16, PTO_F32}) plain_and_nan(cells, BENCH_VMIN, type);
}

void cells_of_vclamp(Cells &cells) {
    if (cells.thin()) return;
    cells.one_size(extreme(BENCH_VCLAMP, PTO_E4M3));
    for (const pto_dtype type : {PTO_U8, PTO_F16, PTO_F32}) plain_and_nan(cells, BENCH_VCLAMP, type);
    if (cells.full())
        for (const pto_dtype type : {PTO_S32, PTO_BF16}) plain_and_nan(cells, BENCH_VCLAMP, type);
}

void cells_of_vrelu(Cells &cells) {
    if (cells.thin()) return;
    cells.one_size(extreme(BENCH_VRELU, PTO_E4M3));
    for (const pto_dtype type : {PTO_F16, PTO_F32}) plain_and_nan(cells, BENCH_VRELU, type);
    if (cells.full())
        for (const pto_dtype type : {PTO_S8, PTO_BF16}) plain_and_nan(cells, BENCH_VRELU, type);
}

} // namespace

namespace operation {

extern const Operation vmax;
const Operation vmax = {"vmax", call_vmax, repeated<call_vmax>, cells_of_vmax, 2, Writes::lanes,
                        plain,  plan_vmax};

extern const Operation vmin;
const Operation vmin = {"vmin", call_vmin, repeated<call_vmin>, cells_of_vmin, 2, Writes::lanes,
                        plain,  plan_vmin};

extern const Operation vclamp;
const Operation vclamp = {"vclamp",      call_vclamp, repeated<call_vclamp>, cells_of_vclamp, 1,
                          Writes::lanes, plain};

extern const Operation vrelu;
const Operation vrelu = {"vrelu", call_vrelu, repeated<call_vrelu>, cells_of_vrelu, 1, Writes::lanes,
                         plain,   plan_vrelu};

} // namespace operation

} // namespace bench
