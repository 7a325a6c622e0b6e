// SPDX-License-Identifier: MIT
/// @file goals.h  Prints the table of goals: which performance goals the kernels reach.
#ifndef PTO_BENCH_GOALS_H
#define PTO_BENCH_GOALS_H

#include "measure/extras.h"
#include "measure/race.h"

#include <cstdio>

namespace bench {

/// Prints the table of goals, and then every cell that misses its goal. The table has a line for each question, or for
/// each row if `whole` is true. A line shows the worst of its cells at each size.
void print_goals(std::FILE *out, const std::vector<Result> &results, const Extras &extras, bool whole);

} // namespace bench

#endif
