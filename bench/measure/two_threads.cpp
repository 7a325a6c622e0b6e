// SPDX-License-Identifier: MIT
//
// Measures two threads, each on its part of the data, against one thread on all of it.
#include "measure/cells.h"
#include "measure/extras.h"
#include "measure/share.h"
#include "measure/subject.h"

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#if defined(__linux__)
#    include <pthread.h>
#    include <sched.h>
#endif

namespace bench {

namespace {

/// Returns the cores that the process may use.
std::vector<int> cores() {
    std::vector<int> found;
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (int core = 0; core < CPU_SETSIZE; core++)
            if (CPU_ISSET(core, &allowed)) found.push_back(core);
#endif
    return found;
}

/// Pins this thread to a core. Otherwise two spinning threads that start on one core might stay there as long as
/// another process is busy on the other.
void keep_to(int core) {
#if defined(__linux__)
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
#else
    (void)core;
#endif
}

/// A second thread that spins until it gets work. Starting a thread for each call would take longer than the work.
class Helper {
  public:
    explicit Helper(int core)
        : thread_([this, core] {
              keep_to(core);
              serve();
          }) {}
    ~Helper() {
        stop_ = true;
        thread_.join();
    }
    Helper(const Helper &) = delete;
    Helper &operator=(const Helper &) = delete;

    void start(const std::function<void()> *work) { work_.store(work, std::memory_order_release); }
    void wait() const {
        while (work_.load(std::memory_order_acquire) != nullptr) {
        }
    }

  private:
    std::atomic<const std::function<void()> *> work_{nullptr};
    std::atomic<bool> stop_{false};
    std::thread thread_; // must be the last member, because the thread uses the others

    void serve() {
        while (!stop_) {
            const auto *work = work_.load(std::memory_order_acquire);
            if (work == nullptr) continue;
            (*work)();
            work_.store(nullptr, std::memory_order_release);
        }
    }
};

/// One or more calls of each operation. Quantizations are only those whose blocks are parts of a row.
constexpr const char *families[] = {"vcmp.lt.f32",
                                    "vcmp.lt.u8",
                                    "vcmp.lt.f16",
                                    "vcmps.lt.f32",
                                    "testp.f32",
                                    "setp.lt.f32",
                                    "vsel.f32",
                                    "vselr.f32",
                                    "vsels.f32",
                                    "vpermute.u32.by64",
                                    "vcmpsel.lt.f32",
                                    "vmax.f32",
                                    "vmin.f32",
                                    "vclamp.f32",
                                    "vrelu.f32",
                                    "vexp.f32",
                                    "rows.vmax.f32",
                                    "program.four_lines.f32",
                                    "kernel.four_lines.f32",
                                    "instruction.fma.rn.f32",
                                    "mask_copy.from3",
                                    "random.u32",
                                    "cvt.f16.f32",
                                    "cvt.bf16.f32",
                                    "cvt.s32.f32",
                                    "cvt.e4m3.f32",
                                    "cvt.f32.e4m3",
                                    "vcvt.f16.f32.sat",
                                    "vtrc.f32",
                                    "cast.f32.u8",
                                    "quantize.mx.rceil.e4m3.f32",
                                    "quantize.mx.rceil.e2m1.f32",
                                    "quantize.nv.te.e2m1.f32",
                                    "quantize.fp8.div.e4m3.f32.1x128",
                                    "dequantize.mx.rceil.f32.e4m3",
                                    "dequantize.nv.te.f32.e2m1"};

/// Returns the calls of `families` that this build has. If an operation of the bench has none, it returns an empty
/// vector and sets `error`.
std::vector<bench_what> whats(std::string &error) {
    std::map<std::string, bench_what> all; // every cell, by name
    for (const Cell &cell : cells_of(Scope::tiny)) all.emplace(name_of(cell.what), cell.what);
    std::vector<bench_what> found;
    std::set<bench_operation> missing;
    for (const auto &[name, what] : all)
        if ((operation_of(what).traits & only_whole) == 0) missing.insert(what.operation);
    for (const char *name : families) {
        const auto it = all.find(name);
        if (it == all.end()) continue;
        found.push_back(it->second);
        missing.erase(it->second.operation);
    }
    if (missing.empty()) return found;
    error = std::string("two threads: no call of ") + operations()[*missing.begin()]->name;
    return {};
}

/// A call on all data, and the same call in two parts.
class Halves {
  public:
    Halves(Helper &helper, Memory &memory, const Cell &cell)
        : helper_(helper), cell_(cell),
          whole_(filled(memory, cell_)), shares_{share_of(whole_, 2, 0, counters_[0]),
                                                 share_of(whole_, 2, 1, counters_[1])},
          traffic_(Memory::traffic(cell, whole_)), shares_traffic_{traffic_of_share(0), traffic_of_share(1)},
          fn_(subject(cell.what)), roofline_(roofline_of(cell.isa)), expected_(memory.expected()) {}
    Halves(const Halves &) = delete; // the arguments point to the cell and the counters
    Halves &operator=(const Halves &) = delete;

    void one(size_t passes) const { fn_(&whole_, passes); }

    void two(size_t passes) const {
        together([&](size_t k) { fn_(&shares_[k], passes); });
    }

    /// The roofline: the same traffic without computation. It shows the speedup by two threads that memory allows.
    void roofline_one(size_t passes) const { roofline_(&traffic_, passes); }
    void roofline_two(size_t passes) const {
        together([&](size_t k) { roofline_(&shares_traffic_[k], passes); });
    }

    /// Returns whether one thread and two threads write the same bytes.
    bool same() const {
        const size_t bytes = result_bytes(cell_.what, whole_.n), bytes2 = result2_bytes(cell_.what, whole_.n);
        one(1);
        std::memcpy(expected_, whole_.dst, bytes);
        std::memcpy(expected_ + bytes, whole_.dst2, bytes2);
        std::memset(whole_.dst, 0xa5, bytes);
        std::memset(whole_.dst2, 0xa5, bytes2);
        two(1);
        return std::memcmp(expected_, whole_.dst, bytes) == 0 &&
               std::memcmp(expected_ + bytes, whole_.dst2, bytes2) == 0;
    }

  private:
    Helper &helper_;
    Cell cell_;
    std::array<RandomCounter, 2> counters_{};
    bench_args whole_;
    std::array<bench_args, 2> shares_;
    bench_traffic traffic_;
    std::array<bench_traffic, 2> shares_traffic_;
    bench_fn *fn_;
    bench_roofline *roofline_;
    unsigned char *expected_;

    void together(const std::function<void(size_t)> &share) const {
        const std::function<void()> second = [&] { share(1); };
        helper_.start(&second);
        share(0);
        helper_.wait();
    }

    bench_traffic traffic_of_share(size_t k) const {
        Cell half = cell_;
        half.stream /= 2;
        return Memory::traffic(half, shares_[k]);
    }

    static bench_args filled(Memory &memory, const Cell &cell) {
        memory.fill(cell, Data::plain);
        return memory.args(cell, Data::plain);
    }
};

/// A smaller speedup means that the two threads may not have had a free core each; a larger one, that the single thread
/// did not have one.
constexpr double least_credible = 1.9, most_credible = 2.5;

/// Measures the best times of one thread and of two. On a busy machine, two cores are rarely free at the same time. If
/// the speedup is not credible, the race is repeated up to eight times; the best times count.
TwoThreads measured(const Halves &halves, const Cell &cell, const Effort &effort) {
    std::vector<Runner> runners;
    runners.push_back({"one", [&](size_t passes) { halves.one(passes); }});
    runners.push_back({"two", [&](size_t passes) { halves.two(passes); }});
    runners.push_back({"roofline", [&](size_t passes) { halves.roofline_one(passes); }});
    runners.push_back({"roofline by two", [&](size_t passes) { halves.roofline_two(passes); }});
    // The second thread may have to wait for a core at first, so only the first runner is calibrated.
    calibrate(runners[0], effort);
    for (Runner &runner : runners) runner.passes = runners[0].passes;
    TwoThreads row = {name_of(cell.what), cell.isa, cell.stream / 2, lanes_of(cell), 0, 0, 0};
    for (int tries = 0; tries < 8; tries++) {
        race(runners, effort);
        row.one = runners[0].seconds;
        row.two = runners[1].seconds;
        row.of_roofline = runners[2].seconds / runners[3].seconds;
        if (speedup_of(row) >= least_credible && speedup_of(row) <= most_credible) break;
        for (Runner &runner : runners) runner.spent = 0;
    }
    return row;
}

} // namespace

std::vector<TwoThreads> two_threads(Memory &memory, Scope scope, const Effort &effort, std::string &error) {
    std::vector<TwoThreads> rows;
    const std::vector<int> allowed = cores();
    if (allowed.size() < 2) return rows;
    Helper helper(allowed[1]);
    keep_to(allowed[0]); // nothing else is measured after this
    const bool tiny = scope == Scope::tiny;
    Effort longer = effort;
    if (!tiny) {
        longer.sample = 1e-3; // so that passing work to the other thread, about a microsecond, does not count
        longer.budget = 150e-3;
    }
    for (const bench_what &what : whats(error)) {
        const size_t bytes = cell_sizes[tiny ? 0 : 2];
        const Cell cell = {what, isas().front(), 2 * bytes, Place::aligned, Data::plain};
        (void)pto_isa_use(cell.isa);
        const Halves halves(helper, memory, cell);
        if (!halves.same()) {
            error = name_of(what) + ": two threads' result differs from one's";
            return {};
        }
        rows.push_back(measured(halves, cell, longer));
    }
    return rows;
}

} // namespace bench
