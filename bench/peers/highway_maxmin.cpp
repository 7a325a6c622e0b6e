// SPDX-License-Identifier: MIT
//
// Max, min, clamp and ReLU with Highway, with PTX's results. For integers they are Highway's own. For floats, Highway's
// Max and Min leave unspecified which of two zeros they return, and treat NaNs by the CPU's rules. Both need additional
// instructions.
#include "peers/highway_lanes.h"
#include "peers/lanes.h"

#include <type_traits>

namespace {

struct Larger {
    template <class V> static V of(V x, V y) { return hn::Max(x, y); }
    /// x86 returns the second of two zeros, so the results of both orders are combined: -0 only if both are.
    template <class V> static V zeros(V x, V y) { return hn::And(x, y); }
};

struct Smaller {
    template <class V> static V of(V x, V y) { return hn::Min(x, y); }
    template <class V> static V zeros(V x, V y) { return hn::Or(x, y); }
};

template <class D> hn::Vec<D> canonical(D d) {
    const hn::RebindToUnsigned<D> bits;
    using U = hn::TFromD<decltype(bits)>;
    return hn::BitCast(d, hn::Set(bits, hwy::LimitsMax<U>() >> 1));
}

/// Returns the result for two NaNs: the canonical NaN, or for f64 the second operand y, made quiet.
template <class D> hn::Vec<D> of_nans(D d, hn::Vec<D> y) {
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
        return canonical(d);
    } else {
        const hn::RebindToUnsigned<D> bits;
        return hn::Or(y, hn::BitCast(d, hn::Set(bits, 0x0008000000000000)));
    }
}

/// Returns the result for operands that are not NaNs. Arm's and RISC-V's instructions distinguish the zeros, x86's do
/// not.
template <class Way, class V> HWY_INLINE V of_numbers(V x, V y) {
#if HWY_ARCH_X86
    return Way::zeros(Way::of(x, y), Way::of(y, x));
#else
    return Way::of(x, y);
#endif
}

template <class Way, bool Nan, class D, class V> HWY_INLINE V step(D d, V a, V b) {
    if constexpr (!std::is_floating_point_v<Lane<D>>) {
        return Way::of(a, b);
    } else if constexpr (Nan) {
        const auto any = hn::Or(hn::IsNaN(a), hn::IsNaN(b));
        return hn::IfThenElse(any, canonical(d), of_numbers<Way>(a, b));
    } else {
        const V x = hn::IfThenElse(hn::IsNaN(a), b, a), y = hn::IfThenElse(hn::IsNaN(b), a, b);
        return hn::IfThenElse(hn::IsNaN(x), of_nans(d, x), of_numbers<Way>(x, y)); // x is b if both are NaNs
    }
}

template <class L, class Way, bool Nan> HWY_NOINLINE void two_once(const bench_args *args) {
    using T = typename L::Element;
    const typename L::D d;
    const T *a = static_cast<const T *>(args->a), *b = static_cast<const T *>(args->b);
    each_vector<L>(
        static_cast<T *>(args->dst), args->n,
        [=](size_t i) { return step<Way, Nan>(d, L::load(d, a + i), L::load(d, b + i)); },
        [=](size_t i, size_t count) {
            return step<Way, Nan>(d, load_some<L>(d, a + i, count), load_some<L>(d, b + i, count));
        });
}

/// Applies `step` to one array and to vectors that are constant in the loop.
template <class L, class Step, class... Vector>
HWY_INLINE void one_pass(const bench_args *args, const Step &step, Vector... all) {
    using T = typename L::Element;
    const typename L::D d;
    const T *a = static_cast<const T *>(args->a);
    each_vector<L>(
        static_cast<T *>(args->dst), args->n,
        [=](size_t i, Vector... v) { return step(L::load(d, a + i), v...); },
        [=](size_t i, size_t count, Vector... v) { return step(load_some<L>(d, a + i, count), v...); },
        all...);
}

template <class L> auto bound(const bench_args *args, size_t which) {
    typename L::Element x;
    std::memcpy(&x, &args->what->bounds[which], sizeof x);
    return L::all(typename L::D(), x);
}

template <class L, bool Nan> HWY_NOINLINE void clamp_once(const bench_args *args) {
    const typename L::D d;
    one_pass<L>(
        args,
        [=](auto x, auto lo, auto hi) { return step<Smaller, Nan>(d, step<Larger, Nan>(d, x, lo), hi); },
        bound<L>(args, 0), bound<L>(args, 1));
}

template <class L, bool Nan> HWY_NOINLINE void relu_once(const bench_args *args) {
    const typename L::D d;
    one_pass<L>(args, [=](auto x) {
        if constexpr (!std::is_floating_point_v<Lane<typename L::D>>)
            return hn::Max(x, hn::Zero(d));
        else if constexpr (Nan)
            return hn::IfThenElse(hn::IsNaN(x), canonical(d), hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), x));
        else
            return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), x);
    });
}

template <class L, bool Nan> bench_fn *of_type(bench_operation operation) {
    switch (operation) {
    case BENCH_VMAX: return repeated<two_once<L, Larger, Nan>>;
    case BENCH_VMIN: return repeated<two_once<L, Smaller, Nan>>;
    case BENCH_VCLAMP: return repeated<clamp_once<L, Nan>>;
    case BENCH_VRELU: return repeated<relu_once<L, Nan>>;
    default: return nullptr;
    }
}

/// There are no functions with .ftz or .xorsign.abs.
bench_fn *find(const bench_what &what) {
    if ((what.flags & ~unsigned{PTO_PROPAGATE_NAN}) != 0) return nullptr;
    const bool nan = what.flags != 0;
    switch (what.type) {
#define TYPE(T, element, bits)                                                                               \
    case PTO_##T: return of_type<Plain<element>, false>(what.operation);
        BENCH_INTEGERS(TYPE)
#define NAN_TYPE(T, L)                                                                                       \
    case PTO_##T: return nan ? of_type<L, true>(what.operation) : of_type<L, false>(what.operation);
        NAN_TYPE(F64, Plain<double>)
        NAN_TYPE(F32, Plain<float>)
        NAN_TYPE(F16, Half<float16_t>)
        NAN_TYPE(BF16, Half<bfloat16_t>)
    default: return nullptr;
    }
}

} // namespace

extern "C" bench_find HIGHWAY_FINDER(maxmin);

bench_fn *HIGHWAY_FINDER(maxmin)(const bench_what *what) {
    return find(*what);
}
