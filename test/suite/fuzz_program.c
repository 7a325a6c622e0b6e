/* SPDX-License-Identifier: MIT */
/* Fuzz target for libFuzzer: programs in text form. A program runs over a number of lanes that depends on the
 * text, with its inputs bound to bytes that also depend on it. For a text that is not a program, the error must
 * have a position in the text and a reason. */
#include <pto/module.h>
#include <pto/program.h>

#include <pto/pto.h>

#include <stdlib.h>
#include <string.h>

/* Numbers around the sizes of PTO's registers and of the blocks in which a program processes lanes. */
static const size_t lane_counts[] = {0, 1, 3, 32, 63, 64, 65, 128, 192, 256, 2047, 2048, 2049, 4160};
enum { LANE_COUNTS = sizeof lane_counts / sizeof lane_counts[0] };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) abort();
}

/* Checks that the error's position is in the text and that the error's word is at that position. */
static void check_error(const char *text, const pto_program_error *error) {
    const char *line = text;
    size_t length;
    require(error->text[0] != 0 && memchr(error->text, 0, sizeof error->text) != NULL);
    require(strchr(error->text, '\n') == NULL);
    require(error->line >= 1 && error->column >= 1);
    for (size_t i = 1; i < error->line; i++) {
        line = strchr(line, '\n');
        require(line++ != NULL);
    }
    require(memchr(error->word, 0, sizeof error->word) != NULL);
    length = strcspn(error->word, "#"); /* the word may be %r#0 where the text has %r:2 */
    require(error->column - 1 <= strcspn(line, "\n"));
    require(memcmp(line + error->column - 1, error->word, length) == 0);
    require(length != 0 || line[error->column - 1] == 0);
}

/* Returns exactly `size` bytes, so that a sanitizer detects an access past their end. */
static void *bytes_for(size_t size, uint64_t *seed) {
    unsigned char *bytes = malloc(size);
    require(bytes != NULL);
    for (size_t i = 0; i < size; i++) {
        *seed = *seed * 6364136223846793005U + 1442695040888963407U;
        bytes[i] = (unsigned char)(*seed >> 56);
    }
    return bytes;
}

static size_t bytes_of(pto_dtype type, size_t n) {
    return (n * pto_dtype_bits(type) + 7) / 8;
}

static void count_bytes(void *user, const pto_program_step *step) {
    const unsigned char *data = step->data;
    const size_t bytes = bytes_of(step->type, step->lanes);
    require(step->line >= 1 && step->name != NULL && step->lanes != 0);
    for (size_t i = 0; i < bytes; i++) *(unsigned *)user += data[i];
}

/* Binds all inputs; every other one is a scalar. */
static void bind_inputs(pto_program *program, void **memory, size_t count, size_t lanes, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        pto_program_register reg, named;
        size_t n;
        require(pto_program_register_at(program, i, &reg) == PTO_OK);
        require(pto_program_register_named(program, reg.name, &named) == PTO_OK);
        if (!reg.input) continue;
        n = i % 2 ? 1 : lanes * reg.each;
        memory[i] = bytes_for(bytes_of(reg.type, n), &seed);
        /* If two registers have the same name, the call binds the first of them, which need not be an input. */
        require(pto_program_bind(program, reg.name, reg.type, memory[i], n) != PTO_ERR_NULL);
    }
}

static void look_at(const pto_program *program, size_t count, unsigned *sum) {
    for (size_t i = 0; i < count; i++) {
        pto_program_register reg;
        pto_dtype type;
        const void *data;
        size_t n;
        require(pto_program_register_at(program, i, &reg) == PTO_OK);
        if (pto_program_value(program, reg.name, &type, &data, &n) != PTO_OK) continue;
        for (size_t k = 0; k < bytes_of(type, n); k++) *sum += ((const unsigned char *)data)[k];
    }
}

static void run(pto_program *program, uint64_t seed) {
    const size_t count = pto_program_register_count(program);
    const size_t lanes = lane_counts[seed / 2 % LANE_COUNTS];
    void **memory = calloc(count + 1, sizeof *memory);
    unsigned sum = 0;
    pto_status status;
    require(memory != NULL);
    if (count < 1000) bind_inputs(program, memory, count, lanes, seed);
    status = pto_program_run(program, lanes);
    require(status == PTO_OK || pto_program_problem(program)->text[0] != 0);
    require(status == PTO_OK || status == PTO_ERR_PARSE || status == PTO_ERR_SIZE);
    if (count < 1000) look_at(program, count, &sum);
    pto_program_free(program);
    for (size_t i = 0; i < count; i++) free(memory[i]);
    free(memory);
}

/* Lists the kernels of a PTO text. If the text is a program, it has no problem. */
static void survey(const char *text, bool is_program) {
    const pto_program_options options = {.language = PTO_PROGRAM_PTO, .survey = true};
    pto_program_error error;
    pto_module *module = pto_module_new(text, options, &error);
    pto_instruction_use use;
    pto_kernel kernel;
    if (!module) check_error(text, &error);
    for (size_t i = 0; pto_module_kernel_at(module, i, &kernel) == PTO_OK; i++) {
        require(!is_program || !kernel.problem);
        for (size_t k = 0; pto_module_use_at(module, i, k, &use) == PTO_OK; k++) {
            require(use.name[0] != 0 && use.count != 0);
            if (use.problem) check_error(text, use.problem);
        }
    }
    pto_module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pto_program_error error;
    pto_program *program;
    unsigned sum = 0;
    uint64_t seed = size;
    pto_program_options options = {.user = &sum};
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size != 0) memcpy(text, data, size);
    text[size] = 0;
    for (size_t i = 0; i < size; i++) seed = (seed ^ data[i]) * 1099511628211U;
    if (seed % 2) options.trace = count_bytes;
    program = pto_program_new(text, options, &error);
    survey(text, program != NULL);
    if (program)
        run(program, seed);
    else
        check_error(text, &error);
    free(text);
    return 0;
}
