// SPDX-License-Identifier: MIT
#include "judge/goals.h"

#include "measure/subject.h"

#include <algorithm>
#include <array>

namespace bench {

namespace {

constexpr size_t columns = cell_sizes.size();

/// What a ratio is taken to; gigalanes are a figure a second, for want of that peer.
enum class To { roofline, highway, two_calls, clean, gigalanes };

struct Need {
    To to;
    double least; ///< 0: nothing is asked for
};

struct Row {
    const char *title;
    pto_isa isa;
    Goal goal;
    std::array<Need, columns> needs;
};

constexpr std::array<Need, columns> reads(double a, double b, double c) {
    return {{{To::roofline, a}, {To::roofline, b}, {To::roofline, b}, {To::roofline, c}}};
}

constexpr std::array<Need, columns> writes_past_cache(double a, double b, To to, double c) {
    return {{{To::roofline, a}, {To::roofline, b}, {To::roofline, b}, {to, c}}};
}

constexpr std::array<Need, columns> all_of(To to, double least) {
    return {{{to, least}, {to, least}, {to, least}, {to, least}}};
}

constexpr Need nothing = {To::roofline, 0};

// R: the read roofline, C: the copy roofline of the same traffic.
const Row rows[] = {
    {"vcmp, vcmps to packed (R)", PTO_ISA_AVX512, Goal::compare, reads(0.93, 0.95, 0.98)},
    {"the same with ftz, f32 (R)", PTO_ISA_AVX512, Goal::compare_ftz, reads(0.85, 0.95, 0.98)},
    {"f16, bf16, with or without ftz (R)", PTO_ISA_AVX512, Goal::compare_half, reads(0.50, 0.85, 0.98)},
    {"f16, bf16 (x Highway)",
     PTO_ISA_AVX512,
     Goal::compare_half,
     {{{To::highway, 1.5}, nothing, nothing, nothing}}},
    {"setp with BoolOp, p and q (R)", PTO_ISA_AVX512, Goal::setp, reads(0.80, 0.93, 0.98)},
    {"to bytes, to Bxx; with a seed (R)", PTO_ISA_AVX512, Goal::to_bytes, reads(0.75, 0.85, 0.95)},
    {"vsel, vselr from packed (C; 64 MiB x Highway)", PTO_ISA_AVX512, Goal::select,
     writes_past_cache(0.95, 0.95, To::highway, 1.20)},
    {"vcmpsel (C; 64 MiB x vcmp then vsel)", PTO_ISA_AVX512, Goal::choose,
     writes_past_cache(0.85, 0.95, To::two_calls, 1.20)},
    {"cvt f32-f16/bf16/s32, f64-f32 (C)", PTO_ISA_AVX512, Goal::convert, reads(0.85, 0.95, 0.98)},
    {"cvt f32 -> small (Gelem/s; 64 MiB C)",
     PTO_ISA_AVX512,
     Goal::to_small,
     {{{To::gigalanes, 7}, {To::gigalanes, 7}, {To::gigalanes, 7}, {To::roofline, 0.80}}}},
    {"cvt small -> f16, f32 (C)", PTO_ISA_AVX512, Goal::from_small, reads(0.60, 0.85, 0.98)},
    {"subnormal or NaN-laden (x clean)", PTO_ISA_AVX512, Goal::laden, all_of(To::clean, 0.98)},
    {"AVX2: vcmp, vcmps to packed (R)", PTO_ISA_AVX2, Goal::compare, reads(0.70, 0.93, 0.93)},
    {"AVX2: vsel, vselr from packed (C)", PTO_ISA_AVX2, Goal::select, reads(0.80, 0.93, 0.93)},
};

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

void extras_lines(Table &table, const Extras &extras) {
    for (const ShortCall &call : extras.calls) {
        if (call.isa != isas().front() || call.name != "vcmp.lt.f32" || (call.n != 1 && call.n != 64))
            continue;
        const std::string title = call.name + ", lanes: " + std::to_string(call.n);
        table.line(title + ", checked", call.checked, call.n == 1 ? 8 : 10, true, "ns");
        table.line(title + ", plan", call.plan, call.n == 1 ? 4 : 5, true, "ns");
    }
    for (const TwoThreads &threads : extras.threads)
        if (threads.bytes == cell_sizes[1])
            table.line(threads.name + ", two threads", threads.speedup, 1.9, false, "x one");
}

} // namespace

void print_goals(std::FILE *out, const std::vector<Result> &results, const Extras &extras) {
    Table table(out);
    std::fprintf(out,
                 "\nGoals: the worst ratio of the row's cells, and how many of them are below the goal\n\n");
    std::fprintf(out, "| %-46s |", "cell");
    for (const size_t size : cell_sizes) std::fprintf(out, " %-27s |", size_name(size).c_str());
    std::fprintf(out, "\n| --- | --- | --- | --- | --- |\n");
    for (const Row &row : rows) table.row(row, results, false);
    for (const Row &row : against_highway) table.row(row, results, true);
    extras_lines(table, extras);
    table.summary();
}

} // namespace bench
