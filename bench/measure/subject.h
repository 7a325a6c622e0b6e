// SPDX-License-Identifier: MIT
/// @file subject.h  libpto as a contender: the checked calls, as a user writes them.
#ifndef PTO_BENCH_SUBJECT_H
#define PTO_BENCH_SUBJECT_H

#include "peers/contender.h"

#include <vector>

namespace bench {

/// "vcmp".
const char *family_name(bench_family family);

/// The call, repeated.
bench_fn *subject(const bench_what &what);

/// The call, once, with its status.
pto_status subject_once(const bench_args &args);

/// pto_vcmp to packed bits in dst2, then pto_vsel: what pto_vcmpsel does in one pass.
void compare_then_select(const bench_args *args, size_t repeat);

/// The instruction sets of this machine that a user would get, best first; scalar and emulations are not
/// among them.
std::vector<pto_isa> isas();

/// The peers of one of these.
const bench_peers &peers_of(pto_isa isa);

} // namespace bench

#endif
