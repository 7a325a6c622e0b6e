// SPDX-License-Identifier: MIT
#include "measure/subject.h"

#include <algorithm>
#include <iterator>

namespace bench {

namespace {

pto_mask seed_of(const bench_args &args) {
    return args.what->seed ? pto_packed_in(args.m) : PTO_NO_MASK;
}

pto_status vcmp(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcmp(w.type, w.cmp, w.flags, r.a, r.b, seed_of(r), pto_mask_at(r.dst, w.mask), r.n);
}

pto_status vcmps(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcmps(w.type, w.cmp, w.flags, r.a, r.b, seed_of(r), pto_mask_at(r.dst, w.mask), r.n);
}

pto_status setp(const bench_args &r) {
    const bench_what &w = *r.what;
    const pto_setp_op op = {w.type, w.cmp, PTO_AND, false, (w.flags & PTO_FTZ) != 0};
    return pto_setp(op, r.a, r.b, pto_packed_in(r.m), pto_packed(r.dst), pto_packed(r.dst2), r.n);
}

pto_status vsel(const bench_args &r) {
    return pto_vsel(r.what->type, r.a, r.b, pto_mask_in(r.m, r.what->mask), r.dst, r.n);
}

pto_status vselr(const bench_args &r) {
    return pto_vselr(r.what->type, r.a, r.b, pto_mask_in(r.m, r.what->mask), r.dst, r.n);
}

pto_status vcmpsel(const bench_args &r) {
    const bench_what &w = *r.what;
    return pto_vcmpsel(w.type, w.cmp, w.flags, pto_in_array(r.a), pto_in_array(r.b), pto_in_array(r.u),
                       pto_in_array(r.v), r.dst, r.n);
}

pto_status cvt(const bench_args &r) {
    const pto_cvt_op &op = r.what->cvt;
    const auto *rbits = op.round == PTO_RS ? static_cast<const uint32_t *>(r.m) : nullptr;
    return pto_cvt(op, r.a, r.dst, rbits, r.n);
}

template <pto_status (*once)(const bench_args &)> void repeated(const bench_args *args, size_t repeat) {
    for (size_t i = 0; i < repeat; i++) {
        once(*args);
        BENCH_BARRIER();
    }
}

template <pto_status (*once)(const bench_args &)>
constexpr Family family(const char *name, unsigned reads, Writes writes, bool two_results = false) {
    return {name, once, repeated<once>, reads, writes, two_results};
}

} // namespace

const Family &family_of(bench_family number) {
    static const Family families[] = {
        // in the order of bench_family
        family<vcmp>("vcmp", 2, Writes::mask),       family<vcmps>("vcmps", 1, Writes::mask),
        family<setp>("setp", 2, Writes::mask, true), family<vsel>("vsel", 2, Writes::lanes),
        family<vselr>("vselr", 2, Writes::lanes),    family<vcmpsel>("vcmpsel", 2, Writes::lanes),
        family<cvt>("cvt", 1, Writes::converted),
    };
    static_assert(std::size(families) == BENCH_CVT + 1, "a row for each");
    return families[number];
}

bench_fn *subject(const bench_what &what) {
    return family_of(what.family).repeated;
}

pto_status subject_once(const bench_args &args) {
    return family_of(args.what->family).once(args);
}

void compare_then_select(const bench_args *args, size_t repeat) {
    const bench_what &w = *args->what;
    const pto_mask mask = pto_packed(args->dst2);
    for (size_t i = 0; i < repeat; i++) {
        (void)pto_vcmp(w.type, w.cmp, w.flags, args->a, args->b, PTO_NO_MASK, mask, args->n);
        (void)pto_vsel(w.type, args->u, args->v, mask, args->dst, args->n);
        BENCH_BARRIER();
    }
}

// The instruction sets that this bench is built for, best first: ISA(avx512, PTO_ISA_AVX512) and so on.
extern "C" {
#define ISA(isa, number)                                                                                     \
    bench_roofline bench_roofline_##isa;                                                                     \
    bench_find bench_loop_##isa, bench_highway_##isa;
#include "isas.inc"
#undef ISA
}

#if PTO_BENCH_HIGHWAY
#    define HIGHWAY(isa) bench_highway_##isa
#else
#    define HIGHWAY(isa) nullptr
#endif

namespace {

const bench_peers all_peers[] = {
#define ISA(isa, number) {number, bench_roofline_##isa, bench_loop_##isa, HIGHWAY(isa)},
#include "isas.inc"
#undef ISA
};

} // namespace

std::vector<pto_isa> isas() {
    std::vector<pto_isa> found;
    for (const bench_peers &peers : all_peers)
        if (pto_isa_available(peers.isa)) found.push_back(peers.isa);
    return found;
}

const bench_peers &peers_of(pto_isa isa) {
    // The cells name these alone.
    return *std::find_if(std::begin(all_peers), std::end(all_peers),
                         [=](const bench_peers &p) { return p.isa == isa; });
}

} // namespace bench
