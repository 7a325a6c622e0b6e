/* SPDX-License-Identifier: MIT */
/* pto run: a program over arrays from files. */
#include "arrays.h"
#include "element.h"
#include "script.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* lanes that are printed */

struct job {
    const char *path;
    struct arrays arrays;
    bool trace, verify;
    pto_program_profile profile;
    pto_program *program;
    char *text;
};

static bool complain(const char *name, const char *what) {
    bad_use(&command_run, "%s: %s", name, what);
    return false;
}

/* ---- results ---- */

static void print_lanes(const char *name, pto_dtype type, bool predicate, const void *data, size_t n) {
    printf("%-8s .%-6s", name, predicate ? "pred" : pto_dtype_name(type));
    for (size_t i = 0; i < n && i < SHOWN; ++i) {
        unsigned char element[8];
        char text[SCRIPT_ELEMENT];
        element_at(type, data, i, element);
        script_element(type, element, text);
        printf("  %s", predicate ? (*element ? "1" : "0") : strstr(text, "  ") + 2);
    }
    puts(n > SHOWN ? " ..." : "");
}

static void print_results(const struct job *job) {
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(job->program, i, &r) == PTO_OK; ++i) {
        const void *data;
        pto_dtype type;
        size_t n;
        if (r.result && pto_program_value(job->program, r.name, &type, &data, &n) == PTO_OK)
            print_lanes(r.name, type, r.predicate, data, n);
    }
}

static bool give_results(const struct job *job) {
    if (job->arrays.outputs != 0) return arrays_write(&job->arrays, job->program);
    print_results(job);
    return true;
}

static void trace(void *user, const pto_program_step *step) {
    pto_program_register r;
    const struct job *job = user;
    if (step->first != 0) return;
    printf("%4zu  ", step->line);
    print_lanes(step->name, step->type, script_register(job->program, step->name, &r) && r.predicate,
                step->data, step->lanes);
}

/* ---- the same on every backend ---- */

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

static bool run_on(const struct job *job, pto_isa isa) {
    const pto_status status =
        pto_isa_use(isa) == PTO_OK ? pto_program_run(job->program, job->arrays.lanes) : PTO_ERR_ISA;
    if (status != PTO_OK) script_problem(job->path, job->text, pto_program_problem(job->program));
    return status == PTO_OK;
}

/* All that is here against scalar; false where one cannot run. */
static bool run_on_all(const struct job *job, const struct copy *expected, bool *same) {
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa) {
        if (!pto_isa_available(isa)) continue;
        if (!run_on(job, isa)) return false;
        *same &= same_results(job, expected, isa);
        fprintf(stderr, "verified on %s\n", pto_isa_name(isa));
    }
    return true;
}

static int verify(const struct job *job) {
    const pto_isa before = pto_isa_active();
    struct copy *expected;
    bool same = true, ran;
    if (!run_on(job, PTO_ISA_SCALAR)) return BAD_USE;
    expected = copy_results(job);
    ran = run_on_all(job, expected, &same) && run_on(job, before);
    free_copies(job, expected);
    if (!ran) return BAD_USE;
    return same ? ALL_WELL : DIFFERENT;
}

/* ---- the command ---- */

static int run_job(struct job *job) {
    int status = ALL_WELL;
    job->text = script_read(&command_run, job->path);
    if (job->text == NULL) return BAD_USE;
    job->program = script_parse(
        job->path, job->text,
        (pto_program_options){.profile = job->profile, .trace = job->trace ? trace : NULL, .user = job});
    if (job->program == NULL || !arrays_bind(&job->arrays, job->program)) return BAD_USE;
    if (job->verify)
        status = verify(job);
    else if (!run_on(job, pto_isa_active()))
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
    static struct job job; /* too large for a small stack */
    int option, status;
    job.arrays.command = &command_run;
    while ((option = next_option(&command_run, argc, argv, options)) != -1)
        if (!take_option(&job, option)) return BAD_USE;
    if (optind == argc)
        return bad_use(&command_run, "expected a file with a program, or - for standard input");
    if (optind + 1 < argc) return bad_use(&command_run, "%s: expected one file alone", argv[optind + 1]);
    job.path = argv[optind];
    status = run_job(&job);
    pto_program_free(job.program);
    free(job.text);
    arrays_free(&job.arrays);
    return status;
}

const struct command command_run = {
    .name = "run",
    .arguments =
        "FILE [-i NAME=X.npy|NAME=X.safetensors[:TENSOR]|NAME=VALUE]... [-o NAME=Y.npy|...]... [OPTION]...",
    .line = "a program of PTX or PTO lines over arrays",
    .options =
        "  FILE           the program; - for standard input\n"
        "  --input, -i    a register's values: a NumPy file, a tensor of a safetensors file (by its name if "
        "there\n"
        "                 are several), or one value for all lanes (2.5, nan, 0x3fc0, 0f3FC00000, {1, 2} for "
        "the\n"
        "                 halves of a word, the lowest first)\n"
        "  --output, -o   write a register to a NumPy file, bf16 and untyped bits as unsigned integers; or "
        "to a\n"
        "                 safetensors file, which names more types, and takes several registers, each by its "
        "own\n"
        "                 name or that behind the \":\". Without any, all results are printed, their first "
        "lanes\n"
        "  --lanes, -l    how many, the first ones of longer inputs; without it, as many as the longest has\n"
        "  --trace, -t    each line's result, its first lanes\n"
        "  --profile, -p  ptx, or a5: PTO's \"ne\" on floats is true where an operand is a NaN\n"
        "  --isa, -a      the instruction set to use\n"
        "  --verify, -v   on every instruction set of this machine; exit status 1 where they differ\n",
    .example = "printf 'max.f32 y, x, 0f00000000;' | pto run - -i x=-1.5",
    .run = run,
};
