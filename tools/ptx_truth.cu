/* SPDX-License-Identifier: MIT */
/*
 * The program ptx_truth: runs every form of setp, set, selp, slct, cvt, max and min on a GPU, and writes digests of
 * the results to text files. test_truth.c compares these with libpto on a CPU. Run it on a machine with a GPU and
 * CUDA 13, in the root of the repository:
 *
 *     mkdir -p build test/truth
 *     cmake -DDATA=test/data -DOUT=build/ptx_truth_forms.inc -P tools/ptx_truth_forms.cmake
 *     nvcc -std=c++17 -O2 -Ibuild -arch=sm_90 -o build/ptx_truth tools/ptx_truth.cu
 *     build/ptx_truth test/truth
 *     cmake -B build/truth && cmake --build build/truth && ctest --test-dir build/truth -L truth
 *
 * ptx_device.cuh describes the value of -arch. A file FAMILY-CHIP.txt begins with lines "# key value", which include
 * the licence and the origin. Then it has one line for each form:
 *
 *     TEXT [c or !c] units LOG2 block LOG2 sum LOG2 NUMBER:SUM ... special RESULT ...
 *
 * truth_inputs.h defines the inputs and the sums of digests. NUMBER is the hexadecimal number of a sum. RESULT is the
 * result of the instruction on special operands, with NaN payloads; for setp it is one digit, p + 2 q.
 */
#include "ptx_device.cuh"

#include <numeric>
#include <vector>

/* ---- device: operands, digests, specials ---- */

/** Returns the operands of execution i, or the i-th special operands. */
static __device__ __noinline__ ptx_operands fetch(const truth_shape &shape, uint64_t i, bool special) {
    ptx_operands o = {};
    truth_pair pair = {0, 0};
    const uint64_t unit = i * shape.units_in;
    if (shape.family == TRUTH_CVT) {
        uint64_t units[4] = {0, 0, 0, 0};
        for (unsigned k = 0; k < shape.units_in; k++) {
            units[k] = special ? truth_special(&shape, (unsigned)unit + k) : truth_operand(&shape, unit + k);
        }
        o = ptx_sources(units, shape.units_in);
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

/** Adds the sums of all threads of a warp to *digest. */
static __device__ void add_up(uint64_t sum, unsigned long long *digest) {
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffffU, sum, distance);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(digest, (unsigned long long)sum);
}

/** Adds up the digest of a block. Each thread computes whole 64-bit words of results; execution `first` has the
 * lowest bits of word 0. */
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

static const unsigned threads = 256, most_blocks = 2048;

/** The kernels that run the forms of a part of a family. */
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

#define FORM(...)
#define PART(family, k) {launch_digest<family##_##k>, launch_special<family##_##k>},
#define END_PART(family, k)
static const part parts[] = {
#include "ptx_truth_forms.inc"
};
#undef FORM
#undef PART

/** A form of the list: its number in its family, its level, its text, and the operand c with its comma. */
struct listed {
    unsigned number, level;
    const char *text, *third;
};

#define FORM(n, level, text, third, ...) {n, level, text, third},
#define PART(family, k)
static const listed list[] = {
#include "ptx_truth_forms.inc"
};

/** The description of the machine in the head of a file. */
struct machine {
    std::string chip, target, driver, cuda;
    unsigned levels; /* supported levels, a bit for each */
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
    check(cudaGetDeviceProperties(&properties, 0), "no GPU");
    check(cudaDriverGetVersion(&driver), "driver");
    m.levels = levels_here();
    m.chip = properties.name;
    m.target = target_of(properties);
    m.driver = driver_release() + "; CUDA " + std::to_string(driver);
    m.cuda = std::to_string(CUDART_VERSION);
    return m;
}

/** Device memory for the digests of a form and for its special results. */
struct scratch {
    uint64_t *digests, *results;
};

static void write_digests(FILE *file, const part &p, const listed &form, const truth_shape &shape,
                          uint64_t *device) {
    const uint64_t blocks = (uint64_t)1 << (shape.log2_units - shape.log2_block);
    const uint64_t each = (uint64_t)1 << (shape.log2_sum - shape.log2_block);
    const uint64_t instructions = ((uint64_t)1 << shape.log2_block) / shape.units_in;
    std::vector<uint64_t> digests(blocks);
    check(cudaMemset(device, 0, blocks * sizeof *device), form.text);
    for (uint64_t block = 0; block < blocks; block++) {
        p.digest(form.number, shape, block * instructions, instructions * shape.result_bits / 64,
                 device + block);
    }
    check(cudaGetLastError(), form.text);
    check(cudaMemcpy(digests.data(), device, blocks * sizeof *device, cudaMemcpyDeviceToHost), form.text);
    for (uint64_t block = 0; block < blocks; block += each) {
        const uint64_t sum = std::accumulate(&digests[block], &digests[block] + each, (uint64_t)0);
        fprintf(file, " %llx:%016llx", (unsigned long long)(block / each), (unsigned long long)sum);
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
    fprintf(file, "%s%s units %u block %u sum %u", form.text, third, shape.log2_units, shape.log2_block,
            shape.log2_sum);
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
    fprintf(file, "# format %s\n# licence MIT\n# origin written by libpto's tools/ptx_truth.cu\n",
            TRUTH_FORMAT);
    fprintf(file, "# family %s\n# chip %s, %s\n# driver %s\n# cuda %s\n", family, m.chip.c_str(),
            m.target.c_str(), m.driver.c_str(), m.cuda.c_str());
    printf("%s\n", path.c_str());
    return file;
}

int main(int argc, char **argv) {
    static const char *const families[] = {"cvt", "setp", "set", "selp", "slct", "maxmin"};
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
