// SPDX-License-Identifier: MIT
//
// Measures vcmpsel, also against a vcmp followed by a vsel.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_status call(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcmpsel(w.type, w.cmp, w.flags, pto_in_array(r.a), pto_in_array(r.b), pto_in_array(r.u),
                       pto_in_array(r.v), r.dst, r.n);
}

pto_status plan(pto_plan *plan, const bench_what &w) {
    return pto_plan_vcmpsel(plan, w.type, w.cmp, w.flags, 0);
}

/// Calls pto_vcmp() to packed bits in dst2, and then pto_vsel(). pto_vcmpsel() does the same in one pass.
void compare_then_select(const bench_args *args, size_t repeat) {
    const bench_what &w = *args->what;
    const pto_mask mask = pto_packed(args->dst2);
    for (size_t i = 0; i < repeat; i++) {
        (void)pto_vcmp(w.type, w.cmp, w.flags, args->a, args->b, PTO_NO_MASK, mask, args->n);
        (void)pto_vsel(w.type, args->u, args->v, mask, args->dst, args->n);
        BENCH_BARRIER();
    }
}

bench_fn *two_calls(const bench_what & /*what*/) {
    return compare_then_select;
}

void add_cells(Cells &cells) {
    for (const Comparison c : comparisons()) {
        if (c.cmp != PTO_LT || cells.thin()) continue;
        const bool quick = c.type == PTO_U8 || c.type == PTO_S16 || c.type == PTO_F16 || c.type == PTO_F32 ||
                           c.type == PTO_F64;
        if (cells.full() || quick) cells.every_size(compare(BENCH_VCMPSEL, c));
    }
    cells.places(compare(BENCH_VCMPSEL, {PTO_F32, PTO_LT}));
}

} // namespace

namespace operation {

extern const Operation vcmpsel;
const Operation vcmpsel = {
    "vcmpsel", call, repeated<call>, add_cells, 2, Writes::lanes, compares | four_sources, plan, two_calls};

} // namespace operation

} // namespace bench
