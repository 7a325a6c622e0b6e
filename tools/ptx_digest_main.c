/* SPDX-License-Identifier: MIT */
/* ptx_digest: the lines of docs/digests.md from a chip, for pto diff. The page says how it is built and run. */
#include "ptx_digest.h"

#include <stdlib.h>

const char command_prefix[] = "";

static const struct command tool = {.name = "ptx_digest"};

struct wish {
    bool list, packed;
    uint64_t range[2];
    const char *like; /* a file of lines, or NULL */
};

/* What was left out, and why. */
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
         "  --like FILE        only the forms and shares of a file of lines\n"
         "  --packed           where PTX has a form for one element and for two, the instruction for two\n"
         "  --list             the forms and their instructions; needs no GPU\n"
         "\n"
         "example:\n"
         "  ptx_digest --like docs/digests.jsonl >gpu.jsonl; pto diff --common docs/digests.jsonl gpu.jsonl");
    return ALL_WELL;
}

/* ---- computing ---- */

static int digest_form(const struct ptx_form *form, const uint64_t wanted[2], const struct ptx_chip *chip,
                       struct block *block, struct tally *tally) {
    uint64_t range[2] = {wanted[0], wanted[1]};
    if ((chip->levels >> form->instruction->level & 1) == 0) {
        ++tally->not_here;
        return ALL_WELL;
    }
    if (!narrow_range(&form->form, range)) return ALL_WELL;
    ++tally->written;
    return write_digest(&tool, &form->form, range, ptx_block_run, chip->name, block);
}

/* The shares of the lines of a form; without lines those that the user asked for. */
static int digest_shares(const struct wish *wish, const struct line_list *lines, const struct ptx_form *form,
                         const struct ptx_chip *chip, struct block *block, struct tally *tally) {
    int status = ALL_WELL;
    if (wish->like == NULL) return digest_form(form, wish->range, chip, block, tally);
    for (size_t i = 0; status == ALL_WELL && i < lines->count; ++i) {
        const struct line *const line = &lines->items[i];
        uint64_t range[2] = {line->begin, line->end};
        if (strcmp(line->form, form->form.name) != 0) continue;
        if (range[0] < wish->range[0]) range[0] = wish->range[0];
        if (range[1] > wish->range[1]) range[1] = wish->range[1];
        if (range[0] < range[1]) status = digest_form(form, range, chip, block, tally);
    }
    return status;
}

static bool is_in(const struct line_list *lines, const char *name) {
    for (size_t i = 0; i < lines->count; ++i)
        if (strcmp(lines->items[i].form, name) == 0) return true;
    return false;
}

static int digest_forms(const struct wish *wish, const struct form_list *forms,
                        const struct line_list *lines) {
    struct block *const block = malloc(sizeof *block);
    struct tally tally = {0, 0, 0};
    struct ptx_chip chip;
    int status = ALL_WELL;
    if (block == NULL) out_of_memory();
    ptx_chip_open(&chip);
    for (size_t i = 0; status == ALL_WELL && i < forms->count; ++i) {
        struct ptx_form form;
        if (wish->like != NULL && !is_in(lines, forms->items[i].name)) continue;
        if (ptx_form_of(&forms->items[i], wish->packed, &form))
            status = digest_shares(wish, lines, &form, &chip, block, &tally);
        else
            ++tally.not_ptx;
    }
    free(block);
    fprintf(stderr,
            "%s: %zu lines; left out: %zu forms that PTX has not, %zu that %s or this toolkit has not\n",
            tool.name, tally.written, tally.not_ptx, tally.not_here, chip.name);
    return status;
}

static int print_list(const struct wish *wish, const struct form_list *forms) {
    for (size_t i = 0; i < forms->count; ++i) {
        struct ptx_form form;
        if (ptx_form_of(&forms->items[i], wish->packed, &form))
            printf("%-55s %s\n", form.form.name, form.instruction->text);
    }
    return ALL_WELL;
}

/* ---- the program ---- */

static int run(const struct wish *wish, char *const *patterns, int count) {
    struct form_list forms;
    struct line_list lines = {NULL, 0, 0};
    int status;
    list_forms(&forms);
    status = choose_forms(&tool, patterns, count, &forms);
    if (status == ALL_WELL && wish->like != NULL) status = read_lines(&tool, wish->like, &lines);
    if (status == ALL_WELL && wish->list)
        status = print_list(wish, &forms);
    else if (status == ALL_WELL)
        status = digest_forms(wish, &forms, &lines);
    free(lines.items);
    free(forms.items);
    return status;
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"range", required_argument, NULL, 'r'}, {"like", required_argument, NULL, 'k'},
        {"packed", no_argument, NULL, 'p'},      {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    struct wish wish = {.range = {0, UINT64_MAX}};
    int option;
    while ((option = next_option(&tool, argc, argv, options)) != -1) {
        switch (option) {
        case 'r':
            if (read_range(&tool, optarg, wish.range) != ALL_WELL) return BAD_USE;
            break;
        case 'k': wish.like = optarg; break;
        case 'p': wish.packed = true; break;
        case 'l': wish.list = true; break;
        case 'h': return help();
        default: return BAD_USE;
        }
    }
    return run(&wish, argv + optind, argc - optind);
}
