// SPDX-License-Identifier: MIT
// TSELS by pto_vsels(). Row r of the mask tile has the bits of row r of dst.
#ifndef PTO_OVERLAY_TSELS_HPP
#define PTO_OVERLAY_TSELS_HPP

#include_next <pto/cpu/TSelS.hpp>

#include "pto/overlay/select.hpp"

namespace pto {

template <pto_overlay::LaneTile TileDataDst, pto_overlay::MaskTile TileDataMask,
          pto_overlay::TileOf<typename TileDataDst::DType> TileDataSrc, typename TileDataTmp>
__aicore__ PTO_INLINE void TSELS_IMPL(TileDataDst &dst, TileDataMask &mask, TileDataSrc &src,
                                      [[maybe_unused]] TileDataTmp &tmp, typename TileDataSrc::DType scalar) {
    using T = typename TileDataDst::DType;
    constexpr std::size_t row_bits = TileDataMask::Cols * 8 * sizeof(typename TileDataMask::DType);
    pto_overlay::for_each_masked_line(
        mask, row_bits, row_bits,
        [&scalar](T *to, const T *on, const std::uint8_t *bits, std::size_t n) {
            pto_overlay::check(pto_vsels(pto_overlay::dtype<T>, pto_in_array(on), pto_in_scalar(&scalar),
                                         pto_packed_in(bits), to, n));
        },
        dst, src);
}

} // namespace pto

#endif
