// SPDX-License-Identifier: MIT
//
// Conversions that Highway has in one call, with the additional instructions that PTX's results need.
#include "peers/highway.h"

#include <type_traits>

namespace {

using hwy::bfloat16_t;
using hwy::float16_t;

template <class D> HWY_INLINE hn::Vec<D> with_nan(D d, hn::Vec<D> v, uint32_t nan) {
    const hn::RebindToUnsigned<D> bits;
    return hn::IfThenElse(hn::IsNaN(v), hn::BitCast(d, hn::Set(bits, nan)), v);
}

/// Prepares v so that DemoteTo rounds to bf16 to nearest even. Before Highway 1.2, DemoteTo truncates, so rounding is
/// added here. A NaN from with_nan() stays the same NaN, because its low half is zero and the sum does not carry.
template <class D> HWY_INLINE hn::Vec<D> to_nearest_bf16(D d, hn::Vec<D> v) {
    if constexpr (HWY_MAJOR > 1 || HWY_MINOR >= 2) return v;
    const hn::RebindToUnsigned<D> bits;
    const auto x = hn::BitCast(bits, v);
    const auto odd = hn::And(hn::ShiftRight<16>(x), hn::Set(bits, 1));
    return hn::BitCast(d, hn::Add(x, hn::Add(odd, hn::Set(bits, 0x7fff))));
}

/// Prepares a source vector for PTX's results: canonical NaNs, and the rounding of bf16.
template <class To, class D> HWY_INLINE hn::Vec<D> prepared(D d, hn::Vec<D> v) {
    if constexpr (std::is_same_v<To, float16_t>)
        return with_nan(d, v, 0x7fffffff);
    else if constexpr (std::is_same_v<To, bfloat16_t>)
        return to_nearest_bf16(d, with_nan(d, v, 0x7fff0000));
    else
        return v;
}

/// Corrects a result vector to PTX's results: the canonical NaN for f16 sources, and 0 for a NaN that was converted to
/// an integer, which x86's instruction does not return.
template <class From, class D, class DFrom>
HWY_INLINE hn::Vec<D> mended(D d, hn::Vec<D> v, hn::Vec<DFrom> source) {
    if constexpr (std::is_same_v<From, float16_t>)
        return with_nan(d, v, 0x7fffffff);
    else if constexpr (HWY_ARCH_X86 && std::is_same_v<hn::TFromD<D>, int32_t> && std::is_same_v<From, float>)
        return hn::IfThenZeroElse(hn::RebindMask(d, hn::IsNaN(source)), v);
    else
        return v;
}

template <class To, class From, class DTo, class DFrom>
HWY_NOINLINE void convert_once(const bench_args *args) {
    const DTo to;
    const DFrom from;
    constexpr size_t most = hn::MaxLanes(DTo());
    const size_t N = hn::Lanes(to); // known only at run time for SVE
    const From *src = static_cast<const From *>(args->a);
    To *dst = static_cast<To *>(args->dst);
    const auto convert = [=](auto v) {
        if constexpr (sizeof(To) < sizeof(From))
            return hn::DemoteTo(to, prepared<To>(from, v));
        else if constexpr (sizeof(To) > sizeof(From))
            return mended<From, DTo, DFrom>(to, hn::PromoteTo(to, v), v);
        else
            return mended<From, DTo, DFrom>(to, hn::ConvertTo(to, v), v);
    };
    size_t at = 0;
    for (; at + 4 * N <= args->n; at += 4 * N)
        for (size_t k = 0; k < 4 * N; k += N)
            hn::StoreU(convert(hn::LoadU(from, src + at + k)), to, dst + at + k);
    for (; at + N <= args->n; at += N) hn::StoreU(convert(hn::LoadU(from, src + at)), to, dst + at);
    if (at < args->n) {
        alignas(64) From in[most] = {};
        alignas(64) To out[most];
        std::memcpy(in, src + at, (args->n - at) * sizeof(From));
        hn::StoreU(convert(hn::LoadU(from, in)), to, out);
        std::memcpy(dst + at, out, (args->n - at) * sizeof(To));
    }
}

template <class To, class From>
constexpr void (*narrowing)(const bench_args *) =
    convert_once<To, From, hn::Rebind<To, Vectors<From>>, Vectors<From>>;
template <class To, class From>
constexpr void (*widening)(const bench_args *) =
    convert_once<To, From, Vectors<To>, hn::Rebind<From, Vectors<To>>>;

bench_fn *find(const bench_what &what) {
    const struct {
        pto_dtype dst, src;
        bench_fn *run;
    } rows[] = {
        {PTO_F16, PTO_F32, repeated<narrowing<float16_t, float>>},
        {PTO_BF16, PTO_F32, repeated<narrowing<bfloat16_t, float>>},
        {PTO_S32, PTO_F32, repeated<narrowing<int32_t, float>>},
        {PTO_F32, PTO_S32, repeated<narrowing<float, int32_t>>},
        {PTO_F32, PTO_F64, repeated<narrowing<float, double>>},
        {PTO_F32, PTO_F16, repeated<widening<float, float16_t>>},
        {PTO_F32, PTO_BF16, repeated<widening<float, bfloat16_t>>},
        {PTO_F64, PTO_F32, repeated<widening<double, float>>},
    };
    if (what.operation != BENCH_CVT) return nullptr;
    for (const auto &row : rows)
        // cppcheck-suppress useStlAlgorithm ; see highway.h
        if (row.dst == what.cvt.dst && row.src == what.cvt.src) return row.run;
    return nullptr;
}

} // namespace

extern "C" bench_find HIGHWAY_FINDER(convert);

bench_fn *HIGHWAY_FINDER(convert)(const bench_what *what) {
    return find(*what);
}
