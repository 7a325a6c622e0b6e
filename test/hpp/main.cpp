/* SPDX-License-Identifier: MIT */
/* Tests of the C++ header: every call against the C call, lengths, errors, and code that must not compile. */
#include "hpp/hpp.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace {

std::size_t expected = 0, failed = 0;

} // namespace

void expect(bool holds, const char *what, int line, const char *file) {
    expected++;
    if (holds) return;
    failed++;
    std::printf("%s:%d: not so: %s\n", file, line, what);
}

std::vector<float> numbers(std::size_t n, unsigned seed) {
    static const float special[] = {0.0F, -0.0F, std::numeric_limits<float>::infinity(), std::nanf(""),
                                    1e-40F};
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; i++) {
        const std::size_t k = (i * 7 + seed) % 23;
        x[i] = k < 5 ? special[k] : (static_cast<float>(k) - 12) * 0.37F;
    }
    return x;
}

std::vector<std::uint8_t> noise(std::size_t n, unsigned seed) {
    std::vector<std::uint8_t> x(n);
    std::uint32_t state = seed * 2654435761U + 1;
    for (std::uint8_t &byte : x) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<std::uint8_t>(state >> 24);
    }
    return x;
}

int main() {
    test_types();
    test_compare();
    test_select();
    test_maxmin();
    test_masks();
    test_registers();
    test_flags();
    test_convert();
    test_cast();
    test_vcvt();
    test_random();
    test_block();
    test_text();
    test_forms();
    test_plans();
    std::printf("%zu expectations, %zu not met\n", expected, failed);
    return expected > 200 && failed == 0 ? 0 : 1;
}
