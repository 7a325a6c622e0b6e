// SPDX-License-Identifier: MIT
/// @file subject.h  The operations of libpto that are measured, and their peers.
#ifndef PTO_BENCH_SUBJECT_H
#define PTO_BENCH_SUBJECT_H

#include "peers/contender.h"

#include <string>
#include <vector>

namespace bench {

/// What an operation writes to dst.
enum class Writes {
    mask,     ///< a mask of the cell's kind
    lanes,    ///< lanes of the cell's type
    converted ///< lanes of the conversion's destination type
};

class Cells;

/// Further properties of an operation, combined by OR.
enum Trait : unsigned {
    plain = 0,
    compares = 1,      ///< has a comparison operator
    selects = 2,       ///< reads a mask
    two_results = 4,   ///< writes a second result, of the same kind and size as dst, to dst2
    finds_scales = 8,  ///< writes the scales of blocks to dst2
    takes_scales = 16, ///< reads the scales of blocks from m
    in_bits = 32,      ///< lanes are the bits of a packed mask, regardless of the type
    four_sources = 64, ///< its plan takes a, b, u and v
    only_whole = 128 ///< the results of two halves are not those of the whole, so two threads cannot share it
};

/// The description of an operation. It is defined in the operation's file in operations/.
struct Operation {
    const char *name; ///< "vcmp"
    pto_status (*once)(const bench_args &);
    bench_fn *repeated;
    void (*cells)(Cells &); ///< adds the cells that it is measured in
    unsigned reads;         ///< streams, each as long as the cell says
    Writes writes;          ///< what it writes to dst
    unsigned traits;
    pto_status (*plan)(pto_plan *, const bench_what &) = nullptr; ///< makes a plan of the same call
    bench_fn *(*two_calls)(const bench_what &) = nullptr; ///< computes the same with other calls, or null
    std::string (*rest)(const bench_what &) = nullptr;    ///< the rest of its name, if not the usual one
};

/// Repeats a call, for Operation::repeated.
template <pto_status (*once)(const bench_args &)> void repeated(const bench_args *args, size_t repeat) {
    for (size_t i = 0; i < repeat; i++) {
        (void)once(*args);
        BENCH_BARRIER();
    }
}

/// Returns all operations of operations.h, in its order.
const std::vector<const Operation *> &operations();

const Operation &operation_of(const bench_what &what);

/// Returns the function that repeats the call.
bench_fn *subject(const bench_what &what);

/// Returns a function that repeats other calls with the same result, or null.
bench_fn *two_calls_of(const bench_what &what);

/// Makes the call once and returns its status.
pto_status subject_once(const bench_args &args);

/// Returns the instruction sets of this machine that are measured, best first. Scalar and emulated ones are left out.
std::vector<pto_isa> isas();

/// Return the peers on one of these instruction sets, or NULL for an operation that the peer lacks.
bench_roofline *roofline_of(pto_isa isa);
bench_fn *loop_of(pto_isa isa, const bench_what &what);
bench_fn *highway_of(pto_isa isa, const bench_what &what);

} // namespace bench

#endif
