// SPDX-License-Identifier: MIT
//
// Measures comparisons with a vector and with a scalar.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_mask seed_of(const bench_args &args) {
    return args.what->seed ? pto_packed_in(args.m) : PTO_NO_MASK;
}

pto_status call_vcmp(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcmp(w.type, w.cmp, w.flags, r.a, r.b, seed_of(r), pto_mask_at(r.dst, w.mask), r.n);
}

pto_status call_vcmps(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcmps(w.type, w.cmp, w.flags, r.a, r.b, seed_of(r), pto_mask_at(r.dst, w.mask), r.n);
}

pto_status plan_vcmp(pto_plan *plan, const bench_what &w) {
    return pto_plan_vcmp(plan, w.type, w.cmp, w.flags, PTO_MASK_PACKED, w.mask);
}

pto_status plan_vcmps(pto_plan *plan, const bench_what &w) {
    return pto_plan_vcmps(plan, w.type, w.cmp, w.flags, PTO_MASK_PACKED, w.mask);
}

/// Returns whether a comparison is measured. A quick run has one operator for each kernel: others use the same kernel
/// with inverted results or swapped operands.
bool picked(const Cells &cells, Comparison c) {
    if (cells.full()) return true;
    if (c.cmp == PTO_LT) return true;
    return !cells.thin() && (c.cmp == PTO_LTU || (c.cmp == PTO_EQ && !is_float(c.type)));
}

void to_packed(Cells &cells, bench_operation operation, Comparison c) {
    cells.every_size(compare(operation, c));
    if (has_ftz(c.type)) cells.every_size(compare(operation, c, PTO_FTZ));
}

void to_other_masks(Cells &cells) {
    for (const Comparison c : comparisons()) {
        if (c.cmp != PTO_LT || cells.thin()) continue;
        if (!cells.full() && (is_half(c.type) || c.type == PTO_S32 || c.type == PTO_S64 ||
                              c.type == PTO_U16 || c.type == PTO_S8))
            continue;
        cells.every_size(compare(BENCH_VCMP, c, 0, PTO_MASK_BYTE));
        cells.every_size(compare(BENCH_VCMP, c, 0, image_of(c.type)));
        cells.every_size(compare(BENCH_VCMP, c, 0, PTO_MASK_PACKED, true));
    }
}

void of_laden(Cells &cells) {
    if (cells.thin()) return;
    for (const pto_dtype t : {PTO_F32, PTO_F64, PTO_F16, PTO_BF16}) {
        cells.laden(compare(BENCH_VCMP, {t, PTO_LT}));
        if (has_ftz(t)) cells.laden(compare(BENCH_VCMP, {t, PTO_LT}, PTO_FTZ));
    }
}

void cells_of_vcmp(Cells &cells) {
    for (const Comparison c : comparisons())
        if (picked(cells, c)) to_packed(cells, BENCH_VCMP, c);
    to_other_masks(cells);
    for (const pto_dtype type : {PTO_E4M3, PTO_E5M2FNUZ, PTO_E2M3})
        cells.one_size(compare(BENCH_VCMP, {type, PTO_LT}));
    cells.places(compare(BENCH_VCMP, {PTO_F32, PTO_LT}));
    cells.places(compare(BENCH_VCMP, {PTO_U8, PTO_EQ}));
    of_laden(cells);
}

void cells_of_vcmps(Cells &cells) {
    for (const Comparison c : comparisons())
        if (cells.full() || c.cmp == PTO_LT) to_packed(cells, BENCH_VCMPS, c);
}

} // namespace

namespace operation {

extern const Operation vcmp;
const Operation vcmp = {"vcmp",   call_vcmp, repeated<call_vcmp>, cells_of_vcmp, 2, Writes::mask,
                        compares, plan_vcmp};

extern const Operation vcmps;
const Operation vcmps = {"vcmps",  call_vcmps, repeated<call_vcmps>, cells_of_vcmps, 1, Writes::mask,
                         compares, plan_vcmps};

} // namespace operation

} // namespace bench
