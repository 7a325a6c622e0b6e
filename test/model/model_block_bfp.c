/* SPDX-License-Identifier: MIT */
/* The model of block floating point: docs/block-scaling.md, section 4. */
#include "model/model_block.h"
#include "model/model_number.h"

static int magnitude_bits(const pto_block_op *op) {
    return op->elem == PTO_BFP8 ? 7 : 3;
}

uint32_t model_bfp_source(pto_dtype wide, uint64_t code) {
    switch (wide) {
    case PTO_F32: return (uint32_t)code;
    case PTO_BF16: return (uint32_t)code << 16;
    default: break;
    }
    if ((code & 0x7c00) != 0x7c00) return model_f32_widened(wide, code);
    return (uint32_t)(code & 0x8000) << 16 | MODEL_F32_INF | (uint32_t)(code & 0x03ff) << 13;
}

uint32_t model_bfp_field(uint32_t x) {
    return (uint32_t)number_low_bits(x >> 23, 8);
}

uint64_t model_bfp_code(const pto_block_op *op, uint32_t x, uint32_t field) {
    const int w = magnitude_bits(op);
    const uint64_t unit = (uint64_t)1 << (24 - w), most = ((uint64_t)1 << w) - 1;
    uint64_t significand = number_low_bits(x, 23) + 0x800000, m, twice_rest;
    if (model_bfp_field(x) == 0) return 0;
    for (uint32_t steps = model_bfp_field(x); steps < field; steps++) {
        significand /= 2;
    }
    m = significand / unit;
    twice_rest = significand % unit * 2;
    if (twice_rest > unit || (twice_rest == unit && m % 2 == 1)) m++;
    if (m > most) m = most;
    return m != 0 && x >> 31 ? m + most + 1 : m;
}

uint32_t model_bfp_multiplier(const pto_block_op *op, uint32_t field) {
    return model_f32_power((int)field - 126 - magnitude_bits(op));
}

uint32_t model_bfp_value(const pto_block_op *op, uint64_t code) {
    const uint64_t m = number_low_bits(code, magnitude_bits(op));
    return model_f32_bits((float)m) | (m != code ? 0x80000000 : 0);
}
