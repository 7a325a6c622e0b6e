// SPDX-License-Identifier: MIT
#include "judge/goals.h"

#include "measure/subject.h"

#include <algorithm>
#include <array>

namespace bench {

namespace {

// Everything that Highway has, whatever the goal.
const Row against_highway[] = {
    {"every cell that Highway has (x Highway)", PTO_ISA_AVX512, Goal::none, all_of(To::highway, 0.97)},
    {"AVX2: every cell that Highway has (x Highway)", PTO_ISA_AVX2, Goal::none, all_of(To::highway, 0.97)},
};

std::optional<double> value_of(const Result &result, To to) {
    switch (to) {
    case To::roofline: return against(result, result.roofline);
    case To::highway: return against(result, result.highway);
    case To::two_calls: return against(result, result.two_calls);
    case To::clean: return against(result, result.clean);
    case To::gigalanes: break;
    }
    return static_cast<double>(lanes_of(result.cell)) / result.seconds * 1e-9;
}

struct Short {
    std::string name;
    double value, least;
    const char *unit;
};

const char *unit_of(To to, Goal goal) {
    switch (to) {
    case To::roofline: return goal >= Goal::select && goal != Goal::none ? "C" : "R";
    case To::highway: return "x Highway";
    case To::two_calls: return "x two calls";
    case To::clean: return "x clean";
    case To::gigalanes: break;
    }
    return "Gelem/s";
}

/// Counts what is printed.
class Table {
  public:
    explicit Table(std::FILE *out) : out_(out) {}

    void row(const Row &row, const std::vector<Result> &results, bool any_goal) {
        if (!pto_isa_available(row.isa)) return;
        std::fprintf(out_, "| %-46s |", row.title);
        for (size_t c = 0; c < columns; c++)
            std::fprintf(out_, " %-27s |", field(row, c, results, any_goal).c_str());
        std::fprintf(out_, "\n");
    }

    /// A goal of its own: nanoseconds are to be below, ratios above.
    void line(const std::string &title, double value, double bound, bool below, const char *unit) {
        const bool reached = below ? value <= bound : value >= bound;
        cells_++;
        if (!reached) shorts_.push_back({title, value, bound, unit});
        std::fprintf(out_, "| %-46s | %s: %.2f %s, goal %.2f\n", title.c_str(), reached ? "reached" : "short",
                     value, unit, bound);
    }

    void summary() const {
        const size_t missed = shorts_.size();
        std::fprintf(out_, "\n%zu of %zu single cells reached their goal; short:\n", cells_ - missed, cells_);
        for (const Short &s : shorts_)
            std::fprintf(out_, "  %-44s %6.2f of %.2f %s\n", s.name.c_str(), s.value, s.least, s.unit);
    }

  private:
    std::FILE *out_;
    size_t cells_ = 0;
    std::vector<Short> shorts_;

    /// "short: 0.88 of 0.93 (3/40)": the worst ratio, and how many of the cells are below the goal.
    std::string field(const Row &row, size_t column, const std::vector<Result> &results, bool any_goal) {
        const Need need = row.needs[column];
        if (need.least <= 0) return "";
        size_t here = 0, missed = 0;
        double worst = 0;
        for (const Result &result : results) {
            const Cell &cell = result.cell;
            if (cell.isa != row.isa || cell.stream != cell_sizes[column] || !result.error.empty()) continue;
            if (!any_goal && cell.goal != row.goal) continue;
            const auto value = value_of(result, need.to);
            if (!value) continue;
            worst = here++ > 0 ? std::min(worst, *value) : *value;
            if (*value >= need.least) continue;
            missed++;
            shorts_.push_back({result.name, *value, need.least, unit_of(need.to, cell.goal)});
        }
        if (here == 0) return "-";
        cells_ += here;
        char text[64];
        std::snprintf(text, sizeof text, "%s: %.2f of %.2f (%zu/%zu)", missed > 0 ? "short" : "reached",
                      worst, need.least, missed, here);
        return text;
    }
};

/// Of each call that two others could stand for, the length at which it does worst against them.
void short_lines(Table &table, const std::vector<ShortCall> &calls) {
    for (size_t i = 0; i < calls.size();) {
        const ShortCall &first = calls[i];
        const ShortCall *worst = nullptr;
        const auto ratio = [](const ShortCall &call) { return call.two_calls.seconds * 1e9 / call.checked; };
        for (; i < calls.size() && calls[i].name == first.name && calls[i].isa == first.isa; i++) {
            if (calls[i].two_calls.kind != Time::Kind::measured) continue;
            if (worst == nullptr || ratio(calls[i]) < ratio(*worst)) worst = &calls[i];
        }
        if (worst == nullptr) continue;
        table.line(first.name + ", " + pto_isa_name(first.isa) +
                       ", worst, lanes: " + std::to_string(worst->n),
                   ratio(*worst), 0.97, false, "x two calls");
    }
}

void extras_lines(Table &table, const Extras &extras) {
    for (const ShortCall &call : extras.calls) {
        if (call.isa != isas().front() || call.name != "vcmp.lt.f32" || (call.n != 1 && call.n != 64))
            continue;
        const std::string title = call.name + ", lanes: " + std::to_string(call.n);
        table.line(title + ", checked", call.checked, call.n == 1 ? 8 : 10, true, "ns");
        table.line(title + ", plan", call.plan, call.n == 1 ? 4 : 5, true, "ns");
    }
    short_lines(table, extras.calls);
    for (const TwoThreads &threads : extras.threads)
        table.line(threads.name + ", two cores", threads.speedup(), two_threads_goal, false, "x one");
}

} // namespace

void print_goals(std::FILE *out, const std::vector<Result> &results, const Extras &extras) {
    Table table(out);
    std::fprintf(out,
                 "\nGoals: the worst ratio of the row's cells, and how many of them are below the goal\n\n");
    std::fprintf(out, "| %-46s |", "cell");
    for (const size_t size : cell_sizes) std::fprintf(out, " %-27s |", size_name(size).c_str());
    std::fprintf(out, "\n| --- | --- | --- | --- | --- |\n");
    for (const Row &row : goal_rows) table.row(row, results, false);
    for (const Row &row : against_highway) table.row(row, results, true);
    extras_lines(table, extras);
    table.summary();
}

} // namespace bench
