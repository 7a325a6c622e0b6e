/* SPDX-License-Identifier: MIT */
/* test_ptxas_maxmin PTXAS [all]: compares max and min with ptxas, NVIDIA's assembler. It compares which modifiers
 * go with which types, and the constants that ptxas folds, for one pair of special values in seven, or for all.
 * ptxas 13.0 does not fold f16, bf16, .xorsign.abs, non-NaN values under .NaN, and two NaNs that differ. These are
 * counted and printed. */
#include "support/maxmin_fixture.h"
#include "support/cmocka_all.h"
#include "witness/fold.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512, BATCH = 6000 };

static struct ptxas ptxas;
static bool every_pair;

/** The types of PTX's max and min. The library also has 8-bit types. */
static const pto_dtype types[] = {PTO_U16, PTO_U32, PTO_U64,  PTO_S16, PTO_S32,
                                  PTO_S64, PTO_F16, PTO_BF16, PTO_F32, PTO_F64};
enum { TYPES = sizeof types / sizeof types[0] };

static void spell(char text[TEXT], enum model_maxmin step, pto_dtype type, unsigned flags) {
    snprintf(text, TEXT, "%s%s%s%s.%s", step == MODEL_MIN ? "min" : "max", flags & PTO_FTZ ? ".ftz" : "",
             flags & PTO_PROPAGATE_NAN ? ".NaN" : "", flags & PTO_XORSIGN_ABS ? ".xorsign.abs" : "",
             pto_dtype_name(type));
}

/* ---- which modifiers ---- */

static pto_status library_status(enum model_maxmin step, pto_dtype type, unsigned flags) {
    const pto_in none = pto_in_array(NULL);
    return (step == MODEL_MIN ? pto_vmin : pto_vmax)(type, flags, none, none, NULL, 0);
}

static unsigned flags_of(size_t i) {
    return (i & 1 ? PTO_FTZ : 0U) | (i & 2 ? PTO_PROPAGATE_NAN : 0U) | (i & 4 ? PTO_XORSIGN_ABS : 0U);
}

/** Whether the library takes what PTX does not have: NaN propagation of f64. */
static bool is_extension(pto_dtype type, unsigned flags) {
    return type == PTO_F64 && (flags & PTO_PROPAGATE_NAN) != 0;
}

static void legality(void **state) {
    enum { ALL = TYPES * 2 * 8 };
    struct listing l;
    size_t legal = 0;
    char text[TEXT];
    (void)state;
    listing_open(&l, &ptxas);
    for (size_t i = 0; i < ALL; i++) {
        const char r = register_for(pto_dtype_bits(types[i / 16]));
        char operands[PTXAS_OPERANDS];
        snprintf(operands, sizeof operands, "%c0, %c1, %c2", r, r, r);
        spell(text, i / 8 % 2 ? MODEL_MIN : MODEL_MAX, types[i / 16], flags_of(i));
        listing_add(&l, text, operands);
    }
    listing_judge(&l);
    for (size_t i = 0; i < ALL; i++) {
        const enum model_maxmin step = i / 8 % 2 ? MODEL_MIN : MODEL_MAX;
        const bool taken = l.verdict[i] == 0, extension = is_extension(types[i / 16], flags_of(i));
        spell(text, step, types[i / 16], flags_of(i));
        if (extension ? taken : (library_status(step, types[i / 16], flags_of(i)) == PTO_OK) != taken)
            fail_msg("%s: ptxas says otherwise than the library: %d", text, taken);
        legal += taken;
    }
    listing_close(&l);
    printf("max, min: %d combinations, ptxas takes %zu of them\n", ALL, legal);
}

/* ---- what is folded ---- */

/** One lane of a call on constants: the bits of its operands. */
struct constant {
    struct maxmin_form form;
    uint64_t in[MAXMIN_INS];
};

static uint64_t by_library(const struct constant *c) {
    const struct subject library = subject_library();
    unsigned char memory[MAXMIN_INS][8], got[8];
    pto_in in[MAXMIN_INS];
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        value_store(c->form.type, memory[k], 0, c->in[k]);
        in[k] = pto_in_array(memory[k]);
    }
    assert_status(maxmin_call(&library, &c->form, in, got, 1), PTO_OK);
    return value_load(c->form.type, got, 0);
}

/** Adds a kernel that computes the max or min of the first two operands, or for vclamp the min of their max and the
 * third operand. The kernel then moves the result to d0 and runs the instruction `last` on it. */
static void add_kernel(struct folding *f, const struct constant *c, const char *last) {
    const size_t bits = pto_dtype_bits(c->form.type);
    const char r = register_for(bits);
    char first[TEXT], second[TEXT], text[4 * TEXT];
    size_t used = 0;

    for (size_t k = 0; k < MAXMIN_INS; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "mov.b%zu %c%zu, 0x%llx; ", bits, r, k + 1,
                                 (unsigned long long)c->in[k]);
    }
    spell(first, c->form.call, c->form.type, c->form.flags);
    spell(second, MODEL_MIN, c->form.type, c->form.flags);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %c1, %c1, %c2; ", first, r, r, r);
    if (c->form.call == MODEL_CLAMP)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %c1, %c1, %c3; ", second, r, r, r);
    if (bits < 64)
        snprintf(text + used, sizeof text - used, "cvt.u64.u%zu d0, %c1; %s", bits, r, last);
    else
        snprintf(text + used, sizeof text - used, "mov.b64 d0, d1; %s", last);
    fold_add(f, text);
}

static struct { size_t same, not_folded, itself; } seen;

/** Checks that ptxas does not fold the calls in `rest` at all. They are those that it did not fold to the library's
 * result. The kernels extract the lowest bit of the result. If ptxas folds a call, that bit is the constant 0 or 1. */
static void judge_rest(const struct constant *rest, size_t count) {
    struct folding f;
    if (count == 0) return;
    fold_open(&f, &ptxas);
    for (size_t i = 0; i < count; i++) {
        add_kernel(&f, &rest[i], "and.b64 d0, d0, 1;");
    }
    assert_true(fold_assemble(&f));
    for (size_t i = 0; i < count; i++) {
        char text[TEXT];
        spell(text, rest[i].form.call, rest[i].form.type, rest[i].form.flags);
        if (fold_same(&f, i + 2, FOLD_ZERO) || fold_same(&f, i + 2, FOLD_ONE))
            fail_msg("%s (%s) of %llx, %llx, %llx: ptxas folds something else than the library's %llx",
                     maxmin_name(rest[i].form.call), text, (unsigned long long)rest[i].in[0],
                     (unsigned long long)rest[i].in[1], (unsigned long long)rest[i].in[2],
                     (unsigned long long)by_library(&rest[i]));
        seen.not_folded++;
    }
    fold_close(&f);
}

static void judge(struct constant *all, size_t count) {
    struct folding f;
    size_t rest = 0;
    fold_open(&f, &ptxas);
    for (size_t i = 0; i < count; i++) {
        char last[64];
        snprintf(last, sizeof last, "xor.b64 d0, d0, 0x%llx;", (unsigned long long)by_library(&all[i]));
        add_kernel(&f, &all[i], last);
    }
    assert_true(fold_assemble(&f));
    assert_false(fold_same(&f, FOLD_ZERO, FOLD_ONE)); /* otherwise no difference could be found */
    for (size_t i = 0; i < count; i++) {
        if (fold_same(&f, i + 2, FOLD_ZERO))
            seen.same++;
        else
            all[rest++] = all[i];
    }
    fold_close(&f);
    judge_rest(all, rest);
}

/** Returns whether ptxas folds max(x, x) to x although x is a NaN. The payload then remains; the ISA requires the
 * canonical NaN. */
static bool taken_for_itself(const struct constant *c) {
    const bool same = c->in[0] == c->in[1] && value_is_nan(c->form.type, c->in[0]);
    return same && !(c->form.flags & PTO_PROPAGATE_NAN);
}

/** Compares one in `step` of the pairs of special values. A third operand cycles through the special values. */
static void fold_form(const struct maxmin_form *form, size_t step) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(form->type, specials);
    struct constant *all = harness_allocate(BATCH * sizeof *all);
    size_t used = 0;
    assert_true(count * count <= BATCH);
    for (size_t i = 0; i < count * count; i += step) {
        const struct constant c = {
            *form, {specials[i / count], specials[i % count], specials[(7 * i + 5 * (i / count)) % count]}};
        if (taken_for_itself(&c))
            seen.itself++;
        else
            all[used++] = c;
    }
    judge(all, used);
    harness_free(all);
}

/** Returns whether ptxas must fold the form: integers, f64, and f32 without .NaN and .xorsign.abs. Otherwise the
 * test would compare nothing. */
static bool must_fold(const struct maxmin_form *form) {
    if (form->type == PTO_F16 || form->type == PTO_BF16) return false;
    return (form->flags & (unsigned)(PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS)) == 0;
}

/** Uses sm_100a, because ptxas 13.5 folds less for sm_107a than for earlier targets. */
static void folds(void **state) {
    size_t same = 0;
    (void)state;
    ptxas.target = "sm_100a";
    for (size_t t = 0; t < TYPES; t++) {
        struct maxmin_form form;
        for (size_t i = 0; maxmin_form_of(types[t], i, &form); i++) {
            const bool half = model_size(form.type) == 2 && model_is_float(form.type);
            if (form.scalars != 0 || form.call == MODEL_RELU || is_extension(form.type, form.flags))
                continue; /* relu is max with +0, a special value */
            memset(&seen, 0, sizeof seen);
            fold_form(&form, harness_quick() || (half && !every_pair) ? 29 : every_pair ? 1 : 7);
            printf("%s %s, flags %u: %zu folded as here, %zu not folded, %zu taken for the operand itself\n",
                   maxmin_name(form.call), pto_dtype_name(form.type), form.flags, seen.same, seen.not_folded,
                   seen.itself);
            if (must_fold(&form) && seen.same <= seen.not_folded) fail_msg("next to nothing is folded");
            same += seen.same;
        }
    }
    printf("%zu constants folded as the library has them\n", same);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(legality), cmocka_unit_test(folds)};
    int status;
    if (argc < 2 || harness_start(1, argv) != 0) return 1;
    every_pair = argc > 2 && strcmp(argv[2], "all") == 0;
    if (!ptxas_start(&ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas, max and min", tests, NULL, NULL);
    ptxas_stop(&ptxas);
    return harness_end(status);
}
