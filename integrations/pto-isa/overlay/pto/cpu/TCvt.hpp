// SPDX-License-Identifier: MIT
// TCVT as on A5. The simulator has no forms with a temporary tile; here they are those without it, as on A5.
#ifndef PTO_OVERLAY_TCVT_HPP
#define PTO_OVERLAY_TCVT_HPP

#include_next <pto/cpu/TCvt.hpp>

#include "pto/overlay/convert.hpp"

namespace pto {

template <pto_overlay::TileLike TileDataD, pto_overlay::ConvertibleTo<TileDataD> TileDataS>
PTO_INTERNAL void TCVT_IMPL(TileDataD &dst, TileDataS &src, RoundMode mode, SaturationMode satMode,
                            [[maybe_unused]] bool needSetCtrl = true) {
    pto_overlay::convert_tile(dst, src, mode, satMode == SaturationMode::ON);
}

template <pto_overlay::TileLike TileDataD, pto_overlay::ConvertibleTo<TileDataD> TileDataS>
PTO_INTERNAL void TCVT_IMPL(TileDataD &dst, TileDataS &src, RoundMode mode,
                            [[maybe_unused]] bool needSetCtrl = true) {
    pto_overlay::convert_tile(
        dst, src, mode,
        pto_overlay::saturates_by_default<typename TileDataD::DType, typename TileDataS::DType>);
}

template <typename TileDataD, typename TileDataS, pto_overlay::TileLike TmpTileData>
PTO_INTERNAL void TCVT_IMPL(TileDataD &dst, TileDataS &src, [[maybe_unused]] TmpTileData &tmp, RoundMode mode,
                            SaturationMode satMode, bool needSetCtrl) {
    TCVT_IMPL(dst, src, mode, satMode, needSetCtrl);
}

template <typename TileDataD, typename TileDataS, pto_overlay::TileLike TmpTileData>
PTO_INTERNAL void TCVT_IMPL(TileDataD &dst, TileDataS &src, [[maybe_unused]] TmpTileData &tmp, RoundMode mode,
                            bool needSetCtrl) {
    TCVT_IMPL(dst, src, mode, needSetCtrl);
}

} // namespace pto

#endif
