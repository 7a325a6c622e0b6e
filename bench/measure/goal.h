// SPDX-License-Identifier: MIT
/// @file goal.h  The performance goals for each class of machine, and the rows of the table of goals.
#ifndef PTO_BENCH_GOAL_H
#define PTO_BENCH_GOAL_H

#include <pto/pto.h>

#include <array>
#include <cstddef>

namespace bench {

/// The sizes in bytes of a cell's widest stream. They fit the L1, L2 and L3 cache, and only memory.
constexpr std::array<size_t, 4> cell_sizes = {8UL << 10, 256UL << 10, 4UL << 20, 64UL << 20};
constexpr size_t columns = cell_sizes.size();

/// The goal of a cell. It selects the rows of the table of goals to which the cell belongs.
enum class Goal {
    compare,
    compare_one, ///< with a scalar: one stream less to read
    compare_ftz,
    compare_one_ftz,
    compare_half,
    compare_bf16,
    compare_bf16_nan, ///< bf16 with NaNs on CPUs with FP16, where NaNs take a path with integer instructions
    setp,
    to_bytes,
    select,
    choose,       ///< vcmpsel
    extreme,      ///< max, min, clamp, ReLU
    extreme_half, ///< of f16 and bf16
    rows,         ///< short rows of a matrix
    program,      ///< a program in text
    mask_copy,    ///< copy of a packed mask to another bit offset
    random,       ///< random bits
    convert,
    convert_half, ///< from or to f16 and bf16
    convert_pto,  ///< vcvt, vtrc
    to_small,
    from_small,
    small_bf16, ///< bf16 to e4m3, and scaled e4m3 to bf16
    to_blocks,  ///< MX rules, elements of one byte
    to_fours,   ///< MX rules, elements of four bits
    to_nv,
    to_nv_over, ///< NV rules that divide each element
    to_fp8,
    to_fp8_over,
    from_blocks,
    laden, ///< data with NaNs, subnormals or zeros, which must not be slower than plain data
    none   ///< measured without a goal, but must not be slower than Highway
};

/// The topics of the short table of goals, in its order. Each line summarises all rows of a topic.
enum class Question {
    compare,
    compare_half,
    compare_more, ///< to other kinds of masks, and setp
    select,       ///< selection, and vcmpsel
    extreme,
    convert,
    convert_small, ///< small formats, and PTO's conversions
    quantize,
    dequantize,
    others,
    laden,
    highway,
    avx2,
    short_calls,
    two_cores
};
constexpr size_t questions = static_cast<size_t>(Question::two_cores) + 1;

/// The classes of processors for which goals are set. bench/judge/machine.h assigns each processor to the nearer one.
enum class Machine { zen4, sapphire_rapids };

/// The reference of a ratio. gigalanes is not a ratio but 1e9 lanes/s. beside_masks is the roofline R with the
/// traffic of masks added: R ignores masks that are written, but each of their cache lines is read and written once.
enum class To { roofline, beside_masks, highway, two_calls, clean, gigalanes };

struct Need {
    To to;
    double least; ///< lower bound; 0: no goal
};

using Needs = std::array<Need, columns>;

/// The goals on each class of machine.
class Bounds {
  public:
    // cppcheck-suppress noExplicitConstructor ; allows rows with equal goals on both classes to give them once
    constexpr Bounds(const Needs &on_all) : zen4_(on_all), sapphire_rapids_(on_all) {}
    constexpr Bounds(const Needs &zen4, const Needs &sapphire_rapids)
        : zen4_(zen4), sapphire_rapids_(sapphire_rapids) {}

    constexpr const Needs &of(Machine machine) const {
        return machine == Machine::zen4 ? zen4_ : sapphire_rapids_;
    }

  private:
    Needs zen4_, sapphire_rapids_;
};

/// A row of the whole table of goals. At each size, the worst of its cells must reach the bound.
struct Row {
    const char *title;
    Question question;
    pto_isa isa;
    Goal goal;
    Bounds bounds;
};

constexpr Needs reads(double a, double b, double c) {
    return {{{To::roofline, a}, {To::roofline, b}, {To::roofline, b}, {To::roofline, c}}};
}

constexpr Needs beside_masks(double a, double b, double c, double d) {
    return {{{To::roofline, a}, {To::beside_masks, b}, {To::beside_masks, c}, {To::beside_masks, d}}};
}

constexpr Needs writes_past_cache(double a, double b, To to, double c) {
    return {{{To::roofline, a}, {To::roofline, b}, {To::roofline, b}, {to, c}}};
}

constexpr Needs all_of(To to, double least) {
    return {{{to, least}, {to, least}, {to, least}, {to, least}}};
}

constexpr Need nothing = {To::roofline, 0};

/// Goals in 1e9 elements a second at 256 KiB and 4 MiB, and a share of the roofline at 64 MiB.
constexpr Needs elements(double a) {
    return {{nothing, {To::gigalanes, a}, {To::gigalanes, a}, {To::roofline, 0.85}}};
}

constexpr Needs at_8kib(To to, double least) {
    return {{{to, least}, nothing, nothing, nothing}};
}

constexpr Needs at_256kib(To to, double least) {
    return {{nothing, {to, least}, nothing, nothing}};
}

constexpr Needs beyond_8kib(double a, double b) {
    return {{nothing, {To::roofline, a}, {To::roofline, a}, {To::roofline, b}}};
}

// ---- what a Sapphire Rapids core can do at 8 KiB ----
//
// The goals of Zen 4 were set by hand. Those of Sapphire Rapids follow from cycles, by the formula of
// docs/bench/README.md: its L1 gives twice as many vectors per cycle, but it does as many operations per cycle.

/// Cycles that the roofline and the kernel take for each vector of the widest stream: 64 bytes, with AVX2 32 bytes.
struct Cycles {
    double roofline, kernel;
};

constexpr double loop_ends = 30;     ///< cycles of the start and end of a loop over 8 KiB
constexpr double checked_call = 34;  ///< cycles of a call on a few lanes
constexpr double logic = 28;         ///< cycles of one pass over the masks of 8192 lanes
constexpr double fp_state = 10;      ///< cycles to set and restore MXCSR
constexpr double four_operands = 32; ///< additional cycles of a call with four operands

/// Returns the share of the roofline at 8 KiB that a kernel can reach. `more` are additional cycles of the call.
constexpr double share(Cycles vector, double more = 0) {
    const double vectors = 128;
    return (vectors * vector.roofline + loop_ends) /
           (vectors * vector.kernel + loop_ends + checked_call + more);
}

/// As share(), for AVX2, whose vectors are half as long. The core can load three of them and do three operations per
/// cycle.
constexpr double share_avx2(Cycles vector) {
    const double vectors = 256;
    return (vectors * vector.roofline + loop_ends) / (vectors * vector.kernel + loop_ends + checked_call);
}

constexpr Cycles two_streams = {1, 1.2}; // vcmp: two loads and a comparison
constexpr Cycles one_stream = {0.5, 1};  // vcmps: port 5 does one comparison per cycle
constexpr Cycles f16_ftz = {1, 2};       // two operations of port 5
constexpr Cycles bf16_one = {0.5, 3};    // vcmps: six operations, two per cycle
constexpr Cycles blend = {1.2, 1.2};     // two loads and the store
constexpr Cycles choice = {1.2, 2};      // vcmpsel: four loads
constexpr Cycles larger = {1.2, 2};      // floats: four operations
constexpr Cycles larger_bf16 = {1.2, 4}; // eight operations
constexpr Cycles moved_bits = {1, 1.5};  // three operations
constexpr Cycles narrowed = {0.5, 1.5};  // f64 to f32: three operations, and half as much to store
constexpr Cycles to_bf16 = {0.5, 3};     // f32 to bf16: six operations
constexpr Cycles widened = {1, 4};       // eight operations
// Eight AVX2 vectors take 34 operations (avx2_two) and 26 (avx2_one), on three ports.
constexpr Cycles avx2_two = {2.0 / 3, 1.42}, avx2_one = {1.0 / 3, 1.1};
// Six, five and ten operations per vector, in this order.
constexpr Cycles avx2_blend = {1, 2}, avx2_larger = {1, 1.7}, avx2_larger_bf16 = {1, 3.3};

// R means the read roofline, and C the copy roofline with the same traffic.
inline constexpr Row goal_rows[] = {
    {"vcmp to packed (R)",
     Question::compare,
     PTO_ISA_AVX512,
     Goal::compare,
     {reads(0.93, 0.95, 0.98), beside_masks(share(two_streams), 0.95, 0.95, 0.98)}},
    {"vcmps to packed (R)",
     Question::compare,
     PTO_ISA_AVX512,
     Goal::compare_one,
     {reads(0.93, 0.95, 0.98), beside_masks(share(one_stream), 0.95, 0.95, 0.98)}},
    {"vcmp with ftz, f32 (R)",
     Question::compare,
     PTO_ISA_AVX512,
     Goal::compare_ftz,
     {reads(0.85, 0.95, 0.98), beside_masks(share(two_streams, fp_state), 0.95, 0.95, 0.98)}},
    {"vcmps with ftz, f32 (R)",
     Question::compare,
     PTO_ISA_AVX512,
     Goal::compare_one_ftz,
     {reads(0.85, 0.95, 0.98), beside_masks(share(one_stream, fp_state), 0.95, 0.95, 0.98)}},
    {"f16, with or without ftz (R)",
     Question::compare_half,
     PTO_ISA_AVX512,
     Goal::compare_half,
     {reads(0.50, 0.85, 0.98), beside_masks(share(f16_ftz), 0.85, 0.95, 0.98)}},
    {"bf16 (R)",
     Question::compare_half,
     PTO_ISA_AVX512,
     Goal::compare_bf16,
     {reads(0.50, 0.85, 0.98), beside_masks(share(bf16_one), 1.6 / 3, 0.95, 0.98)}},
    {"f16 (x Highway)", Question::compare_half, PTO_ISA_AVX512, Goal::compare_half,
     at_8kib(To::highway, 1.5)},
    {"bf16 (x Highway)", Question::compare_half, PTO_ISA_AVX512, Goal::compare_bf16,
     at_8kib(To::highway, 1.5)},
    {"setp with BoolOp, p and q (R)",
     Question::compare_more,
     PTO_ISA_AVX512,
     Goal::setp,
     {reads(0.80, 0.93, 0.98), beside_masks(share(two_streams, logic), 0.93, 0.93, 0.98)}},
    {"to bytes, to Bxx; with a seed (R)",
     Question::compare_more,
     PTO_ISA_AVX512,
     Goal::to_bytes,
     {reads(0.75, 0.85, 0.95), beside_masks(share(two_streams, logic), 0.85, 0.85, 0.95)}},
    {"vsel/vselr/vsels, packed (C; 64 MiB x Highway)",
     Question::select,
     PTO_ISA_AVX512,
     Goal::select,
     {writes_past_cache(0.95, 0.95, To::highway, 1.20),
      writes_past_cache(share(blend), 0.95, To::highway, 1.20)}},
    {"vcmpsel (C; 64 MiB x vcmp then vsel)",
     Question::select,
     PTO_ISA_AVX512,
     Goal::choose,
     {writes_past_cache(0.85, 0.95, To::two_calls, 1.20),
      writes_past_cache(share(choice, four_operands), 0.95, To::two_calls, 1.20)}},
    {"vmax/vmin/vclamp/vrelu (C; 64 MiB x Highway)",
     Question::extreme,
     PTO_ISA_AVX512,
     Goal::extreme,
     {writes_past_cache(0.85, 0.95, To::highway, 1.20),
      writes_past_cache(share(larger), 0.95, To::highway, 1.20)}},
    {"the same of f16, bf16 (C; 64 MiB x Highway)",
     Question::extreme,
     PTO_ISA_AVX512,
     Goal::extreme_half,
     {writes_past_cache(0.50, 0.85, To::highway, 1.20),
      writes_past_cache(share(larger_bf16), 0.85, To::highway, 1.20)}},
    {"run_rows of 16 lanes (x run row by row)", Question::others, PTO_ISA_AVX512, Goal::rows,
     all_of(To::two_calls, 0.97)},
    {"a program of four lines (x its calls)", Question::others, PTO_ISA_AVX512, Goal::program,
     at_256kib(To::two_calls, 0.77)},
    {"mask_copy from lane 3 to lane 0 (C)",
     Question::others,
     PTO_ISA_AVX512,
     Goal::mask_copy,
     {reads(0.75, 0.93, 0.93), reads(share(moved_bits), 0.93, 0.93)}},
    {"random_bits (Gword/s)", Question::others, PTO_ISA_AVX512, Goal::random, all_of(To::gigalanes, 2)},
    {"cvt f32-s32, f64-f32 (C)",
     Question::convert,
     PTO_ISA_AVX512,
     Goal::convert,
     {reads(0.85, 0.95, 0.98), reads(share(narrowed), 0.95, 0.98)}},
    {"cvt f32-f16, f32-bf16 (C)",
     Question::convert,
     PTO_ISA_AVX512,
     Goal::convert_half,
     {reads(0.85, 0.95, 0.98),
      {{{To::roofline, share(to_bf16)}, {To::roofline, 0.80}, {To::roofline, 0.95}, {To::roofline, 0.98}}}}},
    // 7 Gelem/s is four times the speed of NumKong's Python package.
    {"cvt f32 -> small (Gelem/s; 64 MiB C)", Question::convert_small, PTO_ISA_AVX512, Goal::to_small,
     Needs{{{To::gigalanes, 7}, {To::gigalanes, 7}, {To::gigalanes, 7}, {To::roofline, 0.80}}}},
    {"cvt small -> f16, f32 (C)",
     Question::convert_small,
     PTO_ISA_AVX512,
     Goal::from_small,
     {reads(0.60, 0.85, 0.98), reads(share(widened), 0.85, 0.98)}},
    {"cvt e4m3 <- bf16, bf16 <- e4m3 n2 (C)", Question::convert_small, PTO_ISA_AVX512, Goal::small_bf16,
     beyond_8kib(0.80, 0.80)},
    {"vcvt, vtrc, each pair (Gelem/s)", Question::convert_small, PTO_ISA_AVX512, Goal::convert_pto,
     at_256kib(To::gigalanes, 0.3)},
    {"quantize mx to bytes (Gelem/s; 64 MiB C)", Question::quantize, PTO_ISA_AVX512, Goal::to_blocks,
     elements(5)},
    {"quantize mx to e2m1", Question::quantize, PTO_ISA_AVX512, Goal::to_fours, elements(4)},
    {"quantize nv", Question::quantize, PTO_ISA_AVX512, Goal::to_nv, elements(2.5)},
    {"quantize nv.modelopt, nv.ct, which divide", Question::quantize, PTO_ISA_AVX512, Goal::to_nv_over,
     elements(1.2)},
    {"quantize fp8, 1x128 and 128x128", Question::quantize, PTO_ISA_AVX512, Goal::to_fp8, elements(4)},
    {"quantize fp8.div, fp8.ct, which divide", Question::quantize, PTO_ISA_AVX512, Goal::to_fp8_over,
     elements(2)},
    {"dequantize to f32, bf16 (C)", Question::dequantize, PTO_ISA_AVX512, Goal::from_blocks,
     beyond_8kib(0.85, 0.85)},
    {"subnormal or NaN-laden (x clean)", Question::laden, PTO_ISA_AVX512, Goal::laden,
     all_of(To::clean, 0.98)},
    {"NaN-laden bf16, clean by FP16 (R)", Question::laden, PTO_ISA_AVX512, Goal::compare_bf16_nan,
     at_256kib(To::beside_masks, 1.6 / 3)},
    {"AVX2: vcmp to packed (R)",
     Question::avx2,
     PTO_ISA_AVX2,
     Goal::compare,
     {reads(0.70, 0.93, 0.93), beside_masks(share_avx2(avx2_two), 0.93, 0.93, 0.93)}},
    {"AVX2: vcmps to packed (R)",
     Question::avx2,
     PTO_ISA_AVX2,
     Goal::compare_one,
     {reads(0.70, 0.93, 0.93), beside_masks(share_avx2(avx2_one), 0.8 / 1.1, 0.93, 0.93)}},
    {"AVX2: vsel, vselr, vsels from packed (C)",
     Question::avx2,
     PTO_ISA_AVX2,
     Goal::select,
     {reads(0.80, 0.93, 0.93), reads(share_avx2(avx2_blend), 0.93, 0.93)}},
    {"AVX2: vmax, vmin, vclamp, vrelu (C)",
     Question::avx2,
     PTO_ISA_AVX2,
     Goal::extreme,
     {reads(0.70, 0.93, 0.93), reads(share_avx2(avx2_larger), 0.93, 0.93)}},
    {"AVX2: the same of f16, bf16 (C)",
     Question::avx2,
     PTO_ISA_AVX2,
     Goal::extreme_half,
     {reads(0.40, 0.85, 0.93), reads(share_avx2(avx2_larger_bf16), 0.75, 0.93)}},
    {"AVX2: run_rows of 16 lanes (x run row by row)", Question::avx2, PTO_ISA_AVX2, Goal::rows,
     all_of(To::two_calls, 0.97)},
    {"AVX2: a program of four lines (x its calls)", Question::avx2, PTO_ISA_AVX2, Goal::program,
     at_256kib(To::two_calls, 0.77)},
    {"AVX2: random_bits (Gword/s)", Question::avx2, PTO_ISA_AVX2, Goal::random, all_of(To::gigalanes, 1)},
    {"AVX2: vcvt, vtrc, each pair (Gelem/s)", Question::avx2, PTO_ISA_AVX2, Goal::convert_pto,
     at_256kib(To::gigalanes, 0.3)},
    {"AVX2: quantize mx to bytes (as above)", Question::avx2, PTO_ISA_AVX2, Goal::to_blocks, elements(2.5)},
    {"AVX2: quantize mx to e2m1", Question::avx2, PTO_ISA_AVX2, Goal::to_fours, elements(2)},
    {"AVX2: quantize nv", Question::avx2, PTO_ISA_AVX2, Goal::to_nv, elements(1.25)},
    {"AVX2: quantize nv.modelopt, nv.ct", Question::avx2, PTO_ISA_AVX2, Goal::to_nv_over, elements(0.6)},
    {"AVX2: quantize fp8, 1x128 and 128x128", Question::avx2, PTO_ISA_AVX2, Goal::to_fp8, elements(2)},
    {"AVX2: quantize fp8.div, fp8.ct", Question::avx2, PTO_ISA_AVX2, Goal::to_fp8_over, elements(1)},
    {"AVX2: dequantize to f32, bf16 (C)", Question::avx2, PTO_ISA_AVX2, Goal::from_blocks,
     beyond_8kib(0.425, 0.85)},
};

} // namespace bench

#endif
