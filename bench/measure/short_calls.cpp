// SPDX-License-Identifier: MIT
//
// Measures calls on 1 to 4096 lanes of data in the L1 cache, which shows the overhead of a call.
#include "measure/cells.h"
#include "measure/extras.h"
#include "measure/subject.h"

#include <algorithm>
#include <cstring>

namespace bench {

namespace {

/// Runs a plan as a user would, with a plan at a fixed address.
class Planned {
  public:
    explicit Planned(const bench_what &what)
        : selects_((operation_of(what).traits & selects) != 0),
          four_sources_((operation_of(what).traits & four_sources) != 0) {
        const auto make = operation_of(what).plan;
        made_ = make != nullptr && make(&plan_, what) == PTO_OK;
    }

    bool made() const { return made_; }

    void run(const bench_args &args, size_t repeat) const {
        const pto_operands operands = {{args.a, args.b, args.u, args.v}, {args.dst, nullptr}};
        for (size_t i = 0; four_sources_ && i < repeat; i++) {
            pto_run_operands(&plan_, &operands, args.n);
            BENCH_BARRIER();
        }
        if (!four_sources_) run_few(args, repeat);
    }

  private:
    bool selects_, four_sources_;
    pto_plan plan_{};
    bool made_ = false;

    void run_few(const bench_args &args, size_t repeat) const {
        const void *m = selects_ ? args.m : nullptr;
        for (size_t i = 0; i < repeat; i++) {
            pto_run(&plan_, args.a, args.b, m, args.dst, args.n);
            BENCH_BARRIER();
        }
    }
};

/// Powers of two, and lengths between them that leave the last vector incomplete.
constexpr size_t lengths[] = {1,   2,   3,   4,   7,   8,    16,   31,   32,  64,
                              100, 128, 256, 500, 512, 1000, 1024, 2048, 4096};

/// Returns whether a call is measured at length n. A quick run measures few lengths. Only calls that are compared with
/// two other calls have all lengths there, too.
bool picked(Scope scope, const bench_what &what, size_t n) {
    if (scope != Scope::quick) return true;
    if (what.type != PTO_F32 || what.operation == BENCH_VCMPS) return false;
    return two_calls_of(what) != nullptr || n == 1 || n == 8 || n == 64 || n == 512 || n == 4096;
}

const bench_what calls[] = {
    compare(BENCH_VCMP, {PTO_F32, PTO_LT}),
    compare(BENCH_VCMP, {PTO_U8, PTO_EQ}),
    compare(BENCH_VCMP, {PTO_F16, PTO_LT}),
    compare(BENCH_VCMPS, {PTO_F32, PTO_LT}),
    select(BENCH_VSEL, PTO_F32),
    extreme(BENCH_VMAX, PTO_F32),
    compare(BENCH_VCMPSEL, {PTO_F32, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_U8, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_S16, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_F16, PTO_LT}),
    compare(BENCH_VCMPSEL, {PTO_F64, PTO_LT}),
    convert(conversion(PTO_F16, PTO_F32, PTO_RN)),
    convert_as_pto({PTO_F16, PTO_F32, PTO_VRND_R, true}),
};

/// One operation at one length.
class Call {
  public:
    Call(Memory &memory, const Cell &cell, size_t n) : cell_(cell) {
        memory.fill(cell_, Data::plain);
        args_ = memory.args(cell_, Data::plain);
        args_.what = &cell_.what;
        args_.n = n;
        bytes_ = result_bytes(cell_.what, n);
        (void)pto_isa_use(PTO_ISA_SCALAR);
        subject_once(args_);
        expected_.assign(result(), result() + bytes_);
        (void)pto_isa_use(cell_.isa);
    }

    ShortCall run(const Effort &effort, std::string &error) {
        const Planned plan(cell_.what);
        bench_fn *checked = subject(cell_.what);
        bench_fn *highway = highway_of(cell_.isa, cell_.what), *loop = loop_of(cell_.isa, cell_.what);
        ShortCall row = {name_of(cell_.what), cell_.isa, args_.n, 0, {}, {}, {}, {}};
        std::vector<Runner> runners;
        std::vector<Time *> times;
        Time checked_time;
        const auto enter = [&](const char *name, const std::function<void(size_t)> &run, Time *time) {
            time->kind = same(run) ? Time::Kind::measured : Time::Kind::differs;
            if (time->kind == Time::Kind::differs) return;
            runners.push_back({name, run});
            times.push_back(time);
        };
        enter(
            "checked", [&](size_t passes) { checked(&args_, passes); }, &checked_time);
        if (plan.made())
            enter(
                "plan", [&](size_t passes) { plan.run(args_, passes); }, &row.plan);
        if (checked_time.kind != Time::Kind::measured || row.plan.kind == Time::Kind::differs) {
            error = row.name + " of " + std::to_string(args_.n) + " lanes differs from scalar";
            return row;
        }
        if (highway != nullptr)
            enter(
                "Highway", [&](size_t passes) { highway(&args_, passes); }, &row.highway);
        if (loop != nullptr)
            enter(
                "loop", [&](size_t passes) { loop(&args_, passes); }, &row.loop);
        if (bench_fn *two_calls = two_calls_of(cell_.what))
            enter(
                "two calls", [&, two_calls](size_t passes) { two_calls(&args_, passes); }, &row.two_calls);
        race(runners, effort);
        for (size_t i = 0; i < runners.size(); i++) times[i]->seconds = runners[i].seconds;
        row.checked = checked_time.seconds * 1e9;
        return row;
    }

  private:
    Cell cell_;
    bench_args args_{};
    size_t bytes_ = 0;
    std::vector<unsigned char> expected_;

    unsigned char *result() const { return static_cast<unsigned char *>(args_.dst); }

    bool same(const std::function<void(size_t)> &run) const {
        std::memset(args_.dst, 0xa5, bytes_);
        run(1);
        return std::memcmp(args_.dst, expected_.data(), bytes_) == 0;
    }
};

} // namespace

std::vector<ShortCall> short_calls(Memory &memory, Scope scope, const Effort &effort, std::string &error) {
    std::vector<ShortCall> rows;
    for (const pto_isa isa : isas()) {
        for (const bench_what &what : calls) {
            for (const size_t n : lengths) {
                if (!picked(scope, what, n)) continue;
                const Cell cell = {what, isa, size_t{32} << 10, Place::aligned, Data::plain};
                rows.push_back(Call(memory, cell, n).run(effort, error));
                if (!error.empty()) return {};
            }
        }
    }
    return rows;
}

} // namespace bench
