/* SPDX-License-Identifier: MIT */
/* Tests the calls of compare.h and select.h. */
#include "hpp/hpp.hpp"

#include <cmath>

namespace {

constexpr std::size_t N = 77;

struct operands {
    std::vector<float> a = numbers(N, 1), b = numbers(N, 9);
    std::vector<std::uint8_t> seed = noise(N, 3), ours = noise(N, 4), theirs = ours;
};

void test_vcmp() {
    operands w;
    const pto::const_mask seed = pto::packed(std::as_const(w.seed), N);
    pto::vcmp(PTO_LEU, w.a, w.b, seed, pto::bytes(w.ours), PTO_FTZ | PTO_MERGE);
    expect_ok(pto_vcmp(PTO_F32, PTO_LEU, PTO_FTZ | PTO_MERGE, w.a.data(), w.b.data(),
                       pto_packed_in(w.seed.data()), pto_bytes(w.theirs.data()), N));
    expect(same(w.ours, w.theirs), "vcmp with a seed");
    pto::vcmp(PTO_LT, w.a, w.b, pto::packed(w.ours, N));
    expect_ok(
        pto_vcmp(PTO_F32, PTO_LT, 0, w.a.data(), w.b.data(), PTO_NO_MASK, pto_packed(w.theirs.data()), N));
    expect(same(w.ours, w.theirs), "vcmp");

    expect_error(PTO_ERR_SIZE,
                 [&] { pto::vcmp(PTO_LT, w.a, std::span(w.b).first(N - 1), pto::packed(w.ours, N)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vcmp(PTO_LT, w.a, w.b, pto::packed(w.ours, N - 1)); });
    expect_error(PTO_ERR_SIZE,
                 [&] { pto::vcmp(PTO_LT, w.a, w.b, seed.first(N - 1), pto::packed(w.ours, N)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vcmp(PTO_LT, w.a, w.b, pto::mask()); });
    expect_error(PTO_ERR_OP, [&] { pto::vcmp(PTO_LO, w.a, w.b, pto::packed(w.ours, N)); });
    expect_error(PTO_ERR_MASK, [&] { pto::vcmp(PTO_LT, w.a, w.b, pto::mask_at(w.ours, PTO_MASK_B16, N)); });
    expect(same(w.ours, w.theirs), "an error has written nothing");
    pto::vcmp(PTO_LT, std::span<float>(), std::span<float>(), pto::mask());
}

void test_moves() {
    const std::array<float, 5> x = {1, 2, 3, 4, 5};
    const std::array<std::uint8_t, 1> bits = {0x16};
    std::array<float, 5> some{}, back = {9, 9, 9, 9, 9};
    expect(pto::vcompress(x, pto::packed(bits, 5), some) == 3, "vcompress: count");
    expect(some == std::array<float, 5>{2, 3, 5, 0, 0}, "vcompress");
    expect(pto::vexpand(some, pto::packed(bits, 5), back) == 3, "vexpand: count");
    expect(back == std::array<float, 5>{9, 2, 3, 9, 5}, "vexpand");
    expect_error(PTO_ERR_SIZE, [&] { pto::vcompress(x, pto::packed(bits, 5), std::span(some).first(4)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vexpand(std::span(x).first(2), pto::packed(bits, 5), back); });
}

void test_indices() {
    const std::array<float, 5> x = {1, 7, NAN, -2, 7};
    const std::array<std::uint8_t, 1> bits = {0x11}, none = {0};
    expect(pto::vargmax(x) == 1 && pto::vargmin(x) == 3, "vargmax, vargmin");
    expect(pto::vargmax(x, {}, PTO_PROPAGATE_NAN) == 2, "vargmax: NaN");
    expect(pto::vargmax(x, pto::packed(bits, 5)) == 4 && pto::vargmin(x, pto::packed(none, 5)) == SIZE_MAX,
           "vargmax with a seed");
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::vargmax(x, pto::packed(bits, 4)); });
}

void test_testp() {
    std::array<std::uint8_t, 1> ours{}, theirs{};
    const std::array<float, 5> x = {1, -0.0F, 1e-40F, INFINITY, NAN};
    pto::testp(PTO_TEST_NORMAL, x, pto::packed(ours, 5));
    expect_ok(pto_testp(PTO_F32, PTO_TEST_NORMAL, 0, x.data(), PTO_NO_MASK, pto_packed(theirs.data()), 5));
    expect(ours == theirs && ours[0] == 3, "testp");
    pto::testp(PTO_TEST_NEGATIVE, x, pto::packed(std::as_const(theirs), 5), pto::packed(ours, 5), PTO_MERGE);
    expect(ours[0] == 2, "testp with a seed");
    const pto::plan_testp<float> is_nan(PTO_TEST_NOTANUMBER);
    is_nan(x, pto::packed(ours, 5));
    expect(ours[0] == 16, "plan_testp");
    expect_error(PTO_ERR_SIZE, [&] { pto::testp(PTO_TEST_ZERO, x, pto::packed(ours, 6)); });
    expect_error(PTO_ERR_TYPE, [] { (void)pto::plan_testp<std::int32_t>(PTO_TEST_ZERO); });
}

void test_vcmps() {
    operands w;
    pto::vcmps(PTO_GE, w.a, 1.0F, pto::packed(std::as_const(w.seed), N), pto::bytes(w.ours), PTO_MERGE);
    const float one = 1;
    expect_ok(pto_vcmps(PTO_F32, PTO_GE, PTO_MERGE, w.a.data(), &one, pto_packed_in(w.seed.data()),
                        pto_bytes(w.theirs.data()), N));
    expect(same(w.ours, w.theirs), "vcmps with a seed");
    const std::array<std::uint16_t, 2> halves = {0x3c00, 0x3bff};
    pto::vcmps(PTO_GE, pto::as<pto::f16>(halves), pto::f16{0x3c00}, pto::packed(w.ours, 2));
    expect(w.ours[0] == 1, "vcmps of f16");
    const std::vector<std::int16_t> words = {-1, 2, 3};
    pto::vcmps(PTO_LT, words, std::int16_t{3}, pto::packed(w.ours, 3));
    expect((w.ours[0] & 7) == 3 && w.ours[0] < 8, "vcmps of integers");
    expect_error(PTO_ERR_SIZE, [&] { pto::vcmps(PTO_LT, words, std::int16_t{3}, pto::packed(w.ours, 4)); });
}

void test_setp() {
    operands w;
    std::vector<std::uint8_t> ours_q = w.ours, theirs_q = w.ours;
    pto_setp_op op{};
    op.type = PTO_F32;
    op.cmp = PTO_GTU;
    op.boolop = PTO_XOR;
    op.not_c = true;
    pto::setp(op, w.a, w.b, pto::packed(w.seed, N), pto::bytes(w.ours), pto::packed(ours_q, N));
    expect_ok(pto_setp(op, w.a.data(), w.b.data(), pto_packed_in(w.seed.data()), pto_bytes(w.theirs.data()),
                       pto_packed(theirs_q.data()), N));
    expect(same(w.ours, w.theirs) && same(ours_q, theirs_q), "setp");
    expect_error(PTO_ERR_NULL, [&] { pto::setp(op, w.a, w.b, {}, pto::bytes(w.ours)); });
    op.type = PTO_F16;
    expect_error(PTO_ERR_TYPE, [&] { pto::setp(op, w.a, w.b, pto::packed(w.seed, N), pto::bytes(w.ours)); });
    op.type = PTO_F32;
    expect_error(PTO_ERR_SIZE, [&] {
        pto::setp(op, w.a, w.b, pto::packed(w.seed, N), pto::bytes(w.ours), pto::packed(ours_q, 9));
    });
}

void test_set() {
    operands w;
    std::vector<std::uint32_t> ours(N), theirs(N);
    pto_set_op op{};
    op.dtype = PTO_U32;
    op.stype = PTO_F32;
    op.cmp = PTO_NEU;
    pto::set(op, w.a, w.b, {}, ours);
    expect_ok(pto_set(op, w.a.data(), w.b.data(), PTO_NO_MASK, theirs.data(), N));
    expect(same(ours, theirs), "set");
    expect_error(PTO_ERR_TYPE, [&] { pto::set(op, w.a, w.b, {}, pto::as<std::int32_t>(ours)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::set(op, w.a, w.b, {}, std::span(ours).first(3)); });
}

void test_selections() {
    operands w;
    std::vector<float> ours(N), theirs(N);
    const pto::const_mask m = pto::packed(w.seed, N);
    const pto_mask c = pto_packed_in(w.seed.data());
    pto::vsel(w.a, w.b, m, ours);
    expect_ok(pto_vsel(PTO_F32, w.a.data(), w.b.data(), c, theirs.data(), N));
    expect(same(ours, theirs), "vsel");
    pto::vselr(w.a, w.b, m, ours);
    expect_ok(pto_vselr(PTO_F32, w.a.data(), w.b.data(), c, theirs.data(), N));
    expect(same(ours, theirs), "vselr");
    pto::vselrv2(w.b, w.a, m, ours);
    expect_ok(pto_vselrv2(PTO_F32, w.b.data(), w.a.data(), c, theirs.data(), N));
    expect(same(ours, theirs), "vselrv2");
    pto::selp(w.b, w.a, m, ours);
    expect_ok(pto_selp(PTO_F32, w.b.data(), w.a.data(), c, theirs.data(), N));
    expect(same(ours, theirs), "selp");
    pto::slct(w.a, w.b, w.b, ours, true);
    expect_ok(pto_slct(PTO_F32, PTO_F32, true, w.a.data(), w.b.data(), w.b.data(), theirs.data(), N));
    expect(same(ours, theirs), "slct");
    pto::vbr(3.0F, ours);
    expect(ours[0] == 3 && ours[N - 1] == 3, "vbr");
    std::vector<std::uint32_t> index(N);
    for (std::size_t i = 0; i < N; i++) index[i] = static_cast<std::uint32_t>(7 * i);
    pto::vpermute(N, w.a, index, ours);
    expect_ok(pto_vpermute(PTO_F32, N, w.a.data(), index.data(), theirs.data(), N));
    expect(same(ours, theirs), "vpermute");
    expect_error(PTO_ERR_SIZE, [&] { pto::vpermute(N + 1, w.a, index, ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vpermute(1, w.a, std::span(index).first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vsel(w.a, w.b, m, std::span(ours).first(5)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vselr(w.a, w.b, {}, ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::slct(w.a, w.b, std::span(w.b).first(2), ours); });
    expect_error(PTO_ERR_TYPE, [&] {
        pto::selp(pto::as<pto::e4m3>(w.ours), pto::as<pto::e4m3>(w.ours), m, pto::as<pto::e4m3>(w.theirs));
    });
    expect_error(PTO_ERR_OVERLAP, [&] {
        pto::vsel(std::span(w.a).subspan(1), std::span(w.b).first(N - 1), m.first(N - 1),
                  std::span(w.a).first(N - 1));
    });
}

void test_vsels() {
    operands w;
    std::vector<float> ours(N), theirs(N);
    const pto::const_mask m = pto::packed(w.seed, N);
    const pto_mask c = pto_packed_in(w.seed.data());
    const float half = 0.5F, two = 2;
    pto::vsels(w.a, half, m, ours);
    expect_ok(pto_vsels(PTO_F32, pto_in_array(w.a.data()), pto_in_scalar(&half), c, theirs.data(), N));
    expect(same(ours, theirs), "vsels");
    pto::vsels(half, two, m, ours);
    expect_ok(pto_vsels(PTO_F32, pto_in_scalar(&half), pto_in_scalar(&two), c, theirs.data(), N));
    expect(same(ours, theirs), "vsels of two scalars");
    expect_ok(pto_vsels(PTO_F32, pto_in_array(w.a.data()), pto_in_array(w.b.data()), c, theirs.data(), N));
    pto::vsels(w.a, w.b, m, w.a);
    expect(same(w.a, theirs), "vsels in place");
    expect_error(PTO_ERR_SIZE, [&] { pto::vsels(std::span(w.a).first(3), half, m, ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vsels(half, std::span(w.b).first(3), m, ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vsels(w.a, half, m.first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vsels(w.a, half, {}, ours); });
    expect_error(PTO_ERR_MASK, [&] { pto::vsels(w.a, half, pto::mask_at(w.seed, PTO_MASK_B8, N), ours); });
}

void test_vcmpsel() {
    operands w;
    std::vector<float> ours(N), theirs(N);
    const float half = 0.5F, two = 2;
    pto::vcmpsel(PTO_LT, w.a, half, two, w.b, ours, PTO_FTZ);
    expect_ok(pto_vcmpsel(PTO_F32, PTO_LT, PTO_FTZ, pto_in_array(w.a.data()), pto_in_scalar(&half),
                          pto_in_scalar(&two), pto_in_array(w.b.data()), theirs.data(), N));
    expect(same(ours, theirs), "vcmpsel");
    pto::vcmpsel(PTO_EQU, w.a, w.b, w.a, w.b, w.a);
    expect_ok(pto_vcmpsel(PTO_F32, PTO_EQU, 0, pto_in_array(numbers(N, 1).data()), pto_in_array(w.b.data()),
                          pto_in_array(numbers(N, 1).data()), pto_in_array(w.b.data()), theirs.data(), N));
    expect(same(w.a, theirs), "vcmpsel in place");
    expect_error(PTO_ERR_SIZE, [&] { pto::vcmpsel(PTO_LT, std::span(w.a).first(1), half, two, w.b, ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vcmpsel(PTO_LT, w.a, half, two, std::span<const float>(), ours); });
    const pto::operand<float> scalar(half), array(w.a);
    expect(scalar.is_scalar() && !array.is_scalar() && scalar.fits(3) && !array.fits(3), "operands");
}

#if defined(PTO_VMATH_H) && !defined(PTO_NO_VMATH)
void test_vexp() {
    operands w;
    std::vector<float> ours(N), theirs(N);
    pto::vexp(w.a, pto::packed(w.seed, N), ours);
    expect_ok(pto_vexp(PTO_F32, w.a.data(), pto_packed_in(w.seed.data()), theirs.data(), N));
    expect(same(ours, theirs), "vexp under a mask");
    pto::vexp(w.a, ours);
    expect_ok(pto_vexp(PTO_F32, w.a.data(), PTO_NO_MASK, theirs.data(), N));
    expect(same(ours, theirs), "vexp");
    expect_error(PTO_ERR_SIZE, [&] { pto::vexp(w.a, std::span(ours).first(2)); });
}
#endif

} // namespace

void test_compare() {
    test_vcmp();
    test_testp();
    test_moves();
    test_indices();
    test_vcmps();
    test_setp();
    test_set();
}

void test_select() {
    test_selections();
    test_vsels();
    test_vcmpsel();
#if defined(PTO_VMATH_H) && !defined(PTO_NO_VMATH)
    test_vexp();
#endif
}
