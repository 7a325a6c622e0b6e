/* SPDX-License-Identifier: MIT */
/* Tests the calls of parse.h, forms.h and value.h. */
#include "hpp/hpp.hpp"

#include <string>

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
    (void)words; /* views a temporary: only its type is tested */
    expect(pto::format_cvt(pto::parse_cvt("cvt.satfinite.rn.e4m3x2.f32")).view() ==
               "cvt.rn.satfinite.e4m3x2.f32",
           "format_cvt");
    expect(std::string(pto::format_setp(pto::parse_setp("setp.f32.lt")).c_str()) == "setp.lt.f32",
           "format_setp");
    expect(pto::format_set(pto::parse_set("set.lt.u32.f32")).view() == "set.lt.u32.f32", "format_set");
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::format_cvt(pto::cvt_op<pto::e4m3, float>(PTO_RN)); });
    for (std::size_t i = 0; i < pto::cvt_form_count(); ++i) {
        const pto_cvt_op op = pto::cvt_form(i);
        if (pto_cvt_is_ptx(op))
            expect(pto::parse_cvt(pto::format_cvt(op).c_str()).scale == op.scale,
                   "the longest format_cvt, too");
    }
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
    expect(pto::dtype_class(PTO_HIF8) == PTO_CLASS_FLOAT, "classes");
}
