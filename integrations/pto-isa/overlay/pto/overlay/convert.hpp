// SPDX-License-Identifier: MIT
// Conversions of arrays with the rules of TCVT on A5: pto_vcvt(), except for the pairs that A5 converts in two steps.
#ifndef PTO_OVERLAY_CONVERT_HPP
#define PTO_OVERLAY_CONVERT_HPP

#include "pto/overlay/tiles.hpp"

namespace pto_overlay {

// Returns the pto_dtype of an element type that TCVT converts here, or -1. Types of 4 bits are left to the simulator.
template <typename T> constexpr int convertible_dtype_of() {
    if constexpr (std::is_same_v<T, float8_e4m3_t>) {
        return PTO_E4M3;
    } else if constexpr (std::is_same_v<T, float8_e5m2_t>) {
        return PTO_E5M2;
    } else if constexpr (std::is_same_v<T, hifloat8_t>) {
        return PTO_HIF8;
    } else {
        return dtype_of<T>();
    }
}

// How a pair of types is converted.
enum class Way {
    SIMULATOR, // not here
    INTEGRAL,  // pto_vtrc(): f32 to an integral f32
    VCVT,      // pto_vcvt()
    WIDEN,     // pto_cast(): exact, for pairs that pto_vcvt() does not have
    NARROW     // to 8 or 16 bits: clamped by pto_cast(), or the low bits of the conversion to s32
};

// A set of types, as bits.
constexpr std::uint64_t bit(int type) {
    return type < 0 ? 0 : std::uint64_t{1} << type;
}

// Returns the types to which pto_vcvt() converts `src` and that A5 has too.
constexpr std::uint64_t vcvt_destinations(int src) {
    switch (src) {
    case PTO_F32:
        return bit(PTO_F16) | bit(PTO_BF16) | bit(PTO_S32) | bit(PTO_S64) | bit(PTO_E4M3) | bit(PTO_E5M2) |
               bit(PTO_HIF8);
    case PTO_F16: return bit(PTO_F32) | bit(PTO_S32) | bit(PTO_HIF8);
    case PTO_BF16: return bit(PTO_F32) | bit(PTO_S32) | bit(PTO_F16);
    case PTO_U8: return bit(PTO_F16) | bit(PTO_U16);
    case PTO_S8: return bit(PTO_F16) | bit(PTO_S16) | bit(PTO_S32);
    case PTO_S16: return bit(PTO_U8) | bit(PTO_F16) | bit(PTO_F32) | bit(PTO_U32) | bit(PTO_S32);
    case PTO_U32: return bit(PTO_U8) | bit(PTO_U16) | bit(PTO_S16);
    case PTO_S32: return bit(PTO_F32) | bit(PTO_S16) | bit(PTO_U16) | bit(PTO_S64) | bit(PTO_U8);
    case PTO_S64: return bit(PTO_F32) | bit(PTO_S32);
    case PTO_E4M3:
    case PTO_E5M2:
    case PTO_HIF8: return bit(PTO_F32);
    default: return 0;
    }
}

// Returns the types to which `src` is converted by the low bits of an s32, or clamped. A5 has s16 from f32, and s16, s8
// and u8 from f16; the simulator also has the others.
constexpr std::uint64_t narrow_destinations(int src) {
    return src == PTO_F32 || src == PTO_F16 ? bit(PTO_S8) | bit(PTO_U8) | bit(PTO_S16) | bit(PTO_U16) : 0;
}

// Returns the types to which `src` is converted exactly, and which A5 does not have.
constexpr std::uint64_t widen_destinations(int src) {
    switch (src) {
    case PTO_U8: return bit(PTO_F32) | bit(PTO_U32) | bit(PTO_S16) | bit(PTO_S32);
    case PTO_S8: return bit(PTO_F32);
    case PTO_U16: return bit(PTO_F32) | bit(PTO_U32) | bit(PTO_S32);
    default: return 0;
    }
}

constexpr Way way_of(int dst, int src) {
    if (src == PTO_F32 && dst == PTO_F32) return Way::INTEGRAL;
    if ((vcvt_destinations(src) & bit(dst)) != 0) return Way::VCVT;
    if ((narrow_destinations(src) & bit(dst)) != 0) return Way::NARROW;
    return (widen_destinations(src) & bit(dst)) != 0 ? Way::WIDEN : Way::SIMULATOR;
}

template <typename D, typename S>
constexpr Way way = way_of(convertible_dtype_of<D>(), convertible_dtype_of<S>());

// Returns the rounding of A5: only f32 to f16 has CAST_ODD. Where a mode is absent, floats are truncated to integers,
// and all others are rounded to the nearest even.
constexpr pto_vrnd rounding_of(pto::RoundMode mode, int dst, int src) {
    switch (mode) {
    case pto::RoundMode::CAST_RINT: return PTO_VRND_R;
    case pto::RoundMode::CAST_ROUND: return PTO_VRND_A;
    case pto::RoundMode::CAST_FLOOR: return PTO_VRND_F;
    case pto::RoundMode::CAST_CEIL: return PTO_VRND_C;
    case pto::RoundMode::CAST_TRUNC: return PTO_VRND_Z;
    default: break;
    }
    if (mode == pto::RoundMode::CAST_ODD && src == PTO_F32 && dst == PTO_F16) return PTO_VRND_O;
    const bool to_integer = dst <= PTO_S64 && (src == PTO_F32 || src == PTO_F16 || src == PTO_BF16);
    return to_integer ? PTO_VRND_Z : PTO_VRND_R;
}

// Returns the operation of pto_vcvt(). To fp8 only the rounding to nearest even exists, and to hif8 only that with ties
// away from zero, whatever the mode; exact pairs have none. Pairs that do not saturate take no sat.
inline pto_vcvt_op vcvt_op_of(pto_dtype dst, pto_dtype src, pto_vrnd rnd, bool sat) {
    pto_vcvt_op op = {dst, src, dst == PTO_HIF8 ? PTO_VRND_A : rnd, sat};
    if (dst == PTO_E4M3 || dst == PTO_E5M2) op.rnd = PTO_VRND_R;
    if (pto_vcvt_check(op) != PTO_OK) op.sat = false;
    if (pto_vcvt_check(op) != PTO_OK) op = {dst, src, PTO_VRND_R, sat};
    if (pto_vcvt_check(op) != PTO_OK) op.sat = false;
    return op;
}

constexpr pto_round cast_rounding_of(pto_vrnd rnd) {
    constexpr pto_round of[] = {PTO_RN, PTO_RNA, PTO_RM, PTO_RP, PTO_RZ, PTO_RO};
    return of[rnd];
}

// A conversion of one pair of types.
template <typename D, typename S> struct Conversion {
    static constexpr pto_dtype dst = static_cast<pto_dtype>(convertible_dtype_of<D>());
    static constexpr pto_dtype src = static_cast<pto_dtype>(convertible_dtype_of<S>());
    pto_vrnd rnd;
    bool sat;
    pto_vcvt_op op;

    Conversion(pto::RoundMode mode, bool saturate) : rnd(rounding_of(mode, dst, src)), sat(saturate), op{} {
        if constexpr (way<D, S> == Way::VCVT) op = vcvt_op_of(dst, src, rnd, sat);
        if constexpr (way<D, S> == Way::NARROW) op = vcvt_op_of(PTO_S32, src, rnd, false);
    }

    // Returns PTO_ERR_OVERLAP if the arrays overlap in a way that the call does not take.
    pto_status convert(const S *from, D *to, std::size_t n) const {
        if constexpr (way<D, S> == Way::INTEGRAL) {
            return pto_vtrc(dst, rnd, from, PTO_NO_MASK, to, n);
        } else if constexpr (way<D, S> == Way::VCVT) {
            return pto_vcvt(op, from, PTO_NO_MASK, to, n);
        } else if constexpr (way<D, S> == Way::WIDEN) {
            return pto_cast({dst, src, PTO_RN, PTO_OVERFLOW_IEEE}, from, to, nullptr, n);
        } else if (sat) {
            return pto_cast({dst, src, cast_rounding_of(rnd), PTO_OVERFLOW_IEEE}, from, to, nullptr, n);
        } else {
            // The low bits do not depend on the sign of the type.
            constexpr pto_dtype low = sizeof(D) == 1 ? PTO_U8 : PTO_U16;
            std::int32_t whole[PIECE];
            for (std::size_t i = 0; i < n; i += PIECE) {
                const std::size_t count = std::min(PIECE, n - i);
                check(pto_vcvt(op, from + i, PTO_NO_MASK, whole, count));
                check(pto_vcvt({low, PTO_S32, PTO_VRND_R, false}, whole, PTO_NO_MASK, to + i, count));
            }
            return PTO_OK;
        }
    }

    // Converts n elements. The arrays may overlap: then they are copied in pieces, from the first to the last element.
    void operator()(D *to, const S *from, std::size_t n) const {
        const pto_status status = convert(from, to, n);
        if (status != PTO_ERR_OVERLAP) {
            check(status);
            return;
        }
        alignas(S) unsigned char source[PIECE * sizeof(S)];
        alignas(D) unsigned char result[PIECE * sizeof(D)];
        for (std::size_t i = 0; i < n; i += PIECE) {
            const std::size_t count = std::min(PIECE, n - i);
            std::memcpy(source, from + i, count * sizeof(S));
            check(convert(reinterpret_cast<const S *>(source), reinterpret_cast<D *>(result), count));
            std::memcpy(static_cast<void *>(to + i), result, count * sizeof(D));
        }
    }
};

// Whether A5 saturates if the caller does not say so. It does not where PyTorch truncates.
template <typename D, typename S>
constexpr bool saturates_by_default =
    !((std::is_same_v<S, half> && (std::is_same_v<D, std::uint8_t> || std::is_same_v<D, std::int8_t>)) ||
      ((std::is_same_v<S, half> || std::is_same_v<S, float>)&&std::is_same_v<D, std::int16_t>) ||
      (std::is_same_v<S, std::int64_t> && std::is_same_v<D, std::int32_t>) ||
      (std::is_same_v<S, std::int32_t> && std::is_same_v<D, std::int16_t>));

template <typename D, typename S> constexpr bool is_converted = way<D, S> != Way::SIMULATOR;

template <typename TileS, typename TileD>
concept ConvertibleTo = TileLike<TileS> && is_converted<typename TileD::DType, typename TileS::DType>;

// dst = src converted, in the valid region of src.
template <typename TileD, typename TileS>
void convert_tile(TileD &dst, TileS &src, pto::RoundMode mode, bool saturate) {
    const Conversion<typename TileD::DType, typename TileS::DType> conversion(mode, saturate);
    for_each_line(src.GetValidRow(), src.GetValidCol(), conversion, dst, src);
}

} // namespace pto_overlay

#endif
