// SPDX-License-Identifier: MIT
//
// Selection by packed bits or by bytes with Highway.
#include "peers/highway.h"

namespace {

/// The mask is bytes, or packed bits of which a vector takes whole bytes (`whole`) or part of a byte (`part`).
enum class By { bytes, whole, part };

/// Returns the mask of the lanes from `at` on. LoadMaskBits may read eight bytes, which the bench's buffers have.
template <By by, class D> auto mask_bits(D d, const uint8_t *m, size_t at) {
    if constexpr (by == By::whole) {
        return hn::LoadMaskBits(d, m + at / 8);
    } else {
        const uint8_t bits[8] = {static_cast<uint8_t>(m[at / 8] >> at % 8)};
        return hn::LoadMaskBits(d, bits);
    }
}

template <class D> auto mask_bytes(D d, const uint8_t *m, size_t at) {
    const hn::Rebind<uint8_t, D> d8;
    const auto bytes = hn::LoadU(d8, m + at);
    if constexpr (sizeof(Lane<D>) == 1)
        return hn::Ne(bytes, hn::Zero(d8));
    else
        return hn::Ne(hn::PromoteTo(d, bytes), hn::Zero(d));
}

/// If One is true, b is a scalar.
template <class T, By by, bool One> HWY_INLINE void select_pass(const bench_args *args) {
    using D = Vectors<T>;
    const D d;
    const size_t N = hn::Lanes(d);
    const bool reversed = args->what->operation == BENCH_VSELR;
    const T *x = static_cast<const T *>(reversed ? args->b : args->a);
    const T *y = static_cast<const T *>(reversed ? args->a : args->b);
    const uint8_t *m = static_cast<const uint8_t *>(args->m);
    T *dst = static_cast<T *>(args->dst);
    const auto right = [=]([[maybe_unused]] size_t i, [[maybe_unused]] auto all) {
        if constexpr (One)
            return all;
        else
            return hn::LoadU(d, y + i);
    };
    const auto one = [=](size_t i, auto all) {
        if constexpr (by == By::bytes)
            hn::StoreU(hn::IfThenElse(mask_bytes(d, m, i), hn::LoadU(d, x + i), right(i, all)), d, dst + i);
        else
            hn::StoreU(hn::IfThenElse(mask_bits<by>(d, m, i), hn::LoadU(d, x + i), right(i, all)), d,
                       dst + i);
    };
    const auto all = hn::Set(d, *y);
    size_t at = 0;
    for (; at + 4 * N <= args->n; at += 4 * N) {
        one(at, all);
        one(at + N, all);
        one(at + 2 * N, all);
        one(at + 3 * N, all);
    }
    for (; at + N <= args->n; at += N) one(at, all);
    for (; at < args->n; at++)
        dst[at] = (by == By::bytes ? m[at] : m[at / 8] >> at % 8 & 1) ? x[at] : y[One ? 0 : at];
}

template <class T, bool One> HWY_NOINLINE void select_bits(const bench_args *args) {
    if (hn::Lanes(Vectors<T>()) >= 8)
        select_pass<T, By::whole, One>(args);
    else
        select_pass<T, By::part, One>(args);
}

template <class T, bool One> HWY_NOINLINE void select_bytes(const bench_args *args) {
    select_pass<T, By::bytes, One>(args);
}

template <class T> bench_fn *of_width(const bench_what &what) {
    const bool one = what.operation == BENCH_VSELS;
    if (what.mask == PTO_MASK_PACKED)
        return one ? repeated<select_bits<T, true>> : repeated<select_bits<T, false>>;
    if constexpr (sizeof(T) < 8) // it has no u8 -> u64
        return one ? repeated<select_bytes<T, true>> : repeated<select_bytes<T, false>>;
    return nullptr;
}

bench_fn *find(const bench_what &what) {
    if (what.operation != BENCH_VSEL && what.operation != BENCH_VSELR && what.operation != BENCH_VSELS)
        return nullptr;
    if (what.mask != PTO_MASK_BYTE && what.mask != PTO_MASK_PACKED) return nullptr;
    switch (pto_dtype_bits(what.type)) {
    case 8: return of_width<uint8_t>(what);
    case 16: return of_width<uint16_t>(what);
    case 32: return of_width<uint32_t>(what);
    case 64: return of_width<uint64_t>(what);
    default: return nullptr;
    }
}

} // namespace

extern "C" bench_find HIGHWAY_FINDER(select);

bench_fn *HIGHWAY_FINDER(select)(const bench_what *what) {
    return find(*what);
}
