/* SPDX-License-Identifier: MIT */
/* The calls of cost.h, with pto.hpp. */
#include "headers/cost.h"

#include <pto/pto.hpp>

static std::span<float> floats(cost_floats x) {
    return {x.data, x.n};
}

static std::span<std::uint8_t> bytes(cost_bytes x) {
    return {x.data, x.n};
}

void cost_vcmp(cost_floats a, cost_floats b, cost_bytes mask) {
    pto::vcmp(PTO_LT, floats(a), floats(b), pto::packed(bytes(mask), a.n));
}

void cost_vcmps(cost_floats a, float limit, cost_bytes mask) {
    pto::vcmps(PTO_LT, floats(a), limit, pto::packed(bytes(mask), a.n));
}

void cost_vsel(cost_floats a, cost_floats b, cost_bytes mask, cost_floats to) {
    pto::vsel(floats(a), floats(b), pto::packed(bytes(mask), to.n), floats(to));
}

void cost_vcmpsel(cost_floats a, float limit, float other, cost_floats to) {
    pto::vcmpsel(PTO_LT, floats(a), limit, other, floats(a), floats(to));
}

void cost_vmax(cost_floats a, float limit, cost_floats to) {
    pto::vmax(floats(a), limit, floats(to));
}

void cost_cvt(cost_floats a, cost_bytes codes) {
    pto_cvt_op op = pto::cvt_op<pto::e4m3, float>(PTO_RN);
    op.satfinite = true;
    pto::cvt(op, floats(a), pto::as<pto::e4m3>(bytes(codes)));
}

std::size_t cost_count(cost_bytes mask, std::size_t n) {
    return pto::mask_count(pto::packed(bytes(mask), n));
}
