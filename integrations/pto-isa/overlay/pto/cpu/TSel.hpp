// SPDX-License-Identifier: MIT
// TSEL by pto_vsel(). The mask is one sequence of bits: those of the valid words of all rows of the mask tile. It has
// one bit for each valid element of dst, row by row.
#ifndef PTO_OVERLAY_TSEL_HPP
#define PTO_OVERLAY_TSEL_HPP

#include_next <pto/cpu/TSel.hpp>

#include "pto/overlay/select.hpp"

namespace pto {

template <pto_overlay::LaneTile tile_shape, pto_overlay::MaskTile mask_tile_shape, typename tmp_shape>
PTO_INTERNAL void TSEL_IMPL(tile_shape &dst, mask_tile_shape &selMask, tile_shape &src0, tile_shape &src1,
                            [[maybe_unused]] tmp_shape &tmp) {
    using T = typename tile_shape::DType;
    pto_overlay::for_each_masked_line(
        selMask, selMask.GetValidCol() * 8 * sizeof(typename mask_tile_shape::DType), dst.GetValidCol(),
        [](T *to, const T *on, const T *off, const std::uint8_t *bits, std::size_t n) {
            pto_overlay::check(pto_vsel(pto_overlay::dtype<T>, on, off, pto_packed_in(bits), to, n));
        },
        dst, src0, src1);
}

} // namespace pto

#endif
