/* SPDX-License-Identifier: MIT */
/* test_ptxas_bits PTXAS [all]: compares the integer and bit instructions of programs with the constants that ptxas,
 * NVIDIA's assembler, folds: 24 constants of each form, or 1,000 with `all`. ptxas folds some forms never. What it does
 * not fold is counted and printed. */
#include "program/bits_values.h"
#include "support/cmocka_all.h"
#include "witness/fold.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512 };

static struct ptxas ptxas;
static size_t constants = 24;

static struct { size_t same, not_folded; } seen;

/* Adds a kernel that computes lane i and then runs `last` on the result, in d0. The flag before comes from a sum. */
static void add_kernel(struct folding *fold, const struct exact_form *form, const struct bits_values *v,
                       size_t i, const char *last) {
    char text[4 * TEXT];
    size_t used = 0;
    for (size_t k = 1; form->operands[k]; k++) {
        const unsigned bits = exact_width(form->operands[k]);
        used += (size_t)snprintf(text + used, sizeof text - used, "mov.b%u %c%zu, 0x%llx; ", bits,
                                 register_for(bits), k, (unsigned long long)v->in[k - 1][i]);
    }
    if (exact_reads_carry(form->opcode))
        used += (size_t)snprintf(text + used, sizeof text - used, "add.cc.u32 w5, 0x%x, 0x%x; ",
                                 v->flag_before[i] ? 0x80000001U : 1U, v->flag_before[i] ? 0x80000001U : 1U);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %c0", form->opcode,
                             register_for(exact_width(form->operands[0])));
    for (size_t k = 1; form->operands[k]; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %c%zu",
                                 register_for(exact_width(form->operands[k])), k);
    if (exact_width(form->operands[0]) < 64)
        snprintf(text + used, sizeof text - used, "; cvt.u64.u%u d0, %c0; %s", exact_width(form->operands[0]),
                 register_for(exact_width(form->operands[0])), last);
    else
        snprintf(text + used, sizeof text - used, "; %s", last);
    fold_add(fold, text);
}

/* Fails the test if ptxas folded a lane that is in `rest` to another result than the program's. This shows because the
 * lowest bit of its result is then a constant. */
static void judge_rest(const struct exact_form *form, const struct bits_values *v, const size_t *rest,
                       size_t count) {
    struct folding fold;
    if (count == 0) return;
    fold_open(&fold, &ptxas);
    for (size_t i = 0; i < count; i++) add_kernel(&fold, form, v, rest[i], "and.b64 d0, d0, 1;");
    assert_true(fold_assemble(&fold));
    for (size_t i = 0; i < count; i++)
        if (fold_same(&fold, i + 2, FOLD_ZERO) || fold_same(&fold, i + 2, FOLD_ONE))
            fail_msg("%s of %llx, %llx, %llx, %llx: ptxas folds something else than the program's %llx",
                     form->opcode, (unsigned long long)v->in[0][rest[i]],
                     (unsigned long long)v->in[1][rest[i]], (unsigned long long)v->in[2][rest[i]],
                     (unsigned long long)v->in[3][rest[i]], (unsigned long long)v->result[rest[i]]);
    seen.not_folded += count;
    fold_close(&fold);
}

static void judge(const struct exact_form *form, const struct bits_values *v) {
    static size_t rest[1000];
    struct folding fold;
    size_t count = 0;
    fold_open(&fold, &ptxas);
    for (size_t i = 0; i < v->n; i++) {
        char last[TEXT];
        snprintf(last, sizeof last, "xor.b64 d0, d0, 0x%llx;", (unsigned long long)v->result[i]);
        add_kernel(&fold, form, v, i, last);
    }
    assert_true(fold_assemble(&fold));
    assert_false(fold_same(&fold, FOLD_ZERO, FOLD_ONE)); /* otherwise no difference could be found */
    for (size_t i = 0; i < v->n; i++) {
        if (fold_same(&fold, i + 2, FOLD_ZERO))
            seen.same++;
        else
            rest[count++] = i;
    }
    fold_close(&fold);
    judge_rest(form, v, rest, count);
}

/* Bytes in words, and sums of pairs and unsigned integers that saturate, are for the newest targets only. */
static bool needs_newest(const char *opcode) {
    return strstr(opcode, "8x4") || (strstr(opcode, "add.sat") && !strstr(opcode, "s32"));
}

static void folds(void **state) {
    const char *newest = ptxas.target;
    size_t same = 0, forms = 0;
    (void)state;
    for (size_t i = 0; i < exact_forms_count; i++) {
        const struct exact_form *form = &exact_forms[i];
        struct bits_values v;
        struct rng rng;
        if (needs_newest(form->opcode) && ptxas.isa < 95) continue;
        ptxas.target = needs_newest(form->opcode) ? newest : "sm_100a"; /* which folds more than newer ones */
        memset(&seen, 0, sizeof seen);
        rng_start(&rng, form->opcode);
        v = bits_values_of(&rng, form, constants);
        bits_values_run(&v, form, -1);
        judge(form, &v);
        printf("%s: %zu folded as here, %zu not folded\n", form->opcode, seen.same, seen.not_folded);
        if (form->folds && seen.same < seen.not_folded)
            fail_msg("%s: not enough of it is folded", form->opcode);
        same += seen.same;
        forms += seen.same != 0;
        bits_values_free(&v);
    }
    ptxas.target = newest;
    printf("%zu constants of %zu forms folded as programs have them\n", same, forms);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(folds)};
    int status;
    if (argc < 2 || harness_start(1, argv) != 0) return 1;
    if (harness_quick()) constants = 8;
    if (argc > 2 && strcmp(argv[2], "all") == 0) constants = 1000;
    if (!ptxas_start(&ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas, integers of programs", tests, NULL, NULL);
    ptxas_stop(&ptxas);
    return harness_end(status);
}
