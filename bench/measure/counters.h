// SPDX-License-Identifier: MIT
/// @file counters.h  Cycles and instructions: from the CPU's counters, or instructions alone by single steps.
#ifndef PTO_BENCH_COUNTERS_H
#define PTO_BENCH_COUNTERS_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace bench {

/// Per lane.
struct Counts {
    std::optional<double> cycles, instructions;
};

/// "perf counters", or why there are none and what is done instead.
std::string counters_description();

/// Count over so many passes. Where the system gives no counters, a child process is stepped through one
/// pass, if that is short.
Counts count(const std::function<void(size_t)> &run, size_t passes, double lanes);

} // namespace bench

#endif
