// SPDX-License-Identifier: MIT
//
// Measures one call on all rows of a matrix, against one call for each row. The rows are so short that the overhead of
// a call shows.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

constexpr size_t row_lanes = 16;

pto_status plan(pto_plan *plan, const bench_what &w) {
    return pto_plan_vmax(plan, w.type, w.flags, 0);
}

ptrdiff_t row_bytes(const bench_what &w) {
    return static_cast<ptrdiff_t>(row_lanes * pto_dtype_bits(w.type) / 8);
}

void by_rows(const pto_plan &plan, const bench_args &r) {
    const pto_operands operands = {{r.a, r.b, nullptr, nullptr}, {r.dst, nullptr}};
    const ptrdiff_t step = row_bytes(*r.what);
    const pto_steps steps = {{step, step, 0, 0}, {step, 0}};
    pto_run_rows(&plan, &operands, &steps, row_lanes, r.n / row_lanes);
}

pto_status once(const bench_args &r) {
    pto_plan made;
    const pto_status status = plan(&made, *r.what);
    if (status == PTO_OK) by_rows(made, r);
    return status;
}

/// Runs the plan as a user would: it is made before the loop.
void repeated_rows(const bench_args *args, size_t repeat) {
    pto_plan made;
    if (plan(&made, *args->what) != PTO_OK) return; // nothing is written, so the verification fails
    for (size_t i = 0; i < repeat; i++) {
        by_rows(made, *args);
        BENCH_BARRIER();
    }
}

void row_by_row(const bench_args *args, size_t repeat) {
    pto_plan made;
    if (plan(&made, *args->what) != PTO_OK) return;
    const auto step = static_cast<size_t>(row_bytes(*args->what));
    for (size_t i = 0; i < repeat; i++) {
        const auto *a = static_cast<const unsigned char *>(args->a),
                   *b = static_cast<const unsigned char *>(args->b);
        auto *dst = static_cast<unsigned char *>(args->dst);
        for (size_t row = 0; row < args->n / row_lanes; row++, a += step, b += step, dst += step)
            pto_run(&made, a, b, nullptr, dst, row_lanes);
        BENCH_BARRIER();
    }
}

std::string rest_of_name(const bench_what &what) {
    return std::string(".vmax.") + pto_dtype_name(what.type);
}

bench_fn *two_calls(const bench_what & /*what*/) {
    return row_by_row;
}

void add_cells(Cells &cells) {
    for (const pto_dtype type : {PTO_U8, PTO_F32})
        if (cells.full() || type == PTO_F32) cells.every_size(extreme(BENCH_ROWS, type));
}

} // namespace

namespace operation {

extern const Operation rows;
const Operation rows = {"rows",        once,  repeated_rows, add_cells, 2,
                        Writes::lanes, plain, nullptr,       two_calls, rest_of_name};

} // namespace operation

} // namespace bench
