// SPDX-License-Identifier: MIT
/// @file extras.h  Measurements other than cells: the nanoseconds of short calls, and two threads.
#ifndef PTO_BENCH_EXTRAS_H
#define PTO_BENCH_EXTRAS_H

#include "measure/race.h"

namespace bench {

/// The time of one call on n lanes.
struct ShortCall {
    std::string name; ///< "vcmp.lt.f32"
    pto_isa isa;
    size_t n;
    double checked; ///< nanoseconds of the ordinary call, which checks its arguments
    Time plan;      ///< of the call through a plan; lacking if there is none
    Time highway, loop;
    Time two_calls; ///< vcmpsel: vcmp, then vsel
};

/// The times of a call by one thread, and by two threads with a part each.
struct TwoThreads {
    std::string name;
    pto_isa isa;
    size_t bytes;       ///< per thread and stream
    size_t lanes;       ///< of both parts together
    double one, two;    ///< seconds
    double of_roofline; ///< the same speedup for the roofline, which moves the same bytes without computing
};

inline double speedup_of(const TwoThreads &threads) {
    return threads.one / threads.two;
}

struct Extras {
    std::vector<ShortCall> calls;
    std::vector<TwoThreads> threads; ///< empty on a machine with one core
    std::string error;               ///< which call had a wrong result; empty if none
};

std::vector<ShortCall> short_calls(Memory &memory, Scope scope, const Effort &effort, std::string &error);

/// Measures at least one call of every operation, after verifying it. For Scope::tiny, the size is small.
std::vector<TwoThreads> two_threads(Memory &memory, Scope scope, const Effort &effort, std::string &error);

} // namespace bench

#endif
