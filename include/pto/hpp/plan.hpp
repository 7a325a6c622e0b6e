/* SPDX-License-Identifier: MIT */
/**
 * @file plan.hpp
 * The plans of plan.h, each a class that knows its lane types. They are plain values: copy them, share them between
 * threads. A run checks lengths and the kinds of masks, which the C plans leave to the caller, and nothing else:
 * overlap is the caller's to avoid.
 */
#ifndef PTO_HPP_PLAN_HPP
#define PTO_HPP_PLAN_HPP

#include "convert.hpp"

namespace pto {

namespace detail {

/** A mask of another kind than a plan's would be read as what it is not. */
inline void check_kind(const_mask m, pto_mask_kind kind) {
    if (!m.is_none() && m.kind() != kind) [[unlikely]]
        fail(PTO_ERR_MASK);
}

/** A plan, and the kinds of masks that it was made for: of a mask to read, and of a result. */
class plan {
  public:
    const pto_plan &c() const noexcept { return plan_; }

  protected:
    plan(pto_mask_kind in, pto_mask_kind out) noexcept : in_(in), out_(out) {}

    /** For the call that prepares it. */
    pto_plan *prepared() noexcept { return &plan_; }

    /** Runs on what has been found to fit. */
    void run(const void *a, const void *b, const void *m, void *dst, std::size_t n) const {
        pto_run(&plan_, a, b, m, dst, n);
    }

    void check_masks(const_mask in, const_mask out, std::size_t n) const {
        check_kind(in, in_);
        check_kind(out, out_);
        check_size(fits(in, n) && fits_result(out, n));
    }

  private:
    pto_plan plan_{};
    pto_mask_kind in_, out_;
};

} // namespace detail

/** seed: the kind of the seeds that runs may have. */
template <element T> class plan_vcmp : public detail::plan {
  public:
    explicit plan_vcmp(pto_cmp op, unsigned flags = 0, pto_mask_kind seed = PTO_MASK_PACKED,
                       pto_mask_kind dst = PTO_MASK_PACKED)
        : plan(seed, dst) {
        detail::check(pto_plan_vcmp(prepared(), dtype_of<T>, op, flags, seed, dst));
    }

    void operator()(std::span<const T> src0, std::span<const T> src1, const_mask seed, mask dst) const {
        detail::check_size(src0.size() == src1.size());
        check_masks(seed, dst, src0.size());
        run(src0.data(), src1.data(), seed.data(), dst.data(), src0.size());
    }

    void operator()(std::span<const T> src0, std::span<const T> src1, mask dst) const {
        (*this)(src0, src1, const_mask(), dst);
    }
};

template <element T> class plan_vcmps : public detail::plan {
  public:
    explicit plan_vcmps(pto_cmp op, unsigned flags = 0, pto_mask_kind seed = PTO_MASK_PACKED,
                        pto_mask_kind dst = PTO_MASK_PACKED)
        : plan(seed, dst) {
        detail::check(pto_plan_vcmps(prepared(), dtype_of<T>, op, flags, seed, dst));
    }

    void operator()(std::span<const T> src, T scalar, const_mask seed, mask dst) const {
        check_masks(seed, dst, src.size());
        run(src.data(), &scalar, seed.data(), dst.data(), src.size());
    }

    void operator()(std::span<const T> src, T scalar, mask dst) const {
        (*this)(src, scalar, const_mask(), dst);
    }
};

template <element T> class plan_vsel : public detail::plan {
  public:
    explicit plan_vsel(pto_mask_kind mask = PTO_MASK_PACKED) : plan(mask, mask) {
        detail::check(pto_plan_vsel(prepared(), dtype_of<T>, mask));
    }

    void operator()(std::span<const T> src0, std::span<const T> src1, const_mask m, std::span<T> dst) const {
        detail::check_size(src0.size() == dst.size() && src1.size() == dst.size());
        check_masks(m, m, dst.size());
        run(src0.data(), src1.data(), m.data(), dst.data(), dst.size());
    }
};

/** Of a conversion of From to To; op's types are these, else PTO_ERR_TYPE. */
template <element To, element From> class plan_cvt : public detail::plan {
  public:
    explicit plan_cvt(pto_cvt_op op) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED), op_(op) {
        detail::check_types<To, From>(op.dst, op.src);
        detail::check(pto_plan_cvt(prepared(), op));
    }

    /** For an op without random bits and scales, else PTO_ERR_NULL. */
    void operator()(std::span<const From> src, std::span<To> dst) const {
        const std::size_t n = detail::common_size(src, dst);
        if (n != 0 && (op_.round == PTO_RS || op_.scale != PTO_SCALE_NONE)) [[unlikely]]
            detail::fail(PTO_ERR_NULL);
        run(src.data(), nullptr, nullptr, dst.data(), n);
    }

    /** For PTO_RS, else PTO_ERR_MODIFIER. */
    void operator()(std::span<const From> src, std::span<To> dst,
                    std::span<const std::uint32_t> rbits) const {
        constexpr std::size_t group = detail::rbits_group<To>;
        const std::size_t n = detail::common_size(src, dst);
        if (op_.round != PTO_RS) [[unlikely]]
            detail::fail(PTO_ERR_MODIFIER);
        detail::check_size(n % group == 0 && rbits.size() == n / group);
        run(src.data(), nullptr, rbits.data(), dst.data(), n);
    }

    /** For scales, else PTO_ERR_MODIFIER. */
    void operator()(std::span<const From> src, std::span<To> dst, std::span<const ue8m0> scales) const {
        const std::size_t n = detail::common_size(src, dst);
        if (op_.scale == PTO_SCALE_NONE) [[unlikely]]
            detail::fail(PTO_ERR_MODIFIER);
        detail::check_size(scales.size() == (op_.scale == PTO_SCALE_N1 ? n / 2 + n % 2 : n));
        run(src.data(), nullptr, scales.data(), dst.data(), n);
    }

  private:
    pto_cvt_op op_;
};

} // namespace pto

#endif
