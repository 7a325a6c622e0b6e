/* SPDX-License-Identifier: MIT */
/** @file maxmin.hpp  The calls of maxmin.h, which documents each call under its C name. */
#ifndef PTO_HPP_MAXMIN_HPP
#define PTO_HPP_MAXMIN_HPP

#include "array.hpp"

namespace pto {

/** A float of at most 8 bits that is compared and selected. */
template <class T>
concept small_float = std::same_as<T, e4m3> || std::same_as<T, e5m2> || std::same_as<T, e2m3> ||
    std::same_as<T, e3m2> || std::same_as<T, e4m3fnuz> || std::same_as<T, e5m2fnuz> ||
    std::same_as<T, e4m3b11fnuz> || std::same_as<T, e4m3ieee> || std::same_as<T, e3m4> ||
    std::same_as<T, binary8p3se> || std::same_as<T, binary8p4se>;

/** A lane type that has an order, and so a maximum and a minimum. */
template <class T>
concept ordered = detail::integer<T> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, f16> || std::same_as<T, bf16> || small_float<T>;

/** The flags argument for types that take no flags. */
struct no_flags {
    constexpr operator unsigned() const noexcept { return 0; }
};

/**
 * The type of the flags argument: a set of bits for floats. For integers it accepts no flag, so passing one does not
 * compile. A flag that the float type does not take throws PTO_ERR_MODIFIER.
 */
template <ordered T> using maxmin_flags = std::conditional_t<detail::integer<T>, no_flags, unsigned>;

/** A destination of the calls of maxmin.h: an array of a type that has an order. */
template <class R>
concept ordered_destination = destination<R> && ordered<lane_t<R>>;

namespace detail {

using maxmin_call = pto_status(pto_dtype, unsigned, pto_in, pto_in, void *, std::size_t);

/** Common part of vmax and vmin. It is inlined so that the compiler sees which operands are arrays. */
template <maxmin_call Call, class D>
[[gnu::always_inline]] inline void maxmin(const operand<lane_t<D>> &a, const operand<lane_t<D>> &b, D &dst,
                                          unsigned flags, const char *call) {
    const std::size_t n = length(dst);
    lane_t<D> scalar_a, scalar_b;
    check_size(a.fits(n) && b.fits(n), call);
    check(Call(dtype_of<lane_t<D>>, flags, a.in(scalar_a), b.in(scalar_b), std::ranges::data(dst), n), call);
}

} // namespace detail

/**
 * a, b: each is an array of dst's type and length, or a value of that type. flags: PTO_PROPAGATE_NAN, PTO_FTZ,
 * PTO_XORSIGN_ABS.
 */
template <ordered_destination D>
[[gnu::always_inline]] inline void vmax(const operand<lane_t<D>> &a, const operand<lane_t<D>> &b, D &&dst,
                                        maxmin_flags<lane_t<D>> flags = {}) {
    detail::maxmin<pto_vmax>(a, b, dst, flags, "vmax");
}

template <ordered_destination D>
[[gnu::always_inline]] inline void vmin(const operand<lane_t<D>> &a, const operand<lane_t<D>> &b, D &&dst,
                                        maxmin_flags<lane_t<D>> flags = {}) {
    detail::maxmin<pto_vmin>(a, b, dst, flags, "vmin");
}

/** x, lo, hi: each is an array of dst's type and length, or a value of that type. flags: PTO_PROPAGATE_NAN, PTO_FTZ. */
template <ordered_destination D>
[[gnu::always_inline]] inline void vclamp(const operand<lane_t<D>> &x, const operand<lane_t<D>> &lo,
                                          const operand<lane_t<D>> &hi, D &&dst,
                                          maxmin_flags<lane_t<D>> flags = {}) {
    const std::size_t n = detail::length(dst);
    lane_t<D> scalar_x, scalar_lo, scalar_hi;
    detail::check_size(x.fits(n) && lo.fits(n) && hi.fits(n), "vclamp");
    detail::check(pto_vclamp(dtype_of<lane_t<D>>, flags, x.in(scalar_x), lo.in(scalar_lo), hi.in(scalar_hi),
                             std::ranges::data(dst), n),
                  "vclamp");
}

/** flags: PTO_PROPAGATE_NAN, PTO_FTZ. */
template <source A, ordered_destination D>
requires source_of<A, lane_t<D>>
void vrelu(const A &x, D &&dst, maxmin_flags<lane_t<D>> flags = {}) {
    const std::size_t n = detail::length(dst);
    detail::check_size(detail::length(x) == n, "vrelu");
    detail::check(pto_vrelu(dtype_of<lane_t<D>>, flags, std::ranges::data(x), std::ranges::data(dst), n),
                  "vrelu");
}

} // namespace pto

#endif
