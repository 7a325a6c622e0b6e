/* SPDX-License-Identifier: MIT */
/* When the AVX-512 backend compares by FP16, told by the emulated instructions, which are counted: always for f16, whose
 * maxima it takes by it, too; for bf16 wherever the answer is the same, and hardly ever where it may not be. */
#include "fp16/instructions.h"
#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/pto.h>

enum {
    LANES = 1 << 16,
    CALL =
        4096, /* lanes of a call, where not all: an 8 KiB array, and what calls with a seed take at a time */
    TRIED = 128,           /* lanes that are tried at once */
    LEFT_MIN = 512,        /* lanes that go without a trial after one that failed */
    LEFT_MAX = 8192,       /* and after many */
    PER_TRIAL = 8,         /* instructions for them: the relation and ORD of 4 vectors */
    PER_DOUBT = 9,         /* after a failure: ORD of the first once more */
    LIKE_F16_MAX = 0x7c00, /* the greatest magnitude that is */
    BEYOND = 0xff80        /* -inf */
};

static uint16_t a[LANES], b[LANES];
static _Alignas(uint16_t) uint8_t mask[LANES]; /* of any kind, or lanes of a result */

/** Numbers like f16's, the greatest and the least among them. */
static void fill_like_f16(uint16_t *x, const char *purpose) {
    struct rng rng;
    rng_start(&rng, purpose);
    for (size_t i = 0; i < LANES; i++) {
        x[i] = (uint16_t)(rng_below(&rng, LIKE_F16_MAX + 1) | rng_below(&rng, 2) << 15);
    }
    x[rng_below(&rng, LANES / 2)] = LIKE_F16_MAX;
    x[LANES / 2 + rng_below(&rng, LANES / 2)] = 0x8000 | LIKE_F16_MAX;
}

static void fill(void) {
    fill_like_f16(a, "a");
    fill_like_f16(b, "b");
}

/** How many instructions a call takes. */
static unsigned long vcmp(pto_dtype t, pto_cmp op, size_t n) {
    const unsigned long before = fp16_count();
    assert_int_equal(pto_vcmp(t, op, 0, a, b, PTO_NO_MASK, pto_packed(mask), n), PTO_OK);
    return fp16_count() - before;
}

static unsigned long vcmps_as(pto_mask_kind kind, pto_dtype t, pto_cmp op, uint16_t scalar, size_t n) {
    const unsigned long before = fp16_count();
    assert_int_equal(pto_vcmps(t, op, 0, a, &scalar, PTO_NO_MASK, pto_mask_at(mask, kind), n), PTO_OK);
    return fp16_count() - before;
}

static unsigned long vcmps(pto_dtype t, pto_cmp op, uint16_t scalar, size_t n) {
    return vcmps_as(PTO_MASK_PACKED, t, op, scalar, n);
}

/** What trials of so many lanes take. */
static unsigned long trials(size_t lanes) {
    return lanes / TRIED * PER_TRIAL;
}

static void f16_always(void **state) {
    (void)state;
    fill();
    a[1] = BEYOND;
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
        assert_int_equal(pto_vmax(PTO_F16, cases[i].flags, pto_in_array(a), pto_in_array(b), dst, CALL),
                         PTO_OK);
        assert_int_equal(fp16_count() - before, cases[i].per_vector * (CALL / FP16_LANES));
    }
}

static void bf16_like_f16(void **state) {
    (void)state;
    fill();
    assert_int_equal(vcmp(PTO_BF16, PTO_LT, TRIED - 1), 0);
    assert_int_equal(vcmp(PTO_BF16, PTO_LT, LANES), trials(LANES));
    assert_int_equal(vcmp(PTO_BF16, PTO_GEU, LANES), trials(LANES));
}

/** Every lane is beyond: a trial, then a look at one vector now and then. */
static void bf16_beyond(void **state) {
    (void)state;
    for (size_t i = 0; i < LANES; i++) {
        a[i] = BEYOND;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, CALL), PER_TRIAL, PER_TRIAL + 4);
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), PER_TRIAL, PER_TRIAL + 4 + LANES / LEFT_MAX);
}

/** One lane is beyond, at the worst place of each trial. */
static void bf16_one_beyond(void **state) {
    (void)state;
    fill();
    for (size_t i = 0; i < LANES; i++) {
        if (i % TRIED == TRIED - 1) b[i] = BEYOND;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, CALL), PER_TRIAL, 5 * PER_DOUBT);
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), PER_TRIAL, (5 + LANES / LEFT_MAX) * PER_DOUBT);
}

/** As masked scores are: when the run of -inf is over, FP16 comes back soon, and a lane beyond costs little again. */
static void bf16_after_a_run(void **state) {
    const size_t half = LANES / 2;
    const unsigned long looks = PER_TRIAL + 16; /* while the run lasts, at the most */
    (void)state;
    fill();
    for (size_t i = 0; i < half; i++) {
        a[i] = BEYOND;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(half - LEFT_MAX), trials(half) + looks);
    a[LANES - TRIED] = BEYOND;
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(half - LEFT_MAX - LEFT_MIN), trials(half) + looks);
    fill();
    a[half] = BEYOND;
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(LANES - LEFT_MIN), trials(LANES));
}

/** A lane now and then: after a success few lanes are left out again. */
static void bf16_now_and_then(void **state) {
    (void)state;
    fill();
    for (size_t i = 0; i < LANES; i += CALL) {
        a[i] = BEYOND;
    }
    assert_in_range(vcmp(PTO_BF16, PTO_LT, LANES), trials(LANES - LANES / CALL * LEFT_MIN), trials(LANES));
}

/** A relation for each vector, where lanes and scalar are like f16's. */
static void bf16_scalar(void **state) {
    const unsigned long all = LANES / FP16_LANES;
    (void)state;
    fill();
    for (int op = PTO_EQ; op <= PTO_GEU; op++) {
        const bool is_unsigned = op >= PTO_LO && op <= PTO_HS;
        if (!is_unsigned) assert_int_equal(vcmps(PTO_BF16, (pto_cmp)op, 0x3f80, LANES), all);
    }
    assert_int_equal(vcmps(PTO_BF16, PTO_LT, 0x3f80, TRIED - 1), 0);
    assert_int_equal(vcmps(PTO_BF16, PTO_NUM, 0x3f80, LANES), 0);
    assert_int_equal(vcmps(PTO_BF16, PTO_GE, LIKE_F16_MAX, LANES), all);
    assert_int_equal(vcmps(PTO_BF16, PTO_GT, 0x8000 | LIKE_F16_MAX, LANES), all);
    assert_int_equal(vcmps_as(PTO_MASK_BYTE, PTO_BF16, PTO_LT, 0xbf80, LANES), all);
    assert_int_equal(vcmps_as(PTO_MASK_B16, PTO_BF16, PTO_LT, 0xbf80, LANES), all);
    assert_int_equal(vcmps(PTO_BF16, PTO_LT, BEYOND, LANES), 0);
    assert_int_equal(vcmps(PTO_BF16, PTO_EQ, LIKE_F16_MAX + 1, LANES), 0);
}

/** Lanes at one end are in the way of half of the orders, and of no equality. */
static void expect_scalar_beyond(uint16_t beyond) {
    const unsigned long all = LANES / FP16_LANES, few = (5 + LANES / LEFT_MAX) * TRIED / FP16_LANES;
    fill();
    for (size_t i = TRIED - 1; i < LANES; i += TRIED) {
        a[i] = beyond;
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

static void bf16_scalar_beyond(void **state) {
    (void)state;
    expect_scalar_beyond(BEYOND);
    expect_scalar_beyond(0x8000 | (LIKE_F16_MAX + 1));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f16_always),        cmocka_unit_test(f16_maxima),
        cmocka_unit_test(bf16_like_f16),     cmocka_unit_test(bf16_beyond),
        cmocka_unit_test(bf16_one_beyond),   cmocka_unit_test(bf16_after_a_run),
        cmocka_unit_test(bf16_now_and_then), cmocka_unit_test(bf16_scalar),
        cmocka_unit_test(bf16_scalar_beyond)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    return cmocka_run_group_tests_name("fp16", tests, NULL, NULL);
}
