/* SPDX-License-Identifier: MIT */
/* Tests of types, constness and arrays, which are checked at compile time, and of pto::error. */
#include "hpp/hpp.hpp"

#include <deque>
#include <string>

namespace {

/* ---- types ---- */

static_assert(pto::dtype_of<float> == PTO_F32 && pto::dtype_of<double> == PTO_F64);
static_assert(pto::dtype_of<std::int8_t> == PTO_S8 && pto::dtype_of<std::uint8_t> == PTO_U8);
static_assert(pto::dtype_of<std::int16_t> == PTO_S16 && pto::dtype_of<std::uint16_t> == PTO_U16);
static_assert(pto::dtype_of<std::int32_t> == PTO_S32 && pto::dtype_of<std::uint32_t> == PTO_U32);
static_assert(pto::dtype_of<std::int64_t> == PTO_S64 && pto::dtype_of<std::uint64_t> == PTO_U64);
static_assert(pto::dtype_of<long long> == PTO_S64 && pto::dtype_of<unsigned long long> == PTO_U64);
static_assert(pto::dtype_of<pto::b8> == PTO_B8 && pto::dtype_of<pto::b16> == PTO_B16);
static_assert(pto::dtype_of<pto::b32> == PTO_B32 && pto::dtype_of<pto::b64> == PTO_B64);
static_assert(!pto::element<bool> && !pto::element<char> && !pto::element<char8_t> && !pto::element<void *>);

/* Element types are trivially copyable, and as large as their PTO type. */
template <class... T> constexpr bool plain() {
    return ((std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && pto::element<T>)&&...);
}
static_assert(
    plain<pto::b8, pto::b16, pto::b32, pto::b64, pto::f16, pto::bf16, pto::tf32, pto::e4m3, pto::e5m2,
          pto::e2m3, pto::e3m2, pto::ue8m0, pto::s2f6, pto::ue5m3, pto::hif8, pto::e2m1x2, pto::e1m2x2,
          pto::f16x2, pto::bf16x2, pto::u8x4, pto::s8x4, pto::u16x2, pto::s16x2>());

template <class... T> void expect_sizes() {
    (expect(sizeof(T) * 8 / pto::elements_of<T> == pto::dtype_bits(pto::dtype_of<T>),
            pto::dtype_name(pto::dtype_of<T>)),
     ...);
}

/* ---- constness: a destination must not be const, and a mask in const memory is only read ---- */

template <class D>
concept takes_result = requires(const std::vector<float> x, D &&y) {
    pto::vcmpsel(PTO_LT, x, x, x, x, y);
};
static_assert(takes_result<std::vector<float> &> && takes_result<std::span<float>>);
static_assert(!takes_result<const std::vector<float> &> && !takes_result<std::span<const float>>);
static_assert(!takes_result<std::vector<double> &>); /* the other operands are floats */

template <class D>
concept converts_to = requires(const std::vector<float> x, D &&y) {
    pto::cvt(pto_cvt_op{}, x, y);
};
static_assert(converts_to<std::span<pto::f16>> && !converts_to<std::span<const pto::f16>>);
static_assert(!converts_to<std::span<bool>>);

template <class M>
concept takes_mask = requires(const std::vector<float> x, M m) {
    pto::vcmp(PTO_LT, x, x, m);
};
static_assert(takes_mask<pto::mask> && !takes_mask<pto::const_mask>);
static_assert(std::is_convertible_v<pto::mask, pto::const_mask> &&
              !std::is_convertible_v<pto::const_mask, pto::mask>);
static_assert(std::is_same_v<decltype(pto::packed(std::declval<std::span<std::uint8_t>>(), 1)), pto::mask>);
static_assert(
    std::is_same_v<decltype(pto::packed(std::declval<std::span<const std::uint8_t>>(), 1)), pto::const_mask>);

template <class B>
concept compares_with = requires(const std::vector<float> x, const B &b, pto::mask m) {
    pto::vcmp(PTO_LT, x, b, m);
};
static_assert(compares_with<std::vector<float>> && compares_with<std::array<float, 3>> &&
              compares_with<float[3]>);
static_assert(!compares_with<std::vector<double>> && !compares_with<std::deque<float>> &&
              !compares_with<const float *>);

template <class Y>
concept dequantizes_to = requires(pto::matrix<pto::e4m3> c, pto::matrix<pto::ue8m0> s, Y y) {
    pto::block_dequantize(pto_block_op{}, c, s, y);
};
static_assert(dequantizes_to<pto::matrix<float>> && !dequantizes_to<pto::matrix<const float>>);

/* A temporary that owns its elements is not a destination, because the results would be lost. */
template <class D>
concept fills = requires(D &&y) {
    pto::vbr(1.0F, std::forward<D>(y));
};
static_assert(fills<std::vector<float> &> && fills<std::span<float>> && !fills<std::vector<float>>);

/* ---- an error names the call and what is legal for it ---- */

void test_error_texts() {
    const std::vector<float> x(8);
    std::vector<float> y(7);
    std::array<std::uint8_t, 1> bits{};
    std::vector<pto::e4m3> codes(8);
    const pto::mask m = pto::packed(bits, 8);
    expect_text("pto::vmax: the arrays and masks must all have the same number of lanes",
                [&] { pto::vmax(x, 0.0F, y); });
    expect_text(
        "pto::vcmp: a flag or modifier is not legal here, or an operand is there without its modifier; "
        "what is legal: see pto_vcmp",
        [&] { pto::vcmp(PTO_LT, x, x, m, 64); });
    expect_text("pto::cvt: the types in op must be those of the arrays",
                [&] { pto::cvt(pto::cvt_op<pto::e5m2, float>(PTO_RN), x, codes); });
    expect_text("pto::mask_at: the memory must have at least mask_bytes(kind, lanes) bytes",
                [&] { (void)pto::packed(bits, 9); });
    expect_text("pto::plan_vrelu: the arrays and masks must all have the same number of lanes",
                [&] { pto::plan_vrelu<float>()(x, y); });
    expect_text(
        "pto::plan_vmin: a flag or modifier is not legal here, or an operand is there without its modifier; "
        "what is legal: see pto_plan_vmin",
        [] { pto::plan_vmin<float>{64}; });
}

} // namespace

void test_types() {
    expect_sizes<std::int8_t, std::uint64_t, float, double, pto::b8, pto::b64, pto::f16, pto::tf32, pto::e4m3,
                 pto::e2m1x2, pto::e1m2x2, pto::hif8, pto::u8x4, pto::bf16x2>();
    const pto::error error(PTO_ERR_SIZE);
    expect(std::string(error.what()) == pto_strerror(PTO_ERR_SIZE), "what() is the status in words");
    expect(std::string(pto::version()) == pto_version(), "version");
    test_error_texts();

    const pto_isa active = pto::isa_active();
    expect(active == pto_isa_active() && pto::isa_available(active), "isa_active");
    pto::isa_use(PTO_ISA_SCALAR);
    expect(pto_isa_active() == PTO_ISA_SCALAR, "isa_use");
    expect(std::string(pto::isa_name(PTO_ISA_SCALAR)) == "scalar", "isa_name");
    expect(std::string(pto::isa_variant(0).name) == "fp16", "isa_variant");
    expect_error(PTO_ERR_SIZE, [] { (void)pto::isa_variant(1000); });
    pto::isa_use(active);
    for (int i = PTO_ISA_SCALAR; *pto::isa_name(static_cast<pto_isa>(i)) != '?'; i++) {
        const pto_isa isa = static_cast<pto_isa>(i);
        if (!pto::isa_available(isa)) expect_error(PTO_ERR_ISA, [isa] { pto::isa_use(isa); });
    }

    /* Reinterprets arrays of C++ types as arrays of libpto's element types. */
    std::vector<std::uint16_t> words = {0x3c00, 0x4000};
    expect(pto::as<pto::f16>(words).size() == 2, "as");
    static_assert(std::is_same_v<decltype(pto::as<pto::f16>(words)), std::span<pto::f16>>);
    static_assert(
        std::is_same_v<decltype(pto::as<pto::f16>(std::as_const(words))), std::span<const pto::f16>>);
}
