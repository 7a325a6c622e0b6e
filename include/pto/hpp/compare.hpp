/* SPDX-License-Identifier: MIT */
/** @file compare.hpp  The calls of compare.h, which documents each call under its C name. */
#ifndef PTO_HPP_COMPARE_HPP
#define PTO_HPP_COMPARE_HPP

#include "mask.hpp"

namespace pto {

/** flags: PTO_FTZ, PTO_MERGE. */
template <source A, source_of<lane_t<A>> B>
void vcmp(pto_cmp op, const A &src0, const B &src1, const_mask seed, mask dst, unsigned flags = 0) {
    const std::size_t n = detail::length(src0);
    detail::check_size(
        detail::length(src1) == n && detail::mask_fits(seed, n) && detail::result_mask_fits(dst, n), "vcmp");
    detail::check(pto_vcmp(dtype_of<lane_t<A>>, op, flags, std::ranges::data(src0), std::ranges::data(src1),
                           seed.c(), dst.c(), n),
                  "vcmp");
}

/** vcmp() of every lane, without a seed. */
template <source A, source_of<lane_t<A>> B>
void vcmp(pto_cmp op, const A &src0, const B &src1, mask dst, unsigned flags = 0) {
    vcmp(op, src0, src1, const_mask(), dst, flags);
}

template <source A>
void vcmps(pto_cmp op, const A &src, lane_t<A> scalar, const_mask seed, mask dst, unsigned flags = 0) {
    const std::size_t n = detail::length(src);
    detail::check_size(detail::mask_fits(seed, n) && detail::result_mask_fits(dst, n), "vcmps");
    detail::check(
        pto_vcmps(dtype_of<lane_t<A>>, op, flags, std::ranges::data(src), &scalar, seed.c(), dst.c(), n),
        "vcmps");
}

template <source A> void vcmps(pto_cmp op, const A &src, lane_t<A> scalar, mask dst, unsigned flags = 0) {
    vcmps(op, src, scalar, const_mask(), dst, flags);
}

/** flags: PTO_MERGE. */
template <source A>
void testp(pto_float_test test, const A &src, const_mask seed, mask dst, unsigned flags = 0) {
    const std::size_t n = detail::length(src);
    detail::check_size(detail::mask_fits(seed, n) && detail::result_mask_fits(dst, n), "testp");
    detail::check(pto_testp(dtype_of<lane_t<A>>, test, flags, std::ranges::data(src), seed.c(), dst.c(), n),
                  "testp");
}

template <source A> void testp(pto_float_test test, const A &src, mask dst) {
    testp(test, src, const_mask(), dst);
}

/**
 * Throws PTO_ERR_TYPE if op.type is not the type of the arrays. If op has no BoolOp, c must be {}. If q is {}, it is
 * not computed.
 */
template <source A, source_of<lane_t<A>> B>
void setp(pto_setp_op op, const A &a, const B &b, const_mask c, mask p, mask q = {}) {
    const std::size_t n = detail::length(a);
    detail::check_type(op.type == dtype_of<lane_t<A>>, "setp");
    detail::check_size(detail::length(b) == n && detail::mask_fits(c, n) && detail::result_mask_fits(p, n) &&
                           detail::mask_fits(q, n),
                       "setp");
    detail::check(pto_setp(op, std::ranges::data(a), std::ranges::data(b), c.c(), p.c(), q.c(), n), "setp");
}

/** Throws PTO_ERR_TYPE if the types in op are not those of the arrays. If op has no BoolOp, c must be {}. */
template <source A, source_of<lane_t<A>> B, destination D>
void set(pto_set_op op, const A &a, const B &b, const_mask c, D &&dst) {
    const std::size_t n = detail::length(a);
    detail::check_type(op.stype == dtype_of<lane_t<A>> && op.dtype == dtype_of<lane_t<D>>, "set");
    detail::check_size(detail::length(b) == n && detail::mask_fits(c, n) && detail::length(dst) == n, "set");
    detail::check(pto_set(op, std::ranges::data(a), std::ranges::data(b), c.c(), std::ranges::data(dst), n),
                  "set");
}

} // namespace pto

#endif
