/* SPDX-License-Identifier: MIT */
/* The program ptx_digest: computes the lines of docs/digests.md on a chip, for pto diff. That page describes how to
 * build and run it. */
#include "ptx_digest.h"

#include <stdlib.h>

static const struct command tool = {.name = "ptx_digest"};

/* The options of the command line. */
struct digest_options {
    bool list, packed, sample;
    uint64_t range[2];
    const char *like; /* name of a file of digest lines that are to be computed here, too; or NULL */
};

/* The number of lines that were written and of those that were left out, by reason. */
struct tally {
    size_t written, not_ptx, not_here;
};

static int help(void) {
    puts("usage: ptx_digest [--range BEGIN:END] [--like FILE] [--packed] [--list] [FORM]...\n"
         "For each form that PTX and the GPU have a digest over the results of the GPU, as pto digest writes "
         "them.\n"
         "\n"
         "  FORM               a form of pto digest --list, or a pattern of them; without any all forms\n"
         "  --range BEGIN:END  of each form only these shares\n"
         "  --sample           of forms of more than 2^24 inputs a sample of 2^22\n"
         "  --like FILE        only the forms, inputs and shares of a file of lines\n"
         "  --packed           where PTX has a form for one element and for two, the instruction for two\n"
         "  --list             the forms and their instructions; needs no GPU\n"
         "\n"
         "example:\n"
         "  ptx_digest --like docs/digests.jsonl >gpu.jsonl; pto diff --common docs/digests.jsonl gpu.jsonl");
    return STATUS_OK;
}

/* ---- computing ---- */

/* The state of the computation: the chip, the buffer of a block, and counts. */
struct work {
    struct ptx_chip chip;
    struct block *block;
    struct tally tally;
};

static int digest_shares(const struct digest_options *chosen, const struct form *form,
                         const uint64_t wanted[2], struct work *work) {
    struct ptx_form ptx;
    uint64_t range[2] = {wanted[0], wanted[1]};
    if (!narrow_range(form, range)) return STATUS_OK;
    if (!ptx_form_of(form, chosen->packed, &ptx)) {
        ++work->tally.not_ptx;
        return STATUS_OK;
    }
    if ((work->chip.levels >> ptx.instruction->level & 1) == 0) {
        ++work->tally.not_here;
        return STATUS_OK;
    }
    ++work->tally.written;
    return write_digest(&tool, &ptx.form, range, ptx_block_run, work->chip.name, work->block);
}

static int digest_forms(const struct digest_options *chosen, const struct form_list *forms,
                        struct work *work) {
    int status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < forms->count; ++i)
        status = digest_shares(chosen, &forms->items[i], chosen->range, work);
    return status;
}

/* Computes the same inputs and shares as each line of a file whose form is among the chosen ones. */
static int digest_like(const struct digest_options *chosen, const struct form_list *forms,
                       struct work *work) {
    struct line_list lines = {NULL, 0, 0};
    int status = read_lines(&tool, chosen->like, &lines);
    for (size_t i = 0; status == STATUS_OK && i < lines.count; ++i) {
        uint64_t range[2] = {chosen->range[0], chosen->range[1]};
        struct form form;
        if (form_of_line(forms, &lines.items[i], &form) && common_range(&lines.items[i], range))
            status = digest_shares(chosen, &form, range, work);
    }
    free(lines.items);
    return status;
}

static int compute(const struct digest_options *chosen, const struct form_list *forms) {
    struct work work = {.block = malloc(sizeof *work.block)};
    int status;
    if (work.block == NULL) out_of_memory();
    ptx_chip_open(&work.chip);
    status = (chosen->like != NULL ? digest_like : digest_forms)(chosen, forms, &work);
    free(work.block);
    fprintf(stderr,
            "%s: %zu lines; left out: %zu of forms that PTX has not, %zu that %s or this toolkit has not\n",
            tool.name, work.tally.written, work.tally.not_ptx, work.tally.not_here, work.chip.name);
    return status;
}

static int print_list(const struct digest_options *chosen, const struct form_list *forms) {
    for (size_t i = 0; i < forms->count; ++i) {
        struct ptx_form form;
        if (ptx_form_of(&forms->items[i], chosen->packed, &form))
            printf("%-55s %s\n", form.form.name, form.instruction->text);
    }
    return STATUS_OK;
}

/* ---- the program ---- */

static int run(const struct digest_options *chosen, char *const *patterns, int count) {
    struct form_list forms;
    int status;
    list_forms(&forms);
    status = choose_forms(&tool, patterns, count, &forms);
    for (size_t i = 0; chosen->sample && i < forms.count; ++i) use_sample(&forms.items[i]);
    if (status == STATUS_OK) status = chosen->list ? print_list(chosen, &forms) : compute(chosen, &forms);
    free(forms.items);
    return status;
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"range", required_argument, NULL, 'r'},
                                            {"like", required_argument, NULL, 'k'},
                                            {"packed", no_argument, NULL, 'p'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"sample", no_argument, NULL, 's'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct digest_options chosen = {.range = {0, UINT64_MAX}};
    int option;
    while ((option = next_option(&tool, argc, argv, options)) != -1) {
        switch (option) {
        case 'r':
            if (read_range(&tool, optarg, chosen.range) != STATUS_OK) return STATUS_ERROR;
            break;
        case 's': chosen.sample = true; break;
        case 'k': chosen.like = optarg; break;
        case 'p': chosen.packed = true; break;
        case 'l': chosen.list = true; break;
        case 'h': return help();
        default: return STATUS_ERROR;
        }
    }
    return run(&chosen, argv + optind, argc - optind);
}
