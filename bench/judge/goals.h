// SPDX-License-Identifier: MIT
/// @file goals.h  What the kernels must reach, and whether they did.
#ifndef PTO_BENCH_GOALS_H
#define PTO_BENCH_GOALS_H

#include "measure/extras.h"
#include "measure/race.h"

#include <cstdio>

namespace bench {

/// The table of goals, a line for each question or, if whole, each row, with the worst of its cells at each size; then
/// each cell that is short.
void print_goals(std::FILE *out, const std::vector<Result> &results, const Extras &extras, bool whole);

} // namespace bench

#endif
