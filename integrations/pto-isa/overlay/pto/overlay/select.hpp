// SPDX-License-Identifier: MIT
// Packed masks in tiles, as the selections read them.
#ifndef PTO_OVERLAY_SELECT_HPP
#define PTO_OVERLAY_SELECT_HPP

#include "pto/overlay/tiles.hpp"

namespace pto_overlay {

// Copies n bits of a mask from bit `first` on to the start of `bits`. The bits of the mask are those of the rows of a
// tile, one row after the other, each row_bits long.
template <typename Mask>
void copy_mask_bits(Mask &mask, std::size_t row_bits, std::size_t first, std::size_t n, std::uint8_t *bits) {
    const auto *image = reinterpret_cast<const std::uint8_t *>(mask.data());
    constexpr std::size_t stride = Mask::Cols * sizeof(typename Mask::DType);
    for (std::size_t done = 0; done < n;) {
        const std::size_t row = (first + done) / row_bits;
        const std::size_t at = (first + done) % row_bits;
        const std::size_t run = std::min(n - done, row_bits - at);
        const std::uint8_t *from = image + row * stride;
        if (at % 8 == 0 && done % 8 == 0 && (run % 8 == 0 || done + run == n)) {
            std::memcpy(bits + done / 8, from + at / 8, (run + 7) / 8);
        } else {
            check(pto_mask_copy(pto_packed_in(from), at, pto_packed(bits), done, run));
        }
        done += run;
    }
}

// Copies `count` rows of `bytes` bytes each from a tile to adjacent memory, in words of 8 bytes as far as they go.
inline void copy_rows(const std::uint8_t *from, std::size_t stride, std::size_t bytes, std::size_t count,
                      std::uint8_t *to) {
    for (std::size_t row = 0; row < count; ++row, from += stride, to += bytes) {
        std::size_t i = 0;
        for (; i + 8 <= bytes; i += 8) std::memcpy(to + i, from + i, 8);
        std::memcpy(to + i, from + i, bytes - i);
    }
}

// Calls body(dst, src..., bits, n) for all elements, where `bits` is the packed mask of n lanes. Lane (r, c) has bit
// r * lane_row_bits + c of the mask, whose rows are mask_row_bits long.
template <typename Mask, typename Body, typename Dst, typename... Src>
void for_each_masked_line(Mask &mask, std::size_t mask_row_bits, std::size_t lane_row_bits, Body body,
                          Dst &dst, Src &...src) {
    const std::size_t rows = dst.GetValidRow();
    const std::size_t cols = dst.GetValidCol();
    std::uint8_t bits[PIECE];
    if constexpr (has_plain_rows<Dst> && (has_same_offsets<Dst, Src> && ...)) {
        // If rows end at bytes, `bits` takes as many rows as fit, otherwise one row or a piece of it.
        const bool is_flat = adjacent_elements<Dst>(rows, cols) != 0 && cols % 8 == 0 && cols <= 8 * PIECE &&
                             (lane_row_bits == cols || lane_row_bits == mask_row_bits);
        const std::size_t rows_at_once = is_flat ? 8 * PIECE / cols : 1;
        const std::size_t piece = is_flat ? cols : std::min(cols, 8 * PIECE);
        for (std::size_t row = 0; row < rows; row += rows_at_once) {
            for (std::size_t first = 0; first < cols; first += piece) {
                const std::size_t count = std::min(rows_at_once, rows - row);
                const std::size_t n = is_flat ? count * cols : std::min(piece, cols - first);
                if (is_flat && lane_row_bits == mask_row_bits) {
                    constexpr std::size_t stride = Mask::Cols * sizeof(typename Mask::DType);
                    const auto *image = reinterpret_cast<const std::uint8_t *>(mask.data());
                    copy_rows(image + row * stride, stride, cols / 8, count, bits);
                } else {
                    // If there are several rows, their bits follow each other in the mask, too.
                    copy_mask_bits(mask, mask_row_bits, row * lane_row_bits + first, n, bits);
                }
                const std::size_t at = row * Dst::Cols + first;
                body(dst.data() + at, static_cast<const typename Src::DType *>(src.data()) + at..., bits, n);
            }
        }
    } else {
        using T = typename Dst::DType;
        T result[PIECE];
        T buffers[sizeof...(Src)][PIECE];
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t first = 0; first < cols; first += PIECE) {
                const std::size_t n = std::min(PIECE, cols - first);
                copy_mask_bits(mask, mask_row_bits, row * lane_row_bits + first, n, bits);
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    body(result, read_line<Src, false>(src.data(), row, first, n, buffers[I])..., bits, n);
                }
                (std::index_sequence_for<Src...>());
                for (std::size_t i = 0; i < n; ++i) {
                    dst.data()[pto::GetTileElementOffset<Dst>(row, first + i)] = result[i];
                }
            }
        }
    }
}

} // namespace pto_overlay

#endif
