// SPDX-License-Identifier: MIT
/// @file subject.h  libpto as a contender: the checked calls, as a user writes them.
#ifndef PTO_BENCH_SUBJECT_H
#define PTO_BENCH_SUBJECT_H

#include "peers/contender.h"

#include <vector>

namespace bench {

enum class Writes {
    mask,     ///< of the cell's kind
    lanes,    ///< of the cell's type
    converted ///< of the conversion's type
};

/// What the rest of the bench knows of a call.
struct Family {
    const char *name; ///< "vcmp"
    pto_status (*once)(const bench_args &);
    bench_fn *repeated;
    unsigned reads;   ///< streams, each as long as the cell says
    Writes writes;    ///< what it writes to dst
    bool two_results; ///< and to dst2 the same
};

const Family &family_of(bench_family number);

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
