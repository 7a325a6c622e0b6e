// SPDX-License-Identifier: MIT
/// @file share.h  Divides a cell's work into parts for threads, with pto_split().
#ifndef PTO_BENCH_SHARE_H
#define PTO_BENCH_SHARE_H

#include "measure/cell.h"

#include <array>

namespace bench {

/// The key and the advanced counter of random bits. The arguments of a part point to it.
using RandomCounter = std::array<uint32_t, 6>;

/// Returns the arguments of part k of `parts`. The number of lanes must be a power of two, and a tensor must have at
/// least two blocks of one row each. Then every part begins with a row or a block.
bench_args share_of(const bench_args &whole, size_t parts, size_t k, RandomCounter &counter);

} // namespace bench

#endif
