/* SPDX-License-Identifier: MIT */
/* Compares pto_random_bits() with the host code of NVIDIA's curand_kernel.h, as random.h documents for users of
 * curand_init() and curand4(). */
#include <cuda_runtime.h>
#define QUALIFIERS static inline
#include <curand_kernel.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" {
#include "support/harness.h"
}

namespace {

constexpr std::size_t kCalls = 24, kWords = 4 * kCalls;
constexpr std::uint64_t kNumbers[] = {0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      7,
                                      1234,
                                      0xfffffffc,
                                      0xffffffff,
                                      0x100000001,
                                      0x3fffffff0,
                                      0xfffffffffffffff0,
                                      0xffffffffffffffff};

std::uint32_t low(std::uint64_t x) {
    return static_cast<std::uint32_t>(x);
}
std::uint32_t high(std::uint64_t x) {
    return static_cast<std::uint32_t>(x >> 32);
}

/** Returns whether the words are equal to those of a cuRAND state of this seed, subsequence and offset. */
bool agree(std::uint64_t seed, std::uint64_t subsequence, std::uint64_t offset) {
    const std::uint32_t key[2] = {low(seed), high(seed)};
    const std::uint32_t counter[4] = {low(offset / 4), high(offset / 4), low(subsequence), high(subsequence)};
    std::uint32_t ours[kWords + 3], theirs[kWords];
    curandStatePhilox4_32_10_t state;
    curand_init(seed, subsequence, offset, &state);
    for (std::size_t i = 0; i < kCalls; i++) {
        const uint4 four = curand4(&state);
        const std::uint32_t words[4] = {four.x, four.y, four.z, four.w};
        std::memcpy(theirs + 4 * i, words, sizeof words);
    }
    if (pto_random_bits(key, counter, ours, kWords + 3) != PTO_OK) return false;
    return std::memcmp(ours + offset % 4, theirs, sizeof theirs) == 0;
}

} // namespace

int main(int argc, char **argv) {
    const int status = harness_start(argc, argv);
    std::size_t tried = 0, wrong = 0;
    if (status != 0) return status;
    for (const std::uint64_t seed : kNumbers) {
        for (const std::uint64_t subsequence : kNumbers) {
            for (const std::uint64_t offset : kNumbers) {
                tried++;
                if (agree(seed, subsequence, offset)) continue;
                if (wrong++ == 0)
                    std::printf("seed %llx, subsequence %llx, offset %llx: other words\n",
                                static_cast<unsigned long long>(seed),
                                static_cast<unsigned long long>(subsequence),
                                static_cast<unsigned long long>(offset));
            }
        }
    }
    std::printf("curand4: %zu states, %zu of them with other words\n", tried, wrong);
    return harness_end(tried > 1000 && wrong == 0 ? 0 : 1);
}
