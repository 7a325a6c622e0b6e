// SPDX-License-Identifier: MIT
// Maps tiles of pto-isa's CPU simulator to arrays, for the calls of libpto.
#ifndef PTO_OVERLAY_TILES_HPP
#define PTO_OVERLAY_TILES_HPP

#include <pto/cast.h>
#include <pto/compare.h>
#include <pto/maxmin.h>
#include <pto/select.h>
#include <pto/vcvt.h>

#include <pto/common/pto_tile.hpp>
#include <pto/common/type.hpp>

#include "pto/cpu/tile_offsets.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace pto_overlay {

// Lines that are not adjacent in a tile are copied in pieces of this many elements. A multiple of 8, so that each piece
// of a packed mask starts at a byte.
constexpr std::size_t PIECE = 1024;

// Returns the pto_dtype of an element type of the simulator, or -1 if libpto's calls on lanes do not take it. Without
// std::bfloat16_t, the simulator's bfloat16_t is another name of half.
template <typename T> constexpr int dtype_of() {
    if constexpr (std::is_same_v<T, float>) {
        return PTO_F32;
    } else if constexpr (std::is_same_v<T, half>) {
        return PTO_F16;
    } else if constexpr (std::is_same_v<T, bfloat16_t>) {
        return PTO_BF16;
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        constexpr int of_signed[] = {PTO_S8, PTO_S16, PTO_S32, PTO_S64};
        constexpr int of_unsigned[] = {PTO_U8, PTO_U16, PTO_U32, PTO_U64};
        return std::is_signed_v<T> ? of_signed[width] : of_unsigned[width];
    } else {
        return -1;
    }
}

template <typename T>
concept Lane = dtype_of<T>()
>= 0;

template <Lane T> constexpr pto_dtype dtype = static_cast<pto_dtype>(dtype_of<T>());

template <Lane T> constexpr bool is_float_lane = !std::is_integral_v<T>;

template <typename T>
concept TileLike = requires {
    typename T::DType;
    { T::Rows } -> std::convertible_to<int>;
    { T::Cols } -> std::convertible_to<int>;
    { T::isRowMajor } -> std::convertible_to<bool>;
    { T::SFractal } -> std::convertible_to<pto::SLayout>;
};

template <typename T>
concept LaneTile = TileLike<T> && Lane<typename T::DType>;

template <typename T, typename Element>
concept TileOf = LaneTile<T> && std::same_as<typename T::DType, Element>;

// Tiles without fractals, whose rows or columns are adjacent in memory.
template <typename T> constexpr bool has_plain_rows = T::SFractal == pto::SLayout::NoneBox &&T::isRowMajor;
template <typename T> constexpr bool has_plain_cols = T::SFractal == pto::SLayout::NoneBox && !T::isRowMajor;

// A mask in the memory of a tile, with words of 1, 2, 4 or 8 bytes in rows.
template <typename T>
concept MaskTile = TileLike<T> && std::is_integral_v<typename T::DType> && has_plain_rows<T>;

// Whether equal coordinates have equal offsets in both tiles.
template <typename A, typename B>
constexpr bool has_same_offsets =
    A::isRowMajor == B::isRowMajor &&A::SFractal == B::SFractal &&A::Rows == B::Rows &&A::Cols ==
    B::Cols &&A::InnerRows == B::InnerRows &&A::InnerCols == B::InnerCols;

// Stops the program if a call of libpto fails, which happens only if a tile has no memory.
inline void check(pto_status status) {
    if (status != PTO_OK) {
        std::fprintf(stderr, "libpto's overlay for pto-isa: status %d\n", static_cast<int>(status));
        std::abort();
    }
}

// Returns the number of elements of the valid region if they are adjacent in memory, otherwise 0.
template <typename T> std::size_t adjacent_elements(std::size_t rows, std::size_t cols) {
    if constexpr (has_plain_rows<T>) {
        return cols == static_cast<std::size_t>(T::Cols) || rows == 1 ? rows * cols : 0;
    } else if constexpr (has_plain_cols<T>) {
        return rows == static_cast<std::size_t>(T::Rows) || cols == 1 ? rows * cols : 0;
    } else {
        const bool whole = T::Rows % T::InnerRows == 0 && T::Cols % T::InnerCols == 0;
        return whole && rows == static_cast<std::size_t>(T::Rows) && cols == static_cast<std::size_t>(T::Cols)
                   ? rows * cols
                   : 0;
    }
}

// Returns the offset of element i of a line: of row `line`, or of column `line` if by_cols.
template <typename T, bool by_cols> std::size_t line_offset(std::size_t line, std::size_t i) {
    return by_cols ? pto::GetTileElementOffset<T>(i, line) : pto::GetTileElementOffset<T>(line, i);
}

template <typename T, bool by_cols>
constexpr bool has_adjacent_lines = by_cols ? has_plain_cols<T> : has_plain_rows<T>;

// Returns n elements of a line from element `first` on: in the tile if they are adjacent there, or copied to `buffer`.
template <typename T, bool by_cols>
const typename T::DType *read_line(const typename T::DType *data, std::size_t line, std::size_t first,
                                   std::size_t n, typename T::DType *buffer) {
    if constexpr (has_adjacent_lines<T, by_cols>) {
        return data + line_offset<T, by_cols>(line, first);
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            buffer[i] = data[line_offset<T, by_cols>(line, first + i)];
        }
        return buffer;
    }
}

// Calls body(dst, src..., n) for lines, or pieces of lines, that together cover the valid region. Each pointer refers
// to n adjacent elements. A source may share the memory of dst, if both tiles start at the same address and the
// elements of dst are not larger: then elements are read before they are overwritten.
template <typename Dst, typename Body, typename... Src>
void for_each_line(std::size_t rows, std::size_t cols, Body body, Dst &dst, Src &...src) {
    constexpr bool by_cols = has_plain_cols<Dst>;
    if constexpr ((has_same_offsets<Dst, Src> && ...)) {
        if (const std::size_t n = adjacent_elements<Dst>(rows, cols); n != 0) {
            body(dst.data(), static_cast<const typename Src::DType *>(src.data())..., n);
            return;
        }
    }
    const std::size_t lines = by_cols ? cols : rows;
    const std::size_t length = by_cols ? rows : cols;
    constexpr bool is_direct = has_adjacent_lines<Dst, by_cols> && (has_adjacent_lines<Src, by_cols> && ...);
    const std::size_t piece = is_direct ? length : PIECE;
    // One buffer for dst and one for each source.
    alignas(64) unsigned char buffers[1 + sizeof...(Src)][PIECE * sizeof(std::uint64_t)];
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t first = 0; first < length; first += piece) {
            const std::size_t n = std::min(piece, length - first);
            const auto call = [&]<std::size_t... I>(typename Dst::DType * to, std::index_sequence<I...>) {
                body(to,
                     read_line<Src, by_cols>(src.data(), line, first, n,
                                             reinterpret_cast<typename Src::DType *>(buffers[1 + I]))...,
                     n);
            };
            if constexpr (has_adjacent_lines<Dst, by_cols>) {
                call(dst.data() + line_offset<Dst, by_cols>(line, first), std::index_sequence_for<Src...>());
            } else {
                auto *result = reinterpret_cast<typename Dst::DType *>(buffers[0]);
                call(result, std::index_sequence_for<Src...>());
                for (std::size_t i = 0; i < n; ++i) {
                    dst.data()[line_offset<Dst, by_cols>(line, first + i)] = result[i];
                }
            }
        }
    }
}

} // namespace pto_overlay

#endif
