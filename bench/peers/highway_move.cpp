// SPDX-License-Identifier: MIT
//
// Compression by packed bits with Highway. Highway 1.0.3 cannot expand.
#include "peers/highway.h"

namespace {

/// Returns the mask of the lanes from `at` on. LoadMaskBits may read eight bytes, which the bench's buffers have.
template <class D> auto mask_at(D d, const uint8_t *m, size_t at) {
    const size_t N = hn::Lanes(d);
    if (N >= 8) return hn::LoadMaskBits(d, m + at / 8);
    const uint8_t bits[8] = {static_cast<uint8_t>(m[at / 8] >> at % 8)};
    return hn::LoadMaskBits(d, bits);
}

/// Returns how many of the first n bits are ones.
size_t ones_of(const uint8_t *bits, size_t n) {
    size_t count = 0, i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t word;
        std::memcpy(&word, bits + i / 8, sizeof word);
        count += hwy::PopCount(word);
    }
    for (; i < n; i++) count += bits[i / 8] >> i % 8 & 1;
    return count;
}

/// CompressStore() writes whole vectors. Near the end of the result, where these would change elements after it, it is
/// replaced by the slower CompressBlendedStore().
template <class T> HWY_NOINLINE void compress(const bench_args *args) {
    const Vectors<T> d;
    const size_t N = hn::Lanes(d);
    const T *x = static_cast<const T *>(args->a);
    const uint8_t *m = static_cast<const uint8_t *>(args->m);
    T *const dst = static_cast<T *>(args->dst);
    const size_t all = ones_of(m, args->n);
    size_t at = 0, count = 0;
    for (; at + N <= args->n && count + N <= all; at += N)
        count += hn::CompressStore(hn::LoadU(d, x + at), mask_at(d, m, at), d, dst + count);
    for (; at + N <= args->n; at += N)
        count += hn::CompressBlendedStore(hn::LoadU(d, x + at), mask_at(d, m, at), d, dst + count);
    for (; at < args->n; at++)
        if ((m[at / 8] >> at % 8 & 1) != 0) dst[count++] = x[at];
}

bench_fn *find(const bench_what &what) {
    if (what.operation != BENCH_VCOMPRESS || what.mask != PTO_MASK_PACKED) return nullptr;
    switch (pto_dtype_bits(what.type)) {
    case 16: return repeated<compress<uint16_t>>;
    case 32: return repeated<compress<uint32_t>>;
    case 64: return repeated<compress<uint64_t>>;
    default: return nullptr; // Highway 1.0.3 has no compression of bytes
    }
}

} // namespace

extern "C" bench_find HIGHWAY_FINDER(move);

bench_fn *HIGHWAY_FINDER(move)(const bench_what *what) {
    return find(*what);
}
