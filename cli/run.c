/* SPDX-License-Identifier: MIT */
/* pto run: runs a program on arrays from files. */
#include "arrays.h"
#include "instruction.h"
#include "script.h"
#include "words.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PREVIEW_LANES = 8 }; /* the number of lanes that are printed */

/* The values of the first lanes of a register, after the last instruction that wrote to it. */
struct preview {
    const char *name; /* the string in the program; its address identifies the register */
    unsigned char data[PREVIEW_LANES * 8];
};

struct run_state {
    const char *path;
    struct arrays arrays;
    bool trace, verify;
    bool is_printing; /* whether to print the trace of this run */
    pto_program_options options;
    const char *kernel; /* the name of the kernel to run, if the text has several; otherwise NULL */
    size_t blocks;
    char keep[2 * MAX_ARRAYS][66]; /* for each output its name as given, and with % in front */
    pto_program *program;
    char *text;
    void *previews; /* a tree of <search.h> with entries of type struct preview */
};

static bool report(const char *name, const char *what) {
    report_error(&command_run, "%s: %s", name, what);
    return false;
}

/* ---- results ---- */

static int compare_addresses(const void *a, const void *b) {
    const struct preview *const x = a, *const y = b;
    /* Addresses often arrive in rising order, which would make a list of an unbalanced tree. The odd factor scatters
     * them and keeps them different. */
    const uintptr_t m = (uintptr_t)x->name * 0x9e3779b1u, n = (uintptr_t)y->name * 0x9e3779b1u;
    return (m > n) - (m < n);
}

static const struct preview *find_preview(const struct run_state *state, const char *name) {
    const struct preview key = {.name = name};
    void *const *found = tfind(&key, &state->previews, compare_addresses);
    return found == NULL ? NULL : *found;
}

static struct preview *add_preview(struct run_state *state, const char *name) {
    struct preview *const g = calloc(1, sizeof *g);
    if (g == NULL) out_of_memory();
    g->name = name;
    if (tsearch(g, &state->previews, compare_addresses) == NULL) out_of_memory();
    return g;
}

static size_t preview_count(size_t n) {
    return n < PREVIEW_LANES ? n : PREVIEW_LANES;
}

/* The program calls this with each result of each block of lanes. Stores and prints those of the first block, which has
 * all lanes that are printed. */
static void trace_callback(void *user, const pto_program_step *step) {
    struct run_state *const state = user;
    const size_t shown = preview_count(step->lanes);
    struct preview *g;
    pto_program_register r;
    if (step->first != 0) return;
    g = (struct preview *)find_preview(state, step->name);
    if (g == NULL) g = add_preview(state, step->name);
    memcpy(g->data, step->data, (shown * pto_dtype_bits(step->type) + 7) / 8);
    if (!state->is_printing) return;
    printf("%4zu  ", step->line);
    script_lanes(step->name, step->type,
                 pto_program_register_named(state->program, step->name, &r) == PTO_OK && r.predicate, g->data,
                 shown, step->lanes > PREVIEW_LANES);
}

/* Returns whether the program is a kernel, which has arrays in memory. */
static bool is_kernel(const struct run_state *state) {
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(state->program, i, &r) == PTO_OK; ++i)
        if (r.memory) return true;
    return state->kernel != NULL;
}

/* Prints the first elements of the arrays that a kernel stores to. */
static void print_memory(const struct run_state *state) {
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(state->program, i, &r) == PTO_OK; ++i) {
        const void *data;
        pto_dtype type;
        size_t n;
        if (!r.memory || !r.result || pto_program_value(state->program, r.name, &type, &data, &n) != PTO_OK)
            continue;
        n -= state->arrays.padding * 8 / pto_dtype_bits(type);
        script_lanes(r.name, type, false, data, preview_count(n), n > PREVIEW_LANES);
    }
}

static void print_results(const struct run_state *state) {
    static const struct preview nothing;
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(state->program, i, &r) == PTO_OK; ++i) {
        const struct preview *const g = find_preview(state, r.name);
        const size_t n = state->arrays.lanes * r.each;
        if (r.result)
            script_lanes(r.name, r.type, r.predicate, g != NULL ? g->data : nothing.data,
                         g != NULL ? preview_count(n) : 0, n > PREVIEW_LANES);
    }
}

static bool give_results(const struct run_state *state) {
    if (state->arrays.outputs != 0) return arrays_write(&state->arrays, state->program);
    if (is_kernel(state))
        print_memory(state);
    else
        print_results(state);
    return true;
}

static void free_previews(struct run_state *state) {
    while (state->previews != NULL) {
        struct preview *const root = *(struct preview **)state->previews;
        (void)tdelete(root, &state->previews, compare_addresses);
        free(root);
    }
}

/* ---- comparing the results of all backends ---- */

struct copy {
    void *data;
    size_t bytes;
};

static bool value_bytes(const struct run_state *state, const pto_program_register *r, const void **data,
                        size_t *bytes) {
    pto_dtype type;
    size_t n;
    if (!r->result || pto_program_value(state->program, r->name, &type, data, &n) != PTO_OK) return false;
    *bytes = n * pto_dtype_bits(type) / 8;
    return true;
}

static struct copy *copy_results(const struct run_state *state) {
    const size_t count = pto_program_register_count(state->program);
    struct copy *copies = calloc(count + 1, sizeof *copies);
    if (copies == NULL) out_of_memory();
    for (size_t i = 0; i < count; ++i) {
        pto_program_register r;
        const void *data;
        if (pto_program_register_at(state->program, i, &r) != PTO_OK ||
            !value_bytes(state, &r, &data, &copies[i].bytes))
            continue;
        copies[i].data = malloc(copies[i].bytes + 1);
        if (copies[i].data == NULL) out_of_memory();
        memcpy(copies[i].data, data, copies[i].bytes);
    }
    return copies;
}

static void free_copies(const struct run_state *state, struct copy *copies) {
    for (size_t i = 0; i < pto_program_register_count(state->program); ++i) free(copies[i].data);
    free(copies);
}

static bool same_results(const struct run_state *state, const struct copy *copies, pto_isa isa) {
    bool same = true;
    for (size_t i = 0; i < pto_program_register_count(state->program); ++i) {
        pto_program_register r;
        const void *data;
        size_t bytes;
        if (copies[i].data == NULL || pto_program_register_at(state->program, i, &r) != PTO_OK ||
            !value_bytes(state, &r, &data, &bytes) || memcmp(data, copies[i].data, bytes) == 0)
            continue;
        printf("%s: %s differs from scalar\n", pto_isa_name(isa), r.name);
        same = false;
    }
    return same;
}

static bool run_on(struct run_state *state, pto_isa isa, bool prints) {
    const pto_program_error *problem;
    pto_status status = pto_isa_use(isa);
    if (status != PTO_OK) return report(pto_isa_name(isa), pto_strerror(status));
    state->is_printing = state->trace && prints;
    if (state->is_printing && state->verify) printf("%s:\n", pto_isa_name(isa));
    status = pto_program_run(state->program, is_kernel(state) ? state->blocks : state->arrays.lanes);
    if (status == PTO_OK) return true;
    problem = pto_program_problem(state->program);
    script_problem(state->path, state->text, problem);
    if (status == PTO_ERR_PARSE && *problem->word == '\0')
        fprintf(stderr, "       expected --kernel NAME\n");
    else if (status == PTO_ERR_PARSE) /* an input is not bound */
        fprintf(stderr, "       expected -i %s=FILE.npy, -i %s=%s or -i %s=VALUE\n", problem->word,
                problem->word, is_kernel(state) ? "zeros:TYPE:N" : "FILE.safetensors:TENSOR", problem->word);
    return false;
}

/* Runs with one instruction set and compares its results with those of scalar. Returns false if the run fails. */
static bool verify_on(struct run_state *state, pto_isa isa, const struct copy *expected, bool *same) {
    bool is_same;
    if (!run_on(state, isa, isa != PTO_ISA_SCALAR)) return false;
    is_same = same_results(state, expected, isa);
    if (is_same) fprintf(stderr, "verified on %s\n", pto_isa_name(isa));
    *same = *same && is_same;
    return true;
}

/* Verifies all instruction sets. The instruction set in use runs last, so that its results are written to
 * files. */
static bool verify_on_all(struct run_state *state, pto_isa in_use, const struct copy *expected, bool *same) {
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa)
        if (pto_isa_available(isa) && isa != in_use && isa != PTO_ISA_SCALAR &&
            !verify_on(state, isa, expected, same))
            return false;
    return verify_on(state, in_use, expected, same);
}

static int verify(struct run_state *state) {
    const pto_isa in_use = pto_isa_active();
    struct copy *expected;
    bool same = true, ran;
    if (!run_on(state, PTO_ISA_SCALAR, true)) return STATUS_ERROR;
    expected = copy_results(state);
    ran = verify_on_all(state, in_use, expected, &same);
    free_copies(state, expected);
    if (!ran) return STATUS_ERROR;
    return same ? STATUS_OK : STATUS_DIFFERENT;
}

/* ---- the command ---- */

/* Parses the program. After a run the program keeps the values of the outputs, or with --verify and without
 * outputs the values of all results. */
static pto_program *parse(struct run_state *state, const char **keep) {
    const struct arrays *const a = &state->arrays;
    pto_program_options options = state->options;
    options.trace = trace_callback;
    options.user = state;
    if (a->outputs != 0 && !state->trace) options.trace = NULL;
    if (a->outputs != 0 || !state->verify) {
        for (size_t i = 0; i < a->outputs; ++i) {
            snprintf(state->keep[2 * i], sizeof state->keep[0], "%s", a->output[i].name);
            snprintf(state->keep[2 * i + 1], sizeof state->keep[0], "%%%s", a->output[i].name);
            keep[2 * i] = state->keep[2 * i];
            keep[2 * i + 1] = state->keep[2 * i + 1];
        }
        options.keep = keep;
        options.keep_count = 2 * a->outputs;
    }
    return script_parse(state->path, state->text, options);
}

/* Reports an option that is only for kernels if the text has none, and the reverse. */
static bool check_options(const struct run_state *state) {
    if (is_kernel(state) && state->arrays.lanes_given)
        return report("--lanes", "expected --blocks instead, because this text has a kernel");
    if (!is_kernel(state) && state->blocks != 1)
        return report("--blocks", "expected --lanes instead, because this text has no kernel");
    return true;
}

/* Returns whether a run computes something: the text has a kernel, or an instruction that writes a register. */
static bool has_results(const struct run_state *state) {
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(state->program, i, &r) == PTO_OK; ++i)
        if (r.result) return true;
    return is_kernel(state);
}

static int run_program(struct run_state *state) {
    const char *keep[2 * MAX_ARRAYS];
    int status = STATUS_OK;
    state->text = script_read(&command_run, state->path);
    if (state->text == NULL) return STATUS_ERROR;
    state->program = parse(state, keep);
    if (state->program == NULL) return STATUS_DIFFERENT;
    if (state->kernel != NULL && pto_program_kernel(state->program, state->kernel) != PTO_OK) {
        report(state->kernel, "expected the name of a kernel of this text");
        return STATUS_ERROR;
    }
    if (!check_options(state) || !arrays_check_outputs(&state->arrays, state->program) ||
        !arrays_bind(&state->arrays, state->program))
        return STATUS_ERROR;
    if (state->verify)
        status = verify(state);
    else if (!run_on(state, pto_isa_active(), true))
        return STATUS_ERROR;
    if (!has_results(state)) {
        report(state->path, "nothing to run: the text has no instruction that writes a register");
        return STATUS_DIFFERENT;
    }
    return give_results(state) ? status : STATUS_ERROR;
}

static bool take_lanes(struct run_state *state, const char *text) {
    char *end;
    const unsigned long long lanes = strtoull(text, &end, 10);
    state->arrays.lanes = (size_t)lanes;
    state->arrays.lanes_given = true;
    if (end != text && *end == '\0' && *text != '-') return true;
    return report(text, "expected a number of lanes");
}

static bool take_number(const char *text, size_t least, const char *what, size_t *number) {
    char *end;
    const unsigned long long read = strtoull(text, &end, 10);
    *number = (size_t)read;
    return (end != text && *end == '\0' && *text != '-' && read >= least && read <= SIZE_MAX / 64) ||
           report(text, what);
}

static bool take_comparison(struct run_state *state, const char *text) {
    state->options.vmi_compare = strcmp(text, "page") == 0 ? PTO_VMI_COMPARE_PAGE : PTO_VMI_COMPARE_CHIP;
    if (state->options.vmi_compare == PTO_VMI_COMPARE_PAGE || strcmp(text, "chip") == 0) return true;
    return report(text, "expected chip or page");
}

static bool take_profile(struct run_state *state, const char *text) {
    state->options.profile = strcmp(text, "a5") == 0 ? PTO_PROFILE_A5 : PTO_PROFILE_PTX;
    if (state->options.profile == PTO_PROFILE_A5 || strcmp(text, "ptx") == 0) return true;
    return report(text, "expected ptx or a5");
}

static bool take_isa(const char *text) {
    pto_isa isa;
    return find_isa(&command_run, text, &isa) && pto_isa_use(isa) == PTO_OK;
}

static bool take_option(struct run_state *state, int option) {
    switch (option) {
    case 'i': return arrays_take_input(&state->arrays, optarg);
    case 'o': return arrays_take_output(&state->arrays, optarg);
    case 'l': return take_lanes(state, optarg);
    case 't': state->trace = true; return true;
    case 'v': state->verify = true; return true;
    case 'p': return take_profile(state, optarg);
    case 'a': return take_isa(optarg);
    case 'k': state->kernel = optarg; return true;
    case 'b': return take_number(optarg, 1, "expected a number of blocks", &state->blocks);
    case 'd': return take_number(optarg, 0, "expected a number of bytes", &state->arrays.padding);
    case 's': state->options.strict = true; return true;
    case 'r': state->options.recorded = true; return true;
    case 'c': return take_comparison(state, optarg);
    default: return false;
    }
}

static int run(int argc, char **argv) {
    static const struct option options[] = {{"input", required_argument, NULL, 'i'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"lanes", required_argument, NULL, 'l'},
                                            {"trace", no_argument, NULL, 't'},
                                            {"profile", required_argument, NULL, 'p'},
                                            {"isa", required_argument, NULL, 'a'},
                                            {"verify", no_argument, NULL, 'v'},
                                            {"kernel", required_argument, NULL, 'k'},
                                            {"blocks", required_argument, NULL, 'b'},
                                            {"padding", required_argument, NULL, 'd'},
                                            {"strict", no_argument, NULL, 's'},
                                            {"as-recorded", no_argument, NULL, 'r'},
                                            {"vmi-compare", required_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    static struct run_state state; /* static, because it may be too large for the stack */
    int option, status;
    state.arrays.command = &command_run;
    state.blocks = 1;
    while ((option = next_option(&command_run, argc, argv, options)) != -1)
        if (!take_option(&state, option)) return STATUS_ERROR;
    if (optind == argc)
        return report_error(&command_run, "expected a file with a program, or - for standard input");
    if (optind + 1 < argc) return report_error(&command_run, "%s: expected only one file", argv[optind + 1]);
    state.path = argv[optind];
    status = run_program(&state);
    pto_program_free(state.program);
    free(state.text);
    free_previews(&state);
    arrays_free(&state.arrays);
    return status;
}

const struct command command_run = {
    .name = "run",
    .arguments = "FILE [-i NAME=X.npy|NAME=X.safetensors[:TENSOR]|NAME=VALUE|NAME=zeros:TYPE:N]... [-o "
                 "NAME=Y.npy|...]... [OPTION]...",
    .summary = "runs a program of PTX or PTO lines over arrays",
    .options =
        "  FILE           the program; - is standard input\n"
        "  --input, -i    read a register from a NumPy file, or from a tensor of a safetensors file (give\n"
        "                 its name if there are several); or set all lanes to one value (2.5, nan, 0x3fc0,\n"
        "                 0f3FC00000, {1, 2} for the halves of a word, the lowest first)\n"
        "  --output, -o   write a register to a NumPy file (bf16 and untyped bits as unsigned integers)\n"
        "                 or a safetensors file, which has more types and may hold several registers,\n"
        "                 under their own names or the names after \":\". - is standard output, which\n"
        "                 gets a NumPy file. Without --output, the first lanes of all results are printed\n"
        "  --lanes, -l    the number of lanes; of longer inputs, the first ones are used. The default is\n"
        "                 the length of the longest input\n"
        "  --trace, -t    print the first lanes of each line's result\n"
        "  --profile, -p  ptx or a5; with a5, PTO's \"ne\" on floats is true if an operand is a NaN\n"
        "  --isa, -a      the instruction set to use\n"
        "  --verify, -v   run on every instruction set of this machine, and compare the outputs (without\n"
        "                 --output, all results); exit status 1 if they differ\n"
        "Kernels of PTO, whose arguments are arrays:\n"
        "  -i NAME=zeros:TYPE:N  an array of N zeros\n"
        "  --kernel, -k   the kernel to run, if the text has several\n"
        "  --blocks, -b   the number of blocks, 1 by default\n"
        "  --padding, -d  zero bytes after each array, as an allocation on a device has; outputs drop them\n"
        "  --strict, -s   alignment, unwritten bytes, flags and align values are checked\n"
        "  --as-recorded, -r  overflows of e4m3 and e5m2 give what the vendor's test cases recorded\n"
        "  --vmi-compare, -c  chip or page: which rule VMI's compares follow if an operand is a NaN\n"
        "Exit status 1 if the program is illegal. Outputs replace old files only when all are complete.\n",
    .more_help = instruction_list,
    .example = "printf 'max.f32 y, x, 0f00000000;' | pto run - -i x=-1.5",
    .run = run,
};
