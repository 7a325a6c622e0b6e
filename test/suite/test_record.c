/* SPDX-License-Identifier: MIT */
/** test_record ISA RECORD [whole [PART PARTS]]: recomputes digests of a record such as docs/digests.jsonl: a
 * sample, all, or one part of all. Also checks that the record has every form, and that wrong results, wrong
 * digests and missing forms are detected. */
#include "digest_share.h"
#include "support/harness.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct command test = {.name = "test_record"};

/* For a form with at most this many inputs, the record has a digest of all of them. For others it has a sample. */
static const uint64_t most_inputs = UINT64_C(1) << 24;

struct selection {
    bool whole;
    size_t part, parts;
};

struct tally {
    size_t same, wrong;
};

static struct block block;

/* ---- one line ---- */

/* Recomputes the digest of a line from its shares. `run` is block_run() or a faulty version. Returns whether the
 * digests are equal, or false if a call fails. */
static bool agrees(const struct form *form, const struct line *line, block_runner *run) {
    struct digest128 sum = {0, 0};
    for (uint64_t share = line->begin; share < line->end; ++share) {
        struct digest128 one;
        if (share_digest(form, share, run, &block, &one) != PTO_OK) return false;
        digest_add(&sum, one);
    }
    return sum.high == line->digest.high && sum.low == line->digest.low;
}

static void check_line(const struct form_list *forms, const struct line *line, struct tally *tally) {
    struct form form;
    const bool same = form_of_line(forms, line, &form) && agrees(&form, line, block_run);
    tally->same += same;
    tally->wrong += !same;
    if (!same)
        printf("%s, %s, shares %" PRIu64 " to %" PRIu64 ": not the digest of the record\n", line->form,
               line->inputs, line->begin, line->end);
}

/* ---- which lines ---- */

static uint64_t inputs_of(const struct line *line) {
    return line->share_count == 1 ? line->count : (line->end - line->begin) * SHARE_INPUTS;
}

/* Returns how many inputs a sampled run may take from forms with several shares. */
static uint64_t budget(void) {
    return UINT64_C(1) << (harness_emulated() ? 24 : harness_quick() ? 26 : 28);
}

/* Checks about every twentieth line with one share, and as many longer ones as the budget allows. The choice is
 * random and differs for each ISA and vector length. */
static void check_some(const struct form_list *forms, const struct line_list *record, struct tally *tally) {
    const char *const sve = getenv("PTO_TEST_SVE_BYTES"), *const rvv = getenv("PTO_TEST_RVV_BYTES");
    uint64_t left = budget();
    struct rng rng;
    char purpose[64];
    snprintf(purpose, sizeof purpose, "record %s %s%s", pto_isa_name(pto_isa_active()), sve ? sve : "",
             rvv ? rvv : "");
    rng_start(&rng, purpose);
    for (size_t i = 0; i < record->count; ++i)
        if (record->items[i].share_count == 1 && rng_below(&rng, 20) == 0)
            check_line(forms, &record->items[i], tally);
    for (size_t tries = 0; tries < record->count; ++tries) {
        const struct line *const line = &record->items[rng_below(&rng, record->count)];
        if (line->share_count == 1 || inputs_of(line) > left) continue;
        left -= inputs_of(line);
        check_line(forms, line, tally);
    }
}

/* Checks all lines of a part. Under an emulator it skips those with more than most_inputs inputs. */
static void check_all(const struct form_list *forms, const struct line_list *record,
                      const struct selection *selection, struct tally *tally) {
    for (size_t i = selection->part; i < record->count; i += selection->parts)
        if (!harness_emulated() || inputs_of(&record->items[i]) <= most_inputs)
            check_line(forms, &record->items[i], tally);
}

/* ---- the record has every form ---- */

static bool is_in(const struct line_list *record, const struct form *form) {
    for (size_t i = 0; i < record->count; ++i) {
        const struct line *const line = &record->items[i];
        if (line->count == form->count && line->begin == 0 && line->end == line->share_count &&
            strcmp(line->form, form->name) == 0)
            return true;
    }
    return false;
}

static size_t count_missing(const struct form_list *forms, const struct line_list *record) {
    size_t missing = 0;
    for (size_t i = 0; i < forms->count; ++i) {
        struct form form = forms->items[i];
        use_sample(&form);
        missing += !is_in(record, &form);
    }
    return missing;
}

/* ---- faults ---- */

/* Planted fault: one bit of the last result of each block is wrong. */
static pto_status wrong_run(const struct form *form, struct block *to) {
    const pto_status status = block_run(form, to);
    const size_t bit = to->n * result_bits(form) - 1;
    to->result.bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
    return status;
}

/* Plants faults in every hundredth line, if that has one share. Returns how many are not detected. */
static size_t missed_faults(const struct form_list *forms, const struct line_list *record) {
    size_t missed = 0;
    for (size_t i = 0; i < record->count; i += 100) {
        struct line line = record->items[i];
        struct form form;
        if (line.share_count != 1 || !form_of_line(forms, &line, &form)) continue;
        missed += agrees(&form, &line, wrong_run);
        line.digest.low ^= 1;
        missed += agrees(&form, &line, block_run);
        line.digest.low ^= 1;
        line.digest.high ^= UINT64_C(1) << 63;
        missed += agrees(&form, &line, block_run);
    }
    return missed;
}

/* Whether two planted gaps are detected: a form with a wrong name, and a form with one share missing. */
static bool gap_is_found(const struct form_list *forms, const struct line_list *record) {
    struct line *line = record->items;
    bool found;
    while (line->count > most_inputs) ++line;
    line->form[0] ^= 1;
    found = count_missing(forms, record) == 1;
    line->form[0] ^= 1;
    ++line->begin;
    found = found && count_missing(forms, record) == 1;
    --line->begin;
    return found;
}

/* ---- the program ---- */

static int run(const struct form_list *forms, const struct line_list *record,
               const struct selection *selection) {
    const size_t missing = count_missing(forms, record);
    struct tally tally = {0, 0};
    size_t missed;
    bool gap_found;
    if (selection->whole)
        check_all(forms, record, selection, &tally);
    else
        check_some(forms, record, &tally);
    missed = missed_faults(forms, record);
    gap_found = missing != 0 || gap_is_found(forms, record);
    printf("%zu of %zu digests computed, %zu differ; %zu of %zu forms are not in the record; faults: %s\n",
           tally.same + tally.wrong, record->count, tally.wrong, missing, forms->count,
           missed == 0 && gap_found ? "found" : "NOT FOUND");
    return tally.same != 0 && tally.wrong == 0 && missing == 0 && missed == 0 && gap_found ? 0 : 1;
}

static bool read_selection(int count, char **words, struct selection *selection) {
    if (count == 0) return true;
    selection->whole = strcmp(words[0], "whole") == 0;
    if (count == 3) {
        selection->part = strtoul(words[1], NULL, 10);
        selection->parts = strtoul(words[2], NULL, 10);
    }
    return selection->whole && (count == 1 || count == 3) && selection->part < selection->parts;
}

int main(int argc, char **argv) {
    struct selection selection = {.parts = 1};
    struct form_list forms;
    struct line_list record = {NULL, 0, 0};
    int status = argc < 3 ? 1 : harness_start(2, argv);
    if (status != 0) return status;
    if (!read_selection(argc - 3, argv + 3, &selection) || read_lines(&test, argv[2], &record) != STATUS_OK ||
        record.count == 0) {
        fputs("usage: test_record ISA RECORD [whole [PART PARTS]]\n", stderr);
        return 1;
    }
    list_forms(&forms);
    status = run(&forms, &record, &selection);
    free(forms.items);
    free(record.items);
    return harness_end(status);
}
