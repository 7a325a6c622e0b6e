/* SPDX-License-Identifier: MIT */
/* pto launch: runs a kernel of a PTX module on arrays from files. */
#include "arrays.h"
#include "explain.h"
#include "safe_text.h"
#include "script.h"
#include "value.h"
#include "words.h"

#include <pto/module.h>

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef PTO_NO_THREADS
#    include <pthread.h>
#endif

enum { MAX_THREADS = 256 };

struct launch_state {
    const char *path;
    struct arrays arrays;
    char *text;
    pto_module *module;
    pto_kernel kernel;
    pto_dim3 grid, block;          /* x is 0 if the user did not give them */
    size_t shared, threads, trace; /* trace: number of the thread to print, or SIZE_MAX */
    bool verify;
    pto_argument arguments[MAX_ARRAYS];
    size_t input_of[MAX_ARRAYS]; /* for each parameter the index of its input, or SIZE_MAX */
    unsigned char value[MAX_ARRAYS][8];
};

static bool report(const char *name, const char *what) {
    report_error(&command_launch, "%s: %s", name, what);
    return false;
}

/* ---- kernels and parameters ---- */

static void list_kernel(const pto_kernel *k) {
    puts(k->name);
    explain_parameters(k);
    if (k->problem == NULL) return;
    printf("  not supported: line %zu, column %zu: ", k->problem->line, k->problem->column);
    put_safe_string(stdout, k->problem->word);
    printf(": ");
    put_safe_string(stdout, k->problem->text);
    putchar('\n');
}

static void list_kernels(const struct launch_state *s) {
    pto_kernel k;
    for (size_t i = 0; pto_module_kernel_at(s->module, i, &k) == PTO_OK; ++i) list_kernel(&k);
}

static bool choose_kernel(struct launch_state *s, const char *name) {
    for (size_t i = 0; pto_module_kernel_at(s->module, i, &s->kernel) == PTO_OK; ++i)
        if (name == NULL || strcmp(s->kernel.name, name) == 0) return true;
    return report(name, "the file has no kernel of this name; pto launch FILE lists them");
}

/* Finds a parameter by its name or its number. Returns SIZE_MAX after an error. */
static size_t find_parameter(const struct launch_state *s, const char *name) {
    char *end;
    const unsigned long number = strtoul(name, &end, 10);
    for (size_t i = 0; i < s->kernel.parameter_count; ++i)
        if (strcmp(s->kernel.parameters[i].name, name) == 0) return i;
    if (end != name && *end == '\0' && number < s->kernel.parameter_count) return number;
    report_error(&command_launch, "%s: expected the name or the number of a parameter of %s, which has %zu",
                 name, s->kernel.name, s->kernel.parameter_count);
    return SIZE_MAX;
}

/* ---- inputs ---- */

/* Sets *is_zeros to whether the text begins with "zeros:". If so, reads TYPE and N after that and makes *t an
 * array of N zeros. Returns false after an error. */
static bool read_zeros(const char *text, struct tensor *t, bool *is_zeros) {
    static const char prefix[] = "zeros:";
    const char *const type = text + sizeof prefix - 1, *const colon =
                                                           strchr(text, ':') ? strchr(type, ':') : NULL;
    char name[16] = "", *end;
    unsigned long long n;
    *is_zeros = strncmp(text, prefix, sizeof prefix - 1) == 0;
    if (!*is_zeros) return true;
    if (colon != NULL && (size_t)(colon - type) < sizeof name) memcpy(name, type, (size_t)(colon - type));
    *t = (struct tensor){.dims = 1};
    if (colon == NULL || pto_parse_dtype(name, &t->type, NULL) != PTO_OK)
        return report(text, "expected zeros:TYPE:N, such as zeros:f32:1024");
    n = strtoull(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || n > SIZE_MAX / 16)
        return report(text, "expected zeros:TYPE:N, such as zeros:f32:1024");
    t->n = t->shape[0] = (size_t)n;
    t->data = calloc(1, tensor_bytes(t) + 1);
    if (t->data == NULL) out_of_memory();
    return true;
}

static bool read_file(const char *text, const struct tensor_place *place, struct tensor *t) {
    char error[TENSOR_ERROR_SIZE];
    if (place->name != NULL && *place->name == '\0')
        return report(text, "expected a tensor's name after the ':'");
    return place->format->read(place->path, place->name, t, error) || report(text, error);
}

static bool is_written(const struct launch_state *s, size_t parameter) {
    if (s->kernel.parameters[parameter].written) return true;
    for (size_t i = 0; i < s->arrays.outputs; ++i)
        if (find_parameter(s, s->arrays.output[i].name) == parameter) return true;
    return false;
}

static bool bind_scalar(struct launch_state *s, size_t i, size_t parameter) {
    const pto_parameter *const p = &s->kernel.parameters[parameter];
    const bool is_struct = p->bytes * 8 != pto_dtype_bits(p->type);
    if (is_struct && strcmp(s->arrays.input[i].value, "0") == 0)
        return true; /* no argument: all bytes are 0 */
    if (is_struct || value_read(s->arrays.input[i].value, p->type, s->value[parameter]) == VALUE_INVALID) {
        report_error(&command_launch,
                     "%s: expected a .npy or .safetensors file, zeros:TYPE:N, or a value of type .%s",
                     s->arrays.input[i].value, pto_dtype_name(p->type));
        return false;
    }
    s->arguments[parameter] = (pto_argument){.scalar = s->value[parameter], .bytes = p->bytes};
    return true;
}

static void bind_memory(struct launch_state *s, size_t i, size_t parameter) {
    struct tensor *const t = &s->arrays.tensor[i];
    pto_argument *const a = &s->arguments[parameter];
    *a = (pto_argument){.bytes = tensor_bytes(t)};
    if (is_written(s, parameter))
        a->memory = t->data;
    else
        a->input = t->data;
    if (t->n > s->arrays.lanes) s->arrays.lanes = t->n;
}

static bool bind_input(struct launch_state *s, size_t i) {
    const size_t parameter = find_parameter(s, s->arrays.input[i].name);
    struct tensor_place place;
    bool is_zeros, good;
    if (parameter == SIZE_MAX) return false;
    if (s->input_of[parameter] != SIZE_MAX)
        return report(s->arrays.input[i].name, "this parameter has an input already");
    s->input_of[parameter] = i;
    if (!read_zeros(s->arrays.input[i].value, &s->arrays.tensor[i], &is_zeros)) return false;
    if (!is_zeros && !tensor_place_of(s->arrays.input[i].value, &place)) return bind_scalar(s, i, parameter);
    if (!is_zeros) {
        good = read_file(s->arrays.input[i].value, &place, &s->arrays.tensor[i]);
        free(place.path);
        if (!good) return false;
    }
    bind_memory(s, i, parameter);
    return true;
}

static bool check_outputs(const struct launch_state *s) {
    for (size_t i = 0; i < s->arrays.outputs; ++i) {
        const size_t parameter = find_parameter(s, s->arrays.output[i].name);
        if (s->arguments[parameter].memory == NULL)
            return report(s->arrays.output[i].name,
                          "expected memory for this output, with -i NAME=FILE or -i NAME=zeros:TYPE:N");
    }
    return true;
}

/* Reports the first parameter without an input. */
static bool check_inputs(const struct launch_state *s) {
    for (size_t i = 0; i < s->kernel.parameter_count; ++i) {
        if (s->input_of[i] != SIZE_MAX) continue;
        report_error(
            &command_launch,
            "parameter %zu, %s, has no value: expected -i %zu=FILE.npy, -i %zu=zeros:TYPE:N or -i %zu=VALUE, "
            "where 0 is also the null pointer",
            i, s->kernel.parameters[i].name, i, i, i);
        return false;
    }
    return true;
}

static bool bind_inputs(struct launch_state *s) {
    if (s->kernel.parameter_count > MAX_ARRAYS) return report(s->kernel.name, "it has too many parameters");
    for (size_t i = 0; i < s->arrays.outputs; ++i)
        if (find_parameter(s, s->arrays.output[i].name) == SIZE_MAX) return false;
    for (size_t i = 0; i < MAX_ARRAYS; ++i) s->input_of[i] = SIZE_MAX;
    for (size_t i = 0; i < s->arrays.inputs; ++i)
        if (!bind_input(s, i)) return false;
    return check_outputs(s) && check_inputs(s);
}

/* ---- running ---- */

/* Without --block, the kernel's required block size is used, or 128 threads if it requires no size. Without
 * --grid, there are as many blocks as the largest array needs if each thread handles one element. */
static void complete_geometry(struct launch_state *s) {
    enum { DEFAULT_THREADS = 128 };
    size_t threads, blocks;
    if (s->block.x == 0)
        s->block = s->kernel.block.x != 0 ? s->kernel.block : (pto_dim3){DEFAULT_THREADS, 1, 1};
    threads = (size_t)s->block.x * (s->block.y ? s->block.y : 1) * (s->block.z ? s->block.z : 1);
    if (s->grid.x != 0) return;
    blocks = threads == 0 ? 1 : (s->arrays.lanes + threads - 1) / threads;
    s->grid = (pto_dim3){blocks == 0 ? 1 : blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks, 1, 1};
}

static size_t count_of(const pto_dim3 *dim) {
    return (size_t)dim->x * (dim->y ? dim->y : 1) * (dim->z ? dim->z : 1);
}

/* Returns whether the grid has the thread that --trace names, or there is no --trace. */
static bool check_trace(const struct launch_state *s) {
    const size_t threads = count_of(&s->block);
    if (s->trace == SIZE_MAX || threads == 0 || s->trace / threads < count_of(&s->grid)) return true;
    report_error(&command_launch, "--trace %zu: expected the number of a thread of the grid, below %zu",
                 s->trace, threads * count_of(&s->grid));
    return false;
}

/* Prints the result of an instruction in the thread that --trace names. */
static void trace_callback(void *user, const pto_program_step *step) {
    const struct launch_state *const s = user;
    const size_t at = s->trace - step->first, bits = pto_dtype_bits(step->type);
    if (s->trace < step->first || at >= step->lanes ||
        (step->active != NULL && !pto_mask_get(pto_packed_in(step->active), at)))
        return;
    printf("%4zu  ", step->line);
    script_lanes(step->name, step->type, false, (const unsigned char *)step->data + at * bits / 8, 1, false);
}

/* The blocks of the grid that one thread of this process runs. */
struct share {
    struct launch_state *state;
    size_t first, count;
    pto_status status;
#ifndef PTO_NO_THREADS
    pthread_t thread;
#endif
    bool is_started;
};

static void *run_share(void *user) {
    struct share *const share = user;
    struct launch_state *const s = share->state;
    share->status = pto_module_launch_blocks(s->module, s->kernel.name, s->grid, s->block, s->arguments,
                                             s->kernel.parameter_count, share->first, share->count);
    return NULL;
}

/* Runs a share in a new thread, or in this one on systems without threads. */
static void start_share(struct share *share) {
#ifndef PTO_NO_THREADS
    share->is_started = pthread_create(&share->thread, NULL, run_share, share) == 0;
#endif
    if (!share->is_started) run_share(share);
}

static void wait_for_share(const struct share *share) {
#ifndef PTO_NO_THREADS
    if (share->is_started) pthread_join(share->thread, NULL);
#else
    (void)share;
#endif
}

static pto_status run_threads(struct launch_state *s) {
    const size_t blocks = count_of(&s->grid);
    const size_t each = blocks / s->threads, rest = blocks % s->threads;
    struct share shares[MAX_THREADS] = {0};
    pto_status status = PTO_OK;
    for (size_t i = 0; i < s->threads; ++i) {
        shares[i] =
            (struct share){.state = s, .first = each * i + (i < rest ? i : rest), .count = each + (i < rest)};
        start_share(&shares[i]);
    }
    for (size_t i = 0; i < s->threads; ++i) wait_for_share(&shares[i]);
    for (size_t i = 0; i < s->threads && status == PTO_OK; ++i) status = shares[i].status;
    return status;
}

static bool run_on(struct launch_state *s, pto_isa isa) {
    const pto_program_error *problem;
    pto_status status = pto_isa_use(isa);
    if (status != PTO_OK) return report(pto_isa_name(isa), pto_strerror(status));
    if (s->threads > 1)
        status = run_threads(s);
    else
        status = pto_module_launch(s->module, s->kernel.name, s->grid, s->block, s->arguments,
                                   s->kernel.parameter_count);
    if (status == PTO_OK) return true;
    problem = pto_module_problem(s->module);
    script_problem(s->path, s->text, problem);
    if (strcmp(problem->word, "shared memory") == 0)
        fprintf(stderr, "       --shared gives the size of .extern .shared arrays, here %zu bytes\n",
                s->shared);
    return false;
}

/* ---- comparing all instruction sets ---- */

/* Returns a copy of all arrays that the kernel can write, one after the other. The caller frees it. */
static unsigned char *copy_memory(const struct launch_state *s) {
    size_t bytes = 0, at = 0;
    unsigned char *copy;
    for (size_t i = 0; i < s->kernel.parameter_count; ++i)
        bytes += s->arguments[i].memory ? s->arguments[i].bytes : 0;
    copy = malloc(bytes + 1);
    if (copy == NULL) out_of_memory();
    for (size_t i = 0; i < s->kernel.parameter_count; ++i) {
        if (s->arguments[i].memory == NULL) continue;
        memcpy(copy + at, s->arguments[i].memory, s->arguments[i].bytes);
        at += s->arguments[i].bytes;
    }
    return copy;
}

static void restore_memory(struct launch_state *s, const unsigned char *copy) {
    for (size_t i = 0; i < s->kernel.parameter_count; ++i) {
        if (s->arguments[i].memory == NULL) continue;
        memcpy(s->arguments[i].memory, copy, s->arguments[i].bytes);
        copy += s->arguments[i].bytes;
    }
}

static bool is_same_memory(const struct launch_state *s, const unsigned char *expected, pto_isa isa) {
    bool same = true;
    for (size_t i = 0; i < s->kernel.parameter_count; ++i) {
        const size_t bytes = s->arguments[i].bytes;
        if (s->arguments[i].memory == NULL) continue;
        if (memcmp(s->arguments[i].memory, expected, bytes) != 0) {
            printf("%s: %s differs from scalar\n", pto_isa_name(isa), s->kernel.parameters[i].name);
            same = false;
        }
        expected += bytes;
    }
    return same;
}

static int verify(struct launch_state *s) {
    const pto_isa in_use = pto_isa_active();
    unsigned char *const before = copy_memory(s), *expected = NULL;
    bool same = true, ran = run_on(s, PTO_ISA_SCALAR);
    if (ran) expected = copy_memory(s);
    for (pto_isa isa = PTO_ISA_SCALAR; ran && *pto_isa_name(isa) != '?'; ++isa) {
        bool is_same;
        if (!pto_isa_available(isa) || isa == PTO_ISA_SCALAR) continue;
        restore_memory(s, before);
        ran = run_on(s, isa);
        is_same = ran && is_same_memory(s, expected, isa);
        if (is_same) fprintf(stderr, "verified on %s\n", pto_isa_name(isa));
        same = same && is_same;
    }
    free(before);
    free(expected);
    if (pto_isa_use(in_use) != PTO_OK || !ran) return STATUS_ERROR;
    return same ? STATUS_OK : STATUS_DIFFERENT;
}

/* ---- results ---- */

static bool result_of(const struct arrays *a, const void *source, const struct assignment *output,
                      struct tensor *t) {
    const struct launch_state *const s = source;
    *t = a->tensor[s->input_of[find_parameter(s, output->name)]];
    t->name = output->name;
    return true;
}

static void print_results(const struct launch_state *s) {
    enum { SHOWN = 8 };
    for (size_t i = 0; i < s->kernel.parameter_count; ++i) {
        const struct tensor *t;
        if (s->arguments[i].memory == NULL) continue;
        t = &s->arrays.tensor[s->input_of[i]];
        script_lanes(s->kernel.parameters[i].name, t->type, t->is_bool, t->data, t->n < SHOWN ? t->n : SHOWN,
                     t->n > SHOWN);
    }
}

/* ---- the command ---- */

static int launch(struct launch_state *s, const char *kernel) {
    pto_program_options options = {.user = s};
    pto_program_error error;
    int status = STATUS_OK;
    if (s->trace != SIZE_MAX) options.trace = trace_callback;
    s->text = script_read(&command_launch, s->path);
    if (s->text == NULL) return STATUS_ERROR;
    s->module = pto_module_new(s->text, options, &error);
    if (s->module == NULL) {
        script_problem(s->path, s->text, &error);
        if (script_is_pto(s->text)) fprintf(stderr, "       pto run runs the kernels of PTO files\n");
        return STATUS_DIFFERENT;
    }
    if (kernel == NULL && s->arrays.inputs == 0 && s->arrays.outputs == 0) {
        list_kernels(s);
        return STATUS_OK;
    }
    if (kernel == NULL && pto_module_kernel_count(s->module) > 1)
        return report_error(&command_launch,
                            "%s: expected one of its kernels after it; pto launch FILE lists them", s->path);
    if (!choose_kernel(s, kernel)) return STATUS_ERROR;
    if (s->kernel.problem != NULL) {
        script_problem(s->path, s->text, s->kernel.problem);
        return STATUS_DIFFERENT;
    }
    if (!bind_inputs(s)) return STATUS_ERROR;
    if (pto_module_share(s->module, s->shared) != PTO_OK)
        return STATUS_ERROR; /* cannot fail: take_option() checks the size */
    complete_geometry(s);
    if (!check_trace(s)) return STATUS_ERROR;
    if (s->verify)
        status = verify(s);
    else if (!run_on(s, pto_isa_active()))
        return STATUS_ERROR;
    if (status == STATUS_ERROR) return status;
    if (s->arrays.outputs == 0) print_results(s);
    return s->arrays.outputs == 0 || arrays_write_results(&s->arrays, result_of, s) ? status : STATUS_ERROR;
}

static bool take_number(const char *text, size_t least, size_t most, size_t *number) {
    char *end;
    const unsigned long long n = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || n < least || n > most) {
        report_error(&command_launch, "%s: expected a number from %zu to %zu", text, least, most);
        return false;
    }
    *number = (size_t)n;
    return true;
}

/* Reads "X", "XxY" or "XxYxZ". */
static bool take_dim3(const char *text, pto_dim3 *dim) {
    uint32_t *const parts[] = {&dim->x, &dim->y, &dim->z};
    const char *at = text;
    *dim = (pto_dim3){1, 1, 1};
    for (size_t i = 0; i < 3; ++i) {
        char *end;
        const unsigned long long n = strtoull(at, &end, 10);
        if (end == at || *at == '-' || n == 0 || n > UINT32_MAX) break;
        *parts[i] = (uint32_t)n;
        if (*end == '\0') return true;
        if (*end != 'x') break;
        at = end + 1;
    }
    return report(text, "expected a size such as 64, 16x16 or 8x8x4");
}

static bool take_option(struct launch_state *s, int option) {
    pto_isa isa;
    switch (option) {
    case 'i': return arrays_take_input(&s->arrays, optarg);
    case 'o': return arrays_take_output(&s->arrays, optarg);
    case 'g': return take_dim3(optarg, &s->grid);
    case 'b': return take_dim3(optarg, &s->block);
    case 's': return take_number(optarg, 0, (size_t)1 << 20, &s->shared);
    case 'n': return take_number(optarg, 1, MAX_THREADS, &s->threads);
    case 't': return take_number(optarg, 0, SIZE_MAX - 1, &s->trace);
    case 'v': s->verify = true; return true;
    case 'a': return find_isa(&command_launch, optarg, &isa) && pto_isa_use(isa) == PTO_OK;
    default: return false;
    }
}

static int run(int argc, char **argv) {
    static const struct option options[] = {
        {"input", required_argument, NULL, 'i'},  {"output", required_argument, NULL, 'o'},
        {"grid", required_argument, NULL, 'g'},   {"block", required_argument, NULL, 'b'},
        {"shared", required_argument, NULL, 's'}, {"threads", required_argument, NULL, 'n'},
        {"trace", required_argument, NULL, 't'},  {"verify", no_argument, NULL, 'v'},
        {"isa", required_argument, NULL, 'a'},    {NULL, 0, NULL, 0}};
    static struct launch_state state; /* static, because it may be too large for the stack */
    int option, status;
    state.arrays.command = &command_launch;
    state.threads = 1;
    state.trace = SIZE_MAX;
    while ((option = next_option(&command_launch, argc, argv, options)) != -1)
        if (!take_option(&state, option)) return STATUS_ERROR;
    if (optind == argc) return report_error(&command_launch, "expected a PTX file, or - for standard input");
    if (optind + 2 < argc)
        return report_error(&command_launch, "%s: expected only a file and a kernel", argv[optind + 2]);
    state.path = argv[optind];
    status = launch(&state, argv[optind + 1]);
    pto_module_free(state.module);
    free(state.text);
    arrays_free(&state.arrays);
    return status;
}

const struct command command_launch = {
    .name = "launch",
    .arguments = "FILE [KERNEL] [-i NAME=X.npy|VALUE]... [-o NAME=Y.npy]... [OPTION]...",
    .summary = "runs a kernel of a PTX file over arrays",
    .options =
        "  FILE           the PTX file, as a compiler wrote it; - is standard input\n"
        "  KERNEL         the kernel; may be left out if the file has one. Without KERNEL and inputs, the\n"
        "                 kernels of the file are listed, with what is not supported in them\n"
        "  --input, -i    memory or a value for a parameter, by its name or its number from 0: a NumPy file, "
        "a\n"
        "                 tensor of a safetensors file, zeros:TYPE:N, or a number. Parameters that are left\n"
        "                 out are null pointers, or 0\n"
        "  --output, -o   write the memory of a parameter, after the launch, to a file as pto run does.\n"
        "                 Without --output, the first elements of all arrays that the kernel writes are "
        "printed\n"
        "  --grid, -g     number of blocks: 64, 8x8 or 4x4x4. The default is one thread for each element of\n"
        "                 the largest array\n"
        "  --block, -b    threads in a block. The default is what the kernel requires, or 128\n"
        "  --shared, -s   bytes of dynamic shared memory in each block\n"
        "  --threads, -n  threads of this machine that share the blocks; the default is 1\n"
        "  --trace, -t    print the results of each instruction in one thread, given by its number\n"
        "  --isa, -a      the instruction set to use\n"
        "  --verify, -v   run on every instruction set of this machine, and compare the memory; exit status\n"
        "                 1 if it differs\n"
        "Exit status 1 if the file or the kernel is not supported. Outputs replace old files only when all "
        "are complete.\n",
    .example = "printf '.entry k(.param .u64 y) { .reg .u64 %%a; ld.param.u64 %%a, [y]; st.global.u32 [%%a], "
               "7; }' | "
               "pto launch - -i y=zeros:u32:1",
    .run = run,
};
