// SPDX-License-Identifier: MIT
//
// The tables of operations and of peers.
#include "measure/subject.h"

#include <algorithm>
#include <iterator>

namespace bench {

// Each operation is defined in its own file.
namespace operation {
#define DECLARE(NAME, name) extern const Operation name;
BENCH_OPERATIONS(DECLARE)
#undef DECLARE
} // namespace operation

const std::vector<const Operation *> &operations() {
#define ADDRESS(NAME, name) &operation::name,
    static const std::vector<const Operation *> all = {BENCH_OPERATIONS(ADDRESS)};
#undef ADDRESS
    return all;
}

const Operation &operation_of(const bench_what &what) {
    return *operations()[what.operation];
}

bench_fn *subject(const bench_what &what) {
    return operation_of(what).repeated;
}

bench_fn *two_calls_of(const bench_what &what) {
    const auto find = operation_of(what).two_calls;
    return find == nullptr ? nullptr : find(what);
}

pto_status subject_once(const bench_args &args) {
    return operation_of(*args.what).once(args);
}

// isas.inc lists the instruction sets for which this bench is built, best first, as ISA(avx512, PTO_ISA_AVX512). Those
// for which instructions are only counted have no roofline and no loop: COUNTED(sve, PTO_ISA_SVE).
#if PTO_BENCH_HIGHWAY
#    define HIGHWAYS(X, ...) BENCH_HIGHWAYS(X, __VA_ARGS__)
#else
#    define HIGHWAYS(X, ...)
#endif

extern "C" {
#define LOOP(name, isa)    bench_find bench_loop_##name##_##isa;
#define HIGHWAY(name, isa) bench_find bench_highway_##name##_##isa;
#define ISA(isa, number)                                                                                     \
    bench_roofline bench_roofline_##isa;                                                                     \
    BENCH_LOOPS(LOOP, isa)                                                                                   \
    HIGHWAYS(HIGHWAY, isa)
#define COUNTED(isa, number) HIGHWAYS(HIGHWAY, isa)
#include "isas.inc"
#undef COUNTED
#undef ISA
#undef HIGHWAY
#undef LOOP
}

namespace {

struct Peers {
    pto_isa isa;
    bench_roofline *roofline;
    std::vector<bench_find *> loops, highways;
};

const std::vector<Peers> &all_peers() {
#define LOOP(name, isa)      bench_loop_##name##_##isa,
#define HIGHWAY(name, isa)   bench_highway_##name##_##isa,
#define ISA(isa, number)     {number, bench_roofline_##isa, {BENCH_LOOPS(LOOP, isa)}, {HIGHWAYS(HIGHWAY, isa)}},
#define COUNTED(isa, number) {number, nullptr, {}, {HIGHWAYS(HIGHWAY, isa)}},
    static const std::vector<Peers> all = {
#include "isas.inc"
    };
    return all;
}

const Peers &peers_of(pto_isa isa) {
    static const Peers none = {};
    const auto found =
        std::find_if(all_peers().begin(), all_peers().end(), [=](const Peers &p) { return p.isa == isa; });
    return found == all_peers().end() ? none : *found;
}

/// Returns the function that the first successful finder returns, or NULL.
bench_fn *find_in(const std::vector<bench_find *> &finders, const bench_what &what) {
    for (bench_find *find : finders)
        if (bench_fn *found = find(&what)) return found;
    return nullptr;
}

} // namespace

std::vector<pto_isa> isas() {
    std::vector<pto_isa> found;
    for (const Peers &peers : all_peers())
        if (peers.roofline != nullptr && pto_isa_available(peers.isa)) found.push_back(peers.isa);
    return found;
}

bench_roofline *roofline_of(pto_isa isa) {
    return peers_of(isa).roofline;
}

bench_fn *loop_of(pto_isa isa, const bench_what &what) {
    return find_in(peers_of(isa).loops, what);
}

bench_fn *highway_of(pto_isa isa, const bench_what &what) {
    return find_in(peers_of(isa).highways, what);
}

} // namespace bench
