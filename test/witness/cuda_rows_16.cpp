/* SPDX-License-Identifier: MIT */
/* The rows of cuda_fp16.h and cuda_bf16.h. */
#include "witness/cuda_rows.h"

#include <iterator>
#include <type_traits>

namespace {

/* ---- C++ types and their PTX types ---- */

template <class T, class... Others> constexpr bool is_one_of() {
    return (std::is_same_v<T, Others> || ...);
}

/** Selects by width, because C++ has two 64-bit integer types. */
template <class T> constexpr pto_dtype integer_dtype() {
    constexpr bool negative = std::is_signed_v<T>;
    switch (sizeof(T)) {
    case 1: return negative ? PTO_S8 : PTO_U8;
    case 2: return negative ? PTO_S16 : PTO_U16;
    case 4: return negative ? PTO_S32 : PTO_U32;
    default: return negative ? PTO_S64 : PTO_U64;
    }
}

/** Returns the PTX type of T, or of its elements if T is a pair. */
template <class T> constexpr pto_dtype dtype() {
    if (std::is_integral_v<T>) return integer_dtype<T>();
    if (std::is_same_v<T, double>) return PTO_F64;
    if (is_one_of<T, float, float2>()) return PTO_F32;
    static_assert(std::is_arithmetic_v<T> ||
                      is_one_of<T, float2, __half, __half2, __nv_bfloat16, __nv_bfloat162>(),
                  "a type of PTX");
    return is_one_of<T, __half, __half2>() ? PTO_F16 : PTO_BF16;
}

/** Returns the row of a function of the header, whose C++ types determine the types of the form. */
template <class D, class S> Row function(const char *name, pto_round round, D (*call)(S)) {
    return row_of<S>(name, operation(dtype<D>(), dtype<S>(), round), call);
}

template <class D, class S> Row cast(pto_round round) {
    const std::string name =
        std::string("cast, ") + pto_dtype_name(dtype<D>()) + " <- " + pto_dtype_name(dtype<S>());
    return row_of<S>(name, operation(dtype<D>(), dtype<S>(), round),
                     [](const S &x) { return static_cast<D>(x); });
}

template <class Half, class... Integers> void add_casts_to(Rows &rows) {
    (rows.push_back(cast<Integers, Half>(PTO_RZI)), ...);
}

template <class Half, class... Numbers> void add_casts_from(Rows &rows) {
    (rows.push_back(cast<Half, Numbers>(PTO_RN)), ...);
}

/** Adds the constructors and conversion operators that __half and __nv_bfloat16 have. */
template <class Half, class Other> void add_casts(Rows &rows) {
    add_casts_to<Half, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                 long long, unsigned long long>(rows);
    add_casts_from<Half, short, unsigned short, int, unsigned, long, unsigned long, long long,
                   unsigned long long, float, double, Other>(rows);
    rows.push_back(cast<float, Half>(PTO_ROUND_NONE));
}

} /* namespace */

void add_half_rows(Rows &rows) {
    const Row functions[] = {
        function("__float2half", PTO_RN, __float2half),
        function("__float2half_rn", PTO_RN, __float2half_rn),
        function("__float2half_rz", PTO_RZ, __float2half_rz),
        function("__float2half_rd", PTO_RM, __float2half_rd),
        function("__float2half_ru", PTO_RP, __float2half_ru),
        function("__double2half", PTO_RN, __double2half),
        function(
            "__float2half2_rn", PTO_RN, +[](float x) { return __low2half(__float2half2_rn(x)); }),
        function(
            "__float2half2_rn", PTO_RN, +[](float x) { return __high2half(__float2half2_rn(x)); }),
        function(
            "__floats2half2_rn", PTO_RN, +[](float2 x) { return __floats2half2_rn(x.x, x.y); }),
        function("__float22half2_rn", PTO_RN, __float22half2_rn),
        function("__half2float", PTO_ROUND_NONE, __half2float),
        function("__half22float2", PTO_ROUND_NONE, __half22float2),
        function(
            "__low2float", PTO_ROUND_NONE,
            +[](__half x) { return __low2float(__halves2half2(x, __half())); }),
        function(
            "__high2float", PTO_ROUND_NONE,
            +[](__half x) { return __high2float(__halves2half2(__half(), x)); }),
        function("__half2char_rz", PTO_RZI, __half2char_rz),
        function("__half2uchar_rz", PTO_RZI, __half2uchar_rz),
        function("__half2short_rz", PTO_RZI, __half2short_rz),
        function("__half2ushort_rz", PTO_RZI, __half2ushort_rz),
        function("__half2int_rz", PTO_RZI, __half2int_rz),
        function("__half2uint_rz", PTO_RZI, __half2uint_rz),
        function("__half2ll_rz", PTO_RZI, __half2ll_rz),
        function("__half2ull_rz", PTO_RZI, __half2ull_rz),
        function("__short2half_rn", PTO_RN, __short2half_rn),
        function("__short2half_rz", PTO_RZ, __short2half_rz),
        function("__short2half_rd", PTO_RM, __short2half_rd),
        function("__short2half_ru", PTO_RP, __short2half_ru),
        function("__ushort2half_rn", PTO_RN, __ushort2half_rn),
        function("__ushort2half_rz", PTO_RZ, __ushort2half_rz),
        function("__ushort2half_rd", PTO_RM, __ushort2half_rd),
        function("__ushort2half_ru", PTO_RP, __ushort2half_ru),
        function("__int2half_rn", PTO_RN, __int2half_rn),
        function("__int2half_rz", PTO_RZ, __int2half_rz),
        function("__int2half_rd", PTO_RM, __int2half_rd),
        function("__int2half_ru", PTO_RP, __int2half_ru),
        function("__uint2half_rn", PTO_RN, __uint2half_rn),
        function("__uint2half_rz", PTO_RZ, __uint2half_rz),
        function("__uint2half_rd", PTO_RM, __uint2half_rd),
        function("__uint2half_ru", PTO_RP, __uint2half_ru),
        function("__ll2half_rn", PTO_RN, __ll2half_rn),
        function("__ll2half_rz", PTO_RZ, __ll2half_rz),
        function("__ll2half_rd", PTO_RM, __ll2half_rd),
        function("__ll2half_ru", PTO_RP, __ll2half_ru),
        function("__ull2half_rn", PTO_RN, __ull2half_rn),
        function("__ull2half_rz", PTO_RZ, __ull2half_rz),
        function("__ull2half_rd", PTO_RM, __ull2half_rd),
        function("__ull2half_ru", PTO_RP, __ull2half_ru),
    };
    rows.insert(rows.end(), std::begin(functions), std::end(functions));
    add_casts<__half, __nv_bfloat16>(rows);
}

void add_bfloat16_rows(Rows &rows) {
    using Half = __nv_bfloat16;
    const Row functions[] = {
        function("__float2bfloat16", PTO_RN, __float2bfloat16),
        function("__float2bfloat16_rn", PTO_RN, __float2bfloat16_rn),
        function("__float2bfloat16_rz", PTO_RZ, __float2bfloat16_rz),
        function("__float2bfloat16_rd", PTO_RM, __float2bfloat16_rd),
        function("__float2bfloat16_ru", PTO_RP, __float2bfloat16_ru),
        function("__double2bfloat16", PTO_RN, __double2bfloat16),
        function(
            "__float2bfloat162_rn", PTO_RN, +[](float x) { return __low2bfloat16(__float2bfloat162_rn(x)); }),
        function(
            "__float2bfloat162_rn", PTO_RN,
            +[](float x) { return __high2bfloat16(__float2bfloat162_rn(x)); }),
        function(
            "__floats2bfloat162_rn", PTO_RN, +[](float2 x) { return __floats2bfloat162_rn(x.x, x.y); }),
        function("__float22bfloat162_rn", PTO_RN, __float22bfloat162_rn),
        function("__bfloat162float", PTO_ROUND_NONE, __bfloat162float),
        function("__bfloat1622float2", PTO_ROUND_NONE, __bfloat1622float2),
        function(
            "__low2float", PTO_ROUND_NONE,
            +[](Half x) { return __low2float(__halves2bfloat162(x, Half())); }),
        function(
            "__high2float", PTO_ROUND_NONE,
            +[](Half x) { return __high2float(__halves2bfloat162(Half(), x)); }),
        function("__bfloat162char_rz", PTO_RZI, __bfloat162char_rz),
        function("__bfloat162uchar_rz", PTO_RZI, __bfloat162uchar_rz),
        function("__bfloat162short_rz", PTO_RZI, __bfloat162short_rz),
        function("__bfloat162ushort_rz", PTO_RZI, __bfloat162ushort_rz),
        function("__bfloat162int_rz", PTO_RZI, __bfloat162int_rz),
        function("__bfloat162uint_rz", PTO_RZI, __bfloat162uint_rz),
        function("__bfloat162ll_rz", PTO_RZI, __bfloat162ll_rz),
        function("__bfloat162ull_rz", PTO_RZI, __bfloat162ull_rz),
        function("__short2bfloat16_rn", PTO_RN, __short2bfloat16_rn),
        function("__ushort2bfloat16_rn", PTO_RN, __ushort2bfloat16_rn),
        function("__int2bfloat16_rn", PTO_RN, __int2bfloat16_rn),
        function("__uint2bfloat16_rn", PTO_RN, __uint2bfloat16_rn),
        function("__ll2bfloat16_rn", PTO_RN, __ll2bfloat16_rn),
        function("__ull2bfloat16_rn", PTO_RN, __ull2bfloat16_rn),
    };
    rows.insert(rows.end(), std::begin(functions), std::end(functions));
    add_casts<Half, __half>(rows);
}
