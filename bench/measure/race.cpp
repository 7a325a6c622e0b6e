// SPDX-License-Identifier: MIT
//
// Verifies the contenders of a cell and measures them in turn.
#include "measure/race.h"

#include "measure/subject.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace bench {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double timed(const Runner &runner, size_t passes) {
    const double start = now();
    runner.run(passes);
    return now() - start;
}

void sample(Runner &runner) {
    const double seconds = timed(runner, runner.passes);
    const double pass = seconds / static_cast<double>(runner.passes);
    runner.seconds = runner.ran > 0 ? std::min(runner.seconds, pass) : pass;
    runner.spent += seconds;
    runner.ran++;
}

/// Returns whether a runner skips a round. A runner that is much slower than the others must not use up their time.
bool sits_out(const Runner &runner, const Effort &effort, size_t runners) {
    return runner.ran >= 2 && runner.spent > 2 * effort.budget / static_cast<double>(runners);
}

constexpr unsigned char untouched = 0xa5;

/// Checks whether a contender's result has the same bits as scalar's.
class Verifier {
  public:
    Verifier(const Memory &memory, const Cell &cell, const bench_args &args)
        : args_(args), bytes_(result_bytes(cell.what, lanes_of(cell))),
          bytes2_(result2_bytes(cell.what, lanes_of(cell))), expected_(memory.expected()) {}

    std::string scalar() {
        (void)pto_isa_use(PTO_ISA_SCALAR);
        clear();
        const double start = now();
        const pto_status status = subject_once(args_);
        seconds_ = now() - start;
        std::memcpy(expected_, args_.dst, bytes_);
        std::memcpy(expected_ + bytes_, args_.dst2, bytes2_);
        return status == PTO_OK ? "" : pto_strerror(status);
    }

    bool same(const std::function<void(size_t)> &run) const {
        clear();
        run(1);
        return std::memcmp(expected_, args_.dst, bytes_) == 0 &&
               std::memcmp(expected_ + bytes_, args_.dst2, bytes2_) == 0;
    }

    double seconds() const { return seconds_; } ///< time of scalar's single pass

  private:
    double seconds_ = 0;
    bench_args args_;
    size_t bytes_, bytes2_;
    unsigned char *expected_;

    void clear() const {
        std::memset(args_.dst, untouched, bytes_);
        std::memset(args_.dst2, untouched, bytes2_);
    }
};

Runner runner_of(const char *name, bench_fn *fn, const bench_args &args) {
    return {name, [fn, &args](size_t passes) { fn(&args, passes); }};
}

/// The verified contenders of a cell, and where to store their times.
class Field {
  public:
    Field(Memory &memory, const Cell &cell, const Effort &effort) : cell_(cell), effort_(effort) {
        if (is_laden(cell.data)) memory.fill(cell, Data::plain);
        memory.fill(cell, cell.data);
        args_ = memory.args(cell, cell.data);
        args_.what = &cell_.what;
        clean_ = memory.args(cell, Data::plain);
        clean_.what = &cell_.what;
        traffic_ = Memory::traffic(cell, args_);
        verify(memory);
    }

    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;

    Result run() {
        if (!result_.error.empty()) return result_;
        (void)pto_isa_use(cell_.isa);
        race(runners_, effort_);
        result_.seconds = runners_[0].seconds;
        for (size_t i = 1; i < runners_.size(); i++) *times_[i] = {Time::Kind::measured, runners_[i].seconds};
        if (effort_.counters)
            result_.counts = count(runners_[0].run, runners_[0].passes, static_cast<double>(args_.n));
        return result_;
    }

  private:
    Cell cell_;
    Effort effort_;
    bench_args args_{}, clean_{};
    bench_traffic traffic_{};
    std::vector<Runner> runners_;
    std::vector<Time *> times_;
    Result result_{};

    void add(const char *name, bench_fn *fn, const bench_args &args, Time *time) {
        runners_.push_back(runner_of(name, fn, args));
        times_.push_back(time);
    }

    void peer(const Verifier &verifier, const char *name, bench_fn *fn, Time *time) {
        if (fn == nullptr) return;
        if (verifier.same([&](size_t passes) { fn(&args_, passes); }))
            add(name, fn, args_, time);
        else
            time->kind = Time::Kind::differs;
    }

    void verify(const Memory &memory) {
        result_.cell = cell_;
        result_.name = name_of(cell_);
        bench_fn *fn = subject(cell_.what);
        Verifier verifier(memory, cell_, args_);
        result_.error = verifier.scalar();
        (void)pto_isa_use(cell_.isa);
        add("libpto", fn, args_, nullptr);
        if (result_.error.empty() && !verifier.same(runners_[0].run)) result_.error = "differs from scalar";
        if (!result_.error.empty()) return;
        if (effort_.peers) peers(verifier);
        bench_fn *two_calls = two_calls_of(cell_.what);
        if (two_calls != nullptr) add("two calls", two_calls, args_, &result_.two_calls);
        if (is_laden(cell_.data)) add("clean", fn, clean_, &result_.clean);
        if (effort_.scalar) scalar(fn, verifier.seconds());
    }

    void peers(const Verifier &verifier) {
        bench_roofline *roofline = roofline_of(cell_.isa);
        runners_.push_back({"roofline", [this, roofline](size_t passes) { roofline(&traffic_, passes); }});
        times_.push_back(&result_.roofline);
        peer(verifier, "Highway", highway_of(cell_.isa, cell_.what), &result_.highway);
        peer(verifier, "loop", loop_of(cell_.isa, cell_.what), &result_.loop);
    }

    /// Adds scalar to the race if it is fast enough. Otherwise the time of its pass in the verification is used.
    void scalar(bench_fn *fn, double seconds) {
        result_.scalar = {Time::Kind::measured, seconds};
        if (seconds > effort_.budget / 20) return;
        const auto switched = [this, fn](size_t passes) {
            (void)pto_isa_use(PTO_ISA_SCALAR);
            fn(&args_, passes);
            (void)pto_isa_use(cell_.isa);
        };
        runners_.push_back({"scalar", switched});
        times_.push_back(&result_.scalar);
    }
};

} // namespace

void calibrate(Runner &runner, const Effort &effort) {
    timed(runner, 1); // loads code and data into the caches
    double seconds = std::min(timed(runner, 1), timed(runner, 1));
    if (seconds < effort.sample / 20) { // too short for the clock
        const size_t tries = 16;
        seconds = timed(runner, tries) / static_cast<double>(tries);
    }
    runner.passes = std::max<size_t>(1, static_cast<size_t>(effort.sample / std::max(seconds, 1e-10)));
}

void race(std::vector<Runner> &runners, const Effort &effort) {
    for (Runner &runner : runners)
        if (runner.passes == 0) calibrate(runner, effort);
    const double start = now();
    for (unsigned round = 0; round < effort.rounds || now() - start < effort.budget; round++) {
        for (size_t i = 0; i < runners.size(); i++) {
            Runner &runner = runners[(i + round) % runners.size()]; // every round starts with another runner
            if (!sits_out(runner, effort, runners.size())) sample(runner);
        }
        if (round >= 20 && now() - start > 3 * effort.budget) break;
    }
}

std::optional<double> against(const Result &result, const Time &other) {
    if (other.kind != Time::Kind::measured || result.seconds <= 0) return std::nullopt;
    return other.seconds / result.seconds;
}

Result run_cell(Memory &memory, const Cell &cell, const Effort &effort) {
    return Field(memory, cell, effort).run();
}

} // namespace bench
