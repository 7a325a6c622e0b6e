/* SPDX-License-Identifier: MIT */
/* pto run: a program over arrays from files. */
#include "element.h"
#include "npy.h"
#include "script.h"
#include "value.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64, SHOWN = 8 }; /* inputs or outputs; lanes that are printed */

/* NAME=VALUE of the command line. */
struct assignment {
    char name[64];
    const char *value;
};

struct job {
    const char *path;
    struct assignment input[MOST], output[MOST];
    size_t inputs, outputs, lanes;
    bool lanes_given, trace, verify;
    pto_program_profile profile;
    npy_tensor tensor[MOST];        /* of inputs that are files */
    unsigned char element[MOST][8]; /* of the others */
    const npy_tensor *shaped;       /* a tensor whose shape results have, if any */
    pto_program *program;
    char *text;
};

static int complain(const char *name, const char *what) {
    return bad_use(&command_run, "%s: %s", name, what);
}

static bool split(const char *text, struct assignment *a) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0' || (size_t)(equals - text) >= sizeof a->name)
        return false;
    memcpy(a->name, text, (size_t)(equals - text));
    a->name[equals - text] = '\0';
    a->value = equals + 1;
    return true;
}

/* ---- inputs ---- */

static bool is_file(const char *value) {
    const size_t length = strlen(value);
    return length > 4 && strcmp(value + length - 4, ".npy") == 0;
}

static size_t lane_bits(const pto_program_register *r) {
    return r->predicate ? 8 : pto_dtype_bits(r->type);
}

static bool is_float(pto_dtype type) {
    return type == PTO_F16 || type == PTO_F32 || type == PTO_F64;
}

/* Whether elements of NumPy's kind can be meant for the register: words without a type of NumPy's are bits. */
static bool kind_fits(char kind, const pto_program_register *r) {
    const bool is_bits = r->type <= PTO_B64 || r->type >= PTO_F16X2 || r->type == PTO_BF16;
    if (r->predicate) return kind == 'b' || kind == 'u';
    switch (kind) {
    case 'f': return is_float(r->type) || r->type == PTO_F16X2 || r->type <= PTO_B64;
    case 'i':
    case 'u': return !is_float(r->type);
    case 'V': return true;
    default: return is_bits;
    }
}

static pto_dtype bits_type(size_t bytes) {
    return bytes == 1 ? PTO_B8 : bytes == 2 ? PTO_B16 : bytes == 4 ? PTO_B32 : PTO_B64;
}

static bool bind(struct job *job, const pto_program_register *r, pto_dtype type, const void *data, size_t n) {
    const pto_status status = pto_program_bind(job->program, r->name, type, data, n);
    if (status == PTO_OK) return true;
    complain(r->name, pto_strerror(status));
    return false;
}

static bool bind_file(struct job *job, size_t i, const pto_program_register *r) {
    npy_tensor *t = &job->tensor[i];
    const char *wrong = npy_read(job->input[i].value, t);
    const size_t bits = lane_bits(r);
    size_t lanes;
    if (wrong == NULL && (!kind_fits(t->descr[1], r) || bits % (8 * t->item) != 0))
        wrong = "its elements do not fit";
    if (wrong != NULL) {
        bad_use(&command_run, "%s: %s, for the register %s of type .%s", job->input[i].value, wrong, r->name,
                r->predicate ? "pred" : pto_dtype_name(r->type));
        return false;
    }
    lanes = t->n * t->item * 8 / bits;
    if (!job->lanes_given && lanes > job->lanes) job->lanes = lanes;
    if (job->lanes_given && lanes > job->lanes) t->n = job->lanes * bits / (8 * t->item);
    if (job->shaped == NULL && t->item * 8 == bits) job->shaped = t;
    return bind(job, r, 8 * t->item == bits ? r->type : bits_type(t->item), t->data, t->n);
}

static bool bind_value(struct job *job, size_t i, const pto_program_register *r) {
    const pto_dtype type = r->predicate ? PTO_U8 : r->type;
    if (value_read(job->input[i].value, type, job->element[i]) == VALUE_NONE) {
        bad_use(&command_run, "%s: expected a file of .npy or a value of type .%s", job->input[i].value,
                pto_dtype_name(type));
        return false;
    }
    return bind(job, r, type, job->element[i], 1);
}

static bool bind_all(struct job *job) {
    for (size_t i = 0; i < job->inputs; ++i) {
        pto_program_register r;
        if (!script_register(job->program, job->input[i].name, &r)) {
            complain(job->input[i].name, "expected a register of the program");
            return false;
        }
        if (is_file(job->input[i].value) ? !bind_file(job, i, &r) : !bind_value(job, i, &r)) return false;
    }
    return true;
}

/* ---- results ---- */

static const char *descr_of(pto_dtype type) {
    static const char *const by_bytes[3][9] = {{[1] = "|u1", [2] = "<u2", [4] = "<u4", [8] = "<u8"},
                                               {[1] = "|i1", [2] = "<i2", [4] = "<i4", [8] = "<i8"},
                                               {[2] = "<f2", [4] = "<f4", [8] = "<f8"}};
    const size_t kind = is_float(type) ? 2 : type >= PTO_S8 && type <= PTO_S64 ? 1 : 0;
    return by_bytes[kind][pto_dtype_bits(type) / 8];
}

static void shape_of(const struct job *job, size_t n, unsigned parts, npy_tensor *t) {
    t->dims = 1;
    t->shape[0] = n;
    if (job->shaped != NULL && job->shaped->n == n) {
        t->dims = job->shaped->dims;
        memcpy(t->shape, job->shaped->shape, sizeof t->shape);
    }
    if (parts > 1 && t->dims < NPY_MAX_DIMS) t->shape[t->dims++] = parts;
}

static bool write_result(const struct job *job, const struct assignment *output) {
    npy_tensor t = {0};
    pto_program_register r;
    const void *data;
    const char *wrong;
    pto_dtype type, part;
    unsigned parts;
    size_t n;
    if (!script_register(job->program, output->name, &r) ||
        pto_program_value(job->program, output->name, &type, &data, &n) != PTO_OK) {
        complain(output->name, "expected a register that has a value");
        return false;
    }
    parts = value_parts(type, &part);
    snprintf(t.descr, sizeof t.descr, "%s", r.predicate ? "|b1" : descr_of(part));
    t.item = pto_dtype_bits(part) / 8;
    t.n = n * parts;
    memcpy(&t.data, &data, sizeof data); /* which is only read */
    shape_of(job, n, parts, &t);
    wrong = npy_write(output->value, &t);
    if (wrong != NULL) complain(output->value, wrong);
    return wrong == NULL;
}

static void print_lanes(const char *name, pto_dtype type, bool predicate, const void *data, size_t n) {
    const size_t bytes = pto_dtype_bits(type) / 8;
    printf("%-8s .%-6s", name, predicate ? "pred" : pto_dtype_name(type));
    for (size_t i = 0; i < n && i < SHOWN; ++i) {
        const unsigned char *element = (const unsigned char *)data + i * bytes;
        char text[SCRIPT_ELEMENT];
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
    if (job->outputs == 0) print_results(job);
    for (size_t i = 0; i < job->outputs; ++i)
        if (!write_result(job, &job->output[i])) return false;
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
        pto_isa_use(isa) == PTO_OK ? pto_program_run(job->program, job->lanes) : PTO_ERR_ISA;
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
    if (job->program == NULL || !bind_all(job)) return BAD_USE;
    if (job->lanes == 0 && !job->lanes_given) job->lanes = 1;
    if (job->verify)
        status = verify(job);
    else if (!run_on(job, pto_isa_active()))
        return BAD_USE;
    return give_results(job) ? status : BAD_USE;
}

static bool take_assignment(struct assignment *list, size_t *count, const char *text) {
    if (*count == MOST || !split(text, &list[*count])) {
        complain(text, "expected NAME=FILE.npy, or NAME=VALUE for an input");
        return false;
    }
    ++*count;
    return true;
}

static bool take_lanes(struct job *job, const char *text) {
    char *end;
    const unsigned long long lanes = strtoull(text, &end, 10);
    job->lanes = (size_t)lanes;
    job->lanes_given = true;
    if (end != text && *end == '\0' && *text != '-') return true;
    complain(text, "expected a number of lanes");
    return false;
}

static bool take_profile(struct job *job, const char *text) {
    job->profile = strcmp(text, "a5") == 0 ? PTO_PROFILE_A5 : PTO_PROFILE_PTX;
    if (job->profile == PTO_PROFILE_A5 || strcmp(text, "ptx") == 0) return true;
    complain(text, "expected ptx or a5");
    return false;
}

static bool take_isa(const char *text) {
    pto_isa isa;
    return isa_named(&command_run, text, &isa) && pto_isa_use(isa) == PTO_OK;
}

static bool take_option(struct job *job, int option) {
    switch (option) {
    case 'i': return take_assignment(job->input, &job->inputs, optarg);
    case 'o': return take_assignment(job->output, &job->outputs, optarg);
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
    while ((option = next_option(&command_run, argc, argv, options)) != -1)
        if (!take_option(&job, option)) return BAD_USE;
    if (optind == argc)
        return bad_use(&command_run, "expected a file with a program, or - for standard input");
    if (optind + 1 < argc) return bad_use(&command_run, "%s: expected one file alone", argv[optind + 1]);
    job.path = argv[optind];
    status = run_job(&job);
    pto_program_free(job.program);
    free(job.text);
    for (size_t i = 0; i < job.inputs; ++i) npy_free(&job.tensor[i]);
    return status;
}

const struct command command_run = {
    .name = "run",
    .arguments = "FILE [-i NAME=X.npy|VALUE]... [-o NAME=Y.npy]... [OPTION]...",
    .line = "a program of PTX or PTO lines over arrays",
    .options =
        "  FILE           the program; - for standard input\n"
        "  --input, -i    a register's values: a NumPy file, or one value for all lanes (2.5, nan, 0x3fc0,\n"
        "                 0f3FC00000, {1, 2} for the halves of a word, the lowest first)\n"
        "  --output, -o   write a register to a NumPy file; bf16 and untyped bits as unsigned integers.\n"
        "                 Without any, all results are printed, their first lanes\n"
        "  --lanes, -l    how many, the first ones of longer inputs; without it, as many as the longest has\n"
        "  --trace, -t    each line's result, its first lanes\n"
        "  --profile, -p  ptx, or a5: PTO's \"ne\" on floats is true where an operand is a NaN\n"
        "  --isa, -a      the instruction set to use\n"
        "  --verify, -v   on every instruction set of this machine; exit status 1 where they differ\n",
    .example = "printf 'max.f32 y, x, 0f00000000;' | pto run - -i x=-1.5",
    .run = run,
};
