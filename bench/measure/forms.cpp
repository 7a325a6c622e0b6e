// SPDX-License-Identifier: MIT
//
// Measures every form of a conversion. Prints one line for each pair of types with its slowest and fastest form, and
// then the slowest forms of all.
#include "measure/forms.h"

#include "measure/cells.h"
#include "measure/subject.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace bench {

namespace {

constexpr size_t listed = 10;

struct Form {
    bench_what what;
    std::string name;
    std::vector<double> rates; ///< 1e9 elements a second, for each instruction set of isas()
};

/// Returns the PTX text of a conversion. Pairs for which PTX needs two instructions get a text in the same style, with
/// the modifiers of the second instruction, whose source is one of three types.
std::string text_of(const pto_cvt_op &op) {
    char ptx[64];
    if (pto_format_cvt(op, ptx, sizeof ptx) == PTO_OK) return ptx;
    for (const pto_dtype between : {PTO_F16, PTO_BF16, PTO_F32}) {
        pto_cvt_op second = op;
        second.src = between;
        if (pto_format_cvt(second, ptx, sizeof ptx) != PTO_OK) continue;
        const std::string text = ptx;
        const std::string modifiers = text.substr(0, text.rfind('.', text.rfind('.') - 1));
        return modifiers + "." + pto_dtype_name(op.dst) + "." + pto_dtype_name(op.src);
    }
    std::abort();
}

/// Returns a name for a conversion of PTO in PTX's style.
std::string text_of(const pto_vcvt_op &op) {
    return std::string("vcvt.") + "RAFCZO"[op.rnd] + (op.sat ? ".sat." : ".") + pto_dtype_name(op.dst) + "." +
           pto_dtype_name(op.src);
}

/// Returns all forms from the library's lists, first PTX's and then PTO's.
std::vector<Form> all_forms() {
    std::vector<Form> forms;
    for (size_t i = 0; i < pto_cvt_form_count(); i++) {
        pto_cvt_op op;
        if (pto_cvt_form(i, &op) != PTO_OK) std::abort();
        forms.push_back({convert(op), text_of(op), {}});
    }
    for (size_t i = 0; i < pto_vcvt_form_count(); i++) {
        pto_vcvt_op op;
        if (pto_vcvt_form(i, &op) != PTO_OK) std::abort();
        forms.push_back({convert_as_pto(op), text_of(op), {}});
    }
    return forms;
}

bool same_pair(const bench_what &a, const bench_what &b) {
    return a.operation == b.operation && a.cvt.dst == b.cvt.dst && a.cvt.src == b.cvt.src;
}

/// Returns all forms grouped by pair of types and sorted by source type, whose data is used for all destinations.
std::vector<std::vector<Form>> all_pairs() {
    std::vector<Form> forms = all_forms();
    std::stable_sort(forms.begin(), forms.end(),
                     [](const Form &a, const Form &b) { return a.what.cvt.src < b.what.cvt.src; });
    std::vector<std::vector<Form>> pairs;
    for (const Form &form : forms) {
        if (pairs.empty() || !same_pair(pairs.back().front().what, form.what)) pairs.emplace_back();
        pairs.back().push_back(form);
    }
    return pairs;
}

/// Returns the cell of a form. Its data has some NaNs, but none in most vectors. The stream of the mask, two bytes for
/// each lane, has the random bits of .rs or the scales of a scaled form.
Cell cell_of(bench_what what, pto_isa isa, size_t stream) {
    what.mask = PTO_MASK_B16;
    return {what, isa, stream, Place::aligned, Data::mixed};
}

/// Sorts the forms by their rate on an instruction set, the slowest first.
std::vector<Form> by_rate(std::vector<Form> forms, size_t isa) {
    std::sort(forms.begin(), forms.end(),
              [=](const Form &x, const Form &y) { return x.rates[isa] < y.rates[isa]; });
    return forms;
}

class Sweep {
  public:
    Sweep(Memory &memory, Scope scope) : memory_(memory), tiny_(scope == Scope::tiny) {
        effort_.budget = tiny_ ? 0 : 15e-3;
        if (tiny_) effort_.sample = 0;
        effort_.rounds = tiny_ ? 1 : 5;
        effort_.scalar = effort_.peers = false;
    }

    bool run() {
        if (!tiny_) header();
        for (std::vector<Form> &forms : all_pairs()) pair(forms);
        if (!tiny_ && differ_.empty()) slowest();
        return verdict();
    }

  private:
    Memory &memory_;
    bool tiny_;
    Effort effort_;
    std::vector<pto_isa> isas_ = isas();
    std::vector<Form> all_;
    std::vector<std::string> differ_;

    /// Returns the width of a column; the last one is not padded.
    int width(size_t isa) const { return isa + 1 < isas_.size() ? 58 : 0; }

    void header() const {
        std::printf("Every form of a conversion, Gelem/s, %s of the widest stream\n",
                    size_name(stream()).c_str());
        std::printf("%-6s %-6s %5s", "dst", "src", "forms");
        for (size_t isa = 0; isa < isas_.size(); isa++) {
            const std::string title = std::string("the slowest on ") + pto_isa_name(isas_[isa]);
            std::printf(" %8s %8s  %-*s", "slowest", "fastest", width(isa), title.c_str());
        }
        std::puts("");
    }

    size_t stream() const { return size_t{tiny_ ? 2U : 256U} << 10; }

    void pair(std::vector<Form> &forms) {
        for (Form &form : forms) measure(form);
        if (!tiny_) row(forms);
        std::move(forms.begin(), forms.end(), std::back_inserter(all_));
    }

    void measure(Form &form) {
        for (const pto_isa isa : isas_) {
            const Cell cell = cell_of(form.what, isa, stream());
            const Result result = run_cell(memory_, cell, effort_);
            if (!result.error.empty())
                differ_.push_back(form.name + " on " + pto_isa_name(isa) + ": " + result.error);
            form.rates.push_back(
                result.error.empty() ? static_cast<double>(lanes_of(cell)) / result.seconds * 1e-9 : 0);
        }
    }

    void row(const std::vector<Form> &forms) const {
        const pto_cvt_op &op = forms.front().what.cvt;
        std::printf("%-6s %-6s %5zu", pto_dtype_name(op.dst), pto_dtype_name(op.src), forms.size());
        for (size_t isa = 0; isa < isas_.size(); isa++) {
            const std::vector<Form> sorted = by_rate(forms, isa);
            std::printf(" %8.2f %8.2f  %-*s", sorted.front().rates[isa], sorted.back().rates[isa], width(isa),
                        sorted.front().name.c_str());
        }
        std::puts("");
        std::fflush(stdout);
    }

    void slowest() const {
        for (size_t isa = 0; isa < isas_.size(); isa++) {
            const std::vector<Form> sorted = by_rate(all_, isa);
            std::printf("\nThe slowest of %zu forms on %s\n", sorted.size(), pto_isa_name(isas_[isa]));
            for (size_t i = 0; i < std::min(listed, sorted.size()); i++)
                std::printf("%8.2f  %s\n", sorted[i].rates[isa], sorted[i].name.c_str());
        }
        std::puts("");
    }

    bool verdict() const {
        for (const std::string &what : differ_) std::printf("%s\n", what.c_str());
        if (differ_.empty()) std::printf("%zu forms of conversions have scalar's bits\n", all_.size());
        return differ_.empty();
    }
};

} // namespace

bool sweep_forms(Memory &memory, Scope scope) {
    return Sweep(memory, scope).run();
}

} // namespace bench
