// SPDX-License-Identifier: MIT
//
// Measures a program in text, against the same calls from C on whole arrays.
#include "measure/cells.h"
#include "measure/subject.h"

#ifdef PTO_HAS_PROGRAM
#    include <pto/program.h>
#endif

#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace bench {

namespace {

#ifdef PTO_HAS_PROGRAM

constexpr const char *text = "    setp.lt.f32 p, a, b;\n"
                             "    selp.f32    k, a, b, p;\n"
                             "    max.f32     d, k, a;\n"
                             "@p  mov.f32     d, b;\n";

struct Freed {
    void operator()(pto_program *program) const { pto_program_free(program); }
};

using Program = std::unique_ptr<pto_program, Freed>;

/// Returns a program with its operands bound, or null if that fails.
Program program_of(const bench_args &r) {
    Program program(pto_program_new(text, {}, nullptr));
    if (program && (pto_program_bind(program.get(), "a", PTO_F32, r.a, r.n) != PTO_OK ||
                    pto_program_bind(program.get(), "b", PTO_F32, r.b, r.n) != PTO_OK))
        program.reset();
    return program;
}

pto_status copy_result(const pto_program *program, const bench_args &r) {
    const void *data = nullptr;
    pto_dtype type;
    size_t n = 0;
    const pto_status status = pto_program_value(program, "d", &type, &data, &n);
    if (status == PTO_OK) std::memcpy(r.dst, data, n * sizeof(float));
    return status;
}

/// A cached program, with its memory allocated, and the arguments to which it is bound.
struct Kept {
    Program program;
    bench_args of;
};

bool is_for(const Kept &kept, const bench_args &r) {
    return kept.program != nullptr && kept.of.a == r.a && kept.of.b == r.b && kept.of.n == r.n;
}

/// Returns the cached program for these arguments. Each thread caches the programs of the last two calls, because calls
/// on a part and on the whole may alternate.
pto_program *kept_program(const bench_args &r) {
    thread_local std::array<Kept, 2> kept;
    if (!is_for(kept[0], r)) std::swap(kept[0], kept[1]);
    if (!is_for(kept[0], r)) kept[0] = {program_of(r), r};
    return kept[0].program.get();
}

/// Runs the program as a user would: it is parsed and its memory is allocated before. Only the last result is copied to
/// the place to which other contenders write.
void repeated_runs(const bench_args *args, size_t repeat) {
    pto_program *program = kept_program(*args);
    for (size_t i = 0; program != nullptr && i < repeat; i++) {
        if (pto_program_run(program, args->n) != PTO_OK) return;
        BENCH_BARRIER();
    }
    if (program != nullptr) (void)copy_result(program, *args);
}

pto_status once(const bench_args &r) {
    const Program program = program_of(r);
    if (!program) return PTO_ERR_PARSE;
    const pto_status status = pto_program_run(program.get(), r.n);
    return status == PTO_OK ? copy_result(program.get(), r) : status;
}

pto_status calls(const bench_args &r, unsigned char *p, float *k) {
    const pto_setp_op less = {PTO_F32, PTO_LT, PTO_BOOL_NONE, false, false};
    pto_status status = pto_setp(less, r.a, r.b, PTO_NO_MASK, pto_packed(p), PTO_NO_MASK, r.n);
    if (status == PTO_OK) status = pto_selp(PTO_F32, r.a, r.b, pto_packed(p), k, r.n);
    if (status == PTO_OK) status = pto_vmax(PTO_F32, 0, pto_in_array(k), pto_in_array(r.a), r.dst, r.n);
    if (status == PTO_OK) status = pto_vsel(PTO_F32, r.b, r.dst, pto_packed(p), r.dst, r.n);
    return status;
}

void repeated_calls(const bench_args *args, size_t repeat) {
    static std::vector<unsigned char> p;
    static std::vector<float> k;
    p.resize(args->n / 8 + 1);
    k.resize(args->n);
    for (size_t i = 0; i < repeat; i++) {
        if (calls(*args, p.data(), k.data()) != PTO_OK) return;
        BENCH_BARRIER();
    }
}

void add_cells(Cells &cells) {
    cells.every_size(extreme(BENCH_PROGRAM, PTO_F32));
}

#else

pto_status once(const bench_args & /*r*/) {
    return PTO_ERR_ISA;
}

void repeated_runs(const bench_args * /*args*/, size_t /*repeat*/) {}

void repeated_calls(const bench_args * /*args*/, size_t /*repeat*/) {}

void add_cells(Cells & /*cells*/) {}

#endif

std::string rest_of_name(const bench_what & /*what*/) {
    return ".four_lines.f32";
}

} // namespace

namespace operation {

extern const Operation program;
const Operation program = {"program",     once,  repeated_runs, add_cells,      2,
                           Writes::lanes, plain, nullptr,       repeated_calls, rest_of_name};

} // namespace operation

} // namespace bench
