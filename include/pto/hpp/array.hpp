/* SPDX-License-Identifier: MIT */
/**
 * @file array.hpp  Lane types, concepts for arrays, scalar operands, and pto::error: the basis of the parts of
 * pto.hpp.
 */
#ifndef PTO_HPP_ARRAY_HPP
#define PTO_HPP_ARRAY_HPP

#include "../pto.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace pto {

/** The exception for a status other than PTO_OK. what() names the call and says what is legal. */
class error : public std::runtime_error {
  public:
    explicit error(pto_status status) : std::runtime_error(pto_strerror(status)), status_(status) {}
    error(pto_status status, const char *text) : std::runtime_error(text), status_(status) {}
    pto_status status() const noexcept { return status_; }

  private:
    pto_status status_;
};

namespace detail {

/** Texts of the errors that this header detects itself. */
inline constexpr const char *same_lanes = "the arrays and masks must all have the same number of lanes";
inline constexpr const char *same_types = "the types in op must be those of the arrays";

/**
 * Throws an error whose text names the call and says what is legal. It is a separate function to keep successful
 * calls short.
 */
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(pto_status status, const char *call,
                                                        const char *legal) {
    throw error(status, (std::string("pto::") + call + ": " + legal).c_str());
}

/** Throws an error for a status of the C call. The text refers to the C call, whose comment lists what is legal. */
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(pto_status status, const char *call) {
    const std::string text = std::string(pto_strerror(status)) + "; what is legal: see pto_" + call;
    fail(status, call, text.c_str());
}

inline void check(pto_status status, const char *call) {
    if (status != PTO_OK) [[unlikely]]
        fail(status, call);
}

/** Throws PTO_ERR_SIZE with the text `legal` unless `fits`. */
inline void check_size(bool fits, const char *call, const char *legal = same_lanes) {
    if (!fits) [[unlikely]]
        fail(PTO_ERR_SIZE, call, legal);
}

} // namespace detail

/** A lane type without arithmetic: the bits of one element, stored as pto_dtype describes. */
template <pto_dtype Type, std::unsigned_integral Word> struct lane {
    Word bits;
    friend constexpr bool operator==(lane, lane) = default;
};

using b8 = lane<PTO_B8, std::uint8_t>;
using b16 = lane<PTO_B16, std::uint16_t>;
using b32 = lane<PTO_B32, std::uint32_t>;
using b64 = lane<PTO_B64, std::uint64_t>;
using f16 = lane<PTO_F16, std::uint16_t>;
using bf16 = lane<PTO_BF16, std::uint16_t>;
using tf32 = lane<PTO_TF32, std::uint32_t>;
using e4m3 = lane<PTO_E4M3, std::uint8_t>;
using e5m2 = lane<PTO_E5M2, std::uint8_t>;
using e2m3 = lane<PTO_E2M3, std::uint8_t>;
using e3m2 = lane<PTO_E3M2, std::uint8_t>;
using ue8m0 = lane<PTO_UE8M0, std::uint8_t>;
using s2f6 = lane<PTO_S2F6, std::uint8_t>;
using ue5m3 = lane<PTO_UE5M3, std::uint8_t>;
using hif8 = lane<PTO_HIF8, std::uint8_t>;
using e4m3fnuz = lane<PTO_E4M3FNUZ, std::uint8_t>;
using e5m2fnuz = lane<PTO_E5M2FNUZ, std::uint8_t>;
using e4m3b11fnuz = lane<PTO_E4M3B11FNUZ, std::uint8_t>;
using e4m3ieee = lane<PTO_E4M3IEEE, std::uint8_t>;
using e3m4 = lane<PTO_E3M4, std::uint8_t>;
using binary8p3se = lane<PTO_BINARY8P3SE, std::uint8_t>;
using binary8p4se = lane<PTO_BINARY8P4SE, std::uint8_t>;
/** Two elements of 4 bits, the first one in the low nibble. */
using e2m1x2 = lane<PTO_E2M1, std::uint8_t>;
using e1m2x2 = lane<PTO_E1M2, std::uint8_t>;
using u4x2 = lane<PTO_U4, std::uint8_t>;
using s4x2 = lane<PTO_S4, std::uint8_t>;
/** Four elements of 2 bits, the first one in the lowest bits. */
using u2x4 = lane<PTO_U2, std::uint8_t>;
using s2x4 = lane<PTO_S2, std::uint8_t>;
/** Elements that share an exponent, one and two in a byte. */
using bfp8 = lane<PTO_BFP8, std::uint8_t>;
using bfp4x2 = lane<PTO_BFP4, std::uint8_t>;
/** Lanes of 32 bits with several elements, which setp and set compare separately. */
using f16x2 = lane<PTO_F16X2, std::uint32_t>;
using bf16x2 = lane<PTO_BF16X2, std::uint32_t>;
using u8x4 = lane<PTO_U8X4, std::uint32_t>;
using s8x4 = lane<PTO_S8X4, std::uint32_t>;
using u16x2 = lane<PTO_U16X2, std::uint32_t>;
using s16x2 = lane<PTO_S16X2, std::uint32_t>;

namespace detail {

template <class T> struct dtype {};

template <pto_dtype Type, class Word> struct dtype<lane<Type, Word>> {
    static constexpr pto_dtype value = Type;
};

template <> struct dtype<float> { static constexpr pto_dtype value = PTO_F32; };

template <> struct dtype<double> { static constexpr pto_dtype value = PTO_F64; };

/** Integer types are mapped to a pto_dtype by size and sign. Character types and bool are not integers here. */
template <class T>
concept integer = std::same_as<T, signed char> || std::same_as<T, unsigned char> || std::same_as<T, short> ||
    std::same_as<T, unsigned short> || std::same_as<T, int> || std::same_as<T, unsigned> ||
    std::same_as<T, long> || std::same_as<T, unsigned long> || std::same_as<T, long long> ||
    std::same_as<T, unsigned long long>;

template <integer T> constexpr pto_dtype dtype_of_integer() {
    constexpr bool is_signed = std::is_signed_v<T>;
    if (sizeof(T) == 1) return is_signed ? PTO_S8 : PTO_U8;
    if (sizeof(T) == 2) return is_signed ? PTO_S16 : PTO_U16;
    if (sizeof(T) == 4) return is_signed ? PTO_S32 : PTO_U32;
    return is_signed ? PTO_S64 : PTO_U64;
}

template <integer T> struct dtype<T> { static constexpr pto_dtype value = dtype_of_integer<T>(); };

} // namespace detail

/** A type that has a pto_dtype. */
template <class T>
concept element = requires {
    detail::dtype<T>::value;
}
&&std::is_trivially_copyable_v<T>;

/** The pto_dtype of a lane type. */
template <element T> inline constexpr pto_dtype dtype_of = detail::dtype<T>::value;

namespace detail {

constexpr std::size_t elements_of_object(pto_dtype type) {
    switch (type) {
    case PTO_E2M1:
    case PTO_E1M2:
    case PTO_U4:
    case PTO_S4:
    case PTO_BFP4: return 2;
    case PTO_U2:
    case PTO_S2: return 4;
    default: return 1;
    }
}

} // namespace detail

/** The number of elements in one object: two for 4-bit types, four for 2-bit types, else one. */
template <element T> inline constexpr std::size_t elements_of = detail::elements_of_object(dtype_of<T>);

/** The lane type of an array. */
template <class R> using lane_t = std::remove_cv_t<std::ranges::range_value_t<R>>;

/** A contiguous range of a lane type: std::span, std::vector, std::array or a C array. */
template <class R>
concept source = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && element<lane_t<R>>;

template <class R, class T>
concept source_of = source<R> && std::same_as<lane_t<R>, T>;

/** A source whose elements may be written: they are not const, and it is not a temporary that owns them. */
template <class R>
concept destination = source<R> && std::ranges::borrowed_range<R> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

template <class R, class T>
concept destination_of = destination<R> && std::same_as<lane_t<R>, T>;

namespace detail {

template <class R> constexpr std::size_t length(const R &r) {
    return static_cast<std::size_t>(std::ranges::size(r));
}

/**
 * Returns whether an array holds exactly n elements. If each object has several, those after the first one of the last
 * object may be unused.
 */
template <source R> constexpr bool has_elements(const R &r, std::size_t n) {
    constexpr std::size_t group = elements_of<lane_t<R>>;
    return length(r) == n / group + (n % group != 0 ? 1 : 0);
}

/**
 * Returns the number of elements of two arrays. If only one of them has several elements per object, the other one
 * determines the number. Throws PTO_ERR_SIZE if the arrays differ in length.
 */
template <source A, source B> std::size_t common_size(const A &a, const B &b, const char *call) {
    const std::size_t n = elements_of<lane_t<A>> == 1 ? length(a) : length(b) * elements_of<lane_t<B>>;
    check_size(has_elements(a, n) && has_elements(b, n), call);
    return n;
}

inline void check_type(bool same, const char *call) {
    if (!same) [[unlikely]]
        fail(PTO_ERR_TYPE, call, same_types);
}

} // namespace detail

/**
 * Returns the same memory as a span of another lane type of the same size: 16-bit words as f16, floats as untyped bits.
 * The span is only for passing to libpto. Do not access its elements in C++, where the memory keeps its original type.
 */
template <element To, std::ranges::contiguous_range R>
requires(std::ranges::borrowed_range<R> && sizeof(To) == sizeof(std::ranges::range_value_t<R>) &&
         std::is_trivially_copyable_v<std::ranges::range_value_t<R>>) auto as(R &&r) noexcept {
    using From = std::remove_reference_t<std::ranges::range_reference_t<R>>;
    using Lane = std::conditional_t<std::is_const_v<From>, const To, To>;
    return std::span<Lane>(reinterpret_cast<Lane *>(std::ranges::data(r)), detail::length(r));
}

/** An operand that is an array or one scalar for all lanes. It is valid only during the call that it is passed to. */
template <element T> class operand {
  public:
    operand(T scalar) noexcept : scalar_(scalar), data_(nullptr), size_(0) {}
    template <source_of<T> R>
    operand(const R &array) noexcept
        : scalar_(), data_(std::ranges::data(array)), size_(detail::length(array)), is_array_(true) {}

    bool is_scalar() const noexcept { return !is_array_; }

    /** Returns whether the operand is a scalar or has n lanes. */
    bool fits(std::size_t n) const noexcept { return !is_array_ || size_ == n; }

    /**
     * Returns the operand for a C call. A scalar is first copied to `scalar`, so that this object need not be in
     * memory.
     */
    pto_in in(T &scalar) const noexcept {
        scalar = scalar_;
        return is_array_ ? pto_in_array(data_) : pto_in_scalar(&scalar);
    }

  private:
    T scalar_;
    const T *data_;
    std::size_t size_;
    bool is_array_ = false;
};

} // namespace pto

#endif
