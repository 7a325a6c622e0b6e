/* SPDX-License-Identifier: MIT */
/*
 * test_ptx_digest RECORD: runs ptx_digest with libpto instead of the GPU.
 *
 * The test covers each instruction of every form that PTX has. It compares the digest with RECORD, if RECORD
 * has the form and the form is short. It also compares results of blocks with those of pto digest. Then it
 * plants each fault of ptx_cpu.h, which must be found in every form that it can affect.
 *
 * Only the run of an instruction differs from the GPU program. The list of instructions, the text of the
 * statements, the order of operands and the memory layout of a batch are the GPU program's.
 */
#include "ptx_digest.h"
#include "support/harness.h"
#include "truth/ptx_cpu.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct command test = {.name = "test_ptx_digest"};

/* shares: forms of at most this many shares are compared with the record. blocks: blocks of a form that are
 * compared with pto digest. */
struct effort {
    size_t shares, blocks;
};
static struct effort effort = {1, 16};
static const struct effort quick = {1, 4}, whole = {16, 64};

struct tally {
    size_t forms,
        instructions; /* forms and samples of pto digest for which PTX has instructions, and those instructions */
    size_t recorded, record,
        not_ptx; /* lines compared with the record, lines in it, and those without instruction */
    size_t blocks, wrong;
};

static struct block block;

static void run_or_exit(block_runner *run, const struct ptx_form *form) {
    if (run(&form->form, &block) == PTO_OK) return;
    printf("%s: cannot be computed\n", form->instruction->text);
    exit(harness_end(1));
}

/* Changes 32-bit sources so that neighbours have different exponents and fractions. */
static void spread_sources(const struct form *form) {
    if (form->operation != OP_CVT || pto_dtype_bits(form->cvt.src) != 32) return;
    for (size_t i = 0; i < block.n; ++i) block.source.words[i] ^= (uint32_t)(i % 4) * 0x955554;
}

/* Returns whether chip and library give the same results for a block. Neighbouring sources often have the
 * same result; `spread` makes them differ. */
static bool block_agrees(const struct ptx_form *form, uint64_t first, bool spread) {
    static union lanes by_chip;
    const uint64_t left = form->form.count - first;
    block_fill(&form->form, &block, first, left < BLOCK_INPUTS ? (size_t)left : BLOCK_INPUTS);
    if (spread) spread_sources(&form->form);
    run_or_exit(ptx_block_run, form);
    by_chip = block.result;
    run_or_exit(block_run, form);
    return memcmp(&by_chip, &block.result, result_bytes(&form->form, block.n)) == 0;
}

/* ---- all forms, without a fault ---- */

static const struct line *line_of(const struct line_list *record, const struct form *form) {
    for (size_t i = 0; i < record->count; ++i)
        if (strcmp(record->items[i].form, form->name) == 0 && record->items[i].count == form->count)
            return &record->items[i];
    return NULL;
}

static void complain(const struct ptx_form *form, const char *what, struct tally *tally) {
    printf("%s by %s: %s\n", form->form.name, form->instruction->text, what);
    ++tally->wrong;
}

static void check_record(const struct ptx_form *form, const struct line *line, struct tally *tally) {
    struct digest128 sum = {0, 0};
    for (uint64_t share = line->begin; share < line->end; ++share) {
        struct digest128 one;
        if (share_digest(&form->form, share, ptx_block_run, &block, &one) == PTO_OK) digest_add(&sum, one);
    }
    ++tally->recorded;
    if (sum.high != line->digest.high || sum.low != line->digest.low)
        complain(form, "not the digest of the record", tally);
}

static void check_instruction(const struct ptx_form *form, const struct line *line, struct tally *tally) {
    const uint64_t blocks = (form->form.count + BLOCK_INPUTS - 1) / BLOCK_INPUTS;
    size_t wanted = effort.blocks, wrong = 0;
    struct rng rng;
    rng_start(&rng, form->instruction->text);
    if (line != NULL && line->share_count <= effort.shares) check_record(form, line, tally);
    if (wanted > blocks) wanted = blocks;
    for (size_t i = 0; i < wanted; ++i) {
        const uint64_t first = rng_next(&rng) % blocks * BLOCK_INPUTS;
        wrong += !block_agrees(form, first, i % 2 != 0);
    }
    tally->blocks += wanted;
    ++tally->instructions;
    if (wrong != 0) complain(form, "not the results of pto digest", tally);
}

static void check_form(const struct form *form, const struct line_list *record, struct tally *tally) {
    const struct line *const line = line_of(record, form);
    struct ptx_form one, two;
    tally->record += line != NULL;
    if (!ptx_form_of(form, false, &one)) {
        tally->not_ptx += line != NULL;
        return;
    }
    ++tally->forms;
    check_instruction(&one, line, tally);
    if (ptx_form_of(form, true, &two) && two.instruction != one.instruction)
        check_instruction(&two, line, tally);
}

static bool all_agree(const struct form_list *forms, const struct line_list *record) {
    struct tally t = {0};
    for (size_t i = 0; i < forms->count; ++i) {
        struct form sample = forms->items[i];
        use_sample(&sample);
        check_form(&forms->items[i], record, &t);
        if (sample.count != forms->items[i].count) check_form(&sample, record, &t);
    }
    printf("%zu forms and samples of %zu forms of pto digest, by %zu instructions: %zu blocks, %zu wrong\n",
           t.forms, forms->count, t.instructions, t.blocks, t.wrong);
    printf("of %zu lines of the record %zu have no instruction; %zu digests are compared with it\n", t.record,
           t.not_ptx, t.recorded);
    return t.wrong == 0 && t.recorded != 0 && t.record == record->count;
}

/* ---- faults ---- */

static bool has_pairs(const struct ptx_form *form) {
    return form->shape.units_in != 1;
}

static bool has_random(const struct ptx_form *form) {
    return form->shape.random_mask != 0;
}

static bool has_scales(const struct ptx_form *form) {
    return form->shape.scales != 0;
}

/* Returns whether the two elements of a pair may have different scales. In forms that combine all codes with all
 * scales, they have the same one. */
static bool has_two_scales(const struct ptx_form *form) {
    return form->shape.scales == 2 && form->form.coverage != COVERS_ALL;
}

static bool chooses(const struct ptx_form *form) {
    return form->form.operation == OP_SELP || form->form.operation == OP_SLCT;
}

static bool is_any(const struct ptx_form *form) {
    return form->form.count != 0;
}

static const struct fault {
    const char *words;
    bool (*shows)(const struct ptx_form *form); /* returns whether the fault must be found in a form */
} faults[PTX_FAULTS] = {
    [PTX_SWAPPED_STATEMENT] = {"operands swapped in the statement", has_pairs},
    [PTX_SWAPPED_SOURCES] = {"sources swapped in memory", has_pairs},
    [PTX_OTHER_RANDOM] = {"another random word", has_random},
    [PTX_OTHER_SCALE] = {"another scale", has_scales},
    [PTX_SWAPPED_SCALES] = {"scales swapped", has_two_scales},
    [PTX_OTHER_CHOICE] = {"the opposite choice", chooses},
    [PTX_OTHER_PLACE] = {"results one place off", is_any},
};

/* Returns whether a fault shows in any of the blocks that begin at `firsts`. Depending on the form, their inputs are
 * f32 near 1, 16-bit pairs with a below or above b, scales near 1, sampled pairs, operands with p set, or the first
 * inputs. */
static bool is_found(const struct ptx_form *form) {
    static const uint64_t firsts[] = {
        1016 << 20, 1016 << 20 | 1 << 14, 127 << 16,         127 << 16 | 1 << 14,
        5 << 16,    5 << 16 | 1 << 14,    UINT64_C(1) << 32, 0};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; ++i)
        if (firsts[i] < form->form.count && !block_agrees(form, firsts[i], true)) return true;
    return false;
}

/* Returns whether the fault is found in all forms that it affects. If a form has two instructions, the packed one is
 * used, because it has several operands. */
static bool finds(const struct form_list *forms, enum ptx_fault fault) {
    size_t shown = 0, found = 0;
    ptx_cpu_fault = fault;
    for (size_t i = 0; i < forms->count; ++i) {
        struct ptx_form form;
        if (!ptx_form_of(&forms->items[i], true, &form) || !faults[fault].shows(&form)) continue;
        ++shown;
        if (is_found(&form))
            ++found;
        else
            printf("%s: not found: %s\n", form.instruction->text, faults[fault].words);
    }
    ptx_cpu_fault = PTX_SOUND;
    printf("%s: found in %zu of %zu forms\n", faults[fault].words, found, shown);
    return shown != 0 && found == shown;
}

int main(int argc, char **argv) {
    struct form_list forms;
    struct line_list record = {NULL, 0, 0};
    const char *record_path = argv[1];
    bool good;
    const int status = harness_start(1, argv);
    if (status != 0) return status;
    if (harness_quick()) effort = quick;
    if (argc == 3 && strcmp(argv[2], "whole") == 0)
        effort = whole;
    else if (argc != 2)
        record_path = NULL;
    if (record_path == NULL || read_lines(&test, record_path, &record) != STATUS_OK) {
        fputs("usage: test_ptx_digest RECORD [whole]\n", stderr);
        return 1;
    }
    list_forms(&forms);
    good = all_agree(&forms, &record);
    for (enum ptx_fault fault = PTX_SOUND + 1; fault < PTX_FAULTS; ++fault)
        good = finds(&forms, fault) && good;
    free(forms.items);
    free(record.items);
    return harness_end(good ? 0 : 1);
}
