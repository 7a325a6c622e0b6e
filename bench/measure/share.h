// SPDX-License-Identifier: MIT
/// @file share.h  A cell's work in shares for threads, as pto_split() says.
#ifndef PTO_BENCH_SHARE_H
#define PTO_BENCH_SHARE_H

#include "measure/cell.h"

#include <array>

namespace bench {

/// Of random bits the key, and the counter moved on: arguments of a share point to it.
using RandomCounter = std::array<uint32_t, 6>;

/// The k-th of so many shares of the same arguments. Lanes are a power of two, and of a tensor at least two blocks, each
/// of one row: so every share begins with a row or a block.
bench_args share_of(const bench_args &whole, size_t parts, size_t k, RandomCounter &counter);

} // namespace bench

#endif
