// SPDX-License-Identifier: MIT
//
// Measures selection by a mask: vsel, vselr (a and b exchanged), and vsels (a scalar for lanes that are not set).
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_status call_vsel(const bench_args &r) {
    return pto_vsel(r.what->type, r.a, r.b, pto_mask_in(r.m, r.what->mask), r.dst, r.n);
}

pto_status call_vselr(const bench_args &r) {
    return pto_vselr(r.what->type, r.a, r.b, pto_mask_in(r.m, r.what->mask), r.dst, r.n);
}

pto_status call_vsels(const bench_args &r) {
    return pto_vsels(r.what->type, pto_in_array(r.a), pto_in_scalar(r.b), pto_mask_in(r.m, r.what->mask),
                     r.dst, r.n);
}

pto_status plan_vsel(pto_plan *plan, const bench_what &w) {
    return pto_plan_vsel(plan, w.type, w.mask);
}

pto_status plan_vsels(pto_plan *plan, const bench_what &w) {
    return pto_plan_vsels(plan, w.type, PTO_SCALAR_1, w.mask);
}

constexpr pto_dtype types[] = {PTO_U8, PTO_U16, PTO_F32, PTO_F64};

/// Adds cells with other kinds of masks, and with masks of other densities.
void sweep(Cells &cells, pto_dtype type) {
    cells.every_size(select(BENCH_VSEL, type, PTO_MASK_BYTE));
    cells.every_size(select(BENCH_VSEL, type, image_of(type)));
    for (const Data density : {Data::none, Data::all, Data::half, Data::uneven})
        for (const size_t size : {cell_sizes[0], cell_sizes[1]})
            cells.one(select(BENCH_VSEL, type), size, Place::aligned, density);
}

void cells_of_vsel(Cells &cells) {
    for (const pto_dtype type : types) {
        cells.every_size(select(BENCH_VSEL, type));
        if (cells.full()) sweep(cells, type);
    }
    cells.places(select(BENCH_VSEL, PTO_F32));
}

void cells_of_vselr(Cells &cells) {
    if (cells.thin()) return;
    for (const pto_dtype type : types) cells.every_size(select(BENCH_VSELR, type));
}

void cells_of_vsels(Cells &cells) {
    if (cells.thin()) return;
    for (const pto_dtype type : types) {
        cells.every_size(select(BENCH_VSELS, type));
        if (cells.full()) cells.every_size(select(BENCH_VSELS, type, PTO_MASK_BYTE));
    }
}

} // namespace

namespace operation {

extern const Operation vsel;
const Operation vsel = {"vsel",  call_vsel, repeated<call_vsel>, cells_of_vsel, 2, Writes::lanes,
                        selects, plan_vsel};

extern const Operation vselr;
const Operation vselr = {"vselr",       call_vselr, repeated<call_vselr>, cells_of_vselr, 2,
                         Writes::lanes, selects};

extern const Operation vsels;
const Operation vsels = {"vsels", call_vsels, repeated<call_vsels>, cells_of_vsels, 1, Writes::lanes,
                         selects, plan_vsels};

} // namespace operation

} // namespace bench
