/* SPDX-License-Identifier: MIT */
/* Fuzz target for libFuzzer: programs of PTX and PTO, and kernels of PTO. A program runs over a number of lanes that
 * depends on the text, with options and input values that also depend on it. A second run must give the same values.
 * For a text that is not a program, the error must have a position in the text and a reason. */
#include "suite/fuzz_text.h"

#include <pto/module.h>
#include <pto/pto.h>

#include <stdlib.h>
#include <string.h>

/* Numbers around the sizes of PTO's registers and of the blocks in which a program processes lanes. */
static const size_t lane_counts[] = {0, 1, 3, 32, 63, 64, 65, 128, 192, 256, 2047, 2048, 2049, 4160};
enum { LANE_COUNTS = sizeof lane_counts / sizeof lane_counts[0], MOST_REGISTERS = 1000, MOST_STEPS = 5000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t bytes_of(pto_dtype type, size_t n) {
    return (n * pto_dtype_bits(type) + 7) / 8;
}

/* Returns the number of elements to bind to a register: in kernels 1 for a scalar and any for an array, else 1 for
 * every other register, which then has the same value in all lanes. */
static size_t elements_of(const pto_program_register *reg, size_t i, size_t lanes, uint64_t *seed) {
    static const size_t sizes[] = {4096, 4096, 4096, 4096,
                                   4096, 4095, 64,   0}; /* kernels of the corpus copy 4096 bytes */
    if (reg->memory) return sizes[fuzz_random(seed) % (sizeof sizes / sizeof sizes[0])];
    return i % 2 ? 1 : lanes * reg->each;
}

/* Binds all inputs, some as bytes instead of elements. */
static void bind_inputs(pto_program *program, void **memory, size_t count, size_t lanes, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        pto_program_register reg, named;
        pto_dtype type;
        size_t n;
        fuzz_require(pto_program_register_at(program, i, &reg) == PTO_OK);
        fuzz_require(pto_program_register_named(program, reg.name, &named) == PTO_OK);
        if (!reg.input) continue;
        n = elements_of(&reg, i, lanes, &seed);
        type = pto_dtype_bits(reg.type) >= 8 && fuzz_random(&seed) % 4 == 0 ? PTO_U8 : reg.type;
        if (type == PTO_U8) n = bytes_of(reg.type, n);
        memory[i] =
            n == 1 ? fuzz_new_scalar(bytes_of(type, n), &seed) : fuzz_new_bytes(bytes_of(type, n), &seed);
        /* If two registers have the same name, the call binds the first of them, which need not be an input. */
        fuzz_require(pto_program_bind(program, reg.name, type, memory[i], n) != PTO_ERR_NULL);
    }
}

/* Returns a hash of all values that can be read after a run. */
static uint64_t hash_values(const pto_program *program, size_t count) {
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        pto_program_register reg;
        pto_dtype type;
        const void *data;
        size_t n;
        fuzz_require(pto_program_register_at(program, i, &reg) == PTO_OK);
        if (pto_program_value(program, reg.name, &type, &data, &n) != PTO_OK) continue;
        for (size_t k = 0; k < bytes_of(type, n); k++)
            hash = (hash ^ ((const unsigned char *)data)[k]) * 1099511628211U;
    }
    return hash;
}

/* Returns whether the program is a kernel, of which `lanes` are blocks. */
static bool has_memory(const pto_program *program, size_t count) {
    pto_program_register reg;
    for (size_t i = 0; i < count; i++)
        if (pto_program_register_at(program, i, &reg) == PTO_OK && reg.memory) return true;
    return false;
}

static void run(pto_program *program, uint64_t seed) {
    const size_t count = pto_program_register_count(program);
    const size_t lanes = has_memory(program, count) ? seed / 2 % 4 : lane_counts[seed / 2 % LANE_COUNTS];
    void **memory = calloc(count + 1, sizeof *memory);
    uint64_t hash;
    pto_status status;
    fuzz_require(memory != NULL);
    if (count < MOST_REGISTERS) bind_inputs(program, memory, count, lanes, seed);
    status = pto_program_run(program, lanes);
    fuzz_require(status == PTO_OK || pto_program_problem(program)->text[0] != 0);
    fuzz_require(status == PTO_OK || status == PTO_ERR_PARSE || status == PTO_ERR_SIZE ||
                 status == PTO_ERR_STOPPED);
    if (count < MOST_REGISTERS) {
        hash = hash_values(program, count);
        fuzz_require(pto_program_run(program, lanes) == status);
        fuzz_require(hash_values(program, count) == hash);
    }
    pto_program_free(program);
    for (size_t i = 0; i < count; i++) fuzz_free_bytes(memory[i]);
    free(memory);
}

/* Returns options that depend on the seed. */
static pto_program_options options_of(uint64_t seed) {
    static const char *const keep[] = {"d", "%d", "%y"};
    pto_program_options options = {.max_steps = MOST_STEPS};
    options.profile = seed / 2 % 2 ? PTO_PROFILE_A5 : PTO_PROFILE_PTX;
    options.vmi_compare = seed / 4 % 2 ? PTO_VMI_COMPARE_PAGE : PTO_VMI_COMPARE_CHIP;
    options.recorded = seed / 8 % 2;
    options.strict = seed / 16 % 4 == 0;
    if (seed % 2) options.trace = fuzz_count_bytes;
    if (seed / 64 % 8 == 0) {
        options.keep = keep;
        options.keep_count = sizeof keep / sizeof keep[0];
    }
    return options;
}

/* Lists the kernels of a PTO text. If the text is a program, it has no problem. */
static void survey(const char *text, bool is_program) {
    const pto_program_options options = {.language = PTO_PROGRAM_PTO, .survey = true};
    pto_program_error error;
    pto_module *module = pto_module_new(text, options, &error);
    pto_instruction_use use;
    pto_kernel kernel;
    if (!module) fuzz_check_error(text, &error);
    for (size_t i = 0; pto_module_kernel_at(module, i, &kernel) == PTO_OK; i++) {
        fuzz_require(!is_program || !kernel.problem);
        for (size_t k = 0; pto_module_use_at(module, i, k, &use) == PTO_OK; k++) {
            fuzz_require(use.name[0] != 0 && use.count != 0);
            if (use.problem) fuzz_check_error(text, use.problem);
        }
    }
    pto_module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pto_program_error error;
    pto_program *program;
    unsigned sum = 0;
    uint64_t seed;
    char *text = fuzz_text(data, size, &seed);
    pto_program_options options = options_of(seed >> 32);
    options.user = &sum;
    program = pto_program_new(text, options, &error);
    survey(text, program != NULL);
    if (program) {
        fuzz_keep_valid_text(text);
        if (seed % 4 == 0) (void)!pto_program_kernel(program, "two");
        run(program, seed);
    } else {
        fuzz_check_error(text, &error);
    }
    free(text);
    return 0;
}
