// SPDX-License-Identifier: MIT
/// @file cell.h  A cell of the table: one operation on one type, instruction set, size, placement and kind of data.
#ifndef PTO_BENCH_CELL_H
#define PTO_BENCH_CELL_H

#include "peers/contender.h"

#include <array>
#include <string>
#include <vector>

namespace bench {

/// The sizes in bytes of a cell's widest stream: one that fits the L1 cache, one for L2, one for L3, and one that
/// exceeds all caches.
constexpr std::array<size_t, 4> cell_sizes = {8UL << 10, 256UL << 10, 4UL << 20, 64UL << 20};

enum class Place {
    aligned,    ///< every stream starts on a cache line, no two at the same offset in a page
    misaligned, ///< every stream starts one or a few elements after a cache line
    apart_4k    ///< streams are multiples of 4 KiB apart, so loads and stores alias in their low twelve bits
};

enum class Data {
    plain,     ///< small numbers, some of them equal; masks of random bits
    subnormal, ///< as plain, with every other lane subnormal
    nan,       ///< as plain, with every other lane a NaN
    zero,      ///< as plain, with every other lane a zero of either sign
    none,      ///< the mask has no lane set
    all,       ///< the mask has all lanes set
    half,      ///< the mask has every other lane set
    uneven,    ///< the mask's density changes from block to block
    mixed      ///< integers of any bits; floats from 2^-8 to 2^8, with about one NaN in 1024
};

struct Cell {
    bench_what what;
    pto_isa isa;
    size_t stream; ///< bytes of the widest stream: one of cell_sizes, except in the extras
    Place place;
    Data data;
};

enum class Scope {
    tiny,  ///< every operation, type and kind of data, at the smallest size
    quick, ///< fewer cells: one operator for each kernel, and one type for similar ones
    full   ///< all cells
};

/// Returns every cell of a scope. Cells that share their data are adjacent.
std::vector<Cell> cells_of(Scope scope);

/// Returns whether half of the lanes have values that might be slow. Then the same call on plain data is measured too.
constexpr bool is_laden(Data data) {
    return data == Data::subnormal || data == Data::nan || data == Data::zero;
}

/// Returns the name of a call, such as "cvt.f16.f32" or "vcmp.lt.ftz.f32", with ".bytes", ".b32" or ".seed" added if
/// they apply.
std::string name_of(const bench_what &what);

/// Returns the name of a cell: operation, ISA, size, and the placement and data if not the usual ones, with slashes.
std::string name_of(const Cell &cell);

std::string size_name(size_t bytes);

/// Returns the number of lanes of the widest stream.
size_t lanes_of(const Cell &cell);

} // namespace bench

#endif
