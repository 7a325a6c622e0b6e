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
    double checked;
    Time plan; ///< lacking where a call has none
    Time highway, loop;
    Time two_calls; ///< vcmpsel: vcmp, then vsel
};

/// One call by one thread, and by two with a share each.
struct TwoThreads {
    std::string name;
    pto_isa isa;
    size_t bytes;       ///< per thread and stream
    size_t lanes;       ///< of both shares
    double one, two;    ///< seconds
    double of_roofline; ///< by how much two threads are faster with the same traffic alone
};

inline double speedup_of(const TwoThreads &threads) {
    return threads.one / threads.two;
}

/// Of every operation, at the 4 MiB a thread that it is measured at.
constexpr double two_threads_goal = 1.9;

struct Extras {
    std::vector<ShortCall> calls;
    std::vector<TwoThreads> threads; ///< empty on a machine of one core
    std::string error;               ///< what differed
};

std::vector<ShortCall> short_calls(Memory &memory, Scope scope, const Effort &effort, std::string &error);

/// All of them at least once, each verified; in the tests, which ask for no time, at a small size.
std::vector<TwoThreads> two_threads(Memory &memory, Scope scope, const Effort &effort, std::string &error);

} // namespace bench

#endif
