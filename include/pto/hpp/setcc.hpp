/* SPDX-License-Identifier: MIT */
/** @file setcc.hpp  The calls of setcc.h, which documents each call under its C name. */
#ifndef PTO_HPP_SETCC_HPP
#define PTO_HPP_SETCC_HPP

#include "array.hpp"

namespace pto {

inline void setcc(pto_cc cc, std::span<const std::uint32_t> eflags, std::span<std::uint8_t> dst) {
    detail::check_size(eflags.size() == dst.size(), "setcc");
    detail::check(pto_setcc(cc, eflags.data(), dst.data(), dst.size()), "setcc");
}

template <source A, source_of<lane_t<A>> B>
void flags_cmp(const A &a, const B &b, std::span<std::uint32_t> eflags) {
    const std::size_t n = eflags.size();
    detail::check_size(detail::length(a) == n && detail::length(b) == n, "flags_cmp");
    detail::check(
        pto_flags_cmp(dtype_of<lane_t<A>>, std::ranges::data(a), std::ranges::data(b), eflags.data(), n),
        "flags_cmp");
}

template <source A, source_of<lane_t<A>> B>
void flags_test(const A &a, const B &b, std::span<std::uint32_t> eflags) {
    const std::size_t n = eflags.size();
    detail::check_size(detail::length(a) == n && detail::length(b) == n, "flags_test");
    detail::check(
        pto_flags_test(dtype_of<lane_t<A>>, std::ranges::data(a), std::ranges::data(b), eflags.data(), n),
        "flags_test");
}

template <source A, source_of<lane_t<A>> B>
void flags_ucomi(const A &a, const B &b, std::span<std::uint32_t> eflags) {
    const std::size_t n = eflags.size();
    detail::check_size(detail::length(a) == n && detail::length(b) == n, "flags_ucomi");
    detail::check(
        pto_flags_ucomi(dtype_of<lane_t<A>>, std::ranges::data(a), std::ranges::data(b), eflags.data(), n),
        "flags_ucomi");
}

template <source A, source_of<lane_t<A>> B>
void cmp_setcc(pto_cc cc, const A &a, const B &b, std::span<std::uint8_t> dst) {
    const std::size_t n = dst.size();
    detail::check_size(detail::length(a) == n && detail::length(b) == n, "cmp_setcc");
    detail::check(
        pto_cmp_setcc(cc, dtype_of<lane_t<A>>, std::ranges::data(a), std::ranges::data(b), dst.data(), n),
        "cmp_setcc");
}

} // namespace pto

#endif
