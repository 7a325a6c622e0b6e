// SPDX-License-Identifier: MIT
/// @file extras.h  What is no cell of the sweep: short calls in nanoseconds, and two threads.
#ifndef PTO_BENCH_EXTRAS_H
#define PTO_BENCH_EXTRAS_H

#include "measure/race.h"

namespace bench {

/// Nanoseconds of one call over n lanes.
struct ShortCall {
    std::string name; ///< "vcmp.lt.f32"
    pto_isa isa;
    size_t n;
    double checked, plan;
    Time highway, loop;
    Time two_calls; ///< vcmpsel: vcmp, then vsel
};

/// How much faster two threads on halves are than one thread on the whole.
struct TwoThreads {
    std::string name;
    pto_isa isa;
    size_t bytes; ///< per thread and stream
    double speedup;
};

struct Extras {
    std::vector<ShortCall> calls;
    std::vector<TwoThreads> threads; ///< empty on a machine of one core
    std::string error;               ///< what differed from scalar
};

std::vector<ShortCall> short_calls(Memory &memory, Scope scope, const Effort &effort, std::string &error);
std::vector<TwoThreads> two_threads(Memory &memory, Scope scope, const Effort &effort);

} // namespace bench

#endif
