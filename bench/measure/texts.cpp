// SPDX-License-Identifier: MIT
//
// Programs and modules are kept from call to call, as a user would keep them.
#include "measure/texts.h"

#include "measure/cells.h"

#ifdef PTO_HAS_PROGRAM
#    include <pto/module.h>
#    include <pto/program.h>
#endif

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace bench {

bench_what run(bench_operation operation, const bench_text &text) {
    bench_what what = extreme(operation, text.type);
    what.text = &text;
    return what;
}

#ifdef PTO_HAS_PROGRAM

const bool has_texts = true;

namespace {

struct Freed {
    void operator()(pto_program *program) const { pto_program_free(program); }
    void operator()(pto_module *module) const { pto_module_free(module); }
};

using Program = std::unique_ptr<pto_program, Freed>;
using Module = std::unique_ptr<pto_module, Freed>;

/// Returns the elements of a register that a stream of the cell holds: half as many if two are packed in a register.
size_t elements(const bench_args &args, pto_dtype reg) {
    return args.n * pto_dtype_bits(args.what->type) / pto_dtype_bits(reg);
}

/// Binds the operands. Returns the number of lanes, or 0 if that fails.
size_t bind(pto_program *program, const bench_args &args) {
    size_t lanes = args.n;
    pto_program_register reg;
    for (size_t i = 0; pto_program_register_at(program, i, &reg) == PTO_OK; i++) {
        if (!reg.input) continue;
        if (std::strcmp(reg.name, "a") == 0) lanes = elements(args, reg.type);
        const void *data = std::strcmp(reg.name, "b") == 0 ? args.b : args.a;
        if (pto_program_bind(program, reg.name, reg.type, data, lanes) != PTO_OK) return 0;
    }
    return lanes;
}

pto_status copy_result(const pto_program *program, const bench_args &args) {
    const void *data = nullptr;
    pto_dtype type;
    size_t n = 0;
    const pto_status status = pto_program_value(program, "d", &type, &data, &n);
    if (status == PTO_OK) std::memcpy(args.dst, data, n * pto_dtype_bits(type) / 8);
    return status;
}

/// A cached program or module, and the arguments for which it was made.
template <typename T> struct Kept {
    T item;
    const bench_text *text; // args.what does not outlive a cell
    bench_args of;
    size_t lanes;
    pto_isa isa = pto_isa_active();
    bool copied = false; // programs: whether a result was copied to args.dst

    bool is_for(const bench_args &args) const {
        return item && text == args.what->text && of.a == args.a && of.b == args.b && of.n == args.n &&
               isa == pto_isa_active();
    }
};

/// Returns the cached item for these arguments, or makes it. Each thread caches the items of the last two calls,
/// because calls on a part and on the whole may alternate.
template <typename T> Kept<T> &kept(const bench_args &args, Kept<T> (*make)(const bench_args &)) {
    thread_local std::array<Kept<T>, 2> cache;
    if (!cache[0].is_for(args)) std::swap(cache[0], cache[1]);
    if (!cache[0].is_for(args)) cache[0] = make(args);
    return cache[0];
}

Kept<Program> program_of(const bench_args &args) {
    static constexpr const char *result =
        "d"; // a user keeps what he reads; other contenders write nothing else
    pto_program_options options = {};
    options.keep = &result;
    options.keep_count = 1;
    Program program(pto_program_new(args.what->text->lines, options, nullptr));
    const size_t lanes = program ? bind(program.get(), args) : 0;
    if (lanes == 0) program.reset();
    return {std::move(program), args.what->text, args, lanes};
}

/// Returns the text of a module with one kernel around the lines of a text.
std::string kernel_text(const bench_text &text) {
    const std::string type = pto_dtype_name(text.type), bits = std::to_string(pto_dtype_bits(text.type)),
                      bytes = std::to_string(pto_dtype_bits(text.type) / 8);
    return ".version 8.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pd) {\n"
           ".reg ." +
           type + " a, b, d, k, t<8>; .reg .pred p; .reg .b32 i<5>; .reg .b64 x<5>;\n" +
           "mov.u32 i1, %ctaid.x; mov.u32 i2, %ntid.x; mov.u32 i3, %tid.x; mad.lo.s32 i4, i1, i2, i3;\n"
           "mul.wide.s32 x1, i4, " +
           bytes + ";\n" +
           "ld.param.u64 x2, [pa]; ld.param.u64 x3, [pb]; ld.param.u64 x4, [pd];\n"
           "add.s64 x2, x2, x1; add.s64 x3, x3, x1; add.s64 x4, x4, x1;\n"
           "ld.global." +
           type + " a, [x2]; ld.global." + type + " b, [x3];\n" + text.lines + "st.global." + type +
           " [x4], d; ret; }\n";
}

Kept<Module> module_of(const bench_args &args) {
    return {Module(pto_module_new(kernel_text(*args.what->text).c_str(), {}, nullptr)), args.what->text, args,
            args.n};
}

pto_status launch(pto_module *module, const bench_args &args) {
    const size_t bytes = args.n * pto_dtype_bits(args.what->type) / 8;
    const std::array<pto_argument, 3> arguments = {{{nullptr, args.a, nullptr, bytes},
                                                    {nullptr, args.b, nullptr, bytes},
                                                    {nullptr, nullptr, args.dst, bytes}}};
    return pto_module_launch(module, "k", {static_cast<uint32_t>(args.n / 128), 1, 1}, {128, 1, 1},
                             arguments.data(), arguments.size());
}

} // namespace

pto_status program_once(const bench_args &args) {
    const Kept<Program> made = program_of(args);
    if (!made.item) return PTO_ERR_PARSE;
    const pto_status status = pto_program_run(made.item.get(), made.lanes);
    return status == PTO_OK ? copy_result(made.item.get(), args) : status;
}

void program_repeated(const bench_args *args, size_t repeat) {
    Kept<Program> &program = kept(*args, program_of);
    for (size_t i = 0; program.item && i < repeat; i++) {
        if (pto_program_run(program.item.get(), program.lanes) != PTO_OK) return;
        BENCH_BARRIER();
    }
    if (program.item && !program.copied) program.copied = copy_result(program.item.get(), *args) == PTO_OK;
}

pto_status kernel_once(const bench_args &args) {
    const Kept<Module> made = module_of(args);
    return made.item ? launch(made.item.get(), args) : PTO_ERR_PARSE;
}

void kernel_repeated(const bench_args *args, size_t repeat) {
    const Kept<Module> &module = kept(*args, module_of);
    for (size_t i = 0; module.item && i < repeat; i++) {
        if (launch(module.item.get(), *args) != PTO_OK) return;
        BENCH_BARRIER();
    }
}

#else

const bool has_texts = false;

pto_status program_once(const bench_args & /*args*/) {
    return PTO_ERR_ISA;
}

void program_repeated(const bench_args * /*args*/, size_t /*repeat*/) {}

pto_status kernel_once(const bench_args & /*args*/) {
    return PTO_ERR_ISA;
}

void kernel_repeated(const bench_args * /*args*/, size_t /*repeat*/) {}

#endif

} // namespace bench
