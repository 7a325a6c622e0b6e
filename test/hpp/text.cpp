/* SPDX-License-Identifier: MIT */
/* The calls of parse.h, forms.h, value.h and plan.h. */
#include "hpp/hpp.hpp"

#include <string>

namespace {

constexpr std::size_t N = 77;

void test_vcmp_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    const std::vector<std::uint8_t> seed = noise(N, 3);
    std::vector<std::uint8_t> ours(N), theirs(N);
    const float one = 1;
    const pto::plan_vcmp<float> compare(PTO_LT, PTO_FTZ, PTO_MASK_PACKED, PTO_MASK_BYTE);
    const pto::plan_vcmps<float> against(PTO_GEU, 0, PTO_MASK_PACKED, PTO_MASK_BYTE);
    compare(a, b, pto::packed(seed, N), pto::bytes(ours));
    expect_ok(pto_vcmp(PTO_F32, PTO_LT, PTO_FTZ, a.data(), b.data(), pto_packed_in(seed.data()),
                       pto_bytes(theirs.data()), N));
    expect(same(ours, theirs), "plan_vcmp");
    against(a, one, pto::bytes(ours));
    expect_ok(pto_vcmps(PTO_F32, PTO_GEU, 0, a.data(), &one, PTO_NO_MASK, pto_bytes(theirs.data()), N));
    expect(same(ours, theirs), "plan_vcmps");
    expect_error(PTO_ERR_MASK, [&] { compare(a, b, pto::bytes(seed), pto::bytes(ours)); });
    expect_error(PTO_ERR_MASK, [&] { compare(a, b, pto::packed(ours, N)); });
    expect_error(PTO_ERR_SIZE, [&] { compare(a, std::span(b).first(3), pto::bytes(ours)); });
    expect_error(PTO_ERR_SIZE, [&] { against(a, one, pto::packed(seed, 3), pto::bytes(ours)); });
    expect_error(PTO_ERR_OP, [] { (void)pto::plan_vcmp<float>(PTO_LO); });
    expect_error(PTO_ERR_OP, [] { (void)pto::plan_vcmps<pto::b8>(PTO_LT); });
    expect(compare.c().run != nullptr, "the plan of C");
}

void test_vsel_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    const std::vector<std::uint8_t> m = noise(N, 3);
    std::vector<float> ours(N), theirs(N);
    const pto::plan_vsel<float> choose;
    const pto::plan_vsel<float> copy = choose;
    copy(a, b, pto::packed(m, N), ours);
    expect_ok(pto_vsel(PTO_F32, a.data(), b.data(), pto_packed_in(m.data()), theirs.data(), N));
    expect(same(ours, theirs), "plan_vsel");
    expect_error(PTO_ERR_MASK, [&] { choose(a, b, pto::bytes(m), ours); });
    expect_error(PTO_ERR_SIZE, [&] { choose(a, b, {}, ours); });
    expect_error(PTO_ERR_MASK, [] { (void)pto::plan_vsel<float>(PTO_MASK_B8); });
}

void test_cvt_plans() {
    const std::vector<float> x = numbers(64, 1);
    const std::vector<std::uint32_t> words(16, 0x12345678);
    const std::vector<pto::ue8m0> scales(32, pto::ue8m0{120});
    std::vector<pto::e4m3> ours(64), theirs(64);
    pto_cvt_op op = pto::cvt_op<pto::e4m3, float>(PTO_RN);
    op.satfinite = true;
    const pto::plan_cvt<pto::e4m3, float> nearest(op);
    nearest(x, ours);
    expect_ok(pto_cvt(op, x.data(), theirs.data(), nullptr, 64));
    expect(same(ours, theirs), "plan_cvt");
    expect_error(PTO_ERR_MODIFIER, [&] { nearest(x, ours, words); });
    expect_error(PTO_ERR_MODIFIER, [&] { nearest(x, ours, scales); });
    op.scale = PTO_SCALE_N1;
    const pto::plan_cvt<pto::e4m3, float> scaled(op);
    scaled(x, ours, scales);
    expect_ok(pto_cvt(op, x.data(), theirs.data(), scales.data(), 64));
    expect(same(ours, theirs), "plan_cvt with scales");
    expect_error(PTO_ERR_NULL, [&] { scaled(x, ours); });
    op.scale = PTO_SCALE_NONE;
    op.round = PTO_RS;
    const pto::plan_cvt<pto::e4m3, float> stochastic(op);
    stochastic(x, ours, words);
    expect_ok(pto_cvt(op, x.data(), theirs.data(), words.data(), 64));
    expect(same(ours, theirs), "plan_cvt with random bits");
    expect_error(PTO_ERR_SIZE, [&] { stochastic(x, ours, std::span(words).first(15)); });
    expect_error(PTO_ERR_TYPE, [&] { (void)pto::plan_cvt<pto::e5m2, float>(op); });
}

} // namespace

void test_text() {
    expect(pto::parse_setp("setp.lt.and.ftz.f32").boolop == PTO_AND, "parse_setp");
    expect(pto::parse_set("set.lt.u32.f32").dtype == PTO_U32, "parse_set");
    expect(pto::parse_cvt("cvt.rn.satfinite.e4m3x2.f32").dst == PTO_E4M3, "parse_cvt");
    expect(pto::parse_dtype("bf16") == PTO_BF16 && pto::parse_cmp("ltu") == PTO_LTU,
           "parse_dtype, parse_cmp");
    expect(pto::parse_pattern("PAT_VL16") == PTO_PAT_VL16, "parse_pattern");
    expect(pto::parse_setcc("SETNBE") == PTO_CC_A, "parse_setcc");
    try {
        (void)pto::parse_cvt("cvt.rn.e4m3x2.f33");
        expect(false, "nothing was thrown");
    } catch (const pto::parse_error &e) {
        pto_parse_error want{};
        pto_cvt_op op{};
        expect(pto_parse_cvt("cvt.rn.e4m3x2.f33", &op, &want) == e.status(), "the status");
        expect(e.at() == want.at && std::string(e.what()) == want.text, "place and text");
    }
    expect_error(PTO_ERR_NULL, [] { (void)pto::parse_cmp(nullptr); });

    const std::string_view words = pto::format_cvt(pto::parse_cvt("cvt.satfinite.rn.e4m3x2.f32"));
    (void)words; /* of a temporary: only its type is of interest */
    expect(pto::format_cvt(pto::parse_cvt("cvt.satfinite.rn.e4m3x2.f32")).view() ==
               "cvt.rn.satfinite.e4m3x2.f32",
           "format_cvt");
    expect(std::string(pto::format_setp(pto::parse_setp("setp.f32.lt")).c_str()) == "setp.lt.f32",
           "format_setp");
    expect(pto::format_set(pto::parse_set("set.lt.u32.f32")).view() == "set.lt.u32.f32", "format_set");
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::format_cvt(pto::cvt_op<pto::e4m3, float>(PTO_RN)); });
}

void test_forms() {
    expect(pto::cvt_form_count() == pto_cvt_form_count(), "cvt_form_count");
    expect(pto::setp_form_count() == pto_setp_form_count(), "setp_form_count");
    expect(pto::set_form_count() == pto_set_form_count(), "set_form_count");
    pto_cvt_op cvt{};
    pto_setp_op setp{};
    pto_set_op set{};
    char words[PTO_EXPLAIN_SIZE];
    int isa = 0;
    const char *target = nullptr;
    expect_ok(pto_cvt_form(11, &cvt));
    expect_ok(pto_setp_form(12, &setp));
    expect_ok(pto_set_form(13, &set));
    expect(pto::cvt_form(11).dst == cvt.dst && pto::cvt_form(11).round == cvt.round, "cvt_form");
    expect(pto::setp_form(12).cmp == setp.cmp && pto::set_form(13).cmp == set.cmp, "setp_form, set_form");
    expect_error(PTO_ERR_SIZE, [] { (void)pto::cvt_form(pto::cvt_form_count()); });
    expect_ok(pto_cvt_since(cvt, &isa));
    expect_ok(pto_cvt_target(cvt, &target));
    expect(pto::cvt_since(cvt) == isa && pto::cvt_target(cvt) == target, "cvt_since, cvt_target");
    expect_ok(pto_cvt_explain(cvt, words, sizeof words));
    expect(pto::cvt_explain(cvt).view() == words, "cvt_explain");
    expect_ok(pto_setp_explain(setp, words, sizeof words));
    expect(pto::setp_explain(setp).view() == words, "setp_explain");
    expect_ok(pto_set_explain(set, words, sizeof words));
    expect(pto::set_explain(set).view() == words, "set_explain");

    expect(pto::dtype_value(pto::e4m3{0x7e}) == 448 && pto::dtype_value(0.25F) == 0.25, "dtype_value");
    expect(pto::dtype_code<pto::e4m3>(448) == pto::e4m3{0x7e}, "dtype_code");
    expect_error(PTO_ERR_SIZE, [] { (void)pto::dtype_code<pto::e4m3>(449); });
    expect(pto::dtype_bits(PTO_E2M1) == 4 && std::string(pto::dtype_name(PTO_BF16)) == "bf16",
           "widths and names");
}

void test_plans() {
    test_vcmp_plans();
    test_vsel_plans();
    test_cvt_plans();
}
