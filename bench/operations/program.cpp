// SPDX-License-Identifier: MIT
//
// Measures programs of several lines, and the same programs as kernels of a module. The two calls of a program are the
// same work in C, in blocks of 2,048 lanes; those of a kernel are the program without its loads and stores.
#include "measure/cells.h"
#include "measure/subject.h"
#include "measure/texts.h"

#include <algorithm>
#include <array>

namespace bench {

namespace {

constexpr bench_text texts[] = {{BENCH_FOUR_LINES, "four_lines.f32", PTO_F32,
                                 "    setp.lt.f32 p, a, b;\n"
                                 "    selp.f32    k, a, b, p;\n"
                                 "    max.f32     d, k, a;\n"
                                 "@p  mov.f32     d, b;\n"},
                                {BENCH_POLYNOMIAL, "polynomial.f32",
                                 PTO_F32, // 0.5 + a (0.25 + a (0.125 + a)), scaled, between a and b
                                 "    fma.rn.f32  d, a, 0f3F800000, 0f3E000000;\n"
                                 "    fma.rn.f32  d, d, a, 0f3E800000;\n"
                                 "    fma.rn.f32  d, d, a, 0f3F000000;\n"
                                 "    mul.rn.f32  k, b, 0f3F000000;\n"
                                 "    add.rn.f32  k, k, a;\n"
                                 "    mul.rn.f32  d, d, k;\n"
                                 "    sub.rn.f32  d, d, b;\n"
                                 "    abs.f32     d, d;\n"
                                 "    add.rn.f32  d, d, a;\n"},
                                {BENCH_HASH, "hash.u32", PTO_U32,
                                 "    xor.b32     d, a, b;\n"
                                 "    shr.u32     k, d, 16;\n"
                                 "    xor.b32     d, d, k;\n"
                                 "    mul.lo.u32  d, d, 0x85ebca6b;\n"
                                 "    shr.u32     k, d, 13;\n"
                                 "    xor.b32     d, d, k;\n"
                                 "    mul.lo.u32  d, d, 0xc2b2ae35;\n"
                                 "    shr.u32     k, d, 16;\n"
                                 "    xor.b32     d, d, k;\n"}};

/// Lanes of a block of calls: few enough that the intermediate results stay in the L1 cache.
constexpr size_t block = 2048;

/// Runs the calls of the first text, which consists of instructions that libpto has calls for, on one block.
pto_status calls(const float *a, const float *b, float *dst, size_t n) {
    static constexpr pto_setp_op less = {PTO_F32, PTO_LT, PTO_BOOL_NONE, false, false};
    std::array<unsigned char, block / 8> p;
    std::array<float, block> k;
    pto_status status = pto_setp(less, a, b, PTO_NO_MASK, pto_packed(p.data()), PTO_NO_MASK, n);
    if (status == PTO_OK) status = pto_selp(PTO_F32, a, b, pto_packed(p.data()), k.data(), n);
    if (status == PTO_OK) status = pto_vmax(PTO_F32, 0, pto_in_array(k.data()), pto_in_array(a), dst, n);
    if (status == PTO_OK) status = pto_vsel(PTO_F32, b, dst, pto_packed(p.data()), dst, n);
    return status;
}

void repeated_calls(const bench_args *args, size_t repeat) {
    const auto *a = static_cast<const float *>(args->a), *b = static_cast<const float *>(args->b);
    auto *dst = static_cast<float *>(args->dst);
    for (size_t pass = 0; pass < repeat; pass++) {
        for (size_t i = 0; i < args->n; i += block)
            if (calls(a + i, b + i, dst + i, std::min(block, args->n - i)) != PTO_OK) return;
        BENCH_BARRIER();
    }
}

bench_fn *calls_of(const bench_what &what) {
    return what.text->number == BENCH_FOUR_LINES ? repeated_calls : nullptr;
}

bench_fn *bare_program(const bench_what & /*what*/) {
    return program_repeated;
}

void add_cells(Cells &cells, bench_operation operation) {
    for (const bench_text &text : texts)
        if (has_texts && (cells.full() || text.number == BENCH_FOUR_LINES))
            cells.every_size(run(operation, text));
}

void add_programs(Cells &cells) {
    add_cells(cells, BENCH_PROGRAM);
}

void add_kernels(Cells &cells) {
    add_cells(cells, BENCH_KERNEL);
}

std::string rest_of_name(const bench_what &what) {
    return std::string(".") + what.text->name;
}

} // namespace

namespace operation {

extern const Operation program, kernel;
const Operation program = {"program",     program_once, program_repeated, add_programs, 2,
                           Writes::lanes, plain,        nullptr,          calls_of,     rest_of_name};
const Operation kernel = {"kernel",      kernel_once, kernel_repeated, add_kernels,  2,
                          Writes::lanes, plain,       nullptr,         bare_program, rest_of_name};

} // namespace operation

} // namespace bench
