/* SPDX-License-Identifier: MIT */
/* Runs the examples of PTO's page on comparison and selection, unchanged, and checks the results that the
 * page describes. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_running.h"

#include <string.h>

enum { LANES = 200 };

static void vcmp_example(void **state) {
    static const char text[] = "%all_active = pto.pset_b32 \"PAT_ALL\" : !pto.mask<G>\n"
                               "%lt_mask = pto.vcmp %a, %b, %all_active, \"lt\" : !pto.vreg<64xf32>, "
                               "!pto.vreg<64xf32>, !pto.mask<b32> -> "
                               "!pto.mask<b32>\n"
                               "// lt_mask[i] = 1 if a[i] < b[i]\n";
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    float a[LANES], b[LANES];
    unsigned char less[LANES], all[LANES];
    (void)state;
    fill_f32("vcmp a", a, LANES);
    fill_f32("vcmp b", b, LANES);
    for (size_t i = 0; i < LANES; i++) {
        less[i] = a[i] < b[i];
        all[i] = 1;
    }
    bind_array(p, "%a", PTO_F32, a, LANES);
    bind_array(p, "%b", PTO_F32, b, LANES);
    run_lanes(p, LANES);
    check_value(p, "%lt_mask", PTO_B8, less, LANES);
    check_value(p, "%all_active", PTO_B8, all, LANES);
    pto_program_free(p);
}

static void vcmps_example(void **state) {
    static const char text[] = "%positive_mask = pto.vcmps %values, %c0_f32, %all_active, \"gt\"\n"
                               "    : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>\n"
                               "// positive_mask[i] = 1 if values[i] > 0\n";
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    const float zero = 0;
    float x[LANES];
    unsigned char seed[LANES], positive[LANES];
    (void)state;
    fill_f32("vcmps", x, LANES);
    for (size_t i = 0; i < LANES; i++) {
        seed[i] = i % 5 != 0;
        positive[i] = seed[i] && x[i] > 0;
    }
    bind_array(p, "%values", PTO_F32, x, LANES);
    bind_array(p, "%c0_f32", PTO_F32, &zero, 1);
    bind_array(p, "%all_active", PTO_U8, seed, LANES);
    run_lanes(p, LANES);
    check_value(p, "%positive_mask", PTO_B8, positive, LANES);
    pto_program_free(p);
}

static void vsel_example(void **state) {
    static const char text[] =
        "// dst = mask ? true_vals : false_vals\n"
        "%result = pto.vsel %true_vals, %false_vals, %condition\n"
        "    : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n";
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    float a[LANES], b[LANES], chosen[LANES];
    unsigned char mask[LANES];
    (void)state;
    fill_f32("vsel a", a, LANES);
    fill_f32("vsel b", b, LANES);
    fill_bytes("vsel mask", mask, LANES);
    for (size_t i = 0; i < LANES; i++) {
        mask[i] &= 1;
        memcpy(&chosen[i], mask[i] ? &a[i] : &b[i], sizeof chosen[i]);
    }
    bind_array(p, "%true_vals", PTO_F32, a, LANES);
    bind_array(p, "%false_vals", PTO_F32, b, LANES);
    bind_array(p, "%condition", PTO_B8, mask, LANES);
    run_lanes(p, LANES);
    check_value(p, "%result", PTO_F32, chosen, LANES);
    pto_program_free(p);
}

static const char typical_usage[] =
    "// Clamp negative values to zero (manual ReLU)\n"
    "%all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<G>\n"
    "%zero = pto.vbr %c0_f32 : f32 -> !pto.vreg<64xf32>\n"
    "%neg_mask = pto.vcmps %input, %c0_f32, %all, \"lt\" : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> "
    "!pto.mask<b32>\n"
    "%clamped = pto.vsel %zero, %input, %neg_mask : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
    "!pto.vreg<64xf32>\n"
    "\n"
    "// Element-wise max via compare+select\n"
    "%gt_mask = pto.vcmp %a, %b, %all, \"gt\" : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
    "!pto.mask<b32>\n"
    "%max_ab = pto.vsel %a, %b, %gt_mask : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
    "!pto.vreg<64xf32>\n"
    "\n"
    "// Threshold filter\n"
    "%above_thresh = pto.vcmps %scores, %threshold, %all, \"ge\" : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> "
    "!pto.mask<b32>\n"
    "%filtered = pto.vsel %scores, %zero, %above_thresh : !pto.vreg<64xf32>, !pto.vreg<64xf32>, "
    "!pto.mask<b32> -> "
    "!pto.vreg<64xf32>\n";

/* Runs the example on more lanes than one block has. */
static void typical_usage_runs(void **state) {
    enum { N = 5000 };
    static float input[N], a[N], b[N], scores[N], wanted[N];
    const float zero = 0, threshold = 1.5F;
    pto_program *p = program_of(typical_usage, PTO_PROFILE_PTX);
    (void)state;
    fill_f32("input", input, N);
    fill_f32("a", a, N);
    fill_f32("b", b, N);
    fill_f32("scores", scores, N);
    bind_array(p, "%c0_f32", PTO_F32, &zero, 1);
    bind_array(p, "%threshold", PTO_F32, &threshold, 1);
    bind_array(p, "%input", PTO_F32, input, N);
    bind_array(p, "%a", PTO_F32, a, N);
    bind_array(p, "%b", PTO_F32, b, N);
    bind_array(p, "%scores", PTO_F32, scores, N);
    run_lanes(p, N);
    for (size_t i = 0; i < N; i++) memcpy(&wanted[i], input[i] < 0 ? &zero : &input[i], sizeof zero);
    check_value(p, "%clamped", PTO_F32, wanted, N);
    for (size_t i = 0; i < N; i++) memcpy(&wanted[i], a[i] > b[i] ? &a[i] : &b[i], sizeof zero);
    check_value(p, "%max_ab", PTO_F32, wanted, N);
    for (size_t i = 0; i < N; i++)
        memcpy(&wanted[i], scores[i] >= threshold ? &scores[i] : &zero, sizeof zero);
    check_value(p, "%filtered", PTO_F32, wanted, N);
    pto_program_free(p);
}

static const char safe_exp[] =
    "// Softmax safe exp: exp(x - max) where x < max returns exp of negative\n"
    "// but we want to clamp to avoid underflow\n"
    "\n"
    "%all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<G>\n"
    "\n"
    "// 1. Compare against threshold\n"
    "%too_small = pto.vcmps %x_minus_max, %min_exp_arg, %all, \"lt\"\n"
    "    : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>\n"
    "\n"
    "// 2. Clamp values below threshold\n"
    "%clamped = pto.vsel %min_exp_arg_vec, %x_minus_max, %too_small\n"
    "    : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
    "\n"
    "// 3. Safe exp\n"
    "%exp_result = pto.vexp %clamped, %all : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n";

static void safe_exp_runs(void **state) {
#ifdef PTO_NO_VMATH
    pto_program_error error;
    assert_null(pto_program_new(safe_exp, (pto_program_options){0}, &error));
    assert_non_null(strstr(error.text, "SLEEF"));
    assert_int_equal(error.line, 15);
#else
    const float least = -5;
    float x[LANES], clamped[LANES], y[LANES];
    pto_program *p = program_of(safe_exp, PTO_PROFILE_PTX);
    fill_f32("exp", x, LANES);
    for (size_t i = 0; i < LANES; i++) memcpy(&clamped[i], x[i] < least ? &least : &x[i], sizeof least);
    bind_array(p, "%x_minus_max", PTO_F32, x, LANES);
    bind_array(p, "%min_exp_arg", PTO_F32, &least, 1);
    bind_array(p, "%min_exp_arg_vec", PTO_F32, &least, 1);
    run_lanes(p, LANES);
    check_value(p, "%clamped", PTO_F32, clamped, LANES);
    assert_status(pto_vexp(PTO_F32, clamped, PTO_NO_MASK, y, LANES), PTO_OK);
    check_value(p, "%exp_result", PTO_F32, y, LANES);
    pto_program_free(p);
#endif
    (void)state;
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(vcmp_example),       cmocka_unit_test(vcmps_example), cmocka_unit_test(vsel_example),
        cmocka_unit_test(typical_usage_runs), cmocka_unit_test(safe_exp_runs),
    };
    const int status = harness_start(argc, argv);
    if (status) return status;
    return harness_end(cmocka_run_group_tests_name("pto_examples", tests, NULL, NULL));
}
