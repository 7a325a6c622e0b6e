// SPDX-License-Identifier: MIT
//
// The benchmark program. docs/bench/README.md describes what it measures and how; usage() lists its options.
#include "judge/report.h"
#include "measure/forms.h"
#include "measure/subject.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace bench {

namespace {

void usage() {
    std::puts("pto_bench [--quick] [--forms] [--counters] [--json=FILE] [--extras=FILE] "
              "[--benchmark_filter=REGEX]\n"
              "  --quick     fewer cells: one operator for each kernel, and one type for similar ones\n"
              "  --forms     every form of a conversion, by itself: the slowest and fastest of each pair\n"
              "  --counters  cycles and instructions per lane\n"
              "  --tiny      verify the smallest cells and run each once: for the tests\n"
              "  --json, --extras    the cells, and short calls and threads, as JSON\n"
              "Google Benchmark's own options work too, such as --benchmark_list_tests.");
}

struct Options {
    Scope scope = Scope::full;
    bool forms = false;
    std::string json, extras;
    Effort effort;
};

bool starts(const char *text, const char *prefix, std::string &rest) {
    const size_t length = std::strlen(prefix);
    if (std::strncmp(text, prefix, length) != 0) return false;
    rest = text + length;
    return true;
}

/// Parses the options of this program and removes them from `arguments`. The rest is for Google Benchmark.
Options take_options(std::vector<char *> &arguments) {
    Options options;
    std::vector<char *> left;
    for (char *argument : arguments) {
        const std::string word = argument;
        if (word == "--quick") {
            options.scope = Scope::quick;
        } else if (word == "--forms") {
            options.forms = true;
        } else if (word == "--tiny") {
            options.scope = Scope::tiny;
        } else if (word == "--counters") {
            options.effort.counters = true;
        } else if (!starts(argument, "--json=", options.json) &&
                   !starts(argument, "--extras=", options.extras)) {
            left.push_back(argument);
        }
    }
    arguments = left;
    return options;
}

/// Returns the time to spend on a cell. A pass over 64 MiB takes milliseconds, so only a few rounds fit its budget.
Effort effort_for(const Options &options, const Cell &cell) {
    Effort effort = options.effort;
    const bool large = cell.stream > size_t{4} << 20;
    if (options.scope == Scope::tiny) {
        effort.sample = effort.budget = 0;
        effort.rounds = 1;
    } else if (options.scope == Scope::quick) {
        effort.budget = large ? 80e-3 : 25e-3;
        effort.scalar = false;
    } else {
        effort.budget = large ? 250e-3 : 80e-3;
    }
    return effort;
}

void run_registered(benchmark::State &state, Memory &memory, const Options &options, const Cell &cell,
                    std::vector<Result> &results) {
    Result result = run_cell(memory, cell, effort_for(options, cell));
    if (!result.error.empty()) state.SkipWithError(result.error.c_str());
    while (state.KeepRunning()) state.SetIterationTime(result.seconds);
    if (result.error.empty()) set_counters(state, result);
    results.push_back(std::move(result));
}

void register_cell(Memory &memory, const Options &options, const Cell &cell, std::vector<Result> &results) {
    const auto measure = [&, cell](benchmark::State &state) {
        run_registered(state, memory, options, cell, results);
    };
#ifdef __clang_analyzer__ // it reports the object that Google Benchmark keeps as leaked
    (void)measure;
#else
    benchmark::RegisterBenchmark(name_of(cell).c_str(), measure)->UseManualTime()->Iterations(1);
#endif
}

Extras measure_extras(Memory &memory, const Options &options) {
    Extras extras;
    Effort effort = options.effort;
    if (options.scope == Scope::tiny) {
        effort.sample = effort.budget = 0;
        effort.rounds = 1;
    }
    extras.calls = short_calls(memory, options.scope, effort, extras.error);
    if (extras.error.empty()) extras.threads = two_threads(memory, options.scope, effort, extras.error);
    return extras;
}

int run(const Options &options) {
    if (isas().empty()) {
        std::puts("pto_bench: this CPU has none of the instruction sets that are measured");
        return 77;
    }
    Memory memory;
    if (options.forms) return sweep_forms(memory, options.scope) ? 0 : 1;
    std::vector<Result> results;
    for (const Cell &cell : cells_of(options.scope)) register_cell(memory, options, cell, results);
    add_context();
    TableReporter reporter;
    if (benchmark::RunSpecifiedBenchmarks(&reporter) == 0) return 1;
    if (results.empty()) return 0; // only listed

    const Extras extras = measure_extras(memory, options);
    print_extras(stdout, extras);
    int status = extras.error.empty() ? 0 : 1;
    if (status != 0) std::printf("%s\n", extras.error.c_str());
    for (const Result &result : results) {
        if (result.error.empty()) continue;
        std::printf("%s: %s\n", result.name.c_str(), result.error.c_str());
        status = 1;
    }
    if (options.scope == Scope::tiny && !sweep_forms(memory, options.scope)) status = 1;
    if (!options.extras.empty() && !write_extras(options.extras.c_str(), extras)) status = 1;
    return status;
}

} // namespace

} // namespace bench

int main(int argc, char **argv) {
    std::vector<char *> arguments(argv, argv + argc);
    for (const char *argument : arguments)
        if (std::strcmp(argument, "--help") == 0) {
            bench::usage();
            return 0;
        }
    const bench::Options options = bench::take_options(arguments);
    std::string out = "--benchmark_out=" + options.json, format = "--benchmark_out_format=json";
    if (!options.json.empty()) {
        arguments.push_back(out.data());
        arguments.push_back(format.data());
    }
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
    const int status = bench::run(options);
    benchmark::Shutdown();
    return status;
}
