// SPDX-License-Identifier: MIT
//
// Measures setp with .and and both predicates.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_status call(const bench_args &r) {
    const bench_what &w = *r.what;
    const pto_setp_op op = {w.type, w.cmp, PTO_AND, false, (w.flags & PTO_FTZ) != 0};
    return pto_setp(op, r.a, r.b, pto_packed_in(r.m), pto_packed(r.dst), pto_packed(r.dst2), r.n);
}

void add_cells(Cells &cells) {
    for (const Comparison c : comparisons()) {
        if (c.cmp != PTO_LT || pto_dtype_bits(c.type) == 8 || cells.thin()) continue;
        if (!cells.full() && (c.type == PTO_S16 || c.type == PTO_S32 || c.type == PTO_S64)) continue;
        cells.every_size(compare(BENCH_SETP, c));
        if (has_ftz(c.type)) cells.every_size(compare(BENCH_SETP, c, PTO_FTZ));
    }
}

} // namespace

namespace operation {

extern const Operation setp;
const Operation setp = {"setp", call, repeated<call>, add_cells, 2, Writes::mask, compares | two_results};

} // namespace operation

} // namespace bench
