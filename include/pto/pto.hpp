/* SPDX-License-Identifier: MIT */
/**
 * @file pto.hpp
 * libpto for C++20: the calls of <pto/pto.h> with typed arrays, scalars and masks, checked lengths, and exceptions
 * instead of statuses.
 *
 * Only this header is needed. Each call here compares a few lengths and then calls the C function. It allocates memory
 * only for the text of an exception.
 *
 * Each function calls the C function of the same name with the prefix pto_. The C headers document what it computes and
 * requires: types, overlap, alignment, floating-point state. These points differ:
 *
 *  - Arrays are any contiguous range, such as std::span, std::vector or std::array, of a lane type. Lane types are the
 *    integers of C++, float, double, and pto::f16, pto::e4m3 etc., which hold bits and have no arithmetic. The type and
 *    the length n are taken from the arrays. If lengths do not match, the call throws PTO_ERR_SIZE.
 *  - Scalars are values of the lane type.
 *  - A pto::mask is a view of memory with its kind and number of lanes; a pto::const_mask is a read-only view. An empty
 *    one, {}, is PTO_NO_MASK.
 *  - A status other than PTO_OK is thrown as pto::error, whose text names the call and says what is legal. Then nothing
 *    has been written. In comments here, "throws PTO_ERR_SIZE" means a pto::error with that status.
 *  - A result that is a single value is returned.
 *
 * @code
 * // ReLU by compare and select: NaNs and -0 stay unchanged.
 * std::vector<float> x = {-2, 3, NAN, 5}, y(4);
 * pto::vcmpsel(PTO_LT, x, 0.0F, 0.0F, x, y);
 * assert(y[0] == 0 && y[1] == 3 && std::isnan(y[2]));
 *
 * // ReLU6 in place; NaNs are propagated.
 * pto::vclamp(y, 0.0F, 6.0F, y, PTO_PROPAGATE_NAN);
 * assert(y[3] == 5 && std::isnan(y[2]));
 *
 * // Which elements are at least 1, as packed bits, and how many are.
 * std::array<std::uint8_t, 1> bits{};
 * const pto::mask large = pto::packed(bits, x.size());
 * pto::vcmps(PTO_GE, x, 1.0F, large);
 * assert(pto::mask_count(large) == 2);
 *
 * // Converts to fp8 and back.
 * std::vector<pto::e4m3> codes(4);
 * pto_cvt_op to = pto::cvt_op<pto::e4m3, float>(PTO_RN);
 * to.satfinite = true;
 * pto::cvt(to, y, codes);
 * assert(codes[1].bits == 0x44 && pto::dtype_value(codes[1]) == 3);
 *
 * // A length that does not match is an error, and so is an operation that the type does not have.
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
#include "hpp/lanes.hpp"
#include "hpp/convert.hpp"
#include "hpp/block.hpp"
#include "hpp/preg.hpp"
#include "hpp/setcc.hpp"
#include "hpp/text.hpp"
#include "hpp/plan.hpp"
#include "hpp/system.hpp"

#endif
