/* SPDX-License-Identifier: MIT */
/* Compares the 16-bit comparisons with the host code of NVIDIA's cuda_fp16.h and cuda_bf16.h, which compares one
 * lane or two at a time. The test uses all 65536 right operands for each of some left operands. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
#include "support/harness.h"
#include "support/values.h"
}

namespace {

constexpr std::size_t kRow = 65536;
constexpr std::size_t kRows = 200, kQuickRows = 12;
constexpr int kCompares = 12;

const pto_cmp kOps[kCompares] = {PTO_EQ,  PTO_NE,  PTO_LT,  PTO_LE,  PTO_GT,  PTO_GE,
                                 PTO_EQU, PTO_NEU, PTO_LTU, PTO_LEU, PTO_GTU, PTO_GEU};

/** The header's comparisons of a type, in the order of kOps. */
template <class Half, class Half2> struct Witness {
    using One = bool (*)(Half, Half);
    using Mask = unsigned (*)(Half2, Half2);
    using Two = Half2 (*)(Half2, Half2);
    static constexpr One one[kCompares] = {
        [](Half a, Half b) { return __heq(a, b); },  [](Half a, Half b) { return __hne(a, b); },
        [](Half a, Half b) { return __hlt(a, b); },  [](Half a, Half b) { return __hle(a, b); },
        [](Half a, Half b) { return __hgt(a, b); },  [](Half a, Half b) { return __hge(a, b); },
        [](Half a, Half b) { return __hequ(a, b); }, [](Half a, Half b) { return __hneu(a, b); },
        [](Half a, Half b) { return __hltu(a, b); }, [](Half a, Half b) { return __hleu(a, b); },
        [](Half a, Half b) { return __hgtu(a, b); }, [](Half a, Half b) { return __hgeu(a, b); }};
    static constexpr Mask mask[kCompares] = {[](Half2 a, Half2 b) { return __heq2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hne2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hlt2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hle2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hgt2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hge2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hequ2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hneu2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hltu2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hleu2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hgtu2_mask(a, b); },
                                             [](Half2 a, Half2 b) { return __hgeu2_mask(a, b); }};
    static constexpr Two two[kCompares] = {
        [](Half2 a, Half2 b) { return __heq2(a, b); },  [](Half2 a, Half2 b) { return __hne2(a, b); },
        [](Half2 a, Half2 b) { return __hlt2(a, b); },  [](Half2 a, Half2 b) { return __hle2(a, b); },
        [](Half2 a, Half2 b) { return __hgt2(a, b); },  [](Half2 a, Half2 b) { return __hge2(a, b); },
        [](Half2 a, Half2 b) { return __hequ2(a, b); }, [](Half2 a, Half2 b) { return __hneu2(a, b); },
        [](Half2 a, Half2 b) { return __hltu2(a, b); }, [](Half2 a, Half2 b) { return __hleu2(a, b); },
        [](Half2 a, Half2 b) { return __hgtu2(a, b); }, [](Half2 a, Half2 b) { return __hgeu2(a, b); }};
};

struct Rows {
    std::vector<std::uint16_t> left = std::vector<std::uint16_t>(kRow),
                               right = std::vector<std::uint16_t>(kRow);
    std::vector<std::uint8_t> got = std::vector<std::uint8_t>(kRow), p = std::vector<std::uint8_t>(kRow),
                              q = std::vector<std::uint8_t>(kRow);
    std::vector<std::uint32_t> set_u32 = std::vector<std::uint32_t>(kRow / 2),
                               set_pair = std::vector<std::uint32_t>(kRow / 2);
};

std::size_t mismatches, cases;

void differ(const char *what, pto_dtype type, pto_cmp op, unsigned a, unsigned b) {
    if (mismatches++ == 0) {
        std::printf("%s %s %s: %04x, %04x differ from the header\n", what, pto_dtype_name(type),
                    model_op_name(op), a, b);
    }
}

template <class T> T as(const void *bits) {
    T value;
    std::memcpy(static_cast<void *>(&value), bits, sizeof value);
    return value;
}

template <class T> std::uint32_t bits_of(const T &value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, static_cast<const void *>(&value), sizeof value);
    return bits;
}

bool run_library(Rows &rows, pto_dtype type, pto_dtype pair, pto_cmp op) {
    pto_setp_op setp = {};
    pto_set_op set = {};
    setp.type = pair;
    setp.cmp = op;
    set.dtype = PTO_U32;
    set.stype = pair;
    set.cmp = op;
    if (pto_vcmp(type, op, 0, rows.left.data(), rows.right.data(), PTO_NO_MASK, pto_bytes(rows.got.data()),
                 kRow) != PTO_OK ||
        pto_setp(setp, rows.left.data(), rows.right.data(), PTO_NO_MASK, pto_bytes(rows.p.data()),
                 pto_bytes(rows.q.data()), kRow / 2) != PTO_OK ||
        pto_set(set, rows.left.data(), rows.right.data(), PTO_NO_MASK, rows.set_u32.data(), kRow / 2) !=
            PTO_OK) {
        return false;
    }
    set.dtype = pair;
    return pto_set(set, rows.left.data(), rows.right.data(), PTO_NO_MASK, rows.set_pair.data(), kRow / 2) ==
           PTO_OK;
}

template <class Half, class Half2> void compare_row(Rows &rows, pto_dtype type, pto_dtype pair, int op) {
    using W = Witness<Half, Half2>;
    if (!run_library(rows, type, pair, kOps[op])) differ("no success:", type, kOps[op], 0, 0);
    for (std::size_t i = 0; i < kRow; i++) {
        const bool want = W::one[op](as<Half>(&rows.left[i]), as<Half>(&rows.right[i]));
        const std::uint8_t half = i % 2 ? rows.q[i / 2] : rows.p[i / 2];
        if (rows.got[i] != want) differ("vcmp", type, kOps[op], rows.left[i], rows.right[i]);
        if (half != want) differ("setp", pair, kOps[op], rows.left[i], rows.right[i]);
    }
    for (std::size_t i = 0; i < kRow / 2; i++) {
        const Half2 a = as<Half2>(&rows.left[2 * i]), b = as<Half2>(&rows.right[2 * i]);
        if (rows.set_u32[i] != W::mask[op](a, b))
            differ("set.u32", pair, kOps[op], rows.left[2 * i], rows.right[2 * i]);
        if (rows.set_pair[i] != bits_of(W::two[op](a, b)))
            differ("set", pair, kOps[op], rows.left[2 * i], rows.right[2 * i]);
    }
    cases += 2 * kRow;
}

/** Compares nan and num with the headers' __hisnan. */
template <class Half> void compare_nan(Rows &rows, pto_dtype type) {
    std::vector<std::uint8_t> num(kRow);
    if (pto_vcmp(type, PTO_NAN, 0, rows.left.data(), rows.right.data(), PTO_NO_MASK,
                 pto_bytes(rows.got.data()), kRow) != PTO_OK ||
        pto_vcmp(type, PTO_NUM, 0, rows.left.data(), rows.right.data(), PTO_NO_MASK, pto_bytes(num.data()),
                 kRow) != PTO_OK) {
        differ("no success:", type, PTO_NAN, 0, 0);
    }
    for (std::size_t i = 0; i < kRow; i++) {
        const bool want = __hisnan(as<Half>(&rows.left[i])) || __hisnan(as<Half>(&rows.right[i]));
        if (rows.got[i] != want || num[i] == want) differ("vcmp", type, PTO_NAN, rows.left[i], rows.right[i]);
    }
    cases += kRow;
}

template <class Half, class Half2> void compare_type(pto_dtype type, pto_dtype pair) {
    std::uint64_t specials[VALUES_MAX_SPECIALS];
    const std::size_t count = values_special(type, specials),
                      rows_wanted = harness_quick() ? kQuickRows : kRows;
    Rows rows;
    rng random;
    rng_start(&random, "CUDA headers");
    for (std::size_t i = 0; i < kRow; i++) {
        rows.right[i] = static_cast<std::uint16_t>(i);
    }
    for (std::size_t row = 0; row < rows_wanted; row++) {
        const std::uint64_t bits = row < count ? specials[row * 5 % count] : rng_next(&random);
        rows.left.assign(kRow, static_cast<std::uint16_t>(bits));
        for (int op = 0; op < kCompares; op++) {
            compare_row<Half, Half2>(rows, type, pair, op);
        }
        compare_nan<Half>(rows, type);
    }
}

} /* namespace */

int main(int argc, char **argv) {
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    compare_type<__half, __half2>(PTO_F16, PTO_F16X2);
    compare_type<__nv_bfloat16, __nv_bfloat162>(PTO_BF16, PTO_BF16X2);
    std::printf("%zu comparisons of 16-bit lanes, %zu mismatches\n", cases, mismatches);
    return harness_end(mismatches == 0 ? 0 : 1);
}
