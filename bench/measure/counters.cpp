// SPDX-License-Identifier: MIT
//
// Counts cycles and instructions with perf_event_open, or instructions with ptrace.
#include "measure/counters.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

#if defined(__linux__)
#    include <linux/perf_event.h>
#    include <sys/ioctl.h>
#    include <sys/ptrace.h>
#    include <sys/syscall.h>
#    include <sys/wait.h>
#    include <unistd.h>
#endif

namespace bench {

#if defined(__linux__)

namespace {

constexpr double step_limit = 16384; // most lanes for single steps, each of which takes some microseconds

int open_counter(uint64_t config, int group) {
    perf_event_attr attr = {};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = config;
    attr.disabled = group < 0;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.read_format = PERF_FORMAT_GROUP;
    return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, group, 0UL));
}

/// Counters of both events for this thread, in one group so that they cover the same instructions.
class Counters {
  public:
    Counters() : cycles_(open_counter(PERF_COUNT_HW_CPU_CYCLES, -1)), error_(errno) {
        if (cycles_ >= 0) instructions_ = open_counter(PERF_COUNT_HW_INSTRUCTIONS, cycles_);
    }
    ~Counters() {
        if (instructions_ >= 0) close(instructions_);
        if (cycles_ >= 0) close(cycles_);
    }
    Counters(const Counters &) = delete;
    Counters &operator=(const Counters &) = delete;

    bool open() const { return cycles_ >= 0 && instructions_ >= 0; }
    const char *why_not() const { return std::strerror(error_); }

    Counts count(const std::function<void(size_t)> &run, size_t passes, double lanes) const {
        std::array<uint64_t, 3> read_out = {}; // the number of events, then the value of each
        ioctl(cycles_, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
        ioctl(cycles_, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
        run(passes);
        ioctl(cycles_, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
        if (read(cycles_, read_out.data(), sizeof read_out) != static_cast<ssize_t>(sizeof read_out))
            return {};
        const double each = lanes * static_cast<double>(passes);
        return {static_cast<double>(read_out[1]) / each, static_cast<double>(read_out[2]) / each};
    }

  private:
    int cycles_, error_, instructions_ = -1;
};

const Counters &counters() {
    static const Counters instance;
    return instance;
}

/// Counts the instructions of run() in a child process. The child stops itself before and after run(), and the parent
/// single-steps from one stop to the other.
std::optional<double> stepped(const std::function<void()> &run) {
    const pid_t child = fork();
    if (child < 0) return std::nullopt;
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        run();
        raise(SIGSTOP);
        _exit(0);
    }
    int status = 0;
    double steps = 0;
    bool whole = waitpid(child, &status, 0) == child && WIFSTOPPED(status);
    while (whole) {
        whole = ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0 &&
                waitpid(child, &status, 0) == child && WIFSTOPPED(status);
        if (whole && WSTOPSIG(status) == SIGSTOP) break;
        steps++;
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return whole ? std::optional<double>(steps) : std::nullopt;
}

} // namespace

std::string counters_description() {
    if (counters().open()) return "cycles and instructions from the CPU's counters";
    return std::string("CPU counters unavailable (perf_event_open: ") + counters().why_not() +
           "); instructions counted by single steps, for 8 KiB cells; cycles unknown";
}

Counts count(const std::function<void(size_t)> &run, size_t passes, double lanes) {
    if (counters().open()) return counters().count(run, passes, lanes);
    if (lanes > step_limit) return {};
    const auto around = stepped([] {});
    const auto all = stepped([&] { run(1); });
    if (!around || !all) return {};
    return {std::nullopt, (*all - *around) / lanes};
}

#else

std::string counters_description() {
    return "CPU counters unavailable on this system";
}

Counts count(const std::function<void(size_t)> &, size_t, double) {
    return {};
}

#endif

} // namespace bench
