// SPDX-License-Identifier: MIT
/// @file subject.h  libpto as a contender: the checked calls, as a user writes them.
#ifndef PTO_BENCH_SUBJECT_H
#define PTO_BENCH_SUBJECT_H

#include "peers/contender.h"

namespace bench {

/// The call, repeated.
bench_fn *subject(const bench_what &what);

/// The call, once, with its status.
pto_status subject_once(const bench_args &args);

/// pto_vcmp to packed bits in dst2, then pto_vsel: what pto_vcmpsel does in one pass.
void compare_then_select(const bench_args *args, size_t repeat);

/// The peers of an instruction set.
const bench_peers &peers_of(pto_isa isa);

} // namespace bench

#endif
