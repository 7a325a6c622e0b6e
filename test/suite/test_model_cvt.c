/* SPDX-License-Identifier: MIT */
/* Compares the model of cvt with known results, the table of legal forms, and C's own conversions. */
#include "support/cmocka_all.h"
#include "support/cvt_examples.h"
#include "support/harness.h"
#include "model/model_cvt.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

static void examples(void **state) {
    (void)state;
    for (size_t i = 0; i < CVT_EXAMPLES; i++) {
        const struct cvt_example e = cvt_example(i);
        uint64_t got;
        assert_non_null(e.form);
        got = model_cvt(&e.form->op, e.input, e.scale);
        if (got != e.output)
            fail_msg("%s of %llx, scale %x: %llx, not %llx", e.form->text, (unsigned long long)e.input,
                     (unsigned)e.scale, (unsigned long long)got, (unsigned long long)e.output);
    }
    assert_null(cvt_example(CVT_EXAMPLES).form);
}

static void random_examples(void **state) {
    (void)state;
    for (size_t i = 0; i < CVT_EXAMPLES_RS; i++) {
        const struct cvt_example_rs *e = &cvt_examples_rs[i];
        const struct cvt_form *form = cvt_form_named(e->form, strlen(e->form));
        uint32_t packed = 0;
        assert_non_null(form);
        assert_int_equal(model_cvt_group(&form->op), form->lanes);
        for (size_t lane = 0; lane < (size_t)form->lanes; lane++) {
            const uint32_t r = model_cvt_extra(&form->op, &e->rbits, lane);
            model_cvt_store(form->op.dst, &packed, lane, model_cvt(&form->op, e->input, r));
        }
        if (packed != e->output) fail_msg("%s, %x: %x, not %x", e->form, e->rbits, packed, e->output);
    }
}

/* ---- legality: the model compared with the table of data/cvt_legal.json ---- */

static const struct cvt_form *find_form(const pto_cvt_op *op, int dst_lanes) {
    for (size_t i = 0; i < cvt_forms_count; i++) {
        const bool lanes = dst_lanes == 0 || cvt_forms[i].lanes == dst_lanes;
        if (lanes && model_same_cvt(&cvt_forms[i].op, op)) return &cvt_forms[i];
    }
    return NULL;
}

/** Returns the number of operations in the table. An operation may have several spellings. */
static size_t operations_of_table(void) {
    size_t count = 0;
    for (size_t i = 0; i < cvt_forms_count; i++) {
        count += find_form(&cvt_forms[i].op, 0) == &cvt_forms[i];
    }
    return count;
}

/** Checks that the model's legal operations are all in the table, and are as many as the table has. */
static void legality(void **state) {
    const size_t all = (size_t)MODEL_CVT_MODIFIERS * MODEL_CVT_TYPES * MODEL_CVT_TYPES;
    size_t legal = 0;
    (void)state;
    for (size_t i = 0; i < all; i++) {
        const size_t pair = i / MODEL_CVT_MODIFIERS;
        pto_cvt_op op = model_cvt_modifiers(i % MODEL_CVT_MODIFIERS);
        char text[MODEL_CVT_TEXT];
        op.src = (pto_dtype)(pair % MODEL_CVT_TYPES);
        op.dst = (pto_dtype)(pair / MODEL_CVT_TYPES);
        if (model_cvt_check(&op) != PTO_OK) continue;
        legal++;
        model_cvt_describe(&op, text);
        if (!find_form(&op, 0)) fail_msg("%s is not in the table", text);
    }
    assert_int_equal(legal, operations_of_table());
}

static void spellings(void **state) {
    size_t legal = 0;
    (void)state;
    for (size_t i = 0; i < (size_t)MODEL_CVT_WORDS * MODEL_CVT_WORDS * MODEL_CVT_MODIFIERS; i++) {
        const pto_cvt_op op = model_cvt_modifiers(i % MODEL_CVT_MODIFIERS);
        const size_t pair = i / MODEL_CVT_MODIFIERS;
        legal += model_cvt_spelling(&model_cvt_words[pair / MODEL_CVT_WORDS],
                                    &model_cvt_words[pair % MODEL_CVT_WORDS], &op) == PTO_OK;
    }
    assert_int_equal(legal, cvt_forms_count);
}

/* ---- comparison with C's conversions, in each rounding mode of the CPU ---- */

enum { RANDOM = 20000, MODES = 4 };
static const int fe_modes[MODES] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
static const pto_round modes[MODES] = {PTO_RN, PTO_RZ, PTO_RM, PTO_RP};

static void expect_bits(pto_dtype dst, pto_dtype src, size_t mode, uint64_t in, const void *result) {
    const pto_cvt_op op = {.dst = dst, .src = src, .round = modes[mode]};
    const uint64_t want = model_cvt_load(dst, result, 0);
    const uint64_t got = model_cvt(&op, in, 0);
    if (got != want)
        fail_msg("%s <- %s, mode %zu, %llx: %llx, not %llx", pto_dtype_name(dst), pto_dtype_name(src), mode,
                 (unsigned long long)in, (unsigned long long)got, (unsigned long long)want);
}

/** Returns a double whose exponent is in f32's range or close to it. */
static uint64_t near_f32(struct rng *rng) {
    const uint64_t bits = rng_next(rng) >> rng_below(rng, 3) * 20 << rng_below(rng, 3) * 20;
    const uint64_t exponent = 1023 - 160 + rng_below(rng, 300);
    return (bits & 0x800fffffffffffff) | exponent << 52;
}

static void as_the_cpu(void **state) {
    struct rng rng;
    (void)state;
    rng_start(&rng, "as the CPU");
    for (size_t i = 0; i < (size_t)RANDOM * MODES; i++) {
        const size_t mode = i % MODES;
        const uint64_t d = near_f32(&rng);
        const uint64_t u = rng_next(&rng) >> rng_below(&rng, 64);
        volatile double real;
        volatile uint64_t natural = u;
        volatile int64_t integer = (int64_t)(i % 8 < 4 ? u : ~u);
        float f32[3];
        double f64[2];
        memcpy((void *)&real, &d, sizeof d);
        fesetround(fe_modes[mode]);
        f32[0] = (float)real;
        f32[1] = (float)natural;
        f32[2] = (float)integer;
        f64[0] = (double)natural;
        f64[1] = (double)integer;
        fesetround(FE_TONEAREST);
        expect_bits(PTO_F32, PTO_F64, mode, d, &f32[0]);
        expect_bits(PTO_F32, PTO_U64, mode, natural, &f32[1]);
        expect_bits(PTO_F32, PTO_S64, mode, (uint64_t)integer, &f32[2]);
        expect_bits(PTO_F64, PTO_U64, mode, natural, &f64[0]);
        expect_bits(PTO_F64, PTO_S64, mode, (uint64_t)integer, &f64[1]);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(random_examples),
                                       cmocka_unit_test(legality), cmocka_unit_test(spellings),
                                       cmocka_unit_test(as_the_cpu)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status : harness_end(cmocka_run_group_tests_name("model of cvt", tests, NULL, NULL));
}
