// SPDX-License-Identifier: MIT
//
// Measures vpermute with groups as large as a vector register of PTO.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

size_t lanes_of(const bench_what &what) {
    return 2048 / pto_dtype_bits(what.type);
}

/// Operand b has the indices, most of which are outside the group.
pto_status call_vpermute(const bench_args &r) {
    return pto_vpermute(r.what->type, lanes_of(*r.what), r.a, r.b, r.dst, r.n);
}

void cells_of_vpermute(Cells &cells) {
    for (const pto_dtype type : {PTO_U8, PTO_U16, PTO_U32, PTO_U64})
        cells.one_size(select(BENCH_VPERMUTE, type));
}

std::string name_of_groups(const bench_what &what) {
    return std::string(".") + pto_dtype_name(what.type) + ".by" + std::to_string(lanes_of(what));
}

} // namespace

namespace operation {

extern const Operation vpermute;
const Operation vpermute = {
    "vpermute", call_vpermute, repeated<call_vpermute>, cells_of_vpermute, 2, Writes::lanes, plain,
    nullptr,    nullptr,       name_of_groups};

} // namespace operation

} // namespace bench
