// SPDX-License-Identifier: MIT
// TMAXS and TMINS by pto_vmax() and pto_vmin().
#ifndef PTO_OVERLAY_TBINS_OPS_HPP
#define PTO_OVERLAY_TBINS_OPS_HPP

#include_next <pto/cpu/TBinSOps.hpp>

#include "pto/overlay/maxmin.hpp"

namespace pto {

template <pto_overlay::LaneTile TileDst, pto_overlay::TileOf<typename TileDst::DType> TileSrc>
PTO_INTERNAL void TMAXS_IMPL(TileDst &dst, TileSrc &src, typename TileSrc::DType scalar) {
    pto_overlay::combine_scalar<pto_vmax>(dst, src, scalar);
}

template <pto_overlay::LaneTile TileDst, pto_overlay::TileOf<typename TileDst::DType> TileSrc>
PTO_INTERNAL void TMINS_IMPL(TileDst &dst, TileSrc &src, typename TileSrc::DType scalar) {
    pto_overlay::combine_scalar<pto_vmin>(dst, src, scalar);
}

} // namespace pto

#endif
