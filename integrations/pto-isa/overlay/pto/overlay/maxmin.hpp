// SPDX-License-Identifier: MIT
// Maxima and minima of tiles. A NaN in an operand gives a NaN, and +0 is larger than -0.
#ifndef PTO_OVERLAY_MAXMIN_HPP
#define PTO_OVERLAY_MAXMIN_HPP

#include "pto/overlay/tiles.hpp"

namespace pto_overlay {

template <typename T> constexpr unsigned maxmin_flags = is_float_lane<T> ? PTO_PROPAGATE_NAN : 0;

// dst = call(src0, src1), where call is pto_vmax or pto_vmin.
template <auto call, typename Dst, typename Src0, typename Src1>
void combine(Dst &dst, Src0 &src0, Src1 &src1) {
    using T = typename Dst::DType;
    for_each_line(
        dst.GetValidRow(), dst.GetValidCol(),
        [](T *to, const T *a, const T *b, std::size_t n) {
            check(call(dtype<T>, maxmin_flags<T>, pto_in_array(a), pto_in_array(b), to, n));
        },
        dst, src0, src1);
}

// dst = call(src, scalar), where call is pto_vmax or pto_vmin.
template <auto call, typename Dst, typename Src>
void combine_scalar(Dst &dst, Src &src, typename Src::DType scalar) {
    using T = typename Dst::DType;
    for_each_line(
        dst.GetValidRow(), dst.GetValidCol(),
        [&scalar](T *to, const T *a, std::size_t n) {
            check(call(dtype<T>, maxmin_flags<T>, pto_in_array(a), pto_in_scalar(&scalar), to, n));
        },
        dst, src);
}

} // namespace pto_overlay

#endif
