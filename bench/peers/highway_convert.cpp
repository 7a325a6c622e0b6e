// SPDX-License-Identifier: MIT
//
// What it converts in one call.
#include "peers/highway.h"

namespace {

using hwy::bfloat16_t;
using hwy::float16_t;

template <class To, class From, class DTo, class DFrom>
HWY_NOINLINE void convert_once(const bench_args *args) {
    const DTo to;
    const DFrom from;
    constexpr size_t most = hn::MaxLanes(DTo());
    const size_t N = hn::Lanes(to); // which of SVE the run tells
    const From *src = static_cast<const From *>(args->a);
    To *dst = static_cast<To *>(args->dst);
    const auto convert = [=](auto v) {
        if constexpr (sizeof(To) < sizeof(From))
            return hn::DemoteTo(to, v);
        else if constexpr (sizeof(To) > sizeof(From))
            return hn::PromoteTo(to, v);
        else
            return hn::ConvertTo(to, v);
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
