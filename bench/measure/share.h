// SPDX-License-Identifier: MIT
/// @file share.h  A cell's work in shares for threads, as pto_split() says.
#ifndef PTO_BENCH_SHARE_H
#define PTO_BENCH_SHARE_H

#include "measure/cell.h"

#include <array>

namespace bench {

/// The k-th of so many shares of the same arguments. Lanes are a power of two, and of a tensor at least two blocks, each
/// of one row: so every share begins with a row or a block.
class Share {
  public:
    Share(const bench_args &whole, size_t parts, size_t k);
    Share(const Share &) = delete; // the arguments may point to the counter
    Share &operator=(const Share &) = delete;

    const bench_args &args() const { return args_; }

  private:
    bench_args args_;
    std::array<uint32_t, 6> counter_{}; ///< of random bits: the key, and the counter moved on
};

} // namespace bench

#endif
