// SPDX-License-Identifier: MIT
/// @file highway.h
/// Google Highway used straight from C++, as its own guide has it: compiled once for each instruction set,
/// BENCH_ISA, with Highway's static target of the same flags. Main loops of four vectors, then one, then
/// single lanes. How long a vector is only the run tells where it may be of any length: Lanes() says so, and is a
/// constant elsewhere. There vectors have no size, so that a lambda is handed them as arguments, and captures none.
///
/// All of this and of the files that include it is in unnamed namespaces, and none of it calls algorithms of
/// std::: a template compiled for one instruction set might become the copy that all of the program uses.
#ifndef PTO_BENCH_HIGHWAY_H
#define PTO_BENCH_HIGHWAY_H

#include "peers/contender.h"

#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

#include <cstring>

namespace hn = hwy::HWY_NAMESPACE;

namespace {

template <class D> using Lane = hn::TFromD<D>;

/// As many lanes as an instruction is for: on RISC-V those of eight registers, a group, as 1 << 3.
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

// The file's entry: bench_highway_compare_avx2
#define HIGHWAY_FINDER(name) PASTE(bench_highway_##name##_, BENCH_ISA)

#endif
