/* SPDX-License-Identifier: MIT */
/* pto digest: computes a digest over the results of each form. Digests do not depend on the machine, the
 * instruction set or how the work is split. */
#include "digest_share.h"

#include <inttypes.h>
#include <stdlib.h>

struct settings {
    bool list, merge, sample;
    bool has_isa;
    pto_isa isa;
    uint64_t range[2];
    const char *like; /* the file of --like, or NULL */
};

/* ---- computing ---- */

static int digest_shares(const struct form *form, const uint64_t wanted[2], struct block *block) {
    uint64_t range[2] = {wanted[0], wanted[1]};
    if (!narrow_range(form, range)) return STATUS_OK;
    return write_digest(&command_digest, form, range, block_run, pto_isa_name(pto_isa_active()), block);
}

static int digest_forms(const struct settings *settings, const struct form_list *forms, struct block *block) {
    int status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < forms->count; ++i)
        status = digest_shares(&forms->items[i], settings->range, block);
    return status;
}

/* For each line of the file settings->like, computes the digest of the same form, inputs and shares. Skips
 * lines whose form is not in `forms`, and shares outside settings->range. */
static int digest_like(const struct settings *settings, const struct form_list *forms, struct block *block) {
    struct line_list lines = {NULL, 0, 0};
    int status = read_lines(&command_digest, settings->like, &lines);
    for (size_t i = 0; status == STATUS_OK && i < lines.count; ++i) {
        uint64_t range[2] = {settings->range[0], settings->range[1]};
        struct form form;
        if (form_of_line(forms, &lines.items[i], &form) && common_range(&lines.items[i], range))
            status = digest_shares(&form, range, block);
    }
    free(lines.items);
    return status;
}

static int compute(const struct settings *settings, const struct form_list *forms) {
    struct block *const block = malloc(sizeof *block);
    int status;
    if (block == NULL) out_of_memory();
    status = (settings->like != NULL ? digest_like : digest_forms)(settings, forms, block);
    free(block);
    return status;
}

static int print_list(const struct form_list *forms) {
    for (size_t i = 0; i < forms->count; ++i)
        printf("%-55s %-8s %10" PRIu64 " inputs %5" PRIu64 " shares\n", forms->items[i].name,
               coverage_name(forms->items[i].coverage), forms->items[i].count,
               share_count(forms->items[i].count));
    return STATUS_OK;
}

static int list_or_compute(const struct settings *settings, int argc, char **argv) {
    struct form_list forms;
    int status;
    if (!settings->list && !can_digest())
        return report_error(&command_digest,
                            "not available: this command was made without xxHash (Debian: libxxhash-dev)");
    list_forms(&forms);
    status = choose_forms(&command_digest, argv + optind, argc - optind, &forms);
    if (status == STATUS_OK && settings->has_isa && pto_isa_use(settings->isa) != PTO_OK)
        status = STATUS_ERROR;
    for (size_t i = 0; settings->sample && i < forms.count; ++i) use_sample(&forms.items[i]);
    if (status == STATUS_OK) status = settings->list ? print_list(&forms) : compute(settings, &forms);
    free(forms.items);
    return status;
}

/* ---- merging ---- */

static int merge(int argc, char **argv) {
    struct line_list lines = {NULL, 0, 0};
    int status = optind < argc ? STATUS_OK : report_error(&command_digest, "--merge: expected files");
    for (int i = optind; status == STATUS_OK && i < argc; ++i)
        status = read_lines(&command_digest, argv[i], &lines);
    if (status == STATUS_OK) status = merge_lines(&command_digest, &lines);
    for (size_t i = 0; status == STATUS_OK && i < lines.count; ++i) write_line(&lines.items[i]);
    free(lines.items);
    return status;
}

/* ---- the command ---- */

static int run(int argc, char **argv) {
    static const struct option options[] = {{"range", required_argument, NULL, 'r'},
                                            {"isa", required_argument, NULL, 'i'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"merge", no_argument, NULL, 'm'},
                                            {"sample", no_argument, NULL, 's'},
                                            {"like", required_argument, NULL, 'k'},
                                            {NULL, 0, NULL, 0}};
    struct settings settings = {.range = {0, UINT64_MAX}};
    int option;
    while ((option = next_option(&command_digest, argc, argv, options)) != -1) {
        if (option == '?') return STATUS_ERROR;
        if (option == 'r' && read_range(&command_digest, optarg, settings.range) != STATUS_OK)
            return STATUS_ERROR;
        if (option == 'i' && !find_isa(&command_digest, optarg, &settings.isa)) return STATUS_ERROR;
        settings.has_isa = settings.has_isa || option == 'i';
        settings.list = settings.list || option == 'l';
        settings.merge = settings.merge || option == 'm';
        settings.sample = settings.sample || option == 's';
        if (option == 'k') settings.like = optarg;
    }
    if (settings.like != NULL && (settings.sample || settings.list))
        return report_error(&command_digest, "--like: expected neither --sample nor --list");
    return settings.merge ? merge(argc, argv) : list_or_compute(&settings, argc, argv);
}

const struct command command_digest = {
    .name = "digest",
    .arguments =
        "[--sample | --like FILE] [--range BEGIN:END] [--isa ISA] [--list] [FORM]... | --merge FILE...",
    .summary = "prints, for each form, a digest of the results for all its inputs, as a line of JSON",
    .options =
        "  FORM               a form's name, or a pattern such as 'cvt.*.f16'; the default is all forms\n"
        "  --range BEGIN:END  compute only these shares of each form; a share has 2^20 inputs\n"
        "  --sample           use a sample of 2^22 inputs for forms with more than 2^24\n"
        "  --like FILE        compute the forms in the lines of a file, with the same inputs and shares;\n"
        "                     - is standard input\n"
        "  --isa ISA          use this instruction set\n"
        "  --list             list the forms, and how many inputs and shares they have\n"
        "  --merge FILE...    join the lines of runs over parts\n"
        "The digest is the same on every machine and instruction set; docs/digests.md defines it.\n",
    .example = "pto digest 'cvt.rn.satfinite.e4m3x2.f16x2' 'vcmp.lt.u8'",
    .run = run,
};
