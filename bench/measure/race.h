// SPDX-License-Identifier: MIT
/**
 * @file race.h
 * The interleaved measurement, and what came of it for one cell.
 *
 * Google Benchmark times one function at a time, minutes apart from the next one; the ratios here are only
 * worth something if all sides see the same clock frequency, neighbours and page placement. So its loop is
 * not used: in every round each contender runs once for some microseconds, in turn, and the best of all
 * rounds counts. Google Benchmark gets the result as manual time.
 */
#ifndef PTO_BENCH_RACE_H
#define PTO_BENCH_RACE_H

#include "measure/cell.h"
#include "measure/counters.h"
#include "measure/memory.h"

#include <functional>
#include <optional>

namespace bench {

/// How long a race may take.
struct Effort {
    double sample = 20e-6; ///< seconds of one contender in one round
    double budget = 60e-3; ///< seconds of all rounds
    unsigned rounds = 5;   ///< at least so many, though
    bool scalar = true;    ///< whether libpto's scalar runs too
    bool peers = true;     ///< whether the roofline and the peers do
    bool counters = false;
};

struct Runner {
    std::string name;
    std::function<void(size_t)> run; ///< so many passes
    double seconds = 0;              ///< of one pass, the best
    size_t passes = 0;               ///< in a sample; 0: to be found out
    double spent = 0;
    unsigned ran = 0;
};

/// As many passes as fill the sample.
void calibrate(Runner &runner, const Effort &effort);

/// Let the runners alternate.
void race(std::vector<Runner> &runners, const Effort &effort);

/// The seconds of one pass, or why there are none: a peer lacks the operation, or gives other bits.
struct Time {
    enum class Kind { lacking, differs, measured } kind = Kind::lacking;
    double seconds = 0;
};

struct Result {
    Cell cell;
    std::string name;
    std::string error; ///< libpto differs from scalar, or refused; then there are no times
    double seconds = 0;
    Time roofline, highway, loop, scalar;
    Time two_calls; ///< vcmpsel: vcmp, then vsel
    Time clean;     ///< laden cells: the same call over clean data
    Counts counts;  ///< of libpto, per lane
};

/// By how much libpto is faster: 2 for half the time; nothing if there is no such time.
std::optional<double> against(const Result &result, const Time &other);

/// Verify, then measure.
Result run_cell(Memory &memory, const Cell &cell, const Effort &effort);

} // namespace bench

#endif
