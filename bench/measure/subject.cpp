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

} // namespace

bench_fn *subject(const bench_what &what) {
    switch (what.family) {
    case BENCH_VCMP: return repeated<vcmp>;
    case BENCH_VCMPS: return repeated<vcmps>;
    case BENCH_SETP: return repeated<setp>;
    case BENCH_VSEL: return repeated<vsel>;
    case BENCH_VSELR: return repeated<vselr>;
    case BENCH_VCMPSEL: return repeated<vcmpsel>;
    case BENCH_CVT: break;
    }
    return repeated<cvt>;
}

pto_status subject_once(const bench_args &args) {
    switch (args.what->family) {
    case BENCH_VCMP: return vcmp(args);
    case BENCH_VCMPS: return vcmps(args);
    case BENCH_SETP: return setp(args);
    case BENCH_VSEL: return vsel(args);
    case BENCH_VSELR: return vselr(args);
    case BENCH_VCMPSEL: return vcmpsel(args);
    case BENCH_CVT: break;
    }
    return cvt(args);
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

#if PTO_BENCH_HIGHWAY
#    define HIGHWAY(isa) bench_highway_##isa
#else
#    define HIGHWAY(isa) nullptr
#endif

extern "C" {
#define DECLARE(isa)                                                                                         \
    bench_roofline bench_roofline_##isa;                                                                     \
    bench_find bench_loop_##isa, bench_highway_##isa;
DECLARE(avx512)
DECLARE(avx2)
DECLARE(neon)
}

const bench_peers &peers_of(pto_isa isa) {
    static const bench_peers peers[] = {
#if defined(__x86_64__)
        {PTO_ISA_AVX512, bench_roofline_avx512, bench_loop_avx512, HIGHWAY(avx512)},
        {PTO_ISA_AVX2, bench_roofline_avx2, bench_loop_avx2, HIGHWAY(avx2)},
#else
        {PTO_ISA_NEON, bench_roofline_neon, bench_loop_neon, HIGHWAY(neon)},
#endif
    };
    // The cells name these alone.
    return *std::find_if(std::begin(peers), std::end(peers),
                         [=](const bench_peers &p) { return p.isa == isa; });
}

} // namespace bench
