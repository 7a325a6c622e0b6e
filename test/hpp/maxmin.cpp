/* SPDX-License-Identifier: MIT */
/* Tests the calls of maxmin.h. */
#include "hpp/hpp.hpp"

namespace {

constexpr std::size_t N = 77;

void test_larger() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 9);
    std::vector<float> ours(N), theirs(N), in_place = a;
    const pto_in x = pto_in_array(a.data()), y = pto_in_array(b.data());
    const float half = 0.5F;
    pto::vmax(a, b, ours, PTO_PROPAGATE_NAN | PTO_FTZ);
    expect_ok(pto_vmax(PTO_F32, PTO_PROPAGATE_NAN | PTO_FTZ, x, y, theirs.data(), N));
    expect(same(ours, theirs), "vmax");
    pto::vmax(half, a, ours);
    expect_ok(pto_vmax(PTO_F32, 0, pto_in_scalar(&half), x, theirs.data(), N));
    expect(same(ours, theirs), "vmax with a scalar");
    pto::vmin(a, b, ours, PTO_XORSIGN_ABS);
    expect_ok(pto_vmin(PTO_F32, PTO_XORSIGN_ABS, x, y, theirs.data(), N));
    expect(same(ours, theirs), "vmin");
    pto::vmin(in_place, half, in_place);
    expect_ok(pto_vmin(PTO_F32, 0, x, pto_in_scalar(&half), theirs.data(), N));
    expect(same(in_place, theirs), "vmin in place");
    expect_error(PTO_ERR_SIZE, [&] { pto::vmax(a, std::span(b).first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vmax(a, half, std::span(ours).first(3)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vmin(std::span<const float>(), b, ours); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::vmax(a, b, ours, PTO_MERGE); });
    expect_error(PTO_ERR_OVERLAP,
                 [&] { pto::vmin(std::span(ours).subspan(1), half, std::span(ours).first(N - 1)); });
}

void test_other_types() {
    const std::vector<std::int16_t> words = {-1, 2, 3};
    const std::array<std::uint16_t, 2> halves = {0x3c00, 0xbc00};
    std::vector<std::int16_t> most(3);
    std::array<std::uint16_t, 2> positive{};
    pto::vmax(words, std::int16_t{2}, most);
    expect(most == std::vector<std::int16_t>{2, 2, 3}, "vmax of integers");
    pto::vclamp(words, std::int16_t{0}, std::int16_t{2}, most);
    expect(most == std::vector<std::int16_t>{0, 2, 2}, "vclamp of integers");
    pto::vrelu(pto::as<pto::f16>(halves), pto::as<pto::f16>(positive));
    expect(positive[0] == 0x3c00 && positive[1] == 0, "vrelu of f16");
    const std::array<std::uint8_t, 3> small = {0x38, 0xb8, 0x7f}; /* 1, -1, NaN */
    std::array<std::uint8_t, 3> limited{};
    pto::vrelu(pto::as<pto::e4m3>(small), pto::as<pto::e4m3>(limited));
    expect(limited == std::array<std::uint8_t, 3>{0x38, 0, 0}, "vrelu of e4m3");
    pto::vmax(pto::as<pto::e4m3fnuz>(small), pto::e4m3fnuz{0x40}, pto::as<pto::e4m3fnuz>(limited));
    expect(limited == std::array<std::uint8_t, 3>{0x40, 0x40, 0x7f}, "vmax of e4m3fnuz");
    expect_error(PTO_ERR_MODIFIER, [&] {
        pto::vmax(pto::as<pto::bf16>(halves), pto::bf16{0}, pto::as<pto::bf16>(positive), PTO_FTZ);
    });
}

void test_bounds() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 9);
    std::vector<float> ours(N), theirs(N);
    const float six = 6;
    const pto_in x = pto_in_array(a.data()), y = pto_in_array(b.data());
    pto::vclamp(a, b, six, ours, PTO_PROPAGATE_NAN);
    expect_ok(pto_vclamp(PTO_F32, PTO_PROPAGATE_NAN, x, y, pto_in_scalar(&six), theirs.data(), N));
    expect(same(ours, theirs), "vclamp");
    pto::vrelu(a, ours, PTO_FTZ | PTO_PROPAGATE_NAN);
    expect_ok(pto_vrelu(PTO_F32, PTO_FTZ | PTO_PROPAGATE_NAN, a.data(), theirs.data(), N));
    expect(same(ours, theirs), "vrelu");
    expect_error(PTO_ERR_SIZE, [&] { pto::vclamp(a, std::span(b).first(3), six, ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vrelu(std::span(a).first(3), ours); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::vclamp(a, b, six, ours, PTO_XORSIGN_ABS); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::vrelu(a, ours, PTO_XORSIGN_ABS); });
    expect(same(ours, theirs), "an error has written nothing");
}

/* Checked at compile time: types without an order have no maximum, some types take no flags, and results are not
 * const. */
template <class D, class... Flags>
concept has_max = requires(D &&dst, Flags... flags) {
    pto::vmax(dst, dst, dst, flags...);
    pto::vmin(dst, dst, dst, flags...);
    pto::vclamp(dst, dst, dst, dst, flags...);
    pto::vrelu(dst, dst, flags...);
};
static_assert(has_max<std::span<float>> && has_max<std::span<double>> && has_max<std::span<pto::bf16>>);
static_assert(has_max<std::span<std::uint8_t>> && has_max<std::span<long long>>);
static_assert(!has_max<std::span<pto::b16>> && !has_max<std::span<pto::e2m1x2>> &&
              !has_max<std::span<pto::f16x2>>);
static_assert(has_max<std::span<pto::f16>, unsigned> && has_max<std::span<double>, unsigned> &&
              !has_max<std::span<int>, unsigned>);
static_assert(has_max<std::vector<float> &> && !has_max<const std::vector<float> &>);

} // namespace

void test_maxmin() {
    test_larger();
    test_other_types();
    test_bounds();
}
