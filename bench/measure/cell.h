// SPDX-License-Identifier: MIT
/// @file cell.h  A cell of the table: one operation on one type, one instruction set, one size, one kind of
/// data.
#ifndef PTO_BENCH_CELL_H
#define PTO_BENCH_CELL_H

#include "measure/goal.h"
#include "peers/contender.h"

#include <string>
#include <vector>

namespace bench {

enum class Place {
    aligned,    ///< every stream at a cache line, no two at the same place in a page
    misaligned, ///< every stream one or a few elements off a cache line
    apart_4k    ///< multiples of 4 KiB apart: loads and stores look alike in their low twelve bits
};

enum class Data {
    plain,     ///< small numbers, some of them equal; masks of random bits
    subnormal, ///< as plain, every other lane subnormal
    nan,       ///< as plain, every other lane a NaN
    zero,      ///< as plain, every other lane a zero of either sign
    none,      ///< the mask is all off
    all,       ///< the mask is all on
    half,      ///< the mask is on in every other lane
    uneven,    ///< the mask's density changes from block to block
    mixed      ///< integers of any bits; floats from 2^-8 to 2^8, one NaN in some 1024
};

struct Cell {
    bench_what what;
    Goal goal;
    pto_isa isa;
    size_t stream; ///< one of cell_sizes, or what an extra takes
    Place place;
    Data data;
};

enum class Scope {
    tiny,  ///< every operation, type and kind of data, at the smallest size
    quick, ///< the cells of the goals, with one operator for all of a kernel
    full
};

/// Every cell of a scope, those of one type and size together, since they share their data.
std::vector<Cell> cells_of(Scope scope);

/// Data of which half has what might be slow; the same call over plain data takes part in the race.
constexpr bool is_laden(Data data) {
    return data == Data::subnormal || data == Data::nan || data == Data::zero;
}

/// "vcmp.lt.ftz.f32" with ".bytes", ".b32", ".seed" where it applies; "cvt.f16.f32".
std::string name_of(const bench_what &what);

/// The operation, then the ISA, the size, and what is not plain about place and data, with slashes.
std::string name_of(const Cell &cell);

std::string size_name(size_t bytes);

/// How many lanes make the widest stream.
size_t lanes_of(const Cell &cell);

} // namespace bench

#endif
