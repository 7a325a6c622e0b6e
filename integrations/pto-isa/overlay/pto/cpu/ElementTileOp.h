// SPDX-License-Identifier: MIT
// TMIN by pto_vmin().
#ifndef PTO_OVERLAY_ELEMENT_TILE_OP_H
#define PTO_OVERLAY_ELEMENT_TILE_OP_H

#include_next <pto/cpu/ElementTileOp.h>

#include "pto/overlay/maxmin.hpp"

namespace pto {

template <pto_overlay::LaneTile TileDst, pto_overlay::TileOf<typename TileDst::DType> TileSrc0,
          pto_overlay::TileOf<typename TileDst::DType> TileSrc1>
PTO_INTERNAL void TMIN_IMPL(TileDst &dst, TileSrc0 &src0, TileSrc1 &src1) {
    pto_overlay::combine<pto_vmin>(dst, src0, src1);
}

} // namespace pto

#endif
