/* SPDX-License-Identifier: MIT */
/* Fuzz target for libFuzzer: PTX modules. The kernels of a text are launched, over a whole grid and block by block, on
 * arrays whose sizes depend on the text. For a text that is not a module, and for a kernel that is not supported, the
 * error must have a position in the text and a reason. */
#include "suite/fuzz_text.h"

#include <pto/module.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_KERNELS = 4, MOST_PARAMETERS = 16, MOST_STEPS = 1000, MOST_THREADS = 128 };

/* Returns an argument with memory of its own: an array that may be written, an array that may only be read, a null
 * pointer, or a scalar. */
static pto_argument argument_for(const pto_parameter *p, uint64_t *seed) {
    static const size_t sizes[] = {4096, 4096, 4096, 4096,
                                   1000, 64,   4,    0}; /* 4096 are enough for most kernels */
    const size_t size = sizes[fuzz_random(seed) % (sizeof sizes / sizeof sizes[0])];
    const uint64_t kind = fuzz_random(seed) % 16;
    if (!p->pointer) return (pto_argument){.scalar = fuzz_new_scalar(p->bytes, seed), .bytes = p->bytes};
    if (kind == 0) return (pto_argument){0};
    if (kind == 1) return (pto_argument){.input = fuzz_new_bytes(size, seed), .bytes = size};
    return (pto_argument){.memory = fuzz_new_bytes(size, seed), .bytes = size};
}

static void free_argument(const pto_argument *argument) {
    fuzz_free_bytes(argument->scalar);
    fuzz_free_bytes(argument->input);
    fuzz_free_bytes(argument->memory);
}

/* Returns the block that the kernel requires, or one of 1 to 128 threads. */
static pto_dim3 block_of(const pto_kernel *kernel, uint64_t seed) {
    static const pto_dim3 blocks[] = {{1, 1, 1}, {32, 0, 0}, {33, 1, 1}, {8, 4, 2}, {MOST_THREADS, 1, 1}};
    return kernel->block.x ? kernel->block : blocks[seed % (sizeof blocks / sizeof blocks[0])];
}

static void check_status(const pto_module *module, pto_status status) {
    fuzz_require(status == PTO_OK || pto_module_problem(module)->text[0] != 0);
    fuzz_require(status == PTO_OK || status == PTO_ERR_PARSE || status == PTO_ERR_TYPE ||
                 status == PTO_ERR_SIZE || status == PTO_ERR_STOPPED);
}

/* Launches a kernel. Every eighth launch leaves out the last argument. */
static void launch(pto_module *module, const pto_kernel *kernel, uint64_t seed) {
    const pto_dim3 grid = {2, (uint32_t)(seed / 8 % 2), 1}, block = block_of(kernel, seed / 16);
    pto_argument arguments[MOST_PARAMETERS];
    size_t n = kernel->parameter_count;
    if (n > MOST_PARAMETERS) n = MOST_PARAMETERS;
    if (n != 0 && seed % 8 == 0) n--;
    for (size_t i = 0; i < n; i++) arguments[i] = argument_for(&kernel->parameters[i], &seed);
    check_status(module, pto_module_launch(module, kernel->name, grid, block, arguments, n));
    check_status(module, pto_module_launch_blocks(module, kernel->name, grid, block, arguments, n, 1, 1));
    for (size_t i = 0; i < n; i++) free_argument(&arguments[i]);
}

static void check_uses(const char *text, const pto_module *module, size_t kernel) {
    pto_instruction_use use;
    for (size_t i = 0; pto_module_use_at(module, kernel, i, &use) == PTO_OK; i++) {
        fuzz_require(use.name[0] != 0 && use.count != 0 && use.line != 0);
        if (use.problem) fuzz_check_error(text, use.problem);
    }
}

static void use(const char *text, pto_module *module, uint64_t seed) {
    for (size_t i = 0; i < pto_module_kernel_count(module) && i < MOST_KERNELS; i++) {
        pto_kernel kernel;
        fuzz_require(pto_module_kernel_at(module, i, &kernel) == PTO_OK);
        if (kernel.problem) fuzz_check_error(text, kernel.problem);
        check_uses(text, module, i);
        launch(module, &kernel, seed + i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pto_program_error error;
    pto_module *module;
    unsigned sum = 0;
    uint64_t seed;
    pto_program_options options = {.user = &sum, .max_steps = MOST_STEPS};
    char *text = fuzz_text(data, size, &seed);
    if (seed % 4 == 0) options.trace = fuzz_count_bytes;
    options.survey = seed / 4 % 8 == 0;
    module = pto_module_new(text, options, &error);
    if (module) {
        fuzz_keep_valid_text(text);
        fuzz_require(pto_module_share(module, seed / 32 % 512) == PTO_OK);
        use(text, module, seed / 32);
    } else {
        fuzz_check_error(text, &error);
    }
    pto_module_free(module);
    free(text);
    return 0;
}
