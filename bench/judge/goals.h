// SPDX-License-Identifier: MIT
/// @file goals.h  What the kernels must reach, and whether they did.
#ifndef PTO_BENCH_GOALS_H
#define PTO_BENCH_GOALS_H

#include "measure/extras.h"
#include "measure/race.h"

#include <cstdio>

namespace bench {

/// The table of goals with the worst ratio of each row and size, then each cell that is short.
void print_goals(std::FILE *out, const std::vector<Result> &results, const Extras &extras);

} // namespace bench

#endif
