// SPDX-License-Identifier: MIT
/**
 * @file race.h
 * Interleaved measurement of the contenders of a cell.
 *
 * Google Benchmark times one function at a time, minutes apart from the next one. The ratios here are meaningful only
 * if all contenders have the same clock frequency, load from other processes and page placement. Therefore its loop is
 * not used. In every round each contender runs once for some microseconds, in turn, and the best of all rounds counts.
 * The result is passed to Google Benchmark as manual time.
 */
#ifndef PTO_BENCH_RACE_H
#define PTO_BENCH_RACE_H

#include "measure/cell.h"
#include "measure/counters.h"
#include "measure/memory.h"

#include <functional>
#include <optional>

namespace bench {

/// The duration of a race, and who takes part.
struct Effort {
    double sample = 20e-6; ///< seconds of one contender in one round
    double budget = 60e-3; ///< seconds of all rounds
    unsigned rounds = 5;   ///< minimum number of rounds, even if that exceeds the budget
    bool scalar = true;    ///< whether libpto's scalar code takes part
    bool peers = true;     ///< whether the roofline and the peers take part
    bool counters = false; ///< whether to count cycles and instructions
};

struct Runner {
    std::string name;
    std::function<void(size_t)> run; ///< runs the given number of passes
    double seconds = 0;              ///< the best time of one pass
    size_t passes = 0;               ///< passes in a sample; 0: not calibrated yet
    double spent = 0;
    unsigned ran = 0;
};

/// Sets runner.passes so that the passes take effort.sample seconds.
void calibrate(Runner &runner, const Effort &effort);

/// Runs all runners alternately and sets their times.
void race(std::vector<Runner> &runners, const Effort &effort);

/// The seconds of one pass, or why there is no time: a peer lacks the operation, or its result differs.
struct Time {
    enum class Kind { lacking, differs, measured } kind = Kind::lacking;
    double seconds = 0;
};

struct Result {
    Cell cell;
    std::string name;
    std::string error; ///< libpto's result differs from scalar's, or the call failed; then no times are set
    double seconds = 0;
    Time roofline, highway, loop, scalar;
    Time two_calls; ///< vcmpsel: vcmp, then vsel
    Time clean;     ///< the same call on plain data; only for cells with laden data (is_laden())
    Counts counts;  ///< libpto's cycles and instructions
};

/// Returns how many times as fast libpto is, such as 2 for half the time, or nullopt if the other has no time.
std::optional<double> against(const Result &result, const Time &other);

/// Verifies a cell, then measures it.
Result run_cell(Memory &memory, const Cell &cell, const Effort &effort);

} // namespace bench

#endif
