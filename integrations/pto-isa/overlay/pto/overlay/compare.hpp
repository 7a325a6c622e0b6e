// SPDX-License-Identifier: MIT
// Comparisons of tiles, with results as packed masks.
#ifndef PTO_OVERLAY_COMPARE_HPP
#define PTO_OVERLAY_COMPARE_HPP

#include "pto/overlay/tiles.hpp"

namespace pto_overlay {

// Returns the comparison of a mode. NE is true if an operand is a NaN. A mode that does not exist is EQ.
template <typename T> pto_cmp comparison_of(pto::CmpMode mode) {
    switch (mode) {
    case pto::CmpMode::NE: return is_float_lane<T> ? PTO_NEU : PTO_NE;
    case pto::CmpMode::LT: return PTO_LT;
    case pto::CmpMode::LE: return PTO_LE;
    case pto::CmpMode::GT: return PTO_GT;
    case pto::CmpMode::GE: return PTO_GE;
    default: return PTO_EQ;
    }
}

// Calls store(row, bits, bytes) with the packed mask of each row of the valid region. compare(src..., bits, n) writes
// the mask of n lanes.
template <typename Compare, typename Store, typename... Src>
void compare_rows(std::size_t rows, std::size_t cols, Compare compare, Store store, Src &...src) {
    const std::size_t bytes = (cols + 7) / 8;
    std::uint8_t bits[PIECE];
    const bool is_flat =
        ((has_plain_rows<Src> && adjacent_elements<Src>(rows, cols) != 0) && ...) && cols % 8 == 0;
    if (is_flat && bytes <= PIECE) {
        const std::size_t rows_at_once = PIECE / bytes;
        for (std::size_t row = 0; row < rows; row += rows_at_once) {
            const std::size_t count = std::min(rows_at_once, rows - row);
            compare(static_cast<const typename Src::DType *>(src.data()) + row * cols..., bits, count * cols);
            for (std::size_t i = 0; i < count; ++i) {
                store(row + i, bits + i * bytes, 0, bytes);
            }
        }
        return;
    }
    alignas(64) unsigned char buffers[sizeof...(Src)][PIECE * sizeof(std::uint64_t)];
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t first = 0; first < cols; first += PIECE) {
            const std::size_t n = std::min(PIECE, cols - first);
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                compare(read_line<Src, false>(src.data(), row, first, n,
                                              reinterpret_cast<typename Src::DType *>(buffers[I]))...,
                        bits, n);
            }
            (std::index_sequence_for<Src...>());
            store(row, bits, first / 8, (n + 7) / 8);
        }
    }
}

// Writes the masks of rows to a tile of words: row r of the mask is row r of dst, of which only the first valid_cols
// words are written. All other elements of dst become 0.
template <typename Dst, typename Compare, typename... Src>
void compare_to_rows(Dst &dst, std::size_t rows, std::size_t cols, Compare compare, Src &...src) {
    auto *image = reinterpret_cast<std::uint8_t *>(dst.data());
    constexpr std::size_t stride = Dst::Cols * sizeof(typename Dst::DType);
    const std::size_t limit = dst.GetValidCol() * sizeof(typename Dst::DType);
    std::memset(image, 0, Dst::Rows * stride);
    compare_rows(
        rows, cols, compare,
        [&](std::size_t row, const std::uint8_t *bits, std::size_t at, std::size_t bytes) {
            if (at < limit) {
                std::memcpy(image + row * stride + at, bits, std::min(bytes, limit - at));
            }
        },
        src...);
}

} // namespace pto_overlay

#endif
