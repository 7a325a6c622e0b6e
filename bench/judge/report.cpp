// SPDX-License-Identifier: MIT
//
// Prints and writes the results of a run.
#include "judge/report.h"

#include <fstream>
#include <map>
#include <string>

namespace bench {

namespace {

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

const char *compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

std::map<std::string, std::string> context() {
    return {{"cpu", cpu_model()},
            {"compiler", compiler()},
            {"libpto", pto_version()},
            {"highway", PTO_BENCH_HIGHWAY ? PTO_BENCH_HIGHWAY_VERSION : "not there"},
            {"counters", counters_description()}};
}

using Counters = benchmark::UserCounters;

/// Returns the counter as text: "1.23", "-" if it is absent, or "differs" if the peer's results differ.
std::string counter(const Counters &counters, const char *name, int digits) {
    const auto found = counters.find(name);
    if (found == counters.end()) return "-";
    if (found->second.value < 0) return "differs";
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, found->second.value);
    return text;
}

} // namespace

void add_context() {
    for (const auto &[key, value] : context()) benchmark::AddCustomContext(key, value);
}

bool TableReporter::ReportContext(const Context & /*google*/) {
    std::printf("pto_bench: every line verified against scalar, then measured in one interleaved race\n");
    for (const auto &[key, value] : context()) std::printf("  %-9s %s\n", key.c_str(), value.c_str());
    std::printf(
        "  roofline: R, the xor of all inputs (compares), or C, a copy of the same traffic (the others)\n"
        "  x: how often faster than that peer; - where it lacks the operation, differs where its bits are "
        "others\n\n");
    std::printf("%-52s %12s %8s %8s %10s %10s %8s %8s %10s %8s %8s\n", "cell", "ns", "GB/s", "Glane/s",
                "of roofline", "x Highway", "x loop", "x calls", "x scalar", "instr", "cycles");
    return true;
}

void TableReporter::ReportRuns(const std::vector<Run> &runs) {
    for (const Run &run : runs) {
        std::string name = run.benchmark_name();
        name.resize(std::min(name.size(), name.find("/iterations:"))); // Google Benchmark's own additions
        const auto &c = run.counters;
        if (c.empty()) { // an error: Google Benchmark's versions report it differently; run() prints the reason
            std::printf("%-52s no time\n", name.c_str());
            continue;
        }
        std::printf("%-52s %12.1f %8s %8s %10s %10s %8s %8s %10s %8s %8s\n", name.c_str(),
                    run.GetAdjustedRealTime(), counter(c, "GB/s", 1).c_str(),
                    counter(c, "Glane/s", 2).c_str(), counter(c, "of_roofline", 3).c_str(),
                    counter(c, "x_highway", 2).c_str(), counter(c, "x_loop", 2).c_str(),
                    counter(c, "x_two_calls", 2).c_str(), counter(c, "x_scalar", 1).c_str(),
                    counter(c, "instructions_per_lane", 3).c_str(), counter(c, "cycles_per_lane", 3).c_str());
    }
    std::fflush(stdout);
}

void set_counters(benchmark::State &state, const Result &result) {
    const auto set = [&](const char *name, double value) {
        state.counters[name] = benchmark::Counter(value);
    };
    const auto set_ratio = [&](const char *name, const Time &other) {
        if (other.kind == Time::Kind::differs) set(name, -1);
        if (const auto value = against(result, other)) set(name, *value);
    };
    const double lanes = static_cast<double>(lanes_of(result.cell));
    const bench_traffic traffic = traffic_of(result.cell);
    const double bytes = static_cast<double>(traffic.bytes) * (traffic.reads + traffic.writes);
    set("GB/s", bytes / result.seconds * 1e-9);
    set("Glane/s", lanes / result.seconds * 1e-9);
    set("bytes_per_stream", static_cast<double>(result.cell.stream));
    set_ratio("of_roofline", result.roofline);
    set_ratio("x_highway", result.highway);
    set_ratio("x_loop", result.loop);
    set_ratio("x_scalar", result.scalar);
    set_ratio("x_two_calls", result.two_calls);
    set_ratio("x_clean", result.clean);
    if (result.counts.instructions) set("instructions_per_lane", *result.counts.instructions);
    if (result.counts.cycles) set("cycles_per_lane", *result.counts.cycles);
}

namespace {

std::string nanoseconds(const Time &time) {
    if (time.kind == Time::Kind::differs) return "differs";
    if (time.kind == Time::Kind::lacking) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", time.seconds * 1e9);
    return text;
}

/// Returns the time as text, with a mark if it is faster than libpto's plan, or than its call if there is no plan.
std::string marked(const ShortCall &call, const Time &other) {
    const double own = call.plan.kind == Time::Kind::measured ? call.plan.seconds * 1e9 : call.checked;
    const bool is_faster = other.kind == Time::Kind::measured && other.seconds * 1e9 < 0.97 * own;
    return nanoseconds(other) + (is_faster ? " *" : "");
}

void print_threads(std::FILE *out, const std::vector<TwoThreads> &threads) {
    if (threads.empty()) return;
    std::fprintf(out,
                 "\nTwo cores, each with its share by pto_split, against one with all of it: %s a core\n",
                 size_name(threads.front().bytes).c_str());
    std::fprintf(out, "%-34s %8s %14s %14s %8s %12s\n", "call", "isa", "one, Glane/s", "two, Glane/s", "x",
                 "roofline's x");
    for (const TwoThreads &row : threads) {
        const double lanes = static_cast<double>(row.lanes) * 1e-9;
        std::fprintf(out, "%-34s %8s %14.2f %14.2f %8.2f %12.2f\n", row.name.c_str(), pto_isa_name(row.isa),
                     lanes / row.one, lanes / row.two, speedup_of(row), row.of_roofline);
    }
}

} // namespace

void print_extras(std::FILE *out, const Extras &extras) {
    if (!extras.calls.empty()) {
        std::fprintf(out, "\nShort calls, ns a call (*: faster than the plan)\n");
        std::fprintf(out, "%-24s %8s %8s %12s %12s %14s %14s %14s\n", "call", "isa", "lanes", "checked",
                     "plan", "Highway", "loop", "two calls");
    }
    for (const ShortCall &call : extras.calls)
        std::fprintf(out, "%-24s %8s %8zu %12.1f %12s %14s %14s %14s\n", call.name.c_str(),
                     pto_isa_name(call.isa), call.n, call.checked, nanoseconds(call.plan).c_str(),
                     marked(call, call.highway).c_str(), marked(call, call.loop).c_str(),
                     marked(call, call.two_calls).c_str());
    print_threads(out, extras.threads);
}

bool write_extras(const char *path, const Extras &extras) {
    std::FILE *out = std::fopen(path, "w");
    if (out == nullptr) return false;
    const auto time = [&](const char *name, const Time &t) {
        if (t.kind == Time::Kind::measured) std::fprintf(out, ", \"%s\": %.2f", name, t.seconds * 1e9);
    };
    std::fprintf(out, "{\"short_calls\": [");
    const char *comma = "";
    for (const ShortCall &call : extras.calls) {
        std::fprintf(out, "%s\n  {\"call\": \"%s\", \"isa\": \"%s\", \"lanes\": %zu, \"checked\": %.2f",
                     comma, call.name.c_str(), pto_isa_name(call.isa), call.n, call.checked);
        time("plan", call.plan);
        time("highway", call.highway);
        time("loop", call.loop);
        time("two_calls", call.two_calls);
        std::fprintf(out, "}");
        comma = ",";
    }
    std::fprintf(out, "],\n\"two_threads\": [");
    comma = "";
    for (const TwoThreads &row : extras.threads) {
        std::fprintf(out,
                     "%s\n  {\"call\": \"%s\", \"isa\": \"%s\", \"bytes\": %zu, \"one\": %.1f, \"two\": "
                     "%.1f, \"roofline\": %.3f}",
                     comma, row.name.c_str(), pto_isa_name(row.isa), row.bytes, row.one * 1e9, row.two * 1e9,
                     row.of_roofline);
        comma = ",";
    }
    std::fprintf(out, "]}\n");
    return std::fclose(out) == 0;
}

} // namespace bench
