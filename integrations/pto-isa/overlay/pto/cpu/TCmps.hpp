// SPDX-License-Identifier: MIT
// TCMPS by pto_vcmps(), with the layouts of the mask that the simulator has.
#ifndef PTO_OVERLAY_TCMPS_HPP
#define PTO_OVERLAY_TCMPS_HPP

#include_next <pto/cpu/TCmps.hpp>

#include "pto/overlay/compare.hpp"

namespace pto_overlay {

// Compares src with a scalar. If dst has elements of one byte, the masks of all rows follow each other, each Cols / 8
// bytes long, in the order of the valid elements of dst. Otherwise row r of the mask is row r of dst.
template <typename Dst, typename Src>
void compare_with_scalar(Dst &dst, Src &src, typename Src::DType scalar, pto::CmpMode mode) {
    using T = typename Src::DType;
    const pto_cmp comparison = comparison_of<T>(mode);
    const std::size_t rows = src.GetValidRow();
    const std::size_t cols = src.GetValidCol();
    const auto compare = [&](const T *a, std::uint8_t *bits, std::size_t n) {
        check(pto_vcmps(dtype<T>, comparison, 0, a, &scalar, PTO_NO_MASK, pto_packed(bits), n));
    };
    constexpr std::size_t row_bytes = (Src::Cols + 7) / 8;
    if (sizeof(typename Dst::DType) > 1 || dst.GetValidCol() == row_bytes) {
        compare_to_rows(dst, std::min<std::size_t>(rows, dst.GetValidRow()), cols, compare, src);
        return;
    }
    auto *image = reinterpret_cast<std::uint8_t *>(dst.data());
    const std::size_t width = dst.GetValidCol();
    const std::size_t limit = dst.GetValidRow() * width;
    std::memset(image, 0, static_cast<std::size_t>(Dst::Rows) * Dst::Cols);
    compare_rows(
        rows, cols, compare,
        [&](std::size_t row, const std::uint8_t *bits, std::size_t at, std::size_t bytes) {
            std::size_t place = row * row_bytes + at;
            const std::size_t end = std::min(place + bytes, limit);
            while (place < end) {
                const std::size_t run = std::min(end - place, width - place % width);
                std::memcpy(image + place / width * Dst::Cols + place % width, bits, run);
                bits += run;
                place += run;
            }
        },
        src);
}

} // namespace pto_overlay

namespace pto {

template <pto_overlay::MaskTile TileDataDst, pto_overlay::LaneTile TileDataSrc,
          std::convertible_to<typename TileDataSrc::DType> T>
PTO_INTERNAL void TCMPS_IMPL(TileDataDst &dst, TileDataSrc &src0, T src1, CmpMode cmpMode) {
    pto_overlay::compare_with_scalar(dst, src0, static_cast<typename TileDataSrc::DType>(src1), cmpMode);
}

// The scalar is the first element of src1. A call of the simulator's function with a tile is ambiguous. The type of
// src1 is spelled out here, so that this function is preferred.
template <pto_overlay::MaskTile TileDataDst, pto_overlay::LaneTile TileDataSrc0, TileType Loc,
          std::same_as<typename TileDataSrc0::DType> Element, const int Rows, const int Cols,
          const BLayout BFractal, const int RowValid, const int ColValid, const SLayout SFractal,
          const int SFractalSize, auto PadVal, const CompactMode Compact>
PTO_INTERNAL void TCMPS_IMPL(TileDataDst &dst, TileDataSrc0 &src0,
                             Tile<Loc, Element, Rows, Cols, BFractal, RowValid, ColValid, SFractal,
                                  SFractalSize, PadVal, Compact> &src1,
                             CmpMode cmpMode) {
    pto_overlay::compare_with_scalar(dst, src0, src1.data()[0], cmpMode);
}

} // namespace pto

#endif
