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

enum { SHOWN = 8 }; /* the number of lanes that are printed */

/* The first lanes of a result, after the last instruction that wrote it. */
struct glimpse {
    const char *name; /* the string in the program; its address identifies the register */
    unsigned char data[SHOWN * 8];
};

struct job {
    const char *path;
    struct arrays arrays;
    bool trace, verify;
    bool is_printing; /* whether to print the trace of this run */
    pto_program_profile profile;
    pto_program *program;
    char *text;
    void *glimpses; /* a tree of <search.h> with entries of type struct glimpse */
};

static bool complain(const char *name, const char *what) {
    bad_use(&command_run, "%s: %s", name, what);
    return false;
}

/* ---- results ---- */

static int by_address(const void *a, const void *b) {
    const struct glimpse *const x = a, *const y = b;
    return ((uintptr_t)x->name > (uintptr_t)y->name) - ((uintptr_t)x->name < (uintptr_t)y->name);
}

static const struct glimpse *glimpse_of(const struct job *job, const char *name) {
    const struct glimpse key = {.name = name};
    void *const *found = tfind(&key, &job->glimpses, by_address);
    return found == NULL ? NULL : *found;
}

static struct glimpse *add_glimpse(struct job *job, const char *name) {
    struct glimpse *const g = calloc(1, sizeof *g);
    if (g == NULL) out_of_memory();
    g->name = name;
    if (tsearch(g, &job->glimpses, by_address) == NULL) out_of_memory();
    return g;
}

static size_t shown_of(size_t n) {
    return n < SHOWN ? n : SHOWN;
}

/* The callback for each result of each block of lanes. It uses only the first block, which has all lanes to print. */
static void take_step(void *user, const pto_program_step *step) {
    struct job *const job = user;
    const size_t shown = shown_of(step->lanes);
    struct glimpse *g;
    pto_program_register r;
    if (step->first != 0) return;
    g = (struct glimpse *)glimpse_of(job, step->name);
    if (g == NULL) g = add_glimpse(job, step->name);
    memcpy(g->data, step->data, (shown * pto_dtype_bits(step->type) + 7) / 8);
    if (!job->is_printing) return;
    printf("%4zu  ", step->line);
    script_lanes(step->name, step->type,
                 pto_program_register_named(job->program, step->name, &r) == PTO_OK && r.predicate, g->data,
                 shown, step->lanes > SHOWN);
}

static void print_results(const struct job *job) {
    static const struct glimpse nothing;
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(job->program, i, &r) == PTO_OK; ++i) {
        const struct glimpse *const g = glimpse_of(job, r.name);
        const size_t n = job->arrays.lanes * r.each;
        if (r.result)
            script_lanes(r.name, r.type, r.predicate, g != NULL ? g->data : nothing.data,
                         g != NULL ? shown_of(n) : 0, n > SHOWN);
    }
}

static bool give_results(const struct job *job) {
    if (job->arrays.outputs != 0) return arrays_write(&job->arrays, job->program);
    print_results(job);
    return true;
}

static void free_glimpses(struct job *job) {
    while (job->glimpses != NULL) {
        struct glimpse *const root = *(struct glimpse **)job->glimpses;
        (void)tdelete(root, &job->glimpses, by_address);
        free(root);
    }
}

/* ---- comparing the results of all backends ---- */

struct copy {
    void *data;
    size_t bytes;
};

static bool value_bytes(const struct job *job, const pto_program_register *r, const void **data,
                        size_t *bytes) {
    pto_dtype type;
    size_t n;
    if (!r->result || pto_program_value(job->program, r->name, &type, data, &n) != PTO_OK) return false;
    *bytes = n * pto_dtype_bits(type) / 8;
    return true;
}

static struct copy *copy_results(const struct job *job) {
    const size_t count = pto_program_register_count(job->program);
    struct copy *copies = calloc(count + 1, sizeof *copies);
    if (copies == NULL) out_of_memory();
    for (size_t i = 0; i < count; ++i) {
        pto_program_register r;
        const void *data;
        if (pto_program_register_at(job->program, i, &r) != PTO_OK ||
            !value_bytes(job, &r, &data, &copies[i].bytes))
            continue;
        copies[i].data = malloc(copies[i].bytes + 1);
        if (copies[i].data == NULL) out_of_memory();
        memcpy(copies[i].data, data, copies[i].bytes);
    }
    return copies;
}

static void free_copies(const struct job *job, struct copy *copies) {
    for (size_t i = 0; i < pto_program_register_count(job->program); ++i) free(copies[i].data);
    free(copies);
}

static bool same_results(const struct job *job, const struct copy *copies, pto_isa isa) {
    bool same = true;
    for (size_t i = 0; i < pto_program_register_count(job->program); ++i) {
        pto_program_register r;
        const void *data;
        size_t bytes;
        if (copies[i].data == NULL || pto_program_register_at(job->program, i, &r) != PTO_OK ||
            !value_bytes(job, &r, &data, &bytes) || memcmp(data, copies[i].data, bytes) == 0)
            continue;
        printf("%s: %s differs from scalar\n", pto_isa_name(isa), r.name);
        same = false;
    }
    return same;
}

static bool run_on(struct job *job, pto_isa isa, bool prints) {
    const pto_program_error *problem;
    pto_status status = pto_isa_use(isa);
    if (status != PTO_OK) return complain(pto_isa_name(isa), pto_strerror(status));
    job->is_printing = job->trace && prints;
    if (job->is_printing && job->verify) printf("%s:\n", pto_isa_name(isa));
    status = pto_program_run(job->program, job->arrays.lanes);
    if (status == PTO_OK) return true;
    problem = pto_program_problem(job->program);
    script_problem(job->path, job->text, problem);
    if (status == PTO_ERR_PARSE) /* an input is not bound */
        fprintf(stderr, "       expected -i %s=FILE.npy, -i %s=FILE.safetensors:TENSOR or -i %s=VALUE\n",
                problem->word, problem->word, problem->word);
    return false;
}

/* Runs with one instruction set and compares its results with those of scalar. Returns false if the run fails. */
static bool verify_on(struct job *job, pto_isa isa, const struct copy *expected, bool *same) {
    bool is_same;
    if (!run_on(job, isa, isa != PTO_ISA_SCALAR)) return false;
    is_same = same_results(job, expected, isa);
    if (is_same) fprintf(stderr, "verified on %s\n", pto_isa_name(isa));
    *same = *same && is_same;
    return true;
}

/* Verifies all instruction sets. The one in use comes last, so that its results are written. */
static bool verify_on_all(struct job *job, pto_isa in_use, const struct copy *expected, bool *same) {
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa)
        if (pto_isa_available(isa) && isa != in_use && isa != PTO_ISA_SCALAR &&
            !verify_on(job, isa, expected, same))
            return false;
    return verify_on(job, in_use, expected, same);
}

static int verify(struct job *job) {
    const pto_isa in_use = pto_isa_active();
    struct copy *expected;
    bool same = true, ran;
    if (!run_on(job, PTO_ISA_SCALAR, true)) return BAD_USE;
    expected = copy_results(job);
    ran = verify_on_all(job, in_use, expected, &same);
    free_copies(job, expected);
    if (!ran) return BAD_USE;
    return same ? ALL_WELL : DIFFERENT;
}

/* ---- the command ---- */

/* Parses the program. Values are retained only for outputs, or for all results to verify without outputs. */
static pto_program *parse(struct job *job, const char **keep) {
    const struct arrays *const a = &job->arrays;
    pto_program_options options = {.profile = job->profile, .trace = take_step, .user = job};
    if (a->outputs != 0 && !job->trace) options.trace = NULL;
    if (a->outputs != 0 || !job->verify) {
        for (size_t i = 0; i < a->outputs; ++i) keep[i] = a->output[i].name;
        options.keep = keep;
        options.keep_count = a->outputs;
    }
    return script_parse(job->path, job->text, options);
}

static int run_job(struct job *job) {
    const char *keep[ARRAYS_MOST];
    int status = ALL_WELL;
    job->text = script_read(&command_run, job->path);
    if (job->text == NULL) return BAD_USE;
    job->program = parse(job, keep);
    if (job->program == NULL) return DIFFERENT;
    if (!arrays_check_outputs(&job->arrays, job->program) || !arrays_bind(&job->arrays, job->program))
        return BAD_USE;
    if (job->verify)
        status = verify(job);
    else if (!run_on(job, pto_isa_active(), true))
        return BAD_USE;
    return give_results(job) ? status : BAD_USE;
}

static bool take_lanes(struct job *job, const char *text) {
    char *end;
    const unsigned long long lanes = strtoull(text, &end, 10);
    job->arrays.lanes = (size_t)lanes;
    job->arrays.lanes_given = true;
    if (end != text && *end == '\0' && *text != '-') return true;
    return complain(text, "expected a number of lanes");
}

static bool take_profile(struct job *job, const char *text) {
    job->profile = strcmp(text, "a5") == 0 ? PTO_PROFILE_A5 : PTO_PROFILE_PTX;
    if (job->profile == PTO_PROFILE_A5 || strcmp(text, "ptx") == 0) return true;
    return complain(text, "expected ptx or a5");
}

static bool take_isa(const char *text) {
    pto_isa isa;
    return isa_named(&command_run, text, &isa) && pto_isa_use(isa) == PTO_OK;
}

static bool take_option(struct job *job, int option) {
    switch (option) {
    case 'i': return arrays_take_input(&job->arrays, optarg);
    case 'o': return arrays_take_output(&job->arrays, optarg);
    case 'l': return take_lanes(job, optarg);
    case 't': job->trace = true; return true;
    case 'v': job->verify = true; return true;
    case 'p': return take_profile(job, optarg);
    case 'a': return take_isa(optarg);
    default: return false;
    }
}

static int run(int argc, char **argv) {
    static const struct option options[] = {
        {"input", required_argument, NULL, 'i'},   {"output", required_argument, NULL, 'o'},
        {"lanes", required_argument, NULL, 'l'},   {"trace", no_argument, NULL, 't'},
        {"profile", required_argument, NULL, 'p'}, {"isa", required_argument, NULL, 'a'},
        {"verify", no_argument, NULL, 'v'},        {NULL, 0, NULL, 0}};
    static struct job job; /* static, because it may be too large for the stack */
    int option, status;
    job.arrays.command = &command_run;
    while ((option = next_option(&command_run, argc, argv, options)) != -1)
        if (!take_option(&job, option)) return BAD_USE;
    if (optind == argc)
        return bad_use(&command_run, "expected a file with a program, or - for standard input");
    if (optind + 1 < argc) return bad_use(&command_run, "%s: expected only one file", argv[optind + 1]);
    job.path = argv[optind];
    status = run_job(&job);
    pto_program_free(job.program);
    free(job.text);
    free_glimpses(&job);
    arrays_free(&job.arrays);
    return status;
}

const struct command command_run = {
    .name = "run",
    .arguments =
        "FILE [-i NAME=X.npy|NAME=X.safetensors[:TENSOR]|NAME=VALUE]... [-o NAME=Y.npy|...]... [OPTION]...",
    .line = "runs a program of PTX or PTO lines over arrays",
    .options =
        "  FILE           the program; - is standard input\n"
        "  --input, -i    read a register from a NumPy file, or from a tensor of a safetensors file (give\n"
        "                 its name if there are several); or set all lanes to one value (2.5, nan, 0x3fc0,\n"
        "                 0f3FC00000, {1, 2} for the halves of a word, the lowest first)\n"
        "  --output, -o   write a register to a NumPy file (bf16 and untyped bits as unsigned integers)\n"
        "                 or a safetensors file, which has more types and may hold several registers,\n"
        "                 under their own names or the names after \":\". Without --output, the first\n"
        "                 lanes of all results are printed\n"
        "  --lanes, -l    the number of lanes; of longer inputs, the first ones are used. The default is\n"
        "                 the length of the longest input\n"
        "  --trace, -t    print the first lanes of each line's result\n"
        "  --profile, -p  ptx or a5; with a5, PTO's \"ne\" on floats is true if an operand is a NaN\n"
        "  --isa, -a      the instruction set to use\n"
        "  --verify, -v   run on every instruction set of this machine, and compare the outputs (without\n"
        "                 --output, all results); exit status 1 if they differ\n"
        "Exit status 1 if the program is illegal. Outputs replace old files only when all are complete.\n",
    .more_help = instruction_list,
    .example = "printf 'max.f32 y, x, 0f00000000;' | pto run - -i x=-1.5",
    .run = run,
};
