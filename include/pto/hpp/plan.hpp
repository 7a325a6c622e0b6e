/* SPDX-License-Identifier: MIT */
/**
 * @file plan.hpp
 * The plans of plan.h as classes with lane types. They are plain values: copy them, share them between threads.
 *
 * plan.h documents each plan under its C name. A run checks lengths and the kinds of masks, which the C plans leave
 * to the caller. It does not check overlap.
 *
 * If a source may be a scalar, that is part of the plan's type: plan_vclamp<float, PTO_SCALAR_1 | PTO_SCALAR_2> is
 * called with an array and two values.
 */
#ifndef PTO_HPP_PLAN_HPP
#define PTO_HPP_PLAN_HPP

#include "convert.hpp"
#include "maxmin.hpp"

namespace pto {

namespace detail {

/** Throws PTO_ERR_MASK if a mask is not of the plan's kind: the plan would read it wrongly. */
inline void check_kind(const_mask m, pto_mask_kind kind, const char *call) {
    if (!m.is_none() && m.kind() != kind) [[unlikely]]
        fail(PTO_ERR_MASK, call, "masks must be of the kinds that the plan was made for");
}

/** A source of a plan: a value for all lanes, or an array. */
template <element T, bool IsScalar> using plan_source = std::conditional_t<IsScalar, T, std::span<const T>>;

template <element T> bool source_fits(const T & /*scalar*/, std::size_t /*n*/) noexcept {
    return true;
}

template <element T> bool source_fits(const std::span<const T> &array, std::size_t n) noexcept {
    return array.size() == n;
}

template <element T> const void *source_data(const T &scalar) noexcept {
    return &scalar;
}

template <element T> const void *source_data(const std::span<const T> &array) noexcept {
    return array.data();
}

/** Base of all plans: the C plan, and the kinds of its masks, `in` for a source and `out` for a result. */
class plan {
  public:
    const pto_plan &c() const noexcept { return plan_; }

  protected:
    plan(pto_mask_kind in, pto_mask_kind out) noexcept : in_(in), out_(out) {}

    /** Returns the C plan for writing. Constructors pass it to pto_plan_vcmp() and similar calls. */
    pto_plan *prepared() noexcept { return &plan_; }

    /** Runs the plan on operands that have been checked. */
    void run(const void *a, const void *b, const void *m, void *dst, std::size_t n) const {
        pto_run(&plan_, a, b, m, dst, n);
    }

    void run(const pto_operands &operands, std::size_t n) const { pto_run_operands(&plan_, &operands, n); }

    /** Runs the plan on these sources and one result. */
    template <element T, class... Sources>
    void run_sources(std::span<T> dst, const Sources &...sources) const {
        run({.src = {source_data(sources)...}, .dst = {dst.data()}}, dst.size());
    }

    template <class... Sources>
    static void check_sources(const char *call, std::size_t n, const Sources &...sources) {
        check_size((source_fits(sources, n) && ...), call);
    }

    void check_mask(const_mask in, std::size_t n, const char *call) const {
        check_kind(in, in_, call);
        check_size(mask_fits(in, n), call);
    }

    void check_masks(const_mask in, const_mask out, std::size_t n, const char *call) const {
        check_kind(in, in_, call);
        check_kind(out, out_, call);
        check_size(mask_fits(in, n) && result_mask_fits(out, n), call);
    }

  private:
    pto_plan plan_{};
    pto_mask_kind in_, out_;
};

} // namespace detail

/* ---- runs of any plan; the caller guarantees that the memory at the pointers is large enough ---- */

inline void run_operands(const detail::plan &plan, const pto_operands &operands, std::size_t n) {
    pto_run_operands(&plan.c(), &operands, n);
}

/** Throws unless run_rows() may be called with these arguments. */
inline void rows_check(const detail::plan &plan, const pto_operands &operands, const pto_steps &steps,
                       std::size_t n, std::size_t rows) {
    detail::check(pto_rows_check(&plan.c(), &operands, &steps, n, rows), "rows_check");
}

inline void run_rows(const detail::plan &plan, const pto_operands &operands, const pto_steps &steps,
                     std::size_t n, std::size_t rows) {
    pto_run_rows(&plan.c(), &operands, &steps, n, rows);
}

/* ---- the plan of each call ---- */

/** seed, dst: the kinds of masks that runs use. */
template <element T> class plan_vcmp : public detail::plan {
  public:
    explicit plan_vcmp(pto_cmp op, unsigned flags = 0, pto_mask_kind seed = PTO_MASK_PACKED,
                       pto_mask_kind dst = PTO_MASK_PACKED)
        : plan(seed, dst) {
        detail::check(pto_plan_vcmp(prepared(), dtype_of<T>, op, flags, seed, dst), "plan_vcmp");
    }

    void operator()(std::span<const T> src0, std::span<const T> src1, const_mask seed, mask dst) const {
        detail::check_size(src0.size() == src1.size(), "plan_vcmp");
        check_masks(seed, dst, src0.size(), "plan_vcmp");
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
        detail::check(pto_plan_vcmps(prepared(), dtype_of<T>, op, flags, seed, dst), "plan_vcmps");
    }

    void operator()(std::span<const T> src, T scalar, const_mask seed, mask dst) const {
        check_masks(seed, dst, src.size(), "plan_vcmps");
        run(src.data(), &scalar, seed.data(), dst.data(), src.size());
    }

    void operator()(std::span<const T> src, T scalar, mask dst) const {
        (*this)(src, scalar, const_mask(), dst);
    }
};

template <element T> class plan_testp : public detail::plan {
  public:
    explicit plan_testp(pto_float_test test, unsigned flags = 0, pto_mask_kind seed = PTO_MASK_PACKED,
                        pto_mask_kind dst = PTO_MASK_PACKED)
        : plan(seed, dst) {
        detail::check(pto_plan_testp(prepared(), dtype_of<T>, test, flags, seed, dst), "plan_testp");
    }

    void operator()(std::span<const T> src, const_mask seed, mask dst) const {
        check_masks(seed, dst, src.size(), "plan_testp");
        run(src.data(), nullptr, seed.data(), dst.data(), src.size());
    }

    void operator()(std::span<const T> src, mask dst) const { (*this)(src, const_mask(), dst); }
};

template <element T> class plan_vsel : public detail::plan {
  public:
    explicit plan_vsel(pto_mask_kind mask = PTO_MASK_PACKED) : plan(mask, mask) {
        detail::check(pto_plan_vsel(prepared(), dtype_of<T>, mask), "plan_vsel");
    }

    void operator()(std::span<const T> src0, std::span<const T> src1, const_mask m, std::span<T> dst) const {
        detail::check_size(src0.size() == dst.size() && src1.size() == dst.size(), "plan_vsel");
        check_masks(m, m, dst.size(), "plan_vsel");
        run(src0.data(), src1.data(), m.data(), dst.data(), dst.size());
    }
};

/** Plan of a conversion from From to To. Throws PTO_ERR_TYPE if op has other types. */
template <element To, element From> class plan_cvt : public detail::plan {
  public:
    explicit plan_cvt(pto_cvt_op op) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED), op_(op) {
        detail::check_types<To, From>(op.dst, op.src, "plan_cvt");
        detail::check(pto_plan_cvt(prepared(), op), "plan_cvt");
    }

    /**
     * Runs an op that takes neither random bits nor scales. For other ops, throws PTO_ERR_NULL unless the arrays are
     * empty.
     */
    void operator()(std::span<const From> src, std::span<To> dst) const {
        const std::size_t n = detail::common_size(src, dst, "plan_cvt");
        if (n != 0 && (op_.round == PTO_RS || op_.scale != PTO_SCALE_NONE)) [[unlikely]]
            detail::fail(PTO_ERR_NULL, "plan_cvt", "PTO_RS needs random bits, and a scale needs scales");
        run(src.data(), nullptr, nullptr, dst.data(), n);
    }

    /** Runs an op with PTO_RS. Throws PTO_ERR_MODIFIER for other ops. */
    void operator()(std::span<const From> src, std::span<To> dst,
                    std::span<const std::uint32_t> rbits) const {
        const std::size_t n = detail::common_size(src, dst, "plan_cvt");
        detail::check_rbits<To>(op_, n, rbits, "plan_cvt");
        run(src.data(), nullptr, rbits.data(), dst.data(), n);
    }

    /** Runs an op with scales. Throws PTO_ERR_MODIFIER for other ops. */
    void operator()(std::span<const From> src, std::span<To> dst, std::span<const ue8m0> scales) const {
        const std::size_t n = detail::common_size(src, dst, "plan_cvt");
        detail::check_scales(op_, n, scales, "plan_cvt");
        run(src.data(), nullptr, scales.data(), dst.data(), n);
    }

  private:
    pto_cvt_op op_;
};

/** Plan of a conversion from From to To. Throws PTO_ERR_TYPE if op has other types. */
template <element To, element From> class plan_cast : public detail::plan {
  public:
    explicit plan_cast(pto_cast_op op) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED), op_(op) {
        detail::check_types<To, From>(op.dst, op.src, "plan_cast");
        detail::check(pto_plan_cast(prepared(), op), "plan_cast");
    }

    /** Throws PTO_ERR_NULL if the rounding is PTO_RS, unless the arrays are empty. */
    void operator()(std::span<const From> src, std::span<To> dst) const {
        const std::size_t n = detail::common_size(src, dst, "plan_cast");
        if (n != 0 && op_.round == PTO_RS) [[unlikely]]
            detail::fail(PTO_ERR_NULL, "plan_cast", "PTO_RS needs random bits");
        run(src.data(), nullptr, nullptr, dst.data(), n);
    }

    /** Runs an op with PTO_RS. Throws PTO_ERR_MODIFIER for other ops. */
    void operator()(std::span<const From> src, std::span<To> dst,
                    std::span<const std::uint32_t> random_bits) const {
        const std::size_t n = detail::common_size(src, dst, "plan_cast");
        if (op_.round != PTO_RS) [[unlikely]]
            detail::fail(PTO_ERR_MODIFIER, "plan_cast", "random bits go with PTO_RS only");
        detail::check_size(random_bits.size() == n, "plan_cast",
                           "random_bits must have a word for each element");
        run(src.data(), nullptr, random_bits.data(), dst.data(), n);
    }

  private:
    pto_cast_op op_;
};

namespace detail {

/** Base of the plans of setp and set, whose runs take c if and only if the op has a BoolOp. */
class plan_with_c : public plan {
  protected:
    plan_with_c(pto_boolop boolop, pto_mask_kind c, pto_mask_kind out) noexcept
        : plan(c, out), takes_c_(boolop != PTO_BOOL_NONE) {}

    /**
     * Throws PTO_ERR_NULL if the op has a BoolOp, c is empty and n is not 0. Throws PTO_ERR_MODIFIER if the op has no
     * BoolOp and c is not empty.
     */
    void check_c(const_mask c, std::size_t n, const char *call) const {
        if (takes_c_ && c.is_none() && n != 0) [[unlikely]]
            fail(PTO_ERR_NULL, call, "an op with a BoolOp needs c");
        if (!takes_c_ && !c.is_none()) [[unlikely]]
            fail(PTO_ERR_MODIFIER, call, "c goes with a BoolOp only");
    }

  private:
    bool takes_c_;
};

} // namespace detail

/** Throws PTO_ERR_TYPE if op.type is not the pto_dtype of T. */
template <element T> class plan_setp : public detail::plan_with_c {
  public:
    explicit plan_setp(pto_setp_op op, pto_mask_kind c = PTO_MASK_PACKED, pto_mask_kind p = PTO_MASK_PACKED,
                       pto_mask_kind q = PTO_MASK_PACKED)
        : plan_with_c(op.boolop, c, p), q_(q) {
        detail::check_type(op.type == dtype_of<T>, "plan_setp");
        detail::check(pto_plan_setp(prepared(), op, c, p, q), "plan_setp");
    }

    /** If op has no BoolOp, c must be {}. If q is {}, it is not computed. */
    void operator()(std::span<const T> a, std::span<const T> b, const_mask c, mask p, mask q = {}) const {
        const std::size_t n = a.size();
        check_c(c, n, "plan_setp");
        check_masks(c, p, n, "plan_setp");
        detail::check_kind(q, q_, "plan_setp");
        detail::check_size(b.size() == n && detail::mask_fits(q, n), "plan_setp");
        run({.src = {a.data(), b.data(), c.data()}, .dst = {p.data(), q.data()}}, n);
    }

  private:
    pto_mask_kind q_;
};

/** Plan of a comparison of From whose results are To. Throws PTO_ERR_TYPE if op has other types. */
template <element To, element From> class plan_set : public detail::plan_with_c {
  public:
    explicit plan_set(pto_set_op op, pto_mask_kind c = PTO_MASK_PACKED) : plan_with_c(op.boolop, c, c) {
        detail::check_types<To, From>(op.dtype, op.stype, "plan_set");
        detail::check(pto_plan_set(prepared(), op, c), "plan_set");
    }

    /** If op has no BoolOp, c must be {}. */
    void operator()(std::span<const From> a, std::span<const From> b, const_mask c, std::span<To> dst) const {
        const std::size_t n = dst.size();
        check_c(c, n, "plan_set");
        check_mask(c, n, "plan_set");
        detail::check_size(a.size() == n && b.size() == n, "plan_set");
        run(a.data(), b.data(), c.data(), dst.data(), n);
    }
};

/** C: std::int32_t or float; ftz is legal only with float. */
template <element T, element C> class plan_slct : public detail::plan {
  public:
    explicit plan_slct(bool ftz = false) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED) {
        detail::check(pto_plan_slct(prepared(), dtype_of<T>, dtype_of<C>, ftz), "plan_slct");
    }

    void operator()(std::span<const T> a, std::span<const T> b, std::span<const C> c,
                    std::span<T> dst) const {
        const std::size_t n = dst.size();
        detail::check_size(a.size() == n && b.size() == n && c.size() == n, "plan_slct");
        run(a.data(), b.data(), c.data(), dst.data(), n);
    }
};

/** Scalars: a set of PTO_SCALAR_0 to PTO_SCALAR_3, for x, y, u and v. */
template <element T, unsigned Scalars = 0>
requires(Scalars < 16) class plan_vcmpsel : public detail::plan {
    template <unsigned Bit> using in = detail::plan_source<T, (Scalars & Bit) != 0>;

  public:
    explicit plan_vcmpsel(pto_cmp op, unsigned flags = 0) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED) {
        detail::check(pto_plan_vcmpsel(prepared(), dtype_of<T>, op, flags, Scalars), "plan_vcmpsel");
    }

    void operator()(in<PTO_SCALAR_0> x, in<PTO_SCALAR_1> y, in<PTO_SCALAR_2> u, in<PTO_SCALAR_3> v,
                    std::span<T> dst) const {
        check_sources("plan_vcmpsel", dst.size(), x, y, u, v);
        run_sources(dst, x, y, u, v);
    }
};

/** Scalars: a set of PTO_SCALAR_0 and PTO_SCALAR_1, for src0 and src1. */
template <element T, unsigned Scalars = 0>
requires(Scalars < 4) class plan_vsels : public detail::plan {
    template <unsigned Bit> using in = detail::plan_source<T, (Scalars & Bit) != 0>;

  public:
    explicit plan_vsels(pto_mask_kind mask = PTO_MASK_PACKED) : plan(mask, mask) {
        detail::check(pto_plan_vsels(prepared(), dtype_of<T>, Scalars, mask), "plan_vsels");
    }

    void operator()(in<PTO_SCALAR_0> src0, in<PTO_SCALAR_1> src1, const_mask m, std::span<T> dst) const {
        const std::size_t n = dst.size();
        check_sources("plan_vsels", n, src0, src1);
        check_masks(m, m, n, "plan_vsels");
        run(detail::source_data(src0), detail::source_data(src1), m.data(), dst.data(), n);
    }
};

namespace detail {

using maxmin_plan_call = pto_status(pto_plan *, pto_dtype, unsigned, unsigned);

/** The name of a call for messages. (With -fsanitize=undefined, gcc does not take a comparison of functions as a
 * constant.) */
template <maxmin_plan_call Call> inline constexpr const char *maxmin_name = "plan_vmin";
template <> inline constexpr const char *maxmin_name<pto_plan_vmax> = "plan_vmax";

/** Common part of the plans of vmax and vmin. */
template <maxmin_plan_call Call, ordered T, unsigned Scalars>
requires(Scalars < 4) class plan_maxmin : public plan {
    static constexpr const char *name = maxmin_name<Call>;
    template <unsigned Bit> using in = plan_source<T, (Scalars & Bit) != 0>;

  public:
    explicit plan_maxmin(maxmin_flags<T> flags = {}) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED) {
        check(Call(prepared(), dtype_of<T>, flags, Scalars), name);
    }

    void operator()(in<PTO_SCALAR_0> a, in<PTO_SCALAR_1> b, std::span<T> dst) const {
        check_sources(name, dst.size(), a, b);
        run_sources(dst, a, b);
    }
};

} // namespace detail

/** Scalars: a set of PTO_SCALAR_0 and PTO_SCALAR_1, for a and b. */
template <ordered T, unsigned Scalars = 0> using plan_vmax = detail::plan_maxmin<pto_plan_vmax, T, Scalars>;

template <ordered T, unsigned Scalars = 0> using plan_vmin = detail::plan_maxmin<pto_plan_vmin, T, Scalars>;

/** Scalars: a set of PTO_SCALAR_0 to PTO_SCALAR_2, for x, lo and hi. */
template <ordered T, unsigned Scalars = 0>
requires(Scalars < 8) class plan_vclamp : public detail::plan {
    template <unsigned Bit> using in = detail::plan_source<T, (Scalars & Bit) != 0>;

  public:
    explicit plan_vclamp(maxmin_flags<T> flags = {}) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED) {
        detail::check(pto_plan_vclamp(prepared(), dtype_of<T>, flags, Scalars), "plan_vclamp");
    }

    void operator()(in<PTO_SCALAR_0> x, in<PTO_SCALAR_1> lo, in<PTO_SCALAR_2> hi, std::span<T> dst) const {
        check_sources("plan_vclamp", dst.size(), x, lo, hi);
        run_sources(dst, x, lo, hi);
    }
};

template <ordered T> class plan_vrelu : public detail::plan {
  public:
    explicit plan_vrelu(maxmin_flags<T> flags = {}) : plan(PTO_MASK_PACKED, PTO_MASK_PACKED) {
        detail::check(pto_plan_vrelu(prepared(), dtype_of<T>, flags), "plan_vrelu");
    }

    void operator()(std::span<const T> x, std::span<T> dst) const {
        check_sources("plan_vrelu", dst.size(), x);
        run_sources(dst, x);
    }
};

} // namespace pto

#endif
