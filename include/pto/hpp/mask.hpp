/* SPDX-License-Identifier: MIT */
/**
 * @file mask.hpp  Masks as views with kind and length, and the calls of mask.h, which documents each call under its
 * C name.
 */
#ifndef PTO_HPP_MASK_HPP
#define PTO_HPP_MASK_HPP

#include "array.hpp"

namespace pto {

/**
 * Returns the bytes of a mask, as pto_mask_bytes() does; 0 for an unknown kind. It is defined here so that the
 * compiler can evaluate it.
 */
constexpr std::size_t mask_bytes(pto_mask_kind kind, std::size_t lanes) noexcept {
    std::size_t bits = 0; /* per lane */
    switch (kind) {
    case PTO_MASK_PACKED:
    case PTO_MASK_B8: bits = 1; break;
    case PTO_MASK_B16: bits = 2; break;
    case PTO_MASK_B32: bits = 4; break;
    case PTO_MASK_B64:
    case PTO_MASK_BYTE: bits = 8; break;
    }
    return lanes / 8 * bits + (lanes % 8 * bits + 7) / 8;
}

/** The Bxx kind of mask that fits lanes of this type, such as PTO_MASK_B32 for float. */
template <element T>
inline constexpr pto_mask_kind mask_kind_of = sizeof(T) == 1   ? PTO_MASK_B8
                                              : sizeof(T) == 2 ? PTO_MASK_B16
                                              : sizeof(T) == 4 ? PTO_MASK_B32
                                                               : PTO_MASK_B64;

/**
 * A read-only view of a mask, which it does not own. An empty view is PTO_NO_MASK, which means every lane in calls
 * whose mask is optional.
 */
class const_mask {
  public:
    constexpr const_mask() noexcept = default;
    /** The caller guarantees that mask_bytes(kind, lanes) bytes are at data; a pointer has no length to check. */
    const_mask(const void *data, pto_mask_kind kind, std::size_t lanes) noexcept
        : data_(data), lanes_(lanes), kind_(kind) {}

    const void *data() const noexcept { return data_; }
    pto_mask_kind kind() const noexcept { return kind_; }
    std::size_t lanes() const noexcept { return lanes_; }
    bool is_none() const noexcept { return data_ == nullptr; }

    /** Returns a view of the first `lanes` lanes. Throws PTO_ERR_SIZE if the mask has fewer. */
    const_mask first(std::size_t lanes) const {
        detail::check_size(lanes <= lanes_, "mask::first", "a mask cannot get more lanes than it has");
        return const_mask(data_, kind_, lanes);
    }

    /** Returns the mask for C calls. */
    pto_mask c() const noexcept { return pto_mask_in(data_, kind_); }

  private:
    const void *data_ = nullptr;
    std::size_t lanes_ = 0;
    pto_mask_kind kind_ = PTO_MASK_PACKED;
};

/** A view of a mask for reading and writing, which it does not own. Members are as in const_mask. */
class mask {
  public:
    constexpr mask() noexcept = default;
    mask(void *data, pto_mask_kind kind, std::size_t lanes) noexcept
        : data_(data), lanes_(lanes), kind_(kind) {}

    void *data() const noexcept { return data_; }
    pto_mask_kind kind() const noexcept { return kind_; }
    std::size_t lanes() const noexcept { return lanes_; }
    bool is_none() const noexcept { return data_ == nullptr; }

    mask first(std::size_t lanes) const {
        detail::check_size(lanes <= lanes_, "mask::first", "a mask cannot get more lanes than it has");
        return mask(data_, kind_, lanes);
    }

    pto_mask c() const noexcept { return pto_mask_at(data_, kind_); }
    operator const_mask() const noexcept { return const_mask(data_, kind_, lanes_); }

  private:
    void *data_ = nullptr;
    std::size_t lanes_ = 0;
    pto_mask_kind kind_ = PTO_MASK_PACKED;
};

namespace detail {

/** Memory that can hold masks: integers of any size, and bool. */
template <class T>
concept mask_word = std::integral<std::remove_cv_t<T>>;

template <class R>
concept mask_memory = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R> && mask_word<std::ranges::range_value_t<R>>;

template <class R>
inline constexpr bool is_const_memory =
    std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

template <class R> using mask_of_memory = std::conditional_t<is_const_memory<R>, const_mask, mask>;

/** Returns whether a mask is empty or has n lanes. */
inline bool mask_fits(const_mask m, std::size_t n) noexcept {
    return m.is_none() || m.lanes() == n;
}

/** Returns whether a required mask has n lanes. An empty mask has 0 lanes. */
inline bool result_mask_fits(const_mask m, std::size_t n) noexcept {
    return m.lanes() == n;
}

} // namespace detail

/**
 * Returns a view of memory as a mask of the given kind and number of lanes. It is a const_mask if the memory is const.
 * Throws PTO_ERR_SIZE if the memory is too short.
 */
template <detail::mask_memory R>
detail::mask_of_memory<R> mask_at(R &&memory, pto_mask_kind kind, std::size_t lanes) {
    detail::check_size(detail::length(memory) * sizeof(std::ranges::range_value_t<R>) >=
                           mask_bytes(kind, lanes),
                       "mask_at", "the memory must have at least mask_bytes(kind, lanes) bytes");
    return detail::mask_of_memory<R>(std::ranges::data(memory), kind, lanes);
}

/** Returns a PACKED mask in memory. Throws PTO_ERR_SIZE if the memory is too short. */
template <detail::mask_memory R> detail::mask_of_memory<R> packed(R &&memory, std::size_t lanes) {
    return mask_at(memory, PTO_MASK_PACKED, lanes);
}

/** Returns a BYTE mask in memory. Each element has one byte and may be bool. */
template <detail::mask_memory R>
requires(sizeof(std::ranges::range_value_t<R>) == 1) detail::mask_of_memory<R> bytes(R &&memory) {
    return mask_at(memory, PTO_MASK_BYTE, detail::length(memory));
}

/* ---- logic and queries; they throw PTO_ERR_SIZE if masks differ in length ---- */

inline void mask_and(const_mask a, const_mask b, mask dst) {
    detail::check_size(a.lanes() == dst.lanes() && b.lanes() == dst.lanes(), "mask_and");
    detail::check(pto_mask_and(a.c(), b.c(), dst.c(), dst.lanes()), "mask_and");
}

inline void mask_or(const_mask a, const_mask b, mask dst) {
    detail::check_size(a.lanes() == dst.lanes() && b.lanes() == dst.lanes(), "mask_or");
    detail::check(pto_mask_or(a.c(), b.c(), dst.c(), dst.lanes()), "mask_or");
}

inline void mask_xor(const_mask a, const_mask b, mask dst) {
    detail::check_size(a.lanes() == dst.lanes() && b.lanes() == dst.lanes(), "mask_xor");
    detail::check(pto_mask_xor(a.c(), b.c(), dst.c(), dst.lanes()), "mask_xor");
}

inline void mask_not(const_mask a, mask dst) {
    detail::check_size(a.lanes() == dst.lanes(), "mask_not");
    detail::check(pto_mask_not(a.c(), dst.c(), dst.lanes()), "mask_not");
}

inline void mask_mov(const_mask a, mask dst) {
    detail::check_size(a.lanes() == dst.lanes(), "mask_mov");
    detail::check(pto_mask_mov(a.c(), dst.c(), dst.lanes()), "mask_mov");
}

inline void mask_sel(const_mask a, const_mask b, const_mask sel, mask dst) {
    const std::size_t n = dst.lanes();
    detail::check_size(a.lanes() == n && b.lanes() == n && sel.lanes() == n, "mask_sel");
    detail::check(pto_mask_sel(a.c(), b.c(), sel.c(), dst.c(), n), "mask_sel");
}

inline std::size_t mask_count(const_mask m) {
    std::size_t count = 0;
    detail::check(pto_mask_count(m.c(), m.lanes(), &count), "mask_count");
    return count;
}

inline bool mask_any(const_mask m) {
    bool answer = false;
    detail::check(pto_mask_any(m.c(), m.lanes(), &answer), "mask_any");
    return answer;
}

inline bool mask_all(const_mask m) {
    bool answer = false;
    detail::check(pto_mask_all(m.c(), m.lanes(), &answer), "mask_all");
    return answer;
}

inline bool mask_none(const_mask m) {
    bool answer = false;
    detail::check(pto_mask_none(m.c(), m.lanes(), &answer), "mask_none");
    return answer;
}

/** Returns the first lane that is on, m.lanes() if none is. */
inline std::size_t mask_first(const_mask m) {
    std::size_t lane = 0;
    detail::check(pto_mask_first(m.c(), m.lanes(), &lane), "mask_first");
    return lane;
}

/** Returns one lane. Throws PTO_ERR_SIZE if the mask does not have it. */
inline bool mask_get(const_mask m, std::size_t i) {
    detail::check_size(i < m.lanes(), "mask_get", "the lane must be below the number of lanes");
    return pto_mask_get(m.c(), i);
}

inline void mask_set(mask m, std::size_t i, bool on) {
    detail::check_size(i < m.lanes(), "mask_set", "the lane must be below the number of lanes");
    pto_mask_set(m.c(), i, on);
}

/* ---- ranges of lanes ---- */

namespace detail {

/** Returns whether lanes `lane` to `lane + n - 1` are in a mask. */
inline bool has_lanes(const_mask m, std::size_t lane, std::size_t n) noexcept {
    return lane <= m.lanes() && n <= m.lanes() - lane;
}

/** Returns whether a view may start at `lane` of a mask. At the end of the mask the view is empty. */
inline bool may_start_view(const_mask m, std::size_t lane) noexcept {
    return lane % 8 == 0 && lane <= m.lanes();
}

} // namespace detail

/** Copies n lanes. Throws PTO_ERR_SIZE if either mask does not have n lanes from its start lane on. */
inline void mask_copy(const_mask src, std::size_t src_lane, mask dst, std::size_t dst_lane, std::size_t n) {
    detail::check_size(detail::has_lanes(src, src_lane, n) && detail::has_lanes(dst, dst_lane, n),
                       "mask_copy", "the lanes to copy must lie within both masks");
    detail::check(pto_mask_copy(src.c(), src_lane, dst.c(), dst_lane, n), "mask_copy");
}

/** Switches lanes `from` to `to - 1` of dst on, and all others off. */
inline void mask_range(mask dst, std::size_t from, std::size_t to) {
    detail::check_size(from <= to && to <= dst.lanes(), "mask_range",
                       "from must not be above to, nor to above the number of lanes");
    detail::check(pto_mask_range(dst.c(), from, to, dst.lanes()), "mask_range");
}

/**
 * Returns a view of a mask from `lane` to its end. To get fewer lanes, call first() on the view. An empty mask stays
 * empty. Throws PTO_ERR_SIZE if `lane` is not a multiple of 8 or is after the end.
 */
inline const_mask mask_from(const_mask m, std::size_t lane) {
    if (m.is_none()) return m;
    detail::check_size(detail::may_start_view(m, lane), "mask_from",
                       "the lane must be a multiple of 8 and not above the number of lanes");
    return const_mask(pto_mask_from(m.c(), lane).data, m.kind(), m.lanes() - lane);
}

/** mask_from() for a mask that can be written. */
inline mask mask_from(mask m, std::size_t lane) {
    if (m.is_none()) return m;
    detail::check_size(detail::may_start_view(m, lane), "mask_from",
                       "the lane must be a multiple of 8 and not above the number of lanes");
    return mask(pto_mask_from(m.c(), lane).data, m.kind(), m.lanes() - lane);
}

/** Lanes `begin` to `begin + count - 1`. */
struct share {
    std::size_t begin, count;
};

/** Returns the k-th of `parts` parts of n lanes. */
inline share split(std::size_t n, std::size_t parts, std::size_t k) {
    share result{};
    detail::check(pto_split(n, parts, k, &result.begin, &result.count), "split");
    return result;
}

} // namespace pto

#endif
