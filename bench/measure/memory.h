// SPDX-License-Identifier: MIT
/// @file memory.h  The streams that all contenders of a cell share, and what is in them.
#ifndef PTO_BENCH_MEMORY_H
#define PTO_BENCH_MEMORY_H

#include "measure/cell.h"

#include <map>
#include <tuple>

namespace bench {

/// Room for the largest cell, reserved at once and touched as it is used; large pages if the system gives
/// them, so that it is the caches and not the TLB that set the rooflines.
class Memory {
  public:
    Memory();
    ~Memory();
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    /// Fill what the cell reads, unless it is there from the cell before; a pair of clean and laden data is
    /// there at once.
    void fill(const Cell &cell, Data data);

    /// The operands of a cell over data of a kind that fill() was told of.
    bench_args args(const Cell &cell, Data data) const;

    /// The result that scalar gave, beside the streams.
    unsigned char *expected() const;

    /// The traffic of the roofline over the very streams of these arguments.
    static bench_traffic traffic(const Cell &cell, const bench_args &args);

  private:
    enum Stream : unsigned { left, right, left_laden, right_laden, mask, result, result2, answer, streams };

    unsigned char *at(Stream stream, const Cell &cell) const;
    void fill_stream(Stream stream, pto_dtype type, Data data, size_t bytes);
    void fill_mask(const Cell &cell, Data data);

    unsigned char *base_;
    // What a stream holds, and how many bytes of it: type or mask kind, data, bytes.
    std::map<unsigned, std::tuple<int, Data, size_t>> holds_;
};

/// How much a cell reads and writes, as the roofline counts it; no addresses.
bench_traffic traffic_of(const Cell &cell);

/// Bytes that a call over n lanes writes to dst, and to dst2.
size_t result_bytes(const bench_what &what, size_t n);
size_t result2_bytes(const bench_what &what, size_t n);

} // namespace bench

#endif
