/* SPDX-License-Identifier: MIT */
/* Checks when the AVX-512 backend uses FP16 instructions, by counting the emulated instructions. It always uses
 * them for compares of f16 and for most maxima of f16. For bf16 compares it uses them where the result is the
 * same, and rarely tries where it may not be. */
#include "fp16/instructions.h"
#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/pto.h>

enum {
    LANES = 1 << 16,
    CALL =
        4096, /* lanes of most calls: 8 KiB of elements, the number that calls with a seed process at a time */
    TRIAL_LANES = 128,        /* lanes that are tested at once for being in f16's range */
    SKIPPED_MIN = 512,        /* lanes without a trial after one failure */
    SKIPPED_MAX = 8192,       /* lanes without a trial after many failures */
    PER_TRIAL = 8,            /* instructions per trial: the relation and ORD for 4 vectors */
    PER_FAILURE = 9,          /* instructions after a failure: one more ORD of the first vector */
    F16_RANGE_MAX = 0x7c00,   /* the largest bf16 magnitude with the bits of an f16 non-NaN value */
    OUT_OF_F16_RANGE = 0xff80 /* -inf */
};

static uint16_t a[LANES], b[LANES];
static _Alignas(uint16_t) uint8_t mask[LANES]; /* a mask of any kind, or the lanes of a result */

/** Fills in bf16 values that have the bits of f16 non-NaN values, including the largest and the smallest. */
static void fill_in_f16_range(uint16_t *x, const char *purpose) {
    struct rng rng;
    rng_start(&rng, purpose);
    for (size_t i = 0; i < LANES; i++) {
        x[i] = (uint16_t)(rng_below(&rng, F16_RANGE_MAX + 1) | rng_below(&rng, 2) << 15);
    }
    x[rng_below(&rng, LANES / 2)] = F16_RANGE_MAX;
    x[LANES / 2 + rng_below(&rng, LANES / 2)] = 0x8000 | F16_RANGE_MAX;
}

static void fill(void) {
    fill_in_f16_range(a, "a");
    fill_in_f16_range(b, "b");
}

/** Returns how many FP16 instructions a call uses. */
static unsigned long vcmp(pto_dtype t, pto_cmp op, size_t n) {
    const unsigned long before = fp16_count();
    assert_status(pto_vcmp(t, op, 0, a, b, PTO_NO_MASK, pto_packed(mask), n), PTO_OK);
    return fp16_count() - before;
}

static unsigned long vcmps_as(pto_mask_kind kind, pto_dtype t, pto_cmp op, uint16_t scalar, size_t n) {
    const unsigned long before = fp16_count();
    assert_status(pto_vcmps(t, op, 0, a, &scalar, PTO_NO_MASK, pto_mask_at(mask, kind), n), PTO_OK);
    return fp16_count() - before;
}

static unsigned long vcmps(pto_dtype t, pto_cmp op, uint16_t scalar, size_t n) {
    return vcmps_as(PTO_MASK_PACKED, t, op, scalar, n);
}

/** Returns how many instructions the trials for that many lanes use. */
static unsigned long trials(size_t lanes) {
    return lanes / TRIAL_LANES * PER_TRIAL;
}

static void f16_always(void **state) {
    (void)state;
    fill();
    a[1] = OUT_OF_F16_RANGE;
    assert_int_equal(vcmp(PTO_F16, PTO_LT, 1), 1);
    assert_int_equal(vcmp(PTO_F16, PTO_LT, LANES), LANES / FP16_LANES);
    assert_int_equal(vcmps(PTO_F16, PTO_GEU, 0x3c00, LANES), LANES / FP16_LANES);
}

static void f16_maxima(void **state) {
    static const struct {
        unsigned flags;
        unsigned long per_vector;
    } cases[] = {{0, 4}, {PTO_PROPAGATE_NAN, 3}, {PTO_FTZ, 0}, {PTO_XORSIGN_ABS, 0}};
    uint16_t *const dst = (uint16_t *)(void *)mask;
    (void)state;
    fill();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned long before = fp16_count();
        assert_status(pto_vmax(PTO_F16, cases[i].flags, pto_in_array(a), pto_in_array(b), dst, CALL), PTO_OK);
        assert_int_equal(fp16_count() - before, cases[i].per_vector * (CALL / FP16_LANES));
    }
}

static void bf16_in_f16_range(void **state) {
    (void)state;
    fill();
    assert_int_equal(vcmp(PTO_BF16, PTO_LT, TRIAL_LANES - 1), 0);
    assert_int_equal(vcmp(PTO_BF16, PTO_LT, LANES), trials(LANES));
    assert_int_equal(vcmp(PTO_BF16, PTO_GEU, LANES), trials(LANES));
}

/** Checks bf16 compares whose lanes are all out of f16's range. After one trial, only single vectors are tested: one
 * after SKIPPED_MIN lanes, the next ones after more and more lanes, up to SKIPPED_MAX. */
static void bf16_out_of_range(void **state) {
    (void)state;
    for (size_t i = 0; i < LANES; i++) {
        a[i] = OUT_OF_F16_RANGE;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, CALL), PER_TRIAL, PER_TRIAL + 4);
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), PER_TRIAL, PER_TRIAL + 4 + LANES / SKIPPED_MAX);
}

/** Checks bf16 compares where the last lane of each trial is out of f16's range, which is the worst position. */
static void bf16_one_out_of_range(void **state) {
    (void)state;
    fill();
    for (size_t i = 0; i < LANES; i++) {
        if (i % TRIAL_LANES == TRIAL_LANES - 1) b[i] = OUT_OF_F16_RANGE;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, CALL), PER_TRIAL, 5 * PER_FAILURE);
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), PER_TRIAL, (5 + LANES / SKIPPED_MAX) * PER_FAILURE);
}

/** Checks an array whose first half is -inf, as in masked attention scores. In the second half, FP16 must be used
 * again within SKIPPED_MAX lanes. One more lane out of range must then skip only SKIPPED_MIN lanes, as in an array
 * without such a run. */
static void bf16_after_a_run(void **state) {
    const size_t half = LANES / 2;
    const unsigned long looks = PER_TRIAL + 16; /* the most instructions that the run of -inf may cost */
    (void)state;
    fill();
    for (size_t i = 0; i < half; i++) {
        a[i] = OUT_OF_F16_RANGE;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(half - SKIPPED_MAX), trials(half) + looks);
    a[LANES - TRIAL_LANES] = OUT_OF_F16_RANGE;
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(half - SKIPPED_MAX - SKIPPED_MIN),
                    trials(half) + looks);
    fill();
    a[half] = OUT_OF_F16_RANGE;
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(LANES - SKIPPED_MIN), trials(LANES));
}

/** Checks an array where one of every CALL lanes is out of f16's range. After a trial that succeeds, the next failure
 * must skip only SKIPPED_MIN lanes again. */
static void bf16_now_and_then(void **state) {
    (void)state;
    fill();
    for (size_t i = 0; i < LANES; i += CALL) {
        a[i] = OUT_OF_F16_RANGE;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(LANES - LANES / CALL * SKIPPED_MIN), trials(LANES));
}

/** Checks that vcmps of bf16 uses one FP16 instruction per vector if the lanes and the scalar are in f16's range. */
static void bf16_scalar(void **state) {
    const unsigned long all = LANES / FP16_LANES;
    (void)state;
    fill();
    for (int op = PTO_EQ; op <= PTO_GEU; op++) {
        const bool is_unsigned = op >= PTO_LO && op <= PTO_HS;
        if (!is_unsigned) assert_int_equal(vcmps(PTO_BF16, (pto_cmp)op, 0x3f80, LANES), all);
    }
    assert_int_equal(vcmps(PTO_BF16, PTO_LT, 0x3f80, TRIAL_LANES - 1), 0);
    assert_int_equal(vcmps(PTO_BF16, PTO_NUM, 0x3f80, LANES), 0);
    assert_int_equal(vcmps(PTO_BF16, PTO_GE, F16_RANGE_MAX, LANES), all);
    assert_int_equal(vcmps(PTO_BF16, PTO_GT, 0x8000 | F16_RANGE_MAX, LANES), all);
    assert_int_equal(vcmps_as(PTO_MASK_BYTE, PTO_BF16, PTO_LT, 0xbf80, LANES), all);
    assert_int_equal(vcmps_as(PTO_MASK_B16, PTO_BF16, PTO_LT, 0xbf80, LANES), all);
    assert_int_equal(vcmps(PTO_BF16, PTO_LT, OUT_OF_F16_RANGE, LANES), 0);
    assert_int_equal(vcmps(PTO_BF16, PTO_EQ, F16_RANGE_MAX + 1, LANES), 0);
}

/** Checks scalar compares where one lane in TRIAL_LANES is out of f16's range, first below it, then above it. Then
 * FP16 is rarely used for half of the ordered relations and for PTO_NE, but always for the others and PTO_EQ. */
static void expect_scalar_out_of_range(uint16_t out_of_range) {
    const unsigned long all = LANES / FP16_LANES, few = (5 + LANES / SKIPPED_MAX) * TRIAL_LANES / FP16_LANES;
    fill();
    for (size_t i = TRIAL_LANES - 1; i < LANES; i += TRIAL_LANES) {
        a[i] = out_of_range;
    }
    assert_int_equal(vcmps(PTO_BF16, PTO_GT, 0x3f80, LANES), all);
    assert_int_equal(vcmps(PTO_BF16, PTO_LTU, 0x3f80, LANES), all);
    assert_int_equal(vcmps(PTO_BF16, PTO_EQ, 0x3f80, LANES), all);
    assert_in_range(vcmps(PTO_BF16, PTO_LE, 0x3f80, LANES), 1, few);
    assert_in_range(vcmps(PTO_BF16, PTO_NE, 0x3f80, LANES), 1, few);
    for (size_t i = 0; i < LANES; i++) {
        a[i] &= INT16_MAX;
    }
    assert_int_equal(vcmps(PTO_BF16, PTO_LE, 0x3f80, LANES), all);
    assert_in_range(vcmps(PTO_BF16, PTO_GT, 0x3f80, LANES), 1, few);
    assert_in_range(vcmps(PTO_BF16, PTO_NE, 0x3f80, LANES), 1, few);
}

static void bf16_scalar_out_of_range(void **state) {
    (void)state;
    expect_scalar_out_of_range(OUT_OF_F16_RANGE);
    expect_scalar_out_of_range(0x8000 | (F16_RANGE_MAX + 1));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(f16_always),
                                       cmocka_unit_test(f16_maxima),
                                       cmocka_unit_test(bf16_in_f16_range),
                                       cmocka_unit_test(bf16_out_of_range),
                                       cmocka_unit_test(bf16_one_out_of_range),
                                       cmocka_unit_test(bf16_after_a_run),
                                       cmocka_unit_test(bf16_now_and_then),
                                       cmocka_unit_test(bf16_scalar),
                                       cmocka_unit_test(bf16_scalar_out_of_range)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    return harness_end(cmocka_run_group_tests_name("fp16", tests, NULL, NULL));
}
