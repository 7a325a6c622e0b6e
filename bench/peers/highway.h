// SPDX-License-Identifier: MIT
/// @file highway.h
/// Common parts of the peers that use Google Highway. They follow its guide, and are compiled once for each instruction
/// set, BENCH_ISA, with Highway's static target for the same compiler flags. Main loops process four vectors at a time,
/// then one, then single lanes. Lanes() is a constant, except for SVE and RVV, whose vector length is known only at run
/// time. Vectors of these types have no size, so lambdas get them as arguments and must not capture them.
///
/// Everything in this file and in files that include it is in unnamed namespaces, and does not call algorithms of std.
/// Otherwise the linker might use a template instance that was compiled for one instruction set in the whole program.
#ifndef PTO_BENCH_HIGHWAY_H
#define PTO_BENCH_HIGHWAY_H

#include "peers/contender.h"

#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

#include <cstring>

namespace hn = hwy::HWY_NAMESPACE;

namespace {

template <class D> using Lane = hn::TFromD<D>;

/// The largest vectors that an instruction processes. On RISC-V these are groups of eight registers (1 << 3).
template <class T> using Vectors = hn::ScalableTag<T, HWY_TARGET == HWY_RVV ? 3 : 0>;

template <void (*once)(const bench_args *)> void repeated(const bench_args *args, size_t repeat) {
    for (size_t i = 0; i < repeat; i++) {
        once(args);
        BENCH_BARRIER();
    }
}

} // namespace

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)

// The name of a file's entry point, such as bench_highway_compare_avx2.
#define HIGHWAY_FINDER(name) PASTE(bench_highway_##name##_, BENCH_ISA)

#endif
