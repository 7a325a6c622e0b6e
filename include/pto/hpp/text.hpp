/* SPDX-License-Identifier: MIT */
/** @file text.hpp  The calls of parse.h, forms.h and value.h, which document each call under its C name. */
#ifndef PTO_HPP_TEXT_HPP
#define PTO_HPP_TEXT_HPP

#include "array.hpp"

#include <string_view>

namespace pto {

/** An error in the text of an instruction. what() says what was expected, at() is the byte offset of the error. */
class parse_error : public error {
  public:
    parse_error(pto_status status, const pto_parse_error &where) : error(status, where.text), at_(where.at) {}
    std::size_t at() const noexcept { return at_; }

  private:
    std::size_t at_;
};

/** A text in a buffer of N bytes, with a terminating 0. */
template <std::size_t N> class text {
  public:
    const char *c_str() const noexcept { return chars_; }
    std::string_view view() const noexcept { return chars_; }
    operator std::string_view() const noexcept { return chars_; }
    char *room() noexcept { return chars_; }

  private:
    char chars_[N] = {};
};

namespace detail {

template <class Result> using parser = pto_status(const char *, Result *, pto_parse_error *);

template <class Result> Result parse(parser<Result> *read, const char *words, const char *call) {
    Result result{};
    pto_parse_error where{};
    const pto_status status = read(words, &result, &where);
    if (status == PTO_ERR_NULL) fail(status, call);
    if (status != PTO_OK) throw parse_error(status, where);
    return result;
}

template <std::size_t N, class Op>
text<N> text_of(pto_status (*write)(Op, char *, std::size_t), std::type_identity_t<Op> op, const char *call) {
    text<N> result;
    check(write(op, result.room(), N), call);
    return result;
}

template <class Op> Op form(pto_status (*read)(std::size_t, Op *), std::size_t i, const char *call) {
    Op op{};
    check(read(i, &op), call);
    return op;
}

} // namespace detail

/** The parsers below take a text with a terminating 0. They throw pto::parse_error if it is invalid. */
inline pto_setp_op parse_setp(const char *words) {
    return detail::parse(pto_parse_setp, words, "parse_setp");
}

inline pto_set_op parse_set(const char *words) {
    return detail::parse(pto_parse_set, words, "parse_set");
}

inline pto_cvt_op parse_cvt(const char *words) {
    return detail::parse(pto_parse_cvt, words, "parse_cvt");
}

inline pto_dtype parse_dtype(const char *words) {
    return detail::parse(pto_parse_dtype, words, "parse_dtype");
}

inline pto_cmp parse_cmp(const char *words) {
    return detail::parse(pto_parse_cmp, words, "parse_cmp");
}

inline pto_pattern parse_pattern(const char *words) {
    return detail::parse(pto_parse_pattern, words, "parse_pattern");
}

inline pto_cc parse_setcc(const char *mnemonic) {
    return detail::parse(pto_parse_setcc, mnemonic, "parse_setcc");
}

using form_text = text<PTO_TEXT_SIZE>;
using explanation = text<PTO_EXPLAIN_SIZE>;

inline form_text format_setp(pto_setp_op op) {
    return detail::text_of<PTO_TEXT_SIZE>(pto_format_setp, op, "format_setp");
}

inline form_text format_set(pto_set_op op) {
    return detail::text_of<PTO_TEXT_SIZE>(pto_format_set, op, "format_set");
}

inline form_text format_cvt(pto_cvt_op op) {
    return detail::text_of<PTO_TEXT_SIZE>(pto_format_cvt, op, "format_cvt");
}

/* ---- legal forms ---- */

inline std::size_t cvt_form_count() noexcept {
    return pto_cvt_form_count();
}

inline std::size_t setp_form_count() noexcept {
    return pto_setp_form_count();
}

inline std::size_t set_form_count() noexcept {
    return pto_set_form_count();
}

inline pto_cvt_op cvt_form(std::size_t i) {
    return detail::form(pto_cvt_form, i, "cvt_form");
}

inline pto_setp_op setp_form(std::size_t i) {
    return detail::form(pto_setp_form, i, "setp_form");
}

inline pto_set_op set_form(std::size_t i) {
    return detail::form(pto_set_form, i, "set_form");
}

/** Returns a version of the PTX ISA, such as 90 for 9.0. */
inline int cvt_since(pto_cvt_op op) {
    int isa = 0;
    detail::check(pto_cvt_since(op, &isa), "cvt_since");
    return isa;
}

inline const char *cvt_target(pto_cvt_op op) {
    const char *target = nullptr;
    detail::check(pto_cvt_target(op, &target), "cvt_target");
    return target;
}

inline explanation cvt_explain(pto_cvt_op op) {
    return detail::text_of<PTO_EXPLAIN_SIZE>(pto_cvt_explain, op, "cvt_explain");
}

inline explanation setp_explain(pto_setp_op op) {
    return detail::text_of<PTO_EXPLAIN_SIZE>(pto_setp_explain, op, "setp_explain");
}

inline explanation set_explain(pto_set_op op) {
    return detail::text_of<PTO_EXPLAIN_SIZE>(pto_set_explain, op, "set_explain");
}

/* ---- one element ---- */

/** Returns the exact value of one element; of two 4-bit elements in x, that of the first. */
template <element T> double dtype_value(T x) {
    double value = 0;
    detail::check(pto_dtype_value(dtype_of<T>, &x, &value), "dtype_value");
    return value;
}

/** Returns the element whose value is exactly `value`. For 4-bit types it is the first of two, and the second is 0. */
template <element T> T dtype_code(double value) {
    T x{};
    detail::check(pto_dtype_code(dtype_of<T>, value, &x), "dtype_code");
    return x;
}

inline std::size_t dtype_bits(pto_dtype type) noexcept {
    return pto_dtype_bits(type);
}

inline const char *dtype_name(pto_dtype type) noexcept {
    return pto_dtype_name(type);
}

inline pto_class dtype_class(pto_dtype type) noexcept {
    return pto_dtype_class(type);
}

} // namespace pto

#endif
