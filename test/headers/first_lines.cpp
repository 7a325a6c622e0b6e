/* SPDX-License-Identifier: MIT */
/* Typical first lines of code that uses pto.hpp, which must compile without warnings. They are never run. */
#include <pto/pto.hpp>

#include <vector>

std::size_t first_lines(const std::vector<float> &x, std::span<const std::uint8_t> known);

std::size_t first_lines(const std::vector<float> &x, std::span<const std::uint8_t> known) {
    std::vector<float> y(x.size());
    std::vector<std::uint8_t> bits(x.size());
    std::vector<pto::e4m3> codes(x.size());
    const pto::mask m = pto::packed(bits, x.size());
    pto::vcmps(PTO_LT, x, 0.0F, m);
    pto::vsel(x, x, m, y);
    pto::vsel(x, x, pto::packed(known, x.size()), y);
    pto::mask_mov(pto::packed(known, x.size()), pto::bytes(bits));
    pto::vcmpsel(PTO_LT, x, 0.0F, 0.0F, x, y);
    pto::vmax(x, y, y);
    pto::vclamp(x, 0.0F, 6.0F, y, PTO_PROPAGATE_NAN);
    pto::vrelu(x, y);
    pto::vsels(x, 0.0F, m, y);
    const pto::plan_vclamp<float, PTO_SCALAR_1 | PTO_SCALAR_2> clamp;
    clamp(x, 0.0F, 6.0F, y);
    pto::cvt(pto::parse_cvt("cvt.rn.satfinite.e4m3x2.f32"), x, codes);
    pto::vcmp(PTO_EQ, x, y, pto::preg_mask(pto::pset(32, PTO_PAT_VL4), 32).first(x.size()), m);
    const pto::plan_vcmps<float> positive(PTO_GT);
    positive(x, 0.0F, m);
    const pto::matrix rows(y, 1, y.size());
    return pto::mask_count(m) + static_cast<std::size_t>(pto::block_amax(rows));
}
