/* SPDX-License-Identifier: MIT */
/*
 * ptx_truth: what a GPU answers to every form of setp, set, slct and cvt, and to max and min of floats, as text files of digests that
 * test_truth.c compares with libpto on a CPU. On a machine with a GPU and CUDA 13, in the root of the
 * repository:
 *
 *     mkdir -p build test/truth
 *     cmake -DDATA=test/data -DOUT=build/ptx_truth_forms.inc -P tools/ptx_truth_forms.cmake
 *     nvcc -std=c++17 -O2 -Ibuild -arch=sm_90 -o build/ptx_truth tools/ptx_truth.cu
 *     build/ptx_truth test/truth
 *     cmake -B build/truth && cmake --build build/truth && ctest --test-dir build/truth -L truth
 *
 * -arch must name the GPU's own architecture, with its "a" where it has one (Blackwell: sm_100a): forms that it
 * lacks are left out, and so are those that this nvcc does not know, of which it warns. CUDA 13.x has PTX ISA 9.x. A file FAMILY-CHIP.txt has a head of lines "# key value" and then one line for each form:
 *
 *     TEXT [c or !c] units LOG2 block LOG2 BLOCK:DIGEST ... special RESULT ...
 *
 * truth_inputs.h says what the inputs are and how results become digests. BLOCK counts in hexadecimal. The
 * special results, one for each instruction on the special operands, are written out, NaN payloads and all;
 * of setp they are one digit, p + 2 q.
 */
#include "truth_inputs.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/* ---- device: the instructions ---- */

/* Later toolkits count on from 9.5: all that is asked for here is known by then. */
#if __CUDACC_VER_MAJOR__ == 13
#    define PTX_ISA (900 + 10 * __CUDACC_VER_MINOR__)
#else
#    define PTX_ISA (__CUDACC_VER_MAJOR__ > 13 ? 990 : 800)
#endif
#if PTX_ISA < 940 && !defined(__CUDA_ARCH__)
#    if PTX_ISA < 910
#        warning "left out, for this nvcc does not know them: the forms of cvt and set since PTX ISA 9.1"
#    elif PTX_ISA < 920
#        warning "left out, for this nvcc does not know them: the forms of cvt and set since PTX ISA 9.2"
#    else
#        warning "left out, for this nvcc does not know them: the forms of cvt and set since PTX ISA 9.4"
#    endif
#endif

/* What the target is: a, f or a, and which. */
#if defined(__CUDA_ARCH__)
#    define ARCH __CUDA_ARCH__
#else
#    define ARCH 0
#endif
#if defined(__CUDA_ARCH_SPECIFIC__) && ARCH >= 1000
#    define OWN 1
#else
#    define OWN 0
#endif
#if (OWN || defined(__CUDA_ARCH_FAMILY_SPECIFIC__)) && ARCH >= 1000
#    define FAMILY 1
#else
#    define FAMILY 0
#endif

/* Whether it has a level of ptx_truth_forms.cmake, and the toolkit knows it. */
#define HAS_0 1
#define HAS_1 (ARCH >= 1000)
#define HAS_2 FAMILY
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)
#    define HAS_3 1
#else
#    define HAS_3 0
#endif
#define HAS_4 (FAMILY && PTX_ISA >= 910)
#define HAS_5 (FAMILY && PTX_ISA >= 920)
#define HAS_6 (OWN && PTX_ISA >= 910)
#define HAS_7 (FAMILY && ARCH == 1070 && PTX_ISA >= 940)
#define HAS_8 (OWN && ARCH == 1070 && PTX_ISA >= 940)

/* A bit for each. */
__global__ void tell_levels(unsigned *levels) {
    *levels = HAS_0 | HAS_1 << 1 | HAS_2 << 2 | HAS_3 << 3 | HAS_4 << 4 | HAS_5 << 5 | HAS_6 << 6 |
              HAS_7 << 7 | HAS_8 << 8;
}

/** The operands of one instruction, as bits. */
struct operands {
    uint64_t a, b, e, f;
    uint32_t random, scales;
    unsigned c;
};

#define AT_0(...) __VA_ARGS__
#if HAS_1
#    define AT_1(...) __VA_ARGS__
#else
#    define AT_1(...)
#endif
#if HAS_2
#    define AT_2(...) __VA_ARGS__
#else
#    define AT_2(...)
#endif
#if HAS_3
#    define AT_3(...) __VA_ARGS__
#else
#    define AT_3(...)
#endif
#if HAS_4
#    define AT_4(...) __VA_ARGS__
#else
#    define AT_4(...)
#endif
#if HAS_5
#    define AT_5(...) __VA_ARGS__
#else
#    define AT_5(...)
#endif
#if HAS_6
#    define AT_6(...) __VA_ARGS__
#else
#    define AT_6(...)
#endif
#if HAS_7
#    define AT_7(...) __VA_ARGS__
#else
#    define AT_7(...)
#endif
#if HAS_8
#    define AT_8(...) __VA_ARGS__
#else
#    define AT_8(...)
#endif

/* Registers by their letter. C++ has none of 8 bits: those are made within the asm statement. */
#define TYPE_B       unsigned short
#define TYPE_H       unsigned short
#define TYPE_R       unsigned int
#define TYPE_L       unsigned long long
#define TO_B(d)      "=h"(d)
#define TO_H(d)      "=h"(d)
#define TO_R(d)      "=r"(d)
#define TO_L(d)      "=l"(d)
#define FROM_B(s)    "h"((unsigned short)(s))
#define FROM_H(s)    "h"((unsigned short)(s))
#define FROM_R(s)    "r"((unsigned int)(s))
#define FROM_L(s)    "l"((unsigned long long)(s))
#define BEGIN_TO_B   "{ .reg .b8 d; "
#define BEGIN_TO_H   "{ "
#define BEGIN_TO_R   "{ "
#define BEGIN_TO_L   "{ "
#define NAME_TO_B    " d"
#define NAME_TO_H    " %0"
#define NAME_TO_R    " %0"
#define NAME_TO_L    " %0"
#define END_TO_B     "; mov.b16 %0, {d, 0}; }"
#define END_TO_H     "; }"
#define END_TO_R     "; }"
#define END_TO_L     "; }"
#define BEGIN_FROM_B ".reg .b8 s, unused; mov.b16 {s, unused}, %1; "
#define BEGIN_FROM_H
#define BEGIN_FROM_R
#define BEGIN_FROM_L
#define NAME_FROM_B ", s"
#define NAME_FROM_H ", %1"
#define NAME_FROM_R ", %1"
#define NAME_FROM_L ", %1"

/* A scale behind one source, or behind two: one of 8 bits, or two in 16. */
#define BEGIN_SCALE1_B ".reg .b8 x, y; mov.b16 {x, y}, %2; "
#define BEGIN_SCALE2_B ".reg .b8 x, y; mov.b16 {x, y}, %3; "
#define BEGIN_SCALE1_H
#define BEGIN_SCALE2_H
#define NAME_SCALE1_B ", x"
#define NAME_SCALE2_B ", x"
#define NAME_SCALE1_H ", %2"
#define NAME_SCALE2_H ", %3"

/* Whether a second predicate is asked for. */
#define BOTH_0 "p"
#define BOTH_1 "p|q"

/* Of what follows clang-format makes a mess: the colons of asm are labels to it. */
/* clang-format off */
#define PART(family, k)                                                                                      \
    struct family##_##k {                                                                                    \
        static __device__ __noinline__ uint64_t run(unsigned form, const operands &o) {                      \
            switch (form) {
#define END_PART(family, k)                                                                                  \
            default: return 0;                                                                               \
            }                                                                                                \
        }                                                                                                    \
    };

#define CASE(n, level, D, ...) AT_##level(case n: { TYPE_##D d; asm(__VA_ARGS__); return d; })
#define CVT1(n, level, text, D, S)                                                                           \
    CASE(n, level, D, BEGIN_TO_##D BEGIN_FROM_##S text NAME_TO_##D NAME_FROM_##S END_TO_##D                  \
                      : TO_##D(d) : FROM_##S(o.a))
#define CVT2(n, level, text, D)                                                                              \
    CASE(n, level, D, BEGIN_TO_##D text NAME_TO_##D ", %1, %2" END_TO_##D                                    \
                      : TO_##D(d) : FROM_R(o.a), FROM_R(o.b))
#define CVT2R(n, level, text, D)                                                                             \
    CASE(n, level, D, BEGIN_TO_##D text NAME_TO_##D ", %1, %2, %3" END_TO_##D                                \
                      : TO_##D(d) : FROM_R(o.a), FROM_R(o.b), FROM_R(o.random))
#define CVT4R(n, level, text, D)                                                                             \
    CASE(n, level, D, BEGIN_TO_##D text NAME_TO_##D ", {%1, %2, %3, %4}, %5" END_TO_##D                      \
                      : TO_##D(d) : FROM_R(o.a), FROM_R(o.b), FROM_R(o.e), FROM_R(o.f), FROM_R(o.random))
#define CVT1S(n, level, text, D, S, X)                                                                       \
    CASE(n, level, D, BEGIN_TO_##D BEGIN_FROM_##S BEGIN_SCALE1_##X text NAME_TO_##D NAME_FROM_##S            \
                      NAME_SCALE1_##X END_TO_##D                                                             \
                      : TO_##D(d) : FROM_##S(o.a), FROM_H(o.scales))
#define CVT2S(n, level, text, D, X)                                                                          \
    CASE(n, level, D, BEGIN_TO_##D BEGIN_SCALE2_##X text NAME_TO_##D ", %1, %2" NAME_SCALE2_##X END_TO_##D   \
                      : TO_##D(d) : FROM_R(o.a), FROM_R(o.b), FROM_H(o.scales))
#define SETP(n, level, text, third, S, Q)                                                                    \
    case n: {                                                                                                \
        unsigned p, q;                                                                                       \
        asm("{ .reg .pred p, q, c; setp.ne.u32 q, 0, 0; setp.ne.u32 c, %4, 0; "                              \
            text " " BOTH_##Q ", %2, %3" third "; selp.u32 %0, 1, 0, p; selp.u32 %1, 2, 0, q; }"             \
            : "=r"(p), "=r"(q) : FROM_##S(o.a), FROM_##S(o.b), "r"(o.c));                                    \
        return p + q;                                                                                        \
    }
#define SET(n, level, text, third, D, S)                                                                     \
    CASE(n, level, D, "{ .reg .pred c; setp.ne.u32 c, %3, 0; " text " %0, %1, %2" third "; }"                \
                      : TO_##D(d) : FROM_##S(o.a), FROM_##S(o.b), "r"(o.c))
#define SLCT(n, level, text, D)                                                                              \
    CASE(n, level, D, text " %0, %1, %2, %3;" : TO_##D(d) : FROM_##D(o.a), FROM_##D(o.b), FROM_R(o.c))
#define MAXMIN(n, level, text, D)                                                                            \
    CASE(n, level, D, text " %0, %1, %2;" : TO_##D(d) : FROM_##D(o.a), FROM_##D(o.b))
/* clang-format on */

#include "ptx_truth_forms.inc"
#undef PART
#undef END_PART
#undef CVT1
#undef CVT2
#undef CVT2R
#undef CVT4R
#undef CVT1S
#undef CVT2S
#undef SETP
#undef SET
#undef SLCT
#undef MAXMIN

/* ---- device: operands, digests, specials ---- */

/** The operands of instruction number i, or of special instruction number i. */
static __device__ __noinline__ operands fetch(const truth_shape &shape, uint64_t i, bool special) {
    operands o = {};
    truth_pair pair = {0, 0};
    const uint64_t unit = i * shape.units_in;
    if (shape.family == TRUTH_CVT) {
        uint64_t units[4] = {0, 0, 0, 0};
        for (unsigned k = 0; k < shape.units_in; k++) {
            units[k] = special ? truth_special(&shape, (unsigned)unit + k) : truth_operand(&shape, unit + k);
        }
        /* A pair is b, a and four are f, e, b, a, from the lowest element to the highest. */
        o.a = units[shape.units_in - 1];
        o.b = units[shape.units_in == 4 ? 2 : 0];
        o.e = units[1];
        o.f = units[0];
        o.random = truth_random(&shape, i);
        o.scales = truth_scales(&shape, i);
        return o;
    }
    if (shape.family == TRUTH_SLCT) {
        pair = truth_choice(i);
        o.c = (unsigned)(special ? truth_special(&shape, (unsigned)i) : truth_operand(&shape, i));
    } else {
        pair = special ? truth_special_pair(&shape, (unsigned)i) : truth_operands(&shape, i);
        o.c = (unsigned)((special ? truth_predicates(0) : truth_predicates(i / 64)) >> i % 64 & 1);
    }
    o.a = pair.a;
    o.b = pair.b;
    return o;
}

static __device__ void add_up(uint64_t sum, unsigned long long *digest) {
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffffU, sum, distance);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(digest, (unsigned long long)sum);
}

/** Every thread makes whole 64-bit words of results; instruction `first` gives the lowest bits of word 0. */
template <class Part>
__global__ void digest_block(unsigned form, truth_shape shape, uint64_t first, uint64_t words,
                             unsigned long long *digest) {
    const unsigned each = 64 / shape.result_bits;
    const bool predicates = shape.family == TRUTH_SETP;
    uint64_t sum = 0;
    for (uint64_t j = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; j < words;
         j += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t word = 0, second = 0;
        for (unsigned k = 0; k < each; k++) {
            const uint64_t result = Part::run(form, fetch(shape, first + j * each + k, false));
            word |= (result & truth_all_bits(shape.result_bits)) << k * shape.result_bits;
            if (predicates) second |= (result >> 1) << k;
        }
        sum += predicates ? truth_term(word, 2 * j) + truth_term(second, 2 * j + 1) : truth_term(word, j);
    }
    add_up(sum, digest);
}

template <class Part> __global__ void special_results(unsigned form, truth_shape shape, uint64_t *results) {
    const unsigned bits = shape.family == TRUTH_SETP ? 2 : shape.result_bits;
    if (threadIdx.x < truth_special_count(&shape))
        results[threadIdx.x] = Part::run(form, fetch(shape, threadIdx.x, true)) & truth_all_bits(bits);
}

/* ---- host ---- */

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static const unsigned threads = 256, most_blocks = 2048;

/** A part of a family, whose forms are run by the same kernels. */
struct part {
    void (*digest)(unsigned form, const truth_shape &shape, uint64_t first, uint64_t words, uint64_t *digest);
    void (*special)(unsigned form, const truth_shape &shape, uint64_t *results);
};

template <class Part>
static void launch_digest(unsigned form, const truth_shape &shape, uint64_t first, uint64_t words,
                          uint64_t *digest) {
    const uint64_t wanted = (words + threads - 1) / threads;
    const unsigned grid = wanted < most_blocks ? (unsigned)wanted : most_blocks;
    digest_block<Part><<<grid, threads>>>(form, shape, first, words, (unsigned long long *)digest);
}

template <class Part> static void launch_special(unsigned form, const truth_shape &shape, uint64_t *results) {
    special_results<Part><<<1, 64>>>(form, shape, results);
}

#define CVT1(n, level, text, D, S)
#define CVT2(n, level, text, D)
#define CVT2R(n, level, text, D)
#define CVT4R(n, level, text, D)
#define CVT1S(n, level, text, D, S, X)
#define CVT2S(n, level, text, D, X)
#define SETP(n, level, text, third, S, Q)
#define SET(n, level, text, third, D, S)
#define SLCT(n, level, text, D)
#define MAXMIN(n, level, text, D)
#define PART(family, k) {launch_digest<family##_##k>, launch_special<family##_##k>},
#define END_PART(family, k)
static const part parts[] = {
#include "ptx_truth_forms.inc"
};
#undef CVT1
#undef CVT2
#undef CVT2R
#undef CVT4R
#undef CVT1S
#undef CVT2S
#undef SETP
#undef SET
#undef SLCT
#undef MAXMIN
#undef PART
#undef END_PART

/** A form of the list: its number in its family, its level, the operand c with its comma. */
struct listed {
    unsigned number, level;
    const char *text, *third;
};

#define CVT1(n, level, text, D, S)        {n, level, text, ""},
#define CVT2(n, level, text, D)           {n, level, text, ""},
#define CVT2R(n, level, text, D)          {n, level, text, ""},
#define CVT4R(n, level, text, D)          {n, level, text, ""},
#define CVT1S(n, level, text, D, S, X)    {n, level, text, ""},
#define CVT2S(n, level, text, D, X)       {n, level, text, ""},
#define SETP(n, level, text, third, S, Q) {n, level, text, third},
#define SET(n, level, text, third, D, S)  {n, level, text, third},
#define SLCT(n, level, text, D)           {n, level, text, ""},
#define MAXMIN(n, level, text, D)         {n, level, text, ""},
#define PART(family, k)
#define END_PART(family, k)
static const listed list[] = {
#include "ptx_truth_forms.inc"
};

/** What the file's head says of the machine. */
struct machine {
    std::string chip, target, driver, cuda;
    unsigned levels; /* as bits */
};

static std::string driver_release() {
    char line[256] = "unknown";
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (file && fgets(line, sizeof line, file)) line[strcspn(line, "\n")] = 0;
    if (file) fclose(file);
    return line;
}

static machine look() {
    machine m;
    cudaDeviceProp properties;
    int driver = 0;
    unsigned *levels;
    check(cudaGetDeviceProperties(&properties, 0), "no GPU");
    check(cudaDriverGetVersion(&driver), "driver");
    check(cudaMalloc((void **)&levels, sizeof *levels), "memory");
    tell_levels<<<1, 1>>>(levels);
    check(cudaGetLastError(), "compiled for another -arch than this GPU's");
    check(cudaMemcpy(&m.levels, levels, sizeof m.levels, cudaMemcpyDeviceToHost), "levels");
    check(cudaFree(levels), "memory");
    m.chip = properties.name;
    m.target = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
    m.driver = driver_release() + "; CUDA " + std::to_string(driver);
    m.cuda = std::to_string(CUDART_VERSION);
    return m;
}

/** Device memory for the digests of a form and for its specials. */
struct scratch {
    uint64_t *digests, *results;
};

static void write_digests(FILE *file, const part &p, const listed &form, const truth_shape &shape,
                          uint64_t *device) {
    const uint64_t blocks = (uint64_t)1 << (shape.log2_units - shape.log2_block);
    const uint64_t instructions = ((uint64_t)1 << shape.log2_block) / shape.units_in;
    std::vector<uint64_t> digests(blocks);
    check(cudaMemset(device, 0, blocks * sizeof *device), form.text);
    for (uint64_t block = 0; block < blocks; block++) {
        p.digest(form.number, shape, block * instructions, instructions * shape.result_bits / 64,
                 device + block);
    }
    check(cudaGetLastError(), form.text);
    check(cudaMemcpy(digests.data(), device, blocks * sizeof *device, cudaMemcpyDeviceToHost), form.text);
    for (uint64_t block = 0; block < blocks; block++) {
        fprintf(file, " %llx:%016llx", (unsigned long long)block, (unsigned long long)digests[block]);
    }
}

static void write_specials(FILE *file, const part &p, const listed &form, const truth_shape &shape,
                           uint64_t *device) {
    uint64_t results[TRUTH_SPECIALS];
    const unsigned count = truth_special_count(&shape);
    const int digits = (int)(shape.result_bits + 3) / 4;
    p.special(form.number, shape, device);
    check(cudaGetLastError(), form.text);
    check(cudaMemcpy(results, device, count * sizeof *results, cudaMemcpyDeviceToHost), form.text);
    fputs(" special", file);
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, " %0*llx", digits, (unsigned long long)results[i]);
    }
}

static void write_form(FILE *file, const part &p, const listed &form, const truth_shape &shape,
                       const scratch &memory) {
    const char *third = form.third[0] ? form.third + 1 : ""; /* " c" */
    fprintf(file, "%s%s units %u block %u", form.text, third, shape.log2_units, shape.log2_block);
    write_digests(file, p, form, shape, memory.digests);
    write_specials(file, p, form, shape, memory.results);
    fputc('\n', file);
}

static FILE *open_file(const char *directory, const char *family, const machine &m) {
    const std::string path = std::string(directory) + "/" + family + "-" + m.target + ".txt";
    FILE *file = fopen(path.c_str(), "w");
    if (!file) {
        perror(path.c_str());
        exit(1);
    }
    fprintf(file, "# format %s\n# family %s\n# chip %s, %s\n# driver %s\n# cuda %s\n", TRUTH_FORMAT, family,
            m.chip.c_str(), m.target.c_str(), m.driver.c_str(), m.cuda.c_str());
    printf("%s\n", path.c_str());
    return file;
}

int main(int argc, char **argv) {
    static const char *const families[] = {"cvt", "setp", "set", "slct", "maxmin"};
    enum { MOST_DIGESTS = 1 << 10, PART_SIZE = 64 };
    FILE *file = nullptr;
    size_t next_part = 0, left_out = 0;
    scratch memory;
    const machine m = look();

    if (argc != 2) {
        fputs("usage: ptx_truth FOLDER\n", stderr);
        return 1;
    }
    check(cudaMalloc((void **)&memory.digests, MOST_DIGESTS * sizeof(uint64_t)), "memory");
    check(cudaMalloc((void **)&memory.results, TRUTH_SPECIALS * sizeof(uint64_t)), "memory");
    for (const listed &form : list) {
        truth_shape shape;
        if (!truth_shape_of(form.text, &shape)) {
            fprintf(stderr, "%s?\n", form.text);
            return 1;
        }
        if (form.number % PART_SIZE == 0) next_part++;
        if (form.number == 0) {
            if (file) fclose(file);
            file = open_file(argv[1], families[shape.family], m);
        }
        if ((m.levels >> form.level & 1) != 0)
            write_form(file, parts[next_part - 1], form, shape, memory);
        else
            left_out++;
    }
    if (file && fclose(file) != 0) return 1;
    printf("%zu forms are not of this target, or not known to CUDA %s\n", left_out, m.cuda.c_str());
    return 0;
}
