// SPDX-License-Identifier: MIT
//
// Two threads, each on its half of the data, against one on the whole.
#include "measure/blocks.h"
#include "measure/cells.h"
#include "measure/extras.h"
#include "measure/subject.h"

#include <algorithm>
#include <atomic>
#include <thread>

#if defined(__linux__)
#    include <pthread.h>
#    include <sched.h>
#endif

namespace bench {

namespace {

/// The cores that the process may use.
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

/// Keep this thread to one core. Two spinning threads that begin on one core might stay there as long as
/// somebody else is busy on the other.
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

/// A second thread that waits, spinning, for its share; starting one costs more than the work.
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
    std::thread thread_; // the last member: it uses the others

    void serve() {
        while (!stop_) {
            const auto *work = work_.load(std::memory_order_acquire);
            if (work == nullptr) continue;
            (*work)();
            work_.store(nullptr, std::memory_order_release);
        }
    }
};

/// As MXFP8.
bench_what quantization() {
    pto_block_op op = {};
    op.elem = PTO_E4M3;
    op.wide = PTO_F32;
    op.rule = PTO_MX_RCEIL;
    op.round = PTO_RN;
    op.block_rows = 1;
    op.block_cols = 32;
    return scaling(BENCH_QUANTIZE, op);
}

/// The second half of these arguments, by pto_split(); n is a multiple of two blocks, or else of 128.
bench_args second_half(const bench_args &args, const Cell &cell) {
    bench_args half = args;
    size_t begin = 0, n = 0;
    (void)pto_split(args.n, 2, 1, &begin, &n);
    const auto skip = [](const void *p, size_t bytes) {
        return static_cast<const unsigned char *>(p) + bytes;
    };
    const size_t operand = begin * pto_dtype_bits(cell.what.type) / 8;
    half.n = n;
    half.a = skip(args.a, operand);
    half.b = skip(args.b, operand);
    half.m = skip(args.m, begin / 8);
    half.dst = static_cast<unsigned char *>(args.dst) + result_bytes(cell.what, args.n) / 2;
    half.dst2 = static_cast<unsigned char *>(args.dst2) + result2_bytes(cell.what, args.n) / 2;
    return half;
}

double speedup(Helper &helper, Memory &memory, const Cell &cell, const Effort &effort) {
    memory.fill(cell, Data::plain);
    bench_args whole = memory.args(cell, Data::plain);
    whole.what = &cell.what;
    bench_args first = whole;
    const bench_args second = second_half(whole, cell);
    first.n = whole.n / 2;
    bench_fn *fn = subject(cell.what);
    std::vector<Runner> runners;
    runners.push_back({"one", [&](size_t passes) { fn(&whole, passes); }});
    runners.push_back({"two", [&](size_t passes) {
                           const std::function<void()> share = [&] { fn(&second, passes); };
                           helper.start(&share);
                           fn(&first, passes);
                           helper.wait();
                       }});
    // The second thread may have to wait for a core at first: the passes come from the first alone.
    // Handing over takes about a microsecond: longer turns than elsewhere make it small.
    calibrate(runners[0], effort);
    runners[0].passes *= 16;
    runners[1].passes = runners[0].passes;
    race(runners, effort);
    return runners[0].seconds / runners[1].seconds;
}

} // namespace

std::vector<TwoThreads> two_threads(Memory &memory, Scope scope, const Effort &effort) {
    std::vector<TwoThreads> rows;
    const std::vector<int> allowed = cores();
    if (allowed.size() < 2) return rows;
    Helper helper(allowed[1]);
    keep_to(allowed[0]); // nothing else is measured after this
    const size_t kib = 1024;
    const bench_what some[] = {compare(BENCH_VCMP, {PTO_F32, PTO_LT}), select(BENCH_VSEL, PTO_F32),
                               extreme(BENCH_VMAX, PTO_F32), convert(conversion(PTO_F16, PTO_F32, PTO_RN)),
                               quantization()};
    for (const bench_what &what : some) {
        for (const size_t bytes : {256 * kib, 4096 * kib}) {
            if (scope != Scope::full && bytes != 256 * kib) continue;
            const Cell cell = {what, Goal::none, isas().front(), 2 * bytes, Place::aligned, Data::plain};
            (void)pto_isa_use(cell.isa);
            Effort longer = effort;
            longer.sample = 200e-6; // the meeting at the end must not count
            longer.budget = 300e-3; // on a machine that is not idle two free cores at once are rare
            rows.push_back({name_of(what), cell.isa, bytes, speedup(helper, memory, cell, longer)});
        }
    }
    return rows;
}

} // namespace bench
