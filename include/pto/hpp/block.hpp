/* SPDX-License-Identifier: MIT */
/** @file block.hpp  The calls of block.h, on matrices with shapes. block.h documents each call under its C name. */
#ifndef PTO_HPP_BLOCK_HPP
#define PTO_HPP_BLOCK_HPP

#include "array.hpp"

namespace pto {

/**
 * A view of rows of lanes, `stride` bytes from one row to the next. It does not own the memory. T is const for a view
 * that only reads.
 */
template <class T>
requires element<std::remove_cv_t<T>>
class matrix {
  public:
    /**
     * stride: 0 if the rows are contiguous. Throws PTO_ERR_SIZE if the memory is too short, or the stride shorter
     * than a row.
     */
    template <source_of<std::remove_cv_t<T>> R>
    requires(std::ranges::borrowed_range<R> && (std::is_const_v<T> || destination<R>))
        matrix(R &&memory, std::size_t rows, std::size_t cols, std::size_t stride = 0)
        : data_(std::ranges::data(memory)), rows_(rows), cols_(cols), stride_(stride) {
        detail::check_size(
            lies_in(detail::length(memory)), "matrix",
            "the memory must hold all rows, and the stride must be 0 or at least the bytes of a row");
    }

    /** Converts to a read-only view. */
    operator matrix<const T>() const noexcept requires(!std::is_const_v<T>) {
        return matrix<const T>(data_, rows_, cols_, stride_);
    }

    T *data() const noexcept { return data_; }
    std::size_t rows() const noexcept { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    std::size_t stride() const noexcept { return stride_; }

  private:
    friend class matrix<std::remove_const_t<T>>;
    matrix(T *data, std::size_t rows, std::size_t cols, std::size_t stride) noexcept
        : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

    bool lies_in(std::size_t objects) const noexcept {
        if (rows_ == 0 || cols_ == 0) return true;
        if (cols_ > objects) return false;
        const std::size_t row = cols_ * sizeof(T), step = stride_ == 0 ? row : stride_;
        return step >= row && rows_ - 1 <= (objects * sizeof(T) - row) / step;
    }

    T *data_;
    std::size_t rows_, cols_, stride_;
};

template <class R>
matrix(R &&, std::size_t, std::size_t, std::size_t = 0)
    -> matrix<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

inline const char *block_rule_name(pto_block_rule rule) noexcept {
    return pto_block_rule_name(rule);
}

inline pto_dtype block_scale_type(pto_block_rule rule) noexcept {
    return pto_block_scale_type(rule);
}

inline void block_check(const pto_block_op &op) {
    detail::check(pto_block_check(op), "block_check");
}

inline pto_block_size block_sizes(const pto_block_op &op, std::size_t rows, std::size_t cols) {
    pto_block_size size{};
    detail::check(pto_block_sizes(op, rows, cols, &size), "block_sizes");
    return size;
}

template <class X> float block_amax(const matrix<X> &x, bool keep_nan = false) {
    float amax = 0;
    detail::check(pto_block_amax(dtype_of<std::remove_cv_t<X>>, x.data(), x.stride(), x.rows(), x.cols(),
                                 keep_nan, &amax),
                  "block_amax");
    return amax;
}

inline float block_tensor(pto_block_rule rule, float amax) {
    float tensor = 0;
    detail::check(pto_block_tensor(rule, amax, &tensor), "block_tensor");
    return tensor;
}

namespace detail {

/** Throws PTO_ERR_TYPE or PTO_ERR_SIZE unless the types and shapes of the matrices fit op and each other. */
template <class X, class E, class S>
void check_block(const pto_block_op &op, const matrix<X> &x, const matrix<E> &codes, const matrix<S> &scales,
                 const char *call) {
    const pto_block_size size = block_sizes(op, x.rows(), x.cols());
    check_type(op.wide == dtype_of<std::remove_cv_t<X>> && op.elem == dtype_of<std::remove_cv_t<E>> &&
                   block_scale_type(op.rule) == dtype_of<std::remove_cv_t<S>>,
               call);
    check_size(codes.rows() == x.rows() && codes.cols() == size.row_bytes &&
                   scales.rows() == size.scale_rows && scales.cols() == size.scale_cols,
               call, "codes and scales must have the rows and columns that block_sizes gives");
}

inline const std::uint32_t *check_rbits(const pto_block_op &op, std::size_t rows, std::size_t cols,
                                        std::span<const std::uint32_t> rbits, const char *call) {
    check_size(op.round != PTO_RS || rbits.size() == rows * (cols / 4 + (cols % 4 != 0 ? 1 : 0)), call,
               "with PTO_RS, rbits must have ceil(cols / 4) words for each row");
    return rbits.empty() ? nullptr : rbits.data();
}

} // namespace detail

/**
 * Quantizes x to codes and scales. Throws PTO_ERR_TYPE if the types in op are not those of the matrices, PTO_ERR_SIZE
 * if codes and scales do not have the shapes of block_sizes(). A row of e2m1x2 has half as many objects as elements.
 * rbits: for PTO_RS ceil(cols / 4) words per row.
 */
template <class X, class E, class S>
requires(!std::is_const_v<E> &&
         !std::is_const_v<S>) void block_quantize(const pto_block_op &op, const matrix<X> &x,
                                                  const matrix<E> &codes, const matrix<S> &scales,
                                                  std::span<const std::uint32_t> rbits = {}) {
    detail::check_block(op, x, codes, scales, "block_quantize");
    const std::uint32_t *const words = detail::check_rbits(op, x.rows(), x.cols(), rbits, "block_quantize");
    detail::check(pto_block_quantize(op, x.data(), x.stride(), x.rows(), x.cols(), codes.data(),
                                     codes.stride(), scales.data(), scales.stride(), words),
                  "block_quantize");
}

/** Quantizes x to codes with the given scales. Everything else is as for block_quantize(). */
template <class X, class E, class S>
requires(!std::is_const_v<E>) void block_requantize(const pto_block_op &op, const matrix<X> &x,
                                                    const matrix<E> &codes, const matrix<S> &scales,
                                                    std::span<const std::uint32_t> rbits = {}) {
    detail::check_block(op, x, codes, scales, "block_requantize");
    const std::uint32_t *const words = detail::check_rbits(op, x.rows(), x.cols(), rbits, "block_requantize");
    detail::check(pto_block_requantize(op, x.data(), x.stride(), x.rows(), x.cols(), codes.data(),
                                       codes.stride(), scales.data(), scales.stride(), words),
                  "block_requantize");
}

template <class E, class S, class Y>
requires(!std::is_const_v<Y>) void block_dequantize(const pto_block_op &op, const matrix<E> &codes,
                                                    const matrix<S> &scales, const matrix<Y> &y) {
    detail::check_block(op, y, codes, scales, "block_dequantize");
    detail::check(pto_block_dequantize(op, codes.data(), codes.stride(), scales.data(), scales.stride(),
                                       y.rows(), y.cols(), y.data(), y.stride()),
                  "block_dequantize");
}

/* ---- layouts of one-byte scales ---- */

inline std::size_t scales_bytes(pto_scale_layout layout, std::size_t rows, std::size_t cols) noexcept {
    return pto_scales_bytes(layout, rows, cols);
}

template <class S, destination_of<std::remove_cv_t<S>> D>
requires(sizeof(S) == 1) void scales_swizzle(pto_scale_layout layout, const matrix<S> &rowwise, D &&tiled) {
    detail::check_size(detail::length(tiled) == pto_scales_bytes(layout, rowwise.rows(), rowwise.cols()),
                       "scales_swizzle", "tiled must have scales_bytes(layout, rows, cols) elements");
    detail::check(pto_scales_swizzle(layout, rowwise.data(), rowwise.stride(), rowwise.rows(), rowwise.cols(),
                                     std::ranges::data(tiled)),
                  "scales_swizzle");
}

template <class S, source_of<S> T>
requires(sizeof(S) == 1 && !std::is_const_v<S>) void scales_unswizzle(pto_scale_layout layout, const T &tiled,
                                                                      const matrix<S> &rowwise) {
    detail::check_size(detail::length(tiled) == pto_scales_bytes(layout, rowwise.rows(), rowwise.cols()),
                       "scales_unswizzle", "tiled must have scales_bytes(layout, rows, cols) elements");
    detail::check(pto_scales_unswizzle(layout, std::ranges::data(tiled), rowwise.rows(), rowwise.cols(),
                                       rowwise.data(), rowwise.stride()),
                  "scales_unswizzle");
}

/* ---- layouts that store codes and scales together ---- */

inline std::size_t block_pack_bytes(pto_pack_layout layout, std::size_t rows, std::size_t cols) noexcept {
    return pto_block_pack_bytes(layout, rows, cols);
}

namespace detail {

/** Elements per byte of codes in a layout. */
inline std::size_t pack_elements(pto_pack_layout layout) noexcept {
    return layout == PTO_PACK_TT_TILE ? 1 : 2;
}

/** Throws PTO_ERR_SIZE unless scales has one column for each block of a row, and packed has `length` bytes as
 * it must. */
template <class E, class S>
void check_pack(pto_pack_layout layout, const matrix<E> &codes, const matrix<S> &scales, std::size_t length,
                const char *call) {
    const std::size_t cols = codes.cols() * pack_elements(layout);
    check_size(scales.rows() == codes.rows() &&
                   scales.cols() == cols / (layout == PTO_PACK_GGUF_MXFP4 ? 32 : 16) &&
                   length == pto_block_pack_bytes(layout, codes.rows(), cols),
               call, "scales must have one column for each block, and packed block_pack_bytes(...) bytes");
}

} // namespace detail

/** Each of codes and scales has elements of one byte; a byte of codes has two elements, except in PTO_PACK_TT_TILE. */
template <class E, class S, destination_of<std::uint8_t> D>
requires(sizeof(E) == 1 && sizeof(S) == 1) void block_pack(pto_pack_layout layout, const matrix<E> &codes,
                                                           const matrix<S> &scales, D &&packed) {
    detail::check_pack(layout, codes, scales, detail::length(packed), "block_pack");
    detail::check(pto_block_pack(layout, codes.data(), codes.stride(), scales.data(), scales.stride(),
                                 codes.rows(), codes.cols() * detail::pack_elements(layout),
                                 std::ranges::data(packed)),
                  "block_pack");
}

template <class E, class S, source_of<std::uint8_t> P>
requires(sizeof(E) == 1 && sizeof(S) == 1 && !std::is_const_v<E> &&
         !std::is_const_v<S>) void block_unpack(pto_pack_layout layout, const P &packed,
                                                const matrix<E> &codes, const matrix<S> &scales) {
    detail::check_pack(layout, codes, scales, detail::length(packed), "block_unpack");
    detail::check(pto_block_unpack(layout, std::ranges::data(packed), codes.rows(),
                                   codes.cols() * detail::pack_elements(layout), codes.data(), codes.stride(),
                                   scales.data(), scales.stride()),
                  "block_unpack");
}

} // namespace pto

#endif
