/* SPDX-License-Identifier: MIT */
/**
 * @file pto.hpp
 * libpto in C++20: the calls of <pto/pto.h> with typed arrays, scalars and masks whose lengths are checked, and
 * exceptions in the place of statuses. Nothing but this header is needed, and nothing is allocated but the text of
 * an exception: a call here becomes the C call, and a few comparisons of lengths before it.
 *
 * The rules of the calls are those of the C headers, where each is described under its name with pto_ before it.
 * What is other here:
 *
 *  - Arrays are whatever lies in one piece, std::span, std::vector, std::array, of the lane types: the integers of
 *    C++, float, double, and pto::f16, pto::e4m3 and so on, which are bits without arithmetic. So the type is no
 *    argument, and neither is n: a length that does not fit the others is PTO_ERR_SIZE.
 *  - Scalars are values of the lane type.
 *  - A pto::mask is a view of memory that knows its kind and how many lanes it has; pto::const_mask is one to read.
 *    An empty one, {}, is PTO_NO_MASK.
 *  - A status other than PTO_OK is thrown as pto::error, whose text names the call and says what is legal there. Then
 *    nothing has been written.
 *  - Results that are one value are returned.
 *
 * @code
 * // ReLU by compare and select: a NaN stays, and so does -0.
 * std::vector<float> x = {-2, 3, NAN, 5}, y(4);
 * pto::vcmpsel(PTO_LT, x, 0.0F, 0.0F, x, y);
 * assert(y[0] == 0 && y[1] == 3 && std::isnan(y[2]));
 *
 * // ReLU6, a NaN staying one, in place.
 * pto::vclamp(y, 0.0F, 6.0F, y, PTO_PROPAGATE_NAN);
 * assert(y[3] == 5 && std::isnan(y[2]));
 *
 * // Which are at least 1, as packed bits, and how many.
 * std::array<std::uint8_t, 1> bits{};
 * const pto::mask large = pto::packed(bits, x.size());
 * pto::vcmps(PTO_GE, x, 1.0F, large);
 * assert(pto::mask_count(large) == 2);
 *
 * // To fp8 and back.
 * std::vector<pto::e4m3> codes(4);
 * pto_cvt_op to = pto::cvt_op<pto::e4m3, float>(PTO_RN);
 * to.satfinite = true;
 * pto::cvt(to, y, codes);
 * assert(codes[1].bits == 0x44 && pto::dtype_value(codes[1]) == 3);
 *
 * // A length that does not fit is an error, and so is what the types do not have.
 * try {
 *     pto::vcmpsel(PTO_LT, x, 0.0F, 0.0F, x, std::span(y).first(3));
 *     return 1;
 * } catch (const pto::error &e) {
 *     assert(e.status() == PTO_ERR_SIZE);
 * }
 * @endcode
 */
#ifndef PTO_PTO_HPP
#define PTO_PTO_HPP

#if !defined(__cplusplus) || __cplusplus < 202002L
#    error "pto/pto.hpp is for C++20 and later; pto/pto.h is for C and earlier C++"
#endif

#include "hpp/array.hpp"
#include "hpp/mask.hpp"
#include "hpp/compare.hpp"
#include "hpp/select.hpp"
#include "hpp/maxmin.hpp"
#include "hpp/convert.hpp"
#include "hpp/block.hpp"
#include "hpp/preg.hpp"
#include "hpp/setcc.hpp"
#include "hpp/text.hpp"
#include "hpp/plan.hpp"
#include "hpp/system.hpp"

#endif
