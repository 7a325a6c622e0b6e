// SPDX-License-Identifier: MIT
//
// Compares the results with their goals and prints the table of goals.
#include "judge/goals.h"

#include "judge/machine.h"
#include "measure/subject.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bench {

namespace {

// Rows for all cells that Highway also has, regardless of their goal.
const Row against_highway[] = {
    {"every cell that Highway has (x Highway)", Question::highway, PTO_ISA_AVX512, Goal::none,
     all_of(To::highway, 0.97)},
    {"AVX2: every cell that Highway has (x Highway)", Question::avx2, PTO_ISA_AVX2, Goal::none,
     all_of(To::highway, 0.97)},
};

/// Titles in the order of enum Question.
constexpr std::array<const char *, questions> question_titles = {
    "Compare into bits: vcmp, vcmps",
    "The same of f16 and bf16",
    "To bytes, to images, with a seed; setp",
    "Select: vsel, vselr, vsels, vcmpsel",
    "Max, min, clamp, ReLU",
    "Convert f32 and f16, bf16, s32, f64",
    "Convert 8 bits and fewer; vcvt, vtrc",
    "Quantize: MXFP8, MXFP4, NVFP4, FP8",
    "Dequantize",
    "Programs, rows, random bits, mask_copy",
    "No slower on NaNs, subnormals, zeros",
    "No slower than Highway",
    "AVX2, all of the above",
    "Short calls: vcmp; vcmpsel x two calls",
    "Two cores, each operation",
};

std::optional<double> value_of(const Result &result, To to) {
    switch (to) {
    case To::roofline:
    case To::beside_masks: return against(result, result.roofline);
    case To::highway: return against(result, result.highway);
    case To::two_calls: return against(result, result.two_calls);
    case To::clean: return against(result, result.clean);
    case To::gigalanes: break;
    }
    return static_cast<double>(lanes_of(result.cell)) / result.seconds * 1e-9;
}

/// Returns the value that the cell must reach.
double bound_of(const Cell &cell, Need need) {
    if (need.to != To::beside_masks) return need.least;
    const size_t lanes = lanes_of(cell);
    const bool reads_mask = cell.what.seed || cell.what.operation == BENCH_SETP;
    const double sources = static_cast<double>(cell.stream * operation_of(cell.what).reads);
    const double masks =
        static_cast<double>(2 * (result_bytes(cell.what, lanes) + result2_bytes(cell.what, lanes)) +
                            (reads_mask ? pto_mask_bytes(PTO_MASK_PACKED, lanes) : 0));
    return need.least * sources / (sources + masks);
}

const char *unit_of(To to, Goal goal) {
    switch (to) {
    case To::roofline:
    case To::beside_masks: return goal >= Goal::select && goal != Goal::none ? "C" : "R";
    case To::highway: return "x Highway";
    case To::two_calls: return "x two calls";
    case To::clean: return "x clean";
    case To::gigalanes: break;
    }
    return "G/s";
}

/// A measured value and its goal. The goal is a lower bound, or an upper bound if `below` is true (nanoseconds).
struct Figure {
    std::string name;
    double value, bound;
    const char *unit;
    bool below = false;
};

/// Returns the value relative to its goal; below 1, the goal is missed.
double margin_of(const Figure &figure) {
    return figure.below ? figure.bound / figure.value : figure.value / figure.bound;
}

bool reached(const Figure &figure) {
    return margin_of(figure) >= 1;
}

/// Returns a text such as "0.88 of 0.93 R", with a third digit if both numbers would look equal with two.
std::string text_of(const Figure &figure) {
    const int digits = !reached(figure) && std::abs(figure.value - figure.bound) < 0.01 ? 3 : 2;
    char word[64];
    std::snprintf(word, sizeof word, "%.*f of %.*f %s", digits, figure.value, digits, figure.bound,
                  figure.unit);
    return word;
}

/// Accumulates figures: their count, the worst one, and how many miss their goal.
class Tally {
  public:
    void add(const Figure &figure) {
        if (here_++ == 0 || margin_of(figure) < margin_of(worst_)) worst_ = figure;
        if (!reached(figure)) missed_++;
    }

    /// Returns a text such as "short: 0.88 of 0.93 R (3/40)": the worst figure, and how many of all miss their goal.
    std::string text() const {
        if (here_ == 0) return "";
        return (missed_ > 0 ? "short: " : "reached: ") + text_of(worst_) + " (" + std::to_string(missed_) +
               "/" + std::to_string(here_) + ")";
    }

    bool empty() const { return here_ == 0; }

  private:
    size_t here_ = 0, missed_ = 0;
    Figure worst_{};
};

using Line = std::array<Tally, columns>;

/// Collects figures row by row, and prints the table with all rows (`whole`) or with one line for each question.
class Table {
  public:
    Table(std::FILE *out, bool whole) : out_(out), whole_(whole) {}

    void row(const Row &row, const std::vector<Result> &results, bool any_goal) {
        if (!pto_isa_available(row.isa)) return;
        const Needs &needs = row.bounds.of(machine());
        Line line;
        for (size_t c = 0; c < columns; c++) {
            if (needs[c].least <= 0) continue;
            for (const Result &result : results)
                if (result.cell.isa == row.isa && (any_goal || result.cell.goal == row.goal))
                    take(line[c], row.question, result, c, needs[c]);
        }
        if (whole_) print(row.title, line);
    }

    /// Adds a figure that does not come from a cell.
    void take(Question question, const Figure &figure) { enter(question, 0, figure); }

    void print_header() const {
        std::fprintf(out_, "| %-46s |", whole_ ? "cells" : "what is asked");
        for (const size_t size : cell_sizes) std::fprintf(out_, " %-36s |", size_name(size).c_str());
        std::fprintf(out_, "\n| --- | --- | --- | --- | --- |\n");
    }

    /// Prints a line for each question. If the rows were already printed (`whole`), prints only questions without rows.
    void print_questions() const {
        for (size_t q = whole_ ? static_cast<size_t>(Question::short_calls) : 0; q < questions; q++)
            print(question_titles[q], asked_[q]);
    }

    void print_shorts() const {
        std::fprintf(out_, "\n%zu of %zu single cells reached their goal; short:\n", cells_ - shorts_.size(),
                     cells_);
        for (const Figure &s : shorts_)
            std::fprintf(out_, "  %-48s %s\n", s.name.c_str(), text_of(s).c_str());
    }

  private:
    std::FILE *out_;
    bool whole_;
    size_t cells_ = 0;
    std::array<Line, questions> asked_;
    std::vector<Figure> shorts_;

    void take(Tally &tally, Question question, const Result &result, size_t column, Need need) {
        const Cell &cell = result.cell;
        if (cell.stream != cell_sizes[column] || !result.error.empty()) return;
        const auto value = value_of(result, need.to);
        if (!value) return;
        const Figure figure = {result.name, *value, bound_of(cell, need), unit_of(need.to, cell.goal)};
        tally.add(figure);
        enter(question, column, figure);
    }

    void enter(Question question, size_t column, const Figure &figure) {
        asked_[static_cast<size_t>(question)][column].add(figure);
        cells_++;
        if (!reached(figure)) shorts_.push_back(figure);
    }

    void print(const char *title, const Line &line) const {
        if (std::all_of(line.begin(), line.end(), [](const Tally &tally) { return tally.empty(); })) return;
        std::fprintf(out_, "| %-46s |", title);
        for (const Tally &tally : line) std::fprintf(out_, " %-36s |", tally.text().c_str());
        std::fprintf(out_, "\n");
    }
};

/// Adds a figure for each call that has an equivalent of two other calls: its worst ratio to them over all lengths.
void against_two_calls(Table &table, const std::vector<ShortCall> &calls) {
    for (size_t i = 0; i < calls.size();) {
        const ShortCall &first = calls[i];
        const ShortCall *worst = nullptr;
        const auto ratio = [](const ShortCall &call) { return call.two_calls.seconds * 1e9 / call.checked; };
        for (; i < calls.size() && calls[i].name == first.name && calls[i].isa == first.isa; i++) {
            if (calls[i].two_calls.kind != Time::Kind::measured) continue;
            if (worst == nullptr || ratio(calls[i]) < ratio(*worst)) worst = &calls[i];
        }
        if (worst == nullptr) continue;
        const std::string name =
            first.name + ", " + pto_isa_name(first.isa) + ", worst, lanes: " + std::to_string(worst->n);
        table.take(Question::short_calls, {name, ratio(*worst), 0.97, "x two calls"});
    }
}

void extras_figures(Table &table, const Extras &extras) {
    for (const ShortCall &call : extras.calls) {
        if (call.isa != isas().front() || call.name != "vcmp.lt.f32" || (call.n != 1 && call.n != 64))
            continue;
        const std::string title = call.name + ", lanes: " + std::to_string(call.n);
        const double checked = call.n == 1 ? 8 : 10, plan = call.n == 1 ? 4 : 5;
        table.take(Question::short_calls, {title + ", checked", call.checked, checked, "ns", true});
        table.take(Question::short_calls, {title + ", plan", call.plan.seconds * 1e9, plan, "ns", true});
    }
    against_two_calls(table, extras.calls);
    for (const TwoThreads &threads : extras.threads)
        table.take(Question::two_cores,
                   {threads.name + ", two cores", speedup_of(threads), two_threads_goal, "x one core"});
}

} // namespace

void print_goals(std::FILE *out, const std::vector<Result> &results, const Extras &extras, bool whole) {
    std::fprintf(out, "\nGoals of %s\n", describe_machine().c_str());
    std::fprintf(
        out, "The worst of a line's cells, and how many of them are short. R, C: share of the roofline\n\n");
    Table table(out, whole);
    table.print_header();
    for (const Row &row : goal_rows) table.row(row, results, false);
    for (const Row &row : against_highway) table.row(row, results, true);
    extras_figures(table, extras);
    table.print_questions();
    table.print_shorts();
}

} // namespace bench
