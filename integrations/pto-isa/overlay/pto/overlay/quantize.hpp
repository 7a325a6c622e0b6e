// SPDX-License-Identifier: MIT
// TQUANT on arrays. The simulator's functions compute the exponent and the factor of a group; libpto converts.
#ifndef PTO_OVERLAY_QUANTIZE_HPP
#define PTO_OVERLAY_QUANTIZE_HPP

#include "pto/overlay/tiles.hpp"

#include <cmath>

namespace pto_overlay {

constexpr std::size_t GROUP = 32;

// Loops over this many elements have a constant number of turns, so that gcc vectorizes them with -O2.
constexpr std::size_t BLOCK = 64;

// Tiles whose rows are adjacent, and their element types.
template <typename T>
concept PlainRows = TileLike<T> && has_plain_rows<T>;
template <typename T, typename Element>
concept RowsOf = PlainRows<T> && std::same_as<typename T::DType, Element>;
template <typename T>
concept ByteRows = RowsOf<T, std::int8_t> || RowsOf<T, std::uint8_t>;
template <typename T>
concept QuantizableRows = RowsOf<T, float> || RowsOf<T, half>;

// Stores n source values as f32.
template <typename T> void widen(const T *from, float *to, std::size_t n) {
    if constexpr (std::is_same_v<T, float>) {
        std::memcpy(to, from, n * sizeof(float));
    } else {
        check(pto_vcvt({PTO_F32, dtype<T>, PTO_VRND_R, false}, from, PTO_NO_MASK, to, n));
    }
}

// How the largest magnitude of a group treats NaNs: fp8 ignores them, fp4 does not. The OCP rule of fp4 takes the
// magnitudes truncated to bf16.
template <pto::QuantType type, pto::QuantScaleAlg rule> std::uint32_t magnitude_bits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits &= 0x7fffffffU;
    if constexpr (type == pto::QuantType::MXFP8) {
        return bits > 0x7f800000U ? 0 : bits;
    } else if constexpr (rule == pto::QuantScaleAlg::OCP) {
        return bits & 0xffff0000U;
    } else {
        return bits;
    }
}

inline float float_of(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// The destination of one element after the other: codes of e4m3 in bytes, or of e2m1 in halves of bytes.
template <pto::QuantType type, typename Out>
void store_codes(Out &dst, std::size_t row, std::size_t col, const float *values, std::size_t n) {
    constexpr bool is_fp8 = type == pto::QuantType::MXFP8;
    const std::size_t place = row * Out::Cols + col;
    auto *image = reinterpret_cast<std::uint8_t *>(dst.data()) + (is_fp8 ? place : place / 2);
    check(pto_cast({is_fp8 ? PTO_E4M3 : PTO_E2M1, PTO_F32, PTO_RN, PTO_OVERFLOW_SATURATE}, values, image,
                   nullptr, n));
}

// Multiplies the values of a group by its factor. A factor that is not finite is the result of all elements.
inline void scale_value(float &value, float factor) {
    value = std::isfinite(factor) ? value * factor : factor;
}

// The places of the results of groups: exponents, largest magnitudes and factors.
template <pto::QuantType type, pto::QuantScaleAlg rule, typename Exp, typename FlatMax, typename FlatScaling>
struct GroupResults {
    Exp &exponents;
    FlatMax &maxima;
    FlatScaling &factors;

    // Stores the results of the group with index `flat` at (row, col) of the exponents, and returns its factor.
    float store(std::size_t flat, std::size_t row, std::size_t col, float maximum) {
        const std::uint8_t exponent = pto::cpu_quant::ComputeMxSharedExponent<type, rule>(maximum);
        const float factor = pto::cpu_quant::ComputeMxGroupScaling<type, rule>(maximum, exponent);
        maxima.data()[flat] = static_cast<typename FlatMax::DType>(maximum);
        exponents.data()[pto::GetTileElementOffset<Exp>(row, col)] = exponent;
        factors.data()[flat] = static_cast<typename FlatScaling::DType>(factor);
        return factor;
    }
};

// Quantizes groups of 32 columns.
template <pto::QuantType type, pto::QuantScaleAlg rule, typename Out, typename Src, typename Results>
void quantize_columns(Out &dst, Src &src, Results results) {
    constexpr std::size_t groups = Src::Cols / GROUP;
    float values[PIECE];
    for (std::size_t row = 0; row < src.GetValidRow(); ++row) {
        for (std::size_t col = 0; col < Src::Cols; col += PIECE) {
            const std::size_t n = std::min<std::size_t>(PIECE, Src::Cols - col);
            widen(src.data() + row * Src::Cols + col, values, n);
            for (std::size_t first = 0; first < n; first += GROUP) {
                std::uint32_t maximum = 0;
                for (std::size_t i = 0; i < GROUP; ++i) {
                    maximum = std::max(maximum, magnitude_bits<type, rule>(values[first + i]));
                }
                const std::size_t group = (col + first) / GROUP;
                const float factor = results.store(row * groups + group, row, group, float_of(maximum));
                for (std::size_t i = 0; i < GROUP; ++i) {
                    scale_value(values[first + i], factor);
                }
            }
            store_codes<type>(dst, row, col, values, n);
        }
    }
}

// Quantizes groups of 32 rows.
template <pto::QuantType type, pto::QuantScaleAlg rule, typename Out, typename Src, typename Results>
void quantize_rows(Out &dst, Src &src, Results results) {
    const std::size_t cols = src.GetValidCol();
    float values[GROUP][BLOCK] = {};
    float factors[BLOCK] = {};
    for (std::size_t group = 0; group < Src::Rows / GROUP; ++group) {
        for (std::size_t col = 0; col < cols; col += BLOCK) {
            const std::size_t n = std::min(BLOCK, cols - col);
            std::uint32_t maxima[BLOCK] = {};
            for (std::size_t i = 0; i < GROUP; ++i) {
                widen(src.data() + (group * GROUP + i) * Src::Cols + col, values[i], n);
                for (std::size_t c = 0; c < BLOCK; ++c) {
                    maxima[c] = std::max(maxima[c], magnitude_bits<type, rule>(values[i][c]));
                }
            }
            for (std::size_t c = 0; c < n; ++c) {
                factors[c] = results.store(group * cols + col + c, group, col + c, float_of(maxima[c]));
            }
            for (std::size_t i = 0; i < GROUP; ++i) {
                for (std::size_t c = 0; c < BLOCK; ++c) {
                    scale_value(values[i][c], factors[c]);
                }
                store_codes<type>(dst, group * GROUP + i, col, values[i], n);
            }
        }
    }
}

// to[i] = from[i] * factor + offset for i < n.
inline void scale(const float *__restrict from, float factor, float offset, float *__restrict to,
                  std::size_t n) {
    std::size_t i = 0;
    for (; i + BLOCK <= n; i += BLOCK) {
        for (std::size_t k = 0; k < BLOCK; ++k) to[i + k] = from[i + k] * factor + offset;
    }
    for (; i < n; ++i) to[i] = from[i] * factor + offset;
}

// Quantizes to int8 or uint8 with a factor, and with an offset for uint8, of each row. Rows that follow each other in
// dst are converted together, as many as fit in `values`.
template <typename Out, typename Src, typename Factor, typename Offset>
void quantize_integers(Out &dst, Src &src, Factor factor_of, Offset offset_of) {
    constexpr pto_cast_op op = {dtype<typename Out::DType>, PTO_F32, PTO_RN, PTO_OVERFLOW_IEEE};
    const std::size_t rows = src.GetValidRow();
    const std::size_t cols = src.GetValidCol();
    const std::size_t rows_at_once = cols == Out::Cols && cols <= PIECE ? PIECE / cols : 1;
    const std::size_t piece = std::min(cols, PIECE);
    float values[PIECE];
    for (std::size_t row = 0; row < rows; row += rows_at_once) {
        const std::size_t count = std::min(rows_at_once, rows - row);
        for (std::size_t col = 0; col < cols; col += piece) {
            const std::size_t n = std::min(piece, cols - col);
            for (std::size_t i = 0; i < count; ++i) {
                scale(src.data() + (row + i) * Src::Cols + col, factor_of(row + i), offset_of(row + i),
                      values + i * n, n);
            }
            check(pto_cast(op, values, dst.data() + row * Out::Cols + col, nullptr, count * n));
        }
    }
}

} // namespace pto_overlay

#endif
