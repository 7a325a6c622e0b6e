// SPDX-License-Identifier: MIT
//
// Runs one call for counting its instructions. NEON, SVE and RVV cannot be timed under an emulator, but their
// instructions can be counted. `./run bench --neon` runs this program with one cell, one contender and two lengths, and
// counts the instructions that the emulator executes.
//
//   pto_bench_once                 verify libpto against its scalar code, and print the names of the cells
//   pto_bench_once highway         the same, but print only cells that Highway also has, with the same bits
//   pto_bench_once CELL WHO LANES  run a cell once; WHO is libpto or highway
//
// All operands are filled completely for every LANES, so only the loops differ between two lengths.
#include "measure/blocks.h"
#include "measure/cells.h"
#include "measure/subject.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace bench {

namespace {

constexpr size_t most_lanes = 2048, most_bytes = most_lanes * 8;

/// The operands and results. Highway's LoadMaskBits may read up to eight bytes after the end of the mask.
struct Streams {
    alignas(64) uint64_t a[most_lanes], b[most_lanes], u[most_lanes], v[most_lanes],
        mask[most_lanes / 64 + 1];
    alignas(64) uint64_t tensor[most_lanes], codes[most_lanes], scales[most_lanes / 2]; ///< for block scaling
    alignas(64) uint8_t expected[most_bytes], got[most_bytes], found[most_bytes];
};

const bench_what comparisons_and_selects[] = {
    compare(BENCH_VCMP, {PTO_S8, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_S8, PTO_LT}),
    compare(BENCH_VCMP, {PTO_S16, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_S16, PTO_LT}),
    compare(BENCH_VCMP, {PTO_S32, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_S32, PTO_LT}),
    compare(BENCH_VCMP, {PTO_S64, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_S64, PTO_LT}),
    compare(BENCH_VCMP, {PTO_F16, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_F16, PTO_LT}),
    compare(BENCH_VCMP, {PTO_F16, PTO_LE}),
    compare(BENCH_VCMP, {PTO_BF16, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_BF16, PTO_LT}),
    compare(BENCH_VCMP, {PTO_BF16, PTO_LE}),
    compare(BENCH_VCMP, {PTO_F32, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_F32, PTO_LT}),
    compare(BENCH_VCMP, {PTO_F64, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_F64, PTO_LT}),
    compare(BENCH_VCMPS, {PTO_F16, PTO_LT}),
    compare(BENCH_VCMPS, {PTO_F32, PTO_LT}),
    select(BENCH_VSEL, PTO_U8),
    select(BENCH_VSEL, PTO_U16),
    select(BENCH_VSEL, PTO_U32),
    select(BENCH_VSEL, PTO_U64),
    select(BENCH_VSELS, PTO_U8),
    select(BENCH_VSELS, PTO_F32),
    compare(BENCH_VCMPSEL, {PTO_S8, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_S32, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_F32, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_F64, PTO_LT}),
};

/// Adds max, min and clamp of every type, ReLU of floats, and versions that propagate NaNs.
void add_extremes(std::vector<bench_what> &all) {
    constexpr pto_dtype types[] = {PTO_U8,  PTO_S16, PTO_U16,  PTO_S32, PTO_U64,
                                   PTO_S64, PTO_F16, PTO_BF16, PTO_F32, PTO_F64};
    for (const bench_operation operation : {BENCH_VMAX, BENCH_VMIN, BENCH_VCLAMP, BENCH_VRELU})
        for (const pto_dtype type : types) {
            if (operation == BENCH_VRELU && !is_float(type)) continue;
            all.push_back(extreme(operation, type));
            if (is_float(type)) all.push_back(extreme(operation, type, PTO_PROPAGATE_NAN));
        }
}

void add_conversions(std::vector<bench_what> &all) {
    const pto_cvt_op ops[] = {
        conversion(PTO_F16, PTO_F32, PTO_RN),          conversion(PTO_F16, PTO_F32, PTO_RZ),
        conversion(PTO_F32, PTO_F16, PTO_ROUND_NONE),  conversion(PTO_BF16, PTO_F32, PTO_RN),
        conversion(PTO_F32, PTO_BF16, PTO_ROUND_NONE), conversion(PTO_S32, PTO_F32, PTO_RZI),
        conversion(PTO_U8, PTO_F32, PTO_RNI),          conversion(PTO_F32, PTO_S32, PTO_RN),
        conversion(PTO_F32, PTO_U8, PTO_RN),           conversion(PTO_F32, PTO_F64, PTO_RN),
        conversion(PTO_F64, PTO_F32, PTO_ROUND_NONE),  conversion(PTO_S16, PTO_S32, PTO_ROUND_NONE),
        conversion(PTO_E4M3, PTO_F32, PTO_RN, true),   conversion(PTO_E4M3, PTO_F16, PTO_RN, true),
        conversion(PTO_E5M2, PTO_F32, PTO_RN, true),   conversion(PTO_F32, PTO_E4M3, PTO_ROUND_NONE),
        conversion(PTO_F16, PTO_E4M3, PTO_RN),         conversion(PTO_F16, PTO_E5M2, PTO_RN)};
    std::transform(std::begin(ops), std::end(ops), std::back_inserter(all), convert);
}

bench_what blocks(bench_operation operation, pto_block_rule rule, pto_dtype elem, pto_dtype wide,
                  size_t cols) {
    pto_block_op op = {};
    op.wide = wide;
    op.elem = elem;
    op.rule = rule;
    op.round = PTO_RN;
    op.block_rows = 1;
    op.block_cols = cols;
    return scaling(operation, op);
}

/// Adds block scaling with the formats and block sizes that frameworks use.
void add_blocks(std::vector<bench_what> &all) {
    for (const bench_operation way : {BENCH_QUANTIZE, BENCH_DEQUANTIZE})
        for (const pto_dtype wide : {PTO_F32, PTO_BF16}) {
            all.push_back(blocks(way, PTO_MX_RCEIL, PTO_E4M3, wide, 32));
            all.push_back(blocks(way, PTO_MX_RCEIL, PTO_E2M1, wide, 32));
            all.push_back(blocks(way, PTO_NV_TE, PTO_E2M1, wide, 16));
            all.push_back(blocks(way, PTO_FP8_MUL, PTO_E4M3, wide, 128));
            all.push_back(blocks(way, PTO_FP8_DIV, PTO_E4M3, wide, 128));
        }
}

const std::vector<bench_what> &cells() {
    static const std::vector<bench_what> all = [] {
        std::vector<bench_what> some(std::begin(comparisons_and_selects), std::end(comparisons_and_selects));
        add_extremes(some);
        add_conversions(some);
        some.push_back(select(BENCH_RANDOM, PTO_U32));
        add_blocks(some);
        return some;
    }();
    return all;
}

/// Fills the operands with random bits, which include NaNs and subnormals. Every fourth group of eight bytes is equal
/// in a and b.
void fill(Streams &s) {
    uint64_t x = 1;
    const auto next = [&] { // Marsaglia's xorshift
        x ^= x << 13;
        x ^= x >> 7;
        return x ^= x << 17;
    };
    std::generate(std::begin(s.a), std::end(s.a), next);
    std::generate(std::begin(s.b), std::end(s.b), next);
    std::generate(std::begin(s.u), std::end(s.u), next);
    std::generate(std::begin(s.v), std::end(s.v), next);
    std::generate(std::begin(s.mask), std::end(s.mask), next);
    for (size_t i = 0; i < most_lanes; i += 4) s.b[i] = s.a[i];
    for (size_t i = 0; i < most_lanes; i++) { // finite values in every type
        s.tensor[i] = (s.a[i] & 0x83ff83ff83ff83ff) | 0x3c003c003c003c00;
        s.codes[i] = s.a[i] & 0xf7f7f7f7f7f7f7f7;
    }
    std::fill(std::begin(s.scales), std::end(s.scales), 0x3838383838383838);
}

bench_args args_of(Streams &s, const bench_what &what, uint8_t *dst, size_t lanes) {
    if (what.operation == BENCH_QUANTIZE)
        return {&what, s.tensor, nullptr, nullptr, nullptr, nullptr, dst, s.found, lanes};
    if (what.operation == BENCH_DEQUANTIZE)
        return {&what, s.codes, nullptr, nullptr, nullptr, s.scales, dst, nullptr, lanes};
    return {&what, s.a, s.b, s.u, s.v, s.mask, dst, nullptr, lanes};
}

/// Returns Highway's function, or NULL if it lacks the operation.
bench_fn *highway(const bench_what &what) {
    return highway_of(pto_isa_active(), what);
}

/// Returns whether a function gives the expected bits.
bool same(Streams &s, const bench_what &what, bench_fn *run) {
    const bench_args args = args_of(s, what, s.got, most_lanes);
    std::memset(s.got, 0, most_bytes);
    run(&args, 1);
    return std::memcmp(s.got, s.expected, most_bytes) == 0;
}

/// Computes the expected result with libpto's scalar code.
void expect(Streams &s, const bench_what &what) {
    const pto_isa active = pto_isa_active();
    const bench_args args = args_of(s, what, s.expected, most_lanes);
    std::memset(s.expected, 0, most_bytes);
    (void)pto_isa_use(PTO_ISA_SCALAR);
    subject(what)(&args, 1);
    (void)pto_isa_use(active);
}

/// Returns whether Highway's code for the operation stops the emulator: on RISC-V, qemu 7.2 stops at its instruction.
bool stops_emulator(const bench_what &what) {
#ifdef __riscv
    return what.operation == BENCH_CVT && what.cvt.dst == PTO_S32 && what.cvt.src == PTO_F32;
#else
    (void)what;
    return false;
#endif
}

/// Returns whether Highway has the operation, with the same bits.
bool in_highway(Streams &s, const bench_what &what) {
    bench_fn *const run = highway(what);
    if (run == nullptr || stops_emulator(what)) return false;
    if (same(s, what, run)) return true;
    std::fprintf(stderr, "%s: Highway's bits differ\n", name_of(what).c_str());
    return false;
}

/// Verifies all cells and prints their names, or only of those that Highway has. Returns the exit status.
int verify(Streams &s, bool of_highway) {
    for (const bench_what &what : cells()) {
        expect(s, what);
        if (!same(s, what, subject(what))) {
            std::fprintf(stderr, "%s differs from scalar\n", name_of(what).c_str());
            return 1;
        }
        if (!of_highway || in_highway(s, what)) std::puts(name_of(what).c_str());
    }
    return 0;
}

int run_once(Streams &s, const std::string &name, bool ours, size_t lanes) {
    const auto what =
        std::find_if(cells().begin(), cells().end(), [&](const bench_what &w) { return name_of(w) == name; });
    if (what == cells().end() || lanes > most_lanes) return 2;
    bench_fn *const run = ours ? subject(*what) : highway(*what);
    const bench_args args = args_of(s, *what, s.got, lanes);
    if (run == nullptr) return 2;
    run(&args, 1);
    return 0;
}

} // namespace

} // namespace bench

int main(int argc, char **argv) {
    static bench::Streams streams;
    bench::fill(streams);
    if (argc <= 2) return bench::verify(streams, argc == 2);
    if (argc != 4) return 2;
    return bench::run_once(streams, argv[1], std::strcmp(argv[2], "libpto") == 0,
                           std::strtoul(argv[3], nullptr, 10));
}
