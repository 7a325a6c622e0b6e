// SPDX-License-Identifier: MIT
/// @file memory.h  The memory of the streams that all contenders of a cell use, and the data in them.
#ifndef PTO_BENCH_MEMORY_H
#define PTO_BENCH_MEMORY_H

#include "measure/cell.h"

#include <map>
#include <tuple>

namespace bench {

/// Memory for the streams of the largest cell. It is reserved at once, but pages are touched only when used. It uses
/// huge pages if available, so that the rooflines are limited by the caches and not by the TLB.
class Memory {
  public:
    Memory();
    ~Memory();
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    /// Fills the streams that the cell reads, unless an earlier cell has left the same data. Plain and laden data have
    /// different streams, so both can be present at once.
    void fill(const Cell &cell, Data data);

    /// Returns the operands of a cell on data of a kind with which fill() was called.
    bench_args args(const Cell &cell, Data data) const;

    /// Returns a buffer for scalar's result, which is separate from the streams.
    unsigned char *expected() const;

    /// Returns the roofline's traffic, with the addresses of the streams in `args`.
    static bench_traffic traffic(const Cell &cell, const bench_args &args);

  private:
    enum Stream : unsigned { left, right, left_laden, right_laden, mask, result, result2, answer, streams };

    unsigned char *at(Stream stream, const Cell &cell) const;
    void fill_stream(Stream stream, pto_dtype type, Data data, size_t bytes);
    void fill_mask(const Cell &cell, Data data);

    unsigned char *base_;
    // The contents of each stream: type or mask kind, kind of data, and the number of valid bytes.
    std::map<unsigned, std::tuple<int, Data, size_t>> holds_;
};

/// Returns the amount of data that a cell reads and writes, as the roofline counts it, without addresses.
bench_traffic traffic_of(const Cell &cell);

/// Return the number of bytes that a call on n lanes writes to dst and to dst2.
size_t result_bytes(const bench_what &what, size_t n);
size_t result2_bytes(const bench_what &what, size_t n);

} // namespace bench

#endif
