// SPDX-License-Identifier: MIT
// The results of the tile operations, defined one element at a time in exact arithmetic. Nothing here calls libpto, and
// of pto-isa only the types are used.
#ifndef DEFINITION_HPP
#define DEFINITION_HPP

#include <pto/pto-inst.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// Exact for all source types: 64 significand bits on x86-64, 113 on aarch64.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

enum class Rounding { NEAREST_EVEN, NEAREST_AWAY, DOWN, UP, TOWARD_ZERO, ODD };

// Returns x rounded to an integer.
inline Exact round_to_integer(Exact x, Rounding rounding) {
    const Exact below = std::floor(x);
    const Exact part = x - below;
    const bool is_odd = std::fmod(below, 2.0L) != 0;
    if (part == 0) return x;
    switch (rounding) {
    case Rounding::NEAREST_EVEN: return part > 0.5L || (part == 0.5L && is_odd) ? below + 1 : below;
    case Rounding::NEAREST_AWAY: return part > 0.5L || (part == 0.5L && x > 0) ? below + 1 : below;
    case Rounding::DOWN: return below;
    case Rounding::UP: return below + 1;
    case Rounding::TOWARD_ZERO: return x < 0 ? below + 1 : below;
    default: return is_odd ? below : below + 1;
    }
}

// A binary float: significand bits with the leading one, and the exponents of the smallest and largest normal values.
struct Format {
    int precision;
    int lowest;
    int highest;
    bool has_infinity;
};

template <typename T> constexpr Format format_of() {
    if constexpr (std::is_same_v<T, float>) return {24, -126, 127, true};
    if constexpr (std::is_same_v<T, half>) return {11, -14, 15, true};
    if constexpr (std::is_same_v<T, float8_e5m2_t>) return {3, -14, 15, true};
    return {4, -6, 8, false}; // e4m3
}

// The largest finite value. The highest code of e4m3 is a NaN.
inline Exact largest_of(Format format) {
    const Exact all_ones = 2 - std::ldexp(1.0L, 1 - format.precision);
    return std::ldexp(format.has_infinity ? all_ones : 1.75L, format.highest);
}

template <typename T>
constexpr bool is_small_float =
    std::is_same_v<T, float8_e4m3_t> || std::is_same_v<T, float8_e5m2_t> || std::is_same_v<T, hifloat8_t>;
template <typename T>
constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, half> || is_small_float<T>;

template <typename T> std::uint8_t code_of(T element) {
    std::uint8_t code;
    static_assert(sizeof element == 1);
    std::memcpy(&code, &element, 1);
    return code;
}

// Returns the value of a code of hif8: a sign, a prefix that gives the number of exponent bits, the exponent as a sign
// and a magnitude with a leading one that is not stored, and a fraction.
inline Exact hif8_value(std::uint8_t code) {
    const Exact sign = (code & 0x80) != 0 ? -1 : 1;
    const int bits = code & 0x7f;
    if (bits == 0) return code == 0 ? 0 : NAN;
    if (bits == 0x6f) return sign * INFINITY;
    if (bits < 8) return sign * std::ldexp(1.0L, bits - 23);
    const int exponent_bits = bits >= 0x60 ? 4 : bits >= 0x40 ? 3 : bits >= 0x20 ? 2 : bits >= 0x10 ? 1 : 0;
    const int fraction_bits = exponent_bits == 4 ? 1 : exponent_bits == 3 ? 2 : 3;
    const int stored = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const int leading = exponent_bits == 0 ? 0 : 1 << (exponent_bits - 1);
    const int magnitude = leading | (stored & (leading - 1));
    const int exponent = exponent_bits == 0 ? 0 : (stored & leading) != 0 ? -magnitude : magnitude;
    const int significand = (1 << fraction_bits) | (bits & ((1 << fraction_bits) - 1));
    return sign * std::ldexp(Exact(significand), exponent - fraction_bits);
}

template <typename T> Exact value_of(T element) {
    if constexpr (std::is_same_v<T, hifloat8_t>) {
        return hif8_value(code_of(element));
    } else if constexpr (is_small_float<T>) {
        const std::uint8_t code = code_of(element);
        constexpr int fraction_bits = format_of<T>().precision - 1;
        constexpr int fraction_mask = (1 << fraction_bits) - 1;
        const int exponent = (code & 0x7f) >> fraction_bits;
        const int fraction = code & fraction_mask;
        const Exact sign = (code & 0x80) != 0 ? -1 : 1;
        const bool is_top = exponent == 0x7f >> fraction_bits;
        if (is_top && (format_of<T>().has_infinity ? fraction != 0 : fraction == fraction_mask)) return NAN;
        if (is_top && format_of<T>().has_infinity) return sign * INFINITY;
        const int significand = exponent == 0 ? fraction : fraction | (fraction_mask + 1);
        return sign * std::ldexp(Exact(significand),
                                 std::max(exponent, 1) - 1 + format_of<T>().lowest - fraction_bits);
    } else {
        return element;
    }
}

// What a conversion gives: a value, or a NaN. For hif8 -0 is 0.
struct Expected {
    Exact value;

    template <typename T> bool is(T result) const {
        const Exact actual = value_of(result);
        if (std::isnan(value) || std::isnan(actual)) return std::isnan(value) && std::isnan(actual);
        return value == actual && (!is_float<T> || std::signbit(value) == std::signbit(actual));
    }
};

// Rounds a value other than a NaN to a format with an unbounded exponent.
inline Exact round_to_format(Exact x, Format format, Rounding rounding) {
    if (x == 0 || std::isinf(x)) return x;
    const int quantum = std::max(std::ilogb(x), format.lowest) - (format.precision - 1);
    const Exact rounded = std::ldexp(round_to_integer(std::ldexp(x, -quantum), rounding), quantum);
    return std::copysign(rounded, x);
}

// hif8 has only ties away from zero, and one zero. The place of 1.5 * 2^15 is that of infinity.
inline Expected convert_to_hif8(Exact x, bool saturate) {
    if (std::isnan(x)) return {saturate ? 0 : NAN};
    Exact best = 0;
    const Exact magnitude = std::fabs(x);
    for (int code = 1; code < 0x80; ++code) {
        Exact candidate = hif8_value(static_cast<std::uint8_t>(code));
        if (std::isinf(candidate)) candidate = 49152;
        const Exact distance = std::fabs(candidate - magnitude);
        const Exact least = std::fabs(best - magnitude);
        if (distance < least || (distance == least && candidate > best)) best = candidate;
    }
    if (magnitude >= 49152) best = 49152;
    if (best == 49152) best = saturate ? 32768 : INFINITY;
    return {best == 0 ? 0 : std::copysign(best, x)};
}

template <typename D> Expected convert_to_float(Exact x, Rounding rounding, bool saturate) {
    if constexpr (std::is_same_v<D, hifloat8_t>) {
        return convert_to_hif8(x, saturate);
    } else {
        constexpr Format format = format_of<D>();
        if (std::isnan(x)) return {saturate ? 0 : NAN};
        const Exact rounded = round_to_format(x, format, rounding);
        if (std::fabs(rounded) <= largest_of(format)) return {rounded};
        if (saturate) return {std::copysign(largest_of(format), x)};
        return {format.has_infinity ? std::copysign(Exact(INFINITY), x) : NAN};
    }
}

// Returns the integer of D with the low bits of x, which is an integer.
template <typename D> Exact low_bits(Exact x) {
    const Exact modulus = std::ldexp(1.0L, 8 * sizeof(D));
    Exact low = std::fmod(x, modulus);
    if (low < 0) low += modulus;
    return std::is_signed_v<D> && low >= modulus / 2 ? low - modulus : low;
}

template <typename D> Exact clamp_to(Exact x) {
    constexpr Exact lowest = std::numeric_limits<D>::min();
    constexpr Exact largest = std::numeric_limits<D>::max();
    return x < lowest ? lowest : x > largest ? largest : x;
}

// From a float, the types of 8 and 16 bits have the low bits of an int32 without saturation: those of an infinity are
// those of the ends of its range. Other types keep the ends of their own range.
template <typename D>
Expected convert_to_integer(Exact x, Rounding rounding, bool saturate, bool from_float) {
    if (std::isnan(x)) return {0};
    const Exact whole = std::isinf(x) ? x : round_to_integer(x, rounding);
    if (saturate) return {clamp_to<D>(whole)};
    if (!std::isinf(x)) return {low_bits<D>(whole)};
    return {from_float && sizeof(D) < 4 ? low_bits<D>(clamp_to<std::int32_t>(x)) : clamp_to<D>(x)};
}

// Returns the rounding that A5 has for a mode.
template <typename D, typename S> Rounding rounding_of(pto::RoundMode mode) {
    if constexpr (std::is_same_v<D, float8_e4m3_t> || std::is_same_v<D, float8_e5m2_t>)
        return Rounding::NEAREST_EVEN;
    switch (mode) {
    case pto::RoundMode::CAST_RINT: return Rounding::NEAREST_EVEN;
    case pto::RoundMode::CAST_ROUND: return Rounding::NEAREST_AWAY;
    case pto::RoundMode::CAST_FLOOR: return Rounding::DOWN;
    case pto::RoundMode::CAST_CEIL: return Rounding::UP;
    case pto::RoundMode::CAST_TRUNC: return Rounding::TOWARD_ZERO;
    default: break;
    }
    if (mode == pto::RoundMode::CAST_ODD && std::is_same_v<D, half> && std::is_same_v<S, float>)
        return Rounding::ODD;
    return is_float<S> && !is_float<D> ? Rounding::TOWARD_ZERO : Rounding::NEAREST_EVEN;
}

// Returns TCVT of one element.
template <typename D, typename S> Expected convert(S element, pto::RoundMode mode, bool saturate) {
    const Exact x = value_of(element);
    const Rounding rounding = rounding_of<D, S>(mode);
    if constexpr (std::is_same_v<D, float> && std::is_same_v<S, float>) {
        const Exact whole = std::isfinite(x) ? round_to_integer(x, rounding) : x;
        return {std::copysign(whole, x)};
    } else if constexpr (is_float<D>) {
        // A wider float has every value, and saturates nothing.
        constexpr bool is_wider = std::is_same_v<D, float> && is_float<S>;
        return convert_to_float<D>(x, rounding, saturate && !is_wider);
    } else {
        constexpr bool always = std::is_same_v<D, std::uint32_t> && std::is_same_v<S, std::int16_t>;
        return convert_to_integer<D>(x, rounding, saturate || always, is_float<S>);
    }
}

// Returns a comparison. With a NaN only NE is true.
template <typename T> bool compare(T a, T b, pto::CmpMode mode) {
    switch (mode) {
    case pto::CmpMode::EQ: return value_of(a) == value_of(b);
    case pto::CmpMode::NE: return value_of(a) != value_of(b);
    case pto::CmpMode::LT: return value_of(a) < value_of(b);
    case pto::CmpMode::LE: return value_of(a) <= value_of(b);
    case pto::CmpMode::GT: return value_of(a) > value_of(b);
    default: return value_of(a) >= value_of(b);
    }
}

// Returns the larger, or with `least` the smaller, of two values. A NaN wins, and -0 is below +0.
template <typename T> Expected extreme(T a, T b, bool least) {
    const Exact x = value_of(a);
    const Exact y = value_of(b);
    if (std::isnan(x) || std::isnan(y)) return {NAN};
    const bool is_below = x < y || (x == y && std::signbit(x));
    return {is_below == least ? x : y};
}

#endif
