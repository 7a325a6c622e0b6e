// SPDX-License-Identifier: MIT
/// @file report.h  Google Benchmark's reporter for the table, and the machine that it was measured on.
#ifndef PTO_BENCH_REPORT_H
#define PTO_BENCH_REPORT_H

#include "measure/extras.h"

#include <benchmark/benchmark.h>

#include <cstdio>

namespace bench {

/// Compiler, CPU, versions: what a figure means nothing without. Also into Google Benchmark's JSON.
void add_context();

/// One line for each cell as it comes.
class TableReporter : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context &context) override;
    void ReportRuns(const std::vector<Run> &runs) override;
};

/// The figures of a cell as Google Benchmark's counters; what a peer lacks is not among them.
void set_counters(benchmark::State &state, const Result &result);

void print_extras(std::FILE *out, const Extras &extras);

/// As JSON, beside Google Benchmark's, whose form has no place for them.
bool write_extras(const char *path, const Extras &extras);

} // namespace bench

#endif
