/* SPDX-License-Identifier: MIT */
/* Tests the calls of plan.h. */
#include "hpp/hpp.hpp"

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

void test_cast_plans() {
    const std::vector<float> x = numbers(64, 1);
    const std::vector<std::uint32_t> words(64, 0x12345678);
    std::vector<pto::s4x2> ours(32), theirs(32);
    pto_cast_op op = pto::cast_op<pto::s4x2, float>(PTO_RNA);
    const pto::plan_cast<pto::s4x2, float> away(op);
    away(x, ours);
    expect_ok(pto_cast(op, x.data(), theirs.data(), nullptr, 64));
    expect(same(ours, theirs), "plan_cast");
    expect_error(PTO_ERR_MODIFIER, [&] { away(x, ours, words); });
    expect_error(PTO_ERR_SIZE, [&] { away(std::span(x).first(62), ours); });
    op.round = PTO_RS;
    const pto::plan_cast<pto::s4x2, float> stochastic(op);
    stochastic(x, ours, words);
    expect_ok(pto_cast(op, x.data(), theirs.data(), words.data(), 64));
    expect(same(ours, theirs), "plan_cast with random bits");
    expect_error(PTO_ERR_NULL, [&] { stochastic(x, ours); });
    expect_error(PTO_ERR_SIZE, [&] { stochastic(x, ours, std::span(words).first(32)); });
    expect_error(PTO_ERR_TYPE, [&] { (void)pto::plan_cast<pto::u4x2, float>(op); });
    op.round = PTO_RNI;
    expect_error(PTO_ERR_MODIFIER, [&] { (void)pto::plan_cast<pto::s4x2, float>(op); });
}

pto_setp_op setp_op(pto_cmp cmp, pto_boolop boolop) {
    pto_setp_op op{};
    op.type = PTO_F32;
    op.cmp = cmp;
    op.boolop = boolop;
    return op;
}

void test_setp_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    const std::vector<std::uint8_t> c = noise(N, 3);
    std::vector<std::uint8_t> ours(N), theirs(N), ours_q(N), theirs_q(N);
    const pto_setp_op with = setp_op(PTO_GTU, PTO_XOR), without = setp_op(PTO_LT, PTO_BOOL_NONE);
    const pto::const_mask seen = pto::packed(c, N);
    const pto::mask p = pto::bytes(ours), q = pto::packed(ours_q, N);
    const pto::plan_setp<float> both(with, PTO_MASK_PACKED, PTO_MASK_BYTE, PTO_MASK_PACKED);
    const pto::plan_setp<float> plain(without, PTO_MASK_PACKED, PTO_MASK_BYTE);
    both(a, b, seen, p, q);
    expect_ok(pto_setp(with, a.data(), b.data(), pto_packed_in(c.data()), pto_bytes(theirs.data()),
                       pto_packed(theirs_q.data()), N));
    expect(same(ours, theirs) && same(ours_q, theirs_q), "plan_setp with c and q");
    plain(a, b, {}, p);
    expect_ok(pto_setp(without, a.data(), b.data(), PTO_NO_MASK, pto_bytes(theirs.data()), PTO_NO_MASK, N));
    expect(same(ours, theirs), "plan_setp");
    expect_error(PTO_ERR_NULL, [&] { both(a, b, {}, p, q); });
    expect_error(PTO_ERR_MODIFIER, [&] { plain(a, b, seen, p); });
    expect_error(PTO_ERR_MASK, [&] { both(a, b, pto::bytes(c), p, q); });
    expect_error(PTO_ERR_MASK, [&] { both(a, b, seen, q, q); });
    expect_error(PTO_ERR_MASK, [&] { both(a, b, seen, p, pto::bytes(ours_q)); });
    expect_error(PTO_ERR_SIZE, [&] { both(a, std::span(b).first(3), seen, p, q); });
    expect_error(PTO_ERR_SIZE, [&] { both(a, b, seen.first(3), p, q); });
    expect_error(PTO_ERR_SIZE, [&] { both(a, b, seen, p.first(3), q); });
    expect_error(PTO_ERR_SIZE, [&] { both(a, b, seen, p, q.first(3)); });
    both(std::span<float>(), std::span<float>(), {}, {});
    expect(same(ours, theirs), "an error has written nothing");
    expect_error(PTO_ERR_TYPE, [&] { (void)pto::plan_setp<pto::f16>(without); });
    expect_error(PTO_ERR_MASK, [&] { (void)pto::plan_setp<float>(without, PTO_MASK_B16); });
}

void test_set_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    const std::vector<std::uint8_t> c = noise(N, 3);
    std::vector<std::uint32_t> ours(N), theirs(N);
    pto_set_op op = pto::parse_set("set.neu.u32.f32");
    const pto::plan_set<std::uint32_t, float> plain(op);
    plain(a, b, {}, ours);
    expect_ok(pto_set(op, a.data(), b.data(), PTO_NO_MASK, theirs.data(), N));
    expect(same(ours, theirs), "plan_set");
    expect_error(PTO_ERR_MODIFIER, [&] { plain(a, b, pto::packed(c, N), ours); });
    op.boolop = PTO_AND;
    const pto::plan_set<std::uint32_t, float> guarded(op, PTO_MASK_BYTE);
    guarded(a, b, pto::bytes(c), ours);
    expect_ok(pto_set(op, a.data(), b.data(), pto_bytes_in(c.data()), theirs.data(), N));
    expect(same(ours, theirs), "plan_set with c");
    expect_error(PTO_ERR_NULL, [&] { guarded(a, b, {}, ours); });
    expect_error(PTO_ERR_MASK, [&] { guarded(a, b, pto::packed(c, N), ours); });
    expect_error(PTO_ERR_SIZE, [&] { guarded(a, b, pto::bytes(c).first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { guarded(a, std::span(b).first(3), pto::bytes(c), ours); });
    expect_error(PTO_ERR_TYPE, [&] { (void)pto::plan_set<std::int32_t, float>(op); });
}

void test_slct_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2), c = numbers(N, 3);
    std::vector<float> ours(N), theirs(N);
    const pto::plan_slct<float, float> choose(true);
    const pto::plan_slct<float, std::int32_t> by_sign;
    choose(a, b, c, ours);
    expect_ok(pto_slct(PTO_F32, PTO_F32, true, a.data(), b.data(), c.data(), theirs.data(), N));
    expect(same(ours, theirs), "plan_slct");
    by_sign(a, b, pto::as<std::int32_t>(c), ours);
    expect_ok(pto_slct(PTO_F32, PTO_S32, false, a.data(), b.data(), c.data(), theirs.data(), N));
    expect(same(ours, theirs), "plan_slct by integers");
    expect_error(PTO_ERR_SIZE, [&] { choose(a, b, std::span(c).first(3), ours); });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::plan_slct<float, std::int32_t>(true); });
    expect_error(PTO_ERR_TYPE, [] { (void)pto::plan_slct<float, double>(); });
}

void test_vcmpsel_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    std::vector<float> ours(N), theirs(N);
    const float half = 0.5F, two = 2;
    const pto_in x = pto_in_array(a.data()), y = pto_in_array(b.data());
    const pto::plan_vcmpsel<float> arrays(PTO_GT, PTO_FTZ);
    const pto::plan_vcmpsel<float, PTO_SCALAR_1 | PTO_SCALAR_3> mixed(PTO_LE);
    arrays(a, b, a, b, ours);
    expect_ok(pto_vcmpsel(PTO_F32, PTO_GT, PTO_FTZ, x, y, x, y, theirs.data(), N));
    expect(same(ours, theirs), "plan_vcmpsel");
    mixed(a, half, b, two, ours);
    expect_ok(
        pto_vcmpsel(PTO_F32, PTO_LE, 0, x, pto_in_scalar(&half), y, pto_in_scalar(&two), theirs.data(), N));
    expect(same(ours, theirs), "plan_vcmpsel with scalars");
    expect_error(PTO_ERR_SIZE, [&] { arrays(a, b, a, std::span(b).first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { mixed(a, half, b, two, std::span(ours).first(3)); });
    expect_error(PTO_ERR_OP, [] { (void)pto::plan_vcmpsel<float>(PTO_LO); });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::plan_vcmpsel<double>(PTO_LT, PTO_FTZ); });
    mixed(std::span<float>(), half, std::span<float>(), two, std::span<float>());
}

void test_vsels_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    const std::vector<std::uint8_t> m = noise(N, 3);
    const pto_mask c = pto_packed_in(m.data());
    std::vector<float> ours(N), theirs(N);
    const float two = 2;
    const pto::plan_vsels<float> arrays;
    const pto::plan_vsels<float, PTO_SCALAR_1> fill;
    arrays(a, b, pto::packed(m, N), ours);
    expect_ok(pto_vsel(PTO_F32, a.data(), b.data(), c, theirs.data(), N));
    expect(same(ours, theirs), "plan_vsels of arrays");
    fill(a, two, pto::packed(m, N), ours);
    expect_ok(pto_vsels(PTO_F32, pto_in_array(a.data()), pto_in_scalar(&two), c, theirs.data(), N));
    expect(same(ours, theirs), "plan_vsels with a scalar");
    expect_error(PTO_ERR_MASK, [&] { fill(a, two, pto::bytes(m), ours); });
    expect_error(PTO_ERR_SIZE, [&] { fill(a, two, {}, ours); });
    expect_error(PTO_ERR_SIZE, [&] { fill(std::span(a).first(3), two, pto::packed(m, N), ours); });
    expect_error(PTO_ERR_MASK, [] { (void)pto::plan_vsels<float>(PTO_MASK_B8); });
}

void test_maxmin_plans() {
    const std::vector<float> a = numbers(N, 1), b = numbers(N, 2);
    std::vector<float> ours(N), theirs(N);
    const float lo = -1, hi = 2;
    const pto_in x = pto_in_array(a.data()), y = pto_in_array(b.data()), least = pto_in_scalar(&lo),
                 most = pto_in_scalar(&hi);
    const pto::plan_vmax<float> larger(PTO_PROPAGATE_NAN);
    const pto::plan_vmin<float, PTO_SCALAR_0> at_most(PTO_FTZ | PTO_XORSIGN_ABS);
    const pto::plan_vclamp<float, PTO_SCALAR_1 | PTO_SCALAR_2> clamp(PTO_PROPAGATE_NAN);
    const pto::plan_vrelu<float> relu;
    larger(a, b, ours);
    expect_ok(pto_vmax(PTO_F32, PTO_PROPAGATE_NAN, x, y, theirs.data(), N));
    expect(same(ours, theirs), "plan_vmax");
    at_most(hi, b, ours);
    expect_ok(pto_vmin(PTO_F32, PTO_FTZ | PTO_XORSIGN_ABS, most, y, theirs.data(), N));
    expect(same(ours, theirs), "plan_vmin with a scalar");
    clamp(a, lo, hi, ours);
    expect_ok(pto_vclamp(PTO_F32, PTO_PROPAGATE_NAN, x, least, most, theirs.data(), N));
    expect(same(ours, theirs), "plan_vclamp with scalars");
    relu(a, ours);
    expect_ok(pto_vrelu(PTO_F32, 0, a.data(), theirs.data(), N));
    expect(same(ours, theirs), "plan_vrelu");
    expect_error(PTO_ERR_SIZE, [&] { larger(a, std::span(b).first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { at_most(hi, std::span(b).first(3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { clamp(std::span(a).first(3), lo, hi, ours); });
    expect_error(PTO_ERR_SIZE, [&] { relu(std::span(a).first(3), ours); });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::plan_vmax<pto::bf16>(PTO_FTZ); });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::plan_vmin<float>(PTO_MERGE); });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::plan_vclamp<float>(PTO_XORSIGN_ABS); });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::plan_vrelu<float>(PTO_XORSIGN_ABS); });
}

/** Runs a plan on pointers, over all rows at once and row by row. */
void test_rows() {
    constexpr std::size_t rows = 4, width = 16, n = 11;
    const std::vector<float> x = numbers(rows * width, 1);
    std::vector<float> ours(rows * width), theirs(ours);
    const float lo[rows] = {-3, -2, -1, 0}, hi = 2;
    const pto::plan_vclamp<float, PTO_SCALAR_1 | PTO_SCALAR_2> clamp;
    pto_operands operands{};
    pto_steps steps{};
    operands.src[0] = x.data();
    operands.src[1] = lo;
    operands.src[2] = &hi;
    operands.dst[0] = ours.data();
    steps.src[0] = steps.dst[0] = width * sizeof(float);
    steps.src[1] = sizeof(float);
    pto::rows_check(clamp, operands, steps, n, rows);
    pto::run_rows(clamp, operands, steps, n, rows);
    for (std::size_t row = 0; row < rows; row++)
        expect_ok(pto_vclamp(PTO_F32, 0, pto_in_array(x.data() + row * width), pto_in_scalar(&lo[row]),
                             pto_in_scalar(&hi), theirs.data() + row * width, n));
    expect(same(ours, theirs), "run_rows");
    pto::run_operands(clamp, operands, rows * width);
    expect_ok(pto_vclamp(PTO_F32, 0, pto_in_array(x.data()), pto_in_scalar(&lo[0]), pto_in_scalar(&hi),
                         theirs.data(), rows * width));
    expect(same(ours, theirs), "run_operands");
    steps.dst[0] = sizeof(float);
    expect_error(PTO_ERR_OVERLAP, [&] { pto::rows_check(clamp, operands, steps, n, rows); });
    operands.src[3] = &hi;
    expect_error(PTO_ERR_MODIFIER, [&] { pto::rows_check(clamp, operands, steps, n, rows); });
    operands.src[0] = nullptr;
    expect_error(PTO_ERR_NULL, [&] { pto::rows_check(clamp, operands, steps, n, rows); });
}

/* The type of a plan decides which operands are arrays and which are scalars. Results are not const. */
template <class Plan, class... Operands>
concept runs = requires(const Plan plan, Operands &&...operands) {
    plan(operands...);
};
using many = const std::vector<float> &;
using result = std::vector<float> &;
static_assert(runs<pto::plan_vmax<float>, many, many, result>);
static_assert(!runs<pto::plan_vmax<float>, many, float, result>);
static_assert(!runs<pto::plan_vmax<float, PTO_SCALAR_1>, many, many, result>);
static_assert(!runs<pto::plan_vmax<float>, many, many, many>);
static_assert(!runs<pto::plan_vcmpsel<float>, many, many, many, many, many>);
static_assert(!runs<pto::plan_setp<float>, many, many, pto::const_mask, pto::const_mask>);

template <class T>
concept has_max_plan = requires {
    typename pto::plan_vmax<T>;
};
static_assert(has_max_plan<pto::f16> && has_max_plan<pto::e4m3> && !has_max_plan<pto::b32>);
static_assert(std::is_constructible_v<pto::plan_vmax<float>, unsigned> &&
              !std::is_constructible_v<pto::plan_vmax<int>, unsigned>);
static_assert(std::is_trivially_copyable_v<pto::plan_vmax<float>> &&
              std::is_trivially_copyable_v<pto::plan_setp<float>>);

} // namespace

void test_plans() {
    test_vcmp_plans();
    test_vsel_plans();
    test_cvt_plans();
    test_cast_plans();
    test_setp_plans();
    test_set_plans();
    test_slct_plans();
    test_vcmpsel_plans();
    test_vsels_plans();
    test_maxmin_plans();
    test_rows();
}
