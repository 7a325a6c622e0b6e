// SPDX-License-Identifier: MIT
// TCMP by pto_vcmp(). Row r of the result is a packed mask in row r of dst, as in the simulator.
#ifndef PTO_OVERLAY_TCMP_H
#define PTO_OVERLAY_TCMP_H

#include_next <pto/cpu/TCmp.h>

#include "pto/overlay/compare.hpp"

namespace pto {

template <pto_overlay::MaskTile TileDataDst, pto_overlay::LaneTile TileDataSrc0,
          pto_overlay::TileOf<typename TileDataSrc0::DType> TileDataSrc1>
PTO_INTERNAL void TCMP_IMPL(TileDataDst &dst, TileDataSrc0 &src0, TileDataSrc1 &src1, CmpMode cmpMode) {
    using T = typename TileDataSrc0::DType;
    TCmpCheck<TileDataDst, TileDataSrc0, TileDataSrc1>(dst, src0, src1);
    const pto_cmp comparison = pto_overlay::comparison_of<T>(cmpMode);
    pto_overlay::compare_to_rows(
        dst, src0.GetValidRow(), src0.GetValidCol(),
        [comparison](const T *a, const T *b, std::uint8_t *bits, std::size_t n) {
            pto_overlay::check(
                pto_vcmp(pto_overlay::dtype<T>, comparison, 0, a, b, PTO_NO_MASK, pto_packed(bits), n));
        },
        src0, src1);
}

} // namespace pto

#endif
