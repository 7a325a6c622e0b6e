/* SPDX-License-Identifier: MIT */
/** @file lanes.hpp  The calls of lanes.h, which documents each call under its C name. */
#ifndef PTO_HPP_LANES_HPP
#define PTO_HPP_LANES_HPP

#include "maxmin.hpp"
#include "mask.hpp"

namespace pto {

/**
 * Returns the number of elements. Throws PTO_ERR_SIZE if dst has fewer than n elements: it needs only as many as there
 * are lanes that are on, but these are not counted before.
 */
template <source A, destination_of<lane_t<A>> D> std::size_t vcompress(const A &src, const_mask m, D &&dst) {
    const std::size_t n = detail::length(src);
    std::size_t count = 0;
    detail::check_size(detail::mask_fits(m, n) && detail::length(dst) >= n, "vcompress",
                       "the mask must have as many lanes as src, and dst at least as many elements");
    detail::check(
        pto_vcompress(dtype_of<lane_t<A>>, std::ranges::data(src), m.c(), std::ranges::data(dst), n, &count),
        "vcompress");
    return count;
}

/**
 * Returns the number of elements. Throws PTO_ERR_SIZE if src has fewer than there are lanes that are on.
 */
template <source A, destination_of<lane_t<A>> D> std::size_t vexpand(const A &src, const_mask m, D &&dst) {
    const std::size_t n = detail::length(dst);
    std::size_t count = 0;
    detail::check_size(detail::mask_fits(m, n) && (m.is_none() || detail::length(src) >= mask_count(m)),
                       "vexpand",
                       "the mask must have as many lanes as dst, and src an element for each that is on");
    detail::check(
        pto_vexpand(dtype_of<lane_t<A>>, std::ranges::data(src), m.c(), std::ranges::data(dst), n, &count),
        "vexpand");
    return count;
}

namespace detail {

using arg_call = pto_status(pto_dtype, unsigned, const void *, pto_mask, std::size_t *, std::size_t);

template <arg_call Call, class A>
std::size_t arg_extreme(const A &src, const_mask seed, unsigned flags, const char *call) {
    const std::size_t n = length(src);
    std::size_t index = 0;
    check_size(mask_fits(seed, n), call);
    check(Call(dtype_of<lane_t<A>>, flags, std::ranges::data(src), seed.c(), &index, n), call);
    return index;
}

} // namespace detail

/** Returns the index, SIZE_MAX if no lane is on. flags: PTO_PROPAGATE_NAN, PTO_FTZ. */
template <source A>
requires ordered<lane_t<A>> std::size_t vargmax(const A &src, const_mask seed = {},
                                                maxmin_flags<lane_t<A>> flags = {}) {
    return detail::arg_extreme<pto_vargmax>(src, seed, flags, "vargmax");
}

template <source A>
requires ordered<lane_t<A>> std::size_t vargmin(const A &src, const_mask seed = {},
                                                maxmin_flags<lane_t<A>> flags = {}) {
    return detail::arg_extreme<pto_vargmin>(src, seed, flags, "vargmin");
}

} // namespace pto

#endif
