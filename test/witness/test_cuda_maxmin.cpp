/* SPDX-License-Identifier: MIT */
/* Compares vmax, vmin, vclamp and vrelu of 16-bit lanes with the host code of NVIDIA's cuda_fp16.h and
 * cuda_bf16.h: __hmax, __hmin, __hmax_nan, __hmin_nan and their functions for two lanes. The test uses all 65536
 * right operands for each of some left operands. `test_cuda_maxmin all` uses all pairs. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "support/harness.h"
#include "support/values.h"
}

namespace {

constexpr std::size_t kRow = 65536;
constexpr std::size_t kRows = 400, kQuickRows = 100;

/** A function of the header, its version for two lanes, and the call that is compared with it. */
template <class Half, class Half2> struct Witness {
    const char *name;
    Half (*one)(Half, Half);
    Half2 (*two)(Half2, Half2);
    pto_status (*call)(pto_dtype, unsigned, pto_in, pto_in, void *, std::size_t);
    unsigned flags;
};

template <class Half, class Half2> std::vector<Witness<Half, Half2>> witnesses() {
    const auto propagate = static_cast<unsigned>(PTO_PROPAGATE_NAN);
    return {{"__hmax", [](Half a, Half b) { return __hmax(a, b); },
             [](Half2 a, Half2 b) { return __hmax2(a, b); }, pto_vmax, 0},
            {"__hmin", [](Half a, Half b) { return __hmin(a, b); },
             [](Half2 a, Half2 b) { return __hmin2(a, b); }, pto_vmin, 0},
            {"__hmax_nan", [](Half a, Half b) { return __hmax_nan(a, b); },
             [](Half2 a, Half2 b) { return __hmax2_nan(a, b); }, pto_vmax, propagate},
            {"__hmin_nan", [](Half a, Half b) { return __hmin_nan(a, b); },
             [](Half2 a, Half2 b) { return __hmin2_nan(a, b); }, pto_vmin, propagate}};
}

struct Rows {
    std::vector<std::uint16_t> left = std::vector<std::uint16_t>(kRow),
                               right = std::vector<std::uint16_t>(kRow),
                               got = std::vector<std::uint16_t>(kRow);
};

std::size_t mismatches, cases, slips;

void differ(const char *what, pto_dtype type, unsigned a, unsigned b, unsigned want, unsigned got) {
    if (mismatches++ == 0)
        std::printf("%s %s of %04x, %04x: the header has %04x, the library %04x\n", what,
                    pto_dtype_name(type), a, b, want, got);
}

template <class To, class From> To as(const From &from) {
    To to;
    static_assert(sizeof to == sizeof from, "the same bits");
    std::memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
    return to;
}

/**
 * Returns whether a mismatch is a known error of the header, and counts it. On the host, __hmax_nan and __hmin_nan of
 * bf16 (CUDA 13.0) return the first of two zeros. Their own description, the ISA and the header's other functions
 * have +0 > -0.
 */
bool slip(pto_dtype type, unsigned flags, std::uint16_t a, std::uint16_t b, std::uint16_t header) {
    const bool zeros = (a == 0 && b == 0x8000) || (a == 0x8000 && b == 0);
    if (type != PTO_BF16 || flags != static_cast<unsigned>(PTO_PROPAGATE_NAN) || !zeros || header != a)
        return false;
    slips++;
    return true;
}

template <class Half, class Half2>
void compare_lane(const Rows &rows, pto_dtype type, const Witness<Half, Half2> &w, std::size_t i,
                  std::uint16_t want) {
    const std::uint16_t a = rows.left[i], b = rows.right[i], got = rows.got[i];
    if (got != want && !slip(type, w.flags, a, b, want)) differ(w.name, type, a, b, want, got);
}

template <class Half, class Half2>
void compare_row(Rows &rows, pto_dtype type, const Witness<Half, Half2> &w) {
    if (w.call(type, w.flags, pto_in_scalar(rows.left.data()), pto_in_array(rows.right.data()),
               rows.got.data(), kRow) != PTO_OK)
        differ("no success:", type, 0, 0, 0, 0);
    for (std::size_t i = 0; i < kRow; i++) {
        compare_lane(rows, type, w, i,
                     as<std::uint16_t>(w.one(as<Half>(rows.left[i]), as<Half>(rows.right[i]))));
    }
    cases += kRow;
}

/** Compares one row with the functions for two lanes. */
template <class Half, class Half2>
void compare_pairs(const Rows &rows, pto_dtype type, const Witness<Half, Half2> &w) {
    for (std::size_t i = 0; i < kRow; i += 2) {
        const std::uint32_t a = rows.left[i] | static_cast<std::uint32_t>(rows.left[i + 1]) << 16,
                            b = rows.right[i] | static_cast<std::uint32_t>(rows.right[i + 1]) << 16;
        const auto want = as<std::uint32_t>(w.two(as<Half2>(a), as<Half2>(b)));
        compare_lane(rows, type, w, i, static_cast<std::uint16_t>(want));
        compare_lane(rows, type, w, i + 1, static_cast<std::uint16_t>(want >> 16));
    }
}

/** Compares vrelu with the header's maximum with +0, and vclamp with its minimum of a maximum. */
template <class Half> void compare_steps(Rows &rows, pto_dtype type) {
    const std::uint16_t zero = 0, lo = rows.left[0], hi = rows.right[kRow / 3];
    if (pto_vrelu(type, 0, rows.right.data(), rows.got.data(), kRow) != PTO_OK)
        differ("no success:", type, 0, 0, 0, 0);
    for (std::size_t i = 0; i < kRow; i++) {
        const auto want = as<std::uint16_t>(__hmax(as<Half>(rows.right[i]), as<Half>(zero)));
        if (rows.got[i] != want) differ("relu", type, rows.right[i], 0, want, rows.got[i]);
    }
    if (pto_vclamp(type, 0, pto_in_array(rows.right.data()), pto_in_scalar(&lo), pto_in_scalar(&hi),
                   rows.got.data(), kRow) != PTO_OK)
        differ("no success:", type, 0, 0, 0, 0);
    for (std::size_t i = 0; i < kRow; i++) {
        const Half inner = __hmax(as<Half>(rows.right[i]), as<Half>(lo));
        const auto want = as<std::uint16_t>(__hmin(inner, as<Half>(hi)));
        if (rows.got[i] != want) differ("clamp", type, rows.right[i], lo, want, rows.got[i]);
    }
    cases += 2 * kRow;
}

template <class Half, class Half2> void compare_type(pto_dtype type, bool all) {
    std::uint64_t specials[VALUES_MAX_SPECIALS];
    const std::size_t count = values_special(type, specials), rows_wanted = all               ? kRow
                                                                            : harness_quick() ? kQuickRows
                                                                                              : kRows;
    const auto list = witnesses<Half, Half2>();
    Rows rows;
    rng random;
    rng_start(&random, "CUDA headers, max and min");
    for (std::size_t i = 0; i < kRow; i++) {
        rows.right[i] = static_cast<std::uint16_t>(i);
    }
    for (std::size_t row = 0; row < rows_wanted; row++) {
        const std::uint64_t sampled = row < count ? specials[row] : rng_next(&random);
        rows.left.assign(kRow, static_cast<std::uint16_t>(all ? row : sampled));
        for (const auto &witness : list) {
            compare_row(rows, type, witness);
            if (row % 16 == 0) compare_pairs(rows, type, witness);
        }
        if (row % 16 == 0) compare_steps<Half>(rows, type);
    }
}

} /* namespace */

int main(int argc, char **argv) {
    const bool all = argc > 1 && std::string(argv[1]) == "all";
    const int status = harness_start(1, argv);
    if (status != 0) return status;
    compare_type<__half, __half2>(PTO_F16, all);
    compare_type<__nv_bfloat16, __nv_bfloat162>(PTO_BF16, all);
    std::printf(
        "%zu lanes of 16 bits, %zu mismatches; %zu zeros of __hmax_nan and __hmin_nan of bf16 are left out\n",
        cases, mismatches, slips);
    return harness_end(mismatches == 0 ? 0 : 1);
}
