/* SPDX-License-Identifier: MIT */
/* Runs instructions in GPGPU-Sim's functional simulator, without and with libpto, and compares the results with
 * definitions in plain C++. Prints a line for each instruction, and fails if a result with libpto is wrong.
 *
 *     test_gpgpu_sim >log
 *
 * It runs in a folder with the simulator's gpgpusim.config. The simulator prints to the standard output, so the lines go
 * to the standard error. */
#include "pto_execute.h"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "gpgpu_context.h"
#include "gpgpu-sim/gpu-sim.h"

namespace {

using Code = std::uint64_t;

template <class To, class From> To bits_of(From from) {
    To to;
    static_assert(sizeof to == sizeof from, "bits_of: the sizes differ");
    std::memcpy(&to, &from, sizeof to);
    return to;
}

float f32(Code code) {
    return bits_of<float>(static_cast<std::uint32_t>(code));
}

double f64(Code code) {
    return bits_of<double>(code);
}

Code of_f32(float x) {
    return std::isnan(x) ? 0x7fffffff : bits_of<std::uint32_t>(x);
}

Code of_f64(double x) {
    return bits_of<Code>(x);
}

Code of_s32(std::int32_t x) {
    return static_cast<std::uint32_t>(x);
}

/* Rounding in one direction, by the CPU. */
template <class T> T rounded(int direction, T (*operation)(T, T), T a, T b) {
    volatile T x = a, y = b;
    std::fesetround(direction);
    volatile T result = operation(x, y);
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class T> __attribute__((noinline)) T sum(T a, T b) {
    volatile T result = a + b;
    return result;
}

template <class T> __attribute__((noinline)) T product(T a, T b) {
    volatile T result = a * b;
    return result;
}

template <class To, class From> To converted(int direction, From from) {
    volatile From x = from;
    std::fesetround(direction);
    volatile To result = static_cast<To>(x);
    std::fesetround(FE_TONEAREST);
    return result;
}

/* A float to an integer: the integral value by `integral`, then limited to the type. A NaN becomes `of_nan`. */
template <class Integer> Integer limited(double x, double (*integral)(double), Integer of_nan) {
    if (std::isnan(x)) return of_nan;
    const double value = integral(x);
    if (value <= static_cast<double>(std::numeric_limits<Integer>::min()))
        return std::numeric_limits<Integer>::min();
    if (value >= static_cast<double>(std::numeric_limits<Integer>::max()))
        return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(value);
}

Code bit_field(Code a, Code b, Code c, bool is_signed) {
    const unsigned position = b & 0xff, length = c & 0xff, value = static_cast<unsigned>(a);
    const unsigned last = std::min(position + length - 1, 31U); /* of the field; PTX repeats this bit */
    const bool sign = is_signed && length != 0 && (value >> last & 1) != 0;
    Code field = 0;
    for (unsigned i = 0; i < 32; i++) {
        const bool inside = i < length && position + i < 32;
        if (inside ? (value >> (position + i) & 1) != 0 : sign) field |= Code{1} << i;
    }
    return field;
}

Code f16_of(float x) {
    const Code sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) return 0x7fff;
    if (std::fabs(x) >= 65520) return sign | 0x7c00;
    const int exponent = std::max(x == 0 ? -14 : std::ilogb(x), -14);
    const Code steps =
        static_cast<Code>(std::nearbyint(std::ldexp(std::fabs(static_cast<double>(x)), 10 - exponent)));
    return sign + (static_cast<Code>(exponent + 14) << 10) +
           steps; /* steps has the leading one of normal numbers */
}

float flushed(float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

template <class T> T number_minimum(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

/* An instruction: registers %a, %b, %c and %d with their types, and the result by its definition. */
struct Case {
    const char *name;
    const char *statements;
    const char *source; /* the type of %a, %b and %c */
    const char *result; /* the type of %d */
    Code (*expected)(Code a, Code b, Code c);
};

const Case cases[] = {
    {"selp.s32 with !p", "setp.lt.f32 %p, %a, %b;\nselp.s32 %d, 7, -9, !%p;", "f32", "s32",
     [](Code a, Code b, Code) { return of_s32(f32(a) < f32(b) ? -9 : 7); }},
    {"bfe.u32", "bfe.u32 %d, %a, %b, %c;", "u32", "u32",
     [](Code a, Code b, Code c) { return bit_field(a, b, c, false); }},
    {"bfe.s32", "bfe.s32 %d, %a, %b, %c;", "s32", "s32",
     [](Code a, Code b, Code c) { return bit_field(a, b, c, true); }},
    {"add.rm.f32", "add.rm.f32 %d, %a, %b;", "f32", "f32",
     [](Code a, Code b, Code) { return of_f32(rounded(FE_DOWNWARD, sum<float>, f32(a), f32(b))); }},
    {"mul.rp.f32", "mul.rp.f32 %d, %a, %b;", "f32", "f32",
     [](Code a, Code b, Code) { return of_f32(rounded(FE_UPWARD, product<float>, f32(a), f32(b))); }},
    {"add.rp.f64", "add.rp.f64 %d, %a, %b;", "f64", "f64",
     [](Code a, Code b, Code) { return of_f64(rounded(FE_UPWARD, sum<double>, f64(a), f64(b))); }},
    {"mul.rm.f64", "mul.rm.f64 %d, %a, %b;", "f64", "f64",
     [](Code a, Code b, Code) { return of_f64(rounded(FE_DOWNWARD, product<double>, f64(a), f64(b))); }},
    {"cvt.rz.f32.s32", "cvt.rz.f32.s32 %d, %a;", "s32", "f32",
     [](Code a, Code, Code) {
         return of_f32(converted<float>(FE_TOWARDZERO, static_cast<std::int32_t>(a)));
     }},
    {"add.u64", "add.u64 %d, %a, %b;", "u64", "u64", [](Code a, Code b, Code) { return a + b; }},
    {"cvt.rp.f32.s64", "cvt.rp.f32.s64 %d, %a;", "s64", "f32",
     [](Code a, Code, Code) { return of_f32(converted<float>(FE_UPWARD, static_cast<std::int64_t>(a))); }},
    {"cvt.rm.f32.f64", "cvt.rm.f32.f64 %d, %a;", "f64", "f32",
     [](Code a, Code, Code) { /* a NaN keeps its sign and the upper bits of its payload, and becomes quiet */
                              if (std::isnan(f64(a)))
                                  return (a >> 32 & 0x80000000) | 0x7fc00000 | (a >> 29 & 0x3fffff);
                              return of_f32(converted<float>(FE_DOWNWARD, f64(a)));
     }},
    {"cvt.rn.f16.f32", "cvt.rn.f16.f32 %d, %a;", "f32", "f16",
     [](Code a, Code, Code) { return f16_of(f32(a)); }},
    {"cvt.rni.s32.f32", "cvt.rni.s32.f32 %d, %a;", "f32", "s32",
     [](Code a, Code, Code) { return of_s32(limited<std::int32_t>(f32(a), std::nearbyint, 0)); }},
    {"cvt.rzi.u32.f32", "cvt.rzi.u32.f32 %d, %a;", "f32", "u32",
     [](Code a, Code, Code) { return Code{limited<std::uint32_t>(f32(a), std::trunc, 0)}; }},
    {"cvt.rmi.s32.f64", "cvt.rmi.s32.f64 %d, %a;", "f64", "s32",
     [](Code a, Code, Code) { return of_s32(limited<std::int32_t>(f64(a), std::floor, INT32_MIN)); }},
    {"cvt.sat.f32.f32", "cvt.sat.f32.f32 %d, %a;", "f32", "f32",
     [](Code a, Code, Code) { return of_f32(f32(a) > 0 ? std::min(f32(a), 1.0F) : 0.0F); }},
    {"setp.ltu.f32", "setp.ltu.f32 %p, %a, %b;\nselp.u32 %d, 1, 0, %p;", "f32", "u32",
     [](Code a, Code b, Code) { return Code{!(f32(a) >= f32(b))}; }},
    {"setp.lt.and.f32 with !q",
     "setp.gt.f32 %q, %a, %c;\nsetp.lt.and.f32 %p, %a, %b, !%q;\nselp.u32 %d, 1, 0, %p;", "f32", "u32",
     [](Code a, Code b, Code c) { return Code{f32(a) < f32(b) && !(f32(a) > f32(c))}; }},
    {"set.gt.u32.f32", "set.gt.u32.f32 %d, %a, %b;", "f32", "u32",
     [](Code a, Code b, Code) { return of_s32(f32(a) > f32(b) ? -1 : 0); }},
    {"slct.f32.f32", "slct.f32.f32 %d, %a, %b, %c;", "f32", "f32",
     [](Code a, Code b, Code c) { return (f32(c) >= 0 ? a : b) & 0xffffffff; }},
    {"min.f32", "min.f32 %d, %a, %b;", "f32", "f32",
     [](Code a, Code b, Code) { return of_f32(number_minimum(f32(a), f32(b))); }},
    {"mul.ftz.f32", "mul.ftz.f32 %d, %a, %b;", "f32", "f32",
     [](Code a, Code b, Code) { return of_f32(flushed(flushed(f32(a)) * flushed(f32(b)))); }},
};

/* ---- the simulator ---- */

constexpr unsigned lanes = 8192, block = 256;

unsigned bytes_of(const std::string &type) {
    return static_cast<unsigned>(std::stoi(type.substr(1))) / 8;
}

/* Returns the kernel of a case: %a, %b and %c are 64-bit slots of three arrays, and %d of a fourth. */
std::string kernel_of(const Case &test, unsigned number) {
    const std::string load = "ld.global.b" + std::to_string(8 * bytes_of(test.source));
    std::string text =
        ".visible .entry k" + std::to_string(number) + "(.param .u64 base" + std::to_string(number) +
        ")\n{\n.reg .u64 %rd<4>;\n.reg .u32 %r<4>;\n.reg .pred %p;\n.reg .pred %q;\n.reg ." + test.source +
        " %a;\n.reg ." + test.source + " %b;\n.reg ." + test.source + " %c;\n.reg ." + test.result +
        " %d;\nld.param.u64 %rd1, [base" + std::to_string(number) +
        "];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nshl.b32 %r1, %r1, 8;\n"
        "or.b32 %r1, %r1, %r2;\nmul.wide.u32 %rd2, %r1, 8;\nadd.u64 %rd1, %rd1, %rd2;\n";
    const char *const names[] = {"%a", "%b", "%c"};
    for (unsigned i = 0; i < 3; i++)
        text += load + " " + names[i] + ", [%rd1+" + std::to_string(8 * lanes * i) + "];\n";
    return text + test.statements + "\nst.global.b" + std::to_string(8 * bytes_of(test.result)) + " [%rd1+" +
           std::to_string(8 * lanes * 3) + "], %d;\nret;\n}\n";
}

/* The inputs: special values with each other, then random codes. */
std::vector<Code> inputs_of(const std::string &type, unsigned operand) {
    static const float floats[] = {
        0,       -0.0F,    1,         -1,       0.5F,          1.5F,           2.5F,          -2.5F,  65519,
        65520,   1e-6F,    1e-8F,     16777218, 2147483648.0F, -2147483648.0F, 4294967296.0F, 1e-40F, -1e-45F,
        3.4e38F, INFINITY, -INFINITY, NAN};
    static const Code integers[] = {0,
                                    1,
                                    2,
                                    5,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    255,
                                    256,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    16777217,
                                    0x80000001,
                                    0xffffffff00000001,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xffffffffffffffff,
                                    0x123456789abcdef0,
                                    3};
    constexpr unsigned specials = sizeof floats / sizeof floats[0];
    static_assert(specials == sizeof integers / sizeof integers[0],
                  "the lists of special values differ in length");
    std::mt19937_64 random(operand);
    std::vector<Code> codes(lanes);
    for (unsigned i = 0; i < lanes; i++) {
        const unsigned which = (operand == 0 ? i : operand == 1 ? i / specials : i / 7) % specials;
        const bool special = i < specials * specials;
        if (type[0] != 'f')
            codes[i] = special ? integers[which] : random() >> (operand == 0 ? 0 : i % 60);
        else if (type == "f32")
            codes[i] = special ? bits_of<std::uint32_t>(floats[which]) : random() & 0xffffffff;
        else
            codes[i] = special ? of_f64(floats[which]) : i % 2 == 0 ? random() : of_f64(f32(random()));
        if (bytes_of(type) == 4) codes[i] &= 0xffffffff;
    }
    return codes;
}

class Simulator {
  public:
    explicit Simulator(const std::string &file)
        : context(GPGPU_Context()), gpu(context->gpgpu_ptx_sim_init_perf()),
          symbols(context->gpgpu_ptx_sim_load_ptx_from_filename(file.c_str())) {}

    /* Returns the results of a case, and adds its seconds of CPU time. */
    std::vector<Code> run(const Case &test, unsigned number, double *seconds) {
        std::vector<Code> codes;
        for (unsigned i = 0; i < 3; i++) {
            const std::vector<Code> more = inputs_of(test.source, i);
            codes.insert(codes.end(), more.begin(), more.end());
        }
        codes.resize(4 * lanes);
        const std::size_t bytes = codes.size() * sizeof codes[0];
        const std::uint64_t base = reinterpret_cast<std::uint64_t>(gpu->gpu_malloc(bytes));
        gpu->memcpy_to_gpu(base, codes.data(), bytes);
        function_info *entry = symbols->lookup(("k" + std::to_string(number)).c_str())->get_pc();
        kernel_info_t grid(dim3(lanes / block), dim3(block), entry, gpu->getNameArrayMapping(),
                           gpu->getNameInfoMapping());
        gpgpu_ptx_sim_arg argument(&base, sizeof base, 0);
        entry->add_param_data(0, &argument);
        entry->finalize(grid.get_param_memory());
        const std::clock_t begin = std::clock();
        context->func_sim->gpgpu_cuda_ptx_sim_main_func(grid, true); /* true: without streams */
        *seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        gpu->memcpy_from_gpu(codes.data(), base, bytes);
        return {codes.begin() + 3 * lanes, codes.end()};
    }

  private:
    gpgpu_context *context;
    gpgpu_sim *gpu;
    symbol_table *symbols;
};

/* Counts the wrong results of a case. Of f64, all NaNs are equal. */
unsigned count_wrong(const Case &test, const std::vector<Code> &results) {
    const std::vector<Code> a = inputs_of(test.source, 0), b = inputs_of(test.source, 1),
                            c = inputs_of(test.source, 2);
    const bool is_f64 = std::strcmp(test.result, "f64") == 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < lanes; i++) {
        const Code expected = test.expected(a[i], b[i], c[i]);
        const bool nans = is_f64 && std::isnan(f64(expected)) && std::isnan(f64(results[i]));
        if (results[i] == expected || nans) continue;
        if (wrong++ == 0)
            std::printf("first: %s a %llx b %llx c %llx: %llx, expected %llx\n", test.name,
                        (unsigned long long)a[i], (unsigned long long)b[i], (unsigned long long)c[i],
                        (unsigned long long)results[i], (unsigned long long)expected);
    }
    return wrong;
}

struct Outcome {
    bool ended; /* the simulator ended the process */
    unsigned wrong;
    double seconds;
};

/* Runs a case in a process of its own, because the simulator ends the process for some instructions. */
Outcome try_case(Simulator &simulator, unsigned number, bool with_libpto) {
    int ends[2];
    Outcome outcome = {true, 0, 0};
    std::fflush(nullptr);
    if (pipe(ends) != 0) std::exit(2);
    const pid_t child = fork();
    if (child < 0) std::exit(2);
    if (child == 0) {
        dup2(1, 2); /* what an assertion prints goes to the log */
        pto_execute_enable(with_libpto);
        outcome.wrong = count_wrong(cases[number], simulator.run(cases[number], number, &outcome.seconds));
        outcome.ended = false;
        const bool written = write(ends[1], &outcome, sizeof outcome) == sizeof outcome;
        std::fflush(nullptr);
        _exit(written ? 0 : 2);
    }
    close(ends[1]);
    Outcome received;
    if (read(ends[0], &received, sizeof received) == sizeof received) outcome = received;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return outcome;
}

std::string words(const Outcome &outcome) {
    return outcome.ended ? "ends the simulator" : std::to_string(outcome.wrong) + " wrong";
}

} // namespace

int main() {
    constexpr unsigned count = sizeof cases / sizeof cases[0];
    const char *const file = "cases.ptx";
    std::FILE *ptx = std::fopen(file, "w");
    if (ptx == nullptr) return std::perror(file), 2;
    std::fputs(".version 7.0\n.target sm_70\n.address_size 64\n", ptx);
    for (unsigned i = 0; i < count; i++) std::fputs(kernel_of(cases[i], i).c_str(), ptx);
    if (std::fclose(ptx) != 0) return std::perror(file), 2;

    Simulator simulator(file);
    bool passed = true;
    double before_seconds = 0, after_seconds = 0;
    for (unsigned i = 0; i < count; i++) {
        const Outcome before = try_case(simulator, i, false), after = try_case(simulator, i, true);
        std::fprintf(stderr, "%s: %s before, %s after\n", cases[i].name, words(before).c_str(),
                     words(after).c_str());
        passed = passed && !after.ended && after.wrong == 0;
        if (before.ended || after.ended) continue;
        before_seconds += before.seconds;
        after_seconds += after.seconds;
    }
    std::fprintf(stderr, "%u threads each; %.2f s of CPU time before, %.2f s after\n", lanes, before_seconds,
                 after_seconds);
    return passed ? 0 : 1;
}
