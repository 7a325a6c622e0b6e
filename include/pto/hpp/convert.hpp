/* SPDX-License-Identifier: MIT */
/**
 * @file convert.hpp  The calls of convert.h, vcvt.h, cast.h and random.h. These headers document each call under its C
 * name.
 */
#ifndef PTO_HPP_CONVERT_HPP
#define PTO_HPP_CONVERT_HPP

#include "mask.hpp"

#include <array>

namespace pto {

/** Returns a conversion between these types, with a rounding mode. The caller sets other modifiers. */
template <element To, element From> constexpr pto_cvt_op cvt_op(pto_round round = PTO_ROUND_NONE) noexcept {
    pto_cvt_op op{};
    op.dst = dtype_of<To>;
    op.src = dtype_of<From>;
    op.round = round;
    return op;
}

namespace detail {

template <element To, element From> void check_types(pto_dtype dst, pto_dtype src, const char *call) {
    check_type(dst == dtype_of<To> && src == dtype_of<From>, call);
}

/** The number of elements that share a word of random bits. */
template <element To> inline constexpr std::size_t rbits_group = sizeof(To) == 1 ? 4 : 2;

/** Checks that op takes random bits and has the right number of them. Otherwise the C call would read out of bounds. */
template <element To>
void check_rbits(pto_cvt_op op, std::size_t n, std::span<const std::uint32_t> rbits, const char *call) {
    if (op.round != PTO_RS) [[unlikely]]
        fail(PTO_ERR_MODIFIER, call, "random bits go with PTO_RS only");
    check_size(n % rbits_group<To> == 0 && rbits.size() == n / rbits_group<To>, call,
               "rbits must have a word for each 2 elements of f16 and bf16, for each 4 of other types");
}

inline void check_scales(pto_cvt_op op, std::size_t n, std::span<const ue8m0> scales, const char *call) {
    if (op.scale == PTO_SCALE_NONE || op.round == PTO_RS) [[unlikely]]
        fail(PTO_ERR_MODIFIER, call, "scales go with PTO_SCALE_N1 and PTO_SCALE_N2 only");
    check_size(
        scales.size() == (op.scale == PTO_SCALE_N1 ? n / 2 + n % 2 : n), call,
        "scales must have one for each element with PTO_SCALE_N2, one for each pair with PTO_SCALE_N1");
}

template <class S, class D> void cvt(pto_cvt_op op, const S &src, D &dst, const void *extra, std::size_t n) {
    check(pto_cvt(op, std::ranges::data(src), std::ranges::data(dst), extra, n), "cvt");
}

} // namespace detail

/**
 * Converts src to dst, without random bits or scales. Throws PTO_ERR_TYPE if the types in op are not those of the
 * arrays. Arrays of e2m1x2 have half as many objects as elements, rounded up.
 */
template <source S, destination D> void cvt(pto_cvt_op op, const S &src, D &&dst) {
    const std::size_t n = detail::common_size(src, dst, "cvt");
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "cvt");
    detail::cvt(op, src, dst, nullptr, n);
}

/**
 * Converts src to dst with random bits: one word per 2 elements of f16 and bf16, per 4 elements of other types.
 * Throws PTO_ERR_MODIFIER if op.round is not PTO_RS.
 */
template <source S, destination D>
void cvt(pto_cvt_op op, const S &src, D &&dst, std::span<const std::uint32_t> rbits) {
    const std::size_t n = detail::common_size(src, dst, "cvt");
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "cvt");
    detail::check_rbits<lane_t<D>>(op, n, rbits, "cvt");
    detail::cvt(op, src, dst, rbits.data(), n);
}

/**
 * Converts src to dst with scales: one per element for PTO_SCALE_N2, one per pair for PTO_SCALE_N1. Throws
 * PTO_ERR_MODIFIER if op has no scale.
 */
template <source S, destination D>
void cvt(pto_cvt_op op, const S &src, D &&dst, std::span<const ue8m0> scales) {
    const std::size_t n = detail::common_size(src, dst, "cvt");
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "cvt");
    detail::check_scales(op, n, scales, "cvt");
    detail::cvt(op, src, dst, scales.data(), n);
}

inline void cvt_check(pto_cvt_op op) {
    detail::check(pto_cvt_check(op), "cvt_check");
}

inline bool cvt_is_ptx(pto_cvt_op op) noexcept {
    return pto_cvt_is_ptx(op);
}

/* ---- between any two formats ---- */

template <element To, element From>
constexpr pto_cast_op cast_op(pto_round round = PTO_RN, pto_overflow overflow = PTO_OVERFLOW_IEEE) noexcept {
    return {dtype_of<To>, dtype_of<From>, round, overflow};
}

/**
 * Converts src to dst. Throws PTO_ERR_TYPE if the types in op are not those of the arrays, and PTO_ERR_NULL if op.round
 * is PTO_RS.
 */
template <source S, destination D> void cast(pto_cast_op op, const S &src, D &&dst) {
    const std::size_t n = detail::common_size(src, dst, "cast");
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "cast");
    detail::check(pto_cast(op, std::ranges::data(src), std::ranges::data(dst), nullptr, n), "cast");
}

/** Converts src to dst with stochastic rounding: `random_bits` has one word for each element. */
template <source S, destination D>
void cast(pto_cast_op op, const S &src, D &&dst, std::span<const std::uint32_t> random_bits) {
    const std::size_t n = detail::common_size(src, dst, "cast");
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "cast");
    detail::check_size(random_bits.size() == n, "cast", "random_bits must have a word for each element");
    detail::check(pto_cast(op, std::ranges::data(src), std::ranges::data(dst), random_bits.data(), n),
                  "cast");
}

inline void cast_check(pto_cast_op op) {
    detail::check(pto_cast_check(op), "cast_check");
}

/* ---- PTO's conversions ---- */

template <element To, element From>
constexpr pto_vcvt_op vcvt_op(pto_vrnd rnd = PTO_VRND_R, bool sat = false) noexcept {
    return {dtype_of<To>, dtype_of<From>, rnd, sat};
}

template <source S, destination D> void vcvt(pto_vcvt_op op, const S &src, const_mask m, D &&dst) {
    const std::size_t n = detail::common_size(src, dst, "vcvt");
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "vcvt");
    detail::check_size(detail::mask_fits(m, n), "vcvt");
    detail::check(pto_vcvt(op, std::ranges::data(src), m.c(), std::ranges::data(dst), n), "vcvt");
}

template <source S, destination D> void vcvt(pto_vcvt_op op, const S &src, D &&dst) {
    vcvt(op, src, const_mask(), dst);
}

namespace detail {

/** Returns the number of elements, including an unused last one of a 4-bit type. */
template <source R> constexpr std::size_t element_count(const R &r) {
    return length(r) * elements_of<lane_t<R>>;
}

/** The width of one element of a lane type, in bits. */
template <element T> inline constexpr std::size_t bits_of = sizeof(T) * 8 / elements_of<T>;

} // namespace detail

/**
 * n of pto_vcvt_part() is the number of elements of the wider type. The array of the narrower type is longer by the
 * ratio of the widths. m has one lane per element of src. Throws PTO_ERR_SIZE if the lengths do not match.
 */
template <source S, destination D>
void vcvt_part(pto_vcvt_op op, pto_vpart part, const S &src, const_mask m, D &&dst) {
    constexpr std::size_t in = detail::bits_of<lane_t<S>>, out = detail::bits_of<lane_t<D>>;
    constexpr std::size_t group = in < out ? out / in : in / out;
    const std::size_t sources = detail::element_count(src), results = detail::element_count(dst);
    const std::size_t n = in < out ? results : sources;
    detail::check_types<lane_t<D>, lane_t<S>>(op.dst, op.src, "vcvt_part");
    detail::check_size(
        (in < out ? sources : results) / group == n && (in < out ? sources : results) % group == 0 &&
            detail::mask_fits(m, sources),
        "vcvt_part",
        "the array of the narrower type must be as many times longer as its type is narrower, and a "
        "mask must have a lane for each element of src");
    detail::check(pto_vcvt_part(op, part, std::ranges::data(src), m.c(), std::ranges::data(dst), n),
                  "vcvt_part");
}

template <source S, destination_of<lane_t<S>> D>
void vtrc(pto_vrnd rnd, const S &src, const_mask m, D &&dst) {
    const std::size_t n = detail::length(dst);
    detail::check_size(detail::length(src) == n && detail::mask_fits(m, n), "vtrc");
    detail::check(
        pto_vtrc(dtype_of<lane_t<S>>, rnd, std::ranges::data(src), m.c(), std::ranges::data(dst), n), "vtrc");
}

template <source S, destination_of<lane_t<S>> D> void vtrc(pto_vrnd rnd, const S &src, D &&dst) {
    vtrc(rnd, src, const_mask(), dst);
}

inline void vcvt_check(pto_vcvt_op op) {
    detail::check(pto_vcvt_check(op), "vcvt_check");
}

inline std::size_t vcvt_form_count() noexcept {
    return pto_vcvt_form_count();
}

inline pto_vcvt_op vcvt_form(std::size_t i) {
    pto_vcvt_op op{};
    detail::check(pto_vcvt_form(i, &op), "vcvt_form");
    return op;
}

/* ---- random bits ---- */

using random_key = std::array<std::uint32_t, 2>;
using random_block = std::array<std::uint32_t, 4>;

inline void random_bits(const random_key &key, const random_block &counter, std::span<std::uint32_t> out) {
    detail::check(pto_random_bits(key.data(), counter.data(), out.data(), out.size()), "random_bits");
}

inline random_block random_counter(const random_block &counter, std::uint64_t blocks) {
    random_block next{};
    detail::check(pto_random_counter(counter.data(), blocks, next.data()), "random_counter");
    return next;
}

} // namespace pto

#endif
