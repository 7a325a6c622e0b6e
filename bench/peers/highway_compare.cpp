// SPDX-License-Identifier: MIT
//
// Comparisons with Highway: to packed bits, with a vector and with a scalar; to bytes; and compare-and-select. 16-bit
// floats are promoted to float, because this version of Highway does not compare them.
#include "peers/highway_lanes.h"
#include "peers/lanes.h"

#include <type_traits>

namespace {

// ---- operators: the six that Highway has. Its Ne is C's !=, which for floats is PTX's neu ----

struct Eq {
    template <class V> static auto of(V x, V y) { return hn::Eq(x, y); }
};
struct Ne {
    template <class V> static auto of(V x, V y) { return hn::Ne(x, y); }
};
struct Lt {
    template <class V> static auto of(V x, V y) { return hn::Lt(x, y); }
};
struct Le { // this version of Highway has it only for floats
    template <class V> static auto of(V x, V y) {
        if constexpr (std::is_floating_point_v<hn::TFromV<V>>)
            return hn::Le(x, y);
        else
            return hn::Not(hn::Gt(x, y));
    }
};
struct Gt {
    template <class V> static auto of(V x, V y) { return hn::Gt(x, y); }
};
struct Ge {
    template <class V> static auto of(V x, V y) { return Le::of(y, x); }
};

// ---- masks to packed bits ----

/// Stores the mask bits of one vector. If a vector has fewer than eight lanes, Bytes is false, and it stores the bits
/// of as many vectors as fill a byte.
template <class L, class Relation, bool Bytes, class Right, class... Vector>
HWY_INLINE void pack(const typename L::Element *a, const Right &right, uint8_t *dst, size_t at,
                     Vector... all) {
    const typename L::D d;
    if constexpr (Bytes) {
        hn::StoreMaskBits(d, Relation::of(L::load(d, a + at), right(at, all...)), dst + at / 8);
    } else {
        const size_t N = hn::Lanes(d);
        uint8_t byte = 0;
        for (size_t i = 0; i < 8; i += N) {
            uint8_t bits[8]; // StoreMaskBits may write that many
            hn::StoreMaskBits(d, Relation::of(L::load(d, a + at + i), right(at + i, all...)), bits);
            byte = static_cast<uint8_t>(byte | bits[0] << i);
        }
        dst[at / 8] = byte;
    }
}

template <class L, class Relation, bool Bytes, class Right, class RightSome, class... Vector>
HWY_INLINE void packed_lanes(const typename L::Element *a, const Right &right, const RightSome &right_some,
                             uint8_t *dst, size_t n, Vector... all) {
    const typename L::D d;
    const size_t N = hn::Lanes(d), step = Bytes ? N : 8;
    size_t at = 0;
    for (; at + 4 * step <= n; at += 4 * step) {
        pack<L, Relation, Bytes>(a, right, dst, at, all...);
        pack<L, Relation, Bytes>(a, right, dst, at + step, all...);
        pack<L, Relation, Bytes>(a, right, dst, at + 2 * step, all...);
        pack<L, Relation, Bytes>(a, right, dst, at + 3 * step, all...);
    }
    for (; at + step <= n; at += step) pack<L, Relation, Bytes>(a, right, dst, at, all...);
    for (unsigned half = 0; at < n; at += N, half += N) {
        const size_t count = n - at < N ? n - at : N;
        uint8_t bits[hn::MaxLanes(Vectors<uint8_t>()) / 8 + 8];
        hn::StoreMaskBits(d, Relation::of(load_some<L>(d, a + at, count), right_some(at, count, all...)),
                          bits);
        bits[(count - 1) / 8] &= static_cast<uint8_t>(0xff >> (7 - (count - 1) % 8));
        if (half)
            dst[at / 8] = static_cast<uint8_t>(dst[at / 8] | bits[0] << half);
        else
            std::memcpy(dst + at / 8, bits, (count + 7) / 8);
    }
}

/// Compares a with right(at, all...), or with right_some(at, count, all...) for an incomplete last vector.
template <class L, class Relation, class Right, class RightSome, class... Vector>
HWY_INLINE void packed_pass(const bench_args *args, const Right &right, const RightSome &right_some,
                            Vector... all) {
    const auto *a = static_cast<const typename L::Element *>(args->a);
    auto *dst = static_cast<uint8_t *>(args->dst);
    if (hn::Lanes(typename L::D()) >= 8)
        packed_lanes<L, Relation, true>(a, right, right_some, dst, args->n, all...);
    else
        packed_lanes<L, Relation, false>(a, right, right_some, dst, args->n, all...);
}

template <class L, class Relation> HWY_NOINLINE void packed_once(const bench_args *args) {
    using T = typename L::Element;
    const typename L::D d;
    const T *b = static_cast<const T *>(args->b);
    packed_pass<L, Relation>(
        args, [=](size_t at) { return L::load(d, b + at); },
        [=](size_t at, size_t count) { return load_some<L>(d, b + at, count); });
}

template <class L, class Relation> HWY_NOINLINE void scalar_once(const bench_args *args) {
    using T = typename L::Element;
    const typename L::D d;
    packed_pass<L, Relation>(
        args, [](size_t /*at*/, auto b) { return b; },
        [](size_t /*at*/, size_t /*count*/, auto b) { return b; },
        L::all(d, *static_cast<const T *>(args->b)));
}

// ---- masks to bytes ----

template <class L, class Relation> HWY_NOINLINE void bytes_once(const bench_args *args) {
    using T = typename L::Element;
    using D = typename L::D;
    const D d;
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<uint8_t, decltype(du)> d8;
    const size_t N = hn::Lanes(d);
    const T *a = static_cast<const T *>(args->a), *b = static_cast<const T *>(args->b);
    uint8_t *dst = static_cast<uint8_t *>(args->dst);
    const auto narrow = [=](auto mask) {
        const auto truth = hn::And(hn::BitCast(du, hn::VecFromMask(d, mask)), hn::Set(du, 1));
        if constexpr (sizeof(Lane<D>) == 1)
            return truth;
        else
            return hn::TruncateTo(d8, truth);
    };
    size_t at = 0;
    for (; at + N <= args->n; at += N)
        hn::StoreU(narrow(Relation::of(L::load(d, a + at), L::load(d, b + at))), d8, dst + at);
    if (at < args->n) {
        const size_t count = args->n - at;
        alignas(64) uint8_t lanes[hn::MaxLanes(D())];
        hn::StoreU(narrow(Relation::of(load_some<L>(d, a + at, count), load_some<L>(d, b + at, count))), d8,
                   lanes);
        std::memcpy(dst + at, lanes, count);
    }
}

// ---- compare and select ----

template <class L, class Relation> HWY_NOINLINE void choose_once(const bench_args *args) {
    using T = typename L::Element;
    using D = typename L::D;
    const D d;
    const T *a = static_cast<const T *>(args->a), *b = static_cast<const T *>(args->b);
    const T *u = static_cast<const T *>(args->u), *v = static_cast<const T *>(args->v);
    each_vector<L>(
        static_cast<T *>(args->dst), args->n,
        [=](size_t i) {
            const auto mask = Relation::of(L::load(d, a + i), L::load(d, b + i));
            return hn::IfThenElse(mask, L::load(d, u + i), L::load(d, v + i));
        },
        [=](size_t i, size_t count) {
            const auto mask = Relation::of(load_some<L>(d, a + i, count), load_some<L>(d, b + i, count));
            return hn::IfThenElse(mask, load_some<L>(d, u + i, count), load_some<L>(d, v + i, count));
        });
}

// ---- the table of functions ----

template <class L, class Relation> bench_fn *compare_of(const bench_what &what) {
    if (what.operation == BENCH_VCMPSEL) {
        // Only types that are not promoted: selecting between promoted 16-bit floats would change NaNs.
        if constexpr (std::is_same_v<L, Plain<typename L::Element>>)
            return repeated<choose_once<L, Relation>>;
    } else if (what.mask == PTO_MASK_PACKED) {
        return what.operation == BENCH_VCMPS ? repeated<scalar_once<L, Relation>>
                                             : repeated<packed_once<L, Relation>>;
    } else if (what.mask == PTO_MASK_BYTE && what.operation == BENCH_VCMP) {
        return repeated<bytes_once<L, Relation>>;
    }
    return nullptr;
}

template <class L> bench_fn *compare_type(const bench_what &what) {
    constexpr bool is_float = std::is_floating_point_v<Lane<typename L::D>>;
    switch (what.cmp) {
    case PTO_EQ: return compare_of<L, Eq>(what);
    case PTO_LT: return compare_of<L, Lt>(what);
    case PTO_LE: return compare_of<L, Le>(what);
    case PTO_GT: return compare_of<L, Gt>(what);
    case PTO_GE: return compare_of<L, Ge>(what);
    case PTO_NE: return is_float ? nullptr : compare_of<L, Ne>(what);
    case PTO_NEU: return compare_of<L, Ne>(what);
    default: return nullptr;
    }
}

// There is no setp: Highway has no BoolOp with a predicate, and no second result q.
bench_fn *find(const bench_what &what) {
    if (what.operation != BENCH_VCMP && what.operation != BENCH_VCMPS && what.operation != BENCH_VCMPSEL)
        return nullptr;
    if ((what.flags & PTO_FTZ) != 0 || what.seed) return nullptr;
    switch (what.type) {
#define TYPE(T, element, bits)                                                                               \
    case PTO_##T: return compare_type<Plain<element>>(what);
        BENCH_INTEGERS(TYPE)
        BENCH_FLOATS(TYPE)
    case PTO_F16: return compare_type<Half<float16_t>>(what);
    case PTO_BF16: return compare_type<Half<bfloat16_t>>(what);
    default: return nullptr;
    }
}

} // namespace

extern "C" bench_find HIGHWAY_FINDER(compare);

bench_fn *HIGHWAY_FINDER(compare)(const bench_what *what) {
    return find(*what);
}
