// SPDX-License-Identifier: MIT
/// @file report.h  Prints results: a reporter for Google Benchmark, the machine's description, and the extras.
#ifndef PTO_BENCH_REPORT_H
#define PTO_BENCH_REPORT_H

#include "measure/extras.h"

#include <benchmark/benchmark.h>

#include <cstdio>

namespace bench {

/// Adds the compiler, the CPU and versions to the context that Google Benchmark writes to its JSON.
void add_context();

/// Prints one line for each cell, as soon as it is measured.
class TableReporter : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context &context) override;
    void ReportRuns(const std::vector<Run> &runs) override;
};

/// Stores the results of a cell as Google Benchmark's counters. Operations that a peer lacks have no counter.
void set_counters(benchmark::State &state, const Result &result);

void print_extras(std::FILE *out, const Extras &extras);

/// Writes the extras to a JSON file of their own, because Google Benchmark's JSON has no place for them.
bool write_extras(const char *path, const Extras &extras);

} // namespace bench

#endif
