// SPDX-License-Identifier: MIT
/// @file goal.h  What is to be reached: a goal, which cells bear, and its row of the table, side by side.
#ifndef PTO_BENCH_GOAL_H
#define PTO_BENCH_GOAL_H

#include <pto/pto.h>

#include <array>
#include <cstddef>

namespace bench {

/// Bytes of the widest stream: in a level of the cache each, and in memory.
constexpr std::array<size_t, 4> cell_sizes = {8UL << 10, 256UL << 10, 4UL << 20, 64UL << 20};
constexpr size_t columns = cell_sizes.size();

/// What a row of the table is about.
enum class Goal {
    compare,
    compare_ftz,
    compare_half,
    setp,
    to_bytes,
    select,
    choose,       ///< vcmpsel
    extreme,      ///< max, min, clamp, ReLU
    extreme_half, ///< of f16 and bf16
    rows,         ///< of a matrix, short ones
    program,      ///< in text
    mask_copy,    ///< to lanes that begin elsewhere in their bytes
    random,       ///< bits
    convert,
    convert_pto, ///< vcvt, vtrc
    to_small,
    from_small,
    small_bf16, ///< bf16 to e4m3, and back times scales
    to_blocks,  ///< of MX, a byte each
    to_fours,   ///< of MX
    to_nv,
    to_nv_over, ///< divides each element
    to_fp8,
    to_fp8_over,
    from_blocks,
    laden, ///< data that must not be slower than clean data
    none   ///< swept, without a goal of its own but never to be slower than Highway
};

/// What a ratio is taken to; gigalanes are a figure a second, for want of that peer.
enum class To { roofline, highway, two_calls, clean, gigalanes };

struct Need {
    To to;
    double least; ///< 0: nothing is asked for
};

/// A row of the table: what the worst of its cells must reach, size by size.
struct Row {
    const char *title;
    pto_isa isa;
    Goal goal;
    std::array<Need, columns> needs;
};

constexpr std::array<Need, columns> reads(double a, double b, double c) {
    return {{{To::roofline, a}, {To::roofline, b}, {To::roofline, b}, {To::roofline, c}}};
}

constexpr std::array<Need, columns> writes_past_cache(double a, double b, To to, double c) {
    return {{{To::roofline, a}, {To::roofline, b}, {To::roofline, b}, {to, c}}};
}

constexpr std::array<Need, columns> all_of(To to, double least) {
    return {{{to, least}, {to, least}, {to, least}, {to, least}}};
}

constexpr Need nothing = {To::roofline, 0};

/// Elements a second while the caches hold them, in 1e9; beyond, a share of the roofline.
constexpr std::array<Need, columns> elements(double a) {
    return {{nothing, {To::gigalanes, a}, {To::gigalanes, a}, {To::roofline, 0.85}}};
}

constexpr std::array<Need, columns> at_256kib(To to, double least) {
    return {{nothing, {to, least}, nothing, nothing}};
}

constexpr std::array<Need, columns> beyond_8kib(double a, double b) {
    return {{nothing, {To::roofline, a}, {To::roofline, a}, {To::roofline, b}}};
}

// R: the read roofline, C: the copy roofline of the same traffic.
inline constexpr Row goal_rows[] = {
    {"vcmp, vcmps to packed (R)", PTO_ISA_AVX512, Goal::compare, reads(0.93, 0.95, 0.98)},
    {"the same with ftz, f32 (R)", PTO_ISA_AVX512, Goal::compare_ftz, reads(0.85, 0.95, 0.98)},
    {"f16, bf16, with or without ftz (R)", PTO_ISA_AVX512, Goal::compare_half, reads(0.50, 0.85, 0.98)},
    {"f16, bf16 (x Highway)",
     PTO_ISA_AVX512,
     Goal::compare_half,
     {{{To::highway, 1.5}, nothing, nothing, nothing}}},
    {"setp with BoolOp, p and q (R)", PTO_ISA_AVX512, Goal::setp, reads(0.80, 0.93, 0.98)},
    {"to bytes, to Bxx; with a seed (R)", PTO_ISA_AVX512, Goal::to_bytes, reads(0.75, 0.85, 0.95)},
    {"vsel/vselr/vsels, packed (C; 64 MiB x Highway)", PTO_ISA_AVX512, Goal::select,
     writes_past_cache(0.95, 0.95, To::highway, 1.20)},
    {"vcmpsel (C; 64 MiB x vcmp then vsel)", PTO_ISA_AVX512, Goal::choose,
     writes_past_cache(0.85, 0.95, To::two_calls, 1.20)},
    {"vmax/vmin/vclamp/vrelu (C; 64 MiB x Highway)", PTO_ISA_AVX512, Goal::extreme,
     writes_past_cache(0.85, 0.95, To::highway, 1.20)},
    {"the same of f16, bf16 (C; 64 MiB x Highway)", PTO_ISA_AVX512, Goal::extreme_half,
     writes_past_cache(0.50, 0.85, To::highway, 1.20)},
    {"run_rows of 16 lanes (x run row by row)", PTO_ISA_AVX512, Goal::rows, all_of(To::two_calls, 0.97)},
    {"a program of four lines (x its calls)", PTO_ISA_AVX512, Goal::program, at_256kib(To::two_calls, 0.77)},
    {"mask_copy from lane 3 to lane 0 (C)", PTO_ISA_AVX512, Goal::mask_copy, reads(0.75, 0.93, 0.93)},
    {"random_bits (Gword/s)", PTO_ISA_AVX512, Goal::random, all_of(To::gigalanes, 2)},
    {"vcvt, vtrc, each pair (Gelem/s)", PTO_ISA_AVX512, Goal::convert_pto, at_256kib(To::gigalanes, 0.3)},
    {"cvt f32-f16/bf16/s32, f64-f32 (C)", PTO_ISA_AVX512, Goal::convert, reads(0.85, 0.95, 0.98)},
    {"cvt f32 -> small (Gelem/s; 64 MiB C)",
     PTO_ISA_AVX512,
     Goal::to_small,
     {{{To::gigalanes, 7}, {To::gigalanes, 7}, {To::gigalanes, 7}, {To::roofline, 0.80}}}},
    {"cvt small -> f16, f32 (C)", PTO_ISA_AVX512, Goal::from_small, reads(0.60, 0.85, 0.98)},
    {"cvt e4m3 <- bf16, bf16 <- e4m3 n2 (C)", PTO_ISA_AVX512, Goal::small_bf16, beyond_8kib(0.80, 0.80)},
    {"subnormal or NaN-laden (x clean)", PTO_ISA_AVX512, Goal::laden, all_of(To::clean, 0.98)},
    {"AVX2: vcmp, vcmps to packed (R)", PTO_ISA_AVX2, Goal::compare, reads(0.70, 0.93, 0.93)},
    {"AVX2: vsel, vselr, vsels from packed (C)", PTO_ISA_AVX2, Goal::select, reads(0.80, 0.93, 0.93)},
    {"AVX2: vmax, vmin, vclamp, vrelu (C)", PTO_ISA_AVX2, Goal::extreme, reads(0.70, 0.93, 0.93)},
    {"AVX2: the same of f16, bf16 (C)", PTO_ISA_AVX2, Goal::extreme_half, reads(0.40, 0.85, 0.93)},
    {"AVX2: run_rows of 16 lanes (x run row by row)", PTO_ISA_AVX2, Goal::rows, all_of(To::two_calls, 0.97)},
    {"AVX2: a program of four lines (x its calls)", PTO_ISA_AVX2, Goal::program,
     at_256kib(To::two_calls, 0.77)},
    {"AVX2: random_bits (Gword/s)", PTO_ISA_AVX2, Goal::random, all_of(To::gigalanes, 1)},
    {"AVX2: vcvt, vtrc, each pair (Gelem/s)", PTO_ISA_AVX2, Goal::convert_pto, at_256kib(To::gigalanes, 0.3)},
    {"quantize mx to bytes (Gelem/s; 64 MiB C)", PTO_ISA_AVX512, Goal::to_blocks, elements(5)},
    {"quantize mx to e2m1", PTO_ISA_AVX512, Goal::to_fours, elements(4)},
    {"quantize nv", PTO_ISA_AVX512, Goal::to_nv, elements(2.5)},
    {"quantize nv.modelopt, nv.ct, which divide", PTO_ISA_AVX512, Goal::to_nv_over, elements(1.2)},
    {"quantize fp8, 1x128 and 128x128", PTO_ISA_AVX512, Goal::to_fp8, elements(4)},
    {"quantize fp8.div, fp8.ct, which divide", PTO_ISA_AVX512, Goal::to_fp8_over, elements(2)},
    {"dequantize to f32, bf16 (C)", PTO_ISA_AVX512, Goal::from_blocks, beyond_8kib(0.85, 0.85)},
    {"AVX2: quantize mx to bytes (as above)", PTO_ISA_AVX2, Goal::to_blocks, elements(2.5)},
    {"AVX2: quantize mx to e2m1", PTO_ISA_AVX2, Goal::to_fours, elements(2)},
    {"AVX2: quantize nv", PTO_ISA_AVX2, Goal::to_nv, elements(1.25)},
    {"AVX2: quantize nv.modelopt, nv.ct", PTO_ISA_AVX2, Goal::to_nv_over, elements(0.6)},
    {"AVX2: quantize fp8, 1x128 and 128x128", PTO_ISA_AVX2, Goal::to_fp8, elements(2)},
    {"AVX2: quantize fp8.div, fp8.ct", PTO_ISA_AVX2, Goal::to_fp8_over, elements(1)},
    {"AVX2: dequantize to f32, bf16 (C)", PTO_ISA_AVX2, Goal::from_blocks, beyond_8kib(0.425, 0.85)},
};

} // namespace bench

#endif
