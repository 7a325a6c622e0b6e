/* SPDX-License-Identifier: MIT */
/* Tests the calls of convert.h, cast.h, vcvt.h, random.h and block.h. */
#include "hpp/hpp.hpp"

namespace {

constexpr std::size_t N = 64;

pto_cvt_op satfinite(pto_cvt_op op) {
    op.satfinite = true;
    return op;
}

void test_cvt() {
    const std::vector<float> x = numbers(N, 1);
    std::vector<pto::e4m3> ours(N), theirs(N);
    std::vector<pto::e2m1x2> fours(N / 2), their_fours(N / 2);
    std::vector<float> back(N), their_back(N);
    const pto_cvt_op to = satfinite(pto::cvt_op<pto::e4m3, float>(PTO_RN));
    const pto_cvt_op to_four = satfinite(pto::cvt_op<pto::e2m1x2, float>(PTO_RN));
    const pto_cvt_op from_four = pto::cvt_op<float, pto::e2m1x2>();
    pto::cvt(to, x, ours);
    expect_ok(pto_cvt(to, x.data(), theirs.data(), nullptr, N));
    expect(same(ours, theirs), "cvt");
    pto::cvt(to_four, x, fours);
    expect_ok(pto_cvt(to_four, x.data(), their_fours.data(), nullptr, N));
    expect(same(fours, their_fours), "cvt to e2m1");
    pto::cvt(from_four, fours, back);
    expect_ok(pto_cvt(from_four, fours.data(), their_back.data(), nullptr, N));
    expect(same(back, their_back), "cvt from e2m1");

    /* If the number of e2m1 elements is odd, the last one has its own e2m1x2 object. */
    pto::cvt(to_four, std::span(x).first(5), std::span(fours).first(3));
    expect_ok(pto_cvt(to_four, x.data(), their_fours.data(), nullptr, 5));
    expect(same(fours, their_fours) && fours[2].bits < 16, "cvt of an odd number");
    expect_error(PTO_ERR_SIZE, [&] { pto::cvt(to_four, std::span(x).first(5), std::span(fours).first(2)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::cvt(to_four, std::span(x).first(4), std::span(fours).first(3)); });
    expect_error(PTO_ERR_SIZE,
                 [&] { pto::cvt(from_four, std::span(fours).first(3), std::span(back).first(7)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::cvt(to, x, std::span(ours).first(3)); });
    expect_error(PTO_ERR_TYPE, [&] { pto::cvt(to_four, x, ours); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(pto::cvt_op<pto::e4m3, float>(PTO_RN), x, ours); });
    expect(pto::cvt_is_ptx(to), "cvt_is_ptx");
    pto::cvt_check(to);
    expect_error(PTO_ERR_MODIFIER, [] { pto::cvt_check(pto::cvt_op<pto::e4m3, float>(PTO_RN)); });
}

void test_extra() {
    const std::vector<float> x = numbers(N, 1);
    const std::vector<std::uint8_t> random = noise(N * 2, 5);
    const std::span<const std::uint8_t> bytes = random;
    std::vector<std::uint32_t> words(N / 2);
    std::vector<pto::e4m3> ours(N), theirs(N);
    std::vector<pto::f16> halves(N), their_halves(N);
    std::memcpy(words.data(), random.data(), N * 2);
    const pto_cvt_op rs = satfinite(pto::cvt_op<pto::e4m3, float>(PTO_RS));
    const pto_cvt_op rs_half = pto::cvt_op<pto::f16, float>(PTO_RS);
    pto::cvt(rs, x, ours, std::span(words).first(N / 4));
    expect_ok(pto_cvt(rs, x.data(), theirs.data(), words.data(), N));
    expect(same(ours, theirs), "cvt.rs to e4m3");
    pto::cvt(rs_half, x, halves, words);
    expect_ok(pto_cvt(rs_half, x.data(), their_halves.data(), words.data(), N));
    expect(same(halves, their_halves), "cvt.rs to f16");
    expect_error(PTO_ERR_SIZE, [&] { pto::cvt(rs, x, ours, words); });
    expect_error(PTO_ERR_NULL, [&] { pto::cvt(rs, x, ours); });

    pto_cvt_op scaled = satfinite(pto::cvt_op<pto::e4m3, float>(PTO_RN));
    scaled.scale = PTO_SCALE_N1;
    pto::cvt(scaled, x, ours, pto::as<pto::ue8m0>(bytes.first(N / 2)));
    expect_ok(pto_cvt(scaled, x.data(), theirs.data(), random.data(), N));
    expect(same(ours, theirs), "cvt with n1 scales");
    expect_error(PTO_ERR_SIZE, [&] { pto::cvt(scaled, x, ours, pto::as<pto::ue8m0>(bytes)); });
    std::vector<pto::bf16> back(N), their_back(N);
    pto_cvt_op from = pto::cvt_op<pto::bf16, pto::e4m3>(PTO_RN);
    from.scale = PTO_SCALE_N2;
    pto::cvt(from, ours, back, pto::as<pto::ue8m0>(bytes.first(N)));
    expect_ok(pto_cvt(from, ours.data(), their_back.data(), random.data(), N));
    expect(same(back, their_back), "cvt with n2 scales");
}

/** Checks that random bits or scales of a type or length that `op` does not take are an error. The C call cannot check
 * this, because it gets only a pointer. */
void test_wrong_extra() {
    const std::vector<float> x = numbers(N, 1);
    const std::vector<std::uint8_t> random = noise(N, 5);
    const std::span<const pto::ue8m0> scales = pto::as<pto::ue8m0>(std::span(random));
    const std::vector<std::uint32_t> words(N / 4, 0x12345678);
    std::vector<pto::f16> halves(N);
    std::vector<pto::bf16> brains(N);
    std::vector<pto::e4m3> codes(N);
    const pto_cvt_op rs_half = pto::cvt_op<pto::f16, float>(PTO_RS);
    const pto_cvt_op rs_brain = pto::cvt_op<pto::bf16, float>(PTO_RS);
    const pto_cvt_op rs_code = satfinite(pto::cvt_op<pto::e4m3, float>(PTO_RS));
    const pto_cvt_op plain = satfinite(pto::cvt_op<pto::e4m3, float>(PTO_RN));
    pto_cvt_op scaled = plain;
    scaled.scale = PTO_SCALE_N2;
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(rs_half, x, halves, scales); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(rs_brain, x, brains, scales); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(rs_code, x, codes, scales); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(plain, x, codes, scales); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(plain, x, codes, words); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(scaled, x, codes, words); });
    expect_error(PTO_ERR_SIZE, [&] { pto::cvt(scaled, x, codes, scales.first(N / 2)); });
    expect_error(PTO_ERR_SIZE, [&] {
        pto::cvt(rs_code, std::span(x).first(6), std::span(codes).first(6), std::span(words).first(1));
    });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::plan_cvt<pto::f16, float>{rs_half}(x, halves, scales); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::plan_cvt<pto::e4m3, float>{plain}(x, codes, scales); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::plan_cvt<pto::e4m3, float>{plain}(x, codes, words); });
}

void test_parts() {
    const std::vector<float> x = numbers(N, 1);
    const std::vector<std::uint8_t> m = noise(4 * N, 2);
    const pto_vcvt_op narrow = pto::vcvt_op<pto::e4m3, float>(PTO_VRND_A, true);
    const pto_vcvt_op widen = pto::vcvt_op<float, pto::f16>();
    std::vector<pto::e4m3> ours(4 * N), theirs(4 * N);
    std::vector<pto::f16> halves(2 * N);
    std::vector<float> wide(N), their_wide(N);
    std::memcpy(halves.data(), m.data(), sizeof(pto::f16) * 2 * N);
    pto::vcvt_part(narrow, PTO_PART_P2, x, pto::packed(m, N), ours);
    expect_ok(pto_vcvt_part(narrow, PTO_PART_P2, x.data(), pto_packed_in(m.data()), theirs.data(), N));
    expect(same(ours, theirs), "vcvt_part, narrowing");
    pto::vcvt_part(widen, PTO_PART_ODD, halves, pto::packed(m, 2 * N), wide);
    expect_ok(
        pto_vcvt_part(widen, PTO_PART_ODD, halves.data(), pto_packed_in(m.data()), their_wide.data(), N));
    expect(same(wide, their_wide), "vcvt_part, widening");

    std::vector<pto::bf16> brains(N);
    std::vector<pto::e1m2x2> fours(2 * N), their_fours(2 * N);
    const pto_vcvt_op to_four = pto::vcvt_op<pto::e1m2x2, pto::bf16>(PTO_VRND_Z);
    std::memcpy(brains.data(), m.data(), sizeof(pto::bf16) * N);
    pto::vcvt_part(to_four, PTO_PART_P1, brains, {}, fours);
    expect_ok(pto_vcvt_part(to_four, PTO_PART_P1, brains.data(), PTO_NO_MASK, their_fours.data(), N));
    expect(same(fours, their_fours), "vcvt_part of e1m2");
    expect_error(PTO_ERR_SIZE, [&] { pto::vcvt_part(narrow, PTO_PART_P2, x, {}, std::span(ours).first(N)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vcvt_part(widen, PTO_PART_ODD, halves, pto::packed(m, N), wide); });
    expect_error(PTO_ERR_TYPE, [&] { pto::vcvt_part(to_four, PTO_PART_P0, x, {}, ours); });
}

void test_matrix() {
    std::vector<float> x(12);
    const pto::matrix rows(x, 3, 4);
    const pto::matrix<const float> apart(std::as_const(x), 2, 4, 32);
    expect(rows.rows() == 3 && rows.cols() == 4 && rows.stride() == 0 && apart.stride() == 32, "a matrix");
    static_assert(std::is_same_v<decltype(pto::matrix(std::as_const(x), 1, 1)), pto::matrix<const float>>);
    static_assert(std::is_convertible_v<pto::matrix<float>, pto::matrix<const float>>);
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::matrix(x, 3, 5); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::matrix(x, 3, 4, 20); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::matrix(x, 2, 4, 15); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::matrix(x, static_cast<std::size_t>(-1), 4); });
    (void)pto::matrix(x, 0, 100);
}

/** Quantizes to e4m3 with scales of type Scale and dequantizes, and compares with the C calls. */
template <class Scale> void round_trip(pto_block_op op) {
    constexpr std::size_t rows = 3, cols = N;
    const std::vector<float> x = numbers(rows * cols, 4);
    std::vector<pto::e4m3> codes(rows * cols), their_codes(rows * cols);
    const pto_block_size size = pto::block_sizes(op, rows, cols);
    std::vector<Scale> scales(size.scale_rows * size.scale_cols), their_scales = scales;
    std::vector<float> y(rows * cols), their_y(rows * cols);
    const std::vector<std::uint32_t> words(op.round == PTO_RS ? rows * cols / 4 : 0, 0x89abcdef);
    const std::uint32_t *const rbits = words.empty() ? nullptr : words.data();
    const pto::matrix from(x, rows, cols);
    const pto::matrix to(codes, rows, cols);
    const pto::matrix by(scales, size.scale_rows, size.scale_cols);
    pto::block_check(op);
    pto::block_quantize(op, from, to, by, words);
    expect_ok(pto_block_quantize(op, x.data(), 0, rows, cols, their_codes.data(), 0, their_scales.data(), 0,
                                 rbits));
    expect(same(codes, their_codes) && same(scales, their_scales), "block_quantize");
    pto::block_requantize(op, from, to, by, words);
    expect_ok(
        pto_block_requantize(op, x.data(), 0, rows, cols, their_codes.data(), 0, scales.data(), 0, rbits));
    expect(same(codes, their_codes), "block_requantize");
    pto::block_dequantize(op, to, by, pto::matrix(y, rows, cols));
    expect_ok(pto_block_dequantize(op, codes.data(), 0, scales.data(), 0, rows, cols, their_y.data(), 0));
    expect(same(y, their_y), "block_dequantize");
    expect_error(PTO_ERR_SIZE,
                 [&] { pto::block_quantize(op, from, pto::matrix(codes, rows, cols - 1), by, words); });
    expect_error(PTO_ERR_SIZE, [&] {
        pto::block_dequantize(op, to, pto::matrix(scales, 1, 1), pto::matrix(y, rows, cols));
    });
    op.wide = PTO_F16;
    expect_error(PTO_ERR_TYPE, [&] { pto::block_quantize(op, from, to, by, words); });
}

void test_nvfp4() {
    std::vector<float> x(32);
    std::vector<pto::e2m1x2> codes(16), their_codes(16);
    std::vector<pto::e4m3> scales(2), their_scales(2);
    pto_block_op op{};
    for (std::size_t i = 0; i < x.size(); i++) x[i] = static_cast<float>(i * 5 % 32) * 0.7F - 9;
    op.elem = PTO_E2M1;
    op.wide = PTO_F32;
    op.rule = PTO_NV_TE;
    op.round = PTO_RN;
    op.block_rows = 1;
    op.block_cols = 16;
    op.two_level = true;
    const float amax = pto::block_amax(pto::matrix(x, 1, 32));
    float their_amax = 0, tensor = 0;
    expect_ok(pto_block_amax(PTO_F32, x.data(), 0, 1, 32, false, &their_amax));
    expect_ok(pto_block_tensor(op.rule, amax, &tensor));
    op.tensor = pto::block_tensor(op.rule, amax);
    expect(amax == their_amax && op.tensor == tensor, "block_amax and block_tensor");
    pto::block_quantize(op, pto::matrix(x, 1, 32), pto::matrix(codes, 1, 16), pto::matrix(scales, 1, 2));
    expect_ok(
        pto_block_quantize(op, x.data(), 0, 1, 32, their_codes.data(), 0, their_scales.data(), 0, nullptr));
    expect(same(codes, their_codes) && same(scales, their_scales), "block_quantize of e2m1");
    expect_error(PTO_ERR_TYPE, [&] {
        pto::block_quantize(op, pto::matrix(x, 1, 32), pto::matrix(codes, 1, 16),
                            pto::matrix(pto::as<pto::ue8m0>(scales), 1, 2));
    });
    expect_error(PTO_ERR_MODIFIER, [] { (void)pto::block_tensor(PTO_MX_FLOOR, 1); });
}

/* Checks that each call refuses an op with a reserved member that is not 0. */
void test_reserved() {
    std::vector<float> x(N), y(N);
    std::vector<pto::e4m3> codes(N);
    std::vector<pto::ue8m0> scales(2);
    const pto::matrix from(x, 1, N), back(y, 1, N);
    const pto::matrix to(codes, 1, N);
    const pto::matrix by(scales, 1, 2);
    pto_cvt_op cvt = satfinite(pto::cvt_op<pto::e4m3, float>(PTO_RN));
    pto_block_op block{};
    cvt.reserved[1] = 1;
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt(cvt, x, codes); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::cvt_check(cvt); });
    expect_error(PTO_ERR_MODIFIER, [&] { (void)pto::plan_cvt<pto::e4m3, float>(cvt); });
    expect_error(PTO_ERR_MODIFIER, [&] { (void)pto::format_cvt(cvt); });
    expect_error(PTO_ERR_MODIFIER, [&] { (void)pto::cvt_since(cvt); });
    expect_error(PTO_ERR_MODIFIER, [&] { (void)pto::cvt_target(cvt); });
    expect(!pto::cvt_is_ptx(cvt), "cvt_is_ptx with a reserved byte");

    block.elem = PTO_E4M3;
    block.wide = PTO_F32;
    block.round = PTO_RN;
    block.block_rows = 1;
    block.block_cols = 32;
    pto::block_check(block);
    block.reserved[3] = 1;
    expect_error(PTO_ERR_MODIFIER, [&] { pto::block_check(block); });
    expect_error(PTO_ERR_MODIFIER, [&] { (void)pto::block_sizes(block, 1, N); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::block_quantize(block, from, to, by); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::block_requantize(block, from, to, by); });
    expect_error(PTO_ERR_MODIFIER, [&] { pto::block_dequantize(block, to, by, back); });
}

void test_layouts() {
    std::vector<std::uint8_t> bytes = noise(15, 3);
    const std::span<pto::ue8m0> scales = pto::as<pto::ue8m0>(bytes);
    std::vector<pto::ue8m0> tiled(pto::scales_bytes(PTO_SCALES_8X4, 3, 5)), theirs(tiled), back(15);
    expect(tiled.size() == pto_scales_bytes(PTO_SCALES_8X4, 3, 5), "scales_bytes");
    pto::scales_swizzle(PTO_SCALES_8X4, pto::matrix(scales, 3, 5), tiled);
    expect_ok(pto_scales_swizzle(PTO_SCALES_8X4, bytes.data(), 0, 3, 5, theirs.data()));
    expect(same(tiled, theirs), "scales_swizzle");
    pto::scales_unswizzle(PTO_SCALES_8X4, tiled, pto::matrix(back, 3, 5));
    expect(std::memcmp(back.data(), bytes.data(), 15) == 0, "scales_unswizzle");
    expect_error(PTO_ERR_SIZE,
                 [&] { pto::scales_swizzle(PTO_SCALES_8X4, pto::matrix(scales, 3, 4), tiled); });
    expect_error(PTO_ERR_SIZE,
                 [&] { pto::scales_unswizzle(PTO_SCALES_128X4, tiled, pto::matrix(back, 3, 5)); });
}

void test_packs() {
    std::vector<std::uint8_t> codes = noise(64, 4), scales = noise(8, 5), theirs(2 * 36), packed(2 * 36);
    std::vector<std::uint8_t> codes_back(64), scales_back(8);
    expect(pto::block_pack_bytes(PTO_PACK_GGUF_NVFP4, 2, 64) == 2 * 36, "block_pack_bytes");
    pto::block_pack(PTO_PACK_GGUF_NVFP4, pto::matrix(codes, 2, 32), pto::matrix(scales, 2, 4), packed);
    expect_ok(pto_block_pack(PTO_PACK_GGUF_NVFP4, codes.data(), 0, scales.data(), 0, 2, 64, theirs.data()));
    expect(packed == theirs, "block_pack");
    pto::block_unpack(PTO_PACK_GGUF_NVFP4, packed, pto::matrix(codes_back, 2, 32),
                      pto::matrix(scales_back, 2, 4));
    expect(codes_back == codes && scales_back == scales, "block_unpack");
    expect_error(PTO_ERR_SIZE, [&] {
        pto::block_pack(PTO_PACK_GGUF_MXFP4, pto::matrix(codes, 2, 32), pto::matrix(scales, 2, 4), packed);
    });
    expect_error(PTO_ERR_SIZE, [&] {
        pto::block_unpack(PTO_PACK_GGUF_NVFP4, packed, pto::matrix(codes_back, 2, 32),
                          pto::matrix(scales_back, 1, 4));
    });
}

} // namespace

void test_convert() {
    test_cvt();
    test_extra();
    test_wrong_extra();
    test_reserved();
}

void test_cast() {
    const std::vector<float> x = numbers(N, 1);
    const pto_cast_op op = pto::cast_op<pto::e4m3fnuz, float>(PTO_RO, PTO_OVERFLOW_SATURATE);
    const pto_cast_op stochastic = pto::cast_op<pto::s2x4, float>(PTO_RS);
    const std::vector<std::uint32_t> words(N, 0x80000000);
    std::vector<pto::e4m3fnuz> ours(N), theirs(N);
    std::vector<pto::s2x4> small((N + 3) / 4), their_small((N + 3) / 4);
    pto::cast(op, x, ours);
    expect_ok(pto_cast(op, x.data(), theirs.data(), nullptr, N));
    expect(same(ours, theirs), "cast");
    pto::cast(stochastic, x, small, words);
    expect_ok(pto_cast(stochastic, x.data(), their_small.data(), words.data(), N));
    expect(same(small, their_small), "cast with random bits");
    expect_error(PTO_ERR_SIZE, [&] { pto::cast(op, x, std::span(ours).first(1)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::cast(stochastic, x, small, std::span(words).first(1)); });
    expect_error(PTO_ERR_TYPE, [&] { pto::cast(op, x, small); });
    expect_error(PTO_ERR_NULL, [&] { pto::cast(stochastic, x, small); });
    pto::cast_check(op);
    expect_error(PTO_ERR_TYPE, [] { pto::cast_check(pto::cast_op<pto::b8, float>()); });
}

void test_vcvt() {
    const std::vector<float> x = numbers(N, 1);
    const std::vector<std::uint8_t> m = noise(N, 2);
    const pto_vcvt_op op = pto::vcvt_op<std::int16_t, float>(PTO_VRND_O, true);
    std::vector<std::int16_t> ours(N), theirs(N);
    std::vector<float> whole(N), their_whole(N);
    pto::vcvt(op, x, pto::packed(m, N), ours);
    expect_ok(pto_vcvt(op, x.data(), pto_packed_in(m.data()), theirs.data(), N));
    expect(same(ours, theirs), "vcvt under a mask");
    pto::vcvt(op, x, ours);
    expect_ok(pto_vcvt(op, x.data(), PTO_NO_MASK, theirs.data(), N));
    expect(same(ours, theirs), "vcvt");
    pto::vtrc(PTO_VRND_F, x, pto::packed(m, N), whole);
    expect_ok(pto_vtrc(PTO_F32, PTO_VRND_F, x.data(), pto_packed_in(m.data()), their_whole.data(), N));
    expect(same(whole, their_whole), "vtrc under a mask");
    pto::vtrc(PTO_VRND_C, x, whole);
    expect_ok(pto_vtrc(PTO_F32, PTO_VRND_C, x.data(), PTO_NO_MASK, their_whole.data(), N));
    expect(same(whole, their_whole), "vtrc");
    expect_error(PTO_ERR_SIZE, [&] { pto::vcvt(op, x, pto::packed(m, 3), ours); });
    expect_error(PTO_ERR_SIZE, [&] { pto::vtrc(PTO_VRND_C, x, std::span(whole).first(1)); });
    expect_error(PTO_ERR_TYPE, [&] { pto::vcvt(op, x, whole); });
    pto::vcvt_check(op);
    expect_error(PTO_ERR_TYPE, [] { pto::vcvt_check(pto::vcvt_op<double, float>()); });
    expect(pto::vcvt_form_count() == pto_vcvt_form_count() && pto::vcvt_form(0).dst == PTO_U8,
           "forms of vcvt");
    expect_error(PTO_ERR_SIZE, [] { (void)pto::vcvt_form(pto::vcvt_form_count()); });
    test_parts();
}

void test_random() {
    const pto::random_key key = {1, 2};
    const pto::random_block counter = {0xffffffff, 3, 4, 5};
    std::vector<std::uint32_t> ours(N), theirs(N);
    pto::random_block next{};
    pto::random_bits(key, counter, ours);
    expect_ok(pto_random_bits(key.data(), counter.data(), theirs.data(), N));
    expect(same(ours, theirs), "random_bits");
    expect_ok(pto_random_counter(counter.data(), 7, next.data()));
    expect(pto::random_counter(counter, 7) == next && next[1] == 4, "random_counter");
}

void test_block() {
    pto_block_op op{};
    op.wide = PTO_F32;
    op.elem = PTO_E4M3;
    op.rule = PTO_MX_RCEIL;
    op.round = PTO_RN;
    op.block_rows = 1;
    op.block_cols = 32;
    round_trip<pto::ue8m0>(op);
    op.round = PTO_RS;
    round_trip<pto::ue8m0>(op);
    op.round = PTO_RN;
    op.rule = PTO_FP8_DIV;
    op.block_rows = 2;
    round_trip<float>(op);
    expect(pto::block_scale_type(PTO_NV_CT) == PTO_E4M3, "scale types");
    expect(std::strcmp(pto::block_rule_name(PTO_FP8_DIV), pto_block_rule_name(PTO_FP8_DIV)) == 0, "names");
    op.elem = PTO_F64;
    expect_error(PTO_ERR_TYPE, [&] { pto::block_check(op); });
    test_matrix();
    test_nvfp4();
    test_layouts();
    test_packs();
}
