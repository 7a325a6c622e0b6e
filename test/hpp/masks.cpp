/* SPDX-License-Identifier: MIT */
/* Tests the calls of mask.h, preg.h and setcc.h. */
#include "hpp/hpp.hpp"

namespace {

constexpr std::size_t N = 101;

void test_views() {
    std::vector<std::uint8_t> memory(N);
    std::array<std::uint64_t, 2> words{};
    std::array<bool, 3> bools = {true, false, true};
    for (int kind = -1; kind <= PTO_MASK_BYTE + 1; kind++)
        for (std::size_t n = 0; n < 70; n++)
            expect(pto::mask_bytes(static_cast<pto_mask_kind>(kind), n) ==
                       pto_mask_bytes(static_cast<pto_mask_kind>(kind), n),
                   "mask_bytes");
    expect(pto::packed(memory, 8 * N).lanes() == 8 * N, "packed");
    expect(pto::bytes(memory).lanes() == N && pto::bytes(memory).kind() == PTO_MASK_BYTE, "bytes");
    expect(pto::mask_at(words, PTO_MASK_B32, 32).data() == words.data(), "mask_at");
    expect(pto::mask_count(pto::bytes(bools)) == 2, "a mask of bool");
    expect(pto::mask_kind_of<float> == PTO_MASK_B32 && pto::mask_kind_of<pto::e4m3> == PTO_MASK_B8, "kinds");
    expect(pto::mask().is_none() && pto::const_mask().c().data == nullptr, "no mask");
    expect(pto::const_mask(memory.data(), PTO_MASK_BYTE, 4).first(3).lanes() == 3, "first");
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::packed(memory, 8 * N + 1); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::mask_at(words, PTO_MASK_B32, 33); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::bytes(memory).first(N + 1); });
}

void test_logic() {
    const std::vector<std::uint8_t> a = noise(N, 1), b = noise(N, 2), s = noise(N, 3);
    std::vector<std::uint8_t> ours(N), theirs(N);
    const pto::const_mask x = pto::packed(a, N), y = pto::bytes(b), z = pto::packed(s, N);
    const pto::mask to = pto::bytes(ours);
    const pto_mask cx = pto_packed_in(a.data()), cy = pto_bytes_in(b.data()), cz = pto_packed_in(s.data());
    const pto_mask c_to = pto_bytes(theirs.data());
    pto::mask_and(x, y, to);
    expect_ok(pto_mask_and(cx, cy, c_to, N));
    expect(same(ours, theirs), "mask_and");
    pto::mask_or(x, y, to);
    expect_ok(pto_mask_or(cx, cy, c_to, N));
    expect(same(ours, theirs), "mask_or");
    pto::mask_xor(x, y, to);
    expect_ok(pto_mask_xor(cx, cy, c_to, N));
    expect(same(ours, theirs), "mask_xor");
    pto::mask_not(x, to);
    expect_ok(pto_mask_not(cx, c_to, N));
    expect(same(ours, theirs), "mask_not");
    pto::mask_mov(z, to);
    expect_ok(pto_mask_mov(cz, c_to, N));
    expect(same(ours, theirs), "mask_mov");
    pto::mask_sel(x, y, z, to);
    expect_ok(pto_mask_sel(cx, cy, cz, c_to, N));
    expect(same(ours, theirs), "mask_sel");
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_and(x.first(3), y, to); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_or(x, y.first(3), to); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_xor(x, y, to.first(3)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_not(x, to.first(3)); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_mov(x.first(2), to); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_sel(x, y, z.first(2), to); });
}

void test_questions() {
    const std::vector<std::uint8_t> a = noise(N, 1);
    const std::vector<std::uint8_t> none(N), all(N, 0xff);
    std::size_t n = 0;
    expect_ok(pto_mask_count(pto_packed_in(a.data()), N, &n));
    expect(pto::mask_count(pto::packed(a, N)) == n && n > 0, "mask_count");
    expect_ok(pto_mask_first(pto_packed_in(a.data()), N, &n));
    expect(pto::mask_first(pto::packed(a, N)) == n && pto::mask_first(pto::packed(none, N)) == N,
           "mask_first");
    expect(pto::mask_any(pto::packed(a, N)) && !pto::mask_any(pto::packed(none, N)), "mask_any");
    expect(pto::mask_all(pto::packed(all, N)) && !pto::mask_all(pto::packed(a, N)), "mask_all");
    expect(pto::mask_none(pto::packed(none, N)) && !pto::mask_none(pto::packed(a, N)), "mask_none");

    std::vector<std::uint8_t> m(2);
    pto::mask_set(pto::packed(m, 12), 11, true);
    expect(m[1] == 8 && pto::mask_get(pto::packed(m, 12), 11) && !pto::mask_get(pto::packed(m, 12), 10),
           "one lane");
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_set(pto::packed(m, 12), 12, true); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::mask_get(pto::packed(m, 12), 12); });
}

void test_lanes() {
    const std::vector<std::uint8_t> a = noise(N, 1);
    std::vector<std::uint8_t> ours = noise(N, 2), theirs = ours;
    const pto::const_mask from = pto::packed(a, N);
    const pto::mask to = pto::packed(ours, N);
    pto::mask_copy(from, 3, to, 10, N - 10);
    expect_ok(pto_mask_copy(pto_packed_in(a.data()), 3, pto_packed(theirs.data()), 10, N - 10));
    expect(same(ours, theirs), "mask_copy");
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_copy(from, 3, to, 10, N - 9); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_copy(from, 4, to, 3, N - 3); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_copy(from, N + 1, to, 0, 0); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_copy(from, 3, to, 3, static_cast<std::size_t>(-2)); });
    expect_error(PTO_ERR_OVERLAP, [&] { pto::mask_copy(to, 0, to, 1, N - 1); });
    pto::mask_copy({}, 0, pto::mask(), 0, 0);
    pto::mask_range(to, 5, 77);
    expect_ok(pto_mask_range(pto_packed(theirs.data()), 5, 77, N));
    expect(same(ours, theirs), "mask_range");
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_range(to, 6, 5); });
    expect_error(PTO_ERR_SIZE, [&] { pto::mask_range(to, 5, N + 1); });
    expect(same(ours, theirs), "an error has written nothing");
}

void test_shares() {
    std::vector<std::uint8_t> memory(N);
    const pto::mask all = pto::mask_at(memory, PTO_MASK_B16, N);
    const pto::mask rest = pto::mask_from(all, 64);
    expect(rest.data() == pto_mask_from(all.c(), 64).data && rest.kind() == PTO_MASK_B16 &&
               rest.lanes() == N - 64,
           "mask_from");
    expect(pto::mask_from(pto::const_mask(all), 96).lanes() == N - 96, "mask_from of one to read");
    expect(pto::mask_from(pto::mask(), 7).is_none() && pto::mask_from(pto::const_mask(), 7).is_none(),
           "mask_from of none");
    expect(pto::mask_from(all.first(64), 64).lanes() == 0, "mask_from at the end");
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::mask_from(all, 9); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::mask_from(all, 104); });
    expect_error(PTO_ERR_SIZE, [&] { (void)pto::mask_from(pto::const_mask(all), 104); });
    static_assert(std::is_same_v<decltype(pto::mask_from(all, 0)), pto::mask> &&
                  std::is_same_v<decltype(pto::mask_from(pto::const_mask(), 0)), pto::const_mask>);

    /* The results of all parts of a split call are equal to those of one call. */
    const std::vector<float> x = numbers(N, 1);
    std::vector<std::uint8_t> ours(N), theirs(N);
    const pto::mask to = pto::packed(ours, N);
    for (std::size_t k = 0; k < 3; k++) {
        std::size_t begin = 0, count = 0;
        const pto::share share = pto::split(N, 3, k);
        expect_ok(pto_split(N, 3, k, &begin, &count));
        expect(share.begin == begin && share.count == count, "split");
        if (count != 0)
            pto::vcmps(PTO_LT, std::span(x).subspan(begin, count), 0.0F,
                       pto::mask_from(to, begin).first(count));
    }
    pto::vcmps(PTO_LT, x, 0.0F, pto::packed(theirs, N));
    expect(same(ours, theirs), "shares");
    expect_error(PTO_ERR_SIZE, [] { (void)pto::split(N, 3, 3); });
    expect_error(PTO_ERR_SIZE, [] { (void)pto::split(N, 0, 0); });
}

/* A mask that is written must not be const. */
template <class M>
concept takes_range = requires(M m) {
    pto::mask_range(m, 0, 1);
    pto::mask_copy(m, 0, m, 8, 8);
};
static_assert(takes_range<pto::mask> && !takes_range<pto::const_mask>);

bool same_register(const pto::preg &a, const pto::preg &b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

pto::preg some(unsigned seed) {
    pto::preg p{};
    const std::vector<std::uint8_t> bytes = noise(sizeof p, seed);
    std::memcpy(&p, bytes.data(), sizeof p);
    return p;
}

} // namespace

void test_masks() {
    test_views();
    test_logic();
    test_questions();
    test_lanes();
    test_shares();
}

void test_registers() {
    const pto::preg a = some(1), b = some(2), g = some(3);
    pto::preg p{}, q{};
    std::uint32_t ours = 70, theirs = 70;
    expect_ok(pto_pset(16, PTO_PAT_M3, &p));
    expect(same_register(pto::pset(16, PTO_PAT_M3), p), "pset");
    expect_ok(pto_pge(32, PTO_PAT_VL3, &p));
    expect(same_register(pto::pge(32, PTO_PAT_VL3), p), "pge");
    expect_ok(pto_plt(32, &theirs, &p));
    expect(same_register(pto::plt(32, ours), p) && ours == theirs && ours == 6, "plt");
    expect_ok(pto_pand(a, b, g, &p));
    expect(same_register(pto::pand(a, b, g), p), "pand");
    expect_ok(pto_por(a, b, g, &p));
    expect(same_register(pto::por(a, b, g), p), "por");
    expect_ok(pto_pxor(a, b, g, &p));
    expect(same_register(pto::pxor(a, b, g), p), "pxor");
    expect_ok(pto_pnot(a, g, &p));
    expect(same_register(pto::pnot(a, g), p), "pnot");
    expect_ok(pto_psel(a, b, g, &p));
    expect(same_register(pto::psel(a, b, g), p), "psel");
    expect_ok(pto_ppack(a, PTO_HIGHER, &p));
    expect(same_register(pto::ppack(a, PTO_HIGHER), p), "ppack");
    expect_ok(pto_punpack(a, PTO_HIGHER, &p));
    expect(same_register(pto::punpack(a, PTO_HIGHER), p), "punpack");
    expect_ok(pto_pintlv(8, a, b, &p, &q));
    expect(same_register(pto::pintlv(8, a, b).lo, p) && same_register(pto::pintlv(8, a, b).hi, q), "pintlv");
    expect_ok(pto_pdintlv(8, a, b, &p, &q));
    expect(same_register(pto::pdintlv(8, a, b).lo, p) && same_register(pto::pdintlv(8, a, b).hi, q),
           "pdintlv");

    const pto::preg active = pto::pset(32, PTO_PAT_VL4);
    expect(pto::mask_count(pto::preg_mask(active, 32)) == 4 && pto::preg_mask(active, 8).lanes() == 256,
           "as a mask");
    pto::vcmps(PTO_LT, numbers(64, 1), 0.0F, pto::preg_mask(active, 32), pto::preg_mask(p, 32));
    expect(pto::mask_count(pto::preg_mask(p, 32)) <= 4, "a register as seed and result");
    expect_error(PTO_ERR_MASK, [&] { (void)pto::pset(64, PTO_PAT_ALL); });
    expect_error(PTO_ERR_PATTERN, [&] { (void)pto::pge(32, PTO_PAT_VL128); });
    expect_error(PTO_ERR_MASK, [&] { (void)pto::preg_mask(p, 64); });
    expect_error(PTO_ERR_MASK, [&] { (void)pto::preg_mask(active, 4); });
}

void test_flags() {
    const std::vector<float> x = numbers(N, 1), y = numbers(N, 2);
    const std::span<const std::uint32_t> a = pto::as<std::uint32_t>(x), b = pto::as<std::uint32_t>(y);
    std::vector<std::uint32_t> ours(N), theirs(N);
    std::vector<std::uint8_t> ours_cc(N), theirs_cc(N);
    pto::flags_cmp(a, b, ours);
    expect_ok(pto_flags_cmp(PTO_U32, x.data(), y.data(), theirs.data(), N));
    expect(same(ours, theirs), "flags_cmp");
    pto::flags_test(a, b, ours);
    expect_ok(pto_flags_test(PTO_U32, x.data(), y.data(), theirs.data(), N));
    expect(same(ours, theirs), "flags_test");
    pto::flags_ucomi(x, y, ours);
    expect_ok(pto_flags_ucomi(PTO_F32, x.data(), y.data(), theirs.data(), N));
    expect(same(ours, theirs), "flags_ucomi");
    pto::setcc(PTO_CC_BE, ours, ours_cc);
    expect_ok(pto_setcc(PTO_CC_BE, theirs.data(), theirs_cc.data(), N));
    expect(same(ours_cc, theirs_cc), "setcc");
    pto::cmp_setcc(PTO_CC_A, x, y, ours_cc);
    expect_ok(pto_cmp_setcc(PTO_CC_A, PTO_F32, x.data(), y.data(), theirs_cc.data(), N));
    expect(same(ours_cc, theirs_cc), "cmp_setcc");
    const std::span<std::uint32_t> shorter = std::span(ours).first(N - 1);
    expect_error(PTO_ERR_SIZE, [&] { pto::flags_cmp(a, b, shorter); });
    expect_error(PTO_ERR_SIZE, [&] { pto::flags_test(a, b, shorter); });
    expect_error(PTO_ERR_SIZE, [&] { pto::flags_ucomi(x, y, shorter); });
    expect_error(PTO_ERR_SIZE, [&] { pto::setcc(PTO_CC_A, shorter, ours_cc); });
    expect_error(PTO_ERR_SIZE, [&] { pto::cmp_setcc(PTO_CC_A, x, y, std::span(ours_cc).first(2)); });
    expect_error(PTO_ERR_TYPE, [&] { pto::flags_cmp(x, y, ours); });
}
