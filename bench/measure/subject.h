// SPDX-License-Identifier: MIT
/// @file subject.h  libpto as a contender, operation by operation; and the peers that it meets.
#ifndef PTO_BENCH_SUBJECT_H
#define PTO_BENCH_SUBJECT_H

#include "peers/contender.h"

#include <string>
#include <vector>

namespace bench {

enum class Writes {
    mask,     ///< of the cell's kind
    lanes,    ///< of the cell's type
    converted ///< of the conversion's type
};

class Cells;

/// What else is told of an operation, as a set.
enum Trait : unsigned {
    plain = 0,
    compares = 1,      ///< has an operator
    selects = 2,       ///< reads a mask
    two_results = 4,   ///< writes to dst2 what it writes to dst
    finds_scales = 8,  ///< writes to dst2 the scales of blocks
    takes_scales = 16, ///< reads the scales of blocks from m
    in_bits = 32,      ///< a lane is a bit of a packed mask that is copied, whatever the type
    four_sources = 64  ///< a plan of it takes a, b, u and v
};

/// What the rest of the bench knows of an operation; its file in operations/ says it.
struct Operation {
    const char *name; ///< "vcmp"
    pto_status (*once)(const bench_args &);
    bench_fn *repeated;
    void (*cells)(Cells &); ///< adds the cells that it is measured in
    unsigned reads;         ///< streams, each as long as the cell says
    Writes writes;          ///< what it writes to dst
    unsigned traits;
    pto_status (*plan)(pto_plan *, const bench_what &) = nullptr; ///< of the same call
    bench_fn *two_calls = nullptr;                                ///< the same by two other calls
    std::string (*rest)(const bench_what &) = nullptr; ///< of its name in the table, if not the usual
};

/// The call again and again, for Operation::repeated.
template <pto_status (*once)(const bench_args &)> void repeated(const bench_args *args, size_t repeat) {
    for (size_t i = 0; i < repeat; i++) {
        (void)once(*args);
        BENCH_BARRIER();
    }
}

/// All of operations.h, in its order.
const std::vector<const Operation *> &operations();

const Operation &operation_of(const bench_what &what);

/// The call, repeated.
bench_fn *subject(const bench_what &what);

/// The call, once, with its status.
pto_status subject_once(const bench_args &args);

/// The instruction sets of this machine that a user would get, best first; scalar and emulations are not
/// among them.
std::vector<pto_isa> isas();

/// The peers on one of these; null for what they lack.
bench_roofline *roofline_of(pto_isa isa);
bench_fn *loop_of(pto_isa isa, const bench_what &what);
bench_fn *highway_of(pto_isa isa, const bench_what &what);

} // namespace bench

#endif
