// SPDX-License-Identifier: MIT
// TQUANT. pto_cast() converts the elements; the simulator's functions compute the exponents of groups.
#ifndef PTO_OVERLAY_TQUANT_HPP
#define PTO_OVERLAY_TQUANT_HPP

#include_next <pto/cpu/TQuant.hpp>

#include "pto/overlay/quantize.hpp"

namespace pto {

// INT8_SYM: src * scale; INT8_ASYM: src * scale + offset.
template <QuantType quant_type, pto_overlay::ByteRows TileDataOut, pto_overlay::RowsOf<float> TileDataSrc,
          typename TileDataPara>
PTO_INTERNAL void TQUANT_IMPL(TileDataOut &dst, TileDataSrc &src, TileDataPara &scale,
                              TileDataPara *offset = nullptr) {
    constexpr bool is_symmetric = quant_type == QuantType::INT8_SYM;
    static_assert(std::is_signed_v<typename TileDataOut::DType> == is_symmetric,
                  "TQUANT: int8_t is symmetric.");
    PTO_CPU_ASSERT(is_symmetric || offset != nullptr, "TQUANT: INT8_ASYM requires an offset.");
    pto_overlay::quantize_integers(
        dst, src,
        [&](std::size_t row) { return static_cast<float>(cpu_quant::GetParamValue(scale, row, 0)); },
        [&](std::size_t row) {
            // Adding -0 changes no value.
            return is_symmetric ? -0.0f : static_cast<float>(cpu_quant::GetParamValue(*offset, row, 0));
        });
}

template <int grp_axis, QuantType quant_type, QuantScaleAlg scale_alg, pto_overlay::PlainRows TileDataOut,
          pto_overlay::QuantizableRows TileDataSrc, typename TileDataExp, typename TileDataMax,
          typename TileDataScaling>
inline void TQuantMxCpuImpl(TileDataOut &dst, TileDataSrc &src, TileDataExp *exp, TileDataMax *max,
                            TileDataScaling *scaling) {
    cpu_quant::CheckMxQuantTypes<grp_axis, quant_type, scale_alg, TileDataOut, TileDataSrc, TileDataExp>();
    cpu_quant::CheckMxQuantInputs(exp, max, scaling);
    using FlatMax = cpu_quant::FlatMxTile<TileDataMax>;
    using FlatScaling = cpu_quant::FlatMxTile<TileDataScaling>;
    FlatMax flat_max(1, TileDataMax::Rows * TileDataMax::Cols);
    FlatScaling flat_scaling(1, TileDataScaling::Rows * TileDataScaling::Cols);
    cpu_quant::FlattenMxTile(flat_max, *max);
    cpu_quant::FlattenMxTile(flat_scaling, *scaling);

    if constexpr (quant_type == QuantType::MXFP4_E2M1) {
        std::memset(static_cast<void *>(dst.data()), 0, TileDataOut::Rows * TileDataOut::Cols / 2);
    }
    const pto_overlay::GroupResults<quant_type, scale_alg, TileDataExp, FlatMax, FlatScaling> results{
        *exp, flat_max, flat_scaling};
    if constexpr (grp_axis == 1) {
        pto_overlay::quantize_columns<quant_type, scale_alg>(dst, src, results);
    } else {
        pto_overlay::quantize_rows<quant_type, scale_alg>(dst, src, results);
    }
    cpu_quant::RestoreMxTile(*max, flat_max);
    cpu_quant::RestoreMxTile(*scaling, flat_scaling);
}

} // namespace pto

#endif
