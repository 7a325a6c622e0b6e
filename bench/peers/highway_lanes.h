// SPDX-License-Identifier: MIT
/// @file highway_lanes.h
/// Loading and storing of lanes with Highway, and the loop over an array. 16-bit floats are promoted to float, because
/// this version of Highway has neither comparisons nor a maximum for them.
#ifndef PTO_BENCH_HIGHWAY_LANES_H
#define PTO_BENCH_HIGHWAY_LANES_H

#include "peers/highway.h"

namespace {

using hwy::bfloat16_t;
using hwy::float16_t;

/// A type with which Highway computes directly.
template <class T> struct Plain {
    using Element = T;
    using D = Vectors<T>;
    static auto load(D d, const T *p) { return hn::LoadU(d, p); }
    static auto all(D d, T x) { return hn::Set(d, x); }
    static void store(D d, hn::Vec<D> v, T *p) { hn::StoreU(v, d, p); }
};

/// A 16-bit float type, which is computed as float.
template <class T> struct Half {
    using Element = T;
    using D = Vectors<float>;
    static auto load(D d, const T *p) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), p)); }
    static auto all(D d, T x) {
        alignas(64) T lanes[hn::MaxLanes(D())];
        // Highway has no Set() for 16-bit floats.
        for (size_t i = 0; i < hn::Lanes(d); i++) lanes[i] = x;
        return load(d, lanes);
    }
    /// Stores values that the 16-bit type represents exactly, so nothing is rounded.
    static void store(D /*floats*/, hn::Vec<D> v, T *p) {
        const hn::Rebind<T, D> halves;
        hn::StoreU(hn::DemoteTo(halves, v), halves, p);
    }
};

/// Loads `count` lanes, fewer than a vector has, through a full vector in a buffer.
template <class L> auto load_some(typename L::D d, const typename L::Element *p, size_t count) {
    alignas(64) typename L::Element lanes[hn::MaxLanes(d)] = {};
    std::memcpy(lanes, p, count * sizeof *p);
    return L::load(d, lanes);
}

/// Computes dst = full(at, all...) vector by vector, and some(at, count, all...) for an incomplete last vector.
template <class L, class Full, class Some, class... Vector>
HWY_INLINE void each_vector(typename L::Element *dst, size_t n, const Full &full, const Some &some,
                            Vector... all) {
    const typename L::D d;
    const size_t N = hn::Lanes(d);
    size_t at = 0;
    for (; at + 4 * N <= n; at += 4 * N) {
        L::store(d, full(at, all...), dst + at);
        L::store(d, full(at + N, all...), dst + at + N);
        L::store(d, full(at + 2 * N, all...), dst + at + 2 * N);
        L::store(d, full(at + 3 * N, all...), dst + at + 3 * N);
    }
    for (; at + N <= n; at += N) L::store(d, full(at, all...), dst + at);
    if (at < n) {
        alignas(64) typename L::Element lanes[hn::MaxLanes(typename L::D())];
        L::store(d, some(at, n - at, all...), lanes);
        std::memcpy(dst + at, lanes, (n - at) * sizeof *dst);
    }
}

} // namespace

#endif
