/* SPDX-License-Identifier: MIT */
/*
 * The program ptx_arithmetic: runs the floating-point instructions of programs on a GPU, on all pairs of a set of
 * values: zeros, subnormals, infinities, NaNs with payloads, and ordinary values. test/truth/test_arithmetic.c
 * compares programs with the file that it prints. Run it on a machine with a GPU and CUDA 13, in the root of the
 * repository:
 *
 *     nvcc -std=c++17 -O2 -arch=sm_90 -o build/ptx_arithmetic tools/ptx_arithmetic.cu
 *     build/ptx_arithmetic >test/truth/arithmetic-sm_90.txt
 *
 * The file begins with lines "# key value". Then follow the values of each type as "values TYPE BITS ...", and a line
 * for each instruction with its text and the results in hexadecimal. For two operands, the result of (a, b) has the
 * index a * 24 + b, where a and b are indices of values. Instructions with three operands use only the first ten
 * values; the result of (a, b, c) has the index a * 100 + b * 10 + c.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { VALUES = 24, TRIPLE_VALUES = 10, MOST_RESULTS = 1000 };

/* ---- the values of each type; instructions with three operands use the first ten ---- */

struct type {
    const char *name;
    int digits;
    uint64_t values[VALUES];
};

static const type types[] = {
    {"f16", 4, {0x0000, 0x8000, 0x3c00, 0xbc01, 0x7c00, 0xfc00, 0x7e05, 0xfd02,
                0x0001, 0x7bff, 0x8001, 0x03ff, 0x0400, 0x8400, 0x3bff, 0x3c01,
                0x4000, 0xc248, 0xfbff, 0x7c01, 0x7fff, 0xffff, 0x1400, 0x7801}},
    {"bf16", 4, {0x0000, 0x8000, 0x3f80, 0xbf81, 0x7f80, 0xff80, 0x7fc5, 0xffa2,
                 0x0001, 0x7f7f, 0x8001, 0x007f, 0x0080, 0x8080, 0x3f7f, 0x3f81,
                 0x4000, 0xc049, 0xff7f, 0x7f81, 0x7fff, 0xffff, 0x3c80, 0x7f01}},
    {"f32", 8, {0x00000000, 0x80000000, 0x3f800000, 0xbf800001, 0x7f800000, 0xff800000,
                0x7fc00005, 0xffa00002, 0x00000001, 0x7f7fffff, 0x80000001, 0x007fffff,
                0x00800000, 0x80800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0xc0490fdb,
                0xff7fffff, 0x7f800001, 0x7fffffff, 0xffffffff, 0x33800000, 0x7f000001}},
    {"f64", 16, {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000001,
                 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000005, 0xfff4000000000002,
                 0x0000000000000001, 0x7fefffffffffffff, 0x8000000000000001, 0x000fffffffffffff,
                 0x0010000000000000, 0x8010000000000000, 0x3fefffffffffffff, 0x3ff0000000000001,
                 0x4000000000000000, 0xc00921fb54442d18, 0xffefffffffffffff, 0x7ff0000000000001,
                 0x7fffffffffffffff, 0xffffffffffffffff, 0x3ca0000000000000, 0x7fe0000000000001}}};

/* ---- the instructions: letter of the type's register, number of operands, text ---- */

#define F32_ROUNDED(OP, name, operands)                                                                      \
    OP(r, operands, name ".rn.f32")                                                                          \
    OP(r, operands, name ".rn.ftz.f32")                                                                      \
    OP(r, operands, name ".rn.sat.f32")                                                                      \
    OP(r, operands, name ".rn.ftz.sat.f32")                                                                  \
    OP(r, operands, name ".rz.f32")                                                                          \
    OP(r, operands, name ".rm.f32")                                                                          \
    OP(r, operands, name ".rp.f32")
#define F16_ROUNDED(OP, name, operands)                                                                      \
    OP(h, operands, name ".rn.f16")                                                                          \
    OP(h, operands, name ".rn.ftz.f16")                                                                      \
    OP(h, operands, name ".rn.sat.f16")                                                                      \
    OP(h, operands, name ".rn.ftz.sat.f16")                                                                  \
    OP(h, operands, name ".rn.bf16")
#define F64_ROUNDED(OP, name, operands)                                                                      \
    OP(l, operands, name ".rn.f64")                                                                          \
    OP(l, operands, name ".rz.f64")
#define ROUNDED(OP, name, operands)                                                                          \
    F32_ROUNDED(OP, name, operands) F16_ROUNDED(OP, name, operands) F64_ROUNDED(OP, name, operands)

#define INSTRUCTIONS(OP)                                                                                     \
    ROUNDED(OP, "add", 2)                                                                                    \
    ROUNDED(OP, "sub", 2)                                                                                    \
    ROUNDED(OP, "mul", 2)                                                                                    \
    ROUNDED(OP, "fma", 3)                                                                                    \
    OP(h, 3, "fma.rn.relu.f16")                                                                              \
    OP(h, 3, "fma.rn.ftz.relu.f16")                                                                          \
    OP(h, 3, "fma.rn.relu.bf16")                                                                             \
    OP(r, 2, "div.rn.f32")                                                                                   \
    OP(r, 2, "div.rn.ftz.f32")                                                                               \
    OP(r, 2, "div.full.f32")                                                                                 \
    OP(r, 2, "div.full.ftz.f32")                                                                             \
    OP(r, 2, "div.approx.f32")                                                                               \
    OP(r, 2, "div.approx.ftz.f32")                                                                           \
    OP(l, 2, "div.rn.f64")                                                                                   \
    OP(r, 2, "copysign.f32")                                                                                 \
    OP(l, 2, "copysign.f64")                                                                                 \
    OP(h, 1, "neg.f16")                                                                                      \
    OP(h, 1, "neg.ftz.f16")                                                                                  \
    OP(h, 1, "neg.bf16")                                                                                     \
    OP(r, 1, "neg.f32")                                                                                      \
    OP(r, 1, "neg.ftz.f32")                                                                                  \
    OP(l, 1, "neg.f64")                                                                                      \
    OP(h, 1, "abs.f16")                                                                                      \
    OP(h, 1, "abs.ftz.f16")                                                                                  \
    OP(h, 1, "abs.bf16")                                                                                     \
    OP(r, 1, "abs.f32")                                                                                      \
    OP(r, 1, "abs.ftz.f32")                                                                                  \
    OP(l, 1, "abs.f64")                                                                                      \
    OP(r, 1, "rcp.rn.f32")                                                                                   \
    OP(r, 1, "rcp.rn.ftz.f32")                                                                               \
    OP(r, 1, "rcp.approx.f32")                                                                               \
    OP(r, 1, "rcp.approx.ftz.f32")                                                                           \
    OP(l, 1, "rcp.rn.f64")                                                                                   \
    OP(r, 1, "sqrt.rn.f32")                                                                                  \
    OP(r, 1, "sqrt.rn.ftz.f32")                                                                              \
    OP(r, 1, "sqrt.approx.f32")                                                                              \
    OP(r, 1, "sqrt.approx.ftz.f32")                                                                          \
    OP(l, 1, "sqrt.rn.f64")                                                                                  \
    OP(r, 1, "rsqrt.approx.f32")                                                                             \
    OP(r, 1, "rsqrt.approx.ftz.f32")                                                                         \
    OP(l, 1, "rsqrt.approx.f64")                                                                             \
    OP(r, 1, "ex2.approx.f32")                                                                               \
    OP(r, 1, "ex2.approx.ftz.f32")                                                                           \
    OP(h, 1, "ex2.approx.f16")                                                                               \
    OP(h, 1, "ex2.approx.ftz.bf16")                                                                          \
    OP(r, 1, "lg2.approx.f32")                                                                               \
    OP(r, 1, "lg2.approx.ftz.f32")                                                                           \
    OP(r, 1, "sin.approx.f32")                                                                               \
    OP(r, 1, "sin.approx.ftz.f32")                                                                           \
    OP(r, 1, "cos.approx.f32")                                                                               \
    OP(r, 1, "cos.approx.ftz.f32")                                                                           \
    OP(r, 1, "tanh.approx.f32")                                                                              \
    OP(h, 1, "tanh.approx.f16")                                                                              \
    OP(h, 1, "tanh.approx.bf16")

struct instruction {
    const char *text;
    int operands;
};

#define LISTED(letter, operands, text) {text, operands},
static const instruction instructions[] = {INSTRUCTIONS(LISTED)};

typedef unsigned short register_h;
typedef unsigned int register_r;
typedef unsigned long long register_l;

#define OPERANDS_1(letter) #letter(static_cast <register_##letter>(a))
#define OPERANDS_2(letter) OPERANDS_1(letter), #letter(static_cast<register_##letter>(b))
#define OPERANDS_3(letter) OPERANDS_2(letter), #letter(static_cast<register_##letter>(c))
#define PLACES_1           "%1;"
#define PLACES_2           "%1, %2;"
#define PLACES_3           "%1, %2, %3;"
#define RUN(letter, operands, text)                                                                          \
    if (number == __COUNTER__ - first) {                                                                     \
        register_##letter d;                                                                                 \
        asm volatile(text " %0, " PLACES_##operands : "=" #letter(d) : OPERANDS_##operands(letter));         \
        return d;                                                                                            \
    }

static __device__ uint64_t run(int number, uint64_t a, uint64_t b, uint64_t c) {
    const int first = __COUNTER__ + 1;
    INSTRUCTIONS(RUN)
    return 0;
}

__global__ void run_all(int number, int operands, int count, const uint64_t *values, uint64_t *results) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int base = operands == 3 ? TRIPLE_VALUES : VALUES;
    if (i >= count) return;
    if (operands == 1)
        results[i] = run(number, values[i], 0, 0);
    else if (operands == 2)
        results[i] = run(number, values[i / base], values[i % base], 0);
    else
        results[i] = run(number, values[i / (base * base)], values[i / base % base], values[i % base]);
}

/* ---- host ---- */

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "ptx_arithmetic: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static const type *type_of(const char *text) {
    for (const type &t : types)
        if (strcmp(strrchr(text, '.') + 1, t.name) == 0) return &t;
    abort();
}

int main() {
    uint64_t *values, *results, host[MOST_RESULTS];
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "no GPU");
    check(cudaMalloc((void **)&values, sizeof types[0].values), "memory");
    check(cudaMalloc((void **)&results, sizeof host), "memory");
    printf("# format libpto arithmetic 1\n# licence MIT\n# origin tools/ptx_arithmetic.cu on a GPU\n"
           "# chip %s, sm_%d%d\n# cuda %d\n",
           properties.name, properties.major, properties.minor, CUDART_VERSION);
    for (const type &t : types) {
        printf("values %s", t.name);
        for (uint64_t value : t.values) printf(" %0*llx", t.digits, (unsigned long long)value);
        putchar('\n');
    }
    for (const instruction &each : instructions) {
        const type *t = type_of(each.text);
        const int count = each.operands == 1   ? VALUES
                          : each.operands == 2 ? VALUES * VALUES
                                               : TRIPLE_VALUES * TRIPLE_VALUES * TRIPLE_VALUES;
        check(cudaMemcpy(values, t->values, sizeof t->values, cudaMemcpyHostToDevice), "values");
        run_all<<<(count + 63) / 64, 64>>>((int)(&each - instructions), each.operands, count, values,
                                           results);
        check(cudaGetLastError(), each.text);
        check(cudaMemcpy(host, results, (size_t)count * sizeof host[0], cudaMemcpyDeviceToHost), each.text);
        printf("%s", each.text);
        for (int i = 0; i < count; i++) printf(" %0*llx", t->digits, (unsigned long long)host[i]);
        putchar('\n');
    }
    return 0;
}
