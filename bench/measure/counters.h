// SPDX-License-Identifier: MIT
/// @file counters.h  Counts cycles and instructions with the CPU's counters, or only instructions by single steps.
#ifndef PTO_BENCH_COUNTERS_H
#define PTO_BENCH_COUNTERS_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace bench {

/// Cycles and instructions per lane.
struct Counts {
    std::optional<double> cycles, instructions;
};

/// Returns a text that says how counting works here, or why there are no counters.
std::string counters_description();

/// Counts over `passes` passes. If the system has no counters, it single-steps a child process through one pass of up
/// to 16384 lanes.
Counts count(const std::function<void(size_t)> &run, size_t passes, double lanes);

} // namespace bench

#endif
