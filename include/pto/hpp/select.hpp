/* SPDX-License-Identifier: MIT */
/**
 * @file select.hpp  The calls of select.h, and of vmath.h if the library has them. These headers document each call
 * under its C name.
 */
#ifndef PTO_HPP_SELECT_HPP
#define PTO_HPP_SELECT_HPP

#include "mask.hpp"

namespace pto {

namespace detail {

using select_call = pto_status(pto_dtype, const void *, const void *, pto_mask, void *, std::size_t);

/** Common part of the selections by a mask. */
template <select_call Call, class T, class A, class B, class D>
void select(const A &a, const B &b, const_mask m, D &&dst, const char *call) {
    const std::size_t n = length(dst);
    check_size(length(a) == n && length(b) == n && result_mask_fits(m, n), call);
    check(Call(dtype_of<T>, std::ranges::data(a), std::ranges::data(b), m.c(), std::ranges::data(dst), n),
          call);
}

} // namespace detail

template <source A, source_of<lane_t<A>> B, destination_of<lane_t<A>> D>
void vsel(const A &src0, const B &src1, const_mask m, D &&dst) {
    detail::select<pto_vsel, lane_t<A>>(src0, src1, m, dst, "vsel");
}

template <source A, source_of<lane_t<A>> B, destination_of<lane_t<A>> D>
void vselr(const A &src0, const B &src1, const_mask m, D &&dst) {
    detail::select<pto_vselr, lane_t<A>>(src0, src1, m, dst, "vselr");
}

template <source A, source_of<lane_t<A>> B, destination_of<lane_t<A>> D>
void vselrv2(const A &src0, const B &src1, const_mask m, D &&dst) {
    detail::select<pto_vselrv2, lane_t<A>>(src0, src1, m, dst, "vselrv2");
}

template <source A, source_of<lane_t<A>> B, destination_of<lane_t<A>> D>
void selp(const A &a, const B &b, const_mask p, D &&dst) {
    detail::select<pto_selp, lane_t<A>>(a, b, p, dst, "selp");
}

/** c: std::int32_t or float; ftz is legal only with float. */
template <source A, source_of<lane_t<A>> B, source C, destination_of<lane_t<A>> D>
void slct(const A &a, const B &b, const C &c, D &&dst, bool ftz = false) {
    const std::size_t n = detail::length(dst);
    detail::check_size(detail::length(a) == n && detail::length(b) == n && detail::length(c) == n, "slct");
    detail::check(pto_slct(dtype_of<lane_t<A>>, dtype_of<lane_t<C>>, ftz, std::ranges::data(a),
                           std::ranges::data(b), std::ranges::data(c), std::ranges::data(dst), n),
                  "slct");
}

/**
 * src0, src1: each is an array of dst's type and length, or a value of that type. The function is inlined so that the
 * compiler sees which operands are arrays, and builds no operand in memory.
 */
template <destination D>
[[gnu::always_inline]] inline void vsels(const operand<lane_t<D>> &src0, const operand<lane_t<D>> &src1,
                                         const_mask m, D &&dst) {
    const std::size_t n = detail::length(dst);
    lane_t<D> scalar_0, scalar_1;
    detail::check_size(src0.fits(n) && src1.fits(n) && detail::result_mask_fits(m, n), "vsels");
    detail::check(pto_vsels(dtype_of<lane_t<D>>, src0.in(scalar_0), src1.in(scalar_1), m.c(),
                            std::ranges::data(dst), n),
                  "vsels");
}

/** index: unsigned integers as wide as the elements of src. */
template <source A, source I, destination_of<lane_t<A>> D>
requires(std::unsigned_integral<lane_t<I>> &&
         sizeof(lane_t<I>) == sizeof(lane_t<A>)) void vpermute(std::size_t lanes, const A &src,
                                                               const I &index, D &&dst) {
    const std::size_t n = detail::length(dst);
    detail::check_size(detail::length(src) == n && detail::length(index) == n, "vpermute");
    detail::check(pto_vpermute(dtype_of<lane_t<A>>, lanes, std::ranges::data(src), std::ranges::data(index),
                               std::ranges::data(dst), n),
                  "vpermute");
}

template <destination D> void vbr(lane_t<D> scalar, D &&dst) {
    detail::check(pto_vbr(dtype_of<lane_t<D>>, &scalar, std::ranges::data(dst), detail::length(dst)), "vbr");
}

/** x, y, u, v: each is an array or a value, as in vsels(), and the function is inlined as there. flags: PTO_FTZ. */
template <destination D>
[[gnu::always_inline]] inline void vcmpsel(pto_cmp op, const operand<lane_t<D>> &x,
                                           const operand<lane_t<D>> &y, const operand<lane_t<D>> &u,
                                           const operand<lane_t<D>> &v, D &&dst, unsigned flags = 0) {
    const std::size_t n = detail::length(dst);
    lane_t<D> scalar_x, scalar_y, scalar_u, scalar_v;
    detail::check_size(x.fits(n) && y.fits(n) && u.fits(n) && v.fits(n), "vcmpsel");
    detail::check(pto_vcmpsel(dtype_of<lane_t<D>>, op, flags, x.in(scalar_x), y.in(scalar_y), u.in(scalar_u),
                              v.in(scalar_v), std::ranges::data(dst), n),
                  "vcmpsel");
}

#if defined(PTO_VMATH_H) && !defined(PTO_NO_VMATH)
/** Computes the lanes that are on in m, or every lane if m is empty. */
template <source A, destination_of<lane_t<A>> D> void vexp(const A &src, const_mask m, D &&dst) {
    const std::size_t n = detail::length(dst);
    detail::check_size(detail::length(src) == n && detail::mask_fits(m, n), "vexp");
    detail::check(pto_vexp(dtype_of<lane_t<A>>, std::ranges::data(src), m.c(), std::ranges::data(dst), n),
                  "vexp");
}

template <source A, destination_of<lane_t<A>> D> void vexp(const A &src, D &&dst) {
    vexp(src, const_mask(), dst);
}
#endif

} // namespace pto

#endif
