// SPDX-License-Identifier: MIT
//
// Measures the calls that move lanes by a mask, that find an extreme, that test the class of floats, and vexp.
#include "measure/cells.h"
#include "measure/subject.h"

#include <pto/lanes.h>
#include <pto/vmath.h>

namespace bench {

namespace {

pto_status call_testp(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_testp(w.type, PTO_TEST_NORMAL, 0, r.a, PTO_NO_MASK, pto_mask_at(r.dst, w.mask), r.n);
}

pto_status plan_testp(pto_plan *plan, const bench_what &w) {
    return pto_plan_testp(plan, w.type, PTO_TEST_NORMAL, 0, PTO_MASK_PACKED, w.mask);
}

/// The number of lanes is not measured, but must be stored.
pto_status call_vcompress(const bench_args &r) {
    size_t count = 0;
    return pto_vcompress(r.what->type, r.a, pto_mask_in(r.m, r.what->mask), r.dst, r.n, &count);
}

pto_status call_vexpand(const bench_args &r) {
    size_t count = 0;
    return pto_vexpand(r.what->type, r.a, pto_mask_in(r.m, r.what->mask), r.dst, r.n, &count);
}

/// These store the index as the result.
pto_status call_vargmax(const bench_args &r) {
    return pto_vargmax(r.what->type, r.what->flags, r.a, PTO_NO_MASK, static_cast<size_t *>(r.dst), r.n);
}

pto_status call_vargmin(const bench_args &r) {
    return pto_vargmin(r.what->type, r.what->flags, r.a, PTO_NO_MASK, static_cast<size_t *>(r.dst), r.n);
}

pto_status call_vexp([[maybe_unused]] const bench_args &r) {
#ifdef PTO_HAS_VEXP
    return pto_vexp(r.what->type, r.a, PTO_NO_MASK, r.dst, r.n);
#else
    return PTO_ERR_ISA;
#endif
}

void cells_of_vexp([[maybe_unused]] Cells &cells) {
#ifdef PTO_HAS_VEXP
    for (const pto_dtype type : {PTO_F16, PTO_BF16, PTO_F32, PTO_F64})
        cells.one_size(select(BENCH_VEXP, type));
#endif
}

void cells_of_testp(Cells &cells) {
    for (const pto_dtype type : {PTO_E4M3, PTO_F16, PTO_F32, PTO_F64})
        cells.one_size(select(BENCH_TESTP, type));
    cells.one_size(select(BENCH_TESTP, PTO_F32, PTO_MASK_BYTE));
}

/// Masks of half and of few or many lanes in turn.
void cells_of_move(Cells &cells, bench_operation operation) {
    for (const pto_dtype type : {PTO_U8, PTO_U16, PTO_U32, PTO_U64}) cells.one_size(select(operation, type));
    cells.one_size(select(operation, PTO_U32), Data::uneven);
}

void cells_of_vcompress(Cells &cells) {
    cells_of_move(cells, BENCH_VCOMPRESS);
}

void cells_of_vexpand(Cells &cells) {
    cells_of_move(cells, BENCH_VEXPAND);
}

void cells_of_vargmax(Cells &cells) {
    for (const pto_dtype type : {PTO_S8, PTO_S32, PTO_F16, PTO_F32})
        cells.one_size(extreme(BENCH_VARGMAX, type));
    cells.one_size(extreme(BENCH_VARGMAX, PTO_F32, PTO_PROPAGATE_NAN));
}

void cells_of_vargmin(Cells &cells) {
    cells.one_size(extreme(BENCH_VARGMIN, PTO_F32));
}

} // namespace

namespace operation {

extern const Operation testp;
const Operation testp = {"testp", call_testp, repeated<call_testp>, cells_of_testp, 1, Writes::mask,
                         plain,   plan_testp};

extern const Operation vcompress;
const Operation vcompress = {"vcompress", call_vcompress, repeated<call_vcompress>, cells_of_vcompress,
                             1,           Writes::lanes,  selects | only_whole};

extern const Operation vexpand;
const Operation vexpand = {"vexpand", call_vexpand,  repeated<call_vexpand>, cells_of_vexpand,
                           1,         Writes::lanes, selects | only_whole};

extern const Operation vargmax;
const Operation vargmax = {"vargmax",    call_vargmax, repeated<call_vargmax>, cells_of_vargmax, 1,
                           Writes::mask, only_whole};

extern const Operation vargmin;
const Operation vargmin = {"vargmin",    call_vargmin, repeated<call_vargmin>, cells_of_vargmin, 1,
                           Writes::mask, only_whole};

extern const Operation vexp;
const Operation vexp = {"vexp", call_vexp, repeated<call_vexp>, cells_of_vexp, 1, Writes::lanes, plain};

} // namespace operation

} // namespace bench
