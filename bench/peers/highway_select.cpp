// SPDX-License-Identifier: MIT
//
// Select by packed bits or by bytes.
#include "peers/highway.h"

namespace {

/// The mask of the lanes from `at` on. LoadMaskBits may read eight bytes: the bench's buffers have them.
template <class D> auto mask_bits(D d, const uint8_t *m, size_t at) {
    if constexpr (hn::MaxLanes(D()) >= 8) {
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

template <class T, bool Bytes> HWY_NOINLINE void select_once(const bench_args *args) {
    using D = hn::ScalableTag<T>;
    const D d;
    constexpr size_t N = hn::MaxLanes(D());
    const bool reversed = args->what->operation == BENCH_VSELR;
    const T *x = static_cast<const T *>(reversed ? args->b : args->a);
    const T *y = static_cast<const T *>(reversed ? args->a : args->b);
    const uint8_t *m = static_cast<const uint8_t *>(args->m);
    T *dst = static_cast<T *>(args->dst);
    const auto one = [=](size_t i) {
        if constexpr (Bytes)
            hn::StoreU(hn::IfThenElse(mask_bytes(d, m, i), hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d,
                       dst + i);
        else
            hn::StoreU(hn::IfThenElse(mask_bits(d, m, i), hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d,
                       dst + i);
    };
    size_t at = 0;
    for (; at + 4 * N <= args->n; at += 4 * N) {
        one(at);
        one(at + N);
        one(at + 2 * N);
        one(at + 3 * N);
    }
    for (; at + N <= args->n; at += N) one(at);
    for (; at < args->n; at++) dst[at] = (Bytes ? m[at] : m[at / 8] >> at % 8 & 1) ? x[at] : y[at];
}

bench_fn *find(const bench_what &what) {
    const bool bytes = what.mask == PTO_MASK_BYTE;
    if (what.operation != BENCH_VSEL && what.operation != BENCH_VSELR) return nullptr;
    if (!bytes && what.mask != PTO_MASK_PACKED) return nullptr;
    switch (pto_dtype_bits(what.type)) {
    case 8: return bytes ? repeated<select_once<uint8_t, true>> : repeated<select_once<uint8_t, false>>;
    case 16: return bytes ? repeated<select_once<uint16_t, true>> : repeated<select_once<uint16_t, false>>;
    case 32: return bytes ? repeated<select_once<uint32_t, true>> : repeated<select_once<uint32_t, false>>;
    case 64: return bytes ? nullptr : repeated<select_once<uint64_t, false>>; // it has no u8 -> u64
    default: return nullptr;
    }
}

} // namespace

extern "C" bench_find HIGHWAY_FINDER(select);

bench_fn *HIGHWAY_FINDER(select)(const bench_what *what) {
    return find(*what);
}
