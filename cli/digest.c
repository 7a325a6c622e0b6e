/* SPDX-License-Identifier: MIT */
/* pto digest: computes a digest over the results of each form. It is the same on every machine, with every
 * instruction set, and however the work is split. */
#include "digest_leaf.h"

#include <inttypes.h>
#include <stdlib.h>

struct wish {
    bool list, merge, sample;
    bool has_isa;
    pto_isa isa;
    uint64_t range[2];
    const char *like; /* the file of --like, or NULL */
};

/* ---- computing ---- */

static int digest_shares(const struct form *form, const uint64_t wanted[2], struct block *block) {
    uint64_t range[2] = {wanted[0], wanted[1]};
    if (!narrow_range(form, range)) return ALL_WELL;
    return write_digest(&command_digest, form, range, block_run, pto_isa_name(pto_isa_active()), block);
}

static int digest_forms(const struct wish *wish, const struct form_list *forms, struct block *block) {
    int status = ALL_WELL;
    for (size_t i = 0; status == ALL_WELL && i < forms->count; ++i)
        status = digest_shares(&forms->items[i], wish->range, block);
    return status;
}

/* Computes the lines of the file wish->like anew, with the same forms, inputs and shares. Skips lines whose form is not
 * in `forms`, and shares outside wish->range. */
static int digest_like(const struct wish *wish, const struct form_list *forms, struct block *block) {
    struct line_list lines = {NULL, 0, 0};
    int status = read_lines(&command_digest, wish->like, &lines);
    for (size_t i = 0; status == ALL_WELL && i < lines.count; ++i) {
        uint64_t range[2] = {wish->range[0], wish->range[1]};
        struct form form;
        if (form_of_line(forms, &lines.items[i], &form) && common_range(&lines.items[i], range))
            status = digest_shares(&form, range, block);
    }
    free(lines.items);
    return status;
}

static int compute(const struct wish *wish, const struct form_list *forms) {
    struct block *const block = malloc(sizeof *block);
    int status;
    if (block == NULL) out_of_memory();
    status = (wish->like != NULL ? digest_like : digest_forms)(wish, forms, block);
    free(block);
    return status;
}

static int print_list(const struct form_list *forms) {
    for (size_t i = 0; i < forms->count; ++i)
        printf("%-55s %-8s %10" PRIu64 " inputs %5" PRIu64 " shares\n", forms->items[i].name,
               coverage_name(forms->items[i].coverage), forms->items[i].count,
               share_count(forms->items[i].count));
    return ALL_WELL;
}

static int list_or_compute(const struct wish *wish, int argc, char **argv) {
    struct form_list forms;
    int status;
    if (!wish->list && !has_leaves())
        return bad_use(&command_digest,
                       "not available: this command was made without xxHash (Debian: libxxhash-dev)");
    list_forms(&forms);
    status = choose_forms(&command_digest, argv + optind, argc - optind, &forms);
    if (status == ALL_WELL && wish->has_isa && pto_isa_use(wish->isa) != PTO_OK) status = BAD_USE;
    for (size_t i = 0; wish->sample && i < forms.count; ++i) take_sample(&forms.items[i]);
    if (status == ALL_WELL) status = wish->list ? print_list(&forms) : compute(wish, &forms);
    free(forms.items);
    return status;
}

/* ---- merging ---- */

static int merge(int argc, char **argv) {
    struct line_list lines = {NULL, 0, 0};
    int status = optind < argc ? ALL_WELL : bad_use(&command_digest, "--merge: expected files");
    for (int i = optind; status == ALL_WELL && i < argc; ++i)
        status = read_lines(&command_digest, argv[i], &lines);
    if (status == ALL_WELL) status = merge_lines(&command_digest, &lines);
    for (size_t i = 0; status == ALL_WELL && i < lines.count; ++i) write_line(&lines.items[i]);
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
    struct wish wish = {.range = {0, UINT64_MAX}};
    int option;
    while ((option = next_option(&command_digest, argc, argv, options)) != -1) {
        if (option == '?') return BAD_USE;
        if (option == 'r' && read_range(&command_digest, optarg, wish.range) != ALL_WELL) return BAD_USE;
        if (option == 'i' && !isa_named(&command_digest, optarg, &wish.isa)) return BAD_USE;
        wish.has_isa = wish.has_isa || option == 'i';
        wish.list = wish.list || option == 'l';
        wish.merge = wish.merge || option == 'm';
        wish.sample = wish.sample || option == 's';
        if (option == 'k') wish.like = optarg;
    }
    if (wish.like != NULL && (wish.sample || wish.list))
        return bad_use(&command_digest, "--like: expected neither --sample nor --list");
    return wish.merge ? merge(argc, argv) : list_or_compute(&wish, argc, argv);
}

const struct command command_digest = {
    .name = "digest",
    .arguments =
        "[--sample | --like FILE] [--range BEGIN:END] [--isa ISA] [--list] [FORM]... | --merge FILE...",
    .line = "prints, for each form, a digest of the results for all its inputs, as a line of JSON",
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
