// SPDX-License-Identifier: MIT
// TMAX by pto_vmax().
#ifndef PTO_OVERLAY_TMAX_HPP
#define PTO_OVERLAY_TMAX_HPP

#include_next <pto/cpu/TMax.hpp>

#include "pto/overlay/maxmin.hpp"

namespace pto {

template <pto_overlay::LaneTile TileDst, pto_overlay::TileOf<typename TileDst::DType> TileSrc0,
          pto_overlay::TileOf<typename TileDst::DType> TileSrc1>
PTO_INTERNAL void TMAX_IMPL(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1) {
    pto_overlay::combine<pto_vmax>(dst, src0, src1);
}

} // namespace pto

#endif
